/*
 * The rules at the top of src/timing/vexriscv.c, one by one. What a rule gives is worked out
 * beside each test, in cycles of issue: an instruction retires three later, so its cost is its
 * issue less the issue before.
 *
 * Where caches do not matter, one line holds all the code and another all the data.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>

#include "encode.h"
#include "timed_run.h"
#include "timing/timing.h"

/* Just enough of an assembler: rd, rs1, rs2 are register numbers, branches go by bytes. */
#define R(f7, rs2, rs1, f3, rd) \
    ((uint32_t)(f7) << 25 | (rs2) << 20 | (rs1) << 15 | (f3) << 12 | (rd) << 7 | 0x33)
#define ADD(rd, rs1, rs2) R(0, rs2, rs1, 0, rd)
#define SLL(rd, rs1, rs2) R(0, rs2, rs1, 1, rd)
#define MUL(rd, rs1, rs2) R(1, rs2, rs1, 0, rd)
#define DIV(rd, rs1, rs2) R(1, rs2, rs1, 4, rd)
#define LW(rd, off, rs1)  ((uint32_t)(off) << 20 | (rs1) << 15 | 2 << 12 | (rd) << 7 | 0x03)
#define LBU(rd, off, rs1) ((uint32_t)(off) << 20 | (rs1) << 15 | 4 << 12 | (rd) << 7 | 0x03)
#define STORE(f3, rs2, off, rs1)                                                       \
    ((uint32_t)((off) >> 5) << 25 | (uint32_t)(rs2) << 20 | (rs1) << 15 | (f3) << 12 | \
     ((off)&31) << 7 | 0x23)
#define SW(rs2, off, rs1) STORE(2, rs2, off, rs1)
#define SB(rs2, off, rs1) STORE(0, rs2, off, rs1)
#define BEQ(off)          rv_beq(off) /* a0, a1: both are 0 */
#define BNE(off)          (rv_beq(off) | 1 << 12)
#define J(off)            rv_jump(off)
#define CSRR(rd)          (0x34102073u | (rd) << 7) /* mepc */
#define FENCE_I           0x0000100fu
#define NOP               ((uint32_t)RV_NOP)

enum { CODE = 0x80010000, S10 = 26, S11 = 27 };

/* Before every body: s10 points to data whose line is in the cache, s11 to the test device. */
#define WARM_UP rv_lui(S10, 0x80020), rv_lui(S11, 0xf0000), LW(12, 0, S10), NOP, NOP, NOP, NOP, NOP
enum { BODY = 8 };

static timed_run time_with(const char *const *set, const uint32_t *code, size_t words, unsigned run)
{
    timed_program program = {
        .machine = EM_RISCV,
        .core = "vexriscv",
        .set = set,
        .address = CODE,
        .code = code,
        .words = words,
        .run = run,
    };
    return time_program(&program);
}

static const char *const large_lines[] = {"icache.line=4096", "dcache.line=1024", NULL};

/* The costs of a body, of which `run` instructions are executed. */
#define PART_COSTS(set, run, body, ...)                                                   \
    do {                                                                                  \
        const uint32_t code_[] = {WARM_UP, body, NOP, NOP, NOP, NOP, NOP, NOP};           \
        timed_run run_ = time_with(set, code_, sizeof code_ / sizeof *code_, BODY + run); \
        expect_costs(&run_, BODY, __VA_ARGS__);                                           \
    } while (0)
#define COUNT(...)       (sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))
#define COSTS(body, ...) PART_COSTS(large_lines, COUNT(__VA_ARGS__), LIST(body), __VA_ARGS__)
#define LIST(...)        __VA_ARGS__

/* Rule 3. */
static void test_hazards(void **state)
{
    (void)state;
    COSTS(LIST(ADD(5, 6, 6), ADD(7, 5, 5), LW(5, 0, S10), ADD(7, 6, 6)), 1, 1, 1, 1);
    COSTS(LIST(SLL(5, 6, 6), ADD(7, 5, 5)), 1, 2);
    COSTS(LIST(SLL(5, 6, 6), NOP, ADD(7, 5, 5)), 1, 1, 1);
    COSTS(LIST(LW(5, 0, S10), ADD(7, 5, 5)), 1, 3);
    COSTS(LIST(LW(5, 0, S10), NOP, ADD(7, 5, 5)), 1, 1, 2);
    COSTS(LIST(LW(5, 0, S10), NOP, NOP, ADD(7, 5, 5)), 1, 1, 1, 1);
    COSTS(LIST(MUL(5, 6, 6), ADD(7, 5, 5)), 1, 3);
    COSTS(LIST(MUL(5, 6, 6), MUL(7, 6, 6)), 1, 1);
}

