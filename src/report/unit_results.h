/*
 * unit_results.h - what units said, in the formats: right after a run, or from a profile file.
 *
 * `only` is the key of the one table that is wanted, or NULL.
 */
#ifndef GS_REPORT_UNIT_RESULTS_H
#define GS_REPORT_UNIT_RESULTS_H

#include <stdio.h>

#include "base/error.h"
#include "units/result.h"

gs_status gs_report_results(FILE *to, gs_results results, const char *only, size_t top,
                            unsigned width, gs_error *err);
gs_status gs_report_results_json(FILE *to, gs_results results, const char *only, gs_error *err);
gs_status gs_report_results_csv(FILE *to, gs_results results, const char *key, gs_error *err);

/* The first unit's that has one of this name; GS_E_ARGUMENT, and which there are, if none has. */
gs_status gs_report_find_table(const gs_result_table **out, gs_results results, const char *key,
                               gs_error *err);

#endif
