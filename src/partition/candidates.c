/*
 * Finds candidates, and what each comes to with everything it calls.
 *
 * What a function costs below a candidate is its share by instructions: the call tree knows how
 * many instructions were executed on a path, and the function's own regions how many states an
 * instruction of it is.
 */
#include "partition/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"
#include "partition/liveness.h"

enum { LEAST_SHARE = 1000, SETTLED = 64 };

/* Where a node of the call tree is, seen from a candidate. */
enum { OUTSIDE, INSIDE, LEFT_OUT };

typedef struct finder {
    const gs_hw_costs *costs;
    const gs_profile *profile;
    gs_metrics *inclusive; /* by node */
    uint8_t *where;        /* by node */
    uint8_t *words;        /* by function: arguments and result */
    gs_hw_candidates *out;
} finder;

static bool has_member(const gs_hw_candidate *c, uint32_t function)
{
    return c->members[function / SETTLED] >> (function % SETTLED) & 1;
}

/* The first of those that count most: what lies in the candidate's own code before what it calls.
 */
static void hinder(gs_hw_candidate *c, gs_hw_hindrance hindrance)
{
    if (!c->hindered)
        c->hindrance = hindrance;
    c->hindered = true;
}

/* In a function's own code; NULL if there is none. They are sorted by address, as functions are. */
static const gs_hw_hindrance *first_hindrance(const gs_hw_costs *costs, uint32_t function)
{
    const gs_hw_hindrance *items = costs->hindrances.items;
    const size_t at = gs_count_below(items, costs->hindrances.count, function, function);
    return at < costs->hindrances.count && items[at].function == function ? &items[at] : NULL;
}

/* Its own code, of which `share` is executed here; the first time with what it is made of. */
static void add_function(const finder *f, gs_hw_candidate *c, const gs_profile_node *node)
{
    const gs_hw_cost *own = &f->costs->functions[node->function];
    const double instructions = (double)own->instructions;
    const double share =
        instructions > 0 ? (double)node->self.value[GS_METRIC_INSTRUCTIONS] / instructions : 0;
    gs_hw_cost more = *own;
    if (has_member(c, node->function)) {
        more = (gs_hw_cost){.cycles = own->cycles, .loads = own->loads, .stores = own->stores};
    } else {
        c->members[node->function / SETTLED] |= UINT64_C(1) << (node->function % SETTLED);
        const gs_hw_hindrance *first = first_hindrance(f->costs, node->function);
        if (first)
            hinder(c, *first);
    }
    gs_hw_cost_add(&c->cost, &more, share);
}

static bool is_on_path(const finder *f, uint32_t node, uint32_t function)
{
    uint32_t at = f->profile->nodes.items[node].parent;
    for (; at != GS_PROFILE_NONE && f->where[at] == INSIDE;
         at = f->profile->nodes.items[at].parent) {
        if (f->profile->nodes.items[at].function == function)
            return true;
    }
    return false;
}

/* A function called inside of a candidate. */
static void add_called(const finder *f, gs_hw_candidate *c, uint32_t index)
{
    const gs_profile_node *node = &f->profile->nodes.items[index];
    const gs_hw_hindrance call = {.callee = node->function,
                                  .function = f->profile->nodes.items[node->parent].function,
                                  .pc = node->site};
    f->where[index] = LEFT_OUT;
    if (node->function == GS_PROFILE_NONE || node->kind == GS_FRAME_TRAP)
        return;
    const gs_hls_kind kind = (gs_hls_kind)f->costs->runtime[node->function];
    if (kind != GS_HLS_KIND_COUNT) {
        const gs_hls_operator *op = &f->costs->hls->operators[kind];
        c->cost.uses[kind]++;
        c->cost.cycles += (double)node->calls * (op->cycles ? op->cycles : 1);
        return;
    }
    if (f->costs->stays[node->function] >= 0) {
        gs_hw_hindrance stays = call;
        stays.kind = (gs_hw_hindrance_kind)f->costs->stays[node->function];
        hinder(c, stays);
        return;
    }
    if (is_on_path(f, index, node->function)) {
        gs_hw_hindrance recursion = call;
        recursion.kind = GS_HW_RECURSION;
        hinder(c, recursion);
    }
    f->where[index] = INSIDE;
    c->cost.cycles += (double)node->calls * f->costs->hls->call;
    add_function(f, c, node);
}

