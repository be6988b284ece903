/* What changed between two profiles, as tables for people. */
#include <inttypes.h>
#include <string.h>

#include "report/compare.h"
#include "report/names.h"
#include "report/short_name.h"

enum { PLACE = 100, LEAST_FUNCTION = 12 };

typedef struct printer {
    FILE *to;
    const gs_profile *before, *after;
    const gs_diff_options *options;
    gs_metric metric;
    int width; /* of numbers */
} printer;

static uint64_t larger(uint64_t x, uint64_t y)
{
    return x > y ? x : y;
}

/* "+1,234" into a buffer of at least 30 bytes. */
static char *signed_digits(char *to, uint64_t before, uint64_t after)
{
    to[0] = after > before ? '+' : after < before ? '-' : ' ';
    gs_text_digits(to + 1, after > before ? after - before : before - after);
    return to;
}

/* "+12.34%", or "25x" where that says more. */
static char *relative(char *to, size_t size, double before, double after)
{
    if (before == 0)
        snprintf(to, size, "%s", after != 0 ? "new" : "");
    else if (after >= 10 * before)
        snprintf(to, size, "%.0fx", after / before);
    else
        snprintf(to, size, "%+.2f%%", 100 * (after - before) / before);
    return to;
}

static void put_colour(const printer *p, const char *colour)
{
    if (p->options->colour)
        fprintf(p->to, "\033[%sm", colour);
}

/* More is worse, whatever is counted. */
static void put_colour_of(const printer *p, uint64_t before, uint64_t after)
{
    put_colour(p, after > before ? "31" : after < before ? "32" : "0");
}

static void put_runs(const printer *p)
{
    const gs_profile_run *x = &p->before->run, *y = &p->after->run;
    fputs("before: ", p->to);
    gs_report_put_run(p->to, x);
    fputs("\nafter:  ", p->to);
    gs_report_put_run(p->to, y);
    fputc('\n', p->to);
    if (strcmp(x->core, y->core) != 0)
        fputs("note: the runs are not on the same core\n", p->to);
    else if (strcmp(x->core_yaml, y->core_yaml) != 0)
        fputs("note: the core is not set up the same in both runs\n", p->to);
    if (!x->core[0] && !y->core[0])
        fputs("note: the runs were not timed\n", p->to);
    else if (!x->core[0] || !y->core[0])
        fprintf(p->to, "note: the run %s was not timed\n", x->core[0] ? "after" : "before");
}

static double cpi_of(const gs_metrics *total)
{
    uint64_t instructions = total->value[GS_METRIC_INSTRUCTIONS];
    return instructions ? (double)total->value[GS_METRIC_CYCLES] / (double)instructions : 0;
}

static void put_total(const printer *p, gs_metric metric)
{
    uint64_t x = p->before->total.value[metric], y = p->after->total.value[metric];
    char before[28], after[28], change[30], own[16];
    fprintf(p->to, "%-22s %*s  %*s  ", gs_metric_key(metric), p->width, gs_text_digits(before, x),
            p->width, gs_text_digits(after, y));
    put_colour_of(p, x, y);
    fprintf(p->to, "%*s  %9s", p->width + 1, signed_digits(change, x, y),
            relative(own, sizeof own, (double)x, (double)y));
    put_colour(p, "0");
    fputc('\n', p->to);
}

static void make_room(printer *p, gs_metric metric)
{
    char digits[28];
    uint64_t most = larger(p->before->total.value[metric], p->after->total.value[metric]);
    int width = (int)strlen(gs_text_digits(digits, most));
    int heading = (int)strlen("before");
    width = width < heading ? heading : width;
    p->width = p->width < width ? width : p->width;
}

static bool both_timed(const printer *p)
{
    return gs_report_is_timed(p->before) && gs_report_is_timed(p->after);
}

static bool shows_total(const printer *p, unsigned m)
{
    if (m == GS_METRIC_CYCLES && !both_timed(p))
        return false;
    return m == GS_METRIC_CYCLES || m == GS_METRIC_INSTRUCTIONS || m == p->metric ||
           p->before->total.value[m] != p->after->total.value[m];
}

static void put_totals(printer *p)
{
    double x = cpi_of(&p->before->total), y = cpi_of(&p->after->total);
    char own[16];
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        if (shows_total(p, m))
            make_room(p, (gs_metric)m);
    }
    put_colour(p, "1");
    fprintf(p->to, "\n%-22s %*s  %*s  %*s", "", p->width, "before", p->width, "after", p->width + 1,
            "change");
    put_colour(p, "0");
    fputc('\n', p->to);
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        if (shows_total(p, m))
            put_total(p, (gs_metric)m);
        if (m == GS_METRIC_INSTRUCTIONS && x > 0 && y > 0 && both_timed(p))
            fprintf(p->to, "%-22s %*.3f  %*.3f  %+*.3f  %9s\n", "cycles per instruction", p->width,
                    x, p->width, y, p->width + 1, y - x, relative(own, sizeof own, x, y));
    }
}

static void put_verdict(const printer *p)
{
    uint64_t x = p->before->total.value[p->metric], y = p->after->total.value[p->metric];
    char digits[28];
    fputc('\n', p->to);
    put_colour_of(p, x, y);
    if (x == y)
        fprintf(p->to, "As many %s as before", gs_metric_text(p->metric));
    else
        fprintf(p->to, "%s %s %s than before", gs_text_digits(digits, x > y ? x - y : y - x),
                gs_metric_text(p->metric), x > y ? "less" : "more");
    if (x > 0 && y >= 10 * x)
        fprintf(p->to, ": %.0f times as many", (double)y / (double)x);
    else if (x > 0 && y != x)
        fprintf(p->to, ": %.2f%%", gs_report_percent(x > y ? x - y : y - x, x));
    fputc('.', p->to);
    put_colour(p, "0");
    fputc('\n', p->to);
}

