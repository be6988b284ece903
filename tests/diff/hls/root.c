/* Square roots, bit by bit: chains of additions and comparisons, and hardly any memory. */
#include "kernels.h"

__attribute__((noinline)) uint32_t kernel(uint32_t *words, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rest = words[i], root = 0, bit = 1u << 30;
        while (bit) {
            if (rest >= root + bit) {
                rest -= root + bit;
                root = (root >> 1) + bit;
            } else {
                root >>= 1;
            }
            bit >>= 2;
        }
        sum += root;
    }
    return sum;
}
