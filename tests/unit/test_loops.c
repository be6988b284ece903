/*
 * The frequent loop detector, by sequences worked out by hand; and all detectors of the
 * exploration against one at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "encode.h"
#include "units/loops/curve.h"
#include "units/loops/explore.h"
#include "units/loops/loops.h"
#include "units/loops/score.h"

static gs_insn decode(gs_arch arch, uint32_t word)
{
    static gs_decoder decoders[2];
    static bool ready[2];
    const gs_isa *isa = gs_isa_for(arch);
    if (!ready[arch])
        gs_decoder_init(&decoders[arch], isa, isa->all_extensions);
    ready[arch] = true;
    gs_insn insn;
    gs_decode(&insn, &decoders[arch], word);
    return insn;
}

/* One instruction of a program. */
static void beat(gs_loops *loops, gs_arch arch, uint32_t pc, uint32_t word, uint32_t next_pc)
{
    gs_insn insn = decode(arch, word);
    gs_port port = {.valid = true, .pc = pc, .next_pc = next_pc, .insn = word, .decoded = &insn};
    gs_loops_beat(loops, &port, gs_isa_for(arch));
}

/* The branch at `pc`, `times` times taken to 8 bytes before itself. */
static void take(gs_loops *loops, uint32_t pc, unsigned times)
{
    gs_insn insn = decode(GS_ARCH_RV32, rv_beq(-8));
    gs_port port = {.valid = true, .pc = pc, .next_pc = pc - 8, .decoded = &insn};
    for (unsigned i = 0; i < times; i++)
        gs_loops_beat(loops, &port, gs_isa_for(GS_ARCH_RV32));
}

static gs_loops detector(unsigned entries, unsigned ways, unsigned width, unsigned interval,
                         bool coalesce)
{
    gs_loops loops;
    gs_loops_reset(&loops, &(gs_loops_parameters){entries, ways, width, interval, 1024, coalesce});
    return loops;
}

static void expect(const gs_loops *loops, unsigned entry, uint32_t address, uint32_t frequency)
{
    assert_true(loops->cache[entry].valid);
    assert_int_equal(loops->cache[entry].address, address);
    assert_int_equal(loops->cache[entry].frequency, frequency);
}

static void test_what_counts(void **state)
{
    (void)state;
    gs_loops loops = detector(4, 1, 8, 1, false);
    beat(&loops, GS_ARCH_RV32, 0x1000, rv_beq(-8), 0x0ff8);     /* this does */
    beat(&loops, GS_ARCH_RV32, 0x1000, rv_beq(-8), 0x1004);     /* not taken */
    beat(&loops, GS_ARCH_RV32, 0x1000, rv_beq(8), 0x1008);      /* forward */
    beat(&loops, GS_ARCH_RV32, 0x1000, rv_jump(-1024), 0x0c00); /* just short enough */
    beat(&loops, GS_ARCH_RV32, 0x1000, rv_jump(-1028), 0x0bfc); /* too far */
    beat(&loops, GS_ARCH_RV32, 0x1000, rv_jump(0), 0x1000);     /* itself */
    beat(&loops, GS_ARCH_RV32, 0x1000, rv_call(-8), 0x0ff8);    /* a call */
    beat(&loops, GS_ARCH_RV32, 0x1000, RV_RET, 0x0ff8);         /* a return */
    beat(&loops, GS_ARCH_RV32, 0x1000, RV_ADD, 0x1004);
    assert_int_equal(loops.audit.branches, 3);
    expect(&loops, 0, 0x1000, 3);
}

/* On MIPS it shows with the delay slot whether a branch was taken. */
static void test_delay_slot(void **state)
{
    (void)state;
    gs_loops loops = detector(4, 1, 8, 1, false);
    beat(&loops, GS_ARCH_MIPS32, 0x1000, mips_beq(-8), 0x1004);
    assert_int_equal(loops.audit.branches, 0);
    beat(&loops, GS_ARCH_MIPS32, 0x1004, MIPS_NOP, 0x0ff8);
    assert_int_equal(loops.audit.branches, 1);
    expect(&loops, 0, 0x1000, 1);
    beat(&loops, GS_ARCH_MIPS32, 0x1000, mips_beq(-8), 0x1004); /* not taken */
    beat(&loops, GS_ARCH_MIPS32, 0x1004, MIPS_NOP, 0x1008);
    assert_int_equal(loops.audit.branches, 1);
    /* A trap in the slot: the branch comes again. */
    beat(&loops, GS_ARCH_MIPS32, 0x1000, mips_beq(-8), 0x1004);
    gs_port trap = {.trap = true, .pc = 0x1004, .next_pc = 0x0ff8};
    gs_loops_beat(&loops, &trap, gs_isa_for(GS_ARCH_MIPS32));
    assert_false(loops.pending);
    assert_int_equal(loops.audit.branches, 1);
}

