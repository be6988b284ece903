/* Collects interrupt lines into the hart's pending bits, and says when the next timer is due. */
#include "machine/bare/interrupts.h"

#include <stdio.h>

#include "machine/mips_trap.h"
#include "machine/rv_h3irq.h"
#include "machine/rv_trap.h"

/* Ticks between two looks at the host's input while the guest waits for an interrupt of it. */
static const uint64_t input_interval = 4096;

enum { MIPS_FIRST_LINE = 2, MIPS_TIMER_LINE = 7, MIPS_EXTERNAL = 0x1f << (8 + MIPS_FIRST_LINE) };

/* Numbered lines of a MIPS hart that are no device's own. */
enum { MIPS_UART = 0, MIPS_BUS_SOFTWARE = 1, MIPS_BUS_EXTERNAL = 2, MIPS_BUS_TIMER = 3 };

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

/* Whether input can raise an interrupt that is enabled. */
static bool wants_input(gs_bare *bare)
{
    bool wanted = false;
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        const gs_board_device *description = &bare->board->devices[i];
        const gs_bare_device *device = &bare->devices[i];
        if (!device->present)
            continue;
        if (description->type == GS_BOARD_UART16550 &&
            (description->interrupt || description->irq >= 0))
            wanted |= gs_uart_wants_input(&device->uart);
        else if (description->type == GS_BOARD_PL011 && description->irq >= 0)
            wanted |= gs_pl011_wants_input(&device->pl011);
    }
    return wanted && gs_console_open(&bare->console);
}

/* The common line of the UARTs that interrupt the hart itself. */
static bool uart_line(gs_bare *bare, uint64_t now)
{
    bool raised = false;
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        const gs_board_device *description = &bare->board->devices[i];
        if (bare->devices[i].present && description->type == GS_BOARD_UART16550 &&
            description->interrupt)
            raised = gs_uart_interrupt(&bare->devices[i].uart, now) || raised;
    }
    return raised;
}

/* The lines of a device with a number, the first of them as bit 0. */
static uint32_t lines_of(const gs_board_device *description, gs_bare_device *device, uint64_t now)
{
    switch (description->type) {
    case GS_BOARD_RP2350_TIMER: return gs_rp2350_timer_lines(&device->rp2350_timer, now);
    case GS_BOARD_PL011: return gs_pl011_interrupt(&device->pl011, now);
    case GS_BOARD_UART16550: return gs_uart_interrupt(&device->uart, now);
    case GS_BOARD_SP804: return gs_sp804_interrupt(&device->sp804, now);
    case GS_BOARD_GPIO: return gs_gpio_lines(&device->gpio);
    default: return 0;
    }
}

static gs_lines numbered_lines(gs_bare *bare, uint64_t now)
{
    gs_lines lines = bare->scripted;
    const bool pin_each = gs_board_gpio_lines(bare->board) > 1;
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        const gs_board_device *description = &bare->board->devices[i];
        if (!bare->devices[i].present || description->irq < 0)
            continue;
        uint32_t raised = lines_of(description, &bare->devices[i], now);
        if (description->type == GS_BOARD_GPIO && !pin_each)
            raised = raised != 0;
        gs_lines_raise(&lines, (unsigned)description->irq, raised);
    }
    return lines;
}

/* When a device may raise a line next, or something happens from outside. */
static uint64_t lines_due(gs_bare *bare, uint64_t now)
{
    uint64_t next = gs_script_due(bare->script);
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        const gs_bare_device *device = &bare->devices[i];
        if (!device->present)
            continue;
        if (bare->board->devices[i].type == GS_BOARD_RP2350_TIMER)
            next = smaller(next, gs_rp2350_timer_due(&device->rp2350_timer, now));
        else if (bare->board->devices[i].type == GS_BOARD_SP804)
            next = smaller(next, gs_sp804_due(&device->sp804, now));
    }
    return next;
}

static gs_bare_device *find_device(gs_bare *bare, gs_board_device_type type)
{
    for (unsigned i = 0; i < bare->board->device_count; i++) {
        if (bare->devices[i].present && bare->board->devices[i].type == type)
            return &bare->devices[i];
    }
    return NULL;
}

