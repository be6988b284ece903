/*
 * Loops: small programs that each do one thing, on the core `ideal`, where every instruction is a
 * cycle. All numbers are derived from the listings beside them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "profile_rig.h"

enum { RV_S0 = 8, RV_A4 = 14 };

typedef struct wanted_loop {
    uint32_t header; /* offset in the code */
    uint32_t depth;
    uint64_t entries, iterations, min_trips, max_trips;
    uint64_t self, inclusive; /* cycles */
} wanted_loop;

static void expect(const gs_profile *p, wanted_loop wanted)
{
    for (uint32_t i = 0; i < p->loops.count; i++) {
        const gs_profile_loop *loop = &p->loops.items[i];
        if (loop->header != PROFILE_BASE + wanted.header)
            continue;
        uint64_t self = 0;
        for (size_t at = 0; at < p->insns.count; at++) {
            if (p->insns.items[at].loop == i)
                self += p->insns.items[at].cost.value[GS_METRIC_CYCLES];
        }
        assert_int_equal(loop->depth, wanted.depth);
        assert_int_equal(loop->entries, wanted.entries);
        assert_int_equal(loop->iterations, wanted.iterations);
        assert_int_equal(loop->min_trips, wanted.min_trips);
        assert_int_equal(loop->max_trips, wanted.max_trips);
        assert_int_equal(self, wanted.self);
        assert_int_equal(loop->inclusive.value[GS_METRIC_CYCLES], wanted.inclusive);
        return;
    }
    fail_msg("no loop at %#x", wanted.header);
}

static gs_profile *profile_on_ideal(profile_program p)
{
    p.core = "ideal";
    gs_profile *profile = profile_of(&p, NULL);
    assert_int_equal(profile->run.desyncs, 0);
    return profile;
}

#define CODE(array) .code = (array), .words = sizeof(array) / sizeof *(array)

/*
 * a0 is 4, 3, 2 in the rounds of the outer loop, and a1 is 2: in the last of them the inner loop is
 * left by its break, in its first round. Otherwise it makes 4 rounds. A round of it is 3
 * instructions, the one that breaks 2; a round of the outer loop has 4 more.
 */
