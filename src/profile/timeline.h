/*
 * timeline.h - what was going on when: costs per interval of time and function.
 *
 * Optional part of a recorder. The function is the one whose code is executed, as in a profile by
 * function. An instruction counts in the interval in which it starts, that is, in which the one
 * before it retired. Memory is bounded: when there are too many intervals, or rows, each two
 * neighbours become one and the intervals twice as long.
 */
#ifndef GS_PROFILE_TIMELINE_H
#define GS_PROFILE_TIMELINE_H

#include "probe/metrics.h"

enum { GS_TIMELINE_INTERVALS = 2048, GS_TIMELINE_ROWS = 1 << 16 };

typedef struct gs_timeline gs_timeline;

typedef struct gs_timeline_row {
    uint32_t interval; /* counting from 0; by this they are sorted */
    uint32_t function; /* number; the one after the last stands for none */
    gs_metrics cost;
} gs_timeline_row;

/* Functions are numbered below `functions`, intervals are `cycles` long at first. */
gs_status gs_timeline_open(gs_timeline **out, size_t functions, uint64_t cycles, gs_error *err);
void gs_timeline_free(gs_timeline *timeline);

/* Charges everything since the last call, up to `reading`, to a function. */
void gs_timeline_charge(gs_timeline *timeline, size_t function, const gs_metrics *reading);

/* Drops everything since the last call. */
void gs_timeline_skip(gs_timeline *timeline, const gs_metrics *reading);

/* To be called when cycle gs_timeline_next() is reached or passed, after a charge. */
void gs_timeline_advance(gs_timeline *timeline, uint64_t now);
uint64_t gs_timeline_next(const gs_timeline *timeline);

/* The run is over. False when memory has run out meanwhile. */
bool gs_timeline_finish(gs_timeline *timeline);

uint64_t gs_timeline_cycles(const gs_timeline *timeline); /* of an interval, in the end */
const gs_timeline_row *gs_timeline_rows(const gs_timeline *timeline, size_t *count);

#endif
