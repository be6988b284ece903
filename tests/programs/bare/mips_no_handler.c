/* An overflow, exceptions enabled, but nothing at the vector. */
#include "rt.h"
#include "rt_mips.h"

int main(void)
{
    put("last words\n");
    CP0_WRITE(12, 0, 0);
    __asm__ volatile("add $8, %0, %0" ::"r"(0x7fffffff) : "$8");
    return 0;
}
