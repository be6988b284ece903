/*
 * Shares what a region's schedule takes among its instructions.
 *
 * A bundle's cycle goes to the first instruction, in the program's order, of those issued in it. A
 * cycle in which nothing is issued goes to the one that the next bundle goes to. What is left at an
 * exit goes to the instruction before it: the delay of a branch, and results that are not there
 * yet. On an interlocked target these are waited for where they are first read; else, or where
 * it is not known what comes next, at the exit. So the instructions up to an exit add up to what
 * the schedule takes until then.
 *
 * Iterations of a pipelined loop take its interval each. The exit that is taken once per loop, out
 * of it, pays for what one iteration takes longer than that.
 */
#include <string.h>

#include "base/search.h"
#include "schedule/region.h"

void gs_vliw_region_note(gs_scheduled_insn *insns, gs_vliw_region_edges *edges, const gs_plan *plan,
                         const gs_graph *graph)
{
    const gs_graph *g = graph;
    edges->onward = g->onward;
    edges->first_exit = plan->interval ? (uint16_t)plan->interval : (uint16_t)plan->bundles;
    for (unsigned i = 0; i < g->count; i++) {
        const unsigned n = g->node_of[i];
        const unsigned left = plan->cycle[n] + 1u + gs_graph_delay(g, i);
        insns[i] = (gs_scheduled_insn){
            .raw = g->insns[i].insn.raw,
            .cycle = plan->cycle[n],
            .slot = plan->slot[n],
            .node = (uint16_t)n,
            .fused = g->nodes[n].fused,
        };
        if (g->insns[i].flow != GS_FLOW_NEXT && !plan->interval && left < edges->first_exit)
            edges->first_exit = (uint16_t)left;
    }
    for (unsigned r = 0; r < 64; r++)
        edges->first_read[r] = edges->first_exit;
    for (unsigned i = 0; i < g->count; i++) {
        for (unsigned s = 0; s < 3; s++) {
            const unsigned source = g->insns[i].operands.source[s];
            const unsigned cycle = plan->interval ? 0 : insns[i].cycle;
            if (source < 64 && g->reaching[i][s] == GS_LIVE_IN && cycle < edges->first_read[source])
                edges->first_read[source] = (uint16_t)cycle;
        }
    }
}

/* -- cycles of bundles ------------------------------------------------------------------------ */

typedef struct sharer {
    const gs_vliw_region_context *context;
    const gs_vliw_region *region;
    const gs_routine_insn *code;
    gs_scheduled_insn *insns;
} sharer;

static unsigned latency_of(const sharer *s, unsigned insn)
{
    const gs_vliw *target = s->context->target;
    const int fused = s->insns[insn].fused;
    return fused >= 0 ? target->fused[fused].needs.latency
                      : target->classes[s->code[insn].class].latency;
}

static unsigned delay_of(const sharer *s, unsigned insn)
{
    return s->code[insn].flow == GS_FLOW_NEXT || (s->region->counts && insn + 1 == s->region->count)
               ? 0
               : s->context->target->delay;
}

/* The row of the table an instruction is issued in. */
static unsigned row_of(const sharer *s, unsigned insn)
{
    const unsigned interval = s->region->interval;
    return interval ? s->insns[insn].cycle % interval : s->insns[insn].cycle;
}

/* What has kept an instruction from the cycle before its own. */
static gs_wait wait_of(const sharer *s, unsigned insn)
{
    gs_wait wait = GS_WAIT_PLACE;
    for (unsigned i = 0; i < insn; i++) {
        const gs_register_set made = gs_routine_writes(&s->code[i]);
        if (s->code[i].flow != GS_FLOW_NEXT &&
            s->insns[i].cycle + 1u + delay_of(s, i) == s->insns[insn].cycle)
            wait = GS_WAIT_BRANCH;
        if (made & gs_routine_reads(&s->code[insn]) &&
            s->insns[i].cycle + latency_of(s, i) == s->insns[insn].cycle)
            wait = gs_class_loads(s->code[i].class) ? GS_WAIT_LOAD : GS_WAIT_VALUE;
    }
    return wait;
}

/* Gives the rows from `from` up to that of `insn` to it. */
static void give(sharer *s, unsigned insn, unsigned from)
{
    s->insns[insn].cycles = (uint16_t)(row_of(s, insn) + 1 - from);
    if (s->insns[insn].cycles > 1)
        s->insns[insn].wait = (uint8_t)wait_of(s, insn);
}

/* Shares the cycles of all rows in which something is issued; returns how many there are. */
static unsigned share_rows(sharer *s)
{
    unsigned shared = 0;
    for (;;) {
        int next = -1; /* the first instruction of the next row */
        for (unsigned i = 0; i < s->region->count; i++) {
            if (row_of(s, i) >= shared && (next < 0 || row_of(s, i) < row_of(s, (unsigned)next)))
                next = (int)i;
        }
        if (next < 0)
            return shared;
        give(s, (unsigned)next, shared);
        shared = row_of(s, (unsigned)next) + 1;
    }
}

