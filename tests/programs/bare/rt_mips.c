/*
 * rt_mips.c - the MIPS Unified Hosting Interface.
 */
#include "rt_mips.h"
#include "rt.h"

__attribute__((weak)) void host_put(const char *text)
{
    uint32_t length = 0;
    while (text[length])
        length++;
    uhi(5, 1, (uintptr_t)text, length, 0, 0);
}

__attribute__((weak)) _Noreturn void host_exit(int code)
{
    for (;;)
        uhi(1, (uint32_t)code, 0, 0, 0, 0);
}
