/*
 * The host's FPU is the referee where it can be: four rounding modes, values
 * and exceptions. It has no ties-away mode, no other NaNs than its own and no
 * saturating conversions; those are checked against exact arithmetic and
 * against tables written from the manuals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/softfloat.h"

#define CASES 40000 /* per operation and rounding mode */

/* Random operands */

static uint64_t seed = 20240229;
static uint64_t state;

static uint64_t random_bits(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t below(uint64_t n)
{
    return random_bits() % n;
}

/*
 * Each field is drawn from the places where rounding goes wrong. All operands
 * of a case come from here, so close exponents and ties are frequent.
 */
static uint64_t random_float(int exp_bits, int frac_bits)
{
    const uint64_t exp_max = (UINT64_C(1) << exp_bits) - 1;
    const uint64_t bias = exp_max / 2;
    const uint64_t frac_max = (UINT64_C(1) << frac_bits) - 1;
    uint64_t exp, frac;

    switch (below(8)) {
    case 0: exp = 0; break;
    case 1: exp = exp_max; break;
    case 2: exp = 1 + below(3); break;
    case 3: exp = exp_max - 1 - below(3); break;
    case 4: exp = below(exp_max); break;
    case 5: exp = bias + below(72) - 4; break;
    default: exp = bias + below(7) - 3; break;
    }
    switch (below(6)) {
    case 0: frac = 0; break;
    case 1: frac = frac_max; break;
    case 2: frac = UINT64_C(1) << below((uint64_t)frac_bits); break;
    case 3: frac = random_bits() << below((uint64_t)frac_bits); break;
    case 4: frac = frac_max - below(4); break;
    default: frac = random_bits(); break;
    }
    return below(2) << (exp_bits + frac_bits) | exp << frac_bits | (frac & frac_max);
}

static uint64_t random_f32(void)
{
    return random_float(8, 23);
}

/* Half of them near the boundaries of a float, for the conversion to one. */
static uint64_t random_f64(void)
{
    uint64_t a = random_float(11, 52);
    if (below(2))
        return a;
    uint64_t f = random_float(8, 23);
    uint64_t exp = (f >> 23 & 0xff) + 1023 - 127 - below(24) * below(2);
    return f >> 31 << 63 | exp << 52 | (f & 0x7fffff) << 29 | (a & 0x1fffffff);
}

static uint64_t random_integer(void)
{
    uint64_t a = random_bits() >> below(64);
    switch (below(3)) {
    case 0: a = (UINT64_C(1) << below(64)) + below(3) - 1; break;
    case 1: a = a >> 11 << 11 | UINT64_C(1) << below(11); break;
    default: break;
    }
    return below(2) ? a : 0 - a;
}

/* The operations and their referees */

static float to_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

static double to_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? 0x7fc00000 : bits;
}

static uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? UINT64_C(0x7ff8000000000000) : bits;
}

/* RISC-V raises invalid for infinity times zero even if the addend is a NaN. */
static void raise_for_product(double x, double y)
{
    if ((isinf(x) && y == 0) || (x == 0 && isinf(y)))
        feraiseexcept(FE_INVALID);
}

static float host_fmaf(float x, float y, float z)
{
    raise_for_product(x, y);
    return fmaf(x, y, z);
}

static double host_fma(double x, double y, double z)
{
    raise_for_product(x, y);
    return fma(x, y, z);
}

/* The library's, not the compiler's, which may take it that rounding is to nearest. */
static double (*volatile const library_rint)(double) = rint;

/* rint() rounds and raises inexact; the rest is exact, and must raise nothing. */
static uint64_t host_to_integer(double x, double min, double end)
{
    volatile double rounded = library_rint(x);
    int raised = fetestexcept(FE_ALL_EXCEPT);
    uint64_t result;

    if (rounded >= min && rounded < end) {
        result = rounded < 0 ? 0 - (uint64_t)-rounded : (uint64_t)rounded;
    } else {
        raised = FE_INVALID;
        result = rounded < min   ? 0 - (uint64_t)-min
                 : end == 0x1p64 ? UINT64_MAX
                                 : (uint64_t)end - 1;
    }
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(raised);
    return result;
}

/* Holds every 64-bit integer, so that only the cast from it rounds. */
static long double widen(bool is_signed, uint64_t a)
{
    volatile long double x = is_signed ? (long double)(int64_t)a : (long double)a;
    return x;
}

