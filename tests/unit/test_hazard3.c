/*
 * The rules of src/timing/hazard3.c, one by one, with who pays. W is the wait states of the memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "timing/hazard3_fetch.h"
#include "timing_rig.h"

enum {
    NOP = 0x00000013,
    C_NOP = 0x0001,
    ADD_A0 = 0x00a50533, /* add a0, a0, a0 */
    LW_A0 = 0x000d2503,  /* lw a0, 0(s10) */
    SW_A0 = 0x00ad2023,  /* sw a0, 0(s10) */
    DIV = 0x02c5c533,
    DIVU = 0x02c5d533,
    MUL = 0x02c58533,
    LR = 0x100d252f,
    SC = 0x18cd252f,
    AMOADD = 0x00cd252f,
    CSRR_MSCRATCH = 0x34002573,
    CSRRWI_10 = 0x34055073, /* csrrwi x0, mscratch, 10 */
    BACK_8 = 0xfe051ce3,    /* bnez a0, .-8 */
    FORTH_8 = 0x00051463,   /* bnez a0, .+8 */
    FENCE_I = 0x0000100f,
    JAL = 0x0080006f, /* j .+8 */
    MRET = 0x30200073,
    CM_PUSH_2 = 0xb852,   /* cm.push {ra, s0}, -16 */
    CM_POPRET_1 = 0xbe42, /* cm.popret {ra}, 16 */
    CM_POPRET_2 = 0xbe52, /* cm.popret {ra, s0}, 16 */
    CM_POPRETZ_2 = 0xbc52,
    CM_MVA01S = 0xac66, /* cm.mva01s s0, s1 */
    LW_S0 = 0x000d2403,
    LW_S1 = 0x000d2483,
};

enum { AT = RIG_CODE + 0x80, WARM = 4 };

static uint64_t stalls(const rig *r, gs_stall cause)
{
    return r->timing->stalls[cause];
}

/* At AT, with nops before and behind; the one right before is a division, during which the queue
 * fills. */
static void begin(rig *r, unsigned wait)
{
    char set[32];
    snprintf(set, sizeof set, "memory.wait=%u", wait);
    rig_open(r, "hazard3", set);
    for (uint32_t pc = RIG_CODE; pc < RIG_CODE + RIG_CODE_SIZE;)
        pc = rig_put(r, pc, NOP);
    rig_put(r, AT - 4, DIV);
    for (uint32_t i = 0; i < WARM; i++)
        rig_step(r, AT - 4 * WARM + 4 * i);
}

/* `second` right behind `first`, whose access or operands are `value`. */
static uint64_t behind(unsigned wait, uint32_t first, uint32_t second, gs_stall cause)
{
    rig r;
    begin(&r, wait);
    const uint32_t next = rig_put(&r, AT, first);
    rig_put(&r, next, second);
    const bool accesses =
        first == LW_A0 || first == SW_A0 || first == LR || first == LW_S0 || first == LW_S1;
    if (accesses)
        rig_access(&r, AT, RIG_DATA, 4);
    else
        rig_step(&r, AT);
    const uint64_t before = stalls(&r, cause);
    const uint64_t cycles =
        second == LW_A0 || second == SW_A0 ? rig_access(&r, next, RIG_DATA, 4) : rig_step(&r, next);
    assert_int_equal(stalls(&r, cause) - before, cycles - 1);
    rig_close(&r);
    return cycles;
}

/* Rule 13: asked for in cycle 1, usable in 3 + W. */
static void first_instruction(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 4; wait++) {
        rig r;
        char set[32];
        snprintf(set, sizeof set, "memory.wait=%u", wait);
        rig_open(&r, "hazard3", set);
        rig_put(&r, RIG_CODE, NOP);
        assert_int_equal(rig_step(&r, RIG_CODE), 3 + wait);
        rig_close(&r);
    }
}

/* Rules 2 and 3. */
static void loads_and_stores(void **state)
{
    (void)state;
    assert_int_equal(behind(0, LW_A0, NOP, GS_STALL_D_READ), 1);
    assert_int_equal(behind(0, LW_A0, ADD_A0, GS_STALL_LOAD_USE), 2);
    assert_int_equal(behind(0, LW_A0, SW_A0, GS_STALL_LOAD_USE), 1);
    assert_int_equal(behind(0, SW_A0, NOP, GS_STALL_D_WRITE), 1);
    assert_int_equal(behind(0, LW_A0, CSRR_MSCRATCH, GS_STALL_LOAD_USE), 1);
    assert_int_equal(behind(0, LW_A0, CSRRWI_10, GS_STALL_LOAD_USE), 2);
    assert_int_equal(behind(1, LW_A0, NOP, GS_STALL_D_READ), 1);
    assert_int_equal(behind(1, SW_A0, NOP, GS_STALL_D_WRITE), 1);
    assert_int_equal(behind(3, LW_A0, ADD_A0, GS_STALL_LOAD_USE), 2);
    assert_int_equal(behind(3, SW_A0, SW_A0, GS_STALL_D_WRITE), 4);
}

/* Who waits for M is the access; what follows counts from when M is done, if it began before, too.
 */
