/*
 * Which registers translated code has to put back: written since control came in, on any way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast/translate/spills.h"

/*
 *   0 -> 1 <-> 2        1 writes 11 and, behind its first exit, 12; 2 writes 13
 *        1 -> out       3 is another entry, and jumps anywhere; it writes 14
 *                       4 is a clone of 3 and 5 one of 1, and both only lead out
 */
static const gs_superblock superblocks[] = {
    {.pc = 0x100, .exit_count = 1, .entry = true},
    {.pc = 0x110, .exit_count = 2},
    {.pc = 0x120, .exit_count = 1},
    {.pc = 0x130, .exit_count = 1, .entry = true},
    {.pc = 0x130, .exit_count = 1, .clone = 1},
    {.pc = 0x110, .exit_count = 2, .clone = 1},
};
static const gs_code code = {.superblocks = (gs_superblock *)superblocks, .count = 4, .clones = 2};

static gs_spills solved(void)
{
    gs_spills s;
    assert_true(gs_spills_open(&s, 6));
    s.superblocks[0].goals[0] = 1;
    gs_registers_add(&s.superblocks[1].exits[0], 11);
    gs_registers_add(&s.superblocks[1].exits[1], 11);
    gs_registers_add(&s.superblocks[1].exits[1], 12);
    s.superblocks[1].goals[0] = 2;
    s.superblocks[1].goals[1] = GS_SPILLS_NOWHERE;
    gs_registers_add(&s.superblocks[2].exits[0], 13);
    s.superblocks[2].goals[0] = 1;
    gs_registers_add(&s.superblocks[3].exits[0], 14);
    s.superblocks[3].goals[0] = GS_SPILLS_ANYWHERE;
    s.superblocks[4].goals[0] = GS_SPILLS_NOWHERE;
    s.superblocks[5].goals[0] = s.superblocks[5].goals[1] = GS_SPILLS_NOWHERE;
    assert_true(gs_spills_solve(&s, &code));
    return s;
}

static void assert_registers(const gs_registers *r, uint64_t low, uint64_t high)
{
    assert_int_equal(r->bits[0], low);
    assert_int_equal(r->bits[1], high);
}

static void test_what_goes_around_a_loop_counts(void **state)
{
    (void)state;
    gs_spills s = solved();
    const uint64_t anywhere = 1 << 14, around = anywhere | 1 << 11 | 1 << 13;
    assert_registers(&s.anywhere, anywhere, 0);
    assert_registers(&s.superblocks[0].in, anywhere, 0); /* it is an entry */
    assert_registers(&s.superblocks[0].exits[0], anywhere, 0);
    assert_registers(&s.superblocks[1].in, around, 0);
    assert_registers(&s.superblocks[1].exits[0], around, 0);
    assert_registers(&s.superblocks[1].exits[1], around | 1 << 12, 0);
    assert_registers(&s.superblocks[2].in, around, 0); /* 12 is written on the other exit only */
    assert_registers(&s.superblocks[3].in, anywhere, 0);
    assert_registers(&s.superblocks[4].in, anywhere, 0);
    assert_registers(&s.superblocks[5].in, 0, 0);
    gs_spills_close(&s);
}

static void test_equal_sets_are_one(void **state)
{
    (void)state;
    gs_spills s = solved();
    assert_int_equal(s.sets.count, 4);
    assert_int_equal(s.anywhere_set, s.superblocks[0].sets[0]);
    assert_int_equal(s.superblocks[1].sets[0], s.superblocks[2].sets[0]);
    assert_int_equal(s.superblocks[1].in_set, s.superblocks[1].sets[0]);
    assert_int_not_equal(s.superblocks[1].sets[0], s.superblocks[1].sets[1]);
    gs_spills_close(&s);
}

static void test_registers_beyond_the_first_word(void **state)
{
    (void)state;
    gs_registers r = {{0}};
    gs_registers_add(&r, 63);
    gs_registers_add(&r, 67);
    assert_registers(&r, UINT64_C(1) << 63, 1 << 3);
    assert_true(gs_registers_have(&r, 67));
    assert_false(gs_registers_have(&r, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_goes_around_a_loop_counts),
        cmocka_unit_test(test_equal_sets_are_one),
        cmocka_unit_test(test_registers_beyond_the_first_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
