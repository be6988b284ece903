/*
 * compare.h - two profiles side by side: what is in both, and what in one of them only.
 *
 * Functions go together by name; loops by their function, and in it in the order of the source
 * if it has as many as before, else by line; lines by file and number. Rows are sorted by how much
 * they changed. Texts are borrowed from the profiles.
 */
#ifndef GS_REPORT_COMPARE_H
#define GS_REPORT_COMPARE_H

#include "base/json.h"
#include "gumshoe/report.h"
#include "profile/profile.h"
#include "report/views.h"

typedef struct gs_compared {
    const gs_profile *of;      /* whose the names are: the later one that has it */
    const gs_view_row *row;    /* what it is called there */
    bool is_before, is_after;  /* it is in the one, in the other */
    gs_view_row before, after; /* costs and counts; 0 where it is not */
} gs_compared;

typedef struct gs_comparison {
    gs_view before, after;
    gs_compared *items;
    size_t count, capacity;
} gs_comparison;

/* `by` is functions, loops or lines. Rows that are equal in `metric` are left out. */
gs_status gs_comparison_open(gs_comparison *comparison, const gs_profile *before,
                             const gs_profile *after, gs_report_by by, gs_metric metric,
                             gs_error *err);
void gs_comparison_close(gs_comparison *comparison);

/* The parts of a comparison, in the order they are written in. */
typedef struct gs_diff_section {
    gs_report_by by;
    const char *key;   /* of the JSON array */
    const char *about; /* what a row is */
    const char *count; /* what is counted of it */
} gs_diff_section;

enum { GS_DIFF_SECTIONS = 3 };
extern const gs_diff_section gs_diff_sections[GS_DIFF_SECTIONS];

/* What is compared; an error unless both profiles can have it. */
gs_status gs_diff_metric(const gs_profile *before, const gs_profile *after,
                         const gs_diff_options *options, gs_metric *metric, gs_error *err);

/* A row as an object, as in `gumshoe diff --json`. */
void gs_diff_put_json_row(gs_json *json, const gs_comparison *c, const gs_compared *row,
                          size_t section);

bool gs_diff_wants(const gs_diff_options *options, size_t section);

#endif
