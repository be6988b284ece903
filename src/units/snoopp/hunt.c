/* Divides groups of functions from run to run until the hottest functions are found. */
#include "units/snoopp/hunt.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static uint64_t start_of(const gs_hunt *h, size_t function)
{
    return gs_image_function(h->image, function)->start;
}

static uint64_t end_of(const gs_hunt *h, size_t function)
{
    return gs_image_function(h->image, function)->end;
}

/* Divides functions first..last into `parts` groups of about the same size in bytes, each with at
 * least one function, and aims at them. */
static bool aim(gs_hunt *h, size_t first, size_t last, size_t parts)
{
    while (parts > 0) {
        uint64_t share = (end_of(h, last) - start_of(h, first)) / parts;
        size_t border = first;
        while (border < last && last - border >= parts &&
               end_of(h, border) - start_of(h, first) < share)
            border++;
        if (parts == 1)
            border = last;
        gs_hunt_group group = {.first = first, .last = border};
        if (!gs_vec_push(&h->aimed, group))
            return false;
        first = border + 1;
        parts--;
    }
    return true;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

bool gs_hunt_begin(gs_hunt *h, const gs_image *image, unsigned counters, double threshold)
{
    *h = (gs_hunt){.image = image, .counters = counters, .threshold = threshold};
    size_t functions = gs_image_function_count(image);
    return functions == 0 || aim(h, 0, functions - 1, smaller(functions, counters));
}

static int by_count(const void *a, const void *b)
{
    const gs_hunt_group *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

static void sort(gs_hunt_list *list)
{
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, by_count);
}

/* The part whose counters have most to tell each gets one more. NULL if none can be divided
 * further. */
static size_t *neediest(const gs_hunt *h, size_t *parts, size_t count)
{
    size_t *best = NULL;
    double most = -1;
    for (size_t i = 0; i < count; i++) {
        const gs_hunt_group *group = &h->pending.items[i];
        double need = (double)group->count / (double)parts[i];
        if (parts[i] < group->last - group->first + 1 && need > most) {
            most = need;
            best = &parts[i];
        }
    }
    return best;
}

/* Divides the largest pending groups, into two at least. */
static bool aim_at_pending(gs_hunt *h)
{
    size_t count = smaller(h->pending.count, h->counters / 2);
    if (count == 0)
        return true;
    size_t *parts = malloc(count * sizeof *parts);
    if (!parts)
        return false;
    for (size_t i = 0; i < count; i++)
        parts[i] = 2;
    size_t *needy;
    for (size_t left = h->counters - 2 * count;
         left > 0 && (needy = neediest(h, parts, count)) != NULL; left--)
        ++*needy;
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = aim(h, h->pending.items[i].first, h->pending.items[i].last, parts[i]);
    free(parts);
    h->pending.count -= count;
    memmove(h->pending.items, h->pending.items + count,
            h->pending.count * sizeof *h->pending.items);
    return good;
}

bool gs_hunt_learn(gs_hunt *h, const uint64_t *counts)
{
    h->runs++;
    for (size_t i = 0; i < h->aimed.count; i++) {
        h->aimed.items[i].count = counts[i];
        h->aimed.items[i].run = h->runs;
        if (h->runs == 1)
            h->total += counts[i];
    }
    for (size_t i = 0; i < h->aimed.count; i++) {
        const gs_hunt_group *group = &h->aimed.items[i];
        bool matters = group->count > 0 && (double)group->count >= h->threshold * (double)h->total;
        gs_hunt_list *list = group->first == group->last ? &h->found : &h->pending;
        if (matters && !gs_vec_push(list, *group))
            return false;
    }
    h->aimed.count = 0;
    sort(&h->found);
    sort(&h->pending);
    return aim_at_pending(h);
}

static bool copy_list(gs_hunt_list *to, const gs_hunt_list *from)
{
    *to = (gs_hunt_list){0};
    if (from->count == 0)
        return true;
    to->items = malloc(from->count * sizeof *to->items);
    if (!to->items)
        return false;
    memcpy(to->items, from->items, from->count * sizeof *to->items);
    to->count = to->capacity = from->count;
    return true;
}

bool gs_hunt_copy(gs_hunt *to, const gs_hunt *from)
{
    *to = *from;
    bool aimed = copy_list(&to->aimed, &from->aimed);
    bool pending = copy_list(&to->pending, &from->pending);
    bool found = copy_list(&to->found, &from->found);
    return aimed && pending && found;
}

void gs_hunt_fini(gs_hunt *h)
{
    free(h->aimed.items);
    free(h->pending.items);
    free(h->found.items);
    *h = (gs_hunt){0};
}
