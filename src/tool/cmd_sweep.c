/* gumshoe sweep: runs programs on many cores, and keeps what each took. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gumshoe/profile.h"
#include "gumshoe/sweep.h"
#include "gumshoe/text.h"
#include "tool/compile.h"
#include "tool/outfile.h"
#include "tool/progress.h"
#include "tool/sweep_folder.h"
#include "tool/sweep_jobs.h"
#include "tool/sweep_slurm.h"
#include "tool/target.h"
#include "tool/terminal.h"

static const char before_options[] =
    "Usage: gumshoe sweep [run] [OPTIONS] SWEEP.yaml\n"
    "       gumshoe sweep status [OPTIONS] [FILE]\n"
    "       gumshoe sweep report [OPTIONS] [FILE]\n"
    "\n"
    "Runs programs on many variants of a core and keeps the cycles, stalls, misses\n"
    "and energy of each in a profile file, gumshoe.db unless told otherwise.\n"
    "SWEEP.yaml says which:\n"
    "  programs: [sort.elf, fir.c]\n"
    "  core: flatfoot\n"
    "  axes:\n"
    "    icache.size: {from: 1K, to: 32K, times: 2}\n"
    "    dcache.size: [1K, 4K, 16K]\n"
    "    memory.first: {from: 4, to: 20, step: 4}\n"
    "  where: icache.size + dcache.size <= 32K\n"
    "  objectives:\n"
    "    cycles: cycles\n"
    "    area: 0.5 * storage_bits + 4000\n"
    "\n"
    "A sweep that was stopped, killed or out of space goes on where it was when it\n"
    "is run again. status says how far the sweeps of a profile file are, and report\n"
    "which designs are worth it.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0 if all points have results; 1 if some have an error instead,\n"
    "which their rows tell; 2 if the command line is wrong; 3 if SWEEP.yaml is, a\n"
    "file cannot be read or written, or the sweep was interrupted.\n"
    "\n"
    "Examples:\n"
    "  gumshoe sweep --jobs 4 -o caches.db caches.yaml\n"
    "  gumshoe sweep status caches.db\n"
    "  gumshoe sweep report --within 2 caches.db\n"
    "  gumshoe sweep report --format svg -o caches.svg caches.db\n"
    "  gumshoe sweep --dry-run caches.yaml\n"
    "  gumshoe sweep --slurm --partition long --throttle 50 -o caches.db caches.yaml\n";

enum { RUN, STATUS, REPORT };
static const gs_word actions[] = {
    [RUN] = {"run", "run what has not been run yet"},
    [STATUS] = {"status", "how far the sweeps of a profile file are"},
    [REPORT] = {"report", "which designs are worth it"},
    {0},
};

enum { TEXT, CSV, JSON, SVG };
static const gs_word formats[] = {
    [TEXT] = {"text", "the best designs, and what each axis does"},
    [CSV] = {"csv", "a row for each design"},
    [JSON] = {"json", "all of it"},
    [SVG] = {"svg", "designs by two objectives, curves by axis, and a heat map"},
    {0},
};

typedef struct sweep_arguments {
    const char *output;
    uint64_t jobs, within;
    bool dry_run, json, slurm, jobs_given, slurm_given;
    gs_slurm_options cluster;
    const char *slurm_job;
    const char *sweep;
    gs_list objectives;
    unsigned format;
    gs_terminal terminal;
} sweep_arguments;

static const gs_option table[] = {
    {"output", 'o', "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(sweep_arguments, output),
     .only = "run, report",
     .text = "the profile file to which the runs are appended; of report, the file to which it is "
             "written."},
    {"jobs", 'j', "N", GS_TO_COUNT(sweep_arguments, jobs), .least = 1, .most = GS_SWEEP_JOBS_MAX,
     .wants = "a number of processes", .only = "run", GS_GIVEN(sweep_arguments, jobs_given),
     .text = "run points on N processes at a time; as many as there are processors unless told "
             "otherwise."},
    {"slurm", GS_TO_SWITCH(sweep_arguments, slurm), .only = "run",
     .text = "run points on a cluster instead, as job arrays of Slurm.",
     .more = "The working directory and the profile file have to be where all nodes see them. The "
             "command waits for the jobs and takes their results over as they come; when it is "
             "interrupted, it cancels them. Started again after it was killed, it goes on with the "
             "array that is in the queue."},
    {"partition", .argument = "NAME", GS_TO_TEXT(sweep_arguments, cluster.partition),
     GS_GIVEN(sweep_arguments, slurm_given), .only = "run",
     .text = "with --slurm: the partition of the cluster."},
    {"time", .argument = "LIMIT", GS_TO_TEXT(sweep_arguments, cluster.time),
     GS_GIVEN(sweep_arguments, slurm_given), .only = "run",
     .text = "with --slurm: the time limit of a job, as sbatch takes it."},
    {"account", .argument = "NAME", GS_TO_TEXT(sweep_arguments, cluster.account),
     GS_GIVEN(sweep_arguments, slurm_given), .only = "run",
     .text = "with --slurm: the account that pays."},
    {"throttle", .argument = "N", GS_TO_COUNT(sweep_arguments, cluster.throttle),
     GS_GIVEN(sweep_arguments, slurm_given), .least = 1, .only = "run",
     .text = "with --slurm: at most N jobs of the array at a time."},
    {"chunk", .argument = "N", GS_TO_COUNT(sweep_arguments, cluster.chunk),
     GS_GIVEN(sweep_arguments, slurm_given), .least = 1, .most = 1000000, .only = "run",
     .text =
         "with --slurm: N groups of points that share runs make a job. Unless told otherwise so "
         "many that it takes about a minute, by the first group, which is run here."},
    {"slurm-job", .argument = "ARRAY", GS_TO_TEXT(sweep_arguments, slurm_job), .only = "run",
     .text = "for the jobs that --slurm starts: be one of them."},
    {"dry-run", GS_TO_SWITCH(sweep_arguments, dry_run), .only = "run",
     .text = "say how many designs and points it would be, in how many groups that share runs, and "
             "run nothing.",
     .more = "Points share a run where they differ only in what does not change it: the clock, "
             "the energy table, and texts; on cores that execute one instruction after the other a "
             "few runs are enough for all values of latencies."},
    {"sweep", .argument = "NAME|NUMBER", GS_TO_TEXT(sweep_arguments, sweep), .only = "report",
     .text = "which sweep of the file; the newest unless told otherwise."},
    {"objective", .argument = "[NAME=]FORMULA", GS_TO_LIST(sweep_arguments, objectives),
     .only = "report",
     .text =
         "compare designs by this instead of the objectives in SWEEP.yaml. May be given several "
         "times; the first three make the front.",
     .more =
         "Formulas know metrics by the names of their columns in a profile file (cycles, d_misses, "
         "stall_load_use), time in seconds, energy in joules, code_size in bytes, storage_bits, "
         "axes, and keys of the core's description."},
    {"within", .argument = "PERCENT", GS_TO_COUNT(sweep_arguments, within), .most = 1000,
     .wants = "a whole number of percent", .only = "report",
     .text = "name the design that is cheapest in the second objective among those within so many "
             "percent of the best in the first; 5 unless told otherwise."},
    {"format", GS_TO_WORD(sweep_arguments, format, formats), .only = "report",
     .text = "how the report is written:"},
    {"json", GS_TO_SWITCH(sweep_arguments, json), .only = "status",
     .text = "for programs: the same as JSON."},
    GS_GROUP(sweep_arguments, terminal, gs_terminal_options),
    {0},
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Compiles what is C. What a compiler refuses is the error of its points. */
static gs_status make_executable(gs_sweep *sweep, size_t index, gs_error *err)
{
    const gs_sweep_build build = gs_sweep_build_at(sweep, index);
    gs_list set = {.count = build.set_count};
    char *program = NULL;
    int ignored;
    if (!build.sources)
        return GS_OK;
    if (build.set_count > GS_LIST_MAX)
        return gs_tool_error(err, "too many settings of the core");
    for (size_t i = 0; i < build.set_count; i++)
        set.at[i] = build.set[i];
    for (size_t i = 0; i < build.source_count; i++) {
        if (access(build.sources[i], R_OK) != 0)
            return gs_tool_error(err, "%s: cannot be read", build.sources[i]);
    }
    const gs_compile_request request = {
        .core = build.core,
        .set = &set,
        .board = build.board,
        .ram = build.ram,
        .sources = (char *const *)build.sources,
        .source_count = build.source_count,
        .flags = (char *const *)build.flags,
        .flag_count = build.flag_count,
    };
    gs_error problem;
    gs_status status = gs_compile(&program, &request, &ignored, &problem);
    if (status == GS_OK)
        status = gs_sweep_set_executable(sweep, index, program, NULL, err);
    else
        status = gs_sweep_set_executable(sweep, index, NULL, problem.message, err);
    free(program);
    return status;
}

