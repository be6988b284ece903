/*
 * stats.h - the Statistics Module's registers, for programs that run beside one.
 *
 * Needs nothing but a C compiler. All registers are 32 bits wide and are read and written as words;
 * docs/units/stats.md describes them. `gumshoe unit stats --signals` has the numbers of the
 * signals.
 */
#ifndef GUMSHOE_FIRMWARE_STATS_H
#define GUMSHOE_FIRMWARE_STATS_H

#include <stdint.h>

#define GS_STATS_MAGIC 0x4d545301u

/* Offsets in bytes. */
#define GS_STATS_ID       0x00u
#define GS_STATS_CONFIG   0x04u
#define GS_STATS_CONTROL  0x08u
#define GS_STATS_INTERVAL 0x0cu
#define GS_STATS_SEQUENCE 0x10u
#define GS_STATS_SIGNALS  0x14u
#define GS_STATS_RANGE    0x1000u /* first and last address, 8 bytes for each range */
#define GS_STATS_SELECTOR 0x2000u /* and 4 bytes for each counter */
#define GS_STATS_SENT     0x4000u
#define GS_STATS_STRIDE   0x10u /* from a counter to the next */
#define GS_STATS_VALUE    0x0u  /* in the last dispatch, */
#define GS_STATS_LOW      0x8u  /* and in all of them */
#define GS_STATS_HIGH     0xcu

/* Of CONTROL. */
#define GS_STATS_RUN   1u
#define GS_STATS_CLEAR 2u
#define GS_STATS_END   4u /* reads 1 up to the last dispatch */

static inline void gs_stats_count(volatile uint32_t *stats, unsigned counter, unsigned signal,
                                  unsigned range)
{
    stats[GS_STATS_SELECTOR / 4 + counter] = range << 8 | signal;
}

static inline uint64_t gs_stats_total(volatile uint32_t *stats, unsigned counter)
{
    volatile uint32_t *sent = stats + (GS_STATS_SENT + counter * GS_STATS_STRIDE) / 4;
    uint32_t low = sent[GS_STATS_LOW / 4];
    return (uint64_t)sent[GS_STATS_HIGH / 4] << 32 | low;
}

#endif
