/*
 * inferred.h - exits of superblocks that need not be counted.
 *
 * Whoever comes to a superblock leaves it again: by all its exits together control goes as often as
 * it has come by all that lead there, a call to where it comes back to. So if the others are
 * counted, one exit of those follows from them. What comes or goes otherwise has a cell of its own
 * at each superblock, and is rare: in from outside, out in the middle, by an exit that somebody
 * else takes, calls that do not come back as they should. Superblocks where that is not so, the
 * start of the function and those that lead where the code does not say, are left out: they are as
 * good as the world outside. Of the exits that are not counted, no two lead from one superblock to
 * another, on whatever detour.
 */
#ifndef GS_ENGINE_INFERRED_H
#define GS_ENGINE_INFERRED_H

#include "engine/fast/automaton/predict.h"

/* What goes in and out of the superblock `at` says how often an exit is taken, if that is done in
 * order.
 */
struct gs_inferred {
    uint32_t at;
    uint32_t superblock;
    uint8_t exit;
};

/* Whether control comes to a superblock from outside as a rule: the start of the function, or a
 * clone.
 */
static inline bool gs_inferred_is_start(const gs_code *code, const gs_superblock *s)
{
    return s->pc == code->superblocks[0].pc;
}

/* Chooses them in code where call paths are not followed. False when memory is out. */
bool gs_inferred_find(gs_code *code, gs_arena *arena);

/* Completes the counts of all exits: `times`, by cell, has those that are counted, and what has
 * come and gone otherwise. `balance` is room for a number per superblock. */
void gs_inferred_complete(const gs_superblock *superblocks, size_t count,
                          const gs_inferred *inferred, size_t inferred_count, uint64_t *times,
                          uint64_t *balance);

#endif
