/*
 * costs.h - what functions and loops would be in hardware, each for itself.
 *
 * For src/partition only. Sums over regions: how often each was executed, times its states.
 */
#ifndef GS_PARTITION_COSTS_H
#define GS_PARTITION_COSTS_H

#include "partition/dataflow.h"

/* Something in hardware: code, or several pieces of it together. */
typedef struct gs_hw_cost {
    double cycles;         /* of the accelerator */
    double loads, stores;  /* executed, of memory */
    uint64_t instructions; /* of the processor */
    uint64_t states, values;
    uint64_t uses[GS_HLS_KIND_COUNT];
} gs_hw_cost;

/* What keeps code from being moved. */
typedef enum gs_hw_hindrance_kind {
    GS_HW_SYSTEM,    /* system calls, control registers */
    GS_HW_POINTER,   /* a call through a pointer */
    GS_HW_ALLOCATES, /* malloc and so on */
    GS_HW_LIBRARY,   /* input and output, and what ends the program */
    GS_HW_JUMPS,     /* setjmp and longjmp */
    GS_HW_RECURSION,
    GS_HW_START, /* the program begins in it */
} gs_hw_hindrance_kind;

typedef struct gs_hw_hindrance {
    gs_hw_hindrance_kind kind;
    uint32_t function; /* in which it stands */
    uint32_t callee;   /* or GS_PROFILE_NONE */
    uint32_t pc;
} gs_hw_hindrance;

typedef struct gs_hw_costs {
    gs_hw_code code;
    const gs_hls *hls;
    gs_hw_cost *functions; /* without what they call */
    gs_hw_cost *loops;     /* with the loops in them, without what they call */
    uint8_t *runtime;      /* per function: the gs_hls_kind that it is; or GS_HLS_KIND_COUNT */
    int8_t *stays;         /* per function: gs_hw_hindrance_kind, or -1 if it could be moved */
    struct {
        gs_hw_hindrance *items; /* in the functions' own code, by pc */
        size_t count, capacity;
    } hindrances;
} gs_hw_costs;

/* Borrows both. */
gs_status gs_hw_costs_open(gs_hw_costs *costs, const gs_profile *profile, const gs_hls *hls,
                           gs_error *err);
void gs_hw_costs_close(gs_hw_costs *costs);

/* The same, `share` of it executed. */
void gs_hw_cost_add(gs_hw_cost *sum, const gs_hw_cost *more, double share);

/* Area of something, shared units counted once. */
void gs_hw_cost_area(const gs_hw_cost *cost, const gs_hls *hls,
                     uint64_t area[GS_HLS_RESOURCE_COUNT]);

/* Whether the instruction at `pc` is in the loop or one inside it. */
bool gs_hw_in_loop(const gs_profile *profile, uint32_t pc, uint32_t loop);

#endif
