/*
 * The rules at the top of src/timing/tiger.c, one by one. What a rule gives is worked out beside
 * each test: G, X and M are the cycles in which an instruction leaves decode, execute and
 * memory access, counted from wherever is convenient. An instruction's cost is its M less the
 * M before.
 *
 * Where caches do not matter, one line holds all the code and another all the data.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>

#include "timed_run.h"
#include "timing/timing.h"

#define I(op, rs, rt, imm) ((uint32_t)(op) << 26 | (rs) << 21 | (rt) << 16 | ((imm)&0xffff))
#define R(rs, rt, rd, fn)  ((uint32_t)(rs) << 21 | (rt) << 16 | (rd) << 11 | (fn))
#define NOP                0u
#define LUI(rt, imm)       I(15, 0, rt, imm)
#define ADDIU(rt, rs, imm) I(9, rs, rt, imm)
#define ADDU(rd, rs, rt)   R(rs, rt, rd, 0x21)
#define BEQ(rs, rt, words) I(4, rs, rt, words)
#define BNE(rs, rt, words) I(5, rs, rt, words)
#define BGEZ(rs, words)    I(1, rs, 1, words)
#define JAL(address)       (0x0c000000u | (address) >> 2)
#define JR(rs)             R(rs, 0, 0, 8)
#define MULT(rs, rt)       R(rs, rt, 0, 0x18)
#define DIV(rs, rt)        R(rs, rt, 0, 0x1a)
#define MFLO(rd)           R(0, 0, rd, 0x12)
#define LW(rt, off, rs)    I(0x23, rs, rt, off)
#define SW(rt, off, rs)    I(0x2b, rs, rt, off)

enum { CODE = 0x10000, P = 2 + 5 };

/* Before every body: $16 points to data whose line is in the cache. */
#define WARM_UP LUI(16, 2), LW(2, 0, 16), NOP, NOP, NOP, NOP
enum { BODY = 6 };

static timed_run time_with(const char *const *set, const uint32_t *code, size_t words, unsigned run)
{
    timed_program program = {
        .machine = EM_MIPS,
        .core = "tiger-mips",
        .set = set,
        .address = CODE,
        .code = code,
        .words = words,
        .run = run,
    };
    return time_program(&program);
}

static const char *const large_lines[] = {"icache.line=4096", "dcache.line=1024", NULL};

/* The costs of a body that runs straight through. */
#define BODY_COSTS(set, body, ...)                                  \
    do {                                                            \
        const uint32_t code_[] = {WARM_UP, body, NOP, NOP};         \
        const unsigned words_ = sizeof code_ / sizeof *code_;       \
        timed_run run_ = time_with(set, code_, words_, words_ - 1); \
        expect_costs(&run_, BODY, __VA_ARGS__);                     \
    } while (0)
#define LIST(...) __VA_ARGS__

static void test_plain(void **state)
{
    (void)state;
    BODY_COSTS(large_lines, LIST(ADDIU(2, 2, 1), ADDIU(2, 2, 1), ADDU(3, 2, 2)), 1, 1, 1);
}

/* lw: G 0, X 1. Its reader: G = max(1, X(lw) + 1) = 2. One in between covers that. */
static void test_load_use(void **state)
{
    (void)state;
    BODY_COSTS(large_lines, LIST(LW(2, 0, 16), ADDU(3, 2, 2), NOP), 1, 2, 1);
    BODY_COSTS(large_lines, LIST(LW(2, 0, 16), NOP, ADDU(3, 2, 2)), 1, 1, 1);
    /* addiu writes its rt and does not read it. */
    BODY_COSTS(large_lines, LIST(LW(2, 0, 16), ADDIU(2, 4, 1), NOP), 1, 1, 1);
    /* A load may use the value of the load before: the address is needed in execute. */
    BODY_COSTS(large_lines, LIST(LW(2, 0, 16), LW(3, 0, 2), NOP), 1, 1 + 1 + P + 255 - 3, 1);
}

/* addiu: G 0, X 1, M 2. A branch that reads it: G = M + 1 = 3 instead of 1. */
static void test_branch_source(void **state)
{
    (void)state;
    BODY_COSTS(large_lines, LIST(ADDIU(2, 0, 0), BNE(2, 0, 2), NOP), 1, 3, 1);
    BODY_COSTS(large_lines, LIST(ADDIU(2, 0, 0), BNE(0, 2, 2), NOP), 1, 3, 1);
    BODY_COSTS(large_lines, LIST(ADDIU(2, 0, 0), NOP, BNE(2, 0, 2), NOP), 1, 1, 2, 1);
    BODY_COSTS(large_lines, LIST(ADDIU(2, 0, 0), NOP, NOP, BNE(2, 0, 2), NOP), 1, 1, 1, 1, 1);
    BODY_COSTS(large_lines, LIST(LW(2, 0, 16), BNE(2, 0, 2), NOP), 1, 3, 1);
    /* The rt field of bgez is a function code. */
    BODY_COSTS(large_lines, LIST(ADDIU(1, 0, 1), BGEZ(4, 1), NOP), 1, 1, 1);
}

