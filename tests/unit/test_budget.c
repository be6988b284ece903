/*
 * Limits: what a file may say, and how a small profile made by hand is held against it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/verdicts.h"
#include "small_profile.h"

static gs_budget *parsed(const char *text)
{
    gs_budget *budget;
    gs_error err;
    if (gs_budget_parse(&budget, "b.yaml", text, strlen(text), &err) != GS_OK)
        fail_msg("%s", err.message);
    return budget;
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"- a\n", "b.yaml:1: keys belong here: program, functions, loops and lines"},
        {"a: 1\n", "b.yaml:1: a: unknown key; allowed are program, functions, loops and lines"},
        {"program: 7\n", "b.yaml:1: program: limits belong here, such as cycles: 70M"},
        {"program: {}\n", "b.yaml:1: program: there is no limit here"},
        {"program:\n  luck: 1\n", "b.yaml:2: program.luck: unknown limit; allowed are cycles,"},
        {"program:\n  share: 1\n", "b.yaml:2: program.share: unknown limit"},
        {"program:\n  cycles-per-call: 1\n", "b.yaml:2: program.cycles-per-call: unknown limit"},
        {"program:\n  optional: true\n", "b.yaml:2: program.optional: unknown limit"},
        {"program:\n\n  cycles: lots\n",
         "b.yaml:3: program.cycles: 'lots' is no limit; allowed are"},
        {"program: {cycles: -1}\n", "b.yaml:1: program.cycles: '-1' is no limit"},
        {"program: {cycles: 1.2.3}\n", "b.yaml:1: program.cycles: '1.2.3' is no limit"},
        {"program: {cycles: 40%}\n", "b.yaml:1: program.cycles: '40%' is no limit"},
        {"program: {cycles: }\n", "b.yaml:1: program.cycles: '' is no limit"},
        {"program: {cycles: inf}\n", "b.yaml:1: program.cycles: 'inf' is no limit"},
        {"program: {cycles: [1]}\n", "b.yaml:1: program.cycles: '' is no limit"},
        {"program: {cycles: 1, cycles: 2}\n", "b.yaml:1: program.cycles: this key is given twice"},
        {"functions: [f]\n", "b.yaml:1: functions: names of functions belong here"},
        {"functions:\n  f:\n    total-calls: 1\n",
         "b.yaml:3: functions.f.total-calls: unknown limit"},
        {"functions:\n  f:\n    calls-per-call: 1\n",
         "b.yaml:3: functions.f.calls-per-call: unknown"},
        {"functions:\n  f:\n    optional: maybe\n",
         "b.yaml:3: functions.f.optional: true or false"},
        {"functions:\n  f: {cycles: 1}\n  f: {cycles: 1}\n",
         "b.yaml:3: functions.f: this function is given twice"},
        {"loops: {f: 1}\n", "b.yaml:1: loops: a list of loops belongs here"},
        {"loops:\n  - cycles: 1\n", "b.yaml:2: loops[0]: the key 'function' is missing"},
        {"loops:\n  - {function: f, line: 0, cycles: 1}\n",
         "b.yaml:2: loops[0].line: a number from 1"},
        {"loops:\n  - {function: f, line: 1, number: 1, cycles: 1}\n",
         "b.yaml:2: loops[0]: line or number, but not both"},
        {"lines:\n  main.c: {cycles: 1}\n",
         "b.yaml:2: lines.main.c: a line is a file and a number"},
        {"lines:\n  main.c:20x: {cycles: 1}\n", "b.yaml:2: lines.main.c:20x: a line is a file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_budget *budget;
        gs_error err = {0};
        gs_status status =
            gs_budget_parse(&budget, "b.yaml", cases[i].text, strlen(cases[i].text), &err);
        assert_null(budget);
        if (status == GS_OK ||
            strncmp(err.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s\nis: %s", cases[i].text, status ? err.message : "accepted");
    }
}

static void test_numbers(void **state)
{
    (void)state;
    gs_budget *budget = parsed("program:\n"
                               "  cycles: 1_500\n"
                               "  instructions: 2.5K\n"
                               "  stalls: 70M\n"
                               "  cpi: .5\n"
                               "functions:\n"
                               "  f: {share: 12.5%, total-share: 3}\n");
    static const double wanted[] = {1500, 2500, 70e6, 0.5, 12.5, 3};
    assert_int_equal(budget->limits.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < budget->limits.count; i++)
        assert_true((double)budget->limits.items[i].most == wanted[i]);
    assert_int_equal(budget->limits.items[3].per, GS_PER_INSTRUCTION);
    assert_true(budget->limits.items[5].inclusive);
    gs_budget_free(budget);
}

/* A limit that is exactly met holds; one less does not. Everything is of small_profile.h. */
static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
        bool held;
    } cases[] = {
        {"program: {cycles: 151}", 151, true},
        {"program: {cycles: 150}", 151, false},
        {"program: {stalls: 49}", 50, false},
        {"program: {stall:load-use: 40}", 40, true},
        {"program: {misses: 0}", 0, true},
        {"functions: {main: {cycles: 100}}", 100, true},
        {"functions: {main: {total-cycles: 150}}", 151, false},
        {"functions: {main: {cpi: 2}}", 2, true},
        {"functions: {main: {cpi: 1.999}}", 2, false},
        {"functions: {main: {share: 66.3%}}", 100.0 / 151 * 100, true},
        {"functions: {main: {share: 66.2}}", 100.0 / 151 * 100, false},
        {"functions: {fib: {calls: 4}}", 5, false},
        {"functions: {fib: {cycles-per-call: 7.4}}", 7.4, true},
        {"functions: {fib: {cycles-per-call: 7.39}}", 7.4, false},
        {"loops: [{function: fib, number: 1, cycles: 30}]", 30, true},
        {"loops: [{function: fib, line: 20, total-cycles: 34}]", 35, false},
        {"loops: [{function: fib, number: 2, cycles-per-iteration: 1}]", 1, true},
        {"loops: [{function: fib, line: 20, cycles-per-entry: 14}]", 15, false},
        {"loops: [{function: fib, line: 20, iterations: 30, optional: true}]", 30, true},
        {"lines: {main.c:10: {cycles: 59}}", 60, false},
        {"lines: {/src/main.c:10: {executions: 10}}", 10, true},
        {"lines: {main.c:10: {cycles-per-execution: 6}}", 6, true},
    };
    gs_profile *profile = small_profile();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_budget *budget = parsed(cases[i].text);
        gs_verdicts verdicts;
        gs_error err;
        if (gs_verdicts_open(&verdicts, profile, budget, &err) != GS_OK)
            fail_msg("%s: %s", cases[i].text, err.message);
        assert_int_equal(verdicts.count, 1);
        double off = (double)verdicts.items[0].value - cases[i].value;
        if (off > 1e-9 || off < -1e-9 || verdicts.items[0].held != cases[i].held)
            fail_msg("%s: %.9Lf", cases[i].text, verdicts.items[0].value);
        assert_int_equal(verdicts.exceeded, !cases[i].held);
        gs_verdicts_close(&verdicts);
        gs_budget_free(budget);
    }
    gs_profile_free(profile);
}

