/*
 * cores/mips-4k.yaml, number by number, in the classic pipeline of docs/flatfoot.md. F, D, X, M are
 * the last cycles in the stages, as there; an instruction's cost is its M less the M before. What
 * the description says of latency and busy is at the top of src/timing/classic.c:
 *
 *   a result is ready at X + latency, that of a load at M + latency - 1: D of a reader is no
 * earlier; a unit that an instruction enters in D + 1 takes the next one in D + 1 + busy.
 *
 * A line of 4 words is there FILL = first + 3 next + 1 = 10 + 3 + 1 cycles after its request.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>

#include "timed_run.h"
#include "timing/timing.h"

#define I(op, rs, rt, imm)   ((uint32_t)(op) << 26 | (rs) << 21 | (rt) << 16 | ((imm)&0xffff))
#define R(rs, rt, rd, fn)    ((uint32_t)(rs) << 21 | (rt) << 16 | (rd) << 11 | (fn))
#define R2(rs, rt, rd, fn)   (0x70000000u | R(rs, rt, rd, fn))
#define NOP                  0u
#define LUI(rt, imm)         I(15, 0, rt, imm)
#define ADDIU(rt, rs, imm)   I(9, rs, rt, imm)
#define ADDU(rd, rs, rt)     R(rs, rt, rd, 0x21)
#define SLLV(rd, rt, rs)     R(rs, rt, rd, 0x04)
#define CLZ(rd, rs)          R2(rs, rd, rd, 0x20)
#define MOVZ(rd, rs, rt)     R(rs, rt, rd, 0x0a)
#define BEQ(rs, rt, words)   I(4, rs, rt, words)
#define BNE(rs, rt, words)   I(5, rs, rt, words)
#define BEQL(rs, rt, words)  I(20, rs, rt, words)
#define BNEL(rs, rt, words)  I(21, rs, rt, words)
#define J(address)           (0x08000000u | ((address)&0x0fffffff) >> 2)
#define JAL(address)         (0x0c000000u | ((address)&0x0fffffff) >> 2)
#define JR(rs)               R(rs, 0, 0, 8)
#define MULT(rs, rt)         R(rs, rt, 0, 0x18)
#define DIV(rs, rt)          R(rs, rt, 0, 0x1a)
#define DIVU(rs, rt)         R(rs, rt, 0, 0x1b)
#define MFHI(rd)             R(0, 0, rd, 0x10)
#define MFLO(rd)             R(0, 0, rd, 0x12)
#define MTLO(rs)             R(rs, 0, 0, 0x13)
#define MADD(rs, rt)         R2(rs, rt, 0, 0)
#define MUL(rd, rs, rt)      R2(rs, rt, rd, 2)
#define LW(rt, off, rs)      I(0x23, rs, rt, off)
#define SW(rt, off, rs)      I(0x2b, rs, rt, off)
#define SYSCALL              0x0000000cu
#define BREAK                0x0000000du
#define ERET                 0x42000018u
#define MTC0(rt, rd)         (0x40800000u | (rt) << 16 | (rd) << 11)
#define MFC0(rt, rd)         (0x40000000u | (rt) << 16 | (rd) << 11)
#define FP_S(fn, fd, fs, ft) (0x46000000u | (ft) << 16 | (fs) << 11 | (fd) << 6 | (fn))

enum { CODE = 0x10000, FIRST = 10, FILL = FIRST + 3 + 1, COUNT = 9, STATUS = 12, EPC = 14 };

/* One line holds all code and another all data, of which the warm-up brings in what $16 points to.
 * With next = 0 such a line takes first + 1 cycles. */
#define LARGE_LINES "icache.line=4096", "dcache.line=1024", "memory.next=0"
enum { LARGE_FILL = FIRST + 1 };
static const char *const large_lines[] = {LARGE_LINES, NULL};
#define WARM_UP LUI(16, 2), LW(2, 0, 16), NOP, NOP, NOP, NOP
enum { BODY = 6 };

static timed_run time_at(uint32_t address, const char *const *set, const uint32_t *code,
                         size_t words, unsigned run)
{
    return time_program(&(timed_program){
        .machine = EM_MIPS,
        .core = "mips-4k",
        .set = set,
        .address = address,
        .code = code,
        .words = words,
        .run = run,
    });
}

