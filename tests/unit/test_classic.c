/*
 * docs/flatfoot.md, rule by rule. F, D, X, M are the last cycles in the stages, as there; an
 * instruction's cost is its M less the M before. With first = 8, next = 1 and four words a line a
 * fill takes g + 12, where g is the cycle of its request.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>

#include "timed_run.h"
#include "timing/timing.h"

#define R(f7, rs2, rs1, f3, rd, op) \
    ((uint32_t)(f7) << 25 | (rs2) << 20 | (rs1) << 15 | (f3) << 12 | (rd) << 7 | (op))
#define I(imm, rs1, f3, rd, op) \
    (((uint32_t)(imm)&0xfff) << 20 | (rs1) << 15 | (f3) << 12 | (rd) << 7 | (op))
#define NOP                I(0, 0, 0, 0, 0x13)
#define ADDI(rd, rs1, imm) I(imm, rs1, 0, rd, 0x13)
#define ADD(rd, rs1, rs2)  R(0, rs2, rs1, 0, rd, 0x33)
#define MUL(rd, rs1, rs2)  R(1, rs2, rs1, 0, rd, 0x33)
#define DIV(rd, rs1, rs2)  R(1, rs2, rs1, 4, rd, 0x33)
#define LUI(rd, imm)       ((uint32_t)(imm) << 12 | (rd) << 7 | 0x37)
#define AUIPC(rd, imm)     ((uint32_t)(imm) << 12 | (rd) << 7 | 0x17)
#define LW(rd, imm, rs1)   I(imm, rs1, 2, rd, 0x03)
#define SW(rs2, imm, rs1)                                                   \
    (((uint32_t)(imm)&0xfe0) << 20 | (rs2) << 20 | (rs1) << 15 | 2u << 12 | \
     ((uint32_t)(imm)&0x1f) << 7 | 0x23)
#define BEQ(rs1, rs2, offset)                                       \
    (((uint32_t)(offset)&0x7e0) << 20 | (rs2) << 20 | (rs1) << 15 | \
     ((uint32_t)(offset)&0x1e) << 7 | 0x63)
#define JAL(rd, offset)    (((uint32_t)(offset)&0x7fe) << 20 | (rd) << 7 | 0x6f)
#define JALR(rd, imm, rs1) I(imm, rs1, 0, rd, 0x67)
#define FENCE_I            0x0000100f
#define CSRR_MCYCLE(rd)    I(0xb00, 0, 2, rd, 0x73)
#define CSRW_MTVEC(rs1)    I(0x305, rs1, 1, 0, 0x73)
#define ECALL              0x00000073
#define ILLEGAL            0xffffffff

enum { CODE = 0x80000000, FILL = 12 };

/* One line holds all code, so that only the first fetch misses, and one all data at s0 (x8), which
 * the third instruction brings in. */
static const char *const one_line[] = {"icache.line=1024", "dcache.line=1024", "memory.next=0",
                                       NULL};
#define WARM_UP AUIPC(8, 4), NOP, LW(5, 0, 8), NOP, NOP, NOP
enum { BODY = 6 };

static timed_run time_code(const char *const *set, const uint32_t *code, size_t words, unsigned run)
{
    return time_program(&(timed_program){
        .machine = EM_RISCV,
        .core = "flatfoot",
        .set = set,
        .address = CODE,
        .code = code,
        .words = words,
        .run = run,
    });
}

/* The costs of a body that runs straight through, behind WARM_UP. */
#define BODY_COSTS(body, ...)                                            \
    do {                                                                 \
        const uint32_t code_[] = {WARM_UP, body, NOP, NOP};              \
        const unsigned words_ = sizeof code_ / sizeof *code_;            \
        timed_run run_ = time_code(one_line, code_, words_, words_ - 1); \
        expect_costs(&run_, BODY, __VA_ARGS__);                          \
    } while (0)
#define LIST(...) __VA_ARGS__

/* Reset: f = 1, a miss: g = max(1, 0, 0) + 1 = 2, F = 2 + 12 = 14, M = F + 3 = 17. */
static void test_first_instruction(void **state)
{
    (void)state;
    const uint32_t code[] = {NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP};
    timed_run run = time_code(NULL, code, 8, 6);
    assert_int_equal(run.first, 1 + 1 + FILL + 3);
    /* Number 4 is the first of the next line. F(3) = 17, so f(4) = 18; everything ahead finishes
     * with M(3) = 20: g = 21, F = 33, M = 36, 16 cycles after M(3). */
    expect_costs(&run, 1, 1, 1, 1, 16, 1);
    assert_int_equal(run.stalls[GS_STALL_STRUCTURAL], 3);
    assert_int_equal(run.stalls[GS_STALL_I_MISS], 13 + 15);
}

