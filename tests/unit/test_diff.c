/*
 * What changed from one small profile to another, both made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "report/compare.h"
#include "report/names.h"
#include "small_profile.h"

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = strdup(text);
    assert_non_null(*to);
}

/* Adds cycles to an instruction and all that counts it. */
static void slow_down(gs_profile *profile, size_t insn, size_t node, int64_t cycles)
{
    uint64_t more = (uint64_t)cycles;
    profile->insns.items[insn].cost.value[GS_METRIC_CYCLES] += more;
    profile->nodes.items[node].self.value[GS_METRIC_CYCLES] += more;
    profile->total.value[GS_METRIC_CYCLES] += more;
}

/* main loses 20 cycles, fib gains 50 in a loop; odd is called odder now. */
static gs_profile *changed_profile(void)
{
    gs_profile *profile = small_profile();
    slow_down(profile, 0, 0, -20);
    slow_down(profile, 3, 1, 50);
    set_text(&profile->functions.items[SMALL_ODD].name, "odder");
    return profile;
}

static void expect(const gs_comparison *c, size_t row, const char *function, uint32_t line,
                   int64_t before, int64_t after)
{
    assert_true(row < c->count);
    const gs_compared *r = &c->items[row];
    assert_string_equal(gs_report_function_name(r->of, r->row->function), function);
    if (line)
        assert_int_equal(r->row->line, line);
    assert_int_equal(r->is_before, before >= 0);
    assert_int_equal(r->is_after, after >= 0);
    assert_int_equal(r->before.self.value[GS_METRIC_CYCLES], before < 0 ? 0 : before);
    assert_int_equal(r->after.self.value[GS_METRIC_CYCLES], after < 0 ? 0 : after);
}

static void open(gs_comparison *c, const gs_profile *before, const gs_profile *after,
                 gs_report_by by)
{
    gs_error err;
    assert_int_equal(gs_comparison_open(c, before, after, by, GS_METRIC_CYCLES, &err), GS_OK);
}

static void test_functions(void **state)
{
    (void)state;
    gs_profile *before = small_profile(), *after = changed_profile();
    gs_comparison c;
    open(&c, before, after, GS_REPORT_BY_FUNCTION);
    assert_int_equal(c.count, 4); /* what did not change is left out */
    expect(&c, 0, "fib", 0, 37, 87);
    expect(&c, 1, "main", 0, 100, 80);
    expect(&c, 2, "odder", 0, -1, 3);
    expect(&c, 3, "odd", 0, 3, -1);
    gs_comparison_close(&c);
    open(&c, before, before, GS_REPORT_BY_FUNCTION);
    assert_int_equal(c.count, 0);
    gs_comparison_close(&c);
    gs_profile_free(before);
    gs_profile_free(after);
}

/* Two functions of one name are told apart by their file; one that moved is still itself. */
static void test_same_names(void **state)
{
    (void)state;
    gs_profile *before = small_profile(), *after = small_profile();
    set_text(&before->functions.items[SMALL_EVEN].name, "fib"); /* in the header */
    set_text(&after->functions.items[SMALL_FIB].name, "fib");
    set_text(&after->functions.items[SMALL_EVEN].name, "fib");
    slow_down(after, 6, 4, 1);
    after->functions.items[SMALL_ODD].file = 0;
    slow_down(after, 8, 5, 5);
    gs_comparison c;
    open(&c, before, after, GS_REPORT_BY_FUNCTION);
    assert_int_equal(c.count, 2);
    expect(&c, 0, "odd", 0, 3, 8);
    expect(&c, 1, "fib", 5, 11, 12);
    gs_comparison_close(&c);
    gs_profile_free(before);
    gs_profile_free(after);
}

