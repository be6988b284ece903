#include "engine/fast/translate.h"

#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "engine/fast/loops.h"
#include "engine/fast/writer.h"

gs_fast_layout gs_fast_layout_of(const gs_timing *timing)
{
    gs_fast_layout l = {0};
    if (!timing || !timing->model->looks_up)
        return l;
    l.icached = timing->core->has_icache;
    l.dcached = timing->core->has_dcache;
    l.icache_sets = l.icached ? timing->icache.set_mask + 1 : 0;
    l.dcache_sets = l.dcached ? timing->dcache.set_mask + 1 : 0;
    return l;
}

/* FETCH for a site, or nothing. */
static void put_fetch(gs_writer *w, int site)
{
    if (site < 0)
        return;
    const gs_site *f = &w->s->sites[site];
    const gs_cache *cache = &w->options->timing->icache;
    if (f->address == 0) {
        fprintf(w->to, "    FETCH_GOAL(%u, %u);\n", f->owner, f->shift);
        return;
    }
    gs_addr line = f->address >> cache->line_shift;
    fprintf(w->to, "    FETCH(%u, 0x%xu, 0x%xu, %u, %u);\n", line & cache->set_mask, line,
            f->address, f->owner, f->shift);
}

/* Fetch strays, if it does: one look at each line it can see. */
static void put_strays(gs_writer *w, int site)
{
    if (site < 0)
        return;
    const gs_cache *cache = &w->options->timing->icache;
    const gs_site *stray = &w->s->sites[site];
    const gs_strays *strays = &w->s->strays[stray->strays];
    gs_addr line = w->s->steps[stray->step].pc >> cache->line_shift;
    const char *before = "    if (UNLIKELY(";
    for (unsigned i = 0; i < strays->count; i++) {
        if (strays->pc[i] >> cache->line_shift == line)
            continue;
        line = strays->pc[i] >> cache->line_shift;
        fprintf(w->to, "%sMISPLACED(%u, 0x%xu)", before, line & cache->set_mask, line);
        before = " || ";
    }
    fprintf(w->to, "))\n        STRAY(%d);\n", site);
}

/* What the key has to know of the operand that decides how long this takes. */
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
    default: gs_writer_put_register(w, step->insn.rs2, false); fputs(" == 0", w->to);
    }
    fputs(");\n", w->to);
}

/* What has not been looked up when the stretch began. */
static void put_late_fetch(gs_writer *w, int site)
{
    if (site >= 0 && !gs_stretch_looks_up_first(w->s, &w->s->sites[site]))
        put_fetch(w, site);
}

/* Floating point may be off, which does not change within a stretch. */
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

static void put_plain_step(gs_writer *w, const gs_step *step)
{
    const char *text = gs_semantics(w->isa, step->insn.op);
    put_guard(w, step);
    put_operand(w, step);
    fputs("    ", w->to);
    gs_writer_put_column(w, step, text, strlen(text));
    fputs(";\n", w->to);
}

static const gs_code *function_with(const gs_writer *w, gs_addr pc)
{
    for (size_t i = 0; i < w->code_count; i++) {
        if (pc >= w->codes[i].low && pc < w->codes[i].high && gs_code_at(&w->codes[i], pc))
            return &w->codes[i];
    }
    return NULL;
}

/* The way that step `taken` jumps. */
static unsigned way_of(const gs_writer *w, unsigned taken)
{
    unsigned number = 0;
    while (w->s->ways[number].taken != (int)taken)
        number++;
    return number;
}

/* The predictor learns how a jump went. */
static void put_guess(gs_writer *w, const gs_step *step, bool taken)
{
    if (step->guess < 0)
        return;
    uint64_t says = 0;
    gs_flow flow = w->isa->flow(&step->insn, step->pc, &says);
    const gs_predictor *predictor = &w->options->timing->predictor;
    if (flow == GS_FLOW_BRANCH && predictor->counters && !predictor->btb_tags) {
        fprintf(w->to, "    GUESS_DIRECTION(%u, 0x%xu, %d);\n", gs_writer_shift_of(w, step->guess),
                step->pc >> predictor->unit_shift, taken);
        return;
    }
    const gs_way *way = &w->s->ways[way_of(w, (unsigned)(step - w->s->steps))];
    fprintf(w->to, "    GUESS(%u, 0x%xu, %u, %u, 0x%xu, %d, ", gs_writer_shift_of(w, step->guess),
            step->pc, step->insn.length, (unsigned)flow, (unsigned)says, taken);
    if (gs_way_is_indirect(way))
        fputs("goal);\n", w->to);
    else
        fprintf(w->to, "0x%xu);\n", way->goal);
}

static gs_counting counting_of(const gs_writer *w, const gs_way *way)
{
    return w->options->timing
               ? gs_usual_counting(w->s, (unsigned)(way - w->s->ways), w->options->paths)
               : GS_COUNTED_IN_CELL;
}

