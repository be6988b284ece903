/*
 * call_stack.h - LEAP's Call Stack: which function a return leads back to.
 *
 * A memory of `depth` frames with a pointer that wraps around, so that a push on a full stack
 * takes the place of the oldest frame; or, if the newest is to be lost instead, a push on a full
 * stack only counts, and as many returns find nothing to pop. In hierarchical profiles a frame
 * also holds the Data Counter of the function that called.
 */
#ifndef GS_UNITS_LEAP_CALL_STACK_H
#define GS_UNITS_LEAP_CALL_STACK_H

#include "units/leap/data_counter.h"

typedef enum gs_leap_overflow { GS_LEAP_LOSE_OLDEST, GS_LEAP_LOSE_NEWEST } gs_leap_overflow;

/* A function number, or that of no function (which only tags can tell). */
typedef struct gs_leap_function {
    uint32_t number; /* log2(N) bits */
    bool listed;     /* 1 bit, with tags; else always true */
} gs_leap_function;

typedef struct gs_leap_stack {
    /* Parameters. */
    uint32_t depth;
    unsigned lanes; /* 0 in flat profiles */
    gs_leap_overflow overflow;

    /* State. */
    gs_leap_function *function; /* per frame */
    uint64_t *saved;            /* depth * lanes */
    uint32_t top;               /* log2(depth) bits: where the next frame goes */
    uint32_t used;              /* log2(depth)+1 bits: frames in it */
    uint32_t lost;              /* 16 bits: pushes that found no room, LOSE_NEWEST only */
} gs_leap_stack;

/* What became of a push or a pop. */
typedef enum gs_leap_stack_result {
    GS_LEAP_STACK_OK,
    GS_LEAP_STACK_OVERFLOW,  /* push: a frame was lost */
    GS_LEAP_STACK_LOST,      /* pop: its frame was lost; nothing came off */
    GS_LEAP_STACK_UNDERFLOW, /* pop: the stack was empty */
} gs_leap_stack_result;

gs_leap_stack_result gs_leap_push(gs_leap_stack *stack, gs_leap_function function,
                                  const gs_leap_values *saved);

/* On OK, *function and *saved are the frame's; else they stay as they are. */
gs_leap_stack_result gs_leap_pop(gs_leap_stack *stack, gs_leap_function *function,
                                 gs_leap_values *saved);

void gs_leap_stack_halve(gs_leap_stack *stack); /* the saved counters, all of them */

#endif
