/* /api: a run's totals, causes of stalls, costliest rows and insights. */
#include <stdlib.h>

#include "report/insights.h"
#include "report/json_parts.h"
#include "report/names.h"
#include "serve/api.h"

enum { FUNCTIONS = 12, LOOPS = 8 };

/* Every cycle is one in which an instruction was issued, or one lost to one cause. */
static void put_causes(gs_json *json, const gs_profile *profile)
{
    gs_metric most;
    const uint64_t *total = profile->total.value;
    gs_json_uint(json, "issue_cycles",
                 total[GS_METRIC_CYCLES] - gs_report_stalls(&profile->total, &most));
    gs_json_open_array(json, "causes");
    for (unsigned m = GS_METRIC_FIRST_STALL; m < GS_METRIC_COUNT; m++) {
        if (total[m] == 0)
            continue;
        gs_json_open_object(json, NULL);
        gs_json_string(json, "key", gs_report_cause((gs_metric)m));
        gs_json_uint(json, "cycles", total[m]);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

static void put_counts(gs_json *json, const gs_profile *profile)
{
    gs_json_open_object(json, "counts");
    gs_json_uint(json, "functions", profile->functions.count);
    gs_json_uint(json, "loops", profile->loops.count);
    gs_json_uint(json, "blocks", profile->blocks.count);
    gs_json_uint(json, "instructions", profile->insns.count);
    gs_json_uint(json, "paths", profile->nodes.count);
    gs_json_uint(json, "inlined", profile->inlines.count);
    gs_json_uint(json, "files", profile->files.count);
    gs_json_uint(json, "moments", profile->timeline.count);
    gs_json_uint(json, "markers", profile->markers.count);
    gs_json_close_object(json);
}

static gs_status put_rows(gs_call *call, const gs_profile *profile, gs_report_by by, size_t most,
                          const char *key, gs_error *err)
{
    const gs_report_options options = {.by = by};
    gs_sorted *table;
    gs_status status = gs_shelf_table(&call->server->shelf, &table, profile, &options, err);
    if (status != GS_OK)
        return status;
    gs_json_open_array(&call->json, key);
    for (size_t i = 0; i < table->view.count && most > 0; i++) {
        const gs_view_row *row = &table->view.items[i];
        if (gs_view_is_rest(&table->view, row))
            continue;
        gs_view_put_json_row(&call->json, &table->view, profile, row);
        most--;
    }
    gs_json_close_array(&call->json);
    return GS_OK;
}

static gs_status put_insights(gs_json *json, const gs_profile *profile, gs_error *err)
{
    gs_insight insights[GS_INSIGHTS];
    size_t count;
    gs_status status = gs_insights_find(insights, &count, profile, err);
    gs_json_open_array(json, "insights");
    for (size_t i = 0; status == GS_OK && i < count; i++) {
        gs_json_open_object(json, NULL);
        gs_json_string(json, "rule", insights[i].rule);
        gs_json_string(json, "text", insights[i].text);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
    return status;
}

gs_status gs_api_overview(gs_call *call, gs_error *err)
{
    const gs_profile *profile;
    gs_metric metric;
    bool brief = false;
    gs_status status = gs_api_profile(call, "run", &profile, err);
    if (status == GS_OK)
        status = gs_api_metric(call, profile, &metric, err);
    if (status == GS_OK)
        status = gs_request_switch(call->request, "brief", &brief, err);
    if (status != GS_OK)
        return status;
    gs_api_begin(call, "gumshoe-overview-1");
    gs_report_json_run(&call->json, "run", &profile->run);
    gs_json_string(&call->json, "metric", gs_metric_key(metric));
    gs_report_json_metrics(&call->json, "total", &profile->total, gs_report_counted(profile));
    put_causes(&call->json, profile);
    put_counts(&call->json, profile);
    if (brief)
        return gs_api_end(call, err);
    status = put_insights(&call->json, profile, err);
    if (status == GS_OK)
        status = put_rows(call, profile, GS_REPORT_BY_FUNCTION, FUNCTIONS, "functions", err);
    if (status == GS_OK)
        status = put_rows(call, profile, GS_REPORT_BY_LOOP, LOOPS, "loops", err);
    return status == GS_OK ? gs_api_end(call, err) : status;
}
