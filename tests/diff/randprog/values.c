/*
 * Random numbers (splitmix64) and the values registers and memory start with.
 */
#include "randprog.h"

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

rng rng_for(uint64_t seed, uint64_t stream, uint64_t item)
{
    return (rng){mix(mix(mix(seed) + stream) + item)};
}

uint64_t rng_next(rng *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    return mix(r->state);
}

unsigned rng_below(rng *r, unsigned bound)
{
    return (unsigned)((rng_next(r) >> 32) * bound >> 32);
}

unsigned rng_range(rng *r, unsigned low, unsigned high)
{
    return low + rng_below(r, high - low + 1);
}

bool rng_once_in(rng *r, unsigned n)
{
    return rng_below(r, n) == 0;
}

uint32_t value_word(rng *r)
{
    static const uint32_t special[] = {
        0,          1,          2,          0xffffffff, 0xfffffffe, 0x80000000, 0x80000001,
        0x7fffffff, 0x7ffffffe, 0x55555555, 0xaaaaaaaa, 0x0000007f, 0x00000080, 0xffffff80,
        0xffffff7f, 0x00007fff, 0x00008000, 0xffff8000, 0xffff7fff, 0x0000ffff, 0x00010000,
        0x00ff00ff, 0x01010101, 0x80808080, 0x7f7f7f7f, 0x12345678, 31,         32,
    };
    uint32_t random = (uint32_t)rng_next(r);
    switch (rng_below(r, 8)) {
    case 0:
    case 1:
    case 2: return special[rng_below(r, sizeof special / sizeof *special)];
    case 3: return (uint32_t)((int32_t)rng_below(r, 64) - 32);
    case 4: return (1u << rng_below(r, 32)) - rng_below(r, 3);
    case 5: return random >> rng_below(r, 32);
    default: return random;
    }
}

int32_t value_immediate(rng *r, unsigned bits)
{
    int32_t top = 1 << (bits - 1);
    switch (rng_below(r, 4)) {
    case 0: return rng_once_in(r, 2) ? top - 1 : -top;
    default: return (int32_t)rng_below(r, 67) - 33;
    }
}

/* A fraction of `width` bits: random, or with a run of zeros or ones that makes ties. */
static uint64_t fraction(rng *r, unsigned width)
{
    uint64_t all = (1ull << width) - 1, random = rng_next(r) & all;
    unsigned keep = rng_below(r, width + 1);
    uint64_t low = (1ull << (width - keep)) - 1;
    switch (rng_below(r, 6)) {
    case 0: return 0;
    case 1: return all;
    case 2: return random & ~low;
    case 3: return random | low;
    default: return random;
    }
}

static uint64_t assemble(rng *r, uint64_t exponent, uint64_t frac, unsigned frac_bits,
                         unsigned exponent_bits)
{
    uint64_t sign = rng_next(r) & 1;
    return sign << (frac_bits + exponent_bits) | exponent << frac_bits | frac;
}

/* `edges` are exponents at which something changes for this format. */
static uint64_t value_float(rng *r, unsigned frac_bits, unsigned exponent_bits,
                            const unsigned *edges, unsigned edge_count)
{
    const unsigned top = (1u << exponent_bits) - 1, bias = top / 2;
    const uint64_t quiet = 1ull << (frac_bits - 1);
    uint64_t frac = fraction(r, frac_bits);
    unsigned exponent;
    switch (rng_below(r, 16)) {
    case 0:
        exponent = 0;
        frac = 0;
        break;
    case 1:
    case 2: exponent = 0; break;
    case 3:
        exponent = top;
        frac = 0;
        break;
    case 4: /* a NaN, or an infinity, by the fraction */ exponent = top; break;
    case 5:
        exponent = top;
        frac = rng_once_in(r, 2) ? (frac | quiet) : (frac & ~quiet) | 1;
        break;
    case 6: exponent = rng_range(r, 1, 3); break;
    case 7: exponent = top - rng_range(r, 1, 3); break;
    case 8:
    case 9:
    case 10: exponent = edges[rng_below(r, edge_count)] - 2 + rng_below(r, 5); break;
    case 11: exponent = rng_below(r, top + 1); break;
    case 12: /* a small whole number, perhaps and a half */
        exponent = bias + rng_below(r, 6);
        frac &= ~(quiet / 16 - 1);
        break;
    default: exponent = bias - 4 + rng_below(r, 9); break;
    }
    return assemble(r, exponent, frac, frac_bits, exponent_bits);
}

uint32_t value_single(rng *r)
{
    /* the last bits of the fraction, 2^31 and 2^32, roots of the range's ends */
    static const unsigned edges[] = {127 + 23, 127 + 31, 127 + 31, 127 - 24, 64, 190, 23, 102};
    return (uint32_t)value_float(r, 23, 8, edges, sizeof edges / sizeof *edges);
}

uint64_t value_double(rng *r)
{
    /* the same, and where single precision ends */
    static const unsigned edges[] = {1023 + 52,  1023 + 31,  1023 + 31,  1023 - 53, 512,       1534,
                                     1023 + 127, 1023 - 126, 1023 - 149, 52,        1023 - 140};
    return value_float(r, 52, 11, edges, sizeof edges / sizeof *edges);
}
