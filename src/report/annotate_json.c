/* A function's lines and instructions as JSON. */
#include "report/annotate.h"
#include "report/json_parts.h"
#include "report/names.h"

static void put_place(gs_json *json, const gs_profile *profile, uint32_t file, uint32_t line)
{
    if (file == GS_PROFILE_NONE)
        return;
    gs_json_string(json, "file", gs_report_file_name(profile, file));
    gs_json_uint(json, "line", line);
}

static void put_target(gs_json *json, const gs_annotation *a, const gs_profile_insn *insn)
{
    uint32_t target, function;
    if (!gs_targets_find(&a->targets, insn, &target, &function))
        return;
    gs_json_open_object(json, "target");
    gs_report_json_address(json, "address", target);
    if (function != GS_PROFILE_NONE) {
        gs_json_string(json, "function", gs_report_function_name(a->profile, function));
        gs_json_uint(json, "offset", target - a->profile->functions.items[function].start);
    }
    gs_json_close_object(json);
}

static void put_calls(gs_json *json, const gs_annotation *a, const gs_annotated_site *site)
{
    gs_json_open_array(json, "calls");
    for (size_t i = 0; i < site->count; i++) {
        const gs_annotated_call *call = &a->calls.items[site->first + i];
        gs_json_open_object(json, NULL);
        if (call->function != GS_PROFILE_NONE)
            gs_json_string(json, "function", gs_report_function_name(a->profile, call->function));
        gs_json_uint(json, "calls", call->calls);
        gs_report_json_metrics(json, "inclusive", &call->inclusive, gs_report_counted(a->profile));
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

static void put_total(gs_json *json, const gs_annotation *a, const gs_metrics *total,
                      bool estimated)
{
    gs_report_json_metrics(json, "inclusive", total, gs_report_counted(a->profile));
    gs_json_bool(json, "estimated", estimated);
}

static void put_insn(gs_json *json, const gs_annotation *a, const gs_profile_insn *insn)
{
    const gs_annotated_site *site = gs_annotation_site(a, insn);
    gs_json_open_object(json, NULL);
    gs_report_json_address(json, "address", insn->pc);
    gs_json_string(json, "instruction", insn->text);
    put_target(json, a, insn);
    gs_json_uint(json, "executions", insn->executions);
    gs_json_uint(json, "taken", insn->taken);
    gs_report_json_metrics(json, "self", &insn->cost, gs_report_counted(a->profile));
    if (site) {
        put_total(json, a, &site->total, site->estimated);
        put_calls(json, a, site);
    }
    gs_json_close_object(json);
}

static void put_row(gs_json *json, gs_annotation *a, const gs_annotated *function,
                    const gs_annotated_row *row)
{
    const gs_profile *profile = a->profile;
    if (row->count == 0) /* a line that has inlined code only */
        return;
    gs_json_open_object(json, NULL);
    put_place(json, profile, row->file, row->line);
    const char *source = gs_source_line(gs_sources_get(&a->sources, row->file), row->line);
    if (source)
        gs_json_string(json, "source", source);
    gs_report_json_inlined(json, "inlined", profile, row->inlined);
    gs_json_uint(json, "executions", row->executions);
    gs_report_json_metrics(json, "self", &row->self, gs_report_counted(a->profile));
    put_total(json, a, &row->total, row->estimated);
    gs_json_open_array(json, "instructions");
    for (size_t i = 0; i < row->count; i++)
        put_insn(json, a, function->order[row->first + i]);
    gs_json_close_array(json);
    gs_json_close_object(json);
}

static void put_function(gs_json *json, gs_annotation *a, const gs_annotated *function)
{
    const gs_view_row *row = &function->function;
    gs_json_open_object(json, NULL);
    gs_json_string(json, "function", gs_report_function_name(a->profile, row->function));
    put_place(json, a->profile, row->file, row->line);
    gs_report_json_address(json, "address", row->address);
    gs_report_json_address(json, "end", row->end);
    gs_json_uint(json, "calls", row->count);
    gs_report_json_metrics(json, "self", &row->self, gs_report_counted(a->profile));
    gs_report_json_metrics(json, "inclusive", &row->inclusive, gs_report_counted(a->profile));
    gs_json_open_array(json, "lines");
    for (size_t i = 0; i < function->rows.count; i++)
        put_row(json, a, function, &function->rows.items[i]);
    gs_json_close_array(json);
    gs_json_close_object(json);
}

static void put_sources(gs_json *json, const gs_annotation *a)
{
    gs_json_open_array(json, "sources");
    for (size_t i = 0; i < a->profile->files.count; i++) {
        const gs_source *source = &a->sources.files[i];
        if (!source->looked_for)
            continue;
        gs_json_open_object(json, NULL);
        gs_json_string(json, "file", a->profile->files.items[i]);
        if (source->lines) {
            gs_json_string(json, "path", source->path);
            gs_json_bool(json, "changed", source->changed);
        } else {
            gs_json_string(json, "missing", source->reason);
        }
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

static void write_json(FILE *to, gs_annotation *a, const gs_annotate_options *options)
{
    (void)options;
    gs_json json;
    gs_report_json_begin(&json, to, "gumshoe-annotate-1");
    gs_report_json_run(&json, "run", &a->profile->run);
    gs_json_string(&json, "metric", gs_metric_key(a->metric));
    gs_report_json_metrics(&json, "total", &a->profile->total, gs_report_counted(a->profile));
    gs_json_open_array(&json, "functions");
    for (size_t i = 0; i < a->functions.count; i++)
        put_function(&json, a, &a->functions.items[i]);
    gs_json_close_array(&json);
    put_sources(&json, a);
    gs_json_close_object(&json);
    gs_json_end(&json);
}

gs_status gs_report_annotate_json(FILE *to, const gs_profile *profile,
                                  const gs_annotate_options *options, gs_error *err)
{
    return gs_annotation_report(to, profile, options, write_json, err);
}
