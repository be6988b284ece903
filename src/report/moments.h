/*
 * moments.h - a timeline as a table: a row per interval, a column for each of the costliest
 * functions and one for all others.
 */
#ifndef GS_REPORT_MOMENTS_H
#define GS_REPORT_MOMENTS_H

#include "base/json.h"
#include "gumshoe/report.h"
#include "profile/profile.h"

enum { GS_MOMENTS_COLUMNS = 12 };

typedef struct gs_moment {
    uint64_t start, end; /* in cycles; the last ends with the run */
    gs_metrics cost;
    uint64_t columns[GS_MOMENTS_COLUMNS]; /* in one metric; they add up to its cost */
    uint32_t first;                       /* the function with most of it, or GS_PROFILE_NONE */
} gs_moment;

typedef struct gs_moments {
    gs_metric metric;
    uint32_t functions[GS_MOMENTS_COLUMNS]; /* of all columns but the last */
    uint64_t sums[GS_MOMENTS_COLUMNS];
    size_t columns; /* the last one is for the others */
    gs_moment *items;
    size_t count, capacity;
} gs_moments;

/* Fails with GS_E_NOT_FOUND for a run without a timeline. */
gs_status gs_moments_open(gs_moments *moments, const gs_profile *profile,
                          const gs_report_options *options, gs_error *err);
void gs_moments_close(gs_moments *moments);

/* Members of an object: the columns, and per interval where it ends, what it cost, and the columns'
 * parts of that. */
void gs_moments_put_json(gs_json *json, const gs_moments *moments, const gs_profile *profile);

/* The name of a column. */
const char *gs_moments_name(const gs_moments *moments, const gs_profile *profile, size_t column);

#endif
