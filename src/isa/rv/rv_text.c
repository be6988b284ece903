/*
 * RISC-V instructions as text, in the short forms of the assembler (li, mv, ret) where there is
 * one.
 */
#include <stdio.h>
#include <string.h>

#include "gumshoe/insn.h"
#include "isa/rv/rv.h"

static const char *const templates[GS_RV_F_COUNT] = {
#define FORMAT(name, target, source1, source2, source3, text) [GS_RV_F_##name] = text,
#include "isa/rv/formats.def"
#undef FORMAT
};

/* A buffer that is filled from the left and silently full. */
typedef struct text {
    char *to;
    size_t size, used;
} text;

static void put(text *t, const char *s)
{
    for (; *s && t->used + 1 < t->size; s++)
        t->to[t->used++] = *s;
    t->to[t->used] = '\0';
}

static void put_number(text *t, const char *format, long long value)
{
    char digits[32];
    snprintf(digits, sizeof digits, format, value);
    put(t, digits);
}

static const char *name_of(uint8_t operand)
{
    return gs_operand_name(GS_ARCH_RV32, operand);
}

static void put_csr(text *t, unsigned csr)
{
    static const struct {
        uint16_t number;
        const char *name;
    } known[] = {
        {0x001, "fflags"},    {0x002, "frm"},    {0x003, "fcsr"},     {0x300, "mstatus"},
        {0x301, "misa"},      {0x304, "mie"},    {0x305, "mtvec"},    {0x306, "mcounteren"},
        {0x340, "mscratch"},  {0x341, "mepc"},   {0x342, "mcause"},   {0x343, "mtval"},
        {0x344, "mip"},       {0xb00, "mcycle"}, {0xb02, "minstret"}, {0xb80, "mcycleh"},
        {0xb82, "minstreth"}, {0xc00, "cycle"},  {0xc01, "time"},     {0xc02, "instret"},
        {0xc80, "cycleh"},    {0xc81, "timeh"},  {0xc82, "instreth"}, {0xf11, "mvendorid"},
        {0xf12, "marchid"},   {0xf13, "mimpid"}, {0xf14, "mhartid"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].number == csr) {
            put(t, known[i].name);
            return;
        }
    }
    put_number(t, "0x%llx", csr);
}

/* "{ra, s0-s3}" */
static void put_list(text *t, unsigned list)
{
    uint8_t registers[GS_RV_LISTED_MAX];
    const unsigned count = gs_rv_listed(list, registers);
    put(t, "{ra");
    if (count > 1)
        put(t, ", s0");
    if (count > 2) {
        put(t, "-");
        put(t, name_of(registers[count - 1]));
    }
    put(t, "}");
}

static void put_operands(text *t, const char *template, const gs_insn *insn, uint64_t pc)
{
    gs_operands operands = gs_isa_rv32.operands(insn);
    if (*template)
        put(t, " ");
    for (const char *c = template; *c; c++) {
        char literal[2] = {*c, '\0'};
        switch (*c) {
        case 'd': put(t, name_of(operands.target[0])); break;
        case 's': put(t, name_of(operands.source[0])); break;
        case 't': put(t, name_of(operands.source[1])); break;
        case 'r': put(t, name_of(operands.source[2])); break;
        case 'e': put(t, name_of(operands.target[1])); break;
        case 'l': put_list(t, insn->aux); break;
        case 'j': put_number(t, insn->op == GS_RV_cm_push ? "-%lld" : "%lld", insn->imm); break;
        case 'i': put_number(t, "%lld", insn->imm); break;
        case 'a': put_number(t, "0x%llx", (uint32_t)pc + (uint32_t)insn->imm); break;
        case 'u': put_number(t, "0x%llx", (uint32_t)insn->imm >> 12); break;
        case 'c': put_csr(t, (unsigned)insn->imm); break;
        case 'z': put_number(t, "%lld", insn->aux); break;
        default: put(t, literal); break;
        }
    }
}

/* The short form people write, if there is one: a name and a template. */
static const char *short_form(const gs_insn *insn, const char **template)
{
    bool no_target = insn->rd == GS_REG_SINK;
    switch (insn->op) {
    case GS_RV_addi:
        if (insn->rs1 == 0 && no_target && insn->imm == 0)
            return *template = "", "nop";
        if (insn->rs1 == 0)
            return *template = "d, i", "li";
        if (insn->imm == 0)
            return *template = "d, s", "mv";
        return NULL;
    case GS_RV_add: return insn->rs1 == 0 ? (*template = "d, t", "mv") : NULL;
    case GS_RV_jal:
        if (no_target)
            return *template = "a", "j";
        return insn->rd == 1 ? (*template = "a", "jal") : NULL;
    case GS_RV_jalr:
        if (insn->imm != 0)
            return NULL;
        if (no_target && insn->rs1 == 1)
            return *template = "", "ret";
        if (no_target)
            return *template = "s", "jr";
        return insn->rd == 1 ? (*template = "s", "jalr") : NULL;
    case GS_RV_beq: return insn->rs2 == 0 ? (*template = "s, a", "beqz") : NULL;
    case GS_RV_bne: return insn->rs2 == 0 ? (*template = "s, a", "bnez") : NULL;
    case GS_RV_csrrs: return insn->rs1 == 0 ? (*template = "d, c", "csrr") : NULL;
    case GS_RV_csrrw: return no_target ? (*template = "c, s", "csrw") : NULL;
    default: return NULL;
    }
}

void gs_rv_text(const gs_insn *insn, uint64_t pc, char *to, size_t size)
{
    text t = {.to = to, .size = size};
    to[0] = '\0';
    if (insn->op < GS_OP_FIRST) {
        put_number(&t, insn->length == 2 ? ".insn 0x%04llx" : ".insn 0x%08llx", insn->raw);
        return;
    }
    const gs_op_info *op = &gs_isa_rv32.ops[insn->op];
    const char *template = templates[op->format];
    const char *name = short_form(insn, &template);
    if (name) {
        put(&t, name);
    } else {
        for (const char *c = op->name; *c; c++)
            put(&t, *c == '_' ? "." : (char[]){*c, '\0'});
    }
    put_operands(&t, template, insn, pc);
}
