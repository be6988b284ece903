/* Adds up costs by interval and function, and halves the resolution when there are too many. */
#include "profile/timeline.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/vec.h"

struct gs_timeline {
    uint64_t cycles;   /* of an interval */
    uint32_t interval; /* the current one */
    size_t functions;
    gs_metrics mark;  /* the reading at the last charge */
    gs_metrics *sums; /* per function, in the current interval */
    bool *is_active;  /* has a sum */
    struct {
        uint32_t *items;
        size_t count, capacity;
    } active;
    struct {
        gs_timeline_row *items;
        size_t count, capacity;
    } rows;
    bool no_memory;
};

gs_status gs_timeline_open(gs_timeline **out, size_t functions, uint64_t cycles, gs_error *err)
{
    gs_timeline *t = calloc(1, sizeof *t);
    *out = t;
    if (t) {
        t->cycles = cycles;
        t->functions = functions;
        t->sums = calloc(functions + 1, sizeof *t->sums);
        t->is_active = calloc(functions + 1, sizeof *t->is_active);
    }
    if (!t || !t->sums || !t->is_active) {
        gs_timeline_free(t);
        *out = NULL;
        return gs_fail_no_memory(err);
    }
    return GS_OK;
}

void gs_timeline_free(gs_timeline *t)
{
    if (!t)
        return;
    free(t->sums);
    free(t->is_active);
    free(t->active.items);
    free(t->rows.items);
    free(t);
}

static gs_metrics *sum_of(gs_timeline *t, size_t function)
{
    if (!t->is_active[function]) {
        t->is_active[function] = true;
        t->no_memory |= !gs_vec_push(&t->active, (uint32_t)function);
    }
    return &t->sums[function];
}

void gs_timeline_charge(gs_timeline *t, size_t function, const gs_metrics *reading)
{
    gs_metrics_add_difference(sum_of(t, function), reading, &t->mark);
    t->mark = *reading;
}

void gs_timeline_skip(gs_timeline *t, const gs_metrics *reading)
{
    t->mark = *reading;
}

static bool has_cost(const gs_metrics *cost)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        if (cost->value[i])
            return true;
    }
    return false;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The sums become rows of `interval`. */
static void end_interval(gs_timeline *t, uint32_t interval)
{
    if (t->active.count > 1)
        qsort(t->active.items, t->active.count, sizeof *t->active.items, by_number);
    for (size_t i = 0; i < t->active.count; i++) {
        uint32_t function = t->active.items[i];
        gs_timeline_row row = {interval, function, t->sums[function]};
        if (has_cost(&row.cost))
            t->no_memory |= !gs_vec_push(&t->rows, row);
        t->sums[function] = (gs_metrics){0};
        t->is_active[function] = false;
    }
    t->active.count = 0;
}

/* Rows of two neighbours are read before the rows that come of them are written over them. */
static void coalesce(gs_timeline *t)
{
    size_t count = t->rows.count, at = 0;
    gs_timeline_row *old = t->rows.items;
    t->rows.count = 0;
    while (at < count) {
        uint32_t interval = old[at].interval / 2;
        for (; at < count && old[at].interval / 2 == interval; at++)
            gs_metrics_add(sum_of(t, old[at].function), &old[at].cost);
        end_interval(t, interval);
    }
    t->cycles *= 2;
}

void gs_timeline_advance(gs_timeline *t, uint64_t now)
{
    end_interval(t, t->interval);
    while (now / t->cycles >= GS_TIMELINE_INTERVALS || t->rows.count > GS_TIMELINE_ROWS) {
        uint64_t before = t->cycles;
        coalesce(t);
        if (t->cycles < before) { /* longer than time itself */
            t->cycles = UINT64_MAX;
            break;
        }
    }
    t->interval = (uint32_t)(now / t->cycles);
    /* An interval may have grown around the present: its rows go on. */
    while (t->rows.count > 0 && t->rows.items[t->rows.count - 1].interval == t->interval) {
        const gs_timeline_row *row = &t->rows.items[--t->rows.count];
        gs_metrics_add(sum_of(t, row->function), &row->cost);
    }
}

uint64_t gs_timeline_next(const gs_timeline *t)
{
    return (t->interval + (uint64_t)1) * t->cycles;
}

bool gs_timeline_finish(gs_timeline *t)
{
    end_interval(t, t->interval);
    return !t->no_memory;
}

uint64_t gs_timeline_cycles(const gs_timeline *t)
{
    return t->cycles;
}

const gs_timeline_row *gs_timeline_rows(const gs_timeline *t, size_t *count)
{
    *count = t->rows.count;
    return t->rows.items;
}
