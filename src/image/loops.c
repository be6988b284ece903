/*
 * Natural loops, function by function.
 *
 * Dominators by the SEMI-NCA algorithm (Georgiadis, "Linear-Time Algorithms for
 * Dominators and Related Problems", chapter 2), as compilers use it. The simpler
 * iteration over reverse postorder took 12 s for 4 MB of branches to common exits,
 * this takes 0.15 s. Blocks that the function's entry does not reach (other functions
 * jump there) hang from the root like the entry, so that their loops are found too.
 *
 * Loops are built from the inside out. A header comes before its body in reverse
 * postorder, so going backwards meets inner headers first; the walk back from an
 * outer loop's latches steps over an inner loop in one go.
 *
 * A loop's blocks are kept in one contiguous part of an array: its own, then those of the
 * loops in it. So deep nesting costs no more than flat.
 */
#include "image/cfg_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "image/internal.h"

#define NONE GS_CFG_NONE

/* Working memory, enough for the largest function. Blocks are numbered from 0 in their function;
 * the number after the last is the root above all entries. */
typedef struct scratch {
    uint32_t *memory;
    uint32_t *order;     /* blocks in reverse postorder, the root first */
    uint32_t *rank;      /* the inverse: place in `order`, or NONE */
    uint32_t *block_of;  /* blocks in the order of the search, the root first */
    uint32_t *number;    /* the inverse */
    uint32_t *ancestor;  /* by number: parent in the search tree, or a shortcut upwards */
    uint32_t *semi;      /* by number: semidominator */
    uint32_t *best;      /* by number: lowest semidominator on the way to `ancestor` */
    uint32_t *above;     /* by number: immediate dominator */
    uint32_t *idom;      /* immediate dominator */
    uint32_t *size;      /* of the subtree in the dominator tree */
    uint32_t *place;     /* preorder number in it */
    uint32_t *cursor;    /* for several things */
    uint32_t *stack;     /* of the depth-first search and of the walk back */
    uint32_t *loop;      /* innermost loop so far, numbered in order of discovery */
    uint32_t *header;    /* per loop */
    uint32_t *parent;    /* per loop */
    uint32_t *outermost; /* per loop: a shortcut along `parent` */
    uint32_t *first_pred;
    uint32_t *preds;
} scratch;

/* The function at hand: blocks [first, first + count) of the cfg. */
typedef struct region {
    gs_cfg *cfg;
    scratch *s;
    uint32_t first, count;
    uint32_t reached; /* length of `order`, with the root */
    uint32_t loop_count;
} region;

static bool open_scratch(scratch *s, size_t blocks, size_t edges)
{
    size_t n = blocks + 2;
    uint32_t **arrays[] = {
        &s->order, &s->rank,   &s->block_of, &s->number,    &s->ancestor,   &s->semi,
        &s->best,  &s->above,  &s->idom,     &s->size,      &s->place,      &s->cursor,
        &s->loop,  &s->header, &s->parent,   &s->outermost, &s->first_pred,
    };
    size_t array_count = sizeof arrays / sizeof *arrays;
    size_t stack = blocks + edges + 2; /* the walk back may push a block once per edge */
    s->memory = malloc((array_count * n + stack + edges + 1) * sizeof *s->memory);
    if (!s->memory)
        return false;
    for (size_t i = 0; i < array_count; i++)
        *arrays[i] = s->memory + i * n;
    s->stack = s->memory + array_count * n;
    s->preds = s->stack + stack;
    return true;
}

static const gs_edge *edges_of(const region *r, uint32_t block, uint32_t *count)
{
    const gs_block *b = &r->cfg->blocks.items[r->first + block];
    *count = b->edge_count;
    return gs_cfg_edges(r->cfg, b);
}

/* The edge's target as a number in the function, or NONE if it leads elsewhere. */
static uint32_t local(const region *r, const gs_edge *edge)
{
    uint32_t block = edge->to - r->first;
    return edge->to >= r->first && block < r->count ? block : NONE;
}

