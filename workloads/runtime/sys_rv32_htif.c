/*
 * sys_rv32_htif.c - output and exit through the Berkeley host-target interface.
 *
 * An odd value in `tohost` ends the program with status value >> 1. An even one
 * is the address of a proxied system call, answered by a non-zero `fromhost`.
 * The console device needs a 64-bit store, which RV32 cannot do in one piece,
 * so characters go through the proxied write as in riscv-pk and riscv-tests.
 */
#include "workload.h"

/* Two words each, little end first; placed by rv32.ld. */
extern volatile uint32_t tohost[2], fromhost[2];
__attribute__((section(".tohost"), aligned(64))) volatile uint32_t tohost[2];
__attribute__((section(".tohost"), aligned(64))) volatile uint32_t fromhost[2];

enum { PROXY_WRITE = 64, STDOUT = 1 };

static void post(uint32_t value)
{
    tohost[0] = value;
    tohost[1] = 0;
}

void sys_write(const char *text, size_t length)
{
    static volatile uint64_t request[8] __attribute__((aligned(64)));
    request[0] = PROXY_WRITE;
    request[1] = STDOUT;
    request[2] = (uintptr_t)text;
    request[3] = length;
    __asm__ volatile("fence" ::: "memory");
    post((uint32_t)(uintptr_t)request);
    while (fromhost[0] == 0)
        ;
    fromhost[0] = 0;
    fromhost[1] = 0;
}

_Noreturn void sys_exit(int status)
{
    for (;;)
        post((uint32_t)status << 1 | 1);
}