static void put_cost(gs_writer *w, FILE *to, const gs_way *way)
{
    uint64_t cost = way->steps * (GS_FAST_CYCLE + 1);
    if (w->options->timing) {
        const gs_usual_way *usual = &w->s->usual->ways[way - w->s->ways];
        if (!usual->lesson) {
            fputs("edge->cost", to);
            return;
        }
        cost = gs_usual_cost(usual);
    }
    fprintf(to, "UINT64_C(0x%llx)", (unsigned long long)cost);
}

/* What the code has to make sure of before it may take a way that has an edge. */
static void put_condition_of_way(gs_writer *w, const gs_way *way)
{
    const char *move = way->kind == GS_WAY_CALL || way->kind == GS_WAY_CALL_INDIRECT
                           ? "!CAN_PUSH(GS_MOVE_CALL)"
                       : gs_way_returns(way) ? "!CAN_RETURN()"
                       : gs_way_is_indirect(way) || !gs_code_at(w->code, way->goal)
                           ? "!CAN_PUSH(GS_MOVE_TAIL)"
                           : "UNLIKELY(edge->move != GS_MOVE_LOCAL)";
    fputs("    if (", w->to);
    if (!w->s->usual->ways[way - w->s->ways].lesson)
        fprintf(w->to, "!IS_FOUND(%u) || ", w->s->usual->cell + (unsigned)(way - w->s->ways));
    fprintf(w->to, "%s)\n        goto u_%08x%s_%u;\n", move, GS_LABEL(w->s),
            (unsigned)(way - w->s->ways));
}

static void put_macro(gs_writer *w, FILE *to, const char *macro, unsigned cell, const gs_way *way)
{
    fprintf(to, "    %s(%u, ", macro, cell);
    put_cost(w, to, way);
    fputs(");\n", to);
}

/* A call in the cold that is nothing to the call path: it is made as it stands. */
static void put_local_call(gs_writer *w, const gs_way *way, unsigned cell)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    fputs("    if (IS_LOCAL_CALL()) {\n", w->cold);
    put_macro(w, w->cold, "COUNT", cell, way);
    fprintf(w->cold, "    if (!IS_UP()) {\n    GOING(0x%xu, %d);\n    after = 0x%xu;\n",
            w->s->steps[way->steps - 1].pc, GS_ARRIVAL_ENTRY,
            w->s->usual->ways[number].lesson->after->number);
    fprintf(w->cold, "    LOCAL_TARGET();\n    goto v_%08x%s_%u;\n    }\n", GS_LABEL(w->s), number);
    put_macro(w, w->cold, "UNCOUNT", cell, way);
    fputs("    }\n", w->cold);
}

/* Takes a way; goes on behind it, or in the cold to label t_ to take it back and u_ to ask. */
static void put_count(gs_writer *w, const gs_way *way)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    const unsigned cell = w->options->timing ? w->s->usual->cell + number : 0;
    const gs_counting how = counting_of(w, way);
    switch (how) {
    case GS_COUNTED_IN_CELL:
    case GS_COUNTED_LATER:
    case GS_COUNTED_CALL: {
        const bool returns = how == GS_COUNTED_LATER && gs_way_returns(way);
        if (returns)
            fputs("    if (!CAN_POP())", w->to);
        else if (how == GS_COUNTED_CALL)
            fprintf(w->to, "    if (!CAN_CALL(%u))", w->s->usual->ways[number].target);
        if (returns || how == GS_COUNTED_CALL)
            fprintf(w->to, "\n        goto u_%08x%s_%u;\n", GS_LABEL(w->s), number);
        put_macro(w, w->to, "COUNT", cell, way);
        fputs("    if (IS_UP()", w->to);
        if (how == GS_COUNTED_LATER)
            fprintf(w->to, " || IS_FIRST(%u)", cell);
        fprintf(w->to, ")\n        goto t_%08x%s_%u;\n", GS_LABEL(w->s), number);
        fprintf(w->cold, "t_%08x%s_%u:\n", GS_LABEL(w->s), number);
        put_macro(w, w->cold, "UNCOUNT", cell, way);
        if (returns || how == GS_COUNTED_CALL)
            fprintf(w->cold, "u_%08x%s_%u:\n", GS_LABEL(w->s), number);
        if (how == GS_COUNTED_CALL)
            put_local_call(w, way, cell);
        break;
    }
    case GS_COUNTED_IN_EDGE:
        fprintf(w->to, "    %s(%u);\n", w->s->usual->ways[number].lesson ? "EDGE" : "FIND_EDGE",
                cell);
        put_condition_of_way(w, way);
        fputs("    COUNT_EDGE(", w->to);
        put_cost(w, w->to, way);
        fprintf(w->to, ");\n    if (IS_UP())\n        goto t_%08x%s_%u;\n", GS_LABEL(w->s), number);
        fprintf(w->cold, "t_%08x%s_%u:\n    UNCOUNT_EDGE(", GS_LABEL(w->s), number);
        put_cost(w, w->cold, way);
        fprintf(w->cold, ");\nu_%08x%s_%u:\n", GS_LABEL(w->s), number);
        break;
    case GS_COUNTED_NEVER:
        fprintf(w->to, "    goto u_%08x%s_%u;\n", GS_LABEL(w->s), number);
        fprintf(w->cold, "u_%08x%s_%u:\n", GS_LABEL(w->s), number);
        break;
    }
    fprintf(w->cold, "    TURN(%u, %u, %s, W_%08x%s_%u, ", gs_writer_number_of(w, w->s), number,
            gs_writer_state_of(w, w->s), GS_LABEL(w->s), number);
    if (gs_way_is_indirect(way))
        fputs("goal);\n", w->cold);
    else
        fprintf(w->cold, "0x%xu);\n", way->goal);
}

