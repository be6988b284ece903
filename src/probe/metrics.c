#include "probe/metrics.h"

#include <string.h>

#include "gumshoe/energy.h"

static const struct {
    const char *key, *text;
} names[GS_METRIC_COUNT] = {
#define METRIC(name, key, text) [GS_METRIC_##name] = {key, text},
#include "probe/metrics.def"
#undef METRIC
#define STALL(name, key, text) [GS_METRIC_STALL_##name] = {"stall:" key, text},
#include "timing/stalls.def"
#undef STALL
};

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

/* Without zeroing it first, which takes as long as all the rest. */
void gs_metrics_read(gs_metrics *out, const gs_timing *timing, uint64_t instructions,
                     uint64_t traps)
{
    if (!timing) {
        *out = (gs_metrics){0};
        out->value[GS_METRIC_CYCLES] = instructions;
        out->value[GS_METRIC_INSTRUCTIONS] = instructions;
        out->value[GS_METRIC_TRAPS] = traps;
        return;
    }
    const gs_cache_stats *i = &timing->icache.stats, *d = &timing->dcache.stats;
    out->value[GS_METRIC_CYCLES] = timing->now;
    out->value[GS_METRIC_INSTRUCTIONS] = instructions;
    out->value[GS_METRIC_I_MISSES] = i->read_misses;
    out->value[GS_METRIC_D_MISSES] = d->read_misses + d->write_misses;
    out->value[GS_METRIC_BRANCHES] = timing->branches.executed;
    out->value[GS_METRIC_TAKEN] = timing->branches.taken;
    out->value[GS_METRIC_MISPREDICTED] = timing->branches.mispredicted;
    out->value[GS_METRIC_TRAPS] = traps;
    out->value[GS_METRIC_ENERGY] = gs_timing_energy_fj(timing);
    _Static_assert(GS_METRIC_FIRST_STALL == 9, "all that come before have been read");
    memcpy(&out->value[GS_METRIC_FIRST_STALL], timing->stalls, sizeof timing->stalls);
}
