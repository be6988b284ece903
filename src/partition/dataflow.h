/*
 * dataflow.h - how many states a region takes in hardware, and what it is made of.
 *
 * For src/partition only. Operations are placed as soon as their operands are there, one after the
 * other within a state as long as they fit into its period. An estimate: docs/partition.md has the
 * rules, and how far off they are.
 */
#ifndef GS_PARTITION_DATAFLOW_H
#define GS_PARTITION_DATAFLOW_H

#include "partition/code.h"

typedef struct gs_hw_plan {
    uint32_t states;   /* from entry to exit; 0: there is nothing to do in it */
    uint32_t interval; /* of a pipelined loop: states from one iteration to the next; or 0 */
    uint32_t loads, stores;
    uint32_t values; /* that are kept from one state to another */
    uint32_t uses[GS_HLS_KIND_COUNT];
} gs_hw_plan;

/* False when memory is out. */
bool gs_hw_plan_region(gs_hw_plan *plan, const gs_hw_code *code, const gs_hls *hls,
                       const gs_hw_region *region);

#endif
