#include "engine/fast/inferred.h"

#include <stdlib.h>
#include <string.h>

/* A way as an edge between stretches, or the world outside. */
typedef struct edge {
    uint32_t from, to;
    uint32_t stretch;
    uint8_t way;
    bool chosen;
} edge;

typedef struct finder {
    gs_code *code;
    uint32_t count;   /* of stretches; that is the number of the world outside */
    bool *outside;    /* by stretch: it is as good as that */
    uint32_t *group;  /* by stretch: another one that it is connected with, or itself */
    uint32_t *degree; /* by stretch: chosen edges that are not inferred yet */
    edge *edges;
    size_t edge_count;
} finder;

static bool is_indirect(const gs_stretch *s)
{
    for (unsigned k = 0; k < s->way_count; k++) {
        if (gs_usual_counting(s, k, false) == GS_COUNTED_IN_EDGE)
            return true;
    }
    return false;
}

static void leave_out(finder *f, gs_addr pc)
{
    for (uint32_t i = 0; i < f->count; i++) { /* with its twins */
        if (f->code->stretches[i].pc == pc)
            f->outside[i] = true;
    }
}

static void find_outside(finder *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const gs_stretch *s = &f->code->stretches[i];
        if (gs_inferred_is_start(f->code, s) || is_indirect(s))
            f->outside[i] = true;
        for (unsigned k = 0; k < s->way_count; k++) {
            if (s->ways[k].kind == GS_WAY_CALL_INDIRECT)
                leave_out(f, s->ways[k].back);
        }
    }
}

static void find_backs(finder *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const gs_stretch *s = &f->code->stretches[i];
        for (unsigned k = 0; k < s->way_count; k++) {
            if (s->ways[k].kind == GS_WAY_CALL)
                s->usual->ways[k].back = gs_code_at(f->code, s->ways[k].back);
        }
    }
}

static uint32_t node_of(const finder *f, const gs_stretch *s)
{
    const uint32_t number = s ? (uint32_t)(s - f->code->stretches) : f->count;
    return !s || f->outside[number] ? f->count : number;
}

static void find_edges(finder *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const gs_stretch *s = &f->code->stretches[i];
        for (unsigned k = 0; k < s->way_count; k++) {
            if (gs_usual_counting(s, k, false) == GS_COUNTED_IN_CELL)
                f->edges[f->edge_count++] =
                    (edge){.from = node_of(f, s),
                           .to = node_of(f, gs_usual_next(&s->usual->ways[k])),
                           .stretch = i,
                           .way = (uint8_t)k};
        }
    }
}

static uint32_t group_of(finder *f, uint32_t node)
{
    while (f->group[node] != node)
        node = f->group[node] = f->group[f->group[node]];
    return node;
}

/* Which edges are taken more often than others can only be guessed: the only way out of a stretch,
 * and ways back. */
enum { RANKS = 3 };

static unsigned rank_of(const finder *f, const edge *e)
{
    const gs_stretch *s = &f->code->stretches[e->stretch],
                     *next = gs_usual_next(&s->usual->ways[e->way]);
    return s->way_count == 1 ? 0 : next && next->pc <= s->pc ? 1 : 2;
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
            f->code->stretches[e->stretch].usual->ways[e->way].inferred = true;
        }
    }
}

/* A stretch with one chosen edge that is not inferred yet says how often that is taken. */
static bool put_in_order(finder *f, gs_code *code)
{
    bool more = false;
    for (edge *e = f->edges; e < f->edges + f->edge_count; e++) {
        const bool by_from = e->from < f->count && f->degree[e->from] == 1;
        const bool by_to = e->to < f->count && f->degree[e->to] == 1;
        if (!e->chosen || !(by_from || by_to))
            continue;
        code->inferred[code->inferred_count++] =
            (gs_inferred){by_from ? e->from : e->to, e->stretch, e->way};
        f->degree[e->from]--;
        f->degree[e->to]--;
        e->chosen = false;
        more = true;
    }
    return more;
}

bool gs_inferred_find(gs_code *code, gs_arena *arena)
{
    finder f = {.code = code, .count = (uint32_t)(code->count + code->twins)};
    size_t ways = 0;
    for (uint32_t i = 0; i < f.count; i++)
        ways += code->stretches[i].way_count;
    f.outside = calloc(f.count + 1, sizeof *f.outside);
    f.group = calloc(f.count + 1, sizeof *f.group);
    f.degree = calloc(f.count + 1, sizeof *f.degree);
    f.edges = calloc(ways + 1, sizeof *f.edges);
    code->inferred = gs_arena_alloc(arena, (ways + 1) * sizeof *code->inferred);
    code->inferred_count = 0;
    const bool ok = f.outside && f.group && f.degree && f.edges && code->inferred;
    if (ok) {
        find_outside(&f);
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

void gs_inferred_complete(const gs_stretch *stretches, size_t count, const gs_inferred *inferred,
                          size_t inferred_count, uint64_t *times, uint64_t *balance)
{
    for (size_t i = 0; i < count; i++)
        balance[i] = times[stretches[i].usual->otherwise];
    for (size_t i = 0; i < count; i++) {
        const gs_stretch *s = &stretches[i];
        for (unsigned k = 0; k < s->way_count; k++) {
            const gs_usual_way *way = &s->usual->ways[k];
            if (gs_usual_counting(s, k, false) != GS_COUNTED_IN_CELL || way->inferred)
                continue;
            balance[i] -= times[s->usual->cell + k];
            if (gs_usual_next(way))
                balance[gs_usual_next(way) - stretches] += times[s->usual->cell + k];
        }
    }
    for (const gs_inferred *i = inferred; i < inferred + inferred_count; i++) {
        const gs_stretch *s = &stretches[i->stretch],
                         *next = gs_usual_next(&s->usual->ways[i->way]);
        const uint64_t taken = i->at == i->stretch ? balance[i->at] : -balance[i->at];
        times[s->usual->cell + i->way] = taken;
        balance[i->stretch] -= taken;
        if (next)
            balance[next - stretches] += taken;
    }
}
