/* Writes the instructions of a superblock, how control enters it, and how it leaves in the
 * middle. */
#include <string.h>

#include "engine/fast/translate/inferred.h"
#include "engine/fast/translate/writer.h"

/* The outcome of an operand on which the instruction's time depends. */
static void put_operand(gs_writer *w, const gs_step *step)
{
    if (step->operand < 0)
        return;
    const gs_core *core = w->options->timing->core;
    const gs_core_class *class = &core->classes[w->isa->ops[step->insn.op].timing];
    bool mips = w->isa->arch == GS_ARCH_MIPS32;
    fprintf(w->to, "    OPERAND(%u, ", gs_writer_shift_of(w, step->operand));
    switch (class->operand) {
    case GS_OPERAND_RULE_SHIFT_STEPS:
        gs_writer_put_register(w, mips ? step->insn.rs1 : step->insn.rs2, false);
        fputs(" & 31", w->to);
        break;
    case GS_OPERAND_RULE_EARLY_OUT:
        fputs("BITS(", w->to);
        gs_writer_put_register(w, step->insn.rs2, false);
        fputc(')', w->to);
        break;
    case GS_OPERAND_RULE_NEGATIVE_DIVIDEND:
        gs_writer_put_register(w, step->insn.rs1, false);
        fputs(" >> 31", w->to);
        break;
    default: gs_writer_put_register(w, step->insn.rs2, false); fputs(" == 0", w->to);
    }
    fputs(");\n", w->to);
}

/* Looks up a line that was not looked up at the superblock's start. */
static void put_late_fetch(gs_writer *w, int site)
{
    if (site >= 0 && !gs_superblock_looks_up_first(w->s, &w->s->sites[site]))
        gs_writer_put_fetch(w, site);
}

/* Leaves if floating point is off. That does not change within a superblock: once is enough. */
static void put_guard(gs_writer *w, const gs_step *step)
{
    const gs_float_use use = gs_semantics_float(w->isa, step->insn.op);
    if (use <= w->float_use)
        return;
    w->float_use = use;
    fprintf(w->to, "    if (UNLIKELY(c->float_off%s))\n        goto ",
            use == GS_FLOAT_WIDE ? " || c->paired" : "");
    gs_writer_put_leave(w);
    fputs(";\n", w->to);
}

static void put_statement(gs_writer *w, const gs_step *step)
{
    fputs("    ", w->to);
    gs_writer_put_semantics(w, step);
    fputs(";\n", w->to);
}

/* A branch at once, without a variable: the quick compiler would put that into memory. */
static void put_test(gs_writer *w, const gs_step *step)
{
    fputs("    ", w->to);
    w->tests = true;
    gs_writer_put_semantics(w, step);
    w->tests = false;
    fputs(" {\n", w->to);
}

static void put_plain_step(gs_writer *w, const gs_step *step)
{
    put_guard(w, step);
    put_operand(w, step);
    gs_writer_put_range(w, step);
    put_statement(w, step);
}

static void put_comment(gs_writer *w, const gs_step *step)
{
    if (!w->disassembler)
        return;
    char text[128];
    gs_disassemble(w->disassembler, &step->insn, step->pc, text, sizeof text);
    fprintf(w->to, "    /* %08x  %s */\n", step->pc, text);
}

static void put_slot(gs_writer *w, const gs_step *slot)
{
    put_comment(w, slot);
    put_late_fetch(w, slot->fetch);
    put_plain_step(w, slot);
}

