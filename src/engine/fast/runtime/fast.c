/* Enters translated code, and hands over between it and the reference engine. */
#include "engine/fast/runtime/fast.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "engine/fast/automaton/oracle.h"
#include "engine/fast/runtime/engine_parts.h"
#include "probe/unreported.h"

enum {
    MAX_SLICE =
        GS_FAST_CYCLE - 8 * GS_SUPERBLOCK_STEPS, /* instructions: a cost has no room for more */
    MAX_RENEWED = 16 * MAX_SLICE,                /* instructions: gs_run() polls for `cancel` */
    QUICK_SLICE = 1 << 18, /* cycles with quick code, so that optimized code comes into use soon */
    SHORT_SLICE = QUICK_SLICE / 64, /* cycles: if less is left of a slice, it is not split */
    MAX_NODES = 1 << 18,            /* with more states, memoizing transitions does not pay */
};

struct gs_fast_helpers {
#define HELPER(name) __typeof__(name) *name;
#include "engine/fast/prelude/helpers.def"
};

static const struct gs_fast_helpers helpers = {
#define HELPER(name) .name = name,
#include "engine/fast/prelude/helpers.def"
};

/* -- running ------------------------------------------------------------------------------------
 */

static void copy_registers(gs_fast_engine *e, bool in)
{
    gs_hart *hart = &e->machine->hart;
    uint32_t *x = e->c->x;
    if (e->machine->isa->arch == GS_ARCH_RV32) {
        memcpy(in ? x : hart->rv.x, in ? hart->rv.x : x, 32 * sizeof *x);
        if (in) {
            e->c->reserved.set = hart->rv.reserved;
            e->c->reserved.address = hart->rv.reserved_addr;
            e->c->reserved.value = hart->rv.reserved_value;
        } else {
            hart->rv.reserved = e->c->reserved.set;
            hart->rv.reserved_addr = e->c->reserved.address;
            hart->rv.reserved_value = e->c->reserved.value;
        }
        e->c->frm = hart->rv.frm;
        /* The first instruction that uses floating point marks it so. */
        e->c->float_off = (hart->rv.mstatus & GS_RV_MSTATUS_FS) != GS_RV_MSTATUS_FS;
        return;
    }
    e->c->float_off = !(hart->mips.cp0_status & GS_MIPS_STATUS_CU1);
    e->c->paired = !(hart->mips.cp0_status & GS_MIPS_STATUS_FR);
    memcpy(in ? x : hart->mips.r, in ? hart->mips.r : x, 32 * sizeof *x);
    if (in) {
        x[34] = hart->mips.hi;
        x[35] = hart->mips.lo;
    } else {
        hart->mips.hi = x[34];
        hart->mips.lo = x[35];
    }
}

static void copy_stores(gs_fast_engine *e, bool in)
{
    for (unsigned i = 0; i < 2; i++) {
        gs_timing_store *store = &e->timing->last_stores[i];
        uint64_t *copy = &e->c->stores[i];
        if (in)
            *copy = (uint64_t)store->size << 32 | store->address;
        else
            *store = (gs_timing_store){(uint32_t)*copy, (uint32_t)(*copy >> 32)};
    }
}

/* At most how many instructions retire in a cycle. */
static uint32_t issue_width(const gs_timing *timing)
{
    return timing && timing->core->issue_width ? timing->core->issue_width : 1;
}

/* For how many cycles translated code may run; 0: none. Without a core, an instruction is a
 * cycle. */
static uint32_t allowance(const gs_fast_engine *e, uint64_t deadline, uint64_t max_instructions)
{
    const gs_timing *timing = e->timing;
    const uint64_t now = timing ? gs_timing_clock(timing) : e->machine->time,
                   margin = e->table.margin, due = e->schedule.due;
    if (!e->observers->crosses && due < deadline)
        deadline = due;
    if (deadline <= now + margin)
        return 0;
    uint64_t cycles = deadline - now - margin;
    if (e->observers->crosses && due < timing->now + e->table.early + cycles)
        cycles = due > timing->now + e->table.early ? due - timing->now - e->table.early : 0;
    uint64_t instructions = max_instructions - e->machine->hart.instret;
    const uint64_t width = issue_width(timing);
    if (instructions <= 2 * GS_SUPERBLOCK_STEPS)
        return 0;
    if (cycles > (instructions - 2 * GS_SUPERBLOCK_STEPS) / width)
        cycles = (instructions - 2 * GS_SUPERBLOCK_STEPS) / width;
    uint32_t most = (uint32_t)(MAX_SLICE / width);
    if (e->table.quick_count > 0 && e->schedule.slice_left < most)
        most = e->schedule.slice_left;
    return cycles > most ? most : (uint32_t)cycles;
}

