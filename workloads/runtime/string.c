/*
 * string.c - the five functions a compiler expects of a freestanding target.
 *
 * Word copies when both ends are aligned, bytes otherwise. Built with
 * -fno-tree-loop-distribute-patterns, or the loops would become calls to
 * themselves.
 */
#include "workload.h"

#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strlen

typedef uint32_t __attribute__((may_alias)) word;

static bool both_aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & (sizeof(word) - 1)) == 0;
}

static void copy_forward(uint8_t *d, const uint8_t *s, size_t n)
{
    if (both_aligned(d, s))
        for (; n >= sizeof(word); n -= sizeof(word), d += sizeof(word), s += sizeof(word))
            *(word *)(void *)d = *(const word *)(const void *)s;
    while (n--)
        *d++ = *s++;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    copy_forward(to, from, n);
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    uint8_t *d = to;
    const uint8_t *s = from;
    if ((uintptr_t)d - (uintptr_t)s >= n)
        copy_forward(d, s, n);
    else
        while (n--)
            d[n] = s[n];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    uint8_t *d = to;
    word fill = (uint8_t)byte * 0x01010101u;
    if (both_aligned(d, d))
        for (; n >= sizeof(word); n -= sizeof(word), d += sizeof(word))
            *(word *)(void *)d = fill;
    while (n--)
        *d++ = (uint8_t)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const uint8_t *p = a, *q = b;
    for (; n; n--, p++, q++)
        if (*p != *q)
            return *p - *q;
    return 0;
}

size_t strlen(const char *text)
{
    const char *end = text;
    while (*end)
        end++;
    return (size_t)(end - text);
}
