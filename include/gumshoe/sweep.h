/*
 * sweep.h - one program on many cores: a sweep, from its description to its results.
 *
 * A sweep is opened from a YAML file (docs/sweeps.md). It has designs, which are settings of a
 * core and of what surrounds it, and programs; a point is one program on one design. A
 * gs_sweep is its owner's and used by one thread at a time. Results go into a profile file, in
 * which a point that has been run is never run again: any number of processes may run points
 * into one file, each with a gs_sweep_store of its own, as long as they run different groups.
 */
#ifndef GUMSHOE_SWEEP_H
#define GUMSHOE_SWEEP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gumshoe/error.h"
#include "gumshoe/run.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_sweep gs_sweep;

/* Reads the description and makes the list of its designs. *out is the caller's, NULL on failure:
 * GS_E_NOT_FOUND, GS_E_IO, GS_E_FORMAT with the line and what would be allowed, GS_E_NO_MEMORY. */
gs_status gs_sweep_open(gs_sweep **out, const char *path, gs_error *err);
void gs_sweep_free(gs_sweep *sweep); /* NULL is fine */

const char *gs_sweep_name(const gs_sweep *sweep);
size_t gs_sweep_design_count(const gs_sweep *sweep);
size_t gs_sweep_program_count(const gs_sweep *sweep);
size_t gs_sweep_point_count(const gs_sweep *sweep); /* designs times programs */

/*
 * What is run: an executable for each program and, where it is made of C files, for each set of
 * compiler flags and instructions. The caller compiles those that have sources and says with
 * gs_sweep_set_executable() where the result is; the others are there already. Texts are borrowed
 * from the sweep.
 */
typedef struct gs_sweep_build {
    const char *const *sources; /* C files; or NULL */
    size_t source_count;
    const char *const *flags; /* for the compiler */
    size_t flag_count;
    const char *core; /* a name or a file; NULL: by what the program needs */
    const char *const *set;
    size_t set_count;
    const char *board;                /* or NULL */
    uint64_t ram;                     /* or 0 */
    const char *executable, *failure; /* what gs_sweep_set_executable() said; or NULL */
} gs_sweep_build;

size_t gs_sweep_build_count(const gs_sweep *sweep);
gs_sweep_build gs_sweep_build_at(const gs_sweep *sweep, size_t index);

/* The text is copied. With a `failure` instead of a path, the points of this build are
 * rows with that as their error. GS_E_NO_MEMORY. */
gs_status gs_sweep_set_executable(gs_sweep *sweep, size_t build, const char *path,
                                  const char *failure, gs_error *err);

/* When all executables are there: opens them and finds which points share a run. GS_E_ARGUMENT if a
 * build has no executable; one that cannot be opened is the error of its points. */
gs_status gs_sweep_plan(gs_sweep *sweep, gs_error *err);

/* Groups of points that one run is enough for; none without gs_sweep_plan(). */
size_t gs_sweep_group_count(const gs_sweep *sweep);
size_t gs_sweep_group_size(const gs_sweep *sweep, size_t group); /* points */

/* The results. */
typedef struct gs_sweep_store gs_sweep_store;

/* Opens the profile file at `path`, which is made if there is none, and in it the results of this
 * sweep: those of an earlier process that ran the same points, or new ones. The sweep has to be
 * planned, and must outlive the store. *out is the caller's, NULL on failure: the errors of
 * gs_profile_save(). */
gs_status gs_sweep_store_open(gs_sweep_store **out, const gs_sweep *sweep, const char *path,
                              gs_error *err);
void gs_sweep_store_close(gs_sweep_store *store); /* NULL is fine */

/* Which groups have points without a row: `pending` has gs_sweep_group_count() flags. *done becomes
 * the number of points that have a row. GS_E_IO, GS_E_FORMAT. */
gs_status gs_sweep_store_pending(gs_sweep_store *store, bool *pending, size_t *done, gs_error *err);

/* How groups are run. */
typedef struct gs_sweep_running {
    const volatile sig_atomic_t *cancel; /* as in gs_run_options */
    gs_compilers *compilers;             /* the same */
    /* Called when a machine is open and nothing of its program has run: the first time is the
     * moment for gs_sandbox_confine_process(), as all have the same sandbox. A failure is that of
     * the host. NULL for none. */
    gs_status (*ready)(void *self, const gs_machine *machine, gs_error *err);
    void *self;
} gs_sweep_running;

