/*
 * atomic.h - registers that appear four times, as on RP2040 and RP2350.
 *
 * A store to the first copy writes, to the second one flips, to the third one sets and to the
 * fourth one clears the bits that are one in what is stored. Loads are the same from all copies.
 */
#ifndef GS_MACHINE_BARE_ATOMIC_H
#define GS_MACHINE_BARE_ATOMIC_H

#include <stdint.h>

enum { GS_ATOMIC_COPIES = 4, GS_ATOMIC_DISTANCE = 0x1000 };

/* What a store of `value` leaves in a register that reads as `old`. */
static inline uint32_t gs_atomic_result(uint32_t offset, uint32_t old, uint32_t value)
{
    switch (offset / GS_ATOMIC_DISTANCE % GS_ATOMIC_COPIES) {
    case 1: return old ^ value;
    case 2: return old | value;
    case 3: return old & ~value;
    default: return value;
    }
}

#endif
