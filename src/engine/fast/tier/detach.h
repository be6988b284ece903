/*
 * detach.h - starts a process that is not our child.
 *
 * The guest may be a program that waits for its children, and those are ours, too. So a child of
 * ours starts the process and ends at once. That one shares our memory, so that what there is of it
 * is copied once and not twice.
 */
#ifndef GS_TIER_DETACH_H
#define GS_TIER_DETACH_H

#include <stdbool.h>

/* Has a process of its own do `run`, which must not return, and may make nothing but system calls:
 * there may have been threads. False if there can be no more processes. */
bool gs_detach(void (*run)(void *self), void *self);

#endif
