/*
 * RISC-V: random instructions drawn from the rows of rv.def.
 *
 * An encoding's free bits are filled at random, the word is decoded, and what does not
 * fit its surroundings is thrown away: a load whose base is not one of ours, a write to
 * a register the stream needs. So there is no second description of the formats here,
 * except for the distances of jumps, which are known only when the items have addresses.
 */
#include <string.h>

#include "isa/rv/rv.h"
#include "randprog.h"
#include "rv_code.h"

enum { PATCH_B = 1, PATCH_J, PATCH_CB, PATCH_CJ, PATCH_PCREL };

static void patch(rp_item *it, uint32_t at, uint32_t to)
{
    uint32_t *word = &it->code[it->jump].word;
    if (it->patch == PATCH_PCREL) { /* from the auipc at the item's start; bit 0 may be set */
        *word = (*word & 0x001fffffu) | (to - at) << 20;
        return;
    }
    for (unsigned i = 0; i < it->jump; i++)
        at += it->code[i].length;
    uint32_t distance = to - at;
    switch (it->patch) {
    case PATCH_B: *word = (*word & 0x01fff07fu) | branch_bits(distance); break;
    case PATCH_J: *word = (*word & 0x00000fffu) | jump_bits(distance); break;
    case PATCH_CB: *word = (*word & 0xe383u) | compressed_branch_bits(distance); break;
    case PATCH_CJ: *word = (*word & 0xe003u) | compressed_jump_bits(distance); break;
    default: break;
    }
}

/* -- Items --------------------------------------------------------------------------- */

static void add(rp_item *it, uint32_t word, unsigned length)
{
    it->code[it->count++] = (code_word){word, length};
}

static unsigned free_register(const rp_stream *s, rng *r)
{
    unsigned reg;
    do
        reg = rng_range(r, 1, 31);
    while (stream_reserves(s, reg));
    return reg;
}

/* The precision an operation reads or writes, by its name: 's', 'd', or 0. */
static char precision(const char *name, bool target)
{
    if (strcmp(name, "flw") == 0 || strcmp(name, "fsw") == 0)
        return 's';
    if (strcmp(name, "fld") == 0 || strcmp(name, "fsd") == 0)
        return 'd';
    const char *last = strrchr(name, '_');
    if (!last)
        return 0;
    if (target && strncmp(name, "fcvt_", 5) == 0)
        last = name + 4;
    return last[1] == 's' || last[1] == 'd' ? last[1] : 0;
}

/* Mostly, singles should stay with singles: most other bit patterns read as a NaN. */
static bool precisions_fit(const gs_insn *insn, const rp_stream *s)
{
    const gs_operands o = gs_isa_rv32.operands(insn);
    const char *name = gs_isa_rv32.ops[insn->op].name;
    const uint8_t registers[] = {o.target[0], o.source[0], o.source[1], o.source[2]};
    for (unsigned i = 0; i < 4; i++) {
        char wanted = precision(name, i == 0);
        if (registers[i] < GS_OPERAND_F || wanted == 0)
            continue;
        if ((wanted == 's') != (s->singles >> (registers[i] - GS_OPERAND_F) & 1))
            return false;
    }
    return true;
}

static bool writes_reserved(const gs_insn *insn, const rp_stream *s)
{
    uint8_t to = gs_isa_rv32.operands(insn).target[0];
    return to != GS_OPERAND_NONE && to < GS_OPERAND_F && stream_reserves(s, to);
}

static bool rounding_is_valid(const gs_insn *insn)
{
    switch (gs_isa_rv32.ops[insn->op].timing) {
    case GS_CLASS_FP_ADD:
    case GS_CLASS_FP_MUL:
    case GS_CLASS_FP_FMA:
    case GS_CLASS_FP_DIV:
    case GS_CLASS_FP_SQRT:
    case GS_CLASS_FP_CVT: return insn->aux <= 4 || insn->aux == 7;
    default: return true;
    }
}

static unsigned access_size(gs_rv_op op)
{
    switch (op) {
    case GS_RV_lb:
    case GS_RV_lbu:
    case GS_RV_sb: return 1;
    case GS_RV_lh:
    case GS_RV_lhu:
    case GS_RV_sh: return 2;
    case GS_RV_fld:
    case GS_RV_fsd: return 8;
    default: return 4;
    }
}

static bool make_access(rp_item *it, const gs_insn *insn, const rp_stream *s, rng *r)
{
    unsigned size = access_size((gs_rv_op)insn->op);
    if (!stream_allows(s, insn->rs1, insn->imm, size))
        return false;
    if ((insn->imm & (int32_t)(size - 1)) != 0 && !rng_once_in(r, 8))
        return false;
    add(it, insn->raw, insn->length);
    return true;
}

