/*
 * How often control went from block to block, computed from how often instructions were executed.
 *
 * A branch knows how often it was taken, an indirect jump was seen to go where it went, and what
 * only runs on into the next block does so each time. That leaves what comes back, or not: a call
 * whose function may exit, a system call that may end the program. Those get what the block behind
 * them was executed beyond all other ways into it. No edge is counted along the run.
 *
 * A block was executed as often as its first instruction.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "machine/machine.h"
#include "profile/profile_build.h"

typedef gs_profile_builder builder;

typedef struct flow {
    builder *b;
    const gs_cfg *cfg;
    uint32_t *block_of; /* from the cfg's blocks to the profile's, or GS_PROFILE_NONE */
    uint32_t *loop_of;  /* the same for loops: itself, or the nearest around it that was executed */
    uint64_t *entered;  /* per block of the cfg: control came in on ways known so far */
} flow;

/* Besides indirect jumps, all that was called or trapped to: code that no symbol names and no
 * direct jump reaches is to have blocks too. */
static gs_status open_cfg(gs_cfg **out, const builder *b, gs_error *err)
{
    size_t jump_count, node_count = gs_calltree_count(gs_recorder_calls(b->recorder));
    const gs_jump_profile *jumps = gs_recorder_jumps(b->recorder, &jump_count);
    gs_observed_jump *seen = malloc((jump_count + node_count) * sizeof *seen);
    *out = NULL;
    if (!seen)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < jump_count; i++)
        seen[i] = (gs_observed_jump){.from = jumps[i].from, .to = jumps[i].to};
    for (size_t i = 0; i < node_count; i++) {
        const gs_call_node *node = gs_calltree_node(gs_recorder_calls(b->recorder), i);
        seen[jump_count + i] = (gs_observed_jump){.from = UINT64_MAX, .to = node->entry};
    }
    gs_status status = gs_cfg_open_observed(out, b->image, seen, jump_count + node_count, err);
    free(seen);
    return status;
}

static uint64_t executions(const flow *f, uint64_t pc)
{
    const gs_profile_insn *insn = gs_profile_insn_at(f->b->profile, (uint32_t)pc);
    return insn ? insn->executions : 0;
}

static bool add_blocks(flow *f)
{
    for (size_t i = 0; i < gs_cfg_block_count(f->cfg); i++) {
        const gs_block *block = gs_cfg_block(f->cfg, i);
        gs_profile_block row = {
            .start = (uint32_t)block->start,
            .end = (uint32_t)block->end,
            .function = block->function == GS_CFG_NONE ? GS_PROFILE_NONE
                                                       : f->b->function_of[block->function],
            .executions = executions(f, block->start),
        };
        f->block_of[i] = GS_PROFILE_NONE;
        if (row.executions == 0)
            continue;
        if (!gs_vec_push(&f->b->profile->blocks, row))
            return false;
        f->block_of[i] = (uint32_t)f->b->profile->blocks.count - 1;
    }
    return true;
}

/* Whether only the block behind can tell how often control came back. */
static bool comes_back(const gs_block *block)
{
    switch (block->flow) {
    case GS_FLOW_CALL:
    case GS_FLOW_BRANCH_CALL:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_RETURN_CALL:
    case GS_FLOW_TRAP: return true;
    default: return false;
    }
}

static uint64_t jumps_between(const flow *f, uint64_t from, uint64_t to)
{
    size_t low = 0, count, high;
    const gs_jump_profile *jumps = gs_recorder_jumps(f->b->recorder, &count);
    high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const gs_jump_profile *jump = &jumps[middle];
        if (jump->from < from || (jump->from == from && jump->to < to))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && jumps[low].from == from && jumps[low].to == to ? jumps[low].count : 0;
}

static uint64_t known_count(const flow *f, const gs_block *block, const gs_edge *edge)
{
    const gs_profile_insn *last = gs_profile_insn_at(f->b->profile, (uint32_t)block->last);
    if (!last)
        return 0;
    if (block->flow == GS_FLOW_BRANCH)
        return edge->kind == GS_EDGE_TAKEN ? last->taken : last->executions - last->taken;
    if (block->flow == GS_FLOW_JUMP_INDIRECT)
        return jumps_between(f, block->last, gs_cfg_block(f->cfg, edge->to)->start);
    return last->executions;
}

