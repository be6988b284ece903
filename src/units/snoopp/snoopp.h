/*
 * snoopp.h - SnoopP: comparators around address ranges, and a counter for each.
 *
 * A counter adds what a beat brings (clocks, instructions, stall clocks) when the beat's pc
 * lies in its range; in data mode, one when the address of its memory access does. Ranges may
 * overlap and nest; each has its own comparators. docs/units/snoopp.md is the specification.
 *
 * gs_snoopp is the hardware: bounds, counters and bus registers in their widths, changed by
 * gs_snoopp_beat() and by stores over the bus. An access over the bus sees all beats before
 * that of the instruction that makes it.
 */
#ifndef GS_UNITS_SNOOPP_SNOOPP_H
#define GS_UNITS_SNOOPP_SNOOPP_H

#include "units/amount.h"
#include "units/unit.h"

enum { GS_SNOOPP_MAX = 1024 };

typedef struct gs_snoopp {
    /* Parameters, fixed when the hardware is made. */
    gs_amount amount;
    bool data, writable;
    unsigned width; /* of a counter: 32 or 64 */
    unsigned count; /* of ranges */

    /* State; bounds, only if they are writable. */
    uint32_t first[GS_SNOOPP_MAX], last[GS_SNOOPP_MAX]; /* addresses, both inclusive */
    uint64_t counter[GS_SNOOPP_MAX];                    /* `width` bits each */
    uint32_t high; /* 32 bits: the upper half of the counter read last */
    bool run;      /* 1 bit */
} gs_snoopp;

/* Parameters set, to the state after a reset. */
void gs_snoopp_reset_state(gs_snoopp *snoopp);

void gs_snoopp_beat(gs_snoopp *snoopp, const gs_port *port);

/* What so many beats add to a counter in whose range they are. */
void gs_snoopp_add(gs_snoopp *snoopp, unsigned counter, uint64_t amount);

/* Over the bus; false for an offset or size that has no register. */
bool gs_snoopp_load(gs_snoopp *snoopp, uint32_t offset, unsigned size, uint64_t *value);
bool gs_snoopp_store(gs_snoopp *snoopp, uint32_t offset, unsigned size, uint64_t value);

extern const gs_unit_kind gs_unit_snoopp;

#endif
