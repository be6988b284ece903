/* gumshoe run: runs a program, and records its profile. */
#include <stdlib.h>
#include <string.h>

#include "tool/observe.h"

#include <signal.h>

static const char before_options[] =
    "Usage: gumshoe run [OPTIONS] PROGRAM [ARGUMENTS...]\n"
    "       gumshoe run [OPTIONS] FILE.c... [ARGUMENTS...]\n"
    "\n"
    "Runs PROGRAM, a static 32-bit RISC-V or MIPS executable, with the given\n"
    "arguments, or the program that 'gumshoe cc' makes of C files. Its standard\n"
    "input, output and error are yours, untouched. When it ends, a summary is\n"
    "written to standard error: what became of it, where its cycles went on a\n"
    "processor core, and what stands out.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "FILE of --trace, --record and --json may be - for standard output; what the\n"
    "program prints there then goes to standard error. Options end at PROGRAM; what\n"
    "follows belongs to the program.\n"
    "\n"
    "Exit status: the program's own; 128+N if signal N would have ended it (a wild\n"
    "pointer is 139, an illegal instruction 132); 124 if it was stopped by a limit\n"
    "or waits for an interrupt that cannot come; 125 if Gumshoe itself failed; 126\n"
    "if the program cannot be run; 127 if there is no such file.\n"
    "\n"
    "Examples:\n"
    "  gumshoe run firmware.elf\n"
    "  gumshoe run --core flatfoot -o gumshoe.db --label before firmware.elf\n"
    "  gumshoe run --core flatfoot --between-markers firmware.elf\n"
    "  gumshoe run --trace trace.txt --max-instructions 10K firmware.elf\n"
    "  gumshoe run ./busybox sha256sum README.md\n";

static bool parse_window(const char *text, uint64_t *from, uint64_t *to)
{
    char first[32];
    const char *colon = strchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof first)
        return false;
    memcpy(first, text, (size_t)(colon - text));
    first[colon - text] = '\0';
    return gs_parse_count(first, from) && gs_parse_count(colon + 1, to) && *from <= *to;
}

/* --pipeline N:M */
static int set_window(void *member, const gs_command *command, const gs_option *option,
                      const char *value)
{
    gs_window *to = member;
    to->given = true;
    if (parse_window(value, &to->from, &to->to))
        return -1;
    return gs_usage_error(command, "--%s wants two numbers such as 100:120, not '%s'", option->name,
                          value);
}

static const gs_word engine_words[] = {
    [GS_ENGINE_AUTO] = {"auto",
                        "the fast engine, which translates the program while the reference "
                        "engine runs it, wherever it can and as far as that saves time (the "
                        "default)"},
    [GS_ENGINE_REFERENCE] = {"reference", "one instruction after the other"},
    [GS_ENGINE_FAST] = {"fast",
                        "translates sooner and waits for the quick compiler; an error where "
                        "nothing can be translated"},
    {0},
};

