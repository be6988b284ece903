/* Rows of a view as JSON. */
#include "report/json_parts.h"
#include "report/names.h"
#include "report/views.h"

/* A field that is not known is left out. */
static void put_field(gs_json *json, gs_view_field field, const gs_profile *profile,
                      const gs_view_row *row)
{
    const char *key = gs_view_field_name(field);
    switch (field) {
    case GS_VIEW_ID: gs_json_uint(json, key, row->id); break;
    case GS_VIEW_PARENT:
        if (row->parent != GS_PROFILE_NONE)
            gs_json_uint(json, key, row->parent);
        break;
    case GS_VIEW_DEPTH: gs_json_uint(json, key, row->depth); break;
    case GS_VIEW_AROUND:
        if (row->around)
            gs_report_json_address(json, key, row->around);
        break;
    case GS_VIEW_CAUSE:
    case GS_VIEW_THREAD:
    case GS_VIEW_TEXT: gs_json_string(json, key, row->text ? row->text : ""); break;
    case GS_VIEW_FUNCTION:
        if (row->function != GS_PROFILE_NONE)
            gs_json_string(json, key, gs_report_function_name(profile, row->function));
        break;
    case GS_VIEW_INLINED: gs_report_json_inlined(json, key, profile, row->inlined); break;
    case GS_VIEW_IS_INLINED:
        gs_json_bool(json, key, gs_report_is_inlined(profile, row->function));
        break;
    case GS_VIEW_ESTIMATED: gs_json_bool(json, key, row->estimated); break;
    case GS_VIEW_FILE:
        if (row->file != GS_PROFILE_NONE)
            gs_json_string(json, key, gs_report_file_name(profile, row->file));
        break;
    case GS_VIEW_LINE:
        if (row->file != GS_PROFILE_NONE)
            gs_json_uint(json, key, row->line);
        break;
    case GS_VIEW_ADDRESS: gs_report_json_address(json, key, row->address); break;
    case GS_VIEW_END: gs_report_json_address(json, key, row->end); break;
    case GS_VIEW_MIN_TRIPS:
        if (row->min_trips)
            gs_json_uint(json, key, row->min_trips);
        break;
    case GS_VIEW_MAX_TRIPS:
        if (row->max_trips)
            gs_json_uint(json, key, row->max_trips);
        break;
    case GS_VIEW_MEAN_TRIPS:
        if (row->other)
            gs_json_double(json, key, (double)row->count / (double)row->other);
        break;
    case GS_VIEW_ENTRIES:
    case GS_VIEW_HANDLERS:
    case GS_VIEW_TAKEN: gs_json_uint(json, key, row->other); break;
    default: gs_json_uint(json, key, row->count); break;
    }
}

void gs_view_put_json_members(gs_json *json, const gs_view *view, const gs_profile *profile,
                              const gs_view_row *row)
{
    bool rest = gs_view_is_rest(view, row);
    if (rest)
        gs_json_string(json, "name", row->text);
    for (const gs_view_field *field = view->fields; *field && !rest; field++)
        put_field(json, *field, profile, row);
    gs_report_json_metrics(json, "self", &row->self, view->metrics);
    if (view->has_inclusive)
        gs_report_json_metrics(json, "inclusive", &row->inclusive, view->metrics);
}

void gs_view_put_json_row(gs_json *json, const gs_view *view, const gs_profile *profile,
                          const gs_view_row *row)
{
    gs_json_open_object(json, NULL);
    gs_view_put_json_members(json, view, profile, row);
    gs_json_close_object(json);
}

gs_status gs_report_json(FILE *to, const gs_profile *profile, const gs_report_options *options,
                         gs_error *err)
{
    gs_view view;
    gs_status status = gs_view_open(&view, profile, options, err);
    if (status != GS_OK)
        return status;
    gs_json json;
    gs_report_json_begin(&json, to, "gumshoe-report-1");
    gs_report_json_run(&json, "run", &profile->run);
    gs_json_string(&json, "by", gs_report_by_name(view.by));
    gs_json_string(&json, "metric", gs_metric_key(view.metric));
    gs_report_json_metrics(&json, "total", &profile->total, gs_report_counted(profile));
    gs_json_uint(&json, "row_count", view.all);
    gs_json_open_array(&json, "rows");
    for (size_t i = 0; i < view.count; i++)
        gs_view_put_json_row(&json, &view, profile, &view.items[i]);
    gs_json_close_array(&json);
    if (view.by == GS_REPORT_BY_THREAD)
        gs_view_put_json_switches(&json, profile);
    gs_json_close_object(&json);
    gs_json_end(&json);
    gs_view_close(&view);
    return gs_report_end(to, err);
}
