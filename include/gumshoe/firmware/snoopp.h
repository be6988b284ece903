/*
 * snoopp.h - SnoopP's registers, for programs that run beside one.
 *
 * Needs nothing but a C compiler; any address the unit was put at with "snoopp:map=ADDRESS".
 * All registers are 32 bits wide and are read and written as words. docs/units/snoopp.md
 * describes them.
 *
 *     volatile uint32_t *snoopp = (volatile uint32_t *)0xf1000000;
 *     gs_snoopp_reset_all(snoopp);
 *     work();
 *     uint64_t cycles = gs_snoopp_read(snoopp, 0);
 */
#ifndef GUMSHOE_FIRMWARE_SNOOPP_H
#define GUMSHOE_FIRMWARE_SNOOPP_H

#include <stdint.h>

#define GS_SNOOPP_MAGIC 0x504e5301u /* "\1SNP" in memory of a little-endian core */

/* Offsets in bytes. */
#define GS_SNOOPP_ID      0x00u /* GS_SNOOPP_MAGIC */
#define GS_SNOOPP_CONFIG  0x04u /* bits 15..0: counters; 23..16: their width; 24: counts data */
#define GS_SNOOPP_CONTROL 0x08u /* see below */

/* A counter's registers lie at GS_SNOOPP_COUNTER + number * GS_SNOOPP_STRIDE. */
#define GS_SNOOPP_COUNTER 0x100u
#define GS_SNOOPP_STRIDE  0x10u
#define GS_SNOOPP_LOW     0x0u /* read: bits 31..0, and keeps the rest for HIGH; write: reset */
#define GS_SNOOPP_HIGH    0x4u /* read: bits 63..32 as they were when LOW was read; write: reset */
#define GS_SNOOPP_FIRST   0x8u /* the first address that counts */
#define GS_SNOOPP_LAST    0xcu /* the last one */

/* Of CONTROL. RUN is 1 from the start; without it nothing counts. RESET reads 0. */
#define GS_SNOOPP_RUN   1u
#define GS_SNOOPP_RESET 2u /* written 1: all counters become 0 */

static inline volatile uint32_t *gs_snoopp_counter(volatile uint32_t *snoopp, unsigned number)
{
    return snoopp + (GS_SNOOPP_COUNTER + number * GS_SNOOPP_STRIDE) / 4;
}

static inline uint64_t gs_snoopp_read(volatile uint32_t *snoopp, unsigned number)
{
    volatile uint32_t *counter = gs_snoopp_counter(snoopp, number);
    uint32_t low = counter[GS_SNOOPP_LOW / 4];
    return (uint64_t)counter[GS_SNOOPP_HIGH / 4] << 32 | low;
}

static inline void gs_snoopp_reset(volatile uint32_t *snoopp, unsigned number)
{
    gs_snoopp_counter(snoopp, number)[GS_SNOOPP_LOW / 4] = 0;
}

static inline void gs_snoopp_reset_all(volatile uint32_t *snoopp)
{
    volatile uint32_t *control = snoopp + GS_SNOOPP_CONTROL / 4;
    *control = (*control & GS_SNOOPP_RUN) | GS_SNOOPP_RESET;
}

static inline void gs_snoopp_run(volatile uint32_t *snoopp, int run)
{
    snoopp[GS_SNOOPP_CONTROL / 4] = run ? GS_SNOOPP_RUN : 0;
}

#endif
