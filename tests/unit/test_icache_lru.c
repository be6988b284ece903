/*
 * When lines of code were used: cells that translated code writes to, and what becomes of a cache.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/fast/runtime/icache_lru.h"

enum { MOST = 1 << 20, LINE = 16, A = 0x100, B = 0x104, C = 0x108, D = 0x101 };

static uint64_t cells[GS_FAST_CELLS];

/* Two sets of two lines each. */
static void open_cache(gs_cache *cache, gs_cache_replacement replacement)
{
    const gs_cache_config config = {4 * LINE, LINE, 2, replacement, false, false, 0};
    gs_error err;
    assert_int_equal(gs_cache_init(cache, &config, &err), GS_OK);
}

/* Code that looks up lines A, B, C, which are in a set, and D, on one way only the first. */
enum { A_ONLY, ALL };
static gs_sb_exit exits[] = {[A_ONLY] = {.steps = 1}, [ALL] = {.steps = 3}};
static gs_site sites[] = {
    {.kind = GS_SITE_FETCH, .address = A * LINE}, {.kind = GS_SITE_LOAD, .address = 1},
    {.kind = GS_SITE_FETCH, .address = B * LINE}, {.kind = GS_SITE_FETCH, .address = C * LINE + 4},
    {.kind = GS_SITE_FETCH, .address = D * LINE},
};
static gs_step steps[] = {
    {.fetch = 0, .second = -1},
    {.fetch = 2, .second = 3},
    {.fetch = 4, .second = -1},
};
static gs_superblock superblock = {.sites = sites,
                                   .site_count = 5,
                                   .steps = steps,
                                   .step_count = 3,
                                   .exits = exits,
                                   .exit_count = 2};
static gs_code code = {.superblocks = &superblock, .count = 1};

/* Code that looks up one line. Answers the cell of its way, or 0. */
static uint32_t add_code(gs_icache_lru *ages, gs_addr line)
{
    gs_site site = {.kind = GS_SITE_FETCH, .address = line * LINE};
    gs_step step = {.fetch = 0, .second = -1};
    gs_sb_exit exit = {.steps = 1};
    gs_superblock s = {.pc = line * LINE,
                       .sites = &site,
                       .site_count = 1,
                       .steps = &step,
                       .step_count = 1,
                       .exits = &exit,
                       .exit_count = 1};
    gs_code added = {.superblocks = &s, .count = 1};
    return gs_icache_lru_add(ages, &added, 1) ? s.cells : 0;
}

typedef struct rig {
    gs_cache cache;
    gs_icache_lru ages;
} rig;

static int setup(void **state)
{
    static rig r;
    memset(cells, 0, sizeof cells);
    open_cache(&r.cache, GS_CACHE_LRU);
    assert_true(gs_icache_lru_open(&r.ages, &r.cache, cells));
    assert_true(gs_icache_lru_add(&r.ages, &code, 1));
    *state = &r;
    return 0;
}

static int teardown(void **state)
{
    rig *r = *state;
    gs_icache_lru_close(&r->ages);
    gs_cache_fini(&r->cache);
    return 0;
}

static void access_line(rig *r, gs_addr line)
{
    (void)gs_cache_access(&r->cache, line * LINE, false);
}

/* Others have done something, and translated code begins. */
static uint32_t begin(rig *r, uint64_t wanted)
{
    const uint32_t counted = gs_icache_lru_begin(&r->ages, wanted, MOST);
    gs_icache_lru_follow(&r->ages, 0);
    gs_icache_lru_follow(&r->ages, 1);
    return counted;
}

/* Translated code has counted so many instructions when it takes a way. */
static void take(rig *r, unsigned way, uint32_t counted)
{
    r->ages.cells[superblock.cells + way] = (GS_FAST_UP - 5 * GS_FAST_CYCLE) + counted;
}

static void assert_first(const rig *r, gs_addr line)
{
    assert_int_equal(r->cache.tags[gs_cache_first_slot(&r->cache, line)], line);
}

static gs_addr oldest(const rig *r, uint64_t first_way)
{
    const uint64_t times[2] = {first_way, 0};
    return r->cache.tags[gs_icache_lru_oldest(&r->ages, 0, times)];
}

static void ways_have_cells(void **state)
{
    rig *r = *state;
    enum { MANY = 5000 };
    assert_int_equal(superblock.cells, 1);
    assert_int_equal(r->ages.line_count, 4);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(add_code(&r->ages, 0x1000 + i * 48), 3 + i);
    assert_int_equal(r->ages.line_count, 4 + MANY);
    assert_int_equal(add_code(&r->ages, A), 3 + MANY);
    assert_int_equal(r->ages.line_count, 4 + MANY);
}

static void clones_have_those_of_their_clone(void **state)
{
    rig *r = *state;
    gs_superblock both[] = {superblock, superblock};
    gs_code clones = {.superblocks = both, .count = 1, .clones = 1};
    both[1].clone = 1;
    assert_true(gs_icache_lru_add(&r->ages, &clones, 1));
    assert_int_equal(both[0].cells, 3);
    assert_int_equal(both[1].cells, 3);
}

static void who_is_used_last_is_first(void **state)
{
    rig *r = *state;
    access_line(r, A);
    access_line(r, B);
    const uint32_t counted = begin(r, 100);
    assert_int_equal(oldest(r, 0), A);
    take(r, A_ONLY, counted + 7);
    assert_int_equal(oldest(r, 0), B);
    gs_icache_lru_finish(&r->ages, counted + 9);
    assert_first(r, A);
    assert_int_equal(r->cache.tags[1], B);
}