static const gs_option table[] = {
    GS_GROUP(gs_run_arguments, target, gs_target_options),
    GS_ROWS(gs_result_options),
    {"engine", .argument = "WHICH", GS_TO_WORD(gs_run_arguments, run.engine, engine_words),
     .text = "which engine runs the program. All count the same cycles, in the same places:",
     .more =
         "They count the same stalls and events and record the same profile, too. With a "
         "trace, a timeline, a unit that needs every beat (leap, loops, snoopp with data or map, "
         "stats with hits of a cache), or a profile with --core none, every instruction is "
         "observed, and the reference engine does everything: the summary and --json say "
         "why. The fast engine has a compiler of its own, gumshoe-quickcc, that takes "
         "milliseconds. What runs for long is compiled again, by the C compiler of the host, "
         "which is called cc unless the environment variable GUMSHOE_CC says otherwise; such "
         "translations run two to three times as fast and are kept in $XDG_CACHE_HOME/gumshoe "
         "or ~/.cache/gumshoe for the next run. Without that compiler or that directory "
         "everything is compiled quickly only; the summary of a run with --engine fast, and "
         "--json in any case (optimizer_reason), say why. A "
         "compilation by the host's compiler may take 60 "
         "seconds, or as many as GUMSHOE_CC_SECONDS says; then it is killed, as it is when the "
         "run ends. auto never waits for a compiler, and begins nothing that costs more than a "
         "share of "
         "the time the run has taken so far and translated code has saved. For tests, "
         "GUMSHOE_TRANSLATE_AFTER "
         "says after how many samples, one every 512 instructions, it translates for the first "
         "time, and that everything seen so far is worth it; GUMSHOE_TIER that there is one "
         "compiler alone, quick or optimizing; and GUMSHOE_QUICKCC where gumshoe-quickcc is."},
    {"emit-c", .argument = "DIRECTORY", .value = GS_VALUE_DIRECTORY,
     GS_TO_TEXT(gs_run_arguments, run.emit_directory),
     .text = "write what the fast engine made of the program to program.c in this directory, which "
             "is made if need be.",
     .more =
         "It is C with the disassembly in comments, and with what every exit cost and how often "
         "it was taken."},
    {"pipeline", .argument = "N:M", GS_TO_CALL(gs_run_arguments, pipeline, set_window),
     .text = "draw how instructions N to M (counting from 0) go through the pipeline of the core: "
             "a row for each, a column for every cycle.",
     .more = "The drawing goes to standard error. A capital letter is the first cycle in a stage, "
             "the small letter every further cycle there, ~ stands for cycles in which nothing "
             "moves. Not with --core none."},
    {"trace", .argument = "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(gs_run_arguments, trace_path),
     .text = "write a line for every instruction: its number, pc, place, text and what it wrote, "
             "separated by tabs, and what it cost on the core.",
     .more = "A register is written as NAME=VALUE, a store as [ADDRESS]=VALUE, in hexadecimal, and "
             "a cost as METRIC=NUMBER for each metric that moved. A trap has a line without a "
             "number: the pc it came before, and where it led."},
    {"record", .argument = "FILE", .value = GS_VALUE_FILE,
     GS_TO_TEXT(gs_run_arguments, record_path),
     .text = "write the run down as a trace that 'gumshoe replay' makes profiles of, about a byte "
             "for each instruction or less.",
     .more = "It has where control went, what memory was accessed and what every instruction cost. "
             "docs/trace.md tells its format."},
    GS_GROUP(gs_run_arguments, gdb, gs_debug_rows),
    GS_ROWS(gs_result_more_options),
    {0},
};

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, gs_run_arguments *arguments)
{
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_run, argc, argv, arguments, &rest);
    if (usage < 0)
        usage = gs_observe_check(arguments, &gs_cmd_run);
    if (usage >= 0)
        return usage;
    gs_debug_streams(&arguments->gdb, &arguments->target.machine);
    return gs_target_program(&arguments->target, &gs_cmd_run, &rest);
}

static int status_of_error(const gs_error *err)
{
    switch (err->status) {
    case GS_E_NOT_FOUND: return GS_RUN_NOT_FOUND;
    case GS_E_FORMAT:
    case GS_E_UNSUPPORTED:
    case GS_E_IO: return GS_RUN_CANNOT_RUN;
    default: return GS_RUN_FAILED;
    }
}

/* `interrupted` is the number of a signal that made us stop. */
static int status_of_exit(const gs_exit *exit, int interrupted)
{
    switch (exit->kind) {
    case GS_EXIT_CODE: return exit->code & 0xff;
    case GS_EXIT_SIGNAL: return GS_RUN_SIGNALLED + exit->signal;
    case GS_EXIT_INTERRUPTED: return GS_RUN_SIGNALLED + interrupted;
    default: return GS_RUN_LIMIT;
    }
}

static gs_status prepare(gs_target *target, const gs_run_arguments *arguments, gs_error *err)
{
    gs_status status = gs_target_open(target, &arguments->target, err);
    if (status == GS_OK && arguments->pipeline.given)
        status =
            gs_timing_record(target->timing, arguments->pipeline.from, arguments->pipeline.to, err);
    return status;
}

static int run(int argc, char **argv)
{
    gs_run_arguments arguments = {
        .top = 10,
        .target.machine = gs_machine_options_default(),
    };
    int usage = parse(argc, argv, &arguments);
    if (usage >= 0)
        return usage;

    gs_error err = {0};
    gs_target target = {0};
    int status;
    gs_confine_begin(&arguments.confine);
    if (prepare(&target, &arguments, &err) != GS_OK) {
        gs_complain("%s", err.message);
        bool core_failed =
            arguments.target.core && !gs_target_untimed(&arguments.target) && !target.core;
        status = core_failed ? GS_RUN_FAILED : status_of_error(&err);
    } else if (gs_observe(&target, &arguments, &err) != GS_OK) {
        gs_complain("%s", err.message);
        status = GS_RUN_FAILED;
    } else {
        status = status_of_exit(gs_machine_exit(target.machine),
                                arguments.killed ? SIGKILL : *arguments.run.cancel);
    }
    gs_target_close(&target);
    gs_confine_free(&arguments.confine);
    free(arguments.commit);
    return status;
}

const gs_command gs_cmd_run = {
    .name = "run",
    .summary = "run a program",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = run,
    .program = true,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_RUN_FAILED,
};
