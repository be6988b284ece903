/* Makes RVFI of beats. */
#include "rvfi_core.h"

#include <string.h>

static unsigned any(rvfi_core *core, unsigned below)
{
    core->chance = core->chance * 1664525u + 1013904223u;
    return (core->chance >> 16) % below;
}

/* One clock of the core. */
static void clock(rvfi_core *core, const rtl_rvfi *now)
{
    rtl_rvfi shown = *now;
    if (core->latency > 0) {
        shown = core->late[0];
        memmove(&core->late[0], &core->late[1], (RVFI_LATENCY_MAX - 1) * sizeof *core->late);
        core->late[core->latency - 1] = *now;
    }
    shown.start = now->start;
    shown.stall = now->stall;
    shown.reset = now->reset;
    core->library->clock_rvfi(core->rtl, &shown);
    core->clocks++;
}

void rvfi_core_open(rvfi_core *core, const rtl_library *library, rtl_unit *rtl)
{
    unsigned latency;
    *core = (rvfi_core){.library = library, .rtl = rtl};
    core->style = (rvfi_style)library->rvfi_style(&latency);
    core->latency = latency;
    /* Clocks that do not count: in reset, and what runs before the start. */
    for (unsigned i = 0; i < 20; i++) {
        const rtl_rvfi before = {
            .reset = i < 9, .valid = i % 3 == 0, .order = core->order++, .pc_rdata = 4 * i};
        clock(core, &before);
    }
    for (unsigned i = 0; i < RVFI_LATENCY_MAX; i++)
        clock(core, &(rtl_rvfi){0});
}

/* Between beats, RVFI shows anything but `valid`. A core whose clock is gated may hold a beat. */
static void pause_for(rvfi_core *core, unsigned cause)
{
    rtl_rvfi idle = core->shown;
    idle.valid = core->style == RVFI_IBEX && core->shown.valid && any(core, 3) == 0;
    idle.start = true;
    idle.stall = (uint8_t)cause;
    clock(core, &idle);
}

static void show(rvfi_core *core, rtl_rvfi beat)
{
    beat.start = beat.valid = true;
    beat.order = core->order++;
    core->shown = beat;
    clock(core, &beat);
}

static void set_access(rvfi_core *core, rtl_rvfi *beat, const gs_port *port)
{
    const unsigned mask = (1u << port->size) - 1, offset = port->address & 3;
    if (port->size == 0) {
        if (core->style == RVFI_PICORV32) { /* what the one before has left */
            beat->mem_addr = core->shown.mem_addr;
            beat->mem_rmask = core->shown.mem_rmask;
            beat->mem_wmask = core->shown.mem_wmask;
        } else if (core->style == RVFI_IBEX) {
            beat->mem_addr = port->pc + 1;
            beat->mem_rmask = 1;
        }
        return;
    }
    beat->mem_addr = core->style == RVFI_IBEX ? port->address : port->address - offset;
    const unsigned bytes = (core->style == RVFI_IBEX ? mask : mask << offset) & 15;
    beat->mem_wmask = port->write ? (uint8_t)bytes : 0;
    beat->mem_rmask = port->read ? (uint8_t)(core->style == RVFI_PICORV32 ? 15 : bytes) : 0;
    beat->rs1_rdata = port->address - (uint32_t)((int32_t)port->insn >> 20);
}

/* An instruction that traps takes a clock in which none retires; an interrupt takes none. */
static void emit(rvfi_core *core, bool last)
{
    const gs_port *port = &core->held;
    bool excepts = core->trapped_before && any(core, 2);
    for (unsigned cause = 0; cause < GS_STALL_COUNT; cause++) {
        for (uint64_t i = 0; i < port->stall[cause]; i++) {
            if (excepts)
                show(core, (rtl_rvfi){.trap = true, .stall = (uint8_t)cause, .insn = 0x73});
            else
                pause_for(core, cause);
            excepts = false;
        }
    }
    rtl_rvfi beat = {.intr = core->trapped_before,
                     .halt = last,
                     .insn = port->insn,
                     .pc_rdata = port->pc,
                     .pc_wdata = port->next_pc};
    set_access(core, &beat, port);
    show(core, beat);
}

bool rvfi_core_beat(rvfi_core *core, gs_port *port)
{
    if (port->trap && core->holds && core->held.trap)
        return false;
    port->mispredict = false;
    port->icache_hits = port->icache_misses = port->dcache_hits = port->dcache_misses = 0;
    if (core->holds && !core->held.trap)
        emit(core, false);
    core->trapped_before = core->holds && core->held.trap;
    core->held = *port;
    core->holds = true;
    return true;
}

void rvfi_core_end(rvfi_core *core)
{
    if (core->holds && !core->held.trap)
        emit(core, true);
    for (unsigned i = 0; i < RVFI_LATENCY_MAX + 4; i++)
        pause_for(core, GS_STALL_IDLE);
}
