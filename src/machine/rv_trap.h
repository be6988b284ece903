/*
 * rv_trap.h - how a RISC-V hart takes traps and interrupts, and returns from them.
 *
 * Machine mode handles everything; there is no supervisor. All of these change
 * the hart and nothing else.
 */
#ifndef GS_MACHINE_RV_TRAP_H
#define GS_MACHINE_RV_TRAP_H

#include "machine/machine.h"

/* As after reset, at `entry`, in machine mode, interrupts and floating point off. */
void gs_rv_reset(gs_machine *machine, gs_addr entry);

/* Goes to mtvec. False, and nothing changed, if there is no code there: the trap has no
 * handler. */
bool gs_rv_enter_trap(gs_machine *machine, const gs_trap *trap);

/* The interrupt to take now by mip, mie, mstatus and mode, or -1. */
int gs_rv_pending_interrupt(const gs_machine *machine);
bool gs_rv_enter_interrupt(gs_machine *machine, int irq);

/* mret: false if the mode does not allow it. Leaves the target in hart.pc. */
bool gs_rv_return(gs_machine *machine);

/* wfi: false if the mode does not allow it. */
bool gs_rv_wait(gs_machine *machine);

#endif
