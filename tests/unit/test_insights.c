/*
 * What stands out in profiles made by hand, each to set off one rule.
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
#include "report/insights.h"
#include "small_profile.h"

/* The sentence of a rule, or NULL if it found nothing. Valid until the next call. */
static const char *found(const gs_profile *profile, const char *rule)
{
    static gs_insight insights[GS_INSIGHTS];
    size_t count;
    gs_error err;
    assert_int_equal(gs_insights_find(insights, &count, profile, &err), GS_OK);
    for (size_t i = 1; i < count; i++)
        assert_true(insights[i - 1].weight >= insights[i].weight);
    for (size_t i = 0; i < count; i++) {
        assert_true(insights[i].weight > 0);
        assert_int_equal(insights[i].text[strlen(insights[i].text) - 1] == '.' ||
                             insights[i].text[strlen(insights[i].text) - 1] == '?',
                         true);
        if (strcmp(insights[i].rule, rule) == 0)
            return insights[i].text;
    }
    return NULL;
}

static void expect(const gs_profile *profile, const char *rule, const char *sentence)
{
    const char *text = found(profile, rule);
    if (!sentence) {
        assert_null(text);
        return;
    }
    if (!text || strcmp(text, sentence) != 0)
        fail_msg("%s: %s", rule, text ? text : "nothing");
}

/* Cycles of one instruction and of its call path, and what they were lost to. */
static void spend(gs_profile *profile, size_t insn, size_t node, gs_metric metric, uint64_t more)
{
    gs_metrics *costs[] = {&profile->insns.items[insn].cost, &profile->nodes.items[node].self,
                           &profile->total};
    for (size_t i = 0; i < 3; i++) {
        costs[i]->value[metric] += more;
        if (metric >= (gs_metric)GS_METRIC_FIRST_STALL)
            costs[i]->value[GS_METRIC_CYCLES] += more;
    }
}

/* main 100 of 151, fib 37, even 11, odd 3; 40 of main's are lost to load-use, 10 to misses. */
static void test_small(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    expect(profile, "function",
           "main takes 66.2% of all cycles, more than all other functions together.");
    expect(profile, "loop",
           "The loop at main.c:20 in fib takes 19.9% of all cycles: 1.0 cycles per iteration, 15 "
           "iterations each time it is entered.");
    expect(profile, "stall",
           "26.5% of all cycles are lost to load-use (waiting for a loaded value); 100% of that at "
           "main.c:10 in main.");
    expect(profile, "misses", NULL); /* it has stalls on reads, but no misses */
    expect(profile, "predictions", NULL);
    expect(profile, "short", NULL);
    expect(profile, "caller", NULL); /* main has no caller */
    expect(profile, "handlers", NULL);
    expect(profile, "asleep", NULL);
    gs_profile_free(profile);
}

static void test_function(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    spend(profile, 3, 1, GS_METRIC_CYCLES, 1000);
    expect(profile, "function",
           "fib takes 90.1% of all cycles, more than all other functions together; 99% of that is "
           "the loop at main.c:20, 34.3 cycles per iteration, 15 iterations each time it is "
           "entered.");
    expect(profile, "loop", NULL); /* that has been said */
    profile->loops.items[0].iterations = 31;
    profile->loops.items[0].min_trips = 2;
    profile->loops.items[0].max_trips = 29;
    assert_non_null(
        strstr(found(profile, "function"), "15.5 iterations each time it is entered (2 to 29)."));
    gs_profile_free(profile);
}

/* Twenty functions of equal weight. */
static void test_spread_out(void **state)
{
    (void)state;
    gs_profile *profile = empty_profile();
    for (uint32_t i = 0; i < 20; i++) {
        char *name = strdup("f"), *text = strdup("nop");
        gs_profile_function function = {name, 0x1000 + 16 * i, 0x1010 + 16 * i, GS_PROFILE_NONE, 0};
        gs_profile_insn insn = {.pc = 0x1000 + 16 * i,
                                .length = 4,
                                .function = i,
                                .file = GS_PROFILE_NONE,
                                .block = GS_PROFILE_NONE,
                                .loop = GS_PROFILE_NONE,
                                .inlined = GS_PROFILE_NONE,
                                .text = text,
                                .executions = 1};
        insn.cost.value[GS_METRIC_CYCLES] = 5;
        assert_true(gs_vec_push(&profile->functions, function));
        assert_true(gs_vec_push(&profile->insns, insn));
    }
    profile->total.value[GS_METRIC_CYCLES] = 100;
    expect(
        profile, "function",
        "The work is spread out: no function takes more than 5.0% of all cycles, and 16 functions "
        "make up 80%.");
    gs_profile_free(profile);
}

