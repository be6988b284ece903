/*
 * candidate.h - what may be worth translating, and where it begins.
 *
 * A candidate is a function, a part of a large one, or a page of code without one. No
 * instruction belongs to two of them.
 */
#ifndef GS_ENGINE_CANDIDATE_H
#define GS_ENGINE_CANDIDATE_H

#include "base/arena.h"
#include "engine/fast/automaton/table.h"
#include "engine/fast/superblock/superblock.h"

typedef struct gs_candidate {
    struct gs_candidate *chained;
    gs_addr low, high;
    unsigned samples;  /* samples in code of it that is not translated, since it was last
                          translated */
    uint64_t executed; /* instructions of its quick code that have been executed, about, in this
                          run and in earlier ones, since it was optimized */
    struct {
        unsigned tries; /* how often it has been translated again */
    } by[2];            /* the optimizing and the quick tier */
    unsigned looped;
    bool done;           /* is being compiled, or has been given up */
    bool wanted;         /* a caller that is translated wants it translated, too */
    const gs_code *code; /* its translation, or NULL */
    struct {
        gs_addr *items;
        size_t count, capacity;
    } seeds, stops;          /* see gs_code_plan */
    const gs_addr *barriers; /* never translated, wherever they are; sorted or not */
    size_t barrier_count;
} gs_candidate;

typedef struct gs_candidates {
    gs_candidate **items;
    size_t count, capacity;
    gs_table by_address;
    gs_arena arena;
    const gs_addr *barriers; /* of each of them; borrowed */
    size_t barrier_count;
} gs_candidates;

/* False when memory is out. */
bool gs_candidates_open(gs_candidates *all);
void gs_candidates_close(gs_candidates *all);

/* The candidate that `pc` belongs to, made if there is none yet. NULL if there can be none. */
gs_candidate *gs_candidates_at(gs_candidates *all, const gs_image *image, gs_addr pc);

/* Whether a tier may translate it, for the first time or again. The quick tier does not replace
 * optimized code. */
bool gs_candidate_is_open(const gs_candidate *c, bool quick);

/* Adds a seed. False if it is known already, or there are too many. */
bool gs_candidate_add_seed(gs_candidate *c, gs_addr pc);
bool gs_candidate_add_stop(gs_candidate *c, gs_addr pc);

/* Whether an instruction has been executed, or translated. */
bool gs_was_executed(const gs_machine *machine, gs_addr pc);

/* Whether an instruction could be translated, and is not. */
bool gs_candidate_lacks(const gs_candidate *c, gs_addr pc);

/* How many of its instructions have been executed. */
unsigned gs_candidate_size(const gs_candidate *c, const gs_machine *machine);

/* Whether one of those jumps back to another: the function probably runs for a while. */
bool gs_candidate_has_loop(const gs_candidate *c, const gs_machine *machine);

/* Chooses seeds and stops so that exactly the instructions that have been executed are
 * translated. False when memory is out. */
bool gs_candidate_choose_code(gs_candidate *c, gs_code *code, gs_arena *arena,
                              const gs_machine *machine, gs_timing *timing, const gs_addr *loops,
                              size_t loop_count);

/* Cuts its code into superblocks, with the seeds and stops it has. False when memory is out. */
bool gs_candidate_find_code(const gs_candidate *c, gs_code *code, gs_arena *arena,
                            const gs_machine *machine, gs_timing *timing, const gs_addr *loops,
                            size_t loop_count);

#endif