/* Rule 4. A csr access waits for the two stages ahead of it; two nops later they are empty. */
static void test_execute(void **state)
{
    (void)state;
    COSTS(LIST(DIV(5, 6, 6), NOP), 34, 1);
    COSTS(LIST(DIV(5, 6, 6), ADD(7, 5, 5)), 34, 2);
    COSTS(LIST(CSRR(5), CSRR(5), NOP), 3, 3, 1);
    COSTS(LIST(CSRR(5), ADD(7, 5, 5)), 3, 2);
    COSTS(LIST(LW(5, 0, S10), ADD(7, 5, 5)), 1, 3);
}

/* Rule 5. */
static void test_branches(void **state)
{
    (void)state;
    COSTS(LIST(BNE(8), NOP, NOP), 1, 1, 1);         /* forward, not taken: right */
    COSTS(LIST(BEQ(12), NOP, NOP, NOP), 1, 4);      /* forward, taken: wrong */
    COSTS(LIST(J(8), NOP, NOP), 1, 2);              /* decoded, one bubble */
    COSTS(LIST(J(8), J(8), BEQ(-4), NOP), 1, 2, 2); /* backward, taken: right */
    COSTS(LIST(J(8), NOP, BNE(-4), NOP), 1, 2, 4);  /* backward, not taken: wrong */
    COSTS(LIST(rv_auipc(5, 0), rv_jalr(0, 5, 12), NOP, NOP), 1, 1, 4);
    /* A bubble covers a wait: the reader arrives two cycles after the j issued. */
    COSTS(LIST(LW(5, 0, S10), J(4), ADD(7, 5, 5)), 1, 1, 2);
    /* Nothing hides behind a divide: the j is in decode until it is done. */
    COSTS(LIST(DIV(5, 6, 6), J(4), NOP), 34, 1, 2);
}

/*
 * Rule 6. lw 0, beq 1, redirect in cycle 3, next issue at 5. The wrong path's add arrives at 2
 * and can issue at 3 = lw + 3: in the cycle of the redirect it is not held. With the lw one
 * earlier still less so. But a wrong-path mul at 2 holds its reader until 5.
 */
static void test_wrong_path_held(void **state)
{
    (void)state;
    COSTS(LIST(LW(5, 0, S10), BEQ(8), ADD(7, 5, 5), NOP), 1, 1, 4);
    COSTS(LIST(NOP, BEQ(12), MUL(5, 6, 6), ADD(7, 5, 5), NOP), 1, 1, 5);
    COSTS(LIST(NOP, BEQ(12), MUL(5, 6, 6), NOP, NOP), 1, 1, 4);
    /* A divide of the wrong path never gets to memory; a csr access waits in execute. */
    COSTS(LIST(NOP, BEQ(12), DIV(5, 6, 6), NOP, NOP), 1, 1, 4);
    COSTS(LIST(NOP, BEQ(12), CSRR(5), NOP, NOP), 1, 1, 5);
}

/*
 * Rule 9 with F = 10: f = issue + 11. Stores at 0 and 1: f = 11 and 22. The third issues at 12,
 * the fourth at 23. Loads that hit do not wait.
 */
static void test_stores(void **state)
{
    (void)state;
    static const char *const slow[] = {"icache.line=4096", "dcache.line=1024", "memory.first=10",
                                       NULL};
    PART_COSTS(large_lines, 4, LIST(SW(0, 0, S10), SW(0, 4, S10), SW(0, 8, S10), SW(0, 12, S10)), 1,
               1, 1, 1);
    PART_COSTS(slow, 5,
               LIST(SW(0, 0, S10), SW(0, 4, S10), SW(0, 8, S10), SW(0, 12, S10), LW(5, 64, S10)), 1,
               1, 11, 11, 1);
    /*
     * The third store waits in write-back, at step 6, for f = 3 + 11 of the first: 9 cycles. The
     * add behind it was in decode by then, waiting for the mul at 2: its step is still 5.
     */
    PART_COSTS(slow, 5,
               LIST(SW(0, 0, S10), SW(0, 4, S10), MUL(5, 6, 6), SW(0, 8, S10), ADD(7, 5, 5)), 1, 1,
               1, 10, 2);
}

