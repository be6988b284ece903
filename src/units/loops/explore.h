/*
 * explore.h - many loop detectors at once, each exactly as gs_loops would be.
 *
 * Sizes, associativities, counter widths and sampling intervals of the paper, 1392 in all, in one
 * run. What they have in common is done once: finding branches, counting runs of the same one,
 * sampling per interval. A cache with all its widths is one bank whose entries have a lane per
 * width; as long as the lanes agree on what is in a set, a lookup serves all of them.
 */
#ifndef GS_UNITS_LOOPS_EXPLORE_H
#define GS_UNITS_LOOPS_EXPLORE_H

#include "units/loops/loops.h"

enum {
    GS_EXPLORE_WIDTH_MIN = 4,
    GS_EXPLORE_WIDTHS = 29, /* 4 to 32 */
    GS_EXPLORE_SIZES = 3,
    GS_EXPLORE_WAYS = 4,
    GS_EXPLORE_INTERVALS = 4,
    GS_EXPLORE_COUNT =
        GS_EXPLORE_WIDTHS * GS_EXPLORE_SIZES * GS_EXPLORE_WAYS * GS_EXPLORE_INTERVALS,
    GS_EXPLORE_ENTRIES_MAX = 64,
};

typedef struct gs_explore gs_explore;

/* NULL when memory is out. */
gs_explore *gs_explore_open(void);
void gs_explore_free(gs_explore *explore);

/* A taken short backward branch at `address`, `times` times in a row. */
void gs_explore_branch(gs_explore *explore, uint32_t address, uint64_t times);

/* The program has ended. Once, and before asking. */
void gs_explore_end(gs_explore *explore);

/* A configuration, and what its cache holds in the end. Its distance is 0: the detector that
 * found the branches has applied it. */
gs_loops_parameters gs_explore_parameters(size_t index);
void gs_explore_cache(const gs_explore *explore, size_t index,
                      gs_loops_entry cache[GS_EXPLORE_ENTRIES_MAX]);

#endif
