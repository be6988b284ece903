/*
 * journal.h - what came to a machine from outside, so that its past can be run again.
 *
 * A bare machine does the same again if it gets the same: what the console read, and what the
 * environment answered in place of a trap (semihosting, the UHI), which may have come from files of
 * the host. A journal keeps both. Run again, a machine gets them from there, the host is not asked,
 * and nothing is printed twice. gs_machine.journal is it; the machine does not own it.
 */
#ifndef GS_MACHINE_JOURNAL_H
#define GS_MACHINE_JOURNAL_H

#include "machine/machine.h"

typedef struct gs_journal gs_journal;

/* Begins to keep what comes from now on. NULL when memory is out. */
gs_journal *gs_journal_open(gs_machine *machine);
void gs_journal_free(gs_journal *journal); /* NULL is fine */

/* The environment's turn after a trap: from the journal, or for real. */
void gs_journal_trap(gs_journal *journal, gs_machine *machine);

/* Whether memory ran out: then the past cannot be run again. */
bool gs_journal_failed(const gs_journal *journal);

/* How far it has been used: for snapshots. */
size_t gs_journal_position(const gs_journal *journal);
void gs_journal_set_position(gs_journal *journal, size_t position);

#endif
