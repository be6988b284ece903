/*
 * libcalls_hexagon_copy.c - what the compiler calls for large copies on Hexagon.
 *
 * Debian has no run-time library of compilers for Hexagon. Name and meaning are compiler-rt's.
 */
#include <stddef.h>
#include <stdint.h>

typedef uint64_t __attribute__((may_alias)) pair;

/* Both are aligned to 8 bytes with some luck; `size` is a multiple of 8. */
void __hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void *to, const void *from, size_t size);
void __hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void *to, const void *from, size_t size)
{
    if ((((uintptr_t)to | (uintptr_t)from) & (sizeof(pair) - 1)) == 0) {
        for (size_t i = 0; i < size / sizeof(pair); i++)
            ((pair *)to)[i] = ((const pair *)from)[i];
    } else {
        for (size_t i = 0; i < size; i++)
            ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    }
}