static void test_plain_and_hazards(void **state)
{
    (void)state;
    BODY_COSTS(LIST(ADDI(5, 5, 1), ADDI(5, 5, 1), ADD(6, 5, 5)), 1, 1, 1); /* forwarded */
    /* Rule 3: D of the reader waits for M of the load or multiply right before it. */
    BODY_COSTS(LIST(LW(5, 0, 8), ADD(6, 5, 5), NOP), 1, 2, 1);
    BODY_COSTS(LIST(LW(5, 0, 8), NOP, ADD(6, 5, 5)), 1, 1, 1);
    BODY_COSTS(LIST(MUL(5, 6, 7), ADD(6, 5, 5), NOP), 1, 2, 1);
    BODY_COSTS(LIST(MUL(5, 6, 7), MUL(6, 7, 7), NOP), 1, 1, 1); /* pipelined */
    BODY_COSTS(LIST(LW(5, 0, 8), SW(5, 4, 8), NOP), 1, 2, 1);   /* the data of a store, too */
    BODY_COSTS(LIST(LW(0, 0, 8), ADD(6, 0, 0), NOP), 1, 1, 1);  /* x0 is never a result */
}

static void expect_body(const char *const *set, const uint32_t body[3], const unsigned costs[3])
{
    const uint32_t code[] = {WARM_UP, body[0], body[1], body[2], NOP, NOP};
    const unsigned words = sizeof code / sizeof *code;
    timed_run run = time_code(set, code, words, words - 1);
    expect_costs(&run, BODY, costs[0], costs[1], costs[2]);
}

/* Without a data cache a load is a miss of a line of its own: g = enter + 1, M = g + 8 + 1, ten
 * cycles later than a hit; a store before it is written first. Unless wait states are given. */
static void test_no_data_cache(void **state)
{
    (void)state;
    static const char *const latency[] = {"icache.line=1024", "dcache=null", "memory.next=0", NULL};
    static const char *const coupled[] = {"icache.line=1024", "dcache=null", "memory.load_wait=0",
                                          "memory.next=0", NULL};
    const uint32_t loads[] = {LW(5, 0, 8), NOP, LW(6, 0, 8)};
    expect_body(latency, loads, (const unsigned[]){11, 1, 11});
    expect_body(coupled, loads, (const unsigned[]){1, 1, 1});
    const uint32_t mixed[] = {SW(5, 0, 8), LW(6, 0, 8), NOP};
    expect_body(latency, mixed, (const unsigned[]){1, 1 + 3 + 10, 1});
}

/* Nor an instruction cache: every fetch takes as long. */
static void test_no_caches(void **state)
{
    (void)state;
    static const char *const latency[] = {"icache=null", "dcache=null", NULL};
    static const char *const coupled[] = {"icache=null", "dcache=null", "memory=null",
                                          "memory.wait=0", NULL};
    const uint32_t plain[] = {NOP, NOP, NOP};
    expect_body(latency, plain, (const unsigned[]){11, 11, 11});
    expect_body(coupled, plain, (const unsigned[]){1, 1, 1});
}

/* Rule 4: 33 cycles in X, and what is behind waits. */
static void test_divide(void **state)
{
    (void)state;
    BODY_COSTS(LIST(DIV(5, 6, 7), ADD(6, 5, 5), NOP), 33, 1, 1);
    BODY_COSTS(LIST(DIV(5, 6, 7), DIV(6, 5, 5), NOP), 33, 33, 1);
}

/* Rule 1. A taken branch: f = X + 1, where it would have been F + 1 = X - 1; jal: f = D + 1. */
static void test_jumps(void **state)
{
    (void)state;
    BODY_COSTS(LIST(BEQ(0, 0, 4), NOP, NOP), 1, 3, 1);
    BODY_COSTS(LIST(BEQ(0, 8, 4), NOP, NOP), 1, 1, 1);
    BODY_COSTS(LIST(JAL(1, 4), NOP, NOP), 1, 2, 1);
    /* jalr to the next word: x9 = its own address. */
    BODY_COSTS(LIST(AUIPC(9, 0), JALR(1, 8, 9), NOP, NOP), 1, 1, 3, 1);
    /* A branch behind the load it reads: waits in D, then goes. */
    BODY_COSTS(LIST(LW(5, 0, 8), BEQ(5, 5, 4), NOP), 1, 2, 3);
}

/* fence.i goes on from X and empties the instruction cache: f = X + 1 = M(fence.i), which has to
 * finish before the fill: g = M + 1, F = g + 8 + 1, M = F + 3 with next = 0. */
static void test_fence_i(void **state)
{
    (void)state;
    BODY_COSTS(LIST(FENCE_I, NOP, NOP), 1, 1 + 9 + 3, 1);
}