#define LOAD_f32 volatile float x = to_float(a), y = to_float(b), z = to_float(c)
#define LOAD_f64 volatile double x = to_double(a), y = to_double(b), z = to_double(c)
#define LOAD_int volatile uint64_t x = a, y = b, z = c

/* clang-format off */
#define A32 (uint32_t)a
#define B32 (uint32_t)b
#define C32 (uint32_t)c
#define RM  (gs_fp_round)fp->round

#define OPERATIONS(OP) \
    OP(f32_add,      f32, gs_f32_add(fp, A32, B32),            float_bits(x + y)) \
    OP(f32_sub,      f32, gs_f32_sub(fp, A32, B32),            float_bits(x - y)) \
    OP(f32_mul,      f32, gs_f32_mul(fp, A32, B32),            float_bits(x * y)) \
    OP(f32_div,      f32, gs_f32_div(fp, A32, B32),            float_bits(x / y)) \
    OP(f32_sqrt,     f32, gs_f32_sqrt(fp, A32),                float_bits(sqrtf(x))) \
    OP(f32_fma,      f32, gs_f32_fma(fp, A32, B32, C32, 0),    float_bits(host_fmaf(x, y, z))) \
    OP(f32_fnma,     f32, gs_f32_fma(fp, A32, B32, C32, 3),    float_bits(host_fmaf(-x, y, -z))) \
    OP(f32_to_f64,   f32, gs_f32_to_f64(fp, A32),              double_bits((double)x)) \
    OP(f32_to_i32,   f32, (uint32_t)gs_f32_to_i32(fp, A32, RM), (uint32_t)host_to_integer(x, -0x1p31, 0x1p31)) \
    OP(f32_to_u32,   f32, gs_f32_to_u32(fp, A32, RM),          host_to_integer(x, 0, 0x1p32)) \
    OP(f32_to_i64,   f32, (uint64_t)gs_f32_to_i64(fp, A32, RM), host_to_integer(x, -0x1p63, 0x1p63)) \
    OP(f32_from_i32, int, gs_f32_from_i32(fp, (int32_t)a),     float_bits((float)(int32_t)x)) \
    OP(f32_from_u32, int, gs_f32_from_u32(fp, A32),            float_bits((float)(int64_t)(uint32_t)x)) \
    OP(f32_from_i64, int, gs_f32_from_i64(fp, (int64_t)a),     float_bits((float)widen(true, x))) \
    OP(f64_add,      f64, gs_f64_add(fp, a, b),                double_bits(x + y)) \
    OP(f64_sub,      f64, gs_f64_sub(fp, a, b),                double_bits(x - y)) \
    OP(f64_mul,      f64, gs_f64_mul(fp, a, b),                double_bits(x * y)) \
    OP(f64_div,      f64, gs_f64_div(fp, a, b),                double_bits(x / y)) \
    OP(f64_sqrt,     f64, gs_f64_sqrt(fp, a),                  double_bits(sqrt(x))) \
    OP(f64_fma,      f64, gs_f64_fma(fp, a, b, c, 0),          double_bits(host_fma(x, y, z))) \
    OP(f64_fnma,     f64, gs_f64_fma(fp, a, b, c, 3),          double_bits(host_fma(-x, y, -z))) \
    OP(f64_to_f32,   f64, gs_f64_to_f32(fp, a),                float_bits((float)x)) \
    OP(f64_to_i32,   f64, (uint32_t)gs_f64_to_i32(fp, a, RM),  (uint32_t)host_to_integer(x, -0x1p31, 0x1p31)) \
    OP(f64_to_u32,   f64, gs_f64_to_u32(fp, a, RM),            host_to_integer(x, 0, 0x1p32)) \
    OP(f64_to_i64,   f64, (uint64_t)gs_f64_to_i64(fp, a, RM),  host_to_integer(x, -0x1p63, 0x1p63)) \
    OP(f64_from_i32, int, gs_f64_from_i32(fp, (int32_t)a),     double_bits((double)(int32_t)x)) \
    OP(f64_from_u32, int, gs_f64_from_u32(fp, A32),            double_bits((double)(int64_t)(uint32_t)x)) \
    OP(f64_from_i64, int, gs_f64_from_i64(fp, (int64_t)a),     double_bits((double)widen(true, x)))
/* clang-format on */

