/* The observer behind the exact profile: one instruction at a time. */
#include "profile/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "profile/recorder_bulk.h"
#include "profile/recorder_parts.h"

/* Cold code: most instructions only cost a cycle. */
#define SLOW __attribute__((noinline))

static void read_all(const gs_recorder *r, gs_metrics *reading)
{
    gs_metrics_read(reading, r->timing, r->instructions, r->traps);
}

static const uint32_t *stack_pointer(const gs_machine *machine)
{
    const gs_hart *hart = &machine->hart;
    return machine->isa->arch == GS_ARCH_RV32 ? &hart->rv.x[2] : &hart->mips.r[29];
}

/* Charges what has happened so far to the function whose code has been executed. */
static void charge_timeline(gs_recorder *r, const gs_metrics *reading)
{
    if (__builtin_expect(!r->timeline, 1))
        return;
    if (r->outside) {
        gs_timeline_skip(r->timeline, reading);
        return;
    }
    const gs_function *function = r->shown.function;
    const gs_image *image = r->machine->image;
    gs_timeline_charge(r->timeline,
                       function ? (size_t)(function - gs_image_function(image, 0))
                                : gs_image_function_count(image),
                       reading);
}

static void show(gs_recorder *r, const gs_function *function)
{
    r->shown.function = function;
    r->shown.start = function ? function->start : 0;
    r->shown.size = function ? function->end - function->start : 0;
}

/* Control goes to code of another function, or of none. */
static SLOW void show_next(gs_recorder *r, const gs_retired *event)
{
    const gs_function *next = gs_image_function_at(r->machine->image, event->next_pc);
    if (next == r->shown.function)
        return;
    gs_metrics reading;
    r->instructions = event->number + 1;
    read_all(r, &reading);
    charge_timeline(r, &reading);
    show(r, next);
}

static SLOW void end_interval(gs_recorder *r, uint64_t instructions)
{
    gs_metrics reading;
    r->instructions = instructions;
    read_all(r, &reading);
    charge_timeline(r, &reading);
    gs_timeline_advance(r->timeline, r->timing->now);
    r->deadline = gs_timeline_next(r->timeline);
}

/* The call stack has become shorter: a jump that a trap had come after may arrive now. */
static SLOW void release_arrivals(gs_recorder *r)
{
    size_t kept = 0;
    bool released = false;
    for (size_t i = 0; i < r->held.count; i++) {
        const held_arrival held = r->held.items[i];
        if (held.thread != r->thread || held.depth <= r->frame->depth) {
            r->held.items[kept++] = held;
        } else if (held.to == r->goal && !released) {
            released = true;
            r->arrives_at = held.to;
            r->arrival = held.arrival;
        }
    }
    r->held.count = kept;
}

static SLOW void switch_thread(gs_recorder *r, uint32_t to)
{
    gs_iterations_switch(r->iterations, r->thread, gs_calltree_top_of(r->calls, r->thread), to);
    r->thread = to;
}

void gs_recorder_look_at_stack(gs_recorder *r)
{
    r->frame = gs_calltree_top(r->calls);
}

static inline void move_along(gs_recorder *r, uint32_t sp)
{
    size_t nodes = gs_calltree_count(r->calls);
    if (r->flow == GS_FLOW_TRAP) {
        /* A system call that does not go on behind itself: to a signal handler, or back. */
        gs_calltree_signal(r->calls, r->from, r->goal, r->return_address, sp);
    } else {
        gs_calltree_flow(r->calls, r->flow, r->from, r->goal, r->return_address, sp);
    }
    gs_recorder_look_at_stack(r);
    const uint32_t thread = gs_calltree_running(r->calls);
    if (__builtin_expect(thread != r->thread, 0))
        switch_thread(r, thread);
    if (__builtin_expect(r->frame->depth == 1, 0))
        r->began_last = r->instructions;
    if (__builtin_expect(r->held.count > 0, 0))
        release_arrivals(r);
    if (__builtin_expect(nodes != gs_calltree_count(r->calls), 0))
        gs_recorder_learn_of(r, r->goal);
}