/* Where control is after translated code has been left, and in which state the pipeline is. */
typedef struct place {
    gs_addr pc;
    const gs_fast_state *state;
    bool inside;  /* the superblock in the middle of which it was left, or NULL */
    gs_addr last; /* pc of the last instruction executed; GS_FAST_LEFT: none */
} place;

/* The cost to start with, so that the time is up after `limit` cycles. */
static uint64_t cost_before(uint32_t limit)
{
    return GS_FAST_UP - limit * GS_FAST_CYCLE;
}

/* Prepares translated code to run, for `limit` cycles at most. */
static void begin_counting(gs_fast_engine *e, uint32_t limit)
{
    gs_fast *c = e->c;
    const uint32_t width = issue_width(e->timing),
                   counted =
                       gs_icache_lru_begin(&e->icache.lru, (uint64_t)limit * width, MAX_SLICE),
                   room = (MAX_SLICE - counted) / width;
    c->cost = e->schedule.cost_before = cost_before(limit < room ? limit : room) + counted;
    c->begun = 0;
    e->penalties.paid_visit = GS_NO_VISIT;
    e->has_counted = true;
    if (e->observers->crosses)
        memset(c->dates, 0xff, sizeof c->dates); /* no cost has that many instructions */
}

/* Translated code has run for some cycles. With quick code, a slice continues when translated
 * code is entered again, so that slices end anywhere, and not where code is often left. */
static void note_slice(gs_fast_engine *e, uint64_t cycles)
{
    gs_schedule *s = &e->schedule;
    s->slice_ended = s->slice_left < cycles + SHORT_SLICE;
    s->slice_left = s->slice_ended ? QUICK_SLICE : s->slice_left - (uint32_t)cycles;
}

bool gs_fast_slice_ended(const gs_fast_engine *e)
{
    return e->schedule.slice_ended;
}

/* Adds the cycles and instructions of translated code to machine and timing. */
static void account(gs_fast_engine *e)
{
    const uint64_t cost = e->c->cost - e->schedule.cost_before;
    const uint32_t instructions = gs_fast_instructions(cost);
    e->machine->hart.instret += instructions;
    e->machine->translated += instructions;
    e->timing->now += cost / GS_FAST_CYCLE;
    note_slice(e, cost / GS_FAST_CYCLE);
    e->schedule.cost_before = e->c->cost;
}

/* Notes whether the visit that has just ended, and been accounted for, has come to the cycle that
 * observers wait for. */
static bool note_crossing(gs_fast_engine *e, const gs_visit_end *visit)
{
    const bool crosses = e->observers->crosses && e->timing->now >= e->schedule.due;
    assert(!crosses || e->timing->now - (uint64_t)visit->transition->cycles < e->schedule.due);
    if (crosses)
        e->schedule.crossing = *visit;
    return crosses;
}

/* Tells the observers of it: all that has been executed, and this visit, with those of its stores
 * that have gone through and missed. */
static void tell_crossing(gs_fast_engine *e)
{
    const gs_visit_end visit = e->schedule.crossing;
    const gs_superblock *s = visit.transition->superblock;
    gs_charge charges[GS_ORACLE_CHARGES + GS_FAST_PASSES];
    gs_bulk_run last = gs_automaton_run_of(visit.transition);
    memcpy(charges, last.charges, last.charge_count * sizeof *charges);
    for (unsigned i = 0; s->pass_count > 0 && i < last.length; i++) {
        const int pass = s->steps[i].pass;
        if (pass >= 0 &&
            gs_fast_instructions(e->c->dates[pass]) == gs_fast_instructions(visit.begun))
            charges[last.charge_count++] = (gs_charge){(uint16_t)i, GS_CHARGE_D_MISSES, 1};
    }
    last.charges = charges;
    last.next = e->machine->hart.pc;
    e->schedule.crossing.transition = NULL;
    gs_tally_collect(&e->tally, &last);
    e->schedule.due = gs_bulk_due(e->observers);
    gs_tally_follow(&e->tally);
}

