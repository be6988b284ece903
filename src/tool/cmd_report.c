/* gumshoe report: a run in any of the formats. */
#include <string.h>
#include <unistd.h>

#include "gumshoe/live.h"
#include "gumshoe/report.h"
#include "tool/outfile.h"
#include "tool/choice.h"

static const char before_options[] =
    "Usage: gumshoe report [OPTIONS] [FILE]\n"
    "\n"
    "Writes what is in a profile file, as 'gumshoe run -o FILE' makes it: where the\n"
    "cycles went, in all metrics that were counted. FILE is gumshoe.db unless told\n"
    "otherwise. Every number is exact, and every view adds up to the same total.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "--by, --table and --top are for text, json and csv.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the file cannot be read,\n"
    "has no such run, or OUT cannot be written.\n"
    "\n"
    "Examples:\n"
    "  gumshoe report\n"
    "  gumshoe report --by line --metric stall:load-use\n"
    "  gumshoe report --format flamegraph -o flame.svg\n"
    "  gumshoe report --by unit --table functions --format csv\n"
    "  gumshoe report --run before --format callgrind -o callgrind.out.before\n";

typedef struct report_format {
    gs_report_writer *write;
    gs_report_writer *units;     /* for --by unit; or NULL */
    gs_report_live_writer *live; /* for --by live; or NULL */
    bool views;                  /* knows --by and --top */
    bool inlines;                /* knows inlined calls, whatever is in a row */
} report_format;

enum {
    TEXT,
    JSON,
    CSV,
    FOLDED,
    CALLGRIND,
    FLAMEGRAPH,
    SPEEDSCOPE,
    GPROF,
    PPROF,
    PERFETTO,
    PHASES,
};

static const report_format formats[] = {
    [TEXT] = {gs_report_text, gs_report_saved_units, gs_report_live_text, true, false},
    [JSON] = {gs_report_json, gs_report_saved_units_json, gs_report_live_json, true, false},
    [CSV] = {gs_report_csv, gs_report_saved_units_csv, gs_report_live_csv, true, false},
    [FOLDED] = {gs_report_folded, NULL, NULL, false, true},
    [CALLGRIND] = {gs_report_callgrind, NULL, NULL, false, false},
    [FLAMEGRAPH] = {gs_report_flamegraph, NULL, NULL, false, true},
    [SPEEDSCOPE] = {gs_report_speedscope, NULL, NULL, false, true},
    [GPROF] = {gs_report_gprof, NULL, NULL, false, false},
    [PPROF] = {gs_report_pprof, NULL, NULL, false, false},
    [PERFETTO] = {gs_report_perfetto, NULL, gs_report_live_perfetto, false, false},
    [PHASES] = {gs_report_phases, NULL, gs_report_live_phases, false, false},
};

static const gs_word format_words[] = {
    [TEXT] = {"text", "a table, for people (the default)"},
    [JSON] = {"json", "the same rows with all metrics"},
    [CSV] = {"csv", "the same as comma-separated values"},
    [FOLDED] = {"folded", "a line per call path, for flamegraph.pl"},
    [CALLGRIND] = {"callgrind", "for KCachegrind and callgrind_annotate"},
    [FLAMEGRAPH] = {"flamegraph", "an SVG picture for any browser: hover, click to zoom, search"},
    [SPEEDSCOPE] = {"speedscope", "for https://www.speedscope.app"},
    [GPROF] = {"gprof", "flat profile and call graph"},
    [PPROF] = {"pprof", "for pprof, compressed"},
    [PERFETTO] = {"perfetto", "for https://ui.perfetto.dev: what went on when, of a run with "
                              "--timeline, or --by live"},
    [PHASES] = {"phases", "the same as an SVG picture"},
    {0},
};

enum { BY_UNIT = GS_REPORT_BY_COUNT, BY_LIVE, DEFAULT_TOP = 20 };

static const gs_word by_words[] = {
    [GS_REPORT_BY_FUNCTION] = {"function", "the default"},
    [GS_REPORT_BY_CALL] = {"call", "call path, as a tree"},
    [GS_REPORT_BY_LINE] = {"line", "source line"},
    [GS_REPORT_BY_LOOP] = {"loop", "natural loop"},
    [GS_REPORT_BY_BLOCK] = {"block", "basic block"},
    [GS_REPORT_BY_INSTRUCTION] = {"instruction", "every one that was executed"},
    [GS_REPORT_BY_STALL] = {"stall", "cause of lost cycles"},
    [GS_REPORT_BY_THREAD] = {"thread",
                             "stack that the program runs in, and the switches between them"},
    [BY_UNIT] = {"unit", "instead, what on-chip profilers said ('gumshoe run --unit', 'gumshoe "
                         "unit'), as it was printed after the run"},
    [BY_LIVE] = {"live",
                 "instead, what Statistics Modules sent ('gumshoe collect'): as text, json, "
                 "csv, perfetto or phases"},
    {0},
};

