/* gumshoe system: runs programs on several cores that share a bus. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "gumshoe/system.h"
#include "tool/progress.h"
#include "tool/target.h"
#include "tool/terminal.h"
#include "tool/tool.h"

static const char before_options[] =
    "Usage: gumshoe system [OPTIONS] SYSTEM.yaml [PROGRAM [ARGUMENTS...]]\n"
    "\n"
    "Runs bare-metal programs on several cores that share a bus, and prints what\n"
    "each core did, who waited for whom, and what was accessed on the bus.\n"
    "SYSTEM.yaml says which cores there are, which program each of them runs, and\n"
    "what lies on the bus (docs/many-cores.md); cores without a program of their own\n"
    "run PROGRAM.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "What the programs print goes to standard output, the tables to standard error.\n"
    "\n"
    "Exit status: that of the programs: the first in the order of harts that is not\n"
    "0, or that of the core that ended all; 128 and the number of a signal if a core\n"
    "did what would end a process; 124 at a limit, or if no core can go on; 125 if\n"
    "the command line or the system is wrong, 126 or 127 if a program cannot be run.\n"
    "\n"
    "Examples:\n"
    "  gumshoe system quad.yaml fir.elf\n"
    "  gumshoe system --json - quad.yaml fir.elf | jq .bus\n";

typedef struct system_arguments {
    const char *json; /* a file, or - for standard output; or NULL */
    uint64_t max_cycles, max_seconds;
    bool in_step, quiet;
    gs_terminal terminal;
    const char *file, *program;
    gs_machine_options machine;
} system_arguments;

static const gs_option table[] = {
    {"max-cycles", .argument = "N", GS_TO_COUNT(system_arguments, max_cycles), .least = 1,
     .wants = "a number such as 10M",
     .text = "stop each core after N cycles; K, M and G stand for thousands, millions, billions."},
    {"max-time", .argument = "SECONDS", GS_TO_COUNT(system_arguments, max_seconds), .least = 1,
     .wants = "a number of seconds", .text = "stop after so many seconds of the host's time."},
    {"in-step", GS_TO_SWITCH(system_arguments, in_step),
     .text = "simulate all cores instruction by instruction, the one that is behind first: slower, "
             "with the same result."},
    {"json", .argument = "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(system_arguments, json),
     .text = "write the figures as JSON to this file; - for standard output, and what the programs "
             "print then goes to standard error."},
    {"quiet", 'q', GS_TO_SWITCH(system_arguments, quiet),
     .text = "print no tables, only what the programs print."},
    GS_GROUP(system_arguments, terminal, gs_table_options),
    {0},
};

static int status_of_error(const gs_error *err)
{
    switch (err->status) {
    case GS_E_NOT_FOUND: return GS_RUN_NOT_FOUND;
    case GS_E_UNSUPPORTED: return GS_RUN_CANNOT_RUN;
    default: return GS_RUN_FAILED;
    }
}

static int status_of_exit(const gs_exit *exit, int interrupted)
{
    switch (exit->kind) {
    case GS_EXIT_CODE: return exit->code & 0xff;
    case GS_EXIT_SIGNAL: return GS_RUN_SIGNALLED + exit->signal;
    case GS_EXIT_INTERRUPTED: return GS_RUN_SIGNALLED + interrupted;
    default: return GS_RUN_LIMIT;
    }
}

