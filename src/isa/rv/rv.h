/*
 * rv.h - RISC-V: operations, formats and extensions of rv.def.
 */
#ifndef GS_ISA_RV_RV_H
#define GS_ISA_RV_RV_H

#include <stddef.h>

#include "isa/isa.h"

extern const gs_isa gs_isa_rv32;

typedef enum gs_rv_extension {
    GS_RV_I,
    GS_RV_M,
    GS_RV_A,
    GS_RV_F,
    GS_RV_D,
    GS_RV_C,
    GS_RV_CF, /* compressed single precision: C and F */
    GS_RV_CD, /* compressed double precision: C and D */
    GS_RV_ZICSR,
    GS_RV_ZIFENCEI,
    GS_RV_ZBA,
    GS_RV_ZBB,
    GS_RV_ZBB_ZBKB, /* what Zbb and Zbkb share */
    GS_RV_ZBKB,
    GS_RV_ZBS,
    GS_RV_ZICOND,
    GS_RV_ZCB,
    GS_RV_ZCB_M,   /* compressed multiplication: Zcb and M */
    GS_RV_ZCB_ZBB, /* compressed extensions of bytes and halfwords: Zcb and Zbb */
    GS_RV_ZCMP,
    GS_RV_PRIV, /* mret, wfi */
    GS_RV_EXTENSION_COUNT
} gs_rv_extension;

typedef enum gs_rv_op {
    GS_RV_FIRST_ROW = GS_OP_FIRST - 1,
#define INSN(ext, name, match, mask, format, class, ...) GS_RV_##name,
#define RVC(...)
#include "isa/rv/rv.def"
#undef INSN
#undef RVC
    GS_RV_OP_COUNT
} gs_rv_op;

typedef enum gs_rv_format {
#define FORMAT(name, target, source1, source2, source3, text) GS_RV_F_##name,
#include "isa/rv/formats.def"
#undef FORMAT
    GS_RV_F_COUNT
} gs_rv_format;

/* The registers of a Zcmp list, in the order of their numbers: ra, s0, s1 and so on. Returns how
 * many, at most 13; `registers` is filled unless it is NULL. 0 for a reserved list. */
enum { GS_RV_LISTED_MAX = 13 };
unsigned gs_rv_listed(unsigned list, uint8_t *registers);

/* The instruction as the assembler writes it, with the usual short forms (li, mv, ret, ...).
 * A compressed instruction reads like the one it stands for. Cut to fit. */
void gs_rv_text(const gs_insn *insn, uint64_t pc, char *to, size_t size);

#endif
