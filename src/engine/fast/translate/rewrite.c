#include "engine/fast/translate/writer.h"

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

static bool is_word(const char *word, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(word, other, length) == 0;
}

/* Counting from the first superblock of all functions. */
unsigned gs_writer_number_of(const gs_writer *w, const gs_superblock *s)
{
    return w->base + (unsigned)(s - w->code->superblocks);
}

/* Which of the known states a superblock is in: as long as there is only one, nobody keeps it. */
const char *gs_writer_state_of(const gs_writer *w, const gs_superblock *s)
{
    return w->options->timing && s->predicted->has_room ? "c->state" : "0";
}

bool gs_writer_minds_stores(const gs_writer *w)
{
    return w->options->timing && w->options->timing->model->minds_stores;
}

/* What an address is the sum of, if that is known: a register and an offset. */
static void put_base(gs_writer *w, const gs_step *step)
{
    if (!gs_semantics_has_offset(w->isa, step->insn.op)) {
        fputs("at_, 0, ", w->to);
        return;
    }
    gs_writer_put_register(w, step->insn.rs1, false);
    fprintf(w->to, ", %d, ", (int)step->insn.imm);
}

/* An access: LOAD32(a) becomes LOAD(32, step, shift, leave, base, offset, a). True if it was one.
 */
static bool put_access(gs_writer *w, const gs_step *step, const char *word, size_t length)
{
    static const struct {
        const char *word, *macro;
    } accesses[] = {{"LOAD8", "LOAD(8, "},         {"LOAD16", "LOAD(16, "},
                    {"LOAD32", "LOAD(32, "},       {"STORE8", "STORE(8, "},
                    {"STORE16", "STORE(16, "},     {"STORE32", "STORE(32, "},
                    {"LOAD64", "LOAD(64, "},       {"STORE64", "STORE(64, "},
                    {"STORE_LEFT", "STORE_PART("}, {"STORE_RIGHT", "STORE_PART("}};
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        if (!is_word(word, length, accesses[i].word))
            continue;
        const bool near = step->overlap >= 0 || step->wrong_path >= 0;
        if (w->ranges[step - w->s->steps].known) { /* PLAIN_LOAD(32, a) */
            fprintf(w->to, "PLAIN_%s", accesses[i].macro);
            return true;
        }
        if (*word == 'L' && near)
            fputs("NEAR_", w->to);
        if (*word == 'S' && gs_writer_minds_stores(w))
            fputs("NOTED_", w->to);
        fprintf(w->to, "%s%u, ", accesses[i].macro, w->leave);
        if (step->pass >= 0)
            fprintf(w->to, "PASS, %u, ",
                    gs_predict_pass_cell(w->s, (unsigned)(step - w->s->steps)));
        else
            fprintf(w->to, *word == 'S' ? "MISS, %u, " : "%u, ", gs_writer_shift_of(w, step->data));
        gs_writer_put_noted_leave(w);
        fputs(", ", w->to);
        if (*word == 'L' && near)
            fprintf(w->to, "%u, %u, %d, ", step->overlap < 0 ? 0u : w->s->sites[step->overlap].near,
                    gs_writer_shift_of(w, step->overlap), step->wrong_path);
        put_base(w, step);
        return true;
    }
    return false;
}

/* AMO32(e) becomes AMO(step, shift, leave, rd, rs1, e), the others have no argument of their own.
 * True if it was one. */
static bool put_atomic(gs_writer *w, const gs_step *step, const char *word, size_t length)
{
    const bool adds = is_word(word, length, "AMO32"), stores = is_word(word, length, "SC32");
    if (!adds && !stores && !is_word(word, length, "LR32"))
        return false;
    fprintf(w->to, "%.*s(%u, %u, ", (int)length - 2, word, w->leave,
            gs_writer_shift_of(w, step->data));
    gs_writer_put_leave(w);
    fputs(", ", w->to);
    gs_writer_put_register(w, step->insn.rd, true);
    fputs(", ", w->to);
    gs_writer_put_register(w, step->insn.rs1, false);
    if (adds || stores)
        fputs(", ", w->to);
    if (stores)
        gs_writer_put_register(w, step->insn.rs2, false);
    return true;
}

