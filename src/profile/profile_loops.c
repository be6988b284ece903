/*
 * Loops: how often they were entered and iterated, and what they cost.
 *
 * Iterations come from the edges, the fewest and the most of one entry from iterations.h. Self
 * costs are those of a loop's instructions. The cost with everything called is that of the call
 * paths that start in the loop, and of its own instructions; where the loop is active further up in
 * a recursion, these are in its cost already and do not count again. For paths that shows in the
 * tree, for instructions in the context they were executed in.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "profile/profile_build.h"

typedef struct loops {
    gs_profile_builder *b;
    gs_profile *profile;
    const gs_cfg *cfg;
    const uint32_t *block_of; /* from the cfg's blocks to the profile's, or GS_PROFILE_NONE */
    uint32_t *loop_of;  /* the same for loops: itself, or the nearest around it that was executed */
    uint32_t *loop_at;  /* per block of the profile: the innermost loop */
    uint32_t *activity; /* per loop of the profile: call sites on the way here that are in it */
} loops;

static bool list_loops(loops *l)
{
    gs_profile *profile = l->profile;
    for (size_t i = 0; i < gs_cfg_loop_count(l->cfg); i++) {
        uint32_t block = l->block_of[gs_cfg_loop(l->cfg, i)->header];
        l->loop_of[i] = GS_PROFILE_NONE;
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
        l->loop_of[i] = (uint32_t)profile->loops.count - 1;
    }
    return true;
}

/* Loops are sorted by header within a function, so an outer one may come later. */
static void nest_loops(loops *l)
{
    gs_profile *profile = l->profile;
    for (size_t i = 0; i < gs_cfg_loop_count(l->cfg); i++) {
        uint32_t up = gs_cfg_loop(l->cfg, i)->parent;
        while (up != GS_CFG_NONE && l->loop_of[up] == GS_PROFILE_NONE)
            up = gs_cfg_loop(l->cfg, up)->parent;
        if (l->loop_of[i] != GS_PROFILE_NONE)
            profile->loops.items[l->loop_of[i]].parent =
                up == GS_CFG_NONE ? GS_PROFILE_NONE : l->loop_of[up];
    }
    for (size_t i = 0; i < profile->loops.count; i++) {
        gs_profile_loop *loop = &profile->loops.items[i];
        loop->depth = 1;
        for (uint32_t up = loop->parent; up != GS_PROFILE_NONE;
             up = profile->loops.items[up].parent)
            loop->depth++;
    }
}

/* The loop of the profile that is the cfg's, or the innermost one around that. */
static uint32_t innermost(const loops *l, uint32_t loop)
{
    while (loop != GS_CFG_NONE && l->loop_of[loop] == GS_PROFILE_NONE)
        loop = gs_cfg_loop(l->cfg, loop)->parent;
    return loop == GS_CFG_NONE ? GS_PROFILE_NONE : l->loop_of[loop];
}

static void place_blocks(loops *l)
{
    for (size_t i = 0; i < gs_cfg_block_count(l->cfg); i++) {
        if (l->block_of[i] != GS_PROFILE_NONE)
            l->loop_at[l->block_of[i]] = innermost(l, gs_cfg_block(l->cfg, i)->loop);
    }
    for (size_t i = 0; i < l->profile->insns.count; i++) {
        gs_profile_insn *insn = &l->profile->insns.items[i];
        if (insn->block != GS_PROFILE_NONE)
            insn->loop = l->loop_at[insn->block];
    }
}

static bool is_within(const gs_profile *profile, uint32_t inner, uint32_t loop)
{
    while (inner != GS_PROFILE_NONE && inner != loop)
        inner = profile->loops.items[inner].parent;
    return inner == loop;
}

static void count_iterations(loops *l)
{
    gs_profile *profile = l->profile;
    for (size_t i = 0; i < profile->edges.count; i++) {
        const gs_profile_edge *edge = &profile->edges.items[i];
        uint32_t loop = l->loop_at[edge->to];
        if (loop == GS_PROFILE_NONE ||
            profile->loops.items[loop].header != profile->blocks.items[edge->to].start ||
            !is_within(profile, l->loop_at[edge->from], loop))
            continue;
        uint64_t *entries = &profile->loops.items[loop].entries;
        *entries -= edge->count < *entries ? edge->count : *entries;
    }
    for (size_t i = 0; i < profile->loops.count; i++) {
        gs_profile_loop *loop = &profile->loops.items[i];
        if (gs_recorder_has_region(l->b->recorder) ||
            !gs_iterations_result(gs_recorder_iterations(l->b->recorder), loop->header,
                                  loop->entries, &loop->min_trips, &loop->max_trips))
            loop->min_trips = loop->max_trips = 0;
    }
}

