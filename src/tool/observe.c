/* Runs a machine under the eyes of all that is wanted, and says what became of it. */
#include "tool/observe.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gumshoe/energy.h"
#include "gumshoe/profile.h"
#include "gumshoe/report.h"
#include "gumshoe/text.h"
#include "gumshoe/unit.h"
#include "tool/git.h"
#include "tool/outfile.h"

const gs_option gs_result_options[] = {
    {"output", 'o', "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(gs_run_arguments, output),
     .text = "append the whole profile to this profile file, which is made if there is none; "
             "'gumshoe runs' lists its runs.",
     .more = "The profile has functions, call paths, loops, source lines and instructions with "
             "their cycles and stalls, and the commit of the git work tree the run was started in. "
             "A run that is interrupted, stopped by a limit or ended by a signal is appended up to "
             "that point. Several runs may append to one file at once."},
    GS_GROUP(gs_run_arguments, label, gs_label_options),
    {"timeline", .argument = "CYCLES", GS_TO_COUNT(gs_run_arguments, timeline), .least = 1,
     .wants = "a number of cycles such as 10K",
     .text = "keep what every function cost in each interval of so many cycles, such as 10K, to be "
             "seen with 'gumshoe report' as perfetto or phases. Intervals become longer when there "
             "are too many. Not with --core none; without -o, the file is gumshoe.db.",
     .more = "An instruction counts in the interval in which it starts. When there are more than "
             "2048 intervals, or 65536 rows, each two intervals become one and further ones are "
             "twice as long."},
    {"top", .argument = "N", GS_TO_COUNT(gs_run_arguments, top),
     .text = "how many functions the summary lists; 10 unless told otherwise, 0 for "
             "none.",
     .more = "Of each it has the share of all cycles, the same with what it called, calls, and "
             "cycles per instruction. 0 is faster."},
    {"unit", .argument = "KIND[:OPTIONS]", .value = GS_VALUE_UNIT,
     GS_TO_LIST(gs_run_arguments, units),
     .text = "attach an on-chip profiler, such as leap:functions=64, and print what it would "
             "report; see 'gumshoe unit'. May be given several times.",
     .more = "It stands next to the exact profile; with -o it goes into the profile file."},
    {0},
};

const gs_option gs_result_more_options[] = {
    {"json", .argument = "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(gs_run_arguments, json_path),
     .text = "write the result of the run as JSON, with what the units of --unit say."},
    GS_GROUP(gs_run_arguments, live, gs_live_rows),
    {"quiet", 'q', GS_TO_SWITCH(gs_run_arguments, quiet), .text = "no summary."},
    GS_GROUP(gs_run_arguments, terminal, gs_colour_options),
    {0},
};

static bool is_standard_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