/* Taken or not, a branch costs 1, and so does its slot. jr reads $31 two behind jal: 1 more. */
static void test_jumps(void **state)
{
    (void)state;
    const uint32_t code[] = {
        WARM_UP, BEQ(0, 0, 3),                          /* 6 to 10 */
        NOP,     NOP,          NOP, JAL(CODE + 4 * 14), /* 10 to 14 */
        NOP,     NOP,          NOP, JR(31),             /* 14 to 12 */
        NOP,
    };
    timed_run run = time_with(large_lines, code, sizeof code / sizeof *code, BODY + 8);
    expect_costs(&run, BODY, 1, 1, 1, 1, 2, 1, 1, 1);
}

/* The port is free for a load or store at X(store) + 2, for a store at M(load) + 1. */
static void test_data_port(void **state)
{
    (void)state;
    static const char *const slow[] = {"icache.line=4096", "dcache.line=1024", "memory.write=2",
                                       NULL};
    BODY_COSTS(large_lines, LIST(LW(2, 0, 16), LW(3, 4, 16), NOP), 1, 1, 1);
    BODY_COSTS(large_lines, LIST(SW(2, 0, 16), LW(3, 4, 16), NOP), 1, 2, 1);
    BODY_COSTS(large_lines, LIST(SW(2, 0, 16), SW(2, 4, 16), NOP), 1, 2, 1);
    BODY_COSTS(large_lines, LIST(LW(3, 0, 16), SW(2, 4, 16), NOP), 1, 2, 1);
    BODY_COSTS(large_lines, LIST(SW(2, 0, 16), NOP, LW(3, 4, 16)), 1, 1, 1);
    /* memory.write: X(store) + 4. */
    BODY_COSTS(slow, LIST(SW(2, 0, 16), LW(3, 4, 16), NOP), 1, 4, 1);
    BODY_COSTS(slow, LIST(SW(2, 0, 16), NOP, SW(2, 4, 16)), 1, 1, 3);
    const uint32_t code[] = {WARM_UP, SW(2, 0, 16), LW(3, 4, 16), NOP, NOP};
    timed_run run = time_with(slow, code, 10, 9);
    assert_int_equal(run.stalls[GS_STALL_D_WRITE], 2);
    assert_int_equal(run.stalls[GS_STALL_STRUCTURAL], 1 + 3); /* and the pipeline fills */
}

/* mflo leaves execute 12 cycles after the div; a second div and mult do not wait. */
static void test_divide(void **state)
{
    (void)state;
    BODY_COSTS(large_lines, LIST(DIV(16, 16), MFLO(2), MFLO(3)), 1, 12, 1);
    BODY_COSTS(large_lines, LIST(DIV(16, 16), NOP, NOP, MFLO(2)), 1, 1, 1, 10);
    BODY_COSTS(large_lines, LIST(DIV(16, 16), DIV(16, 16), MFLO(2)), 1, 1, 12);
    BODY_COSTS(large_lines, LIST(MULT(16, 16), MFLO(2), ADDU(3, 2, 2)), 1, 1, 1);
}

/*
 *            G   X   M
 *   addiu    0   1   2
 *   lw       1   2   3    X = max(2, M(addiu))
 *   sw       2   4   5    the port is free at M(lw) + 1 = 4: it waits in execute. It needs the
 *                         addiu's register from write-back: the lw stays, M(lw) = 4
 *   bne      5   6   7    G = M(lw) + 1
 */
static void test_write_back_held(void **state)
{
    (void)state;
    BODY_COSTS(large_lines, LIST(ADDIU(2, 0, 0), LW(3, 0, 16), SW(2, 4, 16), BEQ(3, 16, 2), NOP), 1,
               1, 2, 2, 1);
    /* The same without that need: G(bne) = max(X(sw), M(lw) + 1) = 4. */
    BODY_COSTS(large_lines, LIST(ADDIU(2, 0, 0), LW(3, 0, 16), SW(0, 4, 16), BEQ(3, 16, 2), NOP), 1,
               1, 2, 1, 1);
}

