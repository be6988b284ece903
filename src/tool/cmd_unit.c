/* gumshoe unit: runs a program under an on-chip profiler, and compares. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gumshoe/run.h"
#include "gumshoe/unit.h"
#include "tool/confine.h"
#include "tool/git.h"
#include "tool/target.h"
#include "tool/progress.h"
#include "tool/terminal.h"
#include "tool/tool.h"
#include "tool/unit_options.h"

static const char before_options[] =
    "Usage: gumshoe unit\n"
    "       gumshoe unit KIND --help\n"
    "       gumshoe unit KIND [OPTIONS] PROGRAM [ARGUMENTS...]\n"
    "\n"
    "Runs PROGRAM with an on-chip profiler of this kind attached, modelled as it\n"
    "would be built, and prints what the hardware would say, next to the exact\n"
    "profile and the difference. Without a kind, the kinds are listed; 'gumshoe unit\n"
    "KIND --help' tells about the options of one, which may stand among the\n"
    "following. Several units at once are a matter of 'gumshoe run --unit'.\n"
    "\n"
    "Options of every kind:\n";

static const char after_options[] =
    "\n"
    "What the program prints goes to standard error. Some questions take several\n"
    "runs of the program, such as 'gumshoe unit snoopp --hunt': they are made one\n"
    "after the other, each from the start of standard input if that is a file, and\n"
    "only the first one's output is shown.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the program cannot be run\n"
    "or something cannot be written. How the program ended does not matter.\n"
    "\n"
    "Examples:\n"
    "  gumshoe unit leap --core flatfoot firmware.elf\n"
    "  gumshoe unit snoopp --range main --range sort.c:10-20 --core flatfoot sort.elf\n"
    "  gumshoe unit snoopp --hunt --core flatfoot firmware.elf\n"
    "  gumshoe unit loops --explore --accuracy 85 --core flatfoot firmware.elf\n"
    "  gumshoe unit loops --svg curve --core flatfoot firmware.elf > curve.svg\n";

enum { DEFAULT_TOP = 20, MAX_RUNS = 1000 };

/* What to print instead of running. */
typedef struct print_request {
    const char *name;     /* or NULL */
    const char *argument; /* or NULL */
} print_request;

typedef struct unit_arguments {
    gs_target_arguments target;
    gs_terminal terminal;
    size_t kind;
    char *options; /* of the unit, as a text; owned */
    print_request print;
    uint64_t top;
    bool json;
    const char *csv, *svg; /* tables; or NULL */
    const char *output, *label;
    gs_compilers *compilers;
    gs_confine confine;
} unit_arguments;

/* One run of the program. */
typedef struct unit_run {
    gs_target target;
    gs_units *units;
    gs_recorder *recorder;
} unit_run;

/* Every kind has a model. */
static bool has_kind(size_t kind)
{
    return kind < gs_unit_kind_count();
}

static void list_kinds(void)
{
    for (size_t i = 0; i < gs_unit_kind_count(); i++)
        printf("%-10s %s\n", gs_unit_kind_name(i), gs_unit_kind_summary(i));
}

static int set_print(void *member, const gs_command *command, const gs_option *option,
                     const char *value)
{
    print_request *print = member;
    (void)command;
    print->name = option->name;
    print->argument = value;
    return -1;
}

static void add_prints(gs_option *rows, size_t kind)
{
    for (size_t i = 0; i < gs_unit_print_count(kind); i++) {
        gs_unit_print_info info = gs_unit_print_at(kind, i);
        rows[i] = (gs_option){info.name, .argument = info.argument, .text = info.help,
                              GS_TO_CALL(unit_arguments, print, set_print)};
    }
}

/* The options of a kind, and what it can print. */
static void kind_options(gs_option rows[GS_OPTIONS_MAX], size_t kind)
{
    add_prints(rows + gs_unit_options_make(rows, kind, NULL, offsetof(unit_arguments, options)),
               kind);
}

