/*
 * RISC-V: random instructions drawn from the rows of rv.def.
 *
 * An encoding's free bits are filled at random, the word is decoded, and what does not
 * fit its surroundings is thrown away: a load whose base is not one of ours, a write to
 * a register the stream needs. So there is no second description of the formats here,
 * except for the distances of jumps, which are known only when the items have addresses.
 */
#include "randprog.h"

#include <string.h>

#include "isa/rv/rv.h"

enum { PATCH_B = 1, PATCH_J, PATCH_CB, PATCH_CJ, PATCH_PCREL };

enum { SP = 2, ISLAND_REGISTER = 5 };

/* -- Encoding ------------------------------------------------------------------------ */

static uint32_t field(uint32_t value, unsigned high, unsigned low, unsigned at)
{
    return (value >> low & ((1u << (high - low + 1)) - 1)) << at;
}

static uint32_t i_type(uint32_t opcode, unsigned rd, unsigned rs1, int32_t imm)
{
    return opcode | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}

static uint32_t s_type(uint32_t opcode, unsigned rs1, unsigned rs2, int32_t imm)
{
    uint32_t i = (uint32_t)imm;
    return opcode | field(i, 4, 0, 7) | rs1 << 15 | rs2 << 20 | field(i, 11, 5, 25);
}

enum {
    OP_LUI = 0x37,
    OP_AUIPC = 0x17,
    OP_ADDI = 0x13,
    OP_ANDI = 0x7013,
    OP_LW = 0x2003,
    OP_FLD = 0x3007,
    OP_SW = 0x2023,
    OP_FSD = 0x3027,
    OP_BEQ = 0x0063,
    OP_SLTU = 0x3033,
    OP_SLTIU = 0x3013,
    OP_SUB = 0x40000033,
    OP_AND = 0x7033,
    OP_JAL = 0x6f,
    OP_JALR = 0x67,
    OP_LR = 0x1000202f,
    OP_ECALL = 0x73,
    OP_CSRRW_FCSR = 0x00301073,
    OP_CSRRS_FCSR = 0x00302073,
};

static uint32_t r_type(uint32_t opcode, unsigned rd, unsigned rs1, unsigned rs2)
{
    return opcode | rd << 7 | rs1 << 15 | rs2 << 20;
}

static uint32_t branch_bits(uint32_t d)
{
    return field(d, 12, 12, 31) | field(d, 10, 5, 25) | field(d, 4, 1, 8) | field(d, 11, 11, 7);
}

static uint32_t jump_bits(uint32_t d)
{
    return field(d, 20, 20, 31) | field(d, 10, 1, 21) | field(d, 11, 11, 20) | field(d, 19, 12, 12);
}

static uint32_t compressed_branch_bits(uint32_t d)
{
    return field(d, 8, 8, 12) | field(d, 4, 3, 10) | field(d, 7, 6, 5) | field(d, 2, 1, 3) |
           field(d, 5, 5, 2);
}

