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

/* Keeps costs per function and interval of so many cycles as well; before the run, and only with a
 * timing. Intervals become longer when there are too many of them. */
gs_status gs_recorder_keep_timeline(gs_recorder *recorder, uint64_t cycles, gs_error *err);

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

/*
 * Profile files: SQLite databases with any number of runs, see docs/profile-file.md. A run is
 * appended as a whole or not at all, and several processes may append to one file.
 */
typedef struct gs_profile_file gs_profile_file;

/* A run as its file lists it. Texts are never NULL; unknown ones are "". */
typedef struct gs_run_info {
    int64_t id;
    const char *label, *program, *core, *isa, *environment, *commit, *version;
    int64_t started; /* seconds since 1970 */
    gs_exit_kind exit;
    int exit_code; /* or signal */
    uint64_t clock_hz, cycles, instructions;
} gs_run_info;

/* Whether a run could be appended to `path`: to be asked before a long run, not after it. */
gs_status gs_profile_file_check(const char *path, gs_error *err);

/* Makes the file if there is none. *run_id (or NULL) gets the number of the run. */
gs_status gs_profile_save(const gs_profile *profile, const char *path, int64_t *run_id,
                          gs_error *err);

/* Opens a file for reading and lists its runs, oldest first. What it returns is borrowed. */
gs_status gs_profile_file_open(gs_profile_file **out, const char *path, gs_error *err);
void gs_profile_file_free(gs_profile_file *file);
const char *gs_profile_file_path(const gs_profile_file *file);
size_t gs_profile_file_run_count(const gs_profile_file *file);
const gs_run_info *gs_profile_file_run(const gs_profile_file *file, size_t index);

/* `which` is "last", the number of a run, or a label: the newest run that has it. NULL if there is
 * none. */
const gs_run_info *gs_profile_file_find(const gs_profile_file *file, const char *which);
gs_status gs_profile_file_load(gs_profile **out, gs_profile_file *file, const char *which,
                               gs_error *err);

/* All three in one. */
gs_status gs_profile_load(gs_profile **out, const char *path, const char *which, gs_error *err);

/* The runs of a file, as a table and as JSON. */
gs_status gs_report_runs(FILE *to, const gs_profile_file *file, gs_error *err);
gs_status gs_report_runs_json(FILE *to, const gs_profile_file *file, gs_error *err);

#pragma GCC visibility pop

#endif
