/* Puts inlined calls into the tree of call paths, and shares out costs among them. */
#include "report/inlined_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/names.h"

/* The inlined calls of one function, outer ones first, and what each cost on all paths. */
typedef struct members {
    size_t first, count; /* in `calls` and `costs` */
    gs_metrics all;      /* what the costs are parts of */
    size_t paths;        /* that spent anything in it */
    bool elsewhere;      /* some of its code ran as a part of other functions' paths */
} members;

typedef struct expansion {
    const gs_profile *profile;
    members *functions;  /* and one for what is in no function */
    uint32_t *calls;     /* indices of inlined calls, by function */
    gs_metrics *costs;   /* the same order */
    uint32_t *same_name; /* per inlined call: the first one with its name */
    size_t total;        /* of calls */
} expansion;

static size_t function_of(const gs_profile *profile, uint32_t function)
{
    return function < profile->functions.count ? function : profile->functions.count;
}

/* A pair of a function and an inlined call in it. */
typedef struct pair {
    uint32_t function, call;
} pair;

static int by_function(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

static size_t depth_of(const gs_profile *profile, uint32_t call)
{
    size_t depth = 0;
    for (; call != GS_PROFILE_NONE; call = profile->inlines.items[call].outer)
        depth++;
    return depth;
}

/* Every call around every instruction, each once per function; indices put outer ones first. */
static bool collect(expansion *e)
{
    const gs_profile *profile = e->profile;
    size_t room = 0, count = 0, functions = profile->functions.count;
    const gs_profile_insn *last = NULL;
    for (size_t i = 0; i < profile->insns.count; i++)
        room += depth_of(profile, profile->insns.items[i].inlined);
    pair *pairs = calloc(room + 1, sizeof *pairs);
    e->functions = calloc(functions + 1, sizeof *e->functions);
    if (!pairs || !e->functions) {
        free(pairs);
        return false;
    }
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        if (last && last->inlined == insn->inlined && last->function == insn->function)
            continue;
        last = insn;
        for (uint32_t c = insn->inlined; c != GS_PROFILE_NONE; c = profile->inlines.items[c].outer)
            pairs[count++] = (pair){(uint32_t)function_of(profile, insn->function), c};
    }
    qsort(pairs, count, sizeof *pairs, by_function);
    e->calls = calloc(count + 1, sizeof *e->calls);
    e->costs = calloc(count + 1, sizeof *e->costs);
    for (size_t i = 0; e->calls && e->costs && i < count; i++) {
        if (i > 0 && by_function(&pairs[i], &pairs[i - 1]) == 0)
            continue;
        members *m = &e->functions[pairs[i].function];
        if (m->count++ == 0)
            m->first = e->total;
        e->calls[e->total++] = pairs[i].call;
    }
    free(pairs);
    return e->calls && e->costs;
}

/* Where `call` is among the calls of a function; it has to be one of them. */
static size_t place_of(const expansion *e, const members *m, uint32_t call)
{
    size_t low = m->first, high = m->first + m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->calls[middle] < call)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * A path may have more than the instructions of its function: code that belongs to its caller's
 * frame, such as the millicode that saves registers, counts there.
 */
static bool add_costs(expansion *e)
{
    const gs_profile *profile = e->profile;
    size_t functions = profile->functions.count + 1;
    static const gs_metrics nothing;
    gs_metrics *own = calloc(functions, sizeof *own);
    if (!own)
        return false;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const gs_profile_node *node = &profile->nodes.items[i];
        members *m = &e->functions[function_of(profile, node->function)];
        gs_metrics_add(&m->all, &node->self);
        m->paths += memcmp(&node->self, &nothing, sizeof nothing) != 0;
    }
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        size_t f = function_of(profile, insn->function);
        gs_metrics_add(&own[f], &insn->cost);
        if (insn->inlined != GS_PROFILE_NONE)
            gs_metrics_add(&e->costs[place_of(e, &e->functions[f], insn->inlined)], &insn->cost);
    }
    for (size_t f = 0; f < functions; f++) {
        members *m = &e->functions[f];
        for (unsigned k = 0; k < GS_METRIC_COUNT; k++) {
            if (own[f].value[k] <= m->all.value[k])
                continue;
            m->all.value[k] = own[f].value[k];
            m->elsewhere = true;
        }
    }
    free(own);
    return true;
}

static int by_name(const void *a, const void *b, void *profile)
{
    const gs_profile *p = profile;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = strcmp(p->inlines.items[x].function, p->inlines.items[y].function);
    return order ? order : (x > y) - (x < y);
}

static bool find_names(expansion *e)
{
    const gs_profile *profile = e->profile;
    size_t count = profile->inlines.count;
    uint32_t *sorted = calloc(count + 1, sizeof *sorted);
    e->same_name = calloc(count + 1, sizeof *e->same_name);
    if (!sorted || !e->same_name) {
        free(sorted);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = (uint32_t)i;
    qsort_r(sorted, count, sizeof *sorted, by_name, (void *)profile);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && strcmp(profile->inlines.items[sorted[i]].function,
                                    profile->inlines.items[sorted[i - 1]].function) == 0;
        e->same_name[sorted[i]] = same ? e->same_name[sorted[i - 1]] : sorted[i];
    }
    free(sorted);
    return true;
}