/* What a row is called, in the room that its numbers leave; returns the columns written. */
static unsigned put_name(const printer *p, const gs_compared *c, gs_report_by by, unsigned room)
{
    const gs_view_row *row = c->row;
    char lead[PLACE] = "", tail[PLACE] = "", place[PLACE];
    if (row->text || (by == GS_REPORT_BY_LINE && row->file == GS_PROFILE_NONE)) {
        gs_report_put_fitted(p->to, row->text ? row->text : "(no line known)", room);
        return room;
    }
    snprintf(place, sizeof place, "%.80s:%" PRIu32,
             gs_report_last_part(gs_report_file_name(c->of, row->file)), row->line);
    if (by == GS_REPORT_BY_LINE)
        snprintf(lead, sizeof lead, "%.96s  ", place);
    else if (row->file != GS_PROFILE_NONE)
        snprintf(tail, sizeof tail, "  %.96s", place);
    else if (by == GS_REPORT_BY_LOOP)
        snprintf(tail, sizeof tail, "  0x%08" PRIx32, row->address);
    unsigned around = gs_report_columns(lead) + gs_report_columns(tail);
    gs_report_put(p->to, lead, "");
    unsigned name = room == 0 ? 0 : room > around + LEAST_FUNCTION ? room - around : LEAST_FUNCTION;
    unsigned written =
        gs_report_put_short(p->to, gs_report_function_name(c->of, row->function), name);
    gs_report_put(p->to, tail, "");
    return written + around;
}

static void put_row(const printer *p, const gs_compared *c, size_t section)
{
    uint64_t x = c->before.self.value[p->metric], y = c->after.self.value[p->metric];
    uint64_t whole = larger(p->before->total.value[p->metric], p->after->total.value[p->metric]);
    char before[28], after[28], change[30], own[16] = "gone";
    double share = whole ? 100 * ((double)y - (double)x) / (double)whole : 0;
    if (c->is_after)
        relative(own, sizeof own, (double)x, (double)y);
    put_colour_of(p, x, y);
    fprintf(p->to, "%*s  %+8.2f%%", p->width + 1, signed_digits(change, x, y), share);
    put_colour(p, "0");
    fprintf(p->to, "  %*s  %*s  %9s  ", p->width, gs_text_digits(before, x), p->width,
            gs_text_digits(after, y), own);
    unsigned lead = (unsigned)(p->width + 1 + 2 + 9 + 2 + p->width + 2 + p->width + 2 + 9 + 2);
    unsigned width = p->options->width, room = width > lead + LEAST_FUNCTION ? width - lead
                                               : width                       ? LEAST_FUNCTION
                                                                             : 0;
    unsigned used = put_name(p, c, gs_diff_sections[section].by, room);
    char counts[120] = "";
    if (c->is_before && c->is_after && c->before.count != c->after.count)
        snprintf(counts, sizeof counts, "  (%s %s -> %s)", gs_diff_sections[section].count,
                 GS_TEXT_DIGITS(c->before.count), GS_TEXT_DIGITS(c->after.count));
    if (room == 0 || used + strlen(counts) <= room)
        fputs(counts, p->to);
    fputc('\n', p->to);
}

static gs_status put_section(const printer *p, size_t section, gs_error *err)
{
    gs_comparison c;
    gs_status status =
        gs_comparison_open(&c, p->before, p->after, gs_diff_sections[section].by, p->metric, err);
    if (status != GS_OK)
        return status;
    size_t top = p->options->top ? p->options->top : c.count, slower = 0, faster = 0;
    for (size_t i = 0; i < c.count; i++) {
        bool more =
            c.items[i].after.self.value[p->metric] > c.items[i].before.self.value[p->metric];
        slower += more;
        faster += !more;
    }
    fprintf(p->to, "\n%s by %s: %zu with more, %zu with less\n", gs_metric_text(p->metric),
            gs_diff_sections[section].about, slower, faster);
    if (c.count > 0) {
        put_colour(p, "1");
        fprintf(p->to, "%*s  %9s  %*s  %*s  %9s", p->width + 1, "change", "of all", p->width,
                "before", p->width, "after", "of its own");
        put_colour(p, "0");
        fputc('\n', p->to);
    }
    for (size_t i = 0; i < c.count && i < top; i++)
        put_row(p, &c.items[i], section);
    if (c.count > top)
        fprintf(p->to, "%*s  (%zu more; --top 0 shows all)\n", p->width + 1, "...", c.count - top);
    gs_comparison_close(&c);
    return GS_OK;
}

gs_status gs_report_diff(FILE *to, const gs_profile *before, const gs_profile *after,
                         const gs_diff_options *options, gs_error *err)
{
    printer p = {.to = to, .before = before, .after = after, .options = options};
    gs_status status = gs_diff_metric(before, after, options, &p.metric, err);
    if (status != GS_OK)
        return status;
    put_runs(&p);
    put_totals(&p);
    put_verdict(&p);
    p.width = 0;
    make_room(&p, p.metric);
    for (size_t i = 0; i < GS_DIFF_SECTIONS && status == GS_OK; i++) {
        if (gs_diff_wants(options, i))
            status = put_section(&p, i, err);
    }
    return status == GS_OK ? gs_report_end(to, err) : status;
}
