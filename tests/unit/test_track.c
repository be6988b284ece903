/* The course of a stream in a bounded space: what points stand for, and that none is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "live/track.h"

/* What was read: sums, and whether points follow each other. */
typedef struct reading {
    uint64_t points, count, value, first, end, cycle;
    uint64_t single; /* points of one interval, at the end */
} reading;

static void take(void *self, const gs_track_point *point)
{
    reading *r = self;
    assert_true(point->first >= r->end && point->end > point->first && point->cycle > r->cycle);
    assert_true(point->count <= point->end - point->first);
    if (r->points == 0)
        r->first = point->first;
    r->single = point->count == 1 ? r->single + 1 : 0;
    r->points++;
    r->count += point->count;
    r->value += point->value[1];
    r->end = point->end;
    r->cycle = point->cycle;
}

static gs_live_interval interval(uint64_t sequence)
{
    gs_live_interval one = {.sequence = sequence, .cycle = 100 * (sequence + 1), .count = 2};
    one.value[1] = (uint32_t)sequence % 7;
    return one;
}

static reading read_from(const gs_track *track, uint64_t from, size_t most)
{
    reading r = {0};
    const uint64_t next = gs_track_read(track, from, most, take, &r);
    assert_int_equal(next, r.points ? r.end : from);
    return r;
}

static void test_short(void **state)
{
    (void)state;
    gs_track *track;
    assert_int_equal(gs_track_open(&track, 2, NULL), GS_OK);
    assert_int_equal(gs_track_counters(track), 2);
    assert_int_equal(read_from(track, 0, 10).points, 0);
    for (uint64_t i = 5; i < 15; i++) {
        const gs_live_interval one = interval(i);
        gs_track_add(track, &one);
    }
    assert_int_equal(gs_track_first(track), 5);
    assert_int_equal(gs_track_next(track), 15);
    reading r = read_from(track, 0, 100);
    assert_int_equal(r.points, 10);
    assert_int_equal(r.first, 5);
    r = read_from(track, 12, 100);
    assert_int_equal(r.points, 3);
    r = read_from(track, 0, 4); /* three intervals for a point */
    assert_int_equal(r.points, 4);
    assert_int_equal(r.count, 10);
    gs_track_close(track);
}

/* Late ones, and those of another stream, are in no point. */
static void test_late(void **state)
{
    (void)state;
    gs_track *track;
    assert_int_equal(gs_track_open(&track, 2, NULL), GS_OK);
    gs_live_interval one = interval(3);
    gs_track_add(track, &one);
    one = interval(2);
    gs_track_add(track, &one);
    one = interval(9);
    one.count = 1;
    gs_track_add(track, &one);
    one = interval(8);
    gs_track_add(track, &one);
    const reading r = read_from(track, 0, 10);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.end, 9);
    gs_track_close(track);
}

/* Of however many intervals every one is in exactly one point, and the last ones are single. */
static void test_long(void **state)
{
    (void)state;
    const uint64_t lengths[] = {GS_TRACK_RECENT, GS_TRACK_RECENT + 1, 3000, 100000};
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
        gs_track *track;
        uint64_t sum = 0;
        assert_int_equal(gs_track_open(&track, 2, NULL), GS_OK);
        for (uint64_t i = 0; i < lengths[n]; i++) {
            const gs_live_interval one = interval(i);
            gs_track_add(track, &one);
            sum += one.value[1];
        }
        const reading r = read_from(track, 0, GS_TRACK_RECENT);
        assert_int_equal(r.first, 0);
        assert_int_equal(r.count, lengths[n]);
        assert_int_equal(r.value, sum);
        assert_int_equal(r.end, lengths[n]);
        assert_true(r.points <= GS_TRACK_POINTS + GS_TRACK_RECENT);
        assert_true(r.single + lengths[n] / GS_TRACK_POINTS * 2 >= GS_TRACK_RECENT);
        gs_track_close(track);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
