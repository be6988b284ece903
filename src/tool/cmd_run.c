#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gumshoe/energy.h"
#include "gumshoe/profile.h"
#include "gumshoe/report.h"
#include "gumshoe/run.h"
#include "gumshoe/text.h"
#include "gumshoe/unit.h"
#include "tool/git.h"
#include "tool/outfile.h"
#include "tool/target.h"
#include "tool/terminal.h"

static const char help[] =
    "Usage: gumshoe run [OPTIONS] PROGRAM [ARGUMENTS...]\n"
    "\n"
    "Runs PROGRAM, a static 32-bit RISC-V or MIPS executable, with the given\n"
    "arguments. Its standard input, output and error are yours, untouched. When it\n"
    "ends, a summary is written to standard error: what became of it and, with --core,\n"
    "where its cycles went and what stands out.\n"
    "\n"
    "Options:\n" GS_TARGET_HELP
    "  -o, --output FILE       append the whole profile to this profile file, which is\n"
    "                          made if there is none; 'gumshoe runs' lists its runs.\n"
    "  --label TEXT            a name for the run in that file; without -o, the file is\n"
    "                          gumshoe.db.\n"
    "  --timeline CYCLES       keep what every function cost in each interval of so many\n"
    "                          cycles, such as 10K, to be seen with 'gumshoe report' as\n"
    "                          perfetto or phases. Intervals become longer when there\n"
    "                          are too many. Needs --core; without -o, the file is\n"
    "                          gumshoe.db.\n"
    "  --top N                 how many functions the summary lists, with --core; 10\n"
    "                          unless told otherwise, 0 for none.\n"
    "  --unit KIND[:OPTIONS]   watch with an on-chip profiler as well, such as\n"
    "                          leap:functions=64, and tell what it would say; see\n"
    "                          'gumshoe unit'. May be given several times.\n"
    "  --engine WHICH          auto: the fast engine, which translates the program while\n"
    "                          the reference engine runs it, wherever it can (this is\n"
    "                          what happens unless told otherwise); reference; or fast,\n"
    "                          which waits for it, an error where it cannot. All count\n"
    "                          the same cycles, in the same places.\n"
    "  --emit-c DIRECTORY      write what the fast engine made of the program to\n"
    "                          program.c in this directory, which is made if need be.\n"
    "  --pipeline N:M          draw the way of instructions N to M (counting from 0)\n"
    "                          through the pipeline of the core: a row for each, a\n"
    "                          column for every cycle.\n"
    "  --trace FILE            write a line for every instruction: its number, pc,\n"
    "                          place, text and what it wrote, separated by tabs; with\n"
    "                          --core, what it cost, too.\n"
    "  --json FILE             write the result of the run as JSON.\n"
    "  -q, --quiet             no summary.\n" GS_COLOUR_HELP
    "  -h, --help              this text.\n"
    "\n"
    "FILE of --trace and --json may be - for standard output. Options end at\n"
    "PROGRAM; what follows belongs to the program.\n"
    "\n"
    "Exit status: the program's own; 128+N if signal N would have ended it (a wild\n"
    "pointer is 139, an illegal instruction 132); 124 if it was stopped by a limit or\n"
    "waits for an interrupt that cannot come; 125 if Gumshoe itself failed; 126 if the\n"
    "program cannot be run; 127 if there is no such file.\n"
    "\n"
    "Examples:\n"
    "  gumshoe run firmware.elf\n"
    "  gumshoe run --core flatfoot -o gumshoe.db --label before firmware.elf\n"
    "  gumshoe run --trace trace.txt --max-instructions 10K firmware.elf\n"
    "  gumshoe run ./busybox sha256sum README.md\n";

enum { MAX_UNITS = 16 };

typedef struct run_arguments {
    gs_target_arguments target;
    gs_run_options run;
    const char *units[MAX_UNITS];
    size_t unit_count;
    uint64_t top;
    uint64_t timeline; /* cycles of an interval, or 0 */
    bool pipeline;
    uint64_t pipeline_from, pipeline_to;
    const char *trace_path, *json_path;
    const char *output, *label;
    char *commit; /* of the sources when the run was started; or NULL */
    time_t started;
    bool quiet;
    gs_terminal terminal; /* for the summary */
} run_arguments;

