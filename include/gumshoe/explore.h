/*
 * explore.h - what other caches would have done in a run, from that one run.
 *
 * A cache study follows a machine like a timing does and counts the misses of every LRU cache from
 * 256 bytes to 256 KB, with 1 to 16 ways and lines of 8 to 128 bytes, for instructions and for
 * data. The accesses are those that the core's own pipeline makes, so that the counts are those of
 * a run with each of these caches, if the program has not seen time (gs_machine_saw_time()).
 */
#ifndef GUMSHOE_EXPLORE_H
#define GUMSHOE_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gumshoe/error.h"
#include "gumshoe/machine.h"
#include "gumshoe/timing.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum {
    GS_STUDY_MIN_SIZE = 256,
    GS_STUDY_MAX_SIZE = 256 << 10,
    GS_STUDY_MIN_LINE = 8,
    GS_STUDY_MAX_LINE = 128,
    GS_STUDY_MAX_WAYS = 16,
};

/* All of these are powers of two. */
typedef struct gs_cache_shape {
    uint32_t size, line; /* bytes */
    uint32_t ways;
} gs_cache_shape;

typedef struct gs_cache_misses {
    uint64_t reads, writes; /* lookups: an access that crosses lines is one for each */
    uint64_t read_misses, write_misses;
} gs_cache_misses;

typedef struct gs_cache_study gs_cache_study;

/* Follows `machine` on the core `name` with these settings (as for gs_core_open()), whose caches
 * decide only whether a store that misses brings its line in. *out is the caller's, NULL on
 * failure: GS_E_UNSUPPORTED for a pipeline without caches, and the errors of gs_core_open(). The
 * machine must outlive it. */
gs_status gs_cache_study_open(gs_cache_study **out, const char *name, const char *const *set,
                              size_t set_count, gs_machine *machine, gs_error *err);
void gs_cache_study_free(gs_cache_study *study); /* NULL is fine */

/* For gs_run_options.followers. Borrowed. */
gs_timing *const *gs_cache_study_followers(const gs_cache_study *study, size_t *count);

/* Why the pipeline's fetches depend on what the caches hold, so that there are no counts of
 * instruction caches; NULL if they do not. A constant text. */
const char *gs_cache_study_no_instructions(const gs_cache_study *study);

/* Whether a store that misses in a data cache brings its line in. */
bool gs_cache_study_allocates(const gs_cache_study *study);

/* What a cache has missed so far. False if it is none of those that are followed. */
bool gs_cache_study_misses(const gs_cache_study *study, bool data, const gs_cache_shape *shape,
                           gs_cache_misses *misses);

/* The caches that are followed: by size, line and ways; `index` from 0. False behind the last. */
bool gs_cache_study_shape(size_t index, gs_cache_shape *shape);

/* A pair of caches. */
typedef struct gs_cache_point {
    gs_cache_shape instructions, data;
    bool own_instructions; /* the core's own: there are no counts of instruction caches */
    double lost;           /* cycles lost to misses, were none of them hidden: an estimate */
    uint64_t cycles;       /* of a run with these; 0: not timed yet */
    bool best;             /* no pair that was timed is as small and takes fewer cycles */
} gs_cache_point;

/* The pairs that matter: by that estimate, none as small loses less, or hardly less. At most `max`,
 * by size. Returns how many. */
size_t gs_cache_study_points(const gs_cache_study *study, gs_cache_point *points, size_t max);

/* The settings of a core with these caches: "icache.size=4096" and so on, up to
 * GS_CACHE_POINT_SETTINGS of them. Returns how many. */
enum { GS_CACHE_POINT_SETTINGS = 8, GS_CACHE_POINT_SETTING = 32 };
size_t gs_cache_point_settings(const gs_cache_study *study, const gs_cache_point *point,
                               char settings[GS_CACHE_POINT_SETTINGS][GS_CACHE_POINT_SETTING]);

/* When all have their cycles: says which are best. */
void gs_cache_points_compare(gs_cache_point *points, size_t count);

/* What a study is reported with. */
typedef struct gs_cache_report {
    const gs_cache_study *study;
    const gs_machine *machine; /* after the run */
    const gs_cache_point *points;
    size_t point_count;
    uint32_t line;  /* of the tables for people; 0: the core's own */
    unsigned width; /* columns of the screen; 0: any */
    bool colour;
} gs_cache_report;

/* For people; all counts as CSV and JSON; heat maps. `to` stays the caller's. GS_E_IO,
 * GS_E_NO_MEMORY. */
gs_status gs_report_caches(FILE *to, const gs_cache_report *report, gs_error *err);
gs_status gs_report_caches_csv(FILE *to, const gs_cache_report *report, gs_error *err);
gs_status gs_report_caches_json(FILE *to, const gs_cache_report *report, gs_error *err);
gs_status gs_report_caches_svg(FILE *to, const gs_cache_report *report, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
