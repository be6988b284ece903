/* Sums instructions and call paths by function. */
#include "profile/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

typedef struct table {
    gs_function_profile *items;
    size_t count, capacity;
    size_t *index; /* by number of the function in the image, +1; the last is for no function */
    size_t functions;
    const gs_image *image;
} table;

static size_t number_of(const table *t, const gs_function *function)
{
    return function ? (size_t)(function - gs_image_function(t->image, 0)) : t->functions;
}

static gs_function_profile *row_of(table *t, const gs_function *function)
{
    size_t number = number_of(t, function);
    if (t->index[number] == 0) {
        gs_function_profile row = {.function = function};
        if (!gs_vec_push(t, row))
            return NULL;
        t->index[number] = t->count;
    }
    return &t->items[t->index[number] - 1];
}

static bool add_instructions(table *t, const gs_recorder *recorder)
{
    size_t count;
    const gs_insn_profile *insns = gs_recorder_insns(recorder, &count);
    for (size_t i = 0; i < count; i++) {
        gs_function_profile *row = row_of(t, gs_image_function_at(t->image, insns[i].pc));
        if (!row)
            return false;
        gs_metrics_add(&row->self, &insns[i].cost);
    }
    return true;
}

/* Below every node, what it and all nodes under it cost. Children come after their parents in the
 * tree, so one pass from the end does it. */
static gs_metrics *inclusive_costs(const gs_calltree *calls)
{
    size_t count = gs_calltree_count(calls);
    gs_metrics *sums = calloc(count, sizeof *sums);
    for (size_t i = count; sums && i > 0; i--) {
        const gs_call_node *node = gs_calltree_node(calls, i - 1);
        gs_metrics_add(&sums[i - 1], &node->self);
        if (node->parent != GS_CALLTREE_NONE)
            gs_metrics_add(&sums[node->parent], &sums[i - 1]);
    }
    return sums;
}

static bool is_outermost(const gs_calltree *calls, const gs_call_node *node)
{
    for (uint32_t up = node->parent; up != GS_CALLTREE_NONE;) {
        const gs_call_node *above = gs_calltree_node(calls, up);
        if (above->function == node->function)
            return false;
        up = above->parent;
    }
    return true;
}

static bool add_calls(table *t, const gs_recorder *recorder)
{
    const gs_calltree *calls = gs_recorder_calls(recorder);
    gs_metrics *sums = inclusive_costs(calls);
    if (!sums)
        return false;
    bool good = true;
    for (size_t i = 0; i < gs_calltree_count(calls) && good; i++) {
        const gs_call_node *node = gs_calltree_node(calls, i);
        gs_function_profile *row = row_of(t, node->function);
        good = row != NULL;
        if (!good)
            break;
        row->calls += node->calls;
        row->tail_calls += node->kind == GS_FRAME_TAIL ? node->calls : 0;
        row->traps += node->kind == GS_FRAME_TRAP ? node->calls : 0;
        if (!is_outermost(calls, node))
            continue;
        gs_metrics_add(&row->inclusive, &sums[i]);
        if (node->kind == GS_FRAME_TAIL)
            gs_metrics_add(&row->by_tail_call, &sums[i]);
        else if (node->kind == GS_FRAME_TRAP)
            gs_metrics_add(&row->by_trap, &sums[i]);
    }
    free(sums);
    return good;
}

static int by_cycles(const void *a, const void *b)
{
    const gs_function_profile *x = a, *y = b;
    uint64_t p = x->self.value[GS_METRIC_CYCLES], q = y->self.value[GS_METRIC_CYCLES];
    if (p != q)
        return p < q ? 1 : -1;
    uint64_t s = x->function ? x->function->start : 0, u = y->function ? y->function->start : 0;
    return (s > u) - (s < u);
}

gs_status gs_profile_functions(gs_function_profile **out, size_t *count,
                               const gs_recorder *recorder, gs_error *err)
{
    table t = {.image = gs_recorder_image(recorder)};
    *out = NULL;
    *count = 0;
    t.functions = gs_image_function_count(t.image);
    t.index = calloc(t.functions + 1, sizeof *t.index);
    if (!t.index || !add_instructions(&t, recorder) || !add_calls(&t, recorder)) {
        free(t.index);
        free(t.items);
        return gs_fail_no_memory(err);
    }
    free(t.index);
    if (t.count > 0)
        qsort(t.items, t.count, sizeof *t.items, by_cycles);
    *out = t.items;
    *count = t.count;
    return GS_OK;
}
