/*
 * sweep_results.h - the designs of a sweep with what they cost, to choose among.
 *
 * Read from a profile file (sweep_results.c); sweep_choose.c finds fronts and what axes do. A
 * design counts if all its programs have a result; its metrics are sums over them.
 */
#ifndef GS_EXPLORE_SWEEP_RESULTS_H
#define GS_EXPLORE_SWEEP_RESULTS_H

#include "explore/sweep.h"

enum { GS_SWEEP_FRONT_MAX = 3 }; /* objectives of a front */

typedef struct gs_sweep_outcome {
    size_t design;
    double *values; /* of the objectives */
    bool front;     /* no other is as good in all objectives of the front and better in one */
} gs_sweep_outcome;

struct gs_sweep_results {
    gs_sweep *sweep;            /* as the file describes it */
    size_t missing, failed;     /* designs without an outcome: not run yet, or with an error */
    gs_sweep_outcome *outcomes; /* by design */
    size_t count;
    double *values;          /* theirs */
    size_t front_objectives; /* the first so many are those of the front */
    double within;           /* percent: see gs_sweep_choose() */
    size_t best, cheapest;
};

/* What one step along an axis does to an objective: the mean over all pairs of designs that differ
 * in nothing else. */
typedef struct gs_sweep_step {
    size_t pairs;
    double ratio; /* the objective behind the step to the one before it, geometric mean */
} gs_sweep_step;

/* Fills in `steps`: as many as the axis has values, the first of them empty. GS_E_NO_MEMORY. */
gs_status gs_sweep_steps(const gs_sweep_results *results, size_t axis, size_t objective,
                         gs_sweep_step *steps, gs_error *err);

/* The first value behind which all steps together gain less than `percent`; the last one if none
 * is. */
size_t gs_sweep_pays_to(const gs_sweep_step *steps, size_t count, double percent);

/* The index of an outcome's value on an axis; GS_SWEEP_NO_VALUE if it has none. */
#define GS_SWEEP_NO_VALUE SIZE_MAX
size_t gs_sweep_value_index(const gs_sweep_results *results, const gs_sweep_outcome *outcome,
                            size_t axis);

/* Marks the front over the first `objectives` values, and finds the best in the first and the
 * cheapest in the second that is within `within` percent of that. */
gs_status gs_sweep_choose(gs_sweep_results *results, gs_error *err);

/* "607,440", "0.01215", "1.2e-06": as short as four digits behind the point allow. */
enum { GS_SWEEP_NUMBER = 40 };
const char *gs_sweep_number(char text[GS_SWEEP_NUMBER], double value);

#endif
