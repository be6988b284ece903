/* Allocates count blocks per call path, and adds their counts to the automaton's edges. */
#include "engine/fast/runtime/count_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/fast/runtime/engine_parts.h"
#include "engine/fast/translate/inferred.h"

static gs_count_block **bucket_of(gs_count_blocks *blocks, const gs_fast_code *code, uint64_t path)
{
    const uint64_t mixed = (path * 31 + code->number) * 0x9e3779b97f4a7c15u;
    return &blocks->buckets[(mixed >> 32) % GS_BLOCK_BUCKETS];
}

/* Sets each cell to its value before anything has been counted. */
static void clear(gs_fast_engine *e, gs_count_block *block)
{
    const gs_superblock *last = &block->code->superblocks[block->code->superblock_count - 1];
    for (const gs_superblock *s = block->code->superblocks; s <= last; s++) {
        for (unsigned exit = 0; exit < s->exit_count; exit++) {
            const uint32_t cell = s->predicted->cell + exit;
            switch (gs_predict_counting(s, exit, e->observers->paths != NULL)) {
            case GS_COUNTED_IN_EDGE:
                block->cells[cell].edge = gs_automaton_nowhere(e->automaton);
                break;
            case GS_COUNTED_LATER: block->cells[cell].count = GS_NOT_YET; break;
            case GS_COUNTED_CALL:
                block->cells[s->predicted->exits[exit].target].target = GS_FAST_TARGET_UNKNOWN;
                break;
            default: break;
            }
        }
    }
}

/* Near gs_fast, if there is one block per function: the caller has made sure that there is room. */
static void *room_for(gs_fast_engine *e, const gs_fast_code *code, size_t size)
{
    if (e->observers->paths)
        return gs_arena_alloc(&e->arena, size);
    void *room = (uint8_t *)e->c + e->blocks.near_used[code->quick];
    e->blocks.near_used[code->quick] += (uint32_t)size;
    return room;
}

gs_count_block *gs_count_block_of(gs_fast_engine *e, gs_fast_code *code, uint64_t path)
{
    gs_count_block **bucket = bucket_of(&e->blocks, code, path), *block = *bucket;
    while (block && !(block->code == code && block->path == path))
        block = block->chained;
    if (block)
        return block;
    const size_t cells = code->cells * sizeof *block->cells,
                 size = gs_count_block_size(code->cells);
    block = room_for(e, code, size);
    uint64_t *settled = gs_arena_alloc(&e->arena, cells + 1);
    if (!block || !settled) {
        gs_fast_fail(e);
        return NULL;
    }
    memset(block, 0, size);
    memset(settled, 0, cells);
    block->code = code;
    block->path = path;
    block->settled = settled;
    clear(e, block);
    if (!gs_tally_add_block(e, block)) {
        gs_fast_fail(e);
        return NULL;
    }
    block->chained = *bucket;
    *bucket = block;
    block->older = e->blocks.newest;
    e->blocks.newest = block;
    return block;
}

gs_count_block *gs_count_block_at(gs_fast_engine *e, gs_addr pc, uint64_t path)
{
    const gs_superblock *s = gs_automaton_superblock(e->automaton, pc);
    return s ? gs_count_block_of(e, gs_code_table_numbered(&e->table, s->number)->code, path)
             : NULL;
}

/* By how much a count has grown since it was last settled. */
static uint64_t news(gs_count_block *block, uint32_t cell, uint64_t now)
{
    const uint64_t more = now - block->settled[cell];
    block->settled[cell] = now;
    return more;
}

static uint64_t counted(const gs_count_block *block, uint32_t cell)
{
    const uint64_t count = block->cells[cell].count;
    return count == GS_NOT_YET ? 0 : count;
}

static bool is_counted(const gs_fast_engine *e, const gs_superblock *s, unsigned exit)
{
    return gs_is_counted_in_cell(gs_predict_counting(s, exit, e->observers->paths != NULL));
}

uint64_t *gs_count_blocks_room(gs_fast_engine *e, const gs_fast_code *code)
{
    const size_t room = code->cells + code->superblock_count;
    while (e->blocks.times.count < room) {
        if (!gs_vec_push(&e->blocks.times, 0)) {
            gs_fast_fail(e);
            return NULL;
        }
    }
    return e->blocks.times.items;
}

/* How often each exit has been taken since then, by cell. NULL when memory is out. */
static const uint64_t *times_of(gs_fast_engine *e, gs_count_block *block)
{
    const gs_fast_code *code = block->code;
    uint64_t *times = gs_count_blocks_room(e, code);
    if (!times)
        return NULL;
    for (const gs_superblock *s = code->superblocks; s < code->superblocks + code->superblock_count;
         s++) {
        const uint32_t cell = s->predicted->cell, otherwise = s->predicted->otherwise;
        times[otherwise] = news(block, otherwise, block->cells[otherwise].count);
        for (unsigned k = 0; k < s->exit_count; k++)
            times[cell + k] =
                is_counted(e, s, k) ? news(block, cell + k, counted(block, cell + k)) : 0;
    }
    if (code->inferred_count > 0)
        gs_inferred_complete(code->superblocks, code->superblock_count, code->inferred,
                             code->inferred_count, times, times + code->cells);
    return times;
}