/* FS1_S is the single precision value of the first source, FS3_D the third as it stands. */
static void put_float(gs_writer *w, const gs_insn *insn, const char *word)
{
    const unsigned sources[] = {insn->rs1, insn->rs2, insn->rs3};
    const bool single = word[4] == 'S';
    if (single)
        fputs("unbox(", w->to);
    gs_writer_put_register(w, GS_FLOATS + sources[word[2] - '1'], false);
    if (single)
        fputc(')', w->to);
}

/* The words of MIPS' floating point. Returns how much of the text is used up, or 0. */
static size_t put_mips_float(gs_writer *w, const gs_insn *insn, const char *word, size_t length)
{
    static const struct {
        const char *word, *before, *behind;
        enum { FS, FT, FR, FD } field;
    } words[] = {
        {"FS_S", "SINGLE(", ")", FS},
        {"FT_S", "SINGLE(", ")", FT},
        {"FR_S", "SINGLE(", ")", FR},
        {"FS_D", "DOUBLE(", ")", FS},
        {"FT_D", "DOUBLE(", ")", FT},
        {"FR_D", "DOUBLE(", ")", FR},
        {"FS_HIGH", "HIGH(", ")", FS},
        {"SET_S", "SINGLE(", ") = ", FD},
        {"SET_HIGH", "HIGH(", ") = ", FD},
        {"SET_D", "SET_DOUBLE(", "", FD},
        {"RESULT_S", "RESULT(SET_SINGLE, ", "", FD},
        {"RESULT_D", "RESULT(SET_DOUBLE, ", "", FD},
    };
    const unsigned fields[] = {insn->rs1, insn->rs2, insn->rs3, insn->rd};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!is_word(word, length, words[i].word))
            continue;
        fprintf(w->to, "%s%u%s", words[i].before, fields[words[i].field], words[i].behind);
        if (words[i].behind[0])
            return length;
        fputs(", ", w->to);
        if (*word == 'R') {
            gs_writer_put_leave(w);
            fputs(", ", w->to);
        }
        return length + 1; /* with the parenthesis */
    }
    if (is_word(word, length, "COMPARE_S") || is_word(word, length, "COMPARE_D")) {
        const char *of = word[8] == 'S' ? "SINGLE" : "DOUBLE";
        fprintf(w->to, "COMPARE(%s, %s(%u), %s(%u), %u, ",
                word[8] == 'S' ? "gs_f32_compare" : "gs_f64_compare", of, insn->rs1, of, insn->rs2,
                insn->aux);
        gs_writer_put_leave(w);
        fputs(", ", w->to);
        return length + 1;
    }
    if (is_word(word, length, "CC"))
        fprintf(w->to, "(*c->fcsr >> %u & 1)", insn->aux);
    else if (is_word(word, length, "RM"))
        fputs("((gs_fp_round)c->fp->round)", w->to);
    else if (is_word(word, length, "FP"))
        fputs("c->fp", w->to);
    else
        return 0;
    return length;
}

/* The words of RISC-V's floating point. True if it was one. */
static bool put_float_word(gs_writer *w, const gs_insn *insn, const char *word, size_t length)
{
    if (length == 5 && strncmp(word, "FS", 2) == 0) {
        put_float(w, insn, word);
    } else if (is_word(word, length, "SET_S") || is_word(word, length, "SET_D")) {
        gs_writer_put_register(w, GS_FLOATS + insn->rd, true);
        fputs(word[4] == 'S' ? " = box" : " = ", w->to);
    } else if (is_word(word, length, "FP")) {
        fputs("c->fp", w->to);
    } else if (is_word(word, length, "RM") || is_word(word, length, "FP_RM")) {
        fprintf(w->to, "%.*s(%u, ", (int)length, word, insn->aux);
        gs_writer_put_leave(w);
        fputc(')', w->to);
    } else {
        return false;
    }
    return true;
}

