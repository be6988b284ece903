/*
 * score.h - how well a loop detector has done.
 *
 * The measure of the paper: the square roots of the differences between actual and predicted
 * share, averaged over the ten most frequent loops ("SOD"; 0 is perfect). Shares are of all taken
 * short backward branches; a predicted share is of all frequencies in the cache.
 */
#ifndef GS_UNITS_LOOPS_SCORE_H
#define GS_UNITS_LOOPS_SCORE_H

#include "units/loops/loops.h"

enum { GS_LOOPS_TOP = 10 };

/* A loop as the exact profile knows it: from `target` to its backward branch. */
typedef struct gs_loops_truth {
    uint32_t address, target; /* of the branch */
    uint64_t taken;
    uint64_t cycles; /* of the instructions from target to branch, inner loops included */
} gs_loops_truth;

typedef struct gs_loops_truths {
    gs_loops_truth *items; /* most frequent first */
    size_t count, capacity;
    uint64_t taken; /* in all */
} gs_loops_truths;

/* All short backward branches that were ever taken. free(items). False when memory is out. */
bool gs_loops_find_truth(gs_loops_truths *out, const gs_truth *truth, const gs_isa *isa,
                         uint32_t distance);

/* The measure for shares that are given; at most GS_LOOPS_TOP count. */
double gs_loops_sod(const double *actual, const double *predicted, size_t count);

/* 1 - SOD of a cache, against the truth. */
double gs_loops_accuracy(const gs_loops_entry *cache, size_t entries, const gs_loops_truths *truth);

/* The share a cache predicts for a branch; 0 if it does not have it. */
double gs_loops_predicted(const gs_loops_entry *cache, size_t entries, uint32_t address);

#endif
