#include "profile/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { MAX_CONTEXTS = 4096, RECENT = 1024 };

typedef struct set {
    size_t first, count; /* in `sites` */
} set;

struct gs_contexts {
    struct {
        set *items;
        size_t count, capacity;
    } sets;
    struct {
        uint32_t *items;
        size_t count, capacity;
    } sites;
    struct {
        uint32_t context, site, result;
    } recent[RECENT]; /* a `site` of 0 is an empty entry */
};

gs_status gs_contexts_open(gs_contexts **out, gs_error *err)
{
    set empty = {0, 0};
    *out = calloc(1, sizeof **out);
    if (!*out || !gs_vec_push(&(*out)->sets, empty)) {
        gs_contexts_free(*out);
        *out = NULL;
        return gs_fail_no_memory(err);
    }
    return GS_OK;
}

void gs_contexts_free(gs_contexts *contexts)
{
    if (!contexts)
        return;
    free(contexts->sets.items);
    free(contexts->sites.items);
    free(contexts);
}

/* Appends the sites of `context` with `site` among them, in order; how many, or 0 without memory.
 */
static size_t append(gs_contexts *c, uint32_t context, uint32_t site)
{
    set from = c->sets.items[context];
    size_t count = 0;
    bool placed = false;
    for (size_t i = 0; i < from.count || !placed; count++) {
        uint32_t next = i < from.count ? c->sites.items[from.first + i] : UINT32_MAX;
        if (!placed && (i == from.count || site <= next)) {
            i += i < from.count && next == site;
            next = site;
            placed = true;
        } else {
            i++;
        }
        if (!gs_vec_push(&c->sites, next))
            return 0;
    }
    return count;
}

static uint32_t find(gs_contexts *c, uint32_t context, uint32_t site)
{
    size_t first = c->sites.count, count = append(c, context, site);
    uint32_t found = GS_CONTEXT_NONE;
    for (size_t i = 0; i < c->sets.count && count > 0; i++) {
        const set *known = &c->sets.items[i];
        if (known->count == count && memcmp(c->sites.items + known->first, c->sites.items + first,
                                            count * sizeof *c->sites.items) == 0) {
            found = (uint32_t)i;
            break;
        }
    }
    set made = {first, count};
    if (found == GS_CONTEXT_NONE && count > 0 && c->sets.count < MAX_CONTEXTS &&
        gs_vec_push(&c->sets, made))
        return (uint32_t)c->sets.count - 1;
    c->sites.count = first;
    return found;
}

uint32_t gs_contexts_with(gs_contexts *c, uint32_t context, uint32_t site)
{
    size_t slot = (site / 2 + context * 61) % RECENT;
    if (c->recent[slot].site == site && c->recent[slot].context == context && site != 0)
        return c->recent[slot].result;
    uint32_t result = find(c, context, site);
    c->recent[slot].context = context;
    c->recent[slot].site = site;
    c->recent[slot].result = result;
    return result;
}

size_t gs_contexts_count(const gs_contexts *c)
{
    return c->sets.count;
}

const uint32_t *gs_contexts_sites(const gs_contexts *c, uint32_t context, size_t *count)
{
    *count = c->sets.items[context].count;
    return c->sites.items + c->sets.items[context].first;
}