/* Rule 5: M = g + 12 with g = X + 2, which is 13 later than X + 1. */
static void test_data_misses(void **state)
{
    (void)state;
    static const char *const one_icache_line[] = {"icache.line=1024", "memory.next=1", NULL};
    const uint32_t code[] = {
        AUIPC(8, 4),  NOP,          NOP,          NOP,          NOP,          NOP,
        LW(5, 0, 8),  LW(6, 4, 8),  NOP,          NOP,          NOP,          NOP,
        LW(5, 16, 8), ADD(6, 5, 5), LW(5, 32, 8), DIV(6, 7, 7), LW(5, 48, 8), BEQ(0, 0, 4),
        NOP,          SW(5, 64, 8), NOP,          LW(5, 64, 8), NOP,
    };
    timed_run run = time_code(one_icache_line, code, sizeof code / sizeof *code, 22);
    expect_costs(&run, BODY, 14, 1, 1, 1, 1, 1);
    expect_costs(&run, 12, 14, 2); /* a use right behind: one cycle, as after a hit */
    /* The divide enters X with the load in M: 33 cycles from there, of which 14 pass under the
     * miss. Load M = L, its X + 1 = L - 13. Divide: D = X(load) = L - 14, X = max(L - 14 + 33, L),
     * M = X + 1 = L + 20. */
    expect_costs(&run, 14, 14, 20);
    /* Behind the divide the load is in D until X(div): M = X + 14. Then a taken branch that stays
     * in X under the miss, and is taken from there: X(beq) = M(lw), f = M(lw) + 1, M = f + 3. */
    expect_costs(&run, 16, 14, 1, 3);
    /* A store that misses allocates nothing: the load behind misses, and waits until the store is
     * written. Store: M = S, w = S + 4. nop: S + 1. Load: X = S + 1, g = max(S + 2, S + 4) + 1 =
     * S + 5, M = S + 17. */
    expect_costs(&run, 19, 1, 1, 16);
}

/* Rule 6: two stores may be on their way, one is written every 4 cycles. Stores 0, 1, 2, 3 with
 * M(0) = 1: w(0) = 5. M(1) = 2, w(1) = 9. M(2) = max(3, w(0) + 1) = 6, w(2) = 13. M(3) = max(7, 10)
 * = 10, w(3) = 17. An instruction behind them does not wait. */
static void test_write_buffer(void **state)
{
    (void)state;
    BODY_COSTS(LIST(SW(5, 0, 8), SW(5, 4, 8), SW(5, 8, 8), SW(5, 12, 8), NOP), 1, 1, 4, 4, 1);
    /* A load that hits does not wait either. */
    BODY_COSTS(LIST(SW(5, 0, 8), SW(5, 4, 8), LW(5, 0, 8), NOP), 1, 1, 1, 1);
}

/* An instruction miss waits for the divide ahead, and for the stores: rule 2. Lines of four. */
static void test_instruction_miss_waits(void **state)
{
    (void)state;
    static const char *const one_data_line[] = {"dcache.line=1024", NULL};
    const uint32_t code[] = {AUIPC(8, 4),  NOP, LW(5, 0, 8), NOP,         NOP,         NOP, NOP,
                             DIV(6, 7, 7), NOP, NOP,         SW(5, 0, 8), SW(5, 4, 8), NOP, NOP};
    timed_run run = time_code(one_data_line, code, sizeof code / sizeof *code, 13);
    /* nop at 8: g = M(div) + 1, F = g + 12, M = F + 3. */
    expect_costs(&run, 7, 33, 16);
    /* Stores: M(0) = s, w(0) = s + 4; M(1) = s + 1, w(1) = s + 8. nop at 12: g = w(1) + 1 = s + 9,
     * F = s + 21, M = s + 24. */
    expect_costs(&run, 10, 1, 1, 23);
}

/* Rule 8: mcycle read by k is M(k-1), whatever k itself costs. Read twice, two nops between: the
 * difference is 3. Shown through a branch that is taken only if it is. */
static void test_counters(void **state)
{
    (void)state;
    BODY_COSTS(LIST(CSRR_MCYCLE(5), NOP, NOP, CSRR_MCYCLE(6), ADDI(5, 5, 3), BEQ(5, 6, 4), NOP), 1,
               1, 1, 1, 1, 1, 3);
    /* With a divide in place of a nop it is 32 more. */
    BODY_COSTS(
        LIST(CSRR_MCYCLE(5), NOP, DIV(7, 7, 7), CSRR_MCYCLE(6), ADDI(5, 5, 35), BEQ(5, 6, 4), NOP),
        1, 1, 33, 1, 1, 1, 3);
}

/* A store to a device is written before it retires: g = X + 2, M = g + 4. Behind a buffered store
 * with M = s it waits for w = s + 4: g = s + 5, M = s + 9. The device: where the test device has
 * its marker. */
