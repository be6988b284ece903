/* MIPS exceptions, interrupts and eret. */
#include "machine/mips_trap.h"

#include "machine/mips_cp0.h"

static const uint32_t boot_vectors = 0xbfc00200;
static const uint32_t general_offset = 0x180, interrupt_offset = 0x200;
static const uint32_t opcode_cop0 = 0x10;
static const uint32_t ef_mips_nan2008 = 0x400; /* in the ELF header's flags */

static const uint8_t causes[GS_TRAP_COUNT] = {
#define TRAP(kind, text, mcause, exccode, signal) [GS_TRAP_##kind] = exccode,
#include "machine/traps.def"
#undef TRAP
};

static void reset(gs_machine *machine, gs_addr entry, uint32_t status)
{
    machine->hart.pc = entry;
    machine->hart.mips = (gs_mips_state){
        .cp0_status = status,
        .cp0_ebase = 1u << 31,
        .count_base = machine->time,
        .timer_at = machine->time + ((uint64_t)1 << 32),
    };
    gs_mips_fcsr_write(&machine->hart.mips, 0);
}

void gs_mips_reset(gs_machine *machine, gs_addr entry)
{
    reset(machine, entry, GS_MIPS_STATUS_BEV | GS_MIPS_STATUS_ERL);
}

void gs_mips_reset_user(gs_machine *machine, gs_addr entry)
{
    gs_mips_state *s = &machine->hart.mips;
    reset(machine, entry, GS_MIPS_STATUS_UM | GS_MIPS_STATUS_CU1);
    s->cp0_hwrena = 0x2000000f;
    if (gs_image_flags(machine->image) & ef_mips_nan2008) {
        s->fcsr = GS_MIPS_FCSR_NAN2008 | GS_MIPS_FCSR_ABS2008;
        gs_mips_fcsr_write(s, s->fcsr);
    }
}

/* Saves where we were and goes to the handler. While EXL is set, the first place stays. */
static bool enter(gs_machine *machine, uint32_t code, gs_addr pc, gs_addr offset)
{
    gs_hart *hart = &machine->hart;
    gs_mips_state *s = &hart->mips;
    bool nested = s->cp0_status & GS_MIPS_STATUS_EXL;
    gs_addr vector =
        s->cp0_status & GS_MIPS_STATUS_BEV ? boot_vectors : s->cp0_ebase & ~GS_MIPS_EBASE_CPUNUM;
    vector += nested ? general_offset : offset;
    if (!gs_memory_allows(&machine->memory, vector, 4, GS_PROT_EXEC))
        return false;
    if (!nested) {
        s->cp0_cause &= ~GS_MIPS_CAUSE_BD;
        if (s->in_delay_slot)
            s->cp0_cause |= GS_MIPS_CAUSE_BD;
        s->cp0_epc = s->in_delay_slot ? pc - 4 : pc;
    }
    s->cp0_cause &= ~(uint32_t)(GS_MIPS_CAUSE_EXCCODE | GS_MIPS_CAUSE_CE);
    s->cp0_cause |= code << 2;
    s->cp0_status |= GS_MIPS_STATUS_EXL;
    s->in_delay_slot = false;
    hart->pc = vector;
    return true;
}

bool gs_mips_enter_trap(gs_machine *machine, const gs_trap *trap)
{
    gs_mips_state *s = &machine->hart.mips;
    if (!enter(machine, causes[trap->kind], trap->pc, general_offset))
        return false;
    switch (trap->kind) {
    case GS_TRAP_FETCH_MISALIGNED:
    case GS_TRAP_LOAD_MISALIGNED:
    case GS_TRAP_STORE_MISALIGNED: s->cp0_badvaddr = trap->value; break;
    case GS_TRAP_COPROCESSOR:
        if (trap->value >> 26 != opcode_cop0 && trap->value >> 26 != 0x2f /* cache */)
            s->cp0_cause |= 1u << 28;
        break;
    default: break;
    }
    return true;
}

void gs_mips_skip(gs_hart *hart)
{
    gs_mips_state *s = &hart->mips;
    hart->pc = s->in_delay_slot ? s->delay_target : hart->trap.pc + 4;
    s->in_delay_slot = false;
}

void gs_mips_set_interrupt(gs_hart *hart, unsigned line, bool raised)
{
    uint32_t bit = 1u << (8 + line);
    if (raised)
        hart->mips.cp0_cause |= bit;
    else
        hart->mips.cp0_cause &= ~bit;
}

static bool ready(const gs_mips_state *s)
{
    return s->cp0_cause & s->cp0_status & GS_MIPS_STATUS_IM;
}

static bool admitted(const gs_mips_state *s)
{
    uint32_t gates = GS_MIPS_STATUS_IE | GS_MIPS_STATUS_EXL | GS_MIPS_STATUS_ERL;
    return (s->cp0_status & gates) == GS_MIPS_STATUS_IE;
}

uint64_t gs_mips_timer_deadline(const gs_machine *machine)
{
    const gs_mips_state *s = &machine->hart.mips;
    if (s->in_delay_slot && ready(s) && admitted(s))
        return machine->time;
    if (s->cp0_cause & (GS_MIPS_CAUSE_TI | GS_MIPS_CAUSE_DC))
        return UINT64_MAX;
    return s->timer_at;
}

bool gs_mips_poll_interrupts(gs_machine *machine)
{
    gs_hart *hart = &machine->hart;
    gs_mips_state *s = &hart->mips;
    if (!(s->cp0_cause & GS_MIPS_CAUSE_DC) && machine->time >= s->timer_at) {
        s->cp0_cause |= GS_MIPS_CAUSE_TI | GS_MIPS_CAUSE_IP7;
        s->timer_at += (uint64_t)1 << 32;
    }
    if (!ready(s))
        return true;
    s->waiting = false;
    if (!admitted(s) || s->in_delay_slot)
        return true;
    bool special = s->cp0_cause & GS_MIPS_CAUSE_IV;
    return enter(machine, 0, hart->pc, special ? interrupt_offset : general_offset);
}

void gs_mips_return(gs_machine *machine)
{
    gs_mips_state *s = &machine->hart.mips;
    if (s->cp0_status & GS_MIPS_STATUS_ERL) {
        machine->hart.pc = s->cp0_errorepc;
        s->cp0_status &= ~(uint32_t)GS_MIPS_STATUS_ERL;
    } else {
        machine->hart.pc = s->cp0_epc;
        s->cp0_status &= ~(uint32_t)GS_MIPS_STATUS_EXL;
    }
    s->linked = false;
    machine->hart.resync = true;
}

void gs_mips_wait(gs_machine *machine)
{
    machine->hart.mips.waiting = true;
    machine->hart.resync = true;
}
