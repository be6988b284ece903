/* A board of its own: see custom_board.board. */
#include "rt.h"
#include "rt_rv.h"

#define UART(number) REG32(0x40000100 + 4 * (number))

void host_put(const char *text)
{
    while (*text) {
        while (!(UART(5) & 0x20))
            ;
        UART(0) = (uint8_t)*text++;
    }
}

_Noreturn void host_exit(int code)
{
    for (;;)
        REG32(0xfff00000) = (uint32_t)code;
}

static __attribute__((interrupt, aligned(4))) void handler(void)
{
    put("cause ");
    put_dec(CSR_READ(mcause));
    put(" value ");
    put_hex(CSR_READ(mtval));
    put("\n");
    CSR_WRITE(mepc, CSR_READ(mepc) + 4);
}

int main(void)
{
    CSR_WRITE(mtvec, (uintptr_t)handler);
    REG8(0x40000104 + 24) = 7; /* the scratch register, as a byte */
    put_dec(UART(7));
    put(" in scratch\n");

    uint32_t value = 0;
    __asm__ volatile(".option push; .option norvc\n"
                     "sw zero, 0(%1)\n" /* ROM */
                     "lw %0, 0(%2)\n"   /* after the RAM */
                     "lw %0, 0(%3)\n"   /* between two registers */
                     ".option pop"
                     : "+r"(value)
                     : "r"(0x100), "r"(0x10004000), "r"(0x40000102)
                     : "memory");

    /* mtime counts every tenth instruction. */
    uint32_t cycles = CSR_READ(mcycle), time = MTIME;
    for (int i = 0; i < 1000; i++)
        __asm__ volatile("");
    cycles = CSR_READ(mcycle) - cycles;
    time = MTIME - time;
    put(cycles + 20 >= 10 * time && cycles <= 10 * time + 20 ? "a tenth\n" : "not a tenth\n");
    return 0;
}
