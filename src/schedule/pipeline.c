/*
 * Software pipelining of a loop of one block, by modulo scheduling: a new iteration begins every
 * `interval` cycles, whether or not the one before is over. Intervals are tried from the smallest
 * that resources and circles of dependences allow. For each, nodes are placed in the order of list
 * scheduling, each in one of the `interval` cycles after it can be issued, as far as dependences
 * say, of earlier iterations too; what an earlier choice has made impossible ends the attempt.
 */
#include <stdlib.h>
#include <string.h>

#include "schedule/place.h"
#include "schedule/plan.h"

typedef struct state {
    const gs_graph *graph;
    gs_plan *plan;
    gs_places places;
    int heights[GS_REGION_INSNS_MAX];
    int earliest[GS_REGION_INSNS_MAX]; /* by dependences alone */
    bool placed[GS_REGION_INSNS_MAX];
} state;

/* The cycles in which a node can be issued, as far as those that are placed are concerned. */
static void find_window(const state *s, unsigned n, int *from, int *to)
{
    const int interval = (int)s->plan->interval;
    *from = s->earliest[n];
    *to = INT16_MAX;
    for (size_t i = 0; i < s->graph->dependences.count; i++) {
        const gs_dependence *d = &s->graph->dependences.items[i];
        const int wait = d->latency - interval * d->distance;
        if (d->to == n && d->from != n && s->placed[d->from]) {
            int cycle = s->plan->cycle[d->from] + wait;
            *from = cycle > *from ? cycle : *from;
        }
        if (d->from == n && d->to != n && s->placed[d->to]) {
            int cycle = s->plan->cycle[d->to] - wait;
            *to = cycle < *to ? cycle : *to;
        }
    }
    if (*to > *from + interval - 1)
        *to = *from + interval - 1;
}

static bool is_ready(const state *s, unsigned n)
{
    for (size_t i = 0; i < s->graph->dependences.count; i++) {
        const gs_dependence *d = &s->graph->dependences.items[i];
        if (d->to == n && d->distance == 0 && !s->placed[d->from])
            return false;
    }
    return true;
}

static int choose(const state *s)
{
    int best = -1;
    for (unsigned n = 0; n < s->graph->node_count; n++) {
        if (!s->placed[n] && (best < 0 || s->heights[n] > s->heights[best]) && is_ready(s, n))
            best = (int)n;
    }
    return best;
}

static bool place(state *s, unsigned n)
{
    int from, to;
    find_window(s, n, &from, &to);
    for (int cycle = from; cycle <= to; cycle++) {
        if (!gs_places_take(&s->places, (int)n, &s->graph->nodes[n].needs, (unsigned)cycle))
            continue;
        s->plan->cycle[n] = (uint16_t)cycle;
        return s->placed[n] = true;
    }
    return false;
}

/* Ends, since no circle of dependences is longer than the interval. */
static void find_earliest(state *s)
{
    memset(s->earliest, 0, sizeof s->earliest);
    for (bool raised = true; raised;) {
        raised = false;
        for (size_t i = 0; i < s->graph->dependences.count; i++) {
            const gs_dependence *d = &s->graph->dependences.items[i];
            const int cycle =
                s->earliest[d->from] + d->latency - (int)(s->plan->interval * d->distance);
            raised |= cycle > s->earliest[d->to];
            s->earliest[d->to] = cycle > s->earliest[d->to] ? cycle : s->earliest[d->to];
        }
    }
}

/* Whether the loop can have the plan's interval. */
static bool attempt(state *s)
{
    if (!gs_plan_heights(s->graph, s->plan->interval, s->heights))
        return false;
    find_earliest(s);
    memset(s->placed, 0, sizeof s->placed);
    for (int n = choose(s); n >= 0; n = choose(s)) {
        if (!place(s, (unsigned)n))
            return false;
    }
    for (unsigned n = 0; n < s->graph->node_count; n++)
        s->plan->slot[n] = (uint8_t)gs_places_slot(&s->places, (int)n, s->plan->cycle[n]);
    gs_plan_measure(s->plan, s->graph);
    return true;
}

/* Two iterations take no longer than they would one after the other. */
static bool pays(const gs_plan *plan, unsigned cost)
{
    return plan->length + plan->interval <= 2 * cost &&
           plan->length - plan->interval <= GS_PLAN_OVERHANG_MAX;
}

bool gs_plan_pipeline(gs_plan *plan, const gs_graph *graph, unsigned cost, bool *found)
{
    state *s = calloc(1, sizeof *s);
    *found = false;
    if (!s)
        return false;
    s->graph = graph;
    s->plan = plan;
    unsigned interval = gs_bound_of_places(graph, graph->target->width);
    if (interval < gs_graph_delay(graph, graph->count - 1) + 1)
        interval = gs_graph_delay(graph, graph->count - 1) + 1;
    bool fits = true;
    for (; interval < cost && !*found && fits; interval++) { /* the plan keeps the last one */
        plan->interval = interval;
        fits = gs_places_open(&s->places, graph->target, graph->target->width, 0, interval);
        if (fits)
            *found = attempt(s) && pays(plan, cost) && !gs_plan_excess(plan, graph);
        gs_places_close(&s->places);
    }
    free(s);
    return fits;
}
