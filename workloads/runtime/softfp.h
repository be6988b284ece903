/*
 * softfp.h - IEEE 754 binary64 arithmetic in integer code, round to nearest even.
 *
 * Values are bit patterns in a uint64_t. The softfloat workload measures these
 * functions; libcalls_float.c gives them the compiler's names where no usable libgcc
 * exists. Results equal those of hardware bit for bit, except that every NaN
 * comes out as SF64_NAN. There are no exception flags.
 *
 * Inside an operation a number is sign, biased exponent and a significand
 * whose leading one is at bit 62; ten bits below the result's last one decide
 * the rounding, and the lowest of them is sticky.
 */
#ifndef SOFTFP_H
#define SOFTFP_H

#include <stdbool.h>
#include <stdint.h>

#define SF64_SIGN     0x8000000000000000u
#define SF64_INF      0x7ff0000000000000u
#define SF64_NAN      0x7ff8000000000000u
#define SF64_FRACTION 0x000fffffffffffffu
#define SF64_HIDDEN   0x0010000000000000u
#define SF64_BIAS     1023

static inline int32_t sf64_exponent(uint64_t a)
{
    return (int32_t)(a >> 52) & 0x7ff;
}

static inline bool sf64_is_nan(uint64_t a)
{
    return (a & ~SF64_SIGN) > SF64_INF;
}

static inline bool sf64_is_zero(uint64_t a)
{
    return (a & ~SF64_SIGN) == 0;
}

/* The number of zeros above the leading one; v is not 0. */
static inline int32_t sf_leading_zeros(uint64_t v)
{
    uint32_t w = (uint32_t)(v >> 32);
    int32_t n = 0;
    if (!w) {
        n = 32;
        w = (uint32_t)v;
    }
    if (!(w >> 16)) {
        n += 16;
        w <<= 16;
    }
    if (!(w >> 24)) {
        n += 8;
        w <<= 8;
    }
    if (!(w >> 28)) {
        n += 4;
        w <<= 4;
    }
    if (!(w >> 30)) {
        n += 2;
        w <<= 2;
    }
    return n + !(w >> 31);
}

/* Shifts right; bits that fall out leave a one at the bottom. */
static inline uint64_t sf_shift_sticky(uint64_t v, int32_t n)
{
    if (n == 0)
        return v;
    if (n > 63)
        return v != 0;
    return v >> n | ((v << (64 - n)) != 0);
}

/* Rounds and packs; significand in [2^62, 2^63). */
static inline uint64_t sf64_round(uint64_t sign, int32_t exponent, uint64_t significand)
{
    if (exponent <= 0) {
        significand = sf_shift_sticky(significand, 1 - exponent);
        exponent = 0; /* subnormal */
    }
    uint64_t tail = significand & 0x3ff;
    significand = (significand + 0x200) >> 10;
    if (tail == 0x200)
        significand &= ~(uint64_t)1;
    uint64_t packed = significand;
    if (exponent > 0)
        packed += (uint64_t)(exponent - 1) << 52;
    return packed >= SF64_INF ? sign | SF64_INF : sign | packed;
}

/* Brings the leading one of a non-zero significand to bit 62, then rounds. */
static inline uint64_t sf64_normalize_round(uint64_t sign, int32_t exponent, uint64_t significand)
{
    int32_t shift = sf_leading_zeros(significand) - 1;
    if (shift < 0)
        return sf64_round(sign, exponent + 1, sf_shift_sticky(significand, 1));
    return sf64_round(sign, exponent - shift, significand << shift);
}

/* The exponent and the significand, leading one at bit 62, of a finite non-zero number. */
static inline int32_t sf64_unpack(uint64_t a, uint64_t *significand)
{
    int32_t exponent = sf64_exponent(a);
    uint64_t fraction = a & SF64_FRACTION;
    if (exponent) {
        *significand = (fraction | SF64_HIDDEN) << 10;
        return exponent;
    }
    int32_t shift = sf_leading_zeros(fraction) - 1;
    *significand = fraction << shift;
    return 11 - shift;
}

