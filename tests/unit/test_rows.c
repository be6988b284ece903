/* A profile's rows, as a program outside the library reads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/vec.h"
#include "gumshoe/gumshoe.h"
#include "profile/profile.h"
#include "small_profile.h"

static gs_rows *open_rows(const gs_profile *profile, gs_report_options options)
{
    gs_rows *rows;
    gs_error err;
    if (gs_rows_open(&rows, profile, &options, &err) != GS_OK)
        fail_msg("%s", err.message);
    return rows;
}

static void test_functions(void **state)
{
    (void)state;
    static const struct {
        const char *name, *file;
        unsigned line;
        uint64_t calls, self, inclusive;
    } wanted[] = {{"main", "/src/main.c", 10, 1, 100, 151},
                  {"fib", "/src/main.c", 20, 5, 37, 37},
                  {"e;<\"v&'en>\n", "/src/even & odd.h", 5, 2, 11, 16},
                  {"odd", NULL, 0, 1, 3, 7}};
    gs_profile *profile = small_profile();
    gs_rows *rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_FUNCTION});
    assert_int_equal(gs_rows_count(rows), 4);
    assert_int_equal(gs_rows_omitted(rows), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(gs_rows_function(rows, i), wanted[i].name);
        if (wanted[i].file)
            assert_string_equal(gs_rows_file(rows, i), wanted[i].file);
        else
            assert_null(gs_rows_file(rows, i));
        assert_int_equal(gs_rows_line(rows, i), wanted[i].line);
        assert_int_equal(gs_rows_end(rows, i), gs_rows_address(rows, i) + 16);
        assert_int_equal(gs_rows_calls(rows, i), wanted[i].calls);
        assert_int_equal(gs_rows_self(rows, i, GS_METRIC_CYCLES), wanted[i].self);
        assert_int_equal(gs_rows_inclusive(rows, i, GS_METRIC_CYCLES), wanted[i].inclusive);
        assert_int_equal(gs_rows_parent(rows, i), GS_ROWS_NONE);
        assert_false(gs_rows_is_rest(rows, i));
        assert_false(gs_rows_is_inlined(rows, i));
    }
    assert_int_equal(gs_rows_address(rows, 0), 0x1000);
    assert_int_equal(gs_rows_self(rows, 0, GS_METRIC_STALL_LOAD_USE), 40);
    /* What a function does not have. */
    assert_null(gs_rows_text(rows, 0));
    assert_int_equal(gs_rows_executions(rows, 0), 0);
    assert_int_equal(gs_rows_taken(rows, 0), 0);
    assert_int_equal(gs_rows_entries(rows, 0), 0);
    assert_int_equal(gs_rows_iterations(rows, 0), 0);
    assert_int_equal(gs_rows_inlines(rows, 0, NULL, 0), 0);
    gs_rows_free(rows);
    gs_profile_free(profile);
}

static void test_code_of_no_function(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    profile->insns.items[0].function = GS_PROFILE_NONE;
    gs_rows *rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_FUNCTION});
    size_t rests = 0;
    for (size_t i = 0; i < gs_rows_count(rows); i++) {
        assert_int_equal(gs_rows_is_rest(rows, i), gs_rows_function(rows, i) == NULL);
        rests += gs_rows_is_rest(rows, i);
    }
    assert_int_equal(rests, 1);
    gs_rows_free(rows);
    gs_profile_free(profile);
}

/* Every path's cost is in that of the paths around it. */
static void test_call_paths(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "main", "-fib", "--fib", "-e;<\"v&'en>\n", "--odd", "---e;<\"v&'en>\n", "--fib",
    };
    gs_profile *profile = small_profile();
    gs_rows *rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_CALL});
    assert_int_equal(gs_rows_count(rows), 7);
    uint64_t below[7] = {0};
    for (size_t i = 7; i-- > 0;) {
        unsigned depth = gs_rows_depth(rows, i);
        assert_int_equal(depth, strspn(wanted[i], "-"));
        assert_string_equal(gs_rows_function(rows, i), wanted[i] + depth);
        assert_int_equal(gs_rows_inclusive(rows, i, GS_METRIC_CYCLES),
                         gs_rows_self(rows, i, GS_METRIC_CYCLES) + below[i]);
        size_t parent = gs_rows_parent(rows, i);
        if (parent == GS_ROWS_NONE) {
            assert_int_equal(i, 0);
            continue;
        }
        assert_true(parent < i);
        assert_int_equal(gs_rows_depth(rows, parent) + 1, depth);
        below[parent] += gs_rows_inclusive(rows, i, GS_METRIC_CYCLES);
    }
    assert_int_equal(gs_rows_calls(rows, 2), 3);
    gs_rows_free(rows);

    rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_CALL, .top = 3});
    assert_int_equal(gs_rows_count(rows), 3);
    assert_int_equal(gs_rows_omitted(rows), 4);
    gs_rows_free(rows);
    gs_profile_free(profile);
}

