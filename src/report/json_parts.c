/* JSON of runs, metrics and inlined calls. */
#include "report/json_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void gs_report_json_address(gs_json *json, const char *key, uint32_t address)
{
    char text[16];
    snprintf(text, sizeof text, "0x%08" PRIx32, address);
    gs_json_string(json, key, text);
}

void gs_report_json_metrics(gs_json *json, const char *key, const gs_metrics *metrics,
                            uint32_t counted)
{
    gs_json_open_object(json, key);
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        if (counted >> m & 1)
            gs_json_uint(json, gs_metric_key((gs_metric)m), metrics->value[m]);
    }
    gs_json_close_object(json);
}

void gs_report_json_guest(gs_json *json, const char *inherited, const char *variables)
{
    gs_json_string(json, "inherited", inherited);
    gs_json_open_array(json, "variables");
    while (*variables) {
        size_t length = strcspn(variables, "\n");
        char *line = strndup(variables, length);
        gs_json_string(json, NULL, line ? line : "");
        free(line);
        variables += length + (variables[length] == '\n');
    }
    gs_json_close_array(json);
}

void gs_report_json_begin(gs_json *json, FILE *to, const char *schema)
{
    gs_json_begin(json, to);
    gs_json_open_object(json, NULL);
    gs_json_string(json, "schema", schema);
}

void gs_report_json_run(gs_json *json, const char *key, const gs_profile_run *run)
{
    gs_json_open_object(json, key);
    gs_json_int(json, "id", run->id);
    gs_json_string(json, "program", run->program);
    gs_json_string(json, "label", run->label);
    gs_json_string(json, "core", run->core);
    gs_json_string(json, "isa", run->isa);
    gs_json_string(json, "environment", run->environment);
    gs_report_json_guest(json, run->inherited, run->variables);
    gs_json_string(json, "region", run->region);
    gs_json_string(json, "commit", run->commit);
    gs_json_string(json, "version", run->version);
    gs_json_int(json, "started", run->started);
    gs_json_uint(json, "clock_hz", run->clock_hz);
    gs_json_uint(json, "desyncs", run->desyncs);
    gs_json_close_object(json);
}

void gs_report_json_inlined(gs_json *json, const char *key, const gs_profile *profile,
                            uint32_t inlined)
{
    gs_json_open_array(json, key);
    for (; inlined != GS_PROFILE_NONE; inlined = profile->inlines.items[inlined].outer) {
        const gs_profile_inline *call = &profile->inlines.items[inlined];
        gs_json_open_object(json, NULL);
        gs_json_string(json, "function", call->function);
        if (call->call_file != GS_PROFILE_NONE) {
            gs_json_string(json, "call_file", profile->files.items[call->call_file]);
            gs_json_uint(json, "call_line", call->call_line);
        }
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}
