#include <string.h>

#include "engine/fast/writer.h"

/*
 * Where no cache is minded, all there is to know of an access is whether its page may be accessed.
 * Accesses of a stretch by the same register, not far from each other, are looked at together, by
 * the first of them: if the lowest and the highest byte of the range may be accessed, all may. One
 * that may not only means that the stretch is left a little earlier.
 */
enum { FAR = 64 };

/* Whether fetch or a store before make a difference to it, or it is not executed always. */
static bool is_plain(const gs_writer *w, unsigned number)
{
    const gs_step *step = &w->s->steps[number];
    const gs_step *before = number > 0 ? step - 1 : NULL;
    const bool dropped = before && w->isa->drops_slot && w->isa->drops_slot(&before->insn);
    return step->access && gs_semantics_has_offset(w->isa, step->insn.op) && step->overlap < 0 &&
           step->stray < 0 && !gs_writer_minds_stores(w) && !dropped;
}

static bool writes(const gs_writer *w, const gs_step *step, unsigned reg)
{
    const gs_operands operands = w->isa->operands(&step->insn);
    return operands.target[0] == reg || operands.target[1] == reg;
}

static unsigned need_of(const gs_writer *w, const gs_step *step)
{
    const unsigned class = w->isa->ops[step->insn.op].timing;
    return class == GS_CLASS_STORE || class == GS_CLASS_FP_STORE ? GS_FAST_STORE : GS_FAST_LOAD;
}

/* The range with one more access. False: it is too far away, or not aligned like the others. */
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

void gs_writer_find_ranges(gs_writer *w)
{
    const gs_stretch *s = w->s;
    memset(w->ranges, 0, sizeof w->ranges);
    if (w->layout.dcached)
        return;
    for (unsigned i = 0; i < s->step_count; i++) {
        gs_range *range = &w->ranges[i];
        if (range->known || !is_plain(w, i))
            continue;
        const gs_step *first = &s->steps[i];
        *range = (gs_range){true, first->access, first->access, (uint8_t)need_of(w, first),
                            (int32_t)first->insn.imm};
        for (unsigned k = i + 1; k < s->step_count && !writes(w, &s->steps[k - 1], first->insn.rs1);
             k++) {
            if (!w->ranges[k].known && is_plain(w, k) && s->steps[k].insn.rs1 == first->insn.rs1)
                w->ranges[k].known = extend(w, range, &s->steps[k]);
        }
    }
}

void gs_writer_put_range(gs_writer *w, const gs_step *step)
{
    const gs_range *range = &w->ranges[step - w->s->steps];
    if (range->span == 0)
        return;
    fprintf(w->to, "    RANGE(%u, ", w->leave);
    gs_writer_put_noted_leave(w);
    fputs(", ", w->to);
    gs_writer_put_register(w, step->insn.rs1, false);
    fprintf(w->to, " + 0x%xu, %u, %u, %u);\n", (unsigned)range->low, range->span, range->size,
            range->need);
}