/*
 * Two sets of two ways; addresses 0x1000, 0x1008, 0x1010 ... have set 0, 0x1004 ... set 1.
 *
 *   3 x 0x1000   way 0: 1000 = 3
 *   2 x 0x1008   way 1: 1008 = 2
 *   1 x 0x1010   full: 1008 is rarer and lost; way 1: 1010 = 1
 *   1 x 0x1008   1010 is rarer: way 1: 1008 = 1
 *   2 x 0x1008   way 1: 1008 = 3
 *   1 x 0x1018   equal: the first way is lost; way 0: 1018 = 1
 */
static void test_eviction(void **state)
{
    (void)state;
    gs_loops loops = detector(4, 2, 8, 1, false);
    take(&loops, 0x1000, 3);
    take(&loops, 0x1008, 2);
    expect(&loops, 0, 0x1000, 3);
    expect(&loops, 1, 0x1008, 2);
    take(&loops, 0x1010, 1);
    expect(&loops, 1, 0x1010, 1);
    take(&loops, 0x1008, 1);
    expect(&loops, 1, 0x1008, 1);
    take(&loops, 0x1008, 2);
    take(&loops, 0x1018, 1);
    expect(&loops, 0, 0x1018, 1);
    expect(&loops, 1, 0x1008, 3);
    assert_false(loops.cache[2].valid);
    take(&loops, 0x1004, 1);
    expect(&loops, 2, 0x1004, 1);
    assert_int_equal(loops.audit.evictions, 3);
}

/*
 * Four bits, up to 15. 0x1004 has 5 and 0x1000 15; the next 0x1000 would be 16, a carry: all are
 * halved, 5 to 2, and 16 to 8.
 */
static void test_halving(void **state)
{
    (void)state;
    gs_loops loops = detector(4, 1, 4, 1, false);
    take(&loops, 0x1004, 5);
    take(&loops, 0x1000, 15);
    expect(&loops, 0, 0x1000, 15);
    expect(&loops, 1, 0x1004, 5);
    assert_int_equal(loops.audit.halvings, 0);
    take(&loops, 0x1000, 1);
    expect(&loops, 0, 0x1000, 8);
    expect(&loops, 1, 0x1004, 2);
    assert_int_equal(loops.audit.halvings, 1);
}

/*
 * With coalescing nothing reaches the cache until another branch comes. The register counts to 15;
 * the 16th makes it 8 and halves the cache, the 24th again.
 *
 *   5 x 0x1004, 23 x 0x1000: 1004 = 5 goes to the cache with the first 0x1000; halved to 2
 *   the 24th 0x1000: register 8, 1004 = 1
 *   1 x 0x1004: the cache gets 1000 = 8
 *   at the end: 1 + 1 for 1004
 */
static void test_coalescing(void **state)
{
    (void)state;
    gs_loops loops = detector(4, 1, 4, 1, true);
    take(&loops, 0x1004, 5);
    assert_false(loops.cache[1].valid);
    assert_int_equal(loops.coal_frequency, 5);
    take(&loops, 0x1000, 15);
    expect(&loops, 1, 0x1004, 5);
    assert_int_equal(loops.hold_address, 0x1004);
    assert_int_equal(loops.hold_frequency, 5);
    assert_int_equal(loops.coal_frequency, 15);
    take(&loops, 0x1000, 8);
    assert_int_equal(loops.coal_frequency, 15);
    expect(&loops, 1, 0x1004, 2);
    take(&loops, 0x1000, 1);
    assert_int_equal(loops.coal_frequency, 8);
    expect(&loops, 1, 0x1004, 1);
    take(&loops, 0x1004, 1);
    expect(&loops, 0, 0x1000, 8);
    gs_loops_end(&loops);
    expect(&loops, 1, 0x1004, 2);
    assert_int_equal(loops.audit.updates, 3);
    assert_int_equal(loops.audit.halvings, 2);
}

