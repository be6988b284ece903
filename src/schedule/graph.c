/* Finds what orders the instructions of a region: values, control, and barriers. */
#include "schedule/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "isa/rv/rv.h"

bool gs_class_loads(unsigned class)
{
    return class == GS_CLASS_LOAD || class == GS_CLASS_FP_LOAD;
}

bool gs_class_stores(unsigned class)
{
    return class == GS_CLASS_STORE || class == GS_CLASS_FP_STORE;
}

bool gs_class_is_barrier(unsigned class)
{
    switch (class) {
    case GS_CLASS_ATOMIC:
    case GS_CLASS_CSR:
    case GS_CLASS_FENCE:
    case GS_CLASS_FENCE_I:
    case GS_CLASS_SYSTEM: return true;
    default: return false;
    }
}

gs_register_set gs_graph_live_at(const gs_graph *g, unsigned insn)
{
    const gs_routine_insn *at = &g->insns[insn];
    gs_register_set live = at->taken;
    if (insn + 1 == g->count && (at->flow == GS_FLOW_NEXT || at->flow == GS_FLOW_BRANCH))
        live |= g->onward;
    return live;
}

unsigned gs_graph_delay(const gs_graph *g, unsigned insn)
{
    return g->insns[insn].flow == GS_FLOW_NEXT || (g->counts && insn + 1 == g->count)
               ? 0
               : g->target->delay;
}

unsigned gs_graph_latency(const gs_graph *g, unsigned insn)
{
    return g->nodes[g->node_of[insn]].needs.latency;
}

bool gs_graph_depend(gs_graph *g, unsigned from, unsigned to, int latency, unsigned distance)
{
    const gs_dependence dependence = {g->node_of[from], g->node_of[to], (uint16_t)distance,
                                      (int16_t)latency};
    if (dependence.from == dependence.to && distance == 0)
        return true;
    return gs_vec_push(&g->dependences, dependence);
}

/* -- values ----------------------------------------------------------------------------------- */

/* The last instruction that wrote each register so far. */
typedef struct writers {
    int16_t of[GS_OPERAND_COUNT];
} writers;

static void write_targets(writers *w, const gs_routine_insn *insn, unsigned number)
{
    for (unsigned i = 0; i < 2; i++) {
        if (insn->operands.target[i] != GS_OPERAND_NONE)
            w->of[insn->operands.target[i]] = (int16_t)number;
    }
}

static void note_escapes(gs_graph *g, const writers *w, unsigned exit)
{
    gs_register_set live = gs_graph_live_at(g, exit);
    for (unsigned r = 1; r < 64; r++) {
        if (live >> r & 1 && w->of[r] != GS_LIVE_IN)
            g->escapes[w->of[r]] = true;
    }
}

static void follow_values(gs_graph *g)
{
    writers w;
    memset(&w, 0xff, sizeof w);
    memset(g->escapes, 0, sizeof g->escapes);
    for (unsigned i = 0; i < g->count; i++) {
        for (unsigned s = 0; s < 3; s++) {
            unsigned source = g->insns[i].operands.source[s];
            g->reaching[i][s] = source == GS_OPERAND_NONE ? GS_LIVE_IN : w.of[source];
        }
        write_targets(&w, &g->insns[i], i);
        if (gs_graph_has_exit(g, i))
            note_escapes(g, &w, i);
    }
}

/* From the issue of what makes a source of an instruction to its own. */
static int wait_for(const gs_graph *g, unsigned from, unsigned insn, unsigned source)
{
    const unsigned class = g->insns[insn].class;
    const bool stores = gs_class_stores(class);
    unsigned wait = gs_graph_latency(g, from), least = 0;
    if (source == 0 && (stores || gs_class_loads(class)))
        least = g->target->address_latency;
    else if (stores)
        least = g->target->data_latency;
    return (int)(wait > least ? wait : least);
}

/* Whether an instruction reads what it is said to read: a loop's branch does not if the target
 * counts iterations by itself. */
static bool has_sources(const gs_graph *g, unsigned insn)
{
    return !g->counts || insn + 1 < g->count;
}

static bool order_values(gs_graph *g)
{
    bool fits = true;
    for (unsigned i = 0; i < g->count && has_sources(g, i); i++) {
        for (unsigned s = 0; s < 3; s++) {
            int from = g->reaching[i][s];
            if (from != GS_LIVE_IN)
                fits &= gs_graph_depend(g, (unsigned)from, i, wait_for(g, (unsigned)from, i, s), 0);
        }
    }
    return fits;
}