/* Whether the candidate begins at a node: at its function, or with a call from its loop. */
static bool begins_at(const finder *f, const gs_hw_candidate *c, uint32_t index)
{
    const gs_profile_node *node = &f->profile->nodes.items[index];
    if (!c->is_loop)
        return node->function == c->function;
    return node->parent != GS_PROFILE_NONE &&
           f->profile->nodes.items[node->parent].function == c->function &&
           gs_hw_in_loop(f->profile, node->site, c->loop);
}

/* Code of a function that nothing has called is the program's start. */
static void check_start(const finder *f, gs_hw_candidate *c, uint32_t index)
{
    const uint32_t parent = f->profile->nodes.items[index].parent;
    if (parent == GS_PROFILE_NONE || f->profile->nodes.items[parent].function == GS_PROFILE_NONE)
        hinder(c, (gs_hw_hindrance){.kind = GS_HW_START,
                                    .function = c->function,
                                    .callee = GS_PROFILE_NONE,
                                    .pc = f->profile->functions.items[c->function].start});
}

static void begin_function(const finder *f, gs_hw_candidate *c, uint32_t index)
{
    const gs_profile_node *node = &f->profile->nodes.items[index];
    f->where[index] = INSIDE;
    c->software += f->inclusive[index].value[GS_METRIC_CYCLES];
    c->times += node->calls;
    add_function(f, c, node);
}

static void walk(const finder *f, gs_hw_candidate *c)
{
    for (uint32_t i = 0; i < f->profile->nodes.count; i++) {
        const uint32_t parent = f->profile->nodes.items[i].parent;
        f->where[i] = parent == GS_PROFILE_NONE ? OUTSIDE : f->where[parent];
        if (f->where[i] == OUTSIDE && f->profile->nodes.items[i].function == c->function)
            check_start(f, c, i);
        if (f->where[i] == INSIDE)
            add_called(f, c, i);
        else if (f->where[i] == OUTSIDE && begins_at(f, c, i) && c->is_loop)
            add_called(f, c, i);
        else if (f->where[i] == OUTSIDE && begins_at(f, c, i))
            begin_function(f, c, i);
    }
}

static void add_loop(const finder *f, gs_hw_candidate *c)
{
    const gs_profile_loop *loop = &f->profile->loops.items[c->loop];
    c->software = loop->inclusive.value[GS_METRIC_CYCLES];
    c->times = loop->entries;
    gs_hw_cost_add(&c->cost, &f->costs->loops[c->loop], 1);
    for (size_t i = 0; i < f->costs->hindrances.count; i++) {
        const gs_hw_hindrance *hindrance = &f->costs->hindrances.items[i];
        if (hindrance->function == c->function && gs_hw_in_loop(f->profile, hindrance->pc, c->loop))
            hinder(c, *hindrance);
    }
}

double gs_hw_clock_ratio(const gs_profile *profile, const gs_hls *hls)
{
    const double hz = (double)profile->run.clock_hz;
    return hz > 0 && profile->run.core[0] ? hz * hls->clock_ns * 1e-9 : 1;
}

static void finish(const finder *f, gs_hw_candidate *c)
{
    const gs_hls *hls = f->costs->hls;
    c->words = c->is_loop ? gs_hw_loop_words(&f->costs->code, c->loop) : f->words[c->function];
    c->transfers = (double)c->times * (hls->bus_start + c->words * (double)hls->bus_word) +
                   c->cost.loads * hls->bus_load + c->cost.stores * hls->bus_store;
    c->total = c->cost.cycles * gs_hw_clock_ratio(f->profile, hls) + c->transfers;
    gs_hw_cost_area(&c->cost, hls, c->area);
}

static bool takes_enough(const finder *f, uint64_t cycles)
{
    return cycles > 0 && cycles >= f->profile->total.value[GS_METRIC_CYCLES] / LEAST_SHARE;
}

