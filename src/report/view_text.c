#include <inttypes.h>
#include <string.h>

#include "report/names.h"
#include "report/views.h"

enum { BAR_WIDTH = 20, TRIPS_WIDTH = 18, MAX_INDENT = 40 };

typedef struct printer {
    FILE *to;
    const gs_profile *profile;
    const gs_view *view;
    bool colour;
    int number_width; /* of the column with the metric, */
    int text_width;   /* and of an instruction's text */
} printer;

static const struct {
    const char *about; /* what the rows are, and what the columns */
    const char *count, *other;
    const char *name;
} headings[GS_REPORT_BY_COUNT] = {
    [GS_REPORT_BY_FUNCTION] =
        {"functions: self is their own instructions, total with all they called", "calls", NULL,
         "function"},
    [GS_REPORT_BY_CALL] = {"call paths: total is a function with all it called there, self without",
                           "calls", NULL, "call path"},
    [GS_REPORT_BY_LINE] =
        {"source lines, as often executed as the most executed instruction in them", "executions",
         NULL, "line"},
    [GS_REPORT_BY_LOOP] = {"loops: total is with the loops inside and all they called; trips are "
                           "the fewest, the mean "
                           "and the most iterations of an entry",
                           "iterations", "entries", "loop"},
    [GS_REPORT_BY_BLOCK] = {"basic blocks", "executions", NULL, "block"},
    [GS_REPORT_BY_INSTRUCTION] = {"instructions", "executions", "taken", "instruction"},
    [GS_REPORT_BY_STALL] = {"causes of lost cycles, and the function that lost most to each", NULL,
                            NULL, "cause"},
};

static void put_bar(const printer *p, double share)
{
    int filled = (int)(share / 100 * BAR_WIDTH + 0.5);
    if (p->colour)
        fputs("\033[36m", p->to);
    for (int i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : '.', p->to);
    if (p->colour)
        fputs("\033[0m", p->to);
}

static void put_place(const printer *p, const gs_view_row *row)
{
    if (row->file >= p->profile->files.count)
        return;
    fputs("  ", p->to);
    gs_report_put(p->to, gs_report_last_part(gs_report_file_name(p->profile, row->file)), "");
    fprintf(p->to, ":%" PRIu32, row->line);
}

static void put_function(const printer *p, const gs_view_row *row)
{
    gs_report_put(p->to, gs_report_function_name(p->profile, row->function), "");
}

static void put_plain(FILE *to, const char *text)
{
    gs_report_put(to, text, "");
}

static void put_stall(const printer *p, const gs_view_row *row)
{
    char key[64];
    gs_metric metric;
    snprintf(key, sizeof key, "stall:%s", row->text);
    const char *words = gs_metric_find(key, &metric) ? gs_metric_text(metric)
                                                     : "nothing lost: an instruction was issued";
    fprintf(p->to, "%-16s%s", row->text, words);
    if (row->self.value[GS_METRIC_CYCLES]) {
        fputs("; most in ", p->to);
        put_function(p, row);
    }
}

static const char *text_of(const gs_view_row *row)
{
    return row->text ? row->text : "";
}

static void put_name(const printer *p, const gs_view_row *row)
{
    switch (p->view->by) {
    case GS_REPORT_BY_FUNCTION:
        put_function(p, row);
        put_place(p, row);
        break;
    case GS_REPORT_BY_CALL: {
        uint32_t indent = row->depth < MAX_INDENT ? row->depth : MAX_INDENT;
        fprintf(p->to, "%*s", (int)indent * 2, "");
        if (row->depth > MAX_INDENT)
            fprintf(p->to, "[%" PRIu32 "] ", row->depth);
        put_function(p, row);
        if (gs_report_is_inlined(p->profile, row->function))
            fputs(" (inlined)", p->to);
        fputs(row->estimated ? " ~" : "", p->to);
        break;
    }
    case GS_REPORT_BY_LINE:
        if (row->file == GS_PROFILE_NONE) {
            fputs("(no line known)", p->to);
            break;
        }
        gs_report_put(p->to, gs_report_last_part(gs_report_file_name(p->profile, row->file)), "");
        fprintf(p->to, ":%" PRIu32 "  ", row->line);
        gs_view_put_inlined(p->to, p->profile, row->inlined, put_plain);
        fputs(row->inlined != GS_PROFILE_NONE ? " in " : "", p->to);
        put_function(p, row);
        fputs(row->others ? " and others" : "", p->to);
        break;
    case GS_REPORT_BY_STALL: put_stall(p, row); break;
    case GS_REPORT_BY_LOOP:
    case GS_REPORT_BY_BLOCK:
        if (row->text) {
            fputs(row->text, p->to);
            break;
        }
        fprintf(p->to, "0x%08" PRIx32, row->address);
        if (p->view->by == GS_REPORT_BY_BLOCK)
            fprintf(p->to, "-0x%08" PRIx32, row->end);
        fputs("  ", p->to);
        put_function(p, row);
        put_place(p, row);
        if (row->around)
            fprintf(p->to, "  in 0x%08" PRIx32, row->around);
        break;
    default:
        fprintf(p->to, "0x%08" PRIx32 "  ", row->address);
        gs_report_put(p->to, text_of(row), "");
        fprintf(p->to, "%*s", p->text_width - (int)strlen(text_of(row)) + 2, "");
        put_function(p, row);
        put_place(p, row);
        break;
    }
}

