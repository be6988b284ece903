/*
 * annotate.h - a function's instructions under the lines they come from, and what they called.
 *
 * A row is a line of the function itself, in the order of the source, or a line of a function
 * that was inlined there; such rows follow the line with the call. Every instruction is in
 * exactly one row, so the rows of a function add up to it.
 *
 * A total is an instruction's or a row's own cost and that of everything called from there. Of a
 * recursion the outermost call counts, so no cycle is in one total twice. Of a line that a
 * recursive call leads back to, only the sum of all activations is known: its total is then an
 * estimate, for which the line's own cost is shared out among activations as the function's is.
 */
#ifndef GS_REPORT_ANNOTATE_H
#define GS_REPORT_ANNOTATE_H

#include "gumshoe/report.h"
#include "profile/profile.h"
#include "report/source.h"
#include "report/targets.h"
#include "report/views.h"

typedef struct gs_annotated_row {
    uint32_t file, line;    /* index, or GS_PROFILE_NONE */
    uint32_t inlined;       /* the inlined call it is in, or GS_PROFILE_NONE */
    unsigned depth;         /* how many inlined calls there are around it */
    uint64_t executions;    /* of its most executed instruction */
    gs_metrics self;        /* of its instructions */
    gs_metrics total;       /* and what they called */
    gs_metrics group_self;  /* the same two with the inlined rows behind it; of an inlined row, */
    gs_metrics group_total; /* its own */
    bool estimated;         /* `total` is, */
    bool group_estimated;   /* and this one */
    size_t first, count;    /* in `order` */
} gs_annotated_row;

/* A function that an instruction called, with everything that was called from there. */
typedef struct gs_annotated_call {
    uint32_t pc;       /* of the call */
    uint32_t function; /* the called one, or GS_PROFILE_NONE */
    uint64_t calls;
    gs_metrics inclusive;
} gs_annotated_call;

/* An instruction that called something. */
typedef struct gs_annotated_site {
    const gs_profile_insn *insn;
    gs_metrics total;
    bool estimated;
    size_t first, count; /* in the annotation's `calls`, the costliest first */
} gs_annotated_site;

typedef struct gs_annotated {
    gs_view_row function; /* calls, self, inclusive */
    bool has_lines;       /* of some instruction the line is known */
    struct {
        gs_annotated_row *items;
        size_t count, capacity;
    } rows;
    const gs_profile_insn **order; /* by row and address */
    size_t insn_count;
    bool makes_calls;
} gs_annotated;

typedef struct gs_annotation {
    const gs_profile *profile;
    gs_metric metric;
    gs_roots roots;
    gs_sources sources;
    gs_targets targets;
    struct {
        gs_annotated *items; /* the costliest first */
        size_t count, capacity;
    } functions;
    struct {
        gs_annotated_site *items; /* by address */
        size_t count, capacity;
    } sites;
    struct {
        gs_annotated_call *items; /* by site */
        size_t count, capacity;
    } calls;
} gs_annotation;

gs_status gs_annotation_open(gs_annotation *annotation, const gs_profile *profile,
                             const gs_annotate_options *options, gs_error *err);
void gs_annotation_close(gs_annotation *annotation);

/* Writes a report: collects what the options ask for, and has `write` put it into words. */
gs_status gs_annotation_report(FILE *to, const gs_profile *profile,
                               const gs_annotate_options *options,
                               void (*write)(FILE *to, gs_annotation *annotation,
                                             const gs_annotate_options *options),
                               gs_error *err);

/* What the instruction called; NULL if it called nothing. */
const gs_annotated_site *gs_annotation_site(const gs_annotation *annotation,
                                            const gs_profile_insn *insn);

/* Fills in `sites`, `calls` and the totals of all rows, which have their own costs already. False
 * when memory is out. */
bool gs_annotation_add_calls(gs_annotation *annotation);

#endif
