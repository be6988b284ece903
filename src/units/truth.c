/* Finds functions of the exact profile by address. */
#include "units/truth.h"

size_t gs_truth_find(const gs_truth *truth, uint32_t pc)
{
    size_t low = 0, high = truth->insn_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (truth->insns[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
