/*
 * target.h - a statically scheduled processor, as the scheduler sees it.
 *
 * Filled from a core's description (timing/core_yaml.c), then read-only. Times are in cycles, of
 * which each issues one bundle; a latency is from the issue of an operation to the first bundle
 * that can read its result, so 1 at least.
 */
#ifndef GS_SCHEDULE_TARGET_H
#define GS_SCHEDULE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"

enum {
    GS_VLIW_WIDTH_MAX = 8,
    GS_VLIW_UNITS_MAX = 16 + GS_CLASS_COUNT, /* a class that is busy without a unit is one itself */
    GS_VLIW_FUSED_MAX = 64,
    GS_VLIW_FUSED_OPS_MAX = 12,
    GS_VLIW_CHOICES_MAX = 8,
    GS_SLOT_NONE = UINT8_MAX, /* of what takes none */
};

/* What an operation needs. */
typedef struct gs_vliw_class {
    uint8_t slots; /* a bit per slot of a bundle that takes it */
    uint8_t unit;  /* of which it keeps a copy; 0: none */
    uint16_t busy; /* for so many cycles, at least 1 */
    uint16_t latency;
} gs_vliw_class;

/* What connects the instructions that one operation does. */
typedef enum gs_fused_link {
    GS_FUSED_VALUES,   /* each feeds a later one */
    GS_FUSED_BASE,     /* an access, and an addition to the register with its address */
    GS_FUSED_ADJACENT, /* two accesses side by side on the stack */
} gs_fused_link;

/* An operation that does what several instructions of the program do. */
typedef struct gs_vliw_fused {
    const char *name;
    gs_fused_link link;
    unsigned inputs;   /* registers it can read, */
    unsigned outputs;  /* and write, if values are what links it */
    unsigned op_count; /* the instructions; */
    uint16_t ops[GS_VLIW_FUSED_OPS_MAX][GS_VLIW_CHOICES_MAX]; /* any of these, ended by 0 */
    gs_vliw_class needs;
} gs_vliw_fused;

typedef struct gs_vliw {
    unsigned width; /* slots in a bundle */
    gs_vliw_class classes[GS_CLASS_COUNT];
    const char *units[GS_VLIW_UNITS_MAX + 1]; /* by number, from 1; NULL where there is none */
    uint8_t copies[GS_VLIW_UNITS_MAX + 1];
    bool interlocked;    /* a bundle waits for its operands; else the code has empty bundles */
    bool fixed_bundles;  /* an empty slot takes room in memory */
    bool superblocks;    /* code is moved across branches that are not taken */
    bool pipelines;      /* loops of one block are software-pipelined */
    bool optimistic;     /* accesses through different registers do not overlap */
    bool hardware_loops; /* a counted loop of one block has no branch; it begins with */
    unsigned loop_setup; /* so many cycles */
    unsigned slot_bytes;
    unsigned delay;           /* bundles behind a branch that are executed before control moves */
    unsigned address_latency; /* no result is an address, */
    unsigned data_latency;    /* or is stored, in fewer cycles than these */
    unsigned registers, float_registers;
    unsigned fused_count;
    gs_vliw_fused fused[GS_VLIW_FUSED_MAX];
} gs_vliw;

/* The longest that an operation takes for its result, or keeps its unit. */
static inline unsigned gs_vliw_longest(const gs_vliw *target)
{
    unsigned longest = target->address_latency > target->data_latency ? target->address_latency
                                                                      : target->data_latency;
    for (unsigned i = 0; i < GS_CLASS_COUNT + target->fused_count; i++) {
        const gs_vliw_class *class =
            i < GS_CLASS_COUNT ? &target->classes[i] : &target->fused[i - GS_CLASS_COUNT].needs;
        longest = class->latency > longest ? class->latency : longest;
        longest = class->busy > longest ? class->busy : longest;
    }
    return longest;
}

#endif
