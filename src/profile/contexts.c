/* Numbers the sets of loops that a recursive function was called from. */
#include "profile/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Each may have counters for several pages. */
enum { MAX_CONTEXTS = 512, RECENT = 1024 };

typedef struct set {
    size_t first, count; /* in `headers` */
} set;

struct gs_contexts {
    struct {
        set *items;
        size_t count, capacity;
    } sets;
    struct {
        uint32_t *items;
        size_t count, capacity;
    } headers;
    struct {
        uint32_t context, header, result;
    } recent[RECENT]; /* a `header` of 0 is an empty entry */
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
    free(contexts->headers.items);
    free(contexts);
}

/* Appends the headers of `context` with `header` among them, in order; how many, or 0 without
 * memory.
 */
static size_t append(gs_contexts *c, uint32_t context, uint32_t header)
{
    set from = c->sets.items[context];
    size_t count = 0;
    bool placed = false;
    for (size_t i = 0; i < from.count || !placed; count++) {
        uint32_t next = i < from.count ? c->headers.items[from.first + i] : UINT32_MAX;
        if (!placed && (i == from.count || header <= next)) {
            i += i < from.count && next == header;
            next = header;
            placed = true;
        } else {
            i++;
        }
        if (!gs_vec_push(&c->headers, next))
            return 0;
    }
    return count;
}

static uint32_t find(gs_contexts *c, uint32_t context, uint32_t header)
{
    size_t first = c->headers.count, count = append(c, context, header);
    uint32_t found = GS_CONTEXT_NONE;
    for (size_t i = 0; i < c->sets.count && count > 0; i++) {
        const set *known = &c->sets.items[i];
        if (known->count == count &&
            memcmp(c->headers.items + known->first, c->headers.items + first,
                   count * sizeof *c->headers.items) == 0) {
            found = (uint32_t)i;
            break;
        }
    }
    set made = {first, count};
    if (found == GS_CONTEXT_NONE && count > 0 && c->sets.count < MAX_CONTEXTS &&
        gs_vec_push(&c->sets, made))
        return (uint32_t)c->sets.count - 1;
    c->headers.count = first;
    return found;
}

uint32_t gs_contexts_with(gs_contexts *c, uint32_t context, uint32_t header)
{
    size_t slot = (header / 2 + context * 61) % RECENT;
    if (c->recent[slot].header == header && c->recent[slot].context == context && header != 0)
        return c->recent[slot].result;
    uint32_t result = find(c, context, header);
    c->recent[slot].context = context;
    c->recent[slot].header = header;
    c->recent[slot].result = result;
    return result;
}

const uint32_t *gs_contexts_headers(const gs_contexts *c, uint32_t context, size_t *count)
{
    *count = c->sets.items[context].count;
    return c->headers.items + c->sets.items[context].first;
}
