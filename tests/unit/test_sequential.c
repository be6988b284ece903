/*
 * The sequential model: every cost is a sum, and the numbers are the description's. Those of Ibex
 * were measured on its RTL (cores/ibex-small.yaml).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "timing_rig.h"

enum {
    NOP = 0x00000013,
    C_NOP = 0x0001,
    SLLI = 0x01f59513,
    MUL = 0x02c58533,
    MULH = 0x02c59533,
    MULHU = 0x02c5b533,
    DIV = 0x02c5c533,
    REMU = 0x02c5f533,
    LW = 0x0005a503,
    LH = 0x00059503,
    SW = 0x00a5a023,
    BEQ = 0x00000063,
    C_BEQZ = 0xc101,
    JAL = 0x0000006f,
    JALR = 0x00008067,
    CSRR = 0xb0002573, /* mcycle */
    FENCE = 0x0ff0000f,
    FENCE_I = 0x0000100f,
    MRET = 0x30200073,
};

enum { AT = RIG_CODE + 0x40, GOAL = RIG_CODE + 0x80 };

static void begin(rig *r, const char *core, const char *set)
{
    rig_open(r, core, set);
    rig_put(r, RIG_CODE, NOP);
    rig_step(r, RIG_CODE);
}

static uint64_t cost(const char *core, const char *set, uint32_t at, uint32_t insn)
{
    rig r;
    begin(&r, core, set);
    rig_put(&r, at, insn);
    uint64_t cycles = rig_operands(&r, at, 100, 7);
    rig_close(&r);
    return cycles;
}

/* Of the instruction at AT, of the one that comes next, and what a clock shows in between. */
typedef struct pair {
    unsigned own, next, clock;
} pair;

static pair cost_of_leaving(const char *core, const char *set, uint32_t insn, uint32_t goal,
                            uint32_t there)
{
    rig r;
    pair costs;
    begin(&r, core, set);
    rig_put(&r, rig_put(&r, AT, insn), NOP);
    rig_put(&r, goal, there);
    uint64_t before = gs_timing_clock(r.timing);
    costs.own = (unsigned)rig_jump(&r, AT, goal);
    costs.clock = (unsigned)(gs_timing_clock(r.timing) - before);
    costs.next = (unsigned)rig_step(&r, goal);
    assert_int_equal(gs_timing_clock(r.timing), gs_timing_cycles(r.timing));
    rig_close(&r);
    return costs;
}

static void expect_leaving(const char *core, const char *set, uint32_t insn, uint32_t goal,
                           uint32_t there, unsigned own, unsigned next)
{
    pair costs = cost_of_leaving(core, set, insn, goal, there);
    assert_int_equal(costs.own, own);
    assert_int_equal(costs.next, next);
    assert_int_equal(costs.clock, own + next - 1);
}

/* Of the instruction at AT, and of the one behind it. */
static void expect_straight(uint32_t at, uint32_t insn, uint32_t behind, unsigned own,
                            unsigned next)
{
    rig r;
    begin(&r, "ibex-small", NULL);
    uint32_t after = rig_put(&r, at, insn);
    rig_put(&r, after, behind);
    assert_int_equal(rig_operands(&r, at, 100, 7), own);
    assert_int_equal(rig_step(&r, after), next);
    assert_int_equal(rig_step(&r, after), 1);
    rig_close(&r);
}

static uint64_t cost_of_access(const char *set, uint32_t insn, uint32_t address, unsigned size)
{
    rig r;
    begin(&r, "ibex-small", set);
    rig_put(&r, AT, insn);
    uint64_t cycles = rig_access(&r, AT, address, size);
    rig_close(&r);
    return cycles;
}

/* Whatever it is, one cycle, from the first on. */
static void ideal(void **state)
{
    static const uint32_t insns[] = {NOP, C_NOP, SLLI, MUL, DIV, BEQ, CSRR, FENCE_I, MRET};
    rig r;
    (void)state;
    for (size_t i = 0; i < sizeof insns / sizeof *insns; i++)
        assert_int_equal(cost("ideal", NULL, AT, insns[i]), 1);
    expect_leaving("ideal", NULL, JALR, GOAL + 2, NOP, 1, 1);
    begin(&r, "ideal", NULL);
    assert_int_equal(gs_timing_cycles(r.timing), 1);
    rig_put(&r, AT, SW);
    assert_int_equal(rig_access(&r, AT, RIG_DATA + 3, 4), 1);
    rig_close(&r);
}