void gs_recorder_change_path(gs_recorder *r, uint32_t sp)
{
    move_along(r, sp);
}

static bool is_local(const gs_recorder *r, uint32_t from, uint32_t to)
{
    const gs_image *image = r->machine->image;
    return gs_image_function_at(image, from) == gs_image_function_at(image, to);
}

gs_jump_profile *gs_recorder_jump(gs_recorder *r, uint32_t from, uint32_t to)
{
    bool made;
    gs_jump_profile *jump = gs_jumps_between(&r->jumps, from, to, &made);
    if (!jump) {
        r->no_memory = true;
        return NULL;
    }
    if (made) {
        jump->arrival = GS_ARRIVAL_UNSURE;
        jump->local = is_local(r, from, to);
        gs_recorder_learn_of(r, to);
        if (jump->arrival == GS_ARRIVAL_UNSURE)
            gs_recorder_doubt(r, from, to);
    }
    return jump;
}

void gs_recorder_look_at(gs_recorder *r, gs_slot *s, uint32_t pc, const gs_insn *insn)
{
    uint64_t target;
    gs_flow flow = r->machine->isa->flow(insn, pc, &target);
    s->flow = (uint8_t)(flow + 1);
    if (flow != GS_FLOW_BRANCH && flow != GS_FLOW_JUMP)
        return;
    if (is_local(r, pc, (uint32_t)target))
        s->flow |= GS_SLOT_LOCAL;
    s->arrival = (uint8_t)gs_iterations_jump(r->iterations, pc, (uint32_t)target);
    if (s->arrival == GS_ARRIVAL_UNSURE)
        gs_recorder_doubt(r, pc, (uint32_t)target);
}

static void arrive(gs_recorder *r, const gs_slot *s, uint32_t pc)
{
    gs_arrival arrival = r->arrives_at == pc ? r->arrival : GS_ARRIVAL_ONWARDS;
    r->arrives_at = GS_NOWHERE;
    gs_iterations_arrive(r->iterations, s->header - 1u, arrival, r->frame, NULL);
}

/* Most arrivals: another iteration. False: it is something else, and has not been counted. */
static inline bool iterate(gs_recorder *r, const gs_slot *s, uint32_t pc)
{
    gs_loop_run *loop = &r->loops[s->header - 1u];
    if (r->arrives_at != pc || r->arrival != GS_ARRIVAL_BACK || loop->frame != r->frame->number)
        return false;
    loop->iterations++;
    r->arrives_at = GS_NOWHERE;
    return true;
}

static SLOW void arrive_further(gs_recorder *r, uint32_t from, size_t last)
{
    const gs_counters *c = &r->counters;
    const gs_slot *slots = c->slots;
    for (size_t i = gs_counters_index(c, from); (i = slots[i].next_header) <= last;) {
        uint32_t pc = (from & ~(uint32_t)(GS_PAGE_SIZE - 1)) + (uint32_t)(i << c->unit_shift);
        if (gs_counters_passes(c, from, pc))
            arrive(r, &slots[i], pc);
    }
}

/* Control has gone from the slot `first` of the current page, at `from`, to the slot `last`: past
 * the loops that begin there. */
static inline void arrive_along(gs_recorder *r, const gs_slot *first, uint32_t from, size_t last)
{
    if (first->header)
        arrive(r, first, from);
    if (first->next_header <= last)
        arrive_further(r, from, last);
}

/* All from where control was transferred last to before `end` has been executed. */
static SLOW void end_run(gs_recorder *r, uint32_t end)
{
    gs_counters *c = &r->counters;
    uint32_t from = r->run_from;
    const gs_slot *first;
    gs_counters_ran(c, from, end);
    while (from != end && (first = gs_counters_at(c, from)) != NULL) {
        bool ends_here = from >> GS_PAGE_SHIFT == end >> GS_PAGE_SHIFT;
        size_t behind = ends_here ? gs_counters_index(c, end) : gs_counters_page_slots(c);
        arrive_along(r, first, from, behind - 1);
        from = ends_here ? end : gs_counters_over_page(c, from);
    }
    r->run_from = end;
}