/* Where the rounds of a loop are counted. */
static void put_counter(const gs_stretch *header, FILE *to)
{
    if (header->checked)
        fputs("&c->nothing", to);
    else
        fprintf(to, "&block->cells[%u].count", header->counter);
}

/* Control comes to a loop; `counts` if the way's own count is that of the loop's rounds. */
static void put_arrival(const gs_way *way, const gs_stretch *goal, bool counts, bool cold, FILE *to)
{
    const unsigned loop = goal->loop - 1;
    const gs_arrival arrival = gs_arrival_of(way, goal);
    const bool sure = arrival == GS_ARRIVAL_BACK || arrival == GS_ARRIVAL_ENTRY;
    if (way->arrival == GS_ARRIVAL_ONWARDS && sure)
        fprintf(to, "    ONWARDS(%u);\n", loop);
    if (arrival == GS_ARRIVAL_BACK && goal->checked)
        fprintf(to, "    COME_BACK(%u);\n", loop);
    else if (arrival == GS_ARRIVAL_BACK && cold)
        fprintf(to, "    ROUND(%u);\n", loop);
    else if (arrival == GS_ARRIVAL_BACK && !counts)
        fprintf(to, "    COUNT_ROUND(%u);\n", goal->counter);
    if (arrival == GS_ARRIVAL_BACK)
        return;
    if (arrival == GS_ARRIVAL_ENTRY)
        fprintf(to, "    ENTER_LOOP(%u, ", loop);
    else
        fprintf(to, "    c->arrive(c, %u, %u, ", loop, way->arrival);
    put_counter(goal, to);
    fputs(");\n", to);
}

/* Whether all lines a stretch looks up first are among those that the one at hand has, and that
 * cannot be in each other's way. */
static bool needs_no_look(const gs_writer *w, const gs_stretch *goal)
{
    if (goal->line_count == 0)
        return false;
    const unsigned shift = w->options->timing->icache.line_shift;
    if (((w->s->end - 1) >> shift) - (w->s->pc >> shift) > w->options->timing->icache.set_mask)
        return false;
    for (unsigned i = 0; i < goal->line_count; i++) {
        const gs_addr line = goal->sites[goal->lines[i]].address >> shift;
        bool looked = false;
        for (unsigned k = 0; k < w->s->line_count && !looked; k++)
            looked = w->s->sites[w->s->lines[k]].address >> shift == line;
        if (!looked)
            return false;
    }
    return true;
}

/* A way to another stretch of the same function. */
static void put_local_way(gs_writer *w, const gs_way *way, const gs_stretch *goal)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    put_count(w, way);
    if (w->options->paths) {
        const gs_addr last = w->s->steps[way->steps - 1].pc;
        fprintf(w->to, "    CAME(0x%xu, %u);\n", last, way->arrival);
        fprintf(w->cold,
                "    if (HAS_MOVED())\n        goto MOVED(W_%08x%s_%u);\n    CAME(0x%xu, %u);\n",
                GS_LABEL(w->s), number, last, way->arrival);
    }
    if (w->options->paths && goal->loop) {
        put_arrival(way, goal, w->s->usual->cell + number == goal->counter, false, w->to);
        put_arrival(way, goal, false, true, w->cold);
    }
    if (*gs_writer_state_of(w, goal) != '0')
        fprintf(w->to, "    state = %u;\n", w->s->usual->ways[number].state);
    fprintf(w->to, "    goto %c_%08x%s;\n", needs_no_look(w, goal) ? 'p' : 's', GS_LABEL(goal));
    fprintf(w->cold, "    state = c->state;\n    goto s_%08x%s;\n", GS_LABEL(goal));
}

/* Where call paths are followed: how control leaves the function. */
static void put_leaving(gs_writer *w, const gs_way *way)
{
    const bool calls = way->kind == GS_WAY_CALL || way->kind == GS_WAY_CALL_INDIRECT;
    if (!w->options->paths)
        return;
    fprintf(w->to, "    GOING(0x%xu, ", w->s->steps[way->steps - 1].pc);
    if (calls)
        fprintf(w->to, "%d);\n", GS_ARRIVAL_ENTRY);
    else if (gs_way_returns(way) || way->kind == GS_WAY_STOP)
        fprintf(w->to, "%d);\n", GS_ARRIVAL_ONWARDS);
    else
        fputs("edge->arrival);\n", w->to);
}

