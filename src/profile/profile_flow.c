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
    uint64_t *entered;  /* per block of the cfg: control came in on ways known so far */
} flow;

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

/* How often counting stopped on the way from `block` to where `edge` leads. */
static uint64_t stopped_on(const flow *f, const gs_block *block, const gs_edge *edge)
{
    return gs_recorder_stops(f->b->recorder, block->last, block->end,
                             gs_cfg_block(f->cfg, edge->to)->start);
}

static uint64_t departures(const flow *f, const gs_block *block, const gs_edge *edge)
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

static uint64_t known_count(const flow *f, const gs_block *block, const gs_edge *edge)
{
    uint64_t count = departures(f, block, edge), stopped = stopped_on(f, block, edge);
    return count - (stopped < count ? stopped : count);
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

static void place_insns(flow *f)
{
    gs_profile *profile = f->b->profile;
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_block *block = gs_cfg_block_at(f->cfg, profile->insns.items[i].pc);
        if (block)
            profile->insns.items[i].block = f->block_of[gs_cfg_index_of(f->cfg, block)];
    }
}

gs_status gs_profile_add_flow(gs_profile_builder *b, gs_error *err)
{
    flow f = {.b = b, .cfg = gs_iterations_cfg(gs_recorder_iterations(b->recorder))};
    gs_status status = GS_OK;
    f.block_of = malloc((gs_cfg_block_count(f.cfg) + 1) * sizeof *f.block_of);
    f.entered = calloc(gs_cfg_block_count(f.cfg) + 1, sizeof *f.entered);
    if (f.block_of && f.entered && add_blocks(&f) && add_edges(&f)) {
        place_insns(&f);
        status = gs_profile_add_loops(b, f.block_of, err);
    } else {
        status = gs_fail_no_memory(err);
    }
    free(f.block_of);
    free(f.entered);
    return status;
}
