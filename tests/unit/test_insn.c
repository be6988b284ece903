/* What the public accessors say of a decoded instruction, in both instruction sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encode.h"
#include "gumshoe/insn.h"
#include "isa/isa.h"

static gs_insn decode(gs_arch arch, uint32_t word)
{
    gs_decoder decoder;
    gs_insn insn;
    gs_decoder_init(&decoder, gs_isa_for(arch), gs_isa_for(arch)->all_extensions);
    gs_decode(&insn, &decoder, word);
    return insn;
}

enum { LOAD = 1, STORE = 2, BRANCH = 4, CALL = 8, RETURN = 16 };

static int kinds(gs_arch arch, const gs_insn *insn)
{
    return gs_insn_is_load(arch, insn) * LOAD | gs_insn_is_store(arch, insn) * STORE |
           gs_insn_is_branch(arch, insn) * BRANCH | gs_insn_is_call(arch, insn) * CALL |
           gs_insn_is_return(arch, insn) * RETURN;
}

static void test_names_classes_kinds(void **state)
{
    (void)state;
    static const struct {
        gs_arch arch;
        uint32_t word;
        const char *name, *class;
        unsigned length;
        int kinds;
    } cases[] = {
        {GS_ARCH_RV32, RV_ADD, "add", "ALU", 4, 0},
        {GS_ARCH_RV32, 0x4501, "addi", "ALU", 2, 0}, /* c.li a0, 0 */
        {GS_ARCH_RV32, 0x0005a503, "lw", "LOAD", 4, LOAD},
        {GS_ARCH_RV32, 0x00a5a023, "sw", "STORE", 4, STORE},
        {GS_ARCH_RV32, 0x00a5a52f, "amoadd_w", "ATOMIC", 4, LOAD | STORE},
        {GS_ARCH_RV32, 0x00b50463, "beq", "BRANCH", 4, BRANCH},
        {GS_ARCH_RV32, RV_CALL_A5, "jalr", "JUMP_REG", 4, CALL},
        {GS_ARCH_RV32, 0x000280e7, "jalr", "JUMP_REG", 4, CALL | RETURN}, /* jalr ra, t0 */
        {GS_ARCH_RV32, RV_RET, "jalr", "JUMP_REG", 4, RETURN},
        {GS_ARCH_RV32, RV_MRET, "mret", "SYSTEM", 4, 0},
        {GS_ARCH_RV32, 0x81c8, "lbu", "LOAD", 2, LOAD}, /* c.lbu a0, 1(a1) */
        {GS_ARCH_RV32, 0x9d75, "xori", "ALU", 2, 0},    /* c.not a0 */
        {GS_ARCH_RV32, 0x08f59513, "zip", "ALU", 4, 0},
        {GS_ARCH_RV32, 0xffffffff, "illegal", "", 4, 0},
        {GS_ARCH_MIPS32, MIPS_ADD, "addu", "ALU", 4, 0},
        {GS_ARCH_MIPS32, 0x8c820000, "lw", "LOAD", 4, LOAD},
        {GS_ARCH_MIPS32, 0x04910002, "bgezal", "BRANCH", 4, BRANCH | CALL},
        {GS_ARCH_MIPS32, MIPS_CALL_T9, "jalr", "JUMP_REG", 4, CALL},
        {GS_ARCH_MIPS32, MIPS_RET, "jr", "JUMP_REG", 4, RETURN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_arch arch = cases[i].arch;
        gs_insn insn = decode(arch, cases[i].word);
        assert_string_equal(gs_insn_name(arch, &insn), cases[i].name);
        assert_string_equal(gs_insn_class(arch, &insn), cases[i].class);
        assert_int_equal(gs_insn_length(&insn), cases[i].length);
        assert_int_equal(gs_insn_word(&insn), cases[i].word);
        assert_int_equal(kinds(arch, &insn), cases[i].kinds);
    }
}

static void test_operands_and_flow(void **state)
{
    (void)state;
    gs_insn add = decode(GS_ARCH_RV32, RV_ADD);
    gs_operands operands = gs_insn_operands(GS_ARCH_RV32, &add);
    assert_string_equal(gs_operand_name(GS_ARCH_RV32, operands.target[0]), "a0");
    assert_int_equal(operands.target[1], GS_OPERAND_NONE);
    assert_string_equal(gs_operand_name(GS_ARCH_RV32, operands.source[1]), "a1");

    uint64_t target = 1;
    gs_insn branch = decode(GS_ARCH_RV32, rv_beq(16));
    assert_int_equal(gs_insn_flow(GS_ARCH_RV32, &branch, 0x1000, &target), GS_FLOW_BRANCH);
    assert_int_equal(target, 0x1010);
    assert_int_equal(gs_insn_flow(GS_ARCH_RV32, &add, 0x1000, &target), GS_FLOW_NEXT);
    assert_int_equal(target, 0);

    gs_insn illegal = decode(GS_ARCH_RV32, 0xffffffff);
    assert_int_equal(gs_insn_flow(GS_ARCH_RV32, &illegal, 0x1000, NULL), GS_FLOW_ILLEGAL);
    operands = gs_insn_operands(GS_ARCH_RV32, &illegal);
    assert_int_equal(operands.target[0] | operands.source[0], GS_OPERAND_NONE);
}

static void test_text(void **state)
{
    (void)state;
    char text[32], cut[5];
    gs_disassembler *dis;
    gs_insn add = decode(GS_ARCH_MIPS32, MIPS_ADD);
    assert_int_equal(gs_disassembler_open(&dis, GS_ARCH_MIPS32, NULL), GS_OK);
    gs_disassemble(dis, &add, 0, text, sizeof text);
    assert_string_equal(text, "addu $v0, $a0, $a1");
    gs_disassemble(dis, &add, 0, cut, sizeof cut);
    assert_string_equal(cut, "addu");
    gs_disassembler_free(dis);
    gs_disassembler_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_classes_kinds),
        cmocka_unit_test(test_operands_and_flow),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
