/*
 * names.h - what the assembler calls things.
 */
#ifndef GS_ISA_NAMES_H
#define GS_ISA_NAMES_H

#include "isa/isa.h"

/* The ABI name of an operand (GS_OPERAND_*): "a0", "ft1", "t9", "hi". */
const char *gs_operand_name(gs_arch arch, unsigned operand);

#endif
