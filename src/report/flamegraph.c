/*
 * A flame graph as one SVG file that needs nothing else: call paths from the bottom up, as wide
 * as what they cost. Without JavaScript it is a picture whose frames have tooltips;
 * flamegraph.js makes it zoom and search.
 *
 * Siblings stand side by side, the costliest first: left to right is not time.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/error.h"
#include "report/names.h"
#include "report/paths.h"

enum { WIDTH = 1180, MARGIN = 10, ROW = 17, HEAD = 58, FOOT = 30 };

static const double CHARACTER = 7.25; /* width of one in the 12 pixel monospace font */
static const double NARROWEST = 0.1;  /* pixels; what is less is left out */

typedef struct drawing {
    FILE *to;
    const gs_profile *profile;
    gs_metric metric;
    double scale; /* pixels per unit of the metric */
    uint32_t depth;
} drawing;

/* The same colour for a function in every graph: yellow to red by its name (FNV-1a). */
static void put_colour(FILE *to, const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    fprintf(to, "rgb(%u,%u,%u)", 205 + hash % 50, 90 + (hash >> 8) % 130, 30 + (hash >> 16) % 50);
}

/* As much of the name as fits, cut between characters. */
static void put_fitted(FILE *to, const char *name, double room)
{
    double fitting = (room - 6) / CHARACTER;
    size_t most = fitting > 0 ? (size_t)fitting : 0, letters = 0, bytes = 0, cut = 0;
    while (name[bytes]) {
        unsigned length = gs_report_utf8_length(name + bytes);
        bytes += length ? length : 1;
        letters++;
        if (letters + 2 == most)
            cut = bytes;
    }
    if (letters <= most) {
        gs_report_put_xml(to, name);
    } else if (cut > 0) {
        char *part = strndup(name, cut);
        if (part)
            gs_report_put_xml(to, part);
        fputs("..", to);
        free(part);
    }
}

static void put_title(const drawing *d, const gs_path *path)
{
    const uint64_t *total = d->profile->total.value;
    char inclusive[28], self[28];
    fputs("<title>", d->to);
    gs_report_put_xml(d->to, gs_report_function_name(d->profile, path->function));
    if (gs_report_is_inlined(d->profile, path->function))
        fputs("\ninlined", d->to);
    else if (!gs_report_is_thread(d->profile, path->function))
        fprintf(d->to, "\n%s calls", gs_text_digits(inclusive, path->calls));
    if (path->estimated)
        fputs("; estimated: shared out as on all paths of its function", d->to);
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        /* The one that is drawn first, then the others. */
        gs_metric metric = m == 0 ? d->metric : m <= d->metric ? (gs_metric)(m - 1) : (gs_metric)m;
        if (total[metric] == 0 || !(gs_report_counted(d->profile) >> metric & 1))
            continue;
        uint64_t value = path->inclusive.value[metric];
        fprintf(d->to, "\n%s %s (%.2f%%), self %s", gs_metric_key(metric),
                gs_text_digits(inclusive, value), gs_report_percent(value, total[metric]),
                gs_text_digits(self, path->self.value[metric]));
    }
    fputs("</title>", d->to);
}

static void put_frame(const drawing *d, const gs_path *path, uint64_t from)
{
    const char *name = gs_report_function_name(d->profile, path->function);
    double x = MARGIN + (double)from * d->scale;
    double width = (double)path->inclusive.value[d->metric] * d->scale;
    uint32_t y = HEAD + (d->depth - path->depth) * ROW;
    fprintf(d->to,
            "<g class=\"f\" data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\" data-d=\"%" PRIu32 "\">",
            from, path->inclusive.value[d->metric], path->depth);
    put_title(d, path);
    fprintf(d->to, "<rect x=\"%.2f\" y=\"%" PRIu32 "\" width=\"%.2f\" height=\"%d\" fill=\"", x, y,
            width, ROW - 1);
    put_colour(d->to, name);
    fprintf(d->to, "\"/><text x=\"%.2f\" y=\"%" PRIu32 "\">", x + 3, y + 12);
    put_fitted(d->to, name, width);
    fputs("</text></g>\n", d->to);
}

/* A path begins where its parent does, after its earlier siblings; a parent's own cost is what is
 * left at its right end. */
