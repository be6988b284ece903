/*
 * rv_code.h - RISC-V instructions as numbers, as far as they are not drawn from the table.
 */
#ifndef RANDPROG_RV_CODE_H
#define RANDPROG_RV_CODE_H

#include "randprog.h"

enum { SP = 2, ISLAND_REGISTER = 5 };

static inline uint32_t field(uint32_t value, unsigned high, unsigned low, unsigned at)
{
    return (value >> low & ((1u << (high - low + 1)) - 1)) << at;
}

static inline uint32_t i_type(uint32_t opcode, unsigned rd, unsigned rs1, int32_t imm)
{
    return opcode | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}

static inline uint32_t s_type(uint32_t opcode, unsigned rs1, unsigned rs2, int32_t imm)
{
    uint32_t i = (uint32_t)imm;
    return opcode | field(i, 4, 0, 7) | rs1 << 15 | rs2 << 20 | field(i, 11, 5, 25);
}

enum {
    OP_LUI = 0x37,
    OP_AUIPC = 0x17,
    OP_ADDI = 0x13,
    OP_ANDI = 0x7013,
    OP_LW = 0x2003,
    OP_FLD = 0x3007,
    OP_SW = 0x2023,
    OP_FSD = 0x3027,
    OP_BEQ = 0x0063,
    OP_SLTU = 0x3033,
    OP_SLTIU = 0x3013,
    OP_SUB = 0x40000033,
    OP_AND = 0x7033,
    OP_JAL = 0x6f,
    OP_JALR = 0x67,
    OP_LR = 0x1000202f,
    OP_ECALL = 0x73,
    OP_CSRRWI_FRM = 0x00205073,
    OP_CSRRW_FCSR = 0x00301073,
    OP_CSRRS_FCSR = 0x00302073,
};

static inline uint32_t r_type(uint32_t opcode, unsigned rd, unsigned rs1, unsigned rs2)
{
    return opcode | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline uint32_t branch_bits(uint32_t d)
{
    return field(d, 12, 12, 31) | field(d, 10, 5, 25) | field(d, 4, 1, 8) | field(d, 11, 11, 7);
}

static inline uint32_t jump_bits(uint32_t d)
{
    return field(d, 20, 20, 31) | field(d, 10, 1, 21) | field(d, 11, 11, 20) | field(d, 19, 12, 12);
}

static inline uint32_t compressed_branch_bits(uint32_t d)
{
    return field(d, 8, 8, 12) | field(d, 4, 3, 10) | field(d, 7, 6, 5) | field(d, 2, 1, 3) |
           field(d, 5, 5, 2);
}

static inline uint32_t compressed_jump_bits(uint32_t d)
{
    return field(d, 11, 11, 12) | field(d, 4, 4, 11) | field(d, 9, 8, 9) | field(d, 10, 10, 8) |
           field(d, 6, 6, 7) | field(d, 7, 7, 6) | field(d, 3, 1, 3) | field(d, 5, 5, 2);
}

/* rv_frame.c: what stands around the items. */
void rv_choose_registers(rp_stream *s, rng *r);
void rv_fill_record(uint8_t *record, const rp_stream *s, rng *r);
void rv_fill_globals(uint8_t *globals, uint32_t handler);
uint32_t rv_put_island(code_buffer *code);
void rv_put_nop(code_buffer *code, unsigned length);
void rv_put_enter(code_buffer *code, const rp_stream *s);
void rv_put_loop(code_buffer *code, const rp_stream *s, uint32_t start);
void rv_put_leave(code_buffer *code, const rp_stream *s);
void rv_put_handler(code_buffer *code);
void rv_put_start(code_buffer *code, uint32_t first);
void rv_put_exit(code_buffer *code, uint32_t first);

#endif
