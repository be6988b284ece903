/*
 * rows.h - a profile as rows, to be read one by one.
 *
 * Rows are what the reports print: functions, call paths, source lines, loops, basic blocks,
 * instructions or causes of lost cycles. A gs_rows is the caller's, borrows its profile, which
 * must outlive it, and never changes once it is open, so any thread may read it. Texts are
 * borrowed from it and from the profile.
 *
 *     gs_report_options options = {.by = GS_REPORT_BY_LOOP, .top = 5};
 *     gs_rows *rows;
 *     if (gs_rows_open(&rows, profile, &options, &err) != GS_OK)
 *         ...
 *     for (size_t i = 0; i < gs_rows_count(rows); i++)
 *         printf("%s %" PRIu64 "\n", gs_rows_function(rows, i),
 *                gs_rows_self(rows, i, GS_METRIC_CYCLES));
 *     gs_rows_free(rows);
 */
#ifndef GUMSHOE_ROWS_H
#define GUMSHOE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gumshoe/error.h"
#include "gumshoe/image.h"
#include "gumshoe/metric.h"
#include "gumshoe/profile.h"
#include "gumshoe/report.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_rows gs_rows;

/*
 * The rows that `options` ask for with `by`, `metric`, `top` and `inlines`; the rest of the options
 * is not looked at, and `options` is not needed afterwards. Rows are sorted by their own cost in
 * the metric, largest first. Call paths are a tree: a path stands before those it leads to, the
 * costliest first among siblings, and `top` keeps the paths with the largest inclusive cost.
 *
 * Own costs of all rows add up to the total of the profile. For functions, loops and blocks
 * there may be a row for what is in none of them: see gs_rows_is_rest().
 *
 * *out is the caller's, NULL on failure: GS_E_ARGUMENT if there is no such metric, or if it is not
 * cycles for causes of lost cycles; GS_E_UNSUPPORTED for energy if the core has no table of it;
 * GS_E_NO_MEMORY.
 */
gs_status gs_rows_open(gs_rows **out, const gs_profile *profile, const gs_report_options *options,
                       gs_error *err);
void gs_rows_free(gs_rows *rows); /* NULL is fine */

size_t gs_rows_count(const gs_rows *rows);
size_t gs_rows_omitted(const gs_rows *rows); /* how many more there would be without `top` */

/*
 * Everything below is about row number `row`, which must be below gs_rows_count(). What a kind of
 * row does not have is NULL, 0 or false.
 */

/* The row stands for all that is in no function, loop or block; it has costs only, and for loops
 * and blocks a text that says so. */
bool gs_rows_is_rest(const gs_rows *rows, size_t row);

/* The function, demangled. Lines and causes: the one with most; instructions, blocks and loops: the
 * one they are in; call paths: the last one; threads: the one they begin with. NULL if there is
 * none. */
const char *gs_rows_function(const gs_rows *rows, size_t row);

/* Where it stands in the source; functions: where they begin, loops and blocks: of their first
 * instruction. NULL and 0 if that is not known. */
const char *gs_rows_file(const gs_rows *rows, size_t row);
unsigned gs_rows_line(const gs_rows *rows, size_t row);

/* Functions, blocks, instructions: from `address` up to, but without, `end`. Loops: the address of
 * the header. Lines: that of their first instruction. */
uint64_t gs_rows_address(const gs_rows *rows, size_t row);
uint64_t gs_rows_end(const gs_rows *rows, size_t row);

/* Threads: the name. Instructions: disassembled. Causes: the key, such as "load-use", or "none" for
 * the cycles in which an instruction was issued. */
const char *gs_rows_text(const gs_rows *rows, size_t row);

/* Call paths and loops: how many rows are around this one, and which is the innermost of them:
 * GS_ROWS_NONE for an outermost row, and if `top` cut that row off. */
#define GS_ROWS_NONE SIZE_MAX
unsigned gs_rows_depth(const gs_rows *rows, size_t row);
size_t gs_rows_parent(const gs_rows *rows, size_t row);

/* Functions and call paths: how often they were called. */
uint64_t gs_rows_calls(const gs_rows *rows, size_t row);
/* Blocks, instructions, and lines: as often as the most executed instruction of the line. */
uint64_t gs_rows_executions(const gs_rows *rows, size_t row);
/* Instructions: how often as a taken branch or jump. */
uint64_t gs_rows_taken(const gs_rows *rows, size_t row);
/* Loops: how often control came to them from outside; how often their header was executed; and the
 * fewest and the most iterations of one entry, both 0 if that is not known. */
uint64_t gs_rows_entries(const gs_rows *rows, size_t row);
uint64_t gs_rows_iterations(const gs_rows *rows, size_t row);
uint64_t gs_rows_min_trips(const gs_rows *rows, size_t row);
uint64_t gs_rows_max_trips(const gs_rows *rows, size_t row);

/* Threads: how often control came to them from another; and what of the metric that rows are sorted
 * by was spent in handlers of traps and interrupts while they ran, without sleep. */
uint64_t gs_rows_switches(const gs_rows *rows, size_t row);
uint64_t gs_rows_in_handlers(const gs_rows *rows, size_t row);

/* What the row itself cost; and, for functions, call paths and loops, what it cost with everything
 * it called and, for loops, the loops in it. Causes of lost cycles have cycles only. */
uint64_t gs_rows_self(const gs_rows *rows, size_t row, gs_metric metric);
uint64_t gs_rows_inclusive(const gs_rows *rows, size_t row, gs_metric metric);

/*
 * With the option `inlines`. Lines: the inlined calls around them, as gs_image_inlines_at() tells
 * them: innermost first, at most `max` of them into `frames`; returns how many there are. Call
 * paths: whether the last call is an inlined one, and whether the path's own cost is estimated,
 * because what a function spent in an inlined call is shared out over the paths to the function.
 */
size_t gs_rows_inlines(const gs_rows *rows, size_t row, gs_inline *frames, size_t max);
bool gs_rows_is_inlined(const gs_rows *rows, size_t row);
bool gs_rows_is_estimated(const gs_rows *rows, size_t row);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
