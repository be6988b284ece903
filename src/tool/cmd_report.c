#include <string.h>
#include <unistd.h>

#include "gumshoe/report.h"
#include "tool/outfile.h"
#include "tool/choice.h"

static const char help[] =
    "Usage: gumshoe report [OPTIONS] [FILE]\n"
    "\n"
    "Writes what is in a profile file, as 'gumshoe run -o FILE' makes it: where the\n"
    "cycles went, in all metrics that were counted. FILE is gumshoe.db unless told\n"
    "otherwise. Every number is exact, and every view adds up to the same total.\n"
    "\n"
    "Options:\n"
    "  --run RUN               which run of the file: its number, its label, or last,\n"
    "                          which it is without this option.\n"
    "  --by WHAT               a row for each of these:\n"
    "                            function     (the default)\n"
    "                            call         call path, as a tree\n"
    "                            line         source line\n"
    "                            loop\n"
    "                            block        basic block\n"
    "                            instruction\n"
    "                            stall        cause of lost cycles\n"
    "                          or, as it was printed after the run,\n"
    "                            unit         what on-chip profilers said ('gumshoe run\n"
    "                                         --unit', 'gumshoe unit')\n"
    "  --table TABLE           by unit: this table only, named as in JSON. For csv, which\n"
    "                          has room for one, it has to be said.\n"
    "  --metric METRIC         what to sort by and to show where there is room for one\n"
    "                          only: cycles (the default), instructions, i-misses,\n"
    "                          d-misses, branches, taken, mispredicted, traps,\n"
    "                          energy-fj (on a core with an energy table), or the cycles\n"
    "                          lost to one cause, such as stall:load-use.\n"
    "  --top N                 the N largest rows; 0 for all of them. Unless told\n"
    "                          otherwise 20 as text, all in the other formats.\n"
    "  --format FORMAT         how it is written:\n"
    "                            text         a table, for people (the default)\n"
    "                            json, csv    the same rows with all metrics\n"
    "                            folded       a line per call path, for flamegraph.pl\n"
    "                            callgrind    for KCachegrind and callgrind_annotate\n"
    "                            flamegraph   an SVG picture for any browser: hover,\n"
    "                                         click to zoom, search\n"
    "                            speedscope   for https://www.speedscope.app\n"
    "                            gprof        flat profile and call graph\n"
    "                            pprof        for pprof, compressed\n"
    "                            perfetto     for https://ui.perfetto.dev, and\n"
    "                            phases       as an SVG picture: what went on when, of\n"
    "                                         a run with --timeline\n"
    "  --inlines               tell inlined functions apart: by line, for every place a\n"
    "                          line was inlined at; by call, and as folded, flamegraph\n"
    "                          and speedscope, as if they had been called.\n"
    "  --positions instr|line  callgrind: costs per instruction (the default), or per\n"
    "                          source line for viewers that know nothing else.\n"
    "  -o, --output OUT        write to OUT instead of standard output. OUT appears\n"
    "                          when it is complete.\n" GS_TERMINAL_HELP
    "  -h, --help              this text.\n"
    "\n"
    "--by, --table and --top are for text, json and csv.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the file cannot be read, has\n"
    "no such run, or OUT cannot be written.\n"
    "\n"
    "Examples:\n"
    "  gumshoe report\n"
    "  gumshoe report --by line --metric stall:load-use\n"
    "  gumshoe report --format flamegraph -o flame.svg\n"
    "  gumshoe report --by unit --table functions --format csv\n"
    "  gumshoe report --run before --format callgrind -o callgrind.out.before\n";

typedef struct report_format {
    const char *name;
    gs_report_writer *write;
    gs_report_writer *units; /* for --by unit; or NULL */
    bool views;              /* knows --by and --top */
    bool inlines;            /* knows inlined calls, whatever is in a row */
} report_format;

static const report_format formats[] = {
    {"text", gs_report_text, gs_report_saved_units, true, false},
    {"json", gs_report_json, gs_report_saved_units_json, true, false},
    {"csv", gs_report_csv, gs_report_saved_units_csv, true, false},
    {"folded", gs_report_folded, NULL, false, true},
    {"callgrind", gs_report_callgrind, NULL, false, false},
    {"flamegraph", gs_report_flamegraph, NULL, false, true},
    {"speedscope", gs_report_speedscope, NULL, false, true},
    {"gprof", gs_report_gprof, NULL, false, false},
    {"pprof", gs_report_pprof, NULL, false, false},
    {"perfetto", gs_report_perfetto, NULL, false, false},
    {"phases", gs_report_phases, NULL, false, false},
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats, DEFAULT_TOP = 20 };

typedef struct report_arguments {
    gs_choice choice;
    const char *output;
    const report_format *format;
    gs_report_options options;
    bool by_given, by_unit, positions_given;
} report_arguments;

static const report_format *find_format(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    }
    return NULL;
}

/* What does not go together with --by unit. -1 to go on, or the exit status. */
static int check_unit(const report_arguments *arguments)
{
    if (arguments->choice.metric)
        return gs_usage_error(&gs_cmd_report, "--metric is not for --by unit: units count what "
                                              "they are made for");
    if (arguments->options.inlines)
        return gs_usage_error(&gs_cmd_report, "--inlines is not for --by unit");
    if (arguments->choice.top_given && arguments->format->units != gs_report_saved_units)
        return gs_usage_error(&gs_cmd_report, "--by unit knows --top as text only");
    if (!arguments->options.table && arguments->format->units == gs_report_saved_units_csv)
        return gs_usage_error(&gs_cmd_report, "--by unit as csv is one table: say which with "
                                              "--table");
    return -1;
}

