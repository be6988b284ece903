/*
 * mips.h - MIPS: operations and extensions of mips.def.
 */
#ifndef GS_ISA_MIPS_MIPS_H
#define GS_ISA_MIPS_MIPS_H

#include "isa/isa.h"

extern const gs_isa gs_isa_mips32;

typedef enum gs_mips_extension {
    GS_MIPS_I,     /* MIPS I */
    GS_MIPS_II,    /* MIPS II: branch likely, traps, ll, sc */
    GS_MIPS_R1,    /* MIPS32 release 1 */
    GS_MIPS_R2,    /* MIPS32 release 2 */
    GS_MIPS_FPU,   /* single and double precision */
    GS_MIPS_FPUX,  /* multiply-add, reciprocals, indexed loads and stores: COP1X */
    GS_MIPS_FPU64, /* registers of 64 bits, 64-bit integers in them */
    GS_MIPS_CP0,   /* system control */
    GS_MIPS_EXTENSION_COUNT
} gs_mips_extension;

typedef enum gs_mips_op {
    GS_MIPS_FIRST_ROW = GS_OP_FIRST - 1,
#define INSN(ext, name, match, mask, format, class, ...) GS_MIPS_##name,
#include "isa/mips/mips.def"
#undef INSN
    GS_MIPS_OP_COUNT
} gs_mips_op;

#endif