static void test_nest_with_break(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_addi(RV_A2, 0, 3),      /* 00: _start */
        rv_addi(RV_A1, 0, 2),      /* 04 */
        rv_addi(RV_A3, 0, 4),      /* 08: outer */
        rv_addi(RV_A0, RV_A2, 1),  /* 0c */
        rv_addi(RV_A3, RV_A3, -1), /* 10: inner */
        rv_beq(0x08),              /* 14: break */
        rv_bnez(RV_A3, -8),        /* 18 */
        rv_addi(RV_A2, RV_A2, -1), /* 1c */
        rv_bnez(RV_A2, -0x18),     /* 20 */
        rv_lui(RV_A5, 0xf0000),    /* 24 */
        rv_sw(0, RV_A5),           /* 28 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV, CODE(code), .functions = {{"_start", 0, sizeof code}}});
    assert_int_equal(p->loops.count, 2);
    expect(p, (wanted_loop){0x10, 2, 3, 9, 1, 4, 8 * 3 + 2, 8 * 3 + 2});
    expect(p, (wanted_loop){0x08, 1, 1, 3, 3, 3, 3 * 4, 3 * 4 + 8 * 3 + 2});
    gs_profile_free(p);
}

/*
 * A loop that is entered at its test, at its end: the header is the test. f goes through the body
 * 0, 1 and 5 times, so its test is executed 1, 2 and 6 times.
 */
static void test_test_at_end(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_addi(RV_A2, 0, 0),      /* 00: _start */
        rv_call(0x20),             /* 04 */
        rv_addi(RV_A2, 0, 1),      /* 08 */
        rv_call(0x18),             /* 0c */
        rv_addi(RV_A2, 0, 5),      /* 10 */
        rv_call(0x10),             /* 14 */
        rv_lui(RV_A5, 0xf0000),    /* 18 */
        rv_sw(0, RV_A5),           /* 1c */
        RV_NOP,                    /* 20 */
        rv_jump(0x08),             /* 24: f */
        rv_addi(RV_A2, RV_A2, -1), /* 28: body */
        rv_bnez(RV_A2, -4),        /* 2c: test */
        RV_RET,                    /* 30 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV, CODE(code), .functions = {{"_start", 0, 0x24}, {"f", 0x24, 0x10}}});
    assert_int_equal(p->loops.count, 1);
    expect(p, (wanted_loop){0x2c, 1, 3, 9, 1, 6, 9 + 6, 9 + 6});
    gs_profile_free(p);
}

/*
 * walk(n) has a loop of two rounds, each of which calls walk(n - 1); walk(0) returns at once. Of
 * walk(2) and all below it, 1 + 2 activations go round: 3 entries of 2 rounds.
 *
 * Such an activation is 4 before the loop, 7 per round with the call, and 3 after it; walk(0) is 2.
 *   walk(1) = 4 + 2 * (7 + 2) + 3 = 25, of which 18 in its loop
 *   walk(2) = 4 + 2 * (7 + 25) + 3 = 71, of which 64 in its loop
 * The loop's own cycles are 3 * 2 * 7. With what it calls, the outermost counts, 64: the loops of
 * both walk(1) are part of that.
 */
static void test_recursion_in_loop(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_lui(RV_SP, 0x80010),         /* 00: _start */
        rv_addi(RV_A0, 0, 2),           /* 04 */
        rv_call(0x10),                  /* 08 */
        rv_lui(RV_A5, 0xf0000),         /* 0c */
        rv_sw(0, RV_A5),                /* 10 */
        RV_NOP,                         /* 14 */
        rv_beq(0x38),                   /* 18: walk; a1 is 0 */
        rv_addi(RV_SP, RV_SP, -16),     /* 1c */
        rv_sw(RV_RA, RV_SP),            /* 20 */
        rv_addi(RV_A2, 0, 2),           /* 24 */
        rv_sw(RV_A2, RV_SP) | 4 << 7,   /* 28: loop */
        rv_addi(RV_A0, RV_A0, -1),      /* 2c */
        rv_call(-0x18),                 /* 30 */
        rv_addi(RV_A0, RV_A0, 1),       /* 34 */
        rv_lw(RV_A2, RV_SP) | 4u << 20, /* 38 */
        rv_addi(RV_A2, RV_A2, -1),      /* 3c */
        rv_bnez(RV_A2, -0x18),          /* 40 */
        rv_lw(RV_RA, RV_SP),            /* 44 */
        rv_addi(RV_SP, RV_SP, 16),      /* 48 */
        RV_RET,                         /* 4c */
        RV_RET,                         /* 50 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV, CODE(code), .functions = {{"_start", 0, 0x18}, {"walk", 0x18, 0x3c}}});
    assert_int_equal(p->total.value[GS_METRIC_CYCLES], 5 + 71);
    assert_int_equal(p->loops.count, 1);
    expect(p, (wanted_loop){0x28, 1, 3, 6, 2, 2, 3 * 2 * 7, 64});
    gs_profile_free(p);
}

/*
 * walk(n) calls walk(n - 1) from 14 places, all in one loop of one round; walk(0) returns at once.
 * However many ways lead to an activation, all are in the loop: with what it calls it is all of
 * walk(3) but what is before and after the outermost loop.
 *
 * An activation that loops is 3 before, 14 calls of 2 and 2 to end the round, and 3 after:
 *   walk(0) = 2, walk(n) = 36 + 14 * walk(n - 1): 64, 932, 13084; in its loop 6 less, 13078
 */
static void test_many_recursive_calls(void **state)
{
    (void)state;
    enum { CALLS = 14, BODY = 0x24, END = BODY + 8 * CALLS };
    uint32_t code[END / 4 + 6] = {
        rv_lui(RV_SP, 0x80010),     /* 00: _start */
        rv_addi(RV_A0, 0, 3),       /* 04 */
        rv_call(0x10),              /* 08 */
        rv_lui(RV_A5, 0xf0000),     /* 0c */
        rv_sw(0, RV_A5),            /* 10 */
        RV_NOP,                     /* 14 */
        rv_beq(END + 0x14 - 0x18),  /* 18: walk; a1 is 0 */
        rv_addi(RV_SP, RV_SP, -16), /* 1c */
        rv_sw(RV_RA, RV_SP),        /* 20 */
    };
    size_t at = BODY / 4;
    for (int32_t i = 0; i < CALLS; i++) {
        code[at++] = rv_addi(RV_A0, RV_A0, i == 0 ? -1 : 0);
        code[at] = rv_call(0x18 - (int32_t)at * 4);
        at++;
    }
    code[at++] = rv_addi(RV_A0, RV_A0, 1);
    code[at++] = rv_bnez(RV_A3, -8 * CALLS - 4); /* a3 is 0 */
    code[at++] = rv_lw(RV_RA, RV_SP);
    code[at++] = rv_addi(RV_SP, RV_SP, 16);
    code[at++] = RV_RET;
    code[at++] = RV_RET; /* walk(0) */
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        .code = code,
        .words = at,
        .functions = {{"_start", 0, 0x18}, {"walk", 0x18, (uint32_t)at * 4 - 0x18}}});
    assert_int_equal(p->total.value[GS_METRIC_CYCLES], 5 + 13084);
    assert_int_equal(p->loops.count, 1);
    uint64_t looping = 1 + 14 + 14 * 14;
    expect(p, (wanted_loop){BODY, 1, looping, looping, 1, 1, looping * 30, 13078});
    gs_profile_free(p);
}

/*
 * A switch in a loop, compiled to a jump through a register: nothing but the run tells where the
 * cases are, and that there is a loop. f(1) comes to the header with a2 = 1, 0; f(3) with 3, 2, 1,
 * 0. A round is 3 to the jump and 2 back; the last one is 3, as case 0 leaves the loop.
 */
static void test_jump_table(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_addi(RV_A2, 0, 1),                                /* 00: _start */
        rv_call(0x14),                                       /* 04 */
        rv_addi(RV_A2, 0, 3),                                /* 08 */
        rv_call(0x0c),                                       /* 0c */
        rv_lui(RV_A5, 0xf0000),                              /* 10 */
        rv_sw(0, RV_A5),                                     /* 14 */
        rv_auipc(RV_A4, 0),                                  /* 18: f */
        0x00001013 | RV_A5 << 7 | RV_A2 << 15 | 3 << 20,     /* 1c: slli a5, a2, 3 */
        0x00000033 | RV_A5 << 7 | RV_A5 << 15 | RV_A4 << 20, /* 20: add a5, a5, a4 */
        rv_jalr(0, RV_A5, 0x10),                             /* 24 */
        RV_RET,                                              /* 28: case 0 */
        RV_NOP,                                              /* 2c */
        rv_addi(RV_A2, RV_A2, -1),                           /* 30: case 1 */
        rv_jump(-0x18),                                      /* 34 */
        rv_addi(RV_A2, RV_A2, -1),                           /* 38: case 2 */
        rv_jump(-0x20),                                      /* 3c */
        rv_addi(RV_A2, RV_A2, -1),                           /* 40: case 3 */
        rv_jump(-0x28),                                      /* 44 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV, CODE(code), .functions = {{"_start", 0, 0x18}, {"f", 0x18, 0x30}}});
    assert_int_equal(p->loops.count, 1);
    expect(p, (wanted_loop){0x1c, 1, 2, 6, 2, 4, 5 + 3 + 3 * 5 + 3, 5 + 3 + 3 * 5 + 3});
    gs_profile_free(p);
}

/*
 * g calls leaf in a loop. In the third round leaf goes straight back to _start, over g's head. Then
 * g is called again and makes its two rounds. leaf is 3, and 4 when it jumps; a round is 3
 * besides, of which the last of the first g has 1 only.
 */
static void test_left_from_callee(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_lui(RV_SP, 0x80010),      /* 00: _start */
        rv_addi(RV_A0, 0, 2),        /* 04 */
        rv_addi(RV_A2, 0, 9),        /* 08 */
        rv_auipc(RV_S0, 0),          /* 0c */
        rv_addi(RV_S0, RV_S0, 0x0c), /* 10 */
        rv_call(0x1c),               /* 14 */
        rv_addi(RV_A0, 0, 5),        /* 18: where leaf comes back to */
        rv_addi(RV_A2, 0, 2),        /* 1c */
        rv_call(0x10),               /* 20 */
        rv_lui(RV_A5, 0xf0000),      /* 24 */
        rv_sw(0, RV_A5),             /* 28 */
        RV_NOP,                      /* 2c */
        rv_addi(RV_SP, RV_SP, -16),  /* 30: g */
        rv_sw(RV_RA, RV_SP),         /* 34 */
        rv_call(0x1c),               /* 38: loop */
        rv_addi(RV_A2, RV_A2, -1),   /* 3c */
        rv_bnez(RV_A2, -8),          /* 40 */
        rv_lw(RV_RA, RV_SP),         /* 44 */
        rv_addi(RV_SP, RV_SP, 16),   /* 48 */
        RV_RET,                      /* 4c */
        RV_NOP,                      /* 50 */
        rv_beq(0x0c),                /* 54: leaf; a1 is 0 */
        rv_addi(RV_A0, RV_A0, -1),   /* 58 */
        RV_RET,                      /* 5c */
        rv_addi(RV_RA, RV_S0, 0),    /* 60 */
        rv_addi(RV_SP, RV_SP, 16),   /* 64 */
        RV_RET,                      /* 68 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV,
        CODE(code),
        .functions = {{"_start", 0, 0x30}, {"g", 0x30, 0x24}, {"leaf", 0x54, 0x18}}});
    assert_int_equal(p->loops.count, 1);
    uint64_t self = (3 + 3 + 1) + (3 + 3), called = (3 + 3 + 4) + (3 + 3);
    expect(p, (wanted_loop){0x38, 1, 2, 5, 2, 3, self, self + called});
    gs_profile_free(p);
}

/* A cycle with two entries is no loop, however often it goes round. */
static void test_irreducible(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_addi(RV_A2, 0, 9),      /* 00: _start */
        rv_beq(0x08),              /* 04 */
        RV_NOP,                    /* 08 */
        rv_addi(RV_A2, RV_A2, -1), /* 0c */
        rv_bnez(RV_A2, -8),        /* 10 */
        rv_lui(RV_A5, 0xf0000),    /* 14 */
        rv_sw(0, RV_A5),           /* 18 */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_RISCV, CODE(code), .functions = {{"_start", 0, sizeof code}}});
    assert_int_equal(p->loops.count, 0);
    assert_int_equal(p->total.value[GS_METRIC_CYCLES], 2 + 8 * 3 + 2 + 2);
    gs_profile_free(p);
}

/*
 * A MIPS loop that calls: the branch's delay slot is in the loop, the call's is the loop's and the
 * return's the callee's. s0 is 3, 2, 1, 0 at the branch: four rounds of 4 (08 to 14), with 2 in
 * leaf.
 */
static void test_mips_loop_with_call(void **state)
{
    (void)state;
    enum { S0 = 16 };
    uint32_t code[] = {
        mips_addiu(S0, 0, 3),          /* 00: __start */
        MIPS_NOP,                      /* 04 */
        mips_jal(PROFILE_BASE + 0x28), /* 08: loop */
        MIPS_NOP,                      /* 0c */
        0x1600fffd,                    /* 10: bne s0, zero, 0x08; the slot comes after the test */
        mips_addiu(S0, S0, -1),        /* 14 */
        mips_lui(8, 0xf000),           /* 18 */
        0xad000000,                    /* 1c: sw zero, 0(t0) */
        MIPS_NOP,                      /* 20 */
        MIPS_NOP,                      /* 24 */
        MIPS_RET,                      /* 28: leaf */
        MIPS_NOP,                      /* 2c */
    };
    gs_profile *p = profile_on_ideal((profile_program){
        .machine = EM_MIPS, CODE(code), .functions = {{"__start", 0, 0x28}, {"leaf", 0x28, 8}}});
    assert_int_equal(p->loops.count, 1);
    expect(p, (wanted_loop){0x08, 1, 1, 4, 4, 4, 4 * 4, 4 * (4 + 2)});
    gs_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nest_with_break),   cmocka_unit_test(test_test_at_end),
        cmocka_unit_test(test_recursion_in_loop), cmocka_unit_test(test_many_recursive_calls),
        cmocka_unit_test(test_jump_table),        cmocka_unit_test(test_left_from_callee),
        cmocka_unit_test(test_irreducible),       cmocka_unit_test(test_mips_loop_with_call),
    };
    return cmocka_run_group_tests_name("profile_loops", tests, NULL, NULL);
}
