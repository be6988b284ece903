/*
 * htif.h - the Berkeley host-target interface, as spike has it.
 *
 * A program with a symbol `tohost` talks by storing to that doubleword, which lies in
 * ordinary memory: an odd value ends the run, an even one is the address of a proxied
 * system call, and 0x0101 in the top bytes prints a character. Answers go to
 * `fromhost`.
 */
#ifndef GS_MACHINE_BARE_HTIF_H
#define GS_MACHINE_BARE_HTIF_H

#include "machine/machine.h"

typedef struct gs_bare gs_bare;

typedef struct gs_htif {
    gs_addr tohost, fromhost; /* 0 if there is none */
} gs_htif;

/* Looks for the symbols and watches tohost; to be called after loading. */
void gs_htif_init(gs_bare *bare);

#endif
