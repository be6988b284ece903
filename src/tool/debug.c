/* Waits for gdb. */
#include "tool/debug.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const gs_option gs_debug_rows[] = {
    {"gdb", .argument = "[HOST]:PORT|stdio", GS_TO_TEXT(gs_debug_arguments, where),
     .text = "wait for gdb there, and let it control the run; HOST is 127.0.0.1 unless you say "
             "otherwise, and with PORT 0 the system chooses one. See DEBUGGING in the manual.",
     .more =
         "With stdio, gdb starts Gumshoe itself: target remote | gumshoe run --gdb stdio ... The "
         "program then has no standard input, and prints to standard error. A process that can "
         "reach the "
         "port can change the program and read what it reads, but not leave its sandbox."},
    {0},
};

void gs_debug_streams(const gs_debug_arguments *arguments, gs_machine_options *machine)
{
    if (!arguments->where || strcmp(arguments->where, "stdio") != 0)
        return;
    machine->stdio[0] = -1;
    machine->stdio[1] = STDERR_FILENO;
}

gs_status gs_debug_begin(gs_debug *debug, const gs_debug_arguments *arguments, bool quiet,
                         gs_machine *machine, gs_timing *timing, gs_recorder *recorder,
                         gs_run_options *run, gs_error *err)
{
    gs_debug_link link;
    if (!arguments->where)
        return GS_OK;
    gs_status status = gs_debug_server_open(&debug->server, arguments->where, err);
    if (status != GS_OK)
        return status;
    const char *where = gs_debug_server_where(debug->server);
    if (!quiet && strcmp(where, "stdio") != 0)
        fprintf(stderr, "gumshoe: waiting for gdb at %s: target remote %s\n", where, where);
    status = gs_debug_server_wait(debug->server, run->cancel, &link, err);
    if (status == GS_OK)
        status = gs_debugger_open(&debug->debugger, machine, timing, recorder, &link, err);
    if (status == GS_OK)
        run->control = gs_debugger_control(debug->debugger);
    return status;
}

bool gs_debug_killed(const gs_debug *debug)
{
    return debug->debugger && gs_debugger_killed(debug->debugger);
}

void gs_debug_end(gs_debug *debug)
{
    gs_debugger_free(debug->debugger);
    gs_debug_server_free(debug->server);
    *debug = (gs_debug){0};
}
