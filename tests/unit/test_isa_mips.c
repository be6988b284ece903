/*
 * The MIPS table against itself and against Capstone; operands and control flow
 * against cases written from the manual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <capstone/capstone.h>
#include <string.h>

#include "isa/mips/mips.h"

static const gs_isa *const isa = &gs_isa_mips32;
static gs_decoder decoder;

static int set_up(void **state)
{
    (void)state;
    gs_decoder_init(&decoder, isa, isa->all_extensions);
    return 0;
}

static gs_insn decode(uint32_t word)
{
    gs_insn insn;
    gs_decode(&insn, &decoder, word);
    return insn;
}

/* The table */

static void test_rows_decode_to_themselves(void **state)
{
    (void)state;
    for (unsigned i = 0; i < isa->encoding_count; i++) {
        const gs_encoding *row = &isa->encodings[i];
        assert_int_equal(row->match & ~row->mask, 0);
        gs_insn insn = decode(row->match);
        assert_int_equal(insn.op, row->op);
        assert_int_equal(insn.length, 4);
        assert_int_equal(insn.raw, row->match);
        assert_int_equal(decode(row->match | ~row->mask).op, row->op);
    }
}

static void test_rows_do_not_overlap(void **state)
{
    (void)state;
    for (unsigned i = 0; i < isa->encoding_count; i++) {
        for (unsigned j = 0; j < i; j++) {
            const gs_encoding *a = &isa->encodings[i], *b = &isa->encodings[j];
            if (((a->match ^ b->match) & a->mask & b->mask) == 0)
                fail_msg("%s and %s overlap", isa->ops[a->op].name, isa->ops[b->op].name);
        }
    }
}

static void test_extensions_are_left_out(void **state)
{
    (void)state;
    gs_decoder small;
    gs_insn insn;
    gs_decoder_init(&small, isa, 1u << GS_MIPS_I);
    gs_decode(&insn, &small, 0x70851002); /* mul $2, $4, $5 */
    assert_int_equal(insn.op, GS_OP_ILLEGAL);
    gs_decode(&insn, &small, 0x00851021); /* addu $2, $4, $5 */
    assert_int_equal(insn.op, GS_MIPS_addu);
}

static void test_illegal_words(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        0x0000002d, /* daddu: 64 bit */
        0xdc820000, /* ld */
        0x46c41180, /* add.ps */
        0x46801180, /* add.w */
        0x7c0510a4, /* no such byte shuffle */
        0x00a51042, /* srl with a field that must be zero */
        0xffffffff,
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        gs_insn insn = decode(words[i]);
        assert_int_equal(insn.op, GS_OP_ILLEGAL);
        assert_int_equal(insn.raw, words[i]);
        assert_int_equal(insn.length, 4);
        uint64_t target;
        assert_int_equal(isa->flow(&insn, 0x1000, &target), GS_FLOW_ILLEGAL);
    }
}

/* Capstone */

/* What Capstone 4 does not know, or only with some operands: bits to clear, bits to set. */
static const struct {
    uint32_t match, mask;
    uint32_t clear, set;
} reserves[] = {
    {0x46000030, 0xffc000f0, 0x00000700, 0},          /* c.cond: condition code 0 only */
    {0x7c00003b, 0xfc00003f, 0x0000f800, 0x0000e800}, /* rdhwr: $29 only */
    {0x42000020, 0xfe00003f, 0x01ffffc0, 0},          /* wait: code 0 only */
    {0x4c000000, 0xfc000000, 0x01000000, 0},          /* COP1X: takes base $8 for a bc3f */
};

static uint32_t within_reserves(uint32_t word, uint32_t fixed)
{
    for (size_t i = 0; i < sizeof reserves / sizeof *reserves; i++) {
        if ((word & reserves[i].mask) == reserves[i].match)
            word = (word & ~(reserves[i].clear & ~fixed)) | reserves[i].set;
    }
    return word;
}

