/*
 * What is written from a profile, on small ones made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "gumshoe/report.h"
#include "report/arcs.h"
#include "report/names.h"
#include "report/paths.h"
#include "report/views.h"
#include "report/short_name.h"
#include "small_profile.h"

static const struct {
    const char *name;
    gs_report_writer *write;
} writers[] = {
    {"text", gs_report_text},
    {"json", gs_report_json},
    {"csv", gs_report_csv},
    {"folded", gs_report_folded},
    {"callgrind", gs_report_callgrind},
    {"flamegraph", gs_report_flamegraph},
    {"speedscope", gs_report_speedscope},
    {"gprof", gs_report_gprof},
    {"pprof", gs_report_pprof},
};
enum { WRITERS = sizeof writers / sizeof *writers };

/* What a writer writes; the caller frees it. */
static char *written(gs_report_writer *write, const gs_profile *profile,
                     const gs_report_options *options)
{
    char *text = NULL;
    size_t size = 0;
    gs_error err = {0};
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    if (write(to, profile, options, &err) != GS_OK)
        fail_msg("%s", err.message);
    fclose(to);
    return text;
}

static void test_paths(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_path *paths;
    size_t count;
    gs_error err;
    assert_int_equal(gs_paths_open(&paths, &count, profile, GS_METRIC_CYCLES, false, &err), GS_OK);
    static const struct {
        uint32_t function, depth, parent;
        uint64_t calls, self, inclusive;
    } wanted[] = {
        {SMALL_MAIN, 0, GS_PROFILE_NONE, 1, 100, 151},
        {SMALL_FIB, 1, 0, 1, 10, 35},
        {SMALL_FIB, 2, 1, 3, 25, 25}, /* from two call sites */
        {SMALL_EVEN, 1, 0, 1, 7, 16},
        {SMALL_ODD, 2, 3, 1, 3, 7},
        {SMALL_EVEN, 3, 4, 1, 4, 4},
        {SMALL_FIB, 2, 3, 1, 2, 2},
    };
    assert_int_equal(count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(paths[i].function, wanted[i].function);
        assert_int_equal(paths[i].depth, wanted[i].depth);
        assert_int_equal(paths[i].parent, wanted[i].parent);
        assert_int_equal(paths[i].calls, wanted[i].calls);
        assert_int_equal(paths[i].self.value[GS_METRIC_CYCLES], wanted[i].self);
        assert_int_equal(paths[i].inclusive.value[GS_METRIC_CYCLES], wanted[i].inclusive);
    }
    free(paths);
    gs_profile_free(profile);
}

/* A root that calls many functions, each from two places: every pair becomes one path. What that
 * costs is measured by bench/growth, in its shape "callees". */
static void test_many_children(void **state)
{
    (void)state;
    enum { CHILDREN = 20000 };
    gs_profile *profile = empty_profile();
    for (uint32_t i = 0; i <= 2 * CHILDREN; i++) {
        gs_profile_node node = {.parent = i == 0 ? GS_PROFILE_NONE : 0,
                                .function = i == 0 ? 0 : 1 + (i - 1) % CHILDREN,
                                .calls = 1};
        node.self.value[GS_METRIC_CYCLES] = 1;
        assert_true(gs_vec_push(&profile->nodes, node));
    }
    gs_path *paths;
    size_t count;
    gs_error err;
    assert_int_equal(gs_paths_open(&paths, &count, profile, GS_METRIC_CYCLES, false, &err), GS_OK);
    assert_int_equal(count, 1 + CHILDREN);
    assert_int_equal(paths[0].inclusive.value[GS_METRIC_CYCLES], 1 + 2 * CHILDREN);
    for (uint32_t i = 1; i < count; i++) {
        assert_int_equal(paths[i].function, i);
        assert_int_equal(paths[i].calls, 2);
        assert_int_equal(paths[i].inclusive.value[GS_METRIC_CYCLES], 2);
    }
    free(paths);
    gs_profile_free(profile);
}

/* Own cost and the arcs from a function are what it includes, whatever the recursion; and so are
 * the arcs to it. */