static inline uint64_t sf64_add(uint64_t a, uint64_t b)
{
    if ((a & ~SF64_SIGN) < (b & ~SF64_SIGN)) {
        uint64_t t = a;
        a = b;
        b = t;
    }
    if (sf64_is_nan(a))
        return SF64_NAN;
    bool subtract = ((a ^ b) & SF64_SIGN) != 0;
    if (sf64_exponent(a) == 0x7ff)
        return subtract && sf64_exponent(b) == 0x7ff ? SF64_NAN : a;
    if (sf64_is_zero(b))
        return sf64_is_zero(a) ? a & b : a;

    uint64_t big, small;
    int32_t exponent = sf64_unpack(a, &big);
    int32_t distance = exponent - sf64_unpack(b, &small);
    small = sf_shift_sticky(small, distance);
    uint64_t sum = subtract ? big - small : big + small;
    return sum ? sf64_normalize_round(a & SF64_SIGN, exponent, sum) : 0;
}

static inline uint64_t sf64_sub(uint64_t a, uint64_t b)
{
    return sf64_add(a, b ^ SF64_SIGN);
}

/* The upper half of the product, its lowest bit sticky for the lower half. */
static inline uint64_t sf_multiply_sticky(uint64_t a, uint64_t b)
{
    uint32_t a1 = (uint32_t)(a >> 32), a0 = (uint32_t)a;
    uint32_t b1 = (uint32_t)(b >> 32), b0 = (uint32_t)b;
    uint64_t low = (uint64_t)a0 * b0;
    uint64_t mid = (uint64_t)a1 * b0 + (low >> 32); /* cannot overflow */
    uint64_t mid2 = (uint64_t)a0 * b1 + (uint32_t)mid;
    uint64_t high = (uint64_t)a1 * b1 + (mid >> 32) + (mid2 >> 32);
    return high | (((uint32_t)mid2 | (uint32_t)low) != 0);
}

static inline uint64_t sf64_mul(uint64_t a, uint64_t b)
{
    uint64_t sign = (a ^ b) & SF64_SIGN;
    if (sf64_is_nan(a) || sf64_is_nan(b))
        return SF64_NAN;
    if (sf64_exponent(a) == 0x7ff || sf64_exponent(b) == 0x7ff)
        return sf64_is_zero(a) || sf64_is_zero(b) ? SF64_NAN : sign | SF64_INF;
    if (sf64_is_zero(a) || sf64_is_zero(b))
        return sign;

    uint64_t x, y;
    int32_t exponent = sf64_unpack(a, &x) + sf64_unpack(b, &y) - SF64_BIAS + 1;
    return sf64_normalize_round(sign, exponent, sf_multiply_sticky(x, y << 1));
}

static inline uint64_t sf64_div(uint64_t a, uint64_t b)
{
    uint64_t sign = (a ^ b) & SF64_SIGN;
    if (sf64_is_nan(a) || sf64_is_nan(b))
        return SF64_NAN;
    if (sf64_exponent(a) == 0x7ff)
        return sf64_exponent(b) == 0x7ff ? SF64_NAN : sign | SF64_INF;
    if (sf64_exponent(b) == 0x7ff)
        return sign;
    if (sf64_is_zero(b))
        return sf64_is_zero(a) ? SF64_NAN : sign | SF64_INF;
    if (sf64_is_zero(a))
        return sign;

    /* Long division to 55 bits: 53, one to round by, one that may be missing in front. */
    uint64_t rest, divisor, quotient = 0;
    int32_t exponent = sf64_unpack(a, &rest);
    exponent -= sf64_unpack(b, &divisor) - SF64_BIAS;
    for (int bit = 0; bit < 55; bit++) {
        quotient <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
        rest <<= 1;
    }
    return sf64_normalize_round(sign, exponent, quotient << 8 | (rest != 0));
}

