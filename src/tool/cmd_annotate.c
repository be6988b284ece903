/* gumshoe annotate: a function's source lines and instructions with their costs. */
#include <string.h>
#include <sys/stat.h>

#include "gumshoe/report.h"
#include "tool/choice.h"

static const char before_options[] =
    "Usage: gumshoe annotate [OPTIONS] [FUNCTION...]\n"
    "\n"
    "Shows functions of a profile in detail: their source, and below each line its\n"
    "instructions, with what each of them cost, how often it was executed, what\n"
    "share of its cycles was lost to stalls, and the cause of most of those. Lines\n"
    "of inlined functions stand below the line with the call. Without FUNCTION the\n"
    "costliest functions are shown. A C++ function may be named without its\n"
    "parameters, and a template without its arguments and what it returns.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Without source, or without line information in the program, the disassembly is\n"
    "shown. Instructions that were never executed are not in a profile.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the file cannot be read,\n"
    "or has no such run or function.\n"
    "\n"
    "Examples:\n"
    "  gumshoe annotate\n"
    "  gumshoe annotate crc16\n"
    "  gumshoe annotate -p app.db --run before --metric stall:load-use fir_filter\n";

enum { DEFAULT_TOP = 3 };

typedef struct annotate_arguments {
    gs_choice choice;
    gs_annotate_options options;
} annotate_arguments;

static const gs_option table[] = {
    GS_GROUP(annotate_arguments, choice, gs_choice_profile),
    GS_GROUP(annotate_arguments, choice, gs_choice_run),
    {"metric", .argument = "METRIC", .value = GS_VALUE_METRIC,
     GS_TO_TEXT(annotate_arguments, choice.metric),
     .text = "what the first two columns count: cycles (the default), instructions, d-misses, "
             "stall:load-use and so on, as in 'gumshoe report'."},
    {"top", .argument = "N", GS_TO_COUNT(annotate_arguments, choice.top), .least = 1,
     .text = "how many functions are shown if none is named; 3 unless told otherwise."},
    {"source", .argument = "DIR", .value = GS_VALUE_DIRECTORY,
     GS_TO_TEXT(annotate_arguments, options.folder),
     .text = "look for source files here first, by as much of their path as fits.",
     .more = "That is DIR/home/me/app/main.c, DIR/me/app/main.c and so on to DIR/main.c."},
    {"disassembly", GS_TO_SWITCH(annotate_arguments, options.disassembly),
     .text = "instructions only, in the order of their addresses."},
    {"json", GS_TO_SWITCH(annotate_arguments, choice.json),
     .text = "for programs: every line and instruction with all metrics.",
     .more =
         "They are its own and those with what was called from there, where jumps, branches and "
         "calls lead, and every function that an instruction called."},
    GS_GROUP(annotate_arguments, choice.terminal, gs_table_options),
    {0},
};

/* "gumshoe annotate app.db" is easily typed, because other commands take their file like that. */
static void hint_at_files(const gs_annotate_options *options)
{
    struct stat info;
    for (size_t i = 0; i < options->function_count; i++) {
        const char *name = options->functions[i];
        if (stat(name, &info) == 0 && S_ISREG(info.st_mode))
            gs_complain("%s is a file; if it is the profile file, say '-p %s'", name, name);
    }
}

static int annotate(int argc, char **argv)
{
    annotate_arguments arguments = {.choice.top = DEFAULT_TOP};
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_annotate, argc, argv, &arguments, &rest);
    if (usage >= 0)
        return usage;
    arguments.options.metric = arguments.choice.metric;
    arguments.options.top = (size_t)arguments.choice.top;
    arguments.options.functions = (const char *const *)rest.at;
    arguments.options.function_count = (size_t)rest.count;

    gs_error err = {0};
    gs_profile *profile = NULL;
    gs_status status = gs_choice_load(&profile, &arguments.choice, &err);
    if (status == GS_OK) {
        gs_annotate_writer *write =
            arguments.choice.json ? gs_report_annotate_json : gs_report_annotate;
        gs_terminal_start(&arguments.choice.terminal);
        arguments.options.colour = arguments.choice.terminal.colour;
        arguments.options.full_names = arguments.choice.terminal.wide;
        arguments.options.width = arguments.choice.terminal.width;
        status = write(stdout, profile, &arguments.options, &err);
    }
    gs_profile_free(profile);
    if (status == GS_OK)
        return GS_TOOL_OK;
    int failed = gs_tool_fail(&err);
    if (status == GS_E_NOT_FOUND)
        hint_at_files(&arguments.options);
    return failed;
}

const gs_command gs_cmd_annotate = {
    .name = "annotate",
    .summary = "show functions line by line and instruction by instruction",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = annotate,
    .usage_status = GS_TOOL_USAGE,
};
