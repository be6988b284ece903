/*
 * What the MIPS interpreter does where instructions meet: delay slots, traps in them,
 * pages, slices, interrupts. What single instructions compute is compared with QEMU
 * elsewhere; here are only those that depend on byte order or can trap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "engine/interp.h"
#include "isa/mips/mips.h"
#include "machine/mips_cp0.h"
#include "machine/mips_trap.h"

enum { CODE = 0x1000, DATA = 0x4000, NOWHERE = 0x100000, EBASE_VECTOR = 0x80000180 };

/* Just enough of an assembler. */
#define I(op, rs, rt, imm)    ((uint32_t)(op) << 26 | (rs) << 21 | (rt) << 16 | ((imm)&0xffff))
#define R(rs, rt, rd, sa, fn) ((uint32_t)(rs) << 21 | (rt) << 16 | (rd) << 11 | (sa) << 6 | (fn))
#define NOP                   0u
#define ADDIU(rt, rs, imm)    I(9, rs, rt, imm)
#define ADDI(rt, rs, imm)     I(8, rs, rt, imm)
#define BEQ(rs, rt, words)    I(4, rs, rt, words)
#define BNE(rs, rt, words)    I(5, rs, rt, words)
#define BEQL(rs, rt, words)   I(20, rs, rt, words)
#define BGEZAL(rs, words)     I(1, rs, 17, words)
#define JR(rs)                R(rs, 0, 0, 0, 8)
#define JALR(rd, rs)          R(rs, 0, rd, 0, 9)
#define ADD(rd, rs, rt)       R(rs, rt, rd, 0, 0x20)
#define SUB(rd, rs, rt)       R(rs, rt, rd, 0, 0x22)
#define TEQ(rs, rt)           R(rs, rt, 0, 7, 0x34)
#define SYSCALL               0x0000000cu
#define LW(rt, off, rs)       I(0x23, rs, rt, off)
#define SW(rt, off, rs)       I(0x2b, rs, rt, off)
#define LWL(rt, off, rs)      I(0x22, rs, rt, off)
#define LWR(rt, off, rs)      I(0x26, rs, rt, off)
#define SWL(rt, off, rs)      I(0x2a, rs, rt, off)
#define SWR(rt, off, rs)      I(0x2e, rs, rt, off)
#define LL(rt, off, rs)       I(0x30, rs, rt, off)
#define SC(rt, off, rs)       I(0x38, rs, rt, off)
#define MFC0(rt, reg)         (0x40000000u | (rt) << 16 | (reg) << 11)
#define MTC0(rt, reg)         (0x40800000u | (rt) << 16 | (reg) << 11)
#define ERET                  0x42000018u
#define WAIT                  0x42000020u
#define DIV_S(fd, fs, ft)     (0x46000003u | (ft) << 16 | (fs) << 11 | (fd) << 6)
#define CVT_D_L(fd, fs)       (0x46a00021u | (fs) << 11 | (fd) << 6)
#define MFC1(rt, fs)          (0x44000000u | (rt) << 16 | (fs) << 11)
#define MTC1(rt, fs)          (0x44800000u | (rt) << 16 | (fs) << 11)
#define MFHC1(rt, fs)         (0x44600000u | (rt) << 16 | (fs) << 11)
#define MTHC1(rt, fs)         (0x44e00000u | (rt) << 16 | (fs) << 11)
#define SDC1(ft, off, rs)     I(0x3d, rs, ft, off)
#define RDHWR(rt, number)     (0x7c00003bu | (rt) << 16 | (number) << 11)
enum { COUNT = 9, COMPARE = 11, STATUS = 12 };

typedef struct fixture {
    gs_machine *machine;
    bool observed;
    struct {
        uint64_t pc, next_pc;
    } events[64];
    unsigned event_count;
} fixture;

static void on_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    fixture *f = self;
    (void)machine;
    assert_true(f->event_count < sizeof f->events / sizeof *f->events);
    f->events[f->event_count].pc = event->pc;
    f->events[f->event_count].next_pc = event->next_pc;
    f->event_count++;
}