int gs_observe_check(gs_run_arguments *arguments, const gs_command *command)
{
    int usage = gs_live_check(&arguments->live, command);
    if (usage >= 0)
        return usage;
    if ((arguments->pipeline.given || arguments->timeline) && gs_target_untimed(&arguments->target))
        return gs_usage_error(command, "--%s needs a core, and --core none is none",
                              arguments->timeline ? "timeline" : "pipeline");
    if ((arguments->label || arguments->timeline) && !arguments->output)
        arguments->output = GS_DEFAULT_PROFILE;
    if (is_standard_output(arguments->json_path) || is_standard_output(arguments->trace_path) ||
        is_standard_output(arguments->record_path))
        arguments->target.machine.stdio[1] = STDERR_FILENO; /* not in the middle of ours */
    gs_target_owns(&arguments->target, arguments->output);
    gs_target_owns(&arguments->target, arguments->json_path);
    gs_target_owns(&arguments->target, arguments->trace_path);
    gs_target_owns(&arguments->target, arguments->record_path);
    gs_target_owns(&arguments->target, arguments->run.emit_directory);
    return -1;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* What is summarised: the whole run, or what counted of it. */
typedef struct totals {
    uint64_t cycles, instructions, energy_fj;
    uint64_t stalls[GS_METRIC_COUNT];
} totals;

static totals count_run(const gs_machine *machine, const gs_timing *timing)
{
    totals t = {.instructions = gs_machine_instructions(machine),
                .cycles = gs_timing_cycles(timing),
                .energy_fj = gs_timing_energy_fj(timing)};
    for (size_t i = 0; i < gs_timing_stall_count(); i++)
        t.stalls[i] = gs_timing_stalls(timing, i);
    return t;
}

static totals count_region(const gs_recorder *recorder)
{
    totals t = {.instructions = gs_recorder_count(recorder, GS_METRIC_INSTRUCTIONS),
                .cycles = gs_recorder_count(recorder, GS_METRIC_CYCLES),
                .energy_fj = gs_recorder_count(recorder, GS_METRIC_ENERGY)};
    for (size_t i = 0; i < gs_timing_stall_count(); i++)
        t.stalls[i] = gs_recorder_count(recorder, (gs_metric)(GS_METRIC_STALL_I_MISS + i));
    return t;
}

/* Where the cycles went, largest first. */
static void summarise_time(const gs_timing *timing, const totals *all)
{
    uint64_t cycles = all->cycles, instructions = all->instructions, issue = all->cycles;
    char time[GS_TEXT_NUMBER];
    const gs_core *core = gs_timing_core(timing);
    fprintf(stderr, "gumshoe: %s cycles on %s", GS_TEXT_DIGITS(cycles), gs_core_title(core));
    if (gs_core_clock_hz(core))
        fprintf(stderr, ", %s at %g MHz",
                gs_text_seconds(time, (double)cycles / (double)gs_core_clock_hz(core)),
                (double)gs_core_clock_hz(core) * 1e-6);
    if (instructions == 0) {
        fputc('\n', stderr);
        return;
    }
    fprintf(stderr, ", %.3f per instruction:\n", (double)cycles / (double)instructions);
    size_t causes = gs_timing_stall_count();
    for (size_t i = 0; i < causes; i++)
        issue -= all->stalls[i];
    fprintf(stderr, "  %6.2f%%  %-16s %s\n", 100 * (double)issue / (double)cycles, "issue",
            "instructions going through");
    bool shown[64] = {false};
    for (size_t rank = 0; rank < causes; rank++) {
        size_t largest = causes;
        for (size_t i = 0; i < causes; i++) {
            if (!shown[i] && (largest == causes || all->stalls[i] > all->stalls[largest]))
                largest = i;
        }
        shown[largest] = true;
        if (all->stalls[largest] == 0)
            break;
        fprintf(stderr, "  %6.2f%%  %-16s %s\n",
                100 * (double)all->stalls[largest] / (double)cycles, gs_timing_stall_key(largest),
                gs_timing_stall_text(largest));
    }
}

/* Where instructions and data come from, unless that is caches. */
static void summarise_memory(const gs_core *core)
{
    char text[GS_CORE_MEMORY_TEXT];
    if (gs_core_memory_text(core, text)[0])
        fprintf(stderr, "gumshoe: %s\n", text);
}

static void summarise_energy(const gs_timing *timing, const totals *all)
{
    const gs_core *core = gs_timing_core(timing);
    double seconds = (double)all->cycles / (double)gs_core_clock_hz(core);
    double joules = (double)all->energy_fj * 1e-15;
    char number[GS_TEXT_NUMBER];
    fprintf(stderr, "gumshoe: %s", gs_text_joules(number, joules));
    if (seconds > 0)
        fprintf(stderr, ", %s on average", gs_text_watts(number, joules / seconds));
    if (gs_core_energy_source(core)[0])
        fprintf(stderr, " (%s)", gs_core_energy_source(core));
    fputc('\n', stderr);
}

/* Where the region of interest was, how often, and how much of the run it is. */
static void summarise_region(const gs_target *target, const gs_target_arguments *arguments,
                             const gs_recorder *recorder)
{
    char instructions[28], times[28];
    uint64_t count = gs_region_times(target->region);
    char where[GS_TARGET_REGION];
    fprintf(stderr, "gumshoe: counted %s, %s time%s: %s of these instructions\n",
            gs_target_region_text(arguments, where), gs_text_digits(times, count),
            count == 1 ? "" : "s",
            gs_text_digits(instructions, gs_recorder_count(recorder, GS_METRIC_INSTRUCTIONS)));
}

static void summarise(const gs_target *target, const gs_target_arguments *arguments,
                      const gs_recorder *recorder, const gs_replay *replay, double seconds)
{
    const gs_machine *machine = target->machine;
    const gs_timing *timing = target->timing;
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
    case GS_EXIT_LIMIT:
        fprintf(stderr, "gumshoe: %s was stopped by its limit%s%s", name,
                exit->message[0] ? " " : "", exit->message);
        break;
    case GS_EXIT_NONE: fprintf(stderr, "gumshoe: the trace of %s ends", name); break;
    case GS_EXIT_HALT: fprintf(stderr, "gumshoe: %s halted: %s;", name, exit->message); break;
    default: fprintf(stderr, "gumshoe: %s was interrupted", name); break;
    }
    fprintf(stderr, " after %s instructions", count);
    if (seconds >= 0.1 && instructions >= 100000)
        fprintf(stderr, " in %.2f s (%.*f million a second)", seconds,
                (double)instructions / seconds < 1e7 ? 1 : 0,
                (double)instructions / seconds * 1e-6);
    fputc('\n', stderr);
    if (gs_machine_reference_reason(machine))
        fprintf(stderr, "gumshoe: the reference engine ran all of it: %s\n",
                gs_machine_reference_reason(machine));
    if (target->region)
        summarise_region(target, arguments, recorder);
    if (timing) {
        totals all = target->region ? count_region(recorder) : count_run(machine, timing);
        summarise_time(timing, &all);
        summarise_memory(gs_timing_core(timing));
        if (gs_core_has_energy(gs_timing_core(timing)))
            summarise_energy(timing, &all);
    }
    gs_target_tell_core(target);
    if (replay) {
        fprintf(stderr, "gumshoe: a trace in the format %s, %s\n", gs_replay_format(replay),
                gs_replay_has_cycles(replay) ? "whose cycles these are"
                : timing                     ? "which has no cycles: these are of the core's model"
                                             : "which has no cycles: an instruction is a tick");
    } else {
        char files[512];
        gs_complain("the program may touch %s",
                    gs_sandbox_describe(gs_machine_sandbox(machine), files, sizeof files));
    }
    for (size_t i = 0; i < gs_machine_note_count(machine); i++)
        gs_complain("%s", gs_machine_note(machine, i));
}

