/*
 * flame.h - call paths as pictures want them: the largest part of a tree, in columns.
 *
 * Either as they were called, from the outermost function inwards; or inverted, from each function
 * with its own cost outwards to its callers; or of two profiles, with what each path cost before
 * and after. A tree of any size is cut to its largest nodes, and says how much was left out by
 * what its nodes include. Nodes borrow their profiles.
 */
#ifndef GS_REPORT_FLAME_H
#define GS_REPORT_FLAME_H

#include "base/json.h"
#include "profile/profile.h"

typedef struct gs_flame_node {
    uint32_t parent;   /* index of a node before this one; GS_PROFILE_NONE for the first */
    uint32_t function; /* as in gs_path */
    bool is_before;    /* two profiles: `function` is one of the earlier profile */
    bool estimated;
    uint64_t calls; /* 0 where it is inverted */
    gs_metrics self, inclusive;
    uint64_t before_self, before; /* two profiles: the same in the metric, before */
} gs_flame_node;

typedef struct gs_flame {
    const gs_profile *profile, *earlier; /* the other one of two, or NULL */
    gs_metric metric;
    bool inverted;
    gs_flame_node *items;
    size_t count, capacity;
    uint64_t
        omitted; /* nodes there would be besides; 0 where it is inverted, which makes no more */
} gs_flame;

typedef struct gs_flame_options {
    gs_metric metric;
    bool inlines, inverted;
    const uint32_t *root; /* the functions on the way to the node to begin with, outermost first */
    size_t root_count;    /* 0: from the beginning */
    size_t most;          /* nodes */
} gs_flame_options;

/* GS_E_NOT_FOUND if there is no node that `root` leads to. */
gs_status gs_flame_open(gs_flame *flame, const gs_profile *profile, const gs_flame_options *options,
                        gs_error *err);

/* Paths go together if the functions on them have the same names. Only `metric` and `most` of the
 * options count. */
gs_status gs_flame_open_difference(gs_flame *flame, const gs_profile *before,
                                   const gs_profile *after, const gs_flame_options *options,
                                   gs_error *err);
void gs_flame_close(gs_flame *flame);

/* Members of an object: columns, with a number per node. */
gs_status gs_flame_put_json(gs_json *json, const gs_flame *flame, gs_error *err);

/* Parts of the above. */
gs_status gs_flame_fill_callers(gs_flame *flame, const gs_flame_options *options, gs_error *err);
/* Keeps the `most` nodes with the largest `sizes`, of which no child has more than its parent. */
gs_status gs_flame_cut(gs_flame *flame, uint64_t *sizes, size_t most, gs_error *err);

#endif
