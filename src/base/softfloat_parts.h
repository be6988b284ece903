/*
 * softfloat_parts.h - taking floating-point numbers apart and rounding them.
 *
 * Private to softfloat*.c. Everything takes a `format`, a compile-time constant
 * at each use, so one source serves both precisions and compiles to two.
 */
#ifndef GS_BASE_SOFTFLOAT_PARTS_H
#define GS_BASE_SOFTFLOAT_PARTS_H

#include "base/softfloat.h"

typedef unsigned __int128 u128;

typedef struct format {
    int frac_bits; /* stored, without the leading one */
    int bias;
    uint64_t infinity; /* the bits of +inf: a mask for the exponent, too */
} format;

static const format f32 = {23, 127, UINT64_C(0x7f800000)};
static const format f64 = {52, 1023, UINT64_C(0x7ff0000000000000)};

/*
 * A finite number is frac * 2^(exp - 63). The leading one of a nonzero number
 * is bit 63, subnormals included. Zero has frac 0 and an exponent so low that
 * sums and products need not ask for it.
 */
typedef struct parts {
    bool sign;
    int exp;
    uint64_t frac;
} parts;

enum { EXP_OF_ZERO = -10000 };

static inline uint64_t sign_bit(const format *f)
{
    return f->infinity + (UINT64_C(1) << f->frac_bits);
}

static inline uint64_t magnitude(const format *f, uint64_t bits)
{
    return bits & (sign_bit(f) - 1);
}

static inline bool is_negative(const format *f, uint64_t bits)
{
    return (bits & sign_bit(f)) != 0;
}

static inline uint64_t with_sign(const format *f, bool sign, uint64_t bits)
{
    return sign ? bits | sign_bit(f) : bits;
}

static inline bool is_nan(const format *f, uint64_t bits)
{
    return magnitude(f, bits) > f->infinity;
}

static inline bool is_inf(const format *f, uint64_t bits)
{
    return magnitude(f, bits) == f->infinity;
}

static inline uint64_t quiet_bit(const format *f)
{
    return UINT64_C(1) << (f->frac_bits - 1);
}

static inline bool is_snan(const gs_fp *fp, const format *f, uint64_t bits)
{
    bool msb = (bits & quiet_bit(f)) != 0;
    return is_nan(f, bits) && msb == (fp->nan == GS_FP_NAN_MIPS_LEGACY);
}

static inline void raise_flags(gs_fp *fp, unsigned flags)
{
    fp->flags = (uint8_t)(fp->flags | flags);
}

static inline uint64_t default_nan(const gs_fp *fp, const format *f)
{
    uint64_t quiet = f->infinity | quiet_bit(f);
    return fp->nan == GS_FP_NAN_MIPS_LEGACY ? quiet - 1 : quiet;
}

static inline uint64_t invalid(gs_fp *fp, const format *f)
{
    raise_flags(fp, GS_FP_INVALID);
    return default_nan(fp, f);
}

static inline parts unpack(const format *f, uint64_t bits)
{
    uint64_t mag = magnitude(f, bits);
    int biased = (int)(mag >> f->frac_bits);
    uint64_t frac = mag << (63 - f->frac_bits);
    parts p = {is_negative(f, bits), biased - f->bias, frac | UINT64_C(1) << 63};

    if (biased == 0) {
        int lead = mag ? __builtin_clzll(frac) : 0;
        p.exp = mag ? 1 - f->bias - lead : EXP_OF_ZERO;
        p.frac = frac << lead;
    }
    return p;
}

/* A number shifted right: what is left, and what fell off, in units of 2^-64. */
typedef struct split {
    uint64_t kept;
    uint64_t rest;
} split;

static inline split split_at(uint64_t frac, int shift)
{
    if (shift == 0)
        return (split){frac, 0};
    if (shift < 64)
        return (split){frac >> shift, frac << (64 - shift)};
    /* Beyond 64, all that matters of the rest is that it is less than half. */
    return (split){0, shift == 64 ? frac : frac != 0};
}

static inline bool rounds_away(unsigned round, bool sign, split s)
{
    const uint64_t half = UINT64_C(1) << 63;

    switch (round) {
    case GS_FP_RNE: return s.rest > half || (s.rest == half && (s.kept & 1));
    case GS_FP_RDN: return sign && s.rest;
    case GS_FP_RUP: return !sign && s.rest;
    case GS_FP_RMM: return s.rest >= half;
    default: return false;
    }
}

static inline uint64_t overflow(gs_fp *fp, const format *f, bool sign)
{
    bool to_max = fp->round == GS_FP_RTZ || fp->round == (sign ? GS_FP_RUP : GS_FP_RDN);

    raise_flags(fp, GS_FP_OVERFLOW | GS_FP_INEXACT);
    return with_sign(f, sign, f->infinity - to_max);
}

/*
 * The bits of p, rounded. The lowest bit of p.frac may be sticky: set when
 * anything below it was lost. p is not zero.
 */
static inline uint64_t round_pack(gs_fp *fp, const format *f, parts p)
{
    int shift = 63 - f->frac_bits;
    int biased = p.exp + f->bias;
    split s = split_at(p.frac, shift);
    bool tiny = false;

    if (biased <= 0) {
        if (fp->flush_to_zero)
            return with_sign(f, p.sign, 0);
        /* Had the exponent no lower end, would rounding reach the normal range? */
        bool reaches = biased == 0 && s.kept == (UINT64_C(2) << f->frac_bits) - 1 &&
                       rounds_away(fp->round, p.sign, s);
        tiny = fp->tiny_before_rounding || !reaches;
        s = split_at(p.frac, shift + 1 - biased);
        biased = 1;
    }
    if (s.rest)
        raise_flags(fp, tiny ? GS_FP_INEXACT | GS_FP_UNDERFLOW : GS_FP_INEXACT);

    /*
     * `kept` still has its leading one (a subnormal has none), which counts the
     * exponent up by one; so does a carry out of the fraction. The exponent of
     * no product or quotient is so large that the sum wraps.
     */
    uint64_t mag = ((uint64_t)(biased - 1) << f->frac_bits) + s.kept;
    mag += rounds_away(fp->round, p.sign, s);
    return mag < f->infinity ? with_sign(f, p.sign, mag) : overflow(fp, f, p.sign);
}

#endif