static uint32_t compressed_jump_bits(uint32_t d)
{
    return field(d, 11, 11, 12) | field(d, 4, 4, 11) | field(d, 9, 8, 9) | field(d, 10, 10, 8) |
           field(d, 6, 6, 7) | field(d, 7, 7, 6) | field(d, 3, 1, 3) | field(d, 5, 5, 2);
}

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
    if (!s->expand_zicond) {
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

static bool is_wanted(const rp_target *target, const gs_encoding *e)
{
    (void)target;
    return e->op != GS_OP_ILLEGAL && gs_isa_rv32.ops[e->op].timing != GS_CLASS_SYSTEM;
}

static void make_item(rp_item *out, const rp_stream *s, rng *r)
{
    for (;;) {
        const gs_encoding *e = &gs_isa_rv32.encodings[rng_below(r, gs_isa_rv32.encoding_count)];
        for (unsigned attempt = 0; is_wanted(s->target, e) && attempt < 200; attempt++) {
            if (try_encoding(out, e, s, r))
                return;
        }
    }
}

/* -- Streams ------------------------------------------------------------------------- */

/* The first base suits compressed loads; the second is often sp. x1 is linked by c.jal. */
static void choose_registers(rp_stream *s, rng *r)
{
    s->base[0] = rng_range(r, 8, 15);
    do
        s->base[1] = rng_once_in(r, 2) ? SP : rng_range(r, 2, 31);
    while (s->base[1] == s->base[0]);
    if (rng_once_in(r, 3)) {
        do
            s->counter = rng_range(r, 2, 31);
        while (s->counter == s->base[0] || s->counter == s->base[1]);
    }
}

static void fill_record(uint8_t *record, const rp_stream *s, rng *r)
{
    for (unsigned i = 0; i < 32; i++) {
        uint64_t f = value_double(r);
        if (s->singles >> i & 1) {
            f = value_single(r);
            f |= rng_once_in(r, 16) ? (uint64_t)value_word(r) << 32 : 0xffffffff00000000u;
        }
        store64(record + RECORD_F + 8 * i, f, false);
    }
    store32(record + RECORD_FCSR, rng_below(r, 5) << 5 | (rng_once_in(r, 4) ? rng_below(r, 32) : 0),
            false);
}

static void put(code_buffer *code, uint32_t word)
{
    code_put(code, word, 4);
}

static void put_nop(code_buffer *code, unsigned length)
{
    for (; length >= 4; length -= 4)
        put(code, OP_ADDI);
    if (length)
        code_put(code, 0x0001, 2);
}

static uint32_t put_island(code_buffer *code)
{
    put(code, OP_JAL | jump_bits(8));
    put(code, OP_JALR | ISLAND_REGISTER << 15);
    return code_here(code) - 4;
}

static void put_constant(code_buffer *code, unsigned rd, uint32_t value)
{
    put(code, OP_LUI | rd << 7 | ((value + 0x800) & 0xfffff000u));
    put(code, i_type(OP_ADDI, rd, rd, (int32_t)(value << 20) >> 20));
}

/* From base[0] to the start of the record. */
static int32_t record_offset(const rp_stream *s)
{
    return -(int32_t)(RECORD_SCRATCH + s->offset[0]);
}

static void put_enter(code_buffer *code, const rp_stream *s)
{
    unsigned base = s->base[0], temporary = 1;
    int32_t at = record_offset(s);
    put_constant(code, base, s->record + RECORD_SCRATCH + s->offset[0]);
    put(code, i_type(OP_LW, temporary, base, at + RECORD_FCSR));
    put(code, OP_CSRRW_FCSR | temporary << 15);
    for (unsigned i = 0; i < 32; i++)
        put(code, i_type(OP_FLD, i, base, at + RECORD_F + 8 * (int32_t)i));
    for (unsigned i = 1; i < 32; i++) {
        if (!stream_reserves(s, i))
            put(code, i_type(OP_LW, i, base, at + RECORD_X + 4 * (int32_t)i));
    }
    put(code, i_type(OP_ADDI, s->base[1], base, (int32_t)(s->offset[1] - s->offset[0])));
    if (s->counter)
        put(code, i_type(OP_ADDI, s->counter, 0, (int32_t)s->rounds));
}

static void put_loop(code_buffer *code, const rp_stream *s, uint32_t start)
{
    put(code, i_type(OP_ADDI, s->counter, s->counter, -1));
    /* a branch may not reach that far back; a jump does */
    put(code, OP_BEQ | s->counter << 15 | branch_bits(8));
    put(code, OP_JAL | jump_bits(start - code_here(code)));
}

static void put_exit(code_buffer *code)
{
    put(code, i_type(OP_ADDI, 10, 0, 0));
    put(code, i_type(OP_ADDI, 17, 0, 93)); /* exit */
    put(code, OP_ECALL);
}

static void put_leave(code_buffer *code, const rp_stream *s)
{
    unsigned base = s->base[0], temporary = 1;
    int32_t at = record_offset(s);
    for (unsigned i = 0; i < 32; i++)
        put(code, s_type(OP_SW, base, i, at + RECORD_X + 4 * (int32_t)i));
    for (unsigned i = 0; i < 32; i++)
        put(code, s_type(OP_FSD, base, i, at + RECORD_F + 8 * (int32_t)i));
    put(code, OP_CSRRS_FCSR | temporary << 7);
    put(code, s_type(OP_SW, base, temporary, at + RECORD_FCSR));

    put(code, i_type(OP_ADDI, 10, 0, 1));
    put_constant(code, 11, s->record);
    put(code, i_type(OP_ADDI, 12, 0, RECORD_SIZE));
    put(code, i_type(OP_ADDI, 17, 0, 64)); /* write */
    put(code, OP_ECALL);
    put(code, OP_BEQ | 10 << 15 | 12 << 20 | branch_bits(16));
    put(code, i_type(OP_ADDI, 10, 0, 3));
    put(code, i_type(OP_ADDI, 17, 0, 93));
    put(code, OP_ECALL);
}

const rp_target target_rv32 = {
    .name = "rv32",
    .isa = &gs_isa_rv32,
    .is_wanted = is_wanted,
    .elf_machine = 243,
    .elf_flags = 0x0005, /* compressed; doubles in registers */
    .choose_registers = choose_registers,
    .fill_record = fill_record,
    .make_item = make_item,
    .patch = patch,
    .reach = reach,
    .put_island = put_island,
    .text = gs_rv_text,
    .put_nop = put_nop,
    .put_enter = put_enter,
    .put_loop = put_loop,
    .put_leave = put_leave,
    .put_exit = put_exit,
};
