/*
 * mips_interp.c - an interpreter for a subset of MIPS I, running a small program.
 *
 * Stresses the fetch-decode-dispatch loop: two jump tables (opcode, function),
 * indirect jumps that depend on the guest, and a register file in memory.
 * The guest fills and sorts an array, computes Fibonacci numbers recursively, a
 * CRC-32 and a greatest common divisor. It is assembled with big-endian byte
 * order, which the interpreter keeps on every host.
 * Check: the same functions in C must give the guest's answer; then a checksum.
 */
#include "workload.h"

#define NAME "mips_interp"

enum {
    MEMORY_BYTES = 0x2000,
    DATA_WORDS = 48,
    CRC_BYTES = 64,
    FIBONACCI = 9,
    SYSCALL_EXIT = 10,
    STEP_LIMIT = 1000000,
};

enum { V0 = 2, A0 = 4, RA = 31 };

typedef struct {
    uint32_t pc, next_pc, hi, lo;
    uint32_t r[32];
    uint32_t memory[MEMORY_BYTES / 4];
    uint32_t steps;
    bool running, faulted;
} machine;

static const uint32_t guest[] = {
    0x3c1d0000, /* main: lui $sp, 0 */
    0x37bd2000, /*       ori $sp, $sp, 0x2000 */
    0x24101000, /*       addiu $s0, $zero, 0x1000 */
    0x00808825, /*       move $s1, $a0 */
    0x24120030, /*       addiu $s2, $zero, 48 */
    0x0c000019, /*       jal fill */
    0x00000000, /*       nop */
    0x0c000027, /*       jal sort */
    0x00000000, /*       nop */
    0x24040009, /*       addiu $a0, $zero, 9 */
    0x0c00003b, /*       jal fib */
    0x00000000, /*       nop */
    0x00409821, /*       addu $s3, $v0, $zero */
    0x0c00004d, /*       jal crc */
    0x00000000, /*       nop */
    0x02629826, /*       xor $s3, $s3, $v0 */
    0x8e040000, /*       lw $a0, 0($s0) */
    0x00042202, /*       srl $a0, $a0, 8 */
    0x8e0500bc, /*       lw $a1, 188($s0) */
    0x00052b02, /*       srl $a1, $a1, 12 */
    0x0c000061, /*       jal gcd */
    0x00000000, /*       nop */
    0x02622021, /*       addu $a0, $s3, $v0 */
    0x2402000a, /*       addiu $v0, $zero, 10 */
    0x0000000c, /*       syscall */
    0x3c0b41c6, /* fill: lui $t3, 0x41c6 */
    0x356b4e6d, /*       ori $t3, $t3, 0x4e6d */
    0x02004025, /*       move $t0, $s0 */
    0x00124880, /*       sll $t1, $s2, 2 */
    0x01284821, /*       addu $t1, $t1, $t0 */
    0x022b0019, /* 1:    multu $s1, $t3 */
    0x00008812, /*       mflo $s1 */
    0x26313039, /*       addiu $s1, $s1, 12345 */
    0xad110000, /*       sw $s1, 0($t0) */
    0x25080004, /*       addiu $t0, $t0, 4 */
    0x1509fffa, /*       bne $t0, $t1, 1b */
    0x00000000, /*       nop */
    0x03e00008, /*       jr $ra */
    0x00000000, /*       nop */
    0x24080001, /* sort: addiu $t0, $zero, 1 */
    0x0112482a, /* 2:    slt $t1, $t0, $s2 */
    0x1120000f, /*       beq $t1, $zero, 5f */
    0x00085080, /*       sll $t2, $t0, 2 */
    0x01505021, /*       addu $t2, $t2, $s0 */
    0x8d4b0000, /*       lw $t3, 0($t2) */
    0x11500008, /* 3:    beq $t2, $s0, 4f */
    0x00000000, /*       nop */
    0x8d4cfffc, /*       lw $t4, -4($t2) */
    0x016c682b, /*       sltu $t5, $t3, $t4 */
    0x11a00004, /*       beq $t5, $zero, 4f */
    0x00000000, /*       nop */
    0xad4c0000, /*       sw $t4, 0($t2) */
    0x1000fff8, /*       b 3b */
    0x254afffc, /*       addiu $t2, $t2, -4 */
    0xad4b0000, /* 4:    sw $t3, 0($t2) */
    0x1000fff0, /*       b 2b */
    0x25080001, /*       addiu $t0, $t0, 1 */
    0x03e00008, /* 5:    jr $ra */
    0x00000000, /*       nop */
    0x28880002, /* fib:  slti $t0, $a0, 2 */
    0x1500000e, /*       bne $t0, $zero, 6f */
    0x00801025, /*       move $v0, $a0 */
    0x27bdfff4, /*       addiu $sp, $sp, -12 */
    0xafbf0000, /*       sw $ra, 0($sp) */
    0xafa40004, /*       sw $a0, 4($sp) */
    0x0c00003b, /*       jal fib */
    0x2484ffff, /*       addiu $a0, $a0, -1 */
    0xafa20008, /*       sw $v0, 8($sp) */
    0x8fa40004, /*       lw $a0, 4($sp) */
    0x0c00003b, /*       jal fib */
    0x2484fffe, /*       addiu $a0, $a0, -2 */
    0x8fa80008, /*       lw $t0, 8($sp) */
    0x8fbf0000, /*       lw $ra, 0($sp) */
    0x27bd000c, /*       addiu $sp, $sp, 12 */
    0x00481021, /*       addu $v0, $v0, $t0 */
    0x03e00008, /* 6:    jr $ra */
    0x00000000, /*       nop */
    0x3c0dedb8, /* crc:  lui $t5, 0xedb8 */
    0x35ad8320, /*       ori $t5, $t5, 0x8320 */
    0x2402ffff, /*       addiu $v0, $zero, -1 */
    0x02004025, /*       move $t0, $s0 */
    0x25090040, /*       addiu $t1, $t0, 64 */
    0x910a0000, /* 7:    lbu $t2, 0($t0) */
    0x25080001, /*       addiu $t0, $t0, 1 */
    0x004a1026, /*       xor $v0, $v0, $t2 */
    0x240b0008, /*       addiu $t3, $zero, 8 */
    0x304c0001, /* 8:    andi $t4, $v0, 1 */
    0x00021042, /*       srl $v0, $v0, 1 */
    0x11800002, /*       beq $t4, $zero, 9f */
    0x256bffff, /*       addiu $t3, $t3, -1 */
    0x004d1026, /*       xor $v0, $v0, $t5 */
    0x1d60fffa, /* 9:    bgtz $t3, 8b */
    0x00000000, /*       nop */
    0x1509fff4, /*       bne $t0, $t1, 7b */
    0x00000000, /*       nop */
    0x03e00008, /*       jr $ra */
    0x00401027, /*       nor $v0, $v0, $zero */
    0x10a00005, /* gcd:  beq $a1, $zero, 1f */
    0x00801025, /*       move $v0, $a0 */
    0x0085001b, /*       divu $zero, $a0, $a1 */
    0x00a02025, /*       move $a0, $a1 */
    0x1000fffb, /*       b gcd */
    0x00002810, /*       mfhi $a1 */
    0x03e00008, /* 1:    jr $ra */
    0x00000000, /*       nop */
};

