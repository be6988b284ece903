#include <string.h>

#include "gumshoe/report.h"
#include "tool/choice.h"

static const char help[] =
    "Usage: gumshoe check --budget BUDGET [OPTIONS] [FILE]\n"
    "\n"
    "Holds a run against limits: on the whole program and on functions, loops and\n"
    "source lines; in cycles, instructions, misses, stalls, cycles per call and so on.\n"
    "FILE is a profile file, gumshoe.db unless told otherwise. Limits that are exceeded\n"
    "are listed, worst first. For CI: runs are exact, so no tolerance is needed.\n"
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
    "Options:\n"
    "  --budget BUDGET         the file with the limits.\n"
    "  --run RUN               which run of FILE: its number, its label, or last, which\n"
    "                          it is without this option.\n"
    "  --all                   list the limits that hold as well.\n"
    "  --json                  for programs: all limits.\n" GS_TERMINAL_HELP
    "  -h, --help              this text.\n"
    "\n"
    "Exit status: 0 if all limits hold; 1 if one is exceeded; 2 if the command line is\n"
    "wrong; 3 if a file cannot be read, there is no such run, BUDGET is wrong, or\n"
    "something in it was not executed and is not optional.\n"
    "\n"
    "Examples:\n"
    "  gumshoe check --budget budgets.yaml\n"
    "  gumshoe check --budget budgets.yaml --run nightly --all history.db\n";

typedef struct check_arguments {
    gs_choice choice;
    const char *budget;
    bool json;
    gs_check_options options;
} check_arguments;

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, check_arguments *arguments)
{
    enum { OPT_BUDGET = 256, OPT_ALL, OPT_JSON };
    static const struct option long_options[] = {
        {"budget", required_argument, NULL, OPT_BUDGET},
        GS_CHOICE_RUN,
        {"all", no_argument, NULL, OPT_ALL},
        {"json", no_argument, NULL, OPT_JSON},
        {"help", no_argument, NULL, 'h'},
        GS_TERMINAL_OPTIONS,
        {0},
    };
    int option, usage;
    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        switch (option) {
        case OPT_BUDGET: arguments->budget = optarg; break;
        case OPT_ALL: arguments->options.all = true; break;
        case OPT_JSON: arguments->json = true; break;
        default:
            usage = gs_choice_option(&arguments->choice, &gs_cmd_check, option, argv);
            if (usage >= 0)
                return usage;
        }
    }
    if (!arguments->budget)
        return gs_usage_error(&gs_cmd_check, "which limits? --budget names their file");
    return gs_choice_file(&arguments->choice, &gs_cmd_check, argc, argv);
}

static int check(int argc, char **argv)
{
    check_arguments arguments = {0};
    int usage = parse(argc, argv, &arguments);
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
        gs_check_writer *write = arguments.json ? gs_report_check_json : gs_report_check;
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
    .help = help,
    .run = check,
    .usage_status = GS_TOOL_USAGE,
};
