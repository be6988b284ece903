/*
 * automaton.h - what superblocks cost, computed by the pipeline model itself.
 *
 * The model is run once over a superblock from each state it can be in at its start, and with
 * each outcome of its sites, on a copy of its own (the oracle) whose caches answer from a script.
 * The result is memoized as a transition: cycles, stalls, and the state the pipeline is in
 * afterwards. So there is one description of each pipeline, and adding up transitions gives its
 * numbers exactly.
 *
 * An edge counts how often a transition was made. Where call paths are followed, edges and nodes
 * exist once per path; the transitions are shared by all paths.
 */
#ifndef GS_ENGINE_AUTOMATON_H
#define GS_ENGINE_AUTOMATON_H

#include <stdio.h>

#include "engine/fast/prelude/runtime.h"
#include "engine/fast/superblock/superblock.h"
#include "probe/paths.h"

typedef struct gs_fast_state {
    struct gs_fast_state *chained;
    uint32_t number; /* made from the bytes, so it mostly is the same in every run */
    uint16_t size;
    uint8_t bytes[];
} gs_fast_state;

/* What is known of an exit through a superblock, from one state of the pipeline, with one outcome
 * of its sites. */
typedef struct gs_transition {
    struct gs_transition *chained;
    const gs_superblock *superblock;
    const gs_fast_state *state;
    uint64_t key;
    gs_addr goal;
    uint16_t exit, steps;

    gs_fast_state *after;
    int32_t cycles; /* less than 0 only from states that do not come about, as the one of rest */
    uint32_t icache_reads, dcache_reads, dcache_writes;
    gs_branch_counts branches;
    uint64_t issue_fj;
    gs_addr wrong_path; /* a line the last instruction brought in that fetched along the wrong path
                           only; or 0 */
    unsigned charge_count;
    gs_charge charges[];
} gs_transition;

static inline uint64_t gs_transition_cost(const gs_transition *transition)
{
    return (uint64_t)transition->cycles * GS_FAST_CYCLE + transition->steps;
}

typedef struct gs_automaton gs_automaton;

/* A superblock in a state of the pipeline, on a call path. */
struct gs_fast_node {
    gs_superblock *superblock;
    gs_fast_state *state;
    uint64_t path; /* where in the call tree; 0 where paths are not followed */
    gs_fast_node *chained;
    gs_fast_edge exit[]; /* if nothing is unusual, and the code says where it leads */
};

/* `timing` is the one whose pipeline is memoized; it, the machine and the observers must live
 * longer. If one of them follows call paths, edges are kept apart by path; what an edge is to a
 * path is for the caller to find out. */
gs_status gs_automaton_open(gs_automaton **out, gs_timing *timing, const gs_bulk_group *observers,
                            gs_error *err);
void gs_automaton_free(gs_automaton *a);

/* Whether a core's pipeline can be memoized at all. */
bool gs_automaton_fits(const gs_timing *timing);

/* The superblock translated for `pc`, or NULL. */
gs_superblock *gs_automaton_superblock(const gs_automaton *a, gs_addr pc);

/* A superblock has been translated, or is not any more. When all have been told,
 * gs_automaton_forget_goals() has edges look anew where they lead. False when memory is out. */
bool gs_automaton_add(gs_automaton *a, gs_superblock *superblock);
void gs_automaton_remove(gs_automaton *a, const gs_superblock *superblock);
void gs_automaton_forget_goals(gs_automaton *a);

/* The state the timing is in, at `pc`; NULL if it cannot be said, or memory is out. */
gs_fast_state *gs_automaton_serialize(gs_automaton *a, gs_addr pc);

/* Whether an exit is the same wherever it leads: then its goal is 0 in all functions here. Where
 * call paths are followed, calls and jumps are kept apart by where they went. */
bool gs_automaton_is_uniform(const gs_automaton *a, const gs_sb_exit *exit);

/* Whether it costs the same, at least, and leaves the pipeline in the same state. */
bool gs_automaton_goals_are_alike(const gs_automaton *a, const gs_sb_exit *exit);

/* The state of a pipeline that has come to rest; or NULL. */
gs_fast_state *gs_automaton_rest(gs_automaton *a, gs_addr pc);

/* The state with a number, which has to exist. */
gs_fast_state *gs_automaton_state(const gs_automaton *a, uint32_t number);

/* Puts the timing into a state, at `pc`. Its `now` has to be right already. */
void gs_automaton_deserialize(gs_automaton *a, const gs_fast_state *state, gs_addr pc);

/* What there is to know of an exit if nothing is unusual, or what the key says; NULL when memory is
 * out. For exits whose goal the code says, `goal` does not matter. */
gs_transition *gs_automaton_transition(gs_automaton *a, gs_superblock *superblock,
                                       gs_fast_state *state, unsigned exit, gs_addr goal);
gs_transition *gs_automaton_transition_with(gs_automaton *a, gs_superblock *superblock,
                                            gs_fast_state *state, unsigned exit, gs_addr goal,
                                            uint64_t key);

/* The node for a superblock in a state, on a path. NULL when memory is out. */
gs_fast_node *gs_automaton_node(gs_automaton *a, gs_superblock *superblock, gs_fast_state *state,
                                uint64_t path);

/* The jump at the end of an edge. False: there is none. */
bool gs_automaton_move(const gs_automaton *a, const gs_fast_edge *edge, gs_move *move);

/* Whether an edge is a call that always leads to the same path. */
static inline bool gs_automaton_calls(const gs_fast_edge *edge)
{
    return edge->move == GS_MOVE_CALL || edge->move == GS_MOVE_TAIL;
}

/* Where call paths are followed: looks again what edges are to loops, and whether calls still lead
 * where they led. May report what has been counted, as gs_automaton_settle() does. */
void gs_automaton_judge(gs_automaton *a);

/* The edge of an exit of the node; made if need be. For exits whose goal the code says, `goal`
 * does not matter. NULL when memory is out. */
gs_fast_edge *gs_automaton_edge(gs_automaton *a, gs_fast_node *node, unsigned exit, uint64_t key,
                                gs_addr goal);

/* The edge that stops before the instruction `steps` of the superblock. */
gs_fast_edge *gs_automaton_partial(gs_automaton *a, gs_fast_node *node, unsigned steps,
                                   uint64_t key);

/* Gives what has been counted to the timing (stalls, branches, cache hits) and to the observers. */
void gs_automaton_settle(gs_automaton *a);

/* Charges that belong to no run of instructions, so many times; see gs_bulk_run. */
void gs_automaton_charge(gs_automaton *a, const gs_superblock *superblock, uint64_t path,
                         const gs_charge *charges, unsigned count, uint64_t times);

/* An edge that leads nowhere, of which nothing is known. */
gs_fast_edge *gs_automaton_nowhere(gs_automaton *a);

static inline bool gs_sb_exit_returns(const gs_sb_exit *exit)
{
    return exit->kind == GS_SB_EXIT_INDIRECT && exit->flow != GS_FLOW_JUMP_INDIRECT;
}

static inline bool gs_sb_exit_is_indirect(const gs_sb_exit *exit)
{
    return exit->kind == GS_SB_EXIT_INDIRECT || exit->kind == GS_SB_EXIT_CALL_INDIRECT;
}

/* What is known of the exits of a superblock, as comments of C. */
void gs_automaton_explain(const gs_automaton *a, const gs_superblock *superblock, FILE *to);

size_t gs_automaton_node_count(const gs_automaton *a);

#endif