enum {
    OPT_TOP = 256,
    OPT_PIPELINE,
    OPT_TRACE,
    OPT_JSON,
    OPT_LABEL,
    OPT_UNIT,
    OPT_TIMELINE,
    OPT_ENGINE,
    OPT_EMIT_C
};

static const struct option long_options[] = {
    GS_TARGET_OPTIONS,
    {"top", required_argument, NULL, OPT_TOP},
    {"pipeline", required_argument, NULL, OPT_PIPELINE},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"json", required_argument, NULL, OPT_JSON},
    {"output", required_argument, NULL, 'o'},
    {"label", required_argument, NULL, OPT_LABEL},
    {"timeline", required_argument, NULL, OPT_TIMELINE},
    {"unit", required_argument, NULL, OPT_UNIT},
    {"engine", required_argument, NULL, OPT_ENGINE},
    {"emit-c", required_argument, NULL, OPT_EMIT_C},
    {"quiet", no_argument, NULL, 'q'},
    GS_COLOUR_OPTION,
    {"help", no_argument, NULL, 'h'},
    {0},
};

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

static bool parse_engine(const char *text, gs_engine *engine)
{
    static const char *const names[] = {
        [GS_ENGINE_AUTO] = "auto", [GS_ENGINE_REFERENCE] = "reference", [GS_ENGINE_FAST] = "fast"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) {
            *engine = (gs_engine)i;
            return true;
        }
    }
    return false;
}

/* Runs are asked for by number, by label or as "last". */
static bool is_label(const char *text)
{
    return text[strspn(text, "0123456789")] != '\0' && strcmp(text, "last") != 0;
}

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, run_arguments *arguments)
{
    int option;
    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, "+:o:qh", long_options, NULL)) != -1) {
        switch (option) {
        case OPT_TOP:
            if (!gs_parse_count(optarg, &arguments->top))
                return gs_usage_error(&gs_cmd_run, "--top wants a number, not '%s'", optarg);
            break;
        case OPT_UNIT:
            if (arguments->unit_count == MAX_UNITS)
                return gs_usage_error(&gs_cmd_run, "--unit at most %d times", MAX_UNITS);
            arguments->units[arguments->unit_count++] = optarg;
            break;
        case OPT_PIPELINE:
            arguments->pipeline = true;
            if (!parse_window(optarg, &arguments->pipeline_from, &arguments->pipeline_to))
                return gs_usage_error(
                    &gs_cmd_run, "--pipeline wants two numbers such as 100:120, not '%s'", optarg);
            break;
        case OPT_TIMELINE:
            if (!gs_parse_count(optarg, &arguments->timeline) || arguments->timeline == 0)
                return gs_usage_error(&gs_cmd_run,
                                      "--timeline wants a number of cycles such as 10K, not '%s'",
                                      optarg);
            break;
        case OPT_ENGINE:
            if (!parse_engine(optarg, &arguments->run.engine))
                return gs_usage_error(&gs_cmd_run, "--engine is auto, reference or fast, not '%s'",
                                      optarg);
            break;
        case OPT_EMIT_C: arguments->run.emit_directory = optarg; break;
        case OPT_TRACE: arguments->trace_path = optarg; break;
        case OPT_JSON: arguments->json_path = optarg; break;
        case 'o': arguments->output = optarg; break;
        case OPT_LABEL:
            if (!is_label(optarg))
                return gs_usage_error(&gs_cmd_run,
                                      "--label wants a name, not a number or 'last': '%s'", optarg);
            arguments->label = optarg;
            break;
        case 'q': arguments->quiet = true; break;
        case 'h': fputs(help, stdout); return GS_TOOL_OK;
        case ':': return gs_usage_error(&gs_cmd_run, "%s wants a value", argv[optind - 1]);
        case '?': return gs_usage_error(&gs_cmd_run, "there is no option %s", argv[optind - 1]);
        default: {
            int status = option == GS_OPT_COLOUR
                             ? gs_terminal_option(&arguments->terminal, &gs_cmd_run, option, optarg)
                             : gs_target_option(&arguments->target, &gs_cmd_run, option, optarg);
            if (status >= 0)
                return status;
        }
        }
    }
    if (arguments->pipeline && !arguments->target.core)
        return gs_usage_error(&gs_cmd_run, "--pipeline needs --core");
    if (arguments->timeline && !arguments->target.core)
        return gs_usage_error(&gs_cmd_run, "--timeline needs --core");
    if ((arguments->label || arguments->timeline) && !arguments->output)
        arguments->output = GS_DEFAULT_PROFILE;
    return gs_target_program(&arguments->target, &gs_cmd_run, argc, argv);
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

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A line that rewrites itself, only for a person who is not watching the guest's own output. */
typedef struct progress {
    double started, shown;
    bool visible;
} progress;

