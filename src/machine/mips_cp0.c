/* Reads and writes MIPS control registers, of the system and of the FPU. */
#include "machine/mips_cp0.h"

#include "isa/mips/mips.h"

enum {
    CP0_HWRENA = 7 * 8,
    CP0_BADVADDR = 8 * 8,
    CP0_COUNT = 9 * 8,
    CP0_COMPARE = 11 * 8,
    CP0_STATUS = 12 * 8,
    CP0_CAUSE = 13 * 8,
    CP0_EPC = 14 * 8,
    CP0_PRID = 15 * 8,
    CP0_EBASE = 15 * 8 + 1,
    CP0_CONFIG = 16 * 8,
    CP0_CONFIG1 = 16 * 8 + 1,
    CP0_CONFIG2 = 16 * 8 + 2,
    CP0_CONFIG3 = 16 * 8 + 3,
    CP0_USERLOCAL = 4 * 8 + 2,
    CP0_ERROREPC = 30 * 8,
};

enum { FIR = 0, FCCR = 25, FEXR = 26, FENR = 28, FCSR = 31 };

enum { HWR_CPUNUM = 0, HWR_SYNCI_STEP = 1, HWR_CC = 2, HWR_CCRES = 3, HWR_USERLOCAL = 29 };

static const uint32_t status_writable = GS_MIPS_STATUS_IE | GS_MIPS_STATUS_EXL |
                                        GS_MIPS_STATUS_ERL | GS_MIPS_STATUS_UM | GS_MIPS_STATUS_IM |
                                        GS_MIPS_STATUS_BEV | GS_MIPS_STATUS_CU0;
static const uint32_t cause_writable =
    GS_MIPS_CAUSE_IP_SOFTWARE | GS_MIPS_CAUSE_IV | GS_MIPS_CAUSE_DC;
static const uint32_t hwrena_writable = 0x2000000fu;

static const uint32_t prid = 0x00019300; /* a MIPS 24K, of which the 24Kf has our instructions */
static const uint32_t fir_float = 0x00730000 | 0x9300; /* F64, L, W, D, S; the same processor */
static const uint32_t synci_step = 32;

static bool has(const gs_machine *machine, gs_mips_extension extension)
{
    return machine->extensions >> extension & 1;
}

static uint32_t config(const gs_machine *machine)
{
    uint32_t value = 1u << 31 | 3u << 7 | 2; /* Config1 follows; no TLB; kseg0 is uncached */
    if (machine->memory.big_endian)
        value |= 1u << 15;
    if (has(machine, GS_MIPS_R2))
        value |= 1u << 10;
    return value;
}

static uint32_t config1(const gs_machine *machine)
{
    return 1u << 31 | (has(machine, GS_MIPS_FPU) ? 1 : 0); /* Config2 follows; no caches */
}

static uint32_t count(gs_machine *machine)
{
    const gs_mips_state *s = &machine->hart.mips;
    if (s->cp0_cause & GS_MIPS_CAUSE_DC)
        return (uint32_t)s->count_base;
    return (uint32_t)(gs_machine_show_time(machine) - s->count_base);
}

/* After Count or Compare has changed: the first time after now at which they are equal. */
static void set_timer(gs_machine *machine)
{
    gs_mips_state *s = &machine->hart.mips;
    uint32_t distance = s->cp0_compare - count(machine);
    s->timer_at = machine->time + (distance ? distance : (uint64_t)1 << 32);
    machine->hart.resync = true;
}

/* The instruction that writes Count is still to retire: one tick later it reads as written. */
static void set_count(gs_machine *machine, uint32_t value)
{
    gs_mips_state *s = &machine->hart.mips;
    bool stopped = s->cp0_cause & GS_MIPS_CAUSE_DC;
    s->count_base = stopped ? value : machine->time + 1 - value;
    set_timer(machine);
}

static void set_cause(gs_machine *machine, uint32_t value)
{
    gs_mips_state *s = &machine->hart.mips;
    const uint32_t changed = s->cp0_cause ^ value;
    const uint32_t now = changed & GS_MIPS_CAUSE_DC ? count(machine) : 0;
    s->cp0_cause = (s->cp0_cause & ~cause_writable) | (value & cause_writable);
    if (changed & GS_MIPS_CAUSE_DC)
        set_count(machine, now);
    machine->hart.resync = true;
}

bool gs_mips_cp0_is_undecided(gs_machine *machine, unsigned reg)
{
    return reg == CP0_CAUSE && gs_machine_is_undecided(machine);
}

uint32_t gs_mips_cp0_read(gs_machine *machine, unsigned reg)
{
    const gs_mips_state *s = &machine->hart.mips;
    switch (reg) {
    case CP0_USERLOCAL: return s->userlocal;
    case CP0_HWRENA: return s->cp0_hwrena;
    case CP0_BADVADDR: return s->cp0_badvaddr;
    case CP0_COUNT: return count(machine);
    case CP0_COMPARE: return s->cp0_compare;
    case CP0_STATUS: return s->cp0_status;
    case CP0_CAUSE: return s->cp0_cause;
    case CP0_EPC: return s->cp0_epc;
    case CP0_PRID: return prid;
    case CP0_EBASE: return s->cp0_ebase;
    case CP0_CONFIG: return config(machine);
    case CP0_CONFIG1: return config1(machine);
    case CP0_CONFIG2: return 1u << 31; /* Config3 follows */
    case CP0_CONFIG3: return 1u << 13; /* there is UserLocal */
    case CP0_ERROREPC: return s->cp0_errorepc;
    default: return 0;
    }
}

