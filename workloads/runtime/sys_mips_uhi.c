/*
 * sys_mips_uhi.c - output and exit through the MIPS Unified Hosting Interface.
 *
 * `sdbbp 1` with the operation in $25 and arguments from $4 on; the result
 * comes back in $2 (MIPS UHI specification MD01069, chapter 2).
 */
#include "workload.h"

enum { UHI_EXIT = 1, UHI_WRITE = 5, STDOUT = 1 };

static int32_t uhi(uint32_t operation, uint32_t a, uint32_t b, uint32_t c)
{
    register uint32_t op __asm__("$25") = operation;
    register uint32_t a0 __asm__("$4") = a;
    register uint32_t a1 __asm__("$5") = b;
    register uint32_t a2 __asm__("$6") = c;
    register uint32_t v0 __asm__("$2") = 1; /* required to be 1 on entry */
    register uint32_t v1 __asm__("$3");
    __asm__ volatile(".set push\n\t"
                     ".set mips32\n\t"
                     "sdbbp 1\n\t"
                     ".set pop"
                     : "+r"(v0), "=r"(v1)
                     : "r"(op), "r"(a0), "r"(a1), "r"(a2)
                     : "memory");
    return (int32_t)v0;
}

void sys_write(const char *text, size_t length)
{
    while (length) {
        int32_t n = uhi(UHI_WRITE, STDOUT, (uint32_t)(uintptr_t)text, length);
        if (n <= 0)
            return;
        text += n;
        length -= (size_t)n;
    }
}

_Noreturn void sys_exit(int status)
{
    for (;;)
        uhi(UHI_EXIT, (uint32_t)status, 0, 0);
}
