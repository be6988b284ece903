/*
 * Accesses that are checked together, by the first of them.
 *
 * Without a cache, all there is to check is whether an access's page may be accessed. Of accesses
 * by the same register that are not far from each other, all may be done if the lowest and the
 * highest byte of the range may be accessed. If not, the superblock is only left a little earlier.
 *
 * With a cache, nothing else may happen to the cache between the first access and the last: then
 * looking all of them up at the first makes no difference. Of those by the same register it is
 * enough to check some: if two are not further apart than a line is long, each address between them
 * is in the line of the one or of the other.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/fast/translate/writer.h"

enum { FAR = 64, MANY = 16 };

/* Whether an access is always executed, and neither fetch nor an earlier store affects its
 * outcome. */
static bool is_plain(const gs_writer *w, unsigned number)
{
    const gs_step *step = &w->s->steps[number];
    const gs_step *before = number > 0 ? step - 1 : NULL;
    const bool dropped = before && gs_op_may(w->isa, before->insn.op, GS_EFFECT_DROPS_SLOT);
    return gs_op_may(w->isa, step->insn.op, GS_EFFECT_OFFSET) && step->overlap < 0 &&
           step->wrong_path < 0 && !gs_writer_minds_stores(w) && !dropped;
}

static bool writes(const gs_writer *w, const gs_step *step, unsigned reg)
{
    const gs_operands operands = w->isa->operands(&step->insn);
    return operands.target[0] == reg || operands.target[1] == reg;
}

static unsigned need_of(const gs_writer *w, const gs_step *step)
{
    return gs_op_may(w->isa, step->insn.op, GS_EFFECT_STORES) ? GS_FAST_STORE : GS_FAST_LOAD;
}

/* Extends the range by an access. False: it is too far away, or not aligned like the others. */
static bool extend(const gs_writer *w, gs_range *range, const gs_step *step)
{
    const int32_t offset = (int32_t)step->insn.imm, low = offset < range->low ? offset : range->low;
    const int32_t end = offset + step->access, high = range->low + range->span;
    const uint8_t size = step->access > range->size ? step->access : range->size;
    const int32_t span = (end > high ? end : high) - low;
    if (span > FAR || (offset - low) % step->access != 0 || (range->low - low) % range->size != 0)
        return false;
    range->low = low;
    range->span = (uint8_t)span;
    range->size = size;
    range->need |= (uint8_t)need_of(w, step);
    return true;
}

/* Whether control may leave the superblock before an instruction, or by it. */
static bool may_leave(const gs_writer *w, const gs_step *step)
{
    uint64_t goal;
    return w->isa->flow(&step->insn, step->pc, &goal) != GS_FLOW_NEXT ||
           gs_op_may(w->isa, step->insn.op, GS_EFFECT_TRAPS | GS_EFFECT_FLOAT);
}

static bool is_cached(const gs_writer *w, unsigned number)
{
    const gs_step *step = &w->s->steps[number];
    return is_plain(w, number) && step->access <= 4 && !may_leave(w, step) &&
           (step->data >= 0 || step->pass >= 0);
}

static bool is_aligned_like(const gs_step *step, const gs_step *other)
{
    return step->access == other->access &&
           ((int32_t)step->insn.imm - (int32_t)other->insn.imm) % step->access == 0;
}

/* Whether no instruction in [from, until) writes a register. */
static bool keeps(const gs_writer *w, unsigned from, unsigned until, unsigned reg)
{
    for (unsigned i = from; i < until; i++) {
        if (writes(w, &w->s->steps[i], reg))
            return false;
    }
    return true;
}

/* Whether an access can be looked up together with those before it. Loads may use two base
 * registers; stores that go through have to be of words; and a store to the address of the
 * group's one load finds the line present. */
static bool joins(const gs_writer *w, const gs_range *group, unsigned first, unsigned number)
{
    const gs_step *step = &w->s->steps[number], *before = &w->s->steps[first];
    const bool same = step->insn.rs1 == before->insn.rs1;
    if (!is_cached(w, number) || !keeps(w, first, number, step->insn.rs1))
        return false;
    if (need_of(w, step) != group->need)
        return group->count == 1 && group->need == GS_FAST_LOAD && same &&
               step->access == before->access && step->insn.imm == before->insn.imm;
    if (group->need == GS_FAST_STORE)
        return same && is_aligned_like(step, before) && (step->access == 4 || step->pass < 0);
    if (same)
        return is_aligned_like(step, before);
    return step->access == before->access &&
           (!group->other ||
            (step->insn.rs1 == group->other->insn.rs1 && is_aligned_like(step, group->other)));
}

/* Accesses that are looked up together, from `first` on. None of them is in a delay slot: there
 * would be a jump before it. */
static void find_group(gs_writer *w, unsigned first)
{
    const gs_step *steps = w->s->steps;
    gs_range group = {.known = true, .need = (uint8_t)need_of(w, &steps[first]), .count = 1};
    for (unsigned k = first + 1; k < w->s->step_count && group.count < MANY; k++) {
        if (may_leave(w, &steps[k]) || (steps[k].access && !joins(w, &group, first, k)))
            break;
        if (!steps[k].access)
            continue;
        w->ranges[k].known = true;
        group.count++;
        if (steps[k].insn.rs1 != steps[first].insn.rs1 && !group.other)
            group.other = &steps[k];
        if (need_of(w, &steps[k]) != group.need) {
            group.need = GS_FAST_STORE;
            break;
        }
    }
    if (group.count > 1)
        w->ranges[first] = group;
}

