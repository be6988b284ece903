/*
 * address_hash.h - LEAP's Address Hash: from the address of a function to its number.
 *
 *     x = address + V;  x += x << 8;  x ^= x >> 4;
 *     b = (x >> B1) & B2;  a = (x + (x << A1)) >> A2;
 *     number = a ^ tab[b]
 *
 * in 32 bits; a shift by 32 gives 0. The parameters make it perfect for the functions of one
 * program: no two of them share a number. Any other address gets a number, too: some
 * function's, or an unused one.
 *
 * Finding parameters always succeeds for distinct addresses. A hash is its owner's to fini().
 */
#ifndef GS_UNITS_LEAP_ADDRESS_HASH_H
#define GS_UNITS_LEAP_ADDRESS_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gumshoe/error.h"

enum { GS_LEAP_ENTRIES_MAX = 1 << 16 };

typedef struct gs_leap_hash {
    uint32_t entries; /* N: numbers are 0..N-1; a power of two */
    uint32_t v;       /* 32 bits */
    uint8_t a1, a2;   /* 6 bits each: 0..32 */
    uint8_t b1;       /* 5 bits */
    uint32_t b2;      /* entries of tab - 1: a mask */
    uint16_t *tab;    /* log2(N) bits each */
} gs_leap_hash;

static inline uint32_t gs_leap_shift_left(uint32_t x, unsigned by)
{
    return by < 32 ? x << by : 0;
}

static inline uint32_t gs_leap_shift_right(uint32_t x, unsigned by)
{
    return by < 32 ? x >> by : 0;
}

static inline uint32_t gs_leap_mix(uint32_t address, uint32_t v)
{
    uint32_t x = address + v;
    x += x << 8;
    return x ^ x >> 4;
}

static inline uint32_t gs_leap_a(const gs_leap_hash *hash, uint32_t x)
{
    return gs_leap_shift_right(x + gs_leap_shift_left(x, hash->a1), hash->a2);
}

static inline uint32_t gs_leap_b(const gs_leap_hash *hash, uint32_t x)
{
    return (x >> hash->b1) & hash->b2;
}

static inline uint32_t gs_leap_hash_of(const gs_leap_hash *hash, uint32_t address)
{
    uint32_t x = gs_leap_mix(address, hash->v);
    return gs_leap_a(hash, x) ^ hash->tab[gs_leap_b(hash, x)];
}

/*
 * Parameters for `count` distinct addresses and `entries` numbers, a power of two that is at least
 * `count` and at most GS_LEAP_ENTRIES_MAX. `tab` is as small as a short search finds. Fails with
 * GS_E_ARGUMENT for addresses that are not distinct or too many.
 */
gs_status gs_leap_hash_find(gs_leap_hash *hash, const uint32_t *addresses, size_t count,
                            uint32_t entries, gs_error *err);

/* The same with a search among tabs of up to `longest` entries; 0: none. What it does not find,
 * gs_leap_hash_direct() makes. */
gs_status gs_leap_hash_find_within(gs_leap_hash *hash, const uint32_t *addresses, size_t count,
                                   uint32_t entries, uint32_t longest, gs_error *err);

/* Parameters without a search, and a longer tab. hash->entries and hash->a2 are given. Fails only
 * for lack of memory: that of tab, which is 2^33 bytes at most. */
gs_status gs_leap_hash_direct(gs_leap_hash *hash, const uint32_t *addresses, size_t count,
                              gs_error *err);
void gs_leap_hash_fini(gs_leap_hash *hash);

/* The next power of two: what a program of `count` functions needs at least. */
uint32_t gs_leap_entries_for(size_t count);

uint64_t gs_leap_tab_length(const gs_leap_hash *hash);
unsigned gs_leap_tab_bits(const gs_leap_hash *hash); /* of one entry */

/* The parameters as a text of names and numbers, as a C header, and as a file for Verilog's
 * $readmemh(); `name` says of what. docs/units/leap.md has the forms. */
void gs_leap_hash_write_text(FILE *to, const gs_leap_hash *hash, const char *name);
void gs_leap_hash_write_c(FILE *to, const gs_leap_hash *hash, const char *name);
void gs_leap_hash_write_memory(FILE *to, const gs_leap_hash *hash, const char *name);

#endif