/* Runs a group and appends its rows, each point's as a whole or not at all. What goes wrong with a
 * point is in its row; an error is about the file or the host, GS_E_IO, GS_E_FORMAT,
 * GS_E_NO_MEMORY. With `cancel` becoming non-zero the run ends early and nothing is appended. */
gs_status gs_sweep_run_group(gs_sweep_store *store, size_t group, const gs_sweep_running *how,
                             gs_error *err);

/* The files that running groups reads: executables, inputs, and descriptions of cores and boards
 * with what they extend. `tell` is called for each of them, for some several times. */
gs_status gs_sweep_list_files(const gs_sweep *sweep, void (*tell)(void *self, const char *path),
                              void *self, gs_error *err);

/* Appends rows with this error for the points of a group that have none. */
gs_status gs_sweep_fail_group(gs_sweep_store *store, size_t group, const char *error,
                              gs_error *err);

/* Takes over the rows of this sweep that another process has put into the file at `path`, whether
 * it still runs or not; points that have a row keep theirs. *added becomes the number of rows, 0
 * also if there is no such file yet. GS_E_IO, GS_E_FORMAT, GS_E_NO_MEMORY; then nothing was added.
 */
gs_status gs_sweep_store_merge(gs_sweep_store *store, const char *path, size_t *added,
                               gs_error *err);

/* How far a sweep of a profile file is. Texts are borrowed from the list. */
typedef struct gs_sweep_status {
    int64_t id;
    const char *name;
    uint64_t points, done, failed;
    const char *error;     /* of the first that failed; "" */
    double rate;           /* points a second of late; 0 if not known */
    int64_t started, last; /* the sweep, and its newest row: seconds since 1970 */
} gs_sweep_status;

typedef struct gs_sweep_list gs_sweep_list;

/* The sweeps of a profile file, oldest first. *out is the caller's, NULL on failure: the errors of
 * gs_profile_file_open(). */
gs_status gs_sweep_list_open(gs_sweep_list **out, const char *path, gs_error *err);
void gs_sweep_list_free(gs_sweep_list *list); /* NULL is fine */
size_t gs_sweep_list_count(const gs_sweep_list *list);
const gs_sweep_status *gs_sweep_list_at(const gs_sweep_list *list, size_t index);

/* The list as JSON; `running`: whether a process is at it, which the caller knows. `to` stays the
 * caller's. GS_E_IO. */
gs_status gs_report_sweeps_json(FILE *to, const gs_sweep_list *list, bool running, gs_error *err);

/* The results of a sweep, to choose among its designs. */
typedef struct gs_sweep_results gs_sweep_results;

typedef struct gs_sweep_question {
    const char *sweep;             /* a name or number; NULL: the newest */
    const char *const *objectives; /* "formula" or "name=formula", instead of the description's; */
    size_t objective_count;        /* or 0 */
    double within;                 /* percent of the best, see the reports */
} gs_sweep_question;

/* Reads results from a profile file, and compares them. *out is the caller's, NULL on failure:
 * GS_E_NOT_FOUND, GS_E_IO, GS_E_FORMAT also for an objective that has no value, GS_E_NO_MEMORY. */
gs_status gs_sweep_results_open(gs_sweep_results **out, const char *path,
                                const gs_sweep_question *question, gs_error *err);
void gs_sweep_results_free(gs_sweep_results *results); /* NULL is fine */

/* The Pareto front over the first objectives, three at most; the best design in the first, and the
 * cheapest in the second that is within some percent of it; what each axis does to the first, and
 * where it stops to. For people, all designs as CSV, everything as JSON, and as a picture. `to`
 * stays the caller's. GS_E_IO, GS_E_NO_MEMORY. */
gs_status gs_report_sweep(FILE *to, const gs_sweep_results *results, gs_error *err);
gs_status gs_report_sweep_csv(FILE *to, const gs_sweep_results *results, gs_error *err);
gs_status gs_report_sweep_json(FILE *to, const gs_sweep_results *results, gs_error *err);
gs_status gs_report_sweep_svg(FILE *to, const gs_sweep_results *results, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