/* One word of the column. Returns how much of the text it has used up. */
static size_t put_word(gs_writer *w, const gs_step *step, const char *word, size_t length)
{
    const gs_insn *insn = &step->insn;
    if (put_access(w, step, word, length)) {
        bool left = is_word(word, length, "STORE_LEFT"),
             right = is_word(word, length, "STORE_RIGHT");
        if (!left && !right)
            return length + 1; /* with the parenthesis */
        /* STORE_PART(step, ..., leave, LEFT_PART(a, v)) */
        fputs(left ? "LEFT_PART(" : "RIGHT_PART(", w->to);
        return length + 1;
    }
    if (put_atomic(w, step, word, length))
        return length + 1; /* with the parenthesis */
    if (gs_semantics_float(w->isa, insn->op) != GS_FLOAT_NONE) {
        size_t used = w->isa->arch == GS_ARCH_MIPS32 ? put_mips_float(w, insn, word, length)
                      : put_float_word(w, insn, word, length) ? length
                                                              : 0;
        if (used > 0)
            return used;
    }
    if (is_word(word, length, "RD"))
        gs_writer_put_register(w, insn->rd, true);
    else if (is_word(word, length, "RS1") || is_word(word, length, "RS"))
        gs_writer_put_register(w, insn->rs1, false);
    else if (is_word(word, length, "RS2") || is_word(word, length, "RT"))
        gs_writer_put_register(w, insn->rs2, false);
    else if (is_word(word, length, "ADDR")) {
        fputc('(', w->to);
        gs_writer_put_register(w, insn->rs1, false);
        fprintf(w->to, " + 0x%xu)", (unsigned)insn->imm);
    } else if (is_word(word, length, "HI"))
        gs_writer_put_register(w, GS_HI, true);
    else if (is_word(word, length, "LO"))
        gs_writer_put_register(w, GS_LO, true);
    else if (is_word(word, length, "HILO") || is_word(word, length, "SET_HILO")) {
        for (unsigned i = GS_HI; i <= GS_LO; i++) {
            gs_registers_add(&w->used, i);
            gs_registers_add(&w->written, i);
        }
        fwrite(word, 1, length, w->to);
    } else if (is_word(word, length, "IMM"))
        fprintf(w->to, insn->imm < 0 ? "(int32_t)0x%xu" : "%u", (unsigned)insn->imm);
    else if (is_word(word, length, "AUX"))
        fprintf(w->to, "%u", insn->aux);
    else if (is_word(word, length, "RS1_FIELD"))
        fprintf(w->to, "%u", insn->rs1);
    else if (is_word(word, length, "PC"))
        fprintf(w->to, "0x%xu", step->pc);
    else if (is_word(word, length, "LEN"))
        fprintf(w->to, "%u", insn->length);
    else if (is_word(word, length, "RAW"))
        fprintf(w->to, "0x%xu", insn->raw);
    else if (is_word(word, length, "TRAP")) {
        const char *end = strchr(word, ')');
        fputs("goto ", w->to);
        gs_writer_put_leave(w);
        return (size_t)(end - word) + 1;
    } else
        fwrite(word, 1, length, w->to);
    return length;
}

/* `length` characters of the column. */
void gs_writer_put_column(gs_writer *w, const gs_step *step, const char *text, size_t length)
{
    const char *end = text + length;
    bool closes_part = strstr(text, "STORE_LEFT") || strstr(text, "STORE_RIGHT");
    size_t word_length;
    while (text < end) {
        const char *word = gs_semantics_word(text, &word_length);
        if (!word || word >= end)
            word = end;
        fwrite(text, 1, (size_t)(word - text), w->to);
        text = word;
        if (word < end)
            text += put_word(w, step, word, word_length);
    }
    if (closes_part)
        fputc(')', w->to);
}
