/*
 * rv_state.h - registers and control registers of a RISC-V hart.
 *
 * Machine mode and user mode. How the control registers behave is in rv_csr.h, how
 * traps come and go in rv_trap.h.
 */
#ifndef GS_MACHINE_RV_STATE_H
#define GS_MACHINE_RV_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/softfloat.h"

enum { GS_RV_USER = 0, GS_RV_MACHINE = 3 };

enum {
    GS_RV_MSTATUS_MIE = 1u << 3,
    GS_RV_MSTATUS_MPIE = 1u << 7,
    GS_RV_MSTATUS_MPP = 3u << 11,
    GS_RV_MSTATUS_FS = 3u << 13,
    GS_RV_MSTATUS_MPRV = 1u << 17,
    GS_RV_MSTATUS_TW = 1u << 21,
};
#define GS_RV_MSTATUS_SD (1u << 31)

enum { GS_RV_IRQ_SOFTWARE = 3, GS_RV_IRQ_TIMER = 7, GS_RV_IRQ_EXTERNAL = 11 };

/* Hazard3's interrupt controller, see rv_h3irq.h. */
enum { GS_RV_H3_IRQS = 64, GS_RV_H3_PRIORITIES = 16 };
typedef struct gs_rv_h3irq {
    bool present;
    uint64_t lines, enabled, forced; /* a bit per interrupt */
    uint8_t priority[GS_RV_H3_IRQS];
    uint8_t preempt, ppreempt, pppreempt; /* meicontext: */
    bool restores;                        /* mreteirq */
    bool noirq;
    uint16_t irq;
} gs_rv_h3irq;

typedef struct gs_rv_state {
    uint32_t x[33]; /* x[32] swallows writes to x0 */
    uint64_t f[32]; /* singles are NaN-boxed */
    gs_fp fp;       /* flags are fflags; rounding is that of the instruction at hand */
    uint8_t frm;
    uint8_t mode;
    bool waiting; /* in wfi */
    uint32_t mstatus, misa, mie, mip, mtvec, mscratch, mepc, mcause, mtval;
    uint32_t mcounteren, mcountinhibit, mhartid;
    int64_t cycle_offset, instret_offset; /* written counters run on from what was written */
    bool reserved;                        /* by lr.w */
    uint32_t reserved_addr, reserved_value;
    gs_rv_h3irq h3irq;
} gs_rv_state;

#endif
