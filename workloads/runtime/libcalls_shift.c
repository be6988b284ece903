/*
 * libcalls_shift.c - what the compiler calls for 64-bit shifts on a 32-bit core.
 *
 * For bare-metal MIPS only; libcalls_float.c says why. Names are libgcc's.
 */
#include <stdint.h>

/* Built from 32-bit shifts, or these would call themselves. */
static uint64_t join(uint32_t high, uint32_t low)
{
    union {
        uint64_t whole;
        uint32_t half[2];
    } u;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    u.half[0] = high;
    u.half[1] = low;
#else
    u.half[0] = low;
    u.half[1] = high;
#endif
    return u.whole;
}

uint64_t __ashldi3(uint64_t a, int n);
uint64_t __ashldi3(uint64_t a, int n)
{
    uint32_t high = (uint32_t)(a >> 32), low = (uint32_t)a;
    if (n == 0)
        return a;
    if (n >= 32)
        return join(low << (n - 32), 0);
    return join(high << n | low >> (32 - n), low << n);
}

uint64_t __lshrdi3(uint64_t a, int n);
uint64_t __lshrdi3(uint64_t a, int n)
{
    uint32_t high = (uint32_t)(a >> 32), low = (uint32_t)a;
    if (n == 0)
        return a;
    if (n >= 32)
        return join(0, high >> (n - 32));
    return join(high >> n, low >> n | high << (32 - n));
}

int64_t __ashrdi3(int64_t a, int n);
int64_t __ashrdi3(int64_t a, int n)
{
    uint32_t high = (uint32_t)((uint64_t)a >> 32), low = (uint32_t)a;
    uint32_t fill = 0u - (high >> 31);
    if (n == 0)
        return a;
    if (n >= 32)
        return (int64_t)join(fill, (uint32_t)((int32_t)high >> (n - 32)));
    return (int64_t)join((uint32_t)((int32_t)high >> n), low >> n | high << (32 - n));
}
