/*
 * mips_state.h - registers of a MIPS32 hart.
 *
 * `fcsr` is the whole register. What the arithmetic needs of it (rounding, flushing,
 * kinds of NaN) stands in `fp` as well, so only gs_mips_fcsr_write() changes it;
 * fp.flags holds the exceptions of one operation and is 0 in between.
 */
#ifndef GS_MACHINE_MIPS_STATE_H
#define GS_MACHINE_MIPS_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/softfloat.h"
#include "isa/mips/mips_float.h"

enum {
    GS_MIPS_STATUS_IE = 1u << 0,
    GS_MIPS_STATUS_EXL = 1u << 1,
    GS_MIPS_STATUS_ERL = 1u << 2,
    GS_MIPS_STATUS_UM = 1u << 4, /* user mode, unless EXL or ERL */
    GS_MIPS_STATUS_IM = 0xffu << 8,
    GS_MIPS_STATUS_BEV = 1u << 22,
    GS_MIPS_STATUS_FR = 1u << 26, /* floating point registers have 64 bits */
    GS_MIPS_STATUS_CU0 = 1u << 28,
    GS_MIPS_STATUS_CU1 = 1u << 29,
};

enum {
    GS_MIPS_CAUSE_EXCCODE = 31u << 2,
    GS_MIPS_CAUSE_IP = 0xffu << 8,
    GS_MIPS_CAUSE_IP_SOFTWARE = 3u << 8,
    GS_MIPS_CAUSE_IP7 = 1u << 15, /* the timer's line */
    GS_MIPS_CAUSE_IV = 1u << 23,
    GS_MIPS_CAUSE_DC = 1u << 27, /* Count stands still */
    GS_MIPS_CAUSE_CE = 3u << 28,
    GS_MIPS_CAUSE_TI = 1u << 30,
};
#define GS_MIPS_CAUSE_BD     (1u << 31)
#define GS_MIPS_EBASE_CPUNUM 0x3ffu /* the hart's number */

/* Hardware interrupts for devices, Cause.IP2 to IP6: IP7 is the timer's. */
enum { GS_MIPS_LINES = 5 };

typedef struct gs_mips_state {
    uint32_t r[33]; /* r[32] swallows writes to $zero */
    uint32_t hi, lo;
    uint32_t f[64]; /* register n: low word at 2n, high word at 2n+1; see gs_mips_single() */
    gs_fp fp;
    uint32_t fcsr;
    bool in_delay_slot; /* pc is a delay slot: afterwards go to delay_target */
    uint32_t delay_target;
    bool linked; /* by ll */
    uint32_t linked_addr, linked_value;
    bool waiting;       /* in wait */
    uint32_t userlocal; /* rdhwr $29: the thread pointer */
    uint32_t cp0_status, cp0_cause, cp0_epc, cp0_errorepc, cp0_badvaddr, cp0_ebase, cp0_hwrena;
    uint32_t cp0_compare;
    uint64_t count_base; /* Count is the machine's time less this; a fixed value with Cause.DC */
    uint64_t timer_at;   /* the time at which Count is Compare next */
} gs_mips_state;

#endif
