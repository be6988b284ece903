/*
 * softfloat.h - IEEE 754 single and double precision, the same on every host.
 *
 * Values travel as their bit patterns. A gs_fp is plain data, owned by the
 * caller (one per hart): how to round and treat NaNs, and the exceptions
 * raised so far. Nothing is allocated and nothing is shared, so any thread may
 * call with its own gs_fp. The host's FPU must be as the C runtime leaves it:
 * rounding to nearest, subnormals on, traps off.
 */
#ifndef GS_BASE_SOFTFLOAT_H
#define GS_BASE_SOFTFLOAT_H

#include <stdbool.h>
#include <stdint.h>

/* Rounding modes, numbered like RISC-V's `rm` and `frm` fields. */
typedef enum gs_fp_round {
    GS_FP_RNE, /* to nearest, ties to even */
    GS_FP_RTZ, /* towards zero */
    GS_FP_RDN, /* towards minus infinity */
    GS_FP_RUP, /* towards plus infinity */
    GS_FP_RMM, /* to nearest, ties away from zero */
} gs_fp_round;

/* Exceptions, laid out like RISC-V's `fflags`. */
enum {
    GS_FP_INEXACT = 1,
    GS_FP_UNDERFLOW = 2,
    GS_FP_OVERFLOW = 4,
    GS_FP_DIVZERO = 8,
    GS_FP_INVALID = 16,
};

/*
 * Which NaNs signal, what an operation returns for a NaN, and what a
 * conversion to an integer returns when the value does not fit:
 *
 *   mode         signals if the   a NaN result is        does not fit
 *                fraction's msb
 *   CANONICAL    is clear         0x7fc00000             nearest bound; NaN: maximum
 *   MIPS_LEGACY  is set           0x7fbfffff             maximum, whatever the value
 *   MIPS_2008    is clear         an operand, quieted,   nearest bound; NaN: 0
 *                                 or else 0x7fc00000
 *
 * (double: 0x7ff8000000000000 and 0x7ff7ffffffffffff). MIPS_2008 takes the
 * first signalling operand, or else the first NaN; a fused multiply-add looks
 * at its addend before its factors.
 */
typedef enum gs_fp_nan {
    GS_FP_NAN_CANONICAL,
    GS_FP_NAN_MIPS_LEGACY,
    GS_FP_NAN_MIPS_2008,
} gs_fp_nan;

/* All zeros is a RISC-V hart out of reset. */
typedef struct gs_fp {
    uint8_t round;             /* gs_fp_round, for every operation that is not told otherwise */
    uint8_t flags;             /* exceptions: ORed in, never cleared here */
    uint8_t nan;               /* gs_fp_nan */
    bool tiny_before_rounding; /* underflow judges the value before rounding it */
    bool flush_to_zero;        /* results below the normal range become zero, silently */
    bool no_host;              /* never use the host's FPU: same results, more slowly */
} gs_fp;

typedef enum gs_fp_order {
    GS_FP_LESS,
    GS_FP_EQUAL,
    GS_FP_GREATER,
    GS_FP_UNORDERED,
} gs_fp_order;

/* For fma: the result is +-(a * b) +- c, rounded once. A NaN keeps its sign. */
enum {
    GS_FP_NEGATE_PRODUCT = 1,
    GS_FP_NEGATE_ADDEND = 2,
};

uint32_t gs_f32_add(gs_fp *fp, uint32_t a, uint32_t b);
uint32_t gs_f32_sub(gs_fp *fp, uint32_t a, uint32_t b);
uint32_t gs_f32_mul(gs_fp *fp, uint32_t a, uint32_t b);
uint32_t gs_f32_div(gs_fp *fp, uint32_t a, uint32_t b);
uint32_t gs_f32_sqrt(gs_fp *fp, uint32_t a);
uint32_t gs_f32_fma(gs_fp *fp, uint32_t a, uint32_t b, uint32_t c, unsigned negate);

