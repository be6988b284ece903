/*
 * text.h - numbers as all reports write them.
 *
 * Each function writes into a buffer of at least GS_TEXT_NUMBER bytes, which it also returns.
 */
#ifndef GUMSHOE_TEXT_H
#define GUMSHOE_TEXT_H

#include <stdint.h>

#pragma GCC visibility push(default)

enum { GS_TEXT_NUMBER = 32 };

char *gs_text_digits(char *to, uint64_t value); /* "1,234,567" */
char *gs_text_mean(char *to, double value);     /* "7.4", "210.1", "55,320" */

/* The same, for an argument: the text lives until the end of the block. */
#define GS_TEXT_DIGITS(value) gs_text_digits((char[GS_TEXT_NUMBER]){0}, (value))

/* With the unit that leaves one to three digits before the point: "532.741 uJ". */
char *gs_text_joules(char *to, double joules);
char *gs_text_watts(char *to, double watts);
char *gs_text_seconds(char *to, double seconds);

#pragma GCC visibility pop

#endif
