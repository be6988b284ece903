/* Waits for an interrupt that nothing can raise. */
#include "rt.h"
#include "rt_mips.h"

int main(void)
{
    put("good night\n");
    CP0_WRITE(12, 0, 1u << 9 | 1);
    for (;;)
        __asm__ volatile("wait");
}
