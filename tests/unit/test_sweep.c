/*
 * Sweeps: what a description may say, which designs it has, formulas, and which points share a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "explore/sweep_linear.h"
#include "explore/sweep_results.h"

static gs_sweep *parsed(const char *text)
{
    gs_sweep *sweep;
    gs_error err;
    if (gs_sweep_parse(&sweep, "dir/s.yaml", text, strlen(text), &err) != GS_OK)
        fail_msg("%s", err.message);
    return sweep;
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"- a\n", "s.yaml:1: keys belong here: name, programs, core"},
        {"axes: {icache.size: [1K]}\n", "s.yaml:1: the key 'programs' is missing"},
        {"programs: a\n", "s.yaml:1: the key 'axes' is missing, or 'points'"},
        {"programs: a\ncolour: red\n", "s.yaml:2: colour: unknown key; allowed are name, programs"},
        {"programs: a\naxes:\n  icache.sise: [1]\n",
         "s.yaml:3: axes.icache.sise: no core has this key; docs/cores.md lists those"},
        {"programs: a\naxes: {icache.size: 4K}\n",
         "s.yaml:2: axes.icache.size: a list of values belongs here, or from, to and times"},
        {"programs: a\naxes: {icache.size: [4K, 4K]}\n", "4K is given twice"},
        {"programs: a\naxes: {icache.size: {from: 1, to: 2}}\n", "times or step, one of the two"},
        {"programs: a\naxes: {icache.size: {from: 4, to: 2, step: 1}}\n",
         "icache.size.to: a whole number from 4 belongs here"},
        {"programs: a\naxes: {icache.size: {from: 0, to: 2, times: 2}}\n",
         "icache.size.from: a whole number from 1 belongs here"},
        {"programs: a\naxes: {icache.size: [1K]}\nwhere: icache.size > dcache.size\n",
         "s.yaml:3: where: there is no axis 'dcache.size'"},
        {"programs: a\naxes: {icache.size: [1K]}\nwhere: icache.size > 1K\n",
         "s.yaml:3: where: no combination of these fulfils the constraints"},
        {"programs: a\naxes: {icache.size: [1K]}\nwhere: icache.size >\n",
         "s.yaml:3: where: formula 'icache.size >', at character 14: it ends too early"},
        {"programs: a\naxes: {memory.next: {from: 1, to: 4096, step: 1}, memory.first: {from: 1, "
         "to: 4096, step: 1}}\n",
         "the axes have more than 4194304 combinations"},
        {"programs: a\naxes: {memory.first: {from: 1, to: 9000, step: 1}}\n",
         "an axis has at most 4096 values"},
        {"programs: a\naxes: {icache.size: [1K]}\nseed: 3\n",
         "s.yaml:3: seed: this key has no meaning without sample"},
        {"programs: a\naxes: {icache.size: [1K]}\npoints: [{icache.size: 1K}]\n",
         "s.yaml:3: points: axes or points, one of the two"},
        {"programs: a\npoints: [{icache.size: 1K}]\nsample: 3\n",
         "s.yaml:3: sample: this is for axes"},
        {"programs: [a, b/a]\npoints: [{icache.size: 1K}]\n", "there are two programs 'a'"},
        {"programs: {name: a}\npoints: [{icache.size: 1K}]\n", "the key 'file' is missing"},
        {"programs: [[a.c, b]]\npoints: [{icache.size: 1K}]\n",
         "programs[0]: an executable belongs here, or C files"},
        {"programs: {file: a, flags: -O2}\npoints: [{icache.size: 1K}]\n",
         "flags are for C files, and this is a program"},
        {"programs: a\npoints: [{ram: big}]\n", "'big' is no size such as 64M"},
        {"programs: a\npoints: [{icache.size: 1K}]\nobjectives: [cycles, cycles]\n",
         "this objective is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_sweep *sweep;
        gs_error err;
        assert_int_equal(
            gs_sweep_parse(&sweep, "s.yaml", cases[i].text, strlen(cases[i].text), &err),
            GS_E_FORMAT);
        assert_null(sweep);
        if (!strstr(err.message, cases[i].message))
            fail_msg("'%s' is not in '%s'", cases[i].message, err.message);
    }
}

static void expect_label(const gs_sweep *sweep, size_t design, const char *wanted)
{
    char *label = gs_sweep_label(sweep, design);
    assert_string_equal(label, wanted);
    free(label);
}

static void test_combinations(void **state)
{
    (void)state;
    gs_sweep *sweep = parsed("programs: [a, b]\n"
                             "axes:\n"
                             "  icache.size: {from: 1K, to: 5K, times: 2}\n"
                             "  memory.first: {from: 4, to: 9, step: 4}\n"
                             "where: icache.size < 4K || memory.first == 8\n");
    assert_string_equal(gs_sweep_name(sweep), "s");
    assert_int_equal(gs_sweep_design_count(sweep), 5);
    assert_int_equal(gs_sweep_point_count(sweep), 10);
    assert_int_equal(gs_sweep_build_count(sweep), 2);
    expect_label(sweep, 0, "icache.size=1K memory.first=4");
    expect_label(sweep, 1, "icache.size=1K memory.first=8");
    expect_label(sweep, 4, "icache.size=4K memory.first=8");
    char *json = gs_sweep_settings_json(sweep, 4);
    assert_string_equal(json, "{\"icache.size\":\"4K\",\"memory.first\":\"8\"}");
    free(json);
    assert_string_equal(sweep->programs.items[0].files.items[0], "dir/a");
    gs_sweep_free(sweep);
}

static void test_points(void **state)
{
    (void)state;
    gs_sweep *sweep = parsed("programs: {file: [x.c, y.c], flags: -g}\n"
                             "core: ./own.yaml\n"
                             "set: {memory.write: 2, isa: rv32i}\n"
                             "points:\n"
                             "  - {icache.size: 4K}\n"
                             "  - {dcache.size: 8K, flags: -O3 -DX, core: b/c.yaml}\n");
    gs_sweep_design design;
    gs_error err;
    assert_int_equal(gs_sweep_design_count(sweep), 2);
    expect_label(sweep, 0, "icache.size=4K");
    assert_int_equal(gs_sweep_design_make(&design, sweep, 0, &err), GS_OK);
    assert_string_equal(design.core, "dir/./own.yaml");
    assert_int_equal(design.set_count, 3);
    assert_string_equal(design.set[0], "memory.write=2");
    assert_string_equal(design.set[2], "icache.size=4K");
    gs_sweep_design_clear(&design);
    assert_int_equal(gs_sweep_build_count(sweep), 2);
    const gs_sweep_build build = gs_sweep_build_at(sweep, 1);
    assert_int_equal(build.source_count, 2);
    assert_string_equal(build.sources[1], "dir/y.c");
    assert_int_equal(build.flag_count, 3);
    assert_string_equal(build.flags[0], "-g");
    assert_string_equal(build.flags[2], "-DX");
    assert_string_equal(build.core, "dir/b/c.yaml");
    assert_int_equal(build.set_count, 1);
    assert_string_equal(build.set[0], "isa=rv32i");
    gs_sweep_free(sweep);
}

/* A sample is what was asked for, has nothing twice, keeps the order and follows the seed. */
static void test_sample(void **state)
{
    (void)state;
    static const char text[] = "programs: a\n"
                               "axes: {memory.first: {from: 1, to: 100, step: 1}, memory.next: "
                               "{from: 1, to: 10, step: 1}}\n"
                               "where: memory.first != 50\n"
                               "sample: 37\nseed: %d\n";
    char one[300], other[300];
    snprintf(one, sizeof one, text, 1);
    snprintf(other, sizeof other, text, 2);
    gs_sweep *a = parsed(one), *b = parsed(one), *c = parsed(other);
    size_t different = 0;
    assert_int_equal(gs_sweep_design_count(a), 37);
    for (size_t i = 0; i < 37; i++) {
        const char *const *x = gs_sweep_values(a, i), *const *y = gs_sweep_values(b, i);
        const char *const *z = gs_sweep_values(c, i);
        assert_string_equal(x[0], y[0]);
        assert_string_equal(x[1], y[1]);
        different += strcmp(x[0], z[0]) != 0 || strcmp(x[1], z[1]) != 0;
        assert_string_not_equal(x[0], "50");
        if (i > 0) {
            const char *const *before = gs_sweep_values(a, i - 1);
            assert_true(100 * atoi(before[0]) + atoi(before[1]) < 100 * atoi(x[0]) + atoi(x[1]));
        }
    }
    assert_true(different > 18);
    gs_sweep_free(a);
    gs_sweep_free(b);
    gs_sweep_free(c);
}

