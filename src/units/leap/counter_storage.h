/*
 * counter_storage.h - LEAP's Counter Storage: a memory with an entry per function number.
 *
 * An update reads an entry, adds the Data Counter and writes it back. Entries are `width` bits
 * per lane; they wrap, or, when one would be full, all are halved, and `shift` says how often
 * that was. With tags, an entry also holds the address of its function, so that a number that
 * came out of the hash by chance is recognized.
 */
#ifndef GS_UNITS_LEAP_COUNTER_STORAGE_H
#define GS_UNITS_LEAP_COUNTER_STORAGE_H

#include "units/leap/data_counter.h"

typedef struct gs_leap_storage {
    /* Parameters. */
    uint32_t entries;
    unsigned lanes, width;
    const uint32_t *tags; /* per entry, written before the run; NULL without tags */

    /* State. */
    uint64_t *value; /* entries * lanes, `width` bits each, in units of 2^shift */
    uint8_t shift;   /* 6 bits */
} gs_leap_storage;

/* Whether adding goes beyond the width. */
bool gs_leap_storage_would_fill(const gs_leap_storage *storage, uint32_t entry,
                                const gs_leap_values *values);
void gs_leap_storage_add(gs_leap_storage *storage, uint32_t entry, const gs_leap_values *values);
void gs_leap_storage_halve(gs_leap_storage *storage);

/* What an entry stands for: its value times 2^shift. */
static inline uint64_t gs_leap_storage_read(const gs_leap_storage *storage, uint32_t entry,
                                            unsigned lane)
{
    return storage->value[(size_t)entry * storage->lanes + lane] << storage->shift;
}

#endif
