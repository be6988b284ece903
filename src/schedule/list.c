/*
 * List scheduling: nodes are taken in an order in which none comes before one it depends on, those
 * with the longest way to the end of the region first, and put into the first bundle that has room.
 * A branch may end up before nodes that were placed earlier, as far as its delay allows.
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
    int earliest[GS_REGION_INSNS_MAX];
    uint16_t waits_for[GS_REGION_INSNS_MAX];
    bool placed[GS_REGION_INSNS_MAX];
} state;

/* In no schedule of ours is a node issued later than this. */
static unsigned horizon(const gs_graph *g)
{
    const gs_vliw *target = g->target;
    unsigned cycles = 1;
    for (unsigned n = 0; n < g->node_count; n++) {
        const gs_vliw_class *needs = &g->nodes[n].needs;
        cycles += (needs->latency > needs->busy ? needs->latency : needs->busy) + 1u +
                  target->delay + target->address_latency + target->data_latency;
    }
    return cycles;
}

/* Of the nodes that wait for nothing, the one with the longest way to go; -1: none is left. */
static int choose(const state *s)
{
    int best = -1;
    for (unsigned n = 0; n < s->graph->node_count; n++) {
        if (!s->placed[n] && s->waits_for[n] == 0 && (best < 0 || s->heights[n] > s->heights[best]))
            best = (int)n;
    }
    return best;
}

static void place(state *s, unsigned n)
{
    const gs_vliw_class *needs = &s->graph->nodes[n].needs;
    unsigned cycle = s->earliest[n] > 0 ? (unsigned)s->earliest[n] : 0;
    while (!gs_places_take(&s->places, (int)n, needs, cycle))
        cycle++;
    s->plan->cycle[n] = (uint16_t)cycle;
    s->placed[n] = true;
    const gs_dependence *end, *d = gs_graph_dependences(s->graph, n, &end);
    for (; d < end; d++) {
        if (d->distance > 0)
            continue;
        s->waits_for[d->to]--;
        int from = (int)cycle + d->latency;
        s->earliest[d->to] = from > s->earliest[d->to] ? from : s->earliest[d->to];
    }
}

bool gs_plan_list(gs_plan *plan, const gs_graph *graph, unsigned width)
{
    state *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    s->graph = graph;
    s->plan = plan;
    plan->interval = 0;
    if (!gs_places_open(&s->places, graph->target, width, horizon(graph), 0)) {
        free(s);
        return false;
    }
    (void)gs_plan_heights(graph, 0, s->heights);
    for (size_t i = 0; i < graph->dependences.count; i++) {
        if (graph->dependences.items[i].distance == 0)
            s->waits_for[graph->dependences.items[i].to]++;
    }
    for (int n = choose(s); n >= 0; n = choose(s))
        place(s, (unsigned)n);
    for (unsigned n = 0; n < graph->node_count; n++)
        plan->slot[n] = (uint8_t)gs_places_slot(&s->places, (int)n, plan->cycle[n]);
    gs_plan_measure(plan, graph);
    gs_places_close(&s->places);
    free(s);
    return true;
}
