/*
 * graph.h - what orders the operations of a region.
 *
 * For src/schedule only. A region is straight-line code with one entry: a basic block, or several
 * that follow each other by branches that are not taken. Its instructions are numbered from 0, in
 * program order. A node is what takes a slot: one instruction, or several that are fused into one
 * operation. A dependence says that `to`, `distance` iterations later, is issued at least
 * `latency` cycles after `from`, which may be negative.
 *
 * Registers are renamed inside a region: only values order instructions, not the registers they
 * lie in. Without renaming, a register is not written before its old value has been read.
 */
#ifndef GS_SCHEDULE_GRAPH_H
#define GS_SCHEDULE_GRAPH_H

#include "schedule/routine.h"
#include "schedule/target.h"

enum { GS_REGION_INSNS_MAX = 256, GS_LIVE_IN = -1 };

typedef struct gs_dependence {
    uint16_t from, to; /* nodes */
    uint16_t distance;
    int16_t latency;
} gs_dependence;

typedef struct gs_node {
    gs_vliw_class needs;
    bool escapes;  /* a result of it is live at an exit */
    uint16_t root; /* the last of its instructions */
    int16_t fused; /* as what, in the target's list; -1: it is one instruction */
} gs_node;

typedef struct gs_graph {
    const gs_vliw *target;
    const gs_routine_insn *insns;
    unsigned count; /* of instructions */
    gs_register_set onward;
    bool loops;  /* the last one leads back to the first; */
    bool counts; /* and the target does that without it, which takes no slot then */
    bool renames;
    int16_t reaching[GS_REGION_INSNS_MAX][3]; /* per source: what made its value, or GS_LIVE_IN */
    bool escapes[GS_REGION_INSNS_MAX];        /* its result is live at an exit */
    bool inner[GS_REGION_INSNS_MAX];          /* only its own operation reads its result */
    uint16_t node_of[GS_REGION_INSNS_MAX];
    unsigned node_count;
    gs_node nodes[GS_REGION_INSNS_MAX];
    uint16_t order[GS_REGION_INSNS_MAX]; /* nodes, none before one it depends on */
    struct {
        gs_dependence *items; /* sorted by `from` */
        size_t count, capacity;
    } dependences;
    uint32_t first_dependence[GS_REGION_INSNS_MAX + 1]; /* of each node */
} gs_graph;

/* What depends on a node: up to *end. */
static inline const gs_dependence *gs_graph_dependences(const gs_graph *graph, unsigned node,
                                                        const gs_dependence **end)
{
    *end = graph->dependences.items + graph->first_dependence[node + 1];
    return graph->dependences.items + graph->first_dependence[node];
}

/* Whether control can leave the region behind an instruction: by a jump, or because it ends. */
static inline bool gs_graph_has_exit(const gs_graph *graph, unsigned insn)
{
    return insn + 1 == graph->count || graph->insns[insn].flow != GS_FLOW_NEXT;
}

/* What is live at the exit behind an instruction, wherever it leads. */
gs_register_set gs_graph_live_at(const gs_graph *graph, unsigned insn);

/* Builds the graph of `count` instructions of the routine from `first` on, at most
 * GS_REGION_INSNS_MAX. `onward` is live behind them. False when memory is out. What was in `graph`
 * before is freed. */
bool gs_graph_build(gs_graph *graph, const gs_vliw *target, const gs_routine *routine,
                    uint32_t first, unsigned count, gs_register_set onward, bool renames);
void gs_graph_free(gs_graph *graph);

/* fuse.c: merges instructions that the target can do in one operation. */
void gs_graph_fuse(gs_graph *graph);

/* memory.c: the dependences between accesses. False when memory is out. */
bool gs_graph_order_memory(gs_graph *graph);

/* Adds a dependence between instructions; nothing if one node has both. False when memory is out.
 */
bool gs_graph_depend(gs_graph *graph, unsigned from, unsigned to, int latency, unsigned distance);

/* From an instruction's issue to its result. */
unsigned gs_graph_latency(const gs_graph *graph, unsigned insn);

/* Bundles behind an instruction that are executed before control leaves by it. */
unsigned gs_graph_delay(const gs_graph *graph, unsigned insn);

bool gs_class_loads(unsigned class);
bool gs_class_stores(unsigned class);

/* An instruction that nothing is moved across: control registers, fences, atomics. */
bool gs_class_is_barrier(unsigned class);

#endif
