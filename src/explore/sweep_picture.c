/*
 * A picture of a sweep: all designs by the first two objectives with the front through them, a
 * curve of the first objective for each axis, and a heat map of the two axes that matter most. An
 * SVG file that stands on its own.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/sweep_results.h"
#include "report/names.h"

enum {
    WIDTH = 900,
    LEFT = 110,
    PLOT_WIDTH = 740,
    SCATTER_HEIGHT = 380,
    CURVE_WIDTH = 340,
    CURVE_HEIGHT = 170,
    CURVE_SPACE = 250,
    FIELD_HEIGHT = 26,
    MOST_FIELDS = 24, /* along a side of a heat map */
};

typedef struct range {
    double least, most;
} range;

static void widen(range *r, double value, bool first)
{
    r->least = first || value < r->least ? value : r->least;
    r->most = first || value > r->most ? value : r->most;
}

static double place(const range *r, double value)
{
    return r->most > r->least ? (value - r->least) / (r->most - r->least) : 0.5;
}

static void put_text(FILE *to, double x, double y, const char *anchor, const char *text)
{
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    gs_report_put_xml(to, text);
    fputs("</text>\n", to);
}

/* "554.2K" */
static void put_short(char to[GS_SWEEP_NUMBER], double value)
{
    static const char *const suffixes[] = {"", "K", "M", "G", "T"};
    unsigned thousands = 0;
    while (fabs(value) >= 1e4 && thousands < 4) {
        value /= 1000;
        thousands++;
    }
    snprintf(to, GS_SWEEP_NUMBER, "%.4g%s", value, suffixes[thousands]);
}

static void put_scale(FILE *to, const range *r, int left, int top, int width, int height,
                      bool across)
{
    for (int i = 0; i <= 4; i++) {
        char text[GS_SWEEP_NUMBER];
        const double value = r->least + (r->most - r->least) * i / 4;
        put_short(text, value);
        if (across)
            put_text(to, left + width * i / 4.0, top + height + 18, "middle", text);
        else
            put_text(to, left - 8, top + height - height * i / 4.0 + 4, "end", text);
    }
    fprintf(to,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n",
            left, top, width, height);
}

static int by_first(const void *a, const void *b, void *self)
{
    const gs_sweep_results *r = self;
    const double x = r->outcomes[*(const size_t *)a].values[0];
    const double y = r->outcomes[*(const size_t *)b].values[0];
    return x < y ? -1 : x > y;
}

static void put_point(FILE *to, const gs_sweep_results *r, size_t index, double x, double y)
{
    const gs_sweep_outcome *o = &r->outcomes[index];
    char *label = gs_sweep_label(r->sweep, o->design), one[GS_SWEEP_NUMBER], other[GS_SWEEP_NUMBER];
    fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"><title>", x, y,
            o->front ? "4.5" : "3", o->front ? "#c0392b" : "#7f9fbf");
    gs_report_put_xml(to, label ? label : "");
    fprintf(to, ": %s, %s</title></circle>\n", gs_sweep_number(one, o->values[0]),
            gs_sweep_number(other, o->values[1]));
    free(label);
}

/* With one objective there is nothing to scatter. */
static gs_status put_scatter(FILE *to, const gs_sweep_results *r, int top, gs_error *err)
{
    range x = {0}, y = {0};
    size_t *order = calloc(r->count, sizeof *order);
    if (!order)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < r->count; i++) {
        order[i] = i;
        widen(&x, r->outcomes[i].values[1], i == 0);
        widen(&y, r->outcomes[i].values[0], i == 0);
    }
    qsort_r(order, r->count, sizeof *order, by_first, (void *)r);
    put_scale(to, &x, LEFT, top, PLOT_WIDTH, SCATTER_HEIGHT, true);
    put_scale(to, &y, LEFT, top, PLOT_WIDTH, SCATTER_HEIGHT, false);
    put_text(to, LEFT, top - 10, "start", r->sweep->objectives.items[0].name);
    put_text(to, LEFT + PLOT_WIDTH, top + SCATTER_HEIGHT + 36, "end",
             r->sweep->objectives.items[1].name);
    fputs("<polyline fill=\"none\" stroke=\"#c0392b\" stroke-width=\"1.5\" points=\"", to);
    for (size_t i = 0; i < r->count && r->front_objectives == 2; i++) {
        const gs_sweep_outcome *o = &r->outcomes[order[i]];
        if (o->front)
            fprintf(to, "%.1f,%.1f ", LEFT + PLOT_WIDTH * place(&x, o->values[1]),
                    top + SCATTER_HEIGHT * (1 - place(&y, o->values[0])));
    }
    fputs("\"/>\n", to);
    for (int pass = 0; pass < 2; pass++) { /* the front above the others */
        for (size_t i = 0; i < r->count; i++) {
            const gs_sweep_outcome *o = &r->outcomes[i];
            if (o->front == (pass == 1))
                put_point(to, r, i, LEFT + PLOT_WIDTH * place(&x, o->values[1]),
                          top + SCATTER_HEIGHT * (1 - place(&y, o->values[0])));
        }
    }
    free(order);
    return GS_OK;
}