static bool add_edge(flow *f, size_t from, uint32_t to, uint64_t count)
{
    gs_profile_edge row = {f->block_of[from], f->block_of[to], count};
    f->entered[to] += count;
    if (count == 0 || row.from == GS_PROFILE_NONE || row.to == GS_PROFILE_NONE)
        return true;
    return gs_vec_push(&f->b->profile->edges, row);
}

/* Calls and traps lead into blocks too, though not along edges. Tail calls are jumps. */
static void count_calls(flow *f)
{
    const gs_calltree *calls = gs_recorder_calls(f->b->recorder);
    for (size_t i = 0; i < gs_calltree_count(calls); i++) {
        const gs_call_node *node = gs_calltree_node(calls, i);
        const gs_block *block = gs_cfg_block_at(f->cfg, node->entry);
        if (block && block->start == node->entry && node->kind != GS_FRAME_TAIL)
            f->entered[gs_cfg_index_of(f->cfg, block)] += node->calls;
    }
}

static uint64_t count_back(const flow *f, const gs_block *block, uint32_t to)
{
    uint64_t start = gs_cfg_block(f->cfg, to)->start;
    uint64_t arrived = executions(f, start);
    if (gs_recorder_machine(f->b->recorder)->hart.pc == start)
        arrived++; /* the run stopped before it went on from there */
    uint64_t left = arrived > f->entered[to] ? arrived - f->entered[to] : 0;
    uint64_t most = executions(f, block->last);
    return left < most ? left : most;
}