static uint32_t *word_at(machine *m, uint32_t address)
{
    if (address >= MEMORY_BYTES) {
        m->faulted = true;
        address = 0;
    }
    return &m->memory[address / 4];
}

/* How far a byte is from the bottom of its word in big-endian order. */
static unsigned byte_shift(uint32_t address)
{
    return 24 - 8 * (address & 3);
}

static void store_byte(machine *m, uint32_t address, uint32_t value)
{
    uint32_t *word = word_at(m, address);
    unsigned shift = byte_shift(address);
    *word = (*word & ~((uint32_t)0xff << shift)) | (value & 0xff) << shift;
}

static uint32_t load_byte(machine *m, uint32_t address)
{
    return *word_at(m, address) >> byte_shift(address) & 0xff;
}

static uint32_t shift_right_arithmetic(uint32_t v, unsigned n)
{
    return (uint32_t)((int32_t)v >> n);
}

/* The instructions with opcode 0. */
static NOINLINE void execute_special(machine *m, uint32_t insn)
{
    uint32_t rs = m->r[insn >> 21 & 31], rt = m->r[insn >> 16 & 31];
    uint32_t *rd = &m->r[insn >> 11 & 31];
    unsigned amount = insn >> 6 & 31;
    uint64_t product;
    switch (insn & 63) {
    case 0x00: *rd = rt << amount; break;
    case 0x02: *rd = rt >> amount; break;
    case 0x03: *rd = shift_right_arithmetic(rt, amount); break;
    case 0x04: *rd = rt << (rs & 31); break;
    case 0x06: *rd = rt >> (rs & 31); break;
    case 0x07: *rd = shift_right_arithmetic(rt, rs & 31); break;
    case 0x08: m->next_pc = rs; break;
    case 0x09:
        *rd = m->next_pc;
        m->next_pc = rs;
        break;
    case 0x0c: m->running = m->r[V0] != SYSCALL_EXIT; break;
    case 0x10: *rd = m->hi; break;
    case 0x11: m->hi = rs; break;
    case 0x12: *rd = m->lo; break;
    case 0x13: m->lo = rs; break;
    case 0x18:
        product = (uint64_t)((int64_t)(int32_t)rs * (int32_t)rt);
        m->hi = (uint32_t)(product >> 32);
        m->lo = (uint32_t)product;
        break;
    case 0x19:
        product = (uint64_t)rs * rt;
        m->hi = (uint32_t)(product >> 32);
        m->lo = (uint32_t)product;
        break;
    case 0x1b:
        m->lo = rt ? rs / rt : 0;
        m->hi = rt ? rs % rt : 0;
        break;
    case 0x21: *rd = rs + rt; break;
    case 0x23: *rd = rs - rt; break;
    case 0x24: *rd = rs & rt; break;
    case 0x25: *rd = rs | rt; break;
    case 0x26: *rd = rs ^ rt; break;
    case 0x27: *rd = ~(rs | rt); break;
    case 0x2a: *rd = (int32_t)rs < (int32_t)rt; break;
    case 0x2b: *rd = rs < rt; break;
    default: m->faulted = true;
    }
}

