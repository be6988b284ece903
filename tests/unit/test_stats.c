/*
 * The Statistics Module, by sequences worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "encode.h"
#include "units/stats/stats.h"

enum { KEPT = 16 };

typedef struct network {
    gs_stats_record record[KEPT];
    unsigned count;
    uint32_t interval;
} network;

static void receive(void *self, const gs_stats_record *record, uint64_t times)
{
    network *to = self;
    assert_true(to->count + times <= KEPT);
    for (uint64_t i = 0; i < times; i++) {
        gs_stats_record *next = &to->record[to->count++];
        *next = *record;
        next->sequence += (uint32_t)i;
        next->cycle += i * to->interval;
    }
}

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

/* Range 0 is everything, range 1 0x1000 to 0x10ff. */
static gs_stats module(network *to, uint32_t interval, unsigned width)
{
    gs_stats stats = {.width = width, .interval = interval, .dispatch = receive};
    *to = (network){.interval = interval};
    stats.dispatch_self = to;
    stats.range[0].last = UINT32_MAX;
    stats.range[1].first = 0x1000;
    stats.range[1].last = 0x10ff;
    gs_stats_reset(&stats);
    return stats;
}

static void count(gs_stats *stats, unsigned signal, unsigned range)
{
    stats->signal_of[stats->count] = (uint8_t)signal;
    stats->range_of[stats->count++] = (uint8_t)range;
}

/* An instruction that took so many clocks, all but one of them a load-use stall. */
static void beat(gs_stats *stats, uint32_t pc, uint64_t cycles)
{
    gs_insn insn = decode(GS_ARCH_RV32, RV_ADD);
    gs_port port = {.valid = true, .pc = pc, .next_pc = pc + 4, .cycles = cycles, .decoded = &insn};
    port.stall[GS_STALL_LOAD_USE] = cycles ? cycles - 1 : 0;
    gs_stats_beat(stats, &port, gs_isa_for(GS_ARCH_RV32));
}

static void expect_record(const network *from, unsigned index, uint64_t cycle, uint32_t value,
                          uint64_t total, bool last)
{
    const gs_stats_record *record = &from->record[index];
    assert_true(index < from->count);
    assert_int_equal(record->sequence, index);
    assert_int_equal(record->cycle, cycle);
    assert_int_equal(record->value[0], value);
    assert_int_equal(record->total[0], total);
    assert_int_equal(record->last, last);
}

/*
 * An instruction in every clock, an interval of 4. The timer is 0 in clocks 4, 8, ...: it
 * dispatches what clocks 1 to 3 counted, and the instruction of clock 4 is there when the counter
 * is reset, so it becomes 1. From then on every interval has 4. The program ends with clock 10: the
 * timer still runs to clock 12.
 */
static void test_reset_to_one(void **state)
{
    (void)state;
    network net;
    gs_stats stats = module(&net, 4, 32);
    count(&stats, GS_STATS_INSTRUCTION, 0);
    for (unsigned i = 0; i < 3; i++)
        beat(&stats, 0x1000, 1);
    assert_int_equal(stats.counter[0], 3);
    assert_int_equal(stats.timer, 1);
    assert_int_equal(net.count, 0);
    beat(&stats, 0x1000, 1);
    assert_int_equal(stats.counter[0], 1);
    assert_int_equal(stats.timer, 4);
    for (unsigned i = 0; i < 6; i++)
        beat(&stats, 0x1000, 1);
    assert_int_equal(net.count, 2);
    gs_stats_end(&stats);
    assert_int_equal(net.count, 3);
    expect_record(&net, 0, 4, 3, 3, false);
    expect_record(&net, 1, 8, 4, 7, false);
    expect_record(&net, 2, 12, 3, 10, true);
    /* Frozen. */
    beat(&stats, 0x1000, 100);
    gs_stats_end(&stats);
    assert_int_equal(net.count, 3);
    assert_int_equal(stats.counter[0], 0);
}

/*
 * A beat of 10 clocks over intervals of 4: dispatches in clocks 4 and 8 see nothing of it, because
 * its address is known with its last clock only. Then 2 clocks, up to clock 12: the dispatch comes
 * first, with the 10 of before; the 2 are left in the counter.
 */