/* Whether it is so close to that cycle that an exit which comes to it might not know: then all
 * exits are slow until it has come. */
static bool close_in(gs_fast_engine *e)
{
    const uint64_t now = e->timing->now, due = e->schedule.due;
    const bool closing = e->observers->crosses && now < due && due <= now + e->table.early &&
                         e->schedule.deadline > now + e->table.margin;
    if (closing)
        begin_counting(e, (uint32_t)(due - now));
    e->schedule.closing = closing;
    return closing;
}

bool gs_fast_renew(gs_fast_engine *e, const gs_visit_end *visit)
{
    gs_schedule *s = &e->schedule;
    account(e);
    gs_dcache_finish(&e->dcache);
    gs_icache_finish(&e->icache);
    if (close_in(e))
        return true;
    if (note_crossing(e, visit)) {
        if (e->observers->paths)
            return false;
        e->machine->hart.pc = e->c->pc;
        gs_bulk_resume(e->observers);
        tell_crossing(e);
        gs_bulk_pause(e->observers);
    }
    if (e->table.quick_count > 0 ? s->slice_ended : e->machine->hart.instret >= s->renewed_until)
        return false;
    const uint32_t limit = allowance(e, s->deadline, s->max_instructions);
    if (limit == 0)
        return false;
    begin_counting(e, limit);
    return true;
}

/* Hands over in the middle of a superblock. */
static bool stop_inside(gs_fast_engine *e, place *at, gs_visit_end *visit)
{
    gs_fast *c = e->c;
    gs_superblock *s = gs_code_table_numbered(&e->table, c->superblock)->superblock;
    gs_fast_code *code = gs_code_table_numbered(&e->table, c->superblock)->code;
    const uint64_t path = e->observers->paths ? c->stack.top->path : 0;
    const unsigned steps = c->left_at;
    gs_fast_node *node = c->special;
    c->cost = gs_fast_clear_slow(c->cost);
    gs_penalty_give_up(&e->penalties, c, s);
    gs_count_block *block = gs_count_block_of(e, code, path);
    if (!block)
        return false;
    gs_moved_otherwise(block, s, -1);
    if (!node) {
        node = gs_slow_exits_node(e, s, (unsigned)c->state, path);
        gs_slow_exits_give_up(c, block, s, (unsigned)c->state);
    }
    if (e->failed)
        return false;
    /* A pipeline that fetches ahead has looked up the next instruction already. */
    const unsigned ahead = e->timing->model->fetches_ahead ? 1 : 0;
    const uint64_t key = gs_icache_leave(&e->icache, s, steps + ahead, c->key);
    c->key = 0;
    at->pc = s->steps[steps].pc;
    at->state = node->state;
    at->inside = steps > 0;
    if (steps == 0) {
        at->last = c->last;
        const gs_path_observer *paths = e->observers->paths;
        if (!paths)
            return true;
        if (s->loop)
            paths->undo_arrival(e->observers->paths_self, s->loop - 1, (gs_arrival)c->arrival);
        else
            c->arrival = GS_ARRIVAL_ONWARDS; /* no loop begins there */
        return true;
    }
    at->last = s->steps[steps - 1].pc;
    gs_fast_edge *edge = gs_automaton_partial(e->automaton, node, steps, key);
    if (!edge)
        return false;
    gs_tally_edge(&e->tally, edge);
    *visit = (gs_visit_end){edge->transition, c->cost};
    c->cost += edge->cost;
    at->state = edge->transition->after;
    return true;
}

static bool run_code(gs_fast_engine *e, place *at, gs_visit_end *visit)
{
    gs_fast *c = e->c;
    c->after = at->state->number;
    c->pc = at->pc;
    for (;;) {
        gs_fast_function *run = gs_code_table_function(&e->table, c, c->pc);
        gs_count_block *block =
            run && e->observers->paths ? gs_count_block_at(e, c->pc, c->stack.top->path) : NULL;
        if (e->failed)
            return false;
        at->pc = c->pc;
        at->state = gs_automaton_state(e->automaton, c->after);
        at->last = c->last;
        if (!run || e->routes.outdated || (int64_t)c->cost < 0)
            return true;
        c->tails = 0;
        const gs_fast_end end = run(c, c->pc, c->after, block, c->cost);
        const uint64_t next = end.place;
        c->cost = end.cost;
        if (e->failed)
            return false;
        if (next == GS_FAST_LEFT)
            return stop_inside(e, at, visit);
        if (next != GS_FAST_STOPPED) {
            c->pc = (uint32_t)next;
            c->after = (uint32_t)(next >> 32);
            continue;
        }
        at->pc = c->pc;
        at->state = gs_automaton_state(e->automaton, c->after);
        at->last = c->last;
        return true;
    }
}