/* Volatile operands and calls that are not inlined keep the host's arithmetic
 * between the change of its rounding mode and the reading of its exceptions. */
#define DEFINE(name, kind, soft, host)                                                        \
    static uint64_t soft_##name(gs_fp *fp, uint64_t a, uint64_t b, uint64_t c)                \
    {                                                                                         \
        (void)b, (void)c;                                                                     \
        return soft;                                                                          \
    }                                                                                         \
    __attribute__((noinline)) static uint64_t host_##name(uint64_t a, uint64_t b, uint64_t c) \
    {                                                                                         \
        LOAD_##kind;                                                                          \
        (void)y, (void)z;                                                                     \
        return host;                                                                          \
    }
OPERATIONS(DEFINE)

#define random_int random_integer

typedef struct operation {
    const char *name;
    uint64_t (*random)(void);
    uint64_t (*soft)(gs_fp *fp, uint64_t a, uint64_t b, uint64_t c);
    uint64_t (*host)(uint64_t a, uint64_t b, uint64_t c);
} operation;

#define ROW(name, kind, soft, host) {#name, random_##kind, soft_##name, host_##name},
static const operation operations[] = {OPERATIONS(ROW)};

enum { OPERATION_COUNT = sizeof operations / sizeof *operations };

static unsigned raised_by_host(void)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);
    unsigned flags = 0;
    flags |= raised & FE_INEXACT ? GS_FP_INEXACT : 0;
    flags |= raised & FE_UNDERFLOW ? GS_FP_UNDERFLOW : 0;
    flags |= raised & FE_OVERFLOW ? GS_FP_OVERFLOW : 0;
    flags |= raised & FE_DIVBYZERO ? GS_FP_DIVZERO : 0;
    flags |= raised & FE_INVALID ? GS_FP_INVALID : 0;
    return flags;
}

/* Only x86 is known to detect tininess after rounding, as we do. */
#if defined(__x86_64__)
static const unsigned compared_flags = 31;
#else
static const unsigned compared_flags = 31 & ~GS_FP_UNDERFLOW;
#endif

static const int host_rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

typedef struct outcome {
    uint64_t bits;
    unsigned flags;
} outcome;

static outcome run_soft(const operation *op, gs_fp fp, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t bits = op->soft(&fp, a, b, c);
    return (outcome){bits, fp.flags};
}

static outcome run_host(const operation *op, int round, uint64_t a, uint64_t b, uint64_t c)
{
    outcome o;
    fesetround(host_rounding[round]);
    feclearexcept(FE_ALL_EXCEPT);
    o.bits = op->host(a, b, c);
    o.flags = raised_by_host();
    fesetround(FE_TONEAREST);
    return o;
}

static void check(const operation *op, gs_fp fp, uint64_t a, uint64_t b, uint64_t c, outcome want)
{
    outcome got = run_soft(op, fp, a, b, c);

    want.flags |= fp.flags;
    if (got.bits != want.bits || ((got.flags ^ want.flags) & compared_flags))
        fail_msg("%s, rounding mode %d, no_host %d, flags 0x%x before, of "
                 "0x%016llx, 0x%016llx, 0x%016llx is 0x%llx flags 0x%x, "
                 "should be 0x%llx flags 0x%x (seed %llu)",
                 op->name, fp.round, fp.no_host, fp.flags, (unsigned long long)a,
                 (unsigned long long)b, (unsigned long long)c, (unsigned long long)got.bits,
                 got.flags, (unsigned long long)want.bits, want.flags, (unsigned long long)seed);
}

static void test_agrees_with_host(void **unused)
{
    (void)unused;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const operation *op = &operations[i];
        for (int round = GS_FP_RNE; round <= GS_FP_RUP; round++) {
            for (int n = 0; n < CASES; n++) {
                uint64_t a = op->random();
                uint64_t b = op->random();
                uint64_t c = op->random();
                gs_fp fp = {.round = (uint8_t)round, .no_host = n & 1};
                check(op, fp, a, b, c, run_host(op, round, a, b, c));
            }
        }
    }
}

/* Plain numbers with few bits set: the fast way takes them, and many a result is
 * exact. */
static uint64_t random_short(int exp_bits, int frac_bits)
{
    const uint64_t bias = (UINT64_C(1) << (exp_bits - 1)) - 1;
    uint64_t exp = bias + below(60) - 30;
    uint64_t frac = random_bits() << below((uint64_t)frac_bits + 1);
    frac &= (UINT64_C(1) << frac_bits) - 1;
    return below(2) << (exp_bits + frac_bits) | exp << frac_bits | frac;
}

