/*
 * libcalls_float.c - what the compiler calls for arithmetic in soft float.
 *
 * For bare-metal MIPS: the cross compilers come with a libgcc for MIPS32r2 with
 * an FPU and position-independent code, which neither a MIPS I core nor a
 * soft-float program can use. And for clang, which comes without such a library.
 * Names and meanings are libgcc's. Single precision goes through double and is
 * rounded once more, which is exact for these operations: 53 bits are at least
 * twice 24 plus two.
 */
#include "softfp.h"

#ifdef __hexagon__
#pragma redefine_extname __adddf3 __hexagon_adddf3
#pragma redefine_extname __subdf3 __hexagon_subdf3
#pragma redefine_extname __muldf3 __hexagon_muldf3
#pragma redefine_extname __divdf3 __hexagon_divdf3
#pragma redefine_extname __divsf3 __hexagon_divsf3
#endif

typedef union {
    double value;
    uint64_t bits;
} f64;

typedef union {
    float value;
    uint32_t bits;
} f32;

static uint64_t bits_of(double x)
{
    return (f64){.value = x}.bits;
}

static double f64_of(uint64_t bits)
{
    return (f64){.bits = bits}.value;
}

static uint64_t widened(float x)
{
    return sf64_from_f32((f32){.value = x}.bits);
}

static float f32_of(uint64_t bits)
{
    return (f32){.bits = sf64_to_f32(bits)}.value;
}

#define ARITHMETIC(name, operation)                       \
    double __##name##df3(double a, double b);             \
    double __##name##df3(double a, double b)              \
    {                                                     \
        return f64_of(operation(bits_of(a), bits_of(b))); \
    }                                                     \
    float __##name##sf3(float a, float b);                \
    float __##name##sf3(float a, float b)                 \
    {                                                     \
        return f32_of(operation(widened(a), widened(b))); \
    }

ARITHMETIC(add, sf64_add)
ARITHMETIC(sub, sf64_sub)
ARITHMETIC(mul, sf64_mul)
ARITHMETIC(div, sf64_div)

/* -1, 0 or 1; `unordered` when one is NaN. */
static int compare(uint64_t a, uint64_t b, int unordered)
{
    if (sf64_is_nan(a) || sf64_is_nan(b))
        return unordered;
    if (sf64_lt(a, b))
        return -1;
    return !sf64_eq(a, b);
}

/* The sign of the result against 0 answers the question; a NaN makes it false. */
#define COMPARISON(name, unordered)                        \
    int __##name##df2(double a, double b);                 \
    int __##name##df2(double a, double b)                  \
    {                                                      \
        return compare(bits_of(a), bits_of(b), unordered); \
    }                                                      \
    int __##name##sf2(float a, float b);                   \
    int __##name##sf2(float a, float b)                    \
    {                                                      \
        return compare(widened(a), widened(b), unordered); \
    }

COMPARISON(eq, 1)
COMPARISON(ne, 1)
COMPARISON(lt, 1)
COMPARISON(le, 1)
COMPARISON(gt, -1)
COMPARISON(ge, -1)

int32_t __fixdfsi(double a);
int32_t __fixdfsi(double a)
{
    return sf64_to_i32(bits_of(a));
}

uint32_t __fixunsdfsi(double a);
uint32_t __fixunsdfsi(double a)
{
    return sf64_magnitude_u32(bits_of(a));
}

int32_t __fixsfsi(float a);
int32_t __fixsfsi(float a)
{
    return sf64_to_i32(widened(a));
}

double __floatsidf(int32_t a);
double __floatsidf(int32_t a)
{
    return f64_of(sf64_from_i32(a));
}

double __floatunsidf(uint32_t a);
double __floatunsidf(uint32_t a)
{
    return f64_of(sf64_from_u32(a));
}

float __floatsisf(int32_t a);
float __floatsisf(int32_t a)
{
    return f32_of(sf64_from_i32(a));
}

double __extendsfdf2(float a);
double __extendsfdf2(float a)
{
    return f64_of(widened(a));
}

float __truncdfsf2(double a);
float __truncdfsf2(double a)
{
    return f32_of(bits_of(a));
}
