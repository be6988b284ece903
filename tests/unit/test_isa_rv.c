/*
 * The RISC-V table against itself; operands, text and control flow against cases
 * worked out from the manual (the words were assembled by hand from its tables).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "isa/rv/rv.h"

static const gs_isa *const isa = &gs_isa_rv32;
static gs_decoder decoder, lists; /* `lists` has Zcmp, which takes the encodings of c.fsdsp */

static int set_up(void **state)
{
    (void)state;
    gs_decoder_init(&decoder, isa, isa->all_extensions);
    gs_decoder_init(&lists, isa, isa->all_extensions & ~(UINT64_C(1) << GS_RV_CD));
    return 0;
}

static gs_insn decode(uint32_t word)
{
    gs_insn insn;
    gs_decode(&insn, &decoder, word);
    return insn;
}

static void test_rows_decode_to_themselves(void **state)
{
    (void)state;
    for (unsigned i = 0; i < isa->encoding_count; i++) {
        const gs_encoding *row = &isa->encodings[i];
        assert_int_equal(row->match & ~row->mask, 0);
        /* All free bits set: the general rows stand below their special cases, which have zeros. */
        uint32_t full =
            row->mask > 0xffff || (row->match & 3) == 3 ? ~row->mask : 0xffff & ~row->mask;
        gs_insn insn;
        gs_decode(&insn, row->extension == GS_RV_ZCMP ? &lists : &decoder, row->match | full);
        if (insn.op != row->op)
            fail_msg("row %u (%s) decodes as %s", i, isa->ops[row->op].name,
                     isa->ops[insn.op].name);
        assert_int_equal(insn.length, (row->match & 3) == 3 ? 4 : 2);
    }
}

static void test_full_words_do_not_overlap(void **state)
{
    (void)state;
    for (unsigned i = 0; i < isa->encoding_count; i++) {
        for (unsigned j = 0; j < i; j++) {
            const gs_encoding *a = &isa->encodings[i], *b = &isa->encodings[j];
            if (a->op == GS_RV_pack && b->op == GS_RV_zext_h)
                continue; /* the latter is the former with x0 */
            if ((a->match & 3) == 3 && ((a->match ^ b->match) & a->mask & b->mask) == 0)
                fail_msg("%s and %s overlap", isa->ops[a->op].name, isa->ops[b->op].name);
        }
    }
}

static void test_extensions_are_left_out(void **state)
{
    (void)state;
    gs_decoder small;
    gs_insn insn;
    gs_decoder_init(&small, isa, 1u << GS_RV_I);
    gs_decode(&insn, &small, 0x02b50533); /* mul a0, a0, a1 */
    assert_int_equal(insn.op, GS_OP_ILLEGAL);
    gs_decode(&insn, &small, 0x4501); /* c.li a0, 0 */
    assert_int_equal(insn.op, GS_OP_ILLEGAL);
    assert_int_equal(insn.length, 2);
    gs_decode(&insn, &small, 0x00b50533); /* add a0, a0, a1 */
    assert_int_equal(insn.op, GS_RV_add);
}

static void test_reserved_words_are_illegal(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        0x0000,     /* defined illegal */
        0x0004,     /* c.addi4spn with immediate 0 */
        0x6081,     /* c.lui ra, 0 */
        0x6101,     /* c.addi16sp 0 */
        0x4002,     /* c.lwsp x0 */
        0x8002,     /* c.jr x0 */
        0x9002 | 0, /* c.ebreak is fine, see below */
        0x1002,     /* c.slli with bit 5 of the amount: 64 bit only */
        0x9c01,     /* c.subw: 64 bit only */
        0xffffffff, /* all ones */
        0x0000003b, /* addw: 64 bit only */
        0x00003003, /* ld: 64 bit only */
        0x02051513, /* slli a0, a0, 32 */
    };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        gs_insn insn = decode(words[i]);
        assert_int_equal(insn.op, words[i] == 0x9002 ? GS_RV_ebreak : GS_OP_ILLEGAL);
    }
}