static int by_ends(const void *a, const void *b)
{
    const gs_profile_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void sort_edges(gs_profile *profile)
{
    gs_profile_edge *edges = profile->edges.items;
    size_t kept = 0;
    if (profile->edges.count == 0)
        return;
    qsort(edges, profile->edges.count, sizeof *edges, by_ends);
    for (size_t i = 1; i < profile->edges.count; i++) {
        if (by_ends(&edges[i], &edges[kept]) == 0)
            edges[kept].count += edges[i].count; /* a branch to the next instruction */
        else
            edges[++kept] = edges[i];
    }
    profile->edges.count = kept + 1;
}

static bool add_edges(flow *f)
{
    count_calls(f);
    for (int back = 0; back < 2; back++) {
        for (size_t i = 0; i < gs_cfg_block_count(f->cfg); i++) {
            const gs_block *block = gs_cfg_block(f->cfg, i);
            if (f->block_of[i] == GS_PROFILE_NONE || comes_back(block) != back)
                continue;
            const gs_edge *edges = gs_cfg_edges(f->cfg, block);
            for (uint32_t e = 0; e < block->edge_count; e++) {
                uint64_t count =
                    back ? count_back(f, block, edges[e].to) : known_count(f, block, &edges[e]);
                if (!add_edge(f, i, edges[e].to, count))
                    return false;
            }
        }
    }
    sort_edges(f->b->profile);
    return true;
}

static bool add_loops(flow *f)
{
    gs_profile *profile = f->b->profile;
    for (size_t i = 0; i < gs_cfg_loop_count(f->cfg); i++) {
        const gs_loop *loop = gs_cfg_loop(f->cfg, i);
        uint32_t block = f->block_of[loop->header];
        f->loop_of[i] = GS_PROFILE_NONE;
        if (block == GS_PROFILE_NONE)
            continue;
        gs_profile_loop row = {
            .header = profile->blocks.items[block].start,
            .function = profile->blocks.items[block].function,
            .iterations = profile->blocks.items[block].executions,
        };
        row.entries = row.iterations; /* less its back edges, below */
        if (!gs_vec_push(&profile->loops, row))
            return false;
        f->loop_of[i] = (uint32_t)profile->loops.count - 1;
    }
    /* Loops are sorted by header within a function, so an outer one may come later. */
    for (size_t i = 0; i < gs_cfg_loop_count(f->cfg); i++) {
        uint32_t up = gs_cfg_loop(f->cfg, i)->parent;
        while (up != GS_CFG_NONE && f->loop_of[up] == GS_PROFILE_NONE)
            up = gs_cfg_loop(f->cfg, up)->parent;
        if (f->loop_of[i] != GS_PROFILE_NONE)
            profile->loops.items[f->loop_of[i]].parent =
                up == GS_CFG_NONE ? GS_PROFILE_NONE : f->loop_of[up];
    }
    for (size_t i = 0; i < profile->loops.count; i++) {
        gs_profile_loop *loop = &profile->loops.items[i];
        loop->depth = 1;
        for (uint32_t up = loop->parent; up != GS_PROFILE_NONE;
             up = profile->loops.items[up].parent)
            loop->depth++;
    }
    return true;
}

/* An executed block's loops were all entered through their headers, so there is nothing to skip. */
static uint32_t loop_of_block(const flow *f, size_t block)
{
    uint32_t loop = gs_cfg_block(f->cfg, block)->loop;
    while (loop != GS_CFG_NONE && f->loop_of[loop] == GS_PROFILE_NONE)
        loop = gs_cfg_loop(f->cfg, loop)->parent;
    return loop == GS_CFG_NONE ? GS_PROFILE_NONE : f->loop_of[loop];
}

static bool is_within(const gs_profile *profile, uint32_t inner, uint32_t loop)
{
    while (inner != GS_PROFILE_NONE && inner != loop)
        inner = profile->loops.items[inner].parent;
    return inner == loop;
}

static bool count_rounds(flow *f)
{
    gs_profile *profile = f->b->profile;
    uint32_t *loop_at = malloc((profile->blocks.count + 1) * sizeof *loop_at);
    if (!loop_at)
        return false;
    for (size_t i = 0; i < gs_cfg_block_count(f->cfg); i++) {
        if (f->block_of[i] != GS_PROFILE_NONE)
            loop_at[f->block_of[i]] = loop_of_block(f, i);
    }
    for (size_t i = 0; i < profile->edges.count; i++) {
        const gs_profile_edge *edge = &profile->edges.items[i];
        uint32_t loop = loop_at[edge->to];
        if (loop == GS_PROFILE_NONE ||
            profile->loops.items[loop].header != profile->blocks.items[edge->to].start ||
            !is_within(profile, loop_at[edge->from], loop))
            continue;
        uint64_t *entries = &profile->loops.items[loop].entries;
        *entries -= edge->count < *entries ? edge->count : *entries;
    }
    free(loop_at);
    return true;
}

static void place_insns(flow *f)
{
    gs_profile *profile = f->b->profile;
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_block *block = gs_cfg_block_at(f->cfg, profile->insns.items[i].pc);
        if (!block)
            continue;
        size_t index = gs_cfg_index_of(f->cfg, block);
        profile->insns.items[i].block = f->block_of[index];
        if (f->block_of[index] != GS_PROFILE_NONE)
            profile->insns.items[i].loop = loop_of_block(f, index);
    }
}

gs_status gs_profile_add_flow(gs_profile_builder *b, gs_error *err)
{
    gs_cfg *cfg;
    gs_status status = open_cfg(&cfg, b, err);
    if (status != GS_OK)
        return status;
    flow f = {.b = b, .cfg = cfg};
    f.block_of = malloc((gs_cfg_block_count(cfg) + 1) * sizeof *f.block_of);
    f.loop_of = malloc((gs_cfg_loop_count(cfg) + 1) * sizeof *f.loop_of);
    f.entered = calloc(gs_cfg_block_count(cfg) + 1, sizeof *f.entered);
    if (f.block_of && f.loop_of && f.entered && add_blocks(&f) && add_edges(&f) && add_loops(&f) &&
        count_rounds(&f))
        place_insns(&f);
    else
        status = gs_fail_no_memory(err);
    free(f.block_of);
    free(f.loop_of);
    free(f.entered);
    gs_cfg_free(cfg);
    return status;
}
