/*
 * What a collector has kept, read again. As in every profile file, nothing is trusted.
 */
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "live/module.h"
#include "profile/profile_reader.h"

typedef struct listed {
    gs_live_stream stream;
    char names[GS_LIVE_COUNTERS][GS_LIVE_NAME];
} listed;

struct gs_live_file {
    gs_profile_file *file;
    struct {
        listed **items;
        size_t count, capacity;
    } streams;
};

static int64_t get_any(gs_reader *r)
{
    return gs_reader_int(r, INT64_MIN, INT64_MAX);
}

static void get_hex(gs_reader *r, uint8_t *bytes, size_t size)
{
    size_t used;
    const char *text = gs_reader_look(r);
    if (sodium_hex2bin(bytes, size, text, strlen(text), NULL, &used, NULL) != 0 || used != size)
        r->bad = true;
}

static uint64_t get_session(gs_reader *r)
{
    uint8_t bytes[8] = {0};
    uint64_t session = 0;
    get_hex(r, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        session = session << 8 | bytes[i];
    return session;
}

static void get_stream(gs_reader *r, gs_live_stream *s)
{
    s->id = gs_reader_int(r, 1, INT64_MAX);
    s->device = (uint64_t)get_any(r);
    s->session = get_session(r);
    s->stream = (uint64_t)get_any(r);
    get_hex(r, s->program.bytes, sizeof s->program.bytes);
    snprintf(s->address, sizeof s->address, "%s", gs_reader_look(r));
    s->clock_hz = gs_reader_u32(r);
    const uint32_t made = gs_reader_u32(r);
    s->counters = gs_live_made_counters(made);
    s->ranges = gs_live_made_ranges(made);
    s->width = gs_live_made_width(made);
    s->signals = gs_reader_u32(r);
    s->setting.interval = gs_reader_u32(r);
    s->began_us = get_any(r);
    s->heard_us = get_any(r);
    s->ended = gs_reader_int(r, 0, 1) != 0;
    s->received = gs_reader_count(r);
    s->lost = gs_reader_count(r);
    s->late = gs_reader_count(r);
    s->doubled = gs_reader_count(r);
    s->skipped = gs_reader_u32(r);
    s->next = s->received + s->lost;
    s->kept = true;
}

static void get_counter(gs_reader *r, listed *l)
{
    gs_live_setting *setting = &l->stream.setting;
    const uint32_t i = setting->counters;
    unsigned signal;
    gs_reader_skip(r);
    gs_reader_expect(r, i);
    if (i == GS_LIVE_COUNTERS)
        r->bad = true;
    if (r->bad)
        return;
    const char *key = gs_reader_look(r);
    setting->selector[i].select = i << 8 | (gs_stats_signal_find(key, &signal) ? signal : 31);
    setting->range[i].first = gs_reader_u32(r);
    setting->range[i].last = gs_reader_u32(r);
    snprintf(l->names[i], sizeof l->names[i], "%s", gs_reader_look(r));
    l->stream.total[i] = (uint64_t)get_any(r);
    setting->counters++;
}

static gs_status load_counters(gs_live_file *f, listed *l, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open(&r, f->file, GS_TABLE_LIVE_COUNTER,
                                      "WHERE stream = ? ORDER BY id", l->stream.id, err);
    if (status != GS_OK)
        return status;
    while (gs_reader_next(&r))
        get_counter(&r, l);
    return gs_reader_close(&r, status, err);
}

static gs_status load_streams(gs_live_file *f, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open(&r, f->file, GS_TABLE_LIVE_STREAM, "ORDER BY id", 0, err);
    if (status != GS_OK)
        return status;
    while (gs_reader_next(&r)) {
        listed *l = gs_reader_may_keep(&r, 64) ? calloc(1, sizeof *l) : NULL;
        r.no_memory |= !l;
        if (l)
            get_stream(&r, &l->stream);
        if (l && !gs_vec_push(&f->streams, l)) {
            free(l);
            r.no_memory = true;
        }
    }
    return gs_reader_close(&r, status, err);
}

static void get_interval(gs_reader *r, const gs_live_stream *stream, gs_live_interval *interval);

/* How far a stream has come. */
static gs_status load_last(gs_live_file *f, listed *l, gs_error *err)
{
    gs_reader r;
    gs_status status =
        gs_reader_open(&r, f->file, GS_TABLE_LIVE_INTERVAL,
                       "WHERE stream = ? ORDER BY sequence DESC LIMIT 1", l->stream.id, err);
    if (status != GS_OK)
        return status;
    while (gs_reader_next(&r)) {
        gs_live_interval interval = {0};
        get_interval(&r, &l->stream, &interval);
        l->stream.interval = interval.interval;
        l->stream.cycle = interval.cycle;
    }
    return gs_reader_close(&r, status, err);
}

gs_status gs_live_file_open(gs_live_file **out, const char *path, gs_error *err)
{
    gs_live_file *f = calloc(1, sizeof *f);
    *out = NULL;
    if (!f)
        return gs_fail_no_memory(err);
    gs_status status = gs_profile_file_open(&f->file, path, err);
    if (status == GS_OK && gs_reader_has_table(f->file, GS_TABLE_LIVE_STREAM)) {
        gs_reader_set_limits(f->file);
        status = load_streams(f, err);
    }
    for (size_t i = 0; i < f->streams.count && status == GS_OK; i++)
        status = load_counters(f, f->streams.items[i], err);
    for (size_t i = 0; i < f->streams.count && status == GS_OK; i++)
        status = load_last(f, f->streams.items[i], err);
    if (status == GS_OK)
        *out = f;
    else
        gs_live_file_free(f);
    return status;
}

void gs_live_file_free(gs_live_file *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->streams.count; i++)
        free(f->streams.items[i]);
    free(f->streams.items);
    gs_profile_file_free(f->file);
    free(f);
}

