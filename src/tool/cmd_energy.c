#include <stdlib.h>
#include <string.h>

#include "gumshoe/energy.h"
#include "tool/outfile.h"
#include "tool/choice.h"

static const char help[] =
    "Usage: gumshoe energy show [OPTIONS] [FILE]\n"
    "       gumshoe energy counts [OPTIONS] [FILE]\n"
    "       gumshoe energy fit --core CORE [OPTIONS] SAMPLES\n"
    "\n"
    "What a program's run costs in energy, on a core whose description has an energy\n"
    "table; and how to make such a table from measurements.\n"
    "\n"
    "  show      the energy of a run in a profile file: in all, by group of\n"
    "            instructions, and by function. FILE is gumshoe.db unless given.\n"
    "  counts    the runs of a profile file as lines of CSV: how often each instruction\n"
    "            was executed and how many cycles were lost. Measure the same runs on\n"
    "            the board and write their energies into the column energy_uj.\n"
    "  fit       finds what each instruction costs from such lines, puts similar ones\n"
    "            into groups, and writes a description of CORE with the energy table.\n"
    "            It says how far off the energy of a run is that was left out.\n"
    "\n"
    "Options:\n"
    "  --run RUN               show, counts: which run of the file, by number, by label\n"
    "                          or last. Otherwise the last one, or all for counts.\n"
    "  --correct               show: multiply by how much less or more the program stalls\n"
    "                          than those the table was measured on.\n"
    "  --top N                 show: the N functions with most energy, 20 unless told\n"
    "                          otherwise; 0 for all.\n"
    "  --json                  show: as JSON.\n"
    "  --core NAME|FILE        fit: the core to describe; its clock makes power of energy.\n"
    "  --groups N              fit: at most so many groups, 1 to 32; 6 unless told\n"
    "                          otherwise.\n"
    "  --name NAME             fit: of the new core; CORE-energy unless told otherwise.\n"
    "  -o, --output OUT        write to OUT; fit then says on standard output what it\n"
    "                          found, which is on standard error otherwise.\n" GS_TERMINAL_HELP
    "  -h, --help              this text.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if a file cannot be read or\n"
    "written, or the core has no energy table.\n"
    "\n"
    "Examples:\n"
    "  gumshoe run --core tiger-mips -o app.db app.elf; gumshoe energy show app.db\n"
    "  gumshoe energy counts runs.db > samples.csv\n"
    "  gumshoe energy fit --core flatfoot samples.csv -o flatfoot-energy.yaml\n";

enum { DEFAULT_TOP = 20, DEFAULT_GROUPS = 6, MAX_GROUPS = 32 };

typedef struct energy_arguments {
    gs_choice choice; /* the file may be one of samples, too */
    const char *action, *core, *name, *output;
    gs_energy_options show;
    uint64_t groups;
    bool json, groups_given;
} energy_arguments;

static bool is(const energy_arguments *arguments, const char *action)
{
    return strcmp(arguments->action, action) == 0;
}

