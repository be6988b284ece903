/*
 * automaton.h - what stretches cost, learnt from the pipeline model itself.
 *
 * The model is run once over a stretch from each state it can be in at its start, and with
 * each outcome of its sites, on a copy of its own whose caches answer as they are told. What
 * comes out is remembered as an edge: cycles, stalls, and the state the pipeline is in
 * afterwards. So there is one description of each pipeline, and whoever follows edges gets
 * its numbers exactly.
 *
 * Who wants to know on which call path cycles were spent has a node per path as well. What has
 * been learnt on one path holds on all of them.
 */
#ifndef GS_ENGINE_AUTOMATON_H
#define GS_ENGINE_AUTOMATON_H

#include <stdio.h>

#include "engine/bulk.h"
#include "engine/fast/runtime.h"
#include "engine/fast/stretch.h"

typedef struct gs_fast_state {
    struct gs_fast_state *chained;
    uint32_t hash;
    uint16_t size;
    uint8_t bytes[];
} gs_fast_state;

/* What is known of a way through a stretch, from one state of the pipeline, with one outcome of its
 * sites. */
typedef struct gs_fast_lesson {
    struct gs_fast_lesson *chained;
    const gs_stretch *stretch;
    const gs_fast_state *state;
    uint64_t key;
    gs_addr goal;
    uint16_t way, steps;

    gs_fast_state *after;
    uint32_t cycles;
    uint32_t icache_reads, dcache_reads, dcache_writes;
    gs_branch_counts branches;
    uint64_t issue_fj;
    gs_addr stray; /* a line the last instruction brought in that fetch only strayed to; or 0 */
    unsigned charge_count;
    gs_charge charges[];
} gs_fast_lesson;

typedef struct gs_automaton gs_automaton;

/* `timing` is the one whose pipeline is to be learnt; it and the machine must live longer. With
 * `bulk` (or NULL) call paths are kept apart: edges then stay pending until somebody has found out
 * where they lead, with gs_automaton_lead(). */
gs_status gs_automaton_open(gs_automaton **out, gs_timing *timing, const gs_bulk *bulk,
                            gs_error *err);
void gs_automaton_free(gs_automaton *a);

/* Whether a core can be learnt at all. */
bool gs_automaton_fits(const gs_timing *timing);

/* A stretch has been translated, or is not any more. When all have been told, gs_automaton_link()
 * has edges lead to what there is now. False when memory is out. */
bool gs_automaton_add(gs_automaton *a, gs_stretch *stretch);
void gs_automaton_remove(gs_automaton *a, const gs_stretch *stretch);
bool gs_automaton_link(gs_automaton *a);

/* The stretch translated for `pc`, or NULL. */
gs_stretch *gs_automaton_stretch(const gs_automaton *a, gs_addr pc);

/* Where the timing is now, if it is at the start of a stretch and can be frozen; or NULL. */
gs_fast_node *gs_automaton_enter(gs_automaton *a, gs_addr pc, uint64_t path);

/* The node for a stretch in a state, on a path. NULL when memory is out. */
gs_fast_node *gs_automaton_node(gs_automaton *a, gs_stretch *stretch, gs_fast_state *state,
                                uint64_t path);

/* Has an edge lead to a path, this time: to a node that is in edge->arrived then, NULL if its goal
 * has not been translated. False when memory is out. */
bool gs_automaton_lead(gs_automaton *a, gs_fast_edge *edge, uint64_t path);

/* The jump at the end of an edge. False: there is none. */
bool gs_automaton_move(const gs_automaton *a, const gs_fast_edge *edge, gs_move *move);

/* Whether an edge is a call that always leads to the same path. */
static inline bool gs_automaton_calls(const gs_fast_edge *edge)
{
    return edge->move == GS_MOVE_CALL || edge->move == GS_MOVE_TAIL;
}

/* Looks again what edges are to loops, and whether calls still lead where they led. As with
 * gs_automaton_settle(), somebody may be told of what has been counted. */
void gs_automaton_judge(gs_automaton *a);

/* The edge of a way out of the node; learnt if need be. For ways whose goal the code says, `goal`
 * does not matter. NULL when memory is out. */
gs_fast_edge *gs_automaton_edge(gs_automaton *a, gs_fast_node *node, unsigned way, uint64_t key,
                                gs_addr goal);

/* The edge that stops before the instruction `steps` of the stretch. */
gs_fast_edge *gs_automaton_partial(gs_automaton *a, gs_fast_node *node, unsigned steps,
                                   uint64_t key);

/* Puts the timing into a state, at `pc`. Its `now` has to be right already. */
void gs_automaton_leave(gs_automaton *a, const gs_fast_state *state, gs_addr pc);

/* Gives what has been counted to the timing: stalls, branches, cache hits; and to the bulk. */
void gs_automaton_settle(gs_automaton *a);

/* A node nobody is ever in: all its ways are pending. */
gs_fast_node *gs_automaton_proxy(gs_automaton *a);

/* A way that is pending leads to a pointer to its edge, with the lowest bit set. */
static inline gs_fast_node *gs_automaton_defer(gs_fast_edge *edge)
{
    return (gs_fast_node *)((uintptr_t)edge + 1);
}
static inline gs_fast_edge *gs_automaton_pending(const gs_fast_node *node)
{
    return (uintptr_t)node & 1 ? (gs_fast_edge *)((uintptr_t)node - 1) : NULL;
}

/* What is known of the ways out of a stretch, as comments of C. */
void gs_automaton_explain(const gs_automaton *a, const gs_stretch *stretch, FILE *to);

size_t gs_automaton_node_count(const gs_automaton *a);

#endif
