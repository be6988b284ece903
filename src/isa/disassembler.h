/*
 * disassembler.h - instructions as text.
 *
 * MIPS comes from Capstone. RISC-V comes from our own table, because the Capstone of
 * Debian 12 (4.0) does not know it.
 */
#ifndef GS_ISA_DISASSEMBLER_H
#define GS_ISA_DISASSEMBLER_H

#include "base/error.h"
#include "gumshoe/insn.h"
#include "isa/isa.h"

#endif
