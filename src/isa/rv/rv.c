/* RISC-V from its table: encodings, operands, control flow and effects. */
#include "isa/rv/rv.h"

#include "isa/rv/rv_effects.h"

/* Operation numbers for the encodings; no row is ILLEGAL. */
enum { GS_RV_ILLEGAL = GS_OP_ILLEGAL };

static const gs_op_info ops[GS_RV_OP_COUNT] = {
    [GS_OP_UNDECODED] = {"undecoded", GS_RV_F_NONE, GS_CLASS_SYSTEM, GS_EFFECT_SYSTEM},
    [GS_OP_PAGE_END] = {"page-end", GS_RV_F_NONE, GS_CLASS_SYSTEM, GS_EFFECT_SYSTEM},
    [GS_OP_ILLEGAL] = {"illegal", GS_RV_F_NONE, GS_CLASS_SYSTEM, GS_EFFECT_SYSTEM},
#define INSN(ext, name, match, mask, format, class, ...)         \
    [GS_RV_##name] = {#name, GS_RV_F_##format, GS_CLASS_##class, \
                      GS_EFFECTS(__VA_ARGS__) | FLOAT_EFFECTS(GS_RV_##ext)},
#define RVC(...)
#include "isa/rv/rv.def"
#undef INSN
#undef RVC
};

static const gs_encoding encodings[] = {
#define INSN(ext, name, match, mask, format, class, ...) \
    {match, mask, GS_RV_##name, GS_RV_F_##format, GS_RV_##ext},
#define RVC(ext, name, match, mask, format, op) \
    {match, mask, GS_RV_##op, GS_RV_F_##format, GS_RV_##ext},
#include "isa/rv/rv.def"
#undef INSN
#undef RVC
};

static unsigned length(uint32_t word)
{
    return (word & 3) == 3 ? 4 : 2;
}

/* Buckets: the 32 major opcodes of full words, then quadrant and funct3 of compressed ones. */
static unsigned key(uint32_t word)
{
    if ((word & 3) == 3)
        return word >> 2 & 31;
    return 32 + (word >> 13 & 7) * 4 + (word & 3);
}

static uint32_t key_mask(unsigned k)
{
    return k < 32 ? 0x7f : 0xe003;
}

static uint32_t key_bits(unsigned k)
{
    return k < 32 ? k << 2 | 3 : ((k - 32) >> 2) << 13 | (k & 3);
}

/* Bits hi..lo of w, moved to position `at`. */
static inline uint32_t bits(uint32_t w, unsigned hi, unsigned lo, unsigned at)
{
    return (w >> lo & ((1u << (hi - lo + 1)) - 1)) << at;
}

static inline int32_t sign_extend(uint32_t value, unsigned width)
{
    return (int32_t)(value << (32 - width)) >> (32 - width);
}

static uint8_t target(uint32_t r)
{
    return (uint8_t)(r == 0 ? GS_REG_SINK : r);
}

/* s0 and s1 are far from the others. */
static uint8_t saved(uint32_t number)
{
    return (uint8_t)(number < 2 ? 8 + number : 16 + number);
}

unsigned gs_rv_listed(unsigned list, uint8_t *registers)
{
    const unsigned count = list < 4 ? 0 : list == 15 ? 13 : list - 3;
    for (unsigned i = 0; registers && i < count; i++)
        registers[i] = i == 0 ? 1 : saved(i - 1);
    return count;
}

static int32_t imm_jump_compressed(uint32_t w)
{
    return sign_extend(bits(w, 12, 12, 11) | bits(w, 11, 11, 4) | bits(w, 10, 9, 8) |
                           bits(w, 8, 8, 10) | bits(w, 7, 7, 6) | bits(w, 6, 6, 7) |
                           bits(w, 5, 3, 1) | bits(w, 2, 2, 5),
                       12);
}

static void extract_compressed(gs_insn *insn, gs_rv_format format)
{
    const uint32_t w = insn->raw;
    const uint8_t full_rd = (uint8_t)bits(w, 11, 7, 0), full_rs2 = (uint8_t)bits(w, 6, 2, 0);
    const uint8_t low_rd = (uint8_t)(8 + bits(w, 4, 2, 0)),
                  low_rs1 = (uint8_t)(8 + bits(w, 9, 7, 0));
    const int32_t imm6 = sign_extend(bits(w, 12, 12, 5) | bits(w, 6, 2, 0), 6);
    const int32_t offset_w = (int32_t)(bits(w, 12, 10, 3) | bits(w, 6, 6, 2) | bits(w, 5, 5, 6));
    const int32_t offset_d = (int32_t)(bits(w, 12, 10, 3) | bits(w, 6, 5, 6));

    switch (format) {
    case GS_RV_F_C_ADDI4SPN:
        insn->rd = low_rd;
        insn->rs1 = 2;
        insn->imm =
            (int32_t)(bits(w, 12, 11, 4) | bits(w, 10, 7, 6) | bits(w, 6, 6, 2) | bits(w, 5, 5, 3));
        break;
    case GS_RV_F_C_LW:
    case GS_RV_F_C_LW_F:
        insn->rd = low_rd;
        insn->rs1 = low_rs1;
        insn->imm = offset_w;
        break;
    case GS_RV_F_C_LD:
        insn->rd = low_rd;
        insn->rs1 = low_rs1;
        insn->imm = offset_d;
        break;
    case GS_RV_F_C_SW:
        insn->rs1 = low_rs1;
        insn->rs2 = low_rd;
        insn->imm = offset_w;
        break;
    case GS_RV_F_C_LB:
        insn->rd = low_rd;
        insn->rs1 = low_rs1;
        insn->imm = (int32_t)(bits(w, 6, 6, 0) | bits(w, 5, 5, 1));
        break;
    case GS_RV_F_C_LH:
        insn->rd = low_rd;
        insn->rs1 = low_rs1;
        insn->imm = (int32_t)bits(w, 5, 5, 1);
        break;
    case GS_RV_F_C_SB:
        insn->rs1 = low_rs1;
        insn->rs2 = low_rd;
        insn->imm = (int32_t)(bits(w, 6, 6, 0) | bits(w, 5, 5, 1));
        break;
    case GS_RV_F_C_SH:
        insn->rs1 = low_rs1;
        insn->rs2 = low_rd;
        insn->imm = (int32_t)bits(w, 5, 5, 1);
        break;
    case GS_RV_F_C_SD:
        insn->rs1 = low_rs1;
        insn->rs2 = low_rd;
        insn->imm = offset_d;
        break;
    case GS_RV_F_C_ADDI:
        insn->rd = target(full_rd);
        insn->rs1 = full_rd;
        insn->imm = imm6;
        break;
    case GS_RV_F_C_LI:
        insn->rd = target(full_rd);
        insn->imm = imm6;
        break;
    case GS_RV_F_C_LUI:
        insn->rd = target(full_rd);
        insn->imm = (int32_t)((uint32_t)imm6 << 12);
        break;
    case GS_RV_F_C_ADDI16SP:
        insn->rd = 2;
        insn->rs1 = 2;
        insn->imm = sign_extend(bits(w, 12, 12, 9) | bits(w, 6, 6, 4) | bits(w, 5, 5, 6) |
                                    bits(w, 4, 3, 7) | bits(w, 2, 2, 5),
                                10);
        break;
    case GS_RV_F_C_SHAMT:
        insn->rd = low_rs1;
        insn->rs1 = low_rs1;
        insn->imm = full_rs2;
        break;
    case GS_RV_F_C_ANDI:
        insn->rd = low_rs1;
        insn->rs1 = low_rs1;
        insn->imm = imm6;
        break;
    case GS_RV_F_C_ALU:
        insn->rd = low_rs1;
        insn->rs1 = low_rs1;
        insn->rs2 = low_rd;
        break;
    case GS_RV_F_C_ALU1:
        insn->rd = low_rs1;
        insn->rs1 = low_rs1;
        break;
    case GS_RV_F_C_ZEXT_B:
        insn->rd = low_rs1;
        insn->rs1 = low_rs1;
        insn->imm = 0xff;
        break;
    case GS_RV_F_C_NOT:
        insn->rd = low_rs1;
        insn->rs1 = low_rs1;
        insn->imm = -1;
        break;
    case GS_RV_F_CM_STACK:
        insn->rd = 2;
        insn->rs1 = 2;
        insn->aux = (uint8_t)bits(w, 7, 4, 0);
        insn->imm =
            (int32_t)((gs_rv_listed(insn->aux, NULL) * 4 + 15) & ~15u) + (int32_t)bits(w, 3, 2, 4);
        break;
    case GS_RV_F_CM_MVSA01:
        insn->rd = saved(bits(w, 9, 7, 0));
        insn->rs3 = saved(bits(w, 4, 2, 0));
        insn->rs1 = 10;
        insn->rs2 = 11;
        break;
    case GS_RV_F_CM_MVA01S:
        insn->rd = 10;
        insn->rs3 = 11;
        insn->rs1 = saved(bits(w, 9, 7, 0));
        insn->rs2 = saved(bits(w, 4, 2, 0));
        break;
    case GS_RV_F_C_JAL:
        insn->rd = 1;
        insn->imm = imm_jump_compressed(w);
        break;
    case GS_RV_F_C_J:
        insn->rd = GS_REG_SINK;
        insn->imm = imm_jump_compressed(w);
        break;
    case GS_RV_F_C_B:
        insn->rs1 = low_rs1;
        insn->imm = sign_extend(bits(w, 12, 12, 8) | bits(w, 11, 10, 3) | bits(w, 6, 5, 6) |
                                    bits(w, 4, 3, 1) | bits(w, 2, 2, 5),
                                9);
        break;
    case GS_RV_F_C_SLLI:
        insn->rd = target(full_rd);
        insn->rs1 = full_rd;
        insn->imm = full_rs2;
        break;
    case GS_RV_F_C_LWSP:
    case GS_RV_F_C_LWSP_F:
        insn->rd = full_rd;
        insn->rs1 = 2;
        insn->imm = (int32_t)(bits(w, 12, 12, 5) | bits(w, 6, 4, 2) | bits(w, 3, 2, 6));
        break;
    case GS_RV_F_C_LDSP:
        insn->rd = full_rd;
        insn->rs1 = 2;
        insn->imm = (int32_t)(bits(w, 12, 12, 5) | bits(w, 6, 5, 3) | bits(w, 4, 2, 6));
        break;
    case GS_RV_F_C_SWSP:
        insn->rs1 = 2;
        insn->rs2 = full_rs2;
        insn->imm = (int32_t)(bits(w, 12, 9, 2) | bits(w, 8, 7, 6));
        break;
    case GS_RV_F_C_SDSP:
        insn->rs1 = 2;
        insn->rs2 = full_rs2;
        insn->imm = (int32_t)(bits(w, 12, 10, 3) | bits(w, 9, 7, 6));
        break;
    case GS_RV_F_C_JR:
        insn->rd = GS_REG_SINK;
        insn->rs1 = full_rd;
        break;
    case GS_RV_F_C_JALR:
        insn->rd = 1;
        insn->rs1 = full_rd;
        break;
    case GS_RV_F_C_MV:
        insn->rd = target(full_rd);
        insn->rs2 = full_rs2;
        break;
    case GS_RV_F_C_ADD:
        insn->rd = target(full_rd);
        insn->rs1 = full_rd;
        insn->rs2 = full_rs2;
        break;
    default: break;
    }
}

static void extract(gs_insn *insn, unsigned format)
{
    const uint32_t w = insn->raw;
    const uint8_t rd = (uint8_t)bits(w, 11, 7, 0), rs1 = (uint8_t)bits(w, 19, 15, 0),
                  rs2 = (uint8_t)bits(w, 24, 20, 0), funct3 = (uint8_t)bits(w, 14, 12, 0);

    switch ((gs_rv_format)format) {
    case GS_RV_F_R:
    case GS_RV_F_AMO:
        insn->rd = target(rd);
        insn->rs1 = rs1;
        insn->rs2 = rs2;
        break;
    case GS_RV_F_R1:
    case GS_RV_F_LR:
        insn->rd = target(rd);
        insn->rs1 = rs1;
        break;
    case GS_RV_F_I:
    case GS_RV_F_L:
        insn->rd = target(rd);
        insn->rs1 = rs1;
        insn->imm = (int32_t)w >> 20;
        break;
    case GS_RV_F_SHAMT:
        insn->rd = target(rd);
        insn->rs1 = rs1;
        insn->imm = rs2;
        break;
    case GS_RV_F_S:
    case GS_RV_F_FST:
        insn->rs1 = rs1;
        insn->rs2 = rs2;
        insn->imm = ((int32_t)w >> 25) * 32 + rd;
        break;
    case GS_RV_F_B:
        insn->rs1 = rs1;
        insn->rs2 = rs2;
        insn->imm = sign_extend(
            bits(w, 31, 31, 12) | bits(w, 30, 25, 5) | bits(w, 11, 8, 1) | bits(w, 7, 7, 11), 13);
        break;
    case GS_RV_F_U:
        insn->rd = target(rd);
        insn->imm = (int32_t)(w & 0xfffff000u);
        break;
    case GS_RV_F_J:
        insn->rd = target(rd);
        insn->imm = sign_extend(bits(w, 31, 31, 20) | bits(w, 30, 21, 1) | bits(w, 20, 20, 11) |
                                    bits(w, 19, 12, 12),
                                21);
        break;
    case GS_RV_F_CSR:
        insn->rd = target(rd);
        insn->rs1 = rs1;
        insn->imm = (int32_t)(w >> 20);
        break;
    case GS_RV_F_CSRI:
        insn->rd = target(rd);
        insn->aux = rs1;
        insn->imm = (int32_t)(w >> 20);
        break;
    case GS_RV_F_FL:
        insn->rd = rd;
        insn->rs1 = rs1;
        insn->imm = (int32_t)w >> 20;
        break;
    case GS_RV_F_FR:
    case GS_RV_F_FR1:
    case GS_RV_F_FR4:
    case GS_RV_F_XF:
        insn->rd = rd;
        insn->rs1 = rs1;
        insn->rs2 = format == GS_RV_F_FR || format == GS_RV_F_FR4 ? rs2 : 0;
        insn->rs3 = format == GS_RV_F_FR4 ? (uint8_t)(w >> 27) : 0;
        insn->aux = funct3;
        break;
    case GS_RV_F_FX:
    case GS_RV_F_FXR:
        insn->rd = target(rd);
        insn->rs1 = rs1;
        insn->rs2 = format == GS_RV_F_FXR ? rs2 : 0;
        insn->aux = funct3;
        break;
    default: extract_compressed(insn, (gs_rv_format)format); break;
    }
}

enum { FILE_0, FILE_X, FILE_F };

static const struct {
    uint8_t target, source1, source2, source3;
} files[GS_RV_F_COUNT] = {
#define FORMAT(name, target, source1, source2, source3, text) \
    [GS_RV_F_##name] = {FILE_##target, FILE_##source1, FILE_##source2, FILE_##source3},
#include "isa/rv/formats.def"
#undef FORMAT
};

static uint8_t operand(uint8_t file, uint8_t number)
{
    if (file == FILE_F)
        return (uint8_t)(GS_OPERAND_F + number);
    return file == FILE_X && number != GS_REG_SINK ? number : GS_OPERAND_NONE;
}

static gs_operands operands(const gs_insn *insn)
{
    unsigned format = ops[insn->op].format;
    return (gs_operands){
        .target = {operand(files[format].target, insn->rd),
                   format == GS_RV_F_CM_MVSA01 || format == GS_RV_F_CM_MVA01S ? insn->rs3
                                                                              : GS_OPERAND_NONE},
        .source = {operand(files[format].source1, insn->rs1),
                   operand(files[format].source2, insn->rs2),
                   operand(files[format].source3, insn->rs3)},
    };
}

static bool is_link(uint8_t reg)
{
    return reg == 1 || reg == 5;
}

/* Calls and returns by the return-address-stack hints of the unprivileged manual, section 2.5. */
static gs_flow flow(const gs_insn *insn, uint64_t pc, uint64_t *out)
{
    switch (insn->op) {
    case GS_OP_UNDECODED:
    case GS_OP_PAGE_END:
    case GS_OP_ILLEGAL: return GS_FLOW_ILLEGAL;
    case GS_RV_jal:
        *out = (uint32_t)(pc + (uint64_t)(int64_t)insn->imm);
        return is_link(insn->rd) ? GS_FLOW_CALL : GS_FLOW_JUMP;
    case GS_RV_jalr:
        if (!is_link(insn->rd))
            return is_link(insn->rs1) ? GS_FLOW_RETURN : GS_FLOW_JUMP_INDIRECT;
        return is_link(insn->rs1) && insn->rs1 != insn->rd ? GS_FLOW_RETURN_CALL
                                                           : GS_FLOW_CALL_INDIRECT;
    case GS_RV_cm_popret:
    case GS_RV_cm_popretz: return GS_FLOW_RETURN;
    case GS_RV_ecall:
    case GS_RV_ebreak: return GS_FLOW_TRAP;
    case GS_RV_mret: return GS_FLOW_TRAP_RETURN;
    default: break;
    }
    if (ops[insn->op].timing != GS_CLASS_BRANCH)
        return GS_FLOW_NEXT;
    *out = (uint32_t)(pc + (uint64_t)(int64_t)insn->imm);
    return GS_FLOW_BRANCH;
}

const gs_isa gs_isa_rv32 = {
    .arch = GS_ARCH_RV32,
    .name = "rv32",
    .unit = 2,
    .delay_slots = 0,
    .op_count = GS_RV_OP_COUNT,
    .ops = ops,
    .encoding_count = sizeof encodings / sizeof *encodings,
    .encodings = encodings,
    .all_extensions = (1ull << GS_RV_EXTENSION_COUNT) - 1,
    .length = length,
    .key = key,
    .key_mask = key_mask,
    .key_bits = key_bits,
    .extract = extract,
    .operands = operands,
    .flow = flow,
};
