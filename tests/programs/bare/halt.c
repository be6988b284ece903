/* Waits for an interrupt that nothing can raise. */
#include "rt.h"
#include "rt_rv.h"

int main(void)
{
    put("good night\n");
    CSR_SET(mie, MIE_SOFTWARE);
    for (;;)
        __asm__ volatile("wfi");
}
