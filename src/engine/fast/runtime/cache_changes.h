/*
 * cache_changes.h - catching up with changes that others made to a cache.
 *
 * A cache remembers the sets it changed last (gs_cache.changes). A table that mirrors the cache
 * keeps the count of changes it is up to date with.
 */
#ifndef GS_ENGINE_FAST_CACHE_CHANGES_H
#define GS_ENGINE_FAST_CACHE_CHANGES_H

#include "timing/cache.h"

/* The count of a table that is up to date with nothing. */
static inline uint32_t gs_cache_never_seen(const gs_cache *cache)
{
    return cache->change_count - GS_CACHE_CHANGES - 1;
}

/* Calls `update` for each set that has been changed since *seen; or for `all`, or all if there were
 * more changes than the cache remembers. */
static inline void gs_cache_catch_up(const gs_cache *cache, uint32_t *seen, bool all,
                                     void (*update)(void *self, gs_addr set), void *self)
{
    const uint32_t count = cache->change_count - *seen;
    *seen = cache->change_count;
    if (all || count > GS_CACHE_CHANGES) {
        for (gs_addr set = 0; set <= cache->set_mask; set++)
            update(self, set);
        return;
    }
    for (uint32_t i = 1; i <= count; i++)
        update(self, cache->changes[(cache->change_count - i) % GS_CACHE_CHANGES]);
}

#endif
