/*
 * partition.h - what the files behind gumshoe/partition.h share.
 *
 * hls.c reads a description, code.c and regions.c find what the program is made of, dataflow.c how
 * many states that takes, costs.c and candidates.c add up, choose.c chooses, and partition.c does
 * all of it. The rest writes it down.
 */
#ifndef GS_PARTITION_PARTITION_H
#define GS_PARTITION_PARTITION_H

#include "gumshoe/partition.h"
#include "partition/candidates.h"

enum { GS_PARTITION_BUDGETS = 20 };

/* The best choice under a share of the budget. */
typedef struct gs_partition_step {
    uint64_t budget[GS_HLS_RESOURCE_COUNT];
    uint64_t area[GS_HLS_RESOURCE_COUNT]; /* that is used */
    double saved;                         /* cycles of the processor */
    bool *chosen;                         /* by candidate */
} gs_partition_step;

struct gs_partition {
    const gs_profile *profile;
    gs_hls *hls;
    gs_hw_candidates candidates;
    uint64_t cycles; /* of the run */
    double ratio;    /* cycles of the processor during one of the accelerator */
    /* By budget, the last one with all of it. */
    gs_partition_step steps[GS_PARTITION_BUDGETS];
};

static inline const gs_partition_step *gs_partition_best(const gs_partition *p)
{
    return &p->steps[GS_PARTITION_BUDGETS - 1];
}

/* How many times as fast the run is, and would be if all that was chosen took no time. */
double gs_partition_speedup(const gs_partition *partition, const gs_partition_step *step);
double gs_partition_bound(const gs_partition *partition, const gs_partition_step *step);

/* "crc32", or "loop at crc.c:12 in crc32"; free() it. NULL when memory is out. */
char *gs_partition_name(const gs_partition *partition, const gs_hw_candidate *candidate);

/* Why a candidate was left out: "calls printf, main.c:20"; free() it. */
char *gs_partition_reason(const gs_partition *partition, const gs_hw_candidate *candidate);

#endif