static void help_kind(const void *self)
{
    size_t kind = ((const unit_arguments *)self)->kind;
    gs_option own[GS_OPTIONS_MAX] = {0}, prints[GS_OPTIONS_MAX] = {0};
    const char *name = gs_unit_kind_name(kind);
    gs_unit_options_make(own, kind, NULL, offsetof(unit_arguments, options));
    add_prints(prints, kind);
    printf("Usage: gumshoe unit %s [OPTIONS] PROGRAM [ARGUMENTS...]\n"
           "       gumshoe run --unit %s[:OPTIONS] PROGRAM [ARGUMENTS...]\n\n%s.\n\nOptions:\n",
           name, name, gs_unit_kind_summary(kind));
    gs_options_print(stdout, own);
    if (prints[0].name) {
        printf("\nTo print instead of running:\n");
        gs_options_print(stdout, prints);
    }
    printf("\nBehind a colon, options are written NAME or NAME=VALUE with commas between.\n"
           "'gumshoe unit --help' has the options of every kind.\n");
}

static const gs_option table[] = {
    GS_GROUP(unit_arguments, target, gs_target_options),
    {"top", .argument = "N", GS_TO_COUNT(unit_arguments, top),
     .text = "print the first N rows of every table; 20 unless told otherwise, 0 for all of them."},
    {"json", GS_TO_SWITCH(unit_arguments, json), .text = "print JSON: all tables with all rows."},
    {"csv", .argument = "TABLE", GS_TO_TEXT(unit_arguments, csv),
     .text = "print all rows of one table as CSV; it is named as in JSON, such as 'loops'."},
    {"svg", .argument = "TABLE", GS_TO_TEXT(unit_arguments, svg),
     .text = "draw a table that is a curve, such as 'curve' of loops: time over code."},
    {"output", 'o', "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(unit_arguments, output),
     .text = "append the exact profile and what the unit says to this profile file; 'gumshoe "
             "report --by unit' prints it again."},
    GS_GROUP(unit_arguments, label, gs_label_options),
    GS_GROUP(unit_arguments, terminal, gs_table_options),
    {0},
};

/* The number of what is to be printed among the kind's prints. */
static size_t print_index(const unit_arguments *arguments)
{
    size_t index = 0;
    while (strcmp(gs_unit_print_at(arguments->kind, index).name, arguments->print.name) != 0)
        index++;
    return index;
}

static bool needs_program(const unit_arguments *arguments)
{
    return !arguments->print.name ||
           gs_unit_print_at(arguments->kind, print_index(arguments)).program;
}

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, unit_arguments *arguments)
{
    gs_rest rest;
    int status = gs_unit_find_kind(&arguments->kind, argv[0], NULL, &gs_cmd_unit);
    if (status < 0)
        status =
            gs_unit_parse(&gs_cmd_unit, arguments->kind, help_kind, argc, argv, arguments, &rest);
    if (status >= 0)
        return status;
    if (arguments->json + !!arguments->csv + !!arguments->svg > 1)
        return gs_usage_error(&gs_cmd_unit, "--json, --csv and --svg exclude each other");
    if (arguments->label && !arguments->output)
        arguments->output = GS_DEFAULT_PROFILE;
    gs_target_owns(&arguments->target, arguments->output);
    if (needs_program(arguments))
        return gs_target_program(&arguments->target, &gs_cmd_unit, &rest);
    if (rest.count > 0)
        return gs_usage_error(&gs_cmd_unit, "--%s is not about a program", arguments->print.name);
    return -1;
}

static void close_run(unit_run *run)
{
    gs_units_free(run->units);
    gs_recorder_free(run->recorder);
    gs_target_close(&run->target);
    *run = (unit_run){0};
}

/* From here on no process is started, and no file opened that was not said before. */
static gs_status confine(unit_arguments *arguments, const gs_target *target, gs_error *err)
{
    gs_status status = gs_compilers_start(&arguments->compilers, err);
    if (status != GS_OK)
        return status;
    gs_terminal_prepare(&arguments->terminal);
    gs_confine_target(&arguments->confine, target, &arguments->target);
    gs_confine_file(&arguments->confine, arguments->output);
    return gs_confine_ready(&arguments->confine, gs_compilers_cache(arguments->compilers), err);
}