static gs_status save(gs_profile *profile, const gs_units *units, const gs_run_arguments *arguments,
                      gs_error *err)
{
    int64_t id = 0;
    gs_status status = GS_OK;
    if (units)
        status = gs_profile_add_units(profile, units, err);
    if (status == GS_OK)
        status = gs_profile_save(profile, arguments->output, &id, err);
    gs_progress_stop();
    if (status == GS_OK && !arguments->quiet)
        fprintf(stderr, "gumshoe: this is run %" PRId64 " of %s\n", id, arguments->output);
    return status;
}

/* A standard error that is closed early, as by `2>&1 | head`, costs the summary, and none of the
 * files that were asked for. */
static gs_status despite_stderr(gs_status status)
{
    return status == GS_E_IO && ferror(stderr) ? GS_OK : status;
}

/* Makes the profile, keeps it and says what is in it, as far as wanted. */
static gs_status conclude(const gs_recorder *recorder, const gs_units *units, bool summary,
                          const gs_run_arguments *arguments, gs_error *err)
{
    char region[GS_TARGET_REGION];
    gs_profile_options options = {
        .region = gs_target_region_text(&arguments->target, region),
        .label = arguments->label,
        .commit = arguments->commit,
        .started = (int64_t)arguments->started,
        .lines = true,
    };
    gs_profile *profile;
    gs_progress_start("making the profile");
    gs_status status = gs_profile_build(&profile, recorder, &options, err);
    if (status == GS_OK && arguments->output)
        status = save(profile, units, arguments, err);
    gs_progress_stop();
    if (status == GS_OK && summary) {
        if (gs_profile_total(profile, GS_METRIC_CYCLES) > 0)
            fputc('\n', stderr);
        const gs_report_options shown = {
            .top = (size_t)arguments->top,
            .colour = gs_terminal_colours(&arguments->terminal, stderr),
            .width = gs_terminal_table_width(&arguments->terminal, stderr)};
        status = despite_stderr(gs_report_summary(stderr, profile, &shown, err));
    }
    gs_profile_free(profile);
    return status;
}

