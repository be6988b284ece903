/*
 * How many registers a plan needs at once.
 *
 * A value takes a register from the cycle in which it is there to the last one in which it is read,
 * or to the end of the region if it is live behind it. Values that are only passed through are not
 * counted: without room for them they lie in memory, which costs nothing here. With an interval, it
 * takes as many as there are iterations under way in that time.
 */
#include <string.h>

#include "schedule/plan.h"

enum { VALUES_MAX = 64 + 2 * GS_REGION_INSNS_MAX };

typedef struct value {
    unsigned from, to; /* half-open */
    bool floating;
} value;

typedef struct values {
    const gs_plan *plan;
    const gs_graph *graph;
    unsigned count;
    value items[VALUES_MAX];
    gs_register_set written;
} values;

static unsigned cycle_of(const values *v, unsigned insn)
{
    return v->plan->cycle[v->graph->node_of[insn]];
}

static void add(values *v, unsigned from, unsigned to, unsigned name)
{
    if (to > from)
        v->items[v->count++] = (value){from, to, name >= GS_OPERAND_F};
}

/* Where a register that held something when the region was entered is read for the last time. */
static unsigned last_read_of_entry(const values *v, unsigned name)
{
    unsigned last = 0;
    for (unsigned i = 0; i < v->graph->count; i++) {
        for (unsigned s = 0; s < 3; s++) {
            if (v->graph->insns[i].operands.source[s] == name &&
                v->graph->reaching[i][s] == GS_LIVE_IN && cycle_of(v, i) > last)
                last = cycle_of(v, i);
        }
    }
    return last;
}

/* The last cycle in which a value that is made in the region is read in it; across iterations too,
 * if it is a loop's and the last one of its register. */
static unsigned last_read_of(const values *v, unsigned insn, unsigned name, bool carried)
{
    unsigned last = 0;
    for (unsigned i = 0; i < v->graph->count; i++) {
        for (unsigned s = 0; s < 3; s++) {
            if (v->graph->insns[i].operands.source[s] != name)
                continue;
            const int maker = v->graph->reaching[i][s];
            unsigned cycle = cycle_of(v, i);
            if (maker == GS_LIVE_IN && carried)
                cycle += v->plan->interval;
            else if (maker != (int)insn)
                continue;
            last = cycle > last ? cycle : last;
        }
    }
    return last;
}

static bool is_last_writer(const gs_graph *g, unsigned insn, gs_register_set bit)
{
    for (unsigned i = insn + 1; i < g->count; i++) {
        if (gs_routine_writes(&g->insns[i]) & bit)
            return false;
    }
    return true;
}

static void add_made(values *v, unsigned insn, unsigned name)
{
    const gs_graph *g = v->graph;
    if (name == GS_OPERAND_NONE || name >= 64 || g->inner[insn])
        return;
    const bool last = is_last_writer(g, insn, UINT64_C(1) << name);
    const unsigned from = cycle_of(v, insn) + gs_graph_latency(g, insn);
    unsigned to = last_read_of(v, insn, name, last && v->plan->interval);
    if (g->escapes[insn] && !(v->plan->interval && last))
        to = v->plan->length;
    add(v, from, to > from ? to : from + 1, name);
    v->written |= UINT64_C(1) << name;
}

static gs_register_set live_behind(const gs_graph *g)
{
    gs_register_set live = 0;
    for (unsigned i = 0; i < g->count; i++) {
        if (gs_graph_has_exit(g, i))
            live |= gs_graph_live_at(g, i);
    }
    return live;
}

static void collect(values *v)
{
    const gs_graph *g = v->graph;
    gs_register_set read = 0, behind = live_behind(g);
    for (unsigned i = 0; i < g->count; i++) {
        add_made(v, i, g->insns[i].operands.target[0]);
        add_made(v, i, g->insns[i].operands.target[1]);
        read |= gs_routine_reads(&g->insns[i]);
    }
    for (unsigned name = 1; name < 64; name++) {
        const gs_register_set bit = UINT64_C(1) << name;
        if (v->written & bit) { /* in a pipelined loop that is the value of the iteration before */
            if (!v->plan->interval)
                add(v, 0, last_read_of_entry(v, name), name);
        } else if (read & bit && (behind & bit || v->plan->interval)) {
            add(v, 0, v->plan->interval ? v->plan->interval : v->plan->length, name);
        } else if (read & bit) {
            add(v, 0, last_read_of_entry(v, name), name);
        }
    }
}

/* How many registers a value has in a cycle. */
static unsigned count_at(const values *v, const value *item, unsigned cycle)
{
    const unsigned interval = v->plan->interval;
    if (!interval)
        return cycle >= item->from && cycle < item->to;
    const unsigned length = item->to - item->from;
    const unsigned phase = (cycle + interval - item->from % interval) % interval;
    return length / interval + (phase < length % interval);
}

static unsigned most(const values *v, bool floating)
{
    unsigned highest = 0;
    for (unsigned i = 0; i < v->count; i++) {
        unsigned count = 0;
        for (unsigned k = 0; k < v->count; k++) {
            if (v->items[k].floating == floating)
                count += count_at(v, &v->items[k], v->items[i].from);
        }
        highest = count > highest ? count : highest;
    }
    return highest;
}

unsigned gs_plan_excess(const gs_plan *plan, const gs_graph *graph)
{
    const gs_vliw *target = graph->target;
    values v = {.plan = plan, .graph = graph};
    collect(&v);
    const unsigned general = most(&v, false), floating = most(&v, true);
    return (general > target->registers ? general - target->registers : 0) +
           (floating > target->float_registers ? floating - target->float_registers : 0);
}
