/*
 * timing.h - the cycles of a run, and where they went.
 *
 * A timing follows one machine on one core. It is the caller's, is given to gs_run(), and says
 * afterwards, or when an observer asks it, what has happened so far. It borrows machine and core,
 * must be freed before them, and is used by the machine's thread only. A function that does not
 * return a gs_status cannot fail.
 */
#ifndef GUMSHOE_TIMING_H
#define GUMSHOE_TIMING_H

#include "gumshoe/core.h"
#include "gumshoe/machine.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_timing gs_timing;

/* Makes a machine like the core: sets its instruction set extensions, alignment rule and clock in
 * the options for gs_machine_open(). A machine that is timed by the core is opened with these. */
void gs_core_configure(const gs_core *core, gs_machine_options *options);

/* *out is the caller's, NULL on failure: GS_E_UNSUPPORTED if the core does not run the machine's
 * instruction set, GS_E_NO_MEMORY. */
gs_status gs_timing_open(gs_timing **out, const gs_core *core, gs_machine *machine, gs_error *err);
void gs_timing_free(gs_timing *timing); /* NULL is fine */

/* Remembers how instructions number `from` to `to` (counting from 0) move through the pipeline, for
 * gs_report_pipeline(). To be called before they run. GS_E_ARGUMENT if they are too many. */
gs_status gs_timing_record(gs_timing *timing, uint64_t from, uint64_t to, gs_error *err);

const gs_core *gs_timing_core(const gs_timing *timing);

/* Cycles so far. Each is one in which an instruction was issued or one that was lost to one cause.
 */
uint64_t gs_timing_cycles(const gs_timing *timing);
uint64_t gs_timing_issue_cycles(const gs_timing *timing);

/* The causes, `cause` being below their count, and the cycles lost to each. Texts are constant. */
size_t gs_timing_stall_count(void);
const char *gs_timing_stall_key(size_t cause);  /* "i-miss" */
const char *gs_timing_stall_text(size_t cause); /* in words */
uint64_t gs_timing_stalls(const gs_timing *timing, size_t cause);

typedef struct gs_cache_counts {
    uint64_t hits, misses, evictions, writebacks;
} gs_cache_counts;

/* False, and all counts 0, if the core has no such cache. */
bool gs_timing_icache(const gs_timing *timing, gs_cache_counts *counts);
bool gs_timing_dcache(const gs_timing *timing, gs_cache_counts *counts);

/* Conditional branches. */
typedef struct gs_branch_counts {
    uint64_t executed, taken, mispredicted;
} gs_branch_counts;

gs_branch_counts gs_timing_branches(const gs_timing *timing);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
