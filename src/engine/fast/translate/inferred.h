/*
 * inferred.h - exits of superblocks that need not be counted.
 *
 * Control leaves a superblock as often as it comes there: the counts of its exits add up to the
 * counts of the exits that lead to it, where a call leads to the place it comes back to. So one of
 * them can be inferred from the others. Where control comes or goes by no exit, a cell of its own
 * at each superblock counts that; it is rare: in from outside, out in the middle, a slow exit to
 * elsewhere, a call that does not come back as expected. Where it is not rare, at the start of the
 * function and at superblocks with a goal that the code does not say, superblocks are left out:
 * they count as the world outside. The exits that are not counted form no cycle: they are a
 * spanning forest, as in Knuth's and Ball and Larus's profiling of edges.
 */
#ifndef GS_ENGINE_INFERRED_H
#define GS_ENGINE_INFERRED_H

#include "engine/fast/automaton/predict.h"

/* The exit's count follows from what goes in and out of the superblock `at`, if those of the
 * entries before are known. */
struct gs_inferred {
    uint32_t at;
    uint32_t superblock;
    uint8_t exit;
};

/* Whether control mostly comes to a superblock from outside: it is the start of the function, or a
 * clone of it. */
static inline bool gs_inferred_is_start(const gs_code *code, const gs_superblock *s)
{
    return s->pc == code->superblocks[0].pc;
}

/* Chooses them in code where call paths are not followed. `at_any_time`: counts are asked for while
 * functions have called others, too; then a place where calls come back is left out like the start.
 * False when memory is out. */
bool gs_inferred_find(gs_code *code, bool at_any_time, gs_arena *arena);

/* Completes the counts of all exits: `times`, by cell, has those that are counted, and how often
 * control has come and gone by no exit. `balance` is room for a number per superblock. */
void gs_inferred_complete(const gs_superblock *superblocks, size_t count,
                          const gs_inferred *inferred, size_t inferred_count, uint64_t *times,
                          uint64_t *balance);

#endif
