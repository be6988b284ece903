/*
 * Comparing, classifying and converting. Bit patterns without their sign bit
 * are ordered as the numbers they stand for, so comparing is integer work.
 */
#include "base/softfloat.h"

#include "base/softfloat_parts.h"

static inline gs_fp_order compare(gs_fp *fp, const format *f, uint64_t a, uint64_t b,
                                  bool signalling)
{
    if (is_nan(f, a) || is_nan(f, b)) {
        if (signalling || is_snan(fp, f, a) || is_snan(fp, f, b))
            raise_flags(fp, GS_FP_INVALID);
        return GS_FP_UNORDERED;
    }
    int64_t x = (int64_t)magnitude(f, a);
    int64_t y = (int64_t)magnitude(f, b);
    x = is_negative(f, a) ? -x : x;
    y = is_negative(f, b) ? -y : y;
    return x < y ? GS_FP_LESS : x > y ? GS_FP_GREATER : GS_FP_EQUAL;
}

static inline uint64_t min_or_max(gs_fp *fp, const format *f, uint64_t a, uint64_t b, bool max)
{
    if (is_snan(fp, f, a) || is_snan(fp, f, b))
        raise_flags(fp, GS_FP_INVALID);
    if (is_nan(f, a))
        return is_nan(f, b) ? default_nan(fp, f) : b;
    if (is_nan(f, b))
        return a;

    /* Unlike in compare(), -0 comes before +0: the complement keeps them apart. */
    int64_t x = (int64_t)magnitude(f, a);
    int64_t y = (int64_t)magnitude(f, b);
    x = is_negative(f, a) ? ~x : x;
    y = is_negative(f, b) ? ~y : y;
    return (x < y) == max ? b : a;
}

static inline unsigned classify(const gs_fp *fp, const format *f, uint64_t a)
{
    uint64_t mag = magnitude(f, a);

    if (is_nan(f, a))
        return is_snan(fp, f, a) ? 1u << 8 : 1u << 9;
    unsigned rank = mag == 0 ? 0 : mag >> f->frac_bits == 0 ? 1 : mag < f->infinity ? 2 : 3;
    return is_negative(f, a) ? 1u << (3 - rank) : 1u << (4 + rank);
}

static inline uint64_t to_format(gs_fp *fp, const format *from, const format *to, uint64_t a)
{
    int widen = to->frac_bits - from->frac_bits;
    bool sign = is_negative(from, a);

    if (is_nan(from, a)) {
        if (is_snan(fp, from, a))
            raise_flags(fp, GS_FP_INVALID);
        if (fp->nan != GS_FP_NAN_MIPS_2008)
            return default_nan(fp, to);
        uint64_t payload = a & ((UINT64_C(1) << from->frac_bits) - 1);
        payload = widen > 0 ? payload << widen : payload >> -widen;
        return with_sign(to, sign, to->infinity | quiet_bit(to) | payload);
    }
    if (is_inf(from, a))
        return with_sign(to, sign, to->infinity);
    parts p = unpack(from, a);
    return p.frac ? round_pack(fp, to, p) : with_sign(to, sign, 0);
}

/* The integers of one width: from -2^bits or 0 up to 2^bits - 1. */
typedef struct range {
    int bits;
    bool is_signed;
} range;

static inline uint64_t to_integer(gs_fp *fp, const format *f, uint64_t a, unsigned round, range to)
{
    uint64_t max = UINT64_MAX >> (64 - to.bits);
    bool sign = is_negative(f, a);
    uint64_t limit = !sign ? max : to.is_signed ? max + 1 : 0;
    parts p = unpack(f, a);

    /* The exponent of an infinity or a NaN is larger, too. */
    if (p.exp < 64) {
        split s = split_at(p.frac, 63 - p.exp);
        uint64_t mag = s.kept + rounds_away(round, sign, s);
        if (mag <= limit) {
            if (s.rest)
                raise_flags(fp, GS_FP_INEXACT);
            return sign ? 0 - mag : mag;
        }
    }
    raise_flags(fp, GS_FP_INVALID);
    if (fp->nan == GS_FP_NAN_MIPS_LEGACY)
        return max;
    if (is_nan(f, a))
        return fp->nan == GS_FP_NAN_MIPS_2008 ? 0 : max;
    return sign ? 0 - limit : limit;
}

static inline uint64_t from_integer(gs_fp *fp, const format *f, bool sign, uint64_t mag)
{
    if (mag == 0)
        return 0;
    int lead = __builtin_clzll(mag);
    return round_pack(fp, f, (parts){sign, 63 - lead, mag << lead});
}

static inline uint64_t from_signed(gs_fp *fp, const format *f, int64_t a)
{
    return from_integer(fp, f, a < 0, a < 0 ? 0 - (uint64_t)a : (uint64_t)a);
}

