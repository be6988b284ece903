/* A hash table of indirect jumps and their targets. */
#include "profile/jumps.h"

#include <stdlib.h>

#include "base/vec.h"

void gs_jumps_fini(gs_jumps *j)
{
    free(j->items);
    free(j->at);
    *j = (gs_jumps){0};
}

static size_t hash(const gs_jumps *j, uint32_t from, uint32_t to)
{
    uint32_t mixed = ((from >> 1) * 31 + (to >> 1)) * 0x9e3779b1u;
    return (mixed >> 7) & (j->slots - 1);
}

static bool grow(gs_jumps *j)
{
    size_t slots = j->slots ? 2 * j->slots : 256;
    uint32_t *wider = calloc(slots, sizeof *wider);
    if (!wider)
        return false;
    free(j->at);
    j->at = wider;
    j->slots = slots;
    for (size_t i = 0; i < j->count; i++) {
        size_t at = hash(j, j->items[i].from, j->items[i].to);
        while (j->at[at])
            at = (at + 1) & (slots - 1);
        j->at[at] = (uint32_t)i + 1;
    }
    return true;
}

gs_jump_profile *gs_jumps_between(gs_jumps *j, uint32_t from, uint32_t to, bool *made)
{
    *made = false;
    if (2 * j->count >= j->slots && !grow(j))
        return NULL;
    size_t at = hash(j, from, to);
    for (; j->at[at]; at = (at + 1) & (j->slots - 1)) {
        gs_jump_profile *jump = &j->items[j->at[at] - 1];
        if (jump->from == from && jump->to == to)
            return jump;
    }
    gs_jump_profile row = {.from = from, .to = to};
    if (!gs_vec_push(j, row))
        return NULL;
    j->at[at] = (uint32_t)j->count;
    *made = true;
    return &j->items[j->count - 1];
}

static int by_ends(const void *a, const void *b)
{
    const gs_jump_profile *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

void gs_jumps_sort(gs_jumps *j)
{
    free(j->at);
    j->at = NULL;
    j->slots = 0;
    if (j->count > 1)
        qsort(j->items, j->count, sizeof *j->items, by_ends);
}