/* At a base register, or at a copy of one with an offset. */
static bool make_atomic(rp_item *it, const gs_insn *insn, const rp_stream *s, rng *r)
{
    unsigned base = s->base[rng_below(r, 2)];
    if (rng_once_in(r, 2)) {
        int32_t offset = (int32_t)rng_below(r, SCRATCH_SIZE / 4) * 4 - SCRATCH_SIZE / 2;
        if (!stream_allows(s, base, offset, 4))
            return false;
        unsigned copy = free_register(s, r);
        add(it, i_type(OP_ADDI, copy, base, offset), 4);
        base = copy;
    }
    unsigned value = insn->rs2;
    if (insn->op == GS_RV_sc_w && rng_once_in(r, 2)) { /* one that can succeed */
        unsigned loaded = free_register(s, r);
        if (loaded == base)
            return false;
        add(it, OP_LR | loaded << 7 | base << 15, 4);
        value = rng_once_in(r, 2) ? loaded : value;
        if (rng_once_in(r, 2)) /* and another one that then cannot */
            add(it, (insn->raw & ~0x01ff8f80u) | base << 15 | value << 20, 4);
    }
    add(it, (insn->raw & ~0x01ff8000u) | base << 15 | value << 20, 4);
    return true;
}

/* fflags, frm and fcsr, with frm kept valid: dynamic rounding would trap else. */
static bool make_csr(rp_item *it, const gs_insn *insn, const rp_stream *s, rng *r)
{
    enum { FFLAGS = 1, FRM = 2, FCSR = 3 };
    unsigned csr = rng_range(r, FFLAGS, FCSR);
    uint32_t word = (insn->raw & 0x000fffffu) | csr << 20;
    switch (insn->op) {
    case GS_RV_csrrw:
    case GS_RV_csrrs:
        if (insn->rs1 != 0 && csr != FFLAGS) {
            if (stream_reserves(s, insn->rs1))
                return false;
            if (insn->op == GS_RV_csrrs) /* what is set joins what is there: 4 | 1 would be 5 */
                return false;
            add(it, i_type(OP_ANDI, insn->rs1, insn->rs1, csr == FRM ? 3 : 0x7f), 4);
        }
        break;
    case GS_RV_csrrwi:
        if (csr == FRM && insn->aux > 4)
            return false;
        break;
    case GS_RV_csrrsi:
        if (csr == FRM && insn->aux != 0)
            return false;
        break;
    default: break;
    }
    add(it, word, 4);
    return true;
}

static bool make_jump_register(rp_item *it, const gs_insn *insn, const rp_stream *s, rng *r)
{
    unsigned via = insn->rs1;
    if (via == 0 || stream_reserves(s, via))
        return false;
    add(it, OP_AUIPC | via << 7, 4);
    it->patch = PATCH_PCREL;
    it->jump = 1;
    if (insn->length == 4) { /* bit 0 of the sum is to be ignored */
        add(it, (insn->raw & 0x000fffffu) | rng_below(r, 2) << 20, 4);
    } else {
        add(it, i_type(OP_ADDI, via, via, 0), 4);
        add(it, insn->raw, 2);
    }
    return true;
}

/* To an island, with the register it returns through pointing behind the jump. */
static bool make_far(rp_item *it, const gs_insn *insn, const rp_stream *s)
{
    if (stream_reserves(s, ISLAND_REGISTER))
        return false;
    it->far = true;
    it->jump = 2;
    add(it, OP_AUIPC | ISLAND_REGISTER << 7, 4);
    add(it, i_type(OP_ADDI, ISLAND_REGISTER, ISLAND_REGISTER, 8 + insn->length), 4);
    add(it, insn->raw, insn->length);
    return insn->rd != ISLAND_REGISTER;
}

static uint32_t reach(const rp_item *it)
{
    switch (it->patch) {
    case PATCH_B: return 4096;
    case PATCH_J: return 1 << 20;
    case PATCH_CB: return 256;
    default: return 2048;
    }
}

static unsigned patch_kind(unsigned format)
{
    switch (format) {
    case GS_RV_F_B: return PATCH_B;
    case GS_RV_F_J: return PATCH_J;
    case GS_RV_F_C_B: return PATCH_CB;
    default: return PATCH_CJ;
    }
}

/* czero.eqz and czero.nez, and as many instructions that do the same without them. */
static bool make_conditional_zero(rp_item *it, const gs_insn *insn, const rp_stream *s)
{
    unsigned rd = insn->rd, rs1 = insn->rs1, rs2 = insn->rs2;
    if (rd == GS_REG_SINK || rd == rs1)
        return false;
    if (!s->expand) {
        add(it, insn->raw, 4);
        add(it, OP_ADDI, 4);
        add(it, OP_ADDI, 4);
        return true;
    }
    if (insn->op == GS_RV_czero_eqz)
        add(it, r_type(OP_SLTU, rd, 0, rs2), 4);
    else
        add(it, i_type(OP_SLTIU, rd, rs2, 1), 4);
    add(it, r_type(OP_SUB, rd, 0, rd), 4);
    add(it, r_type(OP_AND, rd, rs1, rd), 4);
    return true;
}

