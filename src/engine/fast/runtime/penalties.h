/*
 * penalties.h - what is unusual, and just costs more.
 *
 * Something unusual mostly just costs more: a miss makes a superblock some cycles longer, whichever
 * exit is taken, and the pipeline is in the same state afterwards. Then it is counted, paid at
 * once, and the code goes on as if nothing had been. What is unusual is taken together for a visit
 * of a superblock: if more comes up, what has been paid is given back, and both together have a
 * penalty of their own, or none, and somebody looks at the next exit.
 */
#ifndef GS_ENGINE_FAST_PENALTIES_H
#define GS_ENGINE_FAST_PENALTIES_H

#include <assert.h>

#include "engine/fast/runtime/engine_parts.h"

/* As long as a line of the host's cache: looking for it is what takes time. */
struct gs_penalty {
    gs_count_block *block; /* NULL: there is none here */
    uint64_t key;
    uint32_t place; /* see gs_penalty_place() */
    bool adds;      /* it is one; otherwise there is more to it */
    uint64_t cost;
    uint64_t count, settled;
    gs_superblock *superblock;
    gs_difference *difference;
};
static_assert(sizeof(void *) != 8 || sizeof(gs_penalty) == GS_HOST_LINE, "see above");

/* Where control is: in a superblock, in one of its known states. */
static inline uint32_t gs_penalty_place(const gs_stub_args *args)
{
    return (uint32_t)(args->number << 4 | args->state);
}

/* Where it is, or where there is room for it. */
static inline gs_penalty *gs_penalty_slot(const gs_penalties *table, const gs_count_block *block,
                                          uint32_t place, uint64_t key)
{
    const uint64_t mixed =
        ((uintptr_t)block + place) * 0x9e3779b97f4a7c15u ^ (key + place) * 0xbf58476d1ce4e5b9u;
    for (size_t i = mixed >> 40;; i++) {
        gs_penalty *at = &table->items[i & table->mask];
        if ((at->key == key && at->place == place && at->block == block) || !at->block)
            return at;
    }
}

/* NULL when memory is out. */
gs_penalty *gs_penalty_make(gs_fast_engine *e, gs_count_block *block, uint32_t place, uint64_t key);

/* Some bits of the key, or none, have come up where `ask` says; makes of the cost what it has to
 * be then. */
static inline void gs_penalty_add(gs_fast_engine *e, const gs_stub_args *args, uint64_t bits)
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
    const uint64_t visit = gs_visit(args->number, cost);
    if (e->added_visit == visit) {
        bits |= e->added->key;
        cost -= e->added->cost;
        e->added->count--;
    }
    gs_count_block *block = gs_args_block(c, args);
    const uint32_t place = gs_penalty_place(args);
    gs_penalty *more = gs_penalty_slot(&e->penalties, block, place, bits);
    if (!more->block)
        more = gs_penalty_make(e, block, place, bits);
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
