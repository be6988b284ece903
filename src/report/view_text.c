/* Rows of a view as a table for people. */
#include <inttypes.h>
#include <string.h>

#include "report/markers.h"
#include "report/names.h"
#include "report/short_name.h"
#include "report/text_table.h"
#include "report/views.h"

enum {
    MAX_INDENT = 40,
    NARROW_INDENT = 8,
    PART = 256,
    PLACE = 100,
    LEAST_FUNCTION = 8,
    SPACIOUS = 120
};

typedef struct printer {
    FILE *to;
    const gs_profile *profile;
    const gs_view *view;
    unsigned width;  /* of the screen; 0 for any */
    int text_width;  /* of an instruction's text */
    gs_metrics rest; /* of the rows that are not shown */
    char rest_name[32];
    gs_text_column columns[GS_TEXT_COLUMNS];
    int shown[GS_TEXT_COLUMNS]; /* what is in a column: a shown_field */
    size_t column_count;
} printer;

typedef enum shown_field {
    SHOW_SHARE,
    SHOW_BAR,
    SHOW_COST,
    SHOW_TOTAL,
    SHOW_OTHER,
    SHOW_COUNT,
    SHOW_TRIPS,
    SHOW_CPI,
} shown_field;

static const struct {
    const char *about; /* what the rows are, and what the columns */
    const char *count, *other;
    const char *name;
    unsigned enough; /* columns of the name, where that is not as everywhere */
} headings[GS_REPORT_BY_COUNT] = {
    [GS_REPORT_BY_FUNCTION] =
        {"functions: self is their own instructions, total with all they called", "calls", NULL,
         "function", 0},
    [GS_REPORT_BY_CALL] = {"call paths: total is a function with all it called there, self without",
                           "calls", NULL, "call path", 36},
    [GS_REPORT_BY_LINE] =
        {"source lines, as often executed as the most executed instruction in them", "executions",
         NULL, "line", 40},
    [GS_REPORT_BY_LOOP] = {"loops: total is with the loops inside and all they called; trips are "
                           "the fewest, the mean "
                           "and the most iterations of an entry",
                           "iterations", "entries", "loop", 0},
    [GS_REPORT_BY_BLOCK] = {"basic blocks", "executions", NULL, "block", 0},
    [GS_REPORT_BY_INSTRUCTION] = {"instructions", "executions", "taken", "instruction", 44},
    [GS_REPORT_BY_STALL] = {"causes of lost cycles, and the function that lost most to each", NULL,
                            NULL, "cause", 56},
    [GS_REPORT_BY_THREAD] = {"threads: self is all that a thread did, with handlers of traps and "
                             "interrupts that came while it ran",
                             "switches", "in handlers", "thread", 0},
};

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

/* "idle 45.1%": of the thread's cycles. */
static void describe_idle(char *to, size_t size, const gs_view_row *row)
{
    const uint64_t idle = row->self.value[GS_METRIC_STALL_IDLE];
    to[0] = '\0';
    if (idle)
        snprintf(to, size, "  idle %.1f%%",
                 gs_report_percent(idle, row->self.value[GS_METRIC_CYCLES]));
}

