/*
 * Call paths with inlined calls in them, on the small profile:
 *
 *     main 100 ─┬─ fib 10 ─┬─ fib 20
 *               │          └─ fib 5
 *               └─ even 7 ─┬─ odd 3 ─── even 4
 *                          └─ fib 2
 *
 * main, which has one path, has an inlined call at its first instruction (60 cycles, 10 of them
 * instructions), with another in it at the second (20), from where fib is called. fib, which has
 * five nodes on three paths, has one at its second instruction: 5 of its 37 cycles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "gumshoe/report.h"
#include "report/inlined_nodes.h"
#include "report/names.h"
#include "report/paths.h"
#include "small_profile.h"

enum { OUTER, INNER, LEAF };

static void add_inline(gs_profile *profile, const char *name, uint32_t outer, uint32_t line)
{
    gs_profile_inline call = {strdup(name), outer, 0, line};
    assert_true(call.function && gs_vec_push(&profile->inlines, call));
}

static gs_profile *inlined_profile(void)
{
    gs_profile *profile = small_profile();
    add_inline(profile, "outer", GS_PROFILE_NONE, 12);
    add_inline(profile, "inner", OUTER, 50);
    add_inline(profile, "leaf", GS_PROFILE_NONE, 21);
    profile->insns.items[0].inlined = OUTER;
    profile->insns.items[1].inlined = INNER; /* 0x1004: the call of fib */
    profile->insns.items[4].inlined = LEAF;
    return profile;
}

static void test_paths(void **state)
{
    (void)state;
    gs_profile *profile = inlined_profile();
    gs_path *paths;
    size_t count;
    gs_error err;
    assert_int_equal(gs_paths_open(&paths, &count, profile, GS_METRIC_CYCLES, true, &err), GS_OK);
    static const struct {
        const char *name;
        uint32_t depth;
        bool inlined, estimated;
        uint64_t self, inclusive;
    } wanted[] = {
        {"main", 0, false, false, 20, 151},
        {"outer", 1, true, false, 60, 115},
        {"inner", 2, true, false, 20, 55},
        {"fib", 3, false, true, 9, 35}, /* 10 - 10 * 5/37 */
    };
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += paths[i].self.value[GS_METRIC_CYCLES];
    assert_int_equal(sum, 151); /* whatever was shared out */
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_string_equal(gs_report_function_name(profile, paths[i].function), wanted[i].name);
        assert_int_equal(gs_report_is_inlined(profile, paths[i].function), wanted[i].inlined);
        assert_int_equal(paths[i].depth, wanted[i].depth);
        assert_int_equal(paths[i].estimated, wanted[i].estimated);
        assert_int_equal(paths[i].self.value[GS_METRIC_CYCLES], wanted[i].self);
        assert_int_equal(paths[i].inclusive.value[GS_METRIC_CYCLES], wanted[i].inclusive);
    }
    /* Below it leaf() has 1 cycle of its own, 10 * 5/37, and calls fib again, which takes 20. */
    size_t at = sizeof wanted / sizeof *wanted;
    assert_string_equal(gs_report_function_name(profile, paths[at].function), "leaf");
    assert_true(paths[at].estimated);
    assert_int_equal(paths[at].calls, 0);
    assert_int_equal(paths[at].self.value[GS_METRIC_CYCLES], 1);
    assert_int_equal(paths[at].inclusive.value[GS_METRIC_CYCLES], 21);
    free(paths);
    gs_profile_free(profile);
}

/* The stalls of an inlined call are its own, too: every metric is shared out by itself. */
static void test_metrics(void **state)
{
    (void)state;
    gs_profile *profile = inlined_profile();
    gs_inlined_nodes nodes;
    gs_error err;
    gs_metrics sum = {0};
    assert_int_equal(gs_inlined_nodes_open(&nodes, profile, &err), GS_OK);
    for (size_t i = 0; i < nodes.count; i++) {
        gs_metrics_add(&sum, &nodes.items[i].self);
        assert_true(i == 0 || nodes.items[i].parent < i);
    }
    assert_memory_equal(&sum, &profile->total, sizeof sum);
    assert_int_equal(nodes.items[1].self.value[GS_METRIC_STALL_LOAD_USE], 40);
    assert_int_equal(nodes.items[0].self.value[GS_METRIC_STALL_LOAD_USE], 0);
    gs_inlined_nodes_close(&nodes);
    gs_profile_free(profile);
}