/* A fill takes P = overhead + first + 3 next = L + 5. A use right behind waits its 1 as well. */
static void test_data_miss(void **state)
{
    (void)state;
    static const char *const one_line[] = {"icache.line=4096", "memory.next=0", "memory.first=5",
                                           NULL}; /* P = 7 for lines of any length */
    BODY_COSTS(one_line, LIST(LW(2, 256, 16), NOP, NOP), 1 + P, 1, 1);
    BODY_COSTS(one_line, LIST(LW(2, 256, 16), ADDU(3, 2, 2), NOP), 1 + P, 2, 1);
    BODY_COSTS(one_line, LIST(LW(2, 256, 16), LW(2, 268, 16), LW(2, 272, 16)), 1 + P, 1, 1 + P);
    /* A store that misses brings nothing in and costs nothing. */
    BODY_COSTS(one_line, LIST(SW(2, 256, 16), NOP, LW(2, 256, 16)), 1, 1, 1 + P);
    /* Direct-mapped, 8 KB: 0x2000 further evicts. */
    BODY_COSTS(one_line, LIST(LW(2, 0x2000, 16), LW(2, 0, 16), NOP), 1 + P, 1 + P, 1);
}

/* Lines of 4 instructions: the last of each stays in decode while the next line is fetched. */
static void test_instruction_miss(void **state)
{
    (void)state;
    const uint32_t code[16] = {NOP};
    timed_run run = time_with(NULL, code, 16, 14);
    assert_int_equal(run.first, 4 + P);
    expect_costs(&run, 1, 1, 1, 1 + P, 1, 1, 1, 1 + P, 1, 1, 1, 1 + P);
    assert_int_equal(run.stalls[GS_STALL_I_MISS], 4 * P);
    assert_int_equal(run.stalls[GS_STALL_STRUCTURAL], 3); /* the pipeline fills */
}

/*
 * A line missed while the load ahead misses, too:
 *
 *            G                  X               M
 *   lw       0                  1               2 + P
 *   nop      2 + P              3 + P           4 + P    the next line is fetched from G(lw) + 1
 *                                                        and there at 1 + P, but between X(lw)
 *                                                        and M(lw) nothing leaves decode
 *
 * With one memory port the line is fetched after the data: G = M(lw) + P = 2 + 2 P. If
 * instructions have priority, the line is there at 1 + P and the data at M(lw) = 1 + 2 P. The
 * nop leaves decode then, and its M is 3 + 2 P.
 */
static void test_both_miss(void **state)
{
    (void)state;
    static const char *const shared[] = {"memory.shared=yes", NULL};
    static const char *const fetch_first[] = {"memory.shared=yes", "memory.priority=fetch", NULL};
    const uint32_t code[] = {LUI(16, 2), NOP, LW(2, 0, 16), NOP, NOP, NOP, NOP, NOP};
    timed_run run = time_with(NULL, code, 8, 6);
    expect_costs(&run, 1, 1, 1 + P, 2, 1, 1);
    run = time_with(shared, code, 8, 6);
    expect_costs(&run, 1, 1, 1 + P, 2 + P, 1, 1);
    run = time_with(fetch_first, code, 8, 6);
    expect_costs(&run, 1, 1, 1 + P, 1 + P, 1, 1);
}

/* Cycles have one cause each. */
static void test_causes(void **state)
{
    (void)state;
    const uint32_t code[] = {WARM_UP,   LW(2, 0, 16), ADDU(3, 2, 2), SW(3, 0, 16), SW(3, 4, 16),
                             DIV(3, 3), MFLO(4),      BNE(4, 4, 1),  NOP,          NOP,
                             NOP};
    timed_run run = time_with(large_lines, code, 16, 14);
    expect_costs(&run, BODY, 1, 2, 1, 2, 1, 12, 3, 1);
    assert_int_equal(run.stalls[GS_STALL_LOAD_USE], 1);
    assert_int_equal(run.stalls[GS_STALL_MULDIV], 11);
    assert_int_equal(run.stalls[GS_STALL_HAZARD], 2);
    assert_int_equal(run.stalls[GS_STALL_STRUCTURAL], 1 + 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_load_use),
        cmocka_unit_test(test_branch_source),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_data_port),
        cmocka_unit_test(test_divide),
        cmocka_unit_test(test_write_back_held),
        cmocka_unit_test(test_data_miss),
        cmocka_unit_test(test_instruction_miss),
        cmocka_unit_test(test_both_miss),
        cmocka_unit_test(test_causes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
