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
    {.kind = GS_SITE_FETCH, .address = D * LINE},
};
static gs_step steps[] = {
    {.fetch = 0, .second = -1},
    {.fetch = 2, .second = 3},
    {.fetch = 4, .second = -1},
};
static gs_way ways[] = {{.steps = 3}};
static gs_stretch stretch = {
    .sites = sites, .site_count = 5, .steps = steps, .step_count = 3, .ways = ways, .way_count = 1};
static const gs_code code = {.stretches = &stretch, .count = 1};

/* Code that looks up a line for every step from `address` on, with a way out before step `first`
 * and one at its end. */
static bool add_steps(gs_code_ages *ages, gs_addr address, unsigned count, uint8_t first)
{
    gs_site line_sites[8];
    gs_step line_steps[8];
    gs_way line_ways[] = {{.steps = first}, {.steps = (uint8_t)count}};
    for (unsigned i = 0; i < count; i++) {
        line_sites[i] = (gs_site){.kind = GS_SITE_FETCH, .address = address + i * LINE};
        line_steps[i] = (gs_step){.fetch = (int8_t)i, .second = -1};
    }
    gs_stretch s = {.sites = line_sites,
                    .site_count = (uint8_t)count,
                    .steps = line_steps,
                    .step_count = (uint8_t)count,
                    .ways = line_ways,
                    .way_count = 2};
    return gs_code_ages_add(ages, &(gs_code){.stretches = &s, .count = 1}, 1);
}

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
    assert_int_equal(r->ages.cell_count, 4);
    assert_true(a && b && a != b);
    assert_int_equal(gs_code_ages_cell(&r->ages, 0), 0);
    assert_int_equal(gs_code_ages_cell(&r->ages, 0x999), 0);
}

static void many_lines_have_cells(void **state)
{
    rig *r = *state;
    enum { MANY = 5000 };
    const uint32_t a = gs_code_ages_cell(&r->ages, A);
    for (gs_addr i = 1; i <= MANY; i++)
        assert_true(add_steps(&r->ages, (0x1000 + i * 48) * LINE, 1, 1));
    assert_int_equal(r->ages.cell_count, 4 + MANY);
    assert_int_equal(gs_code_ages_cell(&r->ages, 0x1000 + 48), 5);
    assert_int_equal(gs_code_ages_cell(&r->ages, 0x1000 + MANY * 48), 4 + MANY);
    assert_int_equal(gs_code_ages_cell(&r->ages, A), a);
}

/* A larger cache: no two lines of such code are in a set. */
static void lines_that_are_used_together_have_one_cell(void **state)
{
    (void)state;
    const gs_cache_config config = {64 * LINE, LINE, 2, GS_CACHE_LRU, false, false, 0};
    gs_cache cache;
    gs_code_ages ages;
    gs_error err;
    memset(cells, 0, sizeof cells);
    assert_int_equal(gs_cache_init(&cache, &config, &err), GS_OK);
    assert_true(gs_code_ages_open(&ages, &cache, cells));
    assert_true(add_steps(&ages, 0x100 * LINE, 6, 2));
    assert_int_equal(ages.cell_count, 2);
    const uint32_t before = gs_code_ages_cell(&ages, 0x100),
                   behind = gs_code_ages_cell(&ages, 0x102);
    assert_int_equal(gs_code_ages_cell(&ages, 0x101), before);
    assert_int_not_equal(before, behind);
    assert_int_equal(gs_code_ages_cell(&ages, 0x105), behind);
    /* One of them is also used by itself. */
    assert_true(add_steps(&ages, 0x101 * LINE, 1, 1));
    const uint32_t alone = gs_code_ages_cell(&ages, 0x101);
    assert_int_equal(ages.cell_count, 3);
    assert_int_not_equal(alone, before);
    (void)gs_cache_access(&cache, 0x101 * LINE, false);
    (void)gs_cache_access(&cache, 0x121 * LINE, false);
    const uint32_t counted = gs_code_ages_begin(&ages, 100, MOST);
    const uint64_t none[2] = {0, 0};
    gs_code_ages_follow(&ages, 1);
    assert_int_equal(cache.tags[gs_code_ages_oldest(&ages, 1, none)], 0x101);
    ages.cells[before] = counted + 3;
    assert_int_equal(cache.tags[gs_code_ages_oldest(&ages, 1, none)], 0x121);
    gs_code_ages_finish(&ages, counted + 4);
    assert_int_equal(cache.tags[2], 0x101);
    gs_code_ages_close(&ages);
    gs_cache_fini(&cache);
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
        cmocka_unit_test(lines_that_are_used_together_have_one_cell),
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
