/* Rows of a view as CSV. */
#include <inttypes.h>
#include <string.h>

#include "report/names.h"
#include "report/views.h"

static void put_quoted(FILE *to, const char *text)
{
    fputc('"', to);
    gs_report_put_csv(to, text);
    fputc('"', to);
}

static void put_field(FILE *to, gs_view_field field, const gs_profile *profile,
                      const gs_view_row *row)
{
    switch (field) {
    case GS_VIEW_ID: fprintf(to, "%" PRIu32, row->id); break;
    case GS_VIEW_PARENT:
        if (row->parent != GS_PROFILE_NONE)
            fprintf(to, "%" PRIu32, row->parent);
        break;
    case GS_VIEW_DEPTH: fprintf(to, "%" PRIu32, row->depth); break;
    case GS_VIEW_AROUND:
        if (row->around)
            fprintf(to, "0x%08" PRIx32, row->around);
        break;
    case GS_VIEW_CAUSE:
    case GS_VIEW_THREAD:
    case GS_VIEW_TEXT: put_quoted(to, row->text ? row->text : ""); break;
    case GS_VIEW_FUNCTION:
        if (row->function != GS_PROFILE_NONE)
            put_quoted(to, gs_report_function_name(profile, row->function));
        break;
    case GS_VIEW_INLINED:
        fputc('"', to);
        gs_view_put_inlined(to, profile, row->inlined, gs_report_put_csv);
        fputc('"', to);
        break;
    case GS_VIEW_IS_INLINED:
        fputs(gs_report_is_inlined(profile, row->function) ? "true" : "false", to);
        break;
    case GS_VIEW_ESTIMATED: fputs(row->estimated ? "true" : "false", to); break;
    case GS_VIEW_FILE:
        if (row->file != GS_PROFILE_NONE)
            put_quoted(to, gs_report_file_name(profile, row->file));
        break;
    case GS_VIEW_LINE:
        if (row->file != GS_PROFILE_NONE)
            fprintf(to, "%" PRIu32, row->line);
        break;
    case GS_VIEW_ADDRESS: fprintf(to, "0x%08" PRIx32, row->address); break;
    case GS_VIEW_END: fprintf(to, "0x%08" PRIx32, row->end); break;
    case GS_VIEW_MIN_TRIPS:
        if (row->min_trips)
            fprintf(to, "%" PRIu64, row->min_trips);
        break;
    case GS_VIEW_MAX_TRIPS:
        if (row->max_trips)
            fprintf(to, "%" PRIu64, row->max_trips);
        break;
    case GS_VIEW_MEAN_TRIPS:
        if (row->other)
            fprintf(to, "%.6g", (double)row->count / (double)row->other);
        break;
    case GS_VIEW_ENTRIES:
    case GS_VIEW_HANDLERS:
    case GS_VIEW_TAKEN: fprintf(to, "%" PRIu64, row->other); break;
    default: fprintf(to, "%" PRIu64, row->count); break;
    }
}

static void put_names(FILE *to, const char *prefix, uint32_t counted)
{
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        if (counted >> m & 1)
            fprintf(to, ",%s%s", prefix, gs_metric_key((gs_metric)m));
    }
}

static void put_metrics(FILE *to, const gs_metrics *metrics, uint32_t counted)
{
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        if (counted >> m & 1)
            fprintf(to, ",%" PRIu64, metrics->value[m]);
    }
}

gs_status gs_report_csv(FILE *to, const gs_profile *profile, const gs_report_options *options,
                        gs_error *err)
{
    gs_view view;
    gs_status status = gs_view_open(&view, profile, options, err);
    if (status != GS_OK)
        return status;
    for (const gs_view_field *field = view.fields; *field; field++)
        fprintf(to, "%s%s", field == view.fields ? "" : ",", gs_view_field_name(*field));
    put_names(to, "", view.metrics);
    if (view.has_inclusive)
        put_names(to, "inclusive ", view.metrics);
    fputs("\r\n", to);
    for (size_t i = 0; i < view.count; i++) {
        for (const gs_view_field *field = view.fields; *field; field++) {
            if (field != view.fields)
                fputc(',', to);
            if (!gs_view_is_rest(&view, &view.items[i]))
                put_field(to, *field, profile, &view.items[i]);
        }
        put_metrics(to, &view.items[i].self, view.metrics);
        if (view.has_inclusive)
            put_metrics(to, &view.items[i].inclusive, view.metrics);
        fputs("\r\n", to);
    }
    gs_view_close(&view);
    return gs_report_end(to, err);
}
