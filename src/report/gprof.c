/*
 * A flat profile and a call graph laid out as gprof does, for people and scripts used to them.
 *
 * gprof samples, and shares the time of a function among its callers by how often they called;
 * here all of it is counted. So there are no cycles to collapse: what a function includes is exact
 * with any recursion (see arcs.h).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "report/arcs.h"
#include "report/names.h"
#include "report/views.h"

typedef struct graph {
    FILE *to;
    const gs_profile *profile;
    gs_metric metric;
    gs_view_row *rows; /* functions */
    size_t row_count;
    gs_arc *arcs; /* one per caller and callee */
    size_t arc_count;
    /* The same, those of one function together, the costliest first. */
    const gs_arc **by_caller, **by_callee;
    size_t *number_of; /* of a function in the call graph, from 1; the last is for none */
    uint64_t *called;  /* by others than itself */
} graph;

static size_t slot(const graph *g, uint32_t function)
{
    size_t functions = g->profile->functions.count;
    return function < functions ? function : functions;
}

static int by_pair(const void *a, const void *b)
{
    const gs_arc *x = a, *y = b;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return (x->callee > y->callee) - (x->callee < y->callee);
}

static void merge_sites(graph *g)
{
    size_t kept = 0;
    if (g->arc_count == 0)
        return;
    qsort(g->arcs, g->arc_count, sizeof *g->arcs, by_pair);
    for (size_t i = 1; i < g->arc_count; i++) {
        if (by_pair(&g->arcs[kept], &g->arcs[i]) != 0) {
            g->arcs[++kept] = g->arcs[i];
            continue;
        }
        g->arcs[kept].calls += g->arcs[i].calls;
        gs_metrics_add(&g->arcs[kept].self, &g->arcs[i].self);
        gs_metrics_add(&g->arcs[kept].cost, &g->arcs[i].cost);
    }
    g->arc_count = kept + 1;
}

static int by_inclusive(const void *a, const void *b, void *metric)
{
    const gs_view_row *x = a, *y = b;
    uint64_t p = x->inclusive.value[*(gs_metric *)metric];
    uint64_t q = y->inclusive.value[*(gs_metric *)metric];
    if (p != q)
        return p < q ? 1 : -1;
    return (x->address > y->address) - (x->address < y->address);
}

static int by_cost(const gs_arc *x, const gs_arc *y, gs_metric metric)
{
    uint64_t p = x->cost.value[metric], q = y->cost.value[metric];
    if (p != q)
        return p < q ? 1 : -1;
    return by_pair(x, y);
}

static int by_caller(const void *a, const void *b, void *metric)
{
    const gs_arc *x = *(const gs_arc *const *)a, *y = *(const gs_arc *const *)b;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return by_cost(x, y, *(gs_metric *)metric);
}

static int by_callee(const void *a, const void *b, void *metric)
{
    const gs_arc *x = *(const gs_arc *const *)a, *y = *(const gs_arc *const *)b;
    if (x->callee != y->callee)
        return x->callee < y->callee ? -1 : 1;
    return by_cost(x, y, *(gs_metric *)metric);
}

static uint32_t caller_of(const gs_arc *arc)
{
    return arc->caller;
}

static uint32_t callee_of(const gs_arc *arc)
{
    return arc->callee;
}

/* The arcs with this function at one end, of all of them in the order of that end. */
static const gs_arc **arcs_with(const gs_arc **arcs, size_t count, uint32_t (*end)(const gs_arc *),
                                uint32_t function, size_t *found)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (end(arcs[middle]) < function)
            low = middle + 1;
        else
            high = middle;
    }
    for (*found = 0; low + *found < count && end(arcs[low + *found]) == function;)
        (*found)++;
    return arcs + low;
}

static void put_name(const graph *g, uint32_t function)
{
    gs_report_put(g->to, gs_report_function_name(g->profile, function), "");
    fprintf(g->to, " [%zu]\n", g->number_of[slot(g, function)]);
}

/* Rows are sorted by own cost here. */
static void put_flat(const graph *g)
{
    uint64_t whole = g->profile->total.value[g->metric], sum = 0;
    const char *key = gs_metric_key(g->metric);
    fprintf(g->to,
            "Flat profile:\n\n"
            "%6s %13s %13s %11s %13s %13s\n"
            "%6s %13.13s %13.13s %11s %13s %13s  %s\n",
            "%", "cumulative", "self", "", "self", "total", "time", key, key, "calls", "/call",
            "/call", "name");
    for (size_t i = 0; i < g->row_count; i++) {
        const gs_view_row *row = &g->rows[i];
        uint64_t self = row->self.value[g->metric];
        sum += self;
        fprintf(g->to, "%6.2f %13" PRIu64 " %13" PRIu64, gs_report_percent(self, whole), sum, self);
        if (row->count)
            fprintf(g->to, " %11" PRIu64 " %13.2f %13.2f", row->count,
                    (double)self / (double)row->count,
                    (double)row->inclusive.value[g->metric] / (double)row->count);
        else
            fprintf(g->to, " %11s %13s %13s", "", "", "");
        fputs("  ", g->to);
        gs_report_put(g->to, gs_report_function_name(g->profile, row->function), "");
        fputc('\n', g->to);
    }
}

