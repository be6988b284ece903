/* Collects interrupt lines into the hart's pending bits, and says when the next timer is due. */
#include "machine/bare/interrupts.h"

#include <stdio.h>

#include "machine/mips_trap.h"
#include "machine/rv_h3irq.h"
#include "machine/rv_trap.h"

/* Ticks between two looks at the host's input while the guest waits for an interrupt of it. */
static const uint64_t input_interval = 4096;

enum { MIPS_UART_LINE = 2, MIPS_SOFTWARE_LINE = 3, MIPS_EXTERNAL_LINE = 4 };
enum { MIPS_BUS_TIMER_LINE = 5, MIPS_TIMER_LINE = 7 };

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static gs_clint *find_clint(gs_bare *bare)
{
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        if (bare->devices[i].present && gs_board_is_hart_timer(&bare->board->devices[i]))
            return &bare->devices[i].clint;
    }
    return NULL;
}

/* The UARTs' common interrupt line, and whether input could raise it. */
static bool uart_line(gs_bare *bare, uint64_t now, bool *wants_input)
{
    bool raised = false;
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        const gs_board_device *description = &bare->board->devices[i];
        gs_uart *uart = &bare->devices[i].uart;
        if (!bare->devices[i].present || description->type != GS_BOARD_UART16550 ||
            !description->interrupt)
            continue;
        raised = gs_uart_interrupt(uart, now) || raised;
        *wants_input =
            *wants_input || (gs_uart_wants_input(uart) && gs_console_open(&bare->console));
    }
    return raised;
}

/* The lines of devices with a number at the hart's controller. */
static uint64_t numbered_lines(gs_bare *bare, uint64_t now, bool *wants_input)
{
    uint64_t lines = 0;
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        const gs_board_device *description = &bare->board->devices[i];
        gs_bare_device *device = &bare->devices[i];
        if (!device->present || description->irq < 0)
            continue;
        if (description->type == GS_BOARD_RP2350_TIMER) {
            lines |= (uint64_t)gs_rp2350_timer_lines(&device->rp2350_timer, now)
                     << description->irq;
        } else if (description->type == GS_BOARD_PL011) {
            lines |= (uint64_t)gs_pl011_interrupt(&device->pl011, now) << description->irq;
            *wants_input = *wants_input || (gs_pl011_wants_input(&device->pl011) &&
                                            gs_console_open(&bare->console));
        }
    }
    return lines;
}

/* When the next alarm fires. */
static uint64_t alarm_due(gs_bare *bare, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        if (bare->devices[i].present && bare->board->devices[i].type == GS_BOARD_RP2350_TIMER)
            next = smaller(next, gs_rp2350_timer_due(&bare->devices[i].rp2350_timer, now));
    }
    return next;
}

static void halt(gs_bare *bare)
{
    gs_machine *machine = bare->machine;
    gs_exit exit = {.kind = GS_EXIT_HALT};
    const gs_function *function = gs_image_function_at(machine->image, machine->hart.pc);
    snprintf(exit.message, sizeof exit.message,
             "the program waits for an interrupt that can never come, at pc 0x%08x%s%s",
             machine->hart.pc, function ? " in " : "", function ? function->name : "");
    gs_machine_end(machine, exit);
}

static void no_handler(gs_machine *machine, gs_addr vector)
{
    gs_trap nowhere = {GS_TRAP_FETCH_FAULT, vector, vector};
    gs_machine_end(machine, gs_machine_fault(machine, &nowhere));
}

/*
 * Sleeps until `wake`, the time of the next interrupt that can end the wait, or until input
 * comes. Time stands still while the host waits for input, as there is nothing to measure it
 * by; a timer that is due first wins. False if nothing can come. A signal to the host's process
 * also ends the wait, so that the caller can stop the run: guests must expect that anyway.
 */
static bool sleep_until(gs_bare *bare, uint64_t wake, bool input)
{
    if (wake != UINT64_MAX) {
        bare->machine->time = wake;
        return true;
    }
    if (!input)
        return false;
    return gs_console_wait(&bare->console) || gs_console_open(&bare->console);
}

/* Goes to sleep, next to other machines: until `wake`, when one of its own devices ends the wait,
 * or until `changed`, when lines of the bus may, if that much is known. Otherwise the machine
 * stops. */
static bool sleep_on_bus(gs_bare *bare, uint64_t wake, uint64_t changed)
{
    gs_bus_port *port = bare->machine->port;
    const uint64_t until = smaller(wake, changed);
    port->wake = wake;
    if (until != UINT64_MAX && until <= port->known) {
        bare->machine->time = until;
        return true;
    }
    port->wait = GS_BUS_PORT_ASLEEP;
    return false;
}

