/*
 * truth.h - the exact profile, as units need it to be judged by.
 *
 * Plain data, borrowed for the length of a report. profile/unit_truth.c makes it from a
 * recorder, which knows nothing of units and follows calls and costs by other means.
 */
#ifndef GS_UNITS_TRUTH_H
#define GS_UNITS_TRUTH_H

#include "image/image.h"
#include "probe/metrics.h"

/* An executed instruction. */
typedef struct gs_truth_insn {
    uint32_t pc;
    gs_insn insn;        /* GS_OP_ILLEGAL if its memory was unmapped before the end */
    uint64_t executions; /* and of those, how often it left the straight line: */
    uint64_t taken;
    gs_metrics cost;
} gs_truth_insn;

/* What a function of the image did. All zero if it was never executed. */
typedef struct gs_truth_function {
    uint64_t calls;          /* in all; of those, */
    uint64_t tail_calls;     /* jumps from another function, */
    uint64_t traps;          /* and times it was entered as a handler */
    gs_metrics self;         /* of its instructions */
    gs_metrics inclusive;    /* with what it called, recursion counted once; of that, */
    gs_metrics by_tail_call; /* of activations that began with a jump from another function, */
    gs_metrics by_trap;      /* and of those that began as a handler */
} gs_truth_function;

typedef struct gs_truth {
    const gs_image *image;
    gs_metrics total;
    const gs_truth_insn *insns; /* by pc */
    size_t insn_count;
    const gs_truth_function *functions; /* as in the image, and one more for code outside all */
    size_t function_count;              /* of the image */
} gs_truth;

/* The first instruction at or above `pc`: an index, insn_count if there is none. */
size_t gs_truth_find(const gs_truth *truth, uint32_t pc);

#endif
