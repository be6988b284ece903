/* Computes from the exact profile what each of LEAP's counters should say. */
#include "units/leap/exact.h"

#include <stdlib.h>

/* Of an instruction, with all its executions. */
static uint64_t count_of(const gs_leap *leap, const gs_truth_insn *insn)
{
    uint64_t target = 0;
    gs_flow flow = leap->parameters.isa->flow(&insn->insn, insn->pc, &target);
    switch (leap->parameters.count) {
    case GS_LEAP_COUNT_ENERGY: return insn->cost.value[GS_METRIC_CYCLES]; /* each in some lane */
    case GS_LEAP_COUNT_BRANCHES: return flow == GS_FLOW_BRANCH ? insn->executions : 0;
    case GS_LEAP_COUNT_LOOPS:
        return (flow == GS_FLOW_BRANCH || flow == GS_FLOW_JUMP) && target <= insn->pc ? insn->taken
                                                                                      : 0;
    case GS_LEAP_COUNT_CALLS: return 0;
    default: return gs_amount_in((gs_amount)leap->parameters.count, &insn->cost);
    }
}

static void sum_instructions(gs_leap_exact *exact, const gs_leap *leap, const gs_truth *truth)
{
    const gs_function *here = NULL;
    size_t number = truth->function_count;
    for (size_t i = 0; i < truth->insn_count; i++) {
        const gs_truth_insn *insn = &truth->insns[i];
        if (!here || insn->pc < here->start || insn->pc >= here->end) {
            here = gs_image_function_at(truth->image, insn->pc);
            number =
                here ? (size_t)(here - gs_image_function(truth->image, 0)) : truth->function_count;
        }
        uint64_t amount = count_of(leap, insn);
        exact->sum[number] += amount;
        exact->total += amount;
    }
}

static void take_calls(gs_leap_exact *exact, const gs_truth *truth)
{
    for (size_t i = 0; i <= truth->function_count; i++) {
        exact->sum[i] = truth->functions[i].calls;
        exact->total += truth->functions[i].calls;
    }
}

static void take_inclusive(gs_leap_exact *exact, const gs_leap *leap, const gs_truth *truth)
{
    gs_leap_count count = leap->parameters.count;
    gs_amount amount = gs_leap_exact_amount(count);
    exact->known = amount < GS_AMOUNT_COUNT;
    if (!exact->known)
        return;
    for (size_t i = 0; i <= truth->function_count; i++)
        exact->sum[i] = gs_amount_in(amount, &truth->functions[i].inclusive);
    exact->total = gs_amount_in(amount, &truth->total);
}

bool gs_leap_exact_init(gs_leap_exact *exact, const gs_leap *leap, const gs_truth *truth)
{
    *exact = (gs_leap_exact){.known = true};
    exact->sum = calloc(truth->function_count + 1, sizeof *exact->sum);
    if (!exact->sum)
        return false;
    if (leap->parameters.hierarchical)
        take_inclusive(exact, leap, truth);
    else if (leap->parameters.count == GS_LEAP_COUNT_CALLS)
        take_calls(exact, truth);
    else
        sum_instructions(exact, leap, truth);
    return true;
}

void gs_leap_exact_fini(gs_leap_exact *exact)
{
    free(exact->sum);
    *exact = (gs_leap_exact){0};
}