static bool unknown_to_capstone(unsigned op)
{
    return op == GS_MIPS_prefx || op == GS_MIPS_recip_s || op == GS_MIPS_recip_d ||
           op == GS_MIPS_rsqrt_s || op == GS_MIPS_rsqrt_d;
}

static void with_dots(char *to, size_t size, const char *name)
{
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++)
        to[i] = name[i] == '_' ? '.' : name[i];
    to[i] = '\0';
}

/* Operand fields at random, but no zero register: Capstone has other names for those. */
static uint32_t random_operands(const gs_encoding *row, uint32_t *seed)
{
    uint32_t word = row->match;
    for (unsigned at = 0; at < 26; at++) {
        *seed = *seed * 1664525 + 1013904223;
        word |= *seed >> 31 << at & ~row->mask;
    }
    for (unsigned field = 6; field <= 21; field += 5) {
        uint32_t lowest = 1u << field & ~row->mask, next = 2u << field & ~row->mask;
        if ((word >> field & 31) == 0)
            word |= lowest ? lowest : next;
    }
    return word;
}

static void test_names_agree_with_capstone(void **state)
{
    (void)state;
    csh general, wide; /* floating point registers have 64 bits in MIPS64 only */
    cs_insn *text;
    uint32_t seed = 1;
    assert_int_equal(cs_open(CS_ARCH_MIPS, CS_MODE_MIPS32, &general), CS_ERR_OK);
    assert_int_equal(cs_open(CS_ARCH_MIPS, CS_MODE_MIPS64, &wide), CS_ERR_OK);
    for (unsigned i = 0; i < isa->encoding_count; i++) {
        const gs_encoding *row = &isa->encodings[i];
        csh handle =
            row->extension >= GS_MIPS_FPU && row->extension <= GS_MIPS_FPU64 ? wide : general;
        char name[32];
        with_dots(name, sizeof name, isa->ops[row->op].name);
        for (int round = 0; round < 20 && !unknown_to_capstone(row->op); round++) {
            uint32_t word = within_reserves(random_operands(row, &seed), row->mask);
            assert_int_equal(decode(word).op, row->op);
            uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                                (uint8_t)(word >> 24)};
            size_t count = cs_disasm(handle, bytes, sizeof bytes, 0x1000, 1, &text);
            if (count != 1)
                fail_msg("Capstone does not know %08x, our %s", word, name);
            if (strcmp(text->mnemonic, name) != 0)
                fail_msg("%08x is %s to Capstone and %s to us", word, text->mnemonic, name);
            cs_free(text, count);
        }
    }
    cs_close(&general);
    cs_close(&wide);
}

/* Operands */

