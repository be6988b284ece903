/* Parses numbers such as 16K and 50_000_000. */
#include "base/number.h"

#include <stddef.h>

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static unsigned shift_of(char suffix)
{
    switch (suffix) {
    case 'k':
    case 'K': return 10;
    case 'm':
    case 'M': return 20;
    case 'g':
    case 'G': return 30;
    default: return 0;
    }
}

bool gs_number_parse(const char *text, uint64_t *value)
{
    uint64_t number = 0;
    int radix = 10;
    const char *at = text;

    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        radix = 16;
        at += 2;
    }
    if (digit_of(*at) >= radix)
        return false;
    for (; *at; at++) {
        if (*at == '_' && digit_of(at[1]) < radix)
            continue;
        int digit = digit_of(*at);
        if (digit >= radix)
            break;
        if (__builtin_mul_overflow(number, (unsigned)radix, &number) ||
            __builtin_add_overflow(number, (unsigned)digit, &number))
            return false;
    }
    if (*at) {
        unsigned shift = shift_of(*at);
        if (!shift || at[1] || number > UINT64_MAX >> shift)
            return false;
        number <<= shift;
    }
    *value = number;
    return true;
}