static void test_lines(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_rows *rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_LINE, .top = 1});
    assert_string_equal(gs_rows_file(rows, 0), "/src/main.c");
    assert_int_equal(gs_rows_line(rows, 0), 10);
    assert_int_equal(gs_rows_executions(rows, 0), 10);
    assert_int_equal(gs_rows_calls(rows, 0), 0);
    assert_int_equal(gs_rows_self(rows, 0, GS_METRIC_CYCLES), 60);
    assert_int_equal(gs_rows_inclusive(rows, 0, GS_METRIC_CYCLES), 0);
    gs_rows_free(rows);
    gs_profile_free(profile);
}

static void test_loops(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    profile->loops.items[0].min_trips = 10;
    profile->loops.items[0].max_trips = 20;
    gs_rows *rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_LOOP});
    assert_int_equal(gs_rows_count(rows), 3);
    assert_true(gs_rows_is_rest(rows, 0));
    assert_string_equal(gs_rows_text(rows, 0), "(outside loops)");
    assert_null(gs_rows_function(rows, 0));
    assert_int_equal(gs_rows_parent(rows, 0), GS_ROWS_NONE);

    assert_string_equal(gs_rows_function(rows, 1), "fib");
    assert_int_equal(gs_rows_address(rows, 1), 0x1010);
    assert_int_equal(gs_rows_line(rows, 1), 20);
    assert_int_equal(gs_rows_iterations(rows, 1), 30);
    assert_int_equal(gs_rows_entries(rows, 1), 2);
    assert_int_equal(gs_rows_min_trips(rows, 1), 10);
    assert_int_equal(gs_rows_max_trips(rows, 1), 20);
    assert_int_equal(gs_rows_self(rows, 1, GS_METRIC_CYCLES), 30);
    assert_int_equal(gs_rows_inclusive(rows, 1, GS_METRIC_CYCLES), 35);
    assert_int_equal(gs_rows_parent(rows, 1), GS_ROWS_NONE);

    assert_int_equal(gs_rows_address(rows, 2), 0x1014);
    assert_int_equal(gs_rows_depth(rows, 2), gs_rows_depth(rows, 1) + 1);
    assert_int_equal(gs_rows_parent(rows, 2), 1);
    gs_rows_free(rows);

    rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_LOOP, .top = 1});
    assert_int_equal(gs_rows_omitted(rows), 2);
    gs_rows_free(rows);
    gs_profile_free(profile);
}

static void test_blocks_and_instructions(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    profile->insns.items[0].taken = 3;
    gs_rows *rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_BLOCK});
    assert_int_equal(gs_rows_address(rows, 0), 0x1000);
    assert_int_equal(gs_rows_end(rows, 0), 0x1010);
    assert_int_equal(gs_rows_executions(rows, 0), 1);
    assert_int_equal(gs_rows_self(rows, 0, GS_METRIC_CYCLES), 100);
    gs_rows_free(rows);

    rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_INSTRUCTION});
    assert_int_equal(gs_rows_count(rows), 9);
    assert_string_equal(gs_rows_text(rows, 0), "addi a0,a0,1");
    assert_int_equal(gs_rows_address(rows, 0), 0x1000);
    assert_int_equal(gs_rows_end(rows, 0), 0x1004);
    assert_int_equal(gs_rows_executions(rows, 0), 10);
    assert_int_equal(gs_rows_taken(rows, 0), 3);
    assert_int_equal(gs_rows_self(rows, 0, GS_METRIC_STALL_D_READ), 10);
    gs_rows_free(rows);
    gs_profile_free(profile);
}