static void test_fields(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        uint16_t op;
        uint8_t rd, rs1, rs2, rs3, aux;
        int32_t imm;
    } cases[] = {
        {0x00851021, GS_MIPS_addu, 2, 4, 5, 0, 0, 0},          /* addu $2, $4, $5 */
        {0x00850021, GS_MIPS_addu, 32, 4, 5, 0, 0, 0},         /* addu $0, $4, $5 */
        {0x000517c0, GS_MIPS_sll, 2, 0, 5, 0, 31, 0},          /* sll $2, $5, 31 */
        {0x002517c2, GS_MIPS_rotr, 2, 0, 5, 0, 31, 0},         /* rotr $2, $5, 31 */
        {0x2482ffff, GS_MIPS_addiu, 2, 4, 0, 0, 0, -1},        /* addiu $2, $4, -1 */
        {0x3482ffff, GS_MIPS_ori, 2, 4, 0, 0, 0, 0xffff},      /* ori $2, $4, 0xffff */
        {0x3c028000, GS_MIPS_lui, 2, 0, 0, 0, 0, INT32_MIN},   /* lui $2, 0x8000 */
        {0x8c828000, GS_MIPS_lw, 2, 4, 0, 0, 0, -32768},       /* lw $2, -32768($4) */
        {0x88820003, GS_MIPS_lwl, 2, 4, 2, 0, 0, 3},           /* lwl $2, 3($4) */
        {0xac820004, GS_MIPS_sw, 0, 4, 2, 0, 0, 4},            /* sw $2, 4($4) */
        {0xe0820004, GS_MIPS_sc, 2, 4, 2, 0, 0, 4},            /* sc $2, 4($4) */
        {0x1082ffff, GS_MIPS_beq, 0, 4, 2, 0, 0, 0},           /* beq $4, $2, . */
        {0x14827fff, GS_MIPS_bne, 0, 4, 2, 0, 0, 0x20000},     /* bne $4, $2, .+0x20000 */
        {0x04910001, GS_MIPS_bgezal, 31, 4, 0, 0, 0, 8},       /* bgezal $4, .+8 */
        {0x0fffffff, GS_MIPS_jal, 31, 0, 0, 0, 0, 0x0ffffffc}, /* jal */
        {0x00801009, GS_MIPS_jalr, 2, 4, 0, 0, 0, 0},          /* jalr $2, $4 */
        {0x7c823900, GS_MIPS_ext, 2, 4, 0, 0, 4, 8},           /* ext $2, $4, 4, 8 */
        {0x7c825904, GS_MIPS_ins, 2, 4, 2, 0, 4, 8},           /* ins $2, $4, 4, 8 */
        {0x0085100a, GS_MIPS_movz, 2, 4, 5, 2, 0, 0},          /* movz $2, $4, $5 */
        {0x008c1001, GS_MIPS_movf, 2, 4, 2, 0, 27, 0},         /* movf $2, $4, $fcc3 */
        {0x40026001, GS_MIPS_mfc0, 2, 0, 0, 0, 97, 0},         /* mfc0 $2, $12, 1 */
        {0x40826001, GS_MIPS_mtc0, 0, 0, 2, 0, 97, 0},         /* mtc0 $2, $12, 1 */
        {0x7c03e83b, GS_MIPS_rdhwr, 3, 0, 0, 0, 29, 0},        /* rdhwr $3, $29 */
        {0x41606000, GS_MIPS_di, 32, 0, 0, 0, 0, 0},           /* di */
        {0x46262100, GS_MIPS_add_d, 4, 4, 6, 0, 0, 0},         /* add.d $f4, $f4, $f6 */
        {0x46052032, GS_MIPS_c_eq_s, 0, 4, 5, 0, 23, 0},       /* c.eq.s $f4, $f5 */
        {0x4605273c, GS_MIPS_c_lt_s, 0, 4, 5, 0, 31, 0},       /* c.lt.s $fcc7, $f4, $f5 */
        {0x4504ffff, GS_MIPS_bc1f, 0, 0, 0, 0, 25, 0},         /* bc1f $fcc1, . */
        {0x44821000, GS_MIPS_mtc1, 2, 0, 2, 0, 0, 0},          /* mtc1 $2, $f2 */
        {0x44020800, GS_MIPS_mfc1, 2, 1, 0, 0, 0, 0},          /* mfc1 $2, $f1 */
        {0x44c2f800, GS_MIPS_ctc1, 0, 0, 2, 0, 31, 0},         /* ctc1 $2, $31 */
        {0x4c8520a0, GS_MIPS_madd_s, 2, 4, 5, 4, 0, 0},        /* madd.s $f2, $f4, $f4, $f5 */
        {0x4c852008, GS_MIPS_swxc1, 0, 4, 5, 4, 0, 0},         /* swxc1 $f4, $5($4) */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_insn insn = decode(cases[i].word);
        assert_string_equal(isa->ops[insn.op].name, isa->ops[cases[i].op].name);
        assert_int_equal(insn.rd, cases[i].rd);
        assert_int_equal(insn.rs1, cases[i].rs1);
        assert_int_equal(insn.rs2, cases[i].rs2);
        assert_int_equal(insn.rs3, cases[i].rs3);
        assert_int_equal(insn.aux, cases[i].aux);
        assert_int_equal(insn.imm, cases[i].imm);
    }
}

