/*
 * unmapped.h - loads and stores where there is nothing, when they are to be ignored.
 *
 * Firmware sets up clocks, pins and watchdogs before it does anything else. Where the board has
 * none of these, loads read 0 and stores do nothing, and the log keeps which words were touched,
 * how often, and by which instruction first. It belongs to a gs_bare.
 */
#ifndef GS_MACHINE_BARE_UNMAPPED_H
#define GS_MACHINE_BARE_UNMAPPED_H

#include "machine/machine.h"

typedef struct gs_unmapped_word {
    gs_addr address;
    gs_addr pc; /* of the first access */
    uint64_t loads, stores;
} gs_unmapped_word;

/* How many words a run lists. */
enum { GS_UNMAPPED_LISTED = 12 };

typedef struct gs_unmapped_log {
    gs_machine *machine;
    unsigned count;
    gs_unmapped_word words[GS_UNMAPPED_LISTED]; /* as they were touched first */
    uint64_t elsewhere;                         /* accesses to words for which there was no room */
    bool told;
} gs_unmapped_log;

/* Has the machine's memory ignore such accesses from now on, and keep them in the log. */
void gs_unmapped_ignore(gs_unmapped_log *log, gs_machine *machine);

/* Makes a note of how to get past `trap`, which ends the run, if it is a load or store where there
 * is nothing; not below the first page, as a null pointer is a mistake of the program. */
void gs_unmapped_advise(gs_machine *machine, const gs_trap *trap, const char *board);

/* Makes notes of the log when the run has ended. */
void gs_unmapped_tell(gs_unmapped_log *log);

#endif
