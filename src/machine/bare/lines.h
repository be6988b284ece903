/*
 * lines.h - the numbered interrupt lines of a board, a bit each.
 *
 * Which number is what depends on where they go: a source of the PLIC, an interrupt of Hazard3's
 * controller, a hardware interrupt of a MIPS hart.
 */
#ifndef GS_MACHINE_BARE_LINES_H
#define GS_MACHINE_BARE_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { GS_LINE_COUNT = 128, GS_LINE_WORDS = GS_LINE_COUNT / 64 };

typedef struct gs_lines {
    uint64_t bits[GS_LINE_WORDS];
} gs_lines;

static inline bool gs_lines_has(const gs_lines *lines, unsigned number)
{
    return lines->bits[number / 64] >> number % 64 & 1;
}

static inline void gs_lines_set(gs_lines *lines, unsigned number, bool raised)
{
    const uint64_t bit = UINT64_C(1) << number % 64;
    if (raised)
        lines->bits[number / 64] |= bit;
    else
        lines->bits[number / 64] &= ~bit;
}

/* Raises up to 32 lines from `first` on, those with a bit in `mask`. */
static inline void gs_lines_raise(gs_lines *lines, unsigned first, uint32_t mask)
{
    for (; mask; mask &= mask - 1)
        gs_lines_set(lines, first + (unsigned)__builtin_ctz(mask), true);
}

static inline bool gs_lines_any(const gs_lines *lines)
{
    return lines->bits[0] | lines->bits[1];
}

#endif
