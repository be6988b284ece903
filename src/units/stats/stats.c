/* The Statistics Module at a beat: signals, ranges, counters and the timer. */
#include "units/stats/stats.h"

#include <string.h>

#define EXACT(metric) (1 + GS_METRIC_##metric)
#define NO_EXACT      0

static const struct {
    const char *key, *text;
    unsigned exact; /* metric + 1, or 0 */
} signals[GS_STATS_SIGNAL_COUNT] = {
#define SIGNAL(name, key, amount, exact, text) [GS_STATS_##name] = {key, text, exact},
#include "units/stats/signals.def"
#undef SIGNAL
#define STALL(name, key, text) \
    [GS_STATS_FIRST_STALL + GS_STALL_##name] = {"stall:" key, text, EXACT(STALL_##name)},
#include "timing/stalls.def"
#undef STALL
};

const char *gs_stats_signal_key(unsigned signal)
{
    return signals[signal].key;
}

const char *gs_stats_signal_text(unsigned signal)
{
    return signals[signal].text;
}

bool gs_stats_signal_find(const char *key, unsigned *signal)
{
    for (unsigned i = 0; i < GS_STATS_SIGNAL_COUNT; i++) {
        if (strcmp(signals[i].key, key) == 0) {
            *signal = i;
            return true;
        }
    }
    return false;
}

bool gs_stats_signal_exact(unsigned signal, gs_metric *metric)
{
    if (!signals[signal].exact)
        return false;
    *metric = (gs_metric)(signals[signal].exact - 1);
    return true;
}

void gs_stats_reset(gs_stats *stats)
{
    stats->timer = stats->interval;
    memset(stats->counter, 0, sizeof stats->counter);
    memset(stats->total, 0, sizeof stats->total);
    stats->sequence = 0;
    stats->ended = stats->pending = false;
    stats->traps = 0;
    stats->cycle = 0;
}

static uint32_t most(const gs_stats *stats)
{
    return stats->width == 32 ? UINT32_MAX : (UINT32_C(1) << stats->width) - 1;
}

/* Sends all counters and sets them to 0; then again, that often in all. */
static void dispatch(gs_stats *stats, bool last, uint64_t times)
{
    gs_stats_record record = {
        .sequence = stats->sequence,
        .cycle = stats->cycle,
        .last = last,
        .count = stats->count,
    };
    for (unsigned i = 0; i < stats->count; i++) {
        stats->total[i] += stats->counter[i];
        record.value[i] = stats->counter[i];
        record.total[i] = stats->total[i];
        stats->counter[i] = 0;
    }
    stats->sequence += (uint32_t)times;
    stats->cycle += (times - 1) * stats->interval;
    stats->dispatch(stats->dispatch_self, &record, times);
}

/* Lets clocks pass. What comes with the last of them comes after its dispatch, if there is one: an
 * event in the clock of a reset leaves its counter at 1. */
void gs_stats_pass(gs_stats *stats, uint64_t clocks)
{
    if (stats->interval == 0) {
        stats->cycle += clocks;
        return;
    }
    if (clocks >= stats->timer) {
        clocks -= stats->timer;
        stats->cycle += stats->timer;
        stats->timer = stats->interval;
        dispatch(stats, false, 1);
    }
    if (clocks >= stats->interval) {
        /* Nothing has been counted since. */
        uint64_t more = clocks / stats->interval;
        clocks %= stats->interval;
        stats->cycle += stats->interval;
        dispatch(stats, false, more);
    }
    stats->cycle += clocks;
    stats->timer -= (uint32_t)clocks;
}

/* What the wires say about an instruction beside what is on them with it. */
typedef struct seen {
    bool branch;       /* it is a conditional one */
    bool taken;        /* it, or the one whose delay slot it is in, was taken; */
    uint32_t taken_pc; /* that one's address */
    uint32_t traps;    /* before it */
} seen;

static seen look(gs_stats *stats, const gs_port *port, const gs_isa *isa)
{
    seen now = {.traps = stats->traps};
    bool in_slot = stats->pending && port->pc == stats->pending_pc + 4;
    now.branch = isa->ops[port->decoded->op].timing == GS_CLASS_BRANCH;
    if (isa->delay_slots == 0) {
        now.taken_pc = port->pc;
        now.taken = now.branch && port->next_pc != port->pc + port->decoded->length;
        return now;
    }
    now.taken_pc = stats->pending_pc;
    now.taken = in_slot && port->next_pc != stats->pending_pc + 8;
    stats->pending = now.branch;
    if (now.branch)
        stats->pending_pc = port->pc;
    return now;
}

static uint64_t amount_of(unsigned signal, const gs_port *port, const seen *now)
{
    switch (signal) {
#define SIGNAL(name, key, amount, exact, text) \
    case GS_STATS_##name:                      \
        return amount;
#include "units/stats/signals.def"
#undef SIGNAL
    default: return port->stall[signal - GS_STATS_FIRST_STALL];
    }
}

void gs_stats_add(gs_stats *stats, unsigned i, uint64_t amount)
{
    uint64_t room = most(stats) - stats->counter[i];
    stats->counter[i] += (uint32_t)(amount < room ? amount : room);
}

static void count(gs_stats *stats, unsigned i, uint32_t address, uint64_t amount)
{
    unsigned range = stats->range_of[i];
    if (address >= stats->range[range].first && address <= stats->range[range].last)
        gs_stats_add(stats, i, amount);
}

void gs_stats_beat(gs_stats *stats, const gs_port *port, const gs_isa *isa)
{
    if (stats->ended)
        return;
    gs_stats_pass(stats, port->cycles);
    if (port->trap) { /* waits for its handler's address, like stalls */
        stats->traps += stats->traps < UINT32_MAX;
        stats->pending = false;
        return;
    }
    seen now = look(stats, port, isa);
    stats->traps = 0;
    for (unsigned i = 0; i < stats->count; i++) {
        unsigned signal = stats->signal_of[i];
        uint64_t amount = amount_of(signal, port, &now);
        if (amount > 0)
            count(stats, i, signal == GS_STATS_TAKEN ? now.taken_pc : port->pc, amount);
    }
}

void gs_stats_end(gs_stats *stats)
{
    if (stats->ended)
        return;
    stats->ended = true;
    stats->cycle += stats->timer;
    dispatch(stats, true, 1);
    stats->timer = stats->interval;
}