/* The full form of a compressed instruction. */
static uint32_t full_form(const gs_insn *insn)
{
    const gs_encoding *e = gs_isa_rv32.encodings;
    while (e->op != insn->op || (e->match & 3) != 3)
        e++;
    const uint32_t rd = (insn->rd & 31u) << 7, rs1 = (uint32_t)insn->rs1 << 15,
                   rs2 = (uint32_t)insn->rs2 << 20;
    const uint32_t imm = (uint32_t)insn->imm;
    switch (e->format) {
    case GS_RV_F_S: return e->match | rs1 | rs2 | (imm & 31) << 7 | (imm >> 5 & 0x7f) << 25;
    case GS_RV_F_R: return e->match | rd | rs1 | rs2;
    case GS_RV_F_R1: return e->match | rd | rs1;
    default: return e->match | rd | rs1 | imm << 20;
    }
}

/* A Zcb instruction and c.nop, or its full form, which is as long. */
static bool make_small(rp_item *it, const gs_insn *insn, const rp_stream *s)
{
    enum { C_NOP = 0x0001 };
    const unsigned size = access_size((gs_rv_op)insn->op);
    const uint8_t timing = gs_isa_rv32.ops[insn->op].timing;
    if ((timing == GS_CLASS_LOAD || timing == GS_CLASS_STORE) &&
        (!stream_allows(s, insn->rs1, insn->imm, size) || (insn->imm & (int32_t)(size - 1)) != 0))
        return false;
    if (s->expand) {
        add(it, full_form(insn), 4);
    } else {
        add(it, insn->raw, 2);
        add(it, C_NOP, 2);
    }
    return true;
}

static bool is_small(unsigned extension)
{
    return extension == GS_RV_ZCB || extension == GS_RV_ZCB_M || extension == GS_RV_ZCB_ZBB;
}

/* Sometimes makes operands equal or nearly so, which chance seldom does. */
static void tie(rp_item *it, const gs_insn *insn, unsigned format, const rp_stream *s, rng *r)
{
    int32_t delta = (int32_t)rng_below(r, 3) - 1;
    bool immediate = format == GS_RV_F_I && insn->op != GS_RV_jalr;
    bool pair = format == GS_RV_F_R || format == GS_RV_F_B;
    unsigned tied = immediate ? insn->rs1 : insn->rs2;
    if ((!immediate && !pair) || stream_reserves(s, tied) || !rng_once_in(r, 6))
        return;
    int32_t value = immediate ? insn->imm + delta : delta;
    if (value >= -2048 && value <= 2047)
        add(it, i_type(OP_ADDI, tied, immediate ? 0 : insn->rs1, value), 4);
}

static bool try_encoding(rp_item *it, const gs_encoding *encoding, const rp_stream *s, rng *r)
{
    bool compressed = (encoding->match & 3) != 3;
    uint32_t word = encoding->match | ((uint32_t)rng_next(r) & ~encoding->mask);
    const uint8_t timing = gs_isa_rv32.ops[encoding->op].timing;
    bool accesses = timing == GS_CLASS_LOAD || timing == GS_CLASS_STORE ||
                    timing == GS_CLASS_FP_LOAD || timing == GS_CLASS_FP_STORE;
    if (encoding->format == GS_RV_F_I && rng_once_in(r, 2))
        word = (word & 0x000fffffu) | (uint32_t)value_immediate(r, 12) << 20;
    if (accesses && !compressed)
        word = (word & ~0x000f8000u) | s->base[rng_below(r, 2)] << 15;

    gs_insn insn;
    gs_decode(&insn, s->decoder, word);
    if (insn.op != encoding->op || writes_reserved(&insn, s) || !rounding_is_valid(&insn))
        return false;
    if (!precisions_fit(&insn, s) && !rng_once_in(r, 16))
        return false;

    *it = (rp_item){.skip = -1};
    if (encoding->extension == GS_RV_ZICOND)
        return make_conditional_zero(it, &insn, s);
    if (is_small(encoding->extension))
        return make_small(it, &insn, s);
    if (accesses)
        return make_access(it, &insn, s, r);
    switch (timing) {
    case GS_CLASS_ATOMIC: return make_atomic(it, &insn, s, r);
    case GS_CLASS_CSR: return make_csr(it, &insn, s, r);
    case GS_CLASS_JUMP_REG:
        it->skip = (int)rng_below(r, 5);
        return make_jump_register(it, &insn, s, r);
    case GS_CLASS_JUMP:
    case GS_CLASS_BRANCH:
        it->patch = patch_kind(encoding->format);
        if (rng_once_in(r, 4))
            return make_far(it, &insn, s);
        it->skip = (int)rng_below(r, 5);
        break;
    default: break;
    }
    tie(it, &insn, encoding->format, s, r);
    it->jump = it->count;
    add(it, insn.raw, insn.length);
    return true;
}