/* In a job of `array`, which may be NULL, executables are there already. */
static gs_status open_sweep(gs_sweep **sweep, const char *path, const char *array, gs_error *err)
{
    gs_status status = gs_sweep_open(sweep, path, err);
    if (status == GS_OK && array) {
        status = gs_sweep_folder_take_programs(*sweep, array, err);
        return status == GS_OK ? gs_sweep_plan(*sweep, err) : status;
    }
    for (size_t i = 0; status == GS_OK && i < gs_sweep_build_count(*sweep); i++)
        status = make_executable(*sweep, i, err);
    return status == GS_OK ? gs_sweep_plan(*sweep, err) : status;
}

static int dry_run(const gs_sweep *sweep)
{
    printf("%s: %s designs, %s points in %s groups that share runs\n", gs_sweep_name(sweep),
           GS_TEXT_DIGITS(gs_sweep_design_count(sweep)),
           GS_TEXT_DIGITS(gs_sweep_point_count(sweep)),
           GS_TEXT_DIGITS(gs_sweep_group_count(sweep)));
    return GS_TOOL_OK;
}

/* What is in the file now; the exit status. */
static int tell_result(const gs_sweep *sweep, const char *path, size_t before, double seconds,
                       gs_error *err)
{
    gs_sweep_list *list;
    int status = GS_TOOL_OK;
    if (gs_sweep_list_open(&list, path, err) != GS_OK)
        return gs_tool_fail(err);
    for (size_t i = gs_sweep_list_count(list); i-- > 0;) {
        const gs_sweep_status *s = gs_sweep_list_at(list, i);
        if (strcmp(s->name, gs_sweep_name(sweep)) != 0 || s->points != gs_sweep_point_count(sweep))
            continue;
        gs_complain("%s: %s point%s in %.1f s%s%s%s; 'gumshoe sweep report %s' compares them",
                    s->name, GS_TEXT_DIGITS(s->done - before), s->done - before == 1 ? "" : "s",
                    seconds, before ? ", " : "", before ? GS_TEXT_DIGITS(before) : "",
                    before ? " were there" : "", path);
        if (s->failed)
            gs_complain("points with an error instead: %s; the first: %s",
                        GS_TEXT_DIGITS(s->failed), s->error);
        status = s->failed ? GS_TOOL_FAILED : GS_TOOL_OK;
        break;
    }
    gs_sweep_list_free(list);
    return status;
}

