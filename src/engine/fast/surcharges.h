/*
 * surcharges.h - what is unusual, and just costs more.
 *
 * Something unusual mostly just costs more: a miss makes a stretch some cycles longer, whichever
 * way out is taken, and the pipeline is in the same state afterwards. Then it is counted, paid at
 * once, and the code goes on as if nothing had been. What is unusual is taken together for a visit
 * of a stretch: if more comes up, what has been paid is given back, and both together have a
 * surcharge of their own, or none, and somebody looks at the next way out.
 */
#ifndef GS_ENGINE_FAST_SURCHARGES_H
#define GS_ENGINE_FAST_SURCHARGES_H

#include <assert.h>

#include "engine/fast/engine_parts.h"

/* As long as a line of the host's cache: looking for it is what takes time. */
struct gs_surcharge {
    gs_fast_block *block; /* NULL: there is none here */
    uint64_t key;
    uint32_t place; /* see gs_surcharge_place() */
    bool adds;      /* it is one; otherwise there is more to it */
    uint64_t cost;
    uint64_t count, settled;
    gs_stretch *stretch;
    gs_difference *difference;
};
static_assert(sizeof(void *) != 8 || sizeof(gs_surcharge) == GS_HOST_LINE, "see above");

/* Where control is: in a stretch, in one of its known states. */
static inline uint32_t gs_surcharge_place(const gs_fast_ask *ask)
{
    return (uint32_t)(ask->number << 4 | ask->state);
}

/* Where it is, or where there is room for it. */
static inline gs_surcharge *gs_surcharge_slot(const gs_surcharges *table,
                                              const gs_fast_block *block, uint32_t place,
                                              uint64_t key)
{
    const uint64_t mixed =
        ((uintptr_t)block + place) * 0x9e3779b97f4a7c15u ^ (key + place) * 0xbf58476d1ce4e5b9u;
    for (size_t i = mixed >> 40;; i++) {
        gs_surcharge *at = &table->items[i & table->mask];
        if ((at->key == key && at->place == place && at->block == block) || !at->block)
            return at;
    }
}

/* NULL when memory is out. */
gs_surcharge *gs_surcharge_make(gs_fast_engine *e, gs_fast_block *block, uint32_t place,
                                uint64_t key);

/* Some bits of the key, or none, have come up where `ask` says; makes of the cost what it has to
 * be then. */
static inline void gs_surcharge_add(gs_fast_engine *e, const gs_fast_ask *ask, uint64_t bits)
{
    gs_fast *c = e->c;
    if (!bits)
        return;
    if (c->key || c->special) {
        c->key |= bits;
        c->cost = gs_fast_look(c->cost);
        return;
    }
    uint64_t cost = c->cost;
    const uint64_t visit = gs_visit(ask->number, cost);
    if (e->added_visit == visit) {
        bits |= e->added->key;
        cost -= e->added->cost;
        e->added->count--;
    }
    gs_fast_block *block = gs_asked_block(c, ask);
    const uint32_t place = gs_surcharge_place(ask);
    gs_surcharge *more = gs_surcharge_slot(&e->surcharges, block, place, bits);
    if (!more->block)
        more = gs_surcharge_make(e, block, place, bits);
    if (!more || !more->adds || (int64_t)(cost + more->cost) < 0) {
        e->added_visit = GS_NO_VISIT;
        c->key = bits;
        c->cost = gs_fast_look(cost);
        return;
    }
    more->count++;
    e->added = more;
    e->added_visit = visit;
    c->cost = cost + more->cost;
}

#endif