/* A caller above or a callee below the line of a function. */
static void put_relative(const graph *g, const gs_arc *arc, uint32_t relative)
{
    char calls[48];
    uint64_t cost = arc->cost.value[g->metric], self = arc->self.value[g->metric];
    self = self < cost ? self : cost;
    snprintf(calls, sizeof calls, "%" PRIu64 "/%" PRIu64, arc->calls,
             g->called[slot(g, arc->callee)]);
    fprintf(g->to, "%-14s %13" PRIu64 " %13" PRIu64 " %17s      ", "", self, cost - self, calls);
    put_name(g, relative);
}

static void put_function(const graph *g, const gs_view_row *row)
{
    size_t number = g->number_of[slot(g, row->function)], caller_count, callee_count;
    uint64_t self = row->self.value[g->metric], inclusive = row->inclusive.value[g->metric];
    uint64_t recursive = 0, others = g->called[slot(g, row->function)];
    const gs_arc **callers =
        arcs_with(g->by_callee, g->arc_count, callee_of, row->function, &caller_count);
    const gs_arc **callees =
        arcs_with(g->by_caller, g->arc_count, caller_of, row->function, &callee_count);
    bool spontaneous = true;
    for (size_t i = caller_count; i > 0; i--) {
        const gs_arc *arc = callers[i - 1];
        if (arc->caller == row->function) {
            recursive = arc->calls;
        } else {
            spontaneous = false;
            put_relative(g, arc, arc->caller);
        }
    }
    if (spontaneous)
        fprintf(g->to, "%-14s %13s %13s %17s      <spontaneous>\n", "", "", "", "");

    char index[32], calls[48] = "";
    snprintf(index, sizeof index, "[%zu]", number);
    if (recursive)
        snprintf(calls, sizeof calls, "%" PRIu64 "+%" PRIu64, others, recursive);
    else if (others)
        snprintf(calls, sizeof calls, "%" PRIu64, others);
    fprintf(g->to, "%-7s %6.1f %13" PRIu64 " %13" PRIu64 " %17s  ", index,
            gs_report_percent(inclusive, g->profile->total.value[g->metric]), self,
            inclusive - self, calls);
    put_name(g, row->function);

    for (size_t i = 0; i < callee_count; i++) {
        if (callees[i]->callee != row->function)
            put_relative(g, callees[i], callees[i]->callee);
    }
    fputs("-----------------------------------------------\n", g->to);
}

/* The arcs in the order of one of their ends, for the caller to free. */
static const gs_arc **sorted_arcs(const graph *g, int (*order)(const void *, const void *, void *))
{
    const gs_arc **arcs = calloc(g->arc_count + 1, sizeof *arcs);
    gs_metric metric = g->metric;
    for (size_t i = 0; arcs && i < g->arc_count; i++)
        arcs[i] = &g->arcs[i];
    if (arcs)
        qsort_r(arcs, g->arc_count, sizeof *arcs, order, &metric);
    return arcs;
}

/* Sorts the rows anew, by what they include. */
static void put_graph(graph *g)
{
    qsort_r(g->rows, g->row_count, sizeof *g->rows, by_inclusive, &g->metric);
    for (size_t i = 0; i < g->row_count; i++)
        g->number_of[slot(g, g->rows[i].function)] = i + 1;
    fprintf(g->to,
            "\nCall graph, in %s:\n\n"
            "index   %% time          self      children            called  name\n",
            gs_metric_key(g->metric));
    for (size_t i = 0; i < g->row_count; i++)
        put_function(g, &g->rows[i]);
}

gs_status gs_report_gprof(FILE *to, const gs_profile *profile, const gs_report_options *options,
                          gs_error *err)
{
    gs_view view;
    gs_report_options all = {.by = GS_REPORT_BY_FUNCTION, .metric = options->metric};
    gs_status status = gs_view_open(&view, profile, &all, err);
    if (status != GS_OK)
        return status;
    graph g = {.to = to,
               .profile = profile,
               .metric = view.metric,
               .rows = view.items,
               .row_count = view.count};
    g.number_of = calloc(profile->functions.count + 1, sizeof *g.number_of);
    g.called = calloc(profile->functions.count + 1, sizeof *g.called);
    status = g.number_of && g.called ? gs_arcs_open(&g.arcs, &g.arc_count, profile, err)
                                     : gs_fail_no_memory(err);
    if (status != GS_OK)
        goto out;
    merge_sites(&g);
    g.by_caller = sorted_arcs(&g, by_caller);
    g.by_callee = sorted_arcs(&g, by_callee);
    if (!g.by_caller || !g.by_callee) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    for (size_t i = 0; i < g.arc_count; i++) {
        if (g.arcs[i].caller != g.arcs[i].callee)
            g.called[slot(&g, g.arcs[i].callee)] += g.arcs[i].calls;
    }
    fputs("Every number is exact: counted at each instruction and call, not sampled, and not\n"
          "shared among callers by guess.\n\n",
          to);
    put_flat(&g);
    put_graph(&g);
    status = gs_report_end(to, err);
out:
    free(g.by_caller);
    free(g.by_callee);
    free(g.arcs);
    free(g.number_of);
    free(g.called);
    gs_view_close(&view);
    return status;
}
