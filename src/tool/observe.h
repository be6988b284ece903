/*
 * observe.h - what stands around a run that is observed: the profile, units, a live module, traces
 * and JSON that are wanted, and what is said of it when it is over.
 *
 * `gumshoe run` executes a program there, and `gumshoe replay` plays a trace.
 */
#ifndef GS_TOOL_OBSERVE_H
#define GS_TOOL_OBSERVE_H

#include <time.h>

#include "gumshoe/replay.h"
#include "tool/confine.h"
#include "tool/debug.h"
#include "tool/live.h"
#include "tool/progress.h"
#include "tool/target.h"
#include "tool/terminal.h"

/* Instructions of which the way through the pipeline is drawn. */
typedef struct gs_window {
    bool given;
    uint64_t from, to;
} gs_window;

typedef struct gs_run_arguments {
    gs_target_arguments target;
    gs_run_options run;
    gs_replay *replay; /* played in the place of a run; or NULL */
    gs_list units;
    uint64_t top;
    uint64_t timeline; /* cycles of an interval, or 0 */
    gs_window pipeline;
    const char *trace_path, *record_path, *json_path;
    const char *output, *label;
    char *commit; /* of the sources when the run was started; or NULL */
    time_t started;
    bool quiet;
    gs_live_arguments live;
    gs_debug_arguments gdb;
    bool killed; /* by gdb */
    gs_confine confine;
    gs_run_progress *progress;
    gs_terminal terminal; /* for the summary */
} gs_run_arguments;

/* Rows for these: what is to be kept and shown of a run, and where else it is to go. */
extern const gs_option gs_result_options[], gs_result_more_options[];

/* Runs the machine, or plays the trace, and writes what was asked for. */
gs_status gs_observe(gs_target *target, gs_run_arguments *arguments, gs_error *err);

/* -1 to go on, or the exit status, for what does not go together of the options above. */
int gs_observe_check(gs_run_arguments *arguments, const gs_command *command);

#endif
