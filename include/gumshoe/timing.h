/*
 * timing.h - the cycles of a run.
 *
 * A timing follows one machine on one core description. Give it to gs_run(), then ask
 * it what happened. It borrows both and must be freed before them.
 */
#ifndef GUMSHOE_TIMING_H
#define GUMSHOE_TIMING_H

#include "gumshoe/core.h"
#include "gumshoe/machine.h"

#pragma GCC visibility push(default)

typedef struct gs_timing gs_timing;

/* Makes a machine like the core: its instruction set extensions, alignment rule and clock. To be
 * called on the options before gs_machine_open(). */
void gs_core_configure(const gs_core *core, gs_machine_options *options);

gs_status gs_timing_open(gs_timing **out, const gs_core *core, gs_machine *machine, gs_error *err);
void gs_timing_free(gs_timing *timing);

/* Remembers the way of instructions number `from` to `to` (counting from 0) through the pipeline,
 * for gs_report_pipeline(). To be called before they run. */
gs_status gs_timing_record(gs_timing *timing, uint64_t from, uint64_t to, gs_error *err);

const gs_core *gs_timing_core(const gs_timing *timing);
uint64_t gs_timing_cycles(const gs_timing *timing);

/* Every cycle is an issue slot used or a stall with one cause. */
uint64_t gs_timing_issue_cycles(const gs_timing *timing);
size_t gs_timing_stall_count(void);
const char *gs_timing_stall_key(size_t cause);  /* "i-miss" */
const char *gs_timing_stall_text(size_t cause); /* in words */
uint64_t gs_timing_stalls(const gs_timing *timing, size_t cause);

typedef struct gs_cache_counts {
    uint64_t hits, misses, evictions, writebacks;
} gs_cache_counts;

/* False if the core has no such cache. */
bool gs_timing_icache(const gs_timing *timing, gs_cache_counts *counts);
bool gs_timing_dcache(const gs_timing *timing, gs_cache_counts *counts);

typedef struct gs_branch_counts {
    uint64_t executed, taken, mispredicted;
} gs_branch_counts;

gs_branch_counts gs_timing_branches(const gs_timing *timing);

#pragma GCC visibility pop

#endif
