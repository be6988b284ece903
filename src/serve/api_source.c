/* /api: a function with its lines and instructions, source files, and the timeline. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/json_parts.h"
#include "report/markers.h"
#include "report/moments.h"
#include "report/names.h"
#include "report/source.h"
#include "serve/api.h"

gs_status gs_api_function(gs_call *call, gs_error *err)
{
    const gs_profile *profile;
    uint32_t begin;
    bool given;
    gs_metric metric;
    gs_status status = gs_api_profile(call, "run", &profile, err);
    if (status == GS_OK)
        status = gs_api_metric(call, profile, &metric, err);
    if (status == GS_OK)
        status = gs_request_address(call->request, "address", &begin, &given, err);
    if (status != GS_OK)
        return status;
    if (!given)
        return gs_fail(err, GS_E_ARGUMENT, "parameter 'address' has to be one in a function");
    const uint64_t address = begin;
    const gs_annotate_options options = {
        .address = &address,
        .metric = gs_metric_key(metric),
        .roots = (const char *const *)call->server->roots_at,
        .root_count = call->server->roots.count,
    };
    return gs_report_annotate_json(call->to, profile, &options, err);
}

static uint32_t find_file(const gs_profile *profile, const char *path)
{
    for (size_t i = 0; path && i < profile->files.count; i++) {
        if (strcmp(profile->files.items[i], path) == 0)
            return (uint32_t)i;
    }
    return GS_PROFILE_NONE;
}

static void put_lines(gs_json *json, const gs_source *source, uint64_t first, uint64_t last)
{
    gs_json_string(json, "path", source->path);
    gs_json_bool(json, "changed", source->changed);
    gs_json_uint(json, "line_count", source->line_count);
    gs_json_uint(json, "first", first);
    gs_json_open_array(json, "lines");
    for (uint64_t line = first; line <= last && line <= source->line_count; line++)
        gs_json_string(json, NULL, gs_source_line(source, (uint32_t)line));
    gs_json_close_array(json);
}

/* Lines of one of the profile's own files, by the name that the profile has for it. */
gs_status gs_api_source(gs_call *call, gs_error *err)
{
    const gs_profile *profile;
    gs_sources sources;
    uint64_t first = 1, last = GS_API_LINES;
    gs_status status = gs_api_profile(call, "run", &profile, err);
    if (status == GS_OK)
        status = gs_request_count(call->request, "first", UINT32_MAX, &first, err);
    if (status == GS_OK)
        status = gs_request_count(call->request, "last", UINT32_MAX, &last, err);
    if (status != GS_OK)
        return status;
    uint32_t file = find_file(profile, gs_request_parameter(call->request, "file"));
    if (file == GS_PROFILE_NONE)
        return gs_fail(err, GS_E_NOT_FOUND, "the run has no such source file");
    first = first ? first : 1;
    last = last >= first + GS_API_LINES ? first + GS_API_LINES - 1 : last;
    status = gs_sources_open(&sources, profile, NULL, &call->server->roots, err);
    if (status != GS_OK)
        return status;
    const gs_source *source = gs_sources_get(&sources, file);
    gs_api_begin(call, "gumshoe-source-1");
    gs_json_string(&call->json, "file", profile->files.items[file]);
    if (source->lines)
        put_lines(&call->json, source, first, last);
    else
        gs_json_string(&call->json, "missing", source->reason);
    gs_sources_close(&sources);
    return gs_api_end(call, err);
}

gs_status gs_api_timeline(gs_call *call, gs_error *err)
{
    const gs_profile *profile;
    gs_moments moments;
    const gs_report_options options = {.metric = gs_request_parameter(call->request, "metric")};
    gs_status status = gs_api_profile(call, "run", &profile, err);
    if (status == GS_OK)
        status = gs_moments_open(&moments, profile, &options, err);
    if (status != GS_OK)
        return status;
    gs_api_begin(call, "gumshoe-timeline-1");
    gs_json_string(&call->json, "metric", gs_metric_key(moments.metric));
    gs_moments_put_json(&call->json, &moments, profile);
    gs_report_json_markers(&call->json, profile->markers.items, profile->markers.count,
                           gs_report_is_timed(profile));
    gs_moments_close(&moments);
    return gs_api_end(call, err);
}
