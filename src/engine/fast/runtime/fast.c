#include "engine/fast/runtime/fast.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/vec.h"
#include "engine/fast/runtime/engine_parts.h"
#include "engine/fast/translate/inferred.h"
#include "probe/unreported.h"

enum {
    MAX_SLICE =
        GS_FAST_CYCLE - 8 * GS_SUPERBLOCK_STEPS, /* instructions: a cost has no room for more */
    POINTED_MAX = 64,
    MAX_RENEWALS = 16,   /* of MAX_SLICE: somebody may be waiting */
    MAX_NODES = 1 << 18, /* more states than this are no states but chaos */
};

struct gs_fast_helpers {
#define HELPER(name) __typeof__(name) *name;
#include "engine/fast/runtime/helpers.def"
};

static const struct gs_fast_helpers helpers = {
#define HELPER(name) .name = name,
#include "engine/fast/runtime/helpers.def"
};

/* -- ways in ------------------------------------------------------------------------------------
 */

static gs_fast_entry *entry_at(const gs_fast_engine *e, gs_addr pc)
{
    size_t low = 0, high = e->entries.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->entries.items[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->entries.count && e->entries.items[low].pc == pc ? &e->entries.items[low] : NULL;
}

/* The next jump to each of them has to look. */
static void forget_entries(gs_fast_engine *e)
{
    for (unsigned i = 0; i < GS_FAST_ENTRIES; i++)
        e->c->entries[i].pc = GS_FAST_LEFT;
}

static gs_fast_function *function_at(gs_fast_engine *e, gs_addr pc)
{
    gs_fast *c = e->c;
    unsigned at = pc >> 1 & (GS_FAST_ENTRIES - 1);
    if (c->entries[at].pc == pc)
        return c->entries[at].run;
    const gs_fast_entry *entry = entry_at(e, pc);
    if (!entry || !entry->run)
        return NULL;
    c->entries[at].pc = pc;
    c->entries[at].run = entry->run;
    return entry->run;
}

static int by_pc(const void *a, const void *b)
{
    gs_addr x = ((const gs_fast_entry *)a)->pc, y = ((const gs_fast_entry *)b)->pc;
    return (x > y) - (x < y);
}

/* A store into translated code has to be noticed: it is, in code that has been decoded. */
static void decode_at(gs_fast_engine *e, gs_addr pc)
{
    gs_machine *machine = e->machine;
    gs_insn *page = gs_memory_code_page(&machine->memory, pc);
    gs_insn *slot = page ? &page[(pc & (GS_PAGE_SIZE - 1)) / machine->memory.unit] : NULL;
    if (slot && slot->op == GS_OP_UNDECODED)
        (void)gs_machine_decode(machine, slot, pc);
    if (slot && slot->op >= GS_OP_FIRST)
        gs_bulk_decoded(e->observers, pc, slot);
}

static void decode_all(gs_fast_engine *e, const gs_superblock *s)
{
    for (unsigned i = 0; i < s->step_count; i++)
        decode_at(e, s->steps[i].pc);
    for (unsigned i = 0; i < s->wrong_path_count; i++) {
        for (unsigned k = 0; k < s->wrong_path[i].count; k++)
            decode_at(e, s->wrong_path[i].pc[k]);
    }
}

void gs_fast_decode(gs_fast_engine *e, const gs_code *code)
{
    for (size_t i = 0; i < code->count; i++)
        decode_all(e, &code->superblocks[i]);
}

/* One of the superblocks of a function that is taken into use. */
static bool add_superblock(gs_fast_engine *e, gs_superblock *s, gs_fast_code *code,
                           gs_fast_function *run)
{
    const struct gs_numbered numbered = {.superblock = s, .code = code};
    const gs_fast_entry entry = {s->pc, s->entry ? run : NULL, s};
    s->number = (uint32_t)e->superblocks.count;
    if (!gs_vec_push(&e->superblocks, numbered))
        return false;
    if ((e->automaton && !gs_lookups_add(e, s)) || (e->layout.dcached && !gs_accesses_add(e, s)))
        return false;
    if (s->clone || entry_at(e, s->pc))
        return true;
    if (!gs_vec_push(&e->entries, entry) || (e->automaton && !gs_automaton_add(e->automaton, s)))
        return false;
    decode_all(e, s);
    if (s->entry)
        e->filter[s->pc >> 1 & GS_FAST_FILTER_MASK] = 1;
    if (s->worst > e->margin)
        e->margin = s->worst;
    return true;
}

static bool add_code(gs_fast_engine *e, const gs_code *from, gs_fast_function *run)
{
    gs_fast_code *code = gs_arena_alloc(&e->arena, sizeof *code);
    if (!code)
        return false;
    *code = (gs_fast_code){
        .superblocks = from->superblocks,
        .count = from->count,
        .superblock_count = (uint32_t)(from->count + from->clones),
        .number = e->code_count++,
        .cells = e->timing ? gs_predict_cells(from) : 0,
        .inferred = from->inferred,
        .inferred_count = from->inferred_count,
    };
    for (size_t i = 0; i < code->superblock_count; i++) {
        if (!add_superblock(e, &from->superblocks[i], code, run))
            return false;
    }
    if (e->entries.count > 1)
        qsort(e->entries.items, e->entries.count, sizeof *e->entries.items, by_pc);
    if (e->timing && !e->observers->paths)
        (void)gs_count_block_of(e, code, 0); /* where it is expected */
    return !e->failed;
}

/* Where edges lead has to be looked up again. What has been counted has been settled. */
static void forget_goals(gs_fast_engine *e)
{
    if (!e->automaton)
        return;
    gs_automaton_forget_goals(e->automaton);
    gs_count_blocks_forget_targets(e);
}

gs_status gs_fast_add(gs_fast_engine *e, const gs_code *codes, gs_fast_function *const *functions,
                      size_t count, gs_error *err)
{
    gs_fast_settle(e); /* as edges were: they may lead elsewhere from now on */
    for (size_t i = 0; i < count; i++) {
        if (!add_code(e, &codes[i], functions[i]))
            return gs_fail_no_memory(err);
    }
    forget_goals(e);
    return GS_OK;
}

void gs_fast_remove(gs_fast_engine *e, const gs_code *code)
{
    size_t kept = 0;
    gs_fast_settle(e); /* while it is known what these instructions were */
    for (size_t i = 0; i < e->entries.count; i++) {
        const gs_superblock *s = e->entries.items[i].superblock;
        const bool goes = s >= code->superblocks && s < code->superblocks + code->count;
        if (goes && e->automaton)
            gs_automaton_remove(e->automaton, s);
        if (!goes)
            e->entries.items[kept++] = e->entries.items[i];
    }
    e->entries.count = kept;
    forget_entries(e);
    memset(e->filter, 0, sizeof e->filter);
    for (size_t i = 0; i < kept; i++) {
        if (e->entries.items[i].run)
            e->filter[e->entries.items[i].pc >> 1 & GS_FAST_FILTER_MASK] = 1;
    }
    if (code->count > 0)
        gs_count_blocks_remove(e, e->superblocks.items[code->superblocks[0].number].code);
    forget_goals(e);
}

bool gs_fast_predict(gs_fast_engine *e, gs_arena *arena, gs_code *codes, size_t count)
{
    gs_predict_others others = {.pointed = &e->pointed};
    bool ok = true;
    const gs_fast_code *last = NULL;
    for (size_t i = 0; e->automaton && ok && i < e->superblocks.count; i++) {
        const gs_fast_code *code = e->superblocks.items[i].code;
        const bool in_use =
            gs_automaton_superblock(e->automaton, code->superblocks[0].pc) == &code->superblocks[0];
        const struct gs_predict_other other = {code->superblocks, code->superblock_count};
        if (code != last && in_use)
            ok = gs_vec_push(&others, other);
        last = code;
    }
    ok = ok && (!e->automaton || gs_predict_find(e->automaton, arena, codes, count, &others));
    for (size_t i = 0; e->automaton && !e->observers->paths && ok && i < count; i++)
        ok = gs_inferred_find(&codes[i], arena);
    free(others.items);
    return ok;
}

void gs_fast_point_to(gs_fast_engine *e, gs_addr function)
{
    for (size_t i = 0; i < e->pointed.count; i++) {
        if (e->pointed.items[i] == function)
            return;
    }
    if (e->pointed.count < POINTED_MAX && !gs_vec_push(&e->pointed, function))
        gs_fast_fail(e);
}

const gs_pointed *gs_fast_pointed(const gs_fast_engine *e)
{
    return &e->pointed;
}

uint64_t gs_fast_unpredicted(const gs_fast_engine *e)
{
    return e->unpredicted;
}

uint64_t gs_fast_take_unpredicted(gs_fast_engine *e, const gs_code *code)
{
    gs_fast_code *taken = e->superblocks.items[code->superblocks[0].number].code;
    const uint64_t unpredicted = taken->unpredicted;
    taken->unpredicted = 0;
    return unpredicted;
}

gs_icache_lru *gs_fast_ages(gs_fast_engine *e)
{
    return &e->icache_lru;
}

uint32_t gs_fast_near_used(const gs_fast_engine *e)
{
    return e->near_used;
}

bool gs_fast_has_room(const gs_fast_engine *e, const gs_code *codes, size_t count)
{
    uint64_t needed = e->near_used;
    for (size_t i = 0; e->timing && i < count; i++)
        needed += gs_count_block_size(gs_predict_cells(&codes[i]));
    return needed <= GS_MEMORY_OWN;
}

uint32_t gs_fast_superblock_count(const gs_fast_engine *e)
{
    return (uint32_t)e->superblocks.count;
}

const uint8_t *gs_fast_filter(const gs_fast_engine *e)
{
    return e->filter;
}

uint64_t gs_fast_margin(const gs_fast_engine *e)
{
    return e->margin;
}

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
        /* The first instruction that uses it marks it so. */
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

/* How many instructions there are in a cycle, at most. */
static uint32_t issue_width(const gs_timing *timing)
{
    return timing && timing->core->issue_width ? timing->core->issue_width : 1;
}

/* How many cycles may pass before somebody else has to look; 0: none. Without a core, an
 * instruction is a cycle. */
static uint32_t allowance(const gs_fast_engine *e, uint64_t deadline, uint64_t max_instructions)
{
    const gs_timing *timing = e->timing;
    const uint64_t now = timing ? timing->now : e->machine->time, margin = e->margin;
    if (deadline <= now + margin)
        return 0;
    uint64_t cycles = deadline - now - margin;
    uint64_t instructions = max_instructions - e->machine->hart.instret;
    const uint64_t width = issue_width(timing);
    if (instructions <= 2 * GS_SUPERBLOCK_STEPS)
        return 0;
    if (cycles > (instructions - 2 * GS_SUPERBLOCK_STEPS) / width)
        cycles = (instructions - 2 * GS_SUPERBLOCK_STEPS) / width;
    return (uint32_t)(cycles > MAX_SLICE / width ? MAX_SLICE / width : cycles);
}

/* Where control is, and in which state the pipeline, once translated code has been left. */
typedef struct place {
    gs_addr pc;
    const gs_fast_state *state;
    bool inside;  /* a superblock, and not at its start */
    gs_addr last; /* instruction that was executed; GS_FAST_LEFT: none */
} place;

/* What translated code has at the start for its cost, so that it is up after `limit` cycles. */
static uint64_t cost_before(uint32_t limit)
{
    return GS_FAST_UP - limit * GS_FAST_CYCLE;
}

/* Translated code is about to run, so many cycles at most. */
static void begin_counting(gs_fast_engine *e, uint32_t limit)
{
    gs_fast *c = e->c;
    const uint32_t width = issue_width(e->timing),
                   counted =
                       gs_icache_lru_begin(&e->icache_lru, (uint64_t)limit * width, MAX_SLICE),
                   room = (MAX_SLICE - counted) / width;
    c->cost = e->routes.cost_before = cost_before(limit < room ? limit : room) + counted;
    c->begun = 0;
    e->added_visit = e->fetch_visit = GS_NO_VISIT;
}

/* What it has done has been done. */
static void account(gs_fast_engine *e)
{
    const uint64_t cost = e->c->cost - e->routes.cost_before;
    const uint32_t instructions = gs_fast_instructions(cost);
    e->machine->hart.instret += instructions;
    e->machine->translated += instructions;
    e->timing->now += cost / GS_FAST_CYCLE;
    e->routes.cost_before = e->c->cost;
}

bool gs_fast_renew(gs_fast_engine *e)
{
    if (e->renewals == 0)
        return false;
    e->renewals--;
    account(e);
    const uint32_t limit = allowance(e, e->deadline, e->max_instructions);
    if (limit == 0)
        return false;
    gs_lookups_done(e);
    begin_counting(e, limit);
    return true;
}

/* In the middle of a superblock. */
static bool stop_inside(gs_fast_engine *e, place *at)
{
    gs_fast *c = e->c;
    gs_superblock *s = e->superblocks.items[c->superblock].superblock;
    gs_fast_code *code = e->superblocks.items[c->superblock].code;
    const uint64_t path = e->observers->paths ? c->stack.top->path : 0;
    const unsigned steps = c->left_at;
    gs_fast_node *node = c->special;
    c->cost = gs_fast_looked(c->cost);
    gs_penalty_give_up(e, s);
    gs_count_block *block = gs_count_block_of(e, code, path);
    if (!block)
        return false;
    gs_moved_otherwise(block, s, -1);
    if (!node) {
        node = gs_slow_exits_node(e, s, (unsigned)c->state, path);
        gs_slow_exits_give_up(e, block, s, (unsigned)c->state);
    }
    if (e->failed)
        return false;
    /* Who fetches ahead has looked the next one up already. */
    const unsigned ahead = e->timing->model->fetches_ahead ? 1 : 0;
    const uint64_t key = gs_lookups_settle_key(e, s, steps + ahead);
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
            c->arrival = GS_ARRIVAL_ONWARDS; /* what it was is of no interest */
        return true;
    }
    at->last = s->steps[steps - 1].pc;
    gs_fast_edge *edge = gs_automaton_partial(e->automaton, node, steps, key);
    if (!edge)
        return false;
    edge->count++;
    c->cost += edge->cost;
    at->state = edge->transition->after;
    return true;
}

