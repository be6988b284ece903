/*
 * stats_bulk.h - a Statistics Module that counts for either engine.
 *
 * The reference engine sends it beats. Of translated code it learns what that has added to its
 * counters (gs_bulk_observer.weigh), whenever an interval ends and in between; the run of
 * instructions in which one ends comes beat by beat. So every interval has exactly what it has on
 * the reference engine.
 */
#ifndef GS_UNITS_STATS_STATS_BULK_H
#define GS_UNITS_STATS_STATS_BULK_H

#include "probe/bulk.h"
#include "units/stats/stats.h"

enum { GS_STATS_HELD = 64 };

typedef struct gs_stats_bulk {
    gs_stats *stats;
    const gs_isa *isa;
    uint64_t clocks;          /* of translated code: the timer does not have them yet */
    bool outstanding;         /* so are counts: translated code has run since they were collected */
    uint32_t traps, traps_pc; /* before beats paused: of the instruction that is executed next */
    gs_port held[GS_STATS_HELD]; /* beats that come after what is outstanding */
    unsigned held_count;
    uint32_t weights; /* number of the settings, */
    unsigned count;   /* and what they are */
    struct {
        uint32_t first, last;
        uint8_t signal;
    } counter[GS_STATS_COUNTERS_MAX];
} gs_stats_bulk;

/* A beat. */
void gs_stats_bulk_beat(gs_stats_bulk *bulk, const gs_port *port);

/* Beats pause where control is at `pc`; they go on so many clocks later. */
void gs_stats_bulk_pause(gs_stats_bulk *bulk, uint32_t pc);
void gs_stats_bulk_resume(gs_stats_bulk *bulk, uint64_t clocks);

/* As in gs_bulk_observer. Everything has been collected when due() is called, for which the clock
 * is that of the last beat; 0: something is chosen that translated code does not count by
 * instruction. */
uint32_t gs_stats_bulk_weights(gs_stats_bulk *bulk, size_t *count);
void gs_stats_bulk_weigh(const gs_stats_bulk *bulk, const gs_bulk_run *run, int64_t *sums);
void gs_stats_bulk_collect(gs_stats_bulk *bulk, const int64_t *sums, const gs_bulk_run *last);
uint64_t gs_stats_bulk_due(gs_stats_bulk *bulk, uint64_t clock);

/* Everything has been collected: counts what was held. */
void gs_stats_bulk_finish(gs_stats_bulk *bulk);

/* Whether translated code counts all that is chosen by instruction. */
bool gs_stats_bulk_fits(const gs_stats *stats);

#endif
