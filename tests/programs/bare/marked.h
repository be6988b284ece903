/*
 * marked.h - work between markers: 1 begins what is to be measured, 2 ends it.
 */
#ifndef MARKED_H
#define MARKED_H

#include "rt.h"

#define MARK (*(volatile uint32_t *)(uintptr_t)0xf0000008)

enum { ROUNDS = 300 };

static __attribute__((noinline)) uint32_t measured(uint32_t seed)
{
    for (unsigned i = 0; i < 40; i++)
        seed = seed * 1664525 + (seed >> 7 ^ i);
    return seed;
}

static __attribute__((noinline)) uint32_t between(uint32_t seed)
{
    for (unsigned i = 0; i < seed % 32; i++)
        seed ^= seed << 3 | i;
    return seed;
}

static inline uint32_t work(void)
{
    uint32_t seed = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        MARK = 1;
        seed = measured(seed);
        MARK = 2;
        seed = between(seed);
    }
    return seed;
}

#endif
