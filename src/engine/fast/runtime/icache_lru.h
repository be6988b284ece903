/*
 * icache_lru.h - when lines of code were used last.
 *
 * A cache that replaces the line used longest ago has to know when lines were used. To itself it
 * keeps the lines of a set in order, which changes with each use that is not of the first one. To
 * translated code the lines of a set stay where they are. Each exit of a superblock has a cell,
 * where the code that takes it writes what the cost was, and nobody else need notice: a line was
 * used when the last of the ways was taken that use it, by the instructions counted until then. The
 * order is made of that when a line has to go, or others are to look at the cache.
 *
 * Instructions are counted on from one run of translated code to the next. When there is no room
 * for more that begins anew, as if all lines had been used before.
 */
#ifndef GS_ENGINE_ICACHE_LRU_H
#define GS_ENGINE_ICACHE_LRU_H

#include "engine/fast/runtime/runtime.h"
#include "engine/fast/translate/superblock.h"
#include "timing/cache.h"

/* A line that is used on a way. */
typedef struct gs_exit_line {
    gs_addr line;
    uint32_t cell;   /* of the way, */
    uint32_t site;   /* of its superblock */
    uint32_t before; /* where the line has been on another way, see gs_icache_lru.way_lines; or 0 */
} gs_exit_line;

typedef struct gs_icache_lru {
    gs_cache *cache; /* NULL: nobody need know */
    uint64_t *cells; /* by number, from 1 on: the cost; see gs_fast_time() */
    struct {
        gs_exit_line *items;
        size_t count, capacity;
    } exit_lines; /* from 1 on, by cell */
    struct {
        uint32_t *items;
        size_t count, capacity;
    } first_lines; /* by cell: where its lines begin */
    struct {
        gs_addr line;
        uint32_t last;
    } * lines;                 /* by a hash: where they are in those, last; 0: nowhere */
    uint32_t mask, line_count; /* of those */
    bool outdated;             /* there are more of them than the slots know of */
    uint32_t *ways_of;         /* by slot: where its line is, last; or 0 */
    uint64_t *used;            /* by slot: when it was, as far as somebody else knows */
    bool *disordered;          /* by set: lines are not in order, as far as somebody else knows */
    uint32_t counted;          /* instructions, when translated code has last been run */
} gs_icache_lru;

/* `cells` is room for GS_FAST_CELLS. With a cache that does not care there is nothing to do. False
 * when memory is out. */
bool gs_icache_lru_open(gs_icache_lru *ages, gs_cache *cache, uint64_t *cells);
void gs_icache_lru_close(gs_icache_lru *ages);

/* Gives cells to all ways of some code: gs_superblock.cells says which. False if there is no room,
 * or no memory. */
bool gs_icache_lru_add(gs_icache_lru *ages, gs_code *codes, size_t count);

/* Whether two lines of a superblock are in the same set. */
bool gs_icache_lru_collide(const gs_icache_lru *ages, const gs_superblock *s);

/* Translated code is about to run. Answers how many instructions it has counted before: there is
 * room for `wanted` more, or for quite a few, as long as there never are more than `most`. */
uint32_t gs_icache_lru_begin(gs_icache_lru *ages, uint64_t wanted, uint32_t most);
/* What is in a set has been changed by others since it ran last. */
void gs_icache_lru_follow(const gs_icache_lru *ages, gs_addr set);
/* It has run, and counted. The cache has its lines in order again. */
void gs_icache_lru_finish(gs_icache_lru *ages, uint32_t counted);

/* The slot of a line, if it is there. */
bool gs_icache_lru_find(const gs_icache_lru *ages, gs_addr line, size_t *slot);
/* The slot for one that is to come: free, or with the line used longest ago. Somebody has times of
 * his own, by way. */
size_t gs_icache_lru_oldest(const gs_icache_lru *ages, gs_addr set, const uint64_t *times);
/* The line in a slot has been used. */
void gs_icache_lru_use(const gs_icache_lru *ages, size_t slot, uint64_t time);
/* A line, or none, is in a slot now. */
void gs_icache_lru_put(const gs_icache_lru *ages, size_t slot, gs_addr line, uint64_t time);

#endif
