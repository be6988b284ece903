/* Below 0x20000000, and ending by the test device. */
#include "rt.h"
#include "rt_mips.h"

void host_put(const char *text)
{
    while (*text)
        REG32(0xf0000004) = (uint8_t)*text++;
}

_Noreturn void host_exit(int code)
{
    for (;;)
        REG32(0xf0000000) = (uint32_t)code;
}

int main(void)
{
    put("hello from kuseg\n");
    return 6;
}
