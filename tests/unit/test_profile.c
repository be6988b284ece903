/*
 * From a run to a profile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "gumshoe/version.h"
#include "profile_rig.h"

/* Every view adds up to the same total. */
static void check_sums(const gs_profile *p)
{
    gs_metrics insns = {0}, nodes = {0};
    for (size_t i = 0; i < p->insns.count; i++)
        gs_metrics_add(&insns, &p->insns.items[i].cost);
    for (size_t i = 0; i < p->nodes.count; i++)
        gs_metrics_add(&nodes, &p->nodes.items[i].self);
    assert_memory_equal(&insns, &p->total, sizeof insns);
    assert_memory_equal(&nodes, &p->total, sizeof nodes);
    gs_metrics *inclusive = gs_profile_inclusive(p);
    assert_non_null(inclusive);
    assert_memory_equal(&inclusive[0], &p->total, sizeof *inclusive);
    free(inclusive);
}

static uint64_t edge(const gs_profile *p, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < p->edges.count; i++) {
        const gs_profile_edge *e = &p->edges.items[i];
        if (p->blocks.items[e->from].start == from && p->blocks.items[e->to].start == to)
            return e->count;
    }
    return 0;
}

static uint64_t executions(const gs_profile *p, uint32_t start)
{
    for (size_t i = 0; i < p->blocks.count; i++) {
        if (p->blocks.items[i].start == start)
            return p->blocks.items[i].executions;
    }
    return 0;
}

static void test_recursion(void **state)
{
    (void)state;
    profile_program p = recursive_program();
    gs_profile *profile = profile_of(&p, NULL);
    check_sums(profile);
    assert_int_equal(profile->functions.count, 2);
    assert_string_equal(profile->functions.items[1].name, "gum::down(int)");
    assert_int_equal(profile->nodes.count, 5);
    for (uint32_t i = 1; i < 5; i++) {
        const gs_profile_node *node = &profile->nodes.items[i];
        assert_int_equal(node->parent, i - 1);
        assert_int_equal(node->function, 1);
        assert_int_equal(node->calls, 1);
        assert_int_equal(node->kind, GS_FRAME_CALL);
        assert_int_equal(node->site, PROFILE_BASE + (i == 1 ? 0x0c : 0x2c));
    }
    assert_int_equal(executions(profile, PROFILE_BASE + 0x1c), 4);
    assert_int_equal(executions(profile, PROFILE_BASE + 0x20), 3);
    assert_int_equal(executions(profile, PROFILE_BASE + 0x38), 4);
    assert_int_equal(edge(profile, PROFILE_BASE + 0x1c, PROFILE_BASE + 0x20), 3);
    assert_int_equal(edge(profile, PROFILE_BASE + 0x1c, PROFILE_BASE + 0x38), 1);
    assert_int_equal(edge(profile, PROFILE_BASE + 0x20, PROFILE_BASE + 0x30), 3);
    assert_int_equal(edge(profile, PROFILE_BASE + 0x30, PROFILE_BASE + 0x38), 3);
    assert_int_equal(edge(profile, PROFILE_BASE, PROFILE_BASE + 0x10), 1);
    assert_int_equal(profile->loops.count, 0);
    assert_int_equal(profile->run.exit, GS_EXIT_CODE);
    assert_int_equal(profile->run.exit_code, 0);
    assert_string_equal(profile->run.core, "flatfoot");
    assert_string_equal(profile->run.isa, "rv32");
    assert_string_equal(profile->run.environment, "bare");
    assert_string_equal(profile->run.version, GUMSHOE_VERSION);
    assert_string_equal(profile->insns.items[0].text, "lui sp, 0x80010");
    gs_profile_free(profile);
}

