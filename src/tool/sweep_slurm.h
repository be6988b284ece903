/*
 * sweep_slurm.h - the points of a sweep as a job array of Slurm.
 *
 * Each job writes a profile file of its own, in a folder (sweep_folder.h), whose rows are taken
 * over as they come. So no two machines write to one file. What jobs that were killed have not done
 * goes into another array.
 */
#ifndef GS_TOOL_SWEEP_SLURM_H
#define GS_TOOL_SWEEP_SLURM_H

#include <signal.h>

#include "gumshoe/sweep.h"

typedef struct gs_slurm_options {
    const char *partition, *time, *account; /* for sbatch; or NULL */
    uint64_t throttle;                      /* jobs at a time; 0: any */
    uint64_t chunk;                         /* groups a job; 0: as many as take a minute */
} gs_slurm_options;

typedef struct gs_sweep_slurm {
    const gs_sweep *sweep;
    const char *description; /* the YAML file */
    const char *path;        /* of the profile file */
    const gs_slurm_options *options;
    const volatile sig_atomic_t *cancel;
} gs_sweep_slurm;

/* Runs what is missing. *before: points that had a row; *interrupted: the caller wanted to stop,
 * and the jobs have been cancelled. */
gs_status gs_sweep_slurm_run(const gs_sweep_slurm *slurm, size_t *before, bool *interrupted,
                             gs_error *err);

/* Inside a job: runs its groups. `array` is the path that the jobs were given, by which the sweep
 * got its programs (sweep_folder.h) before it was planned. */
gs_status gs_sweep_slurm_work(const gs_sweep *sweep, const char *array, gs_error *err);

#endif
