/*
 * view.h - a window on the pipeline: which instruction was where in which cycle.
 *
 * A model that is being viewed shows every instruction as soon as it knows all its
 * cycles; the view keeps those in its window. Costs nothing when there is none.
 */
#ifndef GS_TIMING_VIEW_H
#define GS_TIMING_VIEW_H

#include "timing/timing.h"

enum { GS_VIEW_STAGES = 6, GS_VIEW_MOST = 10000 };

/* A stay in one stage, first to last cycle. */
typedef struct gs_stage {
    char letter;
    uint64_t first, last;
} gs_stage;

typedef struct gs_pipeline_row {
    uint64_t number; /* of the instruction, counting from 0 */
    uint32_t pc;
    unsigned stage_count;
    gs_stage stages[GS_VIEW_STAGES];
    uint64_t stalls[GS_STALL_COUNT]; /* what it was charged */
} gs_pipeline_row;

struct gs_timing_view {
    uint64_t from, to;                /* the window, inclusive */
    uint64_t charged[GS_STALL_COUNT]; /* by the instructions before */
    gs_pipeline_row *rows;
    size_t count;
};

/* To be called once per instruction, in order, by every model. */
void gs_timing_view_show(gs_timing *timing, uint64_t number, uint32_t pc, const gs_stage *stages,
                         unsigned count);

static inline void gs_timing_show(gs_timing *timing, uint64_t number, uint32_t pc,
                                  const gs_stage *stages, unsigned count)
{
    if (__builtin_expect(timing->view != NULL, 0))
        gs_timing_view_show(timing, number, pc, stages, count);
}

#endif
