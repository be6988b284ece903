/*
 * metric.h - what a profile counts: cycles, instructions, misses, and lost cycles by cause.
 *
 * A metric is a number that only grows while a program runs. What a function, a line or a call
 * path contributed to it is the difference of two readings. The functions here are pure: they
 * may be called from any thread, and the texts they return are constant and never freed.
 */
#ifndef GUMSHOE_METRIC_H
#define GUMSHOE_METRIC_H

#include <stdbool.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Without a timing model an instruction is a cycle, and what only a model can know is 0. */
typedef enum gs_metric {
    GS_METRIC_CYCLES,
    GS_METRIC_INSTRUCTIONS,
    GS_METRIC_I_MISSES,
    GS_METRIC_D_MISSES,
    GS_METRIC_BRANCHES,
    GS_METRIC_TAKEN, /* conditional branches taken */
    GS_METRIC_MISPREDICTED,
    GS_METRIC_TRAPS,
    GS_METRIC_ENERGY, /* in femtojoules; 0 if the core has no energy table */

    /* Cycles in which nothing was issued, by the one cause each of them has. */
    GS_METRIC_STALL_I_MISS,
    GS_METRIC_STALL_D_READ,
    GS_METRIC_STALL_D_WRITE,
    GS_METRIC_STALL_LOAD_USE,
    GS_METRIC_STALL_HAZARD,
    GS_METRIC_STALL_MULDIV,
    GS_METRIC_STALL_BRANCH,
    GS_METRIC_STALL_MISPREDICT,
    GS_METRIC_STALL_ALIGNMENT,
    GS_METRIC_STALL_STRUCTURAL,
    GS_METRIC_STALL_TRAP,
    GS_METRIC_STALL_IDLE,
    GS_METRIC_STALL_BUS,

    GS_METRIC_COUNT
} gs_metric;

/* The name under which options and files know a metric: "d-misses", "stall:load-use". */
const char *gs_metric_key(gs_metric metric);

/* The same for people: "data cache misses". */
const char *gs_metric_text(gs_metric metric);

/* The metric whose key is `key`; false, with *metric untouched, if there is none. */
bool gs_metric_find(const char *key, gs_metric *metric);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