static void test_device_stores(void **state)
{
    (void)state;
    BODY_COSTS(LIST(LUI(9, 0xf0000), SW(5, 8, 9), NOP, NOP), 1, 6, 1, 1);
    BODY_COSTS(LIST(LUI(9, 0xf0000), SW(5, 0, 8), SW(5, 8, 9), SW(5, 0, 8), NOP), 1, 1, 9, 1, 1);
    BODY_COSTS(LIST(LUI(9, 0xf0000), SW(5, 0, 8), LW(5, 8, 9), NOP), 1, 1, 14, 1);
}

/* Rule 7, the costs of the handler's first instruction, which is right behind. With P = M of the
 * instruction before the one that traps: M(trapping) = P + 1, f = P + 2, M = P + 5. */
static void test_traps(void **state)
{
    (void)state;
#define TRAPS(cost, ...)                                                               \
    do {                                                                               \
        const uint32_t code_[] = {WARM_UP,                                             \
                                  AUIPC(9, 0),                                         \
                                  ADDI(9, 9, 20),                                      \
                                  CSRW_MTVEC(9),                                       \
                                  LUI(10, 0x10000),                                    \
                                  __VA_ARGS__,                                         \
                                  NOP,                                                 \
                                  NOP,                                                 \
                                  NOP};                                                \
        timed_run run_ = time_code(one_line, code_, sizeof code_ / sizeof *code_, 12); \
        expect_costs(&run_, BODY + 4, cost, 1);                                        \
    } while (0)
    TRAPS(5, ECALL);
    TRAPS(5, ILLEGAL);
    TRAPS(5, LW(5, 0, 0));   /* nothing there: no more than a look at the address */
    TRAPS(5, LW(5, 2, 8));   /* misaligned */
    TRAPS(15, LW(5, 0, 10)); /* refused by the UART, which answers like to any load */
    TRAPS(10, SW(5, 0, 10)); /* or store */
    /* The fetch of the trapping instruction is one like any other: here it misses, and with
     * g = P + 1, next = 0 its F is g + 9 = P + 10, M = P + 13, and that of the handler behind it
     * in the line 4 later. */
    static const char *const lines_of_32[] = {"icache.line=32", "dcache.line=1024", "memory.next=0",
                                              NULL};
    const uint32_t code[] = {AUIPC(9, 0), ADDI(9, 9, 36), CSRW_MTVEC(9), NOP, NOP, NOP, NOP,
                             NOP,         ECALL,          NOP,           NOP, NOP};
    timed_run run = time_code(lines_of_32, code, sizeof code / sizeof *code, 10);
    expect_costs(&run, 8, 17, 1);
    assert_int_equal(run.stalls[GS_STALL_TRAP], 4);
}

/* What a description may change. Two at a time: a pair costs 1 and 0. */
static void test_dual_issue(void **state)
{
    (void)state;
    static const char *const two[] = {"icache.line=1024", "dcache.line=1024", "memory.next=0",
                                      "issue_width=2", NULL};
    const uint32_t code[] = {WARM_UP,      ADDI(5, 5, 1), ADDI(6, 6, 1), ADDI(7, 7, 1),
                             ADD(7, 7, 7), NOP,           NOP,           NOP};
    timed_run run = time_code(two, code, sizeof code / sizeof *code, 12);
    /* The load of the warm-up retires together with the nop behind it, 4 with 5, 6 with 7. 9 needs
     * what 8 makes and leaves decode a cycle later, with 10; 11 is the first of the next pair. */
    expect_costs(&run, BODY, 1, 0, 1, 1, 0, 1);
}

/* A predictor that always guesses right from decode: a taken branch costs what jal costs. */
static void test_prediction(void **state)
{
    (void)state;
    static const char *const taken[] = {"icache.line=1024", "dcache.line=1024", "memory.next=0",
                                        "branch.predictor.scheme=taken", NULL};
    const uint32_t code[] = {WARM_UP, BEQ(0, 0, 4), NOP, BEQ(0, 8, 4), NOP, NOP};
    timed_run run = time_code(taken, code, sizeof code / sizeof *code, 10);
    expect_costs(&run, BODY, 1, 2, 1, 3);
    assert_int_equal(run.stalls[GS_STALL_MISPREDICT], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_instruction),
        cmocka_unit_test(test_plain_and_hazards),
        cmocka_unit_test(test_no_data_cache),
        cmocka_unit_test(test_no_caches),
        cmocka_unit_test(test_divide),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_fence_i),
        cmocka_unit_test(test_data_misses),
        cmocka_unit_test(test_write_buffer),
        cmocka_unit_test(test_instruction_miss_waits),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_device_stores),
        cmocka_unit_test(test_traps),
        cmocka_unit_test(test_dual_issue),
        cmocka_unit_test(test_prediction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