static gs_status attach_units(gs_units **units, gs_target *target,
                              const gs_run_arguments *arguments, gs_error *err)
{
    gs_status status = gs_units_open(units, target->machine, target->timing, err);
    for (size_t i = 0; i < arguments->units.count && status == GS_OK; i++)
        status = gs_units_add(*units, arguments->units.at[i], err);
    return status;
}

static gs_status show_units(const gs_units *units, const gs_run_arguments *arguments, gs_error *err)
{
    for (size_t i = 0; i < gs_units_count(units); i++) {
        if (gs_units_again(units, i))
            gs_complain("the unit %s needs several runs of the program: 'gumshoe unit' makes them",
                        arguments->units.at[i]);
    }
    if (arguments->quiet)
        return GS_OK;
    fputc('\n', stderr);
    return despite_stderr(gs_report_units(
        stderr, units, arguments->top, gs_terminal_table_width(&arguments->terminal, stderr), err));
}

/* While gdb controls the run it has the terminal. */
static void start_progress(gs_run_arguments *arguments)
{
    if (!arguments->gdb.where)
        gs_progress_start_run(arguments->progress, &arguments->run);
}

/* Confines the process, and not without the thread that shows progress: the kernel confines the
 * threads that there are and those that they start, so that one is started anew. */
static gs_status ready(void *self, const char *cache, gs_error *err)
{
    gs_run_arguments *arguments = self;
    gs_progress_stop();
    gs_status status = gs_confine_ready(&arguments->confine, cache, err);
    if (status == GS_OK)
        start_progress(arguments);
    return status;
}

/* What the run writes itself, for when the kernel holds it to files. */
static void confine(const gs_target *target, gs_run_arguments *arguments)
{
    gs_confine *c = &arguments->confine;
    c->machine = target->machine;
    gs_confine_file(c, arguments->output);
    gs_confine_file(c, arguments->json_path);
    gs_confine_file(c, arguments->trace_path);
    gs_confine_file(c, arguments->record_path);
    gs_confine_directory(c, arguments->run.emit_directory);
    arguments->run.ready = ready;
    arguments->run.ready_self = arguments;
}