/* The costs of a body that runs straight through, behind WARM_UP, and the stalls of its causes. */
static timed_run time_body(const char *const *set, const uint32_t *code, size_t words)
{
    return time_at(CODE, set, code, words, (unsigned)words - 1);
}

#define BODY_RUN(run, set, body, ...)                                          \
    const uint32_t code_[] = {WARM_UP, body, NOP, NOP};                        \
    const timed_run run = time_body(set, code_, sizeof code_ / sizeof *code_); \
    expect_costs(&run, BODY, __VA_ARGS__)
#define BODY_COSTS(body, ...)                                 \
    do {                                                      \
        BODY_RUN(run_, large_lines, LIST(body), __VA_ARGS__); \
    } while (0)
#define LIST(...) __VA_ARGS__

/* Classes that the description does not name take a cycle, and their results are forwarded. */
static void test_plain(void **state)
{
    (void)state;
    BODY_COSTS(LIST(ADDIU(2, 2, 1), ADDU(3, 2, 2), SLLV(4, 3, 2), CLZ(5, 4), MOVZ(6, 5, 4)), 1, 1,
               1, 1, 1);
}

/* The 4K has no FPU. Given one, and what it costs, its instructions are such classes, too. */
static void test_float(void **state)
{
    (void)state;
    static const char *const with_fpu[] = {LARGE_LINES, "isa=mips32r2_fpu",
                                           "classes.FP_DEFAULT.cycles=1", NULL};
    enum { ADD_S = 0, MUL_S = 2, DIV_S = 3 };
    BODY_RUN(run, with_fpu,
             LIST(LUI(3, 0x2000), MTC0(3, STATUS), FP_S(ADD_S, 2, 4, 6), FP_S(MUL_S, 4, 2, 2),
                  FP_S(DIV_S, 6, 4, 2), FP_S(ADD_S, 2, 6, 6)),
             1, 1, 1, 1, 1, 1);
    (void)run;
}

/* LOAD, latency 1. lw: X = x, M = x + 1, ready at M + 0 = x + 1. D of what is right behind would
 * be x: 1 cycle. One in between covers it. */
static void test_load_use(void **state)
{
    (void)state;
    BODY_COSTS(LIST(LW(2, 0, 16), ADDU(3, 2, 2), NOP), 1, 2, 1);
    BODY_COSTS(LIST(LW(2, 0, 16), NOP, ADDU(3, 2, 2)), 1, 1, 1);
    BODY_COSTS(LIST(LW(2, 0, 16), SW(2, 4, 16), NOP), 1, 2, 1);   /* the data of a store, too */
    BODY_COSTS(LIST(LW(2, 0, 16), ADDIU(2, 4, 1), NOP), 1, 1, 1); /* written, not read */
    BODY_COSTS(LIST(LW(0, 0, 16), ADDU(3, 0, 0), NOP), 1, 1, 1);  /* $0 is never a result */
    BODY_RUN(run, large_lines, LIST(LW(2, 0, 16), ADDU(3, 2, 2)), 1, 2);
    assert_int_equal(run.stalls[GS_STALL_LOAD_USE], 1);
}

/* MUL: cycles 3, so X = D + 3 and the pipeline is held for 2. Latency 1: ready at X + 1, where D of
 * what is right behind would be X. busy is not said: the unit takes another in the next cycle. */
static void test_multiply(void **state)
{
    (void)state;
    BODY_COSTS(LIST(MUL(3, 2, 2), NOP, NOP), 3, 1, 1);
    BODY_COSTS(LIST(MUL(3, 2, 2), ADDU(4, 3, 3), NOP), 3, 2, 1);
    BODY_COSTS(LIST(MUL(3, 2, 2), NOP, ADDU(4, 3, 3)), 3, 1, 1);
    BODY_COSTS(LIST(MUL(3, 2, 2), MUL(4, 2, 2), NOP), 3, 3, 1);
    BODY_RUN(run, large_lines, LIST(MUL(3, 2, 2), ADDU(4, 3, 3)), 3, 2);
    assert_int_equal(run.stalls[GS_STALL_MULDIV], 2);
    assert_int_equal(run.stalls[GS_STALL_HAZARD], 1);
}

