/* gumshoe explore: runs a program once for all caches, and once more for the pairs of them that
 * matter. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gumshoe/explore.h"
#include "tool/confine.h"
#include "tool/outfile.h"
#include "tool/progress.h"
#include "tool/target.h"
#include "tool/terminal.h"

static const char before_options[] =
    "Usage: gumshoe explore cache [OPTIONS] PROGRAM [ARGUMENTS...]\n"
    "\n"
    "Runs PROGRAM once and counts the misses of every LRU cache from 256 bytes to\n"
    "256 KB, with 1 to 16 ways and lines of 8 to 128 bytes, for instructions and for\n"
    "data. A second run then takes the exact cycles of the pairs of caches that\n"
    "matter: those that no pair beats in as few bytes, or nearly so.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "What the program prints goes to standard error, in the first run. The accesses\n"
    "are those of the core's own pipeline: so are the costs of a miss, and whether a\n"
    "store that misses brings its line in (--set dcache.allocate=yes).\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the program cannot be run\n"
    "or something cannot be written. How the program ended does not matter.\n"
    "\n"
    "Examples:\n"
    "  gumshoe explore cache --core flatfoot firmware.elf\n"
    "  gumshoe explore cache --core mips-24kf --line 32 --time 0 firmware.elf\n"
    "  gumshoe explore cache --format svg -o caches.svg firmware.elf\n"
    "  gumshoe explore cache --format csv firmware.elf > caches.csv\n";

enum { CACHE };
static const gs_word actions[] = {
    [CACHE] = {"cache", "the misses of all caches, and the cycles of those that matter"},
    {0},
};

enum { TEXT, CSV, JSON, SVG };
static const gs_word formats[] = {
    [TEXT] = {"text", "tables"},
    [CSV] = {"csv", "a row for each cache"},
    [JSON] = {"json", "all caches, and the pairs that were timed"},
    [SVG] = {"svg", "heat maps"},
    {0},
};

enum { DEFAULT_TIMED = 24, MOST_TIMED = 200 };

typedef struct explore_arguments {
    gs_target_arguments target;
    uint64_t line, timed;
    unsigned format;
    const char *output;
    gs_terminal terminal;
    gs_compilers *compilers;
    gs_confine confine;
} explore_arguments;

static const gs_option table[] = {
    GS_GROUP(explore_arguments, target, gs_target_options),
    {"line", .argument = "BYTES", GS_TO_COUNT(explore_arguments, line), .least = GS_STUDY_MIN_LINE,
     .most = GS_STUDY_MAX_LINE, .wants = "8, 16, 32, 64 or 128",
     .text = "the line size of the tables: 8, 16, 32, 64 or 128. The core's own unless told "
             "otherwise; the other formats have all of them."},
    {"time", .argument = "N", GS_TO_COUNT(explore_arguments, timed), .most = MOST_TIMED,
     .wants = "a number from 0 to 200",
     .text = "take the cycles of at most N pairs of caches, 24 unless told otherwise; 0 for none."},
    {"format", GS_TO_WORD(explore_arguments, format, formats),
     .text = "how the counts are written:"},
    {"output", 'o', "OUT", .value = GS_VALUE_FILE, GS_TO_TEXT(explore_arguments, output),
     .text = "write to OUT instead of standard output. OUT appears when it is complete."},
    GS_GROUP(explore_arguments, terminal, gs_table_options),
    {0},
};

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, explore_arguments *arguments)
{
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_explore, argc, argv, arguments, &rest);
    if (usage >= 0)
        return usage;
    const gs_target_arguments *target = &arguments->target;
    if (gs_target_untimed(target))
        return gs_usage_error(&gs_cmd_explore, "caches need a core, and --core none is none");
    if (target->from || target->to || target->between_markers)
        return gs_usage_error(&gs_cmd_explore, "the counts are of the whole run: there is no "
                                               "region of interest");
    if (arguments->line & (arguments->line - 1))
        return gs_usage_error(&gs_cmd_explore, "--line wants 8, 16, 32, 64 or 128");
    gs_target_owns(&arguments->target, arguments->output);
    return gs_target_program(&arguments->target, &gs_cmd_explore, &rest);
}

/* Runs the target's program with other timings beside its own. */
static gs_status run(gs_target *target, const explore_arguments *arguments,
                     gs_timing *const *followers, size_t count, gs_error *err)
{
    gs_run_options options = {
        .timing = target->timing,
        .followers = followers,
        .follower_count = count,
        .max_instructions = arguments->target.max_instructions,
        .max_cycles = arguments->target.max_cycles,
        .cancel = gs_catch_interrupts(),
        .compilers = arguments->compilers,
    };
    gs_run_progress progress = {.max_instructions = options.max_instructions,
                                .timing = target->timing};
    gs_progress_start_run(&progress, &options);
    gs_limit_time(arguments->target.max_seconds);
    gs_status status = gs_run(target->machine, &options, err);
    gs_limit_time(0);
    gs_progress_stop();
    if (status == GS_OK && gs_machine_exit(target->machine)->kind == GS_EXIT_INTERRUPTED)
        return gs_tool_error(err, "interrupted");
    return status;
}

