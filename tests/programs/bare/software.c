/* The software interrupt, vectored; and which of two comes first; qemu. */
#include "rt.h"
#include "rt_rv.h"

void soft(void), timer(void), other(void);

__attribute__((interrupt)) void soft(void)
{
    put("software\n");
    MSIP = 0;
}

__attribute__((interrupt)) void timer(void)
{
    put("timer\n");
    MTIMECMPH = ~0u;
}

__attribute__((interrupt)) void other(void)
{
    finish(99);
}

__asm__(".text\n"
        ".option push; .option norvc\n"
        ".balign 64\n"
        "vectors: j other; j other; j other; j soft; j other; j other; j other; j timer\n"
        ".option pop\n");
extern char vectors[];

int main(void)
{
    CSR_WRITE(mtvec, (uintptr_t)vectors | 1);
    MTIMECMPH = ~0u; /* not every timer starts like that */
    CSR_SET(mie, MIE_SOFTWARE | MIE_TIMER);
    CSR_SET(mstatus, MSTATUS_MIE);
    put("one\n");
    MSIP = 1;
    put("two\n");
    CSR_CLEAR(mstatus, MSTATUS_MIE);
    MTIMECMPH = 0;
    MTIMECMP = 0;
    MSIP = 1;
    put("both\n");
    CSR_SET(mstatus, MSTATUS_MIE);
    put("three\n");
    MSIP = 0xfffffffe; /* only bit 0 counts */
    put_dec(MSIP);
    put("\n");
    return 0;
}
