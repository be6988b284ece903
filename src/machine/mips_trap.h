/*
 * mips_trap.h - how a MIPS hart takes exceptions and interrupts, and returns from them.
 *
 * Kernel and user mode; no supervisor, no TLB: the segments of the address space are
 * plain addresses. Nothing here needs an environment; all of it changes the hart only.
 */
#ifndef GS_MACHINE_MIPS_TRAP_H
#define GS_MACHINE_MIPS_TRAP_H

#include "machine/machine.h"

/* As after reset, but at `entry`: kernel mode, boot vectors, interrupts and floating point off. */
void gs_mips_reset(gs_machine *machine, gs_addr entry);

/* As an operating system starts a program at `entry`: user mode, floating point on, with the kind
 * of NaNs the image asks for. */
void gs_mips_reset_user(gs_machine *machine, gs_addr entry);

/* Goes to the exception vector: EBase + 0x180, or 0xbfc00380 with Status.BEV. EPC and Cause.BD
 * tell of a delay slot. False, and nothing changed, if there is no code at the vector. */
bool gs_mips_enter_trap(gs_machine *machine, const gs_trap *trap);

/* Steps over the instruction that trapped, as if it had done its work: to the next one or, in a
 * delay slot, to where the branch goes. */
void gs_mips_skip(gs_hart *hart);

/* Sets or clears one of the hardware lines Cause.IP2 to IP7. */
void gs_mips_set_interrupt(gs_hart *hart, unsigned line, bool raised);

/* When to poll next, in the machine's time: when the timer will raise IP7, or at once if an
 * interrupt waits for a delay slot to pass. UINT64_MAX for never. */
uint64_t gs_mips_timer_deadline(const gs_machine *machine);

/* Lets the timer raise IP7 if it is time, ends a `wait` if an interrupt has come, and takes the
 * interrupt if Status lets it, but never between a branch and its delay slot. False if it is to
 * be taken and there is no code at the vector. */
bool gs_mips_poll_interrupts(gs_machine *machine);

/* eret: leaves the target in hart.pc and sets hart.resync. */
void gs_mips_return(gs_machine *machine);

/* wait: sets hart.resync. */
void gs_mips_wait(gs_machine *machine);

#endif
