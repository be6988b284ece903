/*
 * counting.h - counts for a live module, by either engine.
 *
 * The reference engine tells of every instruction. The fast engine adds up how often runs of
 * instructions were executed (gumshoe/bulk.h), which is asked for at the end of each interval and
 * whenever commands are looked for; around these it tells of instructions, too, so that every
 * interval has exactly what it has on the reference engine.
 */
#ifndef GS_LIVE_COUNTING_H
#define GS_LIVE_COUNTING_H

#include "live/module.h"
#include "probe/port.h"

enum { GS_LIVE_HELD = 64 };

typedef struct gs_live_counting {
    gs_live_module *module;
    gs_port_feed feed;
    /* Called between instructions when the core's clock is at `look` or later, and everything has
     * been counted; sets the next `look`. */
    void (*look_around)(void *self, uint64_t clock);
    void *self;
    uint64_t look;

    bool asked;                 /* this run has translated code, and due() is called */
    bool outstanding;           /* which has been executed since the last call */
    gs_port held[GS_LIVE_HELD]; /* beats that come after what is outstanding */
    unsigned held_count;
    struct gs_live_mark {
        uint64_t cycles, mispredicted, ifetches, imisses, daccesses, dmisses;
        uint64_t stalls[GS_STALL_COUNT];
    } mark; /* what the timing had counted when events stopped, or adding began */
    int64_t added[GS_STATS_COUNTERS_MAX];
} gs_live_counting;

/* Borrows all. The observer is counting->feed.observer. */
void gs_live_counting_init(gs_live_counting *counting, gs_live_module *module,
                           const gs_machine *machine, const gs_timing *timing,
                           void (*look_around)(void *self, uint64_t clock), void *self);

/* The run is over: everything has been added. */
void gs_live_counting_finish(gs_live_counting *counting);

#endif