uint64_t gs_f64_add(gs_fp *fp, uint64_t a, uint64_t b);
uint64_t gs_f64_sub(gs_fp *fp, uint64_t a, uint64_t b);
uint64_t gs_f64_mul(gs_fp *fp, uint64_t a, uint64_t b);
uint64_t gs_f64_div(gs_fp *fp, uint64_t a, uint64_t b);
uint64_t gs_f64_sqrt(gs_fp *fp, uint64_t a);
uint64_t gs_f64_fma(gs_fp *fp, uint64_t a, uint64_t b, uint64_t c, unsigned negate);

/* A signalling comparison raises invalid for any NaN, a quiet one only for a
 * signalling NaN. -0 equals +0. `eq` is quiet; `lt` and `le` signal. */
gs_fp_order gs_f32_compare(gs_fp *fp, uint32_t a, uint32_t b, bool signalling);
gs_fp_order gs_f64_compare(gs_fp *fp, uint64_t a, uint64_t b, bool signalling);
bool gs_f32_eq(gs_fp *fp, uint32_t a, uint32_t b);
bool gs_f32_lt(gs_fp *fp, uint32_t a, uint32_t b);
bool gs_f32_le(gs_fp *fp, uint32_t a, uint32_t b);
bool gs_f64_eq(gs_fp *fp, uint64_t a, uint64_t b);
bool gs_f64_lt(gs_fp *fp, uint64_t a, uint64_t b);
bool gs_f64_le(gs_fp *fp, uint64_t a, uint64_t b);

/* IEEE 754-2019 minimumNumber and maximumNumber: -0 is below +0, a number wins
 * over a NaN, two NaNs give the default NaN, a signalling NaN raises invalid. */
uint32_t gs_f32_min(gs_fp *fp, uint32_t a, uint32_t b);
uint32_t gs_f32_max(gs_fp *fp, uint32_t a, uint32_t b);
uint64_t gs_f64_min(gs_fp *fp, uint64_t a, uint64_t b);
uint64_t gs_f64_max(gs_fp *fp, uint64_t a, uint64_t b);

/* RISC-V's fclass mask: bits 0 to 7 are -inf, -normal, -subnormal, -0, +0,
 * +subnormal, +normal, +inf; bit 8 is a signalling NaN, bit 9 a quiet one. */
unsigned gs_f32_classify(const gs_fp *fp, uint32_t a);
unsigned gs_f64_classify(const gs_fp *fp, uint64_t a);

uint64_t gs_f32_to_f64(gs_fp *fp, uint32_t a);
uint32_t gs_f64_to_f32(gs_fp *fp, uint64_t a);

/* To an integer. What does not fit raises invalid and nothing else. */
int32_t gs_f32_to_i32(gs_fp *fp, uint32_t a, gs_fp_round round);
uint32_t gs_f32_to_u32(gs_fp *fp, uint32_t a, gs_fp_round round);
int64_t gs_f32_to_i64(gs_fp *fp, uint32_t a, gs_fp_round round);
int32_t gs_f64_to_i32(gs_fp *fp, uint64_t a, gs_fp_round round);
uint32_t gs_f64_to_u32(gs_fp *fp, uint64_t a, gs_fp_round round);
int64_t gs_f64_to_i64(gs_fp *fp, uint64_t a, gs_fp_round round);

/* From an integer, rounded by fp->round. */
uint32_t gs_f32_from_i32(gs_fp *fp, int32_t a);
uint32_t gs_f32_from_u32(gs_fp *fp, uint32_t a);
uint32_t gs_f32_from_i64(gs_fp *fp, int64_t a);
uint64_t gs_f64_from_i32(gs_fp *fp, int32_t a);
uint64_t gs_f64_from_u32(gs_fp *fp, uint32_t a);
uint64_t gs_f64_from_i64(gs_fp *fp, int64_t a);

#endif