/* A jump and, where there are delay slots, the instruction behind it. Returns how many steps. */
static unsigned put_jump(gs_writer *w, unsigned number)
{
    const gs_step *step = &w->s->steps[number];
    const unsigned exit = gs_writer_exit_of(w, number);
    const bool conditional = gs_op_may(w->isa, step->insn.op, GS_EFFECT_CONDITIONAL);
    const bool links = gs_op_may(w->isa, step->insn.op, GS_EFFECT_LINKS);
    const bool slots = w->isa->delay_slots > 0;
    const bool indirect = gs_sb_exit_is_indirect(&w->s->exits[exit]);

    put_guard(w, step);
    const bool at_once = conditional && !slots && w->options->quick;
    if (at_once)
        put_test(w, step);
    else if (conditional || indirect)
        put_statement(w, step);
    if (indirect && !slots) {
        fputs("    if (UNLIKELY(goal & CODE_ALIGN))\n        goto ", w->to);
        gs_writer_put_leave(w);
        fputs(";\n", w->to);
    }
    if (links) {
        fputs("    ", w->to);
        gs_writer_put_register(w, step->insn.rd, true);
        fprintf(w->to, " = 0x%xu;\n", step->pc + (slots ? 8u : step->insn.length));
    }
    const bool drops = gs_op_may(w->isa, step->insn.op, GS_EFFECT_DROPS_SLOT);
    if (slots && !drops)
        put_slot(w, step + 1);
    if (conditional && !at_once)
        fputs("    if (condition) {\n", w->to);
    const gs_float_use use = w->float_use;
    if (drops) {
        put_slot(w, step + 1);
        w->float_use = use; /* the other exit has not executed the slot */
    }
    gs_writer_put_exit(w, exit);
    if (conditional)
        fputs("    }\n", w->to);
    gs_writer_put_wrong_path(w, step->wrong_path);
    if (conditional)
        gs_writer_put_guess(w, step, false);
    if (drops)
        gs_writer_put_exit(w, exit - 1);
    return slots ? 2 : 1;
}

static bool is_jump(const gs_writer *w, const gs_step *step)
{
    uint64_t goal;
    return w->isa->flow(&step->insn, step->pc, &goal) != GS_FLOW_NEXT;
}

/* Writes entries for control from outside, or from a jump whose target the code does not state. */
static void put_entrance(gs_writer *w)
{
    const gs_superblock *s = w->s;
    fprintf(w->cold, "e_%08x%s:\n", GS_LABEL(s));
    if (!w->options->paths)
        return;
    fputs("    CAME(c->last, c->arrival);\n", w->cold);
    for (unsigned i = 0; i < s->around_count; i++) {
        fprintf(w->cold, "    RESUME(0x%xu, %u, ", s->pc, s->around[i]->loop - 1);
        gs_writer_put_counter(s->around[i], w->cold);
        fputs(");\n", w->cold);
    }
    if (!s->loop)
        return;
    fprintf(w->cold, "    ARRIVE(%u, ", s->loop - 1);
    gs_writer_put_counter(s, w->cold);
    fputs(");\n", w->cold);
}

int gs_writer_otherwise(const gs_writer *w, const gs_superblock *s)
{
    const bool counts = w->options->timing && !gs_inferred_is_start(w->code, s);
    return counts ? (int)s->predicted->otherwise : -1;
}

/* Writes the entry in a known state other than the first. */
static void put_known_entries(gs_writer *w, const gs_superblock *s)
{
    const gs_entry_states *predicted = s->predicted;
    for (unsigned i = 1; predicted->has_room && i < predicted->known_count; i++)
        fprintf(w->cold, "    ENTER_KNOWN(0x%xu, %u, INT64_C(%lld), %u, %d, s_%08x%s);\n",
                predicted->known[i].state->number, i,
                (long long)predicted->known[i].cycles * (long long)GS_FAST_CYCLE,
                predicted->skip + i - 1, gs_writer_otherwise(w, s), GS_LABEL(s));
}

