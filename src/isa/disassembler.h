/*
 * disassembler.h - instructions as text.
 *
 * MIPS comes from Capstone. RISC-V comes from our own table, because the Capstone of
 * Debian 12 (4.0) does not know it.
 */
#ifndef GS_ISA_DISASSEMBLER_H
#define GS_ISA_DISASSEMBLER_H

#include <stddef.h>

#include "base/error.h"
#include "isa/isa.h"

typedef struct gs_disassembler gs_disassembler;

gs_status gs_disassembler_open(gs_disassembler **out, const gs_isa *isa, gs_error *err);
void gs_disassembler_free(gs_disassembler *dis);

/* "addi sp, sp, -16" into `to`, cut to fit. */
void gs_disassemble(gs_disassembler *dis, const gs_insn *insn, uint64_t pc, char *to, size_t size);

#endif
