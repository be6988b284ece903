/*
 * watch.h - reports to the timing model, and then to the observers.
 *
 * The observed interpreters report every retired instruction here. It lives on the stack
 * of gs_run() for the length of one call.
 */
#ifndef GS_ENGINE_WATCH_H
#define GS_ENGINE_WATCH_H

#include "engine/fast/runtime/fast.h"
#include "engine/followers.h"
#include "probe/region.h"
#include "machine/machine.h"

typedef struct gs_watch {
    gs_timing *timing;       /* or NULL */
    gs_followers *followers; /* or NULL */
    const gs_observer *const *observers;
    size_t observer_count;
    bool want_all; /* whether any of them wants to see every instruction */
    /* The `noted` events; NULL: no observer wants them. With one observer, its own function. */
    void (*note)(void *self, const gs_machine *machine, const gs_retired *event, uint64_t cycles,
                 bool missed);
    void *note_self;
    const gs_region *region; /* or NULL: the slice also ends where this may begin or end */
    uint64_t deadline;       /* in cycles: the slice ends with the first instruction to reach it */
    gs_fast_engine *fast;    /* or NULL: none */
    const uint8_t *filter;   /* the fast engine's table of where translated code may begin, see
                                fast.h; or NULL */
    uint64_t filter_until;   /* in cycles: after that the table is not consulted */
} gs_watch;

void gs_watch_init(gs_watch *watch, gs_timing *timing, const gs_observer *const *observers,
                   size_t observer_count);

/* Translated code runs, too. */
void gs_watch_use_fast(gs_watch *watch, gs_fast_engine *fast);

/* No more will be reported. */
void gs_watch_fini(gs_watch *watch);

/* With a timing: what has happened up to now is not to be reported with the next instruction. */
void gs_watch_skip(gs_watch *watch);
/* Whether nothing will be reported with the next instruction but that instruction itself. */
bool gs_watch_is_even(const gs_watch *watch);

/* True if the slice has to end with this instruction. */
bool gs_watch_retired(gs_watch *watch, const gs_machine *machine, const gs_retired *event);

void gs_watch_trapped(gs_watch *watch, const gs_machine *machine, gs_addr pc);
void gs_watch_region(gs_watch *watch, const gs_machine *machine, bool inside);
void gs_watch_decoded(gs_watch *watch, const gs_machine *machine, gs_addr pc, const gs_insn *insn);

/* The machine's time as a device or control register sees it now. */
uint64_t gs_watch_time(const gs_watch *watch, const gs_machine *machine);

#endif
