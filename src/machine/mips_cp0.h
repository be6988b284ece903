/*
 * mips_cp0.h - the control registers of a MIPS hart: system control and floating point.
 *
 * Whether the mode allows an access is for the caller to ask. Reads of Count need
 * machine.time to be true; writes set hart.resync when they can let an interrupt in.
 */
#ifndef GS_MACHINE_MIPS_CP0_H
#define GS_MACHINE_MIPS_CP0_H

#include "machine/machine.h"

/* `reg` is register * 8 + select. What does not exist reads as zero and ignores writes. */
/* Whether reading it has to wait, see gs_machine_is_undecided(). */
bool gs_mips_cp0_is_undecided(gs_machine *machine, unsigned reg);

uint32_t gs_mips_cp0_read(gs_machine *machine, unsigned reg);
void gs_mips_cp0_write(gs_machine *machine, unsigned reg, uint32_t value);

/* di, ei: the old Status. */
uint32_t gs_mips_set_interrupts(gs_machine *machine, bool on);

/* rdhwr: false if there is no such register or it may not be read here. */
bool gs_mips_rdhwr(gs_machine *machine, unsigned number, uint32_t *value);

/* cfc1, ctc1: FIR, FCCR, FEXR, FENR, FCSR. A write returns false if it sets a cause that is
 * enabled: a floating point exception. */
uint32_t gs_mips_fcr_read(const gs_mips_state *state, unsigned number);
bool gs_mips_fcr_write(gs_mips_state *state, unsigned number, uint32_t value);

/* All of FCSR, whatever the enables. */
void gs_mips_fcsr_write(gs_mips_state *state, uint32_t value);

/* Whether the hart is in user mode. */
static inline bool gs_mips_user_mode(const gs_mips_state *state)
{
    uint32_t mode = GS_MIPS_STATUS_UM | GS_MIPS_STATUS_EXL | GS_MIPS_STATUS_ERL;
    return (state->cp0_status & mode) == GS_MIPS_STATUS_UM;
}

#endif
