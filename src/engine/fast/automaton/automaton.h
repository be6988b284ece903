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
#include "probe/bulk.h"
#include "probe/paths.h"

typedef struct gs_fast_state {
    struct gs_fast_state *chained;
    uint32_t number; /* made from the bytes, so it mostly is the same in every run */
    uint16_t size;
    uint8_t bytes[];
} gs_fast_state;

/* The model's result for an exit of a superblock, from one state of the pipeline, with one
 * outcome of each site. */
typedef struct gs_transition {
    struct gs_transition *chained;
    const gs_superblock *superblock;
    const gs_fast_state *state;
    uint64_t key;
    gs_addr goal;
    uint16_t exit, steps;

    gs_fast_state *after;
    int32_t cycles; /* negative only from states that no run is in, such as the one at rest */
    uint32_t icache_reads, dcache_reads, dcache_writes;
    gs_branch_counts branches;
    uint64_t issue_fj;
    gs_addr wrong_path; /* the address whose line the last instruction filled by a wrong-path
                           fetch alone; 0: none */
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
    gs_fast_edge exit[]; /* with the predicted outcomes, to the targets that the code states */
};

/* `timing` is the one whose pipeline is memoized; it, the machine and the observers must live
 * longer. If one of them follows call paths, edges are kept apart by path; the caller finds out
 * what an edge does to a path. */
gs_status gs_automaton_open(gs_automaton **out, gs_timing *timing, const gs_bulk_group *observers,
                            gs_error *err);
void gs_automaton_free(gs_automaton *a);

/* Whether a core's pipeline can be memoized at all. */
bool gs_automaton_fits(const gs_timing *timing);

/* The superblock translated for `pc`, or NULL. */
gs_superblock *gs_automaton_superblock(const gs_automaton *a, gs_addr pc);

/* Registers a superblock that has been translated, or removes one that is out of use. After all
 * of them comes gs_automaton_forget_goals(), which has each edge look up again where it leads.
 * False when memory is out. */
bool gs_automaton_add(gs_automaton *a, gs_superblock *superblock);
void gs_automaton_remove(gs_automaton *a, const gs_superblock *superblock);
void gs_automaton_forget_goals(gs_automaton *a);

/* The state of the timing, at `pc`; NULL if the model cannot serialize it, or memory is out. */
gs_fast_state *gs_automaton_serialize(gs_automaton *a, gs_addr pc);

/* Whether one transition serves all targets of an exit: its goal is then 0 in all functions
 * here. Where call paths are followed, calls and jumps are kept apart by target. */
bool gs_automaton_is_uniform(const gs_automaton *a, const gs_sb_exit *exit);

/* Whether the cost of an exit and the state after it do not depend on its target. */
bool gs_automaton_goals_are_alike(const gs_automaton *a, const gs_sb_exit *exit);

/* The state of a pipeline that has come to rest; or NULL. */
gs_fast_state *gs_automaton_rest(gs_automaton *a, gs_addr pc);

/* The state with a number, which has to exist. */
gs_fast_state *gs_automaton_state(const gs_automaton *a, uint32_t number);

/* Puts the timing into a state, at `pc`. Its `now` has to be right already. */
void gs_automaton_deserialize(gs_automaton *a, const gs_fast_state *state, gs_addr pc);

/* The transition of an exit with the predicted outcomes, or with those in the key; NULL when
 * memory is out. `goal` is ignored for exits whose target the code states. */
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

/* Where call paths are followed: classifies all edges again, by what they do to loops, and by
 * whether calls still lead to the same path. May report counts, as gs_automaton_settle() does. */
void gs_automaton_reclassify(gs_automaton *a);

/* The edge of an exit of the node, made if there is none yet; NULL when memory is out. `goal` is
 * ignored for exits whose target the code states. */
gs_fast_edge *gs_automaton_edge(gs_automaton *a, gs_fast_node *node, unsigned exit, uint64_t key,
                                gs_addr goal);

/* The edge that stops before the instruction `steps` of the superblock. */
gs_fast_edge *gs_automaton_partial(gs_automaton *a, gs_fast_node *node, unsigned steps,
                                   uint64_t key);

/* Adds what has been counted to the timing (stalls, branches, cache hits), and reports it to the
 * observers. */
void gs_automaton_settle(gs_automaton *a);

/* Charges that belong to no run of instructions, `times` times; see gs_bulk_run. */
void gs_automaton_charge(gs_automaton *a, const gs_superblock *superblock, uint64_t path,
                         const gs_charge *charges, unsigned count, uint64_t times);

/* A transition made once, or charges alone, as observers are told of them. */
gs_bulk_run gs_automaton_run_of(const gs_transition *t);
gs_bulk_run gs_automaton_charges_of(const gs_superblock *superblock, const gs_charge *charges,
                                    unsigned count);

/* The edge of exits that have never been taken: it leads nowhere. */
gs_fast_edge *gs_automaton_nowhere(gs_automaton *a);

static inline bool gs_sb_exit_returns(const gs_sb_exit *exit)
{
    return exit->kind == GS_SB_EXIT_INDIRECT && exit->flow != GS_FLOW_JUMP_INDIRECT;
}

static inline bool gs_sb_exit_is_indirect(const gs_sb_exit *exit)
{
    return exit->kind == GS_SB_EXIT_INDIRECT || exit->kind == GS_SB_EXIT_CALL_INDIRECT;
}

/* Writes the transitions of a superblock as comments of C. */
void gs_automaton_explain(const gs_automaton *a, const gs_superblock *superblock, FILE *to);

size_t gs_automaton_node_count(const gs_automaton *a);

#endif
