/*
 * htif.h - the Berkeley host-target interface, as spike has it.
 *
 * A program with a symbol `tohost` talks by storing to that doubleword, which lies in
 * ordinary memory: an odd value ends the run, an even one is the address of a proxied
 * system call, and 0x0101 in the top bytes prints a character. Answers go to
 * `fromhost`. See htif.c for how the stores are noticed.
 */
#ifndef GS_MACHINE_BARE_HTIF_H
#define GS_MACHINE_BARE_HTIF_H

#include "machine/machine.h"

typedef struct gs_bare gs_bare;

typedef enum gs_htif_mode {
    GS_HTIF_NONE,    /* the program has no tohost */
    GS_HTIF_WATCHED, /* the page of tohost is a device */
    GS_HTIF_POLLED,  /* it is plain memory, looked at now and then */
} gs_htif_mode;

typedef struct gs_htif {
    gs_htif_mode mode;
    gs_addr tohost, fromhost; /* fromhost: 0 if there is none */
    gs_addr page;             /* of tohost */
    unsigned prot;            /* of that page */
} gs_htif;

/* Looks for the symbols; to be called after loading. */
gs_status gs_htif_init(gs_bare *bare, gs_error *err);

/* Answers what is in tohost. */
void gs_htif_check(gs_bare *bare);

/* If the trap came only from the page being a device (code in it, an atomic or misaligned
 * access), makes it plain memory and returns true: the instruction is to be tried again. */
bool gs_htif_yield(gs_bare *bare, const gs_trap *trap);

/* When to call gs_htif_check() next. */
uint64_t gs_htif_next(const gs_bare *bare, uint64_t now);

#endif
