#include <string.h>

#include "base/vec.h"
#include "engine/fast/engine_parts.h"
#include "engine/fast/inferred.h"

static gs_fast_block **bucket_of(gs_fast_engine *e, const gs_fast_code *code, uint64_t path)
{
    const uint64_t mixed = (path * 31 + code->number) * 0x9e3779b97f4a7c15u;
    return &e->blocks[(mixed >> 32) % GS_BLOCK_BUCKETS];
}

/* What each cell is before anything has been counted. */
static void clear(gs_fast_engine *e, gs_fast_block *block)
{
    const gs_stretch *last = &block->code->stretches[block->code->stretch_count - 1];
    for (const gs_stretch *s = block->code->stretches; s <= last; s++) {
        for (unsigned way = 0; way < s->way_count; way++) {
            const uint32_t cell = s->usual->cell + way;
            switch (gs_usual_counting(s, way, e->bulk != NULL)) {
            case GS_COUNTED_IN_EDGE:
                block->cells[cell].edge = gs_automaton_nowhere(e->automaton);
                break;
            case GS_COUNTED_LATER: block->cells[cell].count = GS_NOT_YET; break;
            case GS_COUNTED_CALL:
                block->cells[s->usual->ways[way].target].target = GS_FAST_TARGET_UNKNOWN;
                break;
            default: break;
            }
        }
    }
}

/* Near, if there is one block per function: then it has been made sure that there is room. */
static void *room_for(gs_fast_engine *e, size_t size)
{
    if (e->bulk)
        return gs_arena_alloc(&e->arena, size);
    void *room = (uint8_t *)e->c + e->near_used;
    e->near_used += (uint32_t)size;
    return room;
}

gs_fast_block *gs_block_of(gs_fast_engine *e, gs_fast_code *code, uint64_t path)
{
    gs_fast_block **bucket = bucket_of(e, code, path), *block = *bucket;
    while (block && !(block->code == code && block->path == path))
        block = block->chained;
    if (block)
        return block;
    const size_t cells = code->cells * sizeof *block->cells, size = gs_fast_block_size(code->cells);
    block = room_for(e, size);
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
    block->chained = *bucket;
    *bucket = block;
    return block;
}

gs_fast_block *gs_block_at(gs_fast_engine *e, gs_addr pc, uint64_t path)
{
    const gs_stretch *s = gs_automaton_stretch(e->automaton, pc);
    return s ? gs_block_of(e, e->stretches.items[s->number].code, path) : NULL;
}

/* How much more it is than when it was last asked. */
static uint64_t news(gs_fast_block *block, uint32_t cell, uint64_t now)
{
    const uint64_t more = now - block->settled[cell];
    block->settled[cell] = now;
    return more;
}

static uint64_t counted(const gs_fast_block *block, uint32_t cell)
{
    const uint64_t count = block->cells[cell].count;
    return count == GS_NOT_YET ? 0 : count;
}

static bool is_counted(const gs_fast_engine *e, const gs_stretch *s, unsigned way)
{
    return gs_is_counted_in_cell(gs_usual_counting(s, way, e->bulk != NULL));
}

/* How often each way out has been taken since, by cell. NULL when memory is out. */
static const uint64_t *times_of(gs_fast_engine *e, gs_fast_block *block)
{
    const gs_fast_code *code = block->code;
    const size_t room = code->cells + code->stretch_count;
    while (e->times.count < room) {
        if (!gs_vec_push(&e->times, 0))
            return NULL;
    }
    uint64_t *times = e->times.items;
    for (const gs_stretch *s = code->stretches; s < code->stretches + code->stretch_count; s++) {
        const uint32_t cell = s->usual->cell, otherwise = s->usual->otherwise;
        times[otherwise] = news(block, otherwise, block->cells[otherwise].count);
        for (unsigned k = 0; k < s->way_count; k++)
            times[cell + k] =
                is_counted(e, s, k) ? news(block, cell + k, counted(block, cell + k)) : 0;
    }
    if (code->inferred_count > 0)
        gs_inferred_complete(code->stretches, code->stretch_count, code->inferred,
                             code->inferred_count, times, times + code->cells);
    return times;
}

