/*
 * A picture of a timeline: time from left to right, and in every interval the share of each of
 * the costliest functions, one above the other. An SVG file that stands on its own.
 */
#include <inttypes.h>

#include "report/moments.h"
#include "report/names.h"

enum { WIDTH = 1200, LEFT = 10, TOP = 50, CHART = 320, LINE = 18, FOOT = 30 };

static const char *const colours[GS_MOMENTS_COLUMNS] = {
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948",
    "#b07aa1", "#9c755f", "#ff9da7", "#86bcb6", "#d37295", "#bab0ac",
};

static const char *colour_of(const gs_moments *m, size_t column)
{
    return colours[column == m->columns - 1 ? GS_MOMENTS_COLUMNS - 1 : column];
}

typedef struct picture {
    FILE *to;
    const gs_moments *m;
    double scale; /* of a cycle */
} picture;

static double x_of(const picture *p, uint64_t cycle)
{
    return LEFT + (double)cycle * p->scale;
}

/* How high the lower `columns` columns stand in an interval. */
static double y_of(const gs_moment *moment, gs_metric metric, size_t columns)
{
    uint64_t sum = 0, whole = moment->cost.value[metric];
    for (size_t i = 0; i < columns; i++)
        sum += moment->columns[i];
    return TOP + CHART * (1 - (whole ? (double)sum / (double)whole : 0));
}

/* The band's upper edge from left to right, and its lower edge back. */
static void put_band(const picture *p, size_t column)
{
    const gs_moments *m = p->m;
    fprintf(p->to, "<path fill=\"%s\" d=\"M", colour_of(m, column));
    for (size_t i = 0; i < m->count; i++) {
        double y = y_of(&m->items[i], m->metric, column + 1);
        fprintf(p->to, "%.2f %.2f %.2f %.2f ", x_of(p, m->items[i].start), y,
                x_of(p, m->items[i].end), y);
    }
    for (size_t i = m->count; i > 0; i--) {
        double y = y_of(&m->items[i - 1], m->metric, column);
        fprintf(p->to, "%.2f %.2f %.2f %.2f%s", x_of(p, m->items[i - 1].end), y,
                x_of(p, m->items[i - 1].start), y, i > 1 ? " " : "");
    }
    fputs("z\">", p->to);
}

static void put_legend(const picture *p, const gs_profile *profile, size_t column)
{
    const gs_moments *m = p->m;
    char digits[28];
    int y = TOP + CHART + FOOT + (int)column * LINE;
    fprintf(p->to, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>", LEFT, y,
            colour_of(m, column));
    fprintf(p->to, "<text x=\"%d\" y=\"%d\">", LEFT + 18, y + 11);
    gs_report_put_xml(p->to, gs_moments_name(m, profile, column));
    fprintf(p->to, ": %s, %.2f%%</text>\n", gs_text_digits(digits, m->sums[column]),
            gs_report_percent(m->sums[column], profile->total.value[m->metric]));
}

static void put_head(const picture *p, const gs_profile *profile, uint64_t end)
{
    char cycles[28], interval[28];
    int height = TOP + CHART + FOOT + (int)p->m->columns * LINE + 10;
    fprintf(p->to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"%d\" y=\"22\" font-size=\"16\">",
            WIDTH, height, WIDTH, height, LEFT);
    gs_report_put_xml(p->to, gs_report_last_part(profile->run.program));
    fputs(" on ", p->to);
    gs_report_put_xml(p->to, profile->run.core);
    fprintf(p->to, ": share of %s</text>\n", gs_metric_text(p->m->metric));
    fprintf(p->to,
            "<text x=\"%d\" y=\"40\">from cycle 0 to %s, in intervals of %s</text>\n"
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#eeeeee\"/>\n",
            LEFT, gs_text_digits(cycles, end),
            gs_text_digits(interval, p->m->items[0].end - p->m->items[0].start), LEFT, TOP,
            WIDTH - 2 * LEFT, CHART);
}

static void put_markers(const picture *p, const gs_profile *profile, uint64_t end)
{
    char cycle[28];
    for (size_t i = 0; i < profile->markers.count; i++) {
        const gs_marker *marker = &profile->markers.items[i];
        if (marker->cycle > end)
            break; /* counting was over */
        fprintf(p->to,
                "<path d=\"M%.2f %dv%d\" stroke=\"black\" stroke-dasharray=\"3 2\">"
                "<title>marker %u at cycle %s</title></path>\n",
                LEFT + (double)marker->cycle * p->scale, TOP, CHART, marker->value,
                gs_text_digits(cycle, marker->cycle));
    }
}

gs_status gs_report_phases(FILE *to, const gs_profile *profile, const gs_report_options *options,
                           gs_error *err)
{
    gs_moments m;
    gs_status status = gs_moments_open(&m, profile, options, err);
    if (status != GS_OK)
        return status;
    uint64_t end = m.items[m.count - 1].end;
    picture p = {to, &m, (WIDTH - 2 * LEFT) / (double)end};
    put_head(&p, profile, end);
    for (size_t column = 0; column < m.columns; column++) {
        if (m.sums[column] == 0)
            continue;
        put_band(&p, column);
        fputs("<title>", to);
        gs_report_put_xml(to, gs_moments_name(&m, profile, column));
        fputs("</title></path>\n", to);
        put_legend(&p, profile, column);
    }
    put_markers(&p, profile, end);
    fputs("</svg>\n", to);
    gs_moments_close(&m);
    return gs_report_end(to, err);
}
