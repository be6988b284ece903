/*
 * region.h - from a routine to regions, their plans, and what they charge.
 *
 * For src/schedule only.
 */
#ifndef GS_SCHEDULE_REGION_H
#define GS_SCHEDULE_REGION_H

#include "schedule/plan.h"
#include "schedule/schedule.h"

/* Cuts a routine into regions: writes at most `insn_count` of them, with their instructions only.
 * Returns how many. */
uint32_t gs_vliw_region_cut(gs_vliw_region *regions, const gs_vliw *target,
                            const gs_routine *routine);

/* The best plan for a region of those that were tried, and the graph it is for; and what is known
 * of the plan. False when memory is out. */
bool gs_vliw_region_plan(gs_vliw_region *region, gs_plan *plan, gs_graph *graph,
                         const gs_vliw *target, const gs_routine *routine);

/* What of a plan matters to those before and behind it; by region. */
typedef struct gs_vliw_region_edges {
    uint16_t first_exit;     /* control has left at the earliest in this cycle */
    uint16_t first_read[64]; /* the cycle in which a register's value at the entry is first read, or
                                first_exit */
    gs_register_set onward;  /* live behind the region */
} gs_vliw_region_edges;

/* Notes when and where the region's instructions are issued, and its edges. */
void gs_vliw_region_note(gs_scheduled_insn *insns, gs_vliw_region_edges *edges, const gs_plan *plan,
                         const gs_graph *graph);

/* A region with its routine, when all regions have been noted. */
typedef struct gs_vliw_region_context {
    const gs_vliw *target;
    const gs_routine *routine;
    const gs_vliw_region *regions;
    uint32_t region_count;
    const gs_vliw_region_edges *edges;
} gs_vliw_region_context;

/* Shares the region's cycles among its instructions. */
void gs_vliw_region_charge(gs_scheduled_insn *insns, const gs_vliw_region_context *context,
                           uint32_t region);

/* Cycles that spills take; part of the length already. */
unsigned gs_vliw_region_spill_cycles(const gs_vliw *target, unsigned spilled);

#endif