void gs_mips_cp0_write(gs_machine *machine, unsigned reg, uint32_t value)
{
    gs_mips_state *s = &machine->hart.mips;
    switch (reg) {
    case CP0_USERLOCAL: s->userlocal = value; break;
    case CP0_HWRENA: s->cp0_hwrena = value & hwrena_writable; break;
    case CP0_COUNT: set_count(machine, value); break;
    case CP0_COMPARE:
        s->cp0_compare = value;
        s->cp0_cause &= ~(uint32_t)(GS_MIPS_CAUSE_TI | GS_MIPS_CAUSE_IP7);
        set_timer(machine);
        break;
    case CP0_STATUS: {
        uint32_t writable = status_writable;
        if (has(machine, GS_MIPS_FPU))
            writable |= GS_MIPS_STATUS_CU1 | GS_MIPS_STATUS_FR;
        s->cp0_status = value & writable;
        machine->hart.resync = true;
        break;
    }
    case CP0_CAUSE: set_cause(machine, value); break;
    case CP0_EPC: s->cp0_epc = value; break;
    case CP0_EBASE:
        s->cp0_ebase = 1u << 31 | (value & 0x3ffff000u) | (s->cp0_ebase & GS_MIPS_EBASE_CPUNUM);
        break;
    case CP0_ERROREPC: s->cp0_errorepc = value; break;
    default: break;
    }
}

uint32_t gs_mips_set_interrupts(gs_machine *machine, bool on)
{
    gs_mips_state *s = &machine->hart.mips;
    uint32_t old = s->cp0_status;
    if (on) {
        s->cp0_status |= GS_MIPS_STATUS_IE;
        machine->hart.resync = true;
    } else {
        s->cp0_status &= ~(uint32_t)GS_MIPS_STATUS_IE;
    }
    return old;
}

bool gs_mips_rdhwr(gs_machine *machine, unsigned number, uint32_t *value)
{
    const gs_mips_state *s = &machine->hart.mips;
    bool privileged = !gs_mips_user_mode(s) || (s->cp0_status & GS_MIPS_STATUS_CU0);
    if (!(hwrena_writable >> number & 1) || !(privileged || (s->cp0_hwrena >> number & 1)))
        return false;
    switch (number) {
    case HWR_CPUNUM: *value = s->cp0_ebase & GS_MIPS_EBASE_CPUNUM; break;
    case HWR_SYNCI_STEP: *value = synci_step; break;
    case HWR_CC: *value = count(machine); break;
    case HWR_CCRES: *value = 1; break; /* ticks per step of Count */
    case HWR_USERLOCAL: *value = s->userlocal; break;
    }
    return true;
}

/* Condition codes stand in two places of FCSR, and in a row in FCCR. */
static const uint32_t fcsr_conditions = 0xfe800000u;

uint32_t gs_mips_fcr_read(const gs_mips_state *state, unsigned number)
{
    uint32_t fcsr = state->fcsr;
    switch (number) {
    case FIR: return fir_float;
    case FCCR: return (fcsr >> 24 & 0xfe) | (fcsr >> 23 & 1);
    case FEXR: return fcsr & 0x0003f07cu;
    case FENR: return (fcsr & 0x00000f83u) | (fcsr >> 22 & 4);
    case FCSR: return fcsr;
    default: return 0;
    }
}

bool gs_mips_fcr_write(gs_mips_state *state, unsigned number, uint32_t value)
{
    uint32_t fcsr = state->fcsr;
    switch (number) {
    case FCCR: fcsr = (fcsr & ~fcsr_conditions) | (value & 0xfe) << 24 | (value & 1) << 23; break;
    case FEXR: fcsr = (fcsr & ~0x0003f07cu) | (value & 0x0003f07cu); break;
    case FENR: fcsr = (fcsr & ~0x01000f83u) | (value & 0x00000f83u) | (value & 4) << 22; break;
    case FCSR: fcsr = value; break;
    default: return true;
    }
    gs_mips_fcsr_write(state, fcsr);

    uint32_t causes = state->fcsr >> GS_MIPS_FCSR_CAUSE_SHIFT & 0x3f;
    uint32_t enables = (state->fcsr >> GS_MIPS_FCSR_ENABLES_SHIFT & 0x1f) | 0x20;
    return !(causes & enables);
}

void gs_mips_fcsr_write(gs_mips_state *state, uint32_t value)
{
    static const uint8_t modes[] = {GS_FP_RNE, GS_FP_RTZ, GS_FP_RUP, GS_FP_RDN};
    const uint32_t writable = 0xff83ffffu; /* not the kind of NaNs, nor what is reserved */
    state->fcsr = (state->fcsr & ~writable) | (value & writable);
    state->fp.round = modes[value & GS_MIPS_FCSR_RM];
    state->fp.flush_to_zero = value & GS_MIPS_FCSR_FS;
    state->fp.nan =
        state->fcsr & GS_MIPS_FCSR_NAN2008 ? GS_FP_NAN_MIPS_2008 : GS_FP_NAN_MIPS_LEGACY;
    state->fp.flags = 0;
}
