/* Reads and writes RISC-V control and status registers. */
#include "machine/rv_csr.h"

#include "machine/rv_h3irq.h"

enum {
    CSR_FFLAGS = 0x001,
    CSR_FRM = 0x002,
    CSR_FCSR = 0x003,
    CSR_MSTATUS = 0x300,
    CSR_MISA = 0x301,
    CSR_MIE = 0x304,
    CSR_MTVEC = 0x305,
    CSR_MCOUNTEREN = 0x306,
    CSR_MSTATUSH = 0x310,
    CSR_MCOUNTINHIBIT = 0x320,
    CSR_MHPMEVENT3 = 0x323,
    CSR_MHPMEVENT31 = 0x33f,
    CSR_MSCRATCH = 0x340,
    CSR_MEPC = 0x341,
    CSR_MCAUSE = 0x342,
    CSR_MTVAL = 0x343,
    CSR_MIP = 0x344,
    CSR_PMPCFG0 = 0x3a0,
    CSR_PMPADDR63 = 0x3ef,
    CSR_MCYCLE = 0xb00,
    CSR_MINSTRET = 0xb02,
    CSR_MHPMCOUNTER31 = 0xb1f,
    CSR_MCYCLEH = 0xb80,
    CSR_MINSTRETH = 0xb82,
    CSR_MHPMCOUNTER31H = 0xb9f,
    CSR_CYCLE = 0xc00,
    CSR_TIME = 0xc01,
    CSR_INSTRET = 0xc02,
    CSR_CYCLEH = 0xc80,
    CSR_TIMEH = 0xc81,
    CSR_INSTRETH = 0xc82,
    CSR_MVENDORID = 0xf11,
    CSR_MARCHID = 0xf12,
    CSR_MIMPID = 0xf13,
    CSR_MHARTID = 0xf14,
    CSR_MCONFIGPTR = 0xf15,
};

static const uint32_t mstatus_writable = GS_RV_MSTATUS_MIE | GS_RV_MSTATUS_MPIE |
                                         GS_RV_MSTATUS_MPP | GS_RV_MSTATUS_FS | GS_RV_MSTATUS_MPRV |
                                         GS_RV_MSTATUS_TW;
static const uint32_t mie_writable =
    1u << GS_RV_IRQ_SOFTWARE | 1u << GS_RV_IRQ_TIMER | 1u << GS_RV_IRQ_EXTERNAL;

static uint64_t cycles(gs_machine *machine)
{
    return gs_machine_show_time(machine) + (uint64_t)machine->hart.rv.cycle_offset;
}

static uint64_t instret(const gs_machine *machine)
{
    return machine->hart.instret + (uint64_t)machine->hart.rv.instret_offset;
}

static bool fp_off(const gs_rv_state *s)
{
    return !(s->mstatus & GS_RV_MSTATUS_FS);
}

static bool read(gs_machine *machine, unsigned csr, uint32_t *value)
{
    const gs_rv_state *s = &machine->hart.rv;
    if ((csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31) ||
        (csr >= CSR_PMPCFG0 && csr <= CSR_PMPADDR63) ||
        (csr > CSR_MINSTRET && csr <= CSR_MHPMCOUNTER31) ||
        (csr > CSR_MINSTRETH && csr <= CSR_MHPMCOUNTER31H)) {
        *value = 0; /* there, but without function */
        return true;
    }
    switch (csr) {
    case CSR_FFLAGS: *value = s->fp.flags; return !fp_off(s);
    case CSR_FRM: *value = s->frm; return !fp_off(s);
    case CSR_FCSR: *value = (uint32_t)s->frm << 5 | s->fp.flags; return !fp_off(s);
    case CSR_MSTATUS:
        *value = s->mstatus;
        if ((s->mstatus & GS_RV_MSTATUS_FS) == GS_RV_MSTATUS_FS)
            *value |= GS_RV_MSTATUS_SD;
        return true;
    case CSR_MISA: *value = s->misa; return true;
    case CSR_MIE: *value = s->mie; return true;
    case CSR_MTVEC: *value = s->mtvec; return true;
    case CSR_MCOUNTEREN: *value = s->mcounteren; return true;
    case CSR_MSTATUSH: *value = 0; return true;
    case CSR_MCOUNTINHIBIT: *value = 0; return true;
    case CSR_MSCRATCH: *value = s->mscratch; return true;
    case CSR_MEPC: *value = s->mepc; return true;
    case CSR_MCAUSE: *value = s->mcause; return true;
    case CSR_MTVAL: *value = s->mtval; return true;
    case CSR_MIP: *value = s->mip; return true;
    case CSR_MCYCLE:
    case CSR_CYCLE: *value = (uint32_t)cycles(machine); return true;
    case CSR_MCYCLEH:
    case CSR_CYCLEH: *value = (uint32_t)(cycles(machine) >> 32); return true;
    case CSR_TIME: *value = (uint32_t)gs_machine_show_time(machine); return true;
    case CSR_TIMEH: *value = (uint32_t)(gs_machine_show_time(machine) >> 32); return true;
    case CSR_MINSTRET:
    case CSR_INSTRET: *value = (uint32_t)instret(machine); return true;
    case CSR_MINSTRETH:
    case CSR_INSTRETH: *value = (uint32_t)(instret(machine) >> 32); return true;
    case CSR_MVENDORID:
    case CSR_MARCHID:
    case CSR_MIMPID:
    case CSR_MCONFIGPTR: *value = 0; return true;
    case CSR_MHARTID: *value = s->mhartid; return true;
    default: return false;
    }
}