static void put_thread(const printer *p, const gs_view_row *row)
{
    char idle[24];
    describe_idle(idle, sizeof idle, row);
    gs_report_put(p->to, row->text, "");
    fputs(idle, p->to);
    put_place(p, row);
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
    case GS_REPORT_BY_THREAD: put_thread(p, row); break;
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

/* What stands before and behind a function's name, where room is short. */
typedef struct parts {
    char lead[PART], tail[PART];
    const char *join; /* between lead and function */
    bool has_function;
} parts;

/* "crc16_word at core.c:164 in ": the innermost inlined call. */
static void add_inlined(char *to, const gs_profile *profile, uint32_t inlined)
{
    const gs_profile_inline *call = &profile->inlines.items[inlined];
    char name[GS_SHORT_BYTES];
    gs_report_shorten(name, call->function);
    if (call->call_file == GS_PROFILE_NONE)
        snprintf(to, PART - PLACE, "%.60s in ", name);
    else
        snprintf(to, PART - PLACE, "%.60s at %.60s:%" PRIu32 " in ", name,
                 gs_report_last_part(gs_report_file_name(profile, call->call_file)),
                 call->call_line);
}

/* `brief`: addresses only where nothing else tells the row from others. */
static void compose(parts *to, const printer *p, const gs_view_row *row, bool brief)
{
    const gs_profile *profile = p->profile;
    char place[PLACE] = "";
    *to = (parts){.join = "", .has_function = true};
    if (row->file < profile->files.count)
        snprintf(place, sizeof place, "%.80s:%" PRIu32,
                 gs_report_last_part(gs_report_file_name(profile, row->file)), row->line);
    switch (p->view->by) {
    case GS_REPORT_BY_CALL: {
        unsigned indent = 2 * (row->depth < NARROW_INDENT ? row->depth : NARROW_INDENT);
        if (row->depth > NARROW_INDENT)
            snprintf(to->lead, PART, "%*s[%" PRIu32 "] ", (int)indent, "", row->depth);
        else
            snprintf(to->lead, PART, "%*s", (int)indent, "");
        snprintf(to->tail, PART, "%s%s",
                 gs_report_is_inlined(profile, row->function) ? " (inlined)" : "",
                 row->estimated ? " ~" : "");
        return;
    }
    case GS_REPORT_BY_LINE:
        to->has_function = place[0];
        snprintf(to->lead, PART, place[0] ? "%s  " : "(no line known)", place);
        if (place[0] && row->inlined != GS_PROFILE_NONE)
            add_inlined(to->lead + strlen(to->lead), profile, row->inlined);
        snprintf(to->tail, PART, "%s", row->others ? " and others" : "");
        return;
    case GS_REPORT_BY_STALL: {
        char key[PART];
        gs_metric metric;
        snprintf(key, sizeof key, "stall:%s", row->text);
        to->has_function = row->self.value[GS_METRIC_CYCLES] > 0;
        snprintf(to->lead, PART, "%-16s%s", row->text,
                 gs_metric_find(key, &metric) ? gs_metric_text(metric)
                                              : "an instruction was issued");
        to->join = "; most in ";
        return;
    }
    case GS_REPORT_BY_THREAD: {
        char idle[24];
        describe_idle(idle, sizeof idle, row);
        to->has_function = false;
        snprintf(to->lead, PART, "%.120s%s%s%.80s", row->text, idle, place[0] ? "  " : "", place);
        return;
    }
    case GS_REPORT_BY_LOOP:
        if (!brief) {
            snprintf(to->lead, PART, "0x%08" PRIx32 "  ", row->address);
            if (row->around)
                snprintf(to->tail, PART, "  %s  in 0x%08" PRIx32, place, row->around);
        }
        break;
    case GS_REPORT_BY_BLOCK:
        snprintf(to->lead, PART, brief ? "0x%08" PRIx32 "  " : "0x%08" PRIx32 "-0x%08" PRIx32 "  ",
                 row->address, row->end);
        break;
    case GS_REPORT_BY_INSTRUCTION:
        snprintf(to->lead, PART, "0x%08" PRIx32 "  %-*s  ", row->address, brief ? 0 : p->text_width,
                 text_of(row));
        break;
    default: break;
    }
    if (place[0] && !to->tail[0])
        snprintf(to->tail, PART, "  %s", place);
}

static unsigned columns_of(const printer *p, const parts *part, const gs_view_row *row)
{
    unsigned function = part->has_function
                            ? gs_report_columns(gs_report_function_name(p->profile, row->function))
                            : 0;
    return gs_report_columns(part->lead) + (function ? (unsigned)strlen(part->join) : 0) +
           function + gs_report_columns(part->tail);
}

static void put_name_in(const printer *p, const gs_view_row *row, unsigned room)
{
    parts part;
    compose(&part, p, row, p->width < SPACIOUS);
    unsigned function = gs_report_columns(gs_report_function_name(p->profile, row->function));
    unsigned least = function < LEAST_FUNCTION ? function : LEAST_FUNCTION;
    unsigned lead = gs_report_columns(part.lead) + (unsigned)strlen(part.join);
    unsigned tail = gs_report_columns(part.tail);
    if (!part.has_function || lead + least > room) {
        gs_report_put_fitted(p->to, part.lead, room);
        return;
    }
    if (lead + least + tail > room)
        part.tail[0] = '\0', tail = 0;
    gs_report_put_fitted(p->to, part.lead, 0);
    fputs(part.join, p->to);
    gs_report_put_short(p->to, gs_report_function_name(p->profile, row->function),
                        room - lead - tail);
    gs_report_put_fitted(p->to, part.tail, 0);
}

/* NULL for the rows of sums, of which the last is all. */
static const gs_view_row *row_at(const printer *p, size_t row)
{
    return row < p->view->count ? &p->view->items[row] : NULL;
}

static const gs_metrics *cost_at(const printer *p, size_t row)
{
    const gs_view_row *at = row_at(p, row);
    bool rest = row == p->view->count && p->rest_name[0];
    return at ? &at->self : rest ? &p->rest : &p->profile->total;
}

/* The fewest, the mean and the most, or the one number that all of them are. */
static void trips_of(char to[GS_TEXT_CELL], const gs_view_row *row)
{
    double mean = row->other ? (double)row->count / (double)row->other : 0;
    to[0] = '\0';
    if (row->min_trips && row->min_trips == row->max_trips)
        gs_text_digits(to, row->min_trips);
    else if (row->min_trips)
        snprintf(to, GS_TEXT_CELL, "%s %.1f %s", GS_TEXT_DIGITS(row->min_trips), mean,
                 GS_TEXT_DIGITS(row->max_trips));
    else if (row->other)
        snprintf(to, GS_TEXT_CELL, "? %.1f ?", mean);
}

static void put_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const printer *p = self;
    const gs_view_row *at = row_at(p, row);
    const gs_metrics *cost = cost_at(p, row);
    gs_metric metric = p->view->metric;
    uint64_t whole = p->profile->total.value[metric], value = cost->value[metric];
    uint64_t instructions = cost->value[GS_METRIC_INSTRUCTIONS];
    bool counts = at && !gs_view_is_rest(p->view, at);
    to[0] = '\0';
    switch (p->shown[column]) {
    case SHOW_SHARE: snprintf(to, GS_TEXT_CELL, "%6.2f%%", gs_report_percent(value, whole)); break;
    case SHOW_COST:
        if (metric == GS_METRIC_ENERGY)
            gs_text_joules(to, (double)value * 1e-15);
        else
            gs_text_digits(to, value);
        break;
    case SHOW_TOTAL:
        if (at)
            snprintf(to, GS_TEXT_CELL, "%6.2f%%",
                     gs_report_percent(at->inclusive.value[metric], whole));
        break;
    case SHOW_OTHER:
    case SHOW_COUNT:
        if (counts)
            gs_text_digits(to, p->shown[column] == SHOW_COUNT ? at->count : at->other);
        break;
    case SHOW_TRIPS:
        if (at)
            trips_of(to, at);
        break;
    case SHOW_CPI:
        if (instructions)
            snprintf(to, GS_TEXT_CELL, "%.3f",
                     (double)cost->value[GS_METRIC_CYCLES] / (double)instructions);
        break;
    default: break;
    }
}

