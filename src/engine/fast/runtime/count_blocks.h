/*
 * count_blocks.h - how often the exits of translated code were taken.
 *
 * A function has a block of counts (gs_count_block in runtime.h) for every call path, or a single
 * one where paths are not followed. Translated code counts in them; gs_count_blocks_settle() gives
 * the counts to the edges of the automaton.
 */
#ifndef GS_ENGINE_FAST_COUNT_BLOCKS_H
#define GS_ENGINE_FAST_COUNT_BLOCKS_H

#include "engine/fast/runtime/code_table.h"

enum { GS_BLOCK_BUCKETS = 1 << 14 };

typedef struct gs_count_blocks {
    gs_count_block *buckets[GS_BLOCK_BUCKETS];
    gs_count_block *newest;
    struct {
        uint64_t *items;
        size_t count, capacity;
    } times;               /* buffers for the counts of a block, and for a number per superblock */
    uint32_t near_used[2]; /* offsets from gs_fast up to which memory is in use, by it and by
                              blocks where there is one per function; and the same for quick code */
} gs_count_blocks;

/* The count of an exit that has to be taken as a slow exit first; see GS_COUNTED_LATER. */
#define GS_NOT_YET UINT64_MAX

void gs_count_blocks_close(gs_count_blocks *blocks);

/* The place of a cell; see gs_fast.blocks_from. */
static inline uint64_t gs_place_of(const gs_fast *c, const void *cell)
{
    return (uint64_t)((uintptr_t)cell - (uintptr_t)c->blocks_from);
}

/* Counts that control has come to a superblock (+1) or left it (-1) by no exit. */
static inline void gs_moved_otherwise(gs_count_block *block, const gs_superblock *s, int64_t times)
{
    block->cells[s->predicted->otherwise].count += (uint64_t)times;
}

/* The block of a function on a path; made if need be. NULL when memory is out. */
gs_count_block *gs_count_block_of(gs_fast_engine *e, gs_fast_code *code, uint64_t path);
/* The block of the function that is translated for `pc`, on a path; NULL if there is none. */
gs_count_block *gs_count_block_at(gs_fast_engine *e, gs_addr pc, uint64_t path);
/* Adds the counts to the edges they belong to. */
void gs_count_blocks_settle(gs_fast_engine *e);
/* Room for a number per cell of some code, and then one per superblock, until the next call. NULL
 * when memory is out. */
uint64_t *gs_count_blocks_room(gs_fast_engine *e, const gs_fast_code *code);
/* Has translated code look up again where calls lead. */
void gs_count_blocks_forget_targets(gs_fast_engine *e);
/* Forgets a function that is out of use. Its counts have been settled. */
void gs_count_blocks_remove(gs_count_blocks *blocks, const gs_fast_code *code);

#endif
