/*
 * amount.h - how much of something happened in a beat, and in the exact profile.
 */
#ifndef GS_UNITS_AMOUNT_H
#define GS_UNITS_AMOUNT_H

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

/* The same in the exact profile. */
uint64_t gs_amount_in(gs_amount amount, const gs_metrics *metrics);

#endif