enum { BY_INSTRUCTION, BY_LINE };
static const gs_word position_words[] = {
    [BY_INSTRUCTION] = {.name = "instr"}, [BY_LINE] = {.name = "line"}, {0}};

typedef struct report_arguments {
    gs_choice choice;
    const char *output, *stream;
    unsigned by, format, positions;
    gs_report_options options;
    bool by_given, positions_given;
} report_arguments;

static const gs_option table[] = {
    GS_GROUP(report_arguments, choice, gs_choice_run),
    {"by", .argument = "WHAT", GS_TO_WORD(report_arguments, by, by_words),
     GS_GIVEN(report_arguments, by_given), .text = "a row for each of these:"},
    {"table", .argument = "TABLE", GS_TO_TEXT(report_arguments, options.table),
     .text = "by unit: this table only, named as in JSON. CSV has room for one table, so it needs "
             "this option."},
    {"stream", .argument = "N", GS_TO_TEXT(report_arguments, stream),
     .text =
         "by live: which stream of the file, by its number; the last one unless told otherwise."},
    {"metric", .argument = "METRIC", .value = GS_VALUE_METRIC,
     GS_TO_TEXT(report_arguments, choice.metric),
     .text = "what to sort by and to show where there is room for one only: cycles (the default), "
             "instructions, i-misses, d-misses, branches, taken, mispredicted, traps, energy-fj "
             "(femtojoules, on a core with an energy table), or the cycles lost to one cause, such "
             "as stall:load-use."},
    {"top", .argument = "N", GS_TO_COUNT(report_arguments, choice.top),
     GS_GIVEN(report_arguments, choice.top_given),
     .text = "the N largest rows; 0 for all of them. Unless told otherwise 20 as text, all in the "
             "other formats.",
     .more = "Of call paths the part of the tree that costs most is kept."},
    {"format", .argument = "FORMAT", GS_TO_WORD(report_arguments, format, format_words),
     .text = "how it is written:", .more = "FORMATS below has more about each."},
    {"inlines", GS_TO_SWITCH(report_arguments, options.inlines),
     .text = "tell inlined functions apart: by line, for every place a line was inlined at; by "
             "call, and as folded, flamegraph and speedscope, as if they had been called.",
     .more = "A profile knows what every call path and what every instruction cost. What a path "
             "spent in inlined functions follows exactly from that if it is the only path to its "
             "function; otherwise it is shared out as on all paths of the function, and marked as "
             "estimated: by a ~ in text, by \"estimated\" in JSON and CSV, under the pointer in a "
             "flame graph. Sums are exact in any case. Needs line information (-g) in the program "
             "that was run."},
    {"positions", GS_TO_WORD(report_arguments, positions, position_words),
     GS_GIVEN(report_arguments, positions_given),
     .text = "callgrind: costs per instruction (the default), or per source line for viewers that "
             "know nothing else."},
    {"output", 'o', "OUT", .value = GS_VALUE_FILE, GS_TO_TEXT(report_arguments, output),
     .text = "write to OUT instead of standard output. OUT appears when it is complete."},
    GS_GROUP(report_arguments, choice.terminal, gs_table_options),
    {0},
};

static const report_format *format_of(const report_arguments *arguments)
{
    return &formats[arguments->format];
}

/* What does not go together with --by unit. -1 to go on, or the exit status. */
static int check_unit(const report_arguments *arguments)
{
    if (arguments->choice.metric)
        return gs_usage_error(&gs_cmd_report, "--metric is not for --by unit: units count what "
                                              "they are made for");
    if (arguments->options.inlines)
        return gs_usage_error(&gs_cmd_report, "--inlines is not for --by unit");
    if (arguments->choice.top_given && arguments->format != TEXT)
        return gs_usage_error(&gs_cmd_report, "--by unit knows --top as text only");
    if (!arguments->options.table && arguments->format == CSV)
        return gs_usage_error(&gs_cmd_report, "--by unit as csv is one table: say which with "
                                              "--table");
    return -1;
}

/* What does not go together with --by live. -1 to go on, or the exit status. */
static int check_live(const report_arguments *arguments)
{
    if (!format_of(arguments)->live)
        return gs_usage_error(&gs_cmd_report,
                              "--by live is for text, json, csv, perfetto and phases, not for %s",
                              format_words[arguments->format].name);
    if (arguments->choice.metric || arguments->options.inlines || arguments->choice.top_given ||
        arguments->choice.run)
        return gs_usage_error(&gs_cmd_report, "--by live has no --run, --metric, --inlines or "
                                              "--top");
    return -1;
}

