/*
 * energy.h - the energy of a run, and fitting the table it comes from.
 *
 * A core's description may have a table of energies (docs/energy.md); a timing adds them up while
 * its program runs, and a profile has them as a metric. Nothing here owns anything: what is passed
 * in is read during the call only, streams stay the caller's, texts are borrowed from the core.
 * The functions on a core or a profile may be called from any thread.
 */
#ifndef GUMSHOE_ENERGY_H
#define GUMSHOE_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

#include "gumshoe/core.h"
#include "gumshoe/profile.h"
#include "gumshoe/timing.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Whether the core has an energy table, and where its numbers come from ("" if it does not say). */
bool gs_core_has_energy(const gs_core *core);
const char *gs_core_energy_source(const gs_core *core);

/* The energy of everything that has run so far, in femtojoules; 0 without a table. */
uint64_t gs_timing_energy_fj(const gs_timing *timing);

/* The energy of a run of a profile file in joules: in all, by group of instructions, and of the
 * `top` functions with most. GS_E_UNSUPPORTED if its core has no table, or if `correct` is wanted
 * and the table does not say how much its programs stalled. */
typedef struct gs_energy_options {
    size_t top;     /* functions; 0 for all */
    bool correct;   /* multiply everything by the table's correction for programs that stall less or
                       more than those it was measured on */
    unsigned width; /* text: columns of the screen, to which names are cut; 0: any */
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

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
