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
#define BREV8(v)    reverse_bits(v)
#define ZIP(v)      interleave(v)
#define UNZIP(v)    deinterleave(v)

/* 0xff in every byte that has a bit set. */
static inline UX or_combine(UX v)
{
    UX seven = 0x7f7f7f7f, any = ((v & seven) + seven) | v; /* top bit of each byte */
    return ((any >> 7) & 0x01010101) * 0xff;
}

/* The bits within every byte, the other way round. */
static inline UX reverse_bits(UX v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    return (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
}

/* Exchanges the bits that `mask` selects with those `by` places above them. */
static inline UX exchange_bits(UX v, UX mask, unsigned by)
{
    UX differ = (v ^ v >> by) & mask;
    return v ^ differ ^ differ << by;
}

/* The lower half's bits go to even places, the upper half's to odd ones. */
static inline UX interleave(UX v)
{
    v = exchange_bits(v, 0x0000ff00, 8);
    v = exchange_bits(v, 0x00f000f0, 4);
    v = exchange_bits(v, 0x0c0c0c0c, 2);
    return exchange_bits(v, 0x22222222, 1);
}

/* The opposite. */
static inline UX deinterleave(UX v)
{
    v = exchange_bits(v, 0x22222222, 1);
    v = exchange_bits(v, 0x0c0c0c0c, 2);
    v = exchange_bits(v, 0x00f000f0, 4);
    return exchange_bits(v, 0x0000ff00, 8);
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