/*
 * MULT, with D = d: X = d + 1, HI and LO are ready at X + 1 = d + 2 (latency 1), and the unit is
 * free for one that enters it in d + 1 + 2 (busy 2), whose D is then d + 2. Right behind, D would
 * be X = d + 1: 1 cycle for what needs HI, LO or the unit, nothing for others.
 */
static void test_mult(void **state)
{
    (void)state;
    BODY_COSTS(LIST(MULT(2, 2), ADDU(3, 2, 2), NOP), 1, 1, 1);
    BODY_COSTS(LIST(MULT(2, 2), MFLO(3), NOP), 1, 2, 1);
    BODY_COSTS(LIST(MULT(2, 2), NOP, MFHI(3)), 1, 1, 1);
    BODY_COSTS(LIST(MULT(2, 2), MULT(2, 2), NOP), 1, 2, 1);
    BODY_COSTS(LIST(MULT(2, 2), NOP, MULT(2, 2)), 1, 1, 1);
    BODY_COSTS(LIST(MULT(2, 2), MADD(2, 2), MFLO(3)), 1, 2, 2);
    BODY_COSTS(LIST(MULT(2, 2), MUL(3, 2, 2), NOP), 1, 1 + 3, 1); /* one unit */
    BODY_RUN(run, large_lines, LIST(MULT(2, 2), MULT(2, 2)), 1, 2);
    assert_int_equal(run.stalls[GS_STALL_MULDIV], 1);
    assert_int_equal(run.stalls[GS_STALL_HAZARD], 0);
}

/* HILO, latency 1: what mfhi and mflo bring is ready at X + 1, and so is what mtlo leaves. */
static void test_hilo(void **state)
{
    (void)state;
    BODY_COSTS(LIST(MFLO(3), ADDU(4, 3, 3), NOP), 1, 2, 1);
    BODY_COSTS(LIST(MFHI(3), NOP, ADDU(4, 3, 3)), 1, 1, 1);
    BODY_COSTS(LIST(MTLO(2), MFLO(3), NOP), 1, 2, 1);
    BODY_COSTS(LIST(MTLO(2), MFHI(3), NOP), 1, 1, 1); /* the other register */
    BODY_COSTS(LIST(MULT(2, 2), MFLO(3), ADDU(4, 3, 3)), 1, 2, 2);
}

/*
 * DIV, with D = d: X = d + 1, HI and LO ready at X + 33, the unit free for one with D = d + 34.
 * Right behind, D would be d + 1: 33 cycles, less one for each instruction in between. No number
 * depends on the operands: 0 / x and x / x cost the same.
 */
static void test_divide(void **state)
{
    (void)state;
    BODY_COSTS(LIST(DIV(16, 16), ADDU(3, 2, 2), NOP), 1, 1, 1); /* beside the pipeline */
    BODY_COSTS(LIST(DIV(16, 16), MFLO(2), MFHI(3)), 1, 34, 1);
    BODY_COSTS(LIST(DIV(0, 16), MFLO(2), NOP), 1, 34, 1);
    BODY_COSTS(LIST(DIVU(16, 16), NOP, NOP, MFHI(2)), 1, 1, 1, 32);
    BODY_COSTS(LIST(DIV(16, 16), DIV(16, 16), NOP), 1, 34, 1);
    BODY_COSTS(LIST(DIV(16, 16), MULT(2, 2), NOP), 1, 34, 1);
    BODY_COSTS(LIST(DIV(16, 16), MUL(3, 2, 2), NOP), 1, 33 + 3, 1);
    {
        BODY_RUN(run, large_lines, LIST(DIV(16, 16), MFLO(2)), 1, 34);
        assert_int_equal(run.stalls[GS_STALL_HAZARD], 33);
    }
    {
        BODY_RUN(run, large_lines, LIST(DIV(16, 16), DIV(16, 16)), 1, 34);
        assert_int_equal(run.stalls[GS_STALL_MULDIV], 33);
    }
}

/*
 * A branch with D = d is decided there: the target's f is d + 1. The slot's F is d, so the target
 * would be fetched in d + 1 anyhow. A branch that waits for a load does so in D, and all with it.
 */
