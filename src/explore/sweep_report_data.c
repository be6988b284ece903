/* A sweep's designs for programs: CSV and JSON. */
#include <stdlib.h>

#include "base/json.h"
#include "explore/sweep_results.h"
#include "report/names.h"

gs_status gs_report_sweep_csv(FILE *to, const gs_sweep_results *r, gs_error *err)
{
    const gs_sweep *sweep = r->sweep;
    for (size_t i = 0; i < sweep->axes.count; i++) {
        gs_report_put_csv(to, sweep->axes.items[i].node->key);
        fputc(',', to);
    }
    for (size_t i = 0; i < sweep->objectives.count; i++) {
        gs_report_put_csv(to, sweep->objectives.items[i].name);
        fputc(',', to);
    }
    fputs("front\n", to);
    for (size_t i = 0; i < r->count; i++) {
        const char *const *values = gs_sweep_values(sweep, r->outcomes[i].design);
        for (size_t k = 0; k < sweep->axes.count; k++) {
            gs_report_put_csv(to, values[k] ? values[k] : "");
            fputc(',', to);
        }
        for (size_t k = 0; k < sweep->objectives.count; k++)
            fprintf(to, "%.17g,", r->outcomes[i].values[k]);
        fprintf(to, "%d\n", r->outcomes[i].front);
    }
    return gs_report_end(to, err);
}

static void put_outcome(gs_json *json, const char *key, const gs_sweep_results *r, size_t index)
{
    const gs_sweep *sweep = r->sweep;
    const gs_sweep_outcome *o = &r->outcomes[index];
    const char *const *values = gs_sweep_values(sweep, o->design);
    gs_json_open_object(json, key);
    gs_json_open_object(json, "settings");
    for (size_t i = 0; i < sweep->axes.count; i++) {
        if (values[i])
            gs_json_string(json, sweep->axes.items[i].node->key, values[i]);
    }
    gs_json_close_object(json);
    gs_json_open_object(json, "objectives");
    for (size_t i = 0; i < sweep->objectives.count; i++)
        gs_json_double(json, sweep->objectives.items[i].name, o->values[i]);
    gs_json_close_object(json);
    gs_json_bool(json, "front", o->front);
    gs_json_close_object(json);
}

static gs_status put_axes(gs_json *json, const gs_sweep_results *r, gs_error *err)
{
    gs_json_open_array(json, "axes");
    for (size_t i = 0; i < r->sweep->axes.count; i++) {
        const gs_sweep_axis *axis = &r->sweep->axes.items[i];
        gs_sweep_step *steps = calloc(axis->values.count, sizeof *steps);
        gs_status status = steps ? gs_sweep_steps(r, i, 0, steps, err) : gs_fail_no_memory(err);
        if (status != GS_OK) {
            free(steps);
            return status;
        }
        gs_json_open_object(json, NULL);
        gs_json_string(json, "name", axis->node->key);
        gs_json_open_array(json, "steps");
        for (size_t k = 0; k < axis->values.count; k++) {
            gs_json_open_object(json, NULL);
            gs_json_string(json, "to", axis->values.items[k]);
            gs_json_uint(json, "pairs", steps[k].pairs);
            gs_json_double(json, "ratio", steps[k].ratio);
            gs_json_close_object(json);
        }
        gs_json_close_array(json);
        gs_json_close_object(json);
        free(steps);
    }
    gs_json_close_array(json);
    return GS_OK;
}

gs_status gs_report_sweep_json(FILE *to, const gs_sweep_results *r, gs_error *err)
{
    gs_json json;
    gs_json_begin(&json, to);
    gs_json_open_object(&json, NULL);
    gs_json_string(&json, "schema", "gumshoe-sweep-1");
    gs_json_string(&json, "name", r->sweep->name);
    gs_json_uint(&json, "designs", r->sweep->design_count);
    gs_json_uint(&json, "failed", r->failed);
    gs_json_uint(&json, "missing", r->missing);
    gs_json_double(&json, "within_percent", r->within);
    if (r->count > 0) {
        put_outcome(&json, "best", r, r->best);
        put_outcome(&json, "cheapest", r, r->cheapest);
    }
    gs_status status = put_axes(&json, r, err);
    gs_json_open_array(&json, "outcomes");
    for (size_t i = 0; i < r->count; i++)
        put_outcome(&json, NULL, r, i);
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    (void)gs_json_end(&json);
    return status == GS_OK ? gs_report_end(to, err) : status;
}
