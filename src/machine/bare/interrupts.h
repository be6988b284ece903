/*
 * interrupts.h - from the devices' interrupt lines to the hart.
 */
#ifndef GS_MACHINE_BARE_INTERRUPTS_H
#define GS_MACHINE_BARE_INTERRUPTS_H

#include "machine/bare/bare.h"

/* Passes on the state of all lines at time `now`, lets a hart that waits sleep until something
 * wakes it (moving machine.time), and takes an interrupt that is due. Ends the run if nothing
 * can wake it. Returns when lines can change next. */
uint64_t gs_bare_interrupts(gs_bare *bare, uint64_t now);

#endif
