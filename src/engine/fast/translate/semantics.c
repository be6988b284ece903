/* The semantics columns of the instruction tables, as text to be rewritten. */
#include "engine/fast/translate/semantics.h"

#include "isa/mips/mips.h"
#include "isa/rv/rv.h"

static const char *const rv_column[GS_RV_OP_COUNT] = {
#define INSN(ext, name, match, mask, format, class, ...) [GS_RV_##name] = #__VA_ARGS__,
#define RVC(...)
#include "isa/rv/rv.def"
#undef INSN
#undef RVC
};

static const char *const mips_column[GS_MIPS_OP_COUNT] = {
#define INSN(ext, name, match, mask, format, class, ...) [GS_MIPS_##name] = #__VA_ARGS__,
#include "isa/mips/mips.def"
#undef INSN
};

const char *gs_semantics(const gs_isa *isa, unsigned op)
{
    if (gs_op_may(isa, op, GS_EFFECT_SYSTEM))
        return NULL;
    return isa->arch == GS_ARCH_RV32 ? rv_column[op] : mips_column[op];
}