void gs_recorder_cut_run(gs_recorder *r)
{
    uint64_t instructions = r->machine->hart.instret - r->run_number;
    if (instructions > 0) {
        r->last = gs_counters_behind(&r->counters, r->run_from, instructions - 1);
        r->run_number += instructions;
        end_run(r, gs_counters_behind(&r->counters, r->last, 1));
    }
}

static inline void note_indirect_jump(gs_recorder *r)
{
    gs_jump_profile *jump = gs_recorder_jump(r, r->from, r->goal);
    r->arrival = GS_ARRIVAL_UNSURE;
    if (!jump)
        return;
    jump->count += !r->outside;
    r->arrival = (gs_arrival)jump->arrival;
    if (jump->local)
        r->countdown = 0;
}

static inline void note_flow(gs_recorder *r, gs_slot *s, const gs_retired *event)
{
    const gs_isa *isa = r->machine->isa;
    r->instructions = event->number + 1;
    if (!s->flow)
        gs_recorder_look_at(r, s, (uint32_t)event->pc, event->insn);
    r->flow = (gs_flow)((s->flow & ~GS_SLOT_LOCAL) - 1);
    r->from = (uint32_t)event->pc;
    r->goal = (uint32_t)event->goal;
    unsigned slots = r->flow == GS_FLOW_TRAP ? 0 : isa->delay_slots;
    r->return_address = (uint32_t)event->pc + event->insn->length * (1 + slots);
    bool slot_follows = isa->delay_slots && event->next_pc != event->goal;
    r->countdown = 1 + slot_follows;
    r->arrives_at = r->goal;
    switch (r->flow) {
    case GS_FLOW_BRANCH:
    case GS_FLOW_JUMP: r->arrival = (gs_arrival)s->arrival; break;
    case GS_FLOW_JUMP_INDIRECT: note_indirect_jump(r); break;
    case GS_FLOW_CALL:
    case GS_FLOW_BRANCH_CALL:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_RETURN_CALL:
    case GS_FLOW_TRAP: r->arrival = GS_ARRIVAL_ENTRY; break;
    default: r->arrives_at = GS_NOWHERE; break; /* a return comes from the code before */
    }
}

static inline void change_path(gs_recorder *r, uint64_t instructions)
{
    r->instructions = instructions;
    gs_calltree_settle_now(r->calls, r->timing, instructions, r->traps);
    move_along(r, *r->sp);
    gs_counters_use_context(&r->counters, gs_calltree_context(r->calls));
}

/* Follows a jump that leaves its function, perhaps: behind its delay slot if it has one. */
static SLOW void follow(gs_recorder *r, gs_slot *s, const gs_retired *event, bool leaves)
{
    if (leaves)
        note_flow(r, s, event);
    if (r->countdown > 0 && --r->countdown == 0)
        change_path(r, event->number + 1);
}

/* A run is over with the instruction of slot `s`, which transfers control. */
static inline void transfer(gs_recorder *r, gs_slot *s, const gs_retired *event)
{
    bool leaves = event->taken;
    r->last = (uint32_t)event->pc;
    r->run_from = (uint32_t)event->next_pc;
    r->run_number = event->number + 1;
    if (event->taken) {
        r->counters.taken[s - r->counters.slots]++;
        if (__builtin_expect(s->flow & GS_SLOT_LOCAL, 1)) {
            r->arrives_at = (uint32_t)event->goal;
            r->arrival = (gs_arrival)s->arrival;
            leaves = false;
        }
    }
    if (leaves || __builtin_expect(r->countdown > 0, 0))
        follow(r, s, event, leaves);
}

