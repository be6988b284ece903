/* Computes SOD, the measure of a loop detector's error. */
#include "units/loops/score.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"

static int by_frequency(const void *a, const void *b)
{
    const gs_loops_truth *x = a, *y = b;
    if (x->taken != y->taken)
        return x->taken < y->taken ? 1 : -1;
    return (x->address > y->address) - (x->address < y->address);
}

static uint64_t cycles_between(const gs_truth *truth, uint32_t first, uint32_t last)
{
    uint64_t sum = 0;
    for (size_t i = gs_truth_find(truth, first);
         i < truth->insn_count && truth->insns[i].pc <= last; i++)
        sum += truth->insns[i].cost.value[GS_METRIC_CYCLES];
    return sum;
}

bool gs_loops_find_truth(gs_loops_truths *out, const gs_truth *truth, const gs_isa *isa,
                         uint32_t distance)
{
    *out = (gs_loops_truths){0};
    for (size_t i = 0; i < truth->insn_count; i++) {
        const gs_truth_insn *insn = &truth->insns[i];
        gs_loops_truth loop = {.address = insn->pc, .taken = insn->taken};
        if (insn->taken == 0 || insn->insn.op == GS_OP_ILLEGAL ||
            !gs_loops_is_candidate(isa, &insn->insn, insn->pc, distance, &loop.target))
            continue;
        loop.cycles =
            cycles_between(truth, loop.target, insn->pc + isa->delay_slots * insn->insn.length);
        if (!gs_vec_push(out, loop)) {
            free(out->items);
            return false;
        }
        out->taken += loop.taken;
    }
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, by_frequency);
    return true;
}

double gs_loops_sod(const double *actual, const double *predicted, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count && i < GS_LOOPS_TOP; i++)
        sum += sqrt(fabs(actual[i] - predicted[i]));
    return sum / GS_LOOPS_TOP;
}

double gs_loops_predicted(const gs_loops_entry *cache, size_t entries, uint32_t address)
{
    uint64_t sum = 0, own = 0;
    for (size_t i = 0; i < entries; i++) {
        sum += cache[i].valid ? cache[i].frequency : 0;
        if (cache[i].valid && cache[i].address == address)
            own = cache[i].frequency;
    }
    return sum ? (double)own / (double)sum : 0;
}

double gs_loops_accuracy(const gs_loops_entry *cache, size_t entries, const gs_loops_truths *truth)
{
    double actual[GS_LOOPS_TOP], predicted[GS_LOOPS_TOP];
    size_t count = 0;
    for (; count < truth->count && count < GS_LOOPS_TOP; count++) {
        actual[count] = (double)truth->items[count].taken / (double)truth->taken;
        predicted[count] = gs_loops_predicted(cache, entries, truth->items[count].address);
    }
    return 1 - gs_loops_sod(actual, predicted, count);
}
