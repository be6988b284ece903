/*
 * recorded.h - a timing whose cycles are told, not computed: those of a trace.
 *
 * It stands where a pipeline model's timing does, so that all that reads a timing reads it, too.
 * Its core says what the cycles are cycles of: name, clock, energy.
 */
#ifndef GS_TIMING_RECORDED_H
#define GS_TIMING_RECORDED_H

#include "timing/timing.h"

/* What passed between the retirement before and this one. */
typedef struct gs_recorded_cost {
    uint64_t cycles;
    uint64_t stalls[GS_STALL_COUNT]; /* of the cycles; the rest issued */
    gs_cache_stats icache, dcache;
    uint64_t mispredicted;
} gs_recorded_cost;

/* As gs_timing_open(). */
gs_status gs_timing_open_recorded(gs_timing **out, const gs_core *core, gs_machine *machine,
                                  gs_error *err);

/* What the next instruction cost; borrowed until it has retired. */
static inline void gs_recorded_set(gs_timing *timing, const gs_recorded_cost *cost)
{
    *(const gs_recorded_cost **)timing->state = cost;
}

/* Something passes between two instructions. */
void gs_recorded_pass(gs_timing *timing, const gs_recorded_cost *cost);

/* What has passed by now, in all. */
gs_recorded_cost gs_recorded_read(const gs_timing *timing);

/* now - before */
gs_recorded_cost gs_recorded_difference(const gs_recorded_cost *now,
                                        const gs_recorded_cost *before);

/* A cost's numbers by name: "cycles", "stall:i-miss", "i-reads". The columns of a trace. */
size_t gs_recorded_column_count(void);
const char *gs_recorded_column(size_t index);
uint64_t *gs_recorded_value(gs_recorded_cost *cost, size_t index);

#endif