static double share_of(void *self, size_t row)
{
    const printer *p = self;
    const gs_view_row *at = row_at(p, row);
    bool calls = p->view->by == GS_REPORT_BY_CALL;
    gs_metric metric = p->view->metric;
    return at ? gs_report_percent((calls ? &at->inclusive : &at->self)->value[metric],
                                  p->profile->total.value[metric])
              : -1;
}

static void put_table_name(FILE *to, void *self, size_t row, unsigned room)
{
    const printer *p = self;
    const gs_view_row *at = row_at(p, row);
    if (!at)
        fputs(cost_at(p, row) == &p->rest ? p->rest_name : "(all)", to);
    else if (room == 0 || gs_view_is_rest(p->view, at))
        put_name(p, at);
    else
        put_name_in(p, at, room);
}

static unsigned name_width(void *self, size_t row)
{
    const printer *p = self;
    const gs_view_row *at = row_at(p, row);
    parts part;
    if (!at || gs_view_is_rest(p->view, at))
        return 1;
    compose(&part, p, at, true);
    return columns_of(p, &part, at);
}

static void add_column(printer *p, shown_field field, const char *heading, unsigned spare)
{
    if (!heading)
        return;
    p->columns[p->column_count] =
        (gs_text_column){.heading = heading, .spare = spare, .bar = field == SHOW_BAR};
    p->shown[p->column_count++] = (int)field;
}

static void choose_columns(printer *p)
{
    gs_report_by by = p->view->by;
    bool energy = p->view->metric == GS_METRIC_ENERGY;
    add_column(p, SHOW_SHARE, "self", 0);
    add_column(p, SHOW_BAR, "", 0);
    add_column(p, SHOW_COST, energy ? "energy" : gs_metric_key(p->view->metric), 0);
    add_column(p, SHOW_TOTAL, p->view->has_inclusive ? "total" : NULL, 1);
    add_column(p, SHOW_OTHER, headings[by].other, 4);
    add_column(p, SHOW_COUNT, headings[by].count, 2);
    add_column(p, SHOW_TRIPS, by == GS_REPORT_BY_LOOP ? "trips" : NULL, 1);
    add_column(p, SHOW_CPI,
               by == GS_REPORT_BY_STALL || !gs_report_is_timed(p->profile) ? NULL : "CPI", 3);
}

