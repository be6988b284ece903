/*
 * The file format of speedscope (https://www.speedscope.app): the tree of call paths walked once
 * per metric, as frames that open and close. Every profile is a metric, and its unit is one of
 * it; the order in which siblings come is by cost, not by time.
 */
#include <stdlib.h>

#include "base/json.h"
#include "report/names.h"
#include "report/paths.h"

static void put_event(gs_json *json, const char *type, size_t frame, uint64_t at)
{
    gs_json_open_object(json, NULL);
    gs_json_string(json, "type", type);
    gs_json_uint(json, "frame", frame);
    gs_json_uint(json, "at", at);
    gs_json_close_object(json);
}

/* Functions, inlined ones, threads and what stands for all of them, and one for code in no
 * function. */
static size_t frame_count(const gs_profile *profile)
{
    const size_t threads = profile->threads.count;
    return profile->functions.count + profile->inlines.count + (threads ? threads + 1 : 0) + 1;
}

static size_t frame_of(const gs_profile *profile, const gs_path *path)
{
    size_t frames = frame_count(profile);
    return path->function < frames ? path->function : frames - 1;
}

static void put_frames(gs_json *json, const gs_profile *profile)
{
    gs_json_open_object(json, "shared");
    gs_json_open_array(json, "frames");
    for (size_t i = 0; i < frame_count(profile); i++) {
        gs_json_open_object(json, NULL);
        gs_json_string(json, "name", gs_report_function_name(profile, (uint32_t)i));
        if (i < profile->functions.count && profile->functions.items[i].file != GS_PROFILE_NONE) {
            const gs_profile_function *function = &profile->functions.items[i];
            gs_json_string(json, "file", gs_report_file_name(profile, function->file));
            gs_json_uint(json, "line", function->line);
        }
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
    gs_json_close_object(json);
}

/* Opens every path that cost anything, lets its own cost pass, and closes it when the next one is
 * no part of it. */
static void put_profile(gs_json *json, const gs_profile *profile, const gs_path *paths,
                        size_t count, gs_metric metric)
{
    uint32_t open = GS_PROFILE_NONE;
    uint64_t now = 0;
    gs_json_open_object(json, NULL);
    gs_json_string(json, "type", "evented");
    gs_json_string(json, "name", gs_metric_text(metric));
    gs_json_string(json, "unit", "none");
    gs_json_uint(json, "startValue", 0);
    gs_json_uint(json, "endValue", count ? paths[0].inclusive.value[metric] : 0);
    gs_json_open_array(json, "events");
    for (size_t i = 0; i <= count; i++) {
        if (i < count && paths[i].inclusive.value[metric] == 0)
            continue;
        uint32_t parent = i < count ? paths[i].parent : GS_PROFILE_NONE;
        for (; open != parent; open = paths[open].parent)
            put_event(json, "C", frame_of(profile, &paths[open]), now);
        if (i == count)
            break;
        put_event(json, "O", frame_of(profile, &paths[i]), now);
        now += paths[i].self.value[metric];
        open = (uint32_t)i;
    }
    gs_json_close_array(json);
    gs_json_close_object(json);
}

gs_status gs_report_speedscope(FILE *to, const gs_profile *profile,
                               const gs_report_options *options, gs_error *err)
{
    gs_path_list paths;
    gs_status status = gs_path_list_open(&paths, profile, options, err);
    if (status != GS_OK)
        return status;
    gs_json json;
    gs_json_begin(&json, to);
    gs_json_open_object(&json, NULL);
    gs_json_string(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
    gs_json_string(&json, "name", gs_report_last_part(profile->run.program));
    gs_json_string(&json, "exporter", "gumshoe");
    gs_json_uint(&json, "activeProfileIndex", 0);
    put_frames(&json, profile);
    gs_json_open_array(&json, "profiles");
    put_profile(&json, profile, paths.items, paths.count, paths.metric);
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        bool counted = gs_report_counted(profile) >> m & 1;
        if (m != paths.metric && counted && profile->total.value[m])
            put_profile(&json, profile, paths.items, paths.count, (gs_metric)m);
    }
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    gs_json_end(&json);
    free(paths.items);
    return gs_report_end(to, err);
}