static void test_fast_way_is_exact_way(void **unused)
{
    (void)unused;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const operation *op = &operations[i];
        for (int n = 0; n < 4 * CASES; n++) {
            uint64_t v[3];
            for (int k = 0; k < 3; k++) {
                bool is_short = op->random != random_integer && below(2);
                v[k] = !is_short                  ? op->random()
                       : op->random == random_f32 ? random_short(8, 23)
                                                  : random_short(11, 52);
            }
            if (below(8) == 0)
                v[2] = v[1];
            gs_fp fp = {.no_host = true, .flush_to_zero = n & 1, .tiny_before_rounding = n & 2};
            outcome want = run_soft(op, fp, v[0], v[1], v[2]);
            fp.no_host = false;
            check(op, fp, v[0], v[1], v[2], want);
            fp.flags = GS_FP_INEXACT;
            check(op, fp, v[0], v[1], v[2], want);
        }
    }
}

/* Ties away from zero, against exact arithmetic in 113 bits */

#if defined(__SIZEOF_FLOAT128__)
typedef __float128 quad;

/* An infinity counts as the number that would follow the largest finite one. */
static quad quad_of(bool is_double, uint64_t bits)
{
    quad x = is_double ? (quad)to_double(bits) : (quad)to_float(bits);
    quad beyond = is_double ? (quad)0x1p1023 * 2 : (quad)0x1p128;
    return x > beyond ? beyond : x < -beyond ? -beyond : x;
}

static bool quad_sum(quad *out, quad a, quad b)
{
    quad s = a + b;
    quad b_seen = s - a;
    *out = s;
    return (a - (s - b_seen)) + (b - b_seen) == 0;
}

static int compare_quads(quad a, quad b)
{
    return (a > b) - (a < b);
}

/* Is the true result above (1), below (-1) or at (0) `mid`? 2: cannot tell. */
static int side_of(char what, quad a, quad b, quad c, quad mid)
{
    quad sum;
    switch (what) {
    case '+': return quad_sum(&sum, a, b) ? compare_quads(sum, mid) : 2;
    case '*': return compare_quads(a * b, mid);
    case '/': return b > 0 ? compare_quads(a, mid * b) : compare_quads(mid * b, a);
    case 'r': return compare_quads(a, mid * mid);
    case 'f': return quad_sum(&sum, a * b, c) ? compare_quads(sum, mid) : 2;
    default: return compare_quads(a, mid);
    }
}

static const operation *find(const char *name)
{
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    fail_msg("no operation %s", name);
    return NULL;
}

static void test_ties_away(void **unused)
{
    static const struct {
        const char *name;
        char what;
        bool from_double;
        bool to_double;
    } rows[] = {
        {"f32_add", '+', false, false},   {"f64_add", '+', true, true},
        {"f32_mul", '*', false, false},   {"f64_mul", '*', true, true},
        {"f32_div", '/', false, false},   {"f64_div", '/', true, true},
        {"f32_sqrt", 'r', false, false},  {"f64_sqrt", 'r', true, true},
        {"f32_fma", 'f', false, false},   {"f64_fma", 'f', true, true},
        {"f64_to_f32", '=', true, false},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const operation *op = find(rows[i].name);
        int ties = 0;
        for (int n = 0; n < 2 * CASES; n++) {
            uint64_t v[3];
            quad q[3];
            for (int k = 0; k < 3; k++) {
                v[k] = op->random();
                q[k] = quad_of(rows[i].from_double, v[k]);
            }
            outcome low = run_soft(op, (gs_fp){.round = GS_FP_RDN}, v[0], v[1], v[2]);
            outcome high = run_soft(op, (gs_fp){.round = GS_FP_RUP}, v[0], v[1], v[2]);
            outcome nearest = run_soft(op, (gs_fp){.round = GS_FP_RNE}, v[0], v[1], v[2]);
            if (!(nearest.flags & GS_FP_INEXACT))
                continue;
            quad x = quad_of(rows[i].to_double, low.bits);
            quad y = quad_of(rows[i].to_double, high.bits);
            int side = side_of(rows[i].what, q[0], q[1], q[2], (x + y) / 2);
            if (side == 2)
                continue;
            ties += side == 0;
            bool up = side > 0 || (side == 0 && y > 0);
            outcome want = {up ? high.bits : low.bits, nearest.flags};
            check(op, (gs_fp){.round = GS_FP_RMM}, v[0], v[1], v[2], want);
        }
        /* A root or a quotient of normal numbers is never halfway. */
        if (rows[i].what != 'r' && rows[i].what != '/')
            assert_true(ties > 50);
    }
}
#else
static void test_ties_away(void **unused)
{
    (void)unused;
    skip();
}
#endif

