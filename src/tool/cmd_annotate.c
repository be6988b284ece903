#include <string.h>
#include <sys/stat.h>

#include "gumshoe/report.h"
#include "tool/choice.h"

static const char help[] =
    "Usage: gumshoe annotate [OPTIONS] [FUNCTION...]\n"
    "\n"
    "Shows functions of a profile in detail: their source, and below each line its\n"
    "instructions, with what each of them cost, how often it was executed, what share\n"
    "of its cycles was lost to stalls, and the cause of most of those. Lines of inlined\n"
    "functions stand below the line with the call. Without FUNCTION the costliest\n"
    "functions are shown. A C++ function may be named without its parameters, and a\n"
    "template without its arguments and what it returns.\n"
    "\n"
    "Options:\n"
    "  -p, --profile FILE      the profile file; gumshoe.db unless told otherwise.\n"
    "  --run RUN               which run of the file: its number, its label, or last,\n"
    "                          which it is without this option.\n"
    "  --metric METRIC         what the first two columns count: cycles (the default),\n"
    "                          instructions, d-misses, stall:load-use and so on, as in\n"
    "                          'gumshoe report'.\n"
    "  --top N                 how many functions if none is named; 3 unless told\n"
    "                          otherwise.\n"
    "  --source DIR            look for source files here first, by as much of their\n"
    "                          path as fits.\n"
    "  --disassembly           instructions only, in the order of their addresses.\n"
    "  --json                  for programs: every line and instruction, all "
    "metrics.\n" GS_TERMINAL_HELP "  -h, --help              this text.\n"
    "\n"
    "Without source, or without line information in the program, the disassembly is\n"
    "shown. Instructions that were never executed are not in a profile.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the file cannot be read, or\n"
    "has no such run or function.\n"
    "\n"
    "Examples:\n"
    "  gumshoe annotate\n"
    "  gumshoe annotate crc16\n"
    "  gumshoe annotate -p app.db --run before --metric stall:load-use fir_filter\n";

enum { DEFAULT_TOP = 3 };

typedef struct annotate_arguments {
    gs_choice choice;
    bool json;
    gs_annotate_options options;
} annotate_arguments;

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, annotate_arguments *arguments)
{
    enum { OPT_SOURCE = 256, OPT_DISASSEMBLY, OPT_JSON };
    static const struct option long_options[] = {
        GS_CHOICE_PROFILE,
        GS_CHOICE_RUN,
        GS_CHOICE_METRIC,
        GS_CHOICE_TOP,
        {"source", required_argument, NULL, OPT_SOURCE},
        {"disassembly", no_argument, NULL, OPT_DISASSEMBLY},
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
        case OPT_SOURCE: arguments->options.folder = optarg; break;
        case OPT_DISASSEMBLY: arguments->options.disassembly = true; break;
        case OPT_JSON: arguments->json = true; break;
        default:
            usage = gs_choice_option(&arguments->choice, &gs_cmd_annotate, option, argv);
            if (usage >= 0)
                return usage;
        }
    }
    if (arguments->choice.top == 0)
        return gs_usage_error(&gs_cmd_annotate, "--top wants a number, not '0'");
    arguments->options.metric = arguments->choice.metric;
    arguments->options.top = arguments->choice.top;
    arguments->options.functions = (const char *const *)(argv + optind);
    arguments->options.function_count = (size_t)(argc - optind);
    return -1;
}

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
    int usage = parse(argc, argv, &arguments);
    if (usage >= 0)
        return usage;

    gs_error err = {0};
    gs_profile *profile = NULL;
    gs_status status = gs_choice_load(&profile, &arguments.choice, &err);
    if (status == GS_OK) {
        gs_annotate_writer *write = arguments.json ? gs_report_annotate_json : gs_report_annotate;
        gs_terminal_start(&arguments.choice.terminal);
        arguments.options.colour = arguments.choice.terminal.colour;
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
    .help = help,
    .run = annotate,
    .usage_status = GS_TOOL_USAGE,
};