static void test_stalls(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_rows *rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_STALL});
    assert_int_equal(gs_rows_count(rows), GS_METRIC_COUNT - GS_METRIC_STALL_I_MISS + 1);
    assert_string_equal(gs_rows_text(rows, 0), "none");
    assert_string_equal(gs_rows_text(rows, 1), "load-use");
    assert_string_equal(gs_rows_function(rows, 1), "main");
    assert_int_equal(gs_rows_self(rows, 1, GS_METRIC_CYCLES), 40);
    gs_rows_free(rows);
    gs_profile_free(profile);
}

/* twice() is inlined into main and itself has sq() inlined; the first instruction is in sq. */
/* Two threads, between which control goes twice each way; what is below path 4 of the second one is
 * a handler. */
static void test_threads(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_profile_thread threads[2] = {{.function = SMALL_MAIN}, {.function = SMALL_FIB}};
    const gs_profile_switch switches[2] = {{0, 1, 2}, {1, 0, 2}};
    gs_profile_node nodes[] = {
        {GS_PROFILE_NONE, GS_PROFILE_NONE, 0, GS_PROFILE_NONE, GS_FRAME_THREAD, 0, {{0}}},
        {0, GS_PROFILE_NONE, 0, 0, GS_FRAME_THREAD, 0, {{0}}},
        {0, GS_PROFILE_NONE, 0, 1, GS_FRAME_THREAD, 0, {{0}}},
        {1, SMALL_MAIN, 0, GS_PROFILE_NONE, GS_FRAME_CALL, 1, {{[GS_METRIC_CYCLES] = 100}}},
        {2, SMALL_FIB, 0, GS_PROFILE_NONE, GS_FRAME_CALL, 1, {{[GS_METRIC_CYCLES] = 30}}},
        {4, SMALL_MAIN, 0, GS_PROFILE_NONE, GS_FRAME_TRAP, 1, {{[GS_METRIC_CYCLES] = 20}}},
        {5, SMALL_FIB, 0, GS_PROFILE_NONE, GS_FRAME_CALL, 1, {{[GS_METRIC_CYCLES] = 1}}},
    };
    assert_true(gs_profile_thread_set_name(&threads[0], strdup("one")) &&
                gs_profile_thread_set_name(&threads[1], strdup("two")));
    profile->nodes.count = 0;
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        assert_true(gs_vec_push(&profile->nodes, nodes[i]));
    for (size_t i = 0; i < 2; i++)
        assert_true(gs_vec_push(&profile->threads, threads[i]) &&
                    gs_vec_push(&profile->switches, switches[i]));
    gs_rows *rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_THREAD});
    assert_int_equal(gs_rows_count(rows), 2);
    assert_string_equal(gs_rows_text(rows, 0), "one");
    assert_int_equal(gs_rows_self(rows, 0, GS_METRIC_CYCLES), 100);
    assert_int_equal(gs_rows_in_handlers(rows, 0), 0);
    assert_string_equal(gs_rows_text(rows, 1), "two");
    assert_int_equal(gs_rows_self(rows, 1, GS_METRIC_CYCLES), 51);
    assert_int_equal(gs_rows_in_handlers(rows, 1), 21);
    assert_int_equal(gs_rows_switches(rows, 1), 2);
    gs_rows_free(rows);
    rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_CALL});
    assert_string_equal(gs_rows_function(rows, 0), "[all threads]");
    assert_string_equal(gs_rows_function(rows, 1), "[one]");
    assert_int_equal(gs_rows_inclusive(rows, 1, GS_METRIC_CYCLES), 100);
    gs_rows_free(rows);
    gs_profile_free(profile);
}

