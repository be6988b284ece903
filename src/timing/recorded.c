/* A timing that is told what instructions cost. */
#include "timing/recorded.h"

#include <stddef.h>
#include <stdlib.h>

static gs_status open_state(gs_timing *timing, gs_error *err)
{
    static const gs_recorded_cost nothing;
    const gs_recorded_cost **state = calloc(1, sizeof *state);
    timing->state = state;
    if (!state)
        return gs_fail_no_memory(err);
    *state = &nothing;
    return GS_OK;
}

static void add_cache(gs_cache_stats *to, const gs_cache_stats *more)
{
    to->reads += more->reads;
    to->read_misses += more->read_misses;
    to->writes += more->writes;
    to->write_misses += more->write_misses;
    to->evictions += more->evictions;
    to->writebacks += more->writebacks;
}

void gs_recorded_pass(gs_timing *timing, const gs_recorded_cost *cost)
{
    timing->now += cost->cycles;
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        timing->stalls[i] += cost->stalls[i];
    add_cache(&timing->icache.stats, &cost->icache);
    add_cache(&timing->dcache.stats, &cost->dcache);
    timing->branches.mispredicted += cost->mispredicted;
}

static void step(gs_timing *timing, const gs_timing_step *s)
{
    (void)s;
    gs_recorded_pass(timing, *(const gs_recorded_cost **)timing->state);
}

static void redirect(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    (void)timing; /* what it costs is told */
    (void)kind;
    (void)until;
}

static const gs_timing_model model = {.open = open_state, .step = step, .redirect = redirect};

gs_status gs_timing_open_recorded(gs_timing **out, const gs_core *core, gs_machine *machine,
                                  gs_error *err)
{
    return gs_timing_open_model(out, core, &model, machine, err);
}

gs_recorded_cost gs_recorded_read(const gs_timing *timing)
{
    gs_recorded_cost now = {
        .cycles = timing->now,
        .icache = timing->icache.stats,
        .dcache = timing->dcache.stats,
        .mispredicted = timing->branches.mispredicted,
    };
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        now.stalls[i] = timing->stalls[i];
    return now;
}

static const struct {
    const char *name;
    size_t offset;
} columns[] = {
    {"cycles", offsetof(gs_recorded_cost, cycles)},
#define STALL(name, key, text) \
    {"stall:" key, offsetof(gs_recorded_cost, stalls) + sizeof(uint64_t) * GS_STALL_##name},
#include "timing/stalls.def"
#undef STALL
    {"i-reads", offsetof(gs_recorded_cost, icache.reads)},
    {"i-misses", offsetof(gs_recorded_cost, icache.read_misses)},
    {"i-evictions", offsetof(gs_recorded_cost, icache.evictions)},
    {"d-reads", offsetof(gs_recorded_cost, dcache.reads)},
    {"d-read-misses", offsetof(gs_recorded_cost, dcache.read_misses)},
    {"d-writes", offsetof(gs_recorded_cost, dcache.writes)},
    {"d-write-misses", offsetof(gs_recorded_cost, dcache.write_misses)},
    {"d-evictions", offsetof(gs_recorded_cost, dcache.evictions)},
    {"d-writebacks", offsetof(gs_recorded_cost, dcache.writebacks)},
    {"mispredicted", offsetof(gs_recorded_cost, mispredicted)},
};

size_t gs_recorded_column_count(void)
{
    return sizeof columns / sizeof *columns;
}

const char *gs_recorded_column(size_t index)
{
    return columns[index].name;
}

uint64_t *gs_recorded_value(gs_recorded_cost *cost, size_t index)
{
    return (uint64_t *)(void *)((char *)cost + columns[index].offset);
}

gs_recorded_cost gs_recorded_difference(const gs_recorded_cost *now, const gs_recorded_cost *before)
{
    gs_recorded_cost cost = {0};
    for (size_t i = 0; i < gs_recorded_column_count(); i++)
        *gs_recorded_value(&cost, i) = *gs_recorded_value((gs_recorded_cost *)now, i) -
                                       *gs_recorded_value((gs_recorded_cost *)before, i);
    return cost;
}