/* Writes the entry in the state number `after`. */
void gs_writer_put_entry(gs_writer *w, const gs_superblock *s)
{
    put_entrance(w);
    if (w->options->timing) {
        const gs_entry_states *predicted = s->predicted;
        fprintf(w->cold, "    c->state = 0;\n    ENTER_FIRST(0x%xu, %d, s_%08x%s);\n",
                predicted->known[0].state->number, gs_writer_otherwise(w, s), GS_LABEL(s));
        put_known_entries(w, s);
        for (size_t i = w->code->count; i < w->code->count + w->code->clones; i++) {
            const gs_superblock *clone = &w->code->superblocks[i];
            if (clone->pc != s->pc || s->clone)
                continue;
            fprintf(w->cold, "    ENTER_FIRST(0x%xu, %d, s_%08x%s);\n",
                    clone->predicted->known[0].state->number, gs_writer_otherwise(w, clone),
                    GS_LABEL(clone));
            put_known_entries(w, clone);
        }
        fprintf(w->cold, "    ENTER(%u);\n    COMES_IN(%d);\n", gs_writer_number_of(w, s),
                gs_writer_otherwise(w, s));
    }
    fprintf(w->cold, "    goto s_%08x%s;\n", GS_LABEL(s));
}

/* Where control leaves a superblock before one of its instructions. The registers written so far
 * are put back: those written since the last such place, and then that place's. */
static void put_leaves(gs_writer *w)
{
    const gs_superblock *s = w->s;
    gs_registers put = {{0}};
    int before = -1;
    for (unsigned i = 0; i < s->step_count; i++) {
        if (!w->leaves[i])
            continue;
        const gs_registers more = gs_registers_without(&w->left_with[i], &put);
        if (w->leaves[i] & GS_LEAVES)
            fprintf(w->cold, "l_%08x%s_%u:\n    LEAVE(%u, %s, %u, 0x%xu);\n", GS_LABEL(s), i,
                    gs_writer_number_of(w, s), gs_writer_state_of(w, s), i, s->steps[i].pc);
        if (w->leaves[i] & GS_LEAVES_NOTED)
            fprintf(w->cold, "n_%08x%s_%u:\n", GS_LABEL(s), i);
        if (w->options->paths && i == 0)
            fputs("    GOING(last, arrival);\n", w->cold);
        if (more.bits[0] | more.bits[1]) {
            fprintf(w->cold, "q_%08x%s_%u:\n", GS_LABEL(s), i);
            gs_writer_put_list(w->cold, &more, "    " GS_PUT_BACK ";\n",
                               "    " GS_PUT_BACK_FLOAT ";\n");
        }
        if (before < 0)
            fprintf(w->cold, "    goto LEFT(S_%08x%s);\n", GS_LABEL(s));
        else
            fprintf(w->cold, "    goto q_%08x%s_%d;\n", GS_LABEL(s), before);
        if (more.bits[0] | more.bits[1])
            before = (int)i;
        put = w->left_with[i];
    }
}

void gs_writer_put_superblock(gs_writer *w, const gs_superblock *s)
{
    w->s = s;
    if (w->options->explain)
        gs_automaton_explain(w->options->explain, s, w->to);
    memset(w->leaves, 0, sizeof w->leaves);
    gs_writer_find_ranges(w);
    w->float_use = GS_FLOAT_NONE;
    w->leave = 0;
    w->written = (gs_registers){{0}};
    fprintf(w->to, "#undef NUMBER\n#define NUMBER %u\n#undef STATE\n#define STATE %s\n",
            gs_writer_number_of(w, s), gs_writer_state_of(w, s));
    if (w->options->dates && s->pass_count > 0)
        fprintf(w->to, "#undef FIRST_PASS\n#define FIRST_PASS %u\n", s->predicted->pass);
    fprintf(w->to, "s_%08x%s:\n", GS_LABEL(s));
    if (s->line_count > 0)
        gs_writer_put_begin(w);
    for (unsigned i = 0; i < s->step_count;) {
        const gs_step *step = &s->steps[i];
        w->leave = i;
        w->left_with[i] = w->written;
        put_comment(w, step);
        put_late_fetch(w, step->fetch);
        put_late_fetch(w, step->second);
        if (is_jump(w, step)) {
            i += put_jump(w, i);
        } else {
            put_plain_step(w, step);
            i++;
        }
    }
    const gs_sb_exit *last = &s->exits[s->exit_count - 1];
    if (last->taken < 0)
        gs_writer_put_exit(w, s->exit_count - 1u);
    put_leaves(w);
}