size_t gs_live_file_count(const gs_live_file *f)
{
    return f->streams.count;
}

const gs_live_stream *gs_live_file_stream(const gs_live_file *f, size_t index)
{
    return &f->streams.items[index]->stream;
}

gs_status gs_live_file_find(const gs_live_stream **out, const gs_live_file *f, const char *which,
                            gs_error *err)
{
    const char *path = gs_profile_file_path(f->file);
    char number[24];
    *out = NULL;
    for (size_t i = 0; i < f->streams.count; i++) {
        const gs_live_stream *stream = &f->streams.items[i]->stream;
        snprintf(number, sizeof number, "%" PRId64, stream->id);
        if (strcmp(which, number) == 0 || strcmp(which, "last") == 0)
            *out = stream;
    }
    if (*out)
        return GS_OK;
    if (f->streams.count == 0)
        return gs_fail(err, GS_E_NOT_FOUND,
                       "%s: nothing has been collected in it; 'gumshoe collect' does that", path);
    return gs_fail(err, GS_E_NOT_FOUND, "%s: there is no stream '%.40s'; they are 1 to %" PRId64,
                   path, which, f->streams.items[f->streams.count - 1]->stream.id);
}

const char *gs_live_file_name(const gs_live_file *f, const gs_live_stream *stream, size_t counter)
{
    for (size_t i = 0; i < f->streams.count; i++) {
        if (&f->streams.items[i]->stream == stream)
            return f->streams.items[i]->names[counter];
    }
    return "";
}

/* "[1,2,3]": how many numbers; a list that is none is bad. */
static unsigned get_list(gs_reader *r, uint64_t values[GS_LIVE_COUNTERS])
{
    const char *at = gs_reader_look(r);
    unsigned count = 0;
    if (*at != '[')
        r->bad = true;
    while (!r->bad && *at != ']') {
        char *end;
        at++; /* a bracket or a comma */
        if (*at < '0' || *at > '9' || count == GS_LIVE_COUNTERS)
            r->bad = true;
        else
            values[count++] = strtoull(at, &end, 10);
        if (!r->bad)
            at = end;
        r->bad |= *at != ',' && *at != ']';
    }
    return count;
}

static void get_interval(gs_reader *r, const gs_live_stream *stream, gs_live_interval *interval)
{
    uint64_t values[GS_LIVE_COUNTERS] = {0};
    gs_reader_skip(r);
    interval->sequence = gs_reader_count(r);
    interval->interval = gs_reader_count(r);
    interval->cycle = (uint64_t)get_any(r);
    interval->arrived_us = get_any(r);
    interval->last = gs_reader_int(r, 0, 1) != 0;
    interval->count = get_list(r, values);
    for (unsigned i = 0; i < interval->count; i++)
        interval->value[i] = (uint32_t)values[i];
    if (get_list(r, interval->total) != interval->count ||
        interval->count != stream->setting.counters)
        r->bad = true;
}

gs_status gs_live_file_read(gs_live_file *f, const gs_live_stream *stream, uint64_t from,
                            bool (*each)(void *self, const gs_live_interval *interval), void *self,
                            gs_error *err)
{
    gs_reader r;
    char rest[96];
    bool more = true;
    gs_reader_set_limits(f->file);
    snprintf(rest, sizeof rest, "WHERE stream = ? AND sequence >= %" PRId64 " ORDER BY sequence",
             from < INT64_MAX ? (int64_t)from : INT64_MAX);
    gs_status status = gs_reader_open(&r, f->file, GS_TABLE_LIVE_INTERVAL, rest, stream->id, err);
    if (status != GS_OK)
        return status;
    while (more && gs_reader_next(&r)) {
        gs_live_interval interval = {0};
        get_interval(&r, stream, &interval);
        more = !r.bad && each(self, &interval);
    }
    if (more || r.bad)
        return gs_reader_close(&r, status, err);
    (void)gs_reader_close(&r, GS_E_ARGUMENT, NULL); /* it was enough */
    return GS_OK;
}
