/*
 * What was collected live, for people: the streams of a file, and the counters of one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gumshoe/live.h"
#include "report/names.h"
#include "report/short_name.h"
#include "report/text_table.h"

/* How a counter's values are spread. */
typedef struct spread {
    uint64_t least, most, sum;
} spread;

enum { CURVE = 16 }; /* characters */

typedef struct stream_view {
    gs_live_file *file;
    const gs_live_stream *stream;
    uint64_t intervals, last_cycle;
    spread spreads[GS_LIVE_COUNTERS];
    struct {
        uint64_t sum, count;
    } parts[GS_LIVE_COUNTERS][CURVE]; /* of the time from first to last */
} stream_view;

static bool add_interval(void *self, const gs_live_interval *interval)
{
    stream_view *v = self;
    const uint64_t end = v->stream->received + v->stream->lost;
    const size_t part = end ? (size_t)(interval->sequence * CURVE / end) : 0;
    for (unsigned i = 0; i < interval->count; i++) {
        spread *s = &v->spreads[i];
        const uint64_t value = interval->value[i];
        s->least = v->intervals == 0 || value < s->least ? value : s->least;
        s->most = value > s->most ? value : s->most;
        s->sum += value;
        v->parts[i][part < CURVE ? part : CURVE - 1].sum += value;
        v->parts[i][part < CURVE ? part : CURVE - 1].count++;
    }
    v->intervals++;
    v->last_cycle = interval->cycle;
    return true;
}

/* -- counters -----------------------------------------------------------------------------------
 */

enum { TOTAL, MEAN, LEAST, MOST, COURSE, COUNTER_COLUMNS };

static const gs_text_column counter_columns[COUNTER_COLUMNS] = {
    [TOTAL] = {.heading = "total"},
    [MEAN] = {.heading = "mean"},
    [LEAST] = {.heading = "least", .spare = 3},
    [MOST] = {.heading = "most", .spare = 2},
    [COURSE] = {.heading = "course of means", .left = true, .spare = 1},
};

/* "._-=^" from nothing to the largest mean; a space where all is lost. */
static void draw_course(char to[GS_TEXT_CELL], const stream_view *v, size_t row)
{
    static const char heights[] = "_.-=^#";
    double most = 0;
    for (size_t i = 0; i < CURVE; i++) {
        if (v->parts[row][i].count) {
            const double mean = (double)v->parts[row][i].sum / (double)v->parts[row][i].count;
            most = mean > most ? mean : most;
        }
    }
    for (size_t i = 0; i < CURVE; i++) {
        const uint64_t count = v->parts[row][i].count;
        const double mean = count ? (double)v->parts[row][i].sum / (double)count : 0;
        const size_t height = most > 0 ? (size_t)(mean / most * (sizeof heights - 2) + 0.5) : 0;
        to[i] = count ? heights[height] : ' ';
    }
    to[CURVE] = '\0';
}

static void put_counter_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const stream_view *v = self;
    const spread *s = &v->spreads[row];
    switch (column) {
    case TOTAL: gs_text_digits(to, v->stream->total[row]); break;
    case MEAN: gs_text_mean(to, v->intervals ? (double)s->sum / (double)v->intervals : 0); break;
    case LEAST: gs_text_digits(to, s->least); break;
    case MOST: gs_text_digits(to, s->most); break;
    default: draw_course(to, v, row); break;
    }
}

static void put_counter_name(FILE *to, void *self, size_t row, unsigned room)
{
    const stream_view *v = self;
    gs_report_put_fitted(to, gs_live_file_name(v->file, v->stream, row), room);
}

static unsigned counter_name_width(void *self, size_t row)
{
    const stream_view *v = self;
    return gs_report_columns(gs_live_file_name(v->file, v->stream, row));
}

/* -- streams ------------------------------------------------------------------------------------
 */

enum { STREAM, DEVICE, RECEIVED, LOST, LATE, DOUBLED, UNSENT, INTERVAL, END, STREAM_COLUMNS };

static const gs_text_column stream_columns[STREAM_COLUMNS] = {
    [STREAM] = {.heading = "stream"},
    [DEVICE] = {.heading = "device"},
    [RECEIVED] = {.heading = "received"},
    [LOST] = {.heading = "lost"},
    [LATE] = {.heading = "late", .spare = 3},
    [DOUBLED] = {.heading = "doubled", .spare = 4},
    [UNSENT] = {.heading = "not sent", .spare = 2},
    [INTERVAL] = {.heading = "interval", .spare = 1},
    [END] = {.heading = "end", .left = true},
};

static void put_stream_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const gs_live_stream *s = gs_live_file_stream(self, row);
    switch (column) {
    case STREAM: snprintf(to, GS_TEXT_CELL, "%" PRId64, s->id); break;
    case DEVICE: snprintf(to, GS_TEXT_CELL, "%" PRIu64, s->device); break;
    case RECEIVED: gs_text_digits(to, s->received); break;
    case LOST: gs_text_digits(to, s->lost); break;
    case LATE: gs_text_digits(to, s->late); break;
    case DOUBLED: gs_text_digits(to, s->doubled); break;
    case UNSENT: gs_text_digits(to, s->skipped); break;
    case INTERVAL: gs_text_digits(to, s->setting.interval); break;
    default: snprintf(to, GS_TEXT_CELL, "%s", s->ended ? "yes" : "no"); break;
    }
}

static void put_stream_name(FILE *to, void *self, size_t row, unsigned room)
{
    gs_report_put_fitted(to, gs_live_file_stream(self, row)->address, room);
}

static unsigned stream_name_width(void *self, size_t row)
{
    return gs_report_columns(gs_live_file_stream(self, row)->address);
}

gs_status gs_report_live_text(FILE *to, gs_live_file *file, const gs_live_stream *stream,
                              unsigned width, gs_error *err)
{
    const gs_text_table streams = {.columns = stream_columns,
                                   .count = STREAM_COLUMNS,
                                   .rows = gs_live_file_count(file),
                                   .name = "address",
                                   .width = width,
                                   .self = file,
                                   .cell = put_stream_cell,
                                   .put_name = put_stream_name,
                                   .name_width = stream_name_width};
    stream_view *v = calloc(1, sizeof *v);
    if (!v)
        return gs_fail_no_memory(err);
    v->file = file;
    v->stream = stream;
    gs_status status = gs_live_file_read(file, stream, 0, add_interval, v, err);
    if (status == GS_OK) {
        const gs_text_table counters = {.columns = counter_columns,
                                        .count = COUNTER_COLUMNS,
                                        .rows = stream->setting.counters,
                                        .name = "counter",
                                        .width = width,
                                        .self = v,
                                        .cell = put_counter_cell,
                                        .put_name = put_counter_name,
                                        .name_width = counter_name_width};
        gs_text_table_put(to, &streams);
        fprintf(to, "\nStream %" PRId64 ", %s intervals, to cycle %s:\n", stream->id,
                GS_TEXT_DIGITS(v->intervals), GS_TEXT_DIGITS(v->last_cycle));
        gs_text_table_put(to, &counters);
        status = gs_report_end(to, err);
    }
    free(v);
    return status;
}