static void hold(const gs_profile *profile, const char *text, uint64_t amount)
{
    gs_budget *budget = parsed(text);
    gs_verdicts verdicts;
    gs_error err;
    if (gs_verdicts_open(&verdicts, profile, budget, &err) != GS_OK)
        fail_msg("%s: %s", text, err.message);
    if (verdicts.items[0].amount != amount)
        fail_msg("%s: %" PRIu64, text, verdicts.items[0].amount);
    gs_verdicts_close(&verdicts);
    gs_budget_free(budget);
}

static void rename_function(gs_profile *profile, size_t function, const char *name)
{
    free(profile->functions.items[function].name);
    profile->functions.items[function].name = strdup(name);
}

/* What the compiler made of a function counts as that function, and nothing counts twice. */
static void test_clones(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    rename_function(profile, SMALL_EVEN, "fib.part.0");
    rename_function(profile, SMALL_ODD, "fib.constprop.0.cold");
    hold(profile, "functions: {fib: {cycles: 1}}", 51);
    hold(profile, "functions: {fib: {total-cycles: 1}}", 51);
    hold(profile, "functions: {fib: {calls: 1}}", 6); /* the five of fib, and main's of the part */
    hold(profile, "functions: {fib.part.0: {cycles: 1}}", 11);
    rename_function(profile, SMALL_MAIN, "main.constprop.0");
    hold(profile, "functions: {main: {total-cycles: 1}}", 151);
    gs_profile_free(profile);
}