/* Something that traps, or makes others trap. */
static void make_wild(rp_item *it, const rp_stream *s, rng *r)
{
    /* csrrw of mstatus, of an unknown register; of cycle; mret; rounding
     * modes 5 and 6; all zeros, all ones; compressed: reserved ones */
    static const code_word illegal[] = {{0x300010f3, 4}, {0x7c009173, 4}, {0xc0019173, 4},
                                        {0x30200073, 4}, {0x00c5d553, 4}, {0x02c5e553, 4},
                                        {0x0000, 2},     {0xffffffff, 4}, {0x6101, 2},
                                        {0x4002, 2},     {0x8002, 2}};
    static const code_word breakpoints[] = {{0x00100073, 4}, {0x9002, 2}};
    static const uint32_t nowhere[] = {0, 0x1000, 0x20000000, 0x30000000};
    *it = (rp_item){.skip = -1};
    unsigned reg = free_register(s, r);
    code_word word = {0, 4};
    switch (rng_below(r, 6)) {
    case 0:
        do
            word = illegal[rng_below(r, sizeof illegal / sizeof *illegal)];
        while (s->target->full && word.length == 2);
        break;
    case 1: word = breakpoints[s->target->full ? 0 : rng_below(r, 2)]; break;
    case 2: word.word = OP_CSRRWI_FRM | rng_range(r, 5, 7) << 15; break;
    case 3: /* jump to where nothing is */
        add(it, OP_LUI | reg << 7 | nowhere[rng_below(r, 4)], 4);
        word.word = i_type(OP_JALR, reg, reg, (int32_t)rng_below(r, 1000));
        break;
    default: { /* load or store there: a byte, a half, a word; integer or not */
        static const uint32_t accesses[] = {0x0003, 0x1003, OP_LW,  OP_FLD, 0x2007, 0x0023,
                                            0x1023, OP_SW,  OP_FSD, 0x2027, OP_LR,  0x0000202f};
        uint32_t access = accesses[rng_below(r, sizeof accesses / sizeof *accesses)];
        bool offset = (access & 0x7f) != 0x2f; /* atomics have none */
        add(it, OP_LUI | reg << 7 | nowhere[rng_below(r, 4)], 4);
        word.word = access | reg << 15 | free_register(s, r) << 7;
        if (offset)
            word.word |= rng_below(r, 8) << 28;
        break;
    }
    }
    add(it, word.word, word.length);
}

/* Zcmp has the encodings of compressed doubles: tests/programs/torture/torture_zc.c tries it. */
static bool is_wanted(const rp_target *target, const gs_encoding *e)
{
    return e->extension != GS_RV_ZCMP && e->op != GS_OP_ILLEGAL &&
           gs_isa_rv32.ops[e->op].timing != GS_CLASS_SYSTEM &&
           !(target->full && (e->match & 3) != 3);
}

static void make_item(rp_item *out, const rp_stream *s, rng *r)
{
    if (s->traps && rng_once_in(r, 40)) {
        make_wild(out, s, r);
        return;
    }
    for (;;) {
        const gs_encoding *e = &gs_isa_rv32.encodings[rng_below(r, gs_isa_rv32.encoding_count)];
        for (unsigned attempt = 0; is_wanted(s->target, e) && attempt < 200; attempt++) {
            if (try_encoding(out, e, s, r))
                return;
        }
    }
}

#define RV_TARGET(name_, full_, flags_)                                                            \
    {                                                                                              \
        .name = name_, .full = full_, .isa = &gs_isa_rv32, .is_wanted = is_wanted,                 \
        .elf_machine = 243, .elf_flags = flags_, .choose_registers = rv_choose_registers,          \
        .fill_record = rv_fill_record, .make_item = make_item, .patch = patch, .reach = reach,     \
        .put_island = rv_put_island, .text = gs_rv_text, .put_nop = rv_put_nop,                    \
        .put_enter = rv_put_enter, .put_loop = rv_put_loop, .put_leave = rv_put_leave,             \
        .fill_globals = rv_fill_globals, .put_handler = rv_put_handler, .put_start = rv_put_start, \
        .put_exit = rv_put_exit,                                                                   \
    }

enum { ELF_COMPRESSED = 1, ELF_DOUBLES = 4 }; /* doubles in registers */

const rp_target target_rv32 = RV_TARGET("rv32", false, ELF_COMPRESSED | ELF_DOUBLES);
const rp_target target_rv32_full = RV_TARGET("rv32-full", true, ELF_DOUBLES);