/* The same, where there is more to do for the run than to count it. */
static SLOW void transfer_far(gs_recorder *r, const gs_retired *event)
{
    uint32_t pc = (uint32_t)event->pc;
    end_run(r, pc + event->insn->length);
    transfer(r, gs_counters_at(&r->counters, pc), event);
}

static SLOW void transfer_at_loops(gs_recorder *r, gs_slot *s, const gs_retired *event)
{
    const gs_slot *slots = r->counters.slots;
    arrive_along(r, &slots[gs_counters_index(&r->counters, r->run_from)], r->run_from,
                 (size_t)(s - slots));
    transfer(r, s, event);
}

static SLOW void count_run(gs_recorder *r, gs_slot *s, const gs_retired *event)
{
    gs_counters *c = &r->counters;
    uint32_t from = r->run_from;
    if (__builtin_expect(from >> GS_PAGE_SHIFT != (uint32_t)event->pc >> GS_PAGE_SHIFT, 0)) {
        transfer_far(r, event);
        return;
    }
    gs_slot *first = &c->slots[gs_counters_index(c, from)];
    first->more++;
    s[event->insn->length >> c->unit_shift].more--;
    bool further = first->next_header <= (size_t)(s - c->slots);
    if (further || (first->header && !iterate(r, first, from)))
        transfer_at_loops(r, s, event);
    else
        transfer(r, s, event);
}

static SLOW void note_rarely(gs_recorder *r, const gs_retired *event, uint64_t cycles, bool missed)
{
    gs_slot *s = gs_counters_at(&r->counters, (uint32_t)event->pc);
    if (!s)
        return;
    if (cycles != 1 && !gs_counters_charge_same(&r->counters, s, cycles))
        gs_counters_charge_many(&r->counters, s, cycles);
    if (missed)
        gs_counters_charge_misses(&r->counters, s);
    if (event->transfers)
        count_run(r, s, event);
}

/* The fast path: most events need only a few of these lines. Each function ends with a tail
 * call, so that no registers have to be saved. */
static void on_noted(void *self, const gs_machine *machine, const gs_retired *event,
                     uint64_t cycles, bool missed)
{
    gs_recorder *r = self;
    gs_counters *c = &r->counters;
    uint32_t pc = (uint32_t)event->pc;
    (void)machine;
    if (__builtin_expect(missed || pc >> GS_PAGE_SHIFT != c->page, 0)) {
        note_rarely(r, event, cycles, missed);
        return;
    }
    gs_slot *s = &c->slots[gs_counters_index(c, pc)];
    if (cycles != 1 && !gs_counters_charge_same(c, s, cycles))
        note_rarely(r, event, cycles, missed);
    else if (event->transfers)
        count_run(r, s, event);
}

/* Only for a timeline. */
static void on_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    gs_recorder *r = self;
    (void)machine;
    if (__builtin_expect(r->timing->now >= r->deadline, 0))
        end_interval(r, event->number + 1);
    if (event->next_pc - r->shown.start >= r->shown.size)
        show_next(r, event);
}

static void on_decoded(void *self, const gs_machine *machine, uint64_t at, const gs_insn *insn)
{
    gs_recorder *r = self;
    uint32_t pc = (uint32_t)at;
    (void)machine;
    if (gs_counters_know(&r->counters, pc, insn))
        return;
    r->run_number += gs_counters_between(&r->counters, r->run_from, pc);
    end_run(r, pc);
    gs_counters_exchange(&r->counters, pc, insn);
}

/* What was decoded before the recorder was opened. */
static void know_decoded(gs_recorder *r)
{
    const gs_memory *memory = &r->machine->memory;
    for (uint32_t page = 0; page < GS_PAGE_COUNT; page++) {
        const gs_insn *code = memory->code[page];
        for (uint32_t i = 0; code && i < GS_PAGE_SIZE / memory->unit; i++) {
            if (code[i].op != GS_OP_UNDECODED)
                on_decoded(r, r->machine, (page << GS_PAGE_SHIFT) + i * memory->unit, &code[i]);
        }
    }
}

