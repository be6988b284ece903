/*
 * choose.h - the best choice under limits, by an integer program. For src/partition only.
 *
 * Self-contained: nothing is kept from one call to the next, and any number of threads may solve
 * at a time.
 */
#ifndef GS_PARTITION_CHOOSE_H
#define GS_PARTITION_CHOOSE_H

#include "partition/hls.h"

typedef struct gs_hw_choice_item {
    double gain; /* above 0 */
    uint64_t area[GS_HLS_RESOURCE_COUNT];
} gs_hw_choice_item;

typedef struct gs_hw_choice {
    const gs_hw_choice_item *items;
    size_t count;
    const bool *exclude; /* [a * count + b]: not both */
    uint64_t budget[GS_HLS_RESOURCE_COUNT];
} gs_hw_choice;

/* Sets `chosen`, a flag per item, to a choice of the largest gain. GS_E_NO_MEMORY, or
 * GS_E_UNSUPPORTED if the solver gives up. */
gs_status gs_hw_choose(const gs_hw_choice *choice, bool *chosen, gs_error *err);

#endif
