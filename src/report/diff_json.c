/* What changed between two profiles, as JSON. */
#include "report/compare.h"
#include "report/json_parts.h"
#include "report/names.h"

static void put_json_side(gs_json *json, const char *key, const gs_view *view,
                          const gs_view_row *row, const char *count)
{
    gs_json_open_object(json, key);
    gs_json_uint(json, count, row->count);
    gs_report_json_metrics(json, "self", &row->self, view->metrics);
    if (view->has_inclusive)
        gs_report_json_metrics(json, "inclusive", &row->inclusive, view->metrics);
    gs_json_close_object(json);
}

void gs_diff_put_json_row(gs_json *json, const gs_comparison *c, const gs_compared *row,
                          size_t section)
{
    gs_json_open_object(json, NULL);
    if (row->row->text)
        gs_json_string(json, "name", row->row->text);
    if (row->row->function != GS_PROFILE_NONE)
        gs_json_string(json, "function", gs_report_function_name(row->of, row->row->function));
    if (row->row->file != GS_PROFILE_NONE) {
        gs_json_string(json, "file", gs_report_file_name(row->of, row->row->file));
        gs_json_uint(json, "line", row->row->line);
    }
    if (row->is_before)
        put_json_side(json, "before", &c->before, &row->before, gs_diff_sections[section].count);
    if (row->is_after)
        put_json_side(json, "after", &c->after, &row->after, gs_diff_sections[section].count);
    gs_json_close_object(json);
}

static gs_status put_json_section(gs_json *json, const gs_profile *before, const gs_profile *after,
                                  const gs_diff_options *options, gs_metric metric, size_t section,
                                  gs_error *err)
{
    gs_comparison c;
    gs_status status =
        gs_comparison_open(&c, before, after, gs_diff_sections[section].by, metric, err);
    if (status != GS_OK)
        return status;
    size_t top = options->top ? options->top : c.count;
    gs_json_open_array(json, gs_diff_sections[section].key);
    for (size_t i = 0; i < c.count && i < top; i++)
        gs_diff_put_json_row(json, &c, &c.items[i], section);
    gs_json_close_array(json);
    gs_comparison_close(&c);
    return GS_OK;
}

gs_status gs_report_diff_json(FILE *to, const gs_profile *before, const gs_profile *after,
                              const gs_diff_options *options, gs_error *err)
{
    gs_metric metric;
    gs_status status = gs_diff_metric(before, after, options, &metric, err);
    if (status != GS_OK)
        return status;
    gs_json json;
    gs_report_json_begin(&json, to, "gumshoe-diff-1");
    gs_json_string(&json, "metric", gs_metric_key(metric));
    gs_json_open_object(&json, "before");
    gs_report_json_run(&json, "run", &before->run);
    gs_report_json_metrics(&json, "total", &before->total, gs_report_counted(before));
    gs_json_close_object(&json);
    gs_json_open_object(&json, "after");
    gs_report_json_run(&json, "run", &after->run);
    gs_report_json_metrics(&json, "total", &after->total, gs_report_counted(after));
    gs_json_close_object(&json);
    for (size_t i = 0; i < GS_DIFF_SECTIONS && status == GS_OK; i++) {
        if (gs_diff_wants(options, i))
            status = put_json_section(&json, before, after, options, metric, i, err);
    }
    gs_json_close_object(&json);
    gs_json_end(&json);
    return status == GS_OK ? gs_report_end(to, err) : status;
}