/* The offset that makes a counter read `wanted` in the half that is written and keep the other.
 * The write takes effect after the instruction has retired, as the manual says: a read right
 * after it sees the value written. */
static int64_t rebase(uint64_t now, uint64_t raw_after, uint32_t value, bool upper)
{
    uint64_t wanted = upper ? (now & 0xffffffffu) | (uint64_t)value << 32
                            : (now & ~(uint64_t)0xffffffffu) | value;
    return (int64_t)(wanted - raw_after);
}

static uint32_t legal_mstatus(const gs_rv_state *s, uint32_t value)
{
    uint32_t old = s->mstatus, writable = mstatus_writable;
    if (!(s->misa & 1u << ('F' - 'A')))
        writable &= ~(uint32_t)GS_RV_MSTATUS_FS;
    uint32_t legal = (old & ~writable) | (value & writable);
    uint32_t mpp = legal & GS_RV_MSTATUS_MPP;
    if (mpp != 0 && mpp != GS_RV_MSTATUS_MPP) /* only user and machine mode exist */
        legal = (legal & ~(uint32_t)GS_RV_MSTATUS_MPP) | (old & GS_RV_MSTATUS_MPP);
    return legal;
}

static void write(gs_machine *machine, unsigned csr, uint32_t value)
{
    gs_rv_state *s = &machine->hart.rv;
    switch (csr) {
    case CSR_FFLAGS: s->fp.flags = value & 31; break;
    case CSR_FRM: s->frm = value & 7; break;
    case CSR_FCSR:
        s->fp.flags = value & 31;
        s->frm = value >> 5 & 7;
        break;
    case CSR_MSTATUS:
        s->mstatus = legal_mstatus(s, value);
        machine->hart.resync = true;
        break;
    case CSR_MIE:
        s->mie = value & mie_writable;
        machine->hart.resync = true;
        break;
    case CSR_MTVEC: s->mtvec = value & ~2u; break;
    case CSR_MCOUNTEREN: s->mcounteren = value & 7; break;
    case CSR_MSCRATCH: s->mscratch = value; break;
    case CSR_MEPC: s->mepc = value & (s->misa & 1u << ('C' - 'A') ? ~1u : ~3u); break;
    case CSR_MCAUSE: s->mcause = value & 0x8000001fu; break;
    case CSR_MTVAL: s->mtval = value; break;
    case CSR_MCYCLE:
    case CSR_MCYCLEH:
        s->cycle_offset = rebase(cycles(machine), machine->time + 1, value, csr == CSR_MCYCLEH);
        break;
    case CSR_MINSTRET:
    case CSR_MINSTRETH:
        s->instret_offset =
            rebase(instret(machine), machine->hart.instret + 1, value, csr == CSR_MINSTRETH);
        break;
    default: break; /* writable, without effect */
    }
    if (csr <= CSR_FCSR)
        s->mstatus |= GS_RV_MSTATUS_FS;
}

static bool allowed(const gs_rv_state *s, unsigned csr, bool writes)
{
    bool read_only = csr >> 10 == 3;
    if ((writes && read_only) || (csr >> 8 & 3) > s->mode)
        return false;
    bool user_counter = csr >> 8 == 0xc;
    return !user_counter || s->mode == GS_RV_MACHINE || (s->mcounteren >> (csr & 31) & 1);
}

bool gs_rv_csr_access(gs_machine *machine, unsigned csr, gs_rv_csr_change change, uint32_t value,
                      bool writes, uint32_t *old)
{
    if (!allowed(&machine->hart.rv, csr, writes))
        return false;
    if (csr == CSR_MIP && gs_machine_is_undecided(machine))
        return false;
    if (machine->hart.rv.h3irq.present && gs_rv_h3irq_has(csr))
        return gs_rv_h3irq_access(machine, csr, change, value, writes, old);
    if (!read(machine, csr, old))
        return false;
    if (writes) {
        switch (change) {
        case GS_RV_CSR_WRITE: break;
        case GS_RV_CSR_SET: value |= *old; break;
        case GS_RV_CSR_CLEAR: value = *old & ~value; break;
        }
        write(machine, csr, value);
    }
    return true;
}
