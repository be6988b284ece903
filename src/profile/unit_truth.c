/*
 * The exact profile as units are judged by, and their results on the way into a profile file.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "profile/functions.h"
#include "profile/profile.h"
#include "units/units.h"

static gs_status copy_insns(gs_truth_insn **out, gs_truth *truth, const gs_recorder *recorder,
                            gs_error *err)
{
    const gs_machine *machine = gs_recorder_machine(recorder);
    const gs_insn_profile *from = gs_recorder_insns(recorder, &truth->insn_count);
    gs_truth_insn *insns = calloc(truth->insn_count + 1, sizeof *insns);
    *out = insns;
    if (!insns)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < truth->insn_count; i++) {
        uint32_t word;
        insns[i] = (gs_truth_insn){
            .pc = from[i].pc,
            .insn.op = GS_OP_ILLEGAL,
            .executions = from[i].executions,
            .taken = from[i].taken,
            .cost = from[i].cost,
        };
        if (gs_memory_fetch(&machine->memory, machine->isa, from[i].pc, &word) == GS_ACCESS_OK)
            gs_decode(&insns[i].insn, &machine->decoder, word);
    }
    truth->insns = insns;
    return GS_OK;
}

static gs_status copy_functions(gs_truth_function **out, gs_truth *truth,
                                const gs_recorder *recorder, gs_error *err)
{
    gs_function_profile *from;
    size_t count;
    gs_status status = gs_profile_functions(&from, &count, recorder, err);
    if (status != GS_OK)
        return status;
    truth->function_count = gs_image_function_count(truth->image);
    gs_truth_function *functions = calloc(truth->function_count + 1, sizeof *functions);
    *out = functions;
    for (size_t i = 0; functions && i < count; i++) {
        size_t number = truth->function_count;
        if (from[i].function)
            number = (size_t)(from[i].function - gs_image_function(truth->image, 0));
        functions[number] = (gs_truth_function){
            .calls = from[i].calls,
            .tail_calls = from[i].tail_calls,
            .traps = from[i].traps,
            .self = from[i].self,
            .inclusive = from[i].inclusive,
            .by_tail_call = from[i].by_tail_call,
            .by_trap = from[i].by_trap,
        };
    }
    free(from);
    truth->functions = functions;
    return functions ? GS_OK : gs_fail_no_memory(err);
}

gs_status gs_units_conclude(gs_units *units, const gs_recorder *recorder, gs_error *err)
{
    gs_truth truth = {
        .image = gs_recorder_image(recorder),
        .total = *gs_recorder_total(recorder),
    };
    gs_truth_insn *insns = NULL;
    gs_truth_function *functions = NULL;
    gs_status status = copy_insns(&insns, &truth, recorder, err);
    if (status == GS_OK)
        status = copy_functions(&functions, &truth, recorder, err);
    if (status == GS_OK)
        status = gs_units_judge(units, &truth, err);
    free(insns);
    free(functions);
    return status;
}

gs_status gs_profile_add_units(gs_profile *profile, const gs_units *units, gs_error *err)
{
    for (size_t i = 0; i < gs_units_count(units); i++) {
        if (!gs_vec_push(&profile->units, gs_units_result(units, i)))
            return gs_fail_no_memory(err);
    }
    return GS_OK;
}
