/*
 * loops_unit.h - the loop detector as a unit: what its model and its Verilog are configured with.
 */
#ifndef GS_UNITS_LOOPS_LOOPS_UNIT_H
#define GS_UNITS_LOOPS_LOOPS_UNIT_H

#include "units/loops/loops.h"

typedef struct gs_loops_config {
    uint64_t entries, ways, width, interval, distance;
    bool no_coalescing, explore;
    uint64_t accuracy; /* in percent, for explore */
} gs_loops_config;

/* Fails if what is asked for does not go together. */
gs_status gs_loops_configure(gs_loops_parameters *parameters, const gs_loops_config *config,
                             gs_error *err);

#endif
