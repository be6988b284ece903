/*
 * pl011.h - Arm's PrimeCell UART on the console.
 *
 * The transmitter is always ready and takes no time. Received characters are the host's standard
 * input as it comes. Registers and interrupts behave as in the PL011's reference manual, with the
 * transmit FIFO always empty; line errors, modem lines and DMA never happen.
 */
#ifndef GS_MACHINE_BARE_PL011_H
#define GS_MACHINE_BARE_PL011_H

#include "machine/bare/console.h"
#include "machine/machine.h"

typedef struct gs_pl011 {
    gs_machine *machine;
    gs_console *console;
    bool atomic;      /* the registers appear four times */
    bool transmitted; /* the transmit interrupt is up */
    uint32_t ilpr, ibrd, fbrd, lcr_h, cr, ifls, imsc, dmacr;
} gs_pl011;

void gs_pl011_init(gs_pl011 *uart, gs_machine *machine, gs_console *console, bool atomic);

/* Of a gs_device with self = the UART. */
bool gs_pl011_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_pl011_store(void *self, uint32_t offset, unsigned size, uint64_t value);

/* Whether the interrupt line is up at time `now`; looks for input if that could raise it. */
bool gs_pl011_interrupt(gs_pl011 *uart, uint64_t now);

/* Whether the arrival of input would raise the interrupt line. */
bool gs_pl011_wants_input(const gs_pl011 *uart);

#endif
