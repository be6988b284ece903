/* Writes quantities for people: grouped digits, energy, time and frequency with their units. */
#include "gumshoe/text.h"

#include <inttypes.h>
#include <stdio.h>

char *gs_text_digits(char *to, uint64_t value)
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *at = to;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return to;
}

char *gs_text_mean(char *to, double value)
{
    if (value >= 999.95 && value < 0x1p63)
        return gs_text_digits(to, (uint64_t)(value + 0.5));
    snprintf(to, GS_TEXT_NUMBER, "%.4g", value);
    return to;
}

static char *with_unit(char *to, double value, const char *unit)
{
    static const char *const prefixes[] = {"f", "p", "n", "u", "m", ""};
    const size_t last = sizeof prefixes / sizeof *prefixes - 1;
    size_t at = value == 0 ? last : 0; /* nothing of a unit, not of its smallest part */
    for (value *= 1e15; value >= 999.9995 && at < last; at++)
        value /= 1000;
    snprintf(to, GS_TEXT_NUMBER, "%.3f %s%s", value, prefixes[at], unit);
    return to;
}

char *gs_text_joules(char *to, double joules)
{
    return with_unit(to, joules, "J");
}

char *gs_text_watts(char *to, double watts)
{
    return with_unit(to, watts, "W");
}

char *gs_text_seconds(char *to, double seconds)
{
    return with_unit(to, seconds, "s");
}
