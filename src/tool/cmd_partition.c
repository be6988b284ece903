/* gumshoe partition: what of a program to move into hardware. */
#include <stdlib.h>
#include <string.h>

#include "gumshoe/partition.h"
#include "tool/choice.h"
#include "tool/outfile.h"
#include "tool/progress.h"

static const char before_options[] =
    "Usage: gumshoe partition [OPTIONS] [FILE]\n"
    "\n"
    "Chooses what of a program to move into hardware: functions with all they call,\n"
    "and loops. What they take in software is exact, from a profile that 'gumshoe\n"
    "run -o' has made; what they would take in hardware, and how large they would\n"
    "be, is an estimate for a tool for high-level synthesis. Of all choices that\n"
    "fit into the budget it is the one that saves most cycles; what was left out is\n"
    "listed with the reason.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if a file cannot be read or\n"
    "written, or the description of the tool is wrong.\n"
    "\n"
    "Examples:\n"
    "  gumshoe partition app.db\n"
    "  gumshoe partition --lut 8000 --dsp 10 app.db\n"
    "  gumshoe partition --hls vitis-zynq7 --format svg -o budgets.svg app.db\n"
    "  gumshoe partition --write bambu app.db > bambu.sh\n";

enum { TEXT, CSV, JSON, SVG };
static const gs_word formats[] = {
    [TEXT] = {"text", "the choice, and why the rest was left out (the default)"},
    [CSV] = {"csv", "a row for each candidate"},
    [JSON] = {"json", "all of it"},
    [SVG] = {"svg", "a curve: speed-up by budget"},
    {0},
};

static const gs_word tools[] = {
    [GS_HLS_FILE_LEGUP] = {"legup", "config.tcl"},
    [GS_HLS_FILE_BAMBU] = {"bambu", "PandA Bambu's command line, as a shell script"},
    [GS_HLS_FILE_BAMBU_XML] = {"bambu-xml", "its constraints, bambu.xml"},
    [GS_HLS_FILE_VITIS] = {"vitis", "hls_config.cfg"},
    {0},
};

enum { DEFAULT_TOP = 20 };

typedef struct partition_arguments {
    gs_choice choice;
    const char *output;
    gs_partition_options options;
    unsigned format, tool;
    bool format_given, tool_given;
} partition_arguments;

static const gs_option table[] = {
    GS_GROUP(partition_arguments, choice, gs_choice_run),
    {"hls", .argument = "NAME|FILE", .value = GS_VALUE_FILE,
     GS_TO_TEXT(partition_arguments, options.hls),
     .text = "the tool that makes the hardware: legup-cyclone2 (the default), vitis-zynq7, or a "
             "YAML file."},
    {"lut", .argument = "N", GS_TO_COUNT(partition_arguments, options.lut), .least = 1,
     .text = "the budget in lookup tables; all of the device unless told otherwise."},
    {"ff", .argument = "N", GS_TO_COUNT(partition_arguments, options.ff), .least = 1,
     .text = "the same in flip-flops."},
    {"dsp", .argument = "N", GS_TO_COUNT(partition_arguments, options.dsp),
     GS_GIVEN(partition_arguments, options.dsp_given), .text = "the same in multiplier blocks."},
    {"top", .argument = "N", GS_TO_COUNT(partition_arguments, choice.top),
     GS_GIVEN(partition_arguments, choice.top_given),
     .text = "as text, of what was left out the N candidates that take most; 0 for all, 20 unless "
             "told otherwise."},
    {"format", GS_TO_WORD(partition_arguments, format, formats),
     GS_GIVEN(partition_arguments, format_given), .text = "how it is written:"},
    {"write", GS_TO_WORD(partition_arguments, tool, tools),
     GS_GIVEN(partition_arguments, tool_given),
     .text = "instead, a file that has a tool make what was chosen:"},
    {"output", 'o', "OUT", .value = GS_VALUE_FILE, GS_TO_TEXT(partition_arguments, output),
     .text = "write to OUT instead of standard output. OUT appears when it is complete."},
    GS_GROUP(partition_arguments, choice.terminal, gs_table_options),
    {0},
};

static gs_status write_to(FILE *to, const partition_arguments *arguments,
                          const gs_partition *partition, gs_error *err)
{
    if (arguments->tool_given)
        return gs_partition_write(to, partition, (gs_hls_file)arguments->tool, err);
    switch (arguments->format) {
    case CSV: return gs_report_partition_csv(to, partition, err);
    case JSON: return gs_report_partition_json(to, partition, err);
    case SVG: return gs_report_partition_svg(to, partition, err);
    default:
        return gs_report_partition(to, partition, (size_t)arguments->choice.top,
                                   arguments->choice.terminal.table_width, err);
    }
}

static gs_status write_partition(partition_arguments *arguments, const gs_partition *partition,
                                 gs_error *err)
{
    gs_outfile file = {0};
    gs_terminal *terminal = &arguments->choice.terminal;
    terminal->table_width = gs_terminal_table_width(terminal, stdout);
    if (strcmp(arguments->output, "-") == 0)
        gs_terminal_start(terminal);
    gs_status status = gs_outfile_open(&file, arguments->output, err);
    if (status == GS_OK)
        status = write_to(file.stream, arguments, partition, err);
    if (status == GS_OK)
        status = gs_outfile_commit(&file, err);
    gs_outfile_abandon(&file);
    return status;
}

static int partition(int argc, char **argv)
{
    partition_arguments arguments = {.output = "-", .choice.top = DEFAULT_TOP};
    gs_profile *profile = NULL;
    gs_partition *made = NULL;
    gs_rest rest;
    gs_error err = {0};
    int usage = gs_command_parse(&gs_cmd_partition, argc, argv, &arguments, &rest);
    if (usage < 0)
        usage = gs_choice_file(&arguments.choice, &gs_cmd_partition, &rest);
    if (usage >= 0)
        return usage;
    if (arguments.format_given && arguments.tool_given)
        return gs_usage_error(&gs_cmd_partition, "--format and --write do not go together");
    gs_status status = gs_choice_load(&profile, &arguments.choice, &err);
    if (status == GS_OK)
        status = gs_partition_open(&made, profile, &arguments.options, &err);
    if (status == GS_OK)
        status = write_partition(&arguments, made, &err);
    gs_partition_free(made);
    gs_profile_free(profile);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_partition = {
    .name = "partition",
    .summary = "choose what to move into hardware",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = partition,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
