/*
 * stats.h - the Statistics Module, for programs that run beside one.
 *
 * Needs nothing but a C compiler. `stats` is where the unit's registers lie. 'gumshoe rtl stats'
 * writes what to count of a program; 'gumshoe unit stats --signals' has the numbers of signals.
 * docs/units/stats.md describes the registers.
 *
 *     #include "stats_setup.h"
 *     volatile uint32_t *stats = (volatile uint32_t *)0xf1000000;
 *     for (unsigned i = 0; i < sizeof stats_ranges / sizeof *stats_ranges; i++)
 *         gs_stats_range(stats, i, stats_ranges[i][0], stats_ranges[i][1]);
 *     for (unsigned i = 0; i < sizeof stats_selectors / sizeof *stats_selectors; i++)
 *         gs_stats_select(stats, i, stats_selectors[i]);
 *     gs_stats_start(stats, STATS_INTERVAL);
 *     work();
 *     gs_stats_finish(stats);
 *     uint64_t total = gs_stats_total(stats, 0);
 */
#ifndef GUMSHOE_FIRMWARE_STATS_H
#define GUMSHOE_FIRMWARE_STATS_H

#include <stdint.h>

#include "stats_registers.h"

static inline void gs_stats_range(volatile uint32_t *stats, unsigned range, uint32_t first,
                                  uint32_t last)
{
    volatile uint32_t *bounds = stats + (GS_STATS_RANGE + range * GS_STATS_RANGE_STRIDE) / 4;
    bounds[GS_STATS_FIRST / 4] = first;
    bounds[GS_STATS_LAST / 4] = last;
}

/* Bits 4..0 of a selector are the signal, 13..8 the range. */
static inline void gs_stats_select(volatile uint32_t *stats, unsigned counter, uint32_t selector)
{
    stats[(GS_STATS_SELECTOR + counter * GS_STATS_SELECTOR_STRIDE) / 4] = selector;
}

/* From 0, with a dispatch every `interval` clocks; 0 for one at the end only. */
static inline void gs_stats_start(volatile uint32_t *stats, uint32_t interval)
{
    stats[GS_STATS_INTERVAL / 4] = interval;
    stats[GS_STATS_CONTROL / 4] = GS_STATS_CLEAR;
    stats[GS_STATS_CONTROL / 4] = GS_STATS_RUN;
}

/* Stops or goes on, with nothing lost or cleared. */
static inline void gs_stats_run(volatile uint32_t *stats, int run)
{
    stats[GS_STATS_CONTROL / 4] = run ? GS_STATS_RUN : 0;
}

/* Ends, and waits for the last dispatch. */
static inline void gs_stats_finish(volatile uint32_t *stats)
{
    stats[GS_STATS_CONTROL / 4] = GS_STATS_END;
    while (stats[GS_STATS_CONTROL / 4] & GS_STATS_END)
        continue;
}

/* What a counter had with the last dispatch, and in all of them. */
static inline uint32_t gs_stats_value(volatile uint32_t *stats, unsigned counter)
{
    return stats[(GS_STATS_SENT + counter * GS_STATS_SENT_STRIDE + GS_STATS_VALUE) / 4];
}

static inline uint64_t gs_stats_total(volatile uint32_t *stats, unsigned counter)
{
    volatile uint32_t *sent = stats + (GS_STATS_SENT + counter * GS_STATS_SENT_STRIDE) / 4;
    uint32_t low = sent[GS_STATS_LOW / 4];
    return (uint64_t)sent[GS_STATS_HIGH / 4] << 32 | low;
}

#endif
