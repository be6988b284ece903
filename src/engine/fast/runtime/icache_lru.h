/*
 * icache_lru.h - when I-cache lines were used last.
 *
 * A cache that replaces the line used longest ago has to know when lines were used. The model keeps
 * the lines of a set in order of use, and moves one to the front when it is used. While translated
 * code runs, the lines of a set stay where they are. Each exit of a superblock has a cell, to which
 * the code that takes the exit writes the cost so far: a line was used last when the last of the
 * exits that use it was taken, by the instructions counted until then. The order is computed from
 * that when a line has to be replaced, or when translated code is left.
 *
 * Instructions are counted on from one run of translated code to the next. When there is no room
 * for more, counting begins anew, as if all lines had been used before that.
 */
#ifndef GS_ENGINE_ICACHE_LRU_H
#define GS_ENGINE_ICACHE_LRU_H

#include "engine/fast/prelude/runtime.h"
#include "engine/fast/superblock/superblock.h"
#include "timing/cache.h"

/* A line that is used on an exit. */
typedef struct gs_exit_line {
    gs_addr line;
    uint32_t cell;   /* number of that exit's cell, */
    uint32_t site;   /* and of its superblock */
    uint32_t before; /* the exit_lines index of the same line's use on another exit; or 0 */
} gs_exit_line;

typedef struct gs_icache_lru {
    gs_cache *cache; /* NULL: the cache's policy does not need it */
    uint64_t *cells; /* by cell, from 1 on: the cost when the exit was last taken; see
                        gs_fast_time() */
    struct {
        gs_exit_line *items;
        size_t count, capacity;
    } exit_lines; /* from 1 on */
    struct {
        struct gs_exit_lines {
            uint32_t first, end;
        } * items;
        size_t count, capacity;
    } exits[2]; /* by cell: index of its lines; from 0 on, and from GS_FAST_QUICK_CELLS on */
    struct {
        gs_addr line;
        uint32_t last;
    } * lines;                 /* hash table of lines: index of the last of their uses; 0: none */
    uint32_t mask, line_count; /* number of its slots */
    bool outdated;             /* some lines are in more than one slot */
    uint32_t *last_use;        /* by slot: index of the last use of its line; or 0 */
    uint64_t *used;            /* by slot: when its line was used, unless the cells say later */
    bool *disordered;          /* by set: the lines in the cache are out of order */
    uint32_t counted;          /* instructions, when translated code was last run */
} gs_icache_lru;

/* `cells` has room for GS_FAST_CELLS. Does nothing for a cache whose policy does not need it.
 * False when memory is out. */
bool gs_icache_lru_open(gs_icache_lru *lru, gs_cache *cache, uint64_t *cells);
void gs_icache_lru_close(gs_icache_lru *lru);

/* Gives cells to all exits of some code (gs_superblock.cells). False if there is no room, or no
 * memory. */
bool gs_icache_lru_add(gs_icache_lru *lru, gs_code *codes, size_t count);

/* Before translated code runs: returns how many instructions have been counted so far. There is
 * room for `wanted` more, or for as many as fit if there never can be more than `most`. */
uint32_t gs_icache_lru_begin(gs_icache_lru *lru, uint64_t wanted, uint32_t most);
/* The timing has changed a set since translated code last ran. */
void gs_icache_lru_follow(const gs_icache_lru *lru, gs_addr set);
/* After translated code has run and counts are settled: the cache has its lines in order again. */
void gs_icache_lru_finish(gs_icache_lru *lru, uint32_t counted);

/* The slot of a line, or none. */
bool gs_icache_lru_find(const gs_icache_lru *lru, gs_addr line, size_t *slot);
/* The slot for a line that is filled: an empty one, or that of the least recently used line.
 * `times` are when the caller has used the lines since, by way; 0: not. */
size_t gs_icache_lru_oldest(const gs_icache_lru *lru, gs_addr set, const uint64_t *times);
/* The line in a slot has been used. */
void gs_icache_lru_use(const gs_icache_lru *lru, size_t slot, uint64_t time);
/* A line, or none, is in a slot now. */
void gs_icache_lru_put(const gs_icache_lru *lru, size_t slot, gs_addr line, uint64_t time);

#endif
