/* gumshoe diff: what changed between two runs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gumshoe/report.h"
#include "tool/choice.h"
#include "tool/progress.h"

static const char before_options[] =
    "Usage: gumshoe diff [OPTIONS] [FILE] [BEFORE [AFTER]]\n"
    "\n"
    "Tells what changed from one run to another: the totals, and functions, loops\n"
    "and source lines, the largest change first, with what is new and what is gone.\n"
    "\n"
    "BEFORE and AFTER are runs of the profile file, by number, label or last; or\n"
    "FILE, for the last run of another file; or FILE:RUN. A FILE before them is the\n"
    "profile file itself. Without AFTER it is the last run; without both, the last\n"
    "two are compared.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Functions go together by name; loops by their function, and in it in the order\n"
    "of the source, or by line if there are more or fewer of them now; lines by file\n"
    "and number.\n"
    "\n"
    "Exit status: 0, whatever changed; 2 if the command line is wrong; 3 if a file\n"
    "cannot be read or has no such run. 'gumshoe check' is for limits.\n"
    "\n"
    "Examples:\n"
    "  gumshoe diff\n"
    "  gumshoe diff app.db before after\n"
    "  gumshoe diff --by line --metric d-misses main.db:last feature.db\n";

enum { DEFAULT_TOP = 10 };

typedef struct diff_arguments {
    gs_choice choice;
    const char *before, *after; /* or NULL */
    unsigned by;                /* of the words below */
    gs_diff_options options;
} diff_arguments;

static const gs_word by_words[] = {{.name = "function"}, {.name = "loop"}, {.name = "line"}, {0}};

static const gs_option table[] = {
    GS_GROUP(diff_arguments, choice, gs_choice_profile),
    {"by", .argument = "WHAT", GS_TO_WORD(diff_arguments, by, by_words),
     GS_GIVEN(diff_arguments, options.only), .text = "only function, loop or line."},
    {"metric", .argument = "METRIC", .value = GS_VALUE_METRIC,
     GS_TO_TEXT(diff_arguments, choice.metric),
     .text = "what is compared: cycles (the default), instructions, d-misses, stall:load-use and "
             "so on, as in 'gumshoe report'."},
    {"top", .argument = "N", GS_TO_COUNT(diff_arguments, choice.top),
     GS_GIVEN(diff_arguments, choice.top_given),
     .text = "rows of each kind; 0 for all. Unless told otherwise 10 as text, all as JSON."},
    {"json", GS_TO_SWITCH(diff_arguments, choice.json),
     .text = "for programs: the same rows with all metrics.",
     .more = "They are the rows' own and, of functions and loops, inclusive."},
    GS_GROUP(diff_arguments, choice.terminal, gs_table_options),
    {0},
};

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, diff_arguments *arguments)
{
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_diff, argc, argv, arguments, &rest);
    if (usage >= 0)
        return usage;
    /* "gumshoe diff app.db before after": a file, and runs in it. */
    bool file_first = !arguments->choice.file && rest.count > 1 && is_file(rest.at[0]) &&
                      !is_file(rest.at[1]) && !strchr(rest.at[1], ':');
    if (file_first) {
        arguments->choice.file = rest.at[0];
        rest.at++;
        rest.count--;
    }
    if (rest.count > 2)
        return gs_usage_error(&gs_cmd_diff, "two runs at a time, and the file that has them both "
                                            "before them or with -p");
    if (rest.count > 0)
        arguments->before = rest.at[0];
    if (rest.count > 1)
        arguments->after = rest.at[1];
    if (arguments->options.only)
        gs_report_by_find(by_words[arguments->by].name, &arguments->options.by);
    if (!arguments->choice.top_given && !arguments->choice.json)
        arguments->choice.top = DEFAULT_TOP;
    arguments->options.top = (size_t)arguments->choice.top;
    arguments->options.metric = arguments->choice.metric;
    return -1;
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
    gs_progress_start("reading both runs");
    gs_status status = load_both(&arguments, &before, &after, &err);
    gs_progress_start("comparing them");
    if (status == GS_OK) {
        gs_diff_writer *write = arguments.choice.json ? gs_report_diff_json : gs_report_diff;
        gs_terminal_start(&arguments.choice.terminal);
        arguments.options.colour = arguments.choice.terminal.colour;
        arguments.options.width = arguments.choice.terminal.table_width;
        status = write(stdout, before, after, &arguments.options, &err);
    }
    gs_profile_free(before);
    gs_profile_free(after);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_diff = {
    .name = "diff",
    .summary = "tell what changed from one run to another",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = diff,
    .argument = GS_VALUE_RUN,
    .usage_status = GS_TOOL_USAGE,
};
