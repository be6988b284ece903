/*
 * track.h - the course of a stream in a bounded space, for curves.
 *
 * The last intervals are kept one by one. Of all there have been, points are kept that stand for
 * more and more intervals each, the longer the stream is. What comes late is in no point.
 */
#ifndef GS_LIVE_TRACK_H
#define GS_LIVE_TRACK_H

#include "gumshoe/live.h"

enum {
    GS_TRACK_RECENT = 1024, /* intervals kept one by one */
    GS_TRACK_POINTS = 1024, /* at most, for the whole stream */
};

/* Some intervals after each other, added up. */
typedef struct gs_track_point {
    uint64_t first, end; /* sequences; `end` is the one after the last */
    uint64_t count;      /* of them have come */
    uint64_t cycle;      /* at the end of the last */
    uint64_t value[GS_LIVE_COUNTERS];
} gs_track_point;

typedef struct gs_track gs_track;

/* *out is the caller's. GS_E_NO_MEMORY. */
gs_status gs_track_open(gs_track **out, unsigned counters, gs_error *err);
void gs_track_close(gs_track *track); /* NULL is fine */

unsigned gs_track_counters(const gs_track *track);
/* The sequence it begins with, and the one that would continue it; both 0: there is nothing. */
uint64_t gs_track_first(const gs_track *track);
uint64_t gs_track_next(const gs_track *track);

void gs_track_add(gs_track *track, const gs_live_interval *interval);

/* Hands the points from sequence `from` on to `each`, in order: single intervals as far as they are
 * kept, but not more than `most` points of them, which is not 0. Returns where to go on. */
uint64_t gs_track_read(const gs_track *track, uint64_t from, size_t most,
                       void (*each)(void *self, const gs_track_point *point), void *self);

#endif