/* `before` is an earlier run whose unit wants another one, or NULL. */
static gs_status make_run(unit_run *run, const unit_run *before, unit_arguments *arguments,
                          const volatile sig_atomic_t *cancel, gs_error *err)
{
    gs_status status = gs_target_open(&run->target, &arguments->target, err);
    if (status == GS_OK)
        status = gs_units_open(&run->units, run->target.machine, run->target.timing, err);
    if (status == GS_OK && before) {
        status = gs_units_add_again(run->units, before->units, 0, err);
    } else if (status == GS_OK) {
        const char *kind = gs_unit_kind_name(arguments->kind);
        const char *options = arguments->options ? arguments->options : "";
        char *text = malloc(strlen(kind) + strlen(options) + 2);
        if (text)
            sprintf(text, "%s:%s", kind, options);
        status = text ? gs_units_add(run->units, text, err) : GS_E_NO_MEMORY;
        free(text);
    }
    if (status == GS_OK)
        status = gs_recorder_open(&run->recorder, run->target.machine, run->target.timing, err);
    if (status == GS_OK && !before)
        status = confine(arguments, &run->target, err);
    if (status != GS_OK)
        return status;
    const gs_observer *observers[] = {gs_units_observer(run->units),
                                      gs_recorder_observer(run->recorder)};
    gs_run_options how = {
        .timing = run->target.timing,
        .observers = observers,
        .observer_count = 2,
        .region = run->target.region,
        .max_instructions = arguments->target.max_instructions,
        .max_cycles = arguments->target.max_cycles,
        .cancel = cancel,
        .compilers = arguments->compilers,
    };
    const gs_timing *timing = run->target.timing;
    gs_run_progress progress = {
        .max_instructions = arguments->target.max_instructions,
        .clock_hz = timing ? gs_core_clock_hz(gs_timing_core(timing)) : 0,
        .timing = timing,
        .shares_terminal = isatty(arguments->target.machine.stdio[1]),
    };
    gs_progress_start_run(&progress, &how);
    status = gs_run(run->target.machine, &how, err);
    gs_progress_stop();
    gs_progress_start("working out what the unit says");
    if (status == GS_OK)
        status = gs_recorder_finish(run->recorder, err);
    if (status == GS_OK)
        status = gs_units_conclude(run->units, run->recorder, err);
    gs_progress_stop();
    return status;
}

static void complain_of_end(const gs_machine *machine)
{
    const gs_exit *exit = gs_machine_exit(machine);
    if (exit->kind == GS_EXIT_SIGNAL || exit->kind == GS_EXIT_HALT)
        gs_complain("the program ended early: %s", exit->message);
    else if (exit->kind == GS_EXIT_INTERRUPTED)
        gs_complain("the program was interrupted");
}

/* Runs the program as often as the unit wants. The last run is the caller's, even on failure. */
static gs_status make_runs(unit_run *run, unit_arguments *arguments, gs_error *err)
{
    const volatile sig_atomic_t *cancel = gs_catch_interrupts();
    gs_limit_time(arguments->target.max_seconds); /* all runs together */
    gs_status status = make_run(run, NULL, arguments, cancel, err);
    int nowhere = -1;
    for (unsigned runs = 1; status == GS_OK && gs_units_again(run->units, 0) && !*cancel; runs++) {
        if (runs == MAX_RUNS) {
            gs_complain("the unit is not content after %d runs", MAX_RUNS);
            break;
        }
        if (nowhere < 0)
            nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        arguments->target.machine.stdio[1] = arguments->target.machine.stdio[2] = nowhere;
        (void)lseek(STDIN_FILENO, 0, SEEK_SET); /* a terminal or a pipe goes on where it is */
        unit_run before = *run;
        *run = (unit_run){0};
        arguments->target.image = before.target.image;
        status = make_run(run, &before, arguments, cancel, err);
        run->target.borrows_image = before.target.borrows_image;
        before.target.borrows_image = true;
        close_run(&before);
    }
    gs_limit_time(0);
    if (nowhere >= 0)
        close(nowhere);
    if (status == GS_OK) {
        complain_of_end(run->target.machine);
        gs_target_check_region(&run->target, &arguments->target);
        if (gs_confine_remark(&arguments->confine))
            gs_complain("%s", gs_confine_remark(&arguments->confine));
    }
    return status;
}