static void test_arcs(void **state)
{
    (void)state;
    static const uint64_t inclusive[] = {
        [SMALL_MAIN] = 151, [SMALL_FIB] = 37, [SMALL_EVEN] = 16, [SMALL_ODD] = 7};
    static const uint64_t self[] = {
        [SMALL_MAIN] = 100, [SMALL_FIB] = 37, [SMALL_EVEN] = 11, [SMALL_ODD] = 3};
    gs_profile *profile = small_profile();
    gs_arc *arcs;
    size_t count;
    gs_error err;
    uint64_t calls = 0, recursive = 0, sums[4] = {0}, to[4] = {0};
    assert_int_equal(gs_arcs_open(&arcs, &count, profile, &err), GS_OK);
    for (size_t i = 0; i < count; i++) {
        sums[arcs[i].caller] += arcs[i].cost.value[GS_METRIC_CYCLES];
        if (!arcs[i].recursive)
            to[arcs[i].callee] += arcs[i].inclusive.value[GS_METRIC_CYCLES];
        calls += arcs[i].calls;
        recursive += arcs[i].recursive ? arcs[i].calls : 0;
    }
    for (size_t f = 0; f < 4; f++)
        assert_int_equal(self[f] + sums[f], inclusive[f]);
    for (size_t f = SMALL_FIB; f < 4; f++) /* main was never called */
        assert_int_equal(to[f], inclusive[f]);
    assert_int_equal(calls, 8);
    assert_int_equal(recursive, 4);
    free(arcs);
    gs_profile_free(profile);
}

static void test_views_add_up(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    for (unsigned by = 0; by < GS_REPORT_BY_COUNT; by++) {
        gs_report_options options = {.by = (gs_report_by)by};
        gs_view view;
        gs_error err;
        uint64_t sum = 0;
        assert_int_equal(gs_view_open(&view, profile, &options, &err), GS_OK);
        for (size_t i = 0; i < view.count; i++)
            sum += view.items[i].self.value[GS_METRIC_CYCLES];
        assert_int_equal(sum, 151);
        for (size_t i = 1; i < view.count && by != GS_REPORT_BY_CALL; i++)
            assert_true(view.items[i - 1].self.value[GS_METRIC_CYCLES] >=
                        view.items[i].self.value[GS_METRIC_CYCLES]);
        gs_view_close(&view);
    }
    gs_profile_free(profile);
}

static void test_view_functions(void **state)
{
    (void)state;
    static const struct {
        uint32_t function;
        uint64_t calls, self, inclusive;
    } wanted[] = {{SMALL_MAIN, 1, 100, 151},
                  {SMALL_FIB, 5, 37, 37},
                  {SMALL_EVEN, 2, 11, 16},
                  {SMALL_ODD, 1, 3, 7}};
    gs_profile *profile = small_profile();
    gs_report_options options = {.by = GS_REPORT_BY_FUNCTION};
    gs_view view;
    gs_error err;
    assert_int_equal(gs_view_open(&view, profile, &options, &err), GS_OK);
    assert_int_equal(view.count, 4);
    for (size_t i = 0; i < view.count; i++) {
        assert_int_equal(view.items[i].function, wanted[i].function);
        assert_int_equal(view.items[i].count, wanted[i].calls);
        assert_int_equal(view.items[i].self.value[GS_METRIC_CYCLES], wanted[i].self);
        assert_int_equal(view.items[i].inclusive.value[GS_METRIC_CYCLES], wanted[i].inclusive);
    }
    gs_view_close(&view);
    gs_profile_free(profile);
}

static void test_view_loops(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_report_options options = {.by = GS_REPORT_BY_LOOP, .top = 2};
    gs_view view;
    gs_error err;
    assert_int_equal(gs_view_open(&view, profile, &options, &err), GS_OK);
    assert_int_equal(view.all, 3);
    assert_int_equal(view.count, 2);
    assert_int_equal(view.items[0].self.value[GS_METRIC_CYCLES], 116); /* outside loops */
    assert_int_equal(view.items[1].address, 0x1010);
    assert_int_equal(view.items[1].count, 30);
    assert_int_equal(view.items[1].other, 2);
    assert_int_equal(view.items[1].self.value[GS_METRIC_CYCLES], 30);
    assert_int_equal(view.items[1].inclusive.value[GS_METRIC_CYCLES], 35);
    gs_view_close(&view);

    /* With what was called, once that is known. */
    profile->loops.items[0].inclusive.value[GS_METRIC_CYCLES] = 100;
    profile->loops.items[0].min_trips = 10;
    profile->loops.items[0].max_trips = 20;
    assert_int_equal(gs_view_open(&view, profile, &options, &err), GS_OK);
    assert_int_equal(view.items[1].address, 0x1010);
    assert_int_equal(view.items[1].self.value[GS_METRIC_CYCLES], 30);
    assert_int_equal(view.items[1].inclusive.value[GS_METRIC_CYCLES], 100);
    assert_int_equal(view.items[1].min_trips, 10);
    assert_int_equal(view.items[1].max_trips, 20);
    gs_view_close(&view);
    gs_profile_free(profile);
}

