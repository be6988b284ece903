/*
 * arch.h - the instruction sets that Gumshoe knows: values, which belong to no object.
 */
#ifndef GUMSHOE_ARCH_H
#define GUMSHOE_ARCH_H

typedef enum gs_arch {
    GS_ARCH_RV32,   /* RISC-V, 32 bit */
    GS_ARCH_MIPS32, /* MIPS32 release 2 and everything before it in 32 bit */
} gs_arch;

#endif
