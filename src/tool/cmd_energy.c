/* gumshoe energy: shows, and fits, the energy table of a core. */
#include <stdlib.h>
#include <string.h>

#include "gumshoe/energy.h"
#include "tool/outfile.h"
#include "tool/choice.h"

static const char before_options[] =
    "Usage: gumshoe energy show [OPTIONS] [FILE]\n"
    "       gumshoe energy counts [OPTIONS] [FILE]\n"
    "       gumshoe energy fit --core CORE [OPTIONS] SAMPLES\n"
    "\n"
    "What a program's run costs in energy, on a core whose description has an energy\n"
    "table; and how to make such a table from measurements.\n"
    "\n"
    "  show      the energy of a run in a profile file: in all, by group of\n"
    "            instructions, and by function. FILE is gumshoe.db unless given.\n"
    "  counts    the runs of a profile file as lines of CSV: how often each\n"
    "            instruction was executed and how many cycles were lost. Measure the\n"
    "            same runs on the board and write their energies into the column\n"
    "            energy_uj.\n"
    "  fit       finds what each instruction costs from such lines, puts similar\n"
    "            ones into groups, and writes a description of CORE with the energy\n"
    "            table. It says how far off the energy of a run is that was left\n"
    "            out.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if a file cannot be read or\n"
    "written, or the core has no energy table.\n"
    "\n"
    "Examples:\n"
    "  gumshoe run --core tiger-mips -o app.db app.elf; gumshoe energy show app.db\n"
    "  gumshoe energy counts runs.db > samples.csv\n"
    "  gumshoe energy fit --core flatfoot samples.csv -o flatfoot-energy.yaml\n";

enum { DEFAULT_TOP = 20, DEFAULT_GROUPS = 6, MAX_GROUPS = 32 };
enum { SHOW, COUNTS, FIT };

typedef struct energy_arguments {
    gs_choice choice; /* the file may be one of samples, too */
    unsigned action;
    const char *core, *name, *output;
    gs_energy_options show;
    uint64_t groups;
} energy_arguments;

static const gs_word actions[] = {
    [SHOW] = {"show", "the energy of a run"},
    [COUNTS] = {"counts", "how often each instruction was executed, as CSV"},
    [FIT] = {"fit", "make an energy table from measurements"},
    {0},
};

static const gs_option table[] = {
    {"run", .argument = "RUN", .value = GS_VALUE_RUN, GS_TO_TEXT(energy_arguments, choice.run),
     .only = "show, counts",
     .text = "which run of the file, by number, by label or last. Otherwise the last one, or all "
             "for counts."},
    {"correct", GS_TO_SWITCH(energy_arguments, show.correct), .only = "show",
     .text = "multiply by how much less or more the program stalls than those the table was "
             "measured on.",
     .more = "The table has to say how much those stalled."},
    {"top", .argument = "N", GS_TO_COUNT(energy_arguments, choice.top), .only = "show",
     .text = "the N functions with most energy, 20 unless told otherwise; 0 for all."},
    {"json", GS_TO_SWITCH(energy_arguments, choice.json), .only = "show", .text = "as JSON.",
     .more = "Numbers in femtojoules are not corrected; energy_j and average_mw are."},
    {"core", .argument = "NAME|FILE", .value = GS_VALUE_CORE, GS_TO_TEXT(energy_arguments, core),
     .only = "fit", .text = "the core to describe; its clock turns energy into power."},
    {"groups", .argument = "N", GS_TO_COUNT(energy_arguments, groups), .only = "fit", .least = 1,
     .most = MAX_GROUPS, .wants = "a number from 1 to 32",
     .text = "at most so many groups, 1 to 32; 6 unless told otherwise."},
    {"name", .argument = "NAME", GS_TO_TEXT(energy_arguments, name), .only = "fit",
     .text = "what the new core is called; CORE-energy unless told otherwise."},
    {"output", 'o', "OUT", .value = GS_VALUE_FILE, GS_TO_TEXT(energy_arguments, output),
     .text = "write to OUT instead of standard output. OUT appears when it is complete. What fit "
             "finds then goes to standard output, otherwise to standard error."},
    GS_GROUP(energy_arguments, choice.terminal, gs_table_options),
    {0},
};

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, energy_arguments *arguments)
{
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_energy, argc, argv, arguments, &rest);
    if (usage >= 0)
        return usage;
    if (rest.count > 1)
        return gs_usage_error(&gs_cmd_energy, "one file at a time");
    arguments->action = rest.action;
    arguments->choice.file = rest.count > 0 ? rest.at[0] : NULL;
    arguments->show.top = (size_t)arguments->choice.top;
    if (rest.action == FIT && !arguments->core)
        return gs_usage_error(&gs_cmd_energy, "fit needs --core");
    if (rest.action == FIT && rest.count == 0)
        return gs_usage_error(&gs_cmd_energy, "fit to which samples?");
    return -1;
}

static gs_status show(const energy_arguments *arguments, FILE *to, gs_error *err)
{
    gs_profile *profile;
    gs_status status = gs_choice_load(&profile, &arguments->choice, err);
    if (status != GS_OK)
        return status;
    status = arguments->choice.json ? gs_report_energy_json(to, profile, &arguments->show, err)
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
    arguments.show.width = gs_terminal_table_width(&arguments.choice.terminal, stdout);
    if (arguments.output) {
        status = gs_outfile_open(&file, arguments.output, &err);
        to = file.stream;
    } else if (arguments.action == SHOW) {
        gs_terminal_start(&arguments.choice.terminal);
    }
    if (status == GS_OK)
        status = arguments.action == SHOW     ? show(&arguments, to, &err)
                 : arguments.action == COUNTS ? counts(&arguments, to, &err)
                                              : fit(&arguments, to, &err);
    if (status == GS_OK && arguments.output)
        status = gs_outfile_commit(&file, &err);
    gs_outfile_abandon(&file);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_energy = {
    .name = "energy",
    .summary = "show a run's energy, or fit a core's energy table",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = energy,
    .needs_action = true,
    .actions = actions,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
