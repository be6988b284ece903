/*
 * words.h - RISC-V instructions as numbers, as far as they are not drawn from the table.
 */
#ifndef LOCKSTEP_WORDS_H
#define LOCKSTEP_WORDS_H

#include <stdint.h>

/* Opcodes with funct3, and what else says which instruction it is. */
enum {
    OP_LB = 0x0003,
    OP_LW = 0x2003,
    OP_FENCE_I = 0x100f,
    OP_ADDI = 0x0013,
    OP_SRLI = 0x5013,
    OP_AUIPC = 0x0017,
    OP_SB = 0x0023,
    OP_SW = 0x2023,
    OP_ADD = 0x0033,
    OP_MUL = 0x02000033,
    OP_LUI = 0x0037,
    OP_BEQ = 0x0063,
    OP_BNE = 0x1063,
    OP_BLT = 0x4063,
    OP_BGE = 0x5063,
    OP_JALR = 0x0067,
    OP_JAL = 0x006f,
    OP_CSRRW = 0x1073,
    OP_CSRRS = 0x2073,
    OP_CSRRC = 0x3073,
    OP_CSRRSI = 0x6073,
    OP_CSRRCI = 0x7073,
    OP_ECALL = 0x00000073,
    OP_EBREAK = 0x00100073,
    OP_WFI = 0x10500073,
    OP_MRET = 0x30200073,
};

static inline uint32_t r_type(uint32_t op, unsigned rd, unsigned rs1, unsigned rs2)
{
    return op | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline uint32_t i_type(uint32_t op, unsigned rd, unsigned rs1, int32_t imm)
{
    return op | rd << 7 | rs1 << 15 | (uint32_t)imm << 20;
}

static inline uint32_t s_type(uint32_t op, unsigned rs1, unsigned rs2, int32_t imm)
{
    uint32_t i = (uint32_t)imm;
    return op | (i & 31) << 7 | rs1 << 15 | rs2 << 20 | i >> 5 << 25;
}

static inline uint32_t u_type(uint32_t op, unsigned rd, uint32_t upper)
{
    return op | rd << 7 | (upper & 0xfffff000u);
}

static inline uint32_t b_type(uint32_t op, unsigned rs1, unsigned rs2, uint32_t distance)
{
    return op | rs1 << 15 | rs2 << 20 | (distance >> 11 & 1) << 7 | (distance >> 1 & 15) << 8 |
           (distance >> 5 & 63) << 25 | (distance >> 12 & 1) << 31;
}

static inline uint32_t j_type(uint32_t op, unsigned rd, uint32_t distance)
{
    return op | rd << 7 | (distance >> 12 & 255) << 12 | (distance >> 11 & 1) << 20 |
           (distance >> 1 & 1023) << 21 | (distance >> 20 & 1) << 31;
}

static inline uint32_t csr_type(uint32_t op, unsigned rd, unsigned rs1, unsigned csr)
{
    return op | rd << 7 | rs1 << 15 | csr << 20;
}

#endif