/* The rest: the way is taken, `after` is the state it leads to, and the call path is followed. */
static void put_way_out(gs_writer *w, const gs_way *way)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    const gs_fast_lesson *lesson = w->options->timing ? w->s->usual->ways[number].lesson : NULL;
    put_count(w, way);
    put_leaving(w, way);
    if (lesson)
        fprintf(w->to, "    after = 0x%xu;\n", lesson->after->number);
    else if (counting_of(w, way) == GS_COUNTED_IN_EDGE)
        fputs("    after = edge->after;\n", w->to);
    if (counting_of(w, way) == GS_COUNTED_CALL)
        fprintf(w->to, "    PUSH_CALL(0x%xu);\n", way->back);
    else if (way->kind == GS_WAY_CALL || way->kind == GS_WAY_CALL_INDIRECT)
        fprintf(w->to, "    PUSH(0x%xu);\n", way->back);
    else if (gs_way_returns(way))
        fputs("    POP();\n", w->to);
    else if (way->kind != GS_WAY_STOP)
        fputs("    PUSH_TAIL();\n", w->to);
    fprintf(w->to, "v_%08x%s_%u:\n", GS_LABEL(w->s), number);
    fprintf(w->cold, "    after = c->after;\n    target = c->block;\n    goto v_%08x%s_%u;\n",
            GS_LABEL(w->s), number);
}

/* What comes back from a call. */
static void put_back(gs_writer *w, const gs_way *way)
{
    const unsigned number = (unsigned)(way - w->s->ways);
    const gs_stretch *back = gs_code_at(w->code, way->back);
    if (!back) {
        fputs("    return result;\n", w->to);
        return;
    }
    w->spills.stretches[back - w->code->stretches].entered = true;
    const uint32_t usual = w->options->timing ? back->usual->known[0].state->number : 0;
    fprintf(w->to,
            "    if (UNLIKELY(result != PLACE(0x%xu, 0x%xu)) || IS_ASTRAY())\n"
            "        goto r_%08x%s_%u;\n    BACK();\n",
            way->back, usual, GS_LABEL(w->s), number);
    if (w->options->paths)
        fprintf(w->to, "    CAME(c->last, %d);\n", GS_ARRIVAL_ONWARDS);
    if (w->options->paths && back->loop)
        put_arrival(way, back, false, false, w->to);
    if (*gs_writer_state_of(w, back) != '0')
        fputs("    state = 0;\n", w->to);
    fprintf(w->to, "    goto s_%08x%s;\n", GS_LABEL(back));
    fprintf(
        w->cold,
        "r_%08x%s_%u:\n    if ((uint32_t)result != 0x%xu || IS_ASTRAY())\n        return result;\n"
        "    BACK();\n    after = (uint32_t)(result >> 32);\n    goto e_%08x%s;\n",
        GS_LABEL(w->s), number, way->back, GS_LABEL(back));
}

/* What has been written when a way is taken, and where it leads. */
static void note_spills(gs_writer *w, unsigned number, const gs_stretch *goal)
{
    const gs_way *way = &w->s->ways[number];
    struct gs_stretch_spills *spills = &w->spills.stretches[w->s - w->code->stretches];
    spills->ways[number] = w->written;
    spills->goals[number] = goal ? (int)(goal - w->code->stretches)
                            : way->kind == GS_WAY_INDIRECT && way->flow == GS_FLOW_JUMP_INDIRECT
                                ? GS_SPILLS_ANYWHERE
                                : GS_SPILLS_NOWHERE;
}

static void put_way(gs_writer *w, unsigned number)
{
    const gs_way *way = &w->s->ways[number];
    put_fetch(w, way->fetch);
    put_strays(w, way->stray);
    if (way->taken >= 0)
        put_guess(w, &w->s->steps[way->taken], true);
    const gs_stretch *goal = way->kind != GS_WAY_ONWARD ? NULL
                             : w->options->timing       ? w->s->usual->ways[number].goal
                                                        : gs_code_at(w->code, way->goal);
    note_spills(w, number, goal);
    if (goal) {
        put_local_way(w, way, goal);
        return;
    }
    put_way_out(w, way);
    char set[32];
    snprintf(set, sizeof set, "W_%08x%s_%u", GS_LABEL(w->s), number);
    const gs_code *other = gs_way_is_indirect(way) ? NULL : function_with(w, way->goal);
    switch (way->kind) {
    case GS_WAY_CALL:
        if (other)
            fprintf(w->to, "    CALL(to_%08x, 0x%xu, %s);\n", other->low, way->goal, set);
        else
            fprintf(w->to, "    CALL(call_entry, 0x%xu, %s);\n", way->goal, set);
        put_back(w, way);
        break;
    case GS_WAY_CALL_INDIRECT:
        fprintf(w->to, "    CALL(call_entry, goal, %s);\n", set);
        put_back(w, way);
        break;
    case GS_WAY_INDIRECT:
        if (way->flow == GS_FLOW_JUMP_INDIRECT)
            fputs("    pc = goal;\n    goto enter;\n", w->to);
        else
            fprintf(w->to, "    SPILL(%s);\n    pc = goal;\n    goto out;\n", set);
        break;
    case GS_WAY_STOP:
        fprintf(w->to, "    SPILL(%s);\n    pc = 0x%xu;\n    goto out;\n", set, way->goal);
        break;
    default:
        if (other)
            fprintf(w->to, "    GO(to_%08x, 0x%xu, %s);\n", other->low, way->goal, set);
        else if (way->goal >= w->code->low && way->goal < w->code->high) /* it is cold */
            fprintf(w->to, "    SPILL(%s);\n    pc = 0x%xu;\n    goto out;\n", set, way->goal);
        else
            fprintf(w->to, "    GO(call_entry, 0x%xu, %s);\n", way->goal, set);
    }
}

