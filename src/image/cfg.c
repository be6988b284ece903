/*
 * Blocks and edges. Two passes: the walk (walk.c) marks instructions and leaders,
 * then each leader becomes a block that runs to the next one. Every instruction
 * is decoded twice at most, so this is linear in the size of the code. Last,
 * returns.c takes out what only a call that never returns seems to lead to.
 */
#include "image/cfg.h"

#include <assert.h>
#include <stdlib.h>

#include "base/search.h"
#include "base/vec.h"
#include "image/cfg_internal.h"
#include "image/walk.h"

/* Reads from a leader to the end of its block. */
static gs_block read_block(const gs_walk *walk, size_t segment_index, size_t mark_index)
{
    const gs_image *image = walk->image;
    const gs_isa *isa = image->isa;
    const gs_segment *segment = &image->segments.items[segment_index];
    const uint8_t *marks = walk->marks[segment_index];
    uint64_t offset = (uint64_t)mark_index * isa->unit;
    gs_block block = {
        .start = segment->address + offset,
        .flow = GS_FLOW_NEXT,
        .function = GS_CFG_NONE,
        .loop = GS_CFG_NONE,
    };
    gs_insn insn;
    do {
        if (!gs_image_fetch(image, segment, offset, &insn))
            break;
        block.last = segment->address + offset;
        block.flow = isa->flow(&insn, block.last, &block.target);
        block.insns++;
        offset += insn.length;
        if (gs_flow_has_slot(block.flow) && isa->delay_slots &&
            segment->file_size - offset >= isa->unit) {
            block.insns++;
            offset += isa->unit;
        }
    } while (block.flow == GS_FLOW_NEXT && offset < segment->file_size &&
             (marks[offset / isa->unit] & (GS_WALK_INSN | GS_WALK_LEADER)) == GS_WALK_INSN);
    block.end = segment->address + offset;

    const gs_function *function = gs_image_function_at(image, block.start);
    if (function)
        block.function = (uint32_t)(function - image->functions.items);
    return block;
}

static bool make_blocks(gs_cfg *cfg, const gs_walk *walk)
{
    const uint8_t both = GS_WALK_INSN | GS_WALK_LEADER;
    for (size_t i = 0; i < cfg->image->segments.count; i++)
        for (size_t m = 0; walk->marks[i] && m < gs_walk_mark_count(walk, i); m++)
            if ((walk->marks[i][m] & both) == both &&
                !gs_vec_push(&cfg->blocks, read_block(walk, i, m)))
                return false;
    assert(cfg->blocks.count < GS_CFG_NONE);
    cfg->reach = malloc((cfg->blocks.count + 1) * sizeof *cfg->reach);
    return cfg->reach != NULL;
}

static void find_reach(gs_cfg *cfg)
{
    uint64_t reach = 0;
    for (size_t i = 0; i < cfg->blocks.count; i++) {
        if (cfg->blocks.items[i].end > reach)
            reach = cfg->blocks.items[i].end;
        cfg->reach[i] = reach;
    }
}

/* How many blocks start at or before `pc`. */
static size_t blocks_up_to(const gs_cfg *cfg, uint64_t pc)
{
    return gs_count_up_to(cfg->blocks.items, cfg->blocks.count, start, pc);
}

static bool add_edge(gs_cfg *cfg, gs_block *block, uint64_t to, gs_edge_kind kind)
{
    size_t count = blocks_up_to(cfg, to);
    if (count == 0 || cfg->blocks.items[count - 1].start != to)
        return true; /* leads out of the program's code */
    gs_edge edge = {(uint32_t)(count - 1), kind};
    block->edge_count++;
    return gs_vec_push(&cfg->edges, edge);
}

/* Observed jumps are sorted by source, then target. */
static int by_source(const void *a, const void *b)
{
    const gs_observed_jump *left = a, *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return (left->to > right->to) - (left->to < right->to);
}

static bool add_observed(gs_cfg *cfg, gs_block *block, const gs_observed_jump *jumps, size_t count)
{
    const size_t low = gs_count_below(jumps, count, from, block->last);
    block->indirect = true;
    for (size_t i = low; i < count && jumps[i].from == block->last; i++) {
        block->indirect = false;
        bool repeated = i > low && jumps[i].to == jumps[i - 1].to;
        if (!repeated && !add_edge(cfg, block, jumps[i].to, GS_EDGE_TAKEN))
            return false;
    }
    return true;
}