static void data_phases(void **state)
{
    static const struct {
        uint32_t access, next;
        unsigned cycles; /* of the next */
        gs_stall cause;
    } rows[] = {{LW_A0, NOP, 1, 0},
                {SW_A0, NOP, 1, 0},
                {LW_A0, DIV, 19 - 5, GS_STALL_MULDIV},
                {SW_A0, JAL, 1, GS_STALL_I_MISS}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const gs_stall waits = rows[i].access == LW_A0 ? GS_STALL_D_READ : GS_STALL_D_WRITE;
        rig r;
        begin(&r, 5);
        rig_put(&r, rig_put(&r, AT, rows[i].access), rows[i].next);
        const uint64_t before = stalls(&r, rows[i].cause);
        assert_int_equal(rig_access(&r, AT, RIG_DATA, 4), 1 + 5);
        assert_int_equal(stalls(&r, waits), 5);
        const uint64_t cycles =
            rows[i].next == JAL ? rig_jump(&r, AT + 4, AT + 12) : rig_operands(&r, AT + 4, 100, 7);
        assert_int_equal(cycles, rows[i].cycles);
        assert_int_equal(stalls(&r, waits), 5);
        if (rows[i].cause)
            assert_int_equal(stalls(&r, rows[i].cause) - before, cycles - 1);
        rig_close(&r);
    }
}

/* Rule 4: only a signed division cares, and only for the dividend's sign. */
static void divisions(void **state)
{
    static const struct {
        uint32_t insn, dividend;
        unsigned cycles;
    } rows[] = {{DIV, 100, 19}, {DIV, 0x80000000, 20}, {DIVU, 0x80000000, 19}, {MUL, 7, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig r;
        begin(&r, 0);
        rig_put(&r, AT, rows[i].insn);
        assert_int_equal(rig_operands(&r, AT, rows[i].dividend, 0xfffffff9), rows[i].cycles);
        assert_int_equal(stalls(&r, GS_STALL_MULDIV) - 18, rows[i].cycles - 1);
        rig_close(&r);
    }
}

/* Rule 5. */
static void atomics(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 3; wait++) {
        rig r;
        begin(&r, wait);
        rig_put(&r, rig_put(&r, rig_put(&r, AT, AMOADD), LR), SC);
        assert_int_equal(rig_access(&r, AT, RIG_DATA, 4), 4 + 2 * wait);
        assert_int_equal(rig_access(&r, AT + 4, RIG_DATA, 4), 1 + wait);
        assert_int_equal(rig_step(&r, AT + 8), 2); /* it has no reservation */
        assert_int_equal(rig_step(&r, AT + 12), 1);
        rig_close(&r);
    }
}

/* Rule 6. */
static void lists(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 3; wait++) {
        rig r;
        begin(&r, wait);
        rig_put(&r, AT, CM_PUSH_2);
        assert_int_equal(rig_access(&r, AT, RIG_DATA, 4), 1 + 2 * (1 + wait));
        assert_int_equal(stalls(&r, GS_STALL_D_WRITE), 2 * wait);
        assert_int_equal(stalls(&r, GS_STALL_STRUCTURAL) - 2 - wait, 2); /* and the reset */
        rig_close(&r);
    }
    static const struct {
        uint32_t insn;
        unsigned cycles;
    } returns[] = {{CM_POPRET_1, 4}, {CM_POPRET_2, 4}, {CM_POPRETZ_2, 5}};
    for (size_t i = 0; i < sizeof returns / sizeof *returns; i++) {
        rig r;
        begin(&r, 0);
        rig_put(&r, AT, returns[i].insn);
        assert_int_equal(rig_jump(&r, AT, AT + 0x40), returns[i].cycles);
        assert_int_equal(rig_step(&r, AT + 0x40), 1); /* the last step hides behind the return */
        rig_close(&r);
    }
    static const uint32_t loads[] = {LW_S0, LW_S1};
    for (unsigned i = 0; i < 2; i++) { /* the second step hides what the second register waits */
        rig r;
        begin(&r, 0);
        rig_put(&r, rig_put(&r, AT, loads[i]), CM_MVA01S);
        rig_access(&r, AT, RIG_DATA, 4);
        assert_int_equal(rig_step(&r, AT + 4), 3 - i);
        assert_int_equal(stalls(&r, GS_STALL_LOAD_USE), 1 - i);
        rig_close(&r);
    }
}

/* A jump, then what is at its goal. */
static uint64_t there(unsigned wait, uint32_t jump, uint32_t goal, uint32_t insn, gs_stall cause)
{
    rig r;
    begin(&r, wait);
    rig_put(&r, AT, jump);
    rig_put(&r, goal, insn);
    rig_jump(&r, AT, goal);
    const uint64_t before = stalls(&r, cause);
    const uint64_t cycles = rig_step(&r, goal);
    assert_true(stalls(&r, cause) > before);
    rig_close(&r);
    return cycles;
}