/* Lets happen what the script has for the time up to `now`. */
static void run_script(gs_bare *bare, uint64_t now)
{
    const gs_script_event *event;
    uint64_t at;
    while (gs_script_due(bare->script) <= now && (event = gs_script_take(bare->script, now, &at))) {
        gs_bare_device *gpio = find_device(bare, GS_BOARD_GPIO);
        switch (event->action) {
        case GS_SCRIPT_RAISE: gs_lines_set(&bare->scripted, event->number, true); break;
        case GS_SCRIPT_LOWER: gs_lines_set(&bare->scripted, event->number, false); break;
        case GS_SCRIPT_INPUT: gs_console_feed(&bare->console, event->bytes, event->size); break;
        case GS_SCRIPT_PIN:
            if (gpio)
                gs_gpio_drive(&gpio->gpio, event->number, event->high);
            break;
        }
    }
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

/* What other machines raise here: GS_LINE_*. */
static unsigned bus_lines(const gs_bare *bare, uint64_t now)
{
    return bare->machine->port ? gs_bus_port_lines(bare->machine->port, now) : 0;
}

/* mip as the devices have it. */
static uint32_t rv_lines(gs_bare *bare, const gs_clint *clint, uint64_t now)
{
    uint32_t lines = clint ? gs_clint_pending(clint, now) : 0;
    gs_rv_h3irq *irqs = &bare->machine->hart.rv.h3irq;
    gs_bare_device *plic = find_device(bare, GS_BOARD_PLIC);
    const gs_lines numbered = numbered_lines(bare, now);
    const unsigned outside = bus_lines(bare, now);
    bool external = false;
    lines |= outside & GS_LINE_SOFTWARE ? 1u << GS_RV_IRQ_SOFTWARE : 0;
    lines |= outside & GS_LINE_TIMER ? 1u << GS_RV_IRQ_TIMER : 0;
    if (irqs->present) {
        irqs->lines = numbered.bits[0];
        external = gs_rv_h3irq_pending(irqs);
    } else if (plic) {
        external = gs_plic_update(&plic->plic, &numbered);
    } else {
        external = gs_lines_any(&numbered);
    }
    if (!plic || !plic->plic.used)
        external |= uart_line(bare, now);
    external |= (outside & GS_LINE_EXTERNAL) != 0;
    return lines | (uint32_t)external << GS_RV_IRQ_EXTERNAL;
}

/* The hart waits: lets time pass until `wake`, input or a line of other machines. False if the
 * machine stops, or has come to its end. */
static bool sleep_now(gs_bare *bare, uint64_t now, uint64_t wake, bool input)
{
    gs_machine *machine = bare->machine;
    if (machine->port)
        return sleep_on_bus(bare, wake, gs_bus_port_next_change(machine->port, now));
    if (sleep_until(bare, wake, input))
        return true;
    halt(bare);
    return false;
}

/* When lines can change next, of which `timer` is the hart's own. */
static uint64_t next_look(gs_bare *bare, uint64_t now, uint64_t timer)
{
    uint64_t next = smaller(timer, lines_due(bare, now));
    if (bare->machine->port)
        next = smaller(next, gs_bus_port_next_change(bare->machine->port, now));
    return wants_input(bare) ? smaller(next, now + input_interval) : next;
}

static uint64_t rv_interrupts(gs_bare *bare, uint64_t now)
{
    gs_machine *machine = bare->machine;
    gs_rv_state *s = &machine->hart.rv;
    gs_clint *clint = find_clint(bare);

    if (clint)
        gs_clint_settle(clint, now);
    s->mip = rv_lines(bare, clint, now);
    while (s->waiting && !(s->mip & s->mie)) {
        const bool timer = clint && (s->mie & 1u << GS_RV_IRQ_TIMER);
        const bool external = s->mie & 1u << GS_RV_IRQ_EXTERNAL;
        uint64_t wake = timer ? gs_clint_due(clint, now) : UINT64_MAX;
        if (external)
            wake = smaller(wake, lines_due(bare, now));
        if (!sleep_now(bare, now, wake, external && wants_input(bare)))
            return UINT64_MAX;
        const bool slept = machine->time != now;
        now = machine->time;
        run_script(bare, now);
        s->mip = rv_lines(bare, clint, now);
        if (!slept && !machine->port)
            break; /* input, or a signal to this process */
    }
    s->waiting = false;

    int irq = gs_rv_pending_interrupt(machine);
    if (irq >= 0 && !gs_rv_enter_interrupt(machine, irq))
        no_handler(machine, s->mtvec & ~3u);
    return next_look(bare, now, clint ? gs_clint_due(clint, now) : UINT64_MAX);
}

/* Passes all lines on to the hart. False if an interrupt is taken that has no handler. */
static bool mips_poll(gs_bare *bare, uint64_t now)
{
    gs_machine *machine = bare->machine;
    gs_lines lines = numbered_lines(bare, now);
    const unsigned outside = bus_lines(bare, now);
    gs_lines_raise(&lines, MIPS_UART, uart_line(bare, now));
    gs_lines_raise(&lines, MIPS_BUS_SOFTWARE, (outside & GS_LINE_SOFTWARE) != 0);
    gs_lines_raise(&lines, MIPS_BUS_EXTERNAL, (outside & GS_LINE_EXTERNAL) != 0);
    gs_lines_raise(&lines, MIPS_BUS_TIMER, (outside & GS_LINE_TIMER) != 0);
    for (unsigned i = 0; i < GS_MIPS_LINES; i++)
        gs_mips_set_interrupt(&machine->hart, MIPS_FIRST_LINE + i, gs_lines_has(&lines, i));
    return gs_mips_poll_interrupts(machine);
}

static uint64_t mips_interrupts(gs_bare *bare, uint64_t now)
{
    gs_machine *machine = bare->machine;
    gs_mips_state *s = &machine->hart.mips;

    bool ok = mips_poll(bare, now);
    while (ok && s->waiting) {
        const bool timer = s->cp0_status >> (8 + MIPS_TIMER_LINE) & 1;
        const bool external = s->cp0_status & MIPS_EXTERNAL;
        uint64_t wake = timer ? gs_mips_timer_deadline(machine) : UINT64_MAX;
        if (external)
            wake = smaller(wake, lines_due(bare, now));
        if (!sleep_now(bare, now, wake, external && wants_input(bare)))
            return UINT64_MAX;
        const bool slept = machine->time != now;
        now = machine->time;
        run_script(bare, now);
        ok = mips_poll(bare, now);
        if (!slept && !machine->port)
            break;
    }
    s->waiting = false;
    if (!ok)
        no_handler(machine, s->cp0_ebase);
    return next_look(bare, now, gs_mips_timer_deadline(machine));
}

uint64_t gs_bare_interrupts(gs_bare *bare, uint64_t now)
{
    run_script(bare, now);
    if (bare->machine->isa->arch == GS_ARCH_RV32)
        return rv_interrupts(bare, now);
    return mips_interrupts(bare, now);
}
