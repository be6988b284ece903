/* A load fault whose handler cannot execute its first instruction. */
#include "rt.h"
#include "rt_rv.h"

int main(void)
{
    static const uint32_t garbage[4] __attribute__((aligned(16))) = {0};
    put("into the storm\n");
    CSR_WRITE(mtvec, (uintptr_t)garbage);
    return (int)REG32(0xa0000000);
}
