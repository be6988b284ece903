/*
 * code_ages.h - when lines of code were used last.
 *
 * A cache that replaces the line used longest ago has to know when lines were used. To itself it
 * keeps the lines of a set in order, which changes with each use that is not of the first one. To
 * translated code the lines of a set stay where they are, and the time when they were used last, by
 * the instructions executed, is in cells: code writes there what the cost was when it takes a way
 * out, and nobody else need notice. Lines that are always used together have one cell; one that
 * later turns out to be used otherwise, too, gets another one besides. The order is made of that
 * when others are to look at the cache.
 *
 * Instructions are counted on from one run of translated code to the next. When there is no room
 * for more that begins anew, as if all lines had been used before.
 */
#ifndef GS_ENGINE_CODE_AGES_H
#define GS_ENGINE_CODE_AGES_H

#include "engine/fast/runtime.h"
#include "engine/fast/stretch.h"
#include "timing/cache.h"

typedef struct gs_code_ages {
    gs_cache *cache; /* NULL: nobody need know */
    uint64_t *cells; /* by number, from 1 on; gs_fast_time() says when it is */
    uint32_t cell_count;
    struct {
        gs_addr line;
        uint32_t last;
    } * lines;                 /* by a hash: where their cells are, or 0 */
    uint32_t mask, line_count; /* of those */
    struct {
        struct gs_line_cell {
            gs_addr line;
            uint32_t cell;
            uint32_t before; /* where the one is that the line had before; 0: none */
        } * items;
        size_t count, capacity;
    } line_cells;      /* from 1 on */
    bool outdated;     /* there are more of them than the slots know of */
    uint32_t *cell_of; /* by slot: where its line's cells are; 0: it has none */
    uint64_t *used;    /* by slot: when it was, as far as somebody else knows */
    bool *disordered;  /* by set: lines are not in order, as far as somebody else knows */
    uint32_t counted;  /* instructions, when translated code has last been run */
} gs_code_ages;

/* `cells` is room for GS_FAST_CELLS. With a cache that does not care there is nothing to do. False
 * when memory is out. */
bool gs_code_ages_open(gs_code_ages *ages, gs_cache *cache, uint64_t *cells);
void gs_code_ages_close(gs_code_ages *ages);

/* Gives cells to all lines of some code, which is translated at once. False if there is no room, or
 * no memory. */
bool gs_code_ages_add(gs_code_ages *ages, const gs_code *codes, size_t count);

/* The number of a line's cell in the code that was last given some, or 0. */
uint32_t gs_code_ages_cell(const gs_code_ages *ages, gs_addr line);

/* Whether two lines of a stretch are in the same set: it matters by which site they are used. */
bool gs_code_ages_collide(const gs_code_ages *ages, const gs_stretch *s);

/* Translated code is about to run. Answers how many instructions it has counted before: there is
 * room for `wanted` more, or for quite a few, as long as there never are more than `most`. */
uint32_t gs_code_ages_begin(gs_code_ages *ages, uint64_t wanted, uint32_t most);
/* What is in a set has been changed by others since it ran last. */
void gs_code_ages_follow(const gs_code_ages *ages, gs_addr set);
/* It has run, and counted. The cache has its lines in order again. */
void gs_code_ages_finish(gs_code_ages *ages, uint32_t counted);

/* The slot of a line, if it is there. */
bool gs_code_ages_find(const gs_code_ages *ages, gs_addr line, size_t *slot);
/* The slot for one that is to come: free, or with the line used longest ago. Somebody has times of
 * his own, by way. */
size_t gs_code_ages_oldest(const gs_code_ages *ages, gs_addr set, const uint64_t *times);
/* The line in a slot has been used. */
void gs_code_ages_use(const gs_code_ages *ages, size_t slot, uint64_t time);
/* A line, or none, is in a slot now. */
void gs_code_ages_put(const gs_code_ages *ages, size_t slot, gs_addr line, uint64_t time);

#endif
