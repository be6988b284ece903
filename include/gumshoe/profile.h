/*
 * profile.h - the exact profile of a run: recording it, keeping it in a file, loading it again.
 *
 * A gs_recorder watches a run as one of its observers and is used by the machine's thread only.
 * Once the run is over, it is finished, and a gs_profile is made of it, which stands on its own:
 * neither program nor machine is needed any more. A profile is read-only, so any thread may read
 * it: as rows (rows.h) or as reports (report.h). A gs_profile_file is used by one thread at a time;
 * what it returns is borrowed from it, except for the profiles loaded from it, which are the
 * caller's.
 */
#ifndef GUMSHOE_PROFILE_H
#define GUMSHOE_PROFILE_H

#include "gumshoe/metric.h"
#include "gumshoe/run.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_recorder gs_recorder;

/* To be called before the run. Borrows the machine and the timing, which is the run's; it may be
 * NULL: then an instruction is a cycle. *out is the caller's. Fails with GS_E_NO_MEMORY only. */
gs_status gs_recorder_open(gs_recorder **out, const gs_machine *machine, const gs_timing *timing,
                           gs_error *err);
void gs_recorder_free(gs_recorder *recorder); /* NULL is fine; before the machine */

/* For gs_run_options. Borrowed from the recorder. */
const gs_observer *gs_recorder_observer(const gs_recorder *recorder);

/* Keeps costs per function and interval of `cycles` cycles as well. To be called before the run,
 * and only with a timing: otherwise GS_E_ARGUMENT. Intervals become longer when there are too many
 * of them. */
gs_status gs_recorder_keep_timeline(gs_recorder *recorder, uint64_t cycles, gs_error *err);

/* To be called once the run is over, and before anything is read from the recorder. GS_E_NO_MEMORY
 * also if memory ran out during the run, when there was no telling. */
gs_status gs_recorder_finish(gs_recorder *recorder, gs_error *err);

/* After that: what was counted in all; of a run with a region of interest, while it was inside. */
uint64_t gs_recorder_count(const gs_recorder *recorder, gs_metric metric);

typedef struct gs_profile gs_profile;

typedef struct gs_profile_options {
    const char *label;  /* or NULL */
    const char *commit; /* of the sources; or NULL */
    int64_t started;    /* seconds since 1970; 0 for now */
    const char *region; /* of the run, in words, if it has one; or NULL */
    bool lines;         /* read the program's debug information for source lines */
} gs_profile_options;

/* To be called after gs_recorder_finish(). `options` may be NULL, which means all defaults and
 * lines. *out is the caller's, NULL on failure, and needs neither recorder nor options. Fails with
 * GS_E_NO_MEMORY only. */
gs_status gs_profile_build(gs_profile **out, const gs_recorder *recorder,
                           const gs_profile_options *options, gs_error *err);
void gs_profile_free(gs_profile *profile); /* NULL is fine */

/*
 * Profile files: SQLite databases with any number of runs, see docs/profile-file.md. A run is
 * appended as a whole or not at all, and several processes may append to one file.
 */
typedef struct gs_profile_file gs_profile_file;

/* A run as its file lists it. Texts are never NULL; unknown ones are "". */
typedef struct gs_run_info {
    int64_t id;
    const char *label, *program, *core, *isa, *environment, *commit, *version;
    /* What the guest got of the host, "nothing" or "environment, clock"; lines NAME=VALUE that a
     * Linux guest got, none if they are the host's. */
    const char *inherited, *variables;
    const char *region; /* what of the run counts, such as "from main to exit"; "" for all of it */
    int64_t started;    /* seconds since 1970 */
    gs_exit_kind exit;
    int exit_code; /* or signal */
    uint64_t clock_hz, cycles, instructions;
} gs_run_info;

/* How a profile came about, and its total in a metric. The texts in it are borrowed from the
 * profile; the run's number is 0 unless it was loaded from a file. */
gs_run_info gs_profile_info(const gs_profile *profile);
uint64_t gs_profile_total(const gs_profile *profile, gs_metric metric);

/* Whether a run could be appended to the file at `path`, or such a file be made: to be asked before
 * a long run. Fails as gs_profile_save() would. */
gs_status gs_profile_file_check(const char *path, gs_error *err);

/* Appends the run to the file at `path`, which is made if there is none. *run_id (or NULL) gets its
 * number. GS_E_FORMAT if the file is no profile file, GS_E_IO, GS_E_NO_MEMORY; the file is then as
 * it was before. */
gs_status gs_profile_save(const gs_profile *profile, const char *path, int64_t *run_id,
                          gs_error *err);

/* Opens a file for reading and lists its runs, oldest first; runs that are appended later are not
 * seen. *out is the caller's, NULL on failure: GS_E_NOT_FOUND, GS_E_IO, GS_E_FORMAT if the file is
 * no profile file or is damaged, GS_E_NO_MEMORY. */
gs_status gs_profile_file_open(gs_profile_file **out, const char *path, gs_error *err);
void gs_profile_file_free(gs_profile_file *file); /* NULL is fine */
const char *gs_profile_file_path(const gs_profile_file *file);

/* The runs; `index` is below the count. */
size_t gs_profile_file_run_count(const gs_profile_file *file);
const gs_run_info *gs_profile_file_run(const gs_profile_file *file, size_t index);

/* `which` is "last", the number of a run, or a label: the newest run that has it. NULL if there is
 * none. */
const gs_run_info *gs_profile_file_find(const gs_profile_file *file, const char *which);

/* Loads the run that gs_profile_file_find() finds for `which`. *out is the caller's, NULL on
 * failure, and does not need the file any more. GS_E_NOT_FOUND if there is no such run, GS_E_FORMAT
 * if the file is damaged, GS_E_IO, GS_E_NO_MEMORY. */
gs_status gs_profile_file_load(gs_profile **out, gs_profile_file *file, const char *which,
                               gs_error *err);

/* Opens the file at `path`, loads the run `which`, and closes the file. Fails as the two do. */
gs_status gs_profile_load(gs_profile **out, const char *path, const char *which, gs_error *err);

/* Write the runs of a file, as a table of at most `width` columns (0 for any) and as JSON. `to`
 * stays the caller's. GS_E_IO if it fails. */
gs_status gs_report_runs(FILE *to, const gs_profile_file *file, unsigned width, gs_error *err);
gs_status gs_report_runs_json(FILE *to, const gs_profile_file *file, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
