/*
 * A picture of what was collected live: time from left to right, and for each counter a curve of
 * its own, from 0 to the largest value. An SVG file that stands on its own.
 *
 * Where there are more intervals than pixels, a pixel shows the least and the largest value of its
 * intervals; where intervals are missing, the curve is broken.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "gumshoe/live.h"
#include "report/names.h"

enum {
    WIDTH = 1200,
    LEFT = 10,
    TOP = 50,
    PLOT = WIDTH - 2 * LEFT,
    CURVE = 60,
    HEAD = 18,
    GAP = 12
};

typedef struct pixel {
    uint32_t least, most;
    bool used;
} pixel;

typedef struct picture {
    FILE *to;
    gs_live_file *file;
    const gs_live_stream *stream;
    uint64_t end; /* cycle */
    pixel pixels[GS_LIVE_COUNTERS][PLOT];
    uint64_t before; /* the end of the interval before, */
    uint64_t next;   /* and the number that follows it */
} picture;

static bool find_end(void *self, const gs_live_interval *interval)
{
    picture *p = self;
    p->end = interval->cycle > p->end ? interval->cycle : p->end;
    return true;
}

static size_t x_of(const picture *p, uint64_t cycle)
{
    const size_t x = (size_t)((double)cycle * PLOT / ((double)p->end + 1));
    return x < PLOT ? x : PLOT - 1;
}

static void widen(pixel *at, uint32_t value)
{
    at->least = !at->used || value < at->least ? value : at->least;
    at->most = !at->used || value > at->most ? value : at->most;
    at->used = true;
}

static bool add_interval(void *self, const gs_live_interval *interval)
{
    picture *p = self;
    const uint64_t length = p->stream->setting.interval;
    const bool missing = interval->interval != p->next && length && interval->cycle > length;
    const size_t from = x_of(p, missing ? interval->cycle - length : p->before),
                 to = x_of(p, interval->cycle);
    for (size_t x = from; x <= to; x++) {
        for (unsigned i = 0; i < interval->count; i++)
            widen(&p->pixels[i][x], interval->value[i]);
    }
    p->before = interval->cycle;
    p->next = interval->interval + 1;
    return true;
}

static int top_of(unsigned counter)
{
    return TOP + (int)counter * (HEAD + CURVE + GAP);
}

static void put_head(const picture *p)
{
    const int height = top_of(p->stream->setting.counters) + GAP;
    fprintf(p->to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"%d\" y=\"22\" font-size=\"16\">device %" PRIu64 " at ",
            WIDTH, height, WIDTH, height, LEFT, p->stream->device);
    gs_report_put_xml(p->to, p->stream->address);
    fprintf(p->to,
            ", stream %" PRId64 "</text>\n<text x=\"%d\" y=\"40\">from cycle 0 to %s, in intervals "
            "of %s; %s of %s came</text>\n",
            p->stream->id, LEFT, GS_TEXT_DIGITS(p->end),
            GS_TEXT_DIGITS(p->stream->setting.interval), GS_TEXT_DIGITS(p->stream->received),
            GS_TEXT_DIGITS(p->stream->received + p->stream->lost));
}

/* The largest values from left to right, and the least ones back, of pixels without a gap. */
static void put_part(const picture *p, unsigned counter, size_t from, size_t end, uint32_t most)
{
    const pixel *pixels = p->pixels[counter];
    const double scale = most ? (double)CURVE / most : 0, bottom = top_of(counter) + HEAD + CURVE;
    fputs("<path d=\"M", p->to);
    for (size_t x = from; x < end; x++)
        fprintf(p->to, "%zu %.1f ", LEFT + x, bottom - pixels[x].most * scale);
    for (size_t x = end; x-- > from;)
        fprintf(p->to, "%zu %.1f ", LEFT + x, bottom - pixels[x].least * scale);
    fputs("z\"/>\n", p->to);
}

static void put_curve(const picture *p, unsigned counter)
{
    const pixel *pixels = p->pixels[counter];
    uint32_t most = 0;
    for (size_t x = 0; x < PLOT; x++)
        most = pixels[x].most > most ? pixels[x].most : most;
    fprintf(p->to, "<text x=\"%d\" y=\"%d\">", LEFT, top_of(counter) + HEAD - 5);
    gs_report_put_xml(p->to, gs_live_file_name(p->file, p->stream, counter));
    fprintf(p->to,
            ": at most %s, in all %s</text>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
            "fill=\"#f2f2f2\"/>\n<g fill=\"#4e79a7\" stroke=\"#4e79a7\">\n",
            GS_TEXT_DIGITS(most), GS_TEXT_DIGITS(p->stream->total[counter]), LEFT,
            top_of(counter) + HEAD, PLOT, CURVE);
    for (size_t x = 0; x < PLOT;) {
        size_t end = x;
        while (end < PLOT && pixels[end].used)
            end++;
        if (end > x)
            put_part(p, counter, x, end, most);
        x = end + 1;
    }
    fputs("</g>\n", p->to);
}

gs_status gs_report_live_phases(FILE *to, gs_live_file *file, const gs_live_stream *stream,
                                unsigned width, gs_error *err)
{
    picture *p = calloc(1, sizeof *p);
    (void)width;
    if (!p)
        return gs_fail_no_memory(err);
    p->to = to;
    p->file = file;
    p->stream = stream;
    gs_status status = gs_live_file_read(file, stream, 0, find_end, p, err);
    if (status == GS_OK)
        status = gs_live_file_read(file, stream, 0, add_interval, p, err);
    if (status == GS_OK) {
        put_head(p);
        for (unsigned i = 0; i < stream->setting.counters; i++)
            put_curve(p, i);
        fputs("</svg>\n", to);
        status = gs_report_end(to, err);
    }
    free(p);
    return status;
}
