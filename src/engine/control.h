/*
 * control.h - a debugger's turn between two instructions of a run.
 *
 * gs_run() asks its control before it goes on: after every slice, and at least where `limit` says.
 * In its turn a control may read and change the machine, set where it stops (machine/stops.h), and
 * put the machine back to an earlier state of itself. A control belongs to its owner and is used
 * within gs_run() only.
 */
#ifndef GS_ENGINE_CONTROL_H
#define GS_ENGINE_CONTROL_H

#include "gumshoe/run.h"
#include "machine/machine.h"

struct gs_control {
    void *self;
    /* Whether it wants its turn now. Called often. */
    bool (*wants)(void *self, const gs_machine *machine);
    /* False ends the run, as interrupted. Also called when the program has ended; if machine->exit
     * says no longer so afterwards, the run goes on. */
    bool (*turn)(void *self, gs_machine *machine);
    uint64_t limit; /* instructions in all, at which its turn comes at the latest */
    bool replays;   /* what is run has been run before: observers have seen it */
    bool went_back; /* set by turn(): the machine is in an earlier state; cleared by gs_run() */
    uint64_t traps; /* taken, apart from interrupts; kept by gs_run() */
};

#endif