/* One instruction; a branch takes effect after the next one. */
static NOINLINE void step(machine *m)
{
    uint32_t insn = *word_at(m, m->pc);
    uint32_t rs = m->r[insn >> 21 & 31];
    uint32_t *rt = &m->r[insn >> 16 & 31];
    uint32_t immediate = insn & 0xffff;
    uint32_t offset = (immediate ^ 0x8000) - 0x8000;
    uint32_t target = m->next_pc + (offset << 2);
    m->pc = m->next_pc;
    m->next_pc += 4;
    switch (insn >> 26) {
    case 0x00: execute_special(m, insn); break;
    case 0x02: m->next_pc = insn << 6 >> 4; break;
    case 0x03:
        m->r[RA] = m->next_pc;
        m->next_pc = insn << 6 >> 4;
        break;
    case 0x04:
        if (rs == *rt)
            m->next_pc = target;
        break;
    case 0x05:
        if (rs != *rt)
            m->next_pc = target;
        break;
    case 0x06:
        if ((int32_t)rs <= 0)
            m->next_pc = target;
        break;
    case 0x07:
        if ((int32_t)rs > 0)
            m->next_pc = target;
        break;
    case 0x09: *rt = rs + offset; break;
    case 0x0a: *rt = (int32_t)rs < (int32_t)offset; break;
    case 0x0b: *rt = rs < offset; break;
    case 0x0c: *rt = rs & immediate; break;
    case 0x0d: *rt = rs | immediate; break;
    case 0x0e: *rt = rs ^ immediate; break;
    case 0x0f: *rt = immediate << 16; break;
    case 0x20: *rt = (load_byte(m, rs + offset) ^ 0x80) - 0x80; break;
    case 0x23: *rt = *word_at(m, rs + offset); break;
    case 0x24: *rt = load_byte(m, rs + offset); break;
    case 0x28: store_byte(m, rs + offset, *rt); break;
    case 0x2b: *word_at(m, rs + offset) = *rt; break;
    default: m->faulted = true;
    }
    m->r[0] = 0;
}

static NOINLINE uint32_t run(machine *m, uint32_t argument)
{
    m->pc = 0;
    m->next_pc = 4;
    m->r[A0] = argument;
    m->running = true;
    m->faulted = false;
    for (m->steps = 0; m->running && !m->faulted && m->steps < STEP_LIMIT; m->steps++)
        step(m);
    return m->r[A0];
}

static NOINLINE uint32_t fibonacci(uint32_t n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* What the guest computes, in C. */
static NOINLINE uint32_t expected_result(uint32_t seed)
{
    uint32_t data[DATA_WORDS];
    for (int i = 0; i < DATA_WORDS; i++) {
        seed = seed * 0x41c64e6d + 12345;
        int j = i;
        for (; j > 0 && data[j - 1] > seed; j--)
            data[j] = data[j - 1];
        data[j] = seed;
    }
    uint32_t crc = 0xffffffff;
    for (unsigned i = 0; i < CRC_BYTES; i++) {
        crc ^= data[i / 4] >> byte_shift(i) & 0xff;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    uint32_t a = data[0] >> 8, b = data[DATA_WORDS - 1] >> 12;
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return (fibonacci(FIBONACCI) ^ ~crc) + a;
}

int main(void)
{
    static machine m;
    memcpy(m.memory, guest, sizeof guest);

    uint32_t sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(1); pass++) {
        uint32_t result = run(&m, sum);
        if (m.faulted || m.running || result != expected_result(sum))
            return workload_fail(NAME, "guest result");
        sum = checksum_add(checksum_add(sum, result), m.steps);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xcf754c35, 0x4b917199, 0xb3faff43));
}