static void test_view_lines(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_report_options options = {.by = GS_REPORT_BY_LINE, .metric = "stall:load-use", .top = 1};
    gs_view view;
    gs_error err;
    assert_int_equal(gs_view_open(&view, profile, &options, &err), GS_OK);
    assert_int_equal(view.items[0].line, 10);
    assert_int_equal(view.items[0].count, 10);
    assert_int_equal(view.items[0].self.value[GS_METRIC_STALL_LOAD_USE], 40);
    gs_view_close(&view);
    gs_profile_free(profile);
}

static void test_view_stalls(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_report_options options = {.by = GS_REPORT_BY_STALL};
    gs_view view;
    gs_error err;
    assert_int_equal(gs_view_open(&view, profile, &options, &err), GS_OK);
    assert_string_equal(view.items[0].text, "none");
    assert_int_equal(view.items[0].self.value[GS_METRIC_CYCLES], 101);
    assert_string_equal(view.items[1].text, "load-use");
    assert_int_equal(view.items[1].self.value[GS_METRIC_CYCLES], 40);
    assert_int_equal(view.items[1].function, SMALL_MAIN);
    gs_view_close(&view);
    options.metric = "instructions";
    assert_int_equal(gs_view_open(&view, profile, &options, &err), GS_E_ARGUMENT);
    gs_profile_free(profile);
}

/* The largest paths, and never one without those above it. */
static void test_pruned_tree(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    for (size_t top = 1; top <= 8; top++) {
        gs_report_options options = {.by = GS_REPORT_BY_CALL, .top = top};
        gs_view view;
        gs_error err;
        bool seen[7] = {0};
        assert_int_equal(gs_view_open(&view, profile, &options, &err), GS_OK);
        assert_int_equal(view.count, top < 7 ? top : 7);
        for (size_t i = 0; i < view.count; i++) {
            const gs_view_row *row = &view.items[i];
            assert_true(row->parent == GS_PROFILE_NONE || seen[row->parent]);
            seen[row->id] = true;
        }
        gs_view_close(&view);
    }
    gs_profile_free(profile);
}

static void test_text(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_report_options options = {.top = 2};
    char *text = written(gs_report_text, profile, &options);
    assert_string_equal(
        text, "a<b>&c.elf on flatfoot\n"
              "151 cycles, 3.020 us at 50 MHz; 101 instructions, CPI 1.495\n"
              "cycles by functions: self is their own instructions, total with all they called\n"
              "\n"
              "   self                        cycles    total  calls    CPI  function\n"
              " 66.23%  #############.......     100  100.00%      1  2.000  main  main.c:10\n"
              " 24.50%  #####...............      37   24.50%      5  1.000  fib  main.c:20\n"
              "  9.27%                            14                  1.000  (2 more)\n"
              "100.00%                           151                  1.495  (all)\n");
    free(text);
    gs_profile_free(profile);
}

static void test_folded(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_report_options options = {0};
    char *text = written(gs_report_folded, profile, &options);
    assert_string_equal(text, "main 100\n"
                              "main;fib 10\n"
                              "main;fib;fib 25\n"
                              "main;e?<\"v&'en>? 7\n"
                              "main;e?<\"v&'en>?;odd 3\n"
                              "main;e?<\"v&'en>?;odd;e?<\"v&'en>? 4\n"
                              "main;e?<\"v&'en>?;fib 2\n");
    free(text);
    options.metric = "stall:load-use";
    text = written(gs_report_folded, profile, &options);
    assert_string_equal(text, "main 40\n");
    free(text);
    gs_profile_free(profile);
}

