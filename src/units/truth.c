/* Finds functions of the exact profile by address. */
#include "units/truth.h"

#include "base/search.h"

size_t gs_truth_find(const gs_truth *truth, uint32_t pc)
{
    return gs_count_below(truth->insns, truth->insn_count, pc, pc);
}
