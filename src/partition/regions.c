/*
 * Puts blocks together. A block goes with the one before it if control comes from nowhere else.
 * What a branch only skips is executed in any case, and its results are selected, if it has no more
 * operations than the tool speculates on, and none of them accesses memory.
 */
#include "partition/regions.h"

#include <stdlib.h>

typedef struct edges {
    uint32_t *first; /* of each block in `to` */
    uint32_t *to;
    uint32_t *ways_in; /* edges to each block, calls of it included */
} edges;

typedef struct finder {
    gs_hw_code *code;
    const gs_hls *hls;
    edges edges;
    bool *taken; /* per block: it is in a region */
} finder;

static bool open_edges(edges *e, const gs_profile *p)
{
    const size_t blocks = p->blocks.count;
    e->first = calloc(blocks + 2, sizeof *e->first);
    e->to = calloc(p->edges.count + 1, sizeof *e->to);
    e->ways_in = calloc(blocks + 1, sizeof *e->ways_in);
    if (!e->first || !e->to || !e->ways_in)
        return false;
    for (size_t i = 0; i < p->edges.count; i++) {
        e->first[p->edges.items[i].from + 1]++;
        e->ways_in[p->edges.items[i].to]++;
    }
    for (size_t b = 0; b < blocks; b++) {
        const uint32_t function = p->blocks.items[b].function;
        e->first[b + 1] += e->first[b];
        if (function == GS_PROFILE_NONE ||
            p->functions.items[function].start == p->blocks.items[b].start)
            e->ways_in[b]++;
    }
    uint32_t *next = calloc(blocks + 1, sizeof *next);
    for (size_t i = 0; next && i < p->edges.count; i++) {
        const uint32_t from = p->edges.items[i].from;
        e->to[e->first[from] + next[from]++] = p->edges.items[i].to;
    }
    free(next);
    return next != NULL;
}

static void close_edges(edges *e)
{
    free(e->first);
    free(e->to);
    free(e->ways_in);
}

static uint32_t count_successors(const finder *f, uint32_t block)
{
    return f->edges.first[block + 1] - f->edges.first[block];
}

static uint32_t successor(const finder *f, uint32_t block, uint32_t index)
{
    return f->edges.to[f->edges.first[block] + index];
}

/* How control leaves a block. */
static gs_flow flow_of(const finder *f, uint32_t block)
{
    for (uint32_t i = f->code->first_insn[block]; i < f->code->last_insn[block]; i++) {
        if (f->code->insns[i].flow != GS_FLOW_NEXT)
            return f->code->insns[i].flow;
    }
    return GS_FLOW_NEXT;
}

static bool goes_on(const finder *f, uint32_t block)
{
    const gs_flow flow = flow_of(f, block);
    return (flow == GS_FLOW_NEXT || flow == GS_FLOW_JUMP) && count_successors(f, block) == 1;
}

static bool same_function(const finder *f, uint32_t a, uint32_t b)
{
    const gs_profile_block *blocks = f->code->profile->blocks.items;
    return blocks[a].function == blocks[b].function;
}

/* Whether a block may be executed although the branch before it says otherwise. */
static bool is_small(const finder *f, uint32_t block)
{
    unsigned operations = 0;
    if (f->taken[block] || f->edges.ways_in[block] != 1 || !goes_on(f, block))
        return false;
    for (uint32_t i = f->code->first_insn[block]; i < f->code->last_insn[block]; i++) {
        const gs_hw_insn *at = &f->code->insns[i];
        if (at->role != GS_HW_WIRES && at->role != GS_HW_COMPUTE)
            return false;
        if (at->role == GS_HW_COMPUTE && f->hls->operators[at->kind].cycles > 0)
            return false;
        operations += at->role == GS_HW_COMPUTE;
    }
    return operations <= f->hls->speculation;
}

static void append(finder *f, gs_hw_region *region, uint32_t block, bool speculative)
{
    f->taken[block] = true;
    f->code->order[f->code->order_count++] = (gs_hw_part){block, speculative};
    region->count++;
}

/* Takes in what the branch at the end of `tail` skips; *joint is where control goes on, with
 * *ways of the edges to it from here. */
static bool absorb(finder *f, gs_hw_region *region, uint32_t tail, uint32_t *joint, uint32_t *ways)
{
    if (flow_of(f, tail) != GS_FLOW_BRANCH || count_successors(f, tail) != 2)
        return false;
    const uint32_t a = successor(f, tail, 0), b = successor(f, tail, 1);
    const bool small_a = is_small(f, a), small_b = is_small(f, b);
    *ways = 2;
    if (small_a && successor(f, a, 0) == b) {
        append(f, region, a, true);
        *joint = b;
        return true;
    }
    if (small_b && successor(f, b, 0) == a) {
        append(f, region, b, true);
        *joint = a;
        return true;
    }
    if (small_a && small_b && successor(f, a, 0) == successor(f, b, 0)) {
        append(f, region, a, true);
        append(f, region, b, true);
        *joint = successor(f, a, 0);
        return true;
    }
    return false;
}

static void grow(finder *f, uint32_t head)
{
    gs_hw_region *region = &f->code->regions[f->code->region_count++];
    *region = (gs_hw_region){.first = (uint32_t)f->code->order_count, .head = head};
    append(f, region, head, false);
    for (uint32_t tail = head;;) {
        uint32_t joint, ways = 1;
        if (goes_on(f, tail))
            joint = successor(f, tail, 0);
        else if (!absorb(f, region, tail, &joint, &ways))
            break;
        if (f->taken[joint] || f->edges.ways_in[joint] != ways || !same_function(f, tail, joint)) {
            region->loops = joint == head;
            return;
        }
        append(f, region, joint, false);
        tail = joint;
    }
    const uint32_t last = f->code->order[f->code->order_count - 1].block;
    for (uint32_t i = 0; i < count_successors(f, last); i++)
        region->loops |= flow_of(f, last) == GS_FLOW_BRANCH && successor(f, last, i) == head;
}

/* Whether control comes to a block from elsewhere than from one that it goes with. */
static bool is_head(const finder *f, const bool *follows, uint32_t block)
{
    return f->edges.ways_in[block] != 1 || !follows[block];
}

/* Heads first: what goes with another one is left for that. */
static bool find(finder *f)
{
    const uint32_t blocks = (uint32_t)f->code->profile->blocks.count;
    bool *follows = calloc(blocks + 1, sizeof *follows);
    if (!follows)
        return false;
    for (uint32_t b = 0; b < blocks; b++) {
        for (uint32_t i = 0; i < count_successors(f, b); i++)
            follows[successor(f, b, i)] |= goes_on(f, b) || is_small(f, successor(f, b, i));
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t b = 0; b < blocks; b++) {
            if (!f->taken[b] && (pass == 1 || is_head(f, follows, b)))
                grow(f, b);
        }
    }
    free(follows);
    return true;
}

bool gs_hw_regions_find(gs_hw_code *code, const gs_hls *hls)
{
    finder f = {.code = code, .hls = hls};
    f.taken = calloc(code->profile->blocks.count + 1, sizeof *f.taken);
    const bool done = f.taken && open_edges(&f.edges, code->profile) && find(&f);
    close_edges(&f.edges);
    free(f.taken);
    return done;
}