/* Rules 7 and 8: the instruction at the goal pays. */
static void redirects(void **state)
{
    (void)state;
    assert_int_equal(there(0, JAL, AT + 8, NOP, GS_STALL_BRANCH), 2);
    assert_int_equal(there(0, FORTH_8, AT + 8, NOP, GS_STALL_BRANCH), 2);
    assert_int_equal(there(0, JAL, AT + 10, NOP, GS_STALL_ALIGNMENT), 3);
    assert_int_equal(there(0, JAL, AT + 10, C_NOP, GS_STALL_BRANCH), 2);
    assert_int_equal(there(0, MRET, AT + 8, NOP, GS_STALL_TRAP), 3);
    assert_int_equal(there(1, MRET, AT + 8, NOP, GS_STALL_TRAP), 5);
    rig r;
    begin(&r, 0);
    rig_put(&r, AT, FENCE_I);
    assert_int_equal(rig_step(&r, AT), 1);
    assert_int_equal(rig_step(&r, AT + 4), 2);
    rig_close(&r);
}

/* Rule 8: like a trap, one cycle later, as the instruction before has retired; whatever is known of
 * M's past. */
static void interrupts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        rig r;
        begin(&r, 0);
        if (i == 1) {
            uint8_t bytes[GS_SERIALIZED_MAX];
            assert_true(r.timing->model->serialize(r.timing, AT, bytes) > 0);
            r.timing->model->deserialize(r.timing, AT, bytes);
        }
        rig_redirect(&r, GS_REDIRECT_INTERRUPT, 0);
        assert_int_equal(rig_step(&r, AT + 0x80), 4);
        assert_int_equal(stalls(&r, GS_STALL_TRAP), 3);
        rig_close(&r);
    }
}

/* The queue fills while a division takes its time: a halfword still moves to the buffer then. */
static void fills_while_waiting(void **state)
{
    (void)state;
    for (unsigned halves = 0; halves < 4; halves++) {
        gs_hazard3_fetch one = {0}, two = {0};
        gs_hazard3_fetch_start(&one, 1, 0x1002);
        gs_hazard3_fetch_start(&two, 1, 0x1002);
        one.knows = two.knows = true;
        one.branch = two.branch = 0x1004 + 2 * halves;
        one.branch_size = two.branch_size = 2;
        one.target = two.target = 0x1002;
        gs_hazard3_fetch_until(&one, 40);
        while (two.cycle < 40)
            gs_hazard3_fetch_cycle(&two, 0);
        assert_int_equal(one.buffered, two.buffered);
        assert_int_equal(one.queued, two.queued);
        assert_int_equal(one.next, two.next);
    }
}

/* Rule 12: a loop's branch is predicted from the second time on, until it is not taken. */
static void one_branch_is_predicted(void **state)
{
    (void)state;
    rig r;
    begin(&r, 0);
    rig_put(&r, AT + 8, BACK_8);
    unsigned cycles[4] = {0};
    for (unsigned i = 0; i < 4; i++) {
        cycles[i] += (unsigned)(rig_step(&r, AT) + rig_step(&r, AT + 4));
        cycles[i] += (unsigned)(i < 3 ? rig_jump(&r, AT + 8, AT) : rig_step(&r, AT + 8));
    }
    assert_int_equal(cycles[0], 3);
    assert_int_equal(cycles[1], 4); /* the redirect of the first time */
    assert_int_equal(cycles[2], 3);
    assert_int_equal(cycles[3], 3);
    assert_int_equal(r.timing->branches.mispredicted, 1);
    assert_int_equal(rig_step(&r, AT + 12), 2);
    assert_int_equal(stalls(&r, GS_STALL_MISPREDICT), 1);
    rig_close(&r);
}

/* What is serialized is all that matters: another pipeline goes on from it in the same way. */
static void serialized(void **state)
{
    (void)state;
    for (unsigned wait = 0; wait < 4; wait++) {
        rig one, two;
        begin(&one, wait);
        begin(&two, wait);
        rig *const both[] = {&one, &two};
        for (unsigned i = 0; i < 2; i++) {
            rig_put(both[i], AT, LW_A0);
            rig_put(both[i], AT + 8, BACK_8);
        }
        for (unsigned times = 0; times < 20; times++) {
            uint8_t bytes[GS_SERIALIZED_MAX];
            int size = one.timing->model->serialize(one.timing, AT, bytes);
            assert_true(size > 0);
            two.timing->now = one.timing->now;
            two.timing->model->deserialize(two.timing, AT, bytes);
            uint64_t cycles[2];
            for (unsigned i = 0; i < 2; i++) {
                const uint64_t before = both[i]->timing->now;
                rig_access(both[i], AT, RIG_DATA, 4);
                rig_step(both[i], AT + 4);
                rig_jump(both[i], AT + 8, AT);
                cycles[i] = both[i]->timing->now - before;
            }
            assert_int_equal(cycles[0], cycles[1]);
        }
        rig_close(&one);
        rig_close(&two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_instruction),
        cmocka_unit_test(loads_and_stores),
        cmocka_unit_test(data_phases),
        cmocka_unit_test(divisions),
        cmocka_unit_test(atomics),
        cmocka_unit_test(lists),
        cmocka_unit_test(redirects),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(fills_while_waiting),
        cmocka_unit_test(one_branch_is_predicted),
        cmocka_unit_test(serialized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
