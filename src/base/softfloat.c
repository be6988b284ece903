/*
 * Each operation has two ways to the same bits. The exact way takes the
 * operands apart, computes with enough bits that a sticky last one stands for
 * all that is lost, and rounds once, in round_pack(). The fast way lets the
 * host's FPU do it, when host and guest cannot differ: rounding to nearest,
 * operands and result well inside the normal range, so that inexact is the only
 * exception there could be. Whether the result is exact is then found out with
 * a few more operations, unless inexact is set already.
 *
 * A double-precision addition on a Zen 4, calls included: 3.0 ns the fast way
 * when inexact is set, 3.8 ns when it is not, 12 ns the exact way.
 */
#include "base/softfloat.h"

#include "base/softfloat_host.h"
#include "base/softfloat_parts.h"

/* The exact way */

static uint64_t pick_nan(gs_fp *fp, const format *f, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t operands[] = {a, b, c};
    uint64_t picked = 0;
    bool signalling = false;

    for (int i = 0; i < 3 && !signalling; i++) {
        signalling = is_snan(fp, f, operands[i]);
        if (signalling || (!picked && is_nan(f, operands[i])))
            picked = operands[i];
    }
    if (signalling)
        raise_flags(fp, GS_FP_INVALID);
    return fp->nan == GS_FP_NAN_MIPS_2008 ? picked | quiet_bit(f) : default_nan(fp, f);
}

static inline u128 shift_right_sticky(u128 x, int shift)
{
    if (shift == 0)
        return x;
    if (shift >= 128)
        return x != 0;
    return x >> shift | ((x << (128 - shift)) != 0);
}

/*
 * frac * 2^(exp - 125): room for an exact product. That of two numbers in
 * [1, 2) lies in [1, 4), and adding a third number still leaves no carry.
 */
typedef struct wide {
    bool sign;
    int exp;
    u128 frac;
} wide;

static inline uint64_t round_wide(gs_fp *fp, const format *f, wide w)
{
    if (w.frac == 0)
        return with_sign(f, w.sign, 0);

    uint64_t high = (uint64_t)(w.frac >> 64);
    int lead = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)w.frac);
    u128 x = w.frac << lead;
    uint64_t frac = (uint64_t)(x >> 64) | ((uint64_t)x != 0);
    return round_pack(fp, f, (parts){w.sign, w.exp + 2 - lead, frac});
}

static inline wide widen(parts p)
{
    return (wide){p.sign, p.exp, (u128)p.frac << 62};
}

/* No bit is lost: each fraction has eleven zeros or more at its low end. */
static inline wide multiply(parts a, parts b)
{
    return (wide){a.sign ^ b.sign, a.exp + b.exp, ((u128)a.frac * b.frac) >> 1};
}

/*
 * Bits go to the sticky one only when the operands are so far apart that a
 * difference leaves at least the larger one's leading bits standing.
 */
static inline uint64_t sum(gs_fp *fp, const format *f, wide a, wide b)
{
    int exp = a.exp > b.exp ? a.exp : b.exp;
    u128 x = shift_right_sticky(a.frac, exp - a.exp);
    u128 y = shift_right_sticky(b.frac, exp - b.exp);

    if (a.sign == b.sign)
        return round_wide(fp, f, (wide){a.sign, exp, x + y});
    if (x == y)
        return with_sign(f, fp->round == GS_FP_RDN, 0);
    return round_wide(fp, f, x > y ? (wide){a.sign, exp, x - y} : (wide){b.sign, exp, y - x});
}

static inline uint64_t exact_add(gs_fp *fp, const format *f, uint64_t a, uint64_t b)
{
    if (is_nan(f, a) || is_nan(f, b))
        return pick_nan(fp, f, a, b, b);
    if (is_inf(f, a))
        return is_inf(f, b) && a != b ? invalid(fp, f) : a;
    if (is_inf(f, b))
        return b;
    return sum(fp, f, widen(unpack(f, a)), widen(unpack(f, b)));
}

static inline uint64_t exact_mul(gs_fp *fp, const format *f, uint64_t a, uint64_t b)
{
    if (is_nan(f, a) || is_nan(f, b))
        return pick_nan(fp, f, a, b, b);
    parts x = unpack(f, a);
    parts y = unpack(f, b);

    if (is_inf(f, a) || is_inf(f, b)) {
        if (!x.frac || !y.frac)
            return invalid(fp, f);
        return with_sign(f, x.sign ^ y.sign, f->infinity);
    }
    return round_wide(fp, f, multiply(x, y));
}

