/* Semantics rewriting: the column of an instruction's row becomes C about the guest's registers. */
#include "engine/fast/translate/writer.h"

#include <ctype.h>
#include <string.h>

const char *gs_writer_register_name(unsigned number, char *buffer)
{
    if (number == GS_HI || number == GS_LO)
        return number == GS_HI ? "hi" : "lo";
    if (number == GS_SINK)
        return "sink";
    sprintf(buffer, number < GS_FLOATS ? "x%u" : "f%u",
            number < GS_FLOATS ? number : number - GS_FLOATS);
    return buffer;
}

void gs_writer_put_list(FILE *to, const gs_registers *which, const char *format,
                        const char *float_format)
{
    char name[16];
    for (unsigned i = 1; i < GS_REGISTERS; i++) {
        if (i == GS_SINK || !gs_registers_have(which, i))
            continue;
        if (i < GS_FLOATS)
            fprintf(to, format, gs_writer_register_name(i, name), i);
        else
            fprintf(to, float_format, gs_writer_register_name(i, name), i - GS_FLOATS);
    }
}

void gs_writer_put_register(gs_writer *w, unsigned number, bool written)
{
    char buffer[16];
    if (number == 0 && !written) {
        fputs("0u", w->to);
        return;
    }
    gs_registers_add(&w->used, number);
    if (written)
        gs_registers_add(&w->written, number);
    fputs(gs_writer_register_name(number, buffer), w->to);
}

/* Of a superblock, for "%08x%s" in the names of labels. */
const char *gs_writer_suffix(const gs_superblock *s)
{
    static const char *const suffixes[] = {"", "x", "y", "z"};
    return suffixes[s->clone];
}

void gs_writer_put_leave(gs_writer *w)
{
    w->leaves[w->leave] |= GS_LEAVES;
    fprintf(w->to, "l_%08x%s_%u", GS_LABEL(w->s), w->leave);
}

void gs_writer_put_noted_leave(gs_writer *w)
{
    if (!w->options->timing) {
        gs_writer_put_leave(w);
        return;
    }
    w->leaves[w->leave] |= GS_LEAVES_NOTED;
    fprintf(w->to, "n_%08x%s_%u", GS_LABEL(w->s), w->leave);
}

unsigned gs_writer_shift_of(const gs_writer *w, int site)
{
    return site < 0 ? 0 : w->s->sites[site].shift;
}

unsigned gs_writer_number_of(const gs_writer *w, const gs_superblock *s)
{
    return w->base + (unsigned)(s - w->code->superblocks);
}

const char *gs_writer_state_of(const gs_writer *w, const gs_superblock *s)
{
    return w->options->timing && s->predicted->has_room ? "c->state" : "0";
}

bool gs_writer_minds_stores(const gs_writer *w)
{
    return w->options->timing && w->options->timing->model->minds_stores;
}

/*
 * The rules. In a rule's text, a letter after % stands for what the instruction has there:
 *
 *     %D              the target register, to be written
 *     %S %T           the first and the second source register
 *     %W %X %Y %Z     the same of floating point: target, and the three sources
 *     %h %l           HI and LO, to be written
 *     %d %s %t %r     the numbers of target and sources
 *     %i %I           the immediate, as unsigned and as signed number
 *     %a %p %n %w     the small field, address, length, the instruction word
 *     %L              the label to go to if the instruction cannot be done here
 *     %k %o           which step it is; the bit of the key for the access's outcome
 *     %)              nothing, and drops the column up to the closing parenthesis
 *
 * A word that ends in a parenthesis is replaced with it. Behind @ is the beginning of an access,
 * see put_access().
 */
typedef struct rule {
    const char *word, *text;
} rule;

static const rule common_rules[] = {
    {"RD", "%D"},
    {"IMM", "%I"},
    {"AUX", "%a"},
    {"PC", "%p"},
    {"LEN", "%n"},
    {"TRAP(", "goto %L%)"},
    {"BRANCH_IF(", "condition = ("},
    {"LINK_JUMP(", "goal = ("},
    {"FP", "c->fp"},
    {"LOAD8(", "@LOAD(8, "},
    {"LOAD16(", "@LOAD(16, "},
    {"LOAD32(", "@LOAD(32, "},
    {"LOAD64(", "@LOAD(64, "},
    {"STORE8(", "@STORE(8, "},
    {"STORE16(", "@STORE(16, "},
    {"STORE32(", "@STORE(32, "},
    {"STORE64(", "@STORE(64, "},
    {NULL, NULL},
};