/* Tables from the manuals */

#define INX GS_FP_INEXACT
#define UFL GS_FP_UNDERFLOW
#define INV GS_FP_INVALID

#define RISCV                      \
    {                              \
        .nan = GS_FP_NAN_CANONICAL \
    }
#define LEGACY                       \
    {                                \
        .nan = GS_FP_NAN_MIPS_LEGACY \
    }
#define M2008                      \
    {                              \
        .nan = GS_FP_NAN_MIPS_2008 \
    }

/* `call` uses fp, a gs_fp * that starts out as `init`. */
#define EXPECT(init, call, want, want_flags)     \
    do {                                         \
        gs_fp fp_state = init;                   \
        gs_fp *fp = &fp_state;                   \
        assert_int_equal(call, want);            \
        assert_int_equal(fp->flags, want_flags); \
    } while (0)

enum {
    ONE = 0x3f800000,
    INF = 0x7f800000,
};

#define ONE64 UINT64_C(0x3ff0000000000000)
#define INF64 UINT64_C(0x7ff0000000000000)

static void test_nan_canonical(void **unused)
{
    (void)unused;
    EXPECT(RISCV, gs_f32_add(fp, 0xffc12345, ONE), 0x7fc00000, 0);
    EXPECT(RISCV, gs_f32_add(fp, ONE, 0x7f800001), 0x7fc00000, INV);
    EXPECT(RISCV, gs_f32_sub(fp, INF, INF), 0x7fc00000, INV);
    EXPECT(RISCV, gs_f32_mul(fp, INF, 0x80000000), 0x7fc00000, INV);
    EXPECT(RISCV, gs_f32_div(fp, 0, 0), 0x7fc00000, INV);
    EXPECT(RISCV, gs_f32_sqrt(fp, 0xbf800000), 0x7fc00000, INV);
    EXPECT(RISCV, gs_f32_fma(fp, INF, 0, 0x7fc00001, 0), 0x7fc00000, INV);
    EXPECT(RISCV, gs_f32_fma(fp, INF, ONE, INF, GS_FP_NEGATE_ADDEND), 0x7fc00000, INV);
    EXPECT(RISCV, gs_f64_add(fp, UINT64_C(0x7ff0000000000001), ONE64), UINT64_C(0x7ff8000000000000),
           INV);
    EXPECT(RISCV, gs_f32_to_f64(fp, 0xffc12345), UINT64_C(0x7ff8000000000000), 0);
    EXPECT(RISCV, gs_f64_to_f32(fp, UINT64_C(0xfff0000000000001)), 0x7fc00000, INV);
}

static void test_nan_mips_legacy(void **unused)
{
    (void)unused;
    EXPECT(LEGACY, gs_f32_add(fp, 0xff812345, ONE), 0x7fbfffff, 0);
    EXPECT(LEGACY, gs_f32_add(fp, ONE, 0x7fc00000), 0x7fbfffff, INV);
    EXPECT(LEGACY, gs_f32_sub(fp, INF, INF), 0x7fbfffff, INV);
    EXPECT(LEGACY, gs_f64_mul(fp, UINT64_C(0x7ff7ffffffffffff), ONE64),
           UINT64_C(0x7ff7ffffffffffff), 0);
    EXPECT(LEGACY, gs_f64_div(fp, 0, 0), UINT64_C(0x7ff7ffffffffffff), INV);
    EXPECT(LEGACY, gs_f32_to_f64(fp, 0x7fffffff), UINT64_C(0x7ff7ffffffffffff), INV);
    EXPECT(LEGACY, gs_f64_to_f32(fp, UINT64_C(0x7ff0000000000001)), 0x7fbfffff, 0);
}