gs_status gs_observe(gs_target *target, gs_run_arguments *arguments, gs_error *err)
{
    gs_machine *machine = target->machine;
    gs_timing *timing = target->timing;
    gs_outfile trace_file = {0}, record_file = {0}, json_file = {0};
    gs_trace *trace = NULL;
    gs_record *record = NULL;
    gs_recorder *recorder = NULL;
    gs_units *units = NULL;
    gs_live *live = NULL;
    gs_debug debug = {0};
    const gs_observer *observers[5];
    double started = seconds_now();
    gs_run_progress progress = {
        .max_instructions = arguments->target.max_instructions,
        .clock_hz = timing ? gs_core_clock_hz(gs_timing_core(timing)) : 0,
        .timing = timing,
        .shares_terminal = isatty(arguments->target.machine.stdio[1]),
    };
    gs_status status = GS_OK;
    gs_error damaged = {0};

    arguments->run.cancel = gs_catch_interrupts();
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
    if (arguments->record_path) {
        status = gs_outfile_open(&record_file, arguments->record_path, err);
        if (status == GS_OK)
            status = gs_record_open(&record, machine, timing, record_file.stream, err);
        if (status != GS_OK)
            goto out;
        observers[arguments->run.observer_count++] = gs_record_observer(record);
    }
    bool summary = timing && arguments->top > 0 && !arguments->quiet;
    if (arguments->units.count > 0) {
        status = attach_units(&units, target, arguments, err);
        if (status != GS_OK)
            goto out;
        observers[arguments->run.observer_count++] = gs_units_observer(units);
    }
    if (summary || arguments->output || units || target->region || arguments->gdb.where) {
        status = gs_recorder_open(&recorder, machine, timing, err);
        if (status == GS_OK && arguments->timeline)
            status = gs_recorder_keep_timeline(recorder, arguments->timeline, err);
        if (status != GS_OK)
            goto out;
        observers[arguments->run.observer_count++] = gs_recorder_observer(recorder);
    }
    if (arguments->live.to) {
        status = gs_live_begin(&live, machine, timing, &arguments->live, err);
        if (status != GS_OK)
            goto out;
        observers[arguments->run.observer_count++] = gs_live_observer(live);
    }
    if (arguments->json_path) {
        status = gs_outfile_open(&json_file, arguments->json_path, err);
        if (status != GS_OK)
            goto out;
    }
    status = gs_debug_begin(&debug, &arguments->gdb, arguments->quiet, machine, timing, recorder,
                            &arguments->run, err);
    if (status != GS_OK)
        goto out;
    arguments->progress = &progress;
    start_progress(arguments);
    arguments->started = time(NULL);
    arguments->run.timing = timing;
    arguments->run.max_instructions = arguments->target.max_instructions;
    arguments->run.max_cycles = arguments->target.max_cycles;
    arguments->run.observers = observers;
    arguments->run.region = target->region;
    if (!arguments->replay)
        confine(target, arguments);
    gs_limit_time(arguments->target.max_seconds);
    status = arguments->replay ? gs_replay_run(arguments->replay, &arguments->run, err)
                               : gs_run(machine, &arguments->run, err);
    gs_limit_time(0);
    if (live && status == GS_OK)
        gs_live_finish(live, arguments->run.cancel);
    gs_progress_stop();
    if (arguments->replay && status == GS_E_FORMAT && gs_machine_instructions(machine) > 0) {
        gs_complain("%s", err->message);
        damaged = *err; /* what came before that counts */
        status = GS_OK;
    }
    if (status != GS_OK)
        goto out;
    if (record && (status = gs_record_finish(record, err)) != GS_OK)
        goto out;
    if (arguments->pipeline.given && (status = gs_report_pipeline(stderr, timing, err)) != GS_OK)
        goto out;
    if (recorder && (status = gs_recorder_finish(recorder, err)) != GS_OK)
        goto out;
    if (!arguments->quiet)
        summarise(target, &arguments->target, recorder, arguments->replay, seconds_now() - started);
    const char *missing = gs_machine_optimizer_reason(target->machine);
    if (!arguments->quiet && missing && arguments->run.engine == GS_ENGINE_FAST)
        fprintf(stderr, "gumshoe: the fast engine has compiled quickly only: %s\n", missing);
    if (live && !arguments->quiet)
        gs_live_tell(live, &arguments->live);
    gs_target_check_region(target, &arguments->target);
    const char *remark = arguments->replay ? NULL : gs_confine_remark(&arguments->confine);
    if (remark && !arguments->quiet)
        gs_complain("%s", remark);
    if (recorder) {
        if (units)
            status = gs_units_conclude(units, recorder, err);
        if (status == GS_OK && (arguments->output || summary))
            status = conclude(recorder, units, summary, arguments, err);
        if (status == GS_OK && units)
            status = show_units(units, arguments, err);
        if (status != GS_OK)
            goto out;
    }
    if (arguments->json_path) {
        const gs_region_report region = {target->region, arguments->target.from,
                                         arguments->target.to, recorder};
        status = gs_report_run_json(json_file.stream, machine, timing, units, &region, err);
        if (status == GS_OK)
            status = gs_outfile_commit(&json_file, err);
    }
    if (status == GS_OK && arguments->trace_path)
        status = gs_outfile_commit(&trace_file, err);
    if (status == GS_OK && arguments->record_path)
        status = gs_outfile_commit(&record_file, err);
    if (status == GS_OK && damaged.status != GS_OK) {
        *err = (gs_error){.status = damaged.status,
                          .message = "what came before that was profiled; the rest is not"};
        status = damaged.status;
    }
out:
    arguments->killed = gs_debug_killed(&debug);
    gs_debug_end(&debug);
    gs_live_free(live);
    gs_units_free(units);
    gs_recorder_free(recorder);
    gs_trace_free(trace);
    gs_record_free(record);
    gs_outfile_abandon(&trace_file);
    gs_outfile_abandon(&record_file);
    gs_outfile_abandon(&json_file);
    return status;
}