static void find_preds(region *r)
{
    uint32_t *first = r->s->first_pred, edge_count;
    memset(first, 0, (r->count + 1) * sizeof *first);
    for (uint32_t b = 0; b < r->count; b++) {
        const gs_edge *edges = edges_of(r, b, &edge_count);
        for (uint32_t e = 0; e < edge_count; e++)
            if (local(r, &edges[e]) != NONE)
                first[local(r, &edges[e]) + 1]++;
    }
    for (uint32_t b = 0; b < r->count; b++)
        first[b + 1] += first[b];
    memcpy(r->s->cursor, first, r->count * sizeof *first);
    for (uint32_t b = 0; b < r->count; b++) {
        const gs_edge *edges = edges_of(r, b, &edge_count);
        for (uint32_t e = 0; e < edge_count; e++)
            if (local(r, &edges[e]) != NONE)
                r->s->preds[r->s->cursor[local(r, &edges[e])]++] = b;
    }
}

static void discover(region *r, uint32_t block, uint32_t parent, uint32_t *found)
{
    scratch *s = r->s;
    s->rank[block] = 0; /* for now: seen */
    s->cursor[block] = 0;
    s->number[block] = *found;
    s->ancestor[*found] = parent;
    s->block_of[(*found)++] = block;
}

/* Depth first from one entry; appends to `order` in postorder. */
static void search_from(region *r, uint32_t entry, uint32_t *found)
{
    scratch *s = r->s;
    if (s->rank[entry] != NONE)
        return;
    uint32_t depth = 0;
    discover(r, entry, 0, found);
    s->stack[depth++] = entry;
    while (depth) {
        uint32_t block = s->stack[depth - 1], edge_count;
        const gs_edge *edges = edges_of(r, block, &edge_count);
        if (s->cursor[block] == edge_count) {
            s->order[r->reached++] = block;
            depth--;
            continue;
        }
        uint32_t next = local(r, &edges[s->cursor[block]++]);
        if (next == NONE || s->rank[next] != NONE)
            continue;
        discover(r, next, s->number[block], found);
        s->stack[depth++] = next;
    }
}

static void find_order(region *r, const bool *entered)
{
    scratch *s = r->s;
    uint32_t found = 0;
    for (uint32_t b = 0; b < r->count; b++)
        s->rank[b] = NONE;
    r->reached = 0;
    discover(r, r->count, 0, &found);
    search_from(r, 0, &found);
    for (uint32_t b = 0; b < r->count; b++)
        if (entered[r->first + b])
            search_from(r, b, &found);
    for (uint32_t b = 0; b < r->count; b++)
        search_from(r, b, &found);
    s->order[r->reached++] = r->count;
    for (uint32_t i = 0; i < r->reached / 2; i++) {
        uint32_t other = s->order[i];
        s->order[i] = s->order[r->reached - 1 - i];
        s->order[r->reached - 1 - i] = other;
    }
    for (uint32_t i = 0; i < r->reached; i++)
        s->rank[s->order[i]] = i;
}

/* The lowest semidominator on the way from `v` up through what is numbered `linked` or more.
 * Leaves shortcuts behind. */
static uint32_t lowest_above(scratch *s, uint32_t v, uint32_t linked)
{
    uint32_t depth = 0, top = v;
    while (s->ancestor[top] >= linked) {
        s->stack[depth++] = top;
        top = s->ancestor[top];
    }
    while (depth) {
        uint32_t below = s->stack[--depth];
        s->ancestor[below] = s->ancestor[top];
        if (s->best[top] < s->best[below])
            s->best[below] = s->best[top];
        top = below;
    }
    return s->best[v];
}