static gs_status save(const unit_run *run, const unit_arguments *arguments, time_t started,
                      const char *commit, gs_error *err)
{
    gs_profile *profile;
    char region[GS_TARGET_REGION];
    gs_profile_options options = {.region = gs_target_region_text(&arguments->target, region),
                                  .label = arguments->label,
                                  .commit = commit,
                                  .started = (int64_t)started,
                                  .lines = true};
    int64_t id = 0;
    gs_progress_start("making the profile");
    gs_status status = gs_profile_build(&profile, run->recorder, &options, err);
    if (status == GS_OK)
        status = gs_profile_add_units(profile, run->units, err);
    if (status == GS_OK)
        status = gs_profile_save(profile, arguments->output, &id, err);
    gs_progress_stop();
    if (status == GS_OK)
        fprintf(stderr, "gumshoe: this is run %" PRId64 " of %s\n", id, arguments->output);
    gs_profile_free(profile);
    return status;
}

static gs_status run_and_report(unit_arguments *arguments, gs_error *err)
{
    unit_run run = {0};
    char *commit = NULL;
    time_t started = time(NULL);
    gs_status status = GS_OK;
    if (arguments->output) {
        status = gs_profile_file_check(arguments->output, err);
        commit = gs_git_commit();
    }
    if (status == GS_OK)
        status = make_runs(&run, arguments, err);
    if (status == GS_OK && arguments->output)
        status = save(&run, arguments, started, commit, err);
    if (status == GS_OK) {
        gs_terminal_start(&arguments->terminal);
        status = arguments->json  ? gs_report_units_json(stdout, run.units, err)
                 : arguments->csv ? gs_report_units_csv(stdout, run.units, arguments->csv, err)
                 : arguments->svg ? gs_report_units_svg(stdout, run.units, arguments->svg, err)
                                  : gs_report_units(stdout, run.units, arguments->top,
                                                    arguments->terminal.table_width, err);
    }
    close_run(&run);
    free(commit);
    return status;
}

static gs_status print_only(const unit_arguments *arguments, gs_error *err)
{
    gs_target target = {0};
    gs_status status = GS_OK;
    if (needs_program(arguments))
        status = gs_target_open(&target, &arguments->target, err);
    if (status == GS_OK)
        status =
            gs_unit_print_write(stdout, arguments->kind, print_index(arguments), arguments->options,
                                target.machine, target.timing, arguments->print.argument, err);
    gs_target_close(&target);
    return status;
}

static int unit(int argc, char **argv)
{
    unit_arguments arguments = {
        .top = DEFAULT_TOP,
        .target.machine = {.stdio = {STDIN_FILENO, STDERR_FILENO, STDERR_FILENO}},
    };
    if (argc < 2) {
        list_kinds();
        return GS_TOOL_OK;
    }
    gs_error err = {0};
    int status = parse(argc - 1, argv + 1, &arguments);
    if (status < 0) {
        gs_confine_begin(&arguments.confine);
        gs_status done =
            arguments.print.name ? print_only(&arguments, &err) : run_and_report(&arguments, &err);
        status = done == GS_OK           ? GS_TOOL_OK
                 : done == GS_E_ARGUMENT ? gs_usage_error(&gs_cmd_unit, "%s", err.message)
                                         : gs_tool_fail(&err);
    }
    gs_compilers_stop(arguments.compilers);
    gs_confine_free(&arguments.confine);
    free(arguments.options);
    return status;
}

const gs_command gs_cmd_unit = {
    .name = "unit",
    .summary = "run a program under an on-chip profiler, and compare",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = unit,
    .program = true,
    .argument = GS_VALUE_FILE,
    .has_kind = has_kind,
    .kind_options = kind_options,
    .usage_status = GS_TOOL_USAGE,
};