static bool make_edges(gs_cfg *cfg, const gs_observed_jump *jumps, size_t count)
{
    for (size_t i = 0; i < cfg->blocks.count; i++) {
        gs_block *block = &cfg->blocks.items[i];
        block->first_edge = (uint32_t)cfg->edges.count;
        bool pushed = true;
        switch (block->flow) {
        case GS_FLOW_BRANCH:
            pushed = add_edge(cfg, block, block->target, GS_EDGE_TAKEN) &&
                     add_edge(cfg, block, block->end, GS_EDGE_FALLTHROUGH);
            break;
        case GS_FLOW_JUMP: pushed = add_edge(cfg, block, block->target, GS_EDGE_TAKEN); break;
        case GS_FLOW_JUMP_INDIRECT: pushed = add_observed(cfg, block, jumps, count); break;
        case GS_FLOW_CALL:
        case GS_FLOW_BRANCH_CALL:
        case GS_FLOW_CALL_INDIRECT:
        case GS_FLOW_RETURN_CALL:
            pushed = add_edge(cfg, block, block->end, GS_EDGE_CALL_RETURN);
            break;
        case GS_FLOW_NEXT:
        case GS_FLOW_TRAP: pushed = add_edge(cfg, block, block->end, GS_EDGE_FALLTHROUGH); break;
        case GS_FLOW_RETURN:
        case GS_FLOW_TRAP_RETURN:
        case GS_FLOW_ILLEGAL: break;
        }
        if (!pushed)
            return false;
    }
    return true;
}

gs_status gs_cfg_open_observed(gs_cfg **out, const gs_image *image, const gs_observed_jump *jumps,
                               size_t count, gs_error *err)
{
    gs_walk walk = {0};
    gs_observed_jump *sorted = NULL;
    gs_cfg *cfg = calloc(1, sizeof *cfg);
    *out = NULL;
    if (!cfg || gs_walk_open(&walk, image, NULL))
        goto fail;
    cfg->image = image;
    if (gs_walk_from_functions(&walk, NULL))
        goto fail;
    if (count) {
        sorted = malloc(count * sizeof *sorted);
        if (!sorted)
            goto fail;
        for (size_t i = 0; i < count; i++) {
            sorted[i] = jumps[i];
            if (gs_walk_from(&walk, jumps[i].to, 0, NULL))
                goto fail;
        }
        qsort(sorted, count, sizeof *sorted, by_source);
    }
    if (!make_blocks(cfg, &walk) || !make_edges(cfg, sorted, count))
        goto fail;
    find_reach(cfg);
    if (gs_cfg_remove_dead(cfg, NULL))
        goto fail;
    find_reach(cfg);
    if (gs_cfg_find_loops(cfg, NULL))
        goto fail;
    free(sorted);
    gs_walk_close(&walk);
    *out = cfg;
    return GS_OK;
fail:
    free(sorted);
    if (walk.image)
        gs_walk_close(&walk);
    gs_cfg_free(cfg);
    return gs_fail_no_memory(err);
}

gs_status gs_cfg_open(gs_cfg **out, const gs_image *image, gs_error *err)
{
    return gs_cfg_open_observed(out, image, NULL, 0, err);
}

size_t gs_cfg_block_count(const gs_cfg *cfg)
{
    return cfg->blocks.count;
}

const gs_block *gs_cfg_block(const gs_cfg *cfg, size_t index)
{
    return &cfg->blocks.items[index];
}

const gs_edge *gs_cfg_edges(const gs_cfg *cfg, const gs_block *block)
{
    return block->edge_count ? cfg->edges.items + block->first_edge : NULL;
}

const gs_block *gs_cfg_block_at(const gs_cfg *cfg, uint64_t pc)
{
    for (size_t i = blocks_up_to(cfg, pc); i > 0 && cfg->reach[i - 1] > pc; i--)
        if (pc < cfg->blocks.items[i - 1].end)
            return &cfg->blocks.items[i - 1];
    return NULL;
}

size_t gs_cfg_index_of(const gs_cfg *cfg, const gs_block *block)
{
    return (size_t)(block - cfg->blocks.items);
}

size_t gs_cfg_loop_count(const gs_cfg *cfg)
{
    return cfg->loops.count;
}

const gs_loop *gs_cfg_loop(const gs_cfg *cfg, size_t index)
{
    return &cfg->loops.items[index];
}

void gs_cfg_free(gs_cfg *cfg)
{
    if (!cfg)
        return;
    free(cfg->blocks.items);
    free(cfg->reach);
    free(cfg->edges.items);
    free(cfg->loops.items);
    free(cfg->loop_blocks);
    free(cfg);
}
