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

uint64_t gs_f32_to_f64(gs_fp *fp, uint32_t a)
{
    return to_format(fp, &f32, &f64, a);
}

uint32_t gs_f64_to_f32(gs_fp *fp, uint64_t a)
{
    return (uint32_t)to_format(fp, &f64, &f32, a);
}

/* What there is for both formats. Comparing by eq is quiet about NaNs, lt and le signal them. */
#define FUNCTION(result_, format_, name_, parameters_, value_) \
    result_ gs_##format_##_##name_ parameters_                 \
    {                                                          \
        return (result_)(value_);                              \
    }
#define FUNCTIONS(type_, f_)                                                                 \
    FUNCTION(gs_fp_order, f_, compare, (gs_fp * fp, type_ a, type_ b, bool signalling),      \
             compare(fp, &f_, a, b, signalling))                                             \
    FUNCTION(bool, f_, eq, PAIR(type_), compare(fp, &f_, a, b, false) == GS_FP_EQUAL)        \
    FUNCTION(bool, f_, lt, PAIR(type_), compare(fp, &f_, a, b, true) == GS_FP_LESS)          \
    FUNCTION(bool, f_, le, PAIR(type_), compare(fp, &f_, a, b, true) <= GS_FP_EQUAL)         \
    FUNCTION(type_, f_, min, PAIR(type_), min_or_max(fp, &f_, a, b, false))                  \
    FUNCTION(type_, f_, max, PAIR(type_), min_or_max(fp, &f_, a, b, true))                   \
    FUNCTION(unsigned, f_, classify, (const gs_fp *fp, type_ a), classify(fp, &f_, a))       \
    FUNCTION(int32_t, f_, to_i32, ROUNDED(type_), to_integer(fp, &f_, a, round, i32))        \
    FUNCTION(uint32_t, f_, to_u32, ROUNDED(type_), to_integer(fp, &f_, a, round, u32))       \
    FUNCTION(int64_t, f_, to_i64, ROUNDED(type_), to_integer(fp, &f_, a, round, i64))        \
    FUNCTION(type_, f_, from_i32, (gs_fp * fp, int32_t a), from_signed(fp, &f_, a))          \
    FUNCTION(type_, f_, from_u32, (gs_fp * fp, uint32_t a), from_integer(fp, &f_, false, a)) \
    FUNCTION(type_, f_, from_i64, (gs_fp * fp, int64_t a), from_signed(fp, &f_, a))
#define PAIR(type_)    (gs_fp * fp, type_ a, type_ b)
#define ROUNDED(type_) (gs_fp * fp, type_ a, gs_fp_round round)

FUNCTIONS(uint32_t, f32)
FUNCTIONS(uint64_t, f64)
