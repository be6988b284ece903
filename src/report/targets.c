/* Decodes where branches and calls lead, as symbol and offset. */
#include "report/targets.h"

#include <string.h>

const gs_isa *gs_report_isa(const char *name)
{
    static const gs_arch all[] = {GS_ARCH_RV32, GS_ARCH_MIPS32};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(gs_isa_for(all[i])->name, name) == 0)
            return gs_isa_for(all[i]);
    }
    return NULL;
}

void gs_targets_init(gs_targets *targets, const gs_profile *profile)
{
    const gs_isa *isa = gs_report_isa(profile->run.isa);
    *targets = (gs_targets){.profile = profile};
    if (isa)
        gs_decoder_init(&targets->decoder, isa, isa->all_extensions);
}

/* Functions are sorted by address. */
static uint32_t function_at(const gs_profile *profile, uint32_t pc)
{
    size_t low = 0, high = profile->functions.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (profile->functions.items[middle].start <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && pc < profile->functions.items[low - 1].end ? (uint32_t)low - 1
                                                                 : GS_PROFILE_NONE;
}

bool gs_targets_find(const gs_targets *targets, const gs_profile_insn *insn, uint32_t *target,
                     uint32_t *function)
{
    gs_insn decoded;
    uint64_t to = 0;
    if (!targets->decoder.isa)
        return false;
    gs_decode(&decoded, &targets->decoder, insn->word);
    switch (targets->decoder.isa->flow(&decoded, insn->pc, &to)) {
    case GS_FLOW_BRANCH:
    case GS_FLOW_JUMP:
    case GS_FLOW_CALL:
    case GS_FLOW_BRANCH_CALL: break;
    default: return false;
    }
    *target = (uint32_t)to;
    *function = function_at(targets->profile, *target);
    return true;
}