static void put_frames(drawing *d, const gs_path *paths, size_t count, uint64_t *next)
{
    for (size_t i = 0; i < count; i++) {
        const gs_path *path = &paths[i];
        uint64_t from = path->parent == GS_PROFILE_NONE ? 0 : next[path->parent];
        next[i] = from;
        if (path->parent != GS_PROFILE_NONE)
            next[path->parent] += path->inclusive.value[d->metric];
        if ((double)path->inclusive.value[d->metric] * d->scale >= NARROWEST)
            put_frame(d, path, from);
    }
}

static void put_head(const drawing *d)
{
    const gs_profile_run *run = &d->profile->run;
    char digits[28];
    uint32_t height = HEAD + (d->depth + 1) * ROW + FOOT;
    fprintf(
        d->to,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%" PRIu32
        "\" viewBox=\"0 0 %d %" PRIu32 "\" data-width=\"%d\" data-margin=\"%d\" "
        "data-character=\"%g\">\n",
        WIDTH + 2 * MARGIN, height, WIDTH + 2 * MARGIN, height, WIDTH, MARGIN, CHARACTER);
    fputs("<style>\n"
          "text { font: 12px monospace; fill: #000; }\n"
          ".title { font: bold 16px sans-serif; text-anchor: middle; }\n"
          ".about { font: 12px sans-serif; text-anchor: middle; fill: #555; }\n"
          ".button { font: 12px sans-serif; cursor: pointer; fill: #00c; }\n"
          ".f { cursor: pointer; }\n"
          ".f text { pointer-events: none; }\n"
          ".f:hover rect { stroke: #000; stroke-width: 0.5; }\n"
          ".above { opacity: 0.5; }\n"
          ".match rect { fill: #e6e; }\n"
          "</style>\n",
          d->to);
    fprintf(d->to,
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
            "<text class=\"title\" x=\"%d\" y=\"22\">",
            WIDTH / 2 + MARGIN);
    gs_report_put_xml(d->to, gs_report_last_part(run->program));
    if (run->core[0]) {
        fputs(" on ", d->to);
        gs_report_put_xml(d->to, run->core);
    }
    fprintf(d->to, "</text>\n<text class=\"about\" x=\"%d\" y=\"42\">%s %s by call path",
            WIDTH / 2 + MARGIN, gs_text_digits(digits, d->profile->total.value[d->metric]),
            gs_metric_text(d->metric));
    if (run->label[0]) {
        fputs(", ", d->to);
        gs_report_put_xml(d->to, run->label);
    }
    fprintf(d->to,
            "</text>\n"
            "<text class=\"button\" id=\"reset\" x=\"%d\" y=\"22\" style=\"display: none\">"
            "Reset zoom</text>\n"
            "<text class=\"button\" id=\"search\" x=\"%d\" y=\"22\" style=\"display: none\">"
            "Search</text>\n"
            "<text id=\"matched\" x=\"%d\" y=\"42\"> </text>\n"
            "<text id=\"details\" x=\"%d\" y=\"%" PRIu32 "\"> </text>\n",
            MARGIN, WIDTH - 70, WIDTH - 110, MARGIN, height - 10);
}

gs_status gs_report_flamegraph(FILE *to, const gs_profile *profile,
                               const gs_report_options *options, gs_error *err)
{
    drawing d = {.to = to, .profile = profile};
    gs_path_list paths;
    gs_status status = gs_path_list_open(&paths, profile, options, err);
    if (status != GS_OK)
        return status;
    d.metric = paths.metric;
    uint64_t *next = calloc(paths.count ? paths.count : 1, sizeof *next);
    if (!next) {
        free(paths.items);
        return gs_fail_no_memory(err);
    }
    uint64_t whole = paths.count ? paths.items[0].inclusive.value[d.metric] : 0;
    d.scale = whole ? (double)WIDTH / (double)whole : 0;
    for (size_t i = 0; i < paths.count; i++) {
        bool visible = (double)paths.items[i].inclusive.value[d.metric] * d.scale >= NARROWEST;
        if (visible && paths.items[i].depth > d.depth)
            d.depth = paths.items[i].depth;
    }
    put_head(&d);
    put_frames(&d, paths.items, paths.count, next);
    fprintf(to, "<script><![CDATA[\n%s]]></script>\n</svg>\n",
            gs_embedded_find("report", "flamegraph")->text);
    free(next);
    free(paths.items);
    return gs_report_end(to, err);
}
