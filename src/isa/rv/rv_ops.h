/*
 * rv_ops.h - words of rv.def's semantics column that mean the same to every engine.
 *
 * Needs nothing but the C language: translated code begins with this text.
 */
#ifndef GS_RV_OPS_H
#define GS_RV_OPS_H

#include <stdint.h>

#define XLEN 32
typedef uint32_t UX;
typedef int32_t SX;
typedef uint64_t UX2;
typedef int64_t SX2;

#define CLZ(v)      __builtin_clz(v)
#define CTZ(v)      __builtin_ctz(v)
#define POPCOUNT(v) __builtin_popcount(v)
#define BSWAP(v)    __builtin_bswap32(v)
#define ORC_B(v)    or_combine(v)

/* 0xff in every byte that has a bit set. */
static inline UX or_combine(UX v)
{
    UX seven = 0x7f7f7f7f, any = ((v & seven) + seven) | v; /* top bit of each byte */
    return ((any >> 7) & 0x01010101) * 0xff;
}

/* Single precision values live NaN-boxed in 64 bits; anything else reads as the canonical NaN. */
static inline uint32_t unbox(uint64_t f)
{
    return f >> 32 == 0xffffffffu ? (uint32_t)f : 0x7fc00000u;
}

static inline uint64_t box(uint32_t single)
{
    return 0xffffffff00000000u | single;
}

#endif
