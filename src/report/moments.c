/* Sums a timeline by interval, for the costliest functions. */
#include "report/moments.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec.h"
#include "report/json_parts.h"
#include "report/names.h"

/* Index of a function's sum: functions, then none. */
static size_t place_of(const gs_profile *profile, uint32_t function)
{
    size_t functions = profile->functions.count;
    return function < functions ? function : functions;
}

/* The costliest functions become columns, the costliest first. */
static bool choose(gs_moments *m, const gs_profile *profile)
{
    size_t places = profile->functions.count + 1;
    uint64_t *sums = calloc(places, sizeof *sums);
    if (!sums)
        return false;
    for (size_t i = 0; i < profile->timeline.count; i++) {
        const gs_profile_moment *moment = &profile->timeline.items[i];
        sums[place_of(profile, moment->function)] += moment->cost.value[m->metric];
    }
    while (m->columns < GS_MOMENTS_COLUMNS - 1) {
        size_t most = 0;
        for (size_t i = 1; i < places; i++)
            most = sums[i] > sums[most] ? i : most;
        if (sums[most] == 0)
            break;
        m->functions[m->columns] = most < places - 1 ? (uint32_t)most : GS_PROFILE_NONE;
        m->sums[m->columns++] = sums[most];
        sums[most] = 0;
    }
    for (size_t i = 0; i < places; i++)
        m->sums[m->columns] += sums[i];
    m->columns++;
    free(sums);
    return true;
}

static size_t column_of(const gs_moments *m, uint32_t function)
{
    size_t column = 0;
    while (column < m->columns - 1 && m->functions[column] != function)
        column++;
    return column;
}

static bool fill(gs_moments *m, const gs_profile *profile)
{
    uint64_t most = 0, end = profile->total.value[GS_METRIC_CYCLES];
    for (size_t i = 0; i < profile->timeline.count; i++) {
        const gs_profile_moment *from = &profile->timeline.items[i];
        if (m->count == 0 || m->items[m->count - 1].start != from->start) {
            gs_moment made = {.start = from->start, .end = from->end, .first = GS_PROFILE_NONE};
            if (!gs_vec_push(m, made))
                return false;
            most = 0;
        }
        gs_moment *moment = &m->items[m->count - 1];
        uint64_t cost = from->cost.value[m->metric];
        gs_metrics_add(&moment->cost, &from->cost);
        moment->columns[column_of(m, from->function)] += cost;
        if (cost > most) {
            most = cost;
            moment->first = from->function;
        }
    }
    if (!profile->run.region[0] && m->items[m->count - 1].end > end &&
        end > m->items[m->count - 1].start)
        m->items[m->count - 1].end = end;
    return true;
}

gs_status gs_moments_open(gs_moments *m, const gs_profile *profile,
                          const gs_report_options *options, gs_error *err)
{
    *m = (gs_moments){0};
    gs_status status = gs_report_metric(profile, options, &m->metric, err);
    if (status != GS_OK)
        return status;
    if (profile->timeline.count == 0)
        return gs_fail(err, GS_E_NOT_FOUND,
                       "run %" PRId64 " has no timeline; 'gumshoe run --timeline 10K' keeps one",
                       profile->run.id);
    if (!choose(m, profile) || !fill(m, profile)) {
        gs_moments_close(m);
        return gs_fail_no_memory(err);
    }
    return GS_OK;
}

void gs_moments_close(gs_moments *m)
{
    free(m->items);
    *m = (gs_moments){0};
}

const char *gs_moments_name(const gs_moments *m, const gs_profile *profile, size_t column)
{
    return column == m->columns - 1 ? "(others)"
                                    : gs_report_function_name(profile, m->functions[column]);
}

static void put_columns(gs_json *json, const gs_moments *m, const gs_profile *profile)
{
    gs_json_open_array(json, "columns");
    for (size_t i = 0; i < m->columns; i++) {
        gs_json_open_object(json, NULL);
        gs_json_string(json, "name", gs_moments_name(m, profile, i));
        if (i < m->columns - 1 && m->functions[i] != GS_PROFILE_NONE)
            gs_report_json_address(json, "address",
                                   profile->functions.items[m->functions[i]].start);
        gs_json_uint(json, "sum", m->sums[i]);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

void gs_moments_put_json(gs_json *json, const gs_moments *m, const gs_profile *profile)
{
    put_columns(json, m, profile);
    gs_json_open_array(json, "intervals");
    for (size_t i = 0; i < m->count; i++) {
        const gs_moment *moment = &m->items[i];
        gs_metric most;
        gs_json_open_object(json, NULL);
        gs_json_uint(json, "start", moment->start);
        gs_json_uint(json, "end", moment->end);
        gs_json_uint(json, "instructions", moment->cost.value[GS_METRIC_INSTRUCTIONS]);
        gs_json_uint(json, "cycles", moment->cost.value[GS_METRIC_CYCLES]);
        gs_json_uint(json, "lost", gs_report_stalls(&moment->cost, &most));
        gs_json_uint(json, "value", moment->cost.value[m->metric]);
        gs_json_open_array(json, "parts");
        for (size_t c = 0; c < m->columns; c++)
            gs_json_uint(json, NULL, moment->columns[c]);
        gs_json_close_array(json);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}