/* What an iteration reads of the one before. */
static bool order_carried_values(gs_graph *g)
{
    writers last;
    bool fits = true;
    memset(&last, 0xff, sizeof last);
    for (unsigned i = 0; i < g->count; i++)
        write_targets(&last, &g->insns[i], i);
    for (unsigned i = 0; i < g->count && has_sources(g, i); i++) {
        for (unsigned s = 0; s < 3; s++) {
            unsigned source = g->insns[i].operands.source[s];
            if (source == GS_OPERAND_NONE || g->reaching[i][s] != GS_LIVE_IN ||
                last.of[source] == GS_LIVE_IN)
                continue;
            unsigned from = (unsigned)last.of[source];
            fits &= gs_graph_depend(g, from, i, wait_for(g, from, i, s), 1);
        }
    }
    return fits;
}

/* Without renaming: an old value is read, and an older one written, before a new one is. */
static bool order_registers(gs_graph *g)
{
    bool fits = true;
    for (unsigned to = 0; to < g->count; to++) {
        gs_register_set written = gs_routine_writes(&g->insns[to]);
        for (unsigned from = 0; from < to && written; from++) {
            if (gs_routine_reads(&g->insns[from]) & written)
                fits &= gs_graph_depend(g, from, to, 0, 0);
            if (gs_routine_writes(&g->insns[from]) & written)
                fits &= gs_graph_depend(
                    g, from, to, (int)gs_graph_latency(g, from) - (int)gs_graph_latency(g, to) + 1,
                    0);
        }
    }
    return fits;
}

/* -- control ---------------------------------------------------------------------------------- */

/* Whether an instruction may be executed before it is known that control gets to it. */
static bool may_be_early(const gs_graph *g, unsigned insn, unsigned exit)
{
    const gs_routine_insn *at = &g->insns[insn];
    return !gs_class_stores(at->class) && at->flow == GS_FLOW_NEXT &&
           !(gs_routine_writes(at) & gs_graph_live_at(g, exit));
}

/* What stands before an exit is issued before control has left, what stands behind it afterwards
 * unless it may be early. */
static bool order_exit(gs_graph *g, unsigned exit)
{
    const int delay = (int)gs_graph_delay(g, exit);
    bool fits = true;
    if (g->insns[exit].flow == GS_FLOW_NEXT)
        return true; /* the region only ends here */
    for (unsigned i = 0; i < exit; i++) {
        if (g->insns[i].flow == GS_FLOW_NEXT)
            fits &= gs_graph_depend(g, i, exit, -delay, 0);
    }
    for (unsigned i = exit + 1; i < g->count; i++) {
        if (!may_be_early(g, i, exit))
            fits &= gs_graph_depend(g, exit, i, delay + 1, 0);
    }
    return fits;
}

/* Whether the number of iterations is known before the first: the branch compares what only grows
 * by a constant with what does not change. */
static bool is_counted(const gs_graph *g)
{
    const gs_routine_insn *branch = &g->insns[g->count - 1];
    for (unsigned s = 0; s < 3; s++) {
        const unsigned source = branch->operands.source[s];
        const gs_register_set bit = source == GS_OPERAND_NONE ? 0 : UINT64_C(1) << source;
        unsigned changes = 0, steps = 0;
        for (unsigned i = 0; i < g->count; i++) {
            const gs_insn *insn = &g->insns[i].insn;
            changes += (gs_routine_writes(&g->insns[i]) & bit) != 0;
            steps += insn->op == GS_RV_addi && insn->rd == source && insn->rs1 == source;
        }
        if (changes > 1 || (changes == 1 && steps != 1))
            return false;
    }
    return true;
}

/* An iteration does not begin to change anything before it is known that there is one. */
static bool order_iterations(gs_graph *g)
{
    const unsigned branch = g->count - 1;
    bool fits = true;
    if (is_counted(g))
        return true;
    for (unsigned i = 0; i < branch; i++) {
        if (!may_be_early(g, i, branch))
            fits &= gs_graph_depend(g, branch, i, (int)g->target->delay + 1, 1);
    }
    return fits;
}