static void put_header(const printer *p)
{
    const uint64_t *total = p->profile->total.value;
    char number[GS_TEXT_NUMBER], about[200];
    gs_report_put_run(p->to, &p->profile->run);
    const bool timed = gs_report_is_timed(p->profile);
    fputc('\n', p->to);
    if (timed)
        fprintf(p->to, "%s cycles", GS_TEXT_DIGITS(total[GS_METRIC_CYCLES]));
    if (p->profile->run.core[0] && p->profile->run.clock_hz)
        fprintf(p->to, ", %s at %g MHz",
                gs_text_seconds(number,
                                (double)total[GS_METRIC_CYCLES] / (double)p->profile->run.clock_hz),
                (double)p->profile->run.clock_hz * 1e-6);
    if (total[GS_METRIC_ENERGY])
        fprintf(p->to, ", %s", gs_text_joules(number, (double)total[GS_METRIC_ENERGY] * 1e-15));
    fprintf(p->to, "%s%s instructions", timed ? "; " : "",
            GS_TEXT_DIGITS(total[GS_METRIC_INSTRUCTIONS]));
    if (total[GS_METRIC_INSTRUCTIONS] && timed)
        fprintf(p->to, ", CPI %.3f",
                (double)total[GS_METRIC_CYCLES] / (double)total[GS_METRIC_INSTRUCTIONS]);
    fputc('\n', p->to);
    snprintf(about, sizeof about, "%s by %s", gs_metric_text(p->view->metric),
             headings[p->view->by].about);
    gs_text_put_wrapped(p->to, about, p->width);
    fputc('\n', p->to);
}

gs_status gs_report_text(FILE *to, const gs_profile *profile, const gs_report_options *options,
                         gs_error *err)
{
    gs_view view;
    gs_status status = gs_view_open(&view, profile, options, err);
    if (status != GS_OK)
        return status;
    printer p = {.to = to,
                 .profile = profile,
                 .view = &view,
                 .width = options->width,
                 .rest = profile->total};
    for (size_t i = 0; i < view.count; i++) {
        int width = view.by == GS_REPORT_BY_INSTRUCTION ? (int)strlen(text_of(&view.items[i])) : 0;
        p.text_width = width > p.text_width ? width : p.text_width;
        for (unsigned m = 0; m < GS_METRIC_COUNT; m++)
            p.rest.value[m] -= view.items[i].self.value[m];
    }
    if (view.all > view.count)
        snprintf(p.rest_name, sizeof p.rest_name, "(%s more)",
                 GS_TEXT_DIGITS(view.all - view.count));
    choose_columns(&p);
    put_header(&p);
    const gs_text_table table = {.columns = p.columns,
                                 .count = p.column_count,
                                 .rows = view.count + (p.rest_name[0] ? 2 : 1),
                                 .name = headings[view.by].name,
                                 .enough = headings[view.by].enough,
                                 .width = options->width,
                                 .colour = options->colour,
                                 .self = &p,
                                 .cell = put_cell,
                                 .share = share_of,
                                 .put_name = put_table_name,
                                 .name_width = name_width};
    gs_text_table_put(to, &table);
    if (view.by == GS_REPORT_BY_THREAD)
        status = gs_view_put_switches(to, profile, options->width, err);
    bool estimated = false;
    for (size_t i = 0; i < view.count; i++)
        estimated |= view.items[i].estimated;
    if (estimated) {
        fputc('\n', to);
        gs_text_put_wrapped(to,
                            "~ estimated: what a path spent in inlined calls is shared out as on "
                            "all paths of its function",
                            options->width);
    }
    if (profile->run.desyncs && (view.by == GS_REPORT_BY_FUNCTION || view.by == GS_REPORT_BY_CALL ||
                                 view.by == GS_REPORT_BY_THREAD)) {
        char text[240];
        if (profile->nodes.count >= GS_CALLTREE_FULL)
            snprintf(text, sizeof text,
                     "This run has more call paths than are told apart, %s: %s calls beyond them "
                     "are counted on the path of an outer call of the same function.",
                     GS_TEXT_DIGITS(GS_CALLTREE_FULL), GS_TEXT_DIGITS(profile->run.desyncs));
        else
            snprintf(text, sizeof text,
                     "%s calls and returns could not be followed exactly; call paths around them "
                     "are uncertain.",
                     GS_TEXT_DIGITS(profile->run.desyncs));
        fputc('\n', to);
        gs_text_put_wrapped(to, text, options->width);
    }
    gs_report_put_markers(to, profile);
    gs_view_close(&view);
    return status == GS_OK ? gs_report_end(to, err) : status;
}