static void find_groups(gs_writer *w)
{
    for (unsigned i = 0; i < w->s->step_count; i++) {
        if (!w->ranges[i].known && is_cached(w, i) &&
            (i == 0 || !w->isa->delay_slots || !may_leave(w, &w->s->steps[i - 1])))
            find_group(w, i);
    }
}

void gs_writer_find_ranges(gs_writer *w)
{
    const gs_superblock *s = w->s;
    memset(w->ranges, 0, sizeof w->ranges);
    if (w->layout.dcached) {
        find_groups(w);
        return;
    }
    for (unsigned i = 0; i < s->step_count; i++) {
        gs_range *range = &w->ranges[i];
        if (range->known || !is_plain(w, i))
            continue;
        const gs_step *first = &s->steps[i];
        *range = (gs_range){.known = true,
                            .span = first->access,
                            .size = first->access,
                            .need = (uint8_t)need_of(w, first),
                            .low = (int32_t)first->insn.imm};
        for (unsigned k = i + 1; k < s->step_count && !writes(w, &s->steps[k - 1], first->insn.rs1);
             k++) {
            if (!w->ranges[k].known && is_plain(w, k) && s->steps[k].insn.rs1 == first->insn.rs1)
                w->ranges[k].known = extend(w, range, &s->steps[k]);
        }
    }
}

static int by_size(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The offsets of a group's accesses by one base register, from the lowest on. Returns how many. */
static unsigned sort_offsets(const gs_step *step, unsigned count, unsigned reg, int32_t *offsets)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; step++) {
        if (step->access && step->insn.rs1 == reg)
            offsets[found++] = (int32_t)step->insn.imm;
        i += step->access > 0;
    }
    qsort(offsets, found, sizeof *offsets, by_size);
    return found;
}

/* The notes to test: of the lowest offset, and then each time of the highest that leaves no line
 * out. */
static void put_notes(gs_writer *w, const gs_step *step, unsigned count, unsigned reg,
                      const char *first, const char *more)
{
    const int32_t line = (int32_t)1 << w->options->timing->dcache.line_shift;
    int32_t offsets[MANY];
    const unsigned found = sort_offsets(step, count, reg, offsets);
    fprintf(w->to, "%s(%d)", first, (int)offsets[0]);
    for (unsigned i = 0; i + 1 < found;) {
        unsigned next = i + 1;
        while (next + 1 < found && offsets[next + 1] - offsets[i] <= line)
            next++;
        if (offsets[next] != offsets[i])
            fprintf(w->to, " %s(%d)", more, (int)offsets[next]);
        i = next;
    }
}

/* The actions of a group's stores if not all of them are to lines that are present: makes sure
 * that none needs a stub, and then counts those that pass. */
static void put_passing(gs_writer *w, const gs_step *first, unsigned count)
{
    const gs_step *step = first;
    fprintf(w->to, ", %u,", gs_predict_pass_cell(w->s, (unsigned)(first - w->s->steps)));
    for (unsigned i = 0; i < count; step++) {
        if (step->access)
            fprintf(w->to, " MAY_PASS(%d)", (int)step->insn.imm);
        i += step->access > 0;
    }
    fputc(',', w->to);
    step = first;
    for (unsigned i = 0; i < count; step++) {
        if (step->access)
            fprintf(w->to, " PASSES(%d, %u)", (int)step->insn.imm, i);
        i += step->access > 0;
    }
}

/* The index of an access among those of a superblock. */
static unsigned nth_access(const gs_superblock *s, const gs_step *of)
{
    unsigned nth = 0;
    for (const gs_step *step = s->steps; step < of; step++)
        nth += step->access > 0;
    return nth;
}

static void put_group(gs_writer *w, const gs_step *step, const gs_range *group)
{
    const unsigned count = group->count;
    const bool passes = step->pass >= 0;
    fprintf(w->to, "    %s(%s, %u, %u, %u, %u, ",
            passes         ? "GROUP_PASSING"
            : group->other ? "GROUP_OF_TWO"
                           : "GROUP",
            group->need == GS_FAST_STORE ? "STORE" : "LOAD", step->access, w->leave, count,
            nth_access(w->s, step));
    gs_writer_put_noted_leave(w);
    fputs(", ", w->to);
    gs_writer_put_register(w, step->insn.rs1, false);
    if (group->other) {
        fputs(", ", w->to);
        gs_writer_put_register(w, group->other->insn.rs1, false);
    }
    fputs(", ", w->to);
    put_notes(w, step, count, step->insn.rs1, "FIRST_NOTE", "MORE_NOTES");
    if (group->other)
        put_notes(w, step, count, group->other->insn.rs1, " OTHER_NOTES", "OTHER_NOTES");
    if (passes)
        put_passing(w, step, count);
    fputs(");\n", w->to);
}

void gs_writer_put_range(gs_writer *w, const gs_step *step)
{
    const gs_range *range = &w->ranges[step - w->s->steps];
    if (range->count > 0)
        put_group(w, step, range);
    if (range->span == 0)
        return;
    fprintf(w->to, "    RANGE(%u, ", w->leave);
    gs_writer_put_noted_leave(w);
    fputs(", ", w->to);
    gs_writer_put_register(w, step->insn.rs1, false);
    fprintf(w->to, " + 0x%xu, %u, %u, %u);\n", (unsigned)range->low, range->span, range->size,
            range->need);
}
