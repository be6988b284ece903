/*
 * encode.h - the few instructions that tests of control flow are made of.
 *
 * Offsets of branches and jumps are in bytes from the instruction itself.
 */
#ifndef GS_TESTS_ENCODE_H
#define GS_TESTS_ENCODE_H

#include <stdint.h>

enum {
    RV_NOP = 0x00000013,
    RV_RET = 0x00008067,
    RV_ECALL = 0x00000073,
    RV_EBREAK = 0x00100073,
    RV_MRET = 0x30200073,
    RV_WFI = 0x10500073,
    RV_JR_A5 = 0x00078067,
    RV_CALL_A5 = 0x000780e7,
    RV_ADD = 0x00b50533, /* add a0, a0, a1: something that is no padding */

    MIPS_NOP = 0,
    MIPS_RET = 0x03e00008,
    MIPS_SYSCALL = 0x0000000c,
    MIPS_SDBBP = 0x7000003f,
    MIPS_ERET = 0x42000018,
    MIPS_MFC0 = 0x40086000, /* mfc0 t0, status */
    MIPS_JR_T9 = 0x03200008,
    MIPS_CALL_T9 = 0x0320f809,
    MIPS_ADD = 0x00851021, /* addu v0, a0, a1 */
};

static inline uint32_t rv_beq(int32_t offset) /* beq a0, a1 */
{
    uint32_t o = (uint32_t)offset;
    return 0x00b50063 | (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 | (o >> 1 & 0xf) << 8 |
           (o >> 11 & 1) << 7;
}

static inline uint32_t rv_jal(unsigned rd, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return 0x6f | rd << 7 | (o >> 20 & 1) << 31 | (o >> 1 & 0x3ff) << 21 | (o >> 11 & 1) << 20 |
           (o >> 12 & 0xff) << 12;
}

static inline uint32_t rv_call(int32_t offset)
{
    return rv_jal(1, offset);
}

static inline uint32_t rv_jump(int32_t offset)
{
    return rv_jal(0, offset);
}

static inline uint32_t rv_csrrw(unsigned number) /* csrw number, a0 */
{
    return number << 20 | 0x00051073;
}

static inline uint32_t rv_lui(unsigned rd, uint32_t upper)
{
    return 0x37 | rd << 7 | upper << 12;
}

static inline uint32_t rv_auipc(unsigned rd, uint32_t upper)
{
    return 0x17 | rd << 7 | upper << 12;
}

static inline uint32_t rv_addi(unsigned rd, unsigned rs1, int32_t value)
{
    return 0x13 | rd << 7 | rs1 << 15 | (uint32_t)value << 20;
}

static inline uint32_t rv_jalr(unsigned rd, unsigned rs1, int32_t value)
{
    return 0x67 | rd << 7 | rs1 << 15 | (uint32_t)value << 20;
}

static inline uint32_t mips_beq(int32_t offset) /* beq a0, a1 */
{
    return 0x10850000 | ((uint32_t)(offset - 4) >> 2 & 0xffff);
}

static inline uint32_t mips_b(int32_t offset)
{
    return 0x10000000 | ((uint32_t)(offset - 4) >> 2 & 0xffff);
}

static inline uint32_t mips_bal(int32_t offset)
{
    return 0x04110000 | ((uint32_t)(offset - 4) >> 2 & 0xffff);
}

static inline uint32_t mips_jal(uint32_t address)
{
    return 0x0c000000 | (address >> 2 & 0x03ffffff);
}

static inline uint32_t mips_lui(unsigned rt, uint32_t upper)
{
    return 0x3c000000 | rt << 16 | (upper & 0xffff);
}

static inline uint32_t mips_addiu(unsigned rt, unsigned rs, int32_t value)
{
    return 0x24000000 | rs << 21 | rt << 16 | ((uint32_t)value & 0xffff);
}

static inline uint32_t mips_lw(unsigned rt, unsigned rs, int32_t offset)
{
    return 0x8c000000 | rs << 21 | rt << 16 | ((uint32_t)offset & 0xffff);
}

#endif