static inline uint64_t exact_div(gs_fp *fp, const format *f, uint64_t a, uint64_t b)
{
    if (is_nan(f, a) || is_nan(f, b))
        return pick_nan(fp, f, a, b, b);
    parts x = unpack(f, a);
    parts y = unpack(f, b);
    bool sign = x.sign ^ y.sign;

    if (is_inf(f, a))
        return is_inf(f, b) ? invalid(fp, f) : with_sign(f, sign, f->infinity);
    if (is_inf(f, b))
        return with_sign(f, sign, 0);
    if (!y.frac) {
        if (!x.frac)
            return invalid(fp, f);
        raise_flags(fp, GS_FP_DIVZERO);
        return with_sign(f, sign, f->infinity);
    }
    /* Both fractions lie in [2^63, 2^64), so the quotient has 63 or 64 bits. */
    u128 dividend = (u128)x.frac << 63;
    uint64_t quotient = (uint64_t)(dividend / y.frac);
    bool sticky = (u128)quotient * y.frac != dividend;
    return round_wide(fp, f, widen((parts){sign, x.exp - y.exp, quotient | sticky}));
}

static inline uint64_t exact_sqrt(gs_fp *fp, const format *f, uint64_t a)
{
    if (is_nan(f, a))
        return pick_nan(fp, f, a, a, a);
    parts x = unpack(f, a);

    if (!x.frac)
        return a;
    if (x.sign)
        return invalid(fp, f);
    if (is_inf(f, a))
        return a;

    /* With the exponent made even, the root of the fraction has 64 bits. All but
     * the format's bits and one more for rounding go to the sticky one. */
    bool odd = x.exp & 1;
    u128 square = (u128)x.frac << (odd ? 64 : 63);
    uint64_t lowest = UINT64_C(1) << (61 - f->frac_bits);
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 63; bit >= lowest; bit >>= 1) {
        uint64_t trial = root | bit;
        if ((u128)trial * trial <= square)
            root = trial;
    }
    root |= (u128)root * root != square;
    return round_pack(fp, f, (parts){false, (x.exp - odd) / 2, root});
}

static inline uint64_t exact_fma(gs_fp *fp, const format *f, uint64_t a, uint64_t b, uint64_t c,
                                 unsigned negate)
{
    parts x = unpack(f, a);
    parts y = unpack(f, b);
    bool nan_factor = is_nan(f, a) || is_nan(f, b);
    bool inf_product = !nan_factor && (is_inf(f, a) || is_inf(f, b));
    bool inf_times_zero = inf_product && (!x.frac || !y.frac);

    if (inf_times_zero)
        raise_flags(fp, GS_FP_INVALID);
    if (nan_factor || is_nan(f, c))
        return pick_nan(fp, f, c, a, b);
    if (inf_times_zero)
        return default_nan(fp, f);

    wide product = multiply(x, y);
    product.sign ^= (negate & GS_FP_NEGATE_PRODUCT) != 0;
    if (negate & GS_FP_NEGATE_ADDEND)
        c ^= sign_bit(f);
    if (inf_product) {
        uint64_t inf = with_sign(f, product.sign, f->infinity);
        return is_inf(f, c) && c != inf ? invalid(fp, f) : inf;
    }
    if (is_inf(f, c))
        return c;
    return sum(fp, f, product, widen(unpack(f, c)));
}

/* The fast way */

/* An operation on one format: as the host does it where that gives the same bits and flags, exactly
 * otherwise. */
#define HOST_OR_EXACT(type_, name_, host_, exact_, format_) \
    type_ name_(gs_fp *fp, type_ a, type_ b)                \
    {                                                       \
        type_ fast;                                         \
        if (host_(fp, a, b, &fast))                         \
            return fast;                                    \
        return (type_)exact_(fp, &format_, a, b);           \
    }

HOST_OR_EXACT(uint32_t, gs_f32_add, gs_f32_add_host, exact_add, f32)
HOST_OR_EXACT(uint64_t, gs_f64_add, gs_f64_add_host, exact_add, f64)
HOST_OR_EXACT(uint32_t, gs_f32_mul, gs_f32_mul_host, exact_mul, f32)
HOST_OR_EXACT(uint64_t, gs_f64_mul, gs_f64_mul_host, exact_mul, f64)
HOST_OR_EXACT(uint32_t, gs_f32_div, gs_f32_div_host, exact_div, f32)
HOST_OR_EXACT(uint64_t, gs_f64_div, gs_f64_div_host, exact_div, f64)

