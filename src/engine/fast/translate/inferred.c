/* Chooses a spanning forest of exits that are not counted, and computes their counts from the rest.
 */
#include "engine/fast/translate/inferred.h"

#include <stdlib.h>
#include <string.h>

/* An exit as an edge between superblocks, or the world outside. */
typedef struct edge {
    uint32_t from, to;
    uint32_t superblock;
    uint8_t exit;
    bool chosen;
} edge;

typedef struct finder {
    gs_code *code;
    bool at_any_time;
    uint32_t count;   /* of superblocks; that is the number of the world outside */
    bool *outside;    /* by superblock: it is as good as that */
    uint32_t *group;  /* by superblock: another one that it is connected with, or itself */
    uint32_t *degree; /* by superblock: chosen edges that are not inferred yet */
    edge *edges;
    size_t edge_count;
} finder;

static bool is_indirect(const gs_superblock *s)
{
    for (unsigned k = 0; k < s->exit_count; k++) {
        if (gs_predict_counting(s, k, false) == GS_COUNTED_IN_EDGE)
            return true;
    }
    return false;
}

static void leave_out(finder *f, gs_addr pc)
{
    for (uint32_t i = 0; i < f->count; i++) { /* with its clones */
        if (f->code->superblocks[i].pc == pc)
            f->outside[i] = true;
    }
}

static void find_outside(finder *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const gs_superblock *s = &f->code->superblocks[i];
        if (gs_inferred_is_start(f->code, s) || is_indirect(s))
            f->outside[i] = true;
        for (unsigned k = 0; k < s->exit_count; k++) {
            if (s->exits[k].kind == GS_SB_EXIT_CALL_INDIRECT ||
                (f->at_any_time && s->exits[k].kind == GS_SB_EXIT_CALL))
                leave_out(f, s->exits[k].back);
        }
    }
}

static void find_backs(finder *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const gs_superblock *s = &f->code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            if (s->exits[k].kind == GS_SB_EXIT_CALL)
                s->predicted->exits[k].back = gs_code_at(f->code, s->exits[k].back);
        }
    }
}

static uint32_t node_of(const finder *f, const gs_superblock *s)
{
    const uint32_t number = s ? (uint32_t)(s - f->code->superblocks) : f->count;
    return !s || f->outside[number] ? f->count : number;
}

static void find_edges(finder *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const gs_superblock *s = &f->code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            if (gs_predict_counting(s, k, false) == GS_COUNTED_IN_CELL)
                f->edges[f->edge_count++] =
                    (edge){.from = node_of(f, s),
                           .to = node_of(f, gs_predict_next(&s->predicted->exits[k])),
                           .superblock = i,
                           .exit = (uint8_t)k};
        }
    }
}

static uint32_t group_of(finder *f, uint32_t node)
{
    while (f->group[node] != node)
        node = f->group[node] = f->group[f->group[node]];
    return node;
}

/* Which edges are taken more often than others can only be guessed: the only exit of a
 * superblock, and back edges. */
enum { RANKS = 3 };

static unsigned rank_of(const finder *f, const edge *e)
{
    const gs_superblock *s = &f->code->superblocks[e->superblock],
                        *next = gs_predict_next(&s->predicted->exits[e->exit]);
    return s->exit_count == 1 ? 0 : next && next->pc <= s->pc ? 1 : 2;
}

static void choose(finder *f)
{
    for (uint32_t i = 0; i <= f->count; i++)
        f->group[i] = i;
    for (unsigned rank = 0; rank < RANKS; rank++) {
        for (edge *e = f->edges; e < f->edges + f->edge_count; e++) {
            const uint32_t from = group_of(f, e->from), to = group_of(f, e->to);
            if (rank_of(f, e) != rank || from == to)
                continue;
            f->group[from] = to;
            e->chosen = true;
            f->degree[e->from]++;
            f->degree[e->to]++;
            f->code->superblocks[e->superblock].predicted->exits[e->exit].inferred = true;
        }
    }
}

/* A superblock with one chosen edge that is not inferred yet says how often that is taken. */
static bool put_in_order(finder *f, gs_code *code)
{
    bool more = false;
    for (edge *e = f->edges; e < f->edges + f->edge_count; e++) {
        const bool by_from = e->from < f->count && f->degree[e->from] == 1;
        const bool by_to = e->to < f->count && f->degree[e->to] == 1;
        if (!e->chosen || !(by_from || by_to))
            continue;
        code->inferred[code->inferred_count++] =
            (gs_inferred){by_from ? e->from : e->to, e->superblock, e->exit};
        f->degree[e->from]--;
        f->degree[e->to]--;
        e->chosen = false;
        more = true;
    }
    return more;
}

bool gs_inferred_find(gs_code *code, bool at_any_time, gs_arena *arena)
{
    finder f = {
        .code = code, .at_any_time = at_any_time, .count = (uint32_t)(code->count + code->clones)};
    size_t exits = 0;
    for (uint32_t i = 0; i < f.count; i++)
        exits += code->superblocks[i].exit_count;
    f.outside = calloc(f.count + 1, sizeof *f.outside);
    f.group = calloc(f.count + 1, sizeof *f.group);
    f.degree = calloc(f.count + 1, sizeof *f.degree);
    f.edges = calloc(exits + 1, sizeof *f.edges);
    code->inferred = gs_arena_alloc(arena, (exits + 1) * sizeof *code->inferred);
    code->inferred_count = 0;
    const bool ok = f.outside && f.group && f.degree && f.edges && code->inferred;
    if (ok) {
        find_outside(&f);
        if (!at_any_time)
            find_backs(&f);
        find_edges(&f);
        choose(&f);
        while (put_in_order(&f, code))
            continue;
    }
    free(f.outside);
    free(f.group);
    free(f.degree);
    free(f.edges);
    return ok;
}

void gs_inferred_complete(const gs_superblock *superblocks, size_t count,
                          const gs_inferred *inferred, size_t inferred_count, uint64_t *times,
                          uint64_t *balance)
{
    for (size_t i = 0; i < count; i++)
        balance[i] = times[superblocks[i].predicted->otherwise];
    for (size_t i = 0; i < count; i++) {
        const gs_superblock *s = &superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            const gs_predicted_exit *exit = &s->predicted->exits[k];
            if (gs_predict_counting(s, k, false) != GS_COUNTED_IN_CELL || exit->inferred)
                continue;
            balance[i] -= times[s->predicted->cell + k];
            if (gs_predict_next(exit))
                balance[gs_predict_next(exit) - superblocks] += times[s->predicted->cell + k];
        }
    }
    for (const gs_inferred *i = inferred; i < inferred + inferred_count; i++) {
        const gs_superblock *s = &superblocks[i->superblock],
                            *next = gs_predict_next(&s->predicted->exits[i->exit]);
        const uint64_t taken = i->at == i->superblock ? balance[i->at] : -balance[i->at];
        times[s->predicted->cell + i->exit] = taken;
        balance[i->superblock] -= taken;
        if (next)
            balance[next - superblocks] += taken;
    }
}