static const char *core_name(const gs_target *target, const explore_arguments *arguments)
{
    return arguments->target.core ? arguments->target.core : gs_core_name(target->core);
}

/* The settings of the command line, and those of a point. */
static gs_status add_settings(gs_list *all, const gs_cache_study *study,
                              const gs_cache_point *point,
                              char texts[GS_CACHE_POINT_SETTINGS][GS_CACHE_POINT_SETTING],
                              gs_error *err)
{
    const size_t more = gs_cache_point_settings(study, point, texts);
    if (all->count + more > GS_LIST_MAX)
        return gs_tool_error(err, "too many settings of the core");
    for (size_t i = 0; i < more; i++)
        all->at[all->count++] = texts[i];
    return GS_OK;
}

/* A program that has seen time runs once for each point. */
static gs_status time_alone(gs_cache_point *point, const gs_cache_study *study,
                            const explore_arguments *arguments, gs_error *err)
{
    explore_arguments own = *arguments;
    char texts[GS_CACHE_POINT_SETTINGS][GS_CACHE_POINT_SETTING];
    gs_target target = {0};
    gs_status status = add_settings(&own.target.set, study, point, texts, err);
    if (status == GS_OK)
        status = gs_target_open(&target, &own.target, err);
    if (status == GS_OK)
        status = run(&target, &own, NULL, 0, err);
    if (status == GS_OK)
        point->cycles = gs_timing_cycles(target.timing);
    gs_target_close(&target);
    return status;
}

/* All points in one run. *shared becomes false if the program has seen time, and the cycles mean
 * nothing. */
static gs_status time_together(gs_cache_point *points, size_t count, const gs_cache_study *study,
                               const explore_arguments *arguments, bool *shared, gs_error *err)
{
    gs_core *cores[MOST_TIMED] = {0};
    gs_timing *timings[MOST_TIMED] = {0};
    gs_target target = {0};
    gs_status status = gs_target_open(&target, &arguments->target, err);
    for (size_t i = 0; i < count && status == GS_OK; i++) {
        char texts[GS_CACHE_POINT_SETTINGS][GS_CACHE_POINT_SETTING];
        gs_list all = arguments->target.set;
        status = add_settings(&all, study, &points[i], texts, err);
        if (status == GS_OK)
            status = gs_core_open(&cores[i], core_name(&target, arguments), all.at, all.count, err);
        if (status == GS_OK)
            status = gs_timing_open(&timings[i], cores[i], target.machine, err);
    }
    if (status == GS_OK)
        status = run(&target, arguments, timings, count, err);
    for (size_t i = 0; i < count; i++) {
        if (status == GS_OK)
            points[i].cycles = gs_timing_cycles(timings[i]);
        gs_timing_free(timings[i]);
        gs_core_free(cores[i]);
    }
    *shared = status == GS_OK && !gs_machine_saw_time(target.machine);
    gs_target_close(&target);
    return status;
}

/* The program is started again, from the same input; what it prints has been seen. */
static gs_status time_points(gs_cache_point *points, size_t count, const gs_cache_study *study,
                             const explore_arguments *arguments, bool shared, gs_error *err)
{
    gs_status status = GS_OK;
    if (shared)
        status = time_together(points, count, study, arguments, &shared, err);
    for (size_t i = 0; i < count && status == GS_OK && !shared; i++)
        status = time_alone(&points[i], study, arguments, err);
    if (status == GS_OK)
        gs_cache_points_compare(points, count);
    return status;
}

