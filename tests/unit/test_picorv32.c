/*
 * The rules of src/timing/picorv32.c, one by one. L is the cycle an instruction is launched in,
 * W the wait states; an instruction's cycles end with the launch of its successor, so what comes
 * next matters and is written down first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "timing_rig.h"

enum {
    NOP = 0x00000013,
    C_NOP = 0x0001,
    ADD = 0x00c58533,
    LUI = 0x12345537,
    AUIPC = 0x00000517,
    SLLI = 0x00059513, /* by 0; the amount is added at bit 20 */
    SLL = 0x00c59533,
    MUL = 0x02c58533,
    MULH = 0x02c59533,
    DIV = 0x02c5c533,
    REMU = 0x02c5f533,
    LW = 0x0005a503,
    LB = 0x00058503,
    SW = 0x00a5a023,
    C_LW = 0x4188,
    BEQ = 0x00000063,
    C_BEQZ = 0xc101,
    JAL = 0x0000006f,
    C_J = 0xa001,
    JALR = 0x00008067,
    RDCYCLE = 0xc0002573,
    FENCE = 0x0ff0000f,
    ECALL = 0x00000073,
};

/* Launched and past the start, at a whole word. */
enum { AT = RIG_CODE + 0x40, GOAL = RIG_CODE + 0x80 };

static void begin(rig *r, const char *core, unsigned wait)
{
    char set[32];
    snprintf(set, sizeof set, "memory.wait=%u", wait);
    rig_open(r, core, set);
    rig_put(r, rig_put(r, RIG_CODE, NOP), NOP);
    rig_step(r, RIG_CODE);
}

/* What `insn` takes at `at` with `next` behind it. */
static uint64_t cost(const char *core, unsigned wait, uint32_t at, uint32_t insn, uint32_t next)
{
    rig r;
    begin(&r, core, wait);
    rig_put(&r, rig_put(&r, at, insn), next);
    uint64_t cycles = insn == LW || insn == LB || insn == SW || insn == C_LW
                          ? rig_access(&r, at, RIG_DATA, 4)
                          : rig_operands(&r, at, 100, 7);
    rig_close(&r);
    return cycles;
}

/* The same for a jump or taken branch, with `there` at `goal`. */
static uint64_t cost_of_leaving(unsigned wait, uint32_t at, uint32_t insn, uint32_t next,
                                uint32_t goal, uint32_t there)
{
    rig r;
    begin(&r, "picorv32", wait);
    rig_put(&r, rig_put(&r, at, insn), next);
    rig_put(&r, goal, there);
    uint64_t cycles = rig_jump(&r, at, goal);
    rig_close(&r);
    return cycles;
}

/* Rule 1: asked for in cycle 2, since the core leaves reset in 1: answered in 3 + W, launched in
 * 4 + W. Then the ALU instruction's max(3, 3 + W). */
static void first_instruction(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 4; wait++) {
        rig r;
        begin(&r, "picorv32", wait);
        assert_int_equal(gs_timing_cycles(r.timing), 7 + 2 * wait);
        rig_close(&r);
    }
}

/* Rule 2 with W = 0: the class's cycles. */
static void classes(void **state)
{
    static const struct {
        uint32_t insn;
        unsigned cycles;
    } rows[] = {{NOP, 3},  {ADD, 3},  {LUI, 3},   {AUIPC, 3}, {SLLI + (31 << 20), 3},
                {SLL, 3},  {MUL, 40}, {MULH, 72}, {DIV, 40},  {REMU, 40},
                {LW, 5},   {LB, 5},   {SW, 5},    {BEQ, 3},   {RDCYCLE, 4},
                {FENCE, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(cost("picorv32", 0, AT, rows[i].insn, NOP), rows[i].cycles);
    assert_int_equal(cost("picorv32-fast", 0, AT, MUL, NOP), 6);
    assert_int_equal(cost("picorv32-fast", 0, AT, MULH, NOP), 6);
    assert_int_equal(cost("picorv32-fast", 0, AT, DIV, NOP), 40);
}

/* Without a barrel shifter: 4, and a cycle for every four bits and for every one left. */
static void shifts_in_steps(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 32; n++)
        assert_int_equal(cost("picorv32-fast", 0, AT, SLLI + (n << 20), NOP), 4 + n / 4 + n % 4);
    assert_int_equal(cost("picorv32-fast", 0, AT, SLL, NOP), 4 + 1 + 3); /* by 7 */
}

/* Rule 2: answered in L+2+W, launched in L+3+W, if the core wants it by then. */
static void waits_hide_behind_long_instructions(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 50; wait++) {
        unsigned fetch = 3 + wait;
        assert_int_equal(cost("picorv32", wait, AT, NOP, NOP), fetch);
        assert_int_equal(cost("picorv32", wait, AT, BEQ, NOP), fetch);
        assert_int_equal(cost("picorv32", wait, AT, RDCYCLE, NOP), fetch > 4 ? fetch : 4);
        assert_int_equal(cost("picorv32", wait, AT, DIV, NOP), fetch > 40 ? fetch : 40);
        assert_int_equal(cost("picorv32-fast", wait, AT, SLL, NOP), fetch > 8 ? fetch : 8);
    }
}

