/* Adds up the energy of a run, from counts by group and stalls by cause. */
#include "timing/energy.h"

#include "base/error.h"
#include "gumshoe/energy.h"

unsigned gs_energy_nop_op(const gs_isa *isa)
{
    return gs_energy_find_op(isa, isa->arch == GS_ARCH_MIPS32 ? "sll" : "addi");
}

const uint32_t *gs_energy_nops(const gs_isa *isa, size_t *count)
{
    static const uint32_t rv[] = {0x00000013, 0x0001}, mips[] = {0};
    bool is_mips = isa->arch == GS_ARCH_MIPS32;
    *count = is_mips ? sizeof mips / sizeof *mips : sizeof rv / sizeof *rv;
    return is_mips ? mips : rv;
}

bool gs_energy_is_nop(const gs_isa *isa, const gs_insn *insn)
{
    size_t count;
    const uint32_t *nops = gs_energy_nops(isa, &count);
    for (size_t i = 0; i < count; i++) {
        if (insn->raw == nops[i])
            return true;
    }
    return false;
}

unsigned gs_energy_group(const gs_core *core, const gs_isa *isa, const gs_insn *insn)
{
    return gs_energy_is_nop(isa, insn) ? core->energy.nop_group : core->energy.group_of[insn->op];
}

uint32_t gs_energy_of_issue(const gs_core *core, const gs_isa *isa, const gs_insn *insn)
{
    if (core->energy.group_count == 0)
        return 0;
    return core->energy.groups[gs_energy_group(core, isa, insn)].cycle_fj;
}

bool gs_energy_is_stall(const gs_core_energy *energy, gs_stall cause)
{
    return energy->stalls == GS_ENERGY_STALLS_ALL || cause == GS_STALL_I_MISS ||
           cause == GS_STALL_D_READ || cause == GS_STALL_D_WRITE;
}

/* Cycles at the power of a stall, and cycles lost at the power of an instruction. */
static void split(const gs_core_energy *energy, const uint64_t stalls[GS_STALL_COUNT],
                  uint64_t *stalled, uint64_t *lost)
{
    *stalled = *lost = 0;
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        *(gs_energy_is_stall(energy, (gs_stall)i) ? stalled : lost) += stalls[i];
}

uint64_t gs_energy_of_stalls(const gs_core_energy *energy, const uint64_t stalls[GS_STALL_COUNT])
{
    if (energy->group_count == 0)
        return 0;
    uint64_t stalled, lost;
    split(energy, stalls, &stalled, &lost);
    return stalled * energy->stall_fj;
}

uint64_t gs_energy_of(const gs_core *core, const gs_isa *isa, const gs_insn *insn,
                      uint64_t executions, const uint64_t stalls[GS_STALL_COUNT])
{
    const gs_core_energy *energy = &core->energy;
    if (energy->group_count == 0)
        return 0;
    uint64_t stalled, lost;
    split(energy, stalls, &stalled, &lost);
    return (executions + lost) * gs_energy_of_issue(core, isa, insn) + stalled * energy->stall_fj;
}

void gs_energy_lost(gs_timing *timing, uint32_t cycle_fj)
{
    /* Where one instruction issues in a cycle, a single cycle has lost nothing. */
    bool single = timing->core->issue_width == 1 && timing->now == timing->now_before + 1;
    timing->now_before = timing->now;
    if (single)
        return;
    uint64_t stalled, lost;
    split(&timing->core->energy, timing->stalls, &stalled, &lost);
    timing->issue_fj += (lost - timing->lost_before) * cycle_fj;
    timing->lost_before = lost;
}

void gs_energy_caught_up(gs_timing *timing)
{
    uint64_t stalled;
    split(&timing->core->energy, timing->stalls, &stalled, &timing->lost_before);
    timing->now_before = timing->now;
}

uint64_t gs_timing_energy_fj(const gs_timing *timing)
{
    const gs_core_energy *energy = &timing->core->energy;
    if (energy->group_count == 0)
        return 0;
    return timing->issue_fj + gs_energy_of_stalls(energy, timing->stalls);
}

double gs_timing_stall_percent(const gs_timing *timing)
{
    uint64_t cycles = timing->now;
    return cycles ? 100 * (double)(cycles - gs_timing_issue_cycles(timing)) / (double)cycles : 0;
}

gs_status gs_energy_check(const gs_core *core, bool correct, gs_error *err)
{
    if (core->energy.group_count == 0)
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "core %s has no energy table; 'gumshoe energy fit' makes one from "
                       "measurements",
                       core->name);
    if (correct && core->energy.average_stall == 0)
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "the energy table of core %s has no average_stall_percent to correct with",
                       core->name);
    return GS_OK;
}

bool gs_core_has_energy(const gs_core *core)
{
    return core->energy.group_count > 0;
}

const char *gs_core_energy_source(const gs_core *core)
{
    return gs_core_has_energy(core) ? core->energy.source : "";
}

double gs_core_energy_average_stall(const gs_core *core)
{
    return core->energy.average_stall / 1000.0;
}

double gs_energy_correction(double average_percent, double stall_percent)
{
    if (average_percent <= 0)
        return 1;
    if (stall_percent <= 0)
        return 2;
    double factor = 1 + (average_percent - stall_percent) / stall_percent / 10;
    return factor < 2 ? factor : 2;
}
