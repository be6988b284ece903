/*
 * What was collected live, for programs: JSON, CSV, and trace events for Perfetto, where a
 * microsecond is a cycle.
 */
#include <inttypes.h>

#include "base/json.h"
#include "gumshoe/live.h"
#include "report/names.h"

typedef struct writing {
    FILE *to;
    gs_json json;
    gs_live_file *file;
    const gs_live_stream *stream;
    uint64_t before; /* the cycle at which the interval before ended */
} writing;

static void put_numbers(gs_json *json, const char *key, const gs_live_interval *interval,
                        bool totals)
{
    gs_json_open_array(json, key);
    for (unsigned i = 0; i < interval->count; i++)
        gs_json_uint(json, NULL, totals ? interval->total[i] : interval->value[i]);
    gs_json_close_array(json);
}

static bool put_interval(void *self, const gs_live_interval *interval)
{
    writing *w = self;
    gs_json_open_object(&w->json, NULL);
    gs_json_uint(&w->json, "sequence", interval->sequence);
    gs_json_uint(&w->json, "interval", interval->interval);
    gs_json_uint(&w->json, "cycle", interval->cycle);
    gs_json_int(&w->json, "arrived_us", interval->arrived_us);
    gs_json_bool(&w->json, "last", interval->last);
    put_numbers(&w->json, "value", interval, false);
    put_numbers(&w->json, "total", interval, true);
    gs_json_close_object(&w->json);
    return true;
}

static void put_counters(writing *w)
{
    const gs_live_setting *setting = &w->stream->setting;
    gs_json_open_array(&w->json, "counters");
    for (unsigned i = 0; i < setting->counters; i++) {
        gs_json_open_object(&w->json, NULL);
        gs_json_string(&w->json, "name", gs_live_file_name(w->file, w->stream, i));
        gs_json_uint(&w->json, "first", setting->range[i].first);
        gs_json_uint(&w->json, "last", setting->range[i].last);
        gs_json_uint(&w->json, "total", w->stream->total[i]);
        gs_json_close_object(&w->json);
    }
    gs_json_close_array(&w->json);
}

static void put_stream(writing *w)
{
    const gs_live_stream *s = w->stream;
    char session[20];
    snprintf(session, sizeof session, "%016" PRIx64, s->session);
    gs_json_int(&w->json, "stream", s->id);
    gs_json_uint(&w->json, "device", s->device);
    gs_json_string(&w->json, "session", session);
    gs_json_string(&w->json, "address", s->address);
    gs_json_uint(&w->json, "clock_hz", s->clock_hz);
    gs_json_uint(&w->json, "interval", s->setting.interval);
    gs_json_bool(&w->json, "ended", s->ended);
    gs_json_uint(&w->json, "received", s->received);
    gs_json_uint(&w->json, "lost", s->lost);
    gs_json_uint(&w->json, "late", s->late);
    gs_json_uint(&w->json, "doubled", s->doubled);
    gs_json_uint(&w->json, "unsent", s->skipped);
}

gs_status gs_report_live_json(FILE *to, gs_live_file *file, const gs_live_stream *stream,
                              unsigned width, gs_error *err)
{
    writing w = {.to = to, .file = file, .stream = stream};
    (void)width;
    gs_json_begin(&w.json, to);
    gs_json_open_object(&w.json, NULL);
    gs_json_string(&w.json, "schema", "gumshoe-live-1");
    put_stream(&w);
    put_counters(&w);
    gs_json_open_array(&w.json, "intervals");
    gs_status status = gs_live_file_read(file, stream, 0, put_interval, &w, err);
    gs_json_close_array(&w.json);
    gs_json_close_object(&w.json);
    (void)gs_json_end(&w.json);
    return status == GS_OK ? gs_report_end(to, err) : status;
}

static bool put_line(void *self, const gs_live_interval *interval)
{
    const writing *w = self;
    fprintf(w->to, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64, interval->sequence,
            interval->interval, interval->cycle, interval->arrived_us);
    for (unsigned i = 0; i < interval->count; i++)
        fprintf(w->to, ",%" PRIu32, interval->value[i]);
    for (unsigned i = 0; i < interval->count; i++)
        fprintf(w->to, ",%" PRIu64, interval->total[i]);
    fputs("\r\n", w->to);
    return true;
}

static void put_heads(const writing *w, const char *before)
{
    for (unsigned i = 0; i < w->stream->setting.counters; i++) {
        fprintf(w->to, ",\"%s", before);
        gs_report_put_csv(w->to, gs_live_file_name(w->file, w->stream, i));
        fputc('"', w->to);
    }
}

gs_status gs_report_live_csv(FILE *to, gs_live_file *file, const gs_live_stream *stream,
                             unsigned width, gs_error *err)
{
    writing w = {.to = to, .file = file, .stream = stream};
    (void)width;
    fputs("sequence,interval,cycle,arrived_us", to);
    put_heads(&w, "");
    put_heads(&w, "total ");
    fputs("\r\n", to);
    gs_status status = gs_live_file_read(file, stream, 0, put_line, &w, err);
    return status == GS_OK ? gs_report_end(to, err) : status;
}

static void open_event(gs_json *json, const char *phase, const char *name)
{
    gs_json_open_object(json, NULL);
    gs_json_string(json, "ph", phase);
    gs_json_string(json, "name", name);
    gs_json_uint(json, "pid", 1);
}

static void put_value(writing *w, unsigned counter, uint64_t at, uint64_t value)
{
    const char *name = gs_live_file_name(w->file, w->stream, counter);
    open_event(&w->json, "C", name);
    gs_json_uint(&w->json, "ts", at);
    gs_json_open_object(&w->json, "args");
    gs_json_uint(&w->json, name, value);
    gs_json_close_object(&w->json);
    gs_json_close_object(&w->json);
}

/* Where intervals are missing, the one before holds. */
static bool put_event(void *self, const gs_live_interval *interval)
{
    writing *w = self;
    for (unsigned i = 0; i < interval->count; i++)
        put_value(w, i, w->before, interval->value[i]);
    w->before = interval->cycle;
    return true;
}

gs_status gs_report_live_perfetto(FILE *to, gs_live_file *file, const gs_live_stream *stream,
                                  unsigned width, gs_error *err)
{
    writing w = {.to = to, .file = file, .stream = stream};
    char name[GS_LIVE_NAME + 32];
    (void)width;
    snprintf(name, sizeof name, "device %" PRIu64 " at %s", stream->device, stream->address);
    gs_json_begin(&w.json, to);
    gs_json_open_object(&w.json, NULL);
    gs_json_string(&w.json, "displayTimeUnit", "ns");
    gs_json_open_object(&w.json, "otherData");
    gs_json_string(&w.json, "time", "1 us is 1 cycle");
    gs_json_close_object(&w.json);
    gs_json_open_array(&w.json, "traceEvents");
    open_event(&w.json, "M", "process_name");
    gs_json_open_object(&w.json, "args");
    gs_json_string(&w.json, "name", name);
    gs_json_close_object(&w.json);
    gs_json_close_object(&w.json);
    gs_status status = gs_live_file_read(file, stream, 0, put_event, &w, err);
    for (unsigned i = 0; i < stream->setting.counters; i++)
        put_value(&w, i, w.before, 0);
    gs_json_close_array(&w.json);
    gs_json_close_object(&w.json);
    (void)gs_json_end(&w.json);
    return status == GS_OK ? gs_report_end(to, err) : status;
}
