/*
 * mips_code.h - MIPS instructions as numbers, as far as they are not drawn from the table.
 */
#ifndef RANDPROG_MIPS_CODE_H
#define RANDPROG_MIPS_CODE_H

#include "randprog.h"

enum { ISLAND_REGISTER = 25, LINK = 31 };

enum {
    OP_ADDIU = 0x24000000,
    OP_ANDI = 0x30000000,
    OP_ORI = 0x34000000,
    OP_LUI = 0x3c000000,
    OP_BEQ = 0x10000000,
    OP_BNE = 0x14000000,
    OP_LW = (int)0x8c000000,
    OP_SW = (int)0xac000000,
    OP_LL = (int)0xc0000000,
    OP_LWC1 = (int)0xc4000000,
    OP_LDC1 = (int)0xd4000000,
    OP_SWC1 = (int)0xe4000000,
    OP_SDC1 = (int)0xf4000000,
    OP_SRL = 0x02,
    OP_SRA = 0x03,
    OP_JR = 0x08,
    OP_SYSCALL = 0x0c,
    OP_BREAK = 0x0d,
    OP_MFHI = 0x10,
    OP_MTHI = 0x11,
    OP_MFLO = 0x12,
    OP_MTLO = 0x13,
    OP_OR = 0x25,
    OP_NOR = 0x27,
    OP_INS = 0x7c000004,
    OP_CFC1_FCSR = 0x4440f800,
    OP_CTC1_FCSR = 0x44c0f800,
};

static inline uint32_t i_type(int opcode, unsigned rt, unsigned rs, int32_t imm)
{
    return (uint32_t)opcode | rs << 21 | rt << 16 | ((uint32_t)imm & 0xffff);
}

static inline uint32_t r_type(int function, unsigned rd, unsigned rs, unsigned rt, unsigned sa)
{
    return (uint32_t)function | rs << 21 | rt << 16 | rd << 11 | sa << 6;
}

/* Clears `size` bits of a register, from bit `low` on. */
static inline uint32_t clear_bits(unsigned reg, unsigned low, unsigned size)
{
    return r_type(OP_INS, low + size - 1, 0, reg, low);
}

/* mips_frame.c: what stands around the items. */
void mips_choose_registers(rp_stream *s, rng *r);
void mips_fill_record(uint8_t *record, const rp_stream *s, rng *r);
void mips_fill_globals(uint8_t *globals, uint32_t handler);
void mips_fill_globals_big(uint8_t *globals, uint32_t handler);
uint32_t mips_put_island(code_buffer *code);
void mips_put_nop(code_buffer *code, unsigned length);
void mips_put_enter(code_buffer *code, const rp_stream *s);
void mips_put_loop(code_buffer *code, const rp_stream *s, uint32_t start);
void mips_put_leave(code_buffer *code, const rp_stream *s);
void mips_put_handler(code_buffer *code);
void mips_put_start(code_buffer *code, uint32_t first);
void mips_put_exit(code_buffer *code, uint32_t first);

#endif
