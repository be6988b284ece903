/*
 * console.c - the test device in place of semihosting, for programs of tests/programs/bare.
 */
#include "rt.h"
#include "rt_rv.h"

void host_put(const char *text)
{
    while (*text)
        TEST_PUT = (uint8_t)*text++;
}

_Noreturn void host_exit(int code)
{
    for (;;)
        TEST_EXIT = (uint32_t)code;
}
