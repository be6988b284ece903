/*
 * What on-chip profilers said in a run that is in a profile file.
 */
#include "base/error.h"
#include "gumshoe/report.h"
#include "profile/profile.h"
#include "report/unit_results.h"

/* What there is, if it is what was asked for. */
static gs_status find_results(gs_results *out, const gs_profile *profile,
                              const gs_report_options *options, gs_error *err)
{
    *out = (gs_results){profile->units.items, profile->units.count};
    const gs_result_table *table;
    if (out->count == 0)
        return gs_fail(err, GS_E_NOT_FOUND,
                       "no on-chip profiler watched that run; 'gumshoe run --unit KIND' attaches "
                       "one");
    return options->table ? gs_report_find_table(&table, *out, options->table, err) : GS_OK;
}

gs_status gs_report_saved_units(FILE *to, const gs_profile *profile,
                                const gs_report_options *options, gs_error *err)
{
    gs_results results;
    gs_status status = find_results(&results, profile, options, err);
    return status == GS_OK
               ? gs_report_results(to, results, options->table, options->top, options->width, err)
               : status;
}

gs_status gs_report_saved_units_json(FILE *to, const gs_profile *profile,
                                     const gs_report_options *options, gs_error *err)
{
    gs_results results;
    gs_status status = find_results(&results, profile, options, err);
    return status == GS_OK ? gs_report_results_json(to, results, options->table, err) : status;
}

gs_status gs_report_saved_units_csv(FILE *to, const gs_profile *profile,
                                    const gs_report_options *options, gs_error *err)
{
    gs_results results;
    gs_status status = find_results(&results, profile, options, err);
    return status == GS_OK
               ? gs_report_results_csv(to, results, options->table ? options->table : "", err)
               : status;
}
