/*
 * snapshot.h - a machine as it was, to go back to.
 *
 * Pages of memory that have not changed since the snapshot before are shared with it. Of bare
 * machines only, with a journal (journal.h), which knows what came from outside since.
 */
#ifndef GS_MACHINE_SNAPSHOT_H
#define GS_MACHINE_SNAPSHOT_H

#include "machine/machine.h"

typedef struct gs_snapshot gs_snapshot;

/* `before` is the latest one of this machine that there is, or NULL. NULL when memory is out. */
gs_snapshot *gs_snapshot_take(gs_machine *machine, const gs_snapshot *before);
void gs_snapshot_restore(const gs_snapshot *snapshot, gs_machine *machine);
void gs_snapshot_free(gs_snapshot *snapshot); /* NULL is fine; in any order */

#endif