static gs_status add(finder *f, uint32_t function, uint32_t loop, gs_error *err)
{
    gs_hw_candidate c = {.is_loop = loop != GS_PROFILE_NONE, .function = function, .loop = loop};
    c.members = calloc(f->profile->functions.count / SETTLED + 1, sizeof *c.members);
    if (!c.members)
        return gs_fail_no_memory(err);
    if (f->costs->stays[function] >= 0)
        hinder(&c, (gs_hw_hindrance){
                       .kind = (gs_hw_hindrance_kind)f->costs->stays[function],
                       .function = function,
                       .callee = GS_PROFILE_NONE,
                       .pc = f->profile->functions.items[function].start,
                   });
    if (c.is_loop)
        add_loop(f, &c);
    walk(f, &c);
    finish(f, &c);
    const bool matters = takes_enough(f, c.software);
    if (matters && gs_vec_push(f->out, c))
        return GS_OK;
    free(c.members);
    return matters ? gs_fail_no_memory(err) : GS_OK;
}

static gs_status add_all(finder *f, gs_error *err)
{
    const gs_profile *p = f->profile;
    uint64_t *inclusive =
        calloc(p->functions.count + 1, sizeof *inclusive); /* or more: recursion */
    gs_status status = inclusive ? GS_OK : gs_fail_no_memory(err);
    for (size_t i = 0; i < p->nodes.count && status == GS_OK; i++) {
        if (p->nodes.items[i].function != GS_PROFILE_NONE)
            inclusive[p->nodes.items[i].function] += f->inclusive[i].value[GS_METRIC_CYCLES];
    }
    for (uint32_t i = 0; i < p->functions.count && status == GS_OK; i++) {
        const bool runtime = f->costs->runtime[i] != GS_HLS_KIND_COUNT;
        if (!runtime && takes_enough(f, inclusive[i]))
            status = add(f, i, GS_PROFILE_NONE, err);
    }
    for (uint32_t i = 0; i < p->loops.count && status == GS_OK; i++) {
        const uint32_t function = p->loops.items[i].function;
        if (function != GS_PROFILE_NONE && f->costs->runtime[function] == GS_HLS_KIND_COUNT)
            status = add(f, function, i, err);
    }
    free(inclusive);
    return status;
}

static int by_software(const void *a, const void *b)
{
    const gs_hw_candidate *x = a, *y = b;
    if (x->software != y->software)
        return x->software > y->software ? -1 : 1;
    if (x->is_loop != y->is_loop)
        return x->is_loop ? 1 : -1;
    return x->is_loop ? (x->loop > y->loop) - (x->loop < y->loop)
                      : (x->function > y->function) - (x->function < y->function);
}

gs_status gs_hw_candidates_find(gs_hw_candidates *out, const gs_hw_costs *costs, gs_error *err)
{
    const gs_profile *p = costs->code.profile;
    finder f = {.costs = costs, .profile = p, .out = out};
    *out = (gs_hw_candidates){0};
    f.inclusive = gs_profile_inclusive(p);
    f.where = calloc(p->nodes.count + 1, sizeof *f.where);
    f.words = gs_hw_function_words(&costs->code);
    gs_status status =
        f.inclusive && f.where && f.words ? add_all(&f, err) : gs_fail_no_memory(err);
    free(f.inclusive);
    free(f.where);
    free(f.words);
    if (status != GS_OK)
        gs_hw_candidates_free(out);
    else if (out->count)
        qsort(out->items, out->count, sizeof *out->items, by_software);
    return status;
}

void gs_hw_candidates_free(gs_hw_candidates *candidates)
{
    for (size_t i = 0; i < candidates->count; i++)
        free(candidates->items[i].members);
    free(candidates->items);
    *candidates = (gs_hw_candidates){0};
}

/* Whether loop `inner` is `outer`, or inside of it. */
static bool is_loop_inside(const gs_profile *profile, uint32_t inner, uint32_t outer)
{
    while (inner != GS_PROFILE_NONE && inner != outer)
        inner = profile->loops.items[inner].parent;
    return inner == outer;
}

static bool has_inside(const gs_profile *profile, const gs_hw_candidate *outer,
                       const gs_hw_candidate *inner)
{
    if (has_member(outer, inner->function))
        return true;
    return outer->is_loop && inner->is_loop && outer->function == inner->function &&
           is_loop_inside(profile, inner->loop, outer->loop);
}

bool gs_hw_nested(const gs_profile *profile, const gs_hw_candidate *a, const gs_hw_candidate *b)
{
    return has_inside(profile, a, b) || has_inside(profile, b, a);
}
