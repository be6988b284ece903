/*
 * check_softfp.c - compares runtime/softfp.h with the host's floating point.
 *
 *   cc -O2 -I../runtime check_softfp.c -lm -o check_softfp && ./check_softfp [PAIRS]
 *
 * Random pairs, weighted towards the corners: subnormals, infinities, NaNs,
 * zeros, neighbours and near overflow. The host must round to nearest and have
 * no excess precision (any x86-64). Exits with 1 at the first difference.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softfp.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t random_64(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static double value_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? SF64_NAN : bits;
}

static float value_of_32(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? 0x7fc00000u : bits;
}

/* Any sign and fraction, with an exponent from `first` on. */
static uint64_t with_exponent(uint64_t bits, uint64_t first, uint64_t range)
{
    return (bits & (SF64_SIGN | SF64_FRACTION)) | (first + random_64() % range) << 52;
}

static uint64_t random_number(void)
{
    uint64_t bits = random_64();
    switch (random_64() % 9) {
    case 0: return with_exponent(bits, 0, 1); /* subnormal */
    case 1: return with_exponent(bits, 0, 4);
    case 2: return with_exponent(bits, 2043, 4);             /* near overflow */
    case 3: return with_exponent(bits, SF64_BIAS - 4, 8);    /* near one */
    case 4: return with_exponent(bits, SF64_BIAS - 151, 30); /* subnormal in binary32 */
    case 5: return (bits & SF64_SIGN) | (bits & 1 ? SF64_INF : 0);
    case 6: return bits & 0xfffffff000000000u; /* short fraction */
    case 7: return bits_of((double)(int32_t)bits);
    default: return bits;
    }
}

static void expect(const char *what, uint64_t a, uint64_t b, uint64_t want, uint64_t got)
{
    if (want == got)
        return;
    printf("check_softfp: %s of %016" PRIx64 " and %016" PRIx64 " is %016" PRIx64
           ", not %016" PRIx64 "\n",
           what, a, b, want, got);
    exit(1);
}

static void check_pair(uint64_t a, uint64_t b)
{
    double x = value_of(a), y = value_of(b);
    expect("sum", a, b, bits_of(x + y), sf64_add(a, b));
    expect("difference", a, b, bits_of(x - y), sf64_sub(a, b));
    expect("product", a, b, bits_of(x * y), sf64_mul(a, b));
    expect("quotient", a, b, bits_of(x / y), sf64_div(a, b));
    expect("square root", a, b, bits_of(sqrt(x)), sf64_sqrt(a));
    expect("less", a, b, x < y, sf64_lt(a, b));
    expect("less or equal", a, b, x <= y, sf64_le(a, b));
    expect("equal", a, b, x == y, sf64_eq(a, b));
    expect("binary32", a, b, bits_of_32((float)x), sf64_to_f32(a));
    if (fabs(x) < 2147483648.0)
        expect("integer", a, b, (uint32_t)(int32_t)x, (uint32_t)sf64_to_i32(a));

    uint32_t p = (uint32_t)(a >> 16), q = (uint32_t)(b >> 24);
    uint64_t wide_p = sf64_from_f32(p), wide_q = sf64_from_f32(q);
    expect("widened", p, q, bits_of((double)value_of_32(p)), wide_p);
    expect("signed", p, q, bits_of((double)(int32_t)p), sf64_from_i32((int32_t)p));
    expect("unsigned", p, q, bits_of((double)p), sf64_from_u32(p));
    expect("binary32 sum", p, q, bits_of_32(value_of_32(p) + value_of_32(q)),
           sf64_to_f32(sf64_add(wide_p, wide_q)));
    expect("binary32 product", p, q, bits_of_32(value_of_32(p) * value_of_32(q)),
           sf64_to_f32(sf64_mul(wide_p, wide_q)));
    expect("binary32 quotient", p, q, bits_of_32(value_of_32(p) / value_of_32(q)),
           sf64_to_f32(sf64_div(wide_p, wide_q)));
}

int main(int argc, char **argv)
{
    long pairs = argc > 1 ? atol(argv[1]) : 2000000;
    for (long i = 0; i < pairs; i++) {
        uint64_t a = random_number(), b = random_number();
        if (i % 50 == 0) /* the same or a neighbour, of either sign */
            b = a ^ (random_64() & (SF64_SIGN | 3));
        check_pair(a, b);
    }
    printf("check_softfp: ok, %ld pairs\n", pairs);
    return 0;
}