static const rule rv_rules[] = {
    {"RS1", "%S"},
    {"RS2", "%T"},
    {"RS1_FIELD", "%s"},
    {"AMO32(", "AMO(%k, %o, %L, %D, %S, "},
    {"LR32(", "LR(%k, %o, %L, %D, %S"},
    {"SC32(", "SC(%k, %o, %L, %D, %S, %T"},
    {"RM", "RM(%a, %L)"},
    {"FP_RM", "FP_RM(%a, %L)"},
    {"FS1_S", "unbox(%X)"},
    {"FS2_S", "unbox(%Y)"},
    {"FS3_S", "unbox(%Z)"},
    {"FS1_D", "%X"},
    {"FS2_D", "%Y"},
    {"FS3_D", "%Z"},
    {"SET_S", "%W = box"},
    {"SET_D", "%W = "},
    {NULL, NULL},
};

static const rule mips_rules[] = {
    {"RS", "%S"},
    {"RT", "%T"},
    {"ADDR", "(%S + %i)"},
    {"RAW", "%w"},
    {"HI", "%h"},
    {"LO", "%l"},
    {"HILO", "((uint64_t)%h << 32 | %l)"},
    {"SET_HILO(", "SET_HILO(%h, %l, "},
    {"JUMP(", "goal = ("},
    {"LINK_BRANCH_IF(", "condition = ("},
    {"BRANCH_LIKELY_IF(", "condition = ("},
    {"LINK_BRANCH_LIKELY_IF(", "condition = ("},
    {"STORE_LEFT(", "@STORE_LEFT("},
    {"STORE_RIGHT(", "@STORE_RIGHT("},
    {"RM", "((gs_fp_round)c->fp->round)"},
    {"FS_S", "SINGLE(%s)"},
    {"FT_S", "SINGLE(%t)"},
    {"FR_S", "SINGLE(%r)"},
    {"FS_D", "DOUBLE(%s)"},
    {"FT_D", "DOUBLE(%t)"},
    {"FR_D", "DOUBLE(%r)"},
    {"FS_HIGH", "HIGH(%s)"},
    {"SET_S", "SINGLE(%d) = "},
    {"SET_D(", "SET_DOUBLE(%d, "},
    {"SET_HIGH", "HIGH(%d) = "},
    {"RESULT_S(", "RESULT_OF(SET_SINGLE, %d, %L, "},
    {"RESULT_D(", "RESULT_OF(SET_DOUBLE, %d, %L, "},
    {"COMPARE_S(", "COMPARE(gs_f32_compare, SINGLE(%s), SINGLE(%t), %a, %L, "},
    {"COMPARE_D(", "COMPARE(gs_f64_compare, DOUBLE(%s), DOUBLE(%t), %a, %L, "},
    {"CC", "(*c->fcsr >> %a & 1)"},
    {NULL, NULL},
};

static const rule *rule_among(const rule *rules, const char *word, size_t length)
{
    for (; rules->word; rules++) {
        const size_t name = strcspn(rules->word, "(");
        if (name == length && memcmp(rules->word, word, length) == 0 &&
            (!rules->word[name] || word[length] == '('))
            return rules;
    }
    return NULL;
}

/* The rule for a word of the column, or NULL: the word stays as it is. */
static const rule *rule_for(const gs_isa *isa, const char *word, size_t length)
{
    const rule *found = rule_among(common_rules, word, length);
    return found ? found
                 : rule_among(isa->arch == GS_ARCH_RV32 ? rv_rules : mips_rules, word, length);
}

/* The next identifier in a text, its length in *length; NULL if there is none. */
static const char *next_word(const char *text, size_t *length)
{
    while (*text) {
        if (isdigit((unsigned char)*text)) {
            while (isalnum((unsigned char)*text))
                text++;
        } else if (isalpha((unsigned char)*text) || *text == '_') {
            *length = 0;
            while (isalnum((unsigned char)text[*length]) || text[*length] == '_')
                ++*length;
            return text;
        } else {
            text++;
        }
    }
    return NULL;
}

static void put_immediate(gs_writer *w, int32_t imm)
{
    fprintf(w->to, imm < 0 ? "(int32_t)0x%xu" : "%u", (unsigned)imm);
}

