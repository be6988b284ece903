/*
 * sweep_linear.h - keys whose cycles can be multiplied out.
 *
 * On a core that executes one instruction after the other (timing/sequential.c) the cost of an
 * instruction is a sum, and a latency is in it as often as its event happens, whatever the other
 * latencies are. So all counts of a run are linear in these keys: two runs give a slope, and any
 * further value follows exactly.
 */
#ifndef GS_EXPLORE_SWEEP_LINEAR_H
#define GS_EXPLORE_SWEEP_LINEAR_H

#include "explore/sweep.h"

/* Whether a core's counts are linear in some keys. */
bool gs_sweep_core_is_linear(const gs_core *core);

/* Whether they are in this key, on such a core. */
bool gs_sweep_key_is_linear(const char *key);

/* One key, as far as it is known. */
typedef struct gs_sweep_slope {
    size_t axis;
    uint64_t at;                     /* the value to which the base run belongs */
    int64_t counts[GS_METRIC_COUNT]; /* for each 1 more */
} gs_sweep_slope;

/* From the base run to one with another value. False if no whole numbers come out. */
bool gs_sweep_slope_find(gs_sweep_slope *slope, const gs_metrics *base, const gs_metrics *other,
                         uint64_t value);

/* Adds to `counts` what another value makes of them. */
void gs_sweep_slope_add(const gs_sweep_slope *slope, uint64_t value, gs_metrics *counts);

#endif