static void test_nan_mips_2008(void **unused)
{
    const uint32_t q1 = 0xffc11111, q2 = 0x7fc22222, q3 = 0x7fc33333;
    const uint32_t s1 = 0xff811111, s2 = 0x7f822222, s3 = 0x7f833333;
    (void)unused;

    EXPECT(M2008, gs_f32_add(fp, q1, q2), q1, 0);
    EXPECT(M2008, gs_f32_add(fp, ONE, q2), q2, 0);
    EXPECT(M2008, gs_f32_add(fp, q1, s2), q2, INV);
    EXPECT(M2008, gs_f32_add(fp, s1, s2), q1, INV);
    EXPECT(M2008, gs_f32_sub(fp, ONE, q2), q2, 0);
    EXPECT(M2008, gs_f32_sub(fp, INF, INF), 0x7fc00000, INV);
    EXPECT(M2008, gs_f32_sqrt(fp, s1), q1, INV);
    EXPECT(M2008, gs_f32_fma(fp, q1, q2, q3, 0), q3, 0);
    EXPECT(M2008, gs_f32_fma(fp, s1, s2, q3, 0), q1, INV);
    EXPECT(M2008, gs_f32_fma(fp, s1, s2, s3, 0), q3, INV);
    EXPECT(M2008, gs_f32_fma(fp, q1, q2, ONE, 0), q1, 0);
    EXPECT(M2008, gs_f32_fma(fp, INF, 0, q3, 3), q3, INV);
    EXPECT(M2008, gs_f32_fma(fp, INF, 0, ONE, 0), 0x7fc00000, INV);
    EXPECT(M2008, gs_f32_to_f64(fp, s2), UINT64_C(0x7ff8444440000000), INV);
    EXPECT(M2008, gs_f64_to_f32(fp, UINT64_C(0xfff8222220000001)), q1, 0);
}

static void test_fma_negation(void **unused)
{
    const uint32_t two = 0x40000000, three = 0x40400000, five = 0x40a00000, seven = 0x40e00000;
    (void)unused;
    EXPECT(RISCV, gs_f32_fma(fp, two, three, ONE, 0), seven, 0);
    EXPECT(RISCV, gs_f32_fma(fp, two, three, ONE, GS_FP_NEGATE_ADDEND), five, 0);
    EXPECT(RISCV, gs_f32_fma(fp, two, three, ONE, GS_FP_NEGATE_PRODUCT), five | 1u << 31, 0);
    EXPECT(RISCV, gs_f64_fma(fp, ONE64, ONE64, ONE64, GS_FP_NEGATE_PRODUCT), 0, 0);
}

static void test_tininess_and_flushing(void **unused)
{
    /* 2^-126 (1 - 2^-26): rounds to the least normal number from below. */
    const uint64_t almost = UINT64_C(0x380ffffff8000000);
    (void)unused;

    EXPECT({0}, gs_f64_to_f32(fp, almost), 0x00800000, INX);
    EXPECT({.tiny_before_rounding = true}, gs_f64_to_f32(fp, almost), 0x00800000, INX | UFL);
    EXPECT({.flush_to_zero = true}, gs_f64_to_f32(fp, almost | 1ull << 63), 0x80000000, 0);

    /* Halfway between the least normal number and the one below: tiny anyway. */
    EXPECT({0}, gs_f32_mul(fp, 0x00800000, 0x3f7fffff), 0x00800000, INX | UFL);

    /* Subnormal operands count even when results are flushed. */
    EXPECT({0}, gs_f32_mul(fp, 0x00800000, 0x3f000000), 0x00400000, 0);
    EXPECT({.flush_to_zero = true}, gs_f32_mul(fp, 0x00800000, 0x3f000000), 0, 0);
    EXPECT({.flush_to_zero = true}, gs_f32_add(fp, 0x00400000, 0), 0, 0);
    EXPECT({.flush_to_zero = true}, gs_f32_add(fp, 0x00400000, 0x00400000), 0x00800000, 0);
}

