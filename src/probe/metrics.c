/* Names of metrics, and readings of machine, timing model, caches and predictor. */
#include "probe/metrics.h"

#include <string.h>

#include "gumshoe/energy.h"

static const struct {
    const char *key, *text;
} names[GS_METRIC_COUNT] = {
    [GS_METRIC_CYCLES] = {"cycles", "cycles"},
    [GS_METRIC_INSTRUCTIONS] = {"instructions", "instructions retired"},
    [GS_METRIC_I_MISSES] = {"i-misses", "instruction cache misses"},
    [GS_METRIC_D_MISSES] = {"d-misses", "data cache misses"},
    [GS_METRIC_BRANCHES] = {"branches", "conditional branches"},
    [GS_METRIC_TAKEN] = {"taken", "conditional branches taken"},
    [GS_METRIC_MISPREDICTED] = {"mispredicted", "branches predicted wrongly"},
    [GS_METRIC_TRAPS] = {"traps", "traps and interrupts entered"},
    [GS_METRIC_ENERGY] = {"energy-fj", "energy in femtojoules"},
#define STALL(name, key, text) [GS_METRIC_STALL_##name] = {"stall:" key, text},
#include "timing/stalls.def"
#undef STALL
};

/* The public enumeration has the causes in their order, so that readings are copied as a whole. */
#define STALL(name, key, text)                                                             \
    _Static_assert((int)GS_METRIC_STALL_##name == GS_METRIC_FIRST_STALL + GS_STALL_##name, \
                   "gumshoe/metric.h has the causes of timing/stalls.def in their order");
#include "timing/stalls.def"
#undef STALL
_Static_assert((int)GS_METRIC_COUNT == GS_METRIC_FIRST_STALL + GS_STALL_COUNT,
               "gumshoe/metric.h has as many causes as timing/stalls.def");

const char *gs_metric_key(gs_metric metric)
{
    return names[metric].key;
}

const char *gs_metric_text(gs_metric metric)
{
    return names[metric].text;
}

bool gs_metric_find(const char *key, gs_metric *metric)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        if (strcmp(names[i].key, key) == 0) {
            *metric = (gs_metric)i;
            return true;
        }
    }
    return false;
}

/* One that is no stall. */
static inline uint64_t count(gs_metric metric, const gs_timing *timing, uint64_t instructions,
                             uint64_t traps)
{
    const gs_cache_stats *d = &timing->dcache.stats;
    switch (metric) {
    case GS_METRIC_CYCLES: return timing->now;
    case GS_METRIC_INSTRUCTIONS: return instructions;
    case GS_METRIC_I_MISSES: return timing->icache.stats.read_misses;
    case GS_METRIC_D_MISSES: return d->read_misses + d->write_misses;
    case GS_METRIC_BRANCHES: return timing->branches.executed;
    case GS_METRIC_TAKEN: return timing->branches.taken;
    case GS_METRIC_MISPREDICTED: return timing->branches.mispredicted;
    case GS_METRIC_TRAPS: return traps;
    case GS_METRIC_ENERGY: return gs_timing_energy_fj(timing);
    default: return 0;
    }
}

static void read_untimed(gs_metrics *out, uint64_t instructions, uint64_t traps)
{
    *out = (gs_metrics){0};
    out->value[GS_METRIC_CYCLES] = instructions;
    out->value[GS_METRIC_INSTRUCTIONS] = instructions;
    out->value[GS_METRIC_TRAPS] = traps;
}

/* Without zeroing it first, which takes as long as all the rest. */
void gs_metrics_read(gs_metrics *out, const gs_timing *timing, uint64_t instructions,
                     uint64_t traps)
{
    if (!timing) {
        read_untimed(out, instructions, traps);
        return;
    }
#pragma GCC unroll 9
    for (unsigned i = 0; i < GS_METRIC_FIRST_STALL; i++)
        out->value[i] = count((gs_metric)i, timing, instructions, traps);
    memcpy(&out->value[GS_METRIC_FIRST_STALL], timing->stalls, sizeof timing->stalls);
}

static inline void settle(uint64_t *into, uint64_t *before, uint64_t now)
{
    *into += now - *before;
    *before = now;
}

/* Straight from where it is counted: a reading that is written and read again at once takes twice
 * as long. */
void gs_metrics_settle(gs_metrics *restrict into, gs_metrics *restrict before,
                       const gs_timing *restrict timing, uint64_t instructions, uint64_t traps)
{
    if (!timing) {
        gs_metrics now;
        read_untimed(&now, instructions, traps);
        gs_metrics_add_difference(into, &now, before);
        *before = now;
        return;
    }
#pragma GCC unroll 9
    for (unsigned i = 0; i < GS_METRIC_FIRST_STALL; i++)
        settle(&into->value[i], &before->value[i],
               count((gs_metric)i, timing, instructions, traps));
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        settle(&into->value[GS_METRIC_FIRST_STALL + i], &before->value[GS_METRIC_FIRST_STALL + i],
               timing->stalls[i]);
}
