/* Memory from malloc, brk and mmap, under stress. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t state = 12345;

static uint32_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

enum { SLOTS = 400 };
static unsigned char *slots[SLOTS];
static size_t sizes[SLOTS];

static void fill(int i)
{
    for (size_t k = 0; k < sizes[i]; k++)
        slots[i][k] = (unsigned char)(i * 31 + k);
}

static int intact(int i, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        if (slots[i][k] != (unsigned char)(i * 31 + k))
            return 0;
    }
    return 1;
}

int main(void)
{
    int errors = 0;
    for (int round = 0; round < 6000; round++) {
        int i = (int)(next() % SLOTS);
        size_t size = next() % 50 == 0 ? next() % 400000 : next() % 2000;
        if (!slots[i]) {
            slots[i] = malloc(size);
            sizes[i] = size;
            fill(i);
        } else if (next() % 3 == 0) {
            size_t kept = size < sizes[i] ? size : sizes[i];
            slots[i] = realloc(slots[i], size ? size : 1);
            errors += !intact(i, kept);
            sizes[i] = size;
            fill(i);
        } else {
            errors += !intact(i, sizes[i]);
            free(slots[i]);
            slots[i] = NULL;
        }
    }
    for (int i = 0; i < SLOTS; i++)
        free(slots[i]);
    printf("errors %d\n", errors);

    unsigned char *zeros = calloc(1, 8 << 20);
    size_t sum = 0;
    for (size_t i = 0; i < 8 << 20; i++)
        sum += zeros[i];
    printf("calloc sum %zu\n", sum);
    memset(zeros, 1, 8 << 20);
    free(zeros);
    zeros = calloc(1, 8 << 20);
    sum = 0;
    for (size_t i = 0; i < 8 << 20; i++)
        sum += zeros[i];
    printf("calloc sum %zu\n", sum);
    zeros = realloc(zeros, 40 << 20);
    zeros[(40 << 20) - 1] = 5;
    printf("realloc %d %d\n", zeros[0], zeros[(40 << 20) - 1]);
    free(zeros);
    void *aligned = NULL;
    printf("aligned %d %d\n", posix_memalign(&aligned, 65536, 100),
           ((uintptr_t)aligned & 65535) == 0);
    malloc_trim(0);

    char *start = sbrk(0);
    printf("grown %d\n", (char *)sbrk(10000) == start);
    start[9999] = 1;
    printf("shrunk %d\n", (char *)sbrk(-10000) == start + 10000);
    printf("too much: %s\n", sbrk(0x70000000) == (void *)-1 ? strerror(errno) : "?");
    printf("too much: %s\n", malloc(0x7ff00000) ? "?" : strerror(errno));
    printf("brk back %d\n", brk(start) == 0 && sbrk(0) == start);
    return 0;
}