/* An addition can carry as well: 12 + 9 = 21, of which 10 is kept; and 7 elsewhere becomes 3. */
static void test_carry_of_a_sum(void **state)
{
    (void)state;
    gs_loops loops = detector(4, 1, 4, 1, true);
    take(&loops, 0x1000, 12);
    take(&loops, 0x1004, 7);
    take(&loops, 0x1000, 9);
    expect(&loops, 0, 0x1000, 12);
    gs_loops_end(&loops);
    expect(&loops, 0, 0x1000, 10);
    expect(&loops, 1, 0x1004, 3);
}

/* Of 7 branches the 3rd and the 6th are counted. */
static void test_sampling(void **state)
{
    (void)state;
    gs_loops loops = detector(4, 1, 8, 3, false);
    take(&loops, 0x1000, 2);
    take(&loops, 0x1004, 3);
    take(&loops, 0x1008, 2);
    assert_false(loops.cache[0].valid);
    expect(&loops, 1, 0x1004, 1);
    expect(&loops, 2, 0x1008, 1);
    assert_int_equal(loops.sample, 1);
    assert_int_equal(loops.audit.sampled, 2);
}

/*
 * Table 2 of the paper, for epic. It prints .189, but its row of roots averages .1235, and
 * 1 - SOD is 87.6% in table 3.
 */
static void test_published_score(void **state)
{
    (void)state;
    static const double actual[] = {.47939, .25448, .03196, .02011, .01414,
                                    .01414, .01341, .01341, .01341, .01341};
    static const double predicted[] = {.57168, .30348, .03811, .02398, 0, .01686, .01599, 0, 0, 0};
    static const double roots[] = {.30379, .22136, .07842, .06197, .11891,
                                   .05215, .05079, .11580, .11580, .11580};
    double sum = 0;
    for (size_t i = 0; i < 10; i++) {
        assert_true(fabs(sqrt(fabs(actual[i] - predicted[i])) - roots[i]) < 0.0003);
        sum += roots[i];
    }
    double sod = gs_loops_sod(actual, predicted, 10);
    assert_true(fabs(sod - sum / 10) < 0.0001);
    assert_true(fabs(sod - 0.1235) < 0.0001);
    assert_true(fabs(100 * (1 - sod) - 87.6) < 0.06);
    assert_true(gs_loops_sod(actual, actual, 10) == 0);
    assert_true(gs_loops_sod((double[]){1}, (double[]){0}, 1) == 0.1); /* ten, always */
}

static uint32_t seed = 12345;

static uint32_t draw(uint32_t below)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % below;
}

/* Runs of branches: few addresses often, many rarely, long runs now and then. */
static void test_exploration_is_exact(void **state)
{
    (void)state;
    enum { RUNS = 1500 };
    static uint32_t addresses[RUNS];
    static unsigned times[RUNS];
    for (unsigned i = 0; i < RUNS; i++) {
        addresses[i] = 0x1000 + 4 * (draw(4) ? draw(40) : draw(400));
        times[i] = draw(60) == 0 ? 1 + draw(5000) : 1 + draw(5);
    }
    gs_explore *explore = gs_explore_open();
    assert_non_null(explore);
    for (unsigned i = 0; i < RUNS; i++)
        gs_explore_branch(explore, addresses[i], times[i]);
    gs_explore_end(explore);
    unsigned halved = 0, evicted = 0;
    for (size_t c = 0; c < GS_EXPLORE_COUNT; c++) {
        static gs_loops one;
        gs_loops_parameters is = gs_explore_parameters(c);
        gs_loops_entry cache[GS_EXPLORE_ENTRIES_MAX];
        /* All would take long; those with coarse sampling, and some of the others. */
        if (is.interval < 25 && c % 7 != 0)
            continue;
        is.distance = 1024;
        gs_loops_reset(&one, &is);
        for (unsigned i = 0; i < RUNS; i++)
            take(&one, addresses[i], times[i]);
        gs_loops_end(&one);
        gs_explore_cache(explore, c, cache);
        for (unsigned i = 0; i < is.entries; i++) {
            assert_int_equal(cache[i].valid, one.cache[i].valid);
            assert_int_equal(cache[i].address, one.cache[i].address);
            assert_int_equal(cache[i].frequency, one.cache[i].frequency);
        }
        halved += one.audit.halvings > 0;
        evicted += one.audit.evictions > 0;
    }
    assert_true(halved > 50 && evicted > 200); /* something was tested */
    gs_explore_free(explore);
}

