/* How far sweeps are, as JSON. */
#include "base/json.h"
#include "explore/sweep.h"
#include "report/names.h"

gs_status gs_report_sweeps_json(FILE *to, const gs_sweep_list *list, bool running, gs_error *err)
{
    gs_json json;
    gs_json_begin(&json, to);
    gs_json_open_object(&json, NULL);
    gs_json_string(&json, "schema", "gumshoe-sweeps-1");
    gs_json_bool(&json, "running", running);
    gs_json_open_array(&json, "sweeps");
    for (size_t i = 0; i < gs_sweep_list_count(list); i++) {
        const gs_sweep_status *s = gs_sweep_list_at(list, i);
        gs_json_open_object(&json, NULL);
        gs_json_int(&json, "id", s->id);
        gs_json_string(&json, "name", s->name);
        gs_json_uint(&json, "points", s->points);
        gs_json_uint(&json, "done", s->done);
        gs_json_uint(&json, "failed", s->failed);
        gs_json_string(&json, "error", s->error);
        gs_json_double(&json, "rate", s->rate);
        gs_json_int(&json, "started", s->started);
        gs_json_int(&json, "last", s->last);
        gs_json_close_object(&json);
    }
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    (void)gs_json_end(&json);
    return gs_report_end(to, err);
}
