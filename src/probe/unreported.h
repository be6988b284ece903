/*
 * unreported.h - the timing's counts that have not been reported to observers yet.
 *
 * The engine reports the cycles and misses since the instruction reported before with the next one
 * (gs_observer.noted). Between two reports, these are pending. The timing keeps what has been
 * reported; only the engines change it.
 */
#ifndef GS_PROBE_UNREPORTED_H
#define GS_PROBE_UNREPORTED_H

#include "timing/timing.h"

typedef struct gs_unreported {
    uint64_t cycles, misses;
} gs_unreported;

static inline gs_unreported gs_unreported_get(const gs_timing *timing)
{
    return (gs_unreported){timing->now - timing->reported_cycles,
                           gs_timing_misses(timing) - timing->reported_misses};
}

/* Sets the counts that are pending; everything before them has been reported. */
static inline void gs_unreported_set(gs_timing *timing, gs_unreported pending)
{
    timing->reported_cycles = timing->now - pending.cycles;
    timing->reported_misses = gs_timing_misses(timing) - pending.misses;
}

#endif
