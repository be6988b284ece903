/*
 * softfloat.c - binary64 add, multiply, divide, square root and sine in integer code.
 *
 * Stresses 64-bit arithmetic on a 32-bit core: carries, wide shifts, 32x32
 * multiplies into 64 bits, and branches on the values.
 * Check: tools/check_softfp.c compares the routines with hardware, bit for bit; the
 * sines of 0.5, 1, 2 and 10 are the correctly rounded ones, to one unit in the
 * last place.
 */
#include "workload.h"

#include "softfp.h"

#define NAME "softfloat"

static NOINLINE uint64_t add(uint64_t a, uint64_t b)
{
    return sf64_add(a, b);
}

static NOINLINE uint64_t subtract(uint64_t a, uint64_t b)
{
    return sf64_sub(a, b);
}

static NOINLINE uint64_t multiply(uint64_t a, uint64_t b)
{
    return sf64_mul(a, b);
}

static NOINLINE uint64_t divide(uint64_t a, uint64_t b)
{
    return sf64_div(a, b);
}

static NOINLINE uint64_t square_root(uint64_t a)
{
    return sf64_sqrt(a & ~SF64_SIGN);
}

/* c[0] + x (c[1] + x (c[2] + ...)) */
static uint64_t polynomial(const uint64_t *c, int n, uint64_t x)
{
    uint64_t y = c[n - 1];
    for (int i = n - 2; i >= 0; i--)
        y = add(c[i], multiply(x, y));
    return y;
}

/* Taylor on [-pi/4, pi/4] after taking multiples of pi/2 away in two steps. */
static NOINLINE uint64_t sine(uint64_t x)
{
    static const uint64_t two_over_pi = 0x3fe45f306dc9c883;
    static const uint64_t half_pi_high = 0x3ff921fb54400000; /* the first 33 bits */
    static const uint64_t half_pi_low = 0x3dd0b4611a626331;  /* the next 53 */
    static const uint64_t one = 0x3ff0000000000000;
    static const uint64_t sine_terms[8] = {
        0x3ff0000000000000, 0xbfc5555555555555, 0x3f81111111111111, 0xbf2a01a01a01a01a,
        0x3ec71de3a556c734, 0xbe5ae64567f544e4, 0x3de6124613a86d09, 0xbd6ae7f3e733b81f,
    };
    static const uint64_t cosine_terms[8] = {
        0xbfe0000000000000, 0x3fa5555555555555, 0xbf56c16c16c16c17, 0x3efa01a01a01a01a,
        0xbe927e4fb7789f5c, 0x3e21eed8eff8d898, 0xbda93974a8c07c9d, 0x3d2ae7f3e733b81f,
    };
    uint64_t turns = multiply(x, two_over_pi);
    uint64_t half = (turns & SF64_SIGN) | 0x3fe0000000000000;
    int32_t quadrant = sf64_to_i32(add(turns, half));
    uint64_t n = sf64_from_i32(quadrant);
    uint64_t r = subtract(subtract(x, multiply(n, half_pi_high)), multiply(n, half_pi_low));
    uint64_t square = multiply(r, r);
    uint64_t y = quadrant & 1 ? add(one, multiply(square, polynomial(cosine_terms, 8, square)))
                              : multiply(r, polynomial(sine_terms, 8, square));
    return quadrant & 2 ? y ^ SF64_SIGN : y;
}

static bool sines_ok(void)
{
    static const struct {
        uint64_t x, sine;
    } known[] = {
        {0x3fe0000000000000, 0x3fdeaee8744b05f0}, /* 0.5 */
        {0x3ff0000000000000, 0x3feaed548f090cee}, /* 1 */
        {0x4000000000000000, 0x3fed18f6ead1b446}, /* 2 */
        {0x4024000000000000, 0xbfe1689ef5f34f52}, /* 10 */
    };
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (sine(known[i].x) + 1 - known[i].sine > 2)
            return false;
    return true;
}

/* A number of either sign with an exponent from -16 to 15. */
static uint64_t random_number(uint32_t *random)
{
    uint64_t high = random_next(random);
    uint64_t fraction = (high << 32 | random_next(random)) & SF64_FRACTION;
    uint64_t exponent = (uint64_t)(SF64_BIAS - 16) + (high >> 20 & 31);
    return (high & 0x80000000u) << 32 | exponent << 52 | fraction;
}

typedef uint64_t binary_operation(uint64_t a, uint64_t b);

int main(void)
{
    if (!sines_ok())
        return workload_fail(NAME, "known sines");

    static binary_operation *const operations[] = {add, subtract, multiply, divide};
    uint32_t random = 0x1234567, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(250); pass++) {
        uint64_t a = random_number(&random), b = random_number(&random);
        uint64_t result = 0;
        for (size_t i = 0; i < COUNT_OF(operations); i++)
            result ^= operations[i](a, b) << i;
        result ^= square_root(a);
        if (pass % 4 == 0)
            result ^= sine(b);
        sum = checksum_add(sum, (uint32_t)(result >> 32) ^ (uint32_t)result);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0x699fb89b, 0xe84eb5f4, 0xd779d37a));
}
