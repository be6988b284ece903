/*
 * mips_ops.h - words of mips.def's semantics column that mean the same to every engine.
 *
 * Needs nothing but the C language, and GUEST_BIG_ENDIAN to be 0 or 1: translated code
 * begins with this text.
 */
#ifndef GS_MIPS_OPS_H
#define GS_MIPS_OPS_H

#include <stdbool.h>
#include <stdint.h>

#define ADD_OVERFLOWS(a_, b_)   overflows((int64_t)(int32_t)(a_) + (int32_t)(b_))
#define SUB_OVERFLOWS(a_, b_)   overflows((int64_t)(int32_t)(a_) - (int32_t)(b_))
#define PRODUCT(a_, b_)         ((uint64_t)(a_) * (b_))
#define SIGNED_PRODUCT(a_, b_)  ((uint64_t)((int64_t)(int32_t)(a_) * (int32_t)(b_)))
#define QUOTIENT(a_, b_)        divide(a_, b_)
#define SIGNED_QUOTIENT(a_, b_) divide_signed((int32_t)(a_), (int32_t)(b_))
#define LEADING_ZEROS(v_)       leading_zeros(v_)

static inline bool overflows(int64_t sum)
{
    return sum != (int32_t)sum;
}

static inline uint32_t leading_zeros(uint32_t v)
{
    return v == 0 ? 32 : (uint32_t)__builtin_clz(v);
}

static inline uint64_t divide(uint32_t a, uint32_t b)
{
    return b == 0 ? a : (uint64_t)(a % b) << 32 | a / b;
}

static inline uint64_t divide_signed(int32_t a, int32_t b)
{
    if (b == 0)
        return (uint32_t)a;
    if (b == -1) /* the lowest number has no opposite */
        return 0u - (uint32_t)a;
    return (uint64_t)(uint32_t)(a % b) << 32 | (uint32_t)(a / b);
}

/* Comparisons of floats: which kind, and for which orders they hold. */
#define QUIET      false
#define SIGNALLING true
#define LT         (1u << GS_FP_LESS)
#define EQ         (1u << GS_FP_EQUAL)
#define UN         (1u << GS_FP_UNORDERED)

/* How far lwl and swl shift a register against the aligned word at their address. */
#define left_shift(at_) (GUEST_BIG_ENDIAN ? 8 * ((at_)&3) : 24 - 8 * ((at_)&3))

#define MERGE_LEFT(word_, reg_, at_) \
    ((word_) << left_shift(at_) | ((reg_) & ~(~0u << left_shift(at_))))
#define MERGE_RIGHT(word_, reg_, at_) \
    ((word_) >> (24 - left_shift(at_)) | ((reg_) & ~(~0u >> (24 - left_shift(at_)))))

/* The aligned word, the bits of it, and the value that swl and swr write. */
#define LEFT_PART(at_, value_) (at_) & ~3u, ~0u >> left_shift(at_), (value_) >> left_shift(at_)
#define RIGHT_PART(at_, value_) \
    (at_) & ~3u, ~0u << (24 - left_shift(at_)), (value_) << (24 - left_shift(at_))

#endif