/* What of `part`, out of `all`, falls to `value`: rounded down, without overflow. */
static uint64_t portion(uint64_t value, uint64_t part, uint64_t all)
{
    return all ? (uint64_t)((unsigned __int128)value * part / all) : 0;
}

/* Takes the cost of the inlined calls out of what is the node's own. */
static void share_out(const expansion *e, const members *m, gs_profile_node *nodes)
{
    gs_metrics whole = nodes[0].self;
    for (size_t i = 0; i < m->count; i++) {
        const gs_metrics *cost = &e->costs[m->first + i];
        for (unsigned k = 0; k < GS_METRIC_COUNT; k++) {
            uint64_t value = portion(whole.value[k], cost->value[k], m->all.value[k]);
            nodes[1 + i].self.value[k] = value;
            nodes[0].self.value[k] -= value;
        }
    }
}

static uint32_t inlined_at(const gs_profile *profile, uint32_t pc)
{
    const gs_profile_insn *insn = gs_profile_insn_at(profile, pc);
    return insn ? insn->inlined : GS_PROFILE_NONE;
}

/* A node and, right behind it, one for every inlined call of its function. */
static void fill(const expansion *e, gs_inlined_nodes *to, const size_t *base)
{
    const gs_profile *profile = e->profile;
    for (size_t n = 0; n < profile->nodes.count; n++) {
        const gs_profile_node *node = &profile->nodes.items[n];
        const members *m = &e->functions[function_of(profile, node->function)];
        gs_profile_node *made = &to->items[base[n]];
        made[0] = *node;
        if (node->parent != GS_PROFILE_NONE) {
            uint32_t caller = profile->nodes.items[node->parent].function;
            const members *above = &e->functions[function_of(profile, caller)];
            uint32_t call = inlined_at(profile, node->site);
            size_t at =
                call == GS_PROFILE_NONE ? above->first + above->count : place_of(e, above, call);
            bool there = at < above->first + above->count && e->calls[at] == call;
            made[0].parent = (uint32_t)(base[node->parent] + (there ? 1 + at - above->first : 0));
        }
        for (size_t i = 0; i < m->count; i++) {
            uint32_t call = e->calls[m->first + i], outer = profile->inlines.items[call].outer;
            size_t up = outer == GS_PROFILE_NONE ? 0 : 1 + place_of(e, m, outer) - m->first;
            made[1 + i] = (gs_profile_node){
                .parent = (uint32_t)(base[n] + up),
                .function = gs_report_inlined_id(profile, e->same_name[call]),
                .thread = GS_PROFILE_NONE,
                .kind = GS_FRAME_CALL,
            };
        }
        share_out(e, m, made);
        for (size_t i = 0; i <= m->count; i++)
            to->estimated[base[n] + i] = m->count > 0 && (m->paths > 1 || m->elsewhere);
    }
}

/* Inlined calls in which nothing was spent, and from which nothing was called, are left out. */
static bool compact(const gs_profile *profile, gs_inlined_nodes *to)
{
    uint32_t *moved = calloc(to->count + 1, sizeof *moved);
    if (!moved)
        return false;
    for (size_t i = to->count; i > 0; i--) {
        const gs_profile_node *node = &to->items[i - 1];
        bool used = moved[i - 1] ||
                    function_of(profile, node->function) != profile->functions.count ||
                    node->function == GS_PROFILE_NONE;
        for (unsigned k = 0; k < GS_METRIC_COUNT; k++)
            used |= node->self.value[k] > 0;
        moved[i - 1] = used;
        if (used && node->parent != GS_PROFILE_NONE)
            moved[node->parent] = 1;
    }
    size_t kept = 0;
    for (size_t i = 0; i < to->count; i++) {
        if (!moved[i])
            continue;
        moved[i] = (uint32_t)kept;
        to->estimated[kept] = to->estimated[i];
        to->items[kept] = to->items[i];
        if (to->items[kept].parent != GS_PROFILE_NONE)
            to->items[kept].parent = moved[to->items[kept].parent];
        kept++;
    }
    to->count = kept;
    free(moved);
    return true;
}

gs_status gs_inlined_nodes_open(gs_inlined_nodes *nodes, const gs_profile *profile, gs_error *err)
{
    expansion e = {.profile = profile};
    *nodes = (gs_inlined_nodes){0};
    size_t *base = calloc(profile->nodes.count + 1, sizeof *base);
    bool good = base && collect(&e) && find_names(&e) && add_costs(&e);
    if (good) {
        for (size_t n = 0; n < profile->nodes.count; n++) {
            base[n] = nodes->count;
            uint32_t function = profile->nodes.items[n].function;
            nodes->count += 1 + e.functions[function_of(profile, function)].count;
        }
        nodes->items = calloc(nodes->count + 1, sizeof *nodes->items);
        nodes->estimated = calloc(nodes->count + 1, sizeof *nodes->estimated);
        good = nodes->items && nodes->estimated && nodes->count < GS_PROFILE_NONE;
    }
    if (good) {
        fill(&e, nodes, base);
        good = compact(profile, nodes);
    }
    free(base);
    free(e.functions);
    free(e.calls);
    free(e.costs);
    free(e.same_name);
    if (good)
        return GS_OK;
    gs_inlined_nodes_close(nodes);
    return gs_fail_no_memory(err);
}

void gs_inlined_nodes_close(gs_inlined_nodes *nodes)
{
    free(nodes->items);
    free(nodes->estimated);
    *nodes = (gs_inlined_nodes){0};
}
