/*
 * past.h - the board's part of snapshots, and what the console read, for gs_environment.
 */
#ifndef GS_MACHINE_BARE_PAST_H
#define GS_MACHINE_BARE_PAST_H

#include "machine/machine.h"

/* As gs_environment wants them. */
void *gs_bare_save(gs_machine *machine);
void gs_bare_restore(gs_machine *machine, const void *saved);
void gs_bare_keep_input(gs_machine *machine);
void *gs_bare_save_input(gs_machine *machine);
void gs_bare_restore_input(gs_machine *machine, const void *saved);

#endif
