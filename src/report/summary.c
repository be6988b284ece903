/*
 * What a person wants to know right after a run: the functions that cost most, and what stands out.
 */
#include <string.h>

#include "base/plain.h"
#include "report/markers.h"
#include "report/insights.h"
#include "report/names.h"
#include "report/short_name.h"
#include "report/text_table.h"
#include "report/views.h"

enum { SENTENCES = 3, LINE_WIDTH = 88 };

typedef struct summary {
    const gs_profile *profile;
    gs_view view;
} summary;

enum { SELF, BAR, TOTAL, CALLS, CPI, COLUMNS };

static const gs_text_column columns[COLUMNS] = {
    [SELF] = {.heading = "self"},   [BAR] = {.heading = "", .bar = true},
    [TOTAL] = {.heading = "total"}, [CALLS] = {.heading = "calls"},
    [CPI] = {.heading = "CPI"},
};

static double percent(const summary *s, const gs_metrics *cost)
{
    return gs_report_percent(cost->value[GS_METRIC_CYCLES],
                             s->profile->total.value[GS_METRIC_CYCLES]);
}

static void put_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const summary *s = self;
    const gs_view_row *at = &s->view.items[row];
    uint64_t cycles = at->self.value[GS_METRIC_CYCLES];
    uint64_t instructions = at->self.value[GS_METRIC_INSTRUCTIONS];
    switch (column) {
    case SELF: snprintf(to, GS_TEXT_CELL, "%6.2f%%", percent(s, &at->self)); break;
    case TOTAL: snprintf(to, GS_TEXT_CELL, "%6.2f%%", percent(s, &at->inclusive)); break;
    case CALLS: gs_text_digits(to, at->count); break;
    default:
        snprintf(to, GS_TEXT_CELL, "%.3f",
                 instructions ? (double)cycles / (double)instructions : 0.0);
    }
}

static double share_of(void *self, size_t row)
{
    const summary *s = self;
    return percent(s, &s->view.items[row].self);
}

static const char *name_of(const summary *s, size_t row)
{
    return gs_report_function_name(s->profile, s->view.items[row].function);
}

static void put_name(FILE *to, void *self, size_t row, unsigned room)
{
    gs_report_put_short(to, name_of(self, row), room);
}

static unsigned name_width(void *self, size_t row)
{
    return gs_report_columns(name_of(self, row));
}

static void put_functions(FILE *to, summary *s, const gs_report_options *options)
{
    gs_text_table table = {.columns = columns,
                           .count = COLUMNS,
                           .name = "function",
                           .width = options->width,
                           .colour = options->colour,
                           .self = s,
                           .cell = put_cell,
                           .share = share_of,
                           .put_name = put_name,
                           .name_width = name_width};
    while (table.rows < s->view.count && s->view.items[table.rows].self.value[GS_METRIC_CYCLES] > 0)
        table.rows++;
    gs_text_table_put(to, &table);
}

/* A sentence as an item of a list, broken between words. */
static void put_sentence(FILE *to, const char *text, unsigned width)
{
    size_t column = 2, most = width > 0 && width < LINE_WIDTH ? width : LINE_WIDTH;
    fputs(" -", to);
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column + 1 + length > most && column > 3) {
            fputs("\n  ", to);
            column = 2;
        }
        fputc(' ', to);
        fwrite(text, 1, length, to);
        column += 1 + length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', to);
}

gs_status gs_report_summary(FILE *to, const gs_profile *profile, const gs_report_options *options,
                            gs_error *err)
{
    const gs_report_options by_function = {.by = GS_REPORT_BY_FUNCTION, .top = options->top};
    gs_insight insights[GS_INSIGHTS];
    size_t count;
    summary s = {.profile = profile};
    gs_status status = gs_insights_find(insights, &count, profile, err);
    if (status == GS_OK)
        status = gs_view_open(&s.view, profile, &by_function, err);
    if (status != GS_OK)
        return status;
    if (gs_profile_total(profile, GS_METRIC_CYCLES) > 0)
        put_functions(to, &s, options);
    gs_view_close(&s.view);
    gs_report_put_markers(to, profile);
    if (count > 0)
        fputs("\nWhat stands out:\n", to);
    for (size_t i = 0; i < count && i < SENTENCES; i++) {
        gs_plain_text(insights[i].text, ""); /* the names in it are the program's */
        put_sentence(to, insights[i].text, options->width);
    }
    return gs_report_end(to, err);
}
