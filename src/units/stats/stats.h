/*
 * stats.h - the Statistics Module: any signal in any address range, at intervals.
 *
 * After the circuit of that name of the Liquid Architecture project; docs/units/stats.md specifies
 * it for the Verilog. Every counter has two selectors, for a signal and for an address range
 * register. A timer dispatches all counters and resets them.
 *
 * All state of the hardware is in gs_stats and changes in gs_stats_beat() and gs_stats_end() only.
 * What is dispatched goes to `dispatch` at once, as it would to a network.
 */
#ifndef GS_UNITS_STATS_STATS_H
#define GS_UNITS_STATS_STATS_H

#include "units/unit.h"

enum { GS_STATS_COUNTERS_MAX = 64, GS_STATS_RANGES_MAX = 64 };

typedef enum gs_stats_signal {
#define SIGNAL(name, key, amount, exact, text) GS_STATS_##name,
#include "units/stats/signals.def"
#undef SIGNAL
    GS_STATS_FIRST_STALL,
    GS_STATS_SIGNAL_COUNT = GS_STATS_FIRST_STALL + GS_STALL_COUNT
} gs_stats_signal;

const char *gs_stats_signal_key(unsigned signal);  /* "d-miss", "stall:load-use" */
const char *gs_stats_signal_text(unsigned signal); /* in words */
bool gs_stats_signal_find(const char *key, unsigned *signal);

/* The metric of the exact profile that counts the same; false if there is none. */
bool gs_stats_signal_exact(unsigned signal, gs_metric *metric);

/* What leaves the chip: one datagram. */
typedef struct gs_stats_record {
    uint32_t sequence; /* from 0 */
    uint64_t cycle;    /* the clock of the dispatch */
    bool last;         /* the program has ended */
    unsigned count;
    uint32_t value[GS_STATS_COUNTERS_MAX];
    uint64_t total[GS_STATS_COUNTERS_MAX]; /* of all values so far, these included */
} gs_stats_record;

/* A core that sleeps for long sends the same over and over: `times` such records, each with the
 * next sequence number and `interval` clocks after the one before. */
typedef void gs_stats_dispatch(void *self, const gs_stats_record *record, uint64_t times);

typedef struct gs_stats {
    unsigned count;    /* counters */
    unsigned width;    /* bits of a counter, 1 to 32 */
    uint32_t interval; /* 0: the timer stands still */
    struct {
        uint32_t first, last; /* both inclusive */
    } range[GS_STATS_RANGES_MAX];
    uint8_t signal_of[GS_STATS_COUNTERS_MAX], range_of[GS_STATS_COUNTERS_MAX]; /* the selectors */

    uint32_t timer; /* clocks until the next dispatch */
    uint32_t counter[GS_STATS_COUNTERS_MAX];
    uint64_t total[GS_STATS_COUNTERS_MAX];
    uint32_t sequence;
    bool ended; /* frozen */

    /* Where branches have a delay slot: the one before, in whose slot it shows whether it was
     * taken. */
    bool pending;
    uint32_t pending_pc;
    uint32_t traps; /* since the last instruction */

    gs_stats_dispatch *dispatch;
    void *dispatch_self;
    uint64_t cycle; /* no register: the clock, for records */
} gs_stats;

/* Sets all registers; the parameters, selectors and ranges stay. */
void gs_stats_reset(gs_stats *stats);
void gs_stats_beat(gs_stats *stats, const gs_port *port, const gs_isa *isa);

/* The two halves of a beat, for what is known to have happened in between: lets clocks pass, and
 * adds to a counter, whatever its selectors say. */
void gs_stats_pass(gs_stats *stats, uint64_t clocks);
void gs_stats_add(gs_stats *stats, unsigned counter, uint64_t amount);

/* The program has ended: counting stops, the timer runs out, and what was counted since the last
 * dispatch is dispatched. */
void gs_stats_end(gs_stats *stats);

extern const gs_unit_kind gs_unit_stats;

#endif
