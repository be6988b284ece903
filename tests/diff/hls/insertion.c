/* Insertion sort: a load, a comparison and a store in a loop that may end early. */
#include "kernels.h"

__attribute__((noinline)) uint32_t kernel(uint32_t *words, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t key = words[i];
        uint32_t at = i;
        while (at > 0 && words[at - 1] > key) {
            words[at] = words[at - 1];
            at--;
        }
        words[at] = key;
    }
    return words[0] ^ words[count / 2];
}
