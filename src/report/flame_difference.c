/*
 * The call paths of two profiles as one tree. A path of the earlier profile belongs to the node of
 * the same names; numbers of functions mean nothing across profiles.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/flame.h"
#include "report/names.h"
#include "report/paths.h"

typedef struct side {
    const gs_profile *profile;
    gs_path *paths;
    size_t count;
    uint32_t *name; /* per function, and none: equal texts have equal numbers */
    uint32_t *node; /* per path */
} side;

typedef struct named {
    const char *text;
    uint32_t *number;
} named;

typedef struct merged {
    gs_flame *flame;
    uint32_t *name;  /* per node */
    uint32_t *slots; /* nodes by parent and name: index plus one, or 0 */
    size_t mask;
} merged;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const named *)a)->text, ((const named *)b)->text);
}

static size_t list_names(named *names, size_t count, side *s)
{
    for (size_t i = 0; i <= s->profile->functions.count; i++)
        names[count++] = (named){gs_report_function_name(s->profile, (uint32_t)i), &s->name[i]};
    return count;
}

static bool number_names(side *before, side *after)
{
    size_t count = before->profile->functions.count + after->profile->functions.count + 2;
    named *names = calloc(count, sizeof *names);
    before->name = calloc(before->profile->functions.count + 1, sizeof *before->name);
    after->name = calloc(after->profile->functions.count + 1, sizeof *after->name);
    bool good = names && before->name && after->name;
    if (good) {
        list_names(names, list_names(names, 0, before), after);
        qsort(names, count, sizeof *names, by_text);
        uint32_t number = 0;
        for (size_t i = 0; i < count; i++) {
            number += i > 0 && strcmp(names[i].text, names[i - 1].text) != 0;
            *names[i].number = number;
        }
    }
    free(names);
    return good;
}

static uint32_t name_of(const side *s, uint32_t function)
{
    size_t functions = s->profile->functions.count;
    return s->name[function < functions ? function : functions];
}

/* The node below `parent` with this name, made if there is none. */
static uint32_t node_for(merged *m, uint32_t parent, uint32_t name, uint32_t function,
                         bool is_before)
{
    uint64_t hash = ((uint64_t)parent << 32 | name) * 0x9e3779b97f4a7c15u;
    for (size_t at = (size_t)(hash >> 32) & m->mask;; at = (at + 1) & m->mask) {
        uint32_t node = m->slots[at];
        if (node == 0) {
            gs_flame_node made = {.parent = parent, .function = function, .is_before = is_before};
            m->name[m->flame->count] = name;
            m->flame->items[m->flame->count] = made;
            m->slots[at] = (uint32_t)++m->flame->count;
            return m->slots[at] - 1;
        }
        if (m->flame->items[node - 1].parent == parent && m->name[node - 1] == name)
            return node - 1;
    }
}

static void merge(merged *m, side *s, bool is_before)
{
    gs_metric metric = m->flame->metric;
    for (size_t i = 0; i < s->count; i++) {
        const gs_path *path = &s->paths[i];
        bool is_root = path->parent == GS_PROFILE_NONE;
        /* Programs begin at functions of different names, perhaps: roots go together. */
        uint32_t parent = is_root ? GS_PROFILE_NONE : s->node[path->parent];
        uint32_t name = is_root ? 0 : name_of(s, path->function);
        s->node[i] = node_for(m, parent, name, path->function, is_before);
        gs_flame_node *node = &m->flame->items[s->node[i]];
        if (is_before) {
            node->before_self += path->self.value[metric];
            node->before += path->inclusive.value[metric];
        } else {
            node->calls += path->calls;
            gs_metrics_add(&node->self, &path->self);
            gs_metrics_add(&node->inclusive, &path->inclusive);
        }
    }
}

static gs_status open_side(side *s, const gs_profile *profile, gs_metric metric, gs_error *err)
{
    *s = (side){.profile = profile};
    gs_status status = gs_paths_open(&s->paths, &s->count, profile, metric, false, err);
    s->node = calloc(s->count + 1, sizeof *s->node);
    return status == GS_OK && !s->node ? gs_fail_no_memory(err) : status;
}

static void close_side(side *s)
{
    free(s->paths);
    free(s->name);
    free(s->node);
}

static gs_status cut(gs_flame *flame, size_t most, gs_error *err)
{
    uint64_t *sizes = calloc(flame->count + 1, sizeof *sizes);
    if (!sizes)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < flame->count; i++) {
        const gs_flame_node *node = &flame->items[i];
        uint64_t after = node->inclusive.value[flame->metric];
        sizes[i] = after > node->before ? after : node->before;
    }
    gs_status status = gs_flame_cut(flame, sizes, most, err);
    free(sizes);
    return status;
}

static gs_status merge_sides(gs_flame *flame, side *before, side *after, size_t most, gs_error *err)
{
    size_t nodes = before->count + after->count + 1, slots = 2;
    while (slots < 2 * nodes)
        slots *= 2;
    merged m = {flame, calloc(nodes, sizeof *m.name), calloc(slots, sizeof *m.slots), slots - 1};
    flame->items = calloc(nodes, sizeof *flame->items);
    bool good = flame->items && m.name && m.slots && number_names(before, after);
    if (good) {
        merge(&m, after, false);
        merge(&m, before, true);
    }
    free(m.name);
    free(m.slots);
    return good ? cut(flame, most, err) : gs_fail_no_memory(err);
}

gs_status gs_flame_open_difference(gs_flame *flame, const gs_profile *before,
                                   const gs_profile *after, const gs_flame_options *options,
                                   gs_error *err)
{
    side earlier = {0}, later = {0};
    *flame = (gs_flame){.profile = after, .earlier = before, .metric = options->metric};
    gs_status status = open_side(&earlier, before, options->metric, err);
    if (status == GS_OK)
        status = open_side(&later, after, options->metric, err);
    if (status == GS_OK)
        status = merge_sides(flame, &earlier, &later, options->most, err);
    close_side(&earlier);
    close_side(&later);
    if (status != GS_OK)
        gs_flame_close(flame);
    return status;
}
