/* The same recorder, told of counted runs of instructions by the fast engine. */
#include "profile/recorder_bulk.h"

#include <string.h>

#include "profile/recorder_parts.h"
#include "timing/energy.h"

static void take_reading(gs_recorder *r, gs_metrics *reading)
{
    gs_metrics_read(reading, r->timing, r->run_number, r->traps);
}

/* Skips what the engine has charged since r->paused. */
static void shift(gs_recorder *r, const gs_metrics *reading)
{
    gs_metrics by = {0};
    gs_metrics_add_difference(&by, reading, &r->paused);
    gs_counters_shift(&r->counters, &by);
}

static void pause_events(void *self)
{
    gs_recorder *r = self;
    gs_recorder_cut_run(r);
    take_reading(r, &r->paused);
    gs_calltree_settle(r->calls, &r->paused);
}

static void lend(void *self, gs_call_stack *stack)
{
    gs_recorder *r = self;
    r->stack = stack;
    gs_calltree_lend(r->calls, stack);
    stack->arrives_at = r->arrives_at;
    stack->arrival = r->arrival;
}

static void resume_events(void *self)
{
    gs_recorder *r = self;
    const gs_call_stack *stack = r->stack;
    gs_metrics reading;
    if (stack->last != GS_CALL_NO_PC)
        r->last = stack->last;
    r->run_from = r->machine->hart.pc;
    r->run_number = r->machine->hart.instret;
    r->arrives_at = stack->arrives_at;
    r->arrival = stack->arrival;
    gs_calltree_take_back(r->calls, stack);
    r->stack = NULL;
    take_reading(r, &reading);
    gs_calltree_mark(r->calls, &reading);
    shift(r, &reading);
    gs_recorder_look_at_stack(r);
    gs_counters_use_context(&r->counters, gs_calltree_context(r->calls));
}

static void code_decoded(void *self, uint64_t at, const gs_insn *insn)
{
    gs_recorder *r = self;
    const uint32_t pc = (uint32_t)at;
    if (gs_counters_know(&r->counters, pc, insn))
        return;
    gs_recorder_cut_run(r);
    gs_counters_exchange(&r->counters, pc, insn);
}

/* The slot of an instruction on a path. */
static gs_slot *slot_at(gs_recorder *r, uint64_t path, gs_addr pc)
{
    gs_counters_use_context(&r->counters, (uint32_t)(path >> 32));
    return gs_counters_at(&r->counters, pc);
}

/* A jump is made for the first time. */
static void look_at_jump(gs_recorder *r, const gs_move *move)
{
    r->instructions = move->instructions;
    if (move->flow == GS_FLOW_JUMP_INDIRECT) {
        (void)gs_recorder_jump(r, move->from, move->goal);
        return;
    }
    gs_slot *s = slot_at(r, r->stack->top->path, move->from);
    if (s && !s->flow)
        gs_recorder_look_at(r, s, move->from, move->insn);
}

static gs_arrival arrival_of(gs_recorder *r, const gs_move *move)
{
    switch (move->flow) {
    case GS_FLOW_BRANCH:
    case GS_FLOW_JUMP: return gs_iterations_jump(r->iterations, move->from, move->goal);
    case GS_FLOW_JUMP_INDIRECT: {
        const gs_jump_profile *jump = gs_recorder_jump(r, move->from, move->goal);
        return jump ? (gs_arrival)jump->arrival : GS_ARRIVAL_UNSURE;
    }
    case GS_FLOW_CALL:
    case GS_FLOW_BRANCH_CALL:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_RETURN_CALL: return GS_ARRIVAL_ENTRY;
    default: return GS_ARRIVAL_ONWARDS;
    }
}

static gs_move_kind classify_jump(void *self, const gs_move *move, gs_arrival *arrival)
{
    gs_recorder *r = self;
    if (r->stack)
        look_at_jump(r, move);
    *arrival = arrival_of(r, move);
    if (r->stack) {
        gs_calltree_take_back(r->calls, r->stack);
        gs_calltree_lend(r->calls, r->stack);
    }
    const gs_move_kind kind = gs_calltree_kind(r->calls, move->flow, move->from, move->goal);
    if (kind != GS_MOVE_TAIL || move->flow != GS_FLOW_JUMP_INDIRECT)
        return kind;
    /* Where the stack pointer changes as well, it may be another thing each time. */
    const bool is_level = !r->stack || GS_CALL_IS_LEVEL(r->stack, move->sp);
    return is_level && !gs_recorder_changes_stack(r, move->from) ? kind : GS_MOVE_OTHER;
}

static gs_arrival follow_jump(void *self, const gs_move *move, bool counts)
{
    gs_recorder *r = self;
    gs_calltree_take_back(r->calls, r->stack);
    uint32_t depth = gs_calltree_top(r->calls)->depth;
    r->instructions = move->instructions;
    r->flow = move->flow;
    r->from = move->from;
    r->goal = move->goal;
    r->return_address = move->return_address;
    r->arrives_at = GS_NOWHERE;
    gs_recorder_change_path(r, move->sp);
    if (!counts && gs_calltree_top(r->calls)->depth > depth)
        gs_calltree_count_calls(r->calls, gs_calltree_current(r->calls), UINT64_MAX);
    gs_calltree_lend(r->calls, r->stack);
    return r->arrives_at == GS_NOWHERE ? GS_ARRIVAL_UNKNOWN : r->arrival;
}

