/*
 * exact.h - what LEAP should have counted, from the exact profile.
 */
#ifndef GS_UNITS_LEAP_EXACT_H
#define GS_UNITS_LEAP_EXACT_H

#include "units/leap/leap.h"
#include "units/truth.h"

typedef struct gs_leap_exact {
    bool known;     /* false: the exact profile does not count this with what functions call */
    uint64_t *sum;  /* per function of the image and one more: all lanes */
    uint64_t total; /* of the whole program */
} gs_leap_exact;

/* What to look for in the costs of a function with all it called: of energy, the cycles, each of
 * which is in some lane. */
static inline gs_amount gs_leap_exact_amount(gs_leap_count count)
{
    return count == GS_LEAP_COUNT_ENERGY ? GS_AMOUNT_CYCLES : (gs_amount)count;
}

/* False when memory is out. */
bool gs_leap_exact_init(gs_leap_exact *exact, const gs_leap *leap, const gs_truth *truth);
void gs_leap_exact_fini(gs_leap_exact *exact);

#endif