/* Runs translated code without a core. */
static bool run_untimed(gs_fast_engine *e, uint64_t before)
{
    gs_fast *c = e->c;
    gs_hart *hart = &e->machine->hart;
    gs_fast_function *run = gs_code_table_function(&e->table, c, hart->pc);
    if (!run)
        return false;
    copy_registers(e, true);
    c->cost = before;
    c->floor = (const char *)__builtin_frame_address(0) - e->stack_room;
    gs_addr pc = hart->pc;
    while (run) {
        c->tails = 0;
        const gs_fast_end end = run(c, pc, 0, NULL, c->cost);
        const uint64_t next = end.place;
        c->cost = end.cost;
        pc = next == GS_FAST_LEFT ? c->left_at : next == GS_FAST_STOPPED ? c->pc : (gs_addr)next;
        run = next == GS_FAST_LEFT || next == GS_FAST_STOPPED
                  ? NULL
                  : gs_code_table_function(&e->table, c, pc);
    }
    copy_registers(e, false);
    const uint32_t done = gs_fast_instructions(c->cost - before);
    hart->pc = pc;
    hart->instret += done;
    e->machine->translated += done;
    note_slice(e, done);
    return done != 0;
}

gs_status gs_fast_run(gs_fast_engine *e, uint64_t deadline, uint64_t max_instructions, bool *ran,
                      gs_error *err)
{
    gs_fast *c = e->c;
    gs_hart *hart = &e->machine->hart;
    *ran = false;
    if (!e->table.filter[hart->pc >> 1 & GS_FAST_FILTER_MASK] || hart->mips.in_delay_slot)
        return GS_OK;
    const uint32_t limit = allowance(e, deadline, max_instructions);
    if (limit == 0)
        return GS_OK;
    if (!e->automaton) {
        const uintptr_t near = gs_guest_base_take(e);
        *ran = run_untimed(e, cost_before(limit));
        gs_guest_base_give_back(near);
        return GS_OK;
    }
    if (gs_automaton_node_count(e->automaton) > MAX_NODES ||
        !gs_code_table_function(&e->table, c, hart->pc))
        return GS_OK;
    place at = {.pc = hart->pc, .state = gs_automaton_serialize(e->automaton, hart->pc)};
    if (!at.state)
        return GS_OK;
    c->last = GS_FAST_LEFT;
    gs_bulk_pause(e->observers);
    if (e->observers->paths)
        gs_routes_enter(&e->routes);
    const uint64_t retired = hart->instret;
    e->schedule.deadline = deadline;
    e->schedule.max_instructions = max_instructions;
    e->schedule.renewed_until = retired + MAX_RENEWED;
    e->schedule.closing = false;
    gs_visit_end visit = {0}; /* in the middle of which translated code is left */
    begin_counting(e, limit);
    if (!gs_dcache_begin(&e->dcache))
        gs_fast_fail(e);
    gs_icache_begin(&e->icache);
    copy_registers(e, true);
    copy_stores(e, true);
    c->key = 0;
    c->special = NULL;
    c->floor = (const char *)__builtin_frame_address(0) - e->stack_room;
    const uintptr_t near = gs_guest_base_take(e);
    const bool done = run_code(e, &at, &visit);
    gs_guest_base_give_back(near);
    if (!done || e->failed)
        return gs_fail_no_memory(err);
    gs_dcache_finish(&e->dcache);
    gs_icache_finish(&e->icache);
    copy_registers(e, false);
    copy_stores(e, false);
    hart->pc = at.pc;
    account(e);
    if (visit.transition)
        (void)note_crossing(e, &visit);
    gs_automaton_deserialize(e->automaton, at.state, at.pc);
    if (e->observers->paths)
        gs_routes_leave(&e->routes, at.pc, at.last, at.inside);
    gs_bulk_resume(e->observers);
    if (e->schedule.crossing.transition)
        tell_crossing(e);
    *ran = hart->instret != retired; /* or the very first instruction is for the reference engine */
    return GS_OK;
}