/* -- exits ------------------------------------------------------------------------------------ */

/* What is known of the region that starts with an instruction of the routine; NULL: nothing. */
static const gs_vliw_region_edges *edges_at(const sharer *s, int32_t insn)
{
    const gs_vliw_region_context *c = s->context;
    if (insn < 0 || !c->target->interlocked)
        return NULL;
    const size_t low = gs_count_below(c->regions, c->region_count, first, (uint32_t)insn);
    return low < c->region_count && c->regions[low].first == (uint32_t)insn ? &c->edges[low] : NULL;
}

/* Cycles until the region can be over at an exit behind which `live` is used, by the region that
 * begins at `next` if that is known. */
static unsigned cycles_to_exit(const sharer *s, unsigned exit, gs_register_set live, int32_t next,
                               gs_wait *wait)
{
    const gs_vliw_region_edges *edges = edges_at(s, next);
    unsigned cycles = s->insns[exit].cycle + 1u + delay_of(s, exit);
    *wait = GS_WAIT_BRANCH;
    for (unsigned i = exit + 1; i-- > 0;) {
        if (s->insns[i].cycle >= cycles)
            cycles = s->insns[i].cycle + 1u;
        for (gs_register_set made = gs_routine_writes(&s->code[i]) & live; made; made &= made - 1) {
            const unsigned name = (unsigned)__builtin_ctzll(made);
            const unsigned there = s->insns[i].cycle + latency_of(s, i);
            const unsigned read = edges ? edges->first_read[name] : 0;
            if (there > cycles + read) {
                cycles = there - read;
                *wait = gs_class_loads(s->code[i].class) ? GS_WAIT_LOAD : GS_WAIT_VALUE;
            }
        }
        live &= ~gs_routine_writes(&s->code[i]);
    }
    return cycles;
}

static uint16_t beyond(unsigned cycles, unsigned shared)
{
    return cycles > shared ? (uint16_t)(cycles - shared) : 0;
}

static bool jumps_always(gs_flow flow)
{
    switch (flow) {
    case GS_FLOW_NEXT:
    case GS_FLOW_BRANCH:
    case GS_FLOW_TRAP: return false;
    default: return true;
    }
}

static void charge_exit(sharer *s, unsigned exit, unsigned shared)
{
    const gs_routine_insn *code = &s->code[exit];
    const bool ends = exit + 1 == s->region->count;
    gs_scheduled_insn *insn = &s->insns[exit];
    const uint32_t number = s->region->first + exit;
    gs_wait wait;
    if (code->flow != GS_FLOW_NEXT && !(ends && s->region->interval)) {
        insn->jumping = beyond(cycles_to_exit(s, exit, code->taken, code->target, &wait), shared);
        insn->jump_wait = (uint8_t)wait;
    } else if (code->flow != GS_FLOW_NEXT) {
        insn->jumping = beyond(s->region->interval, shared);
        insn->jump_wait = GS_WAIT_VALUE;
    }
    if (!ends || jumps_always(code->flow))
        return;
    const bool known = code->flow == GS_FLOW_NEXT || code->flow == GS_FLOW_BRANCH;
    const gs_register_set live =
        known ? s->context->edges[s->region - s->context->regions].onward : code->taken;
    const bool last = number + 1 == s->context->routine->insn_count;
    insn->going_on =
        beyond(cycles_to_exit(s, exit, live, last ? -1 : (int32_t)number + 1, &wait), shared);
    insn->end_wait = (uint8_t)wait;
    if (ends && s->region->counts)
        insn->going_on = (uint16_t)(insn->going_on + s->context->target->loop_setup);
}

void gs_vliw_region_charge(gs_scheduled_insn *insns, const gs_vliw_region_context *context,
                           uint32_t region)
{
    sharer s = {
        .context = context,
        .region = &context->regions[region],
        .code = &context->routine->insns[context->regions[region].first],
        .insns = insns,
    };
    unsigned shared = 0;
    const unsigned spills = gs_vliw_region_spill_cycles(context->target, s.region->spilled);
    share_rows(&s);
    for (unsigned i = 0; i < s.region->count; i++) {
        shared += insns[i].cycles;
        if (i + 1 == s.region->count || s.code[i].flow != GS_FLOW_NEXT)
            charge_exit(&s, i, shared);
    }
    if (spills) {
        insns[0].cycles = (uint16_t)(insns[0].cycles + spills);
        insns[0].wait = GS_WAIT_PLACE;
    }
}
