/*
 * MIPS: random instructions drawn from the rows of mips.def, in both byte orders.
 *
 * As for RISC-V, free bits are filled at random and what does not fit is thrown away.
 * Where an operand decides whether an instruction traps or is UNPREDICTABLE, one or two
 * guards before it make sure that it does not: a divisor gets a bit set, summands are
 * halved. Every jump brings its delay slot along, with an instruction that needs no guard.
 */
#include <string.h>

#include "isa/mips/mips.h"
#include "mips_code.h"
#include "randprog.h"

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
    bool divides = gs_isa_mips32.ops[insn->op].timing == GS_CLASS_DIV;
    if (s->traps && !divides && rng_once_in(r, 2))
        return true;
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
        if (s->traps && number == FCSR && rng_once_in(r, 2)) { /* enable exceptions, have none */
            add(it, clear_bits(rt, 12, 6));
            add(it, insn->raw | (unsigned)FCSR << 11);
            return true;
        }
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

/* Something that traps. */
static void make_wild(rp_item *it, const rp_stream *s, rng *r)
{
    /* special, special2 and special3 functions that are not there; coprocessor 2; mfc0. Codes 6
     * and 7 of break stand for arithmetic errors, but not with QEMU 7.2. */
    static const uint32_t illegal[] = {0x0000003d, 0x70000018, 0x7c00003d, 0x48000000,
                                       0x40016000, 0x0000000e, 0x04040000, 0xffffffff};
    static const uint32_t accesses[] = {0x80000000, 0x84000000, 0x88000000, 0x8c000000, 0x98000000,
                                        0xa0000000, 0xa4000000, 0xa8000000, 0xac000000, 0xb8000000,
                                        0xc0000000, 0xc4000000, 0xd4000000, 0xe4000000, 0xf4000000};
    static const uint16_t nowhere[] = {0, 0x2000, 0x3000};
    *it = (rp_item){.skip = -1};
    unsigned reg = free_register(s, r), data;
    do
        data = free_register(s, r);
    while (data & 1); /* of floating point registers, half are not there */
    int access = (int)accesses[rng_below(r, sizeof accesses / sizeof *accesses)];
    switch (rng_below(r, 5)) {
    case 0: add(it, illegal[rng_below(r, sizeof illegal / sizeof *illegal)]); break;
    case 1: add(it, OP_BREAK | rng_range(r, 8, 1000) << 16); break;
    case 2: /* jump to where nothing is */
        add(it, i_type(OP_LUI, reg, 0, nowhere[rng_below(r, 3)]));
        add(it, r_type(OP_JR, 0, reg, 0, 0));
        add(it, 0);
        break;
    case 3: /* load or store there */
        add(it, i_type(OP_LUI, reg, 0, nowhere[rng_below(r, 3)]));
        add(it, i_type(access, data, reg, 4 * (int32_t)rng_below(r, 4)));
        break;
    default: /* misaligned, unless it does not mind */
        add(it, i_type(access, data, s->base[0], (int32_t)rng_below(r, 8)));
        break;
    }
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
    if (encoding->op >= GS_MIPS_tge && encoding->op <= GS_MIPS_tne)
        return word | 0x8000; /* a code other than 6 and 7, of which QEMU knows nothing */
    if (encoding->op == GS_MIPS_clz || encoding->op == GS_MIPS_clo) /* rt is to equal rd */
        return (word & ~0x001f0000u) | (word >> 11 & 31) << 16;
    return word;
}

static bool try_jump(rp_item *it, const gs_encoding *encoding, const gs_insn *insn,
                     const rp_stream *s, rng *r)
{
    if (encoding->format == F_BAL && insn->rs1 == LINK)
        return false;
    /* To QEMU, a branch that cannot be taken is no branch and has no slot for a trap to be in. */
    bool compares_zero = encoding->format == F_B1 || encoding->format == F_BAL;
    if (s->traps &&
        ((encoding->format == F_B2 && insn->rs1 == insn->rs2) || (compares_zero && insn->rs1 == 0)))
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

/* An instruction for a delay slot; it may trap there. On the way to an island it must leave the way
 * back alone. */
static void add_slot(rp_item *it, const rp_stream *s, rng *r)
{
    rp_stream narrower = *s;
    if (it->far)
        narrower.also_reserved = ISLAND_REGISTER;
    s = &narrower;
    for (;;) {
        rp_item slot;
        if (s->traps && rng_once_in(r, 40)) {
            make_wild(&slot, s, r);
        } else {
            const gs_encoding *e = pick(r);
            if (!is_wanted(s->target, e) || is_jump(e) || e->op == GS_MIPS_synci ||
                !try_encoding(&slot, e, s, r))
                continue;
        }
        if (slot.count == 1) {
            add(it, slot.code[0].word);
            return;
        }
    }
}

static void make_item(rp_item *out, const rp_stream *s, rng *r)
{
    if (s->traps && rng_once_in(r, 40)) {
        make_wild(out, s, r);
        return;
    }
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

enum {
    ELF_FLAGS = 0x70001001, /* MIPS32 release 2, o32, no reordering */
    ELF_FP64 = 0x200,
    ELF_NAN2008 = 0x400,
};

#define MIPS_TARGET(name_, big_endian_, wide_, flags_)                                           \
    {                                                                                            \
        .name = name_, .isa = &gs_isa_mips32, .big_endian = big_endian_, .wide = wide_,          \
        .elf_machine = 8, .elf_flags = ELF_FLAGS | (wide_ ? ELF_FP64 : 0) | (flags_),            \
        .is_wanted = is_wanted, .choose_registers = mips_choose_registers,                       \
        .fill_record = mips_fill_record, .make_item = make_item, .patch = patch, .reach = reach, \
        .put_island = mips_put_island, .put_nop = mips_put_nop, .put_enter = mips_put_enter,     \
        .put_loop = mips_put_loop, .put_leave = mips_put_leave,                                  \
        .fill_globals = big_endian_ ? mips_fill_globals_big : mips_fill_globals,                 \
        .put_handler = mips_put_handler, .put_start = mips_put_start, .put_exit = mips_put_exit, \
    }

const rp_target target_mipsel = MIPS_TARGET("mipsel", false, false, 0);
const rp_target target_mips = MIPS_TARGET("mips", true, false, 0);
const rp_target target_mipsel_wide = MIPS_TARGET("mipsel-wide", false, true, 0);
const rp_target target_mips_wide = MIPS_TARGET("mips-wide", true, true, 0);
const rp_target target_mipsel_2008 = MIPS_TARGET("mipsel-2008", false, true, ELF_NAN2008);
const rp_target target_mips_2008 = MIPS_TARGET("mips-2008", true, true, ELF_NAN2008);