/* a - b is a + -b, except that a NaN's sign is part of what it carries. */
uint32_t gs_f32_sub(gs_fp *fp, uint32_t a, uint32_t b)
{
    return gs_f32_add(fp, a, is_nan(&f32, b) ? b : b ^ (uint32_t)sign_bit(&f32));
}

uint64_t gs_f64_sub(gs_fp *fp, uint64_t a, uint64_t b)
{
    return gs_f64_add(fp, a, is_nan(&f64, b) ? b : b ^ sign_bit(&f64));
}

uint32_t gs_f32_sqrt(gs_fp *fp, uint32_t a)
{
    if (use_host(fp) && is_plain32(a) && !is_negative(&f32, a)) {
        uint32_t root = bits_of_float(__builtin_sqrtf(float_of(a)));
        if (must_check_inexact(fp) && !is_product32(root, root, a))
            raise_flags(fp, GS_FP_INEXACT);
        return root;
    }
    return (uint32_t)exact_sqrt(fp, &f32, a);
}

uint64_t gs_f64_sqrt(gs_fp *fp, uint64_t a)
{
    if (use_host(fp) && is_plain64(a) && !is_negative(&f64, a)) {
        uint64_t root = bits_of_double(__builtin_sqrt(double_of(a)));
        if (must_check_inexact(fp) && !is_product64(root, root, a))
            raise_flags(fp, GS_FP_INEXACT);
        return root;
    }
    return exact_sqrt(fp, &f64, a);
}

/*
 * In double the product is exact, and rounding the sum once more to single
 * hurts only when the first rounding has made it a tie.
 */
uint32_t gs_f32_fma(gs_fp *fp, uint32_t a, uint32_t b, uint32_t c, unsigned negate)
{
    if (use_host(fp) && is_plain_or_zero32(a) && is_plain_or_zero32(b) && is_plain_or_zero32(c)) {
        double product = (double)float_of(a) * (double)float_of(b);
        double addend = (double)float_of(c);
        if (negate & GS_FP_NEGATE_PRODUCT)
            product = -product;
        if (negate & GS_FP_NEGATE_ADDEND)
            addend = -addend;
        double s = product + addend;
        double lost = lost64(product, addend, s);
        bool tie = (bits_of_double(s) & 0x1fffffff) == 0x10000000;
        float r = (float)s;
        if (is_plain32(bits_of_float(r)) && !(tie && lost != 0)) {
            if (lost != 0 || (double)r != s)
                raise_flags(fp, GS_FP_INEXACT);
            return bits_of_float(r);
        }
    }
    return (uint32_t)exact_fma(fp, &f32, a, b, c, negate);
}

/*
 * Only ever one instruction of the host: a library's fma() may be slow, and not
 * every one is fused. On a Zen 4, 4.4 ns instead of 15 ns the exact way.
 */
#if defined(__FP_FAST_FMA)
#define HOST_HAS_FMA  true
#define WITH_HOST_FMA inline
#elif defined(__x86_64__)
#define HOST_HAS_FMA  __builtin_cpu_supports("fma")
#define WITH_HOST_FMA __attribute__((target("fma")))
#else
#define HOST_HAS_FMA  false
#define WITH_HOST_FMA inline
#endif

static WITH_HOST_FMA double host_fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

/* Whether the result is exact would take longer to find out than the exact way. */
uint64_t gs_f64_fma(gs_fp *fp, uint64_t a, uint64_t b, uint64_t c, unsigned negate)
{
    if (use_host(fp) && !must_check_inexact(fp) && HOST_HAS_FMA && is_plain_or_zero64(a) &&
        is_plain_or_zero64(b) && is_plain_or_zero64(c)) {
        double x = double_of(negate & GS_FP_NEGATE_PRODUCT ? a ^ sign_bit(&f64) : a);
        double z = double_of(negate & GS_FP_NEGATE_ADDEND ? c ^ sign_bit(&f64) : c);
        uint64_t r = bits_of_double(host_fma(x, double_of(b), z));
        if (is_plain64(r))
            return r;
    }
    return exact_fma(fp, &f64, a, b, c, negate);
}