static void show_progress(void *self, const gs_machine *machine)
{
    progress *p = self;
    double now = seconds_now();
    if (now - p->started < 2 || now - p->shown < 0.25)
        return;
    char count[28];
    fprintf(stderr, "\r%s instructions, %.0f million a second \033[K",
            gs_text_digits(count, gs_machine_instructions(machine)),
            (double)gs_machine_instructions(machine) / (now - p->started) * 1e-6);
    p->shown = now;
    p->visible = true;
}

/* Where the cycles went, largest first. */
static void summarise_time(const gs_timing *timing, uint64_t instructions)
{
    uint64_t cycles = gs_timing_cycles(timing);
    char time[GS_TEXT_NUMBER];
    const gs_core *core = gs_timing_core(timing);
    fprintf(stderr, "gumshoe: %s cycles on %s", GS_TEXT_DIGITS(cycles), gs_core_name(core));
    if (gs_core_clock_hz(core))
        fprintf(stderr, ", %s at %g MHz",
                gs_text_seconds(time, (double)cycles / (double)gs_core_clock_hz(core)),
                (double)gs_core_clock_hz(core) * 1e-6);
    if (instructions == 0) {
        fputc('\n', stderr);
        return;
    }
    fprintf(stderr, ", %.3f per instruction:\n", (double)cycles / (double)instructions);
    fprintf(stderr, "  %6.2f%%  %-16s %s\n",
            100 * (double)gs_timing_issue_cycles(timing) / (double)cycles, "issue",
            "instructions going through");
    size_t causes = gs_timing_stall_count();
    bool shown[64] = {false};
    for (size_t rank = 0; rank < causes; rank++) {
        size_t largest = causes;
        for (size_t i = 0; i < causes; i++) {
            if (!shown[i] && (largest == causes ||
                              gs_timing_stalls(timing, i) > gs_timing_stalls(timing, largest)))
                largest = i;
        }
        shown[largest] = true;
        if (gs_timing_stalls(timing, largest) == 0)
            break;
        fprintf(stderr, "  %6.2f%%  %-16s %s\n",
                100 * (double)gs_timing_stalls(timing, largest) / (double)cycles,
                gs_timing_stall_key(largest), gs_timing_stall_text(largest));
    }
}

static void summarise_energy(const gs_timing *timing)
{
    const gs_core *core = gs_timing_core(timing);
    double seconds = (double)gs_timing_cycles(timing) / (double)gs_core_clock_hz(core);
    double joules = (double)gs_timing_energy_fj(timing) * 1e-15;
    char number[GS_TEXT_NUMBER];
    fprintf(stderr, "gumshoe: %s", gs_text_joules(number, joules));
    if (seconds > 0)
        fprintf(stderr, ", %s on average", gs_text_watts(number, joules / seconds));
    if (gs_core_energy_source(core)[0])
        fprintf(stderr, " (%s)", gs_core_energy_source(core));
    fputc('\n', stderr);
}

