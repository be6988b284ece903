/*
 * icache.h - the instruction cache, as translated code sees it.
 *
 * A byte for every I-cache line of guest memory says whether it is in the cache (GS_FAST_LINE_* in
 * runtime.h). Translated code reads these bytes when it enters a superblock; a line that is missing
 * is looked up here by a helper call. Lookups are made early, for the whole superblock: if it is
 * left before it needed a line, the lookup is undone. When lines were used last is in icache_lru.h.
 */
#ifndef GS_ENGINE_FAST_ICACHE_H
#define GS_ENGINE_FAST_ICACHE_H

#include "base/arena.h"
#include "engine/fast/runtime/icache_lru.h"

/* Lookups of one superblock that missed, at most. */
enum { GS_FETCHES_MAX = GS_SUPERBLOCK_SITES };

/* An I-cache line that a superblock looks up when it is entered. */
typedef struct gs_line_use {
    gs_addr number;
    uint8_t owner, shift; /* index of its site, see gs_site */
    uint8_t site;         /* that site */
} gs_line_use;

/* A lookup that may have to be undone: the state before it. */
typedef struct gs_fetch_undo {
    unsigned owner; /* of the site */
    gs_addr line;
    size_t slot;                     /* with LRU replacement: the line that was in the slot, */
    uint64_t used;                   /* and gs_icache_lru.used of the slot */
    gs_addr tags[GS_CACHE_MAX_WAYS]; /* index of the set's first slot; or only that slot has
                                        changed */
    uint32_t random, next_way;       /* with several ways and another policy than LRU: */
    gs_cache_stats stats;            /* the lines of the set */
} gs_fetch_undo;

typedef struct gs_icache_view {
    gs_cache *cache; /* the timing's; NULL: the core has none */
    const gs_fast *c;
    uint8_t *notes; /* the notes, by line */
    gs_addr *noted; /* by slot: the line whose note says that it is present; or GS_CACHE_NO_LINE */
    gs_icache_lru lru;
    uint64_t visit;       /* the visit that has made lookups last, see gs_visit(), */
    unsigned fetch_count; /* and its lookups that missed */
    gs_fetch_undo fetches[GS_FETCHES_MAX];
    uint32_t changes; /* cache->change_count that the notes are up to date with */
} gs_icache_view;

/* Sets the callbacks for code in `c` as well. `cache` is NULL if the core has none. False when
 * memory is out. */
bool gs_icache_open(gs_icache_view *v, gs_fast *c, gs_memory *memory, gs_cache *cache);
void gs_icache_close(gs_icache_view *v);

/* Before translated code runs: catches up with changes that others made to the cache. */
void gs_icache_begin(gs_icache_view *v);
/* After translated code has run: puts the lines of the cache in order again. */
void gs_icache_finish(gs_icache_view *v);

/* The lines that a superblock looks up when it is entered, in order. From now on translated code
 * reads their notes. NULL when memory is out. */
gs_line_use *gs_icache_lines_of(gs_icache_view *v, gs_arena *arena, const gs_superblock *s);

/* Notes that lines were used, for an exit whose code does not do that. */
void gs_icache_use(gs_icache_view *v, const gs_superblock *s, unsigned exit);

/* Fills a line by wrong-path fetch. */
void gs_icache_bring_in(gs_icache_view *v, gs_addr address);

/* The bits of `key` that belong to the first `steps` instructions of a superblock. Lookups for
 * later instructions are undone. */
uint64_t gs_icache_leave(gs_icache_view *v, const gs_superblock *s, unsigned steps, uint64_t key);

#endif