static bool order_barrier(gs_graph *g, unsigned barrier)
{
    bool fits = true;
    for (unsigned i = 0; i < g->count; i++) {
        if (i < barrier)
            fits &= gs_graph_depend(g, i, barrier, 1, 0);
        else if (i > barrier)
            fits &= gs_graph_depend(g, barrier, i, 1, 0);
    }
    return fits;
}

static bool order_control(gs_graph *g)
{
    bool fits = true;
    for (unsigned i = 0; i < g->count && fits; i++) {
        if (gs_graph_has_exit(g, i))
            fits = order_exit(g, i);
        if (gs_class_is_barrier(g->insns[i].class))
            fits &= order_barrier(g, i);
    }
    return fits;
}

/* -- the graph -------------------------------------------------------------------------------- */

static void make_nodes(gs_graph *g)
{
    g->node_count = g->count;
    for (unsigned i = 0; i < g->count; i++) {
        g->node_of[i] = (uint16_t)i;
        g->inner[i] = false;
        g->nodes[i] = (gs_node){.needs = g->target->classes[g->insns[i].class],
                                .escapes = g->escapes[i],
                                .root = (uint16_t)i,
                                .fused = -1};
    }
    if (g->counts)
        g->nodes[g->count - 1].needs = (gs_vliw_class){.busy = 1, .latency = 1};
}

static int by_source(const void *a, const void *b)
{
    const gs_dependence *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Has the dependences of a node side by side. */
static void index_dependences(gs_graph *g)
{
    if (g->dependences.count)
        qsort(g->dependences.items, g->dependences.count, sizeof *g->dependences.items, by_source);
    size_t at = 0;
    for (unsigned n = 0; n <= g->node_count; n++) {
        while (at < g->dependences.count && g->dependences.items[at].from < n)
            at++;
        g->first_dependence[n] = (uint32_t)at;
    }
}

/* Sorts the nodes so that none stands before one it depends on. False: there is a circle. */
static bool sort_nodes(gs_graph *g)
{
    uint16_t waits_for[GS_REGION_INSNS_MAX] = {0};
    unsigned known = 0, sorted = 0;
    index_dependences(g);
    for (size_t i = 0; i < g->dependences.count; i++)
        if (g->dependences.items[i].distance == 0)
            waits_for[g->dependences.items[i].to]++;
    for (unsigned n = 0; n < g->node_count; n++) {
        if (waits_for[n] == 0)
            g->order[known++] = (uint16_t)n;
    }
    for (; sorted < known; sorted++) {
        const gs_dependence *end, *d = gs_graph_dependences(g, g->order[sorted], &end);
        for (; d < end; d++) {
            if (d->distance == 0 && --waits_for[d->to] == 0)
                g->order[known++] = d->to;
        }
    }
    return sorted == g->node_count;
}

static bool order(gs_graph *g)
{
    g->dependences.count = 0;
    if (!order_values(g) || !order_control(g) || !gs_graph_order_memory(g))
        return false;
    if (!g->renames)
        return order_registers(g);
    return !g->loops || (order_carried_values(g) && order_iterations(g));
}

/* One block that leads back to itself. */
static bool is_loop(const gs_graph *g, uint32_t first)
{
    for (unsigned i = 0; i + 1 < g->count; i++) {
        if (g->insns[i].flow != GS_FLOW_NEXT)
            return false;
    }
    const gs_routine_insn *last = &g->insns[g->count - 1];
    return last->flow == GS_FLOW_BRANCH && last->target == (int32_t)first;
}

bool gs_graph_build(gs_graph *graph, const gs_vliw *target, const gs_routine *routine,
                    uint32_t first, unsigned count, gs_register_set onward, bool renames)
{
    gs_graph *g = graph;
    gs_graph_free(g);
    *g = (gs_graph){.target = target,
                    .insns = &routine->insns[first],
                    .count = count,
                    .onward = onward,
                    .renames = renames};
    g->loops = is_loop(g, first);
    g->counts = g->loops && target->hardware_loops && is_counted(g);
    follow_values(g);
    make_nodes(g);
    if (!order(g))
        return false;
    if (target->fused_count == 0)
        return sort_nodes(g);
    index_dependences(g);
    gs_graph_fuse(g);
    return order(g) && sort_nodes(g);
}

void gs_graph_free(gs_graph *graph)
{
    free(graph->dependences.items);
    graph->dependences.items = NULL;
    graph->dependences.count = graph->dependences.capacity = 0;
}