/* What does not go together. -1 to go on, or the exit status. */
static int check(const energy_arguments *a)
{
    const char *stray = NULL;
    if (!is(a, "show"))
        stray = a->show.correct       ? "--correct"
                : a->json             ? "--json"
                : a->choice.top_given ? "--top"
                                      : NULL;
    if (!stray && !is(a, "fit"))
        stray = a->core ? "--core" : a->groups_given ? "--groups" : a->name ? "--name" : NULL;
    if (!stray && is(a, "fit") && a->choice.run)
        stray = "--run";
    if (stray)
        return gs_usage_error(&gs_cmd_energy, "%s means nothing to '%s'", stray, a->action);
    if (is(a, "fit") && !a->core)
        return gs_usage_error(&gs_cmd_energy, "fit needs --core");
    if (is(a, "fit") && !a->choice.file)
        return gs_usage_error(&gs_cmd_energy, "fit to which samples?");
    return -1;
}

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, energy_arguments *arguments)
{
    enum { OPT_CORRECT = 256, OPT_JSON, OPT_CORE, OPT_GROUPS, OPT_NAME };
    static const struct option long_options[] = {
        GS_CHOICE_RUN,
        {"correct", no_argument, NULL, OPT_CORRECT},
        GS_CHOICE_TOP,
        {"json", no_argument, NULL, OPT_JSON},
        {"core", required_argument, NULL, OPT_CORE},
        {"groups", required_argument, NULL, OPT_GROUPS},
        {"name", required_argument, NULL, OPT_NAME},
        {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},
        GS_TERMINAL_OPTIONS,
        {0},
    };
    int option, usage;
    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1) {
        switch (option) {
        case OPT_CORRECT: arguments->show.correct = true; break;
        case OPT_JSON: arguments->json = true; break;
        case OPT_CORE: arguments->core = optarg; break;
        case OPT_GROUPS:
            if (!gs_parse_count(optarg, &arguments->groups) || arguments->groups < 1 ||
                arguments->groups > MAX_GROUPS)
                return gs_usage_error(&gs_cmd_energy,
                                      "--groups wants a number from 1 to %d, not "
                                      "'%s'",
                                      MAX_GROUPS, optarg);
            arguments->groups_given = true;
            break;
        case OPT_NAME: arguments->name = optarg; break;
        case 'o': arguments->output = optarg; break;
        default:
            usage = gs_choice_option(&arguments->choice, &gs_cmd_energy, option, argv);
            if (usage >= 0)
                return usage;
        }
    }
    if (optind >= argc)
        return gs_usage_error(&gs_cmd_energy, "show, counts or fit?");
    arguments->action = argv[optind++];
    if (!is(arguments, "show") && !is(arguments, "counts") && !is(arguments, "fit"))
        return gs_usage_error(&gs_cmd_energy, "show, counts or fit, not '%s'", arguments->action);
    if (argc - optind > 1)
        return gs_usage_error(&gs_cmd_energy, "one file at a time");
    arguments->choice.file = optind < argc ? argv[optind] : NULL;
    arguments->show.top = arguments->choice.top;
    return check(arguments);
}

static gs_status show(const energy_arguments *arguments, FILE *to, gs_error *err)
{
    gs_profile *profile;
    gs_status status = gs_choice_load(&profile, &arguments->choice, err);
    if (status != GS_OK)
        return status;
    status = arguments->json ? gs_report_energy_json(to, profile, &arguments->show, err)
                             : gs_report_energy(to, profile, &arguments->show, err);
    gs_profile_free(profile);
    return status;
}

static gs_status counts(const energy_arguments *arguments, FILE *to, gs_error *err)
{
    gs_profile_file *file;
    gs_status status = gs_profile_file_open(&file, gs_choice_path(&arguments->choice), err);
    if (status == GS_OK)
        status = gs_report_energy_counts(to, file, arguments->choice.run, err);
    gs_profile_file_free(file);
    return status;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static gs_status fit(const energy_arguments *arguments, FILE *to, gs_error *err)
{
    char name[64];
    const char *core = last_part(arguments->core);
    size_t stem = strcspn(core, ".");
    snprintf(name, sizeof name, "%.*s-energy", (int)(stem < 48 ? stem : 48), core);
    gs_energy_fit_options options = {
        .core = arguments->core,
        .name = arguments->name ? arguments->name : name,
        .groups = (size_t)arguments->groups,
    };
    return gs_report_energy_fit(arguments->output ? stdout : stderr, to, arguments->choice.file,
                                &options, err);
}

static int energy(int argc, char **argv)
{
    energy_arguments arguments = {.groups = DEFAULT_GROUPS, .choice.top = DEFAULT_TOP};
    int usage = parse(argc, argv, &arguments);
    if (usage >= 0)
        return usage;
    gs_error err = {0};
    gs_outfile file = {0};
    gs_status status = GS_OK;
    FILE *to = stdout;
    if (arguments.output) {
        status = gs_outfile_open(&file, arguments.output, &err);
        to = file.stream;
    } else if (is(&arguments, "show")) {
        gs_terminal_start(&arguments.choice.terminal);
    }
    if (status == GS_OK)
        status = is(&arguments, "show")     ? show(&arguments, to, &err)
                 : is(&arguments, "counts") ? counts(&arguments, to, &err)
                                            : fit(&arguments, to, &err);
    if (status == GS_OK && arguments.output)
        status = gs_outfile_commit(&file, &err);
    gs_outfile_abandon(&file);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_energy = {
    .name = "energy",
    .summary = "show a run's energy, or fit a core's energy table",
    .help = help,
    .run = energy,
    .usage_status = GS_TOOL_USAGE,
};
