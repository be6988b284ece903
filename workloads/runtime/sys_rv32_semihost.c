/*
 * sys_rv32_semihost.c - output and exit through RISC-V semihosting.
 *
 * The operation is in a0, its argument in a1, and the three instructions must
 * be uncompressed and lie in one page (RISC-V Semihosting, chapter 2).
 */
#include "workload.h"

enum {
    SYS_WRITE0 = 0x04,
    SYS_EXIT_EXTENDED = 0x20,
    ADP_STOPPED_APPLICATION_EXIT = 0x20026,
};

static uint32_t semihost(uint32_t operation, const volatile void *argument)
{
    register uint32_t a0 __asm__("a0") = operation;
    register const volatile void *a1 __asm__("a1") = argument;
    __asm__ volatile(".balign 16\n\t"
                     ".option push\n\t"
                     ".option norvc\n\t"
                     "slli zero, zero, 0x1f\n\t"
                     "ebreak\n\t"
                     "srai zero, zero, 7\n\t"
                     ".option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
}

void sys_write(const char *text, size_t length)
{
    (void)length;
    semihost(SYS_WRITE0, text);
}

_Noreturn void sys_exit(int status)
{
    const uint32_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, (uint32_t)status};
    for (;;)
        semihost(SYS_EXIT_EXTENDED, block);
}
