/*
 * A timeline for Perfetto (https://ui.perfetto.dev) and chrome://tracing, as JSON trace events.
 * A microsecond there is a cycle. One track has the function that cost most in each interval;
 * counters have what every metric moved by in an interval, and what the costliest functions
 * contributed. The timeline's own bounds keep the file small.
 */
#include "base/json.h"
#include "report/moments.h"
#include "report/names.h"

enum { PROCESS = 1, THREAD = 1 };

static void open_event(gs_json *json, const char *phase, const char *name)
{
    gs_json_open_object(json, NULL);
    gs_json_string(json, "ph", phase);
    gs_json_string(json, "name", name);
    gs_json_uint(json, "pid", PROCESS);
    gs_json_uint(json, "tid", THREAD);
}

static void put_name(gs_json *json, const char *what, const char *name)
{
    open_event(json, "M", what);
    gs_json_open_object(json, "args");
    gs_json_string(json, "name", name);
    gs_json_close_object(json);
    gs_json_close_object(json);
}

static void put_counter(gs_json *json, const char *name, const char *key, uint64_t at,
                        uint64_t value)
{
    open_event(json, "C", name);
    gs_json_uint(json, "ts", at);
    gs_json_open_object(json, "args");
    gs_json_uint(json, key, value);
    gs_json_close_object(json);
    gs_json_close_object(json);
}

/* Intervals in a row with the same function are one slice. */
static void put_slices(gs_json *json, const gs_profile *profile, const gs_moments *m)
{
    for (size_t i = 0; i < m->count;) {
        size_t last = i;
        while (last + 1 < m->count && m->items[last + 1].first == m->items[i].first &&
               m->items[last + 1].start == m->items[last].end)
            last++;
        open_event(json, "X", gs_report_function_name(profile, m->items[i].first));
        gs_json_uint(json, "ts", m->items[i].start);
        gs_json_uint(json, "dur", m->items[last].end - m->items[i].start);
        gs_json_close_object(json);
        i = last + 1;
    }
}

static void put_metric(gs_json *json, const gs_moments *m, gs_metric metric)
{
    const char *key = gs_metric_key(metric);
    uint64_t end = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (i > 0 && m->items[i].start != end) /* nothing in between */
            put_counter(json, key, key, end, 0);
        put_counter(json, key, key, m->items[i].start, m->items[i].cost.value[metric]);
        end = m->items[i].end;
    }
    put_counter(json, key, key, end, 0);
}

/* One counter track with a series per function. */
static void put_functions(gs_json *json, const gs_profile *profile, const gs_moments *m)
{
    for (size_t i = 0; i < m->count; i++) {
        open_event(json, "C", "functions");
        gs_json_uint(json, "ts", m->items[i].start);
        gs_json_open_object(json, "args");
        for (size_t column = 0; column < m->columns; column++)
            gs_json_uint(json, gs_moments_name(m, profile, column), m->items[i].columns[column]);
        gs_json_close_object(json);
        gs_json_close_object(json);
    }
}

static void put_markers(gs_json *json, const gs_profile *profile)
{
    for (size_t i = 0; i < profile->markers.count; i++) {
        char name[32];
        snprintf(name, sizeof name, "marker %u", profile->markers.items[i].value);
        open_event(json, "i", name);
        gs_json_uint(json, "ts", profile->markers.items[i].cycle);
        gs_json_string(json, "s", "p"); /* a line through the whole process */
        gs_json_close_object(json);
    }
}

gs_status gs_report_perfetto(FILE *to, const gs_profile *profile, const gs_report_options *options,
                             gs_error *err)
{
    gs_moments m;
    gs_status status = gs_moments_open(&m, profile, options, err);
    if (status != GS_OK)
        return status;
    gs_json json;
    gs_json_begin(&json, to);
    gs_json_open_object(&json, NULL);
    gs_json_string(&json, "displayTimeUnit", "ns");
    gs_json_open_object(&json, "otherData");
    gs_json_string(&json, "time", "1 us is 1 cycle");
    gs_json_string(&json, "program", profile->run.program);
    gs_json_string(&json, "core", profile->run.core);
    gs_json_close_object(&json);
    gs_json_open_array(&json, "traceEvents");
    put_name(&json, "process_name", gs_report_last_part(profile->run.program));
    put_name(&json, "thread_name", "function with most of the interval");
    put_slices(&json, profile, &m);
    for (unsigned metric = 0; metric < GS_METRIC_COUNT; metric++) {
        if (profile->total.value[metric])
            put_metric(&json, &m, (gs_metric)metric);
    }
    put_functions(&json, profile, &m);
    put_markers(&json, profile);
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    gs_json_end(&json);
    gs_moments_close(&m);
    return gs_report_end(to, err);
}