static unsigned processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > GS_SWEEP_JOBS_MAX ? GS_SWEEP_JOBS_MAX : (unsigned)count;
}

/* Runs what is missing on processes of this machine. */
static gs_status run_here(const gs_sweep *sweep, const sweep_arguments *arguments, size_t *before,
                          bool *interrupted, gs_error *err)
{
    gs_sweep_store *store = NULL;
    bool *pending = calloc(gs_sweep_group_count(sweep) + 1, sizeof *pending);
    size_t groups = 0;
    gs_status status = pending ? gs_sweep_store_open(&store, sweep, arguments->output, err)
                               : gs_tool_error(err, "no memory");
    if (status == GS_OK)
        status = gs_sweep_store_pending(store, pending, before, err);
    gs_sweep_store_close(store);
    for (size_t i = 0; i < gs_sweep_group_count(sweep) && pending; i++)
        groups += pending[i];
    if (status == GS_OK && groups > 0) {
        const size_t wanted = arguments->jobs ? (size_t)arguments->jobs : processors();
        const gs_sweep_jobs jobs = {
            .sweep = sweep,
            .path = arguments->output,
            .groups = pending,
            .points = gs_sweep_point_count(sweep),
            .done = *before,
            .processes = (unsigned)(wanted < groups ? wanted : groups),
            .cancel = gs_catch_interrupts(),
        };
        status = gs_sweep_jobs_run(&jobs, interrupted, err);
    }
    free(pending);
    return status;
}

