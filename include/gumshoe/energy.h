/*
 * energy.h - the energy of a run, and fitting the table it comes from.
 */
#ifndef GUMSHOE_ENERGY_H
#define GUMSHOE_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

#include "gumshoe/core.h"
#include "gumshoe/timing.h"

#pragma GCC visibility push(default)

/* Whether the core has an energy table, and where its numbers come from ("" if it does not say). */
bool gs_core_has_energy(const gs_core *core);
const char *gs_core_energy_source(const gs_core *core);

/* All so far, in femtojoules; 0 without a table. */
uint64_t gs_timing_energy_fj(const gs_timing *timing);

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

#pragma GCC visibility pop

#endif
