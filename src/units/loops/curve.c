/* Sorts regions of code by their time. */
#include "units/loops/curve.h"

#include <stdlib.h>

#include "base/vec.h"

/* The smallest loop around an instruction, or NULL. Loops are few. */
static const gs_loops_truth *innermost(const gs_loops_truths *loops, uint32_t pc)
{
    const gs_loops_truth *best = NULL;
    for (size_t i = 0; i < loops->count; i++) {
        const gs_loops_truth *loop = &loops->items[i];
        if (pc >= loop->target && pc <= loop->address &&
            (!best || loop->address - loop->target < best->address - best->target))
            best = loop;
    }
    return best;
}

static int by_cycles(const void *a, const void *b)
{
    const gs_curve_point *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    return (x->address > y->address) - (x->address < y->address);
}

static uint64_t code_size(const gs_image *image)
{
    uint64_t sum = 0;
    for (size_t i = 0; image && i < gs_image_function_count(image); i++) {
        const gs_function *function = gs_image_function(image, i);
        sum += function->end - function->start;
    }
    return sum;
}

bool gs_curve_find(gs_curve *out, const gs_truth *truth, const gs_loops_truths *loops)
{
    *out = (gs_curve){.bytes = code_size(truth->image),
                      .cycles = truth->total.value[GS_METRIC_CYCLES]};
    for (size_t i = 0; i < loops->count; i++) {
        gs_curve_point point = {.address = loops->items[i].address};
        if (!gs_vec_push(out, point)) {
            free(out->items);
            return false;
        }
    }
    for (size_t i = 0; i < truth->insn_count; i++) {
        const gs_truth_insn *insn = &truth->insns[i];
        const gs_loops_truth *loop = innermost(loops, insn->pc);
        if (!loop)
            continue;
        gs_curve_point *point = &out->items[loop - loops->items];
        point->bytes += insn->insn.length;
        point->cycles += insn->cost.value[GS_METRIC_CYCLES];
    }
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, by_cycles);
    for (size_t i = 1; i < out->count; i++) {
        out->items[i].bytes += out->items[i - 1].bytes;
        out->items[i].cycles += out->items[i - 1].cycles;
    }
    return true;
}
