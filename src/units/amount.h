/*
 * amount.h - how much of something happened in a beat, and in the exact profile.
 */
#ifndef GS_UNITS_AMOUNT_H
#define GS_UNITS_AMOUNT_H

#include "gumshoe/bulk.h"
#include "probe/metrics.h"
#include "probe/port.h"

typedef enum gs_amount {
#define AMOUNT(name, key, text) GS_AMOUNT_##name,
#include "units/amounts.def"
#undef AMOUNT
    GS_AMOUNT_COUNT
} gs_amount;

const char *gs_amount_text(gs_amount amount); /* in words */

/* Of a beat: what a counter adds. 0 for a trap. */
static inline uint64_t gs_amount_of(gs_amount amount, const gs_port *port)
{
    switch (amount) {
    case GS_AMOUNT_CYCLES: return port->cycles;
    case GS_AMOUNT_INSTRUCTIONS: return port->valid;
    case GS_AMOUNT_STALLS: return gs_port_stalls(port);
    case GS_AMOUNT_CACHE_STALLS:
        return port->stall[GS_STALL_I_MISS] + port->stall[GS_STALL_D_READ] +
               port->stall[GS_STALL_D_WRITE];
    case GS_AMOUNT_I_STALLS: return port->stall[GS_STALL_I_MISS];
    default: return port->stall[GS_STALL_D_READ] + port->stall[GS_STALL_D_WRITE];
    }
}

/* The same of what an instruction has cost beyond a clock; see gumshoe/bulk.h. */
static inline int64_t gs_amount_of_charge(gs_amount amount, const gs_charge *charge)
{
    gs_port port = {0};
    if (charge->kind == GS_CHARGE_CYCLES)
        return amount == GS_AMOUNT_CYCLES ? charge->amount : 0;
    if (charge->kind < GS_CHARGE_STALLS)
        return 0;
    port.stall[charge->kind - GS_CHARGE_STALLS] = 1;
    return charge->amount * (int64_t)gs_amount_of(amount, &port);
}

/* The same in the exact profile. */
uint64_t gs_amount_in(gs_amount amount, const gs_metrics *metrics);

#endif
