/* /api: flame graphs of one run, and what changed between two. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/compare.h"
#include "report/flame.h"
#include "report/json_parts.h"
#include "report/names.h"
#include "serve/api.h"

enum { NODES = 5000 };

static gs_status parse(gs_call *call, gs_flame_options *options, uint32_t *root, gs_error *err)
{
    const gs_request *request = call->request;
    uint64_t most = NODES;
    *options = (gs_flame_options){.root = root};
    gs_status status = gs_request_switch(request, "inverted", &options->inverted, err);
    if (status == GS_OK)
        status = gs_request_switch(request, "inlines", &options->inlines, err);
    if (status == GS_OK)
        status = gs_request_count(request, "limit", GS_API_NODES, &most, err);
    if (status == GS_OK)
        status = gs_request_numbers(request, "root", root, GS_API_DEPTH, &options->root_count, err);
    options->most = most ? (size_t)most : 1;
    return status;
}

gs_status gs_api_tree(gs_call *call, gs_error *err)
{
    const gs_profile *profile;
    gs_flame_options options;
    uint32_t root[GS_API_DEPTH];
    gs_flame flame;
    gs_status status = gs_api_profile(call, "run", &profile, err);
    if (status == GS_OK)
        status = parse(call, &options, root, err);
    if (status == GS_OK)
        status = gs_api_metric(call, profile, &options.metric, err);
    if (status == GS_OK)
        status = gs_flame_open(&flame, profile, &options, err);
    if (status != GS_OK)
        return status;
    gs_api_begin(call, "gumshoe-tree-1");
    gs_json_string(&call->json, "metric", gs_metric_key(options.metric));
    gs_json_uint(&call->json, "total", profile->total.value[options.metric]);
    gs_json_bool(&call->json, "inverted", options.inverted);
    gs_json_open_array(&call->json, "way"); /* the names of `root` */
    for (size_t i = 0; i < options.root_count; i++)
        gs_json_string(&call->json, NULL, gs_report_function_name(profile, root[i]));
    gs_json_close_array(&call->json);
    status = gs_flame_put_json(&call->json, &flame, err);
    gs_flame_close(&flame);
    return status == GS_OK ? gs_api_end(call, err) : status;
}

/* Both runs and what is compared. */
static gs_status parse_two(gs_call *call, const gs_profile **before, const gs_profile **after,
                           gs_metric *metric, gs_error *err)
{
    const gs_diff_options options = {.metric = gs_request_parameter(call->request, "metric")};
    gs_status status = gs_api_profile(call, "before", before, err);
    if (status == GS_OK)
        status = gs_api_profile(call, "after", after, err);
    return status == GS_OK ? gs_diff_metric(*before, *after, &options, metric, err) : status;
}

static void put_side(gs_json *json, const char *key, const gs_profile *profile)
{
    gs_json_open_object(json, key);
    gs_report_json_run(json, "run", &profile->run);
    gs_report_json_metrics(json, "total", &profile->total, gs_report_counted(profile));
    gs_json_close_object(json);
}

gs_status gs_api_difference_tree(gs_call *call, gs_error *err)
{
    const gs_profile *before, *after;
    gs_flame_options options;
    uint32_t root[GS_API_DEPTH];
    gs_flame flame;
    gs_status status = parse(call, &options, root, err);
    if (status == GS_OK)
        status = parse_two(call, &before, &after, &options.metric, err);
    if (status == GS_OK)
        status = gs_flame_open_difference(&flame, before, after, &options, err);
    if (status != GS_OK)
        return status;
    gs_api_begin(call, "gumshoe-difference-tree-1");
    gs_json_string(&call->json, "metric", gs_metric_key(options.metric));
    put_side(&call->json, "before", before);
    put_side(&call->json, "after", after);
    status = gs_flame_put_json(&call->json, &flame, err);
    gs_flame_close(&flame);
    return status == GS_OK ? gs_api_end(call, err) : status;
}

static gs_status find_section(gs_call *call, size_t *section, gs_error *err)
{
    const char *by = gs_request_parameter(call->request, "by");
    for (*section = 0; by && *section < GS_DIFF_SECTIONS; ++*section) {
        if (strcmp(gs_report_by_name(gs_diff_sections[*section].by), by) == 0)
            return GS_OK;
    }
    return by ? gs_fail(err, GS_E_ARGUMENT, "runs cannot be compared by '%.40s'", by) : GS_OK;
}

static bool matches(const gs_compared *row, const char *search)
{
    return !search ||
           (row->row->function != GS_PROFILE_NONE &&
            strcasestr(gs_report_function_name(row->of, row->row->function), search)) ||
           (row->row->file != GS_PROFILE_NONE &&
            strcasestr(gs_report_file_name(row->of, row->row->file), search));
}

static void put_rows(gs_json *json, const gs_comparison *c, size_t section, const char *search,
                     uint64_t offset, uint64_t limit)
{
    uint64_t found = 0;
    gs_json_open_array(json, "rows");
    for (size_t i = 0; i < c->count; i++) {
        if (!matches(&c->items[i], search))
            continue;
        if (found >= offset && found - offset < limit)
            gs_diff_put_json_row(json, c, &c->items[i], section);
        found++;
    }
    gs_json_close_array(json);
    gs_json_uint(json, "found", found);
}

gs_status gs_api_difference(gs_call *call, gs_error *err)
{
    const gs_profile *before, *after;
    gs_metric metric;
    gs_comparison c;
    size_t section = 0;
    uint64_t offset = 0, limit = 100;
    gs_status status = find_section(call, &section, err);
    if (status == GS_OK)
        status = gs_request_count(call->request, "offset", UINT32_MAX, &offset, err);
    if (status == GS_OK)
        status = gs_request_count(call->request, "limit", GS_API_ROWS, &limit, err);
    if (status == GS_OK)
        status = parse_two(call, &before, &after, &metric, err);
    if (status == GS_OK)
        status = gs_comparison_open(&c, before, after, gs_diff_sections[section].by, metric, err);
    if (status != GS_OK)
        return status;
    gs_api_begin(call, "gumshoe-difference-1");
    gs_json_string(&call->json, "by", gs_report_by_name(gs_diff_sections[section].by));
    gs_json_string(&call->json, "metric", gs_metric_key(metric));
    put_side(&call->json, "before", before);
    put_side(&call->json, "after", after);
    put_rows(&call->json, &c, section, gs_request_parameter(call->request, "search"), offset,
             limit);
    gs_comparison_close(&c);
    return gs_api_end(call, err);
}