static inline uint64_t sf64_sqrt(uint64_t a)
{
    if (sf64_is_nan(a))
        return SF64_NAN;
    if (sf64_is_zero(a) || a == SF64_INF)
        return a;
    if (a & SF64_SIGN)
        return SF64_NAN;

    uint64_t radicand;
    int32_t exponent = sf64_unpack(a, &radicand) - SF64_BIAS;
    if (exponent & 1)
        radicand <<= 1;
    int32_t half = (exponent - (exponent & 1)) / 2;

    /* Digit by digit, two bits of the radicand for one of the root. */
    uint64_t root = 0, rest = 0;
    for (int bit = 0; bit < 55; bit++) {
        rest = rest << 2 | radicand >> 62;
        radicand <<= 2;
        uint64_t trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    return sf64_round(0, half + SF64_BIAS, root << 8 | (rest != 0));
}

static inline bool sf64_eq(uint64_t a, uint64_t b)
{
    if (sf64_is_nan(a) || sf64_is_nan(b))
        return false;
    return a == b || (sf64_is_zero(a) && sf64_is_zero(b));
}

static inline bool sf64_lt(uint64_t a, uint64_t b)
{
    if (sf64_is_nan(a) || sf64_is_nan(b) || (sf64_is_zero(a) && sf64_is_zero(b)))
        return false;
    if ((a ^ b) & SF64_SIGN)
        return (a & SF64_SIGN) != 0;
    return a & SF64_SIGN ? a > b : a < b;
}

static inline bool sf64_le(uint64_t a, uint64_t b)
{
    return sf64_lt(a, b) || sf64_eq(a, b);
}

static inline uint64_t sf64_from_u32(uint32_t v)
{
    return v ? sf64_normalize_round(0, SF64_BIAS + 62, v) : 0;
}

static inline uint64_t sf64_from_i32(int32_t v)
{
    return v < 0 ? SF64_SIGN | sf64_from_u32(0u - (uint32_t)v) : sf64_from_u32((uint32_t)v);
}

/* The magnitude of a, truncated; 0xffffffff when it is 2^32 or more. */
static inline uint32_t sf64_magnitude_u32(uint64_t a)
{
    int32_t exponent = sf64_exponent(a) - SF64_BIAS;
    if (exponent < 0)
        return 0;
    if (exponent > 31)
        return 0xffffffffu;
    return (uint32_t)(((a & SF64_FRACTION) | SF64_HIDDEN) >> (52 - exponent));
}

/* Truncates towards zero; out of range saturates, NaN gives 0. */
static inline int32_t sf64_to_i32(uint64_t a)
{
    uint32_t magnitude = sf64_magnitude_u32(a);
    if (sf64_is_nan(a))
        return 0;
    if (a & SF64_SIGN)
        return magnitude > 0x7fffffffu ? INT32_MIN : -(int32_t)magnitude;
    return magnitude > 0x7fffffffu ? INT32_MAX : (int32_t)magnitude;
}

/* binary32 to binary64, exactly. */
static inline uint64_t sf64_from_f32(uint32_t a)
{
    uint64_t sign = (uint64_t)(a & 0x80000000u) << 32;
    uint32_t exponent = a >> 23 & 0xff;
    uint64_t fraction = a & 0x007fffffu;
    if (exponent == 0xff)
        return fraction ? SF64_NAN : sign | SF64_INF;
    if (exponent)
        return sign | (uint64_t)(exponent + SF64_BIAS - 127) << 52 | fraction << 29;
    if (!fraction)
        return sign;
    return sf64_normalize_round(sign, SF64_BIAS - 126 - 23 + 62, fraction);
}

/* binary64 to binary32, rounded to nearest even. */
static inline uint32_t sf64_to_f32(uint64_t a)
{
    uint32_t sign = (uint32_t)(a >> 32) & 0x80000000u;
    if (sf64_is_nan(a))
        return 0x7fc00000u;
    if (sf64_is_zero(a))
        return sign;
    if (sf64_exponent(a) == 0x7ff)
        return sign | 0x7f800000u;

    uint64_t wide;
    int32_t exponent = sf64_unpack(a, &wide) - SF64_BIAS + 127;
    if (exponent >= 0xff)
        return sign | 0x7f800000u;
    uint32_t significand = (uint32_t)sf_shift_sticky(wide, 32); /* leading one at bit 30 */
    if (exponent <= 0) {
        significand = (uint32_t)sf_shift_sticky(significand, 1 - exponent);
        exponent = 0;
    }
    uint32_t tail = significand & 0x7f;
    significand = (significand + 0x40) >> 7;
    if (tail == 0x40)
        significand &= ~1u;
    uint32_t packed = significand;
    if (exponent > 0)
        packed += (uint32_t)(exponent - 1) << 23;
    return sign | packed; /* a carry out of the largest number gives infinity */
}

#endif
