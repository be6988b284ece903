/*
 * curve.h - how much of the time is spent in how much of the code.
 *
 * A region is the code of a loop without the loops in it, as its short backward branch bounds it.
 * Regions in the order of their time, added up, make the curve of the "90/10 rule".
 */
#ifndef GS_UNITS_LOOPS_CURVE_H
#define GS_UNITS_LOOPS_CURVE_H

#include "units/loops/score.h"

typedef struct gs_curve_point {
    uint32_t address;       /* of the region's branch */
    uint64_t bytes, cycles; /* of it and all regions before it */
} gs_curve_point;

typedef struct gs_curve {
    gs_curve_point *items;
    size_t count, capacity;
    uint64_t bytes, cycles; /* of the whole program: all its functions, all its cycles */
} gs_curve;

/* free(items). False when memory is out. */
bool gs_curve_find(gs_curve *out, const gs_truth *truth, const gs_loops_truths *loops);

#endif
