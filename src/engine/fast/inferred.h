/*
 * inferred.h - ways out of stretches that need not be counted.
 *
 * Whoever comes to a stretch leaves it again: by all its ways together control goes as often as it
 * has come by all that lead there, a call to where it comes back to. So if the others are counted,
 * one way of those follows from them. What comes or goes otherwise has a cell of its own at each
 * stretch, and is rare: in from outside, out in the middle, by a way that somebody else takes,
 * calls that do not come back as they should. Stretches where that is not so, the start of the
 * function and those that lead where the code does not say, are left out: they are as good as the
 * world outside. Of the ways that are not counted, no two lead from one stretch to another, on
 * whatever detour.
 */
#ifndef GS_ENGINE_INFERRED_H
#define GS_ENGINE_INFERRED_H

#include "engine/fast/usual.h"

/* What goes in and out of the stretch `at` says how often a way is taken, if that is done in order.
 */
struct gs_inferred {
    uint32_t at;
    uint32_t stretch;
    uint8_t way;
};

/* Whether control comes to a stretch from outside as a rule: the start of the function, or a twin.
 */
static inline bool gs_inferred_is_start(const gs_code *code, const gs_stretch *s)
{
    return s->pc == code->stretches[0].pc;
}

/* Chooses them in code where call paths are not followed. False when memory is out. */
bool gs_inferred_find(gs_code *code, gs_arena *arena);

/* Completes the counts of all ways: `times`, by cell, has those that are counted, and what has come
 * and gone otherwise. `balance` is room for a number per stretch. */
void gs_inferred_complete(const gs_stretch *stretches, size_t count, const gs_inferred *inferred,
                          size_t inferred_count, uint64_t *times, uint64_t *balance);

#endif
