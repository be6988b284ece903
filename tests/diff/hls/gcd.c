/* Greatest common divisors: nothing but divisions. */
#include "kernels.h"

__attribute__((noinline)) uint32_t kernel(uint32_t *words, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = words[i], b = words[i + 256];
        while (b) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        sum += a;
    }
    return sum;
}