static void find_dominators(region *r)
{
    scratch *s = r->s;
    uint32_t root = r->count;
    for (uint32_t i = 0; i < r->reached; i++) {
        s->best[i] = i;
        s->above[i] = s->ancestor[i];
    }
    for (uint32_t i = r->reached - 1; i > 0; i--) {
        uint32_t block = s->block_of[i];
        s->semi[i] = s->above[i];
        for (uint32_t p = s->first_pred[block]; p < s->first_pred[block + 1]; p++) {
            uint32_t lowest = lowest_above(s, s->number[s->preds[p]], i + 1);
            if (lowest < s->semi[i])
                s->semi[i] = lowest;
        }
        s->best[i] = s->semi[i];
    }
    for (uint32_t i = 1; i < r->reached; i++) {
        while (s->above[i] > s->semi[i])
            s->above[i] = s->above[s->above[i]];
        s->idom[s->block_of[i]] = s->block_of[s->above[i]];
    }
    s->idom[root] = root;

    /* Parents come before children in `order`, which is enough to number the tree. */
    for (uint32_t i = 0; i < r->reached; i++)
        s->size[s->order[i]] = 1;
    for (uint32_t i = r->reached - 1; i > 0; i--)
        s->size[s->idom[s->order[i]]] += s->size[s->order[i]];
    s->place[root] = 0;
    s->cursor[root] = 1;
    for (uint32_t i = 1; i < r->reached; i++) {
        uint32_t block = s->order[i];
        s->place[block] = s->cursor[s->idom[block]];
        s->cursor[s->idom[block]] += s->size[block];
        s->cursor[block] = s->place[block] + 1;
    }
}

static bool dominates(const scratch *s, uint32_t a, uint32_t b)
{
    return s->place[b] - s->place[a] < s->size[a];
}

static uint32_t outermost_of(scratch *s, uint32_t loop)
{
    while (s->outermost[loop] != loop) {
        s->outermost[loop] = s->outermost[s->outermost[loop]];
        loop = s->outermost[loop];
    }
    return loop;
}

/* Everything from which a latch of `loop` can be reached without passing its header. */
static void fill_loop(region *r, uint32_t loop, uint32_t header)
{
    scratch *s = r->s;
    uint32_t depth = 0;
    s->loop[header] = loop;
    for (uint32_t p = s->first_pred[header]; p < s->first_pred[header + 1]; p++)
        if (dominates(s, header, s->preds[p]))
            s->stack[depth++] = s->preds[p];
    while (depth) {
        uint32_t block = s->stack[--depth];
        if (s->loop[block] == NONE) {
            s->loop[block] = loop;
        } else {
            uint32_t inner = outermost_of(s, s->loop[block]);
            if (inner == loop)
                continue;
            s->parent[inner] = loop;
            s->outermost[inner] = loop;
            block = s->header[inner];
        }
        for (uint32_t p = s->first_pred[block]; p < s->first_pred[block + 1]; p++)
            s->stack[depth++] = s->preds[p];
    }
}

static void find_loops(region *r)
{
    scratch *s = r->s;
    for (uint32_t b = 0; b < r->count; b++)
        s->loop[b] = NONE;
    r->loop_count = 0;
    for (uint32_t i = r->reached - 1; i > 0; i--) {
        uint32_t block = s->order[i];
        bool is_header = false;
        for (uint32_t p = s->first_pred[block]; p < s->first_pred[block + 1]; p++) {
            uint32_t pred = s->preds[p];
            if (dominates(s, block, pred))
                is_header = true;
            else if (s->rank[pred] >= i)
                r->cfg->irreducible_count++;
        }
        if (!is_header)
            continue;
        uint32_t loop = r->loop_count++;
        s->header[loop] = block;
        s->parent[loop] = NONE;
        s->outermost[loop] = loop;
        fill_loop(r, loop, block);
    }
}

static uint32_t count_back_edges(const region *r, uint32_t header)
{
    const scratch *s = r->s;
    uint32_t count = 0;
    for (uint32_t p = s->first_pred[header]; p < s->first_pred[header + 1]; p++)
        count += dominates(s, header, s->preds[p]);
    return count;
}

