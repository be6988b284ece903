/* Merges nodes of the call tree with the same functions into paths, the costliest first. */
#include "report/paths.h"

#include <stdlib.h>

#include "base/error.h"
#include "report/inlined_nodes.h"
#include "report/names.h"

enum { NONE = -1 };

/* A path while the tree is being made: children in a list. */
typedef struct draft {
    gs_path path; /* `parent` is an index of drafts */
    int64_t first, next;
} draft;

/* Finds drafts by parent and function: indices plus one, 0 where there is none. At most half of the
 * slots are taken. */
typedef struct draft_table {
    uint32_t *slots;
    size_t mask; /* their number, a power of two, less one */
} draft_table;

static bool open_table(draft_table *table, size_t most)
{
    size_t slots = 2;
    while (slots < 2 * most)
        slots *= 2;
    table->slots = calloc(slots, sizeof *table->slots);
    table->mask = slots - 1;
    return table->slots != NULL;
}

/* The slot of the child of `parent` that is `function`, or the free one in which it belongs. */
static uint32_t *child_of(const draft_table *table, const draft *drafts, uint32_t parent,
                          uint32_t function)
{
    uint64_t hash = ((uint64_t)parent << 32 | function) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 32) * 0xbf58476d1ce4e5b9u;
    for (size_t at = (size_t)(hash >> 32) & table->mask;; at = (at + 1) & table->mask) {
        uint32_t *slot = &table->slots[at];
        if (*slot == 0)
            return slot;
        const gs_path *path = &drafts[*slot - 1].path;
        if (path->parent == parent && path->function == function)
            return slot;
    }
}

static void add_draft(draft *drafts, uint32_t at, uint32_t parent, uint32_t function)
{
    drafts[at] =
        (draft){.path = {.parent = parent, .function = function}, .first = NONE, .next = NONE};
    if (parent != GS_PROFILE_NONE) {
        drafts[at].path.depth = drafts[parent].path.depth + 1;
        drafts[at].next = drafts[parent].first;
        drafts[parent].first = at;
    }
}

/* Merges nodes into drafts, parents first; returns how many there are. */
static size_t merge(draft *drafts, const draft_table *table, uint32_t *draft_of,
                    const gs_profile *profile, const gs_profile_node *nodes, const bool *estimated,
                    size_t node_count)
{
    size_t count = 0;
    for (size_t i = 0; i < node_count; i++) {
        const gs_profile_node *node = &nodes[i];
        /* A node above nothing, other than the root, can only come from a damaged file. */
        uint32_t parent = i == 0 ? GS_PROFILE_NONE : node->parent < i ? draft_of[node->parent] : 0;
        uint32_t function = gs_report_function_of(profile, node);
        uint32_t *slot = child_of(table, drafts, parent, function);
        if (*slot == 0) {
            add_draft(drafts, (uint32_t)count, parent, function);
            *slot = (uint32_t)++count;
        }
        uint32_t at = *slot - 1;
        draft_of[i] = at;
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

static gs_status make_paths(gs_path **out, size_t *count, const gs_profile *profile,
                            const gs_profile_node *nodes, const bool *estimated, size_t node_count,
                            gs_metric order, gs_error *err)
{
    gs_status status = GS_OK;
    draft *drafts = calloc(node_count, sizeof *drafts);
    uint32_t *draft_of = calloc(node_count, sizeof *draft_of);
    uint32_t *stack = calloc(node_count, sizeof *stack);
    gs_path *paths = NULL;
    draft_table table;
    if (!open_table(&table, node_count) || !drafts || !draft_of || !stack) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    *count = merge(drafts, &table, draft_of, profile, nodes, estimated, node_count);
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
    free(table.slots);
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
        return make_paths(out, count, profile, profile->nodes.items, NULL, profile->nodes.count,
                          order, err);
    gs_inlined_nodes nodes;
    gs_status status = gs_inlined_nodes_open(&nodes, profile, err);
    if (status == GS_OK)
        status =
            make_paths(out, count, profile, nodes.items, nodes.estimated, nodes.count, order, err);
    gs_inlined_nodes_close(&nodes);
    return status;
}

gs_status gs_path_list_open(gs_path_list *list, const gs_profile *profile,
                            const gs_report_options *options, gs_error *err)
{
    *list = (gs_path_list){0};
    gs_status status = gs_report_metric(profile, options, &list->metric, err);
    if (status == GS_OK)
        status =
            gs_paths_open(&list->items, &list->count, profile, list->metric, options->inlines, err);
    return status;
}
