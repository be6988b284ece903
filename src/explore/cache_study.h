/*
 * cache_study.h - what the files behind gumshoe/explore.h share.
 */
#ifndef GS_EXPLORE_CACHE_STUDY_H
#define GS_EXPLORE_CACHE_STUDY_H

#include "explore/stack_distance.h"
#include "gumshoe/explore.h"
#include "timing/timing.h"

enum { LINES = 5, WAY_COUNT = 5, SIZES = 11 };

/* A cache whose accesses are followed. */
typedef struct listener {
    gs_cache_script script; /* first: the cache knows this */
    gs_stack_distance *stack;
    bool write_back;
} listener;

typedef struct followed {
    gs_core *core;
    gs_timing *timing;
    listener caches[2]; /* instructions, data */
} followed;

struct gs_cache_study {
    gs_core *core; /* as it is */
    followed lines[LINES];
    gs_timing *timings[LINES];
    bool allocates;
};

/* The misses that cost cycles: a store that brings nothing in does not wait. */
uint64_t gs_cache_study_costly(const gs_cache_study *study, bool data, const gs_cache_shape *shape);

#endif
