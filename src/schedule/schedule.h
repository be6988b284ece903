/*
 * schedule.h - a program as a compiler would schedule it for a VLIW processor: the virtual back
 * end.
 *
 * The RISC-V code of the program is taken as the compiler's intermediate code. A function is cut
 * into regions, and a region's operations are put into the bundles of the target. Time is then
 * charged by instruction of the program: so much when it is executed, so much more if control
 * leaves the region behind it. The sum over a path through a region is what the region's schedule
 * takes up to that exit.
 *
 * Functions are scheduled when they are first asked for. The image and the target are borrowed. A
 * gs_scheduler belongs to one thread; what it returns lives as long as it.
 */
#ifndef GS_SCHEDULE_SCHEDULE_H
#define GS_SCHEDULE_SCHEDULE_H

#include "image/image.h"
#include "schedule/target.h"

typedef struct gs_scheduler gs_scheduler;

/* What keeps an operation from an earlier bundle. */
typedef enum gs_wait {
    GS_WAIT_NONE,
    GS_WAIT_LOAD,   /* a loaded value */
    GS_WAIT_VALUE,  /* another result */
    GS_WAIT_PLACE,  /* slots and units are taken */
    GS_WAIT_BRANCH, /* a branch, or its delay */
} gs_wait;

/* What an instruction is charged with. */
typedef struct gs_scheduled_insn {
    uint32_t raw;      /* as it stands in the program file */
    uint16_t cycles;   /* always; */
    uint16_t jumping;  /* more if it jumps; */
    uint16_t going_on; /* more if it does not, and the region ends behind it */
    uint8_t wait;      /* of `cycles` beyond the first; gs_wait, as the others */
    uint8_t jump_wait; /* of `jumping` */
    uint8_t end_wait;  /* of `going_on` */
    uint8_t slot;      /* of its bundle, or GS_SLOT_NONE */
    uint16_t cycle;    /* in which it is issued, from the region's first */
    uint16_t node;     /* equal numbers in a region: one operation, */
    int16_t fused;     /* of this number in the target's list, or -1 */
} gs_scheduled_insn;

/* Straight-line code with one entry, scheduled as a whole. */
typedef struct gs_vliw_region {
    uint32_t first, count; /* of the function's instructions */
    uint16_t length;       /* cycles until it is over, with the delay of a branch and latencies */
    uint16_t bundles;      /* until the last one has been issued, with the delay */
    uint16_t interval;     /* of a pipelined loop: cycles from one iteration to the next; or 0 */
    uint16_t chain;        /* the longest chain of dependences: no schedule is shorter, */
    uint16_t places;       /* nor than slots and units allow */
    uint16_t circles;      /* of a loop: no interval is shorter */
    uint16_t spilled;      /* values that do not fit into the registers */
    uint16_t operations;   /* that are issued, without spills */
    bool loops;            /* it is a block that leads back to itself */
    bool counts;           /* its branch is not executed: the target counts iterations */
    bool renames;
    uint32_t bytes; /* of code */
} gs_vliw_region;

typedef struct gs_scheduled_function {
    uint32_t start, end;
    uint32_t insn_count, region_count;
    const uint32_t *pcs; /* of its instructions */
    const gs_scheduled_insn *insns;
    const gs_vliw_region *regions;
} gs_scheduled_function;

/* What spills, or the first and last iterations of a pipelined loop, add at most to a region. An
 * instruction is never charged with more than this, the delay of a branch, and twice the longest
 * time that an operation of the target needs for its result or keeps its unit. */
enum { GS_SCHEDULE_EXTRA_MAX = 128 };

/* *out is the caller's, NULL on failure: GS_E_NO_MEMORY. */
gs_status gs_scheduler_open(gs_scheduler **out, const gs_image *image, const gs_vliw *target,
                            gs_error *err);
void gs_scheduler_free(gs_scheduler *schedule);

/* The function that covers `pc`; NULL if none does, or memory is out. */
const gs_scheduled_function *gs_scheduler_function_at(gs_scheduler *schedule, uint32_t pc);

/* The instruction at `pc`, or NULL likewise. */
const gs_scheduled_insn *gs_scheduler_at(gs_scheduler *schedule, uint32_t pc);

#endif
