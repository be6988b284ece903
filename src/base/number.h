/*
 * number.h - numbers as people write them.
 */
#ifndef GS_BASE_NUMBER_H
#define GS_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Decimal or 0x hexadecimal, with `_` between digits and one of K, M, G (powers of 1024) at the
 * end: 100_000_000, 0x8000_0000, 128M. False, with *value untouched, for anything else and for
 * what does not fit. */
bool gs_number_parse(const char *text, uint64_t *value);

#endif