static void test_configurations(void **state)
{
    (void)state;
    gs_loops_parameters first = gs_explore_parameters(0);
    gs_loops_parameters last = gs_explore_parameters(GS_EXPLORE_COUNT - 1);
    assert_int_equal(GS_EXPLORE_COUNT, 1392);
    assert_true(first.entries == 16 && first.ways == 1 && first.width == 4 && first.interval == 1);
    assert_true(last.entries == 64 && last.ways == 8 && last.width == 32 && last.interval == 50);
    /* 32 entries of valid, 31 - 4 bits of tag and 24 of frequency; two registers; no sampler */
    gs_loops_parameters published = {32, 2, 24, 1, 1024, true};
    assert_int_equal(gs_loops_bits(&published), 32 * (1 + 27 + 24) + 1 + 2 * (31 + 24));
    published.coalesce = false;
    published.interval = 50;
    assert_int_equal(gs_loops_bits(&published), 32 * (1 + 27 + 24) + 6);
}

/*
 * Outer loop 0x1000..0x1010, inner loop 0x1004..0x1008, of a function of 40 bytes:
 *
 *   1000  add       10 cycles
 *   1004  add       90        inner
 *   1008  beq -4    90        inner, taken 80 times
 *   100c  add       10
 *   1010  beq -16   10        taken 9 times
 *   1014  add        1        outside
 */
static void test_truth_and_curve(void **state)
{
    (void)state;
    static const struct {
        uint32_t pc, word;
        uint64_t executions, taken;
    } code[] = {
        {0x1000, RV_ADD, 10, 0}, {0x1004, RV_ADD, 90, 0}, {0x1008, 0, 90, 80},
        {0x100c, RV_ADD, 10, 0}, {0x1010, 0, 10, 9},      {0x1014, RV_ADD, 1, 0},
    };
    gs_truth_insn insns[6];
    gs_truth truth = {.insns = insns, .insn_count = 6};
    for (size_t i = 0; i < 6; i++) {
        uint32_t word = code[i].word;
        if (!word)
            word = rv_beq(code[i].pc == 0x1008 ? -4 : -16);
        insns[i] = (gs_truth_insn){
            .pc = code[i].pc,
            .insn = decode(GS_ARCH_RV32, word),
            .executions = code[i].executions,
            .taken = code[i].taken,
        };
        insns[i].cost.value[GS_METRIC_CYCLES] = code[i].executions;
        truth.total.value[GS_METRIC_CYCLES] += code[i].executions;
    }
    gs_loops_truths loops;
    assert_true(gs_loops_find_truth(&loops, &truth, gs_isa_for(GS_ARCH_RV32), 1024));
    assert_int_equal(loops.count, 2);
    assert_int_equal(loops.taken, 89);
    assert_int_equal(loops.items[0].address, 0x1008);
    assert_int_equal(loops.items[0].cycles, 180);
    assert_int_equal(loops.items[1].cycles, 210);

    gs_curve curve;
    assert_true(gs_curve_find(&curve, &truth, &loops));
    assert_int_equal(curve.count, 2);
    assert_int_equal(curve.cycles, 211);
    assert_int_equal(curve.items[0].address, 0x1008);
    assert_int_equal(curve.items[0].bytes, 8);
    assert_int_equal(curve.items[0].cycles, 180);
    assert_int_equal(curve.items[1].bytes, 20);
    assert_int_equal(curve.items[1].cycles, 210);
    free(curve.items);

    /* 8 of 10 and 2 of 10 predicted; 80 and 9 of 89 in truth. */
    gs_loops_entry cache[3] = {{true, 0x1008, 8}, {false, 0x1010, 5}, {true, 0x1010, 2}};
    double wanted = 1 - (sqrt(80.0 / 89 - 0.8) + sqrt(0.2 - 9.0 / 89)) / 10;
    assert_true(fabs(gs_loops_accuracy(cache, 3, &loops) - wanted) < 1e-12);
    free(loops.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_counts),
        cmocka_unit_test(test_delay_slot),
        cmocka_unit_test(test_eviction),
        cmocka_unit_test(test_halving),
        cmocka_unit_test(test_coalescing),
        cmocka_unit_test(test_carry_of_a_sum),
        cmocka_unit_test(test_sampling),
        cmocka_unit_test(test_published_score),
        cmocka_unit_test(test_exploration_is_exact),
        cmocka_unit_test(test_configurations),
        cmocka_unit_test(test_truth_and_curve),
    };
    return cmocka_run_group_tests_name("loops", tests, NULL, NULL);
}