/* Calls of one name are one frame; a profile without inlined calls stays as it is. */
static void test_names(void **state)
{
    (void)state;
    gs_profile *profile = inlined_profile();
    gs_path *paths;
    size_t count, plain;
    gs_error err;
    free(profile->inlines.items[LEAF].function);
    profile->inlines.items[LEAF].function = strdup("outer");
    assert_int_equal(gs_paths_open(&paths, &count, profile, GS_METRIC_CYCLES, true, &err), GS_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_not_equal(paths[i].function, gs_report_inlined_id(profile, LEAF));
    free(paths);
    gs_profile_free(profile);
    profile = small_profile();
    assert_int_equal(gs_paths_open(&paths, &plain, profile, GS_METRIC_CYCLES, false, &err), GS_OK);
    free(paths);
    assert_int_equal(gs_paths_open(&paths, &count, profile, GS_METRIC_CYCLES, true, &err), GS_OK);
    assert_int_equal(count, plain);
    free(paths);
    gs_profile_free(profile);
}

/* What a path spent in code of other functions (millicode) does not make its own parts grow. */
static void test_code_of_others(void **state)
{
    (void)state;
    gs_profile *profile = inlined_profile();
    gs_inlined_nodes nodes;
    gs_error err;
    profile->nodes.items[0].self.value[GS_METRIC_CYCLES] += 50;
    assert_int_equal(gs_inlined_nodes_open(&nodes, profile, &err), GS_OK);
    assert_int_equal(nodes.items[1].self.value[GS_METRIC_CYCLES], 60);
    assert_int_equal(nodes.items[0].self.value[GS_METRIC_CYCLES], 70);
    assert_false(nodes.estimated[0]);
    gs_inlined_nodes_close(&nodes);
    profile->nodes.items[0].self.value[GS_METRIC_CYCLES] = 50; /* the other way round */
    assert_int_equal(gs_inlined_nodes_open(&nodes, profile, &err), GS_OK);
    assert_int_equal(nodes.items[1].self.value[GS_METRIC_CYCLES], 30);
    assert_true(nodes.estimated[0]);
    gs_inlined_nodes_close(&nodes);
    gs_profile_free(profile);
}

static char *written(gs_report_writer *write, const gs_profile *profile, gs_report_by by)
{
    const gs_report_options options = {.by = by, .inlines = true};
    char *text = NULL;
    size_t size = 0;
    gs_error err = {0};
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    if (write(to, profile, &options, &err) != GS_OK)
        fail_msg("%s", err.message);
    fclose(to);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
}

static void test_writers(void **state)
{
    (void)state;
    gs_profile *profile = inlined_profile();
    char *text = written(gs_report_folded, profile, 0);
    assert_has(text, "main;outer_[i];inner_[i] 20\n");
    assert_has(text, "main;outer_[i];inner_[i];fib 9\n");
    free(text);
    text = written(gs_report_flamegraph, profile, 0);
    assert_has(text, "<title>outer\ninlined\ncycles 115 (76.16%), self 60\n");
    assert_has(text,
               "<title>leaf\ninlined; estimated: shared out as on all paths of its function\n");
    free(text);
    text = written(gs_report_text, profile, GS_REPORT_BY_CALL);
    assert_has(text, "    outer (inlined)\n");
    assert_has(text, "\n~ estimated: ");
    free(text);
    text = written(gs_report_text, profile, GS_REPORT_BY_LINE);
    assert_has(text, "main.c:11  inner at main.c:50, outer at main.c:12 in main\n");
    free(text);
    text = written(gs_report_csv, profile, GS_REPORT_BY_LINE);
    assert_has(text,
               "\"/src/main.c\",11,\"main\",\"inner at main.c:50, outer at main.c:12\",20,20,");
    free(text);
    text = written(gs_report_json, profile, GS_REPORT_BY_CALL);
    assert_has(text, "\"inlined\": true,\n      \"estimated\": false,");
    free(text);
    gs_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),   cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_names),   cmocka_unit_test(test_code_of_others),
        cmocka_unit_test(test_writers),
    };
    return cmocka_run_group_tests_name("inlined nodes", tests, NULL, NULL);
}
