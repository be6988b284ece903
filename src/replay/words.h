/*
 * words.h - taking lines of text apart.
 */
#ifndef GS_REPLAY_WORDS_H
#define GS_REPLAY_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "replay/formats.h"

static inline const char *gs_words_skip(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static inline int gs_words_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A hexadecimal number at *at, with or without 0x; *digits (or NULL) gets how many it has. *at then
 * stands behind it. */
static inline bool gs_words_hex(const char **at, uint64_t *value, unsigned *digits)
{
    const char *c = *at;
    uint64_t sum = 0;
    unsigned count = 0;
    int digit;
    if (c[0] == '0' && (c[1] | 0x20) == 'x')
        c += 2;
    for (; count < 16 && (digit = gs_words_digit(*c)) >= 0; c++, count++)
        sum = sum << 4 | (unsigned)digit;
    if (count == 0 || gs_words_digit(*c) >= 0)
        return false;
    *at = c;
    *value = sum;
    if (digits)
        *digits = count;
    return true;
}

static inline bool gs_words_decimal(const char **at, uint64_t *value)
{
    const char *c = *at;
    uint64_t sum = 0;
    for (; *c >= '0' && *c <= '9'; c++) {
        if (sum > UINT64_MAX / 10 - 1)
            return false;
        sum = sum * 10 + (unsigned)(*c - '0');
    }
    if (c == *at)
        return false;
    *at = c;
    *value = sum;
    return true;
}

/* What stands behind `word` in the text, or NULL. */
static inline const char *gs_words_behind(const char *text, const char *word)
{
    const char *found = strstr(text, word);
    return found ? found + strlen(word) : NULL;
}

/* The bytes of a RISC-V instruction, whose two lowest bits say how many there are. */
static inline void gs_words_riscv(gs_replay_record *record, uint64_t word)
{
    record->code_size = (word & 3) == 3 ? 4 : 2;
    for (unsigned i = 0; i < record->code_size; i++)
        record->code[i] = (uint8_t)(word >> 8 * i);
}

/* Of an access: as many bytes as its instruction says. */
enum { GS_REPLAY_SIZE_OF_INSN = 0xff }; /* as the player has it */

#endif