static bool look_up(void *self, const char *name, gs_formula_value *value, gs_error *err)
{
    (void)self;
    *value = (gs_formula_value){.number = 3};
    if (strcmp(name, "word") == 0)
        value->text = "red";
    else if (strcmp(name, "three.x_1") != 0)
        return gs_fail(err, GS_E_FORMAT, "no %s", name) == GS_OK;
    return true;
}

static void test_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double result;
    } good[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * -3", -9},
        {"8 / 4 / 2 - 1 - 1", -1},
        {"7 % 4 + 4K + 0x10", 4115},
        {"1.5e1 + .5 + 2.5E-1", 15.75},
        {"three.x_1 == 3 && three.x_1 != 4", 1},
        {"1 < 2 || 1 / 0 > 1", 1},
        {"!0 + !7", 1},
        {"2 <= 1 ? 10 : 1 >= 1 ? 20 : 30", 20},
        {"word == \"red\" && word != 'blue' && word != 3", 1},
        {"min(3, 1, 2) + max(3, 5)", 6},
        {"ceil(log2(5)) + log2(8)", 6},
        {"--3", 3},
    };
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "at character 1: it ends too early"},
        {"1 +", "at character 4: it ends too early"},
        {"1 2", "at character 3: an operator belongs here"},
        {"(1", "a ) is missing"},
        {"min(1", "a , or a ) is missing"},
        {"sin(1)", "at character 1: there is no such function"},
        {"1 ? 2", "the : of a ? is missing"},
        {"'red", "the quote that ends this text is missing"},
        {"12abc", "at character 1: this is no number"},
        {"1 / 0", "the result is not finite"},
        {"word + 1", "'red' is no number to calculate with"},
        {"word", "'red' is no number to calculate with"},
        {"nothing", "no nothing"},
    };
    gs_formula *formula;
    gs_error err;
    double result;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (gs_formula_open(&formula, good[i].text, &err) ||
            gs_formula_evaluate(formula, look_up, NULL, &result, &err))
            fail_msg("%s: %s", good[i].text, err.message);
        if (result != good[i].result)
            fail_msg("%s is %g", good[i].text, result);
        gs_formula_free(formula);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gs_status status = gs_formula_open(&formula, bad[i].text, &err);
        if (status == GS_OK)
            status = gs_formula_evaluate(formula, look_up, NULL, &result, &err);
        assert_int_equal(status, GS_E_FORMAT);
        if (!strstr(err.message, bad[i].message))
            fail_msg("%s: %s", bad[i].text, err.message);
        gs_formula_free(formula);
    }
}

