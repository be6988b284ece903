#include "report/paths.h"

#include <stdlib.h>

#include "base/error.h"
#include "report/inlined_nodes.h"

enum { NONE = -1 };

/* A path while the tree is being made: children in a list. */
typedef struct draft {
    gs_path path; /* `parent` is an index of drafts */
    int64_t first, next;
} draft;

static int64_t child_of(const draft *drafts, int64_t parent, uint32_t function)
{
    int64_t child = drafts[parent].first;
    while (child != NONE && drafts[child].path.function != function)
        child = drafts[child].next;
    return child;
}

/* Merges nodes into drafts, parents first; returns how many there are. */
static size_t merge(draft *drafts, uint32_t *draft_of, const gs_profile_node *nodes,
                    const bool *estimated, size_t node_count)
{
    size_t count = 0;
    for (size_t i = 0; i < node_count; i++) {
        const gs_profile_node *node = &nodes[i];
        /* A node above nothing, other than the root, can only come from a damaged file. */
        int64_t parent = i == 0 ? NONE : node->parent < i ? (int64_t)draft_of[node->parent] : 0;
        int64_t at = parent == NONE ? NONE : child_of(drafts, parent, node->function);
        if (at == NONE) {
            at = (int64_t)count++;
            drafts[at] = (draft){.path = {.parent = GS_PROFILE_NONE, .function = node->function},
                                 .first = NONE,
                                 .next = NONE};
            if (parent != NONE) {
                drafts[at].path.parent = (uint32_t)parent;
                drafts[at].path.depth = drafts[parent].path.depth + 1;
                drafts[at].next = drafts[parent].first;
                drafts[parent].first = at;
            }
        }
        draft_of[i] = (uint32_t)at;
        drafts[at].path.calls += node->calls;
        drafts[at].path.estimated |= estimated && estimated[i];
        gs_metrics_add(&drafts[at].path.self, &node->self);
    }
    for (size_t i = count; i > 0; i--) {
        gs_path *path = &drafts[i - 1].path;
        gs_metrics_add(&path->inclusive, &path->self);
        if (path->parent != GS_PROFILE_NONE)
            gs_metrics_add(&drafts[path->parent].path.inclusive, &path->inclusive);
    }
    return count;
}

typedef struct ordering {
    const draft *drafts;
    gs_metric metric;
} ordering;

/* The costliest last: that is the top of the stack below. */
static int by_cost(const void *a, const void *b, void *context)
{
    const ordering *o = context;
    const gs_path *x = &o->drafts[*(const uint32_t *)a].path;
    const gs_path *y = &o->drafts[*(const uint32_t *)b].path;
    uint64_t p = x->inclusive.value[o->metric], q = y->inclusive.value[o->metric];
    if (p != q)
        return p < q ? -1 : 1;
    return (x->function < y->function) - (x->function > y->function);
}

/* Depth-first, with the paths still to come on a stack. */
static void arrange(gs_path *paths, uint32_t *stack, uint32_t *place, const draft *drafts,
                    gs_metric metric)
{
    ordering order = {drafts, metric};
    size_t waiting = 0, done = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
        uint32_t at = stack[--waiting];
        place[at] = (uint32_t)done;
        paths[done] = drafts[at].path;
        if (paths[done].parent != GS_PROFILE_NONE)
            paths[done].parent = place[paths[done].parent];
        done++;
        size_t first = waiting;
        for (int64_t child = drafts[at].first; child != NONE; child = drafts[child].next)
            stack[waiting++] = (uint32_t)child;
        if (waiting - first > 1)
            qsort_r(stack + first, waiting - first, sizeof *stack, by_cost, &order);
    }
}

static gs_status make_paths(gs_path **out, size_t *count, const gs_profile_node *nodes,
                            const bool *estimated, size_t node_count, gs_metric order,
                            gs_error *err)
{
    gs_status status = GS_OK;
    draft *drafts = calloc(node_count, sizeof *drafts);
    uint32_t *draft_of = calloc(node_count, sizeof *draft_of);
    uint32_t *stack = calloc(node_count, sizeof *stack);
    gs_path *paths = NULL;
    if (!drafts || !draft_of || !stack) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    *count = merge(drafts, draft_of, nodes, estimated, node_count);
    paths = calloc(*count, sizeof *paths);
    if (!paths) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    arrange(paths, stack, draft_of, drafts, order);
    *out = paths;
out:
    free(drafts);
    free(draft_of);
    free(stack);
    return status;
}

gs_status gs_paths_open(gs_path **out, size_t *count, const gs_profile *profile, gs_metric order,
                        bool inlines, gs_error *err)
{
    *out = NULL;
    *count = 0;
    if (profile->nodes.count == 0)
        return GS_OK;
    if (!inlines)
        return make_paths(out, count, profile->nodes.items, NULL, profile->nodes.count, order, err);
    gs_inlined_nodes nodes;
    gs_status status = gs_inlined_nodes_open(&nodes, profile, err);
    if (status == GS_OK)
        status = make_paths(out, count, nodes.items, nodes.estimated, nodes.count, order, err);
    gs_inlined_nodes_close(&nodes);
    return status;
}
