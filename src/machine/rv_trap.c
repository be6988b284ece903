/* RISC-V traps, interrupts and mret. */
#include "machine/rv_trap.h"

#include "isa/rv/rv.h"
#include "machine/rv_h3irq.h"

static const uint32_t interrupt_bit = 1u << 31;

static const uint8_t causes[GS_TRAP_COUNT] = {
#define TRAP(kind, text, mcause, exccode, signal) [GS_TRAP_##kind] = mcause,
#include "machine/traps.def"
#undef TRAP
};

static uint32_t misa_of(uint64_t extensions)
{
    uint32_t misa = 1u << 30; /* XLEN 32 */
    misa |= 1u << ('I' - 'A') | 1u << ('U' - 'A');
    static const struct {
        gs_rv_extension extension;
        char letter;
    } letters[] = {{GS_RV_M, 'M'}, {GS_RV_A, 'A'}, {GS_RV_F, 'F'}, {GS_RV_D, 'D'}, {GS_RV_C, 'C'}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (extensions >> letters[i].extension & 1)
            misa |= 1u << (letters[i].letter - 'A');
    }
    return misa;
}

void gs_rv_reset(gs_machine *machine, gs_addr entry)
{
    machine->hart.pc = entry;
    machine->hart.rv = (gs_rv_state){
        .mode = GS_RV_MACHINE,
        .misa = misa_of(machine->extensions),
        .mcounteren = 7,
        .mstatus = GS_RV_MSTATUS_MPP,
    };
}

/* Saves where we were and goes to the handler at `vector`. */
static bool enter(gs_machine *machine, uint32_t cause, uint32_t value, gs_addr pc, gs_addr vector)
{
    gs_rv_state *s = &machine->hart.rv;
    if (!gs_memory_allows(&machine->memory, vector, 2, GS_PROT_EXEC))
        return false;
    uint32_t status = s->mstatus & ~(uint32_t)(GS_RV_MSTATUS_MPIE | GS_RV_MSTATUS_MPP);
    if (s->mstatus & GS_RV_MSTATUS_MIE)
        status |= GS_RV_MSTATUS_MPIE;
    status |= (uint32_t)s->mode << 11;
    s->mstatus = status & ~(uint32_t)GS_RV_MSTATUS_MIE;
    s->mepc = pc;
    s->mcause = cause;
    s->mtval = value;
    s->mode = GS_RV_MACHINE;
    gs_rv_h3irq_entered(&s->h3irq, cause == (interrupt_bit | GS_RV_IRQ_EXTERNAL));
    machine->hart.pc = vector;
    return true;
}

bool gs_rv_enter_trap(gs_machine *machine, const gs_trap *trap)
{
    const gs_rv_state *s = &machine->hart.rv;
    uint32_t cause = causes[trap->kind];
    if (trap->kind == GS_TRAP_SYSCALL)
        cause += s->mode; /* 8 from user mode, 11 from machine mode */
    return enter(machine, cause, trap->value, trap->pc, s->mtvec & ~3u);
}

int gs_rv_pending_interrupt(const gs_machine *machine)
{
    const gs_rv_state *s = &machine->hart.rv;
    uint32_t ready = s->mip & s->mie;
    if (!ready || (s->mode == GS_RV_MACHINE && !(s->mstatus & GS_RV_MSTATUS_MIE)))
        return -1;
    static const uint8_t by_priority[] = {GS_RV_IRQ_EXTERNAL, GS_RV_IRQ_SOFTWARE, GS_RV_IRQ_TIMER};
    for (size_t i = 0; i < sizeof by_priority; i++) {
        if (ready >> by_priority[i] & 1)
            return by_priority[i];
    }
    return -1;
}

bool gs_rv_enter_interrupt(gs_machine *machine, int irq)
{
    const gs_rv_state *s = &machine->hart.rv;
    gs_addr vector = s->mtvec & ~3u;
    if (s->mtvec & 1)
        vector += 4 * (gs_addr)irq;
    return enter(machine, interrupt_bit | (uint32_t)irq, 0, machine->hart.pc, vector);
}

bool gs_rv_return(gs_machine *machine)
{
    gs_rv_state *s = &machine->hart.rv;
    if (s->mode != GS_RV_MACHINE)
        return false;
    s->mode = (uint8_t)((s->mstatus & GS_RV_MSTATUS_MPP) >> 11);
    s->mstatus &= ~(uint32_t)(GS_RV_MSTATUS_MPP | GS_RV_MSTATUS_MIE);
    if (s->mstatus & GS_RV_MSTATUS_MPIE)
        s->mstatus |= GS_RV_MSTATUS_MIE;
    s->mstatus |= GS_RV_MSTATUS_MPIE;
    if (s->mode != GS_RV_MACHINE)
        s->mstatus &= ~(uint32_t)GS_RV_MSTATUS_MPRV;
    gs_rv_h3irq_returned(&s->h3irq);
    machine->hart.pc = s->mepc;
    machine->hart.resync = true;
    return true;
}

bool gs_rv_wait(gs_machine *machine)
{
    gs_rv_state *s = &machine->hart.rv;
    if (s->mode != GS_RV_MACHINE && (s->mstatus & GS_RV_MSTATUS_TW))
        return false;
    s->waiting = true;
    machine->hart.resync = true;
    return true;
}
