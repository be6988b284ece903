/*
 * candidate.h - what may be worth translating, and where it begins.
 *
 * A candidate is a function, a part of a large one, or a page of code without one. No
 * instruction belongs to two of them.
 */
#ifndef GS_ENGINE_CANDIDATE_H
#define GS_ENGINE_CANDIDATE_H

#include "engine/fast/stretch.h"

typedef struct gs_candidate {
    gs_addr low, high;
    unsigned samples; /* since it was last looked at */
    unsigned tries, looped;
    bool translated, wanted;
    struct {
        gs_addr *items;
        size_t count, capacity;
    } seeds; /* where control comes in */
} gs_candidate;

typedef struct gs_candidates {
    gs_candidate *items;
    size_t count, capacity;
} gs_candidates;

/* The one `pc` belongs to, which is made if need be. NULL if there is none. */
gs_candidate *gs_candidates_at(gs_candidates *all, const gs_image *image, gs_addr pc);
void gs_candidates_free(gs_candidates *all);

/* False if it is known already, or there are too many. */
bool gs_candidate_add_seed(gs_candidate *c, gs_addr pc);

/* Whether an instruction has been executed, or translated. */
bool gs_was_executed(const gs_machine *machine, gs_addr pc);

/* Whether an instruction is in one of the stretches. */
bool gs_code_covers(const gs_code *code, gs_addr pc);

/* Cuts up a candidate's code. With `look_further`, what has been executed and does not seem to be
 * reached becomes a seed. False when memory is out. */
bool gs_candidate_find_code(gs_candidate *c, gs_code *code, gs_arena *arena,
                            const gs_machine *machine, gs_timing *timing, const gs_addr *loops,
                            size_t loop_count, bool look_further);

#endif
