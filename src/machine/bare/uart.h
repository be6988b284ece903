/*
 * uart.h - a 16550 UART on the console.
 *
 * The transmitter is always ready and takes no time. Received characters are the
 * host's standard input as it comes. FIFOs, interrupt identification, scratch register,
 * divisor latch and loopback behave as in the National Semiconductor data sheet; line
 * errors and modem changes never happen.
 */
#ifndef GS_MACHINE_BARE_UART_H
#define GS_MACHINE_BARE_UART_H

#include "machine/bare/console.h"
#include "machine/machine.h"

enum { GS_UART_FIFO = 16 };

typedef struct gs_uart {
    gs_machine *machine;
    gs_console *console;
    uint32_t start;         /* of the registers in the device's page */
    uint32_t stride, width; /* bytes between registers, bytes of the widest access */
    uint8_t ier, lcr, mcr, scr, dll, dlm;
    bool fifo;
    bool overrun;
    bool thr_empty_unseen; /* the transmit interrupt is up */
    uint8_t looped[GS_UART_FIFO];
    unsigned looped_count;
} gs_uart;

void gs_uart_init(gs_uart *uart, gs_machine *machine, gs_console *console);

/* Of a gs_device with self = the uart. */
bool gs_uart_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_uart_store(void *self, uint32_t offset, unsigned size, uint64_t value);

/* Whether the interrupt line is up at time `now`; looks for input if that could raise it. */
bool gs_uart_interrupt(gs_uart *uart, uint64_t now);

/* Whether the arrival of input would raise the interrupt line. */
bool gs_uart_wants_input(const gs_uart *uart);

#endif
