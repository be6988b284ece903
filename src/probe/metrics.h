/*
 * metrics.h - all cumulative counters of a run, read at once.
 *
 * A reading is plain data. Without a timing model an instruction is a cycle and
 * everything only a model can know is 0.
 */
#ifndef GS_PROBE_METRICS_H
#define GS_PROBE_METRICS_H

#include "gumshoe/metric.h"
#include "timing/timing.h"

enum { GS_METRIC_FIRST_STALL = GS_METRIC_STALL_I_MISS };

typedef struct gs_metrics {
    uint64_t value[GS_METRIC_COUNT];
} gs_metrics;

/* Everything counted up to the instruction that has retired last. */
void gs_metrics_read(gs_metrics *out, const gs_timing *timing, uint64_t instructions,
                     uint64_t traps);

/* into += now - before, and before = now: of a reading that is made for this alone. */
void gs_metrics_settle(gs_metrics *into, gs_metrics *before, const gs_timing *timing,
                       uint64_t instructions, uint64_t traps);

/* into += now - before */
static inline void gs_metrics_add_difference(gs_metrics *into, const gs_metrics *now,
                                             const gs_metrics *before)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        into->value[i] += now->value[i] - before->value[i];
}

static inline void gs_metrics_add(gs_metrics *into, const gs_metrics *more)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        into->value[i] += more->value[i];
}

#endif