/* How much an axis moves the first objective: the largest ratio between any two of its values. */
static double influence(const gs_sweep_step *steps, size_t count)
{
    double at = 1, least = 1, most = 1;
    for (size_t i = 1; i < count; i++) {
        at *= steps[i].ratio;
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    return most / least;
}

static void put_curve(FILE *to, const gs_sweep_results *r, size_t axis, const gs_sweep_step *steps,
                      const range *y, int left, int top)
{
    const gs_sweep_axis *a = &r->sweep->axes.items[axis];
    const size_t count = a->values.count, every = count / 8 + 1;
    double at = 100;
    put_text(to, left, top - 8, "start", a->node->key);
    put_scale(to, y, left, top, CURVE_WIDTH, CURVE_HEIGHT, false);
    fputs("<polyline fill=\"none\" stroke=\"#2c5f8a\" stroke-width=\"2\" points=\"", to);
    at = 100;
    for (size_t i = 0; i < count; i++) {
        at *= steps[i].ratio;
        fprintf(to, "%.1f,%.1f ",
                left + CURVE_WIDTH * (count > 1 ? (double)i / (double)(count - 1) : 0.5),
                top + CURVE_HEIGHT * (1 - place(y, at)));
    }
    fputs("\"/>\n", to);
    for (size_t i = 0; i < count; i += every)
        put_text(to, left + CURVE_WIDTH * (count > 1 ? (double)i / (double)(count - 1) : 0.5),
                 top + CURVE_HEIGHT + 18, "middle", a->values.items[i]);
}

/* The least of the first objective among the designs with these two values; false if there is none.
 */
static bool least_of(const gs_sweep_results *r, size_t x_axis, size_t x, size_t y_axis, size_t y,
                     double *least)
{
    bool found = false;
    for (size_t i = 0; i < r->count; i++) {
        const gs_sweep_outcome *o = &r->outcomes[i];
        if (gs_sweep_value_index(r, o, x_axis) != x || gs_sweep_value_index(r, o, y_axis) != y ||
            (found && o->values[0] >= *least))
            continue;
        *least = o->values[0];
        found = true;
    }
    return found;
}

static void put_heat(FILE *to, const gs_sweep_results *r, size_t x_axis, size_t y_axis, int top)
{
    const gs_sweep_texts *x = &r->sweep->axes.items[x_axis].values;
    const gs_sweep_texts *y = &r->sweep->axes.items[y_axis].values;
    const int width = PLOT_WIDTH / (int)x->count;
    range all = {0};
    for (size_t i = 0; i < r->count; i++)
        widen(&all, r->outcomes[i].values[0], i == 0);
    for (size_t i = 0; i < x->count; i++)
        put_text(to, LEFT + width * ((double)i + 0.5), top - 6, "middle", x->items[i]);
    for (size_t k = 0; k < y->count; k++) {
        const int row = top + (int)k * FIELD_HEIGHT;
        put_text(to, LEFT - 8, row + 17, "end", y->items[k]);
        for (size_t i = 0; i < x->count; i++) {
            double value;
            char text[GS_SWEEP_NUMBER];
            if (!least_of(r, x_axis, i, y_axis, k, &value))
                continue;
            const int light = 96 - (int)(56 * place(&all, value));
            put_short(text, value);
            fprintf(
                to,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"hsl(212,70%%,%d%%)\" "
                "stroke=\"#fff\"/>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" "
                "font-size=\"10\"%s>%s</text>\n",
                LEFT + (int)i * width, row, width, FIELD_HEIGHT, light,
                LEFT + (int)i * width + width / 2, row + 17, light < 62 ? " fill=\"white\"" : "",
                text);
        }
    }
}

typedef struct layout {
    gs_sweep_step *steps[GS_SWEEP_MAX_AXES]; /* NULL: no curve */
    size_t curves;
    range percent;  /* of all curves */
    size_t axes[2]; /* of the heat map */
    bool heat;
    int curves_top, heat_top, height;
} layout;

static gs_status lay_out(layout *l, const gs_sweep_results *r, gs_error *err)
{
    double largest[2] = {0, 0};
    size_t found = 0;
    gs_status status = GS_OK;
    for (size_t i = 0; i < r->sweep->axes.count && status == GS_OK; i++) {
        const size_t count = r->sweep->axes.items[i].values.count;
        if (count < 2 || r->sweep->is_list)
            continue;
        l->steps[i] = calloc(count, sizeof *l->steps[i]);
        status = l->steps[i] ? gs_sweep_steps(r, i, 0, l->steps[i], err) : gs_fail_no_memory(err);
        l->curves++;
        double at = 100;
        for (size_t k = 0; k < count && status == GS_OK; k++)
            widen(&l->percent, at *= l->steps[i][k].ratio, l->curves == 1 && k == 0);
        if (status != GS_OK || count > MOST_FIELDS)
            continue;
        const double moves = influence(l->steps[i], count);
        found++;
        if (moves > largest[0]) {
            largest[1] = largest[0];
            l->axes[1] = l->axes[0];
            largest[0] = moves;
            l->axes[0] = i;
        } else if (moves > largest[1]) {
            largest[1] = moves;
            l->axes[1] = i;
        }
    }
    l->heat = found >= 2;
    l->curves_top = r->sweep->objectives.count > 1 ? 80 + SCATTER_HEIGHT + 100 : 110;
    l->heat_top = l->curves_top + (int)(l->curves + 1) / 2 * CURVE_SPACE + 40;
    l->height = l->heat_top;
    if (l->heat)
        l->height += (int)r->sweep->axes.items[l->axes[1]].values.count * FIELD_HEIGHT + 20;
    return status;
}

static void put_title(FILE *to, const gs_sweep_results *r, int height)
{
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"10\" y=\"24\" font-size=\"16\">",
            WIDTH, height, WIDTH, height);
    gs_report_put_xml(to, r->sweep->name);
    fprintf(to, ": %zu designs%s</text>\n", r->count,
            r->front_objectives == 2 ? ", and those that no other beats" : "");
}

