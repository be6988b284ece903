/*
 * profile.h - the exact profile of a run.
 */
#ifndef GUMSHOE_PROFILE_H
#define GUMSHOE_PROFILE_H

#include "gumshoe/run.h"

#pragma GCC visibility push(default)

typedef struct gs_recorder gs_recorder;

/* `timing` may be NULL: then an instruction is a cycle. */
gs_status gs_recorder_open(gs_recorder **out, const gs_machine *machine, const gs_timing *timing,
                           gs_error *err);
void gs_recorder_free(gs_recorder *recorder);
const gs_observer *gs_recorder_observer(const gs_recorder *recorder);

/* To be called once the run is over and before anything is read from the recorder. */
gs_status gs_recorder_finish(gs_recorder *recorder, gs_error *err);

/* A finished profile, see the functions that make and report one. */
typedef struct gs_profile gs_profile;

typedef struct gs_profile_options {
    const char *label;  /* or NULL */
    const char *commit; /* of the sources; or NULL */
    int64_t started;    /* seconds since 1970; 0 for now */
    bool lines;         /* read DWARF lines */
} gs_profile_options;

/* After gs_recorder_finish(); `options` may be NULL, then with lines. *out is the caller's. */
gs_status gs_profile_build(gs_profile **out, const gs_recorder *recorder,
                           const gs_profile_options *options, gs_error *err);
void gs_profile_free(gs_profile *profile);

/* The `top` functions with most cycles of their own, as a table: share of all cycles, the same with
 * what they called, calls, cycles per instruction. */
gs_status gs_report_functions(FILE *to, const gs_recorder *recorder, size_t top, gs_error *err);

#pragma GCC visibility pop

#endif