/* The innermost loop around an instruction, or GS_PROFILE_NONE. */
static uint32_t loop_around(const loops *l, uint32_t pc)
{
    const gs_profile_insn *insn = gs_profile_insn_at(l->profile, pc);
    if (insn)
        return insn->loop;
    /* It was executed outside the region of interest, and what it called inside. */
    const gs_block *block = gs_cfg_block_at(l->cfg, pc);
    return block ? innermost(l, block->loop) : GS_PROFILE_NONE;
}

static void add_cost(loops *l, uint32_t loop, const gs_metrics *cost)
{
    for (; loop != GS_PROFILE_NONE; loop = l->profile->loops.items[loop].parent) {
        if (l->activity[loop] == 0)
            gs_metrics_add(&l->profile->loops.items[loop].inclusive, cost);
    }
}

static void change_activity(loops *l, uint32_t site, int change)
{
    for (uint32_t loop = loop_around(l, site); loop != GS_PROFILE_NONE;
         loop = l->profile->loops.items[loop].parent)
        l->activity[loop] += (uint32_t)change;
}

static void add_insns(loops *l)
{
    size_t count, header_count;
    const gs_insn_profile *insns = gs_recorder_context_insns(l->b->recorder, &count);
    const gs_contexts *contexts = gs_calltree_contexts(gs_recorder_calls(l->b->recorder));
    for (size_t i = 0; i < count; i++) {
        uint32_t loop = loop_around(l, insns[i].pc);
        if (loop == GS_PROFILE_NONE)
            continue;
        const uint32_t *headers = gs_contexts_headers(contexts, insns[i].context, &header_count);
        for (size_t h = 0; h < header_count; h++)
            change_activity(l, headers[h], 1);
        add_cost(l, loop, &insns[i].cost);
        for (size_t h = 0; h < header_count; h++)
            change_activity(l, headers[h], -1);
    }
}

/* The nodes below a root, in depth-first order: their children come as a list. */
static void add_paths_below(loops *l, const gs_calltree *calls, uint32_t root,
                            const gs_metrics *inclusive)
{
    uint32_t at = gs_calltree_node(calls, root)->first_child;
    while (at != GS_CALLTREE_NONE) {
        const gs_call_node *node = gs_calltree_node(calls, at);
        if (l->b->node_of[at] != GS_PROFILE_NONE)
            add_cost(l, loop_around(l, node->site), &inclusive[l->b->node_of[at]]);
        change_activity(l, node->site, 1);
        if (node->first_child != GS_CALLTREE_NONE) {
            at = node->first_child;
            continue;
        }
        change_activity(l, node->site, -1);
        while (at != GS_CALLTREE_NONE && gs_calltree_node(calls, at)->next == GS_CALLTREE_NONE) {
            at = gs_calltree_node(calls, at)->parent;
            if (at == root)
                at = GS_CALLTREE_NONE;
            else
                change_activity(l, gs_calltree_node(calls, at)->site, -1);
        }
        if (at != GS_CALLTREE_NONE)
            at = gs_calltree_node(calls, at)->next;
    }
}

static bool add_paths(loops *l)
{
    const gs_calltree *calls = gs_recorder_calls(l->b->recorder);
    gs_metrics *inclusive = gs_profile_inclusive(l->profile);
    if (!inclusive)
        return false;
    for (uint32_t root = 0; root != GS_CALLTREE_NONE; root = gs_calltree_node(calls, root)->next)
        add_paths_below(l, calls, root, inclusive);
    free(inclusive);
    return true;
}

gs_status gs_profile_add_loops(gs_profile_builder *b, const uint32_t *block_of, gs_error *err)
{
    loops l = {.b = b,
               .profile = b->profile,
               .cfg = gs_iterations_cfg(gs_recorder_iterations(b->recorder)),
               .block_of = block_of};
    gs_status status = GS_OK;
    l.loop_of = malloc((gs_cfg_loop_count(l.cfg) + 1) * sizeof *l.loop_of);
    l.loop_at = malloc((b->profile->blocks.count + 1) * sizeof *l.loop_at);
    l.activity = calloc(gs_cfg_loop_count(l.cfg) + 1, sizeof *l.activity);
    if (l.loop_of && l.loop_at && l.activity && list_loops(&l)) {
        nest_loops(&l);
        place_blocks(&l);
        count_iterations(&l);
        add_insns(&l);
        if (!add_paths(&l))
            status = gs_fail_no_memory(err);
    } else {
        status = gs_fail_no_memory(err);
    }
    free(l.loop_of);
    free(l.loop_at);
    free(l.activity);
    return status;
}
