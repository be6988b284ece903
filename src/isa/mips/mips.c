/* MIPS from its table: encodings, operands, control flow and effects. */
#include "isa/mips/mips.h"

#include "isa/mips/mips_effects.h"

typedef enum mips_format {
#define FORMAT(name, target, source1, source2, source3) F_##name,
#include "isa/mips/formats.def"
#undef FORMAT
    F_COUNT
} mips_format;

static const gs_op_info ops[GS_MIPS_OP_COUNT] = {
    [GS_OP_UNDECODED] = {"undecoded", F_NONE, GS_CLASS_SYSTEM, GS_EFFECT_SYSTEM},
    [GS_OP_PAGE_END] = {"page-end", F_NONE, GS_CLASS_SYSTEM, GS_EFFECT_SYSTEM},
    [GS_OP_ILLEGAL] = {"illegal", F_NONE, GS_CLASS_SYSTEM, GS_EFFECT_SYSTEM},
#define INSN(ext, name, match, mask, format, class, ...)     \
    [GS_MIPS_##name] = {#name, F_##format, GS_CLASS_##class, \
                        GS_EFFECTS(__VA_ARGS__) | FLOAT_EFFECTS(GS_MIPS_##ext)},
#include "isa/mips/mips.def"
#undef INSN
};

static const gs_encoding encodings[] = {
#define INSN(ext, name, match, mask, format, class, ...) \
    {match, mask, GS_MIPS_##name, F_##format, GS_MIPS_##ext},
#include "isa/mips/mips.def"
#undef INSN
};

static unsigned length(uint32_t word)
{
    (void)word;
    return 4;
}

/* Buckets: the major opcodes. */
static unsigned key(uint32_t word)
{
    return word >> 26;
}

static uint32_t key_mask(unsigned k)
{
    (void)k;
    return 0xfc000000u;
}

static uint32_t key_bits(unsigned k)
{
    return (uint32_t)k << 26;
}

static uint8_t target(uint8_t r)
{
    return r == 0 ? (uint8_t)GS_REG_SINK : r;
}

/* A floating point condition's bit number in FCSR: 23, 25, 26, ... 31. */
static uint8_t condition_bit(uint32_t cc)
{
    return (uint8_t)(cc == 0 ? 23 : 24 + cc);
}

static void extract(gs_insn *insn, unsigned format)
{
    const uint32_t w = insn->raw;
    const uint8_t rs = w >> 21 & 31, rt = w >> 16 & 31, rd = w >> 11 & 31, sa = w >> 6 & 31;
    const uint8_t fr = rs, ft = rt, fs = rd, fd = sa;
    const int32_t immediate = (int16_t)w;
    const int32_t branch = (int32_t)((uint32_t)immediate * 4 + 4);
    const uint8_t link = 31;

    switch ((mips_format)format) {
    case F_NONE:
    case F_COUNT: break;
    case F_R:
        insn->rd = target(rd);
        insn->rs1 = rs;
        insn->rs2 = rt;
        break;
    case F_RS_RT:
        insn->rs1 = rs;
        insn->rs2 = rt;
        break;
    case F_RD_RS:
        insn->rd = target(rd);
        insn->rs1 = rs;
        break;
    case F_RD_RT:
        insn->rd = target(rd);
        insn->rs2 = rt;
        break;
    case F_RD: insn->rd = target(rd); break;
    case F_RS: insn->rs1 = rs; break;
    case F_RT: insn->rd = target(rt); break;
    case F_SHAMT:
        insn->rd = target(rd);
        insn->rs2 = rt;
        insn->aux = sa;
        break;
    case F_I:
    case F_L:
        insn->rd = target(rt);
        insn->rs1 = rs;
        insn->imm = immediate;
        break;
    case F_IU:
        insn->rd = target(rt);
        insn->rs1 = rs;
        insn->imm = (uint16_t)w;
        break;
    case F_LUI:
        insn->rd = target(rt);
        insn->imm = (int32_t)(w << 16);
        break;
    case F_RS_I:
        insn->rs1 = rs;
        insn->aux = rt;
        insn->imm = immediate;
        break;
    case F_FIELD:
        insn->rd = target(rt);
        insn->rs1 = rs;
        insn->aux = sa;
        insn->imm = rd + 1;
        break;
    case F_INSERT:
        insn->rd = target(rt);
        insn->rs1 = rs;
        insn->rs2 = rt;
        insn->aux = sa;
        insn->imm = rd + 1 - sa;
        break;
    case F_B2:
        insn->rs1 = rs;
        insn->rs2 = rt;
        insn->imm = branch;
        break;
    case F_B1:
        insn->rs1 = rs;
        insn->imm = branch;
        break;
    case F_BAL:
        insn->rd = link;
        insn->rs1 = rs;
        insn->imm = branch;
        break;
    case F_BC:
        insn->aux = condition_bit(rt >> 2);
        insn->imm = branch;
        break;
    case F_J: insn->imm = (int32_t)((w & 0x03ffffff) << 2); break;
    case F_JAL:
        insn->rd = link;
        insn->imm = (int32_t)((w & 0x03ffffff) << 2);
        break;
    case F_MOVCC:
        insn->rd = target(rd);
        insn->rs1 = rs;
        insn->rs2 = rd;
        insn->aux = condition_bit(rt >> 2);
        break;
    case F_MOVE:
        insn->rd = target(rd);
        insn->rs1 = rs;
        insn->rs2 = rt;
        insn->rs3 = rd;
        break;
    case F_MFC0:
        insn->rd = target(rt);
        insn->aux = (uint8_t)(rd * 8u + (w & 7));
        break;
    case F_MTC0:
        insn->rs2 = rt;
        insn->aux = (uint8_t)(rd * 8u + (w & 7));
        break;
    case F_LPART:
    case F_SC:
        insn->rd = target(rt);
        insn->rs1 = rs;
        insn->rs2 = rt;
        insn->imm = immediate;
        break;
    case F_S:
    case F_FST:
        insn->rs1 = rs;
        insn->rs2 = rt;
        insn->imm = immediate;
        break;
    case F_FL:
        insn->rd = ft;
        insn->rs1 = rs;
        insn->imm = immediate;
        break;
    case F_FLX:
        insn->rd = fd;
        insn->rs1 = rs;
        insn->rs2 = rt;
        break;
    case F_FSX:
        insn->rs1 = rs;
        insn->rs2 = rt;
        insn->rs3 = fs;
        break;
    case F_F2:
        insn->rd = fd;
        insn->rs1 = fs;
        insn->rs2 = ft;
        break;
    case F_F1:
        insn->rd = fd;
        insn->rs1 = fs;
        break;
    case F_F3:
        insn->rd = fd;
        insn->rs1 = fs;
        insn->rs2 = ft;
        insn->rs3 = fr;
        break;
    case F_FCMP:
        insn->rs1 = fs;
        insn->rs2 = ft;
        insn->aux = condition_bit(fd >> 2);
        break;
    case F_FMOVCC:
        insn->rd = fd;
        insn->rs1 = fs;
        insn->rs2 = fd;
        insn->aux = condition_bit(rt >> 2);
        break;
    case F_FMOVE:
        insn->rd = fd;
        insn->rs1 = fs;
        insn->rs2 = rt;
        insn->rs3 = fd;
        break;
    case F_MFC1:
        insn->rd = target(rt);
        insn->rs1 = fs;
        break;
    case F_MTC1:
        insn->rd = fs;
        insn->rs2 = rt;
        break;
    case F_CFC1:
        insn->rd = target(rt);
        insn->aux = rd;
        break;
    case F_CTC1:
        insn->rs2 = rt;
        insn->aux = fs;
        break;
    }
}

enum { FILE_0, FILE_X, FILE_F };

static const struct {
    uint8_t target, source1, source2, source3;
} files[F_COUNT] = {
#define FORMAT(name, target, source1, source2, source3) \
    [F_##name] = {FILE_##target, FILE_##source1, FILE_##source2, FILE_##source3},
#include "isa/mips/formats.def"
#undef FORMAT
};

/* A floating point register goes by the even number of its pair: a double and its two
 * halves are one register to wait for. */
static uint8_t operand(uint8_t file, uint8_t number)
{
    if (file == FILE_F)
        return (uint8_t)(GS_OPERAND_F + (number & ~1));
    return file == FILE_X && number != GS_REG_SINK ? number : GS_OPERAND_NONE;
}

static gs_operands operands(const gs_insn *insn)
{
    unsigned format = ops[insn->op].format;
    gs_operands o = {
        .target = {operand(files[format].target, insn->rd)},
        .source = {operand(files[format].source1, insn->rs1),
                   operand(files[format].source2, insn->rs2),
                   operand(files[format].source3, insn->rs3)},
    };

    switch (insn->op) {
    case GS_MIPS_madd:
    case GS_MIPS_maddu:
    case GS_MIPS_msub:
    case GS_MIPS_msubu: o.source[2] = GS_OPERAND_LO; __attribute__((fallthrough));
    case GS_MIPS_mult:
    case GS_MIPS_multu:
    case GS_MIPS_div:
    case GS_MIPS_divu:
        o.target[0] = GS_OPERAND_HI;
        o.target[1] = GS_OPERAND_LO;
        break;
    case GS_MIPS_mfhi: o.source[0] = GS_OPERAND_HI; break;
    case GS_MIPS_mflo: o.source[0] = GS_OPERAND_LO; break;
    case GS_MIPS_mthi: o.target[0] = GS_OPERAND_HI; break;
    case GS_MIPS_mtlo: o.target[0] = GS_OPERAND_LO; break;
    case GS_MIPS_cfc1:
    case GS_MIPS_bc1f:
    case GS_MIPS_bc1t:
    case GS_MIPS_bc1fl:
    case GS_MIPS_bc1tl: o.source[0] = GS_OPERAND_FLAGS; break;
    case GS_MIPS_ctc1: o.target[0] = GS_OPERAND_FLAGS; break;
    default:
        if (format == F_FCMP)
            o.target[0] = GS_OPERAND_FLAGS;
        else if (format == F_MOVCC || format == F_FMOVCC)
            o.source[2] = GS_OPERAND_FLAGS;
        break;
    }
    return o;
}

/* $31 is the link register by convention; the hardware lets jalr link anywhere. */
static gs_flow register_flow(const gs_insn *insn)
{
    bool links = ops[insn->op].format == F_RD_RS && insn->rd != GS_REG_SINK;
    if (links)
        return GS_FLOW_CALL_INDIRECT;
    return insn->rs1 == 31 ? GS_FLOW_RETURN : GS_FLOW_JUMP_INDIRECT;
}

static gs_flow flow(const gs_insn *insn, uint64_t pc, uint64_t *out)
{
    const uint64_t branch = (uint32_t)(pc + (uint64_t)(int64_t)insn->imm);
    switch (insn->op) {
    case GS_OP_UNDECODED:
    case GS_OP_PAGE_END:
    case GS_OP_ILLEGAL: return GS_FLOW_ILLEGAL;
    case GS_MIPS_j:
    case GS_MIPS_jal:
        *out = (uint32_t)((pc + 4) & 0xf0000000u) | (uint32_t)insn->imm;
        return insn->op == GS_MIPS_j ? GS_FLOW_JUMP : GS_FLOW_CALL;
    case GS_MIPS_jr:
    case GS_MIPS_jr_hb:
    case GS_MIPS_jalr:
    case GS_MIPS_jalr_hb: return register_flow(insn);
    case GS_MIPS_syscall:
    case GS_MIPS_break:
    case GS_MIPS_sdbbp: return GS_FLOW_TRAP;
    case GS_MIPS_eret: return GS_FLOW_TRAP_RETURN;
    case GS_MIPS_bltzal:
        if (insn->rs1 == 0) /* never branches: loads $31 with an address */
            return GS_FLOW_NEXT;
        *out = branch;
        return GS_FLOW_BRANCH_CALL;
    case GS_MIPS_bgezal:
    case GS_MIPS_bgezall:
        if (insn->rs1 == 0 && insn->imm == 8) /* bal .+8: the same */
            return GS_FLOW_NEXT;
        *out = branch;
        return insn->rs1 == 0 ? GS_FLOW_CALL : GS_FLOW_BRANCH_CALL;
    case GS_MIPS_bltzall: *out = branch; return GS_FLOW_BRANCH_CALL;
    case GS_MIPS_beq:
    case GS_MIPS_beql: *out = branch; return insn->rs1 == insn->rs2 ? GS_FLOW_JUMP : GS_FLOW_BRANCH;
    case GS_MIPS_bgez:
    case GS_MIPS_bgezl:
    case GS_MIPS_blez:
    case GS_MIPS_blezl: *out = branch; return insn->rs1 == 0 ? GS_FLOW_JUMP : GS_FLOW_BRANCH;
    default: break;
    }
    if (ops[insn->op].timing != GS_CLASS_BRANCH)
        return GS_FLOW_NEXT;
    *out = branch;
    return GS_FLOW_BRANCH;
}

const gs_isa gs_isa_mips32 = {
    .arch = GS_ARCH_MIPS32,
    .name = "mips32",
    .unit = 4,
    .delay_slots = 1,
    .op_count = GS_MIPS_OP_COUNT,
    .ops = ops,
    .encoding_count = sizeof encodings / sizeof *encodings,
    .encodings = encodings,
    .all_extensions = (1ull << GS_MIPS_EXTENSION_COUNT) - 1,
    .length = length,
    .key = key,
    .key_mask = key_mask,
    .key_bits = key_bits,
    .extract = extract,
    .operands = operands,
    .flow = flow,
};