static void on_trapped(void *self, const gs_machine *machine, const gs_trapped *event)
{
    gs_recorder *r = self;
    gs_metrics reading;
    gs_recorder_cut_run(r);
    r->run_from = (uint32_t)event->handler;
    r->countdown = 0;
    r->instructions = machine->hart.instret;
    r->traps++;
    read_all(r, &reading);
    reading.value[GS_METRIC_TRAPS]--; /* it is the handler's, and so are its cycles */
    gs_counters_leave_owed(&r->counters, &reading);
    charge_timeline(r, &reading);
    show(r, gs_image_function_at(machine->image, event->handler));
    gs_calltree_settle(r->calls, &reading);
    gs_calltree_trap(r->calls, (uint32_t)event->pc, (uint32_t)event->handler, *r->sp);
    gs_recorder_look_at_stack(r);
    if (r->arrives_at == event->pc) {
        held_arrival held = {r->thread, r->frame->depth, r->arrives_at, r->arrival};
        r->no_memory |= !gs_vec_push(&r->held, held);
    }
    r->arrives_at = (uint32_t)event->handler;
    r->arrival = GS_ARRIVAL_ENTRY;
    gs_counters_use_context(&r->counters, gs_calltree_context(r->calls));
    gs_slot *s = gs_counters_at(&r->counters, (uint32_t)event->handler);
    if (s)
        gs_counters_charge_trap(&r->counters, s);
}

static void keep_stop(gs_recorder *r, uint32_t next)
{
    for (size_t i = 0; i < r->stops.count; i++) {
        gs_stop_profile *stop = &r->stops.items[i];
        if (stop->last == r->last && stop->next == next) {
            stop->count++;
            return;
        }
    }
    gs_stop_profile stop = {r->last, next, 1};
    r->no_memory |= !gs_vec_push(&r->stops, stop);
}

/* Whether the instruction that retired last has called the current function, nothing of which has
 * been executed: the call belongs to what is called. */
static bool was_just_called(const gs_recorder *r)
{
    const gs_call_node *node = gs_calltree_node(r->calls, gs_calltree_current(r->calls));
    if (node->entry != r->machine->hart.pc || node->kind == GS_FRAME_TRAP)
        return false;
    if (node->parent == GS_CALLTREE_NONE)
        return r->machine->hart.instret == r->first || r->machine->hart.instret == r->began_last;
    return r->last == node->site || (r->machine->isa->delay_slots && r->last == node->site + 4);
}

static void count_region(gs_recorder *r, const gs_metrics *now)
{
    gs_metrics_add_difference(&r->total, now, &r->began);
}

static void on_region(void *self, const gs_machine *machine, bool inside)
{
    gs_recorder *r = self;
    gs_metrics reading;
    r->has_region = true;
    if (r->outside == !inside)
        return;
    gs_recorder_cut_run(r);
    r->instructions = machine->hart.instret;
    read_all(r, &reading);
    gs_counters_leave_owed(&r->counters, &reading);
    charge_timeline(r, &reading);
    gs_calltree_settle(r->calls, &reading);
    bool called = was_just_called(r);
    if (!inside) {
        count_region(r, &reading);
        keep_stop(r, machine->hart.pc);
        gs_calltree_count_calls(r->calls, gs_calltree_current(r->calls), called ? UINT64_MAX : 0);
    }
    r->outside = !inside;
    gs_calltree_take_side(r->calls, !inside);
    gs_counters_take_side(&r->counters, !inside);
    if (inside) {
        r->began = reading;
        gs_calltree_count_calls(r->calls, gs_calltree_current(r->calls), called);
    }
}

