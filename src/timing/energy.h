/*
 * energy.h - the energy of a run, from its core's table.
 *
 * An instruction costs the power of its group for one period of the clock at which the table was
 * measured; a lost cycle costs the power of a stall or, where the table says so, that of the
 * instruction that lost it. What a cycle costs is rounded to femtojoules once, when the table is
 * read. From there on energy is a sum of whole numbers, so that it adds up in whatever order.
 */
#ifndef GS_TIMING_ENERGY_H
#define GS_TIMING_ENERGY_H

#include "timing/timing.h"

/* Femtojoules of a power in one period of a clock, to the nearest. */
static inline uint64_t gs_energy_of_cycle(uint32_t power_uw, uint64_t clock_hz)
{
    return (power_uw * UINT64_C(1000000000) + clock_hz / 2) / clock_hz;
}

/* GS_E_UNSUPPORTED, with what to do, if the core has no energy table; or if `correct` is wanted and
 * the table does not say what gs_energy_correction() needs. */
gs_status gs_energy_check(const gs_core *core, bool correct, gs_error *err);

/* The part of all cycles in which nothing issued, in percent. */
double gs_timing_stall_percent(const gs_timing *timing);

/*
 * By how much to multiply an estimate for a program that stalls for `stall_percent` of its cycles,
 * with a table measured on programs that stalled for `average_percent` on average: power during
 * instructions is higher in a pipeline that rarely stops. An empirical rule, for whole programs;
 * at most 2, where it would grow without limit. 1 if the average is not known (0).
 */
double gs_energy_correction(double average_percent, double stall_percent);

/* What the core's table says of the programs it was measured on; 0 if nothing. */
double gs_core_energy_average_stall(const gs_core *core);

/* The operation of that name, with dots or underscores; 0 if there is none. */
unsigned gs_energy_find_op(const gs_isa *isa, const char *name);

/* A nop is a spelling of another operation (sll, addi), but cheaper or dearer than that. */
unsigned gs_energy_nop_op(const gs_isa *isa);
bool gs_energy_is_nop(const gs_isa *isa, const gs_insn *insn);
const uint32_t *gs_energy_nops(const gs_isa *isa, size_t *count); /* its spellings, as words */

/* The group of an instruction. Only for a core with a table. */
unsigned gs_energy_group(const gs_core *core, const gs_isa *isa, const gs_insn *insn);

/* Whether cycles lost to this cause cost the power of a stall. */
bool gs_energy_is_stall(const gs_core_energy *energy, gs_stall cause);

/* To be called after an engine has added to issue_fj and to the stalls in bulk. */
void gs_energy_caught_up(gs_timing *timing);

/* Of those lost cycles that cost the power of a stall. 0 without a table. */
uint64_t gs_energy_of_stalls(const gs_core_energy *energy, const uint64_t stalls[GS_STALL_COUNT]);

/* What an instruction cost that was executed so often and lost these cycles. 0 without a table. */
uint64_t gs_energy_of(const gs_core *core, const gs_isa *isa, const gs_insn *insn,
                      uint64_t executions, const uint64_t stalls[GS_STALL_COUNT]);

/* Of a cycle in which the instruction issues; 0 without a table. */
uint32_t gs_energy_of_issue(const gs_core *core, const gs_isa *isa, const gs_insn *insn);

/* For gs_timing_retired(), after the model has moved, where a table charges some lost cycles to
 * instructions: those of the instruction that has retired. */
void gs_energy_lost(gs_timing *timing, uint32_t cycle_fj);

#endif