/* Rule 8: the bytes have to overlap, and the store to be one or two cycles ahead. */
static void test_store_then_load(void **state)
{
    (void)state;
    COSTS(LIST(SW(0, 0, S10), LW(5, 0, S10), NOP), 1, 6, 1);
    COSTS(LIST(SW(0, 0, S10), NOP, LW(5, 0, S10)), 1, 1, 6);
    COSTS(LIST(SW(0, 0, S10), NOP, NOP, LW(5, 0, S10)), 1, 1, 1, 1);
    COSTS(LIST(SW(0, 0, S10), LW(5, 4, S10)), 1, 1);
    COSTS(LIST(SB(0, 0, S10), LBU(5, 1, S10)), 1, 1);
    COSTS(LIST(SB(0, 1, S10), LW(5, 0, S10)), 1, 6);
}

/* Rule 7 with P = 4 + 8 + F + 7 S. Misses wait for stores: f of a store right ahead is one cycle
 * after a load's issue if F = 1. */
static void test_data_miss(void **state)
{
    (void)state;
    static const char *const fast[] = {"icache.line=4096", NULL};
    static const char *const slow[] = {"icache.line=4096", "memory.first=1", "memory.next=1", NULL};
    PART_COSTS(fast, 2, LIST(LW(5, 64, S10), NOP), 13, 1);
    PART_COSTS(fast, 2, LIST(LW(5, 64, S10), ADD(7, 5, 5)), 13, 3);
    PART_COSTS(fast, 2, LIST(LW(5, 64, S10), LW(5, 92, S10)), 13, 1);
    PART_COSTS(slow, 2, LIST(LW(5, 64, S10), NOP), 21, 1);
    PART_COSTS(slow, 2, LIST(SW(0, 0, S10), LW(5, 64, S10)), 1, 22);
    PART_COSTS(slow, 3, LIST(SW(0, 0, S10), NOP, LW(5, 64, S10)), 1, 1, 21);
    /* A store brings no line in. */
    PART_COSTS(fast, 4, LIST(SW(0, 64, S10), NOP, NOP, LW(5, 64, S10)), 1, 1, 1, 13);
}

/* Rule 10: 2 + F more. */
static void test_device(void **state)
{
    (void)state;
    static const char *const slow[] = {"icache.line=4096", "dcache.line=1024", "memory.first=10",
                                       NULL};
    COSTS(LIST(LW(5, 8, S11), NOP), 3, 1);
    PART_COSTS(slow, 3, LIST(LW(5, 8, S11), NOP, SW(0, 8, S11)), 13, 1, 1);
}

/* Rules 2 and 12: lines of 8 instructions, P = 12. */
static void test_instruction_miss(void **state)
{
    (void)state;
    const uint32_t code[20] = {NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP,
                               NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP};
    static const char *const slow[] = {"memory.first=1", "memory.next=1", NULL};
    timed_run run = time_with(NULL, code, 20, 18);
    assert_int_equal(run.first, 147);
    expect_costs(&run, 1, 1, 1, 1, 1, 1, 1, 1, 13, 1, 1, 1, 1, 1, 1, 1, 13, 1);
    assert_int_equal(run.stalls[GS_STALL_I_MISS], 36);
    run = time_with(slow, code, 20, 10);
    assert_int_equal(run.first, 155);
    expect_costs(&run, 7, 1, 21, 1);
}

/*
 * Rule 6, lines. A branch that is the last of its line issues at 0; the wrong path arrives at 1,
 * in a line that is not there: it is, at 13. The target arrives then, misses, and issues at 25.
 * As the last but one, the branch lets the second of the wrong path miss at 2: one later. Three
 * from the end, the target misses at 4. A j is followed before anything behind it arrives.
 */