/* Bits of caches counted by hand: 1K of 16 bytes is 64 lines with 22 bits of tag and one valid. */
static void test_storage(void **state)
{
    (void)state;
    static const struct {
        const char *set[4];
        size_t count;
        uint64_t bits;
    } cases[] = {
        {{"icache.size=1K", "dcache=~"}, 2, 64 * (128 + 22 + 1)},
        {{"icache.size=1K", "icache.ways=2", "dcache=~"}, 3, 64 * (128 + 23 + 1) + 32},
        {{"icache.size=1K", "icache.ways=4", "icache.replacement=round-robin", "dcache=~"},
         4,
         64 * (128 + 24 + 1) + 16 * 2},
        {{"icache=~", "dcache.size=1K", "dcache.write=back"}, 3, 64 * (128 + 22 + 2)},
        {{"icache=~", "dcache=~"}, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_core *core;
        gs_error err;
        if (gs_core_open(&core, "flatfoot", cases[i].set, cases[i].count, &err))
            fail_msg("%s", err.message);
        assert_int_equal(gs_sweep_storage_bits(core), cases[i].bits);
        gs_core_free(core);
    }
}

/* Results of all designs of a description, their values made by `value`. */
static gs_sweep_results *made(const char *text,
                              double (*value)(const gs_sweep *, size_t design, size_t objective))
{
    gs_sweep_results *r = calloc(1, sizeof *r);
    r->sweep = parsed(text);
    r->count = r->sweep->design_count;
    r->front_objectives = r->sweep->objectives.count;
    r->outcomes = calloc(r->count, sizeof *r->outcomes);
    r->values = calloc(r->count * r->front_objectives, sizeof *r->values);
    r->within = 10;
    for (size_t i = 0; i < r->count; i++) {
        r->outcomes[i] =
            (gs_sweep_outcome){.design = i, .values = r->values + i * r->front_objectives};
        for (size_t k = 0; k < r->front_objectives; k++)
            r->outcomes[i].values[k] = value(r->sweep, i, k);
    }
    return r;
}

static double few(const gs_sweep *sweep, size_t design, size_t objective)
{
    (void)sweep;
    uint64_t z = (design * 3 + objective + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return (double)(z >> 40) / (1 << 19); /* 0 to 32 */
}

static double few_whole(const gs_sweep *sweep, size_t design, size_t objective)
{
    return (double)(long)few(sweep, design, objective); /* with many that are equal */
}

static bool is_beaten(const gs_sweep_results *r, size_t i)
{
    for (size_t k = 0; k < r->count; k++) {
        bool as_good = true, better = false;
        for (size_t o = 0; o < r->front_objectives; o++) {
            as_good &= r->outcomes[k].values[o] <= r->outcomes[i].values[o];
            better |= r->outcomes[k].values[o] < r->outcomes[i].values[o];
        }
        if (as_good && better)
            return true;
    }
    return false;
}

/* The front is what comparing all pairs says, and so are the best and the cheapest. */
static void test_front(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "programs: a\naxes: {memory.first: {from: 1, to: 700, step: 1}}\nobjectives: [a]\n",
        "programs: a\naxes: {memory.first: {from: 1, to: 700, step: 1}}\nobjectives: [a, b]\n",
        "programs: a\naxes: {memory.first: {from: 1, to: 700, step: 1}}\nobjectives: [a, b, c]\n",
    };
    for (size_t i = 0; i < 6; i++) {
        gs_sweep_results *r = made(texts[i / 2], i % 2 ? few : few_whole);
        gs_error err;
        assert_int_equal(gs_sweep_choose(r, &err), GS_OK);
        const size_t cost = r->front_objectives > 1;
        const double best = r->outcomes[r->best].values[0];
        const double *cheapest = r->outcomes[r->cheapest].values;
        assert_true(cheapest[0] <= best * 1.1);
        for (size_t k = 0; k < r->count; k++) {
            const double *values = r->outcomes[k].values;
            assert_int_equal(r->outcomes[k].front, !is_beaten(r, k));
            assert_true(values[0] >= best);
            assert_true(values[0] > best * 1.1 || values[cost] >= cheapest[cost]);
        }
        gs_sweep_results_free(r);
    }
}

/* Halves with each doubling up to 8K and loses 0.5% behind it; the other axis adds a tenth. */
static double halves(const gs_sweep *sweep, size_t design, size_t objective)
{
    static const double by_size[] = {800, 400, 200, 100, 99.5};
    const size_t second = design % 2, size = design / 2;
    (void)sweep;
    (void)objective;
    return by_size[size] * (second ? 1.1 : 1);
}

static void test_steps(void **state)
{
    (void)state;
    gs_sweep_results *r =
        made("programs: a\n"
             "axes: {icache.size: {from: 1K, to: 16K, times: 2}, memory.first: [1, 2]}\n"
             "objectives: cycles\n",
             halves);
    gs_sweep_step steps[5];
    gs_error err;
    assert_int_equal(gs_sweep_steps(r, 0, 0, steps, &err), GS_OK);
    assert_int_equal(steps[0].pairs, 0);
    for (size_t i = 1; i < 5; i++)
        assert_int_equal(steps[i].pairs, 2);
    for (size_t i = 1; i < 4; i++)
        assert_true(steps[i].ratio > 0.4999 && steps[i].ratio < 0.5001);
    assert_true(steps[4].ratio > 0.9949 && steps[4].ratio < 0.9951);
    assert_int_equal(gs_sweep_pays_to(steps, 5, 1), 3);
    assert_int_equal(gs_sweep_pays_to(steps, 5, 0.1), 4);
    assert_int_equal(gs_sweep_pays_to(steps, 5, 99), 0);
    assert_int_equal(gs_sweep_steps(r, 1, 0, steps, &err), GS_OK);
    assert_int_equal(steps[1].pairs, 5);
    assert_true(steps[1].ratio > 1.0999 && steps[1].ratio < 1.1001);
    assert_int_equal(gs_sweep_pays_to(steps, 2, 1), 0);
    gs_sweep_results_free(r);
}

static void test_numbers(void **state)
{
    (void)state;
    char text[GS_SWEEP_NUMBER];
    assert_string_equal(gs_sweep_number(text, 1234567), "1,234,567");
    assert_string_equal(gs_sweep_number(text, -999), "-999");
    assert_string_equal(gs_sweep_number(text, 0), "0");
    assert_string_equal(gs_sweep_number(text, 0.0121508), "0.012151");
    assert_string_equal(gs_sweep_number(text, 1e18), "1e+18");
}

static void test_linear(void **state)
{
    (void)state;
    static const char *const linear[] = {"memory.wait", "branch.taken", "classes.DIV.cycles",
                                         "classes.LOAD.refill"};
    static const char *const others[] = {
        "memory.first",     "first_retire", "classes.ALU.cycles", "classes.DEFAULT.cycles",
        "classes.DIV.step", "classes.DIV",  "icache.size",        "core"};
    gs_metrics base = {{1000, 500}}, other = {{1060, 500}}, odd = {{1061, 500}};
    gs_sweep_slope slope = {.at = 5};
    for (size_t i = 0; i < sizeof linear / sizeof *linear; i++)
        assert_true(gs_sweep_key_is_linear(linear[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(gs_sweep_key_is_linear(others[i]));
    assert_false(gs_sweep_slope_find(&slope, &base, &odd, 8));
    assert_true(gs_sweep_slope_find(&slope, &base, &other, 8));
    gs_metrics less = base;
    gs_sweep_slope_add(&slope, 2, &less);
    assert_int_equal(less.value[0], 940);
    assert_int_equal(less.value[1], 500);
    assert_true(gs_sweep_slope_find(&slope, &base, &less, 2));
    assert_int_equal(slope.counts[0], 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_points),   cmocka_unit_test(test_sample),
        cmocka_unit_test(test_formulas), cmocka_unit_test(test_storage),
        cmocka_unit_test(test_front),    cmocka_unit_test(test_steps),
        cmocka_unit_test(test_numbers),  cmocka_unit_test(test_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