static void test_compare(void **unused)
{
    const uint32_t qnan = 0x7fc00000, snan = 0x7f800001, minus = 1u << 31;
    (void)unused;

    EXPECT(RISCV, gs_f32_compare(fp, minus, 0, true), GS_FP_EQUAL, 0);
    EXPECT(RISCV, gs_f32_compare(fp, minus | ONE, 1, true), GS_FP_LESS, 0);
    EXPECT(RISCV, gs_f32_compare(fp, minus | ONE, minus | INF, true), GS_FP_GREATER, 0);
    EXPECT(RISCV, gs_f32_compare(fp, ONE, INF, true), GS_FP_LESS, 0);
    EXPECT(RISCV, gs_f32_compare(fp, qnan, qnan, false), GS_FP_UNORDERED, 0);
    EXPECT(RISCV, gs_f32_compare(fp, ONE, qnan, true), GS_FP_UNORDERED, INV);
    EXPECT(RISCV, gs_f32_compare(fp, snan, ONE, false), GS_FP_UNORDERED, INV);
    EXPECT(LEGACY, gs_f32_compare(fp, snan, ONE, false), GS_FP_UNORDERED, 0);
    EXPECT(LEGACY, gs_f32_compare(fp, ONE, qnan, false), GS_FP_UNORDERED, INV);
    EXPECT(RISCV, gs_f64_compare(fp, INF64, ONE64, true), GS_FP_GREATER, 0);

    EXPECT(RISCV, gs_f32_eq(fp, minus, 0), true, 0);
    EXPECT(RISCV, gs_f32_eq(fp, qnan, qnan), false, 0);
    EXPECT(RISCV, gs_f32_lt(fp, ONE, INF), true, 0);
    EXPECT(RISCV, gs_f32_lt(fp, ONE, ONE), false, 0);
    EXPECT(RISCV, gs_f32_lt(fp, qnan, ONE), false, INV);
    EXPECT(RISCV, gs_f32_le(fp, ONE, ONE), true, 0);
    EXPECT(RISCV, gs_f32_le(fp, qnan, ONE), false, INV);
    EXPECT(RISCV, gs_f64_eq(fp, ONE64, ONE64), true, 0);
    EXPECT(RISCV, gs_f64_lt(fp, ONE64 | 1ull << 63, ONE64), true, 0);
    EXPECT(RISCV, gs_f64_le(fp, INF64, ONE64), false, 0);
}

static void test_min_max(void **unused)
{
    const uint32_t qnan = 0xffc12345, snan = 0x7f800001, minus = 1u << 31;
    (void)unused;

    EXPECT(RISCV, gs_f32_min(fp, 0, minus), minus, 0);
    EXPECT(RISCV, gs_f32_min(fp, minus, 0), minus, 0);
    EXPECT(RISCV, gs_f32_max(fp, 0, minus), 0, 0);
    EXPECT(RISCV, gs_f32_max(fp, minus, 0), 0, 0);
    EXPECT(RISCV, gs_f32_min(fp, minus | ONE, minus | INF), minus | INF, 0);
    EXPECT(RISCV, gs_f32_max(fp, ONE, minus | INF), ONE, 0);
    EXPECT(RISCV, gs_f32_min(fp, qnan, ONE), ONE, 0);
    EXPECT(RISCV, gs_f32_max(fp, INF, qnan), INF, 0);
    EXPECT(RISCV, gs_f32_min(fp, snan, ONE), ONE, INV);
    EXPECT(RISCV, gs_f32_max(fp, qnan, qnan), 0x7fc00000, 0);
    EXPECT(RISCV, gs_f32_max(fp, qnan, snan), 0x7fc00000, INV);
    EXPECT(RISCV, gs_f64_min(fp, ONE64, INF64), ONE64, 0);
    EXPECT(RISCV, gs_f64_max(fp, ONE64, INF64), INF64, 0);
}

static void test_classify(void **unused)
{
    static const uint32_t singles[] = {0xff800000, 0xbf800000, 0x80000001, 0x80000000, 0x00000000,
                                       0x007fffff, 0x00800000, 0x7f800000, 0x7fbfffff, 0xffc00000};
    static const uint64_t doubles[] = {UINT64_C(0xfff0000000000000), UINT64_C(0xffefffffffffffff),
                                       UINT64_C(0x800fffffffffffff), UINT64_C(0x8000000000000000),
                                       UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000001),
                                       UINT64_C(0x0010000000000000), UINT64_C(0x7ff0000000000000),
                                       UINT64_C(0xfff0000000000001), UINT64_C(0x7ff8000000000000)};
    (void)unused;
    for (unsigned i = 0; i < 10; i++) {
        EXPECT(RISCV, gs_f32_classify(fp, singles[i]), 1u << i, 0);
        EXPECT(RISCV, gs_f64_classify(fp, doubles[i]), 1u << i, 0);
    }
}