static void test_long_beats(void **state)
{
    (void)state;
    network net;
    gs_stats stats = module(&net, 4, 32);
    count(&stats, GS_STATS_CYCLE, 0);
    beat(&stats, 0x1000, 10);
    assert_int_equal(net.count, 2);
    expect_record(&net, 0, 4, 0, 0, false);
    expect_record(&net, 1, 8, 0, 0, false);
    assert_int_equal(stats.counter[0], 10);
    beat(&stats, 0x1000, 2);
    expect_record(&net, 2, 12, 10, 10, false);
    assert_int_equal(stats.counter[0], 2);
    beat(&stats, 0x1000, 0); /* a second instruction in the same clock */
    assert_int_equal(stats.counter[0], 2);
    gs_stats_end(&stats);
    expect_record(&net, 3, 16, 2, 12, true);
}

/* An interval of 4, 3 clocks, and 30 more: the 3 are sent in clock 4, seven times nothing, and 30
 * are kept. */
static void test_sleep(void **state)
{
    (void)state;
    network net;
    gs_stats stats = module(&net, 4, 32);
    count(&stats, GS_STATS_CYCLE, 0);
    beat(&stats, 0x1000, 3);
    beat(&stats, 0x1000, 30);
    assert_int_equal(net.count, 8);
    expect_record(&net, 0, 4, 3, 3, false);
    for (unsigned i = 1; i < 8; i++)
        expect_record(&net, i, 4 + 4 * i, 0, 3, false);
    assert_int_equal(stats.cycle, 33);
    assert_int_equal(stats.timer, 3);
    assert_int_equal(stats.counter[0], 30);
    gs_stats_end(&stats);
    expect_record(&net, 8, 36, 30, 33, true);
}

/* Five bits: 31 and not more; what was beyond is lost to the total too. */
static void test_saturation(void **state)
{
    (void)state;
    network net;
    gs_stats stats = module(&net, 0, 5);
    count(&stats, GS_STATS_CYCLE, 0);
    beat(&stats, 0x1000, 30);
    assert_int_equal(stats.counter[0], 30);
    beat(&stats, 0x1000, 1);
    assert_int_equal(stats.counter[0], 31);
    beat(&stats, 0x1000, 1000);
    assert_int_equal(stats.counter[0], 31);
    gs_stats_end(&stats);
    expect_record(&net, 0, 1031, 31, 31, true);

    stats = module(&net, 0, 32);
    count(&stats, GS_STATS_CYCLE, 0);
    beat(&stats, 0x1000, 0xfffffffe);
    beat(&stats, 0x1000, 1);
    assert_int_equal(stats.counter[0], 0xffffffff);
    beat(&stats, 0x1000, 5);
    assert_int_equal(stats.counter[0], 0xffffffff);
}

/* Two counters may share a range, and ranges end where they say. */
static void test_ranges(void **state)
{
    (void)state;
    network net;
    gs_stats stats = module(&net, 0, 32);
    count(&stats, GS_STATS_INSTRUCTION, 1);
    count(&stats, GS_STATS_FIRST_STALL + GS_STALL_LOAD_USE, 1);
    count(&stats, GS_STATS_STALL, 0);
    beat(&stats, 0x0ffc, 2);
    beat(&stats, 0x1000, 3);
    beat(&stats, 0x10fc, 4);
    beat(&stats, 0x1100, 5);
    assert_int_equal(stats.counter[0], 2);
    assert_int_equal(stats.counter[1], 2 + 3);
    assert_int_equal(stats.counter[2], 1 + 2 + 3 + 4);
}

static void branch(gs_stats *stats, gs_arch arch, uint32_t pc, uint32_t word, uint32_t next_pc)
{
    gs_insn insn = decode(arch, word);
    gs_port port = {.valid = true, .pc = pc, .next_pc = next_pc, .cycles = 1, .decoded = &insn};
    gs_stats_beat(stats, &port, gs_isa_for(arch));
}

/* A MIPS branch is charged where it stands, though its slot, here out of range, decides it. */
static void test_branches(void **state)
{
    (void)state;
    network net;
    gs_stats stats = module(&net, 0, 32);
    count(&stats, GS_STATS_BRANCH, 1);
    count(&stats, GS_STATS_TAKEN, 1);
    branch(&stats, GS_ARCH_RV32, 0x1000, rv_beq(-8), 0x0ff8);
    branch(&stats, GS_ARCH_RV32, 0x1000, rv_beq(-8), 0x1004);
    branch(&stats, GS_ARCH_RV32, 0x1000, rv_jump(-8), 0x0ff8); /* not a conditional one */
    assert_int_equal(stats.counter[0], 2);
    assert_int_equal(stats.counter[1], 1);

    stats = module(&net, 0, 32);
    count(&stats, GS_STATS_BRANCH, 1);
    count(&stats, GS_STATS_TAKEN, 1);
    branch(&stats, GS_ARCH_MIPS32, 0x10fc, mips_beq(-8), 0x1100);
    assert_int_equal(stats.counter[1], 0);
    branch(&stats, GS_ARCH_MIPS32, 0x1100, MIPS_NOP, 0x10f4);
    assert_int_equal(stats.counter[0], 1);
    assert_int_equal(stats.counter[1], 1);
    branch(&stats, GS_ARCH_MIPS32, 0x10fc, mips_beq(-8), 0x1100);
    branch(&stats, GS_ARCH_MIPS32, 0x1100, MIPS_NOP, 0x1104); /* not taken */
    assert_int_equal(stats.counter[1], 1);
}

