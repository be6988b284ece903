/*
 * icache_lru.h - when I-cache lines were used last.
 *
 * A cache that replaces the line used longest ago has to know when lines were used. To itself it
 * keeps the lines of a set in order, which changes with each use that is not of the first one. To
 * translated code the lines of a set stay where they are. Each exit of a superblock has a cell, to
 * which the code that takes the exit writes the cost so far: a line was used last when the last of
 * the exits that use it was taken, by the instructions counted until then. The order is computed
 * from that when a line has to be replaced, or when translated code is left.
 *
 * Instructions are counted on from one run of translated code to the next. When there is no room
 * for more that begins anew, as if all lines had been used before.
 */
#ifndef GS_ENGINE_ICACHE_LRU_H
#define GS_ENGINE_ICACHE_LRU_H

#include "engine/fast/prelude/runtime.h"
#include "engine/fast/superblock/superblock.h"
#include "timing/cache.h"

/* A line that is used on an exit. */
typedef struct gs_exit_line {
    gs_addr line;
    uint32_t cell;   /* of the exit, */
    uint32_t site;   /* of its superblock */
    uint32_t before; /* where it was used on another exit: an index of exit_lines; or 0 */
} gs_exit_line;

typedef struct gs_icache_lru {
    gs_cache *cache; /* NULL: its policy does not need it */
    uint64_t *cells; /* by number, from 1 on: the cost; see gs_fast_time() */
    struct {
        gs_exit_line *items;
        size_t count, capacity;
    } exit_lines; /* from 1 on */
    struct {
        struct gs_exit_lines {
            uint32_t first, end;
        } * items;
        size_t count, capacity;
    } exits[2]; /* by cell: where its lines are; from 0 on, and from GS_FAST_QUICK_CELLS on */
    struct {
        gs_addr line;
        uint32_t last;
    } * lines;                 /* by a hash: where they are in those, last; 0: nowhere */
    uint32_t mask, line_count; /* of those */
    bool outdated;             /* there are more of them than the slots know of */
    uint32_t *last_use;        /* by slot: where its line is, last; or 0 */
    uint64_t *used;            /* by slot: when its line was used, beside what the cells say */
    bool *disordered;          /* by set: the cache does not have its lines in order */
    uint32_t counted;          /* instructions, when translated code has last been run */
} gs_icache_lru;

/* `cells` is room for GS_FAST_CELLS. With a cache that does not care there is nothing to do. False
 * when memory is out. */
bool gs_icache_lru_open(gs_icache_lru *lru, gs_cache *cache, uint64_t *cells);
void gs_icache_lru_close(gs_icache_lru *lru);

/* Gives cells to all exits of some code: gs_superblock.cells says which. False if there is no room,
 * or no memory. */
bool gs_icache_lru_add(gs_icache_lru *lru, gs_code *codes, size_t count);

/* Translated code is about to run. Answers how many instructions it has counted before: there is
 * room for `wanted` more, or for quite a few, as long as there never are more than `most`. */
uint32_t gs_icache_lru_begin(gs_icache_lru *lru, uint64_t wanted, uint32_t most);
/* The timing has changed a set since translated code ran last. */
void gs_icache_lru_follow(const gs_icache_lru *lru, gs_addr set);
/* It has run, and counted. The cache has its lines in order again. */
void gs_icache_lru_finish(gs_icache_lru *lru, uint32_t counted);

/* The slot of a line, if it is there. */
bool gs_icache_lru_find(const gs_icache_lru *lru, gs_addr line, size_t *slot);
/* The slot for a line that comes in: free, or with the least recently used line. `times` are when
 * the caller has used the lines since, by way; 0: not. */
size_t gs_icache_lru_oldest(const gs_icache_lru *lru, gs_addr set, const uint64_t *times);
/* The line in a slot has been used. */
void gs_icache_lru_use(const gs_icache_lru *lru, size_t slot, uint64_t time);
/* A line, or none, is in a slot now. */
void gs_icache_lru_put(const gs_icache_lru *lru, size_t slot, gs_addr line, uint64_t time);

#endif
