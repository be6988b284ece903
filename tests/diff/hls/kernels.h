/* kernels.h - what the kernels share: the data, as in bench.v, and how the result is told. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdint.h>
#include <stdio.h>

enum { WORDS = 512 };
static uint32_t data[WORDS];

uint32_t kernel(uint32_t *words, uint32_t count);

int main(void)
{
    uint32_t random = 12345;
    for (unsigned i = 0; i < WORDS; i++) {
        random = random * 1664525u + 1013904223u;
        data[i] = random >> 8;
    }
    printf("%08x\n", (unsigned)kernel(data, 200));
    return 0;
}

#endif