static void test_branches(void **state)
{
    (void)state;
    /* 6 to 9, slot 7 */
    const uint32_t taken[] = {WARM_UP, BEQ(0, 0, 2), NOP, NOP, NOP, NOP, NOP};
    timed_run run = time_at(CODE, large_lines, taken, sizeof taken / sizeof *taken, BODY + 4);
    expect_costs(&run, BODY, 1, 1, 1, 1);
    assert_int_equal(run.stalls[GS_STALL_BRANCH], 0);
    BODY_COSTS(LIST(BNE(0, 0, 2), NOP, NOP), 1, 1, 1);
    BODY_COSTS(LIST(ADDIU(2, 0, 1), BEQ(2, 0, 2), NOP), 1, 1, 1); /* forwarded */
    BODY_COSTS(LIST(LW(2, 0, 16), BNE(2, 2, 2), NOP), 1, 2, 1);
}

/* A branch-likely that is taken is a branch. One that is not drops its slot, which has been
 * fetched: what follows has f = D + 1 where it would have been F + 1 = D. */
static void test_branches_likely(void **state)
{
    (void)state;
    const uint32_t code[] = {
        WARM_UP, BEQL(0, 0, 2),                           /* 6 to 9 */
        NOP,     NOP,           BNEL(0, 0, 2), DIV(2, 2), /* dropped */
        MFLO(3), NOP,
    };
    const unsigned words = sizeof code / sizeof *code;
    timed_run run = time_at(CODE, large_lines, code, words, BODY + 4);
    expect_costs(&run, BODY, 1, 1, 1, 2);
    assert_int_equal(run.stalls[GS_STALL_BRANCH], 1);
    /* Predicted taken from D: right at no cost, as the slot covers it. Wrong for the second, which
     * is decided in D as well. */
    static const char *const taken[] = {LARGE_LINES, "branch.predictor.scheme=taken", NULL};
    run = time_at(CODE, taken, code, words, BODY + 4);
    expect_costs(&run, BODY, 1, 1, 1, 2);
    assert_int_equal(run.stalls[GS_STALL_MISPREDICT], 1);
    static const char *const not_taken[] = {
        LARGE_LINES, "branch.predictor={scheme: not-taken, btb_entries: 2}", NULL};
    run = time_at(CODE, not_taken, code, words, BODY + 4);
    expect_costs(&run, BODY, 1, 1, 1, 2);
    assert_int_equal(run.stalls[GS_STALL_BRANCH], 1);
}

/* j and jal go on from D like a branch; jr from X: the target's f is X + 1 = d + 2, a cycle later
 * than behind the slot. */
static void test_jumps(void **state)
{
    (void)state;
    const uint32_t code[] = {
        WARM_UP,
        J(CODE + 4 * 9), /* 6 to 9 */
        NOP,
        NOP,
        JAL(CODE + 4 * 13), /* 9 to 13 */
        NOP,
        NOP,
        NOP,
        JR(31), /* 13 to 11 */
        NOP,
    };
    timed_run run = time_at(CODE, large_lines, code, sizeof code / sizeof *code, BODY + 8);
    expect_costs(&run, BODY, 1, 1, 1, 1, 1, 1, 2, 1);
    assert_int_equal(run.stalls[GS_STALL_BRANCH], 1);
}

/*
 * Lines of 4 instructions. Reset: f = 1, g = 2, F = 2 + FILL, M = F + 3. The first of the next
 * line: everything ahead has finished with M(3) = m, g = m + 1, F = m + 1 + FILL, M = F + 3.
 */
static void test_instruction_miss(void **state)
{
    (void)state;
    const uint32_t code[10] = {NOP};
    timed_run run = time_at(CODE, NULL, code, 10, 9);
    assert_int_equal(run.first, 2 + FILL + 3);
    expect_costs(&run, 1, 1, 1, 1, 1 + FILL + 3, 1, 1, 1, 1 + FILL + 3);
    assert_int_equal(run.stalls[GS_STALL_STRUCTURAL], 3); /* the pipeline fills */
    /* Of the 1 + FILL + 3 one is its own; F less max(f, D before), where f = m - 2 and D = m - 2.
     */
    assert_int_equal(run.stalls[GS_STALL_I_MISS], (1 + FILL) + 2 * (FILL + 3));
}

