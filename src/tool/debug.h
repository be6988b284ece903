/*
 * debug.h - the option for gdb, and what it does to a run.
 */
#ifndef GS_TOOL_DEBUG_H
#define GS_TOOL_DEBUG_H

#include "gumshoe/debug.h"
#include "tool/option.h"

typedef struct gs_debug_arguments {
    const char *where; /* NULL: gdb is not waited for */
} gs_debug_arguments;

extern const gs_option gs_debug_rows[];

typedef struct gs_debug {
    gs_debug_server *server;
    gs_debugger *debugger;
} gs_debug;

/* With stdio for gdb, the program has no standard input, and prints to standard error. */
void gs_debug_streams(const gs_debug_arguments *arguments, gs_machine_options *machine);

/* Waits for gdb, and has it control the run. Does nothing if it was not asked for. */
gs_status gs_debug_begin(gs_debug *debug, const gs_debug_arguments *arguments, bool quiet,
                         gs_machine *machine, gs_timing *timing, gs_recorder *recorder,
                         gs_run_options *run, gs_error *err);
bool gs_debug_killed(const gs_debug *debug);
void gs_debug_end(gs_debug *debug); /* before the machine */

#endif
