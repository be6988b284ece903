/*
 * mips_state.h - registers of a MIPS32 hart.
 */
#ifndef GS_MACHINE_MIPS_STATE_H
#define GS_MACHINE_MIPS_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/softfloat.h"

typedef struct gs_mips_state {
    uint32_t r[33]; /* r[32] swallows writes to $zero */
    uint32_t hi, lo;
    uint32_t f[32]; /* FR=0: a double is an even register and the next, low word first */
    gs_fp fp;
    uint32_t fcsr_rest; /* condition codes, FS, enables and causes; flags and rounding are in fp */
    bool in_delay_slot; /* pc is a delay slot: afterwards go to delay_target */
    uint32_t delay_target;
    bool linked; /* by ll */
    uint32_t linked_addr, linked_value;
    uint32_t userlocal; /* rdhwr $29: the thread pointer */
    uint32_t cp0_status, cp0_cause, cp0_epc, cp0_errorepc, cp0_badvaddr, cp0_compare, cp0_ebase;
    int64_t count_offset;
} gs_mips_state;

#endif