static void test_not_there(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"functions:\n  gone: {cycles: 1}", "b.yaml:2: functions.gone: no function 'gone' was "
                                            "executed; 'gumshoe report --top 0' lists those "
                                            "that were"},
        {"functions:\n  mai: {cycles: 1}", "b.yaml:2: functions.mai: no function 'mai' was "
                                           "executed, but there is 'main'"},
        {"lines:\n  main.c:77: {cycles: 1}",
         "b.yaml:2: lines.main.c:77: no line main.c:77 was executed; 'gumshoe report --by line "
         "--top 0' lists those that were"},
        {"lines:\n  ain.c:10: {cycles: 1}", "b.yaml:2: lines.ain.c:10: no line ain.c:10 was"},
        {"loops:\n  - {function: main, cycles: 1}",
         "b.yaml:2: loops[0]: no loop of main was executed; "
         "'gumshoe report --by loop"},
        {"loops:\n  - {function: fib, line: 7, cycles: 1}",
         "b.yaml:2: loops[0]: no such loop of fib was executed; there are 2, at lines 20, 99"},
        {"loops:\n  - {function: fib, cycles: 1}",
         "b.yaml:2: loops[0]: fib has 2 loops, at lines 20, 99; number: 1 to 2 says which"},
    };
    gs_profile *profile = small_profile();
    gs_verdicts verdicts;
    gs_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_budget *budget = parsed(cases[i].text);
        assert_int_equal(gs_verdicts_open(&verdicts, profile, budget, &err), GS_E_FORMAT);
        if (strncmp(err.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s\nis: %s", cases[i].text, err.message);
        assert_null(strstr(err.message, "optional")); /* no advice that takes the limit away */
        gs_budget_free(budget);
    }
    for (size_t i = 0; i < profile->insns.count; i++) /* a program without line information */
        profile->insns.items[i].line = 0;
    gs_budget *lineless = parsed("loops:\n  - {function: fib, cycles: 1}");
    assert_int_equal(gs_verdicts_open(&verdicts, profile, lineless, &err), GS_E_FORMAT);
    assert_non_null(strstr(err.message, "fib has 2 loops, at addresses 0x00001010, 0x00001014; "));
    gs_budget_free(lineless);
    gs_budget *budget = parsed("functions: {gone: {cycles: 1, calls: 1, optional: true}}\n"
                               "loops: [{function: fib, line: 7, cycles: 1, optional: true}]\n");
    assert_int_equal(gs_verdicts_open(&verdicts, profile, budget, &err), GS_OK);
    assert_int_equal(verdicts.skipped, 3);
    assert_int_equal(verdicts.exceeded, 0);
    gs_verdicts_close(&verdicts);
    gs_budget_free(budget);
    gs_profile_free(profile);
}

/* A run without a core has instructions, and nothing to hold cycles against. */
static void test_untimed(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_budget *budget = parsed("program: {instructions: 101}\nfunctions: {fib: {calls: 5}}\n");
    gs_verdicts verdicts;
    gs_error err;
    profile->run.core[0] = '\0';
    assert_int_equal(gs_verdicts_open(&verdicts, profile, budget, &err), GS_OK);
    gs_verdicts_close(&verdicts);
    gs_budget_free(budget);
    budget = parsed("program:\n  cycles: 151\n");
    assert_int_equal(gs_verdicts_open(&verdicts, profile, budget, &err), GS_E_FORMAT);
    assert_string_equal(err.message, "b.yaml:2: program.cycles: the run was not timed; "
                                     "'gumshoe run --core' times one");
    gs_budget_free(budget);
    gs_profile_free(profile);
    profile = small_profile(); /* its core has no energy table */
    budget = parsed("program:\n  energy-fj: 1M\n");
    assert_int_equal(gs_verdicts_open(&verdicts, profile, budget, &err), GS_E_FORMAT);
    assert_non_null(
        strstr(err.message, "b.yaml:2: program.energy-fj: core flatfoot has no energy table"));
    gs_budget_free(budget);
    gs_profile_free(profile);
}

static void test_text(void **state)
{
    (void)state;
    gs_profile *profile = small_profile();
    gs_budget *budget = parsed("program:\n  cycles: 150\nfunctions:\n  fib:\n    calls: 1\n    "
                               "cycles: 1K\n  gone:\n    cycles: 1\n    optional: true\n");
    gs_check_options options = {0};
    char *text = NULL;
    size_t size = 0, exceeded = 0;
    gs_error err;
    FILE *to = open_memstream(&text, &size);
    assert_int_equal(gs_report_check(to, profile, budget, &options, &exceeded, &err), GS_OK);
    fclose(to);
    assert_int_equal(exceeded, 2);
    assert_non_null(strstr(
        text, "\n"
              "                 measured            limit       used\n"
              "EXCEEDED                5                1     500.0%  fib, calls  (b.yaml:5)\n"
              "EXCEEDED              151              150     100.7%  program, cycles  (b.yaml:2)\n"
              "\n"
              "2 of 4 limits exceeded; 1 skipped, because what they are for was not executed\n"));
    free(text);
    FILE *full = fopen("/dev/full", "w");
    assert_int_equal(gs_report_check(full, profile, budget, &options, NULL, &err), GS_E_IO);
    assert_int_equal(gs_report_check_json(full, profile, budget, &options, NULL, &err), GS_E_IO);
    fclose(full);
    gs_budget_free(budget);
    gs_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_verdicts),  cmocka_unit_test(test_clones),
        cmocka_unit_test(test_not_there), cmocka_unit_test(test_untimed),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
