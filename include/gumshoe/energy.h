/*
 * energy.h - the energy of a run, and fitting the table it comes from.
 */
#ifndef GUMSHOE_ENERGY_H
#define GUMSHOE_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

#include "gumshoe/core.h"
#include "gumshoe/profile.h"
#include "gumshoe/timing.h"

#pragma GCC visibility push(default)

/* GS_E_UNSUPPORTED, with what to do, if the core has no energy table; or if `correct` is wanted and
 * the table does not say what gs_energy_correction() needs. */
gs_status gs_energy_check(const gs_core *core, bool correct, gs_error *err);

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

/* The energy of a run of a profile file in joules: in all, by group of instructions, and of the
 * `top` functions with most. GS_E_UNSUPPORTED if its core has no table, or if `correct` is wanted
 * and the table does not say how much its programs stalled. */
typedef struct gs_energy_options {
    size_t top;   /* functions; 0 for all */
    bool correct; /* multiply everything by gs_energy_correction() */
} gs_energy_options;

gs_status gs_report_energy(FILE *to, const gs_profile *profile, const gs_energy_options *options,
                           gs_error *err);
gs_status gs_report_energy_json(FILE *to, const gs_profile *profile,
                                const gs_energy_options *options, gs_error *err);

/* Runs as CSV: instruction counts and lost cycles, with a column to be filled with energies. All
 * runs, or the one that gs_profile_file_find() finds for `which`. */
gs_status gs_report_energy_counts(FILE *to, gs_profile_file *file, const char *which,
                                  gs_error *err);

/* A table fitted to the CSV file at `path`: what was found, in words, and as a description of a
 * core that extends another. */
typedef struct gs_energy_fit_options {
    const char *core; /* which it extends: a name or a path, as for gs_core_open() */
    const char *name; /* of the new one */
    size_t groups;    /* at most, from 1 to 32 */
} gs_energy_fit_options;

gs_status gs_report_energy_fit(FILE *text, FILE *yaml, const char *path,
                               const gs_energy_fit_options *options, gs_error *err);

#pragma GCC visibility pop

#endif
