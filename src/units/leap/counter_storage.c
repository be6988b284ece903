/* Updates of the Counter Storage: add, wrap or halve. */
#include "units/leap/counter_storage.h"

bool gs_leap_storage_would_fill(const gs_leap_storage *s, uint32_t entry,
                                const gs_leap_values *values)
{
    const uint64_t *at = &s->value[(size_t)entry * s->lanes];
    uint64_t mask = gs_leap_mask(s->width);
    for (unsigned i = 0; i < s->lanes; i++) {
        if (values->lane[i] > mask - at[i])
            return true;
    }
    return false;
}

void gs_leap_storage_add(gs_leap_storage *s, uint32_t entry, const gs_leap_values *values)
{
    uint64_t *at = &s->value[(size_t)entry * s->lanes];
    uint64_t mask = gs_leap_mask(s->width);
    for (unsigned i = 0; i < s->lanes; i++)
        at[i] = (at[i] + values->lane[i]) & mask;
}

void gs_leap_storage_halve(gs_leap_storage *s)
{
    for (size_t i = 0; i < (size_t)s->entries * s->lanes; i++)
        s->value[i] >>= 1;
    s->shift++;
}