static void tell_end(const gs_system *system)
{
    const gs_exit *exit = gs_system_exit(system);
    const char *name = gs_system_name(system);
    switch (exit->kind) {
    case GS_EXIT_CODE: fprintf(stderr, "gumshoe: %s exited with %d\n", name, exit->code); break;
    case GS_EXIT_SIGNAL:
        fprintf(stderr, "gumshoe: %s was ended by signal %d (%s): %s\n", name, exit->signal,
                sigabbrev_np(exit->signal), exit->message);
        break;
    case GS_EXIT_LIMIT:
        fprintf(stderr, "gumshoe: %s was stopped by its limit %s\n", name, exit->message);
        break;
    case GS_EXIT_HALT: fprintf(stderr, "gumshoe: %s halted: %s\n", name, exit->message); break;
    default: fprintf(stderr, "gumshoe: %s was interrupted\n", name); break;
    }
    for (size_t i = 0; i < gs_system_core_count(system); i++) {
        const gs_system_core core = gs_system_core_at(system, i);
        for (size_t n = 0; n < gs_machine_note_count(core.machine); n++)
            fprintf(stderr, "gumshoe: %s: %s\n", core.name, gs_machine_note(core.machine, n));
    }
}

static gs_status write_json(const char *path, const gs_system *system, gs_error *err)
{
    if (!strcmp(path, "-"))
        return gs_report_system_json(stdout, system, err);
    FILE *to = fopen(path, "w");
    if (!to)
        return gs_tool_error(err, "cannot write %s: %s", path, strerror(errno));
    gs_status status = gs_report_system_json(to, system, err);
    if (fclose(to) != 0 && status == GS_OK)
        status = gs_tool_error(err, "cannot write %s: %s", path, strerror(errno));
    return status;
}

static gs_status report(const system_arguments *arguments, const gs_system *system, gs_error *err)
{
    gs_status status = GS_OK;
    if (!arguments->quiet) {
        tell_end(system);
        status = gs_report_system(stderr, system, arguments->terminal.table_width, err);
    }
    if (status == GS_OK && arguments->json)
        status = write_json(arguments->json, system, err);
    return status;
}

static gs_status run(gs_system *system, const system_arguments *arguments, int *interrupted,
                     gs_error *err)
{
    const volatile sig_atomic_t *cancel = gs_catch_interrupts();
    const gs_system_run_options options = {
        .max_cycles = arguments->max_cycles, .cancel = cancel, .in_step = arguments->in_step};
    gs_limit_time(arguments->max_seconds);
    if (!isatty(arguments->machine.stdio[1]))
        gs_progress_start("running %s", gs_system_name(system));
    gs_status status = gs_system_run(system, &options, err);
    gs_progress_stop();
    gs_limit_time(0);
    *interrupted = *cancel;
    return status;
}

static int parse(int argc, char **argv, system_arguments *arguments)
{
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_system, argc, argv, arguments, &rest);
    if (usage >= 0)
        return usage;
    if (rest.count < 1)
        return gs_usage_error(&gs_cmd_system, "which system? Give a YAML file");
    arguments->file = rest.at[0];
    arguments->program = rest.count > 1 ? rest.at[1] : NULL;
    arguments->machine.argc = rest.count - 1;
    arguments->machine.argv = (const char *const *)rest.at + 1;
    if (arguments->json && !strcmp(arguments->json, "-"))
        arguments->machine.stdio[1] = STDERR_FILENO;
    return -1;
}

static int run_system(int argc, char **argv)
{
    system_arguments arguments = {.machine = gs_machine_options_default()};
    gs_system *system;
    gs_error err = {0};
    int interrupted = 0;
    int usage = parse(argc, argv, &arguments);
    if (usage >= 0)
        return usage;
    gs_terminal_start(&arguments.terminal);
    gs_status status =
        gs_system_open(&system, arguments.file, arguments.program, &arguments.machine, &err);
    if (status == GS_OK)
        status = run(system, &arguments, &interrupted, &err);
    if (status == GS_OK)
        status = report(&arguments, system, &err);
    const int exit = status == GS_OK ? status_of_exit(gs_system_exit(system), interrupted)
                                     : status_of_error(&err);
    if (status != GS_OK)
        gs_complain("%s", err.message);
    gs_system_free(system);
    return exit;
}

const gs_command gs_cmd_system = {
    .name = "system",
    .summary = "run programs on several cores that share a bus",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = run_system,
    .program = true,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_RUN_FAILED,
};
