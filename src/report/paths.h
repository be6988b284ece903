/*
 * paths.h - call paths, for people: a tree in which each path of functions occurs once.
 *
 * The nodes of a profile that differ only in their call sites are one path here. Paths
 * stand depth-first, the costliest first among siblings; so the parts of a path are the
 * rows after it with a greater depth.
 */
#ifndef GS_REPORT_PATHS_H
#define GS_REPORT_PATHS_H

#include "gumshoe/report.h"
#include "profile/profile.h"

typedef struct gs_path {
    uint32_t parent; /* index, or GS_PROFILE_NONE for the root */
    uint32_t depth;
    uint32_t function; /* or GS_PROFILE_NONE; or an inlined one, see report/names.h */
    bool estimated;    /* its own cost is a share, see report/inlined_nodes.h */
    uint64_t calls;    /* 0 of an inlined one */
    gs_metrics self, inclusive;
} gs_path;

/* free() *out; it is NULL, and no failure, for a profile without nodes. With `inlines`, inlined
 * calls are paths, too. */
gs_status gs_paths_open(gs_path **out, size_t *count, const gs_profile *profile, gs_metric order,
                        bool inlines, gs_error *err);

/* The paths that a report's options ask for, by its metric. */
typedef struct gs_path_list {
    gs_path *items; /* to be freed */
    size_t count;
    gs_metric metric;
} gs_path_list;

gs_status gs_path_list_open(gs_path_list *list, const gs_profile *profile,
                            const gs_report_options *options, gs_error *err);

#endif
