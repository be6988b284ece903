#include <string.h>

#include "gumshoe/profile.h"
#include "tool/terminal.h"

static const char help[] =
    "Usage: gumshoe runs [OPTIONS] [FILE]\n"
    "\n"
    "Lists the runs in a profile file, oldest first: when each was started, its\n"
    "label, core, cycles and instructions, how it ended, the commit of the git work\n"
    "tree it was started in (+: with changes), and the program. FILE is gumshoe.db\n"
    "unless given. 'gumshoe run -o FILE' appends runs.\n"
    "\n"
    "Options:\n"
    "  --json                  the list as JSON.\n" GS_TERMINAL_HELP
    "  -h, --help              this text.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the file cannot be read.\n"
    "\n"
    "Examples:\n"
    "  gumshoe runs\n"
    "  gumshoe runs --json nightly.db\n";

enum { OPT_JSON = 256 };

static const struct option long_options[] = {
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, 'h'},
    GS_TERMINAL_OPTIONS,
    {0},
};

static int runs(int argc, char **argv)
{
    bool json = false;
    gs_terminal terminal = {0};
    int option, usage;
    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        switch (option) {
        case OPT_JSON: json = true; break;
        case GS_OPT_COLOUR:
        case GS_OPT_NO_PAGER:
            usage = gs_terminal_option(&terminal, &gs_cmd_runs, option, optarg);
            if (usage >= 0)
                return usage;
            break;
        case 'h': fputs(help, stdout); return GS_TOOL_OK;
        case ':': return gs_usage_error(&gs_cmd_runs, "%s wants a value", argv[optind - 1]);
        default: return gs_usage_error(&gs_cmd_runs, "there is no option %s", argv[optind - 1]);
        }
    }
    if (argc - optind > 1)
        return gs_usage_error(&gs_cmd_runs, "one file at a time");
    const char *path = optind < argc ? argv[optind] : GS_DEFAULT_PROFILE;
    gs_profile_file *file;
    gs_error err;
    gs_status status = gs_profile_file_open(&file, path, &err);
    if (status == GS_OK) {
        gs_terminal_start(&terminal);
        status =
            json ? gs_report_runs_json(stdout, file, &err) : gs_report_runs(stdout, file, &err);
    }
    gs_profile_file_free(file);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_runs = {
    .name = "runs",
    .summary = "list the runs in a profile file",
    .help = help,
    .run = runs,
    .usage_status = GS_TOOL_USAGE,
};