/* Blank if the row has no instructions. */
static void put_cpi(const printer *p, const gs_metrics *cost)
{
    uint64_t instructions = cost->value[GS_METRIC_INSTRUCTIONS];
    if (p->view->by == GS_REPORT_BY_STALL)
        return;
    if (instructions)
        fprintf(p->to, "  %8.3f", (double)cost->value[GS_METRIC_CYCLES] / (double)instructions);
    else
        fprintf(p->to, "  %8s", "");
}

static void put_count(const printer *p, const char *heading, const gs_view_row *row, uint64_t value)
{
    char digits[28];
    if (heading)
        fprintf(p->to, "  %13s",
                gs_view_is_rest(p->view, row) ? "" : gs_text_digits(digits, value));
}

/* The fewest, the mean and the most, or the one number that all of them are. */
static void put_trips(const printer *p, const gs_view_row *row)
{
    char text[64] = "", fewest[28], most[28];
    if (p->view->by != GS_REPORT_BY_LOOP)
        return;
    double mean = row->other ? (double)row->count / (double)row->other : 0;
    if (row->min_trips && row->min_trips == row->max_trips)
        gs_text_digits(text, row->min_trips);
    else if (row->min_trips)
        snprintf(text, sizeof text, "%s %.1f %s", gs_text_digits(fewest, row->min_trips), mean,
                 gs_text_digits(most, row->max_trips));
    else if (row->other)
        snprintf(text, sizeof text, "? %.1f ?", mean);
    fprintf(p->to, "  %*s", TRIPS_WIDTH, text);
}

static void put_row(const printer *p, const gs_view_row *row)
{
    char digits[28];
    gs_metric metric = p->view->metric;
    uint64_t whole = p->profile->total.value[metric];
    double self = gs_report_percent(row->self.value[metric], whole);
    double inclusive = gs_report_percent(row->inclusive.value[metric], whole);
    fprintf(p->to, "%6.2f%%  ", self);
    put_bar(p, p->view->by == GS_REPORT_BY_CALL ? inclusive : self);
    fprintf(p->to, "  %*s", p->number_width, gs_text_digits(digits, row->self.value[metric]));
    if (p->view->has_inclusive)
        fprintf(p->to, "  %6.2f%%", inclusive);
    put_count(p, headings[p->view->by].other, row, row->other);
    put_count(p, headings[p->view->by].count, row, row->count);
    put_trips(p, row);
    put_cpi(p, &row->self);
    fputs("  ", p->to);
    put_name(p, row);
    fputc('\n', p->to);
}

/* A row without counts: what was left out, or all. */
static void put_sum(const printer *p, const gs_metrics *sum, const char *name)
{
    char digits[28];
    gs_metric metric = p->view->metric;
    fprintf(p->to, "%6.2f%%  %*s  %*s",
            gs_report_percent(sum->value[metric], p->profile->total.value[metric]), BAR_WIDTH, "",
            p->number_width, gs_text_digits(digits, sum->value[metric]));
    if (p->view->has_inclusive)
        fprintf(p->to, "  %7s", "");
    if (headings[p->view->by].other)
        fprintf(p->to, "  %13s", "");
    if (headings[p->view->by].count)
        fprintf(p->to, "  %13s", "");
    if (p->view->by == GS_REPORT_BY_LOOP)
        fprintf(p->to, "  %*s", TRIPS_WIDTH, "");
    put_cpi(p, sum);
    fprintf(p->to, "  %s\n", name);
}

