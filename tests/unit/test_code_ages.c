/*
 * When lines of code were used: cells that translated code writes to, and what becomes of a cache.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/fast/code_ages.h"

enum { MOST = 1 << 20, LINE = 16, A = 0x100, B = 0x104, C = 0x108, D = 0x101 };

static uint64_t cells[GS_FAST_CELLS];

/* Two sets of two lines each. */
static void open_cache(gs_cache *cache, gs_cache_replacement replacement)
{
    const gs_cache_config config = {4 * LINE, LINE, 2, replacement, false, false, 0};
    gs_error err;
    assert_int_equal(gs_cache_init(cache, &config, &err), GS_OK);
}

/* Code that looks up lines A, B, C, which are in a set, and D. */
static gs_site sites[] = {
    {.kind = GS_SITE_FETCH, .address = A * LINE}, {.kind = GS_SITE_LOAD, .address = 1},
    {.kind = GS_SITE_FETCH, .address = B * LINE}, {.kind = GS_SITE_FETCH, .address = C * LINE + 4},
    {.kind = GS_SITE_FETCH, .address = D * LINE}, {.kind = GS_SITE_FETCH, .address = 0},
};
static gs_stretch stretch = {.sites = sites, .site_count = 6};
static const gs_code code = {.stretches = &stretch, .count = 1};

typedef struct rig {
    gs_cache cache;
    gs_code_ages ages;
} rig;

static int setup(void **state)
{
    static rig r;
    memset(cells, 0, sizeof cells);
    open_cache(&r.cache, GS_CACHE_LRU);
    assert_true(gs_code_ages_open(&r.ages, &r.cache, cells));
    assert_true(gs_code_ages_add(&r.ages, &code, 1));
    *state = &r;
    return 0;
}

static int teardown(void **state)
{
    rig *r = *state;
    gs_code_ages_close(&r->ages);
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
    const uint32_t counted = gs_code_ages_begin(&r->ages, wanted, MOST);
    gs_code_ages_follow(&r->ages, 0);
    gs_code_ages_follow(&r->ages, 1);
    return counted;
}

/* Translated code has counted so many instructions when it says that it uses a line. */
static void use(rig *r, gs_addr line, uint32_t counted)
{
    r->ages.cells[gs_code_ages_cell(&r->ages, line)] = (GS_FAST_UP - 5 * GS_FAST_CYCLE) + counted;
}

static void assert_first(const rig *r, gs_addr line)
{
    assert_int_equal(r->cache.tags[gs_cache_first_slot(&r->cache, line)], line);
}

static gs_addr oldest(const rig *r, uint64_t first_way)
{
    const uint64_t times[2] = {first_way, 0};
    return r->cache.tags[gs_code_ages_oldest(&r->ages, 0, times)];
}

static void cells_belong_to_lines(void **state)
{
    const rig *r = *state;
    const uint32_t a = gs_code_ages_cell(&r->ages, A), b = gs_code_ages_cell(&r->ages, B);
    assert_int_equal(r->ages.count, 4);
    assert_true(a && b && a != b);
    assert_int_equal(gs_code_ages_cell(&r->ages, 0), 0);
    assert_int_equal(gs_code_ages_cell(&r->ages, 0x999), 0);
}

static void many_lines_have_cells(void **state)
{
    rig *r = *state;
    enum { MANY = 5000 };
    for (gs_addr i = 1; i <= MANY; i++) {
        gs_site site = {.kind = GS_SITE_FETCH, .address = i * 48 * LINE};
        gs_stretch s = {.sites = &site, .site_count = 1};
        assert_true(gs_code_ages_add(&r->ages, &(gs_code){.stretches = &s, .count = 1}, 1));
    }
    assert_int_equal(r->ages.count, 4 + MANY);
    assert_int_equal(gs_code_ages_cell(&r->ages, 48), 5);
    assert_int_equal(gs_code_ages_cell(&r->ages, MANY * 48), 4 + MANY);
    assert_int_equal(gs_code_ages_cell(&r->ages, A), 1);
}

