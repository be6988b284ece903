/*
 * What translating may cost: simulated runs, of translated code that saves time, that does not, and
 * that is never ready, stay within their bound whenever they end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast/tier/payback.h"

/* A program, by what its instructions take, in seconds. */
typedef struct program {
    bool quick; /* by the quick tier */
    double reference, translated;
    unsigned steps;             /* instructions to translate */
    double compiler;            /* seconds it takes for them; less than 0: for ever */
    uint64_t per_entry, length; /* instructions */
} program;

typedef struct outcome {
    double worst, whole; /* of all moments, and at the end: against the reference engine alone */
    bool translated;
} outcome;

static const double start = 0.01; /* seconds until the run begins */

static outcome simulate(const program *p)
{
    const uint64_t slice = 32768;
    gs_payback payback;
    gs_reading now = {.seconds = start};
    outcome found = {0};
    double begun = -1;
    gs_payback_begin(&payback, now);
    while (now.instructions < p->length) {
        const bool fast = found.translated && !gs_payback_rests(&payback, now.instructions);
        now.instructions += slice;
        now.seconds += (double)slice * (fast ? p->translated : p->reference);
        now.entries += fast ? slice / p->per_entry : 0;
        const double running = begun < 0 || found.translated ? 0 : now.seconds - begun;
        gs_payback_ran(&payback, now, running);
        if (begun < 0 &&
            gs_payback_steps(&payback, p->quick, gs_payback_slack(&payback, 0)) >= p->steps)
            begun = now.seconds;
        if (!found.translated && p->compiler >= 0 && running >= p->compiler) {
            found.translated = true;
            gs_payback_compiled(&payback, p->quick, p->compiler, p->steps);
            now.seconds += 20e-6 * p->steps;
            gs_payback_worked(&payback, now, p->quick, p->steps);
        }
        const double spent = now.seconds + (found.translated ? p->compiler : running);
        found.whole = spent / (start + (double)now.instructions * p->reference);
        if (found.whole > found.worst)
            found.worst = found.whole;
    }
    return found;
}

static void test_saves_time(void **state)
{
    (void)state;
    const outcome found = simulate(&(program){false, 10e-9, 0.5e-9, 100, 0.1, 100000, 1000000000});
    assert_true(found.translated);
    assert_true(found.worst < 1.1);
    assert_true(found.whole < 0.5);
}

static void test_short_program_compiles_nothing(void **state)
{
    (void)state;
    const outcome found = simulate(&(program){false, 10e-9, 0.5e-9, 100, 0.1, 100000, 15000000});
    assert_false(found.translated);
    assert_true(found.worst < 1.001);
}

/* The quick compiler pays on a tenth of that. */
static void test_short_program_compiles_quickly(void **state)
{
    (void)state;
    const outcome found = simulate(&(program){true, 10e-9, 1.6e-9, 60, 2e-3, 100000, 15000000});
    assert_true(found.translated);
    assert_true(found.worst < 1.1);
    assert_true(found.whole < 0.8);
}

/* Each entry of translated code costs more than it saves. */
static void test_loses_time(void **state)
{
    (void)state;
    const outcome found = simulate(&(program){false, 10e-9, 40e-9, 100, 0.1, 20, 2000000000});
    assert_true(found.translated);
    assert_true(found.worst < 1.15);
    assert_true(found.whole < 1.1);
}

/* Something else takes long, such as system calls: translated code goes on. */
static void test_is_not_to_blame(void **state)
{
    (void)state;
    gs_payback payback;
    gs_reading now = {.seconds = start};
    gs_payback_begin(&payback, now);
    now = (gs_reading){.seconds = start + 0.1, .instructions = 1000000, .entries = 10};
    gs_payback_ran(&payback, now, 0);
    assert_false(gs_payback_rests(&payback, now.instructions));
    now = (gs_reading){.seconds = start + 0.2, .instructions = 2000000, .entries = 100000};
    gs_payback_ran(&payback, now, 0);
    assert_true(gs_payback_rests(&payback, now.instructions));
}

/* A slow host, a slow compiler: estimates follow. */
static void test_learns_costs(void **state)
{
    (void)state;
    gs_payback payback;
    gs_reading now = {.seconds = start};
    gs_payback_begin(&payback, now);
    const double before = gs_payback_cost(&payback, false, 100),
                 quick = gs_payback_cost(&payback, true, 100);
    assert_true(quick < before / 5);
    for (unsigned i = 0; i < 8; i++)
        gs_payback_compiled(&payback, false, 10 * before, 100);
    assert_true(gs_payback_cost(&payback, false, 100) > 8 * before);
    assert_true(gs_payback_cost(&payback, true, 100) <= quick); /* another compiler */
    for (unsigned i = 0; i < 100; i++) {
        now.seconds += 0.01;
        now.instructions += 100000;
        gs_payback_ran(&payback, now, 0);
    }
    assert_true(payback.seconds_per_instruction > 99e-9 &&
                payback.seconds_per_instruction < 101e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saves_time),
        cmocka_unit_test(test_short_program_compiles_nothing),
        cmocka_unit_test(test_short_program_compiles_quickly),
        cmocka_unit_test(test_loses_time),
        cmocka_unit_test(test_is_not_to_blame),
        cmocka_unit_test(test_learns_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
