/*
 * leap.h - LEAP, for programs that run beside one.
 *
 * Needs nothing but a C compiler. `leap` is where the unit's registers lie; the hash is what
 * 'gumshoe unit leap --hash c PROGRAM' or 'gumshoe rtl leap' wrote for the program that is
 * profiled. docs/units/leap.md describes the registers.
 *
 *     #include "leap_hash.h"
 *     volatile uint32_t *leap = (volatile uint32_t *)0xf1000000;
 *     gs_leap_hash(leap, LEAP_V, LEAP_A1, LEAP_B1, LEAP_B2);
 *     for (unsigned i = 0; i <= LEAP_B2; i++)
 *         gs_leap_tab(leap, i, leap_tab[i]);
 *     gs_leap_start(leap, main); // which is in main()
 *     work();
 *     gs_leap_end(leap);
 *     uint64_t cycles = gs_leap_read(leap, number_of_work);
 */
#ifndef GUMSHOE_FIRMWARE_LEAP_H
#define GUMSHOE_FIRMWARE_LEAP_H

#include <stdint.h>

#include "leap_registers.h"

/* The parameters of the hash; then its table, entry by entry, and where entries have tags, for
 * every function number the address of its function (1 for none). While the unit does not run. */
static inline void gs_leap_hash(volatile uint32_t *leap, uint32_t v, uint32_t a1, uint32_t b1,
                                uint32_t b2)
{
    leap[GS_LEAP_V / 4] = v;
    leap[GS_LEAP_A1 / 4] = a1;
    leap[GS_LEAP_B1 / 4] = b1;
    leap[GS_LEAP_B2 / 4] = b2;
}

static inline void gs_leap_tab(volatile uint32_t *leap, unsigned entry, uint32_t value)
{
    leap[(GS_LEAP_TAB + entry * GS_LEAP_TAB_STRIDE) / 4] = value;
}

static inline void gs_leap_tag(volatile uint32_t *leap, unsigned number, uint32_t address)
{
    leap[(GS_LEAP_TAG + number * GS_LEAP_TAG_STRIDE) / 4] = address;
}

static inline void gs_leap_wait(volatile uint32_t *leap, uint32_t what)
{
    while (leap[GS_LEAP_CONTROL / 4] & what)
        continue;
}

/* From 0. `function` is the one that this is called in: what is counted until the next call is its,
 * and so is what its caller does after it has returned, since LEAP knows of no call before. LEAP
 * would otherwise take the address of the next instruction for a function's, and count for whatever
 * number that has. */
static inline void gs_leap_start_at(volatile uint32_t *leap, uint32_t function)
{
    leap[GS_LEAP_CONTROL / 4] = GS_LEAP_CLEAR;
    gs_leap_wait(leap, GS_LEAP_CLEAR);
    leap[GS_LEAP_BEGIN / 4] = function;
    leap[GS_LEAP_CONTROL / 4] = GS_LEAP_RUN;
}

#define gs_leap_start(leap, function) gs_leap_start_at((leap), (uint32_t)(uintptr_t)(function))

/* Stops, and adds what is counted but not stored yet. */
static inline void gs_leap_end(volatile uint32_t *leap)
{
    leap[GS_LEAP_CONTROL / 4] = 0;
    leap[GS_LEAP_CONTROL / 4] = GS_LEAP_DRAIN;
    gs_leap_wait(leap, GS_LEAP_DRAIN);
}

/* The counter of the function with this number; where counters are halved when one is full, in
 * units of 2^HALVED. */
static inline uint64_t gs_leap_read(volatile uint32_t *leap, unsigned number)
{
    volatile uint32_t *counter = leap + (GS_LEAP_COUNTER + number * GS_LEAP_COUNTER_STRIDE) / 4;
    uint32_t low = counter[GS_LEAP_LOW / 4];
    return (uint64_t)counter[GS_LEAP_HIGH / 4] << 32 | low;
}

/* The same of one lane, where there are more than two: see LANES. */
static inline uint64_t gs_leap_read_lane(volatile uint32_t *leap, unsigned number, unsigned lane)
{
    leap[GS_LEAP_LANE / 4] = lane;
    return gs_leap_read(leap, number);
}

#endif