static void ibex_classes(void **state)
{
    static const struct {
        uint32_t insn;
        unsigned cycles;
    } rows[] = {{NOP, 1},   {SLLI, 1}, {MUL, 3},  {MULH, 4},  {MULHU, 4},  {DIV, 37},
                {REMU, 37}, {BEQ, 1},  {CSRR, 1}, {FENCE, 1}, {FENCE_I, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(cost("ibex-small", NULL, AT, rows[i].insn), rows[i].cycles);
        /* straight on, 4 bytes at 2 mod 4 have been prefetched */
        assert_int_equal(cost("ibex-small", NULL, AT + 2, rows[i].insn), rows[i].cycles);
    }
}

static void ibex_starts_with_cycle_5(void **state)
{
    rig r;
    (void)state;
    begin(&r, "ibex-small", NULL);
    assert_int_equal(gs_timing_cycles(r.timing), 5);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_STRUCTURAL), 4);
    rig_close(&r);
}

static void ibex_division_by_zero(void **state)
{
    rig r;
    (void)state;
    begin(&r, "ibex-small", NULL);
    rig_put(&r, AT, DIV);
    assert_int_equal(rig_operands(&r, AT, 7, 0), 2);
    assert_int_equal(rig_operands(&r, AT, 0, 7), 37);
    assert_int_equal(rig_operands(&r, AT, 0x80000000u, 0xffffffffu), 37);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_MULDIV), 1 + 36 + 36);
    rig_close(&r);
}

/* A branch computes condition and target one after the other and retires, then its goal is
 * fetched: 2, and 1 that the goal pays; a jump is in decode meanwhile: 2. mret retires at once. A
 * goal of 4 bytes at 2 mod 4 lies in two words: it pays 1 more. */
static void ibex_jumps(void **state)
{
    static const struct {
        uint32_t insn;
        unsigned own, next;
    } rows[] = {{BEQ, 2, 2}, {C_BEQZ, 2, 2}, {JAL, 2, 1}, {JALR, 2, 1}, {MRET, 1, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t insn = rows[i].insn;
        unsigned own = rows[i].own, next = rows[i].next;
        expect_leaving("ibex-small", NULL, insn, GOAL, NOP, own, next);
        expect_leaving("ibex-small", NULL, insn, GOAL, C_NOP, own, next);
        expect_leaving("ibex-small", NULL, insn, GOAL + 2, C_NOP, own, next);
        expect_leaving("ibex-small", NULL, insn, GOAL + 2, NOP, own, next + 1);
    }
}

/* fence.i is a jump to the next instruction. */
static void ibex_fence_i(void **state)
{
    (void)state;
    expect_straight(AT, FENCE_I, NOP, 2, 1);
    expect_straight(AT + 2, FENCE_I, C_NOP, 2, 1);
    expect_straight(AT + 2, FENCE_I, NOP, 2, 2);
}

/* What a jump leaves behind is paid once, whatever comes next: a handler, or waking up, which
 * takes no longer for it. */
static void ibex_refill_and_redirects(void **state)
{
    rig r;
    (void)state;
    begin(&r, "ibex-small", NULL);
    rig_put(&r, AT, BEQ);
    rig_put(&r, GOAL, NOP);
    assert_int_equal(rig_jump(&r, AT, GOAL), 2);
    assert_int_equal(rig_redirect(&r, GS_REDIRECT_INTERRUPT, 0), 3);
    assert_int_equal(rig_step(&r, GOAL), 1 + 1);
    assert_int_equal(rig_step(&r, GOAL), 1);

    assert_int_equal(rig_jump(&r, AT, GOAL), 2);
    uint64_t until = gs_timing_clock(r.timing) + 10;
    rig_redirect(&r, GS_REDIRECT_SLEEP, until);
    assert_int_equal(gs_timing_clock(r.timing), until);
    rig_step(&r, GOAL);
    assert_int_equal(gs_timing_cycles(r.timing), until + 1);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_IDLE), 10);
    rig_close(&r);
}

