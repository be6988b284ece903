/*
 * A perfect address hash without a search, for addresses that no search has placed.
 *
 * Once b alone tells all keys apart, every key has an entry of `tab` to itself, which gives it any
 * number at all. b is a window of the mixed address, and mixing is reversible: at the latest the
 * window of all 32 bits is one. So there always is a hash, of 2^32 entries at most; the narrowest
 * window that will do makes `tab` as short as it can be.
 */
#include <stdlib.h>

#include "base/error.h"
#include "units/leap/address_hash.h"

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t mask_of(unsigned bits)
{
    return bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
}

static bool tells_apart(const gs_leap_hash *hash, const uint32_t *addresses, size_t count,
                        uint32_t *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = gs_leap_b(hash, gs_leap_mix(addresses[i], hash->v));
    qsort(scratch, count, sizeof *scratch, by_value);
    for (size_t i = 1; i < count; i++) {
        if (scratch[i] == scratch[i - 1])
            return false;
    }
    return true;
}

/* The narrowest window, and of those the lowest. */
static void choose_window(gs_leap_hash *hash, const uint32_t *addresses, size_t count,
                          uint32_t *scratch)
{
    for (unsigned bits = 0; bits <= 32; bits++) {
        hash->b2 = mask_of(bits);
        if (hash->b2 < count - 1)
            continue; /* there are not even enough entries */
        for (unsigned b1 = 0; b1 <= 32 - bits && b1 < 32; b1++) {
            hash->b1 = (uint8_t)b1;
            if (tells_apart(hash, addresses, count, scratch))
                return;
        }
    }
}

gs_status gs_leap_hash_direct(gs_leap_hash *hash, const uint32_t *addresses, size_t count,
                              gs_error *err)
{
    hash->v = 0; /* the mixed address is all there is */
    hash->a1 = 32;
    hash->b1 = 0;
    hash->b2 = 0;
    if (count > 1) {
        uint32_t *scratch = malloc(count * sizeof *scratch);
        if (!scratch)
            return gs_fail_no_memory(err);
        choose_window(hash, addresses, count, scratch);
        free(scratch);
    }
    free(hash->tab);
    hash->tab = calloc((size_t)hash->b2 + 1, sizeof *hash->tab);
    if (!hash->tab)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        uint32_t x = gs_leap_mix(addresses[i], hash->v);
        hash->tab[gs_leap_b(hash, x)] = (uint16_t)(gs_leap_a(hash, x) ^ i);
    }
    return GS_OK;
}
