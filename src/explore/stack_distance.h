/*
 * stack_distance.h - the misses of all LRU caches of one line size, from one sequence of accesses.
 *
 * Sets of a number of ways are kept as lists, the line used last first. The place at which a line
 * is found, its stack distance, says which numbers of ways hit: those above it (Mattson et al.,
 * 1970; for all numbers of sets at once Hill and Smith, 1989). A line at the front of its set is at
 * the front in all caches with more sets, too, so that most accesses look at few levels.
 *
 * Where a store that misses brings nothing in, caches of different numbers of ways do not hold the
 * same lines in the same order; then there is a list for each.
 *
 * Counts are those of gs_cache_access() with the same accesses, see timing/cache.h. A
 * gs_stack_distance is its owner's; nothing is allocated after gs_stack_open().
 */
#ifndef GS_EXPLORE_STACK_DISTANCE_H
#define GS_EXPLORE_STACK_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum {
    GS_STACK_MIN_SIZE = 256,
    GS_STACK_MAX_SIZE = 256 << 10,
    GS_STACK_MIN_LINE = 8,
    GS_STACK_MAX_LINE = 128,
    GS_STACK_MAX_WAYS = 16,
};

typedef struct gs_stack_distance gs_stack_distance;

/* `allocate`: a store that misses brings its line in. *out is the caller's, NULL on failure:
 * GS_E_NO_MEMORY. */
gs_status gs_stack_open(gs_stack_distance **out, uint32_t line_bytes, bool allocate, gs_error *err);
void gs_stack_free(gs_stack_distance *s); /* NULL is fine */

void gs_stack_access(gs_stack_distance *s, uint32_t address, bool write);
void gs_stack_invalidate(gs_stack_distance *s);

typedef struct gs_stack_counts {
    uint64_t reads, writes;
    uint64_t read_misses, write_misses;
} gs_stack_counts;

/* False if there is no such cache among those followed. */
bool gs_stack_misses(const gs_stack_distance *s, uint32_t size_bytes, uint32_t ways,
                     gs_stack_counts *counts);

#endif