/* Rule 3: the first half at 2 mod 4 is there already; a second one is asked for when the core
 * wants it, one cycle and W later. */
static void halves(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 50; wait++) {
        assert_int_equal(cost("picorv32", wait, AT, C_NOP, C_NOP), 3);
        assert_int_equal(cost("picorv32", wait, AT, C_NOP, NOP), 4 + wait);
        assert_int_equal(cost("picorv32", wait, AT + 2, NOP, C_NOP), 3);
        assert_int_equal(cost("picorv32", wait, AT + 2, NOP, NOP), 4 + wait);
        assert_int_equal(cost("picorv32", wait, AT + 2, C_NOP, NOP), 3 + wait);
        assert_int_equal(cost("picorv32", wait, AT + 2, MUL, NOP), 41 + wait);
        assert_int_equal(cost("picorv32-fast", wait, AT + 2, SLL, NOP), 9 + wait);
    }
}

/* Rule 4: the successor, wanted in L+2, comes first and the data W cycles later than without. */
static void data(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 5; wait++) {
        assert_int_equal(cost("picorv32", wait, AT, LW, NOP), 5 + 2 * wait);
        assert_int_equal(cost("picorv32", wait, AT, SW, NOP), 5 + 2 * wait);
        assert_int_equal(cost("picorv32", wait, AT, C_LW, C_NOP), 5 + wait);
        assert_int_equal(cost("picorv32", wait, AT, C_LW, NOP), 6 + 2 * wait);
        assert_int_equal(cost("picorv32", wait, AT + 2, LW, NOP), 6 + 2 * wait);
    }
}

/* Rule 5: jal 3, jalr 6, the goal W later, and another word for 4 bytes at 2 mod 4. What stands
 * behind the jump does not matter. */
static void jumps(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 5; wait++) {
        assert_int_equal(cost_of_leaving(wait, AT, JAL, NOP, GOAL, NOP), 3 + wait);
        assert_int_equal(cost_of_leaving(wait, AT + 2, JAL, NOP, GOAL, NOP), 3 + wait);
        assert_int_equal(cost_of_leaving(wait, AT, C_J, NOP, GOAL + 2, C_NOP), 3 + wait);
        assert_int_equal(cost_of_leaving(wait, AT, JAL, NOP, GOAL + 2, NOP), 4 + 2 * wait);
        assert_int_equal(cost_of_leaving(wait, AT, JALR, NOP, GOAL, NOP), 6 + wait);
        assert_int_equal(cost_of_leaving(wait, AT, JALR, NOP, GOAL + 2, NOP), 7 + 2 * wait);
    }
}

/* Rule 6: the straight successor as for a branch not taken, then 2 + W for the goal. */
static void taken_branches(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 5; wait++) {
        assert_int_equal(cost_of_leaving(wait, AT, BEQ, NOP, GOAL, NOP), 5 + 2 * wait);
        assert_int_equal(cost_of_leaving(wait, AT, C_BEQZ, C_NOP, GOAL, NOP), 5 + wait);
        assert_int_equal(cost_of_leaving(wait, AT, C_BEQZ, NOP, GOAL, NOP), 6 + 2 * wait);
        assert_int_equal(cost_of_leaving(wait, AT + 2, BEQ, NOP, GOAL, NOP), 6 + 2 * wait);
        assert_int_equal(cost_of_leaving(wait, AT, C_BEQZ, C_NOP, GOAL + 2, NOP), 6 + 2 * wait);
        assert_int_equal(cost_of_leaving(wait, AT, BEQ, NOP, GOAL + 2, C_NOP), 5 + 2 * wait);
        assert_int_equal(cost_of_leaving(wait, AT, BEQ, NOP, GOAL + 2, NOP), 6 + 3 * wait);
    }
}

