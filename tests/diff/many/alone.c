/* alone - a core that uses shared memory all the time, and next to it memory of its own. */
#include "many.h"

int main(void)
{
    static uint32_t local[64];
    uint32_t sum = 0;
    for (unsigned i = 0; i < 500; i++) {
        SHARED[i] = i * 7919;
        if (i % 3 == 0)
            SHARED[i + 1] = sum;
        sum += SHARED[i / 2] / (i + 1);
        local[i % 64] = sum;
        local[(i * 3) % 64] += 5;
        sum += ((volatile uint8_t *)SHARED)[i] + local[i * 5 % 64];
    }
    put_result("alone", sum);
    return 0;
}