static bool run_code(gs_fast_engine *e, place *at)
{
    gs_fast *c = e->c;
    c->after = at->state->number;
    c->pc = at->pc;
    for (;;) {
        gs_fast_function *run = function_at(e, c->pc);
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
            return stop_inside(e, at);
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

/* Without a core. */
static bool run_untimed(gs_fast_engine *e, uint64_t before)
{
    gs_fast *c = e->c;
    gs_hart *hart = &e->machine->hart;
    gs_fast_function *run = function_at(e, hart->pc);
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
        run = next == GS_FAST_LEFT || next == GS_FAST_STOPPED ? NULL : function_at(e, pc);
    }
    copy_registers(e, false);
    const uint32_t done = gs_fast_instructions(c->cost - before);
    hart->pc = pc;
    hart->instret += done;
    e->machine->translated += done;
    return done != 0;
}

gs_status gs_fast_run(gs_fast_engine *e, uint64_t deadline, uint64_t max_instructions, bool *ran,
                      gs_error *err)
{
    gs_fast *c = e->c;
    gs_hart *hart = &e->machine->hart;
    *ran = false;
    if (!e->filter[hart->pc >> 1 & GS_FAST_FILTER_MASK] || hart->mips.in_delay_slot)
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
    if (gs_automaton_node_count(e->automaton) > MAX_NODES || !function_at(e, hart->pc))
        return GS_OK;
    place at = {.pc = hart->pc, .state = gs_automaton_serialize(e->automaton, hart->pc)};
    if (!at.state)
        return GS_OK;
    c->last = GS_FAST_LEFT;
    gs_bulk_pause(e->observers);
    if (e->observers->paths)
        gs_routes_enter(&e->routes);
    const uint64_t retired = hart->instret;
    e->deadline = deadline;
    e->max_instructions = max_instructions;
    e->renewals = MAX_RENEWALS;
    begin_counting(e, limit);
    gs_lookups_refresh(e);
    copy_registers(e, true);
    copy_stores(e, true);
    c->key = 0;
    c->special = NULL;
    c->floor = (const char *)__builtin_frame_address(0) - e->stack_room;
    const uintptr_t near = gs_guest_base_take(e);
    const bool done = run_code(e, &at);
    gs_guest_base_give_back(near);
    if (!done || e->failed)
        return gs_fail_no_memory(err);
    gs_lookups_done(e);
    copy_registers(e, false);
    copy_stores(e, false);
    hart->pc = at.pc;
    account(e);
    gs_automaton_deserialize(e->automaton, at.state, at.pc);
    if (e->observers->paths)
        gs_routes_leave(&e->routes, at.pc, at.last, at.inside);
    gs_bulk_resume(e->observers);
    *ran = hart->instret != retired; /* or the very first instruction is not for us */
    return GS_OK;
}

const gs_automaton *gs_fast_automaton(const gs_fast_engine *e)
{
    return e->automaton;
}

static void settle_counts(gs_fast_engine *e)
{
    gs_count_blocks_settle(e);
    gs_penalties_settle(e);
    gs_automaton_settle(e->automaton);
}

static void judge_edges(gs_fast_engine *e)
{
    gs_count_blocks_settle(e); /* as what edges were */
    gs_automaton_judge(e->automaton);
    gs_count_blocks_forget_targets(e);
}

/* Has `how` give what has been counted to the timing and to the observers. */
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
    report(e, settle_counts);
    e->settled_changes = e->machine->memory.code_changes;
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
        report(e, judge_edges);
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
    e->layout = gs_fast_layout_of(timing);
    e->stack_room = stack_room();
    e->c = gs_memory_own(&machine->memory);
    e->near_used = GS_FAST_AGES_END;
    e->margin = GS_SUPERBLOCK_STEPS + 2;
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
    forget_entries(e);
    for (unsigned i = 0; timing && i < GS_FAST_JUMPS; i++)
        e->c->jumps[i] = gs_automaton_nowhere(e->automaton);
    gs_stub_open(e);
    gs_slow_exits_open(e);
    if (!gs_lookups_open(e) || !gs_penalties_open(e)) {
        gs_fast_free(e);
        return gs_fail_no_memory(err);
    }
    if (observers->paths)
        gs_routes_open(&e->routes, observers, e->automaton, machine, e->c);
    *out = e;
    return GS_OK;
}

/* Counters of the engine that loops use for their iterations are about to go. */
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
    gs_lookups_close(e);
    gs_penalties_close(e);
    free(e->entries.items);
    free(e->pointed.items);
    free(e->superblocks.items);
    free(e->times.items);
    gs_arena_free(&e->arena);
    free(e);
}
