/* Speed-up by area budget as a curve: an SVG file that stands on its own. */
#include <stdlib.h>

#include "partition/partition.h"
#include "report/names.h"

enum { WIDTH = 760, HEIGHT = 420, LEFT = 70, TOP = 60, PLOT_WIDTH = 650, PLOT_HEIGHT = 290 };

static double across(const gs_partition *p, uint64_t lut)
{
    const double all = (double)gs_partition_best(p)->budget[GS_HLS_LUT];
    return LEFT + (all > 0 ? PLOT_WIDTH * (double)lut / all : 0);
}

static double down(double most, double speedup)
{
    return TOP + PLOT_HEIGHT * (1 - (most > 1 ? (speedup - 1) / (most - 1) : 0));
}

static void put_text(FILE *to, double x, double y, const char *anchor, const char *text)
{
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    gs_report_put_xml(to, text);
    fputs("</text>\n", to);
}

static void put_scales(FILE *to, const gs_partition *p, double most)
{
    fprintf(to,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n",
            LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT);
    for (unsigned i = 0; i <= 4; i++) {
        const uint64_t lut = gs_partition_best(p)->budget[GS_HLS_LUT] / 4 * i;
        const double speedup = 1 + (most - 1) * i / 4;
        char text[40];
        snprintf(text, sizeof text, "%.2f", speedup);
        put_text(to, LEFT - 8, down(most, speedup) + 4, "end", text);
        put_text(to, across(p, lut), TOP + PLOT_HEIGHT + 18, "middle", GS_TEXT_DIGITS(lut));
    }
    put_text(to, LEFT, TOP - 10, "start", "times as fast (estimate)");
    put_text(to, LEFT + PLOT_WIDTH, TOP + PLOT_HEIGHT + 38, "end", "budget, in LUT");
}

/* What is moved at a step, for who points at it. */
static void put_step(FILE *to, const gs_partition *p, const gs_partition_step *step, double most)
{
    bool first = true;
    fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#c0392b\"><title>",
            across(p, step->budget[GS_HLS_LUT]), down(most, gs_partition_speedup(p, step)));
    fprintf(to, "%.2f times as fast, %s LUT: ", gs_partition_speedup(p, step),
            GS_TEXT_DIGITS(step->area[GS_HLS_LUT]));
    for (size_t i = 0; i < p->candidates.count; i++) {
        char *name = step->chosen[i] ? gs_partition_name(p, &p->candidates.items[i]) : NULL;
        if (!name)
            continue;
        fputs(first ? "" : ", ", to);
        gs_report_put_xml(to, name);
        first = false;
        free(name);
    }
    fputs("</title></circle>\n", to);
}

gs_status gs_report_partition_svg(FILE *to, const gs_partition *partition, gs_error *err)
{
    const gs_partition *p = partition;
    double most = 1;
    for (unsigned i = 0; i < GS_PARTITION_BUDGETS; i++) {
        const double speedup = gs_partition_speedup(p, &p->steps[i]);
        most = speedup > most ? speedup : most;
    }
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"10\" y=\"24\" font-size=\"16\">",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    gs_report_put_xml(to, gs_report_last_part(p->profile->run.program));
    fputs(" in hardware, by ", to);
    gs_report_put_xml(to, p->hls->name);
    fputs("</text>\n", to);
    put_scales(to, p, most);
    fprintf(to, "<path fill=\"none\" stroke=\"#2c5f8a\" stroke-width=\"2\" d=\"M%d %.1f", LEFT,
            down(most, 1));
    for (unsigned i = 0; i < GS_PARTITION_BUDGETS; i++)
        fprintf(to, " H%.1f V%.1f", across(p, p->steps[i].budget[GS_HLS_LUT]),
                down(most, gs_partition_speedup(p, &p->steps[i])));
    fputs("\"/>\n", to);
    for (unsigned i = 0; i < GS_PARTITION_BUDGETS; i++)
        put_step(to, p, &p->steps[i], most);
    fputs("</svg>\n", to);
    return gs_report_end(to, err);
}