/* The text between the parentheses of the one macro a jump's column consists of. */
static const char *argument_of(const char *text, size_t *length)
{
    const char *open = strchr(text, '(') + 1;
    *length = (size_t)(strrchr(text, ')') - open);
    return open;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void put_condition(gs_writer *w, const gs_step *step, const char *text)
{
    size_t length;
    const char *argument = argument_of(text, &length);
    fputs("    condition = ", w->to);
    gs_writer_put_column(w, step, argument, length);
    fputs(";\n", w->to);
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
    const char *text = gs_semantics(w->isa, step->insn.op);
    const unsigned way = way_of(w, number);
    const bool conditional = strstr(text, "_IF(") != NULL;
    const bool links = begins(text, "LINK_");
    const bool slots = w->isa->delay_slots > 0;
    const bool indirect = gs_way_is_indirect(&w->s->ways[way]);

    put_guard(w, step);
    if (conditional) {
        put_condition(w, step, text);
    } else if (indirect) {
        size_t length;
        const char *argument = argument_of(text, &length);
        fputs("    goal = ", w->to);
        gs_writer_put_column(w, step, argument, length);
        fputs(";\n", w->to);
        if (!slots) {
            fprintf(w->to, "    if (UNLIKELY(goal & CODE_ALIGN))\n        goto ");
            gs_writer_put_leave(w);
            fputs(";\n", w->to);
        }
    }
    if (links) {
        fputs("    ", w->to);
        gs_writer_put_register(w, step->insn.rd, true);
        fprintf(w->to, " = 0x%xu;\n", step->pc + (slots ? 8u : step->insn.length));
    }
    const bool drops = w->isa->drops_slot && w->isa->drops_slot(&step->insn);
    if (slots && !drops)
        put_slot(w, step + 1);
    if (conditional)
        fputs("    if (condition) {\n", w->to);
    const gs_float_use use = w->float_use;
    if (drops) {
        put_slot(w, step + 1);
        w->float_use = use; /* the other way has not come by */
    }
    put_way(w, way);
    if (conditional)
        fputs("    }\n", w->to);
    put_strays(w, step->stray);
    if (conditional)
        put_guess(w, step, false);
    if (drops)
        put_way(w, way - 1);
    return slots ? 2 : 1;
}

static bool is_jump(const gs_writer *w, const gs_step *step)
{
    uint64_t goal;
    return w->isa->flow(&step->insn, step->pc, &goal) != GS_FLOW_NEXT;
}

/* Control comes from outside, or from a jump whose goal the code does not say. */
static void put_entrance(gs_writer *w)
{
    const gs_stretch *s = w->s;
    fprintf(w->cold, "e_%08x%s:\n", GS_LABEL(s));
    if (!w->options->paths)
        return;
    fputs("    CAME(c->last, c->arrival);\n", w->cold);
    for (unsigned i = 0; i < s->around_count; i++) {
        fprintf(w->cold, "    RESUME(0x%xu, %u, ", s->pc, s->around[i]->loop - 1);
        put_counter(s->around[i], w->cold);
        fputs(");\n", w->cold);
    }
    if (!s->loop)
        return;
    fprintf(w->cold, "    ARRIVE(%u, ", s->loop - 1);
    put_counter(s, w->cold);
    fputs(");\n", w->cold);
}

/* Into a stretch, in any of its known states but the first. */
static void put_known_entries(gs_writer *w, const gs_stretch *s)
{
    const gs_usual *usual = s->usual;
    for (unsigned i = 1; usual->has_room && i < usual->known_count; i++)
        fprintf(w->cold, "    ENTER_KNOWN(0x%xu, %u, INT64_C(%lld), %u, s_%08x%s);\n",
                usual->known[i].state->number, i,
                (long long)usual->known[i].cycles * (long long)GS_FAST_CYCLE, usual->skip + i - 1,
                GS_LABEL(s));
}

/* Into a stretch, in the state `after`. */
static void put_entry(gs_writer *w, const gs_stretch *s)
{
    put_entrance(w);
    if (w->options->timing) {
        const gs_usual *usual = s->usual;
        fprintf(w->cold, "    state = 0;\n    ENTER_FIRST(0x%xu, s_%08x%s);\n",
                usual->known[0].state->number, GS_LABEL(s));
        put_known_entries(w, s);
        for (size_t i = w->code->count; i < w->code->count + w->code->twins; i++) {
            const gs_stretch *twin = &w->code->stretches[i];
            if (twin->pc != s->pc || s->twin)
                continue;
            fprintf(w->cold, "    ENTER_FIRST(0x%xu, s_%08x%s);\n",
                    twin->usual->known[0].state->number, GS_LABEL(twin));
            put_known_entries(w, twin);
        }
        if (usual->has_room)
            fprintf(w->cold, "    ENTER_AGAIN(%u, %u, s_%08x%s);\n", usual->entered, usual->skip,
                    GS_LABEL(s));
        fprintf(w->cold, "    ENTER(%u);\n", gs_writer_number_of(w, s));
    }
    fprintf(w->cold, "    goto s_%08x%s;\n", GS_LABEL(s));
}

static void put_stretch(gs_writer *w, const gs_stretch *s)
{
    w->s = s;
    if (w->options->explain)
        gs_automaton_explain(w->options->explain, s, w->to);
    memset(w->leaves, 0, sizeof w->leaves);
    w->float_use = GS_FLOAT_NONE;
    w->leave = 0;
    w->written = (gs_registers){{0}};
    fprintf(w->to, "#undef HERE\n#define HERE IN(%u, %s)\ns_%08x%s:\n", gs_writer_number_of(w, s),
            gs_writer_state_of(w, s), GS_LABEL(s));
    if (s->line_count > 0)
        fprintf(w->to, "    BEGIN(%u);\np_%08x%s:\n", gs_writer_number_of(w, s), GS_LABEL(s));
    for (unsigned i = 0; i < s->step_count;) {
        const gs_step *step = &s->steps[i];
        w->leave = i;
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
    const gs_way *last = &s->ways[s->way_count - 1];
    if (last->taken < 0)
        put_way(w, s->way_count - 1u);
    for (unsigned i = 0; i < s->step_count; i++) {
        if (w->leaves[i])
            fprintf(w->cold,
                    "l_%08x%s_%u:\n%s    LEAVE(%u, %s, %u, 0x%xu);\n    goto LEFT(S_%08x%s);\n",
                    GS_LABEL(s), i,
                    w->options->paths && i == 0 ? "    GOING(last, arrival);\n" : "",
                    gs_writer_number_of(w, s), gs_writer_state_of(w, s), i, s->steps[i].pc,
                    GS_LABEL(s));
    }
    w->spills.stretches[s - w->code->stretches].whole = w->written;
}

/* The formats get a register's name and place, for integers and for floats. */
static void put_list(gs_writer *w, const gs_registers *which, const char *format,
                     const char *float_format)
{
    char name[16];
    for (unsigned i = 1; i < GS_REGISTERS; i++) {
        if (i == GS_SINK || !gs_registers_have(which, i))
            continue;
        if (i < GS_FLOATS)
            fprintf(w->to, format, gs_writer_register_name(i, name), i);
        else
            fprintf(w->to, float_format, gs_writer_register_name(i, name), i - GS_FLOATS);
    }
}

static unsigned stack_pointer(const gs_writer *w)
{
    return w->isa->arch == GS_ARCH_RV32 ? 2 : 29;
}

/* What is to be put back, as SPILL(set), and which set it is for each stretch and way. */
static void put_spills(gs_writer *w)
{
    fputc('\n', w->to);
    for (size_t i = 0; i < w->spills.sets.count; i++) {
        fprintf(w->to, "#undef SPILL_%1$zu\n#define SPILL_%1$zu() ((void)0", i);
        put_list(w, &w->spills.sets.items[i], ", c->x[%2$u] = %1$s", ", c->f[%2$u] = %1$s");
        if (gs_writer_minds_stores(w))
            fputs(", c->stores[0] = store0, c->stores[1] = store1", w->to);
        fputs(")\n", w->to);
    }
    for (size_t i = 0; i < w->spills.count; i++) {
        const gs_stretch *s = &w->code->stretches[i];
        const struct gs_stretch_spills *spills = &w->spills.stretches[i];
        fprintf(w->to, "#define S_%08x%s %d\n", GS_LABEL(s), spills->whole_set);
        for (unsigned k = 0; k < s->way_count; k++)
            fprintf(w->to, "#define W_%08x%s_%u %d\n", GS_LABEL(s), k, spills->sets[k]);
    }
}

/* The variables a function has. */
static void put_variables(gs_writer *w)
{
    put_list(w, &w->used, "    uint32_t %1$s = c->x[%2$u];\n", "    uint64_t %1$s = c->f[%2$u];\n");
    if (gs_writer_minds_stores(w))
        fputs("    uint64_t store0 = c->stores[0], store1 = c->stores[1];\n", w->to);
    if (w->options->paths)
        fputs("    gs_fast_block *block = target;\n    uint32_t last = 0, arrival = 0;\n"
              "    uintptr_t callee = 0;\n",
              w->to);
    else
        fprintf(w->to, "    gs_fast_block *const block = c->blocks[%u];\n",
                w->options->first_function + (unsigned)(w->code - w->codes));
    fputs("    gs_fast_edge *edge = NULL;\n    uint32_t sink = 0, goal = 0, state = 0;\n    int "
          "condition = 0;\n"
          "    uint64_t cost = c->cost, result = 0;\n"
          "    uint8_t *const bytes = c->bytes;\n\n",
          w->to);
}

static void put_entry_to(gs_writer *w, const gs_stretch *s)
{
    fprintf(w->to, "%sgoto e_%08x%s;\n", w->options->paths ? "{ block = target; " : "",
            GS_LABEL(s));
    fputs(w->options->paths ? "    }\n" : "", w->to);
}

/* Control comes in at `pc`, mostly at the start. */
static void put_entries(gs_writer *w)
{
    const gs_stretch *start = gs_code_at(w->code, w->code->low);
    fputs("enter:\n", w->to);
    if (start && start->entry) {
        fprintf(w->to, "    if (LIKELY(pc == 0x%xu))\n    ", start->pc);
        put_entry_to(w, start);
    }
    fputs("    switch (pc) {\n", w->to);
    for (size_t i = 0; i < w->code->count; i++) {
        const gs_stretch *s = &w->code->stretches[i];
        if (s->entry && s != start) {
            fprintf(w->to, "    case 0x%xu: ", s->pc);
            put_entry_to(w, s);
        }
    }
    fprintf(w->to, "    default: GO(call_entry, pc, %d);\n    }\n", w->spills.anywhere_set);
}

/* And out. */
static void put_exits(gs_writer *w)
{
    for (size_t i = 0; i < w->spills.sets.count; i++)
        fprintf(w->to,
                "left_%1$zu:\n    SPILL(%1$zu);\n    goto left;\n"
                "stopped_%1$zu:\n    SPILL(%1$zu);\n    goto stopped;\n"
                "moved_%1$zu:\n    SPILL(%1$zu);\n    goto moved;\n",
                i);
    fprintf(w->to, "refused:\n    SAVE();\n    c->after = after;\n    goto stopped_%d;\n",
            w->spills.anywhere_set);
    fputs("left:\n    SAVE();\n    return GS_FAST_LEFT;\n"
          "stopped:\n    return GS_FAST_STOPPED;\n"
          "moved:\n    SAVE();\n    return PLACE(c->pc, c->after);\n"
          "out:\n    (void)sink, (void)goal, (void)condition, (void)bytes, (void)state;\n"
          "    (void)edge, (void)block, (void)result, (void)target;\n"
          "    SAVE();\n    return PLACE(pc, after);\n}\n",
          w->to);
}

static void put_header(gs_writer *w)
{
    put_spills(w);
    fputs("#undef RELOAD\n#define RELOAD() ((void)0", w->to);
    put_list(w, &w->used, ", %1$s = c->x[%2$u]", ", %1$s = c->f[%2$u]");
    if (gs_writer_minds_stores(w))
        fputs(", store0 = c->stores[0], store1 = c->stores[1]", w->to);
    const gs_function *f = gs_image_function_at(w->options->machine->image, w->code->low);
    fprintf(w->to,
            ")\n/* %s */\nuint64_t f_%08x(gs_fast *c, uint32_t pc, uint32_t after, gs_fast_block "
            "*target)"
            "\n{\n",
            f ? f->name : "code without a name", w->code->low);
}

/* The body comes first, to know which registers it uses. */
static void put_function(gs_writer *w, const gs_code *code)
{
    char *body = NULL, *cold = NULL;
    size_t size = 0, cold_size = 0;
    FILE *to = w->to, *buffer = open_memstream(&body, &size);
    w->cold = open_memstream(&cold, &cold_size);
    bool ok = gs_spills_open(&w->spills, code->count + code->twins) && buffer && w->cold;
    w->used = (gs_registers){{0}};
    w->code = code;
    w->to = buffer;
    if (w->options->paths)
        gs_registers_add(&w->used, stack_pointer(w));
    for (size_t i = 0; ok && i < code->count + code->twins; i++)
        put_stretch(w, &code->stretches[i]);
    for (size_t i = 0; ok && i < code->count; i++) {
        w->s = &code->stretches[i];
        if (w->s->entry || w->spills.stretches[i].entered)
            put_entry(w, w->s);
    }
    if (buffer)
        fclose(buffer);
    if (w->cold)
        fclose(w->cold);
    w->base += (unsigned)(code->count + code->twins);
    w->to = to;
    if (ok && gs_spills_solve(&w->spills, code)) { /* or else the compiler will not find it */
        put_header(w);
        put_variables(w);
        put_entries(w);
        fwrite(body, 1, size, to);
        fwrite(cold, 1, cold_size, to);
        put_exits(w);
    }
    gs_spills_close(&w->spills);
    free(body);
    free(cold);
}

/* A file of ours, without the others it includes: those have gone before. */
static void put_embedded(gs_writer *w, const char *kind, const char *name)
{
    const gs_embedded *file = gs_embedded_find(kind, name);
    const char *end = file->text + file->size, *next;
    for (const char *line = file->text; line < end; line = next) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        next = feed ? feed + 1 : end;
        if (strncmp(line, "#include \"", 10) != 0)
            fwrite(line, 1, (size_t)(next - line), w->to);
    }
}

/* They are called by their names, which softfloat.h has declared. */
static void put_helpers(gs_writer *w)
{
    static const struct {
        const char *name;
        bool hosted;
    } helpers[] = {
#define HELPER(name) {#name, false},
#define HOSTED(name) {#name, true},
#include "engine/fast/helpers.def"
    };
    const size_t count = sizeof helpers / sizeof *helpers;
    fputs("\nstruct gs_fast_helpers {\n", w->to);
    for (size_t i = 0; i < count; i++)
        fprintf(w->to, "    __typeof__(%1$s) *%1$s;\n", helpers[i].name);
    fputs("};\n", w->to);
    for (size_t i = 0; i < count; i++)
        fprintf(w->to,
                helpers[i].hosted ? "#define %1$s(fp_, a_, b_) HOSTED(%1$s, fp_, a_, b_)\n"
                                  : "#define %1$s (*c->helpers->%1$s)\n",
                helpers[i].name);
}

static void put_prelude(gs_writer *w)
{
    const gs_timing *timing = w->options->timing;
    const gs_machine *machine = w->options->machine;
    const gs_fast_layout *l = &w->layout;
    put_embedded(w, "fast", "runtime");
    fprintf(w->to, "\n#define GUEST_BIG_ENDIAN %d\n", machine->memory.big_endian);
    fprintf(w->to, "#define D_SHIFT %u\n#define D_NOTES 0x%xu\n",
            l->dcached ? timing->dcache.line_shift : (unsigned)GS_PAGE_SHIFT,
            (unsigned)(l->dcached ? GS_MEMORY_LINES : GS_MEMORY_PAGES));
    fprintf(w->to, "#define D_DIRECT %d\n", l->dcached && timing->dcache.ways == 1);
    if (l->icached)
        fprintf(w->to, "#define I_SHIFT %u\n#define I_SETS %uu\n", timing->icache.line_shift,
                l->icache_sets);
    if (timing && timing->predictor.counters) {
        const gs_predictor *p = &timing->predictor;
        fprintf(w->to, "#define G_MASK 0x%xu\n#define G_HISTORY 0x%xu\n", p->counter_mask,
                p->history_mask);
        fprintf(w->to, "#define G_MAX %u\n#define G_FROM %u\n#define G_WRONG %d\n", p->counter_max,
                p->taken_from, GS_GUESS_WRONG ^ GS_GUESS_RIGHT);
    }
    fprintf(w->to, "#define FIRST %u\n", w->options->first);
    char name[16];
    fprintf(w->to, "#define PATHS %d\n#define SP %s\n", w->options->paths,
            gs_writer_register_name(stack_pointer(w), name));
    fprintf(w->to, "#define CODE_ALIGN %uu\n", gs_code_align(machine));
    put_embedded(w, "base", "softfloat");
    put_embedded(w, "base", "softfloat_host");
    put_helpers(w);
    if (w->isa->arch == GS_ARCH_RV32)
        put_embedded(w, "rv", "rv_ops");
    else {
        put_embedded(w, "mips", "mips_float");
        put_embedded(w, "mips", "mips_ops");
    }
    put_embedded(w, "fast", "prelude");
    if (!timing)
        put_embedded(w, "fast", "untimed");
}

/* Who calls a function that is not in use any more has to ask for the one that is. */
static void put_forget(gs_writer *w)
{
    fputs("\nvoid forget(uint32_t function)\n{\n    switch (function) {\n", w->to);
    for (size_t i = 0; i < w->code_count; i++)
        fprintf(w->to, "    case 0x%1$xu: to_%1$08x = call_entry; break;\n", w->codes[i].low);
    fputs("    }\n}\n", w->to);
}

void gs_translate(FILE *to, const gs_translation_options *options, const gs_code *codes,
                  size_t count)
{
    gs_writer w = {
        .to = to,
        .options = options,
        .isa = options->machine->isa,
        .layout = gs_fast_layout_of(options->timing),
        .codes = codes,
        .code_count = count,
    };
    if (options->for_people)
        (void)gs_disassembler_open(&w.disassembler, w.isa, NULL); /* without it goes, too */
    put_prelude(&w);
    fputc('\n', to);
    for (size_t i = 0; i < count; i++)
        fprintf(to,
                "gs_fast_function f_%1$08x;\n"
                "static gs_fast_function *to_%1$08x = f_%1$08x;\n",
                codes[i].low);
    put_forget(&w);
    for (size_t i = 0; i < count; i++)
        put_function(&w, &codes[i]);
    gs_disassembler_free(w.disassembler);
}