static void test_inlined_calls(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    char twice[] = "twice", sq[] = "sq";
    gs_profile_inline inlines[] = {{twice, GS_PROFILE_NONE, 0, 11}, {sq, 0, 1, 7}};
    profile->inlines.items = inlines;
    profile->inlines.count = 2;
    profile->insns.items[0].inlined = 1;

    gs_rows *rows =
        open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_LINE, .inlines = true});
    gs_inline frames[2];
    assert_int_equal(gs_rows_inlines(rows, 0, frames, 1), 2);
    assert_int_equal(gs_rows_inlines(rows, 0, frames, 2), 2);
    assert_string_equal(frames[0].function, "sq");
    assert_string_equal(frames[0].call_file, "/src/even & odd.h");
    assert_int_equal(frames[0].call_line, 7);
    assert_string_equal(frames[1].function, "twice");
    assert_int_equal(frames[1].call_line, 11);
    gs_rows_free(rows);

    rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_CALL, .inlines = true});
    size_t inlined = 0, estimated = 0;
    for (size_t i = 0; i < gs_rows_count(rows); i++) {
        inlined += gs_rows_is_inlined(rows, i);
        estimated += gs_rows_is_estimated(rows, i);
    }
    assert_int_equal(inlined, 2);
    assert_int_equal(estimated, 0); /* main has one path, so all of it was there */
    gs_rows_free(rows);

    profile->inlines.items = NULL; /* these are not on the heap */
    profile->inlines.count = 0;
    gs_profile_free(profile);
}

static void test_what_cannot_be(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_rows *rows = (gs_rows *)profile;
    gs_error err;
    gs_report_options options = {.metric = "luck"};
    assert_int_equal(gs_rows_open(&rows, profile, &options, &err), GS_E_ARGUMENT);
    assert_null(rows);
    options = (gs_report_options){.by = GS_REPORT_BY_STALL, .metric = "instructions"};
    assert_int_equal(gs_rows_open(&rows, profile, &options, NULL), GS_E_ARGUMENT);
    options = (gs_report_options){.metric = "energy-fj"};
    assert_int_equal(gs_rows_open(&rows, profile, &options, &err), GS_E_UNSUPPORTED);
    gs_rows_free(NULL);
    gs_profile_free(profile);

    profile = empty_profile();
    rows = open_rows(profile, (gs_report_options){.by = GS_REPORT_BY_CALL});
    assert_int_equal(gs_rows_count(rows), 0);
    gs_rows_free(rows);
    gs_profile_free(profile);
}

static void test_totals(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_run_info info = gs_profile_info(profile);
    assert_string_equal(info.core, "flatfoot");
    assert_string_equal(info.version, "1.2.3");
    assert_int_equal(info.cycles, 151);
    assert_int_equal(info.instructions, 101);
    assert_int_equal(gs_profile_total(profile, GS_METRIC_STALL_LOAD_USE), 40);
    for (unsigned by = 0; by < GS_REPORT_BY_COUNT; by++) {
        gs_report_by found;
        assert_true(gs_report_by_find(gs_report_by_name((gs_report_by)by), &found));
        assert_int_equal(found, by);
        gs_rows *rows = open_rows(profile, (gs_report_options){.by = found});
        uint64_t sum = 0;
        for (size_t i = 0; i < gs_rows_count(rows); i++)
            sum += gs_rows_self(rows, i, GS_METRIC_CYCLES);
        assert_int_equal(sum, info.cycles);
        gs_rows_free(rows);
    }
    gs_profile_free(profile);
}

static void test_metrics(void **state)
{
    (void)state;
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        gs_metric found = GS_METRIC_COUNT;
        assert_true(gs_metric_find(gs_metric_key((gs_metric)m), &found));
        assert_int_equal(found, m);
        assert_true(strlen(gs_metric_text(found)) > 0);
    }
    gs_metric untouched = GS_METRIC_TAKEN;
    assert_false(gs_metric_find("luck", &untouched));
    assert_int_equal(untouched, GS_METRIC_TAKEN);
    assert_string_equal(gs_metric_key(GS_METRIC_STALL_LOAD_USE), "stall:load-use");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),  cmocka_unit_test(test_code_of_no_function),
        cmocka_unit_test(test_call_paths), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_loops),      cmocka_unit_test(test_blocks_and_instructions),
        cmocka_unit_test(test_stalls),     cmocka_unit_test(test_inlined_calls),
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_what_cannot_be),
        cmocka_unit_test(test_totals),     cmocka_unit_test(test_metrics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
