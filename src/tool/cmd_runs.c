/* gumshoe runs: lists the runs of a profile file. */
#include <string.h>

#include "gumshoe/profile.h"
#include "tool/choice.h"

static const char before_options[] =
    "Usage: gumshoe runs [OPTIONS] [FILE]\n"
    "\n"
    "Lists the runs in a profile file, oldest first: when each was started, its\n"
    "label, core, cycles and instructions, how it ended, the commit of the git work\n"
    "tree it was started in (+: with changes), and the program. FILE is gumshoe.db\n"
    "unless given. 'gumshoe run -o FILE' appends runs.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the file cannot be read.\n"
    "\n"
    "Examples:\n"
    "  gumshoe runs\n"
    "  gumshoe runs --json nightly.db\n";

static const gs_option table[] = {
    {"json", GS_TO_SWITCH(gs_choice, json), .text = "the list as JSON."},
    GS_GROUP(gs_choice, terminal, gs_table_options),
    {0},
};

static int runs(int argc, char **argv)
{
    gs_choice choice = {0};
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_runs, argc, argv, &choice, &rest);
    if (usage < 0)
        usage = gs_choice_file(&choice, &gs_cmd_runs, &rest);
    if (usage >= 0)
        return usage;
    gs_profile_file *file;
    gs_error err;
    gs_status status = gs_profile_file_open(&file, gs_choice_path(&choice), &err);
    if (status == GS_OK) {
        gs_terminal_start(&choice.terminal);
        status = choice.json ? gs_report_runs_json(stdout, file, &err)
                             : gs_report_runs(stdout, file, choice.terminal.table_width, &err);
    }
    gs_profile_file_free(file);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_runs = {
    .name = "runs",
    .summary = "list the runs in a profile file",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = runs,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
