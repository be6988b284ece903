/*
 * counting.h - counts for a live module, by either engine (units/stats/stats_bulk.h), and looks
 * around between instructions.
 */
#ifndef GS_LIVE_COUNTING_H
#define GS_LIVE_COUNTING_H

#include "live/module.h"
#include "probe/port.h"
#include "units/stats/stats_bulk.h"

typedef struct gs_live_counting {
    gs_live_module *module;
    gs_port_feed feed;
    gs_stats_bulk bulk;
    /* Called between instructions when the core's clock is at `look` or later, and everything has
     * been counted; sets the next `look`. */
    void (*look_around)(void *self, uint64_t clock);
    void *self;
    uint64_t look;
    bool asked; /* this run has translated code, and due() is called */
} gs_live_counting;

/* Borrows all. The observer is counting->feed.observer. */
void gs_live_counting_init(gs_live_counting *counting, gs_live_module *module,
                           const gs_machine *machine, const gs_timing *timing,
                           void (*look_around)(void *self, uint64_t clock), void *self);

/* The run is over: everything has been collected. */
void gs_live_counting_finish(gs_live_counting *counting);

#endif
