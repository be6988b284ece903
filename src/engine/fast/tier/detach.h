/*
 * detach.h - starts a process that is not our child.
 *
 * The guest may be a program that waits for its children, and those are ours, too. So a child of
 * ours starts the process and ends at once. That child shares our memory, so that page tables are
 * copied once and not twice.
 */
#ifndef GS_TIER_DETACH_H
#define GS_TIER_DETACH_H

#include <stdbool.h>

/* Has a new process, which is not our child, run `run`. That must not return, and may only make
 * system calls, as there may have been threads. False if no process can be started. */
bool gs_detach(void (*run)(void *self), void *self);

#endif
