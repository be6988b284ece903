/*
 * runner.h - a run that can be interrupted and gone on with, as gs_run() and gs_system_run() need.
 *
 * A runner borrows its machine and what the options name, and lives as long as the run. For a
 * machine with a port to a bus, see machine/bus_port.h: it goes on until the port waits for
 * something.
 */
#ifndef GS_ENGINE_RUNNER_H
#define GS_ENGINE_RUNNER_H

#include "engine/fast/tier/tier.h"
#include "engine/interp.h"
#include "probe/unreported.h"

typedef struct gs_runner {
    gs_machine *machine;
    const gs_run_options *options;
    gs_watch watch;
    gs_tier *tier;    /* or NULL: only the reference engine runs */
    gs_interp *plain; /* while nothing is translated, */
    gs_interp *watching;
    uint64_t limit, cycle_limit;
    uint64_t unsampled;    /* instructions the reference engine has run */
    uint64_t reported;     /* the number of instructions at the last report of progress */
    bool detached;         /* a control runs the past again: the observers are told nothing */
    gs_unreported pending; /* when they were detached */
} gs_runner;

/* After a failure there is nothing to close. */
gs_status gs_runner_open(gs_runner *runner, gs_machine *machine, const gs_run_options *options,
                         gs_error *err);

/* Until the machine has an exit, or its port waits. */
gs_status gs_runner_go(gs_runner *runner, gs_error *err);

/* Executes the one instruction whose access the bus was granted to. */
void gs_runner_execute_granted(gs_runner *runner);

/* Settles what was counted; the status is that of the run so far, or what went wrong now. */
gs_status gs_runner_close(gs_runner *runner, gs_status status, gs_error *err);

#endif