static void summarise(const gs_machine *machine, const gs_timing *timing, double seconds)
{
    const gs_exit *exit = gs_machine_exit(machine);
    uint64_t instructions = gs_machine_instructions(machine);
    char count[28];
    const char *name = gs_image_name(gs_machine_image(machine));
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;

    gs_text_digits(count, instructions);
    switch (exit->kind) {
    case GS_EXIT_CODE: fprintf(stderr, "gumshoe: %s exited with %d", name, exit->code); break;
    case GS_EXIT_SIGNAL:
        fprintf(stderr, "gumshoe: %s was ended by signal %d (%s): %s\ngumshoe: that was", name,
                exit->signal, sigabbrev_np(exit->signal), exit->message);
        break;
    case GS_EXIT_LIMIT: fprintf(stderr, "gumshoe: %s was stopped by its limit", name); break;
    case GS_EXIT_HALT: fprintf(stderr, "gumshoe: %s halted: %s;", name, exit->message); break;
    default: fprintf(stderr, "gumshoe: %s was interrupted", name); break;
    }
    fprintf(stderr, " after %s instructions", count);
    if (seconds > 0.01)
        fprintf(stderr, " in %.2f s (%.0f million a second)", seconds,
                (double)instructions / seconds * 1e-6);
    fputc('\n', stderr);
    if (timing)
        summarise_time(timing, instructions);
    if (timing && gs_core_has_energy(gs_timing_core(timing)))
        summarise_energy(timing);
    for (size_t i = 0; i < gs_machine_note_count(machine); i++)
        gs_complain("%s", gs_machine_note(machine, i));
}

static gs_status save(gs_profile *profile, const gs_units *units, const run_arguments *arguments,
                      gs_error *err)
{
    int64_t id = 0;
    gs_status status = GS_OK;
    if (units)
        status = gs_profile_add_units(profile, units, err);
    if (status == GS_OK)
        status = gs_profile_save(profile, arguments->output, &id, err);
    if (status == GS_OK && !arguments->quiet)
        fprintf(stderr, "gumshoe: this is run %" PRId64 " of %s\n", id, arguments->output);
    return status;
}

/* Makes the profile, keeps it and says what is in it, as far as wanted. */
static gs_status conclude(const gs_recorder *recorder, const gs_units *units, bool summary,
                          const run_arguments *arguments, gs_error *err)
{
    gs_profile_options options = {
        .label = arguments->label,
        .commit = arguments->commit,
        .started = (int64_t)arguments->started,
        .lines = true,
    };
    gs_profile *profile;
    gs_status status = gs_profile_build(&profile, recorder, &options, err);
    if (status == GS_OK && arguments->output)
        status = save(profile, units, arguments, err);
    if (status == GS_OK && summary) {
        fputc('\n', stderr);
        status = gs_report_summary(stderr, profile, (size_t)arguments->top,
                                   gs_terminal_colours(&arguments->terminal, stderr), err);
    }
    gs_profile_free(profile);
    return status;
}

static gs_status attach_units(gs_units **units, gs_target *target, const run_arguments *arguments,
                              gs_error *err)
{
    gs_status status = gs_units_open(units, target->machine, target->timing, err);
    for (size_t i = 0; i < arguments->unit_count && status == GS_OK; i++)
        status = gs_units_add(*units, arguments->units[i], err);
    return status;
}

static gs_status show_units(const gs_units *units, const run_arguments *arguments, gs_error *err)
{
    for (size_t i = 0; i < gs_units_count(units); i++) {
        if (gs_units_again(units, i))
            gs_complain("the unit %s wants to see the program run again: 'gumshoe unit' does that",
                        arguments->units[i]);
    }
    if (arguments->quiet)
        return GS_OK;
    fputc('\n', stderr);
    return gs_report_units(stderr, units, arguments->top, err);
}

