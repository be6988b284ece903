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

static int by_cost(const void *a, const void *b, void *metric)
{
    const gs_arc *x = *(const gs_arc *const *)a, *y = *(const gs_arc *const *)b;
    uint64_t p = x->cost.value[*(gs_metric *)metric], q = y->cost.value[*(gs_metric *)metric];
    if (p != q)
        return p < q ? 1 : -1;
    return by_pair(x, y);
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

static void put_function(const graph *g, const gs_view_row *row, const gs_arc **relatives)
{
    size_t number = g->number_of[slot(g, row->function)], count = 0;
    uint64_t self = row->self.value[g->metric], inclusive = row->inclusive.value[g->metric];
    uint64_t recursive = 0;
    gs_metric metric = g->metric;
    for (size_t i = 0; i < g->arc_count; i++) {
        const gs_arc *arc = &g->arcs[i];
        if (arc->callee != row->function)
            continue;
        if (arc->caller == row->function)
            recursive = arc->calls;
        else
            relatives[count++] = arc;
    }
    qsort_r(relatives, count, sizeof *relatives, by_cost, &metric);
    if (count == 0)
        fprintf(g->to, "%-14s %13s %13s %17s      <spontaneous>\n", "", "", "", "");
    for (size_t i = count; i > 0; i--)
        put_relative(g, relatives[i - 1], relatives[i - 1]->caller);

    char index[32], calls[48] = "";
    snprintf(index, sizeof index, "[%zu]", number);
    uint64_t others = g->called[slot(g, row->function)];
    if (recursive)
        snprintf(calls, sizeof calls, "%" PRIu64 "+%" PRIu64, others, recursive);
    else if (others)
        snprintf(calls, sizeof calls, "%" PRIu64, others);
    fprintf(g->to, "%-7s %6.1f %13" PRIu64 " %13" PRIu64 " %17s  ", index,
            gs_report_percent(inclusive, g->profile->total.value[g->metric]), self,
            inclusive - self, calls);
    put_name(g, row->function);

    count = 0;
    for (size_t i = 0; i < g->arc_count; i++) {
        if (g->arcs[i].caller == row->function && g->arcs[i].callee != row->function)
            relatives[count++] = &g->arcs[i];
    }
    qsort_r(relatives, count, sizeof *relatives, by_cost, &metric);
    for (size_t i = 0; i < count; i++)
        put_relative(g, relatives[i], relatives[i]->callee);
    fputs("-----------------------------------------------\n", g->to);
}

/* Sorts the rows anew, by what they include. */
static bool put_graph(graph *g)
{
    const gs_arc **relatives = calloc(g->arc_count ? g->arc_count : 1, sizeof *relatives);
    if (!relatives)
        return false;
    qsort_r(g->rows, g->row_count, sizeof *g->rows, by_inclusive, &g->metric);
    for (size_t i = 0; i < g->row_count; i++)
        g->number_of[slot(g, g->rows[i].function)] = i + 1;
    fprintf(g->to,
            "\nCall graph, in %s:\n\n"
            "index   %% time          self      children            called  name\n",
            gs_metric_key(g->metric));
    for (size_t i = 0; i < g->row_count; i++)
        put_function(g, &g->rows[i], relatives);
    free(relatives);
    return true;
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
    for (size_t i = 0; i < g.arc_count; i++) {
        if (g.arcs[i].caller != g.arcs[i].callee)
            g.called[slot(&g, g.arcs[i].callee)] += g.arcs[i].calls;
    }
    fputs("Every number is exact: counted at each instruction and call, not sampled, and not\n"
          "shared among callers by guess.\n\n",
          to);
    put_flat(&g);
    status = put_graph(&g) ? gs_report_end(to, err) : gs_fail_no_memory(err);
out:
    free(g.arcs);
    free(g.number_of);
    free(g.called);
    gs_view_close(&view);
    return status;
}