/* What does not go together. -1 to go on, or the exit status. */
static int check(const report_arguments *arguments)
{
    const report_format *format = format_of(arguments);
    const char *name = format_words[arguments->format].name;
    if (arguments->stream && arguments->by != BY_LIVE)
        return gs_usage_error(&gs_cmd_report, "--stream is for --by live");
    if (arguments->options.table && arguments->by != BY_UNIT)
        return gs_usage_error(&gs_cmd_report, "--table is for --by unit");
    if (arguments->by == BY_LIVE)
        return check_live(arguments);
    if (arguments->by_given && !format->views)
        return gs_usage_error(&gs_cmd_report, "--by is for text, json and csv, not for %s", name);
    if (arguments->choice.top_given && !format->views)
        return gs_usage_error(&gs_cmd_report, "--top is for text, json and csv, not for %s", name);
    if (arguments->format == PPROF && strcmp(arguments->output, "-") == 0 && isatty(STDOUT_FILENO))
        return gs_usage_error(&gs_cmd_report, "pprof is compressed, nothing for a terminal: say "
                                              "where it goes with -o");
    if (arguments->positions_given && arguments->format != CALLGRIND)
        return gs_usage_error(&gs_cmd_report, "--positions is for callgrind, not for %s", name);
    if (arguments->by == BY_UNIT)
        return check_unit(arguments);
    bool by_path = format->views ? arguments->options.by == GS_REPORT_BY_LINE ||
                                       arguments->options.by == GS_REPORT_BY_CALL
                                 : format->inlines;
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
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_report, argc, argv, arguments, &rest);
    if (usage < 0)
        usage = gs_choice_file(&arguments->choice, &gs_cmd_report, &rest);
    if (usage >= 0)
        return usage;
    if (!arguments->choice.top_given && arguments->format == TEXT)
        arguments->choice.top = DEFAULT_TOP;
    arguments->options.by = arguments->by >= BY_UNIT ? GS_REPORT_BY_FUNCTION : arguments->by;
    arguments->options.by_line = arguments->positions == BY_LINE;
    arguments->options.top = (size_t)arguments->choice.top;
    arguments->options.metric = arguments->choice.metric;
    return check(arguments);
}

/* What is written: a profile, or streams. */
typedef struct report_source {
    const gs_profile *profile;
    gs_live_file *live;
    const gs_live_stream *stream;
} report_source;

static gs_status write_source(FILE *to, const report_arguments *arguments,
                              const report_source *source, gs_error *err)
{
    const report_format *format = format_of(arguments);
    if (arguments->by == BY_LIVE)
        return format->live(to, source->live, source->stream, arguments->options.width, err);
    return (arguments->by == BY_UNIT ? format->units : format->write)(to, source->profile,
                                                                      &arguments->options, err);
}

static gs_status write_report(report_arguments *arguments, const report_source *source,
                              gs_error *err)
{
    gs_outfile file = {0};
    gs_terminal *terminal = &arguments->choice.terminal;
    terminal->table_width = gs_terminal_table_width(terminal, stdout);
    if (strcmp(arguments->output, "-") != 0)
        terminal->colour = terminal->when == GS_COLOUR_ALWAYS;
    else if (arguments->format != PPROF) /* which is not text */
        gs_terminal_start(terminal);
    arguments->options.colour = terminal->colour;
    arguments->options.width = terminal->table_width;
    gs_status status = gs_outfile_open(&file, arguments->output, err);
    if (status == GS_OK)
        status = write_source(file.stream, arguments, source, err);
    if (status == GS_OK)
        status = gs_outfile_commit(&file, err);
    gs_outfile_abandon(&file);
    return status;
}

static gs_status report_live(report_arguments *arguments, gs_error *err)
{
    const char *which = arguments->stream ? arguments->stream : "last";
    report_source source = {0};
    gs_status status = gs_live_file_open(&source.live, gs_choice_path(&arguments->choice), err);
    if (status != GS_OK)
        return status;
    status = gs_live_file_find(&source.stream, source.live, which, err);
    if (status == GS_OK)
        status = write_report(arguments, &source, err);
    gs_live_file_free(source.live);
    return status;
}

static gs_status report_profile(report_arguments *arguments, gs_error *err)
{
    gs_profile *profile = NULL;
    gs_status status = gs_choice_load(&profile, &arguments->choice, err);
    if (status == GS_OK)
        status = write_report(arguments, &(report_source){.profile = profile}, err);
    gs_profile_free(profile);
    return status;
}

static int report(int argc, char **argv)
{
    report_arguments arguments = {.output = "-"};
    int usage = parse(argc, argv, &arguments);
    if (usage >= 0)
        return usage;

    gs_error err = {0};
    gs_status status =
        arguments.by == BY_LIVE ? report_live(&arguments, &err) : report_profile(&arguments, &err);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_report = {
    .name = "report",
    .summary = "write a profile as tables, flame graphs and files for other tools",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = report,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
