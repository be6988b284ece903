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

#include "snoopp_registers.h"

static inline volatile uint32_t *gs_snoopp_counter(volatile uint32_t *snoopp, unsigned number)
{
    return snoopp + (GS_SNOOPP_COUNTER + number * GS_SNOOPP_COUNTER_STRIDE) / 4;
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

/* Of a unit whose bounds are writable: what counter `number` counts, both addresses included. Stop
 * before. */
static inline void gs_snoopp_set(volatile uint32_t *snoopp, unsigned number, uint32_t first,
                                 uint32_t last)
{
    volatile uint32_t *counter = gs_snoopp_counter(snoopp, number);
    counter[GS_SNOOPP_FIRST / 4] = first;
    counter[GS_SNOOPP_LAST / 4] = last;
}

static inline void gs_snoopp_run(volatile uint32_t *snoopp, int run)
{
    snoopp[GS_SNOOPP_CONTROL / 4] = run ? GS_SNOOPP_RUN : 0;
}

#endif