gs_status gs_report_sweep_svg(FILE *to, const gs_sweep_results *r, gs_error *err)
{
    layout l = {0};
    gs_status status = lay_out(&l, r, err);
    if (status == GS_OK) {
        put_title(to, r, l.height);
        if (r->sweep->objectives.count > 1 && r->count > 0)
            status = put_scatter(to, r, 80, err);
    }
    if (status == GS_OK && l.curves > 0) {
        char text[200];
        snprintf(text, sizeof text, "%.80s by axis, in percent of that with the first value",
                 r->sweep->objectives.items[0].name);
        put_text(to, 10, l.curves_top - 40, "start", text);
    }
    for (size_t i = 0, at = 0; i < r->sweep->axes.count && status == GS_OK; i++) {
        if (!l.steps[i])
            continue;
        put_curve(to, r, i, l.steps[i], &l.percent, at % 2 ? 530 : 70,
                  l.curves_top + (int)(at / 2) * CURVE_SPACE);
        at++;
    }
    if (status == GS_OK && l.heat) {
        char text[400];
        snprintf(text, sizeof text, "Least %.80s by %.100s (across) and %.100s (down)",
                 r->sweep->objectives.items[0].name, r->sweep->axes.items[l.axes[0]].node->key,
                 r->sweep->axes.items[l.axes[1]].node->key);
        put_text(to, 10, l.heat_top - 26, "start", text);
        put_heat(to, r, l.axes[0], l.axes[1], l.heat_top);
    }
    for (size_t i = 0; i < GS_SWEEP_MAX_AXES; i++)
        free(l.steps[i]);
    fputs("</svg>\n", to);
    return status == GS_OK ? gs_report_end(to, err) : status;
}
