/* Products of pairs, added up. */
#include "kernels.h"

__attribute__((noinline)) uint32_t kernel(uint32_t *words, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += words[i] * words[i + 256];
    return sum;
}