gs_status gs_recorder_open(gs_recorder **out, const gs_machine *machine, const gs_timing *timing,
                           gs_error *err)
{
    *out = NULL;
    gs_recorder *r = calloc(1, sizeof *r);
    if (!r)
        return gs_fail_no_memory(err);
    r->machine = machine;
    r->timing = timing;
    r->sp = stack_pointer(machine);
    r->run_number = r->first = machine->hart.instret;
    r->run_from = machine->hart.pc;
    r->arrives_at = GS_NOWHERE;
    r->observer = (gs_observer){.trapped = on_trapped,
                                .noted = on_noted,
                                .decoded = on_decoded,
                                .region = on_region,
                                .self = r,
                                .name = "a profile",
                                .bulk = &gs_recorder_bulk};
    gs_status status = gs_counters_init(&r->counters, machine, timing, err);
    r->counters.made = gs_recorder_page_made;
    r->counters.owner = r;
    if (status == GS_OK)
        status = gs_calltree_open(&r->calls, machine->image, machine->hart.pc,
                                  gs_recorder_loop_around, gs_recorder_changes_stack, r, err);
    if (status == GS_OK)
        status = gs_iterations_open(&r->iterations, machine->image, err);
    if (status != GS_OK) {
        gs_recorder_free(r);
        return status;
    }
    gs_recorder_look_at_stack(r);
    gs_recorder_mark_headers(r);
    if (machine->hart.instret > 0)
        know_decoded(r);
    *out = r;
    return GS_OK;
}

gs_status gs_recorder_keep_timeline(gs_recorder *r, uint64_t cycles, gs_error *err)
{
    if (!r->timing || cycles == 0)
        return gs_fail(err, GS_E_ARGUMENT, "a timeline needs a core, and intervals of cycles");
    gs_status status =
        gs_timeline_open(&r->timeline, gs_image_function_count(r->machine->image), cycles, err);
    if (status == GS_OK) {
        show(r, gs_image_function_at(r->machine->image, r->machine->hart.pc));
        r->deadline = gs_timeline_next(r->timeline);
        r->observer.bulk = NULL; /* intervals end between any two instructions */
        r->observer.name = "a timeline";
        r->observer.retired = on_retired;
    }
    return status;
}

void gs_recorder_free(gs_recorder *r)
{
    if (!r)
        return;
    gs_counters_fini(&r->counters);
    gs_jumps_fini(&r->jumps);
    gs_calltree_free(r->calls);
    gs_iterations_free(r->iterations);
    gs_timeline_free(r->timeline);
    free(r->held.items);
    free(r->stops.items);
    free(r->places.items);
    free(r->insns.items);
    free(r->context_insns.items);
    free(r);
}

const gs_observer *gs_recorder_observer(const gs_recorder *r)
{
    return &r->observer;
}

static int by_pc(const void *a, const void *b)
{
    const gs_insn_profile *x = a, *y = b;
    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    return (x->context > y->context) - (x->context < y->context);
}

static void collect_page(gs_recorder *r, gs_slot_page *page)
{
    gs_counters_settle(&r->counters, page);
    for (size_t i = 0; i < gs_counters_page_slots(&r->counters); i++) {
        if (page->executions[i] == 0 && page->slots[i].rest == 0)
            continue;
        gs_insn_profile row = {
            .pc = gs_counters_pc(&r->counters, page, i),
            .context = page->context >> 1,
            .executions = page->executions[i],
            .taken = page->taken[i],
            .cost = gs_counters_cost(&r->counters, page, i),
        };
        /* What was charged in advance may have been taken back. */
        static const gs_metrics nothing;
        if (row.executions == 0 && memcmp(&row.cost, &nothing, sizeof nothing) == 0)
            continue;
        r->no_memory |= !gs_vec_push(&r->context_insns, row);
    }
}

