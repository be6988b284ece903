/*
 * candidates.h - what could be moved into hardware: functions with all they call, and loops.
 *
 * For src/partition only. Software cycles are those of the profile, exact. What hardware would take
 * is an estimate.
 */
#ifndef GS_PARTITION_CANDIDATES_H
#define GS_PARTITION_CANDIDATES_H

#include "partition/costs.h"

typedef enum gs_hw_verdict {
    GS_HW_CHOSEN,
    GS_HW_HINDERED, /* it cannot be moved */
    GS_HW_SLOWER,   /* it would take longer */
    GS_HW_LARGE,    /* it does not fit into the budget by itself */
    GS_HW_NESTED,   /* one that has it inside, or is inside of it, was chosen */
    GS_HW_NO_ROOM,  /* the budget is better spent */
} gs_hw_verdict;

typedef struct gs_hw_candidate {
    bool is_loop;
    uint32_t function; /* index in the profile */
    uint32_t loop;     /* index; or GS_PROFILE_NONE */
    uint64_t software; /* cycles with everything called, of the processor */
    uint64_t times;    /* calls, or entries of the loop */
    gs_hw_cost cost;   /* of the accelerator, with everything called */
    unsigned words;    /* arguments and results of one call */
    double transfers;  /* cycles of the processor's bus: words, start, memory */
    double total;      /* of accelerator and transfers, in cycles of the processor */
    uint64_t area[GS_HLS_RESOURCE_COUNT];
    bool hindered;
    gs_hw_hindrance hindrance; /* the first found */
    uint64_t *members;         /* a bit per function: it is in it */
    gs_hw_verdict verdict;
    size_t instead; /* NESTED: the candidate that was chosen */
} gs_hw_candidate;

typedef struct gs_hw_candidates {
    gs_hw_candidate *items; /* by software cycles, most first */
    size_t count, capacity;
} gs_hw_candidates;

/* All that take at least one in a thousand of the run's cycles. The costs are borrowed during the
 * call only. */
gs_status gs_hw_candidates_find(gs_hw_candidates *out, const gs_hw_costs *costs, gs_error *err);
void gs_hw_candidates_free(gs_hw_candidates *candidates);

/* Cycles of the processor during one of the accelerator; 1 for a run without a clock. */
double gs_hw_clock_ratio(const gs_profile *profile, const gs_hls *hls);

/* Whether one has the other inside. */
bool gs_hw_nested(const gs_profile *profile, const gs_hw_candidate *a, const gs_hw_candidate *b);

#endif
