/*
 * annotate.h - a function's instructions under the lines they come from.
 *
 * A row is a line of the function itself, in the order of the source, or a line of a function
 * that was inlined there; such rows follow the line with the call. Every instruction is in
 * exactly one row, so the rows of a function add up to it.
 */
#ifndef GS_REPORT_ANNOTATE_H
#define GS_REPORT_ANNOTATE_H

#include "gumshoe/report.h"
#include "profile/profile.h"
#include "report/source.h"
#include "report/views.h"

typedef struct gs_annotated_row {
    uint32_t file, line;   /* index, or GS_PROFILE_NONE */
    uint32_t inlined;      /* the inlined call it is in, or GS_PROFILE_NONE */
    unsigned depth;        /* how many inlined calls there are around it */
    uint64_t executions;   /* of its most executed instruction */
    gs_metrics self;       /* of its instructions */
    gs_metrics with_calls; /* the same with the inlined rows behind it */
    size_t first, count;   /* in `order` */
} gs_annotated_row;

typedef struct gs_annotated {
    gs_view_row function; /* calls, self, inclusive */
    bool has_lines;       /* of some instruction the line is known */
    struct {
        gs_annotated_row *items;
        size_t count, capacity;
    } rows;
    const gs_profile_insn **order; /* by row and address */
    size_t insn_count;
} gs_annotated;

typedef struct gs_annotation {
    const gs_profile *profile;
    gs_metric metric;
    gs_sources sources;
    struct {
        gs_annotated *items; /* the costliest first */
        size_t count, capacity;
    } functions;
} gs_annotation;

gs_status gs_annotation_open(gs_annotation *annotation, const gs_profile *profile,
                             const gs_annotate_options *options, gs_error *err);
void gs_annotation_close(gs_annotation *annotation);

#endif
