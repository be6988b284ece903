/* Names of streams, and what there is to know of one as JSON. */
#include "serve/streams.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "image/image.h"
#include "live/module.h"

/* A number that ends with `end`. */
static bool read_part(const char **at, int base, char end, uint64_t *value)
{
    char *after;
    if (!isxdigit((unsigned char)**at))
        return false;
    errno = 0;
    *value = strtoull(*at, &after, base);
    if (errno != 0 || *after != end)
        return false;
    *at = after + (end != '\0');
    return true;
}

gs_status gs_request_stream(const gs_request *request, const char *name, gs_stream_name *value,
                            gs_error *err)
{
    const char *text = gs_request_parameter(request, name);
    if (!text || !read_part(&text, 10, '-', &value->device) ||
        !read_part(&text, 16, '-', &value->session) || !read_part(&text, 10, '\0', &value->stream))
        return gs_fail(err, GS_E_ARGUMENT,
                       "parameter '%s' has to be the name of a stream, as /api/live lists them",
                       name);
    return GS_OK;
}

bool gs_stream_is(const gs_live_stream *stream, const gs_stream_name *name)
{
    return stream->device == name->device && stream->session == name->session &&
           stream->stream == name->stream;
}

bool gs_stream_find_live(const gs_hub *hub, const gs_stream_name *name, size_t *index)
{
    const size_t count = hub->collector ? gs_collector_stream_count(hub->collector) : 0;
    for (*index = 0; *index < count; ++*index) {
        if (gs_stream_is(gs_collector_stream(hub->collector, *index), name))
            return true;
    }
    return false;
}

const gs_live_stream *gs_stream_find_in(const gs_live_file *file, const gs_stream_name *name)
{
    for (size_t i = 0; i < gs_live_file_count(file); i++) {
        const gs_live_stream *stream = gs_live_file_stream(file, i);
        if (gs_stream_is(stream, name))
            return stream;
    }
    return NULL;
}

/* -- JSON ---------------------------------------------------------------------------------------
 */

/* Numbers of 64 bits that are names, not amounts: as text, which every reader keeps whole. */
static void put_number(gs_json *json, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    gs_json_string(json, key, text);
}

static void put_address(gs_json *json, const char *key, uint32_t value)
{
    char text[12];
    snprintf(text, sizeof text, "0x%08" PRIx32, value);
    gs_json_string(json, key, text);
}

static void put_names(gs_json *json, const gs_live_stream *s)
{
    char name[GS_STREAM_NAME], program[2 * sizeof s->program.bytes + 1];
    snprintf(name, sizeof name, "%" PRIu64 "-%016" PRIx64 "-%" PRIu64, s->device, s->session,
             s->stream);
    sodium_bin2hex(program, sizeof program, s->program.bytes, sizeof s->program.bytes);
    gs_json_string(json, "name", name);
    put_number(json, "device", s->device);
    put_number(json, "stream", s->stream);
    gs_json_string(json, "address", s->address);
    gs_json_string(json, "program", program);
}

static void put_module(gs_json *json, const gs_live_stream *s)
{
    gs_json_open_object(json, "module");
    gs_json_uint(json, "counters", s->counters);
    gs_json_uint(json, "ranges", s->ranges);
    gs_json_uint(json, "width", s->width);
    gs_json_open_array(json, "signals");
    for (size_t i = 0; i < gs_live_signal_count(); i++) {
        if (s->signals >> i & 1)
            gs_json_string(json, NULL, gs_live_signal_key(i));
    }
    gs_json_close_array(json);
    gs_json_close_object(json);
}

static void put_counter(gs_json *json, const gs_live_stream *s, unsigned i, const char *name)
{
    const uint32_t select = s->setting.selector[i].select;
    const unsigned range = gs_live_range_of(select), signal = gs_live_signal_of(select);
    gs_json_open_object(json, NULL);
    gs_json_string(json, "name", name);
    gs_json_string(json, "signal",
                   signal < gs_live_signal_count() ? gs_live_signal_key(signal) : "?");
    put_address(json, "first", s->setting.range[range].first);
    put_address(json, "last", s->setting.range[range].last);
    gs_json_uint(json, "total", s->total[i]);
    gs_json_close_object(json);
}

static void put_counts(gs_json *json, const gs_live_stream *s)
{
    gs_json_uint(json, "clock_hz", s->clock_hz);
    gs_json_uint(json, "interval", s->setting.interval);
    gs_json_uint(json, "cycle", s->cycle);
    gs_json_uint(json, "received", s->received);
    gs_json_uint(json, "lost", s->lost);
    gs_json_uint(json, "late", s->late);
    gs_json_uint(json, "doubled", s->doubled);
    gs_json_uint(json, "unsent", s->skipped);
    gs_json_uint(json, "strangers", s->strangers);
    gs_json_uint(json, "old", s->old);
    gs_json_uint(json, "repeated", s->repeated);
    gs_json_int(json, "began_us", s->began_us);
    gs_json_int(json, "heard_us", s->heard_us);
    gs_json_bool(json, "ended", s->ended);
    gs_json_bool(json, "program_ended", s->program_ended);
}

void gs_stream_put_live(gs_json *json, const char *key, const gs_hub *hub, size_t index)
{
    const gs_live_stream *s = gs_collector_stream(hub->collector, index);
    const gs_image *image = gs_collector_program(hub->collector, &s->program);
    char name[GS_LIVE_NAME];
    gs_json_open_object(json, key);
    put_names(json, s);
    gs_json_bool(json, "live", true);
    gs_json_bool(json, "running", s->running);
    gs_json_uint(json, "file", s->kept ? 1 : 0);
    if (image)
        gs_json_string(json, "program_file", gs_image_name(image));
    put_counts(json, s);
    put_module(json, s);
    gs_json_open_array(json, "counters");
    for (unsigned i = 0; i < s->setting.counters; i++)
        put_counter(json, s, i, gs_live_counter_name(name, &s->setting, i, image));
    gs_json_close_array(json);
    gs_json_close_object(json);
}

void gs_stream_put_kept(gs_json *json, const char *key, const gs_live_file *file, size_t number,
                        const gs_live_stream *s)
{
    gs_json_open_object(json, key);
    put_names(json, s);
    gs_json_bool(json, "live", false);
    gs_json_bool(json, "running", false);
    gs_json_uint(json, "file", number + 1);
    put_counts(json, s);
    put_module(json, s);
    gs_json_open_array(json, "counters");
    for (unsigned i = 0; i < s->setting.counters; i++)
        put_counter(json, s, i, gs_live_file_name(file, s, i));
    gs_json_close_array(json);
    gs_json_close_object(json);
}
