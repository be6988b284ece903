/*
 * softfloat_host.h - the fast path of softfloat.c, to be inlined.
 *
 * Each function lets the host's FPU do an operation and returns true, or changes nothing and
 * returns false where host and guest could differ; then the function of softfloat.h has the answer.
 * Needs nothing but the C language and softfloat.h: translated code has this text in it.
 */
#ifndef GS_BASE_SOFTFLOAT_HOST_H
#define GS_BASE_SOFTFLOAT_HOST_H

#include <float.h>
#include <string.h>

#include "base/softfloat.h"

/* Excess precision rounds twice; -ffast-math does not round to any rule. */
#if FLT_EVAL_METHOD == 0 && !defined(__FAST_MATH__)
#define HOST_FPU 1
#else
#define HOST_FPU 0
#endif

static inline float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline uint64_t bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline bool use_host(const gs_fp *fp)
{
    return HOST_FPU && !fp->no_host && fp->round == GS_FP_RNE;
}

static inline bool must_check_inexact(const gs_fp *fp)
{
    return !(fp->flags & GS_FP_INEXACT);
}

/*
 * Normal, but not of the least exponent: a result there may have been tiny
 * before it was rounded. Adding one exponent step makes infinities and NaNs
 * wrap to the low end, so one comparison does.
 */
static inline bool is_plain32(uint32_t bits)
{
    const uint32_t step = UINT32_C(1) << 23;
    return ((bits + step) & (0xff * step)) >= 3 * step;
}

static inline bool is_plain64(uint64_t bits)
{
    const uint64_t step = UINT64_C(1) << 52;
    return ((bits + step) & (0x7ff * step)) >= 3 * step;
}

static inline bool is_plain_or_zero32(uint32_t bits)
{
    return is_plain32(bits) || bits << 1 == 0;
}

static inline bool is_plain_or_zero64(uint64_t bits)
{
    return is_plain64(bits) || bits << 1 == 0;
}

/* What s = a + b lost in rounding, found without error (Knuth's TwoSum). */
static inline float lost32(float a, float b, float s)
{
    float b_seen = s - a;
    return (a - (s - b_seen)) + (b - b_seen);
}

static inline double lost64(double a, double b, double s)
{
    double b_seen = s - a;
    return (a - (s - b_seen)) + (b - b_seen);
}

/* Is z exactly x * y? All are plain, and z is off by a rounding at most. */
static inline bool is_product32(uint32_t x, uint32_t y, uint32_t z)
{
    return (double)float_of(x) * (double)float_of(y) == (double)float_of(z);
}

/*
 * The product of the significands and z's significand scaled to it differ by
 * far less than 2^64, so their low 64 bits tell. Sign bits cancel in `scale`
 * or fall to its mask.
 */
static inline bool is_product64(uint64_t x, uint64_t y, uint64_t z)
{
    const uint64_t one = UINT64_C(1) << 52;
    uint64_t product = ((x & (one - 1)) | one) * ((y & (one - 1)) | one);
    uint64_t scale = (z >> 52) - (x >> 52) - (y >> 52) + 1023 + 52;
    return product == ((z & (one - 1)) | one) << (scale & 63);
}

static inline bool gs_f32_add_host(gs_fp *fp, uint32_t a, uint32_t b, uint32_t *sum)
{
    if (!use_host(fp) || !is_plain_or_zero32(a) || !is_plain_or_zero32(b))
        return false;
    float x = float_of(a), y = float_of(b), s = x + y;
    if (!is_plain_or_zero32(bits_of_float(s)))
        return false;
    if (must_check_inexact(fp) && lost32(x, y, s) != 0)
        fp->flags |= GS_FP_INEXACT;
    *sum = bits_of_float(s);
    return true;
}

static inline bool gs_f32_sub_host(gs_fp *fp, uint32_t a, uint32_t b, uint32_t *difference)
{
    return gs_f32_add_host(fp, a, b ^ UINT32_C(1) << 31, difference);
}

static inline bool gs_f32_mul_host(gs_fp *fp, uint32_t a, uint32_t b, uint32_t *product)
{
    if (!use_host(fp) || !is_plain32(a) || !is_plain32(b))
        return false;
    uint32_t z = bits_of_float(float_of(a) * float_of(b));
    if (!is_plain32(z))
        return false;
    if (must_check_inexact(fp) && !is_product32(a, b, z))
        fp->flags |= GS_FP_INEXACT;
    *product = z;
    return true;
}

static inline bool gs_f32_div_host(gs_fp *fp, uint32_t a, uint32_t b, uint32_t *quotient)
{
    if (!use_host(fp) || !is_plain32(a) || !is_plain32(b))
        return false;
    uint32_t z = bits_of_float(float_of(a) / float_of(b));
    if (!is_plain32(z))
        return false;
    if (must_check_inexact(fp) && !is_product32(z, b, a))
        fp->flags |= GS_FP_INEXACT;
    *quotient = z;
    return true;
}

static inline bool gs_f64_add_host(gs_fp *fp, uint64_t a, uint64_t b, uint64_t *sum)
{
    if (!use_host(fp) || !is_plain_or_zero64(a) || !is_plain_or_zero64(b))
        return false;
    double x = double_of(a), y = double_of(b), s = x + y;
    if (!is_plain_or_zero64(bits_of_double(s)))
        return false;
    if (must_check_inexact(fp) && lost64(x, y, s) != 0)
        fp->flags |= GS_FP_INEXACT;
    *sum = bits_of_double(s);
    return true;
}

static inline bool gs_f64_sub_host(gs_fp *fp, uint64_t a, uint64_t b, uint64_t *difference)
{
    return gs_f64_add_host(fp, a, b ^ UINT64_C(1) << 63, difference);
}

static inline bool gs_f64_mul_host(gs_fp *fp, uint64_t a, uint64_t b, uint64_t *product)
{
    if (!use_host(fp) || !is_plain64(a) || !is_plain64(b))
        return false;
    uint64_t z = bits_of_double(double_of(a) * double_of(b));
    if (!is_plain64(z))
        return false;
    if (must_check_inexact(fp) && !is_product64(a, b, z))
        fp->flags |= GS_FP_INEXACT;
    *product = z;
    return true;
}

static inline bool gs_f64_div_host(gs_fp *fp, uint64_t a, uint64_t b, uint64_t *quotient)
{
    if (!use_host(fp) || !is_plain64(a) || !is_plain64(b))
        return false;
    uint64_t z = bits_of_double(double_of(a) / double_of(b));
    if (!is_plain64(z))
        return false;
    if (must_check_inexact(fp) && !is_product64(z, b, a))
        fp->flags |= GS_FP_INEXACT;
    *quotient = z;
    return true;
}

#endif