static void put_header(const printer *p)
{
    const uint64_t *total = p->profile->total.value;
    char number[GS_TEXT_NUMBER];
    gs_report_put_run(p->to, &p->profile->run);
    fprintf(p->to, "\n%s cycles", GS_TEXT_DIGITS(total[GS_METRIC_CYCLES]));
    if (p->profile->run.core[0] && p->profile->run.clock_hz)
        fprintf(p->to, ", %s at %g MHz",
                gs_text_seconds(number,
                                (double)total[GS_METRIC_CYCLES] / (double)p->profile->run.clock_hz),
                (double)p->profile->run.clock_hz * 1e-6);
    if (total[GS_METRIC_ENERGY])
        fprintf(p->to, ", %s", gs_text_joules(number, (double)total[GS_METRIC_ENERGY] * 1e-15));
    fprintf(p->to, "; %s instructions", GS_TEXT_DIGITS(total[GS_METRIC_INSTRUCTIONS]));
    if (total[GS_METRIC_INSTRUCTIONS])
        fprintf(p->to, ", CPI %.3f",
                (double)total[GS_METRIC_CYCLES] / (double)total[GS_METRIC_INSTRUCTIONS]);
    fprintf(p->to, "\n%s by %s\n\n", gs_metric_text(p->view->metric), headings[p->view->by].about);

    fputs(p->colour ? "\033[1m" : "", p->to);
    fprintf(p->to, "%7s  %-*s  %*s", "self", BAR_WIDTH, "", p->number_width,
            gs_metric_key(p->view->metric));
    if (p->view->has_inclusive)
        fprintf(p->to, "  %7s", "total");
    if (headings[p->view->by].other)
        fprintf(p->to, "  %13s", headings[p->view->by].other);
    if (headings[p->view->by].count)
        fprintf(p->to, "  %13s", headings[p->view->by].count);
    if (p->view->by == GS_REPORT_BY_LOOP)
        fprintf(p->to, "  %*s", TRIPS_WIDTH, "trips");
    if (p->view->by != GS_REPORT_BY_STALL)
        fprintf(p->to, "  %8s", "CPI");
    fprintf(p->to, "  %s%s\n", headings[p->view->by].name, p->colour ? "\033[0m" : "");
}

gs_status gs_report_text(FILE *to, const gs_profile *profile, const gs_report_options *options,
                         gs_error *err)
{
    gs_view view;
    gs_status status = gs_view_open(&view, profile, options, err);
    if (status != GS_OK)
        return status;
    char digits[28];
    printer p = {to, profile, &view, options->colour, 0, 0};
    p.number_width = (int)strlen(gs_text_digits(digits, profile->total.value[view.metric]));
    int key_width = (int)strlen(gs_metric_key(view.metric));
    p.number_width = p.number_width > key_width ? p.number_width : key_width;

    for (size_t i = 0; i < view.count && view.by == GS_REPORT_BY_INSTRUCTION; i++) {
        int width = (int)strlen(text_of(&view.items[i]));
        p.text_width = width > p.text_width ? width : p.text_width;
    }

    put_header(&p);
    gs_metrics rest = profile->total;
    for (size_t i = 0; i < view.count; i++) {
        put_row(&p, &view.items[i]);
        for (unsigned m = 0; m < GS_METRIC_COUNT; m++)
            rest.value[m] -= view.items[i].self.value[m];
    }
    if (view.all > view.count) {
        char name[64];
        snprintf(name, sizeof name, "(%zu more)", view.all - view.count);
        put_sum(&p, &rest, name);
    }
    put_sum(&p, &profile->total, "(all)");
    bool estimated = false;
    for (size_t i = 0; i < view.count; i++)
        estimated |= view.items[i].estimated;
    if (estimated)
        fputs("\n~ estimated: what a path spent in inlined calls is shared out as on all paths of "
              "its "
              "function\n",
              to);
    if (profile->run.desyncs && (view.by == GS_REPORT_BY_FUNCTION || view.by == GS_REPORT_BY_CALL))
        fprintf(to,
                "\n%s calls and returns could not be followed exactly; call paths around them "
                "are uncertain.\n",
                gs_text_digits(digits, profile->run.desyncs));
    gs_view_close(&view);
    return gs_report_end(to, err);
}