/* Adds the counts of the exits of a superblock to their edges. An exit into another known state
 * than the first has paid the penalty of that state. */
static void settle_exits(gs_fast_engine *e, gs_count_block *block, gs_superblock *s,
                         const uint64_t *all_times)
{
    for (unsigned exit = 0; exit < s->exit_count; exit++) {
        const gs_predicted_exit *predicted = &s->predicted->exits[exit];
        const uint64_t times = all_times[s->predicted->cell + exit];
        if (times == 0)
            continue;
        gs_fast_node *node = gs_slow_exits_node(e, s, 0, block->path);
        gs_fast_edge *edge = node ? gs_automaton_edge(e->automaton, node, exit, 0, 0) : NULL;
        if (!edge) {
            gs_fast_fail(e);
            return;
        }
        edge->count += times;
        edge->tally.seen += times; /* which has them from the cells */
        if (predicted->goal && predicted->state > 0) {
            const gs_superblock *goal = predicted->goal;
            const gs_known *known = &goal->predicted->known[predicted->state];
            gs_automaton_charge(e->automaton, goal, block->path, known->charges,
                                known->charge_count, times);
        }
    }
}

/* Takes back the penalties of entry states that were counted, but not paid. */
static void settle_skips(gs_fast_engine *e, gs_count_block *block, gs_superblock *s)
{
    for (unsigned i = 1; i < s->predicted->known_count; i++) {
        const gs_known *known = &s->predicted->known[i];
        const uint32_t cell = s->predicted->skip + i - 1;
        const uint64_t times = news(block, cell, block->cells[cell].count);
        if (times != 0)
            gs_automaton_charge(e->automaton, s, block->path, known->charges, known->charge_count,
                                -times);
    }
}

/* Stores that went through to memory and missed. */
static void settle_passes(gs_fast_engine *e, gs_count_block *block, gs_superblock *s)
{
    for (unsigned i = 0; s->pass_count > 0 && i < s->step_count; i++) {
        if (s->steps[i].pass < 0)
            continue;
        const uint32_t cell = gs_predict_pass_cell(s, i);
        const uint64_t times = news(block, cell, block->cells[cell].count);
        const gs_charge miss = {(uint16_t)i, GS_CHARGE_D_MISSES, 1};
        if (times == 0)
            continue;
        e->timing->dcache.stats.write_misses += times;
        gs_automaton_charge(e->automaton, s, block->path, &miss, 1, times);
    }
}

void gs_count_blocks_settle(gs_fast_engine *e)
{
    for (gs_count_block *block = e->blocks.newest; block; block = block->older) {
        const uint64_t *times = times_of(e, block);
        for (uint32_t k = 0; k < block->code->superblock_count && !e->failed; k++) {
            settle_exits(e, block, &block->code->superblocks[k], times);
            settle_skips(e, block, &block->code->superblocks[k]);
            settle_passes(e, block, &block->code->superblocks[k]);
        }
    }
}

static void forget_targets(const gs_fast_engine *e, gs_count_block *block)
{
    for (uint32_t i = 0; i < block->code->superblock_count; i++) {
        const gs_superblock *s = &block->code->superblocks[i];
        for (unsigned exit = 0; exit < s->exit_count; exit++) {
            if (gs_predict_counting(s, exit, e->observers->paths != NULL) == GS_COUNTED_CALL)
                block->cells[s->predicted->exits[exit].target].target = GS_FAST_TARGET_UNKNOWN;
        }
    }
}

void gs_count_blocks_forget_targets(gs_fast_engine *e)
{
    for (gs_count_block *block = e->blocks.newest; block; block = block->older)
        forget_targets(e, block);
}

void gs_count_blocks_remove(gs_count_blocks *blocks, const gs_fast_code *code)
{
    for (unsigned i = 0; i < GS_BLOCK_BUCKETS; i++) {
        for (gs_count_block **at = &blocks->buckets[i]; *at;) {
            if ((*at)->code == code)
                *at = (*at)->chained;
            else
                at = &(*at)->chained;
        }
    }
    for (gs_count_block **at = &blocks->newest; *at;) {
        if ((*at)->code == code)
            *at = (*at)->older;
        else
            at = &(*at)->older;
    }
}

void gs_count_blocks_close(gs_count_blocks *blocks)
{
    free(blocks->times.items);
}