/* As many loops as before: the lines may have moved. One loop less: the lines tell which. */
static void test_loops(void **state)
{
    (void)state;
    gs_profile *before = small_profile(), *after = changed_profile();
    gs_comparison c;
    for (size_t i = 3; i < 6; i++)
        after->insns.items[i].line += 10;
    open(&c, before, after, GS_REPORT_BY_LOOP);
    assert_int_equal(c.count, 2);
    expect(&c, 0, "fib", 30, 30, 80);
    assert_string_equal(c.items[1].row->text, "(outside loops)");
    gs_comparison_close(&c);
    /* The compiler may have put the code in another order. */
    gs_profile_loop first = after->loops.items[0];
    after->loops.items[0].header = after->loops.items[1].header;
    after->loops.items[1].header = first.header;
    uint32_t line = after->insns.items[3].line;
    after->insns.items[3].line = after->insns.items[4].line;
    after->insns.items[4].line = line;
    uint32_t file = after->insns.items[3].file;
    after->insns.items[3].file = after->insns.items[4].file;
    after->insns.items[4].file = file;
    open(&c, before, after, GS_REPORT_BY_LOOP);
    expect(&c, 0, "fib", 30, 30, 80);
    gs_comparison_close(&c);
    gs_profile_free(after);

    after = changed_profile();
    after->insns.items[3].loop = GS_PROFILE_NONE;
    after->loops.items[0] = after->loops.items[1];
    after->loops.items[0].parent = GS_PROFILE_NONE;
    after->loops.count = 1;
    after->insns.items[4].loop = 0;
    slow_down(after, 4, 1, 1);
    open(&c, before, after, GS_REPORT_BY_LOOP);
    assert_int_equal(c.count, 3);
    assert_string_equal(c.items[0].row->text, "(outside loops)");
    expect(&c, 1, "fib", 20, 30, -1);
    expect(&c, 2, "fib", 99, 5, 6);
    gs_comparison_close(&c);
    gs_profile_free(before);
    gs_profile_free(after);
}

/* Another checkout has other folders. */
static void test_lines(void **state)
{
    (void)state;
    gs_profile *before = small_profile(), *after = changed_profile();
    gs_comparison c;
    set_text(&after->files.items[0], "/elsewhere/main.c");
    open(&c, before, after, GS_REPORT_BY_LINE);
    assert_int_equal(c.count, 2);
    expect(&c, 0, "fib", 20, 30, 80);
    expect(&c, 1, "main", 10, 60, 40);
    gs_comparison_close(&c);
    gs_profile_free(before);
    gs_profile_free(after);
}

static char *written(gs_diff_writer *write, const gs_profile *before, const gs_profile *after,
                     const gs_diff_options *options)
{
    char *text = NULL;
    size_t size = 0;
    gs_error err = {0};
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    if (write(to, before, after, options, &err) != GS_OK)
        fail_msg("%s", err.message);
    fclose(to);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
}

static void test_text(void **state)
{
    (void)state;
    gs_profile *before = small_profile(), *after = changed_profile();
    gs_diff_options options = {.top = 2};
    after->nodes.items[1].calls = 3;
    set_text(&after->run.core, "ideal");
    char *text = written(gs_report_diff, before, after, &options);
    assert_has(text, "note: the runs are not on the same core\n");
    assert_has(text, "cycles                    151     181      +30    +19.87%\n");
    assert_has(text, "instructions              101     101        0     +0.00%\n");
    assert_has(text, "cycles per instruction  1.495   1.792   +0.297    +19.87%\n");
    assert_has(text, "30 cycles more than before: 19.87%.\n");
    assert_has(text, ": 2 with more, 2 with less\n");
    assert_has(text,
               "    +50    +27.62%      37      87   +135.14%  fib  main.c:20  (calls 5 -> 7)\n");
    assert_has(text, "    ...  (2 more; --top 0 shows all)\n");
    free(text);
    options = (gs_diff_options){.only = true, .by = GS_REPORT_BY_FUNCTION};
    text = written(gs_report_diff, after, before, &options);
    assert_has(text, "30 cycles less than before: 16.57%.\n");
    assert_has(text, "new  odd\n");
    assert_has(text, "gone  odder\n");
    assert_null(strstr(text, "by loops"));
    free(text);
    options.metric = "d-misses";
    text = written(gs_report_diff, before, before, &options);
    assert_has(text, "As many data cache misses as before.\n");
    free(text);
    gs_profile_free(before);
    gs_profile_free(after);
}

static void test_extremes(void **state)
{
    (void)state;
    gs_profile *empty = empty_profile(), *small = small_profile();
    gs_diff_options options = {0};
    gs_diff_writer *const writers[] = {gs_report_diff, gs_report_diff_json};
    for (size_t i = 0; i < 2; i++) {
        free(written(writers[i], empty, empty, &options));
        free(written(writers[i], small, empty, &options));
        free(written(writers[i], empty, small, &options));
        gs_error err = {0};
        gs_diff_options wrong = {.metric = "luck"};
        assert_int_equal(writers[i](stdout, empty, small, &wrong, &err), GS_E_ARGUMENT);
        FILE *full = fopen("/dev/full", "w");
        assert_int_equal(writers[i](full, empty, small, &options, &err), GS_E_IO);
        fclose(full);
    }
    gs_profile_free(empty);
    gs_profile_free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_same_names),
        cmocka_unit_test(test_loops),     cmocka_unit_test(test_lines),
        cmocka_unit_test(test_text),      cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
