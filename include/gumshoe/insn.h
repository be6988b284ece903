/*
 * insn.h - what can be asked of a decoded instruction.
 *
 * A gs_insn is opaque. An observer (run.h) gets one with every event; it is borrowed and valid
 * until the observer returns. Which instruction set it belongs to is not in it: that is
 * gs_image_arch(gs_machine_image(machine)). Nothing here fails or allocates, except where it
 * says so; texts returned are constant and live for ever.
 */
#ifndef GUMSHOE_INSN_H
#define GUMSHOE_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gumshoe/arch.h"
#include "gumshoe/error.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_insn gs_insn;

/* Registers as operands, in one numbering for all instruction sets. GS_OPERAND_NONE also stands
 * for the zero register: no instruction ever waits for it. */
enum {
    GS_OPERAND_NONE = 0,
    GS_OPERAND_X = 0,   /* 1..31: general registers */
    GS_OPERAND_F = 32,  /* 32..63: floating point registers */
    GS_OPERAND_HI = 64, /* MIPS */
    GS_OPERAND_LO = 65,
    GS_OPERAND_FLAGS = 66, /* MIPS: floating point condition codes */
    GS_OPERAND_COUNT = 67
};

/* Unused entries are GS_OPERAND_NONE. */
typedef struct gs_operands {
    uint8_t target[2]; /* written: a second one only where HI and LO go together */
    uint8_t source[3]; /* read */
} gs_operands;

/* Where control can go after an instruction (and its delay slot, if it has one). */
typedef enum gs_flow {
    GS_FLOW_NEXT,          /* only onwards */
    GS_FLOW_BRANCH,        /* to `target` or onwards */
    GS_FLOW_JUMP,          /* to `target` */
    GS_FLOW_CALL,          /* to `target`, links */
    GS_FLOW_BRANCH_CALL,   /* to `target`, or onwards: a conditional call (MIPS bgezal) */
    GS_FLOW_JUMP_INDIRECT, /* to a register's value */
    GS_FLOW_CALL_INDIRECT, /* the same, links */
    GS_FLOW_RETURN,        /* through the link register */
    GS_FLOW_RETURN_CALL,   /* RISC-V coroutine switch: pops and pushes */
    GS_FLOW_TRAP,          /* ecall, syscall, break: onwards, if at all */
    GS_FLOW_TRAP_RETURN,   /* mret, eret */
    GS_FLOW_ILLEGAL        /* nowhere */
} gs_flow;

/* The instruction's name as energy tables have it: the manual's in lower case, with '_' for '.':
 * "addi", "amoadd_w". A compressed instruction has the name of the one it stands for. "illegal" for
 * a word that is no instruction. */
const char *gs_insn_name(gs_arch arch, const gs_insn *insn);

/* The timing class, as a core's file names it: "ALU", "LOAD", "FP_DIV"; see docs/cores.md. "" for
 * an illegal instruction. */
const char *gs_insn_class(gs_arch arch, const gs_insn *insn);

unsigned gs_insn_length(const gs_insn *insn); /* in bytes: 2 or 4 */
uint32_t gs_insn_word(const gs_insn *insn);   /* the encoding; 16 bits if the length is 2 */

/* The registers it reads and writes. */
gs_operands gs_insn_operands(gs_arch arch, const gs_insn *insn);

/* The ABI name of an operand: "a0", "ft1", "t9", "hi". */
const char *gs_operand_name(gs_arch arch, unsigned operand);

/* Where control can go after `insn` at `pc`. *target (or NULL) is written where gs_flow says there
 * is one, and is 0 otherwise. */
gs_flow gs_insn_flow(gs_arch arch, const gs_insn *insn, uint64_t pc, uint64_t *target);

/* Derived from class and flow. An instruction of class ATOMIC counts as a load and as a store; a
 * conditional call is a branch and a call; a coroutine switch is a call and a return. */
bool gs_insn_is_load(gs_arch arch, const gs_insn *insn);
bool gs_insn_is_store(gs_arch arch, const gs_insn *insn);
bool gs_insn_is_branch(gs_arch arch, const gs_insn *insn); /* conditional */
bool gs_insn_is_call(gs_arch arch, const gs_insn *insn);
bool gs_insn_is_return(gs_arch arch, const gs_insn *insn); /* from a call, not from a trap */

/* Instructions as text. For one thread at a time. */
typedef struct gs_disassembler gs_disassembler;

/* *out is the caller's, NULL on failure: GS_E_NO_MEMORY, or GS_E_UNSUPPORTED if the Capstone
 * library was built without MIPS. */
gs_status gs_disassembler_open(gs_disassembler **out, gs_arch arch, gs_error *err);
void gs_disassembler_free(gs_disassembler *dis); /* NULL is fine */

/* Writes "addi sp, sp, -16" to `to`, cut to `size` bytes with the final 0. `pc` is the
 * instruction's own, for targets relative to it. */
void gs_disassemble(gs_disassembler *dis, const gs_insn *insn, uint64_t pc, char *to, size_t size);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
