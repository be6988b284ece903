/* What no schedule can be better than, and how long one is. */
#include <string.h>

#include "schedule/plan.h"

unsigned gs_plan_tail(const gs_graph *g, unsigned node)
{
    const unsigned root = g->nodes[node].root;
    unsigned tail = gs_graph_delay(g, root) + 1;
    if (g->nodes[node].escapes && g->nodes[node].needs.latency > tail)
        tail = g->nodes[node].needs.latency;
    return tail;
}

void gs_plan_measure(gs_plan *plan, const gs_graph *g)
{
    plan->bundles = plan->length = 0;
    for (unsigned n = 0; n < g->node_count; n++) {
        unsigned issued = plan->cycle[n] + 1u + gs_graph_delay(g, g->nodes[n].root);
        unsigned over = plan->cycle[n] + gs_plan_tail(g, n);
        plan->bundles = issued > plan->bundles ? issued : plan->bundles;
        plan->length = over > plan->length ? over : plan->length;
    }
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* One pass against the order of the nodes; whether a height has grown. */
static bool raise_heights(const gs_graph *g, unsigned interval, int *heights)
{
    bool raised = false;
    for (unsigned i = g->node_count; i-- > 0;) {
        const unsigned n = g->order[i];
        const gs_dependence *end, *d = gs_graph_dependences(g, n, &end);
        int height = heights[n];
        for (; d < end; d++) {
            if (d->distance == 0 || interval)
                height =
                    larger(height, d->latency - (int)(interval * d->distance) + heights[d->to]);
        }
        raised |= height != heights[n];
        heights[n] = height;
    }
    return raised;
}

bool gs_plan_heights(const gs_graph *g, unsigned interval, int *heights)
{
    for (unsigned n = 0; n < g->node_count; n++)
        heights[n] = (int)gs_plan_tail(g, n);
    for (unsigned pass = 0; pass <= g->node_count; pass++) {
        if (!raise_heights(g, interval, heights))
            return true;
    }
    return false;
}

unsigned gs_bound_of_chain(const gs_graph *g)
{
    int heights[GS_REGION_INSNS_MAX], highest = 1;
    (void)gs_plan_heights(g, 0, heights);
    for (unsigned n = 0; n < g->node_count; n++)
        highest = larger(highest, heights[n]);
    return (unsigned)highest;
}

static unsigned divide_up(unsigned a, unsigned b)
{
    return (a + b - 1) / b;
}

/* Nodes that can only go into these slots, per such slot. */
static unsigned bound_of_slots(const gs_graph *g, unsigned slots)
{
    unsigned count = 0;
    for (unsigned n = 0; n < g->node_count; n++)
        count += g->nodes[n].needs.slots && !(g->nodes[n].needs.slots & ~slots);
    return divide_up(count, (unsigned)__builtin_popcount(slots));
}

unsigned gs_bound_of_places(const gs_graph *g, unsigned width)
{
    unsigned busy[GS_VLIW_UNITS_MAX + 1] = {0}, seen = 0, bound = 1;
    const unsigned all = (1u << width) - 1;
    for (unsigned n = 0; n < g->node_count; n++) {
        const gs_vliw_class *needs = &g->nodes[n].needs;
        if (!needs->slots)
            continue;
        busy[needs->unit] += needs->busy;
        seen |= needs->slots & all;
        bound = (unsigned)larger((int)bound, (int)bound_of_slots(g, seen));
        bound = (unsigned)larger((int)bound, (int)bound_of_slots(g, needs->slots | ~all));
    }
    for (unsigned unit = 1; unit <= GS_VLIW_UNITS_MAX; unit++) {
        if (busy[unit])
            bound =
                (unsigned)larger((int)bound, (int)divide_up(busy[unit], g->target->copies[unit]));
    }
    return bound;
}

unsigned gs_bound_of_circles(const gs_graph *g)
{
    int heights[GS_REGION_INSNS_MAX];
    unsigned interval = 1;
    while (!gs_plan_heights(g, interval, heights))
        interval++;
    return interval;
}