static void test_callgrind(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_report_options options = {0};
    char *text = written(gs_report_callgrind, profile, &options);
    static const char wanted[] = "positions: instr line\n"
                                 "event: Cycles : cycles\n"
                                 "event: Instructions : instructions retired\n"
                                 "event: StallDReadMiss : data read miss or slow data memory\n"
                                 "event: StallLoadUse : waiting for a loaded value\n"
                                 "events: Cycles Instructions StallDReadMiss StallLoadUse\n"
                                 "summary: 151 101 10 40\n"
                                 "\n"
                                 "fl=(1) /src/main.c\n"
                                 "fn=(1) main\n"
                                 "0x1000 10 60 10 10 40\n"
                                 "0x1004 11 20 20 0 0\n"
                                 "0x1008 12 20 20 0 0\n"
                                 "cfi=(1)\n"
                                 "cfn=(3) fib\n"
                                 "calls=1 0x1010 20\n"
                                 "0x1004 11 35 35 0 0\n"
                                 "cfi=(2) /src/even & odd.h\n"
                                 "cfn=(5) e;<\"v&'en>?\n"
                                 "calls=1 0x1020 5\n"
                                 "0x1008 12 16 16 0 0\n"
                                 "\n"
                                 "fl=(1)\n"
                                 "fn=(3)\n"
                                 "0x1010 20 30 30 0 0\n"
                                 "fi=(2)\n"
                                 "0x1014 99 5 5 0 0\n"
                                 "fe=(1)\n"
                                 "0x1018 22 2 2 0 0\n"
                                 "fi=(2)\n"
                                 "cfi=(1)\n"
                                 "cfn=(4) fib'2\n"
                                 "calls=2 0x1010 20\n"
                                 "0x1014 99 20 20 0 0\n";
    const char *from = strstr(text, "positions:");
    assert_non_null(from);
    assert_memory_equal(from, wanted, sizeof wanted - 1);
    assert_non_null(strstr(text, "\ntotals: 151 101 10 40\n"));
    free(text);
    options = (gs_report_options){.by_line = true, .metric = "stall:load-use"};
    text = written(gs_report_callgrind, profile, &options);
    assert_non_null(strstr(text, "\npositions: line\n"));
    assert_non_null(strstr(text, "\nsummary: 40 151 101 10\n"));
    assert_non_null(strstr(text, "\n10 40 60 10 10\n"));
    free(text);
    gs_profile_free(profile);
}

static void test_text_is_made_safe(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    gs_report_put_xml(to, "a<b>&\"\x01\x80\xc3\xa9\xed\xa0\x80\xef\xbf\xbf\xf0\x9f\x98\x80");
    fclose(to);
    assert_string_equal(text, "a&lt;b&gt;&amp;&quot;\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd"
                              "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xf0\x9f\x98\x80");
    free(text);
}

/* Nothing in it, and more than fits on any stack. */
static void test_extremes(void **state)
{
    (void)state;
    gs_profile *profiles[] = {empty_profile(), deep_profile(3000)};
    for (size_t p = 0; p < 2; p++) {
        for (size_t i = 0; i < WRITERS; i++) {
            for (unsigned by = 0; by < GS_REPORT_BY_COUNT; by++) {
                gs_report_options options = {.by = (gs_report_by)by};
                free(written(writers[i].write, profiles[p], &options));
            }
        }
        gs_profile_free(profiles[p]);
    }
}

static void test_failures(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    for (size_t i = 0; i < WRITERS; i++) {
        gs_report_options options = {.metric = "luck"};
        gs_error err = {0};
        FILE *full = fopen("/dev/full", "w");
        assert_non_null(full);
        assert_int_equal(writers[i].write(full, profile, &options, &err), GS_E_ARGUMENT);
        assert_non_null(strstr(err.message, "there is no metric 'luck'; there are cycles"));
        options.metric = NULL;
        assert_int_equal(writers[i].write(full, profile, &options, &err), GS_E_IO);
        fclose(full);
    }
    gs_profile_free(profile);
}

