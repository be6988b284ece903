/* Turns the counts of edges into totals, for the timing and for the observers. */
#include "engine/fast/automaton/automaton_parts.h"

#include "timing/energy.h"

gs_bulk_run gs_automaton_run_of(const gs_transition *t)
{
    const gs_superblock *s = t->superblock;
    return (gs_bulk_run){
        .times = 1,
        .first = &s->steps->counted,
        .stride = sizeof *s->steps,
        .length = t->steps,
        .taken = t->exit & GS_EDGE_PARTIAL ? -1 : s->exits[t->exit].taken,
        .goal = t->goal,
        .cycles = (uint64_t)t->cycles,
        .issue_fj = t->issue_fj,
        .branches = t->branches,
        .charges = t->charges,
        .charge_count = t->charge_count,
    };
}

gs_bulk_run gs_automaton_charges_of(const gs_superblock *superblock, const gs_charge *charges,
                                    unsigned count)
{
    gs_bulk_run run = {
        .times = 1,
        .first = &superblock->steps->counted,
        .stride = sizeof *superblock->steps,
        .taken = -1,
        .charges = charges,
        .charge_count = count,
    };
    for (unsigned i = 0; i < count; i++)
        run.cycles += charges[i].kind == GS_CHARGE_CYCLES ? (uint64_t)charges[i].amount : 0;
    return run;
}

static void report(const gs_automaton *a, const gs_fast_edge *edge, uint64_t times)
{
    gs_bulk_run run = gs_automaton_run_of(edge->transition);
    run.path = edge->from->path;
    run.times = times;
    run.goal = edge->goal;
    run.calls = gs_automaton_calls(edge);
    run.new_path = edge->path;
    gs_bulk_add(a->observers, &run);
}

static void settle(gs_automaton *a, gs_fast_edge *edge)
{
    gs_timing *timing = a->timing;
    const gs_transition *transition = edge->transition;
    const uint64_t times = edge->count - edge->settled;
    if (times == 0)
        return;
    edge->settled = edge->count;
    timing->instructions += times * edge->transition->steps;
    timing->issue_fj += times * transition->issue_fj;
    timing->branches.executed += times * transition->branches.executed;
    timing->branches.taken += times * transition->branches.taken;
    timing->branches.mispredicted += times * transition->branches.mispredicted;
    timing->icache.stats.reads += times * transition->icache_reads;
    timing->dcache.stats.reads += times * transition->dcache_reads;
    timing->dcache.stats.writes += times * transition->dcache_writes;
    for (unsigned i = 0; i < transition->charge_count; i++) {
        const gs_charge *charge = &transition->charges[i];
        if (charge->kind >= GS_CHARGE_STALLS)
            timing->stalls[charge->kind - GS_CHARGE_STALLS] += times * (uint64_t)charge->amount;
    }
    if (a->observers->count > 0)
        report(a, edge, times);
}

static void reclassify(gs_automaton *a, gs_fast_edge *edge, bool crowded)
{
    gs_move move;
    gs_arrival arrival = GS_ARRIVAL_ONWARDS;
    if (gs_automaton_move(a, edge, &move))
        (void)a->observers->paths->classify(a->observers->paths_self, &move, &arrival);
    edge->arrival = (uint8_t)arrival;
    if (crowded && gs_automaton_calls(edge)) {
        settle(a, edge); /* as what it was */
        edge->move = GS_MOVE_OTHER;
    }
}

void gs_automaton_reclassify(gs_automaton *a)
{
    const bool crowded = a->observers->paths->view(a->observers->paths_self).crowded;
    for (gs_fast_edge *edge = a->newest; edge; edge = edge->older) {
        if (edge->move != GS_MOVE_UNSEEN)
            reclassify(a, edge, crowded);
    }
}

void gs_automaton_charge(gs_automaton *a, const gs_superblock *superblock, uint64_t path,
                         const gs_charge *charges, unsigned count, uint64_t times)
{
    gs_bulk_run run = gs_automaton_charges_of(superblock, charges, count);
    run.path = path;
    run.times = times;
    for (unsigned i = 0; i < count; i++) {
        if (charges[i].kind >= GS_CHARGE_STALLS)
            a->timing->stalls[charges[i].kind - GS_CHARGE_STALLS] +=
                times * (uint64_t)charges[i].amount;
    }
    gs_bulk_add(a->observers, &run);
}

void gs_automaton_settle(gs_automaton *a)
{
    for (gs_fast_edge *edge = a->newest; edge; edge = edge->older)
        settle(a, edge);
    gs_energy_caught_up(a->timing);
}

static void explain_charges(const gs_transition *transition, FILE *to)
{
    const char *separator = ", of them";
    for (unsigned i = 0; i < transition->charge_count; i++) {
        const gs_charge *charge = &transition->charges[i];
        if (charge->kind < GS_CHARGE_STALLS)
            continue;
        fprintf(to, "%s %d %s at %08x", separator, charge->amount,
                gs_timing_stall_key((gs_stall)(charge->kind - GS_CHARGE_STALLS)),
                transition->superblock->steps[charge->insn].pc);
        separator = "";
    }
}

void gs_automaton_explain(const gs_automaton *a, const gs_superblock *superblock, FILE *to)
{
    fprintf(to, "/* %08x: %u instructions */\n", superblock->pc, superblock->step_count);
    for (const gs_fast_edge *edge = a->newest; edge; edge = edge->older) {
        if (edge->from->superblock != superblock || edge->count == 0)
            continue;
        fprintf(to, "/*   %llu times", (unsigned long long)edge->count);
        if (edge->exit & GS_EDGE_PARTIAL)
            fputs(" left", to);
        else
            fprintf(to, " to %08x", edge->goal);
        fprintf(to, " after %u instructions, %d cycles", edge->transition->steps,
                edge->transition->cycles);
        explain_charges(edge->transition, to);
        fputs(" */\n", to);
    }
}