static gs_status write_report(explore_arguments *arguments, const gs_cache_report *report,
                              gs_error *err)
{
    gs_outfile file = {0};
    FILE *to = stdout;
    gs_status status = GS_OK;
    if (arguments->output) {
        status = gs_outfile_open(&file, arguments->output, err);
        to = file.stream;
    } else if (arguments->format == TEXT) {
        gs_terminal_start(&arguments->terminal);
    }
    if (status == GS_OK)
        status = arguments->format == CSV    ? gs_report_caches_csv(to, report, err)
                 : arguments->format == JSON ? gs_report_caches_json(to, report, err)
                 : arguments->format == SVG  ? gs_report_caches_svg(to, report, err)
                                             : gs_report_caches(to, report, err);
    if (status == GS_OK && arguments->output)
        status = gs_outfile_commit(&file, err);
    gs_outfile_abandon(&file);
    return status;
}

/* From here on no process is started, and no file opened that was not said before. */
static gs_status confine(explore_arguments *arguments, const gs_target *target, gs_error *err)
{
    gs_status status = gs_compilers_start(&arguments->compilers, err);
    if (status != GS_OK)
        return status;
    if (!arguments->output && arguments->format == TEXT)
        gs_terminal_prepare(&arguments->terminal);
    gs_confine_target(&arguments->confine, target, &arguments->target);
    gs_confine_file(&arguments->confine, arguments->output);
    return gs_confine_ready(&arguments->confine, gs_compilers_cache(arguments->compilers), err);
}

static gs_status explore_caches(explore_arguments *arguments, gs_error *err)
{
    gs_target target = {0};
    gs_cache_study *study = NULL;
    gs_cache_point points[MOST_TIMED];
    gs_timing *const *followers = NULL;
    size_t follower_count = 0, count = 0;
    gs_status status = gs_target_open(&target, &arguments->target, err);
    if (status == GS_OK)
        status =
            gs_cache_study_open(&study, core_name(&target, arguments), arguments->target.set.at,
                                arguments->target.set.count, target.machine, err);
    if (status == GS_OK)
        status = confine(arguments, &target, err);
    if (status == GS_OK) {
        followers = gs_cache_study_followers(study, &follower_count);
        status = run(&target, arguments, followers, follower_count, err);
    }
    if (status != GS_OK)
        goto out;
    gs_target_tell_core(&target);
    if (gs_confine_remark(&arguments->confine))
        gs_complain("%s", gs_confine_remark(&arguments->confine));
    arguments->target.image = target.image;
    arguments->target.machine.stdio[1] = arguments->target.machine.stdio[2] =
        open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (arguments->timed > 0)
        count = gs_cache_study_points(study, points, (size_t)arguments->timed);
    if (count > 0 && lseek(STDIN_FILENO, 0, SEEK_SET) < 0)
        arguments->target.machine.stdio[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (count > 0)
        status =
            time_points(points, count, study, arguments, !gs_machine_saw_time(target.machine), err);
    if (status != GS_OK)
        goto out;
    const gs_cache_report report = {
        .study = study,
        .machine = target.machine,
        .points = points,
        .point_count = count,
        .line = (uint32_t)arguments->line,
        .width = arguments->output ? 0 : gs_terminal_table_width(&arguments->terminal, stdout),
        .colour = !arguments->output && gs_terminal_colours(&arguments->terminal, stdout),
    };
    status = write_report(arguments, &report, err);
out:
    gs_cache_study_free(study);
    gs_target_close(&target);
    gs_compilers_stop(arguments->compilers);
    return status;
}

static int explore(int argc, char **argv)
{
    explore_arguments arguments = {
        .timed = DEFAULT_TIMED,
        .target.machine = {.stdio = {STDIN_FILENO, STDERR_FILENO, STDERR_FILENO}},
    };
    gs_error err = {0};
    int status = parse(argc, argv, &arguments);
    if (status >= 0)
        return status;
    gs_confine_begin(&arguments.confine);
    status = explore_caches(&arguments, &err) == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
    gs_confine_free(&arguments.confine);
    return status;
}

const gs_command gs_cmd_explore = {
    .name = "explore",
    .summary = "count the misses of all caches in one run",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = explore,
    .program = true,
    .needs_action = true,
    .actions = actions,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
