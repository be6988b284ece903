/*
 * MIPS: random instructions drawn from the rows of mips.def, in both byte orders.
 *
 * As for RISC-V, free bits are filled at random and what does not fit is thrown away.
 * Where an operand decides whether an instruction traps or is UNPREDICTABLE, one or two
 * guards before it make sure that it does not: a divisor gets a bit set, summands are
 * halved. Every jump brings its delay slot along, with an instruction that needs no guard.
 */
#include "randprog.h"

#include <string.h>

#include "isa/mips/mips.h"

enum {
#define FORMAT(name, target, source1, source2, source3) F_##name,
#include "isa/mips/formats.def"
#undef FORMAT
};

enum { FILE_0, FILE_X, FILE_F };

static const struct {
    uint8_t target, source1, source2, source3;
} files[] = {
#define FORMAT(name, target, source1, source2, source3) \
    [F_##name] = {FILE_##target, FILE_##source1, FILE_##source2, FILE_##source3},
#include "isa/mips/formats.def"
#undef FORMAT
};

enum { PATCH_BRANCH = 1, PATCH_JUMP, PATCH_ABSOLUTE };

enum { ISLAND_REGISTER = 25, LINK = 31 };

/* -- Encoding ------------------------------------------------------------------------ */

enum {
    OP_ADDIU = 0x24000000,
    OP_ANDI = 0x30000000,
    OP_ORI = 0x34000000,
    OP_LUI = 0x3c000000,
    OP_BEQ = 0x10000000,
    OP_BNE = 0x14000000,
    OP_LW = (int)0x8c000000,
    OP_SW = (int)0xac000000,
    OP_LL = (int)0xc0000000,
    OP_LWC1 = (int)0xc4000000,
    OP_LDC1 = (int)0xd4000000,
    OP_SWC1 = (int)0xe4000000,
    OP_SDC1 = (int)0xf4000000,
    OP_SRL = 0x02,
    OP_SRA = 0x03,
    OP_JR = 0x08,
    OP_SYSCALL = 0x0c,
    OP_MFHI = 0x10,
    OP_MTHI = 0x11,
    OP_MFLO = 0x12,
    OP_MTLO = 0x13,
    OP_OR = 0x25,
    OP_NOR = 0x27,
    OP_INS = 0x7c000004,
    OP_CFC1_FCSR = 0x4440f800,
    OP_CTC1_FCSR = 0x44c0f800,
};

static uint32_t i_type(int opcode, unsigned rt, unsigned rs, int32_t imm)
{
    return (uint32_t)opcode | rs << 21 | rt << 16 | ((uint32_t)imm & 0xffff);
}

static uint32_t r_type(int function, unsigned rd, unsigned rs, unsigned rt, unsigned sa)
{
    return (uint32_t)function | rs << 21 | rt << 16 | rd << 11 | sa << 6;
}

/* Clears `size` bits of a register, from bit `low` on. */
static uint32_t clear_bits(unsigned reg, unsigned low, unsigned size)
{
    return r_type(OP_INS, low + size - 1, 0, reg, low);
}

/* In the lui and ori at the item's start. */
static void set_address(rp_item *it, uint32_t address)
{
    it->code[0].word = (it->code[0].word & 0xffff0000u) | address >> 16;
    it->code[1].word = (it->code[1].word & 0xffff0000u) | (address & 0xffff);
}

static uint32_t reach(const rp_item *it)
{
    return it->patch == PATCH_BRANCH ? 1 << 17 : 1 << 27;
}

static void patch(rp_item *it, uint32_t at, uint32_t to)
{
    uint32_t *word = &it->code[it->jump].word;
    if (it->far)
        set_address(it, at + item_length(it));
    switch (it->patch) {
    case PATCH_BRANCH:
        *word = (*word & 0xffff0000u) | ((to - (at + 4 * it->jump + 4)) >> 2 & 0xffff);
        break;
    case PATCH_JUMP: *word = (*word & 0xfc000000u) | (to >> 2 & 0x03ffffff); break;
    case PATCH_ABSOLUTE: set_address(it, to); break;
    default: break;
    }
}

/* -- Items --------------------------------------------------------------------------- */

static void add(rp_item *it, uint32_t word)
{
    it->code[it->count++] = (code_word){word, 4};
}

/* May a guard change it? $zero does not mind. */
static bool changeable(const rp_stream *s, unsigned reg)
{
    return !stream_reserves(s, reg);
}

static unsigned free_register(const rp_stream *s, rng *r)
{
    unsigned reg;
    do
        reg = rng_range(r, 1, 31);
    while (stream_reserves(s, reg));
    return reg;
}

/* Whether an operation reads or writes a double (or a long) there, by its name; otherwise it is a
 * single or a word. */
static bool is_double(const char *name, bool target)
{
    static const char *const doubles[] = {"ldc1",  "sdc1",  "ldxc1", "sdxc1",
                                          "luxc1", "suxc1", "mfhc1", "mthc1"};
    for (unsigned i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        if (strcmp(name, doubles[i]) == 0)
            return true;
    }
    const char *found = target ? strchr(name, '_') : strrchr(name, '_');
    return found && (found[1] == 'd' || found[1] == 'l');
}

/* A double is an even register where registers are narrow: odd ones are UNPREDICTABLE. And mostly,
 * singles should stay with singles and doubles with doubles. */
static bool precisions_fit(const gs_insn *insn, const rp_stream *s, rng *r)
{
    const gs_op_info *op = &gs_isa_mips32.ops[insn->op];
    const uint8_t file[] = {files[op->format].target, files[op->format].source1,
                            files[op->format].source2, files[op->format].source3};
    const uint8_t reg[] = {insn->rd, insn->rs1, insn->rs2, insn->rs3};
    bool mix = rng_once_in(r, 16);
    for (unsigned i = 0; i < 4; i++) {
        if (file[i] != FILE_F)
            continue;
        bool wants_double = is_double(op->name, i == 0);
        if (wants_double && (reg[i] & 1) && !s->target->wide)
            return false;
        unsigned pair = s->target->wide ? reg[i] : reg[i] & ~1u;
        if (wants_double == (s->singles >> pair & 1) && !mix)
            return false;
    }
    return true;
}

static bool writes_reserved(const gs_insn *insn, const rp_stream *s)
{
    uint8_t to = gs_isa_mips32.operands(insn).target[0];
    return to != GS_OPERAND_NONE && to < GS_OPERAND_F && stream_reserves(s, to);
}

static bool make_access(rp_item *it, const gs_insn *insn, const rp_stream *s)
{
    unsigned size = 4;
    bool any_address = false;
    switch (insn->op) {
    case GS_MIPS_lb:
    case GS_MIPS_lbu:
    case GS_MIPS_sb: size = 1; break;
    case GS_MIPS_lh:
    case GS_MIPS_lhu:
    case GS_MIPS_sh: size = 2; break;
    case GS_MIPS_ldc1:
    case GS_MIPS_sdc1: size = 8; break;
    case GS_MIPS_lwl:
    case GS_MIPS_lwr:
    case GS_MIPS_swl:
    case GS_MIPS_swr: any_address = true; break;
    default: break;
    }
    int32_t offset = any_address ? insn->imm & ~3 : insn->imm;
    if (!stream_allows(s, insn->rs1, offset, size) || (offset & (int32_t)(size - 1)) != 0)
        return false;
    add(it, insn->raw);
    return true;
}

/* A link and its sc, with nothing between that could break it: all else is UNPREDICTABLE. */
static bool make_conditional_store(rp_item *it, const gs_insn *insn, const rp_stream *s, rng *r)
{
    unsigned linked = free_register(s, r), rt = insn->rs2;
    if (!stream_allows(s, insn->rs1, insn->imm, 4) || (insn->imm & 3) != 0)
        return false;
    add(it, i_type(OP_LL, linked, insn->rs1, insn->imm));
    if (!stream_reserves(s, rt) && rng_once_in(r, 2))
        add(it, i_type(OP_ADDIU, rt, linked, (int32_t)rng_below(r, 100)));
    add(it, insn->raw);
    return true;
}

static bool make_indexed_access(rp_item *it, const gs_insn *insn, const rp_stream *s, rng *r)
{
    bool unaligned =
        insn->op == GS_MIPS_luxc1 || insn->op == GS_MIPS_suxc1; /* as good as aligned */
    unsigned size = is_double(gs_isa_mips32.ops[insn->op].name, false) ? 8 : 4,
             base = s->base[rng_below(r, 2)], index = free_register(s, r);
    int32_t offset = (int32_t)(rng_below(r, SCRATCH_SIZE) & ~(size - 1)) - SCRATCH_SIZE / 2;
    if (!stream_allows(s, base, offset, size))
        return false;
    if (unaligned)
        offset += (int32_t)rng_below(r, 8);
    add(it, i_type(OP_ADDIU, index, 0, offset));
    add(it, (insn->raw & 0xfc00ffffu) | base << 21 | index << 16);
    return true;
}

/* Sometimes makes operands equal or nearly so, which chance seldom does. */
static void tie(rp_item *it, const gs_insn *insn, unsigned format, const rp_stream *s, rng *r)
{
    int32_t delta = (int32_t)rng_below(r, 3) - 1;
    bool immediate = format == F_I, pair = format == F_R || format == F_B2;
    unsigned tied = immediate ? insn->rs1 : insn->rs2;
    if ((!immediate && !pair) || !changeable(s, tied) || !rng_once_in(r, 6))
        return;
    int32_t value = immediate ? insn->imm + delta : delta;
    if (value >= -32768 && value <= 32767)
        add(it, i_type(OP_ADDIU, tied, immediate ? 0 : insn->rs1, value));
}

/* Guards that keep a conditional trap from trapping. */
static bool guard_trap(rp_item *it, const gs_insn *insn, const rp_stream *s)
{
    unsigned rs = insn->rs1, rt = insn->rs2;
    bool immediate = gs_isa_mips32.ops[insn->op].format == F_RS_I;
    if (rs == 0 || !changeable(s, rs))
        return false;
    if (!immediate && (rt == 0 || rt == rs || !changeable(s, rt)))
        return false;
    switch (insn->op) {
    case GS_MIPS_tge:
        add(it, r_type(OP_SRA, rs, 0, rs, 31));
        add(it, i_type(OP_ADDIU, rt, 0, 1));
        return true;
    case GS_MIPS_tgeu:
        add(it, r_type(OP_SRL, rs, 0, rs, 1));
        add(it, r_type(OP_NOR, rt, 0, 0, 0));
        return true;
    case GS_MIPS_tlt:
        add(it, r_type(OP_SRL, rs, 0, rs, 1));
        add(it, r_type(OP_SRA, rt, 0, rt, 31));
        return true;
    case GS_MIPS_tltu: add(it, r_type(OP_OR, rs, rs, rt, 0)); return true;
    case GS_MIPS_teq: add(it, r_type(OP_NOR, rt, rs, rs, 0)); return true;
    case GS_MIPS_tne: add(it, r_type(OP_OR, rt, rs, 0, 0)); return true;
    case GS_MIPS_tgei: add(it, i_type(OP_LUI, rs, 0, 0x8000)); return true;
    case GS_MIPS_tlti: add(it, i_type(OP_LUI, rs, 0, 0x7fff)); return true;
    case GS_MIPS_tgeiu: add(it, i_type(OP_ADDIU, rs, 0, 0)); return insn->imm != 0;
    case GS_MIPS_tltiu: add(it, r_type(OP_NOR, rs, 0, 0, 0)); return true;
    case GS_MIPS_teqi: add(it, i_type(OP_LUI, rs, 0, 1)); return true;
    case GS_MIPS_tnei: add(it, i_type(OP_ADDIU, rs, 0, insn->imm)); return true;
    default: return false;
    }
}

/* Guards before `insn`, as far as it needs some; false if this one will not do. */
static bool guard(rp_item *it, const gs_insn *insn, const rp_stream *s, rng *r)
{
    unsigned rs = insn->rs1, rt = insn->rs2;
    switch (insn->op) {
    case GS_MIPS_add:
    case GS_MIPS_sub:
        add(it, r_type(OP_SRA, rt, 0, rt, 1));
        add(it, r_type(OP_SRA, rs, 0, rs, 1));
        return changeable(s, rs) && changeable(s, rt);
    case GS_MIPS_addi: add(it, r_type(OP_SRA, rs, 0, rs, 1)); return changeable(s, rs);
    case GS_MIPS_div:
    case GS_MIPS_divu:
        add(it, i_type(OP_ORI, rt, rt, 1 << rng_below(r, 16)));
        return rt != 0 && changeable(s, rt);
    case GS_MIPS_ext: return insn->aux + insn->imm <= 32;
    case GS_MIPS_ins: return insn->imm >= 1;
    case GS_MIPS_tge:
    case GS_MIPS_tgeu:
    case GS_MIPS_tlt:
    case GS_MIPS_tltu:
    case GS_MIPS_teq:
    case GS_MIPS_tne:
    case GS_MIPS_tgei:
    case GS_MIPS_tgeiu:
    case GS_MIPS_tlti:
    case GS_MIPS_tltiu:
    case GS_MIPS_teqi:
    case GS_MIPS_tnei: return guard_trap(it, insn, s);
    default: return true;
    }
}

/* FCSR, whole or in part, without enabling exceptions or claiming unimplemented ones. Bits that
 * are to be written as zero are: QEMU ignores the whole write else. */
static bool make_fp_control(rp_item *it, const gs_insn *insn, const rp_stream *s, rng *r)
{
    enum { FCCR = 25, FEXR = 26, FENR = 28, FCSR = 31 };
    static const unsigned numbers[] = {FCCR, FEXR, FENR, FCSR};
    unsigned number = numbers[rng_below(r, 4)], rt = insn->raw >> 16 & 31;
    if (insn->op == GS_MIPS_ctc1) {
        if (!changeable(s, rt))
            return false;
        switch (number) {
        case FCCR: add(it, i_type(OP_ANDI, rt, rt, 0xff)); break;
        case FEXR: add(it, clear_bits(rt, 17, 6)); break;
        case FENR: add(it, i_type(OP_ANDI, rt, rt, 7)); break;
        default: add(it, clear_bits(rt, 7, 11)); break;
        }
    }
    add(it, (insn->raw & ~0xf800u) | number << 11);
    return true;
}

static bool make_register_jump(rp_item *it, const gs_insn *insn, const rp_stream *s)
{
    unsigned via = insn->rs1;
    if (via == 0 || !changeable(s, via) || insn->rd == via)
        return false;
    add(it, i_type(OP_LUI, via, 0, 0));
    add(it, i_type(OP_ORI, via, via, 0));
    it->patch = PATCH_ABSOLUTE;
    add(it, insn->raw);
    return true;
}

static bool is_jump(const gs_encoding *encoding)
{
    uint8_t timing = gs_isa_mips32.ops[encoding->op].timing;
    return timing == GS_CLASS_BRANCH || timing == GS_CLASS_JUMP || timing == GS_CLASS_JUMP_REG;
}

static bool is_wanted(const rp_target *target, const gs_encoding *e)
{
    return e->extension != GS_MIPS_CP0 && (e->extension != GS_MIPS_FPU64 || target->wide) &&
           gs_isa_mips32.ops[e->op].timing != GS_CLASS_SYSTEM;
}

static const gs_encoding *pick(rng *r)
{
    return &gs_isa_mips32.encodings[rng_below(r, gs_isa_mips32.encoding_count)];
}

/* Fields the table leaves free and the manual does not. */
static uint32_t mend(const gs_encoding *encoding, uint32_t word)
{
    if (encoding->op == GS_MIPS_clz || encoding->op == GS_MIPS_clo) /* rt is to equal rd */
        return (word & ~0x001f0000u) | (word >> 11 & 31) << 16;
    return word;
}

static bool try_jump(rp_item *it, const gs_encoding *encoding, const gs_insn *insn,
                     const rp_stream *s, rng *r)
{
    if (encoding->format == F_BAL && insn->rs1 == LINK)
        return false;
    if (gs_isa_mips32.ops[encoding->op].timing == GS_CLASS_JUMP_REG) {
        it->skip = (int)rng_below(r, 5);
        return make_register_jump(it, insn, s);
    }
    it->patch = encoding->format == F_J || encoding->format == F_JAL ? PATCH_JUMP : PATCH_BRANCH;
    if (rng_once_in(r, 4)) { /* to an island: patch() fills in where it returns to */
        it->far = true;
        add(it, i_type(OP_LUI, ISLAND_REGISTER, 0, 0));
        add(it, i_type(OP_ORI, ISLAND_REGISTER, ISLAND_REGISTER, 0));
    } else {
        it->skip = (int)rng_below(r, 5);
        tie(it, insn, encoding->format, s, r);
    }
    add(it, insn->raw);
    return !it->far || !stream_reserves(s, ISLAND_REGISTER);
}

static bool try_encoding(rp_item *it, const gs_encoding *encoding, const rp_stream *s, rng *r)
{
    uint32_t word = encoding->match | ((uint32_t)rng_next(r) & ~encoding->mask);
    bool accesses = encoding->format == F_L || encoding->format == F_LPART ||
                    encoding->format == F_S || encoding->format == F_SC ||
                    encoding->format == F_FL || encoding->format == F_FST;
    if ((encoding->format == F_I || encoding->format == F_RS_I) && rng_once_in(r, 2))
        word = (word & 0xffff0000u) | ((uint32_t)value_immediate(r, 16) & 0xffff);
    if (accesses) { /* near a base: of 16 bits, few would do */
        int32_t offset = (int32_t)rng_below(r, 2 * SCRATCH_SIZE) - SCRATCH_SIZE;
        word = i_type((int)(word & 0xfc000000u), word >> 16 & 31, s->base[rng_below(r, 2)], offset);
        word = (word & ~encoding->mask) | encoding->match;
    }
    word = mend(encoding, word);

    gs_insn insn;
    gs_decode(&insn, s->decoder, word);
    if (insn.op != encoding->op || writes_reserved(&insn, s) || !precisions_fit(&insn, s, r))
        return false;

    *it = (rp_item){.skip = -1};
    if (is_jump(encoding))
        return try_jump(it, encoding, &insn, s, r);
    if (insn.op == GS_MIPS_sc)
        return make_conditional_store(it, &insn, s, r);
    if (accesses)
        return make_access(it, &insn, s);
    if (encoding->format == F_FLX || encoding->format == F_FSX)
        return make_indexed_access(it, &insn, s, r);
    if (insn.op == GS_MIPS_cfc1 || insn.op == GS_MIPS_ctc1)
        return make_fp_control(it, &insn, s, r);
    if (insn.op == GS_MIPS_rdhwr) { /* which processor; its thread: not a counter */
        add(it, (insn.raw & ~0xf800u) | (rng_once_in(r, 2) ? 0u : 29u) << 11);
        return true;
    }
    tie(it, &insn, encoding->format, s, r);
    if (!guard(it, &insn, s, r))
        return false;
    add(it, insn.raw);
    return true;
}

/* An instruction for a delay slot. On the way to an island it must leave the way back alone. */
static void add_slot(rp_item *it, const rp_stream *s, rng *r)
{
    rp_stream narrower = *s;
    if (it->far)
        narrower.also_reserved = ISLAND_REGISTER;
    s = &narrower;
    for (;;) {
        rp_item slot;
        const gs_encoding *e = pick(r);
        if (!is_wanted(s->target, e) || is_jump(e) || e->op == GS_MIPS_synci)
            continue;
        if (try_encoding(&slot, e, s, r) && slot.count == 1) {
            add(it, slot.code[0].word);
            return;
        }
    }
}

static void make_item(rp_item *out, const rp_stream *s, rng *r)
{
    for (;;) {
        const gs_encoding *e = pick(r);
        for (unsigned attempt = 0; is_wanted(s->target, e) && attempt < 200; attempt++) {
            if (!try_encoding(out, e, s, r))
                continue;
            out->jump = out->count - 1;
            if (is_jump(e))
                add_slot(out, s, r);
            return;
        }
    }
}

/* -- Streams ------------------------------------------------------------------------- */

static void choose_registers(rp_stream *s, rng *r)
{
    s->base[0] = rng_range(r, 2, 30);
    do
        s->base[1] = rng_range(r, 2, 30);
    while (s->base[1] == s->base[0]);
    if (rng_once_in(r, 3)) {
        do
            s->counter = rng_range(r, 2, 30);
        while (s->counter == s->base[0] || s->counter == s->base[1]);
    }
}

static void fill_record(uint8_t *record, const rp_stream *s, rng *r)
{
    const bool big = s->target->big_endian;
    uint8_t *to = record + RECORD_F;
    for (unsigned i = 0; i < 32; i += s->target->wide ? 1 : 2, to += 8) {
        uint64_t value = value_double(r);
        if (s->singles >> i & 1)
            value = (uint64_t)value_single(r) << 32 |
                    (rng_once_in(r, 4) ? value_word(r) : value_single(r));
        if (s->target->wide) {
            store64(to, value, big);
        } else {
            store32(to, (uint32_t)value, big);
            store32(to + 4, (uint32_t)(value >> 32), big);
        }
    }
    uint32_t fcsr = rng_below(r, 4);
    if (rng_once_in(r, 4)) /* flags and conditions */
        fcsr |= (uint32_t)rng_next(r) & 0xfe80007cu;
    if (rng_once_in(r, 8)) /* flush to zero */
        fcsr |= 1u << 24;
    store32(record + RECORD_FCSR, fcsr, big);
}

static void put(code_buffer *code, uint32_t word)
{
    code_put(code, word, 4);
}

static void put_nop(code_buffer *code, unsigned length)
{
    for (; length; length -= 4)
        put(code, 0);
}

static uint32_t put_island(code_buffer *code)
{
    put(code, i_type(OP_BEQ, 0, 0, 3));
    put(code, 0);
    put(code, r_type(OP_JR, 0, ISLAND_REGISTER, 0, 0));
    put(code, 0);
    return code_here(code) - 8;
}

static void put_constant(code_buffer *code, unsigned rt, uint32_t value)
{
    put(code, i_type(OP_LUI, rt, 0, (int32_t)(value >> 16)));
    put(code, i_type(OP_ORI, rt, rt, (int32_t)(value & 0xffff)));
}

/* From base[0] to the start of the record. */
static int32_t record_offset(const rp_stream *s)
{
    return -(int32_t)(RECORD_SCRATCH + s->offset[0]);
}

/* Loads or stores all floating point registers. */
static void put_float_moves(code_buffer *code, const rp_stream *s, int narrow, int wide)
{
    int32_t at = record_offset(s) + RECORD_F;
    for (unsigned i = 0; i < 32; i++, at += s->target->wide ? 8 : 4)
        put(code, i_type(s->target->wide ? wide : narrow, i, s->base[0], at));
}

static void put_enter(code_buffer *code, const rp_stream *s)
{
    unsigned base = s->base[0], temporary = 1;
    int32_t at = record_offset(s);
    put_constant(code, base, s->record + RECORD_SCRATCH + s->offset[0]);
    put(code, i_type(OP_LW, temporary, base, at + RECORD_FCSR));
    put(code, OP_CTC1_FCSR | temporary << 16);
    put(code, i_type(OP_LW, temporary, base, at + RECORD_HI));
    put(code, r_type(OP_MTHI, 0, temporary, 0, 0));
    put(code, i_type(OP_LW, temporary, base, at + RECORD_LO));
    put(code, r_type(OP_MTLO, 0, temporary, 0, 0));
    put_float_moves(code, s, OP_LWC1, OP_LDC1);
    for (unsigned i = 1; i < 32; i++) {
        if (!stream_reserves(s, i))
            put(code, i_type(OP_LW, i, base, at + RECORD_X + 4 * (int32_t)i));
    }
    put(code, i_type(OP_ADDIU, s->base[1], base, (int32_t)(s->offset[1] - s->offset[0])));
    if (s->counter)
        put(code, i_type(OP_ADDIU, s->counter, 0, (int32_t)s->rounds));
}

static void put_loop(code_buffer *code, const rp_stream *s, uint32_t start)
{
    put(code, i_type(OP_ADDIU, s->counter, s->counter, -1));
    uint32_t distance = start - (code_here(code) + 4);
    put(code, i_type(OP_BNE, 0, s->counter, (int32_t)distance >> 2));
    put(code, 0);
}

static void put_exit(code_buffer *code)
{
    put(code, i_type(OP_ADDIU, 4, 0, 0));
    put(code, i_type(OP_ADDIU, 2, 0, 4001)); /* exit */
    put(code, OP_SYSCALL);
}

static void put_leave(code_buffer *code, const rp_stream *s)
{
    unsigned base = s->base[0], temporary = 1;
    int32_t at = record_offset(s);
    for (unsigned i = 0; i < 32; i++)
        put(code, i_type(OP_SW, i, base, at + RECORD_X + 4 * (int32_t)i));
    put_float_moves(code, s, OP_SWC1, OP_SDC1);
    put(code, r_type(OP_MFHI, temporary, 0, 0, 0));
    put(code, i_type(OP_SW, temporary, base, at + RECORD_HI));
    put(code, r_type(OP_MFLO, temporary, 0, 0, 0));
    put(code, i_type(OP_SW, temporary, base, at + RECORD_LO));
    put(code, OP_CFC1_FCSR | temporary << 16);
    put(code, i_type(OP_SW, temporary, base, at + RECORD_FCSR));

    put(code, i_type(OP_ADDIU, 4, 0, 1));
    put_constant(code, 5, s->record);
    put(code, i_type(OP_ADDIU, 6, 0, RECORD_SIZE));
    put(code, i_type(OP_ADDIU, 2, 0, 4004)); /* write */
    put(code, OP_SYSCALL);
    put(code, i_type(OP_BEQ, 2, 6, 4));
    put(code, 0);
    put(code, i_type(OP_ADDIU, 4, 0, 3));
    put(code, i_type(OP_ADDIU, 2, 0, 4001));
    put(code, OP_SYSCALL);
}

enum {
    ELF_FLAGS = 0x70001001, /* MIPS32 release 2, o32, no reordering */
    ELF_FP64 = 0x200,
    ELF_NAN2008 = 0x400,
};

#define MIPS_TARGET(name_, big_endian_, wide_, flags_)                                            \
    {                                                                                             \
        .name = name_, .isa = &gs_isa_mips32, .big_endian = big_endian_, .wide = wide_,           \
        .elf_machine = 8, .elf_flags = ELF_FLAGS | (wide_ ? ELF_FP64 : 0) | (flags_),             \
        .is_wanted = is_wanted, .choose_registers = choose_registers, .fill_record = fill_record, \
        .make_item = make_item, .patch = patch, .reach = reach, .put_island = put_island,         \
        .put_nop = put_nop, .put_enter = put_enter, .put_loop = put_loop, .put_leave = put_leave, \
        .put_exit = put_exit,                                                                     \
    }

const rp_target target_mipsel = MIPS_TARGET("mipsel", false, false, 0);
const rp_target target_mips = MIPS_TARGET("mips", true, false, 0);
const rp_target target_mipsel_wide = MIPS_TARGET("mipsel-wide", false, true, 0);
const rp_target target_mips_wide = MIPS_TARGET("mips-wide", true, true, 0);
const rp_target target_mipsel_2008 = MIPS_TARGET("mipsel-2008", false, true, ELF_NAN2008);
const rp_target target_mips_2008 = MIPS_TARGET("mips-2008", true, true, ELF_NAN2008);
