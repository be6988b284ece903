/*
 * Keeps the course of a stream: a ring of the last intervals, and points of the whole, two of which
 * become one whenever there is no room for another.
 */
#include "live/track.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* The head of a point; its values stand elsewhere, as many as there are counters. */
typedef struct head {
    uint64_t first, end, count, cycle;
} head;

struct gs_track {
    unsigned counters;
    uint64_t next;
    size_t recent_count; /* of all time; the last GS_TRACK_RECENT are there */
    head recent[GS_TRACK_RECENT];
    size_t point_count;
    uint64_t per_point; /* intervals that come into the last point before another is begun */
    head points[GS_TRACK_POINTS];
    uint64_t *point_values;
    uint32_t *recent_values;
};

gs_status gs_track_open(gs_track **out, unsigned counters, gs_error *err)
{
    gs_track *t = calloc(1, sizeof *t);
    *out = NULL;
    if (t) {
        t->counters = counters;
        t->per_point = 1;
        t->point_values = calloc((size_t)GS_TRACK_POINTS * counters + 1, sizeof *t->point_values);
        t->recent_values = calloc((size_t)GS_TRACK_RECENT * counters + 1, sizeof *t->recent_values);
    }
    if (!t || !t->point_values || !t->recent_values) {
        gs_track_close(t);
        return gs_fail_no_memory(err);
    }
    *out = t;
    return GS_OK;
}

void gs_track_close(gs_track *t)
{
    if (!t)
        return;
    free(t->point_values);
    free(t->recent_values);
    free(t);
}

unsigned gs_track_counters(const gs_track *t)
{
    return t->counters;
}

uint64_t gs_track_first(const gs_track *t)
{
    return t->points[0].first;
}

uint64_t gs_track_next(const gs_track *t)
{
    return t->next;
}

static uint64_t *values_of(const gs_track *t, size_t point)
{
    return t->point_values + point * t->counters;
}

static void join(head *to, const head *more)
{
    to->end = more->end;
    to->cycle = more->cycle;
    to->count += more->count;
}

static void halve(gs_track *t)
{
    for (size_t i = 0; i < GS_TRACK_POINTS; i += 2) {
        t->points[i / 2] = t->points[i];
        join(&t->points[i / 2], &t->points[i + 1]);
        for (unsigned c = 0; c < t->counters; c++)
            values_of(t, i / 2)[c] = values_of(t, i)[c] + values_of(t, i + 1)[c];
    }
    t->point_count = GS_TRACK_POINTS / 2;
    t->per_point *= 2;
}

static void add_to_whole(gs_track *t, const head *one, const uint32_t *value)
{
    const bool is_full = t->point_count == 0 || t->points[t->point_count - 1].count >= t->per_point;
    if (is_full && t->point_count == GS_TRACK_POINTS)
        halve(t);
    if (is_full) {
        memset(values_of(t, t->point_count), 0, t->counters * sizeof *t->point_values);
        t->points[t->point_count++] = *one;
    } else {
        join(&t->points[t->point_count - 1], one);
    }
    for (unsigned c = 0; c < t->counters; c++)
        values_of(t, t->point_count - 1)[c] += value[c];
}

void gs_track_add(gs_track *t, const gs_live_interval *interval)
{
    if (interval->sequence < t->next || interval->count != t->counters)
        return;
    const head one = {interval->sequence, interval->sequence + 1, 1, interval->cycle};
    const size_t slot = t->recent_count++ % GS_TRACK_RECENT;
    t->recent[slot] = one;
    memcpy(t->recent_values + slot * t->counters, interval->value,
           t->counters * sizeof *t->recent_values);
    add_to_whole(t, &one, interval->value);
    t->next = interval->sequence + 1;
}

/* -- reading ------------------------------------------------------------------------------------
 */

static gs_track_point point_of(const head *from)
{
    return (gs_track_point){
        .first = from->first, .end = from->end, .count = from->count, .cycle = from->cycle};
}

static size_t oldest_of(const gs_track *t)
{
    return t->recent_count > GS_TRACK_RECENT ? t->recent_count - GS_TRACK_RECENT : 0;
}

/* Those of the whole that lie, or begin, before the intervals that are kept one by one. */
static uint64_t read_whole(const gs_track *t, uint64_t from,
                           void (*each)(void *, const gs_track_point *), void *self)
{
    const uint64_t border = t->recent[oldest_of(t) % GS_TRACK_RECENT].first;
    for (size_t i = 0; i < t->point_count && t->points[i].first < border; i++) {
        if (t->points[i].first < from)
            continue;
        gs_track_point point = point_of(&t->points[i]);
        memcpy(point.value, values_of(t, i), t->counters * sizeof *point.value);
        each(self, &point);
        from = point.end;
    }
    return from;
}

/* Where the first recent interval from this sequence on is. */
static size_t find(const gs_track *t, uint64_t from)
{
    size_t low = oldest_of(t), high = t->recent_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (t->recent[middle % GS_TRACK_RECENT].first < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static gs_track_point add_up(const gs_track *t, size_t begin, size_t end)
{
    gs_track_point point = point_of(&t->recent[begin % GS_TRACK_RECENT]);
    for (size_t i = begin; i < end; i++) {
        const size_t slot = i % GS_TRACK_RECENT;
        point.end = t->recent[slot].end;
        point.cycle = t->recent[slot].cycle;
        for (unsigned c = 0; c < t->counters; c++)
            point.value[c] += t->recent_values[slot * t->counters + c];
    }
    point.count = end - begin;
    return point;
}

uint64_t gs_track_read(const gs_track *t, uint64_t from, size_t most,
                       void (*each)(void *self, const gs_track_point *point), void *self)
{
    from = read_whole(t, from, each, self);
    const size_t begin = find(t, from), count = t->recent_count - begin;
    const size_t step = (count + most - 1) / most;
    for (size_t i = begin; i < t->recent_count; i += step) {
        const size_t end = t->recent_count - i < step ? t->recent_count : i + step;
        const gs_track_point point = add_up(t, i, end);
        each(self, &point);
        from = point.end;
    }
    return from;
}