bool gs_fast_dates_passes(const gs_fast_engine *e)
{
    return e->observers->crosses;
}

const gs_fast *gs_fast_shared(const gs_fast_engine *e)
{
    return e->c;
}

const gs_automaton *gs_fast_automaton(const gs_fast_engine *e)
{
    return e->automaton;
}

static void settle_counts(gs_fast_engine *e)
{
    gs_count_blocks_settle(e);
    gs_penalties_settle(&e->penalties, e->automaton);
    gs_automaton_settle(e->automaton);
}

static void reclassify_edges(gs_fast_engine *e)
{
    gs_count_blocks_settle(e); /* by what the edges have been so far */
    gs_automaton_reclassify(e->automaton);
    gs_count_blocks_forget_targets(e);
}

/* Has `how` report what has been counted to the timing and to the observers. */
static void report(gs_fast_engine *e, void (*how)(gs_fast_engine *e))
{
    gs_timing *timing = e->timing;
    const gs_unreported pending = gs_unreported_get(timing);
    gs_bulk_begin_adding(e->observers);
    how(e);
    gs_bulk_end_adding(e->observers);
    gs_unreported_set(timing, pending);
}

void gs_fast_settle(gs_fast_engine *e)
{
    if (!e->timing)
        return;
    if (e->has_counted) {
        gs_tally_collect(&e->tally, NULL);
        report(e, settle_counts);
    }
    e->has_counted = false;
    e->settled_changes = e->machine->memory.code_changes;
}

void gs_fast_settle_due(gs_fast_engine *e)
{
    if (!e->observers->crosses)
        gs_fast_settle(e);
    else if (e->has_counted)
        gs_tally_collect(&e->tally, NULL);
    e->schedule.due = gs_bulk_due(e->observers);
    if (e->timing)
        gs_tally_follow(&e->tally);
}

uint64_t gs_fast_due(const gs_fast_engine *e)
{
    return e->schedule.due;
}

uint64_t gs_fast_entered_until(const gs_fast_engine *e, uint64_t deadline)
{
    const uint64_t margin = e->table.margin, due = e->schedule.due;
    if (!e->observers->crosses && due < deadline)
        deadline = due;
    deadline = deadline > margin ? deadline - margin : 0;
    const uint64_t until = due > e->table.early ? due - e->table.early : 0;
    return e->observers->crosses && until < deadline ? until : deadline;
}

void gs_fast_settle_old_code(gs_fast_engine *e)
{
    if (e->settled_changes != e->machine->memory.code_changes)
        gs_fast_settle(e);
}

bool gs_fast_take_loops(gs_fast_engine *e)
{
    const uint64_t known = e->observers->paths->view(e->observers->paths_self).knowledge;
    const bool more = known != e->routes.knowledge;
    e->routes.knowledge = known;
    e->routes.outdated = false;
    if (more)
        report(e, reclassify_edges);
    return more;
}

/* -- life ---------------------------------------------------------------------------------------
 */