static const range i32 = {31, true};
static const range u32 = {32, false};
static const range i64 = {63, true};

gs_fp_order gs_f32_compare(gs_fp *fp, uint32_t a, uint32_t b, bool signalling)
{
    return compare(fp, &f32, a, b, signalling);
}

bool gs_f32_eq(gs_fp *fp, uint32_t a, uint32_t b)
{
    return compare(fp, &f32, a, b, false) == GS_FP_EQUAL;
}

bool gs_f32_lt(gs_fp *fp, uint32_t a, uint32_t b)
{
    return compare(fp, &f32, a, b, true) == GS_FP_LESS;
}

bool gs_f32_le(gs_fp *fp, uint32_t a, uint32_t b)
{
    return compare(fp, &f32, a, b, true) <= GS_FP_EQUAL;
}

gs_fp_order gs_f64_compare(gs_fp *fp, uint64_t a, uint64_t b, bool signalling)
{
    return compare(fp, &f64, a, b, signalling);
}

bool gs_f64_eq(gs_fp *fp, uint64_t a, uint64_t b)
{
    return compare(fp, &f64, a, b, false) == GS_FP_EQUAL;
}

bool gs_f64_lt(gs_fp *fp, uint64_t a, uint64_t b)
{
    return compare(fp, &f64, a, b, true) == GS_FP_LESS;
}

bool gs_f64_le(gs_fp *fp, uint64_t a, uint64_t b)
{
    return compare(fp, &f64, a, b, true) <= GS_FP_EQUAL;
}

uint32_t gs_f32_min(gs_fp *fp, uint32_t a, uint32_t b)
{
    return (uint32_t)min_or_max(fp, &f32, a, b, false);
}

uint32_t gs_f32_max(gs_fp *fp, uint32_t a, uint32_t b)
{
    return (uint32_t)min_or_max(fp, &f32, a, b, true);
}

uint64_t gs_f64_min(gs_fp *fp, uint64_t a, uint64_t b)
{
    return min_or_max(fp, &f64, a, b, false);
}

uint64_t gs_f64_max(gs_fp *fp, uint64_t a, uint64_t b)
{
    return min_or_max(fp, &f64, a, b, true);
}

unsigned gs_f32_classify(const gs_fp *fp, uint32_t a)
{
    return classify(fp, &f32, a);
}

unsigned gs_f64_classify(const gs_fp *fp, uint64_t a)
{
    return classify(fp, &f64, a);
}

uint64_t gs_f32_to_f64(gs_fp *fp, uint32_t a)
{
    return to_format(fp, &f32, &f64, a);
}

uint32_t gs_f64_to_f32(gs_fp *fp, uint64_t a)
{
    return (uint32_t)to_format(fp, &f64, &f32, a);
}

int32_t gs_f32_to_i32(gs_fp *fp, uint32_t a, gs_fp_round round)
{
    return (int32_t)to_integer(fp, &f32, a, round, i32);
}

uint32_t gs_f32_to_u32(gs_fp *fp, uint32_t a, gs_fp_round round)
{
    return (uint32_t)to_integer(fp, &f32, a, round, u32);
}

int64_t gs_f32_to_i64(gs_fp *fp, uint32_t a, gs_fp_round round)
{
    return (int64_t)to_integer(fp, &f32, a, round, i64);
}

int32_t gs_f64_to_i32(gs_fp *fp, uint64_t a, gs_fp_round round)
{
    return (int32_t)to_integer(fp, &f64, a, round, i32);
}

uint32_t gs_f64_to_u32(gs_fp *fp, uint64_t a, gs_fp_round round)
{
    return (uint32_t)to_integer(fp, &f64, a, round, u32);
}

int64_t gs_f64_to_i64(gs_fp *fp, uint64_t a, gs_fp_round round)
{
    return (int64_t)to_integer(fp, &f64, a, round, i64);
}

uint32_t gs_f32_from_i32(gs_fp *fp, int32_t a)
{
    return (uint32_t)from_signed(fp, &f32, a);
}

uint32_t gs_f32_from_u32(gs_fp *fp, uint32_t a)
{
    return (uint32_t)from_integer(fp, &f32, false, a);
}

uint32_t gs_f32_from_i64(gs_fp *fp, int64_t a)
{
    return (uint32_t)from_signed(fp, &f32, a);
}

uint64_t gs_f64_from_i32(gs_fp *fp, int32_t a)
{
    return from_signed(fp, &f64, a);
}

uint64_t gs_f64_from_u32(gs_fp *fp, uint32_t a)
{
    return from_integer(fp, &f64, false, a);
}

uint64_t gs_f64_from_i64(gs_fp *fp, int64_t a)
{
    return from_signed(fp, &f64, a);
}