static void who_is_used_last_is_first(void **state)
{
    rig *r = *state;
    access_line(r, A);
    access_line(r, B);
    const uint32_t counted = begin(r, 100);
    assert_int_equal(oldest(r, 0), A);
    use(r, B, counted + 3);
    use(r, A, counted + 7);
    assert_int_equal(oldest(r, 0), B);
    gs_code_ages_finish(&r->ages, counted + 9);
    assert_first(r, A);
    assert_int_equal(r->cache.tags[1], B);
}

static void what_others_did_is_later_than_what_was_before(void **state)
{
    rig *r = *state;
    access_line(r, A);
    access_line(r, B);
    uint32_t counted = begin(r, 100);
    use(r, A, counted + 7);
    gs_code_ages_finish(&r->ages, counted + 9);
    access_line(r, B);
    counted = begin(r, 100);
    assert_int_equal(oldest(r, 0), A);
    gs_code_ages_finish(&r->ages, counted);
    assert_first(r, B);
}

static void who_knows_better_is_believed(void **state)
{
    rig *r = *state;
    access_line(r, A);
    access_line(r, B);
    const uint32_t counted = begin(r, 100);
    const bool b_is_first = r->cache.tags[0] == B;
    assert_true(b_is_first);
    assert_int_equal(oldest(r, gs_fast_time(counted + 50)), A);
    use(r, A, counted + 10);
    assert_int_equal(oldest(r, 0), B);
    assert_int_equal(oldest(r, gs_fast_time(counted + 50)), A);
    use(r, A, counted + 50); /* at the same time, but by a later site */
    assert_int_equal(oldest(r, gs_fast_time(GS_FAST_TIMED(counted + 50, 2))), A);
}

static void a_line_that_comes_is_young(void **state)
{
    rig *r = *state;
    access_line(r, A);
    access_line(r, B);
    const uint32_t counted = begin(r, 100);
    size_t slot;
    assert_true(gs_code_ages_find(&r->ages, A, &slot));
    gs_code_ages_put(&r->ages, slot, C, gs_fast_time(counted + 4));
    assert_false(gs_code_ages_find(&r->ages, A, &slot));
    assert_int_equal(oldest(r, 0), B);
    use(r, B, counted + 5);
    assert_int_equal(oldest(r, 0), C);
    gs_code_ages_finish(&r->ages, counted + 6);
    assert_first(r, B);
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
    access_line(r, A);
    access_line(r, B);
    const uint32_t first = begin(r, 100);
    assert_true(first > 0);
    use(r, A, first + 7);
    gs_code_ages_finish(&r->ages, first + 9);
    assert_true(gs_code_ages_begin(&r->ages, 100, MOST) > first + 9);
    gs_code_ages_finish(&r->ages, MOST - 10);
    const uint32_t anew = gs_code_ages_begin(&r->ages, 100, MOST);
    assert_true(anew > 0 && anew < 100);
    assert_int_equal(oldest(r, 0), B);
    use(r, B, anew + 1);
    assert_int_equal(oldest(r, 0), A);
}

static void who_does_not_replace_by_age_need_not_know(void **state)
{
    (void)state;
    gs_cache cache;
    gs_code_ages ages;
    open_cache(&cache, GS_CACHE_FIFO);
    assert_true(gs_code_ages_open(&ages, &cache, cells));
    assert_null(ages.cache);
    assert_true(gs_code_ages_add(&ages, &code, 1));
    assert_int_equal(gs_code_ages_begin(&ages, 100, MOST), 0);
    gs_code_ages_close(&ages);
    gs_cache_fini(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cells_belong_to_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(many_lines_have_cells, setup, teardown),
        cmocka_unit_test_setup_teardown(who_is_used_last_is_first, setup, teardown),
        cmocka_unit_test_setup_teardown(what_others_did_is_later_than_what_was_before, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(who_knows_better_is_believed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_line_that_comes_is_young, setup, teardown),
        cmocka_unit_test_setup_teardown(a_free_way_goes_first, setup, teardown),
        cmocka_unit_test_setup_teardown(counting_goes_on_and_begins_anew, setup, teardown),
        cmocka_unit_test(who_does_not_replace_by_age_need_not_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