/* Where a line is longer than a screen of 80 columns, fails. */
static void assert_fits(const char *text)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        if (length > 80)
            fail_msg("%zu columns: %.*s", length, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static const char long_name[] =
    "int img::detail::fill<64, 48, int (*)(int)>(img::detail::Picture<64, 48>&, int (*)(int))";

/* Names and columns make room, unless they are asked for. */
static void test_width(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    free(profile->functions.items[SMALL_FIB].name);
    profile->functions.items[SMALL_FIB].name = strdup(long_name);
    profile->functions.items[SMALL_FIB].file = 0;
    for (size_t i = 0; i < profile->insns.count; i++) /* of a long run */
        profile->insns.items[i].executions = profile->total.value[GS_METRIC_CYCLES] << 30;
    for (size_t i = 0; i < profile->loops.count; i++)
        profile->loops.items[i].iterations = UINT64_C(7) << 40;
    for (unsigned by = 0; by < GS_REPORT_BY_COUNT; by++) {
        gs_report_options options = {.by = (gs_report_by)by, .width = 80};
        char *text = written(gs_report_text, profile, &options);
        assert_fits(text);
        /* fill() has no stalls, and no thread begins with it. */
        bool without = by == GS_REPORT_BY_STALL || by == GS_REPORT_BY_THREAD;
        if ((!without && !strstr(text, "fill")) || strstr(text, "Picture"))
            fail_msg("not shortened, by %s:\n%s", gs_report_by_name(options.by), text);
        free(text);
        options.width = 0;
        text = written(gs_report_text, profile, &options);
        if ((!without && !strstr(text, long_name)) || strstr(text, "not shown"))
            fail_msg("not whole, by %s:\n%s", gs_report_by_name(options.by), text);
        free(text);
    }
    gs_report_options loops = {.by = GS_REPORT_BY_LOOP, .width = 80};
    char *text = written(gs_report_text, profile, &loops);
    assert_non_null(strstr(text, "(not shown, for lack of room: entries"));
    free(text);
    text = written(gs_report_json, profile, &loops);
    assert_non_null(strstr(text, long_name));
    free(text);
    gs_report_options summary = {.width = 80};
    text = written(gs_report_summary, profile, &summary);
    assert_fits(text);
    assert_non_null(strstr(text, "fill"));
    free(text);
    gs_profile_free(profile);
}

/* What is uncertain about call paths is put down to what made it so. */
static void test_uncertain_paths(void **state)
{
    (void)state;
    gs_report_options options = {.by = GS_REPORT_BY_FUNCTION};
    gs_profile *profile = small_profile();
    profile->run.desyncs = 1234;
    char *text = written(gs_report_text, profile, &options);
    assert_non_null(strstr(text, "\n1,234 calls and returns could not be followed exactly;"));
    free(text);
    gs_profile_free(profile);
    profile = deep_profile(GS_CALLTREE_FULL);
    profile->run.desyncs = 1234;
    text = written(gs_report_text, profile, &options);
    assert_non_null(strstr(text, "more call paths than are told apart, 131,072: 1,234 calls"));
    assert_null(strstr(text, "could not be followed"));
    free(text);
    gs_profile_free(profile);
}

static void test_short_names(void **state)
{
    static const struct {
        const char *name;
        unsigned room;
        const char *wanted;
    } cases[] = {
        {long_name, 0, long_name},
        {long_name, 100, long_name},
        {long_name, 60, "int img::detail::fill<64, 48, int (*)(int)>()"},
        {long_name, 30, "int img::detail::fill<>()"},
        {long_name, 24, "img::detail::fill<>()"},
        {long_name, 20, "fill<>()"},
        {long_name, 6, "fill.."},
        {"main", 3, "m.."},
        {"main", 4, "main"},
        {"a::operator()(int, char, long, unsigned)", 20, "a::operator()()"},
        {"std::operator<< <int>(std::ostream&, int)", 20, "std::operator<< <>()"},
        {"bool a::operator< <int, int>(int, int) const", 20, "a::operator< <>()"},
        {"a::b::operator bool() const", 18, "operator bool()"},
        {"(anonymous namespace)::longer(int, int)", 34, "(anonymous namespace)::longer()"},
        {"(anonymous namespace)::longer(int, int)", 10, "longer()"},
        {"f(int (*)(int, int), int) [clone .constprop.0]", 10, "f()"},
        {"void f<(a)1, b->c>(long, long)", 8, "f<>()"},
        {"unclosed<int, (int", 10, "unclosed<>"},
        {"\033[31m", 0, "?[31m"},
        {"\xc2\x9b"
         "31m\x9b",
         0, "?31m?"},
        {"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 4, "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *to = open_memstream(&text, &size);
        assert_non_null(to);
        unsigned columns = gs_report_put_short(to, cases[i].name, cases[i].room);
        fclose(to);
        assert_string_equal(text, cases[i].wanted);
        assert_int_equal(columns, gs_report_columns(cases[i].wanted));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),          cmocka_unit_test(test_many_children),
        cmocka_unit_test(test_arcs),           cmocka_unit_test(test_views_add_up),
        cmocka_unit_test(test_view_functions), cmocka_unit_test(test_view_loops),
        cmocka_unit_test(test_view_lines),     cmocka_unit_test(test_view_stalls),
        cmocka_unit_test(test_pruned_tree),    cmocka_unit_test(test_text),
        cmocka_unit_test(test_width),          cmocka_unit_test(test_uncertain_paths),
        cmocka_unit_test(test_short_names),    cmocka_unit_test(test_folded),
        cmocka_unit_test(test_callgrind),      cmocka_unit_test(test_text_is_made_safe),
        cmocka_unit_test(test_extremes),       cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
