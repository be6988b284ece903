/*
 * Functional units of the classic pipeline: what waits for what, and for how long.
 *
 * One line holds all code, so that only the first fetch misses; the body is behind it.
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
#define NOP               0x00000013
#define ADD(rd, rs1, rs2) R(0, rs2, rs1, 0, rd, 0x33)
#define SLL(rd, rs1, rs2) R(0, rs2, rs1, 1, rd, 0x33)
#define MUL(rd, rs1, rs2) R(1, rs2, rs1, 0, rd, 0x33)
#define DIV(rd, rs1, rs2) R(1, rs2, rs1, 4, rd, 0x33)

#define ONE_LINE "icache.line=1024", "memory.next=0"
enum { BODY = 2 };

static timed_run time_body(const char *const *set, const uint32_t *code, size_t words)
{
    return time_program(&(timed_program){
        .machine = EM_RISCV,
        .core = "flatfoot",
        .set = set,
        .address = 0x80000000,
        .code = code,
        .words = words,
        .run = (unsigned)words - 1,
    });
}

/* A class that is busy keeps its own kind waiting, and no other. */
static void test_busy(void **state)
{
    (void)state;
    static const char *const set[] = {ONE_LINE, "classes.MUL.busy=4", NULL};
    const uint32_t code[] = {NOP, NOP, MUL(5, 6, 7), MUL(6, 7, 7), ADD(7, 8, 8), MUL(9, 7, 7), NOP};
    timed_run run = time_body(set, code, 7);
    expect_costs(&run, BODY, 1, 4, 1, 3);
    assert_int_equal(run.stalls[GS_STALL_MULDIV], 3 + 2);
}

/* The same when another class shares its unit. */
static void test_shared_unit(void **state)
{
    (void)state;
    static const char *const shared[] = {ONE_LINE, "classes.DIV={cycles: 1, latency: 0, busy: 10}",
                                         "units=[{name: muldiv, classes: [MUL, DIV]}]", NULL};
    static const char *const apart[] = {
        ONE_LINE, "classes.DIV={cycles: 1, latency: 0, busy: 10}",
        "units=[{name: mul, classes: [MUL]}, {name: div, classes: [DIV]}]", NULL};
    const uint32_t code[] = {NOP, NOP, DIV(5, 6, 7), ADD(9, 8, 8), MUL(6, 7, 7), DIV(9, 7, 7), NOP};
    timed_run run = time_body(shared, code, 7);
    expect_costs(&run, BODY, 1, 1, 9, 1);
    run = time_body(apart, code, 7);
    expect_costs(&run, BODY, 1, 1, 1, 8);
}

/* Of several copies the one that is free first takes the next instruction. */
static void test_copies(void **state)
{
    (void)state;
    static const char *const set[] = {ONE_LINE, "classes.MUL.busy=4",
                                      "units=[{name: mul, count: 2, classes: [MUL]}]", NULL};
    const uint32_t code[] = {NOP,          NOP,          MUL(5, 7, 7),  MUL(6, 7, 7),
                             MUL(9, 7, 7), MUL(8, 7, 7), MUL(10, 7, 7), NOP};
    timed_run run = time_body(set, code, 8);
    expect_costs(&run, BODY, 1, 1, 3, 1, 3);
}

/* A copy takes one instruction in a cycle even if nothing is said, which costs nothing here. */
static void test_one_wide_units_are_free(void **state)
{
    (void)state;
    static const char *const set[] = {ONE_LINE, "units=[{name: all, classes: [ALU, SHIFT, MUL]}]",
                                      NULL};
    const uint32_t code[] = {NOP, NOP, ADD(5, 6, 7), SLL(6, 7, 7), MUL(9, 7, 7), ADD(8, 7, 7), NOP};
    timed_run run = time_body(set, code, 7);
    expect_costs(&run, BODY, 1, 1, 1, 1);
}

/* What waits for a unit that does not multiply or divide is charged to structural. */
static void test_cause(void **state)
{
    (void)state;
    static const char *const set[] = {ONE_LINE, "classes.SHIFT.busy=3", NULL};
    const uint32_t code[] = {NOP, NOP, SLL(5, 6, 7), SLL(6, 7, 7), NOP};
    timed_run run = time_body(set, code, 5);
    expect_costs(&run, BODY, 1, 3);
    assert_int_equal(run.stalls[GS_STALL_MULDIV], 0);
    assert_int_equal(run.stalls[GS_STALL_STRUCTURAL], 3 + 2); /* 3 at the start */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_busy),   cmocka_unit_test(test_shared_unit),
        cmocka_unit_test(test_copies), cmocka_unit_test(test_one_wide_units_are_free),
        cmocka_unit_test(test_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