static gs_status run_missing(const gs_sweep *sweep, const char *path,
                             const sweep_arguments *arguments, size_t *before, bool *interrupted,
                             gs_error *err)
{
    gs_sweep_lock lock = {.fd = -1};
    *interrupted = false;
    gs_status status = gs_sweep_lock_take(&lock, arguments->output, err);
    if (status == GS_OK && arguments->slurm) {
        const gs_sweep_slurm slurm = {
            .sweep = sweep,
            .description = path,
            .path = arguments->output,
            .options = &arguments->cluster,
            .cancel = gs_catch_interrupts(),
        };
        status = gs_sweep_slurm_run(&slurm, before, interrupted, err);
    } else if (status == GS_OK) {
        status = run_here(sweep, arguments, before, interrupted, err);
    }
    gs_sweep_lock_release(&lock);
    return status;
}

/* One of the jobs of an array. */
static int run_job(const char *path, const sweep_arguments *arguments)
{
    gs_sweep *sweep = NULL;
    gs_error err = {0};
    gs_status status = open_sweep(&sweep, path, arguments->slurm_job, &err);
    if (status == GS_OK)
        status = gs_sweep_slurm_work(sweep, arguments->slurm_job, &err);
    gs_sweep_free(sweep);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

static int run(const char *path, const sweep_arguments *arguments)
{
    gs_sweep *sweep = NULL;
    gs_error err = {0};
    size_t before = 0;
    bool interrupted = false;
    const double started = seconds_now();
    gs_status status = open_sweep(&sweep, path, NULL, &err);
    int result = GS_TOOL_OK;
    if (status == GS_OK && arguments->dry_run) {
        result = dry_run(sweep);
        goto out;
    }
    if (status == GS_OK)
        status = gs_profile_file_check(arguments->output, &err);
    if (status == GS_OK)
        status = run_missing(sweep, path, arguments, &before, &interrupted, &err);
    if (status != GS_OK)
        result = gs_tool_fail(&err);
    else
        result = tell_result(sweep, arguments->output, before, seconds_now() - started, &err);
    if (interrupted) {
        gs_complain("interrupted; the same command goes on from here");
        result = GS_TOOL_INPUT;
    }
out:
    gs_sweep_free(sweep);
    return result;
}

static void tell_status(const gs_sweep_status *s, bool running)
{
    char left[GS_SWEEP_LEFT];
    printf("%s: %s of %s points", s->name, GS_TEXT_DIGITS(s->done), GS_TEXT_DIGITS(s->points));
    if (s->failed)
        printf(", %s with an error (%s)", GS_TEXT_DIGITS(s->failed), s->error);
    if (s->done == s->points)
        fputs(", complete", stdout);
    else if (!running)
        fputs(", not running", stdout);
    else if (s->rate > 0)
        printf(", %.1f a second, %s left", s->rate,
               gs_sweep_left(left, (double)(s->points - s->done) / s->rate));
    putchar('\n');
}

static int status(const sweep_arguments *arguments)
{
    gs_sweep_list *list;
    gs_error err;
    if (gs_sweep_list_open(&list, arguments->output, &err) != GS_OK)
        return gs_tool_fail(&err);
    const bool running = gs_sweep_is_running(arguments->output);
    int result = GS_TOOL_OK;
    if (arguments->json) {
        gs_status written = gs_report_sweeps_json(stdout, list, running, &err);
        result = written == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
    } else if (gs_sweep_list_count(list) == 0) {
        printf("no sweep in %s\n", arguments->output);
    }
    for (size_t i = 0; i < gs_sweep_list_count(list) && !arguments->json; i++)
        tell_status(gs_sweep_list_at(list, i), running);
    gs_sweep_list_free(list);
    return result;
}

static gs_status write_report(const sweep_arguments *arguments, const gs_sweep_results *results,
                              gs_error *err)
{
    static gs_status (*const writers[])(FILE *, const gs_sweep_results *, gs_error *) = {
        [TEXT] = gs_report_sweep,
        [CSV] = gs_report_sweep_csv,
        [JSON] = gs_report_sweep_json,
        [SVG] = gs_report_sweep_svg,
    };
    gs_outfile file = {0};
    gs_status status = arguments->output ? gs_outfile_open(&file, arguments->output, err) : GS_OK;
    if (status == GS_OK)
        status = writers[arguments->format](arguments->output ? file.stream : stdout, results, err);
    if (status == GS_OK && arguments->output)
        status = gs_outfile_commit(&file, err);
    gs_outfile_abandon(&file);
    return status;
}

static int report(const sweep_arguments *arguments, const char *path)
{
    const gs_sweep_question question = {
        .sweep = arguments->sweep,
        .objectives = arguments->objectives.at,
        .objective_count = arguments->objectives.count,
        .within = (double)arguments->within,
    };
    gs_sweep_results *results;
    gs_error err;
    gs_status status = gs_sweep_results_open(&results, path, &question, &err);
    if (status == GS_OK)
        status = write_report(arguments, results, &err);
    gs_sweep_results_free(results);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

static int sweep(int argc, char **argv)
{
    sweep_arguments arguments = {.within = 5};
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_sweep, argc, argv, &arguments, &rest);
    if (usage >= 0)
        return usage;
    if (rest.count > 1)
        return gs_usage_error(&gs_cmd_sweep, "one file at a time, and not '%s'", rest.at[1]);
    if (rest.action != RUN && !arguments.output)
        gs_terminal_start(&arguments.terminal);
    if (rest.action == REPORT)
        return report(&arguments, rest.count == 1 ? rest.at[0] : GS_DEFAULT_PROFILE);
    if (!arguments.output)
        arguments.output = GS_DEFAULT_PROFILE;
    if (rest.action == STATUS) {
        if (rest.count == 1)
            arguments.output = rest.at[0];
        return status(&arguments);
    }
    if (rest.count == 0)
        return gs_usage_error(&gs_cmd_sweep, "which sweep? A YAML file has to follow");
    if (arguments.slurm_given && !arguments.slurm)
        return gs_usage_error(&gs_cmd_sweep, "--partition, --time, --account, --throttle and "
                                             "--chunk go with --slurm");
    if (arguments.slurm && arguments.jobs_given)
        return gs_usage_error(&gs_cmd_sweep, "--jobs and --slurm do not go together");
    return arguments.slurm_job ? run_job(rest.at[0], &arguments) : run(rest.at[0], &arguments);
}

const gs_command gs_cmd_sweep = {
    .name = "sweep",
    .summary = "run programs on many variants of a core",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = sweep,
    .first_action_implied = true,
    .actions = actions,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