/* From order of discovery to order of addresses, and into the cfg. */
static bool keep_loops(region *r, uint32_t *used)
{
    scratch *s = r->s;
    gs_cfg *cfg = r->cfg;
    uint32_t *number = s->place, *own = s->cursor, *total = s->size; /* no longer needed */
    uint32_t base = (uint32_t)cfg->loops.count;
    for (uint32_t b = 0; b < r->count; b++) {
        uint32_t loop = s->loop[b];
        if (loop == NONE || s->header[loop] != b)
            continue;
        gs_loop kept = {.header = r->first + b,
                        .function = cfg->blocks.items[r->first].function,
                        .back_edges = count_back_edges(r, b)};
        if (!gs_vec_push(&cfg->loops, kept))
            return false;
    }
    uint32_t next = base;
    for (uint32_t b = 0; b < r->count; b++)
        if (s->loop[b] != NONE && s->header[s->loop[b]] == b)
            number[s->loop[b]] = next++;

    for (uint32_t i = 0; i < r->loop_count; i++)
        own[i] = total[i] = 0;
    for (uint32_t b = 0; b < r->count; b++)
        if (s->loop[b] != NONE)
            own[s->loop[b]]++;
    for (uint32_t i = 0; i < r->loop_count; i++) { /* inner loops first */
        total[i] += own[i];
        if (s->parent[i] != NONE)
            total[s->parent[i]] += total[i];
    }
    uint32_t *inner = s->outermost;              /* where the next loop within goes */
    for (uint32_t i = r->loop_count; i-- > 0;) { /* outer loops first */
        gs_loop *loop = &cfg->loops.items[number[i]];
        uint32_t parent = s->parent[i];
        uint32_t *from = parent == NONE ? used : &inner[parent];
        loop->parent = parent == NONE ? NONE : number[parent];
        loop->depth = parent == NONE ? 1 : cfg->loops.items[number[parent]].depth + 1;
        loop->first_block = *from;
        loop->block_count = total[i];
        *from += total[i];
        inner[i] = loop->first_block + own[i];
        own[i] = loop->first_block;
    }
    for (uint32_t i = 1; i < r->reached; i++) { /* a header is first in this order */
        uint32_t block = s->order[i], loop = s->loop[block];
        if (loop == NONE)
            continue;
        cfg->loop_blocks[own[loop]++] = r->first + block;
        cfg->blocks.items[r->first + block].loop = number[loop];
    }
    return true;
}

/* The blocks from `first` on that belong to the same function. */
static uint32_t run_length(const gs_cfg *cfg, size_t first)
{
    size_t end = first + 1;
    while (end < cfg->blocks.count &&
           cfg->blocks.items[end].function == cfg->blocks.items[first].function)
        end++;
    return (uint32_t)(end - first);
}

/* Blocks that other functions jump to. */
static void find_entered(const gs_cfg *cfg, bool *entered)
{
    for (size_t b = 0; b < cfg->blocks.count; b++) {
        const gs_block *block = &cfg->blocks.items[b];
        for (uint32_t e = 0; e < block->edge_count; e++) {
            uint32_t to = cfg->edges.items[block->first_edge + e].to;
            if (cfg->blocks.items[to].function != block->function)
                entered[to] = true;
        }
    }
}

gs_status gs_cfg_find_loops(gs_cfg *cfg, gs_error *err)
{
    scratch s = {0};
    gs_status status = GS_OK;
    size_t most_blocks = 0, most_edges = 0;
    for (size_t b = 0; b < cfg->blocks.count;) {
        uint32_t count = run_length(cfg, b);
        const gs_block *last = &cfg->blocks.items[b + count - 1];
        size_t edges = last->first_edge + last->edge_count - cfg->blocks.items[b].first_edge;
        most_blocks = count > most_blocks ? count : most_blocks;
        most_edges = edges > most_edges ? edges : most_edges;
        b += count;
    }
    bool *entered = calloc(cfg->blocks.count + 1, sizeof *entered);
    cfg->loop_blocks = malloc((cfg->blocks.count + 1) * sizeof *cfg->loop_blocks);
    if (!entered || !cfg->loop_blocks || !open_scratch(&s, most_blocks, most_edges)) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    find_entered(cfg, entered);
    uint32_t used = 0;
    for (size_t b = 0; b < cfg->blocks.count && !status;) {
        region r = {.cfg = cfg, .s = &s, .first = (uint32_t)b, .count = run_length(cfg, b)};
        b += r.count;
        find_preds(&r);
        find_order(&r, entered);
        find_dominators(&r);
        find_loops(&r);
        if (!keep_loops(&r, &used))
            status = gs_fail_no_memory(err);
    }
out:
    free(entered);
    free(s.memory);
    return status;
}
