#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gumshoe/report.h"
#include "tool/choice.h"

static const char help[] =
    "Usage: gumshoe diff [OPTIONS] [BEFORE [AFTER]]\n"
    "\n"
    "Tells what changed from one run to another: the totals, and functions, loops and\n"
    "source lines, the largest change first, with what is new and what is gone.\n"
    "\n"
    "BEFORE and AFTER are runs of the profile file, by number, label or last; or FILE,\n"
    "for the last run of another file; or FILE:RUN. Without AFTER it is the last run;\n"
    "without both, the last two are compared.\n"
    "\n"
    "Options:\n"
    "  -p, --profile FILE      the profile file; gumshoe.db unless told otherwise.\n"
    "  --by WHAT               only function, loop or line.\n"
    "  --metric METRIC         what is compared: cycles (the default), instructions,\n"
    "                          d-misses, stall:load-use and so on, as in\n"
    "                          'gumshoe report'.\n"
    "  --top N                 rows of each kind; 0 for all. Unless told otherwise 10 as\n"
    "                          text, all as JSON.\n"
    "  --json                  for programs: the same rows with all metrics.\n" GS_TERMINAL_HELP
    "  -h, --help              this text.\n"
    "\n"
    "Functions go together by name; loops by their function, and in it in the order of\n"
    "the source, or by line if there are more or fewer of them now; lines by file and\n"
    "number.\n"
    "\n"
    "Exit status: 0, whatever changed; 2 if the command line is wrong; 3 if a file\n"
    "cannot be read or has no such run. 'gumshoe check' is for limits.\n"
    "\n"
    "Examples:\n"
    "  gumshoe diff\n"
    "  gumshoe diff before after\n"
    "  gumshoe diff --by line --metric d-misses main.db:last feature.db\n";

enum { DEFAULT_TOP = 10 };

typedef struct diff_arguments {
    gs_choice choice;
    const char *before, *after; /* or NULL */
    bool json;
    gs_diff_options options;
} diff_arguments;

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, diff_arguments *arguments)
{
    enum { OPT_BY = 256, OPT_JSON };
    static const struct option long_options[] = {
        GS_CHOICE_PROFILE,
        {"by", required_argument, NULL, OPT_BY},
        GS_CHOICE_METRIC,
        GS_CHOICE_TOP,
        {"json", no_argument, NULL, OPT_JSON},
        {"help", no_argument, NULL, 'h'},
        GS_TERMINAL_OPTIONS,
        {0},
    };
    int option, usage;
    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":p:h", long_options, NULL)) != -1) {
        switch (option) {
        case OPT_BY:
            if (!gs_report_by_find(optarg, &arguments->options.by) ||
                (arguments->options.by != GS_REPORT_BY_FUNCTION &&
                 arguments->options.by != GS_REPORT_BY_LOOP &&
                 arguments->options.by != GS_REPORT_BY_LINE))
                return gs_usage_error(&gs_cmd_diff, "--by is function, loop or line, not '%s'",
                                      optarg);
            arguments->options.only = true;
            break;
        case OPT_JSON: arguments->json = true; break;
        default:
            usage = gs_choice_option(&arguments->choice, &gs_cmd_diff, option, argv);
            if (usage >= 0)
                return usage;
        }
    }
    if (argc - optind > 2)
        return gs_usage_error(&gs_cmd_diff,
                              "two runs at a time; a file that has them both is named with -p");
    if (optind < argc)
        arguments->before = argv[optind];
    if (optind + 1 < argc)
        arguments->after = argv[optind + 1];
    if (!arguments->choice.top_given && !arguments->json)
        arguments->choice.top = DEFAULT_TOP;
    arguments->options.top = arguments->choice.top;
    arguments->options.metric = arguments->choice.metric;
    return -1;
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* FILE, FILE:RUN, or a run of the file that is meant anyway. */
static gs_status load(gs_profile **out, const char *text, const char *file, gs_error *err)
{
    const char *colon = strrchr(text, ':');
    if (is_file(text))
        return gs_profile_load(out, text, "last", err);
    if (!colon)
        return gs_profile_load(out, file, text, err);
    char *path = strndup(text, (size_t)(colon - text));
    if (!path) {
        err->status = GS_E_NO_MEMORY;
        snprintf(err->message, sizeof err->message, "no memory left");
        return GS_E_NO_MEMORY;
    }
    gs_status status = gs_profile_load(out, path[0] ? path : file, colon + 1, err);
    free(path);
    return status;
}

/* The number of the last run but one. */
static gs_status find_previous(const char *path, char *to, size_t size, gs_error *err)
{
    gs_profile_file *file;
    gs_status status = gs_profile_file_open(&file, path, err);
    if (status != GS_OK)
        return status;
    size_t count = gs_profile_file_run_count(file);
    if (count < 2) {
        status = err->status = GS_E_NOT_FOUND;
        snprintf(err->message, sizeof err->message,
                 "%.300s: there are not two runs in it to compare; 'gumshoe run -o' adds one",
                 path);
    } else {
        snprintf(to, size, "%" PRId64, gs_profile_file_run(file, count - 2)->id);
    }
    gs_profile_file_free(file);
    return status;
}

static gs_status load_both(const diff_arguments *arguments, gs_profile **before, gs_profile **after,
                           gs_error *err)
{
    char previous[24];
    const char *file = gs_choice_path(&arguments->choice), *first = arguments->before;
    gs_status status = GS_OK;
    if (first && !arguments->after && is_file(first)) { /* the last two of another file */
        file = first;
        first = NULL;
    }
    if (!first) {
        status = find_previous(file, previous, sizeof previous, err);
        first = previous;
    }
    if (status == GS_OK)
        status = load(before, first, file, err);
    if (status == GS_OK)
        status = load(after, arguments->after ? arguments->after : "last", file, err);
    return status;
}

static int diff(int argc, char **argv)
{
    diff_arguments arguments = {0};
    int usage = parse(argc, argv, &arguments);
    if (usage >= 0)
        return usage;

    gs_error err = {0};
    gs_profile *before = NULL, *after = NULL;
    gs_status status = load_both(&arguments, &before, &after, &err);
    if (status == GS_OK) {
        gs_diff_writer *write = arguments.json ? gs_report_diff_json : gs_report_diff;
        gs_terminal_start(&arguments.choice.terminal);
        arguments.options.colour = arguments.choice.terminal.colour;
        status = write(stdout, before, after, &arguments.options, &err);
    }
    gs_profile_free(before);
    gs_profile_free(after);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_diff = {
    .name = "diff",
    .summary = "tell what changed from one run to another",
    .help = help,
    .run = diff,
    .usage_status = GS_TOOL_USAGE,
};