static void collect_insns(gs_recorder *r)
{
    for (size_t i = 0; i < r->counters.all_pages.count; i++) {
        if (!gs_counters_is_outside(r->counters.all_pages.items[i]))
            collect_page(r, r->counters.all_pages.items[i]);
    }
    if (r->context_insns.count > 0)
        qsort(r->context_insns.items, r->context_insns.count, sizeof *r->context_insns.items,
              by_pc);
    for (size_t i = 0; i < r->context_insns.count; i++) {
        const gs_insn_profile *row = &r->context_insns.items[i];
        gs_insn_profile *last = r->insns.count ? &r->insns.items[r->insns.count - 1] : NULL;
        if (last && last->pc == row->pc) {
            last->executions += row->executions;
            last->taken += row->taken;
            gs_metrics_add(&last->cost, &row->cost);
        } else {
            r->no_memory |= !gs_vec_push(&r->insns, *row);
        }
    }
}

void gs_recorder_settle_calls(gs_recorder *r)
{
    gs_metrics reading;
    r->instructions = r->machine->hart.instret;
    read_all(r, &reading);
    gs_calltree_settle(r->calls, &reading);
}

gs_status gs_recorder_finish(gs_recorder *r, gs_error *err)
{
    if (r->finished)
        return GS_OK;
    r->finished = true;
    gs_recorder_cut_run(r);
    r->instructions = r->machine->hart.instret;
    gs_metrics reading;
    read_all(r, &reading);
    if (!r->outside) {
        count_region(r, &reading);
        keep_stop(r, r->machine->hart.pc);
    }
    charge_timeline(r, &reading);
    if (r->timeline && !gs_timeline_finish(r->timeline))
        r->no_memory = true;
    gs_calltree_settle(r->calls, &reading);
    gs_status status = gs_recorder_learn(r, err);
    gs_iterations_finish(r->iterations);
    gs_jumps_sort(&r->jumps);
    collect_insns(r);
    if (status == GS_OK &&
        (r->no_memory || r->counters.no_memory || gs_iterations_out_of_memory(r->iterations)))
        status = gs_fail_no_memory(err);
    return status;
}

const gs_insn_profile *gs_recorder_insns(const gs_recorder *r, size_t *count)
{
    *count = r->insns.count;
    return r->insns.items;
}

const gs_insn_profile *gs_recorder_context_insns(const gs_recorder *r, size_t *count)
{
    *count = r->context_insns.count;
    return r->context_insns.items;
}

const gs_iterations *gs_recorder_iterations(const gs_recorder *r)
{
    return r->iterations;
}

const gs_jump_profile *gs_recorder_jumps(const gs_recorder *r, size_t *count)
{
    *count = r->jumps.count;
    return r->jumps.items;
}

const gs_calltree *gs_recorder_calls(const gs_recorder *r)
{
    return r->calls;
}

const gs_timeline *gs_recorder_timeline(const gs_recorder *r)
{
    return r->timeline;
}

const gs_machine *gs_recorder_machine(const gs_recorder *r)
{
    return r->machine;
}

const gs_timing *gs_recorder_timing(const gs_recorder *r)
{
    return r->timing;
}

const gs_image *gs_recorder_image(const gs_recorder *r)
{
    return r->machine->image;
}

uint64_t gs_recorder_desyncs(const gs_recorder *r)
{
    return gs_calltree_desyncs(r->calls) + gs_calltree_merged(r->calls) + r->misplaced;
}

uint64_t gs_recorder_count(const gs_recorder *r, gs_metric metric)
{
    return r->total.value[metric];
}

bool gs_recorder_has_region(const gs_recorder *r)
{
    return r->has_region;
}

uint64_t gs_recorder_stops(const gs_recorder *r, uint64_t from, uint64_t end, uint64_t to)
{
    uint64_t count = 0;
    for (size_t i = 0; i < r->stops.count; i++) {
        const gs_stop_profile *stop = &r->stops.items[i];
        count += stop->last >= from && stop->last < end && stop->next == to ? stop->count : 0;
    }
    return count;
}

const gs_metrics *gs_recorder_total(const gs_recorder *r)
{
    return &r->total;
}
