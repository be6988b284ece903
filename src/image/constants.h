/*
 * constants.h - addresses that code puts together from immediate operands.
 *
 * Programs call through registers where the linker could not, or was not allowed
 * to, use a direct call: `auipc` and `jalr`, `lui` and `addiu`, a load from the
 * global offset table. Without symbols these addresses are where functions are
 * found. It is a guess: registers are followed in the order of addresses, not of
 * execution. It is only used on stripped programs, and only to look there.
 */
#ifndef GS_IMAGE_CONSTANTS_H
#define GS_IMAGE_CONSTANTS_H

#include "image/internal.h"

typedef struct gs_constants {
    const gs_image *image;
    uint32_t known; /* a bit per register */
    uint32_t value[32];
    uint32_t global_pointer; /* MIPS: fixed for the whole program; 0 if not known */
} gs_constants;

void gs_constants_start(gs_constants *constants, const gs_image *image);

/* Follows one instruction. True if it makes, loads or jumps to a constant address: *address. */
bool gs_constants_step(gs_constants *constants, uint64_t pc, const gs_insn *insn,
                       uint64_t *address);

#endif