/* Rule 7: bits 17:16 of the word behind the branch are 11, here those of addi a0, t1, 0. The
 * goal is fetched twice, if the word comes too late, that is if W > 0. */
static void goal_fetched_twice(void **state)
{
    enum { LOOKS_LONG = 0x00030513 };
    (void)state;
    assert_int_equal(cost_of_leaving(0, AT, BEQ, LOOKS_LONG, GOAL + 2, NOP), 6);
    for (unsigned wait = 1; wait < 5; wait++) {
        /* 3 + W, in vain; 2 + W; 2 + W */
        assert_int_equal(cost_of_leaving(wait, AT, BEQ, LOOKS_LONG, GOAL + 2, C_NOP), 7 + 3 * wait);
        /* and 1 + W twice */
        assert_int_equal(cost_of_leaving(wait, AT, BEQ, LOOKS_LONG, GOAL + 2, NOP), 9 + 5 * wait);
        /* not if the goal is a whole word, and not where the first half was there already */
        assert_int_equal(cost_of_leaving(wait, AT, BEQ, LOOKS_LONG, GOAL, NOP), 5 + 2 * wait);
        assert_int_equal(cost_of_leaving(wait, AT + 2, BEQ, LOOKS_LONG, GOAL + 2, C_NOP),
                         6 + 2 * wait);
    }
}

/* The same as measured on the RTL: beq over a c.nop to a nop at 2 mod 4 takes 14, W being 1. */
static void goal_behind_the_branch(void **state)
{
    rig r;
    (void)state;
    begin(&r, "picorv32", 1);
    rig_put(&r, rig_put(&r, rig_put(&r, rig_put(&r, AT, BEQ), C_NOP), NOP), C_NOP);
    assert_int_equal(rig_jump(&r, AT, AT + 6), 14);
    assert_int_equal(rig_step(&r, AT + 6), 3);
    rig_close(&r);
}

/* Where the cycles of a branch under rule 7 and of a load go, W being 2. */
static void causes(void **state)
{
    rig r;
    (void)state;
    begin(&r, "picorv32", 2);
    uint64_t before[GS_STALL_COUNT];
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        before[i] = gs_timing_stalls(r.timing, i);
    rig_put(&r, rig_put(&r, AT, BEQ), 0x00030513);
    rig_put(&r, rig_put(&r, GOAL + 2, LW), NOP);
    rig_jump(&r, AT, GOAL + 2);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_BRANCH) - before[GS_STALL_BRANCH], 4);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_ALIGNMENT), 2 + 1 + 1);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_I_MISS) - before[GS_STALL_I_MISS], 5 * 2);
    rig_access(&r, GOAL + 2, RIG_DATA, 4);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_ALIGNMENT), 2 + 1 + 1 + 1);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_I_MISS) - before[GS_STALL_I_MISS], 6 * 2);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_D_READ), 2);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_STRUCTURAL) - before[GS_STALL_STRUCTURAL],
                     4);
    rig_close(&r);
}

/* irq_state takes the launch's cycle and one more, then the handler is fetched: 4 + W. */
static void interrupts(void **state)
{
    rig r;
    (void)state;
    begin(&r, "picorv32", 1);
    rig_put(&r, rig_put(&r, GOAL, NOP), NOP);
    uint64_t before = gs_timing_cycles(r.timing);
    rig_redirect(&r, GS_REDIRECT_INTERRUPT, 0);
    rig_step(&r, GOAL);
    assert_int_equal(gs_timing_cycles(r.timing) - before, 4 + 1 + 4);
    assert_int_equal(rig_redirect(&r, GS_REDIRECT_SLEEP, before + 100), 100 - 9);
    assert_int_equal(gs_timing_stalls(r.timing, GS_STALL_IDLE), 91);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_instruction),
        cmocka_unit_test(classes),
        cmocka_unit_test(shifts_in_steps),
        cmocka_unit_test(waits_hide_behind_long_instructions),
        cmocka_unit_test(halves),
        cmocka_unit_test(data),
        cmocka_unit_test(jumps),
        cmocka_unit_test(taken_branches),
        cmocka_unit_test(goal_fetched_twice),
        cmocka_unit_test(goal_behind_the_branch),
        cmocka_unit_test(causes),
        cmocka_unit_test(interrupts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