static void test_wrong_path_line(void **state)
{
    (void)state;
    uint32_t code[24];
    const struct {
        unsigned at;
        uint32_t jump;
        unsigned cost;
    } cases[] = {
        {7, BEQ(36), 25}, {6, BEQ(40), 26}, {5, BEQ(44), 16}, {7, J(36), 14}, {6, J(40), 14},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (unsigned k = 0; k < 24; k++)
            code[k] = NOP;
        code[cases[i].at] = cases[i].jump;
        timed_run run = time_with(NULL, code, 24, cases[i].at + 3);
        expect_costs(&run, cases[i].at, 1, cases[i].cost, 1);
    }
}

/*
 * Rule 7, lines. A load that misses, n before the end of its line: the next line is noticed n
 * cycles after the load's issue while that is under way, if n is not above 3. Its P starts
 * then, so the load is back n later than it would be; then the line is there.
 */
static void test_line_behind_load(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 4; n++) {
        uint32_t code[24] = {rv_lui(S10, 0x80020)};
        for (unsigned k = 1; k < 24; k++)
            code[k] = NOP;
        code[16 - n] = LW(5, 0, S10);
        timed_run run = time_with(NULL, code, 24, 20);
        unsigned load = n <= 3 ? 13 + n : 13, line = n <= 3 ? 1 : 13;
        expect_costs(&run, 16 - n, load);
        expect_costs(&run, 16, line);
    }
}

/*
 * Rules 2 and 4. A divide at 0 freezes in step 2 for 33 cycles. A missing line noticed in step 1
 * or 2 is there before that ends; fetch then moves twice after step 2 and the instruction arrives
 * in step 4. Noticed in step 3, it costs what it always does.
 */
static void test_line_behind_divide(void **state)
{
    (void)state;
    static const unsigned cost[] = {0, 4, 3, 13};
    for (unsigned n = 1; n <= 3; n++) {
        uint32_t code[24];
        for (unsigned k = 0; k < 24; k++)
            code[k] = NOP;
        code[16 - n] = DIV(5, 6, 6);
        timed_run run = time_with(NULL, code, 24, 20);
        expect_costs(&run, 16 - n, 34);
        expect_costs(&run, 16, cost[n]);
    }
}

/* Rule 11: the next instruction goes on, the one after waits for 128 lines + 3, and for its
 * own line. */
static void test_fence_i(void **state)
{
    (void)state;
    const uint32_t code[] = {NOP, NOP, FENCE_I, NOP, NOP, NOP, FENCE_I, FENCE_I, NOP, NOP};
    timed_run run = time_with(NULL, code, 10, 9);
    expect_costs(&run, 1, 1, 1, 1, 1 + 131 + 12, 1, 1, 1, 1 + 131 + 12);
}

/* Cycles have one cause each. */
static void test_causes(void **state)
{
    (void)state;
    const uint32_t code[] = {WARM_UP,      LW(5, 0, S10), ADD(7, 5, 5), SLL(5, 6, 6),
                             ADD(7, 5, 5), DIV(5, 6, 6),  BEQ(8),       NOP,
                             J(4),         NOP,           NOP,          NOP};
    timed_run run = time_with(large_lines, code, sizeof code / sizeof *code, BODY + 8);
    expect_costs(&run, BODY, 1, 3, 1, 2, 34, 1, 4, 2);
    assert_int_equal(run.stalls[GS_STALL_LOAD_USE], 2);
    assert_int_equal(run.stalls[GS_STALL_HAZARD], 1);
    assert_int_equal(run.stalls[GS_STALL_MULDIV], 33);
    assert_int_equal(run.stalls[GS_STALL_MISPREDICT], 3);
    assert_int_equal(run.stalls[GS_STALL_BRANCH], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hazards),          cmocka_unit_test(test_execute),
        cmocka_unit_test(test_branches),         cmocka_unit_test(test_wrong_path_held),
        cmocka_unit_test(test_stores),           cmocka_unit_test(test_store_then_load),
        cmocka_unit_test(test_data_miss),        cmocka_unit_test(test_device),
        cmocka_unit_test(test_instruction_miss), cmocka_unit_test(test_wrong_path_line),
        cmocka_unit_test(test_line_behind_load), cmocka_unit_test(test_line_behind_divide),
        cmocka_unit_test(test_fence_i),          cmocka_unit_test(test_causes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
