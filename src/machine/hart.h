/*
 * hart.h - the state of one hardware thread.
 *
 * Registers and control registers of either instruction set, and what the engine
 * and the environment hand to each other when an instruction does not simply
 * retire. Plain memory: copying it is a snapshot.
 */
#ifndef GS_MACHINE_HART_H
#define GS_MACHINE_HART_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/memory.h"
#include "machine/mips_state.h"
#include "machine/rv_state.h"

typedef enum gs_trap_kind {
#define TRAP(kind, text, mcause, exccode, signal) GS_TRAP_##kind,
#include "machine/traps.def"
#undef TRAP
    GS_TRAP_COUNT,
    GS_TRAP_STOP = GS_TRAP_COUNT /* none: a debugger stops before this instruction */
} gs_trap_kind;

typedef struct gs_trap {
    gs_trap_kind kind;
    gs_addr pc;     /* the instruction that trapped; for a fetch fault, where it went */
    uint32_t value; /* the address accessed, or the instruction word */
} gs_trap;

const char *gs_trap_text(gs_trap_kind kind);
int gs_trap_signal(gs_trap_kind kind); /* the host's number of the signal Linux would send */

/* Why the engine handed control back. */
typedef enum gs_stop {
    GS_STOP_BUDGET, /* as many instructions as were allowed have retired */
    GS_STOP_TRAP,   /* hart->trap tells; the instruction at trap.pc has not retired */
    GS_STOP_RESYNC, /* something changed that the engine cannot see: look again */
} gs_stop;

typedef struct gs_hart {
    gs_addr pc;       /* next to execute, when the engine is not running */
    uint64_t instret; /* retired since reset; the engine keeps it true at every slow path */
    gs_trap trap;
    bool resync; /* set by devices and control registers: leave after this instruction */
    gs_rv_state rv;
    gs_mips_state mips;
} gs_hart;

/* The value of a register in the numbering of isa.h. */
uint64_t gs_hart_operand(const gs_hart *hart, gs_arch arch, unsigned operand);

#endif
