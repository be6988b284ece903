/*
 * rvfi_core.h - a small core as RVFI shows it, made of the beats of a trace.
 *
 * It has the habits of other people's cores: RVFI comes some clocks late, masks are left set by
 * other instructions, addresses are those of words, an instruction that traps takes a clock, a
 * gated clock holds a beat for longer, and there are clocks and beats before the first that counts.
 */
#ifndef RTL_UNITS_RVFI_CORE_H
#define RTL_UNITS_RVFI_CORE_H

#include "probe/port.h"
#include "rtl.h"

typedef enum rvfi_style { RVFI_PICORV32, RVFI_IBEX, RVFI_HAZARD3 } rvfi_style;

enum { RVFI_LATENCY_MAX = 4 };

typedef struct rvfi_core {
    const rtl_library *library;
    rtl_unit *rtl;
    rvfi_style style;
    unsigned latency;
    rtl_rvfi late[RVFI_LATENCY_MAX]; /* what RVFI has yet to show, the next one first */
    rtl_rvfi shown;                  /* the beat before */
    gs_port held;                    /* until it is known whether it is the last one */
    bool holds, trapped_before;      /* and whether a trap was taken before it */
    uint64_t order, clocks;
    uint32_t chance;
} rvfi_core;

void rvfi_core_open(rvfi_core *core, const rtl_library *library, rtl_unit *rtl);

/* False if RVFI cannot say it: a second trap without an instruction in between. What it has no
 * wires for is taken out of the beat. */
bool rvfi_core_beat(rvfi_core *core, gs_port *port);

/* The last instruction halts the core. */
void rvfi_core_end(rvfi_core *core);

#endif
