/*
 * text.h - numbers as all reports write them.
 *
 * Each function writes into a buffer of at least GS_TEXT_NUMBER bytes, the caller's, which it also
 * returns. None fails, and any thread may call them.
 */
#ifndef GUMSHOE_TEXT_H
#define GUMSHOE_TEXT_H

#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum { GS_TEXT_NUMBER = 32 };

/* A count, "1,234,567"; and a mean of counts, "7.4", "210.1" or "55,320". */
char *gs_text_digits(char *to, uint64_t value);
char *gs_text_mean(char *to, double value);

/* The digits as an argument (in C): the text lives until the end of the block. */
#define GS_TEXT_DIGITS(value) gs_text_digits((char[GS_TEXT_NUMBER]){0}, (value))

/* Joules, watts and seconds, with the unit that leaves one to three digits before the point:
 * "532.741 uJ". */
char *gs_text_joules(char *to, double joules);
char *gs_text_watts(char *to, double watts);
char *gs_text_seconds(char *to, double seconds);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
