/*
 * Which calls come back?
 *
 * The code behind a call of exit() or abort() is not reached by returning from it,
 * and taking it for reached makes loops where there are none and blocks of padding.
 * So functions that cannot return are found, and what only they seem to lead to is
 * removed.
 *
 * Nothing is taken to return at first. A function returns if its entry leads to a
 * return, to a jump with an unknown target, or into another function that returns.
 * A block behind a call is reached once the called function is known to return.
 * Every block is visited once and every wait ends once: linear.
 */
#include "image/cfg_internal.h"

#include <stdlib.h>

#include "base/vec.h"
#include "image/internal.h"

/* A block that goes on if a function returns. */
typedef struct wait {
    uint32_t block;
    uint32_t next; /* wait for the same function, or GS_CFG_NONE */
} wait;

typedef struct analysis {
    gs_cfg *cfg;
    uint32_t function_count; /* the number after the last stands for code outside functions */
    bool *returns;           /* per function */
    uint32_t *first_wait;    /* per function */
    bool *live, *comes_back; /* per block; the latter for blocks that end in a call */
    struct {
        wait *items;
        size_t count, capacity;
    } waits;
    struct {
        uint32_t *items;
        size_t count, capacity;
    } todo; /* live blocks to look at */
} analysis;

static uint32_t function_of(const analysis *a, const gs_block *block)
{
    return block->function == GS_CFG_NONE ? a->function_count : block->function;
}

static bool open_analysis(analysis *a, gs_cfg *cfg)
{
    size_t functions = cfg->image->functions.count + 1, blocks = cfg->blocks.count + 1;
    *a = (analysis){
        .cfg = cfg,
        .function_count = (uint32_t)cfg->image->functions.count,
        .returns = calloc(functions, sizeof *a->returns),
        .first_wait = malloc(functions * sizeof *a->first_wait),
        .live = calloc(blocks, sizeof *a->live),
        .comes_back = calloc(blocks, sizeof *a->comes_back),
    };
    if (!a->returns || !a->first_wait || !a->live || !a->comes_back)
        return false;
    for (size_t i = 0; i < functions; i++)
        a->first_wait[i] = GS_CFG_NONE;
    a->returns[a->function_count] = true;
    return true;
}

static void close_analysis(analysis *a)
{
    free(a->returns);
    free(a->first_wait);
    free(a->live);
    free(a->comes_back);
    free(a->waits.items);
    free(a->todo.items);
}

static bool make_live(analysis *a, uint32_t block)
{
    if (a->live[block])
        return true;
    a->live[block] = true;
    return gs_vec_push(&a->todo, block);
}

static bool follow(analysis *a, const gs_block *block)
{
    const gs_edge *edges = gs_cfg_edges(a->cfg, block);
    for (uint32_t e = 0; e < block->edge_count; e++)
        if (!make_live(a, edges[e].to))
            return false;
    return true;
}

static bool is_call(const gs_block *block)
{
    return block->flow == GS_FLOW_CALL;
}

/* A function returns, as is known now: the blocks that wait for it are reached. */
static bool set_returns(analysis *a, uint32_t function)
{
    struct {
        uint32_t *items;
        size_t count, capacity;
    } found = {0};
    bool pushed = true;
    if (!a->returns[function]) {
        a->returns[function] = true;
        pushed = gs_vec_push(&found, function);
    }
    while (pushed && found.count) {
        uint32_t w = a->first_wait[found.items[--found.count]];
        for (; pushed && w != GS_CFG_NONE; w = a->waits.items[w].next) {
            uint32_t number = a->waits.items[w].block;
            const gs_block *block = &a->cfg->blocks.items[number];
            if (is_call(block)) {
                a->comes_back[number] = true;
                pushed = follow(a, block);
            } else if (!a->returns[function_of(a, block)]) {
                a->returns[function_of(a, block)] = true;
                pushed = gs_vec_push(&found, function_of(a, block));
            }
        }
    }
    free(found.items);
    return pushed;
}