/* What does not fit, the host has been asked about for RISC-V only. */
static void test_integers_that_do_not_fit(void **unused)
{
    const uint32_t nan = 0x7fc00000, minus = 1u << 31, two_to_31 = 0x4f000000;
    const uint64_t low = UINT64_C(0xc3e0000000000001); /* just below -2^63 */
    (void)unused;

    EXPECT(RISCV, gs_f32_to_i32(fp, nan, GS_FP_RTZ), INT32_MAX, INV);
    EXPECT(RISCV, gs_f32_to_u32(fp, nan, GS_FP_RTZ), UINT32_MAX, INV);
    EXPECT(RISCV, gs_f64_to_i64(fp, low, GS_FP_RTZ), INT64_MIN, INV);

    EXPECT(LEGACY, gs_f32_to_i32(fp, nan, GS_FP_RTZ), INT32_MAX, INV);
    EXPECT(LEGACY, gs_f32_to_i32(fp, two_to_31, GS_FP_RTZ), INT32_MAX, INV);
    EXPECT(LEGACY, gs_f32_to_i32(fp, minus | INF, GS_FP_RTZ), INT32_MAX, INV);
    EXPECT(LEGACY, gs_f32_to_i32(fp, minus | two_to_31, GS_FP_RTZ), INT32_MIN, 0);
    EXPECT(LEGACY, gs_f64_to_i64(fp, low, GS_FP_RTZ), INT64_MAX, INV);

    EXPECT(M2008, gs_f32_to_i32(fp, nan, GS_FP_RTZ), 0, INV);
    EXPECT(M2008, gs_f32_to_i32(fp, two_to_31, GS_FP_RTZ), INT32_MAX, INV);
    EXPECT(M2008, gs_f32_to_i32(fp, minus | INF, GS_FP_RTZ), INT32_MIN, INV);
    EXPECT(M2008, gs_f64_to_i64(fp, low, GS_FP_RTZ), INT64_MIN, INV);
    EXPECT(M2008, gs_f64_to_i64(fp, UINT64_C(0x7ff0000000000001), GS_FP_RTZ), 0, INV);
}

/* The argument decides, not fp->round. */
static void test_integer_rounding_modes(void **unused)
{
    static const struct {
        float x;
        int32_t want[5]; /* RNE, RTZ, RDN, RUP, RMM */
    } rows[] = {
        {0.25f, {0, 0, 0, 1, 0}},      {0.5f, {0, 0, 0, 1, 1}},       {1.5f, {2, 1, 1, 2, 2}},
        {2.5f, {2, 2, 2, 3, 3}},       {2.75f, {3, 2, 2, 3, 3}},      {-0.5f, {0, 0, -1, 0, -1}},
        {-1.5f, {-2, -1, -2, -1, -2}}, {-2.5f, {-2, -2, -3, -2, -3}},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned round = GS_FP_RNE; round <= GS_FP_RMM; round++) {
            uint32_t single = (uint32_t)float_bits(rows[i].x);
            uint64_t twice = double_bits((double)rows[i].x);
            gs_fp_round other = round == GS_FP_RUP ? GS_FP_RDN : GS_FP_RUP;
            int32_t want = rows[i].want[round];
            EXPECT({.round = (uint8_t)other}, gs_f32_to_i32(fp, single, round), want, INX);
            EXPECT({.round = (uint8_t)other}, gs_f64_to_i64(fp, twice, round), want, INX);
        }
    }
}

static int set_up(void **unused)
{
    const char *chosen = getenv("GS_TEST_SEED");
    (void)unused;
    if (chosen)
        seed = strtoull(chosen, NULL, 0);
    state = seed;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_host),
        cmocka_unit_test(test_fast_way_is_exact_way),
        cmocka_unit_test(test_ties_away),
        cmocka_unit_test(test_nan_canonical),
        cmocka_unit_test(test_nan_mips_legacy),
        cmocka_unit_test(test_nan_mips_2008),
        cmocka_unit_test(test_fma_negation),
        cmocka_unit_test(test_tininess_and_flushing),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_min_max),
        cmocka_unit_test(test_classify),
        cmocka_unit_test(test_integers_that_do_not_fit),
        cmocka_unit_test(test_integer_rounding_modes),
    };
    return cmocka_run_group_tests_name("softfloat", tests, set_up, NULL);
}