/* Writes what a letter of a rule stands for. */
static void put_part(gs_writer *w, const gs_step *step, char letter)
{
    const gs_insn *insn = &step->insn;
    switch (letter) {
    case 'D': gs_writer_put_register(w, insn->rd, true); break;
    case 'S': gs_writer_put_register(w, insn->rs1, false); break;
    case 'T': gs_writer_put_register(w, insn->rs2, false); break;
    case 'W': gs_writer_put_register(w, GS_FLOATS + insn->rd, true); break;
    case 'X': gs_writer_put_register(w, GS_FLOATS + insn->rs1, false); break;
    case 'Y': gs_writer_put_register(w, GS_FLOATS + insn->rs2, false); break;
    case 'Z': gs_writer_put_register(w, GS_FLOATS + insn->rs3, false); break;
    case 'h': gs_writer_put_register(w, GS_HI, true); break;
    case 'l': gs_writer_put_register(w, GS_LO, true); break;
    case 'd': fprintf(w->to, "%u", insn->rd); break;
    case 's': fprintf(w->to, "%u", insn->rs1); break;
    case 't': fprintf(w->to, "%u", insn->rs2); break;
    case 'r': fprintf(w->to, "%u", insn->rs3); break;
    case 'i': fprintf(w->to, "0x%xu", (unsigned)insn->imm); break;
    case 'I': put_immediate(w, insn->imm); break;
    case 'a': fprintf(w->to, "%u", insn->aux); break;
    case 'p': fprintf(w->to, "0x%xu", step->pc); break;
    case 'n': fprintf(w->to, "%u", insn->length); break;
    case 'w': fprintf(w->to, "0x%xu", insn->raw); break;
    case 'L': gs_writer_put_leave(w); break;
    case 'k': fprintf(w->to, "%u", w->leave); break;
    case 'o': fprintf(w->to, "%u", gs_writer_shift_of(w, step->data)); break;
    }
}

/* Writes a rule's text. Returns how much of the column it replaces besides the word. */
static size_t put_rule(gs_writer *w, const gs_step *step, const char *text, const char *rest)
{
    size_t dropped = 0;
    for (const char *at = text; *at; at++) {
        if (*at != '%')
            fputc(*at, w->to);
        else if (*++at == ')')
            dropped = strcspn(rest, ")") + 1;
        else
            put_part(w, step, *at);
    }
    return dropped;
}

/* The base register and the offset of an address, if it is such a sum. */
static void put_base(gs_writer *w, const gs_step *step)
{
    if (!gs_op_may(w->isa, step->insn.op, GS_EFFECT_OFFSET)) {
        fputs("at_, 0, ", w->to);
        return;
    }
    gs_writer_put_register(w, step->insn.rs1, false);
    fprintf(w->to, ", %d, ", (int)step->insn.imm);
}

/* LOAD32(a) becomes LOAD(32, step, shift, leave, base, offset, a), or PLAIN_LOAD(32, a) if an
 * access before has looked it up; a store says as well how it is looked up, MISS or PASS. */
static void put_access(gs_writer *w, const gs_step *step, const char *access)
{
    const bool stores = gs_op_may(w->isa, step->insn.op, GS_EFFECT_STORES);
    const bool near = !stores && (step->overlap >= 0 || step->wrong_path >= 0);
    if (w->ranges[step - w->s->steps].known) {
        fprintf(w->to, "PLAIN_%s", access);
        return;
    }
    if (near)
        fputs("NEAR_", w->to);
    if (stores && gs_writer_minds_stores(w))
        fputs("NOTED_", w->to);
    fprintf(w->to, "%s%u, ", access, w->leave);
    if (step->pass >= 0)
        fprintf(w->to, "PASS, %u, ", gs_predict_pass_cell(w->s, (unsigned)(step - w->s->steps)));
    else
        fprintf(w->to, stores ? "MISS, %u, " : "%u, ", gs_writer_shift_of(w, step->data));
    gs_writer_put_noted_leave(w);
    fputs(", ", w->to);
    if (near)
        fprintf(w->to, "%u, %u, %d, ", step->overlap < 0 ? 0u : w->s->sites[step->overlap].near,
                gs_writer_shift_of(w, step->overlap), step->wrong_path);
    put_base(w, step);
}

/* Rewrites one word of the column. Returns the length of the column it replaces. */
static size_t put_word(gs_writer *w, const gs_step *step, const char *word, size_t length)
{
    const rule *r = rule_for(w->isa, word, length);
    if (!r) {
        fwrite(word, 1, length, w->to);
        return length;
    }
    length = strlen(r->word);
    if (w->tests && strcmp(r->word, "BRANCH_IF(") == 0) {
        fputs("if (", w->to);
        return length;
    }
    if (*r->text != '@')
        return length + put_rule(w, step, r->text, word + length);
    put_access(w, step, r->text + 1);
    return length;
}

void gs_writer_put_semantics(gs_writer *w, const gs_step *step)
{
    const char *text = gs_semantics(w->isa, step->insn.op), *word;
    size_t length;
    while ((word = next_word(text, &length)) != NULL) {
        fwrite(text, 1, (size_t)(word - text), w->to);
        text = word + put_word(w, step, word, length);
    }
    fputs(text, w->to);
}