/* What does not go together. -1 to go on, or the exit status. */
static int check(const report_arguments *arguments)
{
    const char *format = arguments->format->name;
    if (arguments->by_given && !arguments->format->views)
        return gs_usage_error(&gs_cmd_report, "--by is for text, json and csv, not for %s", format);
    if (arguments->choice.top_given && !arguments->format->views)
        return gs_usage_error(&gs_cmd_report, "--top is for text, json and csv, not for %s",
                              format);
    if (arguments->format->write == gs_report_pprof && strcmp(arguments->output, "-") == 0 &&
        isatty(STDOUT_FILENO))
        return gs_usage_error(&gs_cmd_report, "pprof is compressed, nothing for a terminal: say "
                                              "where it goes with -o");
    if (arguments->positions_given && arguments->format->write != gs_report_callgrind)
        return gs_usage_error(&gs_cmd_report, "--positions is for callgrind, not for %s", format);
    if (arguments->options.table && !arguments->by_unit)
        return gs_usage_error(&gs_cmd_report, "--table is for --by unit");
    if (arguments->by_unit)
        return check_unit(arguments);
    bool by_path = arguments->format->views ? arguments->options.by == GS_REPORT_BY_LINE ||
                                                  arguments->options.by == GS_REPORT_BY_CALL
                                            : arguments->format->inlines;
    if (arguments->options.inlines && !by_path)
        return gs_usage_error(&gs_cmd_report,
                              "--inlines is for --by line and --by call, and for folded, "
                              "flamegraph and speedscope");
    if (arguments->options.by == GS_REPORT_BY_STALL && arguments->options.metric &&
        strcmp(arguments->options.metric, "cycles") != 0)
        return gs_usage_error(&gs_cmd_report, "--by stall counts cycles, not '%s'",
                              arguments->options.metric);
    return -1;
}

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, report_arguments *arguments)
{
    enum { OPT_BY = 256, OPT_FORMAT, OPT_POSITIONS, OPT_INLINES, OPT_TABLE };
    static const struct option long_options[] = {
        GS_CHOICE_RUN,
        {"by", required_argument, NULL, OPT_BY},
        GS_CHOICE_METRIC,
        GS_CHOICE_TOP,
        {"format", required_argument, NULL, OPT_FORMAT},
        {"positions", required_argument, NULL, OPT_POSITIONS},
        {"inlines", no_argument, NULL, OPT_INLINES},
        {"table", required_argument, NULL, OPT_TABLE},
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
        case OPT_BY:
            arguments->by_unit = strcmp(optarg, "unit") == 0;
            if (!arguments->by_unit && !gs_report_by_find(optarg, &arguments->options.by))
                return gs_usage_error(&gs_cmd_report,
                                      "--by is function, call, line, loop, block, instruction, "
                                      "stall or unit, not '%s'",
                                      optarg);
            arguments->by_given = true;
            break;
        case OPT_FORMAT:
            arguments->format = find_format(optarg);
            if (!arguments->format)
                return gs_usage_error(&gs_cmd_report,
                                      "--format is text, json, csv, folded, callgrind, "
                                      "flamegraph, speedscope, gprof, pprof, perfetto or "
                                      "phases, not '%s'",
                                      optarg);
            break;
        case OPT_TABLE: arguments->options.table = optarg; break;
        case OPT_INLINES: arguments->options.inlines = true; break;
        case OPT_POSITIONS:
            arguments->options.by_line = strcmp(optarg, "line") == 0;
            if (!arguments->options.by_line && strcmp(optarg, "instr") != 0)
                return gs_usage_error(&gs_cmd_report, "--positions is instr or line, not '%s'",
                                      optarg);
            arguments->positions_given = true;
            break;
        case 'o': arguments->output = optarg; break;
        default:
            usage = gs_choice_option(&arguments->choice, &gs_cmd_report, option, argv);
            if (usage >= 0)
                return usage;
        }
    }
    usage = gs_choice_file(&arguments->choice, &gs_cmd_report, argc, argv);
    if (usage >= 0)
        return usage;
    if (!arguments->choice.top_given && arguments->format->write == gs_report_text)
        arguments->choice.top = DEFAULT_TOP;
    arguments->options.top = arguments->choice.top;
    arguments->options.metric = arguments->choice.metric;
    return check(arguments);
}

static gs_status write_report(report_arguments *arguments, const gs_profile *profile, gs_error *err)
{
    gs_outfile file = {0};
    gs_terminal *terminal = &arguments->choice.terminal;
    if (strcmp(arguments->output, "-") != 0)
        terminal->colour = terminal->when == GS_COLOUR_ALWAYS;
    else if (arguments->format->write != gs_report_pprof) /* which is not text */
        gs_terminal_start(terminal);
    arguments->options.colour = terminal->colour;
    gs_status status = gs_outfile_open(&file, arguments->output, err);
    if (status == GS_OK)
        status = (arguments->by_unit ? arguments->format->units : arguments->format->write)(
            file.stream, profile, &arguments->options, err);
    if (status == GS_OK)
        status = gs_outfile_commit(&file, err);
    gs_outfile_abandon(&file);
    return status;
}

static int report(int argc, char **argv)
{
    report_arguments arguments = {.output = "-", .format = &formats[0]};
    int usage = parse(argc, argv, &arguments);
    if (usage >= 0)
        return usage;

    gs_error err = {0};
    gs_profile *profile = NULL;
    gs_status status = gs_choice_load(&profile, &arguments.choice, &err);
    if (status == GS_OK)
        status = write_report(&arguments, profile, &err);
    gs_profile_free(profile);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_report = {
    .name = "report",
    .summary = "write a profile as tables, flame graphs and files for other tools",
    .help = help,
    .run = report,
    .usage_status = GS_TOOL_USAGE,
};