/* 16 KB in 4 ways: addresses 4 KB apart are in one set. Going round 4 such places, each a jump and
 * its slot, the second round hits. A fifth makes the least recently used the next one needed. */
static void test_instruction_ways(void **state)
{
    (void)state;
    enum { APART = 4096 / 4, PLACES = 5, MISS = 1 + FILL + 3 };
    static uint32_t code[PLACES * APART];
    for (unsigned places = 4; places <= PLACES; places++) {
        for (unsigned i = 0; i < places; i++)
            code[i * APART] = J(CODE + 4 * APART * ((i + 1) % places));
        timed_run run = time_at(CODE, NULL, code, PLACES * APART, 4 * places);
        for (unsigned i = 1; i < 2 * places; i++)
            expect_costs(&run, 2 * i, i < places || places > 4 ? MISS : 1, 1);
    }
}

/* One line holds all code, and data has lines of 4 words. A load that hits: M = X + 1 = e. One that
 * misses: g = e + 1, M = e + 1 + FILL. Its reader waits its 1 cycle as after a hit. */
static const char *const one_code_line[] = {"icache.line=4096", NULL};

static void test_data_miss(void **state)
{
    (void)state;
    enum { MISS = 2 + FILL };
    {
        BODY_RUN(run, one_code_line, LIST(LW(2, 16, 16), LW(3, 28, 16), LW(3, 32, 16)), MISS, 1,
                 MISS);
        assert_int_equal(run.stalls[GS_STALL_D_READ], 3 * (MISS - 1)); /* one of the warm-up */
    }
    {
        BODY_RUN(run, one_code_line, LIST(LW(2, 16, 16), ADDU(3, 2, 2), NOP), MISS, 2, 1);
        assert_int_equal(run.stalls[GS_STALL_LOAD_USE], 1);
    }
    {
        /* 4 ways 4 KB apart, the least recently used goes: 0x4000 takes the place of 0x1000. */
        BODY_RUN(run, one_code_line,
                 LIST(LW(2, 0x1000, 16), LW(2, 0x2000, 16), LW(2, 0x3000, 16), LW(2, 0, 16),
                      LW(2, 0x4000, 16), LW(2, 0, 16), LW(2, 0x2000, 16), LW(2, 0x1000, 16)),
                 MISS, MISS, MISS, 1, MISS, 1, 1, MISS);
        (void)run;
    }
}

/* Allocate no: a store with M = s that misses costs nothing, its line is not there, and a load
 * waits until it is written, w = s + 4. Load behind a nop: e = s + 2, g = max(e, w) + 1 = s + 5, M
 * = s + 5 + FILL, where the nop had s + 1. */
static void test_store_miss(void **state)
{
    (void)state;
    BODY_RUN(run, one_code_line, LIST(SW(2, 16, 16), NOP, LW(3, 16, 16), LW(3, 20, 16)), 1, 1,
             4 + FILL, 1);
    (void)run;
}

/*
 * Write through: every store is written, hit or not, 4 cycles each, with 4 on their way. M(0) = 1:
 *
 *   store     0   1   2    3    4    5    6
 *   M         1   2   3    4    6   10   14    M(n) = max(M(n-1) + 1, w(n-4) + 1)
 *   w         5   9   13   17   21   25   29   w(n) = max(M(n), w(n-1)) + 4
 *
 * An instruction behind them, and a load that hits, do not wait.
 */
static void test_write_buffer(void **state)
{
    (void)state;
    BODY_RUN(run, large_lines,
             LIST(SW(2, 0, 16), SW(2, 4, 16), SW(2, 8, 16), SW(2, 12, 16), SW(2, 16, 16),
                  SW(2, 20, 16), SW(2, 24, 16), LW(3, 0, 16), NOP),
             1, 1, 1, 1, 2, 4, 4, 1, 1);
    assert_int_equal(run.stalls[GS_STALL_D_WRITE], 1 + 3 + 3);
}

/* Write through: no victim is ever written back. 0 is stored to, and the four others of its set
 * cost what they cost without. */
