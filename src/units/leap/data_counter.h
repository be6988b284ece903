/*
 * data_counter.h - LEAP's Data Counter: what is measured.
 *
 * Everything else in LEAP is there to charge its value to the right function. It counts one
 * thing, or several side by side (lanes): cycles by energy group, branches by outcome.
 *
 * A lane is `width` bits. It wraps; or, if counters are shifted, it counts units of 2^shift,
 * and what is less than a unit stays in a register of `shift` bits beside it that lives on when
 * the counter is emptied, so that nothing is lost in the sum.
 */
#ifndef GS_UNITS_LEAP_DATA_COUNTER_H
#define GS_UNITS_LEAP_DATA_COUNTER_H

#include "timing/core.h"
#include "units/amount.h"
#include "units/leap/op_decoder.h"

typedef enum gs_leap_count {
#define AMOUNT(name, key, text) GS_LEAP_COUNT_##name = GS_AMOUNT_##name,
#include "units/amounts.def"
#undef AMOUNT
#define COUNT(name, key, text) GS_LEAP_COUNT_##name,
#include "units/leap/counts.def"
#undef COUNT
    GS_LEAP_COUNT_KINDS
} gs_leap_count;

enum { GS_LEAP_LANE_MAX = GS_CORE_GROUP_MAX + 1 };

typedef struct gs_leap_values {
    uint64_t lane[GS_LEAP_LANE_MAX];
} gs_leap_values;

/* How a counter of limited width goes on when it is full. */
typedef enum gs_leap_full { GS_LEAP_WRAP, GS_LEAP_SHIFT } gs_leap_full;

typedef struct gs_leap_data_counter {
    /* Parameters. */
    gs_leap_count count;
    const gs_isa *isa;
    const gs_core *core; /* with an energy table, for ENERGY */
    unsigned lanes;
    unsigned width; /* 16..64 */

    /* State. */
    gs_leap_values value;    /* `width` bits per lane, in units of 2^shift */
    gs_leap_values fraction; /* `shift` bits per lane */
} gs_leap_data_counter;

const char *gs_leap_count_key(gs_leap_count count); /* "cycles" */

/* How many lanes this needs. */
unsigned gs_leap_lanes(gs_leap_count count, const gs_core *core);
const char *gs_leap_lane_name(gs_leap_count count, const gs_core *core, unsigned lane);

/* What a beat brings. Calls are none of it: they start a count, see gs_leap_restart_count(). */
void gs_leap_measure(const gs_leap_data_counter *counter, const gs_port *port, const gs_leap_op *op,
                     gs_leap_values *amount);

/* Whether adding `amount` goes beyond the width of a lane, at this shift. */
bool gs_leap_would_fill(const gs_leap_data_counter *counter, const gs_leap_values *amount,
                        unsigned shift);
void gs_leap_add(gs_leap_data_counter *counter, const gs_leap_values *amount, unsigned shift);

/* The counter shifts by one: the bit that falls out is the fraction's highest. */
void gs_leap_halve(gs_leap_data_counter *counter, unsigned old_shift);

static inline uint64_t gs_leap_mask(unsigned width)
{
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

#endif