static bool wait_for(analysis *a, uint32_t block, uint32_t function)
{
    wait w = {block, a->first_wait[function]};
    a->first_wait[function] = (uint32_t)a->waits.count;
    return gs_vec_push(&a->waits, w);
}

static bool look_at_call(analysis *a, uint32_t number, const gs_block *block)
{
    const gs_function *called = gs_image_function_at(a->cfg->image, block->target);
    uint32_t function = a->function_count;
    if (called)
        function = (uint32_t)(called - a->cfg->image->functions.items);
    const gs_block *target = gs_cfg_block_at(a->cfg, block->target);
    if (target && target->start == block->target &&
        !make_live(a, (uint32_t)gs_cfg_index_of(a->cfg, target)))
        return false;
    /* Calls of what is not code here are none of our business. */
    if (!target || a->returns[function]) {
        a->comes_back[number] = true;
        return follow(a, block);
    }
    return wait_for(a, number, function);
}

static bool look_at(analysis *a, uint32_t number)
{
    const gs_block *block = &a->cfg->blocks.items[number];
    uint32_t function = function_of(a, block);
    switch (block->flow) {
    case GS_FLOW_CALL: return look_at_call(a, number, block);
    case GS_FLOW_RETURN:
    case GS_FLOW_TRAP_RETURN: return set_returns(a, function);
    case GS_FLOW_JUMP_INDIRECT:
        /* Its known targets may not be all. */
        return set_returns(a, function) && follow(a, block);
    default: break;
    }
    const gs_edge *edges = gs_cfg_edges(a->cfg, block);
    for (uint32_t e = 0; e < block->edge_count; e++) {
        uint32_t other = function_of(a, &a->cfg->blocks.items[edges[e].to]);
        if (other == function)
            continue;
        if (!(a->returns[other] ? set_returns(a, function) : wait_for(a, number, other)))
            return false;
    }
    return follow(a, block);
}

static bool find_live(analysis *a)
{
    gs_cfg *cfg = a->cfg;
    for (uint32_t b = 0; b < cfg->blocks.count; b++) {
        const gs_block *block = &cfg->blocks.items[b];
        bool starts = block->start == cfg->image->entry ||
                      (block->function != GS_CFG_NONE &&
                       block->start == cfg->image->functions.items[block->function].start);
        if (starts && !make_live(a, b))
            return false;
    }
    while (a->todo.count)
        if (!look_at(a, a->todo.items[--a->todo.count]))
            return false;
    return true;
}

/* Closes the gaps that dead blocks and edges leave. */
static bool compact(analysis *a)
{
    gs_cfg *cfg = a->cfg;
    uint32_t *number = malloc((cfg->blocks.count + 1) * sizeof *number); /* from old to new */
    if (!number)
        return false;
    uint32_t blocks = 0;
    for (size_t b = 0; b < cfg->blocks.count; b++)
        number[b] = a->live[b] ? blocks++ : GS_CFG_NONE;

    uint32_t edges = 0;
    for (size_t b = 0; b < cfg->blocks.count; b++) {
        if (!a->live[b])
            continue;
        gs_block block = cfg->blocks.items[b];
        uint32_t first = block.first_edge, count = block.edge_count;
        bool keep = !is_call(&block) || a->comes_back[b];
        block.first_edge = edges;
        block.edge_count = 0;
        for (uint32_t e = 0; keep && e < count; e++) {
            gs_edge edge = cfg->edges.items[first + e];
            edge.to = number[edge.to];
            cfg->edges.items[edges++] = edge;
            block.edge_count++;
        }
        cfg->blocks.items[number[b]] = block;
    }
    cfg->blocks.count = blocks;
    cfg->edges.count = edges;
    free(number);
    return true;
}

gs_status gs_cfg_remove_dead(gs_cfg *cfg, gs_error *err)
{
    analysis a;
    bool done = open_analysis(&a, cfg) && find_live(&a) && compact(&a);
    close_analysis(&a);
    return done ? GS_OK : gs_fail_no_memory(err);
}
