/* Registers of a PL011 UART. */
#include "machine/bare/pl011.h"

#include "machine/bare/atomic.h"

enum {
    DR = 0x00,
    RSR = 0x04,
    FR = 0x18,
    ILPR = 0x20,
    IBRD = 0x24,
    FBRD = 0x28,
    LCR_H = 0x2c,
    CR = 0x30,
    IFLS = 0x34,
    IMSC = 0x38,
    RIS = 0x3c,
    MIS = 0x40,
    ICR = 0x44,
    DMACR = 0x48,
    PERIPH_ID = 0xfe0,
};

enum { FR_CTS = 1, FR_DSR = 2, FR_DCD = 4, FR_RXFE = 0x10, FR_TXFE = 0x80 };
enum { CR_UARTEN = 1, CR_TXE = 0x100, CR_RXE = 0x200 };
enum { INT_RX = 0x10, INT_TX = 0x20, INT_RT = 0x40 };

void gs_pl011_init(gs_pl011 *uart, gs_machine *machine, gs_console *console, bool atomic)
{
    *uart = (gs_pl011){.machine = machine,
                       .console = console,
                       .atomic = atomic,
                       .cr = CR_TXE | CR_RXE,
                       .ifls = 0x12};
}

static bool is_on(const gs_pl011 *uart, uint32_t direction)
{
    return (uart->cr & CR_UARTEN) && (uart->cr & direction);
}

static bool received(const gs_pl011 *uart, uint64_t now)
{
    return is_on(uart, CR_RXE) && gs_console_ready(uart->console, now);
}

/* RIS: what would interrupt if it were not masked. */
static uint32_t raised(const gs_pl011 *uart, uint64_t now)
{
    return (received(uart, now) ? INT_RX | INT_RT : 0) | (uart->transmitted ? INT_TX : 0);
}

bool gs_pl011_interrupt(gs_pl011 *uart, uint64_t now)
{
    return uart->imsc && (uart->imsc & raised(uart, now));
}

bool gs_pl011_wants_input(const gs_pl011 *uart)
{
    return (uart->imsc & (INT_RX | INT_RT)) && is_on(uart, CR_RXE);
}

static uint32_t *plain_register(gs_pl011 *uart, uint32_t at)
{
    switch (at) {
    case ILPR: return &uart->ilpr;
    case IBRD: return &uart->ibrd;
    case FBRD: return &uart->fbrd;
    case LCR_H: return &uart->lcr_h;
    case CR: return &uart->cr;
    case IFLS: return &uart->ifls;
    case IMSC: return &uart->imsc;
    case DMACR: return &uart->dmacr;
    default: return NULL;
    }
}

static uint32_t read_register(gs_pl011 *uart, uint32_t at)
{
    static const uint8_t id[] = {0x11, 0x10, 0x34, 0x00, 0x0d, 0xf0, 0x05, 0xb1};
    const uint64_t now = uart->machine->time;
    const uint32_t *plain = plain_register(uart, at);
    if (plain)
        return *plain;
    switch (at) {
    case DR: return received(uart, now) ? gs_console_get(uart->console) : 0;
    case FR: return FR_CTS | FR_DSR | FR_DCD | FR_TXFE | (received(uart, now) ? 0 : FR_RXFE);
    case RIS: return raised(uart, now);
    case MIS: return raised(uart, now) & uart->imsc;
    default: return at >= PERIPH_ID ? id[(at - PERIPH_ID) / 4] : 0;
    }
}

static void write_register(gs_pl011 *uart, uint32_t at, uint32_t value)
{
    uint32_t *plain = plain_register(uart, at);
    if (plain) {
        *plain = value;
    } else if (at == DR && is_on(uart, CR_TXE)) {
        gs_console_put(uart->console, (uint8_t)value);
        uart->transmitted = true;
    } else if (at == ICR && (value & INT_TX)) {
        uart->transmitted = false;
    }
}

bool gs_pl011_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    gs_pl011 *uart = self;
    if (size > 4 || offset % 4)
        return false;
    *value = read_register(uart, offset % GS_ATOMIC_DISTANCE);
    if (size < 4)
        *value &= (UINT64_C(1) << 8 * size) - 1;
    if (uart->imsc)
        uart->machine->hart.resync = true; /* it may have lowered the interrupt line */
    return true;
}

bool gs_pl011_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_pl011 *uart = self;
    if (size > 4 || offset % 4)
        return false;
    const uint32_t at = offset % GS_ATOMIC_DISTANCE, masked = uart->imsc;
    uint32_t result = (uint32_t)value;
    const uint32_t *plain = plain_register(uart, at);
    if (uart->atomic && plain)
        result = gs_atomic_result(offset, *plain, result);
    write_register(uart, at, result);
    if (masked || uart->imsc)
        uart->machine->hart.resync = true;
    return true;
}
