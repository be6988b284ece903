/*
 * sweep_jobs.h - the points of a sweep on several processes of this machine.
 *
 * Each process takes the next group of points, runs it and appends its rows itself, so that what is
 * done is in the file whatever happens to the others. A process that dies takes down no more than
 * the group it was at, whose points get rows that say so.
 */
#ifndef GS_TOOL_SWEEP_JOBS_H
#define GS_TOOL_SWEEP_JOBS_H

#include <signal.h>

#include "gumshoe/sweep.h"

enum { GS_SWEEP_JOBS_MAX = 256 };

/* Only one process at a time may run sweeps into a profile file. Takes that place, which ends with
 * the process and its children. GS_E_IO if another one has it. `path` is borrowed. */
typedef struct gs_sweep_lock {
    const char *path;
    char *file;
    int fd;
} gs_sweep_lock;
gs_status gs_sweep_lock_take(gs_sweep_lock *lock, const char *path, gs_error *err);
void gs_sweep_lock_release(gs_sweep_lock *lock);

/* Whether a process runs sweeps into the file. */
bool gs_sweep_is_running(const char *path);

typedef struct gs_sweep_jobs {
    const gs_sweep *sweep;
    const char *path;   /* of the profile file */
    const bool *groups; /* those to be run */
    size_t points;      /* of the sweep, */
    size_t done;        /* and those that had a row before */
    unsigned processes;
    const volatile sig_atomic_t *cancel;
} gs_sweep_jobs;

/* "3 min 20 s", in a buffer, which is returned. */
enum { GS_SWEEP_LEFT = 40 };
const char *gs_sweep_left(char text[GS_SWEEP_LEFT], double seconds);

/* Shows how far it is, after so many seconds: `before` points had a row when it began. */
void gs_sweep_tell_progress(size_t before, size_t done, size_t points, double seconds);

/* Runs the groups. *interrupted: the caller wanted to stop. An error is about the file or the host:
 * what has been done until then is in the file. */
gs_status gs_sweep_jobs_run(const gs_sweep_jobs *jobs, bool *interrupted, gs_error *err);

#endif