static fixture *make(bool big_endian)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->machine = calloc(1, sizeof *f->machine);
    assert_non_null(f->machine);
    gs_machine *m = f->machine;
    gs_error err;
    m->isa = &gs_isa_mips32;
    m->extensions = m->isa->all_extensions;
    gs_decoder_init(&m->decoder, m->isa, m->extensions);
    assert_int_equal(gs_memory_init(&m->memory, m->isa, big_endian, &err), GS_OK);
    const unsigned all = GS_PROT_READ | GS_PROT_WRITE | GS_PROT_EXEC;
    assert_int_equal(gs_memory_map(&m->memory, CODE, 0x2000, all, &err), GS_OK);
    assert_int_equal(gs_memory_map(&m->memory, DATA, 0x1000, GS_PROT_READ | GS_PROT_WRITE, &err),
                     GS_OK);
    assert_int_equal(gs_memory_map(&m->memory, 0x80000000u, 0x1000, all, &err), GS_OK);
    gs_mips_reset(m, CODE);
    m->hart.mips.cp0_status = GS_MIPS_STATUS_CU1;
    return f;
}

static void drop(fixture *f)
{
    gs_memory_fini(&f->machine->memory);
    free(f->machine);
    free(f);
}

static void put(fixture *f, gs_addr at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(gs_memory_write32(&f->machine->memory, at + 4 * (gs_addr)i, words[i]));
}
#define PUT(f_, at_, ...) \
    put(f_, at_, (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

static gs_stop step(fixture *f, uint64_t budget)
{
    gs_machine *m = f->machine;
    const gs_observer observer = {.retired = on_retired, .self = f};
    const gs_observer *const observers[] = {&observer};
    gs_watch watch;
    gs_watch_init(&watch, NULL, observers, 1);
    gs_interp *interp = m->memory.big_endian
                            ? (f->observed ? gs_interp_mipseb_observed : gs_interp_mipseb_plain)
                            : (f->observed ? gs_interp_mipsel_observed : gs_interp_mipsel_plain);
    gs_stop stop = interp(m, budget, &watch);
    m->hart.resync = false;
    m->time = m->hart.instret + m->idle;
    return stop;
}

/* Runs to the first trap in slices of `slice` instructions. */
static const gs_trap *run(fixture *f, uint64_t slice)
{
    for (int i = 0; i < 1000; i++) {
        if (step(f, slice) == GS_STOP_TRAP)
            return &f->machine->hart.trap;
    }
    fail_msg("no trap");
    return NULL;
}

static uint32_t *regs(fixture *f)
{
    return f->machine->hart.mips.r;
}

/* Delay slots */

static void test_slot_runs_before_target(void **state)
{
    (void)state;
    static const gs_addr path[] = {0, 4, 12, 16, 20, 24, 28, 32};
    for (uint64_t slice = 1; slice < 10; slice++) {
        for (int observed = 0; observed < 2; observed++) {
            fixture *f = make(false);
            f->observed = observed;
            PUT(f, CODE, BEQ(0, 0, 2), ADDIU(2, 2, 1), ADDIU(2, 2, 100), /* taken, over one */
                ADDIU(2, 2, 2), BNE(0, 0, 5), ADDIU(2, 2, 4),            /* not taken */
                BEQ(0, 0, 1), NOP, SYSCALL);
            const gs_trap *trap = run(f, slice);
            assert_int_equal(trap->kind, GS_TRAP_SYSCALL);
            assert_int_equal(trap->pc, CODE + 32);
            assert_int_equal(regs(f)[2], 7);
            assert_int_equal(f->machine->hart.instret, 7);
            assert_false(f->machine->hart.mips.in_delay_slot);
            for (unsigned i = 0; i < f->event_count; i++) {
                assert_int_equal(f->events[i].pc, CODE + path[i]);
                assert_int_equal(f->events[i].next_pc, CODE + path[i + 1]);
            }
            assert_int_equal(f->event_count, observed ? 7 : 0);
            drop(f);
        }
    }
}

static void test_slice_may_end_before_the_slot(void **state)
{
    (void)state;
    fixture *f = make(false);
    PUT(f, CODE, BEQ(0, 0, 3), ADDIU(2, 0, 1), SYSCALL, SYSCALL, SYSCALL);
    assert_int_equal(step(f, 1), GS_STOP_BUDGET);
    assert_int_equal(f->machine->hart.pc, CODE + 4);
    assert_true(f->machine->hart.mips.in_delay_slot);
    assert_int_equal(f->machine->hart.mips.delay_target, CODE + 16);
    assert_int_equal(step(f, 1), GS_STOP_BUDGET);
    assert_int_equal(f->machine->hart.pc, CODE + 16);
    assert_false(f->machine->hart.mips.in_delay_slot);
    assert_int_equal(regs(f)[2], 1);
    assert_int_equal(f->machine->hart.instret, 2);
    drop(f);
}

static void test_likely_branch_nullifies(void **state)
{
    (void)state;
    fixture *f = make(false);
    f->observed = true;
    PUT(f, CODE, ADDIU(3, 0, 1), BEQL(3, 0, 4), ADDIU(2, 2, 1), /* not taken: no slot */
        BEQL(0, 0, 1), ADDIU(2, 2, 2), SYSCALL);
    const gs_trap *trap = run(f, 100);
    assert_int_equal(trap->pc, CODE + 20);
    assert_int_equal(regs(f)[2], 2);
    assert_int_equal(f->machine->hart.instret, 4);
    assert_int_equal(f->events[1].pc, CODE + 4);
    assert_int_equal(f->events[1].next_pc, CODE + 12);
    drop(f);
}

static void test_links(void **state)
{
    (void)state;
    fixture *f = make(false);
    regs(f)[3] = (uint32_t)-1;
    PUT(f, CODE, BGEZAL(3, 4), ADDIU(4, 31, 12), /* links though it does not branch */
        JALR(4, 4), NOP, SYSCALL, SYSCALL);      /* the old value is the target */
    const gs_trap *trap = run(f, 100);
    assert_int_equal(regs(f)[31], CODE + 8);
    assert_int_equal(trap->pc, CODE + 20);
    assert_int_equal(regs(f)[4], CODE + 16);
    drop(f);
}

static void test_branch_in_slot_is_illegal(void **state)
{
    (void)state;
    fixture *f = make(false);
    PUT(f, CODE, BEQ(0, 0, 3), BEQ(0, 0, 3));
    const gs_trap *trap = run(f, 100);
    assert_int_equal(trap->kind, GS_TRAP_ILLEGAL);
    assert_int_equal(trap->pc, CODE + 4);
    assert_int_equal(trap->value, BEQ(0, 0, 3));
    assert_true(f->machine->hart.mips.in_delay_slot);
    drop(f);
}

static void test_slot_on_the_next_page(void **state)
{
    (void)state;
    for (uint64_t slice = 1; slice < 4; slice++) {
        fixture *f = make(true);
        PUT(f, CODE + 0xffc, BEQ(0, 0, 2), ADDIU(2, 0, 5), SYSCALL, SYSCALL);
        f->machine->hart.pc = CODE + 0xffc;
        const gs_trap *trap = run(f, slice);
        assert_int_equal(trap->pc, CODE + 0x1008);
        assert_int_equal(regs(f)[2], 5);
        drop(f);

        f = make(true);
        PUT(f, CODE + 0x1ffc, BEQ(0, 0, 2));
        f->machine->hart.pc = CODE + 0x1ffc;
        trap = run(f, slice);
        assert_int_equal(trap->kind, GS_TRAP_FETCH_FAULT);
        assert_int_equal(trap->pc, CODE + 0x2000);
        assert_int_equal(f->machine->hart.instret, 1);
        assert_true(f->machine->hart.mips.in_delay_slot);
        drop(f);
    }
}

/* Traps */

static void test_trap_in_slot_and_back(void **state)
{
    (void)state;
    for (uint64_t slice = 1; slice < 6; slice++) {
        fixture *f = make(false);
        gs_hart *hart = &f->machine->hart;
        regs(f)[4] = NOWHERE;
        PUT(f, CODE, BEQ(0, 0, 2), LW(2, 0, 4), NOP, SYSCALL);
        PUT(f, EBASE_VECTOR, ADDIU(4, 0, DATA), ERET); /* mends the address */
        const gs_trap *trap = run(f, slice);
        assert_int_equal(trap->kind, GS_TRAP_LOAD_FAULT);
        assert_int_equal(trap->pc, CODE + 4);
        assert_int_equal(trap->value, NOWHERE);
        assert_int_equal(hart->instret, 1);

        assert_true(gs_mips_enter_trap(f->machine, trap));
        assert_int_equal(hart->pc, EBASE_VECTOR);
        assert_int_equal(hart->mips.cp0_epc, CODE);
        assert_int_equal(hart->mips.cp0_cause & GS_MIPS_CAUSE_EXCCODE, 7 << 2);
        assert_true(hart->mips.cp0_cause & GS_MIPS_CAUSE_BD);
        assert_true(hart->mips.cp0_status & GS_MIPS_STATUS_EXL);
        assert_int_equal(run(f, slice)->pc, CODE + 12);
        assert_false(hart->mips.cp0_status & GS_MIPS_STATUS_EXL);
        assert_int_equal(hart->instret, 5); /* the branch twice */
        drop(f);
    }
}

static void test_trap_without_handler(void **state)
{
    (void)state;
    fixture *f = make(false);
    f->machine->hart.mips.cp0_status |= GS_MIPS_STATUS_BEV; /* there is no boot ROM */
    PUT(f, CODE, SYSCALL);
    const gs_trap *trap = run(f, 100);
    assert_false(gs_mips_enter_trap(f->machine, trap));
    assert_int_equal(f->machine->hart.pc, CODE);
    drop(f);
}

static void test_skip(void **state)
{
    (void)state;
    fixture *f = make(false);
    PUT(f, CODE, SYSCALL, BEQ(0, 0, 2), SYSCALL, NOP, ADDIU(2, 0, 1), SYSCALL);
    assert_int_equal(run(f, 100)->pc, CODE);
    gs_mips_skip(&f->machine->hart);
    assert_int_equal(run(f, 100)->pc, CODE + 8);
    gs_mips_skip(&f->machine->hart);
    assert_int_equal(run(f, 100)->pc, CODE + 20);
    assert_int_equal(regs(f)[2], 1);
    drop(f);
}

static void test_arithmetic_traps(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        int kind;
    } cases[] = {
        {ADD(2, 4, 5), GS_TRAP_OVERFLOW},
        {ADD(2, 4, 6), -1},
        {ADDI(2, 4, 1), GS_TRAP_OVERFLOW},
        {ADDI(2, 4, -1), -1},
        {SUB(2, 6, 5), -1},
        {SUB(2, 7, 5), GS_TRAP_OVERFLOW},
        {TEQ(5, 5), GS_TRAP_CONDITION},
        {TEQ(5, 6), -1},
        {0x7c8587c0, GS_TRAP_ILLEGAL}, /* ext */
        {0x7c850104, GS_TRAP_ILLEGAL}, /* ins */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture *f = make(false);
        uint32_t *r = regs(f);
        r[2] = 77;
        r[4] = 0x7fffffff;
        r[5] = 1;
        r[6] = (uint32_t)-1;
        r[7] = 0x80000000;
        PUT(f, CODE, cases[i].word, SYSCALL);
        const gs_trap *trap = run(f, 100);
        if (cases[i].kind >= 0) {
            assert_int_equal(trap->kind, cases[i].kind);
            assert_int_equal(trap->value, cases[i].word);
            assert_int_equal(r[2], 77);
        } else {
            assert_int_equal(trap->kind, GS_TRAP_SYSCALL);
        }
        drop(f);
    }
}

static void test_misaligned(void **state)
{
    (void)state;
    fixture *f = make(false);
    regs(f)[4] = DATA;
    regs(f)[5] = CODE + 0x102;
    PUT(f, CODE, LW(2, 2, 4), SW(2, 1, 4), JR(5), ADDIU(6, 0, 9));
    const gs_trap *trap = run(f, 100);
    assert_int_equal(trap->kind, GS_TRAP_LOAD_MISALIGNED);
    assert_int_equal(trap->value, DATA + 2);
    gs_mips_skip(&f->machine->hart);
    trap = run(f, 100);
    assert_int_equal(trap->kind, GS_TRAP_STORE_MISALIGNED);
    assert_int_equal(trap->value, DATA + 1);
    gs_mips_skip(&f->machine->hart);
    trap = run(f, 100);
    assert_int_equal(trap->kind, GS_TRAP_FETCH_MISALIGNED);
    assert_int_equal(trap->pc, CODE + 0x102);
    assert_int_equal(regs(f)[6], 9);
    assert_false(f->machine->hart.mips.in_delay_slot);
    assert_true(gs_mips_enter_trap(f->machine, trap));
    assert_int_equal(f->machine->hart.mips.cp0_badvaddr, CODE + 0x102);
    drop(f);
}

static void test_coprocessors_need_permission(void **state)
{
    (void)state;
    fixture *f = make(false);
    gs_mips_state *s = &f->machine->hart.mips;
    s->cp0_status = GS_MIPS_STATUS_UM;
    PUT(f, CODE, MFC0(2, STATUS), DIV_S(0, 2, 4), RDHWR(2, 29));
    assert_int_equal(run(f, 100)->kind, GS_TRAP_COPROCESSOR);
    gs_mips_skip(&f->machine->hart);
    const gs_trap *trap = run(f, 100);
    assert_int_equal(trap->kind, GS_TRAP_COPROCESSOR);
    gs_hart before = f->machine->hart;
    assert_true(gs_mips_enter_trap(f->machine, trap));
    assert_int_equal(s->cp0_cause & (GS_MIPS_CAUSE_CE | GS_MIPS_CAUSE_EXCCODE), 1 << 28 | 11 << 2);
    f->machine->hart = before;
    gs_mips_skip(&f->machine->hart);
    assert_int_equal(run(f, 100)->kind, GS_TRAP_ILLEGAL); /* not in HWREna */
    drop(f);
}

static void test_floating_point_trap(void **state)
{
    (void)state;
    fixture *f = make(false);
    gs_mips_state *s = &f->machine->hart.mips;
    const uint32_t one = 0x3f800000, divide_by_zero = GS_FP_DIVZERO;
    enum { F2 = 4, F6 = 12 }; /* where they lie */
    s->f[F2] = one;
    s->f[F6] = 99;
    PUT(f, CODE, DIV_S(6, 2, 4), SYSCALL);
    gs_mips_fcsr_write(s, divide_by_zero << GS_MIPS_FCSR_ENABLES_SHIFT);
    assert_int_equal(run(f, 100)->kind, GS_TRAP_FLOAT);
    assert_int_equal(s->f[F6], 99);
    assert_int_equal(s->fcsr, divide_by_zero << GS_MIPS_FCSR_ENABLES_SHIFT |
                                  divide_by_zero << GS_MIPS_FCSR_CAUSE_SHIFT);
    gs_mips_fcsr_write(s, 0);
    assert_int_equal(run(f, 100)->kind, GS_TRAP_SYSCALL);
    assert_int_equal(s->f[F6], 0x7f800000);
    assert_int_equal(s->fcsr, divide_by_zero << GS_MIPS_FCSR_FLAGS_SHIFT |
                                  divide_by_zero << GS_MIPS_FCSR_CAUSE_SHIFT);
    drop(f);
}

/* Half of a double is another register, or not, as Status.FR has it. */
static void test_floating_point_registers(void **state)
{
    (void)state;
    for (unsigned wide = 0; wide < 2; wide++) {
        fixture *f = make(true);
        uint32_t *r = regs(f);
        gs_mips_state *s = &f->machine->hart.mips;
        s->cp0_status |= wide ? GS_MIPS_STATUS_FR : 0;
        r[4] = 0x11111111;
        r[5] = 0x22222222;
        r[6] = 0x33333333;
        r[7] = DATA;
        PUT(f, CODE, MTC1(4, 2), MTHC1(5, 2), MTC1(6, 3), SDC1(2, 0, 7), MFC1(8, 3), MFHC1(9, 2),
            CVT_D_L(4, 2), SYSCALL);
        const gs_trap *trap = run(f, 100);
        assert_int_equal(trap->kind, wide ? GS_TRAP_SYSCALL : GS_TRAP_ILLEGAL);
        uint32_t high, low;
        assert_true(gs_memory_read32(&f->machine->memory, DATA, &high));
        assert_true(gs_memory_read32(&f->machine->memory, DATA + 4, &low));
        assert_int_equal(low, 0x11111111);
        assert_int_equal(high, wide ? 0x22222222 : 0x33333333);
        assert_int_equal(r[8], 0x33333333);
        assert_int_equal(r[9], high);
        drop(f);
    }
}

/* Memory */

/* By the manual's figures: what lwl and lwr leave of "abcd" in the register and take of "0123"
 * in memory; what swl and swr leave of "0123" in memory and take of the register. */
static void test_partial_words(void **state)
{
    (void)state;
    static const char lwl[2][4][5] = {{"0bcd", "10cd", "210d", "3210"},
                                      {"0123", "123d", "23cd", "3bcd"}};
    static const char lwr[2][4][5] = {{"3210", "a321", "ab32", "abc3"},
                                      {"abc0", "ab01", "a012", "0123"}};
    static const char swl[2][4][5] = {{"a123", "ba23", "cba3", "dcba"},
                                      {"abcd", "0abc", "01ab", "012a"}};
    static const char swr[2][4][5] = {{"dcba", "0dcb", "01dc", "012d"},
                                      {"d123", "cd23", "bcd3", "abcd"}};
    const uint32_t abcd = 0x61626364;
    for (int big = 0; big < 2; big++) {
        for (unsigned at = 0; at < 4; at++) {
            fixture *f = make(big);
            uint8_t *memory = f->machine->memory.bytes;
            uint32_t *r = regs(f);
            r[2] = r[3] = r[4] = abcd;
            r[5] = DATA;
            memcpy(memory + DATA, "0123", 4);
            memcpy(memory + DATA + 4, "0123", 4);
            memcpy(memory + DATA + 8, "0123", 4);
            PUT(f, CODE, LWL(2, at, 5), LWR(3, at, 5), SWL(4, at + 4, 5), SWR(4, at + 8, 5),
                SYSCALL);
            assert_int_equal(run(f, 100)->kind, GS_TRAP_SYSCALL);
            for (unsigned i = 0; i < 4; i++) {
                assert_int_equal(r[2] >> (24 - 8 * i) & 0xff, lwl[big][at][i]);
                assert_int_equal(r[3] >> (24 - 8 * i) & 0xff, lwr[big][at][i]);
            }
            assert_memory_equal(memory + DATA + 4, swl[big][at], 4);
            assert_memory_equal(memory + DATA + 8, swr[big][at], 4);
            drop(f);
        }
    }
}

static void test_partial_store_into_code(void **state)
{
    (void)state;
    fixture *f = make(true);
    const gs_addr victim = CODE + 20;
    regs(f)[4] = victim;
    regs(f)[5] = ADDIU(2, 0, 2);
    PUT(f, CODE, BEQ(0, 0, 4), NOP, SWL(5, 0, 4), BEQ(0, 0, 1), NOP, /* victim: */ ADDIU(2, 0, 1),
        BNE(2, 6, -5), ADDIU(6, 0, 2), SYSCALL);
    assert_int_equal(run(f, 100)->kind, GS_TRAP_SYSCALL);
    assert_int_equal(regs(f)[2], 2);
    drop(f);
}

static void test_partial_store_faults(void **state)
{
    (void)state;
    fixture *f = make(false);
    regs(f)[4] = NOWHERE;
    PUT(f, CODE, SWL(5, 3, 4));
    const gs_trap *trap = run(f, 100);
    assert_int_equal(trap->kind, GS_TRAP_STORE_FAULT);
    assert_int_equal(trap->value, NOWHERE);
    drop(f);
}

static void test_linked_store(void **state)
{
    (void)state;
    fixture *f = make(false);
    uint32_t *r = regs(f);
    r[4] = DATA;
    r[2] = r[3] = r[5] = r[6] = 5;
    PUT(f, CODE, LL(8, 0, 4), SC(2, 0, 4), SC(3, 0, 4), /* the link is used up */
        LL(8, 0, 4), SW(0, 0, 4), SC(5, 0, 4),          /* another value: lost */
        LL(8, 0, 4), SC(6, 4, 4), SYSCALL);             /* another place */
    assert_int_equal(run(f, 100)->kind, GS_TRAP_SYSCALL);
    assert_int_equal(r[2], 1);
    assert_int_equal(r[3], 0);
    assert_int_equal(r[5], 0);
    assert_int_equal(r[6], 0);
    drop(f);
}

/* Interrupts */

static void test_timer_interrupt(void **state)
{
    (void)state;
    fixture *f = make(false);
    gs_machine *m = f->machine;
    gs_mips_state *s = &m->hart.mips;
    s->cp0_status = GS_MIPS_STATUS_IE | 1u << 15;
    regs(f)[4] = 50;
    PUT(f, CODE, MTC0(0, COUNT), MFC0(2, COUNT), MTC0(4, COMPARE), WAIT, SYSCALL);
    PUT(f, EBASE_VECTOR, MFC0(3, COUNT), ADDIU(5, 0, -1), MTC0(5, COMPARE), ERET);

    while (!s->waiting)
        step(f, 100);
    assert_int_equal(regs(f)[2], 0); /* reads as written in the next instruction */
    uint64_t deadline = gs_mips_timer_deadline(m);
    assert_int_equal(deadline, 1 + 50);
    assert_true(gs_mips_poll_interrupts(m));
    assert_true(s->waiting);

    m->idle += deadline - m->time; /* sleep */
    m->time = deadline;
    assert_true(gs_mips_poll_interrupts(m));
    assert_false(s->waiting);
    assert_int_equal(m->hart.pc, EBASE_VECTOR);
    assert_int_equal(s->cp0_epc, CODE + 16);
    assert_int_equal(s->cp0_cause & GS_MIPS_CAUSE_EXCCODE, 0);
    assert_int_equal(gs_mips_timer_deadline(m), UINT64_MAX);

    const gs_trap *trap = run(f, 100);
    assert_int_equal(trap->pc, CODE + 16);
    assert_int_equal(regs(f)[3], 50);
    assert_false(s->cp0_cause & (GS_MIPS_CAUSE_TI | GS_MIPS_CAUSE_IP7));
    drop(f);
}

static void test_interrupt_waits_for_the_slot(void **state)
{
    (void)state;
    fixture *f = make(false);
    gs_machine *m = f->machine;
    m->hart.mips.cp0_status = GS_MIPS_STATUS_IE | GS_MIPS_STATUS_IM;
    PUT(f, CODE, BEQ(0, 0, 2), NOP, NOP, NOP, SYSCALL);
    step(f, 1);
    gs_mips_set_interrupt(&m->hart, 2, true);
    assert_true(gs_mips_poll_interrupts(m));
    assert_int_equal(m->hart.pc, CODE + 4);
    assert_int_equal(gs_mips_timer_deadline(m), m->time);
    step(f, 1);
    assert_true(gs_mips_poll_interrupts(m));
    assert_int_equal(m->hart.pc, EBASE_VECTOR);
    assert_int_equal(m->hart.mips.cp0_epc, CODE + 12);
    assert_false(m->hart.mips.cp0_cause & GS_MIPS_CAUSE_BD);
    drop(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slot_runs_before_target),
        cmocka_unit_test(test_slice_may_end_before_the_slot),
        cmocka_unit_test(test_likely_branch_nullifies),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_branch_in_slot_is_illegal),
        cmocka_unit_test(test_slot_on_the_next_page),
        cmocka_unit_test(test_trap_in_slot_and_back),
        cmocka_unit_test(test_trap_without_handler),
        cmocka_unit_test(test_skip),
        cmocka_unit_test(test_arithmetic_traps),
        cmocka_unit_test(test_misaligned),
        cmocka_unit_test(test_coprocessors_need_permission),
        cmocka_unit_test(test_floating_point_trap),
        cmocka_unit_test(test_floating_point_registers),
        cmocka_unit_test(test_partial_words),
        cmocka_unit_test(test_partial_store_into_code),
        cmocka_unit_test(test_partial_store_faults),
        cmocka_unit_test(test_linked_store),
        cmocka_unit_test(test_timer_interrupt),
        cmocka_unit_test(test_interrupt_waits_for_the_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
