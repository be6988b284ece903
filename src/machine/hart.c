/* Values of a hart's registers, by the numbers of operands. */
#include "machine/hart.h"

uint64_t gs_hart_operand(const gs_hart *hart, gs_arch arch, unsigned operand)
{
    bool rv = arch == GS_ARCH_RV32;
    if (operand < GS_OPERAND_F)
        return rv ? hart->rv.x[operand] : hart->mips.r[operand];
    if (operand < GS_OPERAND_HI) {
        unsigned f = operand - GS_OPERAND_F;
        const uint32_t *words = &hart->mips.f[2 * f];
        return rv ? hart->rv.f[f] : (uint64_t)words[1] << 32 | words[0];
    }
    switch (operand) {
    case GS_OPERAND_HI: return hart->mips.hi;
    case GS_OPERAND_LO: return hart->mips.lo;
    default: return hart->mips.fcsr >> 23 & 1;
    }
}
