#include <string.h>

#include "gumshoe/core.h"
#include "tool/terminal.h"

static const char help[] =
    "Usage: gumshoe cores\n"
    "       gumshoe cores show NAME|FILE [--set KEY=VALUE]... [--json|--yaml]\n"
    "\n"
    "Lists the built-in processor cores, or shows one: its pipeline, what each class of\n"
    "instructions costs and why, branches, caches, memory, and what the numbers rest on.\n"
    "Choose one with 'gumshoe run --core', or write your own YAML file that extends a\n"
    "built-in one and says only what differs.\n"
    "\n"
    "Options:\n"
    "  --set KEY=VALUE         change one key of the description, such as\n"
    "                          dcache.size=16K; may be given several times. null takes a\n"
    "                          key away.\n"
    "  --json                  for programs.\n"
    "  --yaml                  the description with all that it extends, as one "
    "file.\n" GS_TERMINAL_HELP "  -h, --help              this text.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if a core cannot be read.\n";

enum { MAX_SETTINGS = 64 };

typedef struct show_arguments {
    const char *name;
    const char *set[MAX_SETTINGS];
    size_t set_count;
    bool json, yaml;
    gs_terminal terminal;
} show_arguments;

static int list(void)
{
    printf("%-17s %-23s %9s  %-12s %s\n", "NAME", "ISA", "CLOCK", "VERIFIED", "SUMMARY");
    for (size_t i = 0; i < gs_core_count(); i++) {
        gs_core *core;
        gs_error err;
        char clock[32];
        if (gs_core_open(&core, gs_core_builtin(i), NULL, 0, &err) != GS_OK)
            return gs_tool_fail(&err);
        snprintf(clock, sizeof clock, "%g MHz", (double)gs_core_clock_hz(core) * 1e-6);
        printf("%-17s %-23s %9s  %-12s %s\n", gs_core_name(core), gs_core_isa(core), clock,
               gs_core_verified(core) ? "against RTL" : "no", gs_core_summary(core));
        gs_core_free(core);
    }
    return GS_TOOL_OK;
}

static int show(show_arguments *arguments)
{
    gs_core *core;
    gs_error err;
    gs_status status =
        gs_core_open(&core, arguments->name, arguments->set, arguments->set_count, &err);
    if (status != GS_OK)
        return gs_tool_fail(&err);
    gs_terminal_start(&arguments->terminal);
    if (arguments->yaml)
        fputs(gs_core_yaml(core), stdout);
    else if (arguments->json)
        status = gs_report_core_json(stdout, core, &err);
    else
        status = gs_report_core(stdout, core, arguments->terminal.colour, &err);
    gs_core_free(core);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

/* -1 to go on, or the exit status. */
static int parse_show(int argc, char **argv, show_arguments *arguments)
{
    enum { OPT_SET = 256, OPT_JSON, OPT_YAML };
    static const struct option long_options[] = {
        {"set", required_argument, NULL, OPT_SET},
        {"json", no_argument, NULL, OPT_JSON},
        {"yaml", no_argument, NULL, OPT_YAML},
        {"help", no_argument, NULL, 'h'},
        GS_TERMINAL_OPTIONS,
        {0},
    };
    int option, usage;
    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        switch (option) {
        case OPT_SET:
            if (arguments->set_count == MAX_SETTINGS)
                return gs_usage_error(&gs_cmd_cores, "--set at most %d times", MAX_SETTINGS);
            arguments->set[arguments->set_count++] = optarg;
            break;
        case OPT_JSON: arguments->json = true; break;
        case OPT_YAML: arguments->yaml = true; break;
        case GS_OPT_COLOUR:
        case GS_OPT_NO_PAGER:
            usage = gs_terminal_option(&arguments->terminal, &gs_cmd_cores, option, optarg);
            if (usage >= 0)
                return usage;
            break;
        case 'h': fputs(help, stdout); return GS_TOOL_OK;
        case ':': return gs_usage_error(&gs_cmd_cores, "%s wants a value", argv[optind - 1]);
        default: return gs_usage_error(&gs_cmd_cores, "there is no option %s", argv[optind - 1]);
        }
    }
    if (argc - optind != 1)
        return gs_usage_error(&gs_cmd_cores, "show wants one core");
    if (arguments->json && arguments->yaml)
        return gs_usage_error(&gs_cmd_cores, "--json and --yaml are two different things");
    arguments->name = argv[optind];
    return -1;
}

static int cores(int argc, char **argv)
{
    show_arguments arguments = {0};

    if (argc == 1)
        return list();
    if (strcmp(argv[1], "show") != 0)
        return gs_usage_error(&gs_cmd_cores, "'%s' is nothing cores can do", argv[1]);
    int status = parse_show(argc - 1, argv + 1, &arguments);
    return status >= 0 ? status : show(&arguments);
}

const gs_command gs_cmd_cores = {
    .name = "cores",
    .summary = "list and show the processor cores programs can be timed on",
    .help = help,
    .run = cores,
    .usage_status = GS_TOOL_USAGE,
};