static void test_misses(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    spend(profile, 0, 0, GS_METRIC_D_MISSES, 1);
    expect(profile, "misses",
           "Data cache misses cost 6.6% of all cycles; 100% of that at main.c:10 in main.");
    spend(profile, 0, 0, GS_METRIC_STALL_D_READ, 100); /* then that is the largest stall */
    expect(profile, "misses", NULL);
    expect(profile, "stall",
           "43.8% of all cycles are lost to d-read-miss (data read miss or slow data memory); 100% "
           "of that at main.c:10 in main.");
    gs_profile_free(profile);
}

static void test_predictions(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    spend(profile, 0, 0, GS_METRIC_BRANCHES, 20);
    spend(profile, 3, 1, GS_METRIC_BRANCHES, 20);
    spend(profile, 3, 1, GS_METRIC_MISPREDICTED, 10);
    expect(profile, "predictions", NULL); /* it costs nothing */
    spend(profile, 3, 1, GS_METRIC_STALL_MISPREDICT, 30);
    expect(profile, "predictions",
           "25.0% of all branches are predicted wrongly, most of those in fib (50.0% of its own).");
    gs_profile_free(profile);
}

static void test_short_calls(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    spend(profile, 6, 4, GS_METRIC_INSTRUCTIONS, 8989);
    spend(profile, 6, 4, GS_METRIC_CYCLES, 20000);
    profile->nodes.items[4].calls = 1999;
    expect(profile, "short",
           "e;<\"v&'en>\n is called 2,000 times for only 4 instructions each, 99.3% of all cycles: "
           "worth inlining?");
    gs_profile_free(profile);
}

static void test_caller(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    spend(profile, 3, 7, GS_METRIC_CYCLES, 500); /* fib, called by even */
    expect(profile, "caller",
           "Of what fib costs, 93% is on behalf of e;<\"v&'en>\n, one of its 2 callers.");
    gs_profile_free(profile);
}

static void test_handlers_and_sleep(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    profile->nodes.items[4].kind = GS_FRAME_TRAP; /* even, 7, with odd 3, even 4 and fib 2 */
    profile->total.value[GS_METRIC_TRAPS] = 1234;
    expect(profile, "handlers",
           "10.6% of all cycles are spent in handlers of traps and interrupts, "
           "of which there were 1,234.");
    spend(profile, 0, 0, GS_METRIC_STALL_IDLE, 302);
    expect(profile, "asleep",
           "For 66.7% of all cycles the core is asleep, waiting for an interrupt.");
    expect(profile, "stall",
           "8.8% of all cycles are lost to load-use (waiting for a loaded value); 100% of that at "
           "main.c:10 in main.");
    gs_profile_free(profile);
}

static char *summary_of(const gs_profile *profile, size_t top)
{
    char *text = NULL;
    size_t size = 0;
    gs_error err;
    FILE *to = open_memstream(&text, &size);
    assert_int_equal(gs_report_summary(to, profile, &(gs_report_options){.top = top}, &err), GS_OK);
    fclose(to);
    return text;
}

/* The three most striking, each in lines that fit; a hostile name stays harmless. */
static void test_summary(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    char *text = summary_of(profile, 2);
    assert_string_equal(
        text,
        "   self                          total  calls    CPI  function\n"
        " 66.23%  #############.......  100.00%      1  2.000  main\n"
        " 24.50%  #####...............   24.50%      5  1.000  fib\n"
        "\n"
        "What stands out:\n"
        " - main takes 66.2% of all cycles, more than all other functions together.\n"
        " - 26.5% of all cycles are lost to load-use (waiting for a loaded value); 100% of that\n"
        "   at main.c:10 in main.\n"
        " - The loop at main.c:20 in fib takes 19.9% of all cycles: 1.0 cycles per iteration, 15\n"
        "   iterations each time it is entered.\n");
    free(text);
    spend(profile, 6, 4, GS_METRIC_CYCLES, 20000);
    text = summary_of(profile, 1);
    assert_non_null(strstr(text, "e;<\"v&'en>? takes 99.3% of all cycles"));
    free(text);
    gs_profile_free(profile);
    profile = empty_profile();
    text = summary_of(profile, 10);
    assert_null(strstr(text, "stands out"));
    free(text);
    gs_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),       cmocka_unit_test(test_function),
        cmocka_unit_test(test_spread_out),  cmocka_unit_test(test_misses),
        cmocka_unit_test(test_predictions), cmocka_unit_test(test_short_calls),
        cmocka_unit_test(test_caller),      cmocka_unit_test(test_handlers_and_sleep),
        cmocka_unit_test(test_summary),
    };
    return cmocka_run_group_tests_name("insights", tests, NULL, NULL);
}