/* Gives the counts of the ways out of a stretch to their edges. A way into another known state than
 * the first has brought the surcharge there. */
static void settle_ways(gs_fast_engine *e, gs_fast_block *block, gs_stretch *s,
                        const uint64_t *all_times)
{
    for (unsigned way = 0; way < s->way_count; way++) {
        const gs_usual_way *usual = &s->usual->ways[way];
        const uint64_t times = all_times[s->usual->cell + way];
        if (times == 0)
            continue;
        gs_fast_node *node = gs_turns_node(e, s, 0, block->path);
        gs_fast_edge *edge = node ? gs_automaton_edge(e->automaton, node, way, 0, 0) : NULL;
        if (!edge) {
            gs_fast_fail(e);
            return;
        }
        edge->count += times;
        if (usual->goal && usual->state > 0) {
            const gs_stretch *goal = usual->goal;
            const gs_known *known = &goal->usual->known[usual->state];
            gs_automaton_charge(e->automaton, goal, block->path, known->charges,
                                known->charge_count, times);
        }
    }
}

/* Surcharges that were not paid after all. */
static void settle_skips(gs_fast_engine *e, gs_fast_block *block, gs_stretch *s)
{
    for (unsigned i = 1; i < s->usual->known_count; i++) {
        const gs_known *known = &s->usual->known[i];
        const uint32_t cell = s->usual->skip + i - 1;
        const uint64_t times = news(block, cell, block->cells[cell].count);
        if (times != 0)
            gs_automaton_charge(e->automaton, s, block->path, known->charges, known->charge_count,
                                -times);
    }
}

/* Stores that went through and missed on the way. */
static void settle_passes(gs_fast_engine *e, gs_fast_block *block, gs_stretch *s)
{
    for (unsigned i = 0; s->pass_count > 0 && i < s->step_count; i++) {
        if (s->steps[i].pass < 0)
            continue;
        const uint32_t cell = gs_usual_pass_cell(s, i);
        const uint64_t times = news(block, cell, block->cells[cell].count);
        const gs_charge miss = {(uint16_t)i, GS_CHARGE_D_MISSES, 1};
        if (times == 0)
            continue;
        e->timing->dcache.stats.write_misses += times;
        gs_automaton_charge(e->automaton, s, block->path, &miss, 1, times);
    }
}

void gs_blocks_settle(gs_fast_engine *e)
{
    for (unsigned i = 0; i < GS_BLOCK_BUCKETS; i++) {
        for (gs_fast_block *block = e->blocks[i]; block; block = block->chained) {
            const uint64_t *times = times_of(e, block);
            if (!times)
                gs_fast_fail(e);
            for (uint32_t k = 0; k < block->code->stretch_count && !e->failed; k++) {
                settle_ways(e, block, &block->code->stretches[k], times);
                settle_skips(e, block, &block->code->stretches[k]);
                settle_passes(e, block, &block->code->stretches[k]);
            }
        }
    }
}

static void forget_targets(const gs_fast_engine *e, gs_fast_block *block)
{
    for (uint32_t i = 0; i < block->code->stretch_count; i++) {
        const gs_stretch *s = &block->code->stretches[i];
        for (unsigned way = 0; way < s->way_count; way++) {
            if (gs_usual_counting(s, way, e->bulk != NULL) == GS_COUNTED_CALL)
                block->cells[s->usual->ways[way].target].target = GS_FAST_TARGET_UNKNOWN;
        }
    }
}

void gs_blocks_forget_targets(gs_fast_engine *e)
{
    for (unsigned i = 0; i < GS_BLOCK_BUCKETS; i++) {
        for (gs_fast_block *block = e->blocks[i]; block; block = block->chained)
            forget_targets(e, block);
    }
}

void gs_blocks_remove(gs_fast_engine *e, const gs_fast_code *code)
{
    for (unsigned i = 0; i < GS_BLOCK_BUCKETS; i++) {
        for (gs_fast_block **at = &e->blocks[i]; *at;) {
            if ((*at)->code == code)
                *at = (*at)->chained;
            else
                at = &(*at)->chained;
        }
    }
}