static gs_path_view view(void *self)
{
    const gs_recorder *r = self;
    const size_t count = gs_iterations_count(r->iterations);
    const bool crowded = gs_calltree_is_crowded(r->calls);
    return (gs_path_view){
        .knowledge = r->knowledge + r->headers_marked + crowded,
        .loops = gs_iterations_going(r->iterations),
        .loop_count = count < GS_SLOT_MAX_HEADER ? count : GS_SLOT_MAX_HEADER,
        .crowded = crowded,
    };
}

static gs_addr loop_header(void *self, size_t loop)
{
    const gs_recorder *r = self;
    return gs_iterations_header(r->iterations, loop);
}

static void arrive(void *self, size_t loop, gs_arrival arrival, const uint64_t *counter)
{
    gs_recorder *r = self;
    gs_iterations_arrive(r->iterations, loop, arrival, r->stack->top, counter);
}

static void undo_arrival(void *self, size_t loop, gs_arrival arrival)
{
    gs_recorder *r = self;
    gs_iterations_undo(r->iterations, loop, arrival);
}

static bool resume_loop(void *self, size_t loop)
{
    gs_recorder *r = self;
    return gs_iterations_resume(r->iterations, loop, r->stack->top);
}

static gs_metric metric_of(unsigned kind)
{
    switch (kind) {
    case GS_CHARGE_CYCLES: return GS_METRIC_CYCLES;
    case GS_CHARGE_I_MISSES: return GS_METRIC_I_MISSES;
    case GS_CHARGE_D_MISSES: return GS_METRIC_D_MISSES;
    case GS_CHARGE_MISPREDICTED: return GS_METRIC_MISPREDICTED;
    default: return (gs_metric)(GS_METRIC_FIRST_STALL + kind - GS_CHARGE_STALLS);
    }
}

/* What all of a run cost, all times. */
static gs_metrics cost_of(const gs_recorder *r, const gs_bulk_run *run)
{
    gs_metrics cost = {0};
    for (unsigned i = 0; i < run->charge_count; i++)
        cost.value[metric_of(run->charges[i].kind)] += (uint64_t)run->charges[i].amount;
    cost.value[GS_METRIC_CYCLES] = run->cycles;
    cost.value[GS_METRIC_INSTRUCTIONS] = run->length;
    cost.value[GS_METRIC_BRANCHES] = run->branches.executed;
    cost.value[GS_METRIC_TAKEN] = run->branches.taken;
    cost.value[GS_METRIC_ENERGY] =
        run->issue_fj +
        gs_energy_of_stalls(&r->timing->core->energy, &cost.value[GS_METRIC_FIRST_STALL]);
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        cost.value[i] *= run->times;
    return cost;
}

static void count_taken(gs_recorder *r, const gs_bulk_run *run)
{
    const gs_bulk_insn *jump_at = gs_bulk_insn_at(run, (size_t)run->taken);
    uint64_t goal;
    if (run->calls)
        gs_calltree_count_calls(r->calls, (uint32_t)run->new_path, run->times);
    if (r->machine->isa->flow(&jump_at->insn, jump_at->pc, &goal) != GS_FLOW_JUMP_INDIRECT)
        return;
    gs_jump_profile *jump = gs_recorder_jump(r, jump_at->pc, run->goal);
    if (jump)
        jump->count += r->outside ? 0 : run->times;
}

static void begin_adding(void *self)
{
    gs_recorder *r = self;
    take_reading(r, &r->paused);
}

static void end_adding(void *self)
{
    gs_recorder *r = self;
    gs_metrics reading;
    take_reading(r, &reading);
    shift(r, &reading);
    gs_calltree_shift(r->calls, &reading, &r->paused);
    gs_counters_use_context(&r->counters, gs_calltree_context(r->calls));
}

static void add_run(void *self, const gs_bulk_run *run)
{
    gs_recorder *r = self;
    gs_metrics cost = cost_of(r, run);
    gs_calltree_charge(r->calls, (uint32_t)run->path, &cost);
    for (unsigned i = 0; i < run->length; i++) {
        const gs_bulk_insn *at = gs_bulk_insn_at(run, i);
        gs_slot *s = slot_at(r, run->path, at->pc);
        if (!s)
            return;
        gs_counters_add(&r->counters, s, at->insn.length, run->times, run->taken == (int)i);
    }
    for (unsigned i = 0; i < run->charge_count; i++) {
        const gs_charge *charge = &run->charges[i];
        gs_slot *s = slot_at(r, run->path, gs_bulk_insn_at(run, charge->insn)->pc);
        if (s)
            gs_counters_charge(&r->counters, s, metric_of(charge->kind),
                               (uint64_t)charge->amount * run->times);
    }
    if (run->taken >= 0)
        count_taken(r, run);
}

static const gs_path_observer paths = {
    .lend = lend,
    .view = view,
    .loop_header = loop_header,
    .classify = classify_jump,
    .follow = follow_jump,
    .arrive = arrive,
    .undo_arrival = undo_arrival,
    .resume_loop = resume_loop,
};

const gs_bulk_observer gs_recorder_bulk = {
    .pause = pause_events,
    .resume = resume_events,
    .begin_adding = begin_adding,
    .add = add_run,
    .end_adding = end_adding,
    .decoded = code_decoded,
    .paths = &paths,
};