/* How much of the host's stack calls of translated functions may take. */
static size_t stack_room(void)
{
    enum { ENOUGH = 4 << 20, LITTLE = 512 << 10 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
        return LITTLE;
    return limit.rlim_cur / 2 < ENOUGH ? (size_t)limit.rlim_cur / 2 : ENOUGH;
}

/* The caches whose contents translated code depends on. */
static bool open_caches(gs_fast_engine *e)
{
    gs_timing *timing = e->timing;
    gs_memory *memory = &e->machine->memory;
    const gs_fast_layout layout = gs_fast_layout_of(timing);
    gs_cache *icache = layout.icached ? &timing->icache : NULL,
             *dcache = layout.dcached ? &timing->dcache : NULL;
    assert(!icache || icache->ways == 1 ||
           !(timing->model->wrong_path || timing->model->fetches_ahead)); /* checked in
                                                                             core_yaml.c */
    return gs_dcache_open(&e->dcache, e->c, memory, dcache) &&
           gs_icache_open(&e->icache, e->c, memory, icache);
}

static int guess_at(gs_fast *c, uint32_t pc, unsigned length_flow, uint32_t says, int taken,
                    uint32_t goal)
{
    gs_timing *timing = c->engine->timing;
    const gs_flow flow = (gs_flow)(length_flow & 0xff);
    const gs_branch branch = gs_timing_branch(timing, pc, length_flow >> 8, flow, says);
    const gs_guess guess = gs_predictor_guess(&timing->predictor, &branch, taken, goal);
    const gs_guess at_best = gs_predictor_at_best(&timing->predictor, flow);
    /* A branch that is not taken costs the same whichever part of the predictor was right. */
    const bool straight_on = !taken && guess <= GS_GUESS_RIGHT;
    return straight_on ? 0 : (int)(guess ^ at_best);
}

static void open_predictor(gs_fast_engine *e)
{
    e->c->guess_at = guess_at;
    if (!e->timing)
        return;
    e->c->counters = e->timing->predictor.counters;
    e->c->history = &e->timing->predictor.history;
}

gs_status gs_fast_open(gs_fast_engine **out, gs_machine *machine, gs_timing *timing,
                       const gs_bulk_group *observers, gs_error *err)
{
    *out = NULL;
    if (timing && (!gs_automaton_fits(timing) || timing->icache.ways > GS_CACHE_MAX_WAYS))
        return GS_OK;
    if (!gs_guest_base_works(machine))
        return GS_OK;
    gs_fast_engine *e = calloc(1, sizeof *e);
    if (!e)
        return gs_fail_no_memory(err);
    e->machine = machine;
    e->timing = timing;
    e->observers = observers;
    e->settled_changes = machine->memory.code_changes;
    e->stack_room = stack_room();
    e->schedule.slice_left = QUICK_SLICE;
    e->schedule.due = UINT64_MAX;
    e->c = gs_memory_engine_room(&machine->memory);
    static_assert(GS_FAST_AGES_END < GS_FAST_QUICK_NEAR &&
                      GS_FAST_QUICK_NEAR < GS_MEMORY_ENGINE_ROOM,
                  "there is room for both");
    e->blocks.near_used[false] = GS_FAST_AGES_END;
    e->blocks.near_used[true] = GS_FAST_QUICK_NEAR;
    gs_status status = e->c ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK && timing)
        status = gs_automaton_open(&e->automaton, timing, observers, err);
    if (status != GS_OK) {
        gs_fast_free(e);
        return status;
    }
    *e->c = (gs_fast){.engine = e,
                      .bytes = machine->memory.bytes,
                      .blocks_from = observers->paths ? NULL : (uint8_t *)e->c,
                      .pages = machine->memory.fast,
                      .f = machine->hart.rv.f,
                      .fp = machine->isa->arch == GS_ARCH_RV32 ? &machine->hart.rv.fp
                                                               : &machine->hart.mips.fp,
                      .singles = machine->hart.mips.f,
                      .fcsr = &machine->hart.mips.fcsr,
                      .helpers = &helpers};
    gs_code_table_open(&e->table, e->c);
    for (unsigned i = 0; timing && i < GS_FAST_JUMPS; i++)
        e->c->jumps[i] = gs_automaton_nowhere(e->automaton);
    gs_stub_open(e);
    gs_slow_exits_open(&e->slow_exits, e->c);
    open_predictor(e);
    if (!open_caches(e) || !gs_penalties_open(&e->penalties, e, e->c) ||
        (timing && !gs_tally_open(&e->tally, e))) {
        gs_fast_free(e);
        return gs_fail_no_memory(err);
    }
    if (observers->paths)
        gs_routes_open(&e->routes, observers, e->automaton, machine, &e->schedule, e->c);
    *out = e;
    return GS_OK;
}

/* Detaches loop runs from the engine's counters of iterations, which are about to be freed. */
static void detach_loops(const gs_bulk_group *observers)
{
    const gs_path_view view = observers->paths->view(observers->paths_self);
    for (size_t i = 0; i < view.loop_count; i++)
        gs_loop_run_detach(&view.loops[i]);
}

void gs_fast_free(gs_fast_engine *e)
{
    if (!e)
        return;
    if (e->observers->paths)
        detach_loops(e->observers);
    gs_automaton_free(e->automaton);
    gs_dcache_close(&e->dcache);
    gs_icache_close(&e->icache);
    gs_penalties_close(&e->penalties);
    gs_count_blocks_close(&e->blocks);
    gs_tally_close(&e->tally);
    gs_code_table_close(&e->table);
    gs_arena_free(&e->arena);
    free(e);
}