static void test_tail_call(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_call(0x10),
        rv_call(0x0c),
        rv_lui(RV_A5, 0xf0000),
        rv_sw(0, RV_A5), /* 00 */
        rv_addi(RV_A0, RV_A0, 1),
        rv_jump(0x04), /* 10: first */
        rv_addi(RV_A0, RV_A0, 10),
        RV_RET, /* 18: second */
    };
    profile_program p = {
        .machine = EM_RISCV,
        .core = "flatfoot",
        .code = code,
        .words = sizeof code / sizeof *code,
        .functions = {{"_start", 0, 0x10}, {"first", 0x10, 8}, {"second", 0x18, 8}},
    };
    gs_profile *profile = profile_of(&p, NULL);
    check_sums(profile);
    assert_int_equal(profile->nodes.count, 5); /* the root, and both twice */
    for (size_t i = 1; i < 5; i += 2) {
        assert_int_equal(profile->nodes.items[i].parent, 0);
        assert_int_equal(profile->nodes.items[i].function, 1);
        assert_int_equal(profile->nodes.items[i + 1].parent, i);
        assert_int_equal(profile->nodes.items[i + 1].function, 2);
        assert_int_equal(profile->nodes.items[i + 1].kind, GS_FRAME_TAIL);
    }
    assert_int_equal(edge(profile, PROFILE_BASE + 0x10, PROFILE_BASE + 0x18), 2);
    assert_int_equal(edge(profile, PROFILE_BASE, PROFILE_BASE + 4), 1);
    gs_profile_free(profile);
}

static void test_loop_nest(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_addi(RV_A2, 0, 3),   rv_addi(RV_A3, 0, 4),      rv_addi(RV_A3, RV_A3, -1),
        rv_bnez(RV_A3, -4),     rv_addi(RV_A2, RV_A2, -1), rv_bnez(RV_A2, -0x10),
        rv_lui(RV_A5, 0xf0000), rv_sw(0, RV_A5),
    };
    profile_program p = {
        .machine = EM_RISCV,
        .core = "flatfoot",
        .code = code,
        .words = sizeof code / sizeof *code,
        .functions = {{"_start", 0, sizeof code}},
    };
    const char *cores[] = {"flatfoot", "picorv32", "ideal", NULL};
    for (size_t i = 0; i < 4; i++) {
        p.core = cores[i];
        gs_profile *profile = profile_of(&p, NULL);
        check_sums(profile);
        assert_int_equal(profile->loops.count, 2);
        const gs_profile_loop *outer = &profile->loops.items[0], *inner = outer + 1;
        assert_int_equal(outer->header, PROFILE_BASE + 4);
        assert_int_equal(outer->parent, GS_PROFILE_NONE);
        assert_int_equal(outer->depth, 1);
        assert_int_equal(outer->entries, 1);
        assert_int_equal(outer->iterations, 3);
        assert_int_equal(inner->header, PROFILE_BASE + 8);
        assert_int_equal(inner->parent, 0);
        assert_int_equal(inner->depth, 2);
        assert_int_equal(inner->entries, 3);
        assert_int_equal(inner->iterations, 12);
        assert_int_equal(edge(profile, PROFILE_BASE + 8, PROFILE_BASE + 8), 9);
        assert_int_equal(edge(profile, PROFILE_BASE + 8, PROFILE_BASE + 0x10), 3);
        assert_int_equal(edge(profile, PROFILE_BASE + 0x10, PROFILE_BASE + 4), 2);
        assert_int_equal(profile->insns.items[0].loop, GS_PROFILE_NONE);
        assert_int_equal(profile->insns.items[1].loop, 0);
        assert_int_equal(profile->insns.items[2].loop, 1);
        assert_int_equal(profile->insns.items[4].loop, 0);
        assert_int_equal(profile->insns.items[3].executions, 12);
        assert_int_equal(profile->insns.items[3].taken, 9);
        gs_profile_free(profile);
    }
}

/* A loop with a branch's delay slot in it, stopped by a limit in the middle. */
static void test_mips_loop(void **state)
{
    (void)state;
    uint32_t code[] = {
        mips_addiu(4, 0, 1),
        mips_addiu(5, 0, 1),
        mips_beq(0), /* 08 */
        mips_addiu(2, 2, 1),
    };
    profile_program p = {
        .machine = EM_MIPS,
        .core = "tiger-mips",
        .code = code,
        .words = sizeof code / sizeof *code,
        .functions = {{"__start", 0, sizeof code}},
        .limit = 2 + 2 * 50,
    };
    gs_profile *profile = profile_of(&p, NULL);
    check_sums(profile);
    assert_int_equal(profile->run.exit, GS_EXIT_LIMIT);
    assert_int_equal(profile->loops.count, 1);
    assert_int_equal(profile->loops.items[0].iterations, 50);
    assert_int_equal(profile->insns.items[3].loop, 0);
    assert_string_equal(profile->insns.items[3].text, "addiu $v0, $v0, 1");
    gs_profile_free(profile);
}

