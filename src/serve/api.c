/* Requests for the session, runs, cores and energy, and what all handlers share. */
#include "serve/api.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gumshoe/energy.h"
#include "gumshoe/version.h"
#include "report/json_parts.h"
#include "report/names.h"
#include "timing/core.h"

gs_status gs_api_profile(gs_call *call, const char *name, const gs_profile **out, gs_error *err)
{
    gs_run_name run;
    gs_status status = gs_request_run(call->request, name, &run, err);
    return status == GS_OK ? gs_shelf_profile(&call->server->shelf, out, run, err) : status;
}

gs_status gs_api_metric(gs_call *call, const gs_profile *profile, gs_metric *metric, gs_error *err)
{
    const gs_report_options options = {.metric = gs_request_parameter(call->request, "metric")};
    return gs_report_metric(profile, &options, metric, err);
}

gs_status gs_api_open_core(gs_core **out, const gs_profile *profile, gs_error *err)
{
    const gs_profile_run *run = &profile->run;
    *out = NULL;
    if (!run->core[0])
        return gs_fail(err, GS_E_UNSUPPORTED, "this run was not timed, so it has no core");
    /* A description in a profile is whole: one that leads to other files is not Gumshoe's. */
    if (strncmp(run->core_yaml, "extends:", 8) == 0 || strstr(run->core_yaml, "\nextends:"))
        return gs_fail(err, GS_E_FORMAT, "the description of the run's core leads to another file");
    return gs_core_parse(out, run->core, run->core_yaml, strlen(run->core_yaml), NULL, 0, err);
}

void gs_api_begin(gs_call *call, const char *schema)
{
    gs_json_begin_compact(&call->json, call->to);
    gs_json_open_object(&call->json, NULL);
    gs_json_string(&call->json, "schema", schema);
}

gs_status gs_api_end(gs_call *call, gs_error *err)
{
    gs_json_close_object(&call->json);
    return gs_json_end(&call->json) ? GS_OK : gs_fail_no_memory(err);
}

static void put_metrics(gs_json *json)
{
    gs_json_open_array(json, "metrics");
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        gs_json_open_object(json, NULL);
        gs_json_string(json, "key", gs_metric_key((gs_metric)m));
        gs_json_string(json, "text", gs_metric_text((gs_metric)m));
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
    gs_json_open_array(json, "causes");
    for (size_t i = 0; i < gs_timing_stall_count(); i++) {
        gs_json_open_object(json, NULL);
        gs_json_string(json, "key", gs_timing_stall_key(i));
        gs_json_string(json, "text", gs_timing_stall_text(i));
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

gs_status gs_api_session(gs_call *call, gs_error *err)
{
    const gs_server *server = call->server;
    gs_api_begin(call, "gumshoe-session-1");
    gs_json_string(&call->json, "version", GUMSHOE_VERSION);
    gs_json_bool(&call->json, "live", server->hub.collector != NULL);
    gs_json_uint(&call->json, "files", server->shelf.file_count);
    gs_json_open_array(&call->json, "sources");
    for (size_t i = 0; i < server->roots.count; i++)
        gs_json_string(&call->json, NULL, server->roots.at[i]);
    gs_json_close_array(&call->json);
    put_metrics(&call->json);
    return gs_api_end(call, err);
}

/* The lists of all files, as `gumshoe runs --json` writes them, and why one cannot be read. */
gs_status gs_api_runs(gs_call *call, gs_error *err)
{
    const gs_shelf *shelf = &call->server->shelf;
    fputs("{\"schema\":\"gumshoe-files-1\",\"files\":[", call->to);
    for (size_t i = 0; i < shelf->file_count; i++) {
        gs_profile_file *file;
        if (i > 0)
            fputc(',', call->to);
        gs_status status = gs_profile_file_open(&file, shelf->files[i], err);
        if (status == GS_OK)
            status = gs_report_runs_json(call->to, file, err);
        else {
            gs_api_begin(call, "gumshoe-runs-1");
            gs_json_string(&call->json, "file", shelf->files[i]);
            gs_json_string(&call->json, "error", err->message);
            status = gs_api_end(call, err);
        }
        gs_profile_file_free(file);
        if (status != GS_OK)
            return status;
    }
    fputs("]}\n", call->to);
    return GS_OK;
}

gs_status gs_api_core(gs_call *call, gs_error *err)
{
    const gs_profile *profile;
    gs_core *core = NULL;
    gs_status status = gs_api_profile(call, "run", &profile, err);
    if (status == GS_OK)
        status = gs_api_open_core(&core, profile, err);
    if (status == GS_OK)
        status = gs_report_core_json(call->to, core, err);
    gs_core_free(core);
    return status;
}

gs_status gs_api_energy(gs_call *call, gs_error *err)
{
    const gs_profile *profile;
    gs_core *core = NULL;
    uint64_t top = 20;
    gs_energy_options options = {0};
    gs_status status = gs_api_profile(call, "run", &profile, err);
    if (status == GS_OK)
        status = gs_request_count(call->request, "limit", GS_API_ROWS, &top, err);
    if (status == GS_OK)
        status = gs_api_open_core(&core, profile, err); /* refuses what must not be opened */
    gs_core_free(core);
    options.top = top ? (size_t)top : 1;
    return status == GS_OK ? gs_report_energy_json(call->to, profile, &options, err) : status;
}