static void any_way_that_uses_it_will_do(void **state)
{
    rig *r = *state;
    const uint32_t cell = add_code(&r->ages, A);
    access_line(r, A);
    access_line(r, B);
    const uint32_t counted = begin(r, 100);
    r->ages.cells[cell] = counted + 3;
    assert_int_equal(oldest(r, 0), B);
    gs_icache_lru_finish(&r->ages, counted + 9);
    assert_first(r, A);
}

static void on_a_way_it_is_the_site_that_counts(void **state)
{
    rig *r = *state;
    access_line(r, B);
    access_line(r, A);
    const uint32_t counted = begin(r, 100);
    assert_int_equal(oldest(r, 0), B);
    take(r, ALL, counted + 7);
    assert_int_equal(oldest(r, 0), A);
    take(r, A_ONLY, counted + 5); /* before that */
    assert_int_equal(oldest(r, 0), A);
    take(r, A_ONLY, counted + 10);
    assert_int_equal(oldest(r, 0), B);
}

static void what_others_did_is_later_than_what_was_before(void **state)
{
    rig *r = *state;
    access_line(r, A);
    access_line(r, B);
    uint32_t counted = begin(r, 100);
    take(r, A_ONLY, counted + 7);
    gs_icache_lru_finish(&r->ages, counted + 9);
    access_line(r, B);
    counted = begin(r, 100);
    assert_int_equal(oldest(r, 0), A);
    gs_icache_lru_finish(&r->ages, counted);
    assert_first(r, B);
}

static void who_knows_better_is_believed(void **state)
{
    rig *r = *state;
    access_line(r, A);
    access_line(r, B);
    const uint32_t counted = begin(r, 100);
    assert_int_equal(r->cache.tags[0], B);
    take(r, A_ONLY, counted + 10);
    assert_int_equal(oldest(r, 0), B);
    assert_int_equal(oldest(r, gs_fast_time(counted + 50, 0)), A);
    take(r, A_ONLY, counted + 50); /* at the same time, but by a later site */
    assert_int_equal(oldest(r, gs_fast_time(counted + 50, 2)), A);
}

static void a_line_that_comes_is_young(void **state)
{
    rig *r = *state;
    access_line(r, A);
    access_line(r, B);
    const uint32_t counted = begin(r, 100);
    size_t slot;
    assert_true(gs_icache_lru_find(&r->ages, B, &slot));
    gs_icache_lru_put(&r->ages, slot, C, gs_fast_time(counted + 4, 0));
    assert_false(gs_icache_lru_find(&r->ages, B, &slot));
    assert_int_equal(oldest(r, 0), A);
    take(r, A_ONLY, counted + 5);
    assert_int_equal(oldest(r, 0), C);
    gs_icache_lru_finish(&r->ages, counted + 6);
    assert_first(r, A);
}

static void a_free_way_goes_first(void **state)
{
    rig *r = *state;
    access_line(r, A);
    (void)begin(r, 100);
    assert_int_equal(oldest(r, 0), GS_CACHE_NO_LINE);
}

static void counting_goes_on_and_begins_anew(void **state)
{
    rig *r = *state;
    access_line(r, B);
    access_line(r, A);
    const uint32_t first = begin(r, 100);
    assert_true(first > 0);
    take(r, ALL, first + 7);
    gs_icache_lru_finish(&r->ages, first + 9);
    assert_true(gs_icache_lru_begin(&r->ages, 100, MOST) > first + 9);
    gs_icache_lru_finish(&r->ages, MOST - 10);
    assert_true(gs_icache_lru_begin(&r->ages, 100, MOST) < 100);
    gs_icache_lru_finish(&r->ages, MOST + 40); /* the last superblock went beyond */
    const uint32_t anew = gs_icache_lru_begin(&r->ages, 100, MOST);
    assert_true(anew > 0 && anew < 100);
    assert_int_equal(oldest(r, 0), A);
    take(r, A_ONLY, anew + 1);
    assert_int_equal(oldest(r, 0), B);
}

static void lines_of_a_set_collide(void **state)
{
    const rig *r = *state;
    gs_superblock less = superblock;
    assert_true(gs_superblock_lines_collide(&superblock, r->ages.cache));
    less.site_count = 2;
    assert_false(gs_superblock_lines_collide(&less, r->ages.cache));
}

static void who_does_not_replace_by_age_need_not_know(void **state)
{
    (void)state;
    gs_cache cache;
    gs_icache_lru ages;
    open_cache(&cache, GS_CACHE_FIFO);
    assert_true(gs_icache_lru_open(&ages, &cache, cells));
    assert_null(ages.cache);
    assert_true(gs_icache_lru_add(&ages, &code, 1));
    assert_int_equal(gs_icache_lru_begin(&ages, 100, MOST), 0);
    gs_icache_lru_close(&ages);
    gs_cache_fini(&cache);
}

#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_RIG(ways_have_cells),
        WITH_RIG(clones_have_those_of_their_clone),
        WITH_RIG(who_is_used_last_is_first),
        WITH_RIG(any_way_that_uses_it_will_do),
        WITH_RIG(on_a_way_it_is_the_site_that_counts),
        WITH_RIG(what_others_did_is_later_than_what_was_before),
        WITH_RIG(who_knows_better_is_believed),
        WITH_RIG(a_line_that_comes_is_young),
        WITH_RIG(a_free_way_goes_first),
        WITH_RIG(counting_goes_on_and_begins_anew),
        WITH_RIG(lines_of_a_set_collide),
        cmocka_unit_test(who_does_not_replace_by_age_need_not_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
