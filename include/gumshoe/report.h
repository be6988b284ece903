/*
 * report.h - a finished profile, written in formats that people and their tools read.
 *
 * Every writer reads profile and options during the call only and writes one whole document to a
 * stream that stays the caller's. Counts are exact in all of them, and the same: the rows are those
 * of rows.h. Writers may run in several threads at once, also on one profile, if each has a stream
 * of its own. Nothing here needs to be freed except a gs_budget.
 */
#ifndef GUMSHOE_REPORT_H
#define GUMSHOE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gumshoe/metric.h"
#include "gumshoe/profile.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef enum gs_report_by {
    GS_REPORT_BY_FUNCTION,
    GS_REPORT_BY_CALL, /* the tree of call paths */
    GS_REPORT_BY_LINE,
    GS_REPORT_BY_LOOP,
    GS_REPORT_BY_BLOCK,
    GS_REPORT_BY_INSTRUCTION,
    GS_REPORT_BY_STALL,  /* the causes of lost cycles */
    GS_REPORT_BY_THREAD, /* stacks that the program runs in; there is one at least */
    GS_REPORT_BY_COUNT
} gs_report_by;

typedef struct gs_report_options {
    gs_report_by by;    /* text, JSON and CSV */
    const char *metric; /* what is sorted by, and shown where only one is; NULL for "cycles" */
    size_t top;         /* text, JSON and CSV: rows at most, the largest; 0 for all */
    bool colour;        /* text: for a terminal */
    bool by_line;       /* callgrind: positions are lines, without addresses */
    bool inlines;       /* lines and call paths, folded, flame graph, speedscope: tell inlined calls
                           apart */
    const char *table;  /* of units: this one only; CSV needs it. NULL for all */
    unsigned width;     /* text: columns of the screen, to which tables are cut; 0: any */
} gs_report_options;

/* The kinds of rows by name: "function". Constant texts. False, with *by untouched, for a name that
 * is none of them. */
const char *gs_report_by_name(gs_report_by by);
bool gs_report_by_find(const char *name, gs_report_by *by);

/*
 * All of them fail with GS_E_ARGUMENT for a metric that does not exist, GS_E_UNSUPPORTED for energy
 * if the run's core has no table of it, GS_E_IO if the stream fails, and GS_E_NO_MEMORY.
 */
typedef gs_status gs_report_writer(FILE *to, const gs_profile *profile,
                                   const gs_report_options *options, gs_error *err);

gs_report_writer gs_report_text; /* a table with bars and a total */
gs_report_writer gs_report_json; /* the same rows with all metrics */
gs_report_writer gs_report_csv;
gs_report_writer gs_report_folded;     /* "root;caller;function 123" */
gs_report_writer gs_report_callgrind;  /* for KCachegrind and callgrind_annotate */
gs_report_writer gs_report_flamegraph; /* an SVG file that stands on its own */
gs_report_writer gs_report_speedscope; /* for speedscope, one profile per metric */
gs_report_writer gs_report_gprof;      /* flat profile and call graph as gprof prints them */
gs_report_writer gs_report_pprof;      /* gzipped profile.proto, for pprof */
gs_report_writer gs_report_perfetto;   /* a timeline as trace events, for ui.perfetto.dev */
gs_report_writer gs_report_phases;     /* a timeline as an SVG picture */

/* The results of the on-chip profilers that watched the run (see unit.h); GS_E_NOT_FOUND if there
 * were none. */
gs_report_writer gs_report_saved_units;
gs_report_writer gs_report_saved_units_json;
gs_report_writer gs_report_saved_units_csv;

/* For right after a run: the `top` functions with most cycles of their own as a table, and what
 * stands out in a few sentences. */
gs_report_writer gs_report_summary;

/*
 * Functions in detail: their source with what each line and instruction cost. Source files are
 * looked for where the compiler saw them, and before that in `folder`; what is not found is shown
 * as disassembly.
 */
typedef struct gs_annotate_options {
    const char *const *functions; /* names; none for the `top` functions with most of the metric */
    size_t function_count, top;
    const char *metric;      /* NULL for "cycles" */
    const uint64_t *address; /* instead of names: the function that covers it; or NULL */
    const char *folder;      /* or NULL */
    /* If not NULL, in place of `folder`: source files are shown only if they lie below one of these
     * directories, symbolic links followed. With a count of 0 there is no source. */
    const char *const *roots;
    size_t root_count;
    bool disassembly; /* no source, even if there is some */
    bool colour;
    bool full_names; /* however long */
    unsigned width;  /* columns of the terminal; 0: lines of any length */
} gs_annotate_options;

/* GS_E_NOT_FOUND for a function that did not run; otherwise as the writers above. */
typedef gs_status gs_annotate_writer(FILE *to, const gs_profile *profile,
                                     const gs_annotate_options *options, gs_error *err);

gs_annotate_writer gs_report_annotate;
gs_annotate_writer gs_report_annotate_json;

/*
 * What changed from one run to another: totals, and functions, loops and lines, the largest change
 * first.
 */
typedef struct gs_diff_options {
    const char *metric; /* what is compared and sorted by; NULL for "cycles" */
    bool only;          /* functions, loops or lines only, as `by` says */
    gs_report_by by;
    size_t top;     /* rows of each at most; 0 for all */
    bool colour;    /* text: for a terminal */
    unsigned width; /* text: columns of the screen, to which names are cut; 0: any */
} gs_diff_options;

typedef gs_status gs_diff_writer(FILE *to, const gs_profile *before, const gs_profile *after,
                                 const gs_diff_options *options, gs_error *err);

gs_diff_writer gs_report_diff;
gs_diff_writer gs_report_diff_json;

/*
 * Limits on what a program and its functions, loops and lines may cost; docs/budgets.md has the
 * format of the file. Errors name the file, the line and the key.
 */
typedef struct gs_budget gs_budget;

/* Reads the file at `path`. *out is the caller's, NULL on failure, and read-only: any thread may
 * use it. GS_E_NOT_FOUND, GS_E_IO, GS_E_FORMAT, GS_E_NO_MEMORY. */
gs_status gs_budget_open(gs_budget **out, const char *path, gs_error *err);
void gs_budget_free(gs_budget *budget); /* NULL is fine */

typedef struct gs_check_options {
    bool all;    /* text: limits that hold are listed, too */
    bool colour; /* text: for a terminal */
} gs_check_options;

/* Compares a profile with the limits. *exceeded (or NULL) gets how many of them do not hold; that
 * some do not is no failure. GS_E_FORMAT if a limit is on something that the run does not have,
 * GS_E_IO, GS_E_NO_MEMORY. */
typedef gs_status gs_check_writer(FILE *to, const gs_profile *profile, const gs_budget *budget,
                                  const gs_check_options *options, size_t *exceeded, gs_error *err);

gs_check_writer gs_report_check;
gs_check_writer gs_report_check_json;

/* Adds to every line of a trace (see run.h) what the instruction cost in each metric. To be called
 * before the run; borrows the timing, which is the run's. */
void gs_trace_costs(gs_trace *trace, const gs_timing *timing);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
