/*
 * What a person wants to know right after a run: the functions that cost most, and what stands out.
 */
#include <inttypes.h>
#include <string.h>

#include "report/insights.h"
#include "report/names.h"
#include "report/views.h"

enum { BAR_WIDTH = 20, SENTENCES = 3, LINE_WIDTH = 88 };

static void put_bar(FILE *to, double share, bool colour)
{
    int filled = (int)(share / 100 * BAR_WIDTH + 0.5);
    fputs(colour ? "\033[36m" : "", to);
    for (int i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : '.', to);
    fputs(colour ? "\033[0m" : "", to);
}

static void put_functions(FILE *to, const gs_profile *profile, const gs_view *view, bool colour)
{
    uint64_t total = profile->total.value[GS_METRIC_CYCLES];
    char calls[28];
    fprintf(to, "%s%7s  %-*s  %7s  %13s  %8s  %s%s\n", colour ? "\033[1m" : "", "self", BAR_WIDTH,
            "", "total", "calls", "CPI", "function", colour ? "\033[0m" : "");
    for (size_t i = 0; i < view->count; i++) {
        const gs_view_row *row = &view->items[i];
        uint64_t cycles = row->self.value[GS_METRIC_CYCLES];
        uint64_t instructions = row->self.value[GS_METRIC_INSTRUCTIONS];
        if (cycles == 0)
            break;
        fprintf(to, "%6.2f%%  ", gs_report_percent(cycles, total));
        put_bar(to, gs_report_percent(cycles, total), colour);
        fprintf(to, "  %6.2f%%  %13s  %8.3f  ",
                gs_report_percent(row->inclusive.value[GS_METRIC_CYCLES], total),
                gs_text_digits(calls, row->count),
                instructions ? (double)cycles / (double)instructions : 0.0);
        gs_report_put(to, gs_report_function_name(profile, row->function), "");
        fputc('\n', to);
    }
}

/* A sentence as an item of a list, broken between words. */
static void put_sentence(FILE *to, const char *text)
{
    size_t column = 2;
    fputs(" -", to);
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column + 1 + length > LINE_WIDTH && column > 3) {
            fputs("\n  ", to);
            column = 2;
        }
        fputc(' ', to);
        for (size_t i = 0; i < length; i++) {
            bool control = (unsigned char)text[i] < ' ' || text[i] == 0x7f;
            fputc(control ? '?' : text[i], to);
        }
        column += 1 + length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', to);
}

gs_status gs_report_summary(FILE *to, const gs_profile *profile, size_t top, bool colour,
                            gs_error *err)
{
    const gs_report_options options = {.by = GS_REPORT_BY_FUNCTION, .top = top};
    gs_insight insights[GS_INSIGHTS];
    size_t count;
    gs_view view;
    gs_status status = gs_insights_find(insights, &count, profile, err);
    if (status == GS_OK)
        status = gs_view_open(&view, profile, &options, err);
    if (status != GS_OK)
        return status;
    put_functions(to, profile, &view, colour);
    gs_view_close(&view);
    if (count > 0)
        fputs("\nWhat stands out:\n", to);
    for (size_t i = 0; i < count && i < SENTENCES; i++)
        put_sentence(to, insights[i].text);
    return gs_report_end(to, err);
}
