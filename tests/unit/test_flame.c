/*
 * Call paths for pictures: from the outermost function inwards, from functions outwards to their
 * callers, of two profiles; cut to some nodes, and begun further in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "report/flame.h"
#include "report/names.h"
#include "small_profile.h"

static const char odd_name[] = "e;<\"v&'en>\n";

static gs_flame open_flame(const gs_profile *profile, gs_flame_options options)
{
    gs_flame flame;
    gs_error err;
    if (options.most == 0)
        options.most = 1000;
    if (gs_flame_open(&flame, profile, &options, &err) != GS_OK)
        fail_msg("%s", err.message);
    return flame;
}

static void check(const gs_flame *flame, size_t at, uint32_t parent, const char *name,
                  uint64_t self, uint64_t inclusive)
{
    assert_true(at < flame->count);
    const gs_flame_node *node = &flame->items[at];
    const gs_profile *profile = node->is_before ? flame->earlier : flame->profile;
    assert_int_equal(node->parent, parent);
    assert_string_equal(gs_report_function_name(profile, node->function), name);
    assert_int_equal(node->self.value[GS_METRIC_CYCLES], self);
    assert_int_equal(node->inclusive.value[GS_METRIC_CYCLES], inclusive);
}

static void test_calls(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_flame flame = open_flame(profile, (gs_flame_options){0});
    assert_int_equal(flame.count, 7); /* the two calls of fib by fib are one path */
    assert_int_equal(flame.omitted, 0);
    check(&flame, 0, GS_PROFILE_NONE, "main", 100, 151);
    check(&flame, 1, 0, "fib", 10, 35);
    check(&flame, 2, 1, "fib", 25, 25);
    check(&flame, 3, 0, odd_name, 7, 16);
    check(&flame, 4, 3, "odd", 3, 7);
    check(&flame, 5, 4, odd_name, 4, 4);
    check(&flame, 6, 3, "fib", 2, 2);
    gs_flame_close(&flame);
    gs_profile_free(profile);
}

static void test_cut(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_flame flame = open_flame(profile, (gs_flame_options){.most = 4});
    assert_int_equal(flame.count, 4);
    assert_int_equal(flame.omitted, 3);
    check(&flame, 2, 1, "fib", 25, 25);
    check(&flame, 3, 0, odd_name, 7, 16);
    gs_flame_close(&flame);
    gs_profile_free(profile);
}

static void test_root(void **state)
{
    (void)state;
    const uint32_t way[] = {SMALL_EVEN, SMALL_ODD}, wrong[] = {SMALL_EVEN, SMALL_MAIN};
    gs_profile *profile = small_profile();
    gs_flame flame = open_flame(profile, (gs_flame_options){.root = way, .root_count = 2});
    assert_int_equal(flame.count, 2);
    check(&flame, 0, GS_PROFILE_NONE, "odd", 3, 7);
    check(&flame, 1, 0, odd_name, 4, 4);
    gs_flame_close(&flame);
    gs_error err;
    const gs_flame_options nowhere = {.root = wrong, .root_count = 2, .most = 10};
    assert_int_equal(gs_flame_open(&flame, profile, &nowhere, &err), GS_E_NOT_FOUND);
    gs_profile_free(profile);
}

static void test_callers(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_flame flame = open_flame(profile, (gs_flame_options){.inverted = true});
    assert_int_equal(flame.items[0].inclusive.value[GS_METRIC_CYCLES], 151);
    check(&flame, 1, 0, "main", 0, 100);
    check(&flame, 2, 0, "fib", 0, 37);
    check(&flame, 3, 0, odd_name, 0, 11);
    check(&flame, 4, 0, "odd", 0, 3);
    /* Who called fib: fib for 25, even for 2; main is the root of the tree, and no caller. */
    uint64_t sum = 0;
    for (size_t i = 5; i < flame.count; i++)
        sum += flame.items[i].parent == 2 ? flame.items[i].inclusive.value[GS_METRIC_CYCLES] : 0;
    assert_int_equal(sum, 27);
    gs_flame_close(&flame);

    const uint32_t way[] = {SMALL_FIB, SMALL_EVEN};
    flame = open_flame(profile, (gs_flame_options){.inverted = true, .root = way, .root_count = 2});
    check(&flame, 0, GS_PROFILE_NONE, odd_name, 0, 2);
    gs_flame_close(&flame);
    gs_profile_free(profile);
}

/* A recursion of any depth ends where there is no room for nodes. */
static void test_deep_callers(void **state)
{
    (void)state;
    gs_profile *profile = deep_profile(3000);
    gs_flame flame = open_flame(profile, (gs_flame_options){.inverted = true, .most = 50});
    assert_true(flame.count > 20 && flame.count <= 50);
    for (size_t i = 1; i < flame.count; i++)
        assert_int_equal(flame.items[i].parent, i - 1);
    gs_flame_close(&flame);
    gs_profile_free(profile);
}

static void test_difference(void **state)
{
    (void)state;
    gs_profile *before = small_profile(), *after = small_profile();
    after->nodes.items[1].self.value[GS_METRIC_CYCLES] += 50;
    free(after->functions.items[SMALL_ODD].name);
    after->functions.items[SMALL_ODD].name = strdup("odder");
    gs_flame flame;
    const gs_flame_options options = {.most = 100};
    assert_int_equal(gs_flame_open_difference(&flame, before, after, &options, NULL), GS_OK);
    assert_int_equal(flame.count, 9); /* odd and what it called is there twice: new, and gone */
    check(&flame, 0, GS_PROFILE_NONE, "main", 100, 201);
    assert_int_equal(flame.items[0].before, 151);
    check(&flame, 1, 0, "fib", 60, 85);
    assert_int_equal(flame.items[1].before, 35);
    assert_int_equal(flame.items[1].before_self, 10);
    check(&flame, 7, 3, "odd", 0, 0);
    assert_true(flame.items[7].is_before);
    assert_int_equal(flame.items[7].before, 7);
    assert_int_equal(flame.items[4].before, 0); /* odder */
    gs_flame_close(&flame);
    gs_profile_free(before);
    gs_profile_free(after);
}

static void test_empty(void **state)
{
    (void)state;
    gs_profile *profile = empty_profile();
    gs_flame flame = open_flame(profile, (gs_flame_options){0});
    assert_int_equal(flame.count, 0);
    gs_flame_close(&flame);
    flame = open_flame(profile, (gs_flame_options){.inverted = true});
    assert_int_equal(flame.count, 1);
    gs_flame_close(&flame);
    gs_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_root),         cmocka_unit_test(test_callers),
        cmocka_unit_test(test_deep_callers), cmocka_unit_test(test_difference),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