/*
 * A branch, executed once, that the program then replaces by an addition, executed three times.
 * Each counts as what it was, not as what is there in the end.
 */
static void test_code_that_changes(void **state)
{
    (void)state;
    uint32_t code[] = {
        mips_lui(9, PROFILE_BASE >> 16),
        mips_lw(8, 9, 0x1c),
        MIPS_NOP,
        mips_beq(8), /* 0c */
        MIPS_NOP,
        0xad28000c, /* 14: sw t0, 0xc(t1) */
        mips_b(-0xc),
        MIPS_ADD, /* 1c: in the slot, and what is put in place of the branch */
    };
    static const char *const cores[] = {"tiger-mips", "tiger-mips-b"};
    for (size_t i = 0; i < 2; i++) {
        profile_program p = {
            .machine = EM_MIPS,
            .core = cores[i],
            .code = code,
            .words = sizeof code / sizeof *code,
            .functions = {{"__start", 0, sizeof code}},
            .limit = 3 + 4 * 5,
        };
        gs_profile *profile = profile_of(&p, NULL);
        check_sums(profile);
        const gs_profile_insn *changed = &profile->insns.items[3];
        assert_int_equal(changed->pc, PROFILE_BASE + 0xc);
        assert_int_equal(changed->executions, 4);
        assert_int_equal(changed->cost.value[GS_METRIC_BRANCHES], 1);
        assert_int_equal(changed->cost.value[GS_METRIC_TAKEN], 1);
        assert_int_equal(profile->total.value[GS_METRIC_BRANCHES], 1 + 4);
        gs_profile_free(profile);
    }
}

static uint64_t executions_at(const gs_profile *p, uint32_t offset)
{
    for (size_t i = 0; i < p->insns.count; i++) {
        if (p->insns.items[i].pc == PROFILE_BASE + offset)
            return p->insns.items[i].executions;
    }
    return 0;
}

/*
 * A loop over the end of a page, with an instruction half on either side. The first time control
 * comes into the middle of that instruction, which is one too. The run stops in the middle of the
 * loop's sixth round.
 */
static void test_instruction_on_two_pages(void **state)
{
    (void)state;
    enum { NOPS = 0x00010001, NOP_AND_ADDI_LOW = 0x05130001, ADDI_HIGH_AND_NOP = 0x00010015 };
    uint32_t code[1027] = {rv_jump(0x1000)};
    for (size_t i = 1; i < 1023; i++)
        code[i] = NOPS;
    code[1023] = NOP_AND_ADDI_LOW;
    code[1024] = ADDI_HIGH_AND_NOP;
    code[1025] = rv_jump(-12); /* 1004: to 0ff8 */
    code[1026] = NOPS;
    profile_program p = {
        .machine = EM_RISCV,
        .core = "ideal",
        .code = code,
        .words = 1027,
        .functions = {{"_start", 0, sizeof code}},
        .limit = 1 + 3 + 5 * 6 + 2,
    };
    gs_profile *profile = profile_of(&p, NULL);
    check_sums(profile);
    static const struct {
        uint32_t offset;
        uint64_t executions;
    } wanted[] = {{0, 1},     {4, 0},      {0xff8, 6},  {0xffa, 6},  {0xffc, 5},
                  {0xffe, 5}, {0x1000, 1}, {0x1002, 6}, {0x1004, 6}, {0x1008, 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_int_equal(executions_at(profile, wanted[i].offset), wanted[i].executions);
    gs_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recursion),         cmocka_unit_test(test_tail_call),
        cmocka_unit_test(test_loop_nest),         cmocka_unit_test(test_mips_loop),
        cmocka_unit_test(test_code_that_changes), cmocka_unit_test(test_instruction_on_two_pages),
    };
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