enum { HI = GS_OPERAND_HI, LO = GS_OPERAND_LO, CC = GS_OPERAND_FLAGS, F = GS_OPERAND_F };

static void test_operands(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        uint8_t target[2], source[3];
    } cases[] = {
        {0x00000000, {0}, {0}},                       /* nop */
        {0x00851021, {2}, {4, 5}},                    /* addu $2, $4, $5 */
        {0x00850021, {0}, {4, 5}},                    /* addu $0, $4, $5 */
        {0x00051080, {2}, {0, 5}},                    /* sll $2, $5, 2 */
        {0x8c820000, {2}, {4}},                       /* lw $2, 0($4) */
        {0x88820003, {2}, {4, 2}},                    /* lwl $2, 3($4) */
        {0xac820000, {0}, {4, 2}},                    /* sw $2, 0($4) */
        {0xe0820000, {2}, {4, 2}},                    /* sc $2, 0($4) */
        {0x1082ffff, {0}, {4, 2}},                    /* beq $4, $2, . */
        {0x04910001, {31}, {4}},                      /* bgezal $4, .+8 */
        {0x0c000000, {31}, {0}},                      /* jal 0 */
        {0x03200008, {0}, {25}},                      /* jr $25 */
        {0x0320f809, {31}, {25}},                     /* jalr $25 */
        {0x00850018, {HI, LO}, {4, 5}},               /* mult $4, $5 */
        {0x70850000, {HI, LO}, {4, 5, LO}},           /* madd $4, $5 */
        {0x0085001a, {HI, LO}, {4, 5}},               /* div $0, $4, $5 */
        {0x00001010, {2}, {HI}},                      /* mfhi $2 */
        {0x00001012, {2}, {LO}},                      /* mflo $2 */
        {0x00800011, {HI}, {4}},                      /* mthi $4 */
        {0x00800013, {LO}, {4}},                      /* mtlo $4 */
        {0x70851002, {2}, {4, 5}},                    /* mul $2, $4, $5 */
        {0x0085100a, {2}, {4, 5, 2}},                 /* movz $2, $4, $5 */
        {0x7c823900, {2}, {4}},                       /* ext $2, $4, 4, 8 */
        {0x7c825904, {2}, {4, 2}},                    /* ins $2, $4, 4, 8 */
        {0x008c1001, {2}, {4, 2, CC}},                /* movf $2, $4, $fcc3 */
        {0x46262100, {F + 4}, {F + 4, F + 6}},        /* add.d $f4, $f4, $f6 */
        {0x46052032, {CC}, {F + 4, F + 4}},           /* c.eq.s $f4, $f5: $f5 is half of $f4 */
        {0x4501ffff, {0}, {CC}},                      /* bc1t . */
        {0x44821800, {F + 2}, {0, 2}},                /* mtc1 $2, $f3 */
        {0x44022000, {2}, {F + 4}},                   /* mfc1 $2, $f4 */
        {0x4442f800, {2}, {CC}},                      /* cfc1 $2, $31 */
        {0x44c2f800, {CC}, {0, 2}},                   /* ctc1 $2, $31 */
        {0xd4840000, {F + 4}, {4}},                   /* ldc1 $f4, 0($4) */
        {0xf4840000, {0}, {4, F + 4}},                /* sdc1 $f4, 0($4) */
        {0x4c852008, {0}, {4, 5, F + 4}},             /* swxc1 $f4, $5($4) */
        {0x46082112, {F + 4}, {F + 4, 8, F + 4}},     /* movz.s $f4, $f4, $8 */
        {0x4c8520a0, {F + 2}, {F + 4, F + 4, F + 4}}, /* madd.s $f2, $f4, $f4, $f5 */
        {0x7c03e83b, {3}, {0}},                       /* rdhwr $3, $29 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_insn insn = decode(cases[i].word);
        gs_operands operands = isa->operands(&insn);
        assert_memory_equal(operands.target, cases[i].target, sizeof operands.target);
        assert_memory_equal(operands.source, cases[i].source, sizeof operands.source);
    }
}

/* Control flow */

static void test_flow(void **state)
{
    (void)state;
    static const uint64_t pc = 0x80001000, none = 1;
    static const struct {
        uint32_t word;
        gs_flow flow;
        uint64_t target;
    } cases[] = {
        {0x00851021, GS_FLOW_NEXT, none},              /* addu */
        {0x000001f4, GS_FLOW_NEXT, none},              /* teq $0, $0, 7 */
        {0x10820003, GS_FLOW_BRANCH, 0x80001010},      /* beq $4, $2 */
        {0x10000003, GS_FLOW_JUMP, 0x80001010},        /* b */
        {0x1084fffe, GS_FLOW_JUMP, 0x80000ffc},        /* beq $4, $4 */
        {0x50000003, GS_FLOW_JUMP, 0x80001010},        /* beql $0, $0 */
        {0x14840003, GS_FLOW_BRANCH, 0x80001010},      /* bne $4, $4 */
        {0x04010003, GS_FLOW_JUMP, 0x80001010},        /* bgez $0 */
        {0x04810003, GS_FLOW_BRANCH, 0x80001010},      /* bgez $4 */
        {0x18000003, GS_FLOW_JUMP, 0x80001010},        /* blez $0 */
        {0x04110003, GS_FLOW_CALL, 0x80001010},        /* bal */
        {0x04110001, GS_FLOW_NEXT, none},              /* bal .+8 */
        {0x04910001, GS_FLOW_BRANCH_CALL, 0x80001008}, /* bgezal $4, .+8 */
        {0x04900003, GS_FLOW_BRANCH_CALL, 0x80001010}, /* bltzal $4 */
        {0x04100003, GS_FLOW_NEXT, none},              /* bltzal $0 */
        {0x04920003, GS_FLOW_BRANCH_CALL, 0x80001010}, /* bltzall $4 */
        {0x45010003, GS_FLOW_BRANCH, 0x80001010},      /* bc1t */
        {0x08000400, GS_FLOW_JUMP, 0x80001000},        /* j */
        {0x0c000400, GS_FLOW_CALL, 0x80001000},        /* jal */
        {0x03e00008, GS_FLOW_RETURN, none},            /* jr $31 */
        {0x03e00408, GS_FLOW_RETURN, none},            /* jr.hb $31 */
        {0x03200008, GS_FLOW_JUMP_INDIRECT, none},     /* jr $25 */
        {0x0320f809, GS_FLOW_CALL_INDIRECT, none},     /* jalr $25 */
        {0x03201009, GS_FLOW_CALL_INDIRECT, none},     /* jalr $2, $25 */
        {0x03200009, GS_FLOW_JUMP_INDIRECT, none},     /* jalr $0, $25 */
        {0x0000000c, GS_FLOW_TRAP, none},              /* syscall */
        {0x0007000d, GS_FLOW_TRAP, none},              /* break 7 */
        {0x42000018, GS_FLOW_TRAP_RETURN, none},       /* eret */
        {0x42000020, GS_FLOW_NEXT, none},              /* wait */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_insn insn = decode(cases[i].word);
        uint64_t target = none;
        assert_int_equal(isa->flow(&insn, pc, &target), cases[i].flow);
        assert_int_equal(target, cases[i].target);
    }

    /* A jump stays in the 256 MiB of its delay slot, not of its own. */
    gs_insn jump = decode(0x08000400);
    uint64_t target = none;
    isa->flow(&jump, 0x8ffffffc, &target);
    assert_int_equal(target, 0x90001000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_decode_to_themselves),
        cmocka_unit_test(test_rows_do_not_overlap),
        cmocka_unit_test(test_extensions_are_left_out),
        cmocka_unit_test(test_illegal_words),
        cmocka_unit_test(test_names_agree_with_capstone),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_flow),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
