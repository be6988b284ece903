/* gumshoe check: holds a run against a budget. */
#include <string.h>

#include "gumshoe/report.h"
#include "tool/choice.h"

static const char before_options[] =
    "Usage: gumshoe check --budget BUDGET [OPTIONS] [FILE]\n"
    "\n"
    "Holds a run against limits: on the whole program and on functions, loops and\n"
    "source lines; in cycles, instructions, misses, stalls, cycles per call and so\n"
    "on. FILE is a profile file, gumshoe.db unless told otherwise. Limits that are\n"
    "exceeded are listed, worst first. For CI: runs are exact, so no tolerance is\n"
    "needed.\n"
    "\n"
    "BUDGET is a YAML file:\n"
    "  program:\n"
    "    cycles: 70M\n"
    "    cpi: 1.4\n"
    "  functions:\n"
    "    crc16:\n"
    "      cycles-per-call: 120\n"
    "      share: 40%\n"
    "    log_message:\n"
    "      total-cycles: 100K\n"
    "      optional: true\n"
    "  loops:\n"
    "    - function: crc16\n"
    "      line: 20\n"
    "      cycles-per-iteration: 14\n"
    "  lines:\n"
    "    core.c:103:\n"
    "      d-misses: 1000\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0 if all limits hold; 1 if one is exceeded; 2 if the command line\n"
    "is wrong; 3 if a file cannot be read, there is no such run, BUDGET is wrong, or\n"
    "something in it was not executed and is not optional.\n"
    "\n"
    "Examples:\n"
    "  gumshoe check --budget budgets.yaml\n"
    "  gumshoe check --budget budgets.yaml --run nightly --all history.db\n";

typedef struct check_arguments {
    gs_choice choice;
    const char *budget;
    gs_check_options options;
} check_arguments;

static const gs_option table[] = {
    {"budget", .argument = "BUDGET", .value = GS_VALUE_FILE, GS_TO_TEXT(check_arguments, budget),
     .text = "the file with the limits.", .more = "See below for what is in it."},
    GS_GROUP(check_arguments, choice, gs_choice_run),
    {"all", GS_TO_SWITCH(check_arguments, options.all),
     .text = "list the limits that hold as well."},
    {"json", GS_TO_SWITCH(check_arguments, choice.json),
     .text = "for programs: all limits with their values."},
    GS_GROUP(check_arguments, choice.terminal, gs_terminal_options),
    {0},
};

static int check(int argc, char **argv)
{
    check_arguments arguments = {0};
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_check, argc, argv, &arguments, &rest);
    if (usage < 0 && !arguments.budget)
        usage = gs_usage_error(&gs_cmd_check, "which limits? --budget names their file");
    if (usage < 0)
        usage = gs_choice_file(&arguments.choice, &gs_cmd_check, &rest);
    if (usage >= 0)
        return usage;

    gs_error err = {0};
    gs_budget *budget = NULL;
    gs_profile *profile = NULL;
    size_t exceeded = 0;
    gs_status status = gs_budget_open(&budget, arguments.budget, &err);
    if (status == GS_OK)
        status = gs_choice_load(&profile, &arguments.choice, &err);
    if (status == GS_OK) {
        gs_check_writer *write = arguments.choice.json ? gs_report_check_json : gs_report_check;
        gs_terminal_start(&arguments.choice.terminal);
        arguments.options.colour = arguments.choice.terminal.colour;
        status = write(stdout, profile, budget, &arguments.options, &exceeded, &err);
    }
    gs_profile_free(profile);
    gs_budget_free(budget);
    int failed = status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
    return failed ? failed : exceeded ? GS_TOOL_FAILED : GS_TOOL_OK;
}

const gs_command gs_cmd_check = {
    .name = "check",
    .summary = "hold a run against limits, for CI",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = check,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
