/*
 * dcache.h - the data cache, as translated code sees it.
 *
 * A byte for every address of guest memory says which sizes may be loaded or stored there with no
 * other effect than that the access is counted as a hit (GS_NOTE_STORE in runtime.h). Any other
 * access is a helper call that ends up here. Translated code reads these bytes (the notes), only
 * dcache.c writes them. The cache itself is the timing's, and is changed by others while no
 * translated code runs.
 */
#ifndef GS_ENGINE_FAST_DCACHE_H
#define GS_ENGINE_FAST_DCACHE_H

#include "base/arena.h"
#include "engine/fast/prelude/runtime.h"
#include "engine/fast/superblock/superblock.h"
#include "timing/cache.h"

/* A data access of a superblock. */
typedef struct gs_data_access {
    uint32_t offset, cell; /* `cell` counts the misses of a store that passes */
    uint8_t base, size;    /* the base register, and bytes */
    uint8_t note;          /* the bit of the note that allows it */
    uint8_t shift;         /* of its bits in the key */
    bool stores, passes;
} gs_data_access;

/* A line whose notes allow accesses: its number or GS_CACHE_NO_LINE, and the accesses its notes
 * allow after it has been replaced. */
typedef struct gs_noted_line {
    gs_addr number;
    unsigned gone;
} gs_noted_line;

typedef struct gs_dcache_view {
    gs_cache *cache; /* the timing's; NULL: the core has none */
    gs_memory *memory;
    const uint8_t *pages; /* GS_FAST_LOAD, GS_FAST_STORE, by page */
    uint8_t *notes;       /* by address: the accesses that have no effect on the cache */
    gs_noted_line *noted; /* by slot of the cache */
    uint64_t misses;      /* lines filled that the cache's counters do not have yet, */
    uint64_t free_misses; /* and those of them that replaced no other line */
    bool passing;         /* stores that miss change nothing in the cache */
    bool plain;           /* writes through, and is direct-mapped or replaces the least recently
                             used line */
    uint32_t changes;     /* cache->change_count, */
    uint32_t map_changes; /* and memory->map_changes, that the notes are up to date with */
} gs_dcache_view;

/* Sets the callbacks for data accesses in `c` as well. `cache` is NULL if the core has none.
 * False when memory is out; so do all functions here that return a bool. */
bool gs_dcache_open(gs_dcache_view *d, gs_fast *c, gs_memory *memory, gs_cache *cache);
void gs_dcache_close(gs_dcache_view *d);

/* Before translated code runs: catches up with changes that others made to the cache and to
 * memory. */
bool gs_dcache_begin(gs_dcache_view *d);
/* After translated code has run: updates the cache's counters. */
void gs_dcache_finish(gs_dcache_view *d);

/* The data accesses of a superblock, in order. NULL when memory is out. */
gs_data_access *gs_dcache_accesses_of(gs_arena *arena, const gs_superblock *s);

#endif
