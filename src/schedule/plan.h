/*
 * plan.h - when and in which slot each node of a region is issued.
 *
 * For src/schedule only. A plan says nothing of what runs before or after the region.
 */
#ifndef GS_SCHEDULE_PLAN_H
#define GS_SCHEDULE_PLAN_H

#include "schedule/graph.h"

typedef struct gs_plan {
    uint16_t cycle[GS_REGION_INSNS_MAX]; /* by node */
    uint8_t slot[GS_REGION_INSNS_MAX];
    unsigned bundles;  /* from the first cycle to the one after the last issue and its delay */
    unsigned length;   /* and until everything that is live behind it is there */
    unsigned interval; /* cycles from one iteration to the next; 0: it is not pipelined */
} gs_plan;

/* list.c: places the nodes one by one, in the first bundle that can take them, those with the
 * longest way to the end first. Uses `width` slots of a bundle. False when memory is out. */
bool gs_plan_list(gs_plan *plan, const gs_graph *graph, unsigned width);

/* pipeline.c: a loop with a new iteration every `interval` cycles, of which one takes `cost` on its
 * own: *found says whether there is one that pays from the second iteration on. False when memory
 * is out. */
enum { GS_PLAN_OVERHANG_MAX = 128 }; /* of the last iteration */
bool gs_plan_pipeline(gs_plan *plan, const gs_graph *graph, unsigned cost, bool *found);

/* bounds.c */

/* The longest way from the issue of each node to the end, through all that depends on it; with an
 * interval, also through later iterations. False: with that interval there is no end to it. */
bool gs_plan_heights(const gs_graph *graph, unsigned interval, int *heights);

/* No plan has fewer cycles: by what is needed of slots and units. For an interval, and for the
 * bundles of a region. */
unsigned gs_bound_of_places(const gs_graph *graph, unsigned width);

/* Nor fewer than this: the longest chain of dependences, for the length. */
unsigned gs_bound_of_chain(const gs_graph *graph);

/* For an interval: the longest circle of dependences, per iteration. */
unsigned gs_bound_of_circles(const gs_graph *graph);

/* Cycles from a node's issue until the region can be over: its delay, or its result if that is live
 * behind the region. */
unsigned gs_plan_tail(const gs_graph *graph, unsigned node);

/* Fills in bundles and length from the nodes' cycles. */
void gs_plan_measure(gs_plan *plan, const gs_graph *graph);

/* pressure.c: how many registers have to be kept at once beyond those the target has, general ones
 * and those for floating point together. */
unsigned gs_plan_excess(const gs_plan *plan, const gs_graph *graph);

#endif