static void test_no_write_back(void **state)
{
    (void)state;
    enum { MISS = 2 + FILL };
    BODY_RUN(run, one_code_line,
             LIST(SW(2, 0, 16), NOP, NOP, NOP, NOP, LW(2, 0x1000, 16), LW(2, 0x2000, 16),
                  LW(2, 0x3000, 16), LW(2, 0x4000, 16), LW(2, 0, 16)),
             1, 1, 1, 1, 1, MISS, MISS, MISS, MISS, MISS);
    (void)run;
}

/* A device is not cached. Load: g = X + 2, M = g + first + 1. Store: M = g + write. */
static void test_device(void **state)
{
    (void)state;
    BODY_COSTS(LIST(LUI(9, 0xf000), LW(2, 8, 9), NOP), 1, 1 + FIRST + 2, 1);
    BODY_COSTS(LIST(LUI(9, 0xf000), SW(2, 8, 9), NOP), 1, 1 + 4 + 1, 1);
}

/* Count, read by k, is M(k-1): across two nops it grows by 3. The branch is taken if it did, over a
 * division whose user would wait. */
static void test_count(void **state)
{
    (void)state;
    const uint32_t code[] = {
        WARM_UP,
        MFC0(2, COUNT),
        NOP,
        NOP,
        MFC0(3, COUNT),
        ADDIU(2, 2, 3),
        BEQ(2, 3, 3),
        NOP,
        DIV(2, 2),
        MFLO(4), /* jumped over */
        NOP,
        NOP,
        NOP,
    };
    timed_run run = time_at(CODE, large_lines, code, sizeof code / sizeof *code, BODY + 9);
    expect_costs(&run, BODY, 1, 1, 1, 1, 1, 1, 1, 1, 1);
}

/*
 * With Status 0 the handler is at 0x80000180. The instruction that traps goes through the pipeline,
 * M = p + 1 with p the M before it. Handler: f = p + 2, M = p + 5; the description says no
 * trap_entry. eret goes on from X and has no slot: f = X + 1, M = X + 4, which is M(eret) + 3.
 */
static void test_traps(void **state)
{
    (void)state;
    enum { KSEG0 = 0x80000000, HANDLER = 0x180 / 4 };
    static uint32_t code[HANDLER + 8];
    static const uint32_t traps[] = {SYSCALL, BREAK, LW(2, 2, 16)}; /* the last is misaligned */
    const uint32_t handler[] = {MFC0(2, EPC), ADDIU(2, 2, 4), MTC0(2, EPC), ERET};
    code[0] = LUI(16, 0x8002);
    code[1] = MTC0(0, STATUS);
    for (unsigned i = 0; i < sizeof handler / sizeof *handler; i++)
        code[HANDLER + i] = handler[i];
    for (unsigned i = 0; i < sizeof traps / sizeof *traps; i++) {
        code[4] = traps[i];
        timed_run run = time_at(KSEG0, large_lines, code, sizeof code / sizeof *code, 4 + 4 + 2);
        expect_costs(&run, 3, 1, 5, 1, 1, 1, 3, 1);
        assert_int_equal(run.stalls[GS_STALL_TRAP], 4);
        assert_int_equal(run.stalls[GS_STALL_BRANCH], 2);
    }
    /* In lines of 4 words the handler misses: g = max(f, M) + 1 = p + 3, M = p + 3 + FILL + 3. The
     * syscall does, too: g = p' + 1, M = p' + 1 + FILL + 3 = p, and these are its own. */
    code[4] = SYSCALL;
    timed_run run = time_at(KSEG0, NULL, code, sizeof code / sizeof *code, 6);
    expect_costs(&run, 3, 1, (1 + FILL + 3) + (2 + FILL + 3), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_load_use),
        cmocka_unit_test(test_multiply),
        cmocka_unit_test(test_mult),
        cmocka_unit_test(test_hilo),
        cmocka_unit_test(test_divide),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_branches_likely),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_instruction_miss),
        cmocka_unit_test(test_instruction_ways),
        cmocka_unit_test(test_data_miss),
        cmocka_unit_test(test_store_miss),
        cmocka_unit_test(test_write_buffer),
        cmocka_unit_test(test_no_write_back),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_traps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