/* 2, and one for a second word. */
static void ibex_data(void **state)
{
    (void)state;
    for (unsigned offset = 0; offset < 4; offset++) {
        assert_int_equal(cost_of_access(NULL, LW, RIG_DATA + offset, 4), offset == 0 ? 2 : 3);
        assert_int_equal(cost_of_access(NULL, SW, RIG_DATA + offset, 4), offset == 0 ? 2 : 3);
        assert_int_equal(cost_of_access(NULL, LH, RIG_DATA + offset, 2), offset == 3 ? 3 : 2);
    }
    assert_int_equal(cost_of_access("memory.wait=2", LW, RIG_DATA, 4), 2 + 2 + 2);
    assert_int_equal(cost_of_access("memory.load_wait=2", LW, RIG_DATA, 4), 2 + 2);
    assert_int_equal(cost_of_access("fetch.wait=2", LW, RIG_DATA, 4), 2 + 2);
}

/* Keys of other cores like these. */
static void other_descriptions(void **state)
{
    (void)state;
    assert_int_equal(cost("ibex-small", "fetch.next_misaligned=3", AT + 2, NOP), 1 + 3);
    assert_int_equal(cost("ibex-small", "fetch.next_misaligned=3", AT + 2, C_NOP), 1);
    assert_int_equal(cost("ibex-small", "fetch.next_misaligned=3", AT, NOP), 1);
    assert_int_equal(cost("ibex-small", "branch.not_taken=4", AT, BEQ), 1 + 4);
    /* behind the c.beqz stands a nop at 2 mod 4, behind the beq one in a word of its own */
    const char *shadow = "fetch.shadow_misaligned=5";
    expect_leaving("ibex-small", shadow, C_BEQZ, GOAL, NOP, 2 + 5, 2);
    expect_leaving("ibex-small", shadow, BEQ, GOAL, NOP, 2, 2);
    expect_leaving("ibex-small", shadow, JAL, GOAL, NOP, 2, 1);
    expect_leaving("ibex-small", "branch.refill=7", BEQ, GOAL, NOP, 2, 1 + 7);
    expect_leaving("ibex-small", "classes.JUMP.refill=4", JAL, GOAL, NOP, 2, 1 + 4);
    expect_leaving("ibex-small", "fetch.jump_misaligned=3", JAL, GOAL + 2, NOP, 2, 1 + 3);
    expect_leaving("ibex-small", "branch.jump=6", JAL, GOAL, NOP, 1 + 6, 1);
    expect_leaving("ibex-small", "branch.jump_reg=6", JALR, GOAL, NOP, 1 + 6, 1);
}

/* It retires from DECODE. Behind one that may let interrupts in come FLUSH and a cycle in which
 * nothing has come to decode yet, which the next instruction pays for. */
static void ibex_csr_writes(void **state)
{
    enum { CSRRW = 0x1073, CSRRS = 0x2073, CSRRC = 0x3073, CSRRWI = 0x5073, CSRRSI = 0x6073 };
    enum { MSTATUS = 0x300u << 20, MIE = 0x304u << 20, MSCRATCH = 0x340u << 20, A1 = 11 << 15 };
    static const struct {
        uint32_t insn;
        unsigned next;
    } rows[] = {
        {CSRRW | MSTATUS | A1, 3}, {CSRRS | MSTATUS | A1, 3},  {CSRRWI | MIE, 3},
        {CSRRSI | MIE | A1, 3},    {CSRRC | MSTATUS | A1, 1},  {CSRRS | MSTATUS, 1},
        {CSRRSI | MIE, 1},         {CSRRW | MSCRATCH | A1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_straight(AT, rows[i].insn, NOP, 1, rows[i].next);
}

static void traps_and_sleep(void **state)
{
    rig r;
    (void)state;
    begin(&r, "ibex-small", "trap_entry=3");
    assert_int_equal(rig_redirect(&r, GS_REDIRECT_TRAP, 0), 3);
    assert_int_equal(rig_redirect(&r, GS_REDIRECT_INTERRUPT, 0), 3);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_TRAP), 6);
    uint64_t now = gs_timing_cycles(r.timing);
    assert_int_equal(rig_redirect(&r, GS_REDIRECT_SLEEP, now + 50), 50);
    assert_int_equal(rig_redirect(&r, GS_REDIRECT_SLEEP, now), 0);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_IDLE), 50);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ideal),
        cmocka_unit_test(ibex_classes),
        cmocka_unit_test(ibex_starts_with_cycle_5),
        cmocka_unit_test(ibex_division_by_zero),
        cmocka_unit_test(ibex_jumps),
        cmocka_unit_test(ibex_fence_i),
        cmocka_unit_test(ibex_refill_and_redirects),
        cmocka_unit_test(ibex_data),
        cmocka_unit_test(ibex_csr_writes),
        cmocka_unit_test(other_descriptions),
        cmocka_unit_test(traps_and_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
