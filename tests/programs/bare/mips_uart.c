/* The UART where the Malta board has it, and kseg1 as a second view of kseg0. */
#include "rt.h"
#include "rt_mips.h"

enum { UART = 0xb80003f8 };

void host_put(const char *text)
{
    while (*text) {
        while (!(REG8(UART + 5) & 0x20))
            ;
        REG8(UART) = (uint8_t)*text++;
    }
}

int main(void)
{
    static volatile uint32_t word = 0x01020304;
    volatile uint32_t *uncached = (volatile uint32_t *)((uintptr_t)&word | 0x20000000);
    put("hello by UART\n");
    put_hex(*uncached);
    put("\n");
    *uncached = 0xcafe;
    put_hex(word);
    put("\n");
    word = 0xbabe;
    put_hex(*uncached);
    put("\n");
    return 0;
}
