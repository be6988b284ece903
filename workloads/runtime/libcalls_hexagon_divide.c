/*
 * libcalls_hexagon_divide.c - division for Hexagon, which has no instruction for it.
 *
 * Debian has no run-time library of compilers for Hexagon. Names and meanings are compiler-rt's.
 */
#include <stdint.h>

/* The quotient; the remainder goes to *rest. A divisor of 0 gives all ones, as on RISC-V. */
static inline uint32_t divide(uint32_t a, uint32_t b, uint32_t *rest)
{
    uint32_t quotient = 0;
    if (b == 0) {
        *rest = a;
        return UINT32_MAX;
    }
    if (a >= b) {
        for (int shift = __builtin_clz(b) - __builtin_clz(a); shift >= 0; shift--) {
            quotient <<= 1;
            if (a >= b << shift) {
                a -= b << shift;
                quotient |= 1;
            }
        }
    }
    *rest = a;
    return quotient;
}

static inline uint32_t magnitude(int32_t a)
{
    return a < 0 ? 0u - (uint32_t)a : (uint32_t)a;
}

uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b);
uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;
    return divide(a, b, &rest);
}

uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b);
uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;
    (void)divide(a, b, &rest);
    return rest;
}

int32_t __hexagon_divsi3(int32_t a, int32_t b);
int32_t __hexagon_divsi3(int32_t a, int32_t b)
{
    uint32_t rest, quotient = divide(magnitude(a), magnitude(b), &rest);
    return (int32_t)((a ^ b) < 0 && b != 0 ? 0u - quotient : quotient);
}

int32_t __hexagon_modsi3(int32_t a, int32_t b);
int32_t __hexagon_modsi3(int32_t a, int32_t b)
{
    uint32_t rest;
    (void)divide(magnitude(a), magnitude(b), &rest);
    return (int32_t)(a < 0 ? 0u - rest : rest);
}
