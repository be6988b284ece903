/*
 * leap.h - LEAP's registers, for programs that run beside one.
 *
 * Needs nothing but a C compiler. All registers are 32 bits wide and are read and written as words;
 * docs/units/leap.md describes them. `gumshoe unit leap --hash c` writes the parameters of a
 * program's hash.
 */
#ifndef GUMSHOE_FIRMWARE_LEAP_H
#define GUMSHOE_FIRMWARE_LEAP_H

#include <stdint.h>

#define GS_LEAP_MAGIC 0x50454c01u

/* Offsets in bytes. */
#define GS_LEAP_ID      0x00u
#define GS_LEAP_CONFIG  0x04u
#define GS_LEAP_CONTROL 0x08u
#define GS_LEAP_V       0x0cu
#define GS_LEAP_A1      0x10u
#define GS_LEAP_B1      0x14u
#define GS_LEAP_B2      0x18u
#define GS_LEAP_TAB     0x40000u /* and 4 bytes for each entry */
#define GS_LEAP_TAG     0x80000u /* and 4 bytes for each function */
#define GS_LEAP_COUNTER 0xc0000u
#define GS_LEAP_STRIDE  0x10u /* from a function's counters to the next one's, */
#define GS_LEAP_LANE    0x8u  /* and from one of its counters to the other */

/* Of CONTROL. */
#define GS_LEAP_RUN   1u
#define GS_LEAP_CLEAR 2u /* reads 1 while it goes on */
#define GS_LEAP_DRAIN 4u /* the same */

static inline uint64_t gs_leap_read(volatile uint32_t *leap, unsigned function, unsigned lane)
{
    volatile uint32_t *counter =
        leap + (GS_LEAP_COUNTER + function * GS_LEAP_STRIDE + lane * GS_LEAP_LANE) / 4;
    uint32_t low = counter[0];
    return (uint64_t)counter[1] << 32 | low;
}

#endif
