/* malloc, realloc, calloc and free in a random order, with every byte checked. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state = 99;

static uint32_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

int main(void)
{
    enum { SLOTS = 64, STEPS = 4000 };
    static unsigned char *blocks[SLOTS];
    static size_t sizes[SLOTS];
    uint32_t sum = 0;
    for (int step = 0; step < STEPS; step++) {
        unsigned slot = next() % SLOTS;
        size_t size = 1 + next() % 700;
        for (size_t i = 0; i < sizes[slot]; i++) {
            if (blocks[slot][i] != (unsigned char)(slot + i)) {
                printf("block %u is damaged at %u\n", slot, (unsigned)i);
                return 1;
            }
        }
        sum = sum * 17 + (uint32_t)sizes[slot];
        if (next() % 3 == 0) {
            free(blocks[slot]);
            blocks[slot] = NULL;
            sizes[slot] = 0;
            continue;
        }
        if (next() % 2) {
            blocks[slot] = realloc(blocks[slot], size);
        } else {
            free(blocks[slot]);
            blocks[slot] = calloc(size, 1);
            for (size_t i = 0; i < size; i++) {
                if (blocks[slot][i])
                    return 2;
            }
        }
        if (!blocks[slot])
            return 3;
        for (size_t i = 0; i < size; i++)
            blocks[slot][i] = (unsigned char)(slot + i);
        sizes[slot] = size;
    }
    for (int i = 0; i < SLOTS; i++)
        free(blocks[i]);
    printf("%08lx\n", (unsigned long)sum);
    return 0;
}