/* Runs the machine and writes what was asked for. */
static gs_status execute(gs_target *target, run_arguments *arguments, gs_error *err)
{
    gs_machine *machine = target->machine;
    gs_timing *timing = target->timing;
    gs_outfile trace_file = {0}, json_file = {0};
    gs_trace *trace = NULL;
    gs_recorder *recorder = NULL;
    gs_units *units = NULL;
    const gs_observer *observers[3];
    progress bar = {.started = seconds_now()};
    gs_status status = GS_OK;

    if (arguments->output) {
        status = gs_profile_file_check(arguments->output, err);
        if (status != GS_OK)
            goto out;
        arguments->commit = gs_git_commit();
    }
    if (arguments->trace_path) {
        status = gs_outfile_open(&trace_file, arguments->trace_path, err);
        if (status == GS_OK)
            status = gs_trace_open(&trace, machine, trace_file.stream, err);
        if (status != GS_OK)
            goto out;
        if (timing)
            gs_trace_costs(trace, timing);
        observers[arguments->run.observer_count++] = gs_trace_observer(trace);
    }
    bool summary = timing && arguments->top > 0 && !arguments->quiet;
    if (arguments->unit_count > 0) {
        status = attach_units(&units, target, arguments, err);
        if (status != GS_OK)
            goto out;
        observers[arguments->run.observer_count++] = gs_units_observer(units);
    }
    if (summary || arguments->output || units) {
        status = gs_recorder_open(&recorder, machine, timing, err);
        if (status == GS_OK && arguments->timeline)
            status = gs_recorder_keep_timeline(recorder, arguments->timeline, err);
        if (status != GS_OK)
            goto out;
        observers[arguments->run.observer_count++] = gs_recorder_observer(recorder);
    }
    if (arguments->json_path) {
        status = gs_outfile_open(&json_file, arguments->json_path, err);
        if (status != GS_OK)
            goto out;
    }
    if (isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO)) {
        arguments->run.progress = show_progress;
        arguments->run.progress_self = &bar;
    }
    arguments->started = time(NULL);
    arguments->run.timing = timing;
    arguments->run.max_instructions = arguments->target.max_instructions;
    arguments->run.max_cycles = arguments->target.max_cycles;
    arguments->run.observers = observers;
    arguments->run.cancel = gs_catch_interrupts();
    status = gs_run(machine, &arguments->run, err);
    if (bar.visible)
        fputs("\r\033[K", stderr);
    if (status != GS_OK)
        goto out;
    if (arguments->pipeline && (status = gs_report_pipeline(stderr, timing, err)) != GS_OK)
        goto out;
    if (!arguments->quiet)
        summarise(machine, timing, seconds_now() - bar.started);
    if (recorder) {
        status = gs_recorder_finish(recorder, err);
        if (status == GS_OK && units)
            status = gs_units_conclude(units, recorder, err);
        if (status == GS_OK && (arguments->output || summary))
            status = conclude(recorder, units, summary, arguments, err);
        if (status == GS_OK && units)
            status = show_units(units, arguments, err);
        if (status != GS_OK)
            goto out;
    }
    if (arguments->json_path) {
        status = gs_report_run_json(json_file.stream, machine, timing, units, err);
        if (status == GS_OK)
            status = gs_outfile_commit(&json_file, err);
    }
    if (status == GS_OK && arguments->trace_path)
        status = gs_outfile_commit(&trace_file, err);
out:
    gs_units_free(units);
    gs_recorder_free(recorder);
    gs_trace_free(trace);
    gs_outfile_abandon(&trace_file);
    gs_outfile_abandon(&json_file);
    return status;
}

static gs_status prepare(gs_target *target, const run_arguments *arguments, gs_error *err)
{
    gs_status status = gs_target_open(target, &arguments->target, err);
    if (status == GS_OK && arguments->pipeline)
        status =
            gs_timing_record(target->timing, arguments->pipeline_from, arguments->pipeline_to, err);
    return status;
}

static int run(int argc, char **argv)
{
    extern char **environ;
    run_arguments arguments = {
        .top = 10,
        .target.machine = {.stdio = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO},
                           .envp = (const char *const *)environ},
    };
    int usage = parse(argc, argv, &arguments);
    if (usage >= 0)
        return usage;

    gs_error err = {0};
    gs_target target = {0};
    int status;
    if (prepare(&target, &arguments, &err) != GS_OK) {
        gs_complain("%s", err.message);
        bool core_failed = arguments.target.core && !target.core;
        status = core_failed ? GS_RUN_FAILED : status_of_error(&err);
    } else if (execute(&target, &arguments, &err) != GS_OK) {
        gs_complain("%s", err.message);
        status = GS_RUN_FAILED;
    } else {
        status = status_of_exit(gs_machine_exit(target.machine), *arguments.run.cancel);
    }
    gs_target_close(&target);
    free(arguments.commit);
    return status;
}

const gs_command gs_cmd_run = {
    .name = "run",
    .summary = "run a program",
    .help = help,
    .run = run,
    .usage_status = GS_RUN_FAILED,
};