/* mip as the devices have it. */
static uint32_t rv_lines(gs_bare *bare, const gs_clint *clint, uint64_t now, bool *wants_input)
{
    uint32_t lines = clint ? gs_clint_pending(clint, now) : 0;
    gs_rv_h3irq *irqs = &bare->machine->hart.rv.h3irq;
    *wants_input = false;
    if (bare->machine->port) {
        const unsigned outside = gs_bus_port_lines(bare->machine->port, now);
        lines |= outside & GS_LINE_SOFTWARE ? 1u << GS_RV_IRQ_SOFTWARE : 0;
        lines |= outside & GS_LINE_TIMER ? 1u << GS_RV_IRQ_TIMER : 0;
        lines |= outside & GS_LINE_EXTERNAL ? 1u << GS_RV_IRQ_EXTERNAL : 0;
    }
    if (uart_line(bare, now, wants_input))
        lines |= 1u << GS_RV_IRQ_EXTERNAL;
    if (irqs->present) {
        irqs->lines = numbered_lines(bare, now, wants_input);
        if (gs_rv_h3irq_pending(irqs))
            lines |= 1u << GS_RV_IRQ_EXTERNAL;
    }
    return lines;
}

static uint64_t rv_interrupts(gs_bare *bare, uint64_t now)
{
    gs_machine *machine = bare->machine;
    gs_rv_state *s = &machine->hart.rv;
    gs_clint *clint = find_clint(bare);
    bool wants_input;

    if (clint)
        gs_clint_settle(clint, now);
    s->mip = rv_lines(bare, clint, now, &wants_input);
    while (s->waiting && !(s->mip & s->mie)) {
        bool timer = clint && (s->mie & 1u << GS_RV_IRQ_TIMER);
        bool input = wants_input && (s->mie & 1u << GS_RV_IRQ_EXTERNAL);
        uint64_t wake = timer ? gs_clint_due(clint, now) : UINT64_MAX;
        if (s->mie & 1u << GS_RV_IRQ_EXTERNAL)
            wake = smaller(wake, alarm_due(bare, now));
        if (machine->port) {
            if (!sleep_on_bus(bare, wake, gs_bus_port_next_change(machine->port, now)))
                return UINT64_MAX;
        } else if (!sleep_until(bare, wake, input)) {
            halt(bare);
            return UINT64_MAX;
        }
        now = machine->time;
        s->mip = rv_lines(bare, clint, now, &wants_input);
        if (!machine->port)
            break; /* a signal to this process ends the wait, too */
    }
    s->waiting = false;

    int irq = gs_rv_pending_interrupt(machine);
    if (irq >= 0 && !gs_rv_enter_interrupt(machine, irq))
        no_handler(machine, s->mtvec & ~3u);
    uint64_t next = smaller(clint ? gs_clint_due(clint, now) : UINT64_MAX, alarm_due(bare, now));
    if (machine->port)
        next = smaller(next, gs_bus_port_next_change(machine->port, now));
    return wants_input ? smaller(next, now + input_interval) : next;
}

static void set_mips_lines(gs_bare *bare, uint64_t now, bool *wants_input)
{
    gs_hart *hart = &bare->machine->hart;
    *wants_input = false;
    gs_mips_set_interrupt(hart, MIPS_UART_LINE, uart_line(bare, now, wants_input));
    if (bare->machine->port) {
        const unsigned outside = gs_bus_port_lines(bare->machine->port, now);
        gs_mips_set_interrupt(hart, MIPS_SOFTWARE_LINE, outside & GS_LINE_SOFTWARE);
        gs_mips_set_interrupt(hart, MIPS_EXTERNAL_LINE, outside & GS_LINE_EXTERNAL);
        gs_mips_set_interrupt(hart, MIPS_BUS_TIMER_LINE, outside & GS_LINE_TIMER);
    }
}

static uint64_t mips_interrupts(gs_bare *bare, uint64_t now)
{
    gs_machine *machine = bare->machine;
    gs_mips_state *s = &machine->hart.mips;
    bool wants_input;

    set_mips_lines(bare, now, &wants_input);
    bool ok = gs_mips_poll_interrupts(machine);
    while (ok && s->waiting) {
        bool timer = s->cp0_status >> (8 + MIPS_TIMER_LINE) & 1;
        bool input = wants_input && (s->cp0_status >> (8 + MIPS_UART_LINE) & 1);
        uint64_t wake = timer ? gs_mips_timer_deadline(machine) : UINT64_MAX;
        if (machine->port) {
            if (!sleep_on_bus(bare, wake, gs_bus_port_next_change(machine->port, now)))
                return UINT64_MAX;
        } else if (!sleep_until(bare, wake, input)) {
            halt(bare);
            return UINT64_MAX;
        }
        now = machine->time;
        set_mips_lines(bare, now, &wants_input);
        ok = gs_mips_poll_interrupts(machine);
        if (!machine->port)
            s->waiting = false;
    }
    if (!ok)
        no_handler(machine, s->cp0_ebase);
    uint64_t next = gs_mips_timer_deadline(machine);
    if (machine->port)
        next = smaller(next, gs_bus_port_next_change(machine->port, now));
    return wants_input ? smaller(next, now + input_interval) : next;
}

uint64_t gs_bare_interrupts(gs_bare *bare, uint64_t now)
{
    if (bare->machine->isa->arch == GS_ARCH_RV32)
        return rv_interrupts(bare, now);
    return mips_interrupts(bare, now);
}