/* A trap has no clock and no instruction, and belongs to the first instruction of the handler. */
static void test_traps(void **state)
{
    (void)state;
    network net;
    gs_stats stats = module(&net, 0, 32);
    count(&stats, GS_STATS_TRAP, 1);
    count(&stats, GS_STATS_INSTRUCTION, 0);
    count(&stats, GS_STATS_CYCLE, 0);
    gs_port trap = {.trap = true, .pc = 0x2000, .next_pc = 0x1000};
    gs_stats_beat(&stats, &trap, gs_isa_for(GS_ARCH_RV32));
    assert_int_equal(stats.counter[0] + stats.counter[1] + stats.counter[2], 0);
    beat(&stats, 0x1000, 1);
    assert_int_equal(stats.counter[0], 1);
    assert_int_equal(stats.counter[1], 1);
    assert_int_equal(stats.counter[2], 1);
    beat(&stats, 0x1004, 1);
    assert_int_equal(stats.counter[0], 1);
    /* A handler that cannot even begin: the next instruction that retires has both. */
    gs_stats_beat(&stats, &trap, gs_isa_for(GS_ARCH_RV32));
    gs_stats_beat(&stats, &trap, gs_isa_for(GS_ARCH_RV32));
    beat(&stats, 0x10fc, 1);
    assert_int_equal(stats.counter[0], 3);
    gs_stats_beat(&stats, &trap, gs_isa_for(GS_ARCH_RV32));
    beat(&stats, 0x1100, 1);
    assert_int_equal(stats.counter[0], 3);
}

static void test_wires(void **state)
{
    (void)state;
    network net;
    gs_stats stats = module(&net, 0, 32);
    static const unsigned signals[] = {GS_STATS_I_HIT,     GS_STATS_I_MISS, GS_STATS_D_HIT,
                                       GS_STATS_D_MISS,    GS_STATS_READ,   GS_STATS_WRITE,
                                       GS_STATS_MISPREDICT};
    for (size_t i = 0; i < 7; i++)
        count(&stats, signals[i], 0);
    gs_insn insn = decode(GS_ARCH_RV32, RV_ADD);
    gs_port port = {.valid = true,
                    .cycles = 1,
                    .decoded = &insn,
                    .icache_hits = 2,
                    .icache_misses = 3,
                    .dcache_hits = 4,
                    .dcache_misses = 5,
                    .read = true,
                    .write = true,
                    .mispredict = true};
    gs_stats_beat(&stats, &port, gs_isa_for(GS_ARCH_RV32));
    static const uint32_t wanted[] = {2, 3, 4, 5, 1, 1, 1};
    assert_memory_equal(stats.counter, wanted, sizeof wanted);
}

/* Keys are found again, and where the exact profile counts the same, it says the same word. */
static void test_signals(void **state)
{
    (void)state;
    for (unsigned i = 0; i < GS_STATS_SIGNAL_COUNT; i++) {
        unsigned found;
        gs_metric metric;
        assert_true(gs_stats_signal_find(gs_stats_signal_key(i), &found));
        assert_int_equal(found, i);
        if (i >= GS_STATS_FIRST_STALL) {
            assert_true(gs_stats_signal_exact(i, &metric));
            assert_string_equal(gs_metric_key(metric), gs_stats_signal_key(i));
        }
    }
    unsigned none;
    assert_false(gs_stats_signal_find("luck", &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reset_to_one), cmocka_unit_test(test_long_beats),
        cmocka_unit_test(test_sleep),        cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_ranges),       cmocka_unit_test(test_branches),
        cmocka_unit_test(test_traps),        cmocka_unit_test(test_wires),
        cmocka_unit_test(test_signals),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
