/*
 * tally.h - the sums of observers that only add up, from the counts as they stand.
 *
 * Such an observer (gs_bulk_observer.weigh) says once what a run of instructions means to its sums.
 * What one more in a count means to all sums is the count's column: made when the count is first
 * seen to have grown, from what is counted there. So bringing the sums up to date is a walk over
 * the counts, and for those that have grown an addition or two; the edges of the automaton, the
 * timing and other observers need not be settled, and translated code need not be left.
 */
#ifndef GS_ENGINE_FAST_TALLY_H
#define GS_ENGINE_FAST_TALLY_H

#include "engine/fast/runtime/fast.h"

typedef struct gs_tally {
    gs_fast_engine *engine;
    struct gs_tally_observer {
        const gs_observer *observer;
        size_t first, count; /* of its sums */
        uint32_t weights;    /* what weights() returned */
    } * observers;
    size_t observer_count, sum_count;
    int64_t *sums, *one; /* so far; and room for what one run means */
    struct {
        struct gs_tally_weight {
            uint32_t sum;
            int64_t amount;
        } * items;
        size_t count, capacity;
    } weights;
    struct {
        struct gs_tally_column {
            uint32_t first, end; /* of its weights */
        } * items;
        size_t count, capacity;
    } columns;
    uint32_t first_column; /* the number of the first; those below are out of date */
    gs_fast_edge *edges;   /* that may have been counted since */
} gs_tally;

/* False when memory is out. */
bool gs_tally_open(gs_tally *tally, gs_fast_engine *engine);
void gs_tally_close(gs_tally *tally);

/* Counts an edge. */
static inline void gs_tally_edge(gs_tally *tally, gs_fast_edge *edge)
{
    edge->count++;
    if (edge->is_counted)
        return;
    edge->is_counted = true;
    edge->counted_before = tally->edges;
    tally->edges = edge;
}

/* A new block: what its cells have now counts nothing. */
bool gs_tally_add_block(gs_fast_engine *engine, gs_count_block *block);

/* After an observer may have changed its settings, which is only when everything has been
 * collected: what its weights are now. */
void gs_tally_follow(gs_tally *tally);

/* Tells the observers. `last` as in gs_bulk_observer.collect. */
void gs_tally_collect(gs_tally *tally, const gs_bulk_run *last);

#endif