static void test_lists(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        const char *text;
    } cases[] = {
        {0xb842, "cm.push {ra}, -16"},          {0xb85e, "cm.push {ra, s0}, -64"},
        {0xbaf2, "cm.pop {ra, s0-s11}, 64"},    {0xbe82, "cm.popret {ra, s0-s3}, 32"},
        {0xbce2, "cm.popretz {ra, s0-s9}, 48"}, {0xac26, "cm.mvsa01 s0, s1"},
        {0xac7e, "cm.mva01s s0, s7"},           {0xb832, ".insn 0xb832"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        gs_insn insn;
        gs_decode(&insn, &lists, cases[i].word);
        gs_rv_text(&insn, 0x1000, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    gs_insn insn = decode(0xb842);
    assert_int_equal(insn.op, GS_RV_fsd);
}

static void test_text(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        const char *text; /* at pc 0x1000 */
    } cases[] = {
        {0x00000013, "nop"},
        {0xff010113, "addi sp, sp, -16"},
        {0x1141, "addi sp, sp, -16"},
        {0x4501, "li a0, 0"},
        {0x852e, "mv a0, a1"},
        {0x00008067, "ret"},
        {0x8082, "ret"},
        {0x00078067, "jr a5"},
        {0x000780e7, "jalr a5"},
        {0x00812423, "sw s0, 8(sp)"},
        {0xc422, "sw s0, 8(sp)"},
        {0x00812403, "lw s0, 8(sp)"},
        {0x4422, "lw s0, 8(sp)"},
        {0xfe051ee3, "bnez a0, 0xffc"},
        {0xff5ff0ef, "jal 0xff4"},
        {0xbfcd, "j 0xff2"},
        {0x123452b7, "lui t0, 0x12345"},
        {0x40b50533, "sub a0, a0, a1"},
        {0x4035d513, "srai a0, a1, 3"},
        {0x30052573, "csrrs a0, mstatus, a0"},
        {0x30002573, "csrr a0, mstatus"},
        {0x30529073, "csrw mtvec, t0"},
        {0x3002e073, "csrrsi zero, mstatus, 5"},
        {0x100525af, "lr.w a1, (a0)"},
        {0x18b5262f, "sc.w a2, a1, (a0)"},
        {0x02c5f553, "fadd.d fa0, fa1, fa2"},
        {0x62c5f543, "fmadd.d fa0, fa1, fa2, fa2"},
        {0xc2051553, "fcvt.w.d a0, fa0"},
        {0x0e05d533, "czero.eqz a0, a1, zero"},
        {0x60059513, "clz a0, a1"},
        {0x0805c533, "zext.h a0, a1"},
        {0x08c5c533, "pack a0, a1, a2"},
        {0x81c8, "lbu a0, 1(a1)"},
        {0x9d4d, "mul a0, a0, a1"},
        {0xffffffff, ".insn 0xffffffff"},
        {0x0000, ".insn 0x0000"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[80];
        gs_insn insn = decode(cases[i].word);
        gs_rv_text(&insn, 0x1000, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    char tiny[5];
    gs_insn insn = decode(0xff010113);
    gs_rv_text(&insn, 0, tiny, sizeof tiny);
    assert_string_equal(tiny, "addi");
}

static void test_operands(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        uint8_t target, source[3];
    } cases[] = {
        {0x00b50533, 10, {10, 11, 0}},           /* add a0, a0, a1 */
        {0x00b50033, 0, {10, 11, 0}},            /* add zero, a0, a1 */
        {0x00812423, 0, {2, 8, 0}},              /* sw s0, 8(sp) */
        {0x00813427, 0, {2, 32 + 8, 0}},         /* fsd fs0, 8(sp) */
        {0x00813407, 32 + 8, {2, 0, 0}},         /* fld fs0, 8(sp) */
        {0x62c5f543, 32 + 10, {43, 44, 44}},     /* fmadd.d fa0, fa1, fa2, fa2 */
        {0xa2b52553, 10, {32 + 10, 32 + 11, 0}}, /* feq.d a0, fa0, fa1 */
        {0xd2058553, 32 + 10, {11, 0, 0}},       /* fcvt.d.w fa0, a1 */
        {0x3002e073, 0, {0, 0, 0}},              /* csrrsi zero, mstatus, 5 */
        {0x000000ef, 1, {0, 0, 0}},              /* jal ra, . */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_insn insn = decode(cases[i].word);
        gs_operands operands = isa->operands(&insn);
        assert_int_equal(operands.target[0], cases[i].target);
        assert_int_equal(operands.target[1], GS_OPERAND_NONE);
        assert_memory_equal(operands.source, cases[i].source, 3);
    }
}

static void test_flow(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        gs_flow flow;
        uint64_t target; /* from pc 0x1000 */
    } cases[] = {
        {0x00b50533, GS_FLOW_NEXT, 0},
        {0xfe051ee3, GS_FLOW_BRANCH, 0xffc},
        {0xff5ff0ef, GS_FLOW_CALL, 0xff4},
        {0xff5ff2ef, GS_FLOW_CALL, 0xff4}, /* jal t0: the alternate link register */
        {0xff5ff06f, GS_FLOW_JUMP, 0xff4},
        {0x00008067, GS_FLOW_RETURN, 0},
        {0x00028067, GS_FLOW_RETURN, 0},        /* jr t0 */
        {0x000780e7, GS_FLOW_CALL_INDIRECT, 0}, /* jalr ra, a5 */
        {0x00078067, GS_FLOW_JUMP_INDIRECT, 0}, /* jr a5 */
        {0x000280e7, GS_FLOW_RETURN_CALL, 0},   /* jalr ra, t0 */
        {0x000080e7, GS_FLOW_CALL_INDIRECT, 0}, /* jalr ra, ra */
        {0x00000073, GS_FLOW_TRAP, 0},
        {0x30200073, GS_FLOW_TRAP_RETURN, 0},
        {0xffffffff, GS_FLOW_ILLEGAL, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_insn insn = decode(cases[i].word);
        uint64_t target = 0;
        assert_int_equal(isa->flow(&insn, 0x1000, &target), cases[i].flow);
        assert_int_equal(target, cases[i].target);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_decode_to_themselves),
        cmocka_unit_test(test_full_words_do_not_overlap),
        cmocka_unit_test(test_extensions_are_left_out),
        cmocka_unit_test(test_reserved_words_are_illegal),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_flow),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
