/* Registers of a 16550 UART, with FIFOs and interrupts. */
#include "machine/bare/uart.h"

#include <string.h>

enum { RBR_THR, IER, IIR_FCR, LCR, MCR, LSR, MSR, SCR };

enum { IER_RECEIVED = 1, IER_EMPTY = 2, IER_LINE = 4 };
enum { IIR_NONE = 1, IIR_EMPTY = 2, IIR_RECEIVED = 4, IIR_LINE = 6, IIR_FIFO = 0xc0 };
enum { FCR_ENABLE = 1, FCR_CLEAR_RECEIVER = 2 };
enum { LCR_DLAB = 0x80 };
enum { MCR_DTR = 1, MCR_RTS = 2, MCR_OUT1 = 4, MCR_OUT2 = 8, MCR_LOOP = 0x10 };
enum { LSR_READY = 1, LSR_OVERRUN = 2, LSR_EMPTY = 0x60 };
enum { MSR_CTS = 0x10, MSR_DSR = 0x20, MSR_RI = 0x40, MSR_DCD = 0x80 };

void gs_uart_init(gs_uart *uart, gs_machine *machine, gs_console *console)
{
    *uart = (gs_uart){
        .machine = machine, .console = console, .stride = 1, .width = 1, .lcr = 3, .dll = 1};
}

static bool received(gs_uart *uart, uint64_t now)
{
    if (uart->mcr & MCR_LOOP)
        return uart->looped_count > 0;
    return gs_console_ready(uart->console, now);
}

/* The cause with the highest priority, as IIR has it. */
static unsigned cause(gs_uart *uart, uint64_t now)
{
    if ((uart->ier & IER_LINE) && uart->overrun)
        return IIR_LINE;
    if ((uart->ier & IER_RECEIVED) && received(uart, now))
        return IIR_RECEIVED;
    if ((uart->ier & IER_EMPTY) && uart->thr_empty_unseen)
        return IIR_EMPTY;
    return IIR_NONE;
}

bool gs_uart_interrupt(gs_uart *uart, uint64_t now)
{
    return uart->ier && cause(uart, now) != IIR_NONE;
}

bool gs_uart_wants_input(const gs_uart *uart)
{
    return (uart->ier & IER_RECEIVED) && !(uart->mcr & MCR_LOOP);
}

static uint8_t receive(gs_uart *uart)
{
    if (!received(uart, uart->machine->time))
        return 0;
    if (!(uart->mcr & MCR_LOOP))
        return gs_console_get(uart->console);
    uint8_t byte = uart->looped[0];
    memmove(uart->looped, uart->looped + 1, --uart->looped_count);
    return byte;
}

static void transmit(gs_uart *uart, uint8_t byte)
{
    uart->thr_empty_unseen = true;
    if (!(uart->mcr & MCR_LOOP))
        gs_console_put(uart->console, byte);
    else if (uart->looped_count < (uart->fifo ? GS_UART_FIFO : 1))
        uart->looped[uart->looped_count++] = byte;
    else
        uart->overrun = true;
}

static uint8_t modem_status(const gs_uart *uart)
{
    if (!(uart->mcr & MCR_LOOP))
        return MSR_CTS | MSR_DSR | MSR_DCD;
    unsigned status = 0;
    if (uart->mcr & MCR_RTS)
        status |= MSR_CTS;
    if (uart->mcr & MCR_DTR)
        status |= MSR_DSR;
    if (uart->mcr & MCR_OUT1)
        status |= MSR_RI;
    if (uart->mcr & MCR_OUT2)
        status |= MSR_DCD;
    return (uint8_t)status;
}

static uint8_t load_register(gs_uart *uart, unsigned number)
{
    uint64_t now = uart->machine->time;
    unsigned bits;

    switch (number) {
    case RBR_THR: return uart->lcr & LCR_DLAB ? uart->dll : receive(uart);
    case IER: return uart->lcr & LCR_DLAB ? uart->dlm : uart->ier;
    case IIR_FCR:
        bits = cause(uart, now);
        if (bits == IIR_EMPTY)
            uart->thr_empty_unseen = false; /* reading it is the answer to it */
        return (uint8_t)(bits | (uart->fifo ? IIR_FIFO : 0));
    case LCR: return uart->lcr;
    case MCR: return uart->mcr;
    case LSR:
        bits =
            LSR_EMPTY | (received(uart, now) ? LSR_READY : 0) | (uart->overrun ? LSR_OVERRUN : 0);
        uart->overrun = false;
        return (uint8_t)bits;
    case MSR: return modem_status(uart);
    default: return uart->scr;
    }
}

static void store_register(gs_uart *uart, unsigned number, uint8_t value)
{
    switch (number) {
    case RBR_THR:
        if (uart->lcr & LCR_DLAB)
            uart->dll = value;
        else
            transmit(uart, value);
        break;
    case IER:
        if (uart->lcr & LCR_DLAB) {
            uart->dlm = value;
        } else {
            if (value & ~uart->ier & IER_EMPTY)
                uart->thr_empty_unseen = true; /* it is empty, so enabling it raises it */
            uart->ier = value & 0x0f;
        }
        break;
    case IIR_FCR:
        uart->fifo = value & FCR_ENABLE;
        if (value & FCR_CLEAR_RECEIVER)
            uart->looped_count = 0; /* never the host's input: it has not been received yet */
        break;
    case LCR: uart->lcr = value; break;
    case MCR: uart->mcr = value & 0x1f; break;
    case LSR:
    case MSR: break;
    default: uart->scr = value; break;
    }
}

/* The register an access is for, or -1. */
static int register_at(const gs_uart *uart, uint32_t offset, unsigned size)
{
    uint32_t at = offset - uart->start;
    if (offset < uart->start || at >= 8 * uart->stride || at % uart->stride || size > uart->width)
        return -1;
    return (int)(at / uart->stride);
}

bool gs_uart_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    gs_uart *uart = self;
    int number = register_at(uart, offset, size);
    if (number < 0)
        return false;
    *value = load_register(uart, (unsigned)number);
    if (uart->ier)
        uart->machine->hart.resync = true; /* it may have lowered the interrupt line */
    return true;
}

bool gs_uart_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_uart *uart = self;
    int number = register_at(uart, offset, size);
    if (number < 0)
        return false;
    bool had_interrupts = uart->ier;
    store_register(uart, (unsigned)number, (uint8_t)value);
    if (had_interrupts || uart->ier)
        uart->machine->hart.resync = true;
    return true;
}
