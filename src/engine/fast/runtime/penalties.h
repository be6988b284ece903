/*
 * penalties.h - events that only add cycles.
 *
 * An event that was not predicted mostly only costs cycles: a miss makes a superblock some cycles
 * longer, whichever exit is taken, and the pipeline is in the same state afterwards. Then the
 * penalty is counted and added to the cost at once, and translated code goes on. The events of one
 * visit of a superblock make one key: when another one comes up, the penalty paid so far is taken
 * back, and both together have a penalty of their own; or they have none, and the next exit is a
 * slow exit.
 */
#ifndef GS_ENGINE_FAST_PENALTIES_H
#define GS_ENGINE_FAST_PENALTIES_H

#include <assert.h>

#include "engine/fast/automaton/predict.h"
#include "engine/fast/runtime/fast.h"

enum { GS_HOST_LINE = 64 }; /* bytes, of the host's cache */

/* As long as a line of the host's cache: looking one up is what takes time. */
typedef struct gs_penalty {
    gs_count_block *block; /* NULL: the slot is empty */
    uint64_t key;
    uint32_t place; /* see gs_penalty_place() */
    bool adds;      /* false: the key has other effects than added cycles */
    bool is_paid;   /* its slot is among the paid ones */
    uint64_t cost;
    uint64_t count, settled;
    gs_superblock *superblock;
    gs_difference *difference;
} gs_penalty;
static_assert(sizeof(void *) != 8 || sizeof(gs_penalty) == GS_HOST_LINE, "see above");

typedef struct gs_penalties {
    gs_fast_engine *engine;
    gs_penalty *items; /* mask + 1 slots, by a hash */
    size_t mask, count;
    struct gs_tally_count *seen; /* by slot; see tally.h */
    uint32_t *paid_slots;        /* those of penalties that may have been counted since then */
    size_t paid_count;
    gs_penalty *paid;    /* the penalty that was added last, */
    uint64_t paid_visit; /* and in which visit of a superblock, see gs_visit() */
} gs_penalties;

/* No superblock is executing. */
#define GS_NO_VISIT UINT64_MAX

/* Identifies a visit: while control is in a superblock, no instruction is added to the cost, and no
 * other visit of it in the same run of translated code has begun with as many. */
static inline uint64_t gs_visit(uint64_t superblock, uint64_t cost)
{
    return superblock << 32 | gs_fast_instructions(cost);
}

/* What a penalty is looked up by: a superblock, and the known state it was entered in. */
static inline uint32_t gs_penalty_place(const gs_stub_args *args)
{
    return (uint32_t)(args->number << 4 | args->state);
}

/* The count block of the code that called a helper; see gs_fast.blocks_from. */
static inline gs_count_block *gs_args_block(const gs_fast *c, const gs_stub_args *args)
{
    return (gs_count_block *)(void *)(c->blocks_from + args->block);
}

/* The slot of a penalty, or the empty one for it. */
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
gs_penalty *gs_penalty_make(gs_penalties *table, gs_count_block *block, uint32_t place,
                            uint64_t key);

/* Adds bits to the key of the superblock that `args` names (0: none), and the penalty for the
 * new key to the cost. */
static inline void gs_penalty_add(gs_penalties *table, gs_fast *c, const gs_stub_args *args,
                                  uint64_t bits)
{
    if (!bits)
        return;
    if (c->key || c->special) {
        c->key |= bits;
        c->cost = gs_fast_set_slow(c->cost);
        return;
    }
    uint64_t cost = c->cost;
    const uint64_t visit = gs_visit(args->number, cost);
    if (table->paid_visit == visit) {
        bits |= table->paid->key;
        cost -= table->paid->cost;
        table->paid->count--;
    }
    gs_count_block *block = gs_args_block(c, args);
    const uint32_t place = gs_penalty_place(args);
    gs_penalty *more = gs_penalty_slot(table, block, place, bits);
    if (!more->block)
        more = gs_penalty_make(table, block, place, bits);
    if (!more || !more->adds || (int64_t)(cost + more->cost) < 0) {
        table->paid_visit = GS_NO_VISIT;
        c->key = bits;
        c->cost = gs_fast_set_slow(cost);
        return;
    }
    more->count++;
    if (!more->is_paid) {
        more->is_paid = true;
        table->paid_slots[table->paid_count++] = (uint32_t)(more - table->items);
    }
    table->paid = more;
    table->paid_visit = visit;
    c->cost = cost + more->cost;
}

/* Sets the callback for unpredicted outcomes in `c` as well. False when memory is out. */
bool gs_penalties_open(gs_penalties *table, gs_fast_engine *engine, gs_fast *c);
void gs_penalties_close(gs_penalties *table);

/* The key of the penalty that the visit of a superblock has paid, which began with this cost; 0:
 * none. */
static inline uint64_t gs_penalty_key(const gs_penalties *table, const gs_superblock *s,
                                      uint64_t cost)
{
    return table->paid_visit == gs_visit(s->number, cost) ? table->paid->key : 0;
}

/* Takes back the penalty of the visit that is executing; its key is in c->key instead. */
void gs_penalty_give_up(gs_penalties *table, gs_fast *c, const gs_superblock *s);

/* Reports all penalties so far to the timing and the observers. */
void gs_penalties_settle(gs_penalties *table, gs_automaton *automaton);

#endif
