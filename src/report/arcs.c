/* Computes calls between functions, with their costs, from the tree of call paths. */
#include "report/arcs.h"

#include <stdlib.h>

#include "base/error.h"

static int by_caller(const void *a, const void *b)
{
    const gs_arc *x = a, *y = b;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    if (x->callee != y->callee)
        return x->callee < y->callee ? -1 : 1;
    return x->recursive - y->recursive;
}

/* Whether a node stands for a thread, or for the function it begins with: nothing called it. */
static bool is_begun(const gs_profile_node *nodes, size_t node)
{
    return nodes[node].kind == GS_FRAME_THREAD || nodes[nodes[node].parent].kind == GS_FRAME_THREAD;
}

static void subtract(gs_metrics *from, const gs_metrics *less)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        from->value[i] -= less->value[i];
}

/* An arc for every node but the root, at the node's index less 1. */
static void draw(gs_arc *arcs, const gs_profile *profile, const gs_metrics *inclusive)
{
    const gs_profile_node *nodes = profile->nodes.items;
    for (size_t i = 1; i < profile->nodes.count; i++) {
        gs_arc *arc = &arcs[i - 1];
        arc->caller = nodes[nodes[i].parent].function;
        arc->callee = nodes[i].function;
        arc->site = nodes[i].site;
        arc->calls = nodes[i].calls;
        gs_metrics_add(&arc->self, &nodes[i].self);
        gs_metrics_add(&arc->cost, &inclusive[i]);
        gs_metrics_add(&arc->inclusive, &inclusive[i]);
        /* The nearest activation of the same function, and the call that led here from it. */
        size_t below = i;
        uint32_t up = nodes[i].parent;
        while (up != GS_PROFILE_NONE &&
               (nodes[up].kind == GS_FRAME_THREAD || nodes[up].function != nodes[i].function)) {
            below = up;
            up = nodes[up].parent;
        }
        if (up == GS_PROFILE_NONE)
            continue;
        arc->recursive = true;
        if (up > 0 && arcs[up - 1].recursive)
            arc->inclusive = (gs_metrics){0};
        subtract(&arcs[below - 1].cost, &inclusive[i]);
        if (below == i)
            arc->self = (gs_metrics){0};
    }
}

gs_status gs_arcs_open(gs_arc **out, size_t *count, const gs_profile *profile, gs_error *err)
{
    *out = NULL;
    *count = 0;
    if (profile->nodes.count < 2)
        return GS_OK;
    gs_metrics *inclusive = gs_profile_inclusive(profile);
    gs_arc *arcs = calloc(profile->nodes.count - 1, sizeof *arcs);
    if (!inclusive || !arcs) {
        free(inclusive);
        free(arcs);
        return gs_fail_no_memory(err);
    }
    draw(arcs, profile, inclusive);
    free(inclusive);
    size_t drawn = 0;
    for (size_t i = 1; i < profile->nodes.count; i++) {
        if (!is_begun(profile->nodes.items, i))
            arcs[drawn++] = arcs[i - 1];
    }
    if (drawn == 0) {
        free(arcs);
        return GS_OK;
    }
    qsort(arcs, drawn, sizeof *arcs, by_caller);
    size_t kept = 0;
    for (size_t i = 1; i < drawn; i++) {
        if (by_caller(&arcs[kept], &arcs[i]) != 0) {
            arcs[++kept] = arcs[i];
            continue;
        }
        arcs[kept].calls += arcs[i].calls;
        gs_metrics_add(&arcs[kept].self, &arcs[i].self);
        gs_metrics_add(&arcs[kept].cost, &arcs[i].cost);
        gs_metrics_add(&arcs[kept].inclusive, &arcs[i].inclusive);
    }
    *out = arcs;
    *count = kept + 1;
    return GS_OK;
}
