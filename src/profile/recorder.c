#include "profile/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "timing/energy.h"

enum { JUMP_SLOTS = 4096 };

/* One per smallest instruction of a page. An instruction usually costs one cycle and nothing else;
 * what it cost beyond that, ever, is a row of its own in `odd`. */
typedef struct slot {
    uint64_t executions;
    uint64_t taken;
    uint32_t odd; /* index + 1, or 0 */
} slot;

struct gs_recorder {
    const gs_machine *machine;
    const gs_timing *timing;
    gs_observer observer;
    gs_calltree *calls;
    unsigned unit;
    slot **pages; /* by page of the guest's address space */
    struct {
        gs_metrics *items;
        size_t count, capacity;
    } odd;
    struct {
        gs_jump_profile *items;
        size_t count, capacity;
    } jumps;
    uint32_t jump_at[JUMP_SLOTS]; /* index + 1 of the jump seen last for a hash, or 0 */

    uint64_t cycles, misses; /* after the instruction before */
    gs_metrics odd_before;   /* the reading at the last odd instruction: stalls, misses */
    uint64_t instructions, traps;

    /* A change of the call path, waiting for the delay slot. */
    unsigned countdown;
    gs_flow flow;
    uint32_t from, goal, return_address;

    bool no_memory, finished;
    gs_metrics total;
    struct {
        gs_insn_profile *items;
        size_t count, capacity;
    } insns;
};

static slot *slot_at(gs_recorder *r, uint32_t pc)
{
    slot **page = &r->pages[pc >> GS_PAGE_SHIFT];
    if (__builtin_expect(!*page, 0)) {
        *page = calloc(GS_PAGE_SIZE / r->unit, sizeof **page);
        if (!*page) {
            r->no_memory = true;
            return NULL;
        }
    }
    return &(*page)[(pc & (GS_PAGE_SIZE - 1)) / r->unit];
}

static gs_metrics *odd_row(gs_recorder *r, slot *s)
{
    if (s->odd == 0) {
        gs_metrics empty = {0};
        if (!gs_vec_push(&r->odd, empty)) {
            r->no_memory = true;
            return NULL;
        }
        s->odd = (uint32_t)r->odd.count;
    }
    return &r->odd.items[s->odd - 1];
}

static uint64_t count_misses(const gs_timing *timing)
{
    const gs_cache_stats *i = &timing->icache.stats, *d = &timing->dcache.stats;
    return i->read_misses + d->read_misses + d->write_misses + timing->branches.mispredicted;
}

/* The instruction of `s` took other than one cycle, or missed somewhere. Between two of these only
 * the plain counts have moved, so the difference of the readings is its own. */
static void charge_odd(gs_recorder *r, slot *s, uint64_t cycles)
{
    gs_metrics *row = odd_row(r, s);
    if (!row)
        return;
    gs_metrics now;
    gs_metrics_read(&now, r->timing, 0, 0);
    for (unsigned i = GS_METRIC_I_MISSES; i < GS_METRIC_COUNT; i++) {
        if (i == GS_METRIC_BRANCHES || i == GS_METRIC_TAKEN || i == GS_METRIC_TRAPS ||
            i == GS_METRIC_ENERGY)
            continue; /* counted per execution */
        row->value[i] += now.value[i] - r->odd_before.value[i];
    }
    row->value[GS_METRIC_CYCLES] += cycles - 1; /* wraps for 0 cycles, and is added back */
    r->odd_before = now;
}

static void read_all(const gs_recorder *r, gs_metrics *reading)
{
    gs_metrics_read(reading, r->timing, r->instructions, r->traps);
}

static uint32_t stack_pointer(const gs_machine *machine)
{
    return machine->isa->arch == GS_ARCH_RV32 ? machine->hart.rv.x[2] : machine->hart.mips.r[29];
}

static void change_path(gs_recorder *r)
{
    gs_metrics reading;
    read_all(r, &reading);
    if (r->flow == GS_FLOW_TRAP) {
        /* A system call that does not go on behind itself: to a signal handler, or back. */
        gs_calltree_signal(r->calls, r->from, r->goal, r->return_address, stack_pointer(r->machine),
                           &reading);
        return;
    }
    gs_calltree_flow(r->calls, r->flow, r->from, r->goal, r->return_address,
                     stack_pointer(r->machine), &reading);
}

static void count_jump(gs_recorder *r, uint32_t from, uint32_t to)
{
    size_t hash = ((from >> 1) * 31 + (to >> 1)) % JUMP_SLOTS;
    uint32_t index = r->jump_at[hash];
    if (index == 0 || r->jumps.items[index - 1].from != from ||
        r->jumps.items[index - 1].to != to) {
        /* Evicted entries leave a row behind; finish() adds rows of one jump together. */
        gs_jump_profile row = {.from = from, .to = to};
        if (!gs_vec_push(&r->jumps, row)) {
            r->no_memory = true;
            return;
        }
        r->jump_at[hash] = index = (uint32_t)r->jumps.count;
    }
    r->jumps.items[index - 1].count++;
}

static void note_flow(gs_recorder *r, const gs_retired *event)
{
    uint64_t target;
    const gs_isa *isa = r->machine->isa;
    gs_flow flow = isa->flow(event->insn, event->pc, &target);
    if (flow == GS_FLOW_JUMP_INDIRECT)
        count_jump(r, (uint32_t)event->pc, (uint32_t)event->goal);
    r->flow = flow;
    r->from = (uint32_t)event->pc;
    r->goal = (uint32_t)event->goal;
    unsigned slots = flow == GS_FLOW_TRAP ? 0 : isa->delay_slots;
    r->return_address = (uint32_t)event->pc + event->insn->length * (1 + slots);
    bool slot_follows = isa->delay_slots && event->next_pc != event->goal;
    r->countdown = 1 + slot_follows;
}

static void on_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    gs_recorder *r = self;
    (void)machine;
    slot *s = slot_at(r, (uint32_t)event->pc);
    if (!s)
        return;
    s->executions++;
    r->instructions = event->number + 1;
    if (r->timing) {
        uint64_t now = r->timing->now, misses = count_misses(r->timing);
        uint64_t spent = now - r->cycles;
        if (spent != 1 || misses != r->misses) {
            charge_odd(r, s, spent);
            r->cycles = now;
            r->misses = misses;
        } else {
            r->cycles++;
        }
    }
    if (event->taken) {
        s->taken++;
        note_flow(r, event);
    }
    if (r->countdown > 0 && --r->countdown == 0)
        change_path(r);
}

static void on_trapped(void *self, const gs_machine *machine, const gs_trapped *event)
{
    gs_recorder *r = self;
    slot *s = slot_at(r, (uint32_t)event->handler);
    gs_metrics *row = s ? odd_row(r, s) : NULL;
    gs_metrics reading;
    if (!row)
        return;
    r->countdown = 0;
    r->traps++;
    row->value[GS_METRIC_TRAPS]++;
    read_all(r, &reading);
    reading.value[GS_METRIC_TRAPS]--; /* it is the handler's */
    gs_calltree_trap(r->calls, (uint32_t)event->pc, (uint32_t)event->handler,
                     stack_pointer(machine), &reading);
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
    r->unit = machine->isa->unit;
    r->observer = (gs_observer){.retired = on_retired, .trapped = on_trapped, .self = r};
    gs_metrics_read(&r->odd_before, timing, 0, 0);
    r->cycles = timing ? timing->now : 0;
    r->pages = calloc(GS_PAGE_COUNT, sizeof *r->pages);
    if (!r->pages) {
        gs_recorder_free(r);
        return gs_fail_no_memory(err);
    }
    gs_status status = gs_calltree_open(&r->calls, machine->image, machine->hart.pc, err);
    if (status != GS_OK) {
        gs_recorder_free(r);
        return status;
    }
    *out = r;
    return GS_OK;
}

void gs_recorder_free(gs_recorder *r)
{
    if (!r)
        return;
    if (r->pages) {
        for (size_t page = 0; page < GS_PAGE_COUNT; page++)
            free(r->pages[page]);
    }
    free(r->pages);
    free(r->odd.items);
    free(r->jumps.items);
    free(r->insns.items);
    gs_calltree_free(r->calls);
    free(r);
}

const gs_observer *gs_recorder_observer(const gs_recorder *r)
{
    return &r->observer;
}

static int by_jump(const void *a, const void *b)
{
    const gs_jump_profile *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void merge_jumps(gs_recorder *r)
{
    gs_jump_profile *jumps = r->jumps.items;
    size_t kept = 0;
    if (r->jumps.count == 0)
        return;
    qsort(jumps, r->jumps.count, sizeof *jumps, by_jump);
    for (size_t i = 1; i < r->jumps.count; i++) {
        if (by_jump(&jumps[i], &jumps[kept]) == 0)
            jumps[kept].count += jumps[i].count;
        else
            jumps[++kept] = jumps[i];
    }
    r->jumps.count = kept + 1;
}

/* The plain part of the cost, and what there was beyond it. */
static gs_metrics cost_of(const gs_recorder *r, const slot *s, uint32_t pc)
{
    gs_metrics cost = {0};
    if (s->odd)
        cost = r->odd.items[s->odd - 1];
    cost.value[GS_METRIC_CYCLES] += s->executions;
    cost.value[GS_METRIC_INSTRUCTIONS] += s->executions;
    uint32_t word;
    gs_insn insn;
    if (r->timing &&
        gs_memory_fetch(&r->machine->memory, r->machine->isa, pc, &word) == GS_ACCESS_OK) {
        gs_decode(&insn, &r->machine->decoder, word);
        if (r->machine->isa->ops[insn.op].timing == GS_CLASS_BRANCH) {
            cost.value[GS_METRIC_BRANCHES] += s->executions;
            cost.value[GS_METRIC_TAKEN] += s->taken;
        }
        cost.value[GS_METRIC_ENERGY] =
            gs_energy_of(r->timing->core, r->machine->isa, &insn, s->executions,
                         &cost.value[GS_METRIC_FIRST_STALL]);
    }
    return cost;
}

static bool collect_page(gs_recorder *r, size_t page)
{
    for (size_t i = 0; i < GS_PAGE_SIZE / r->unit; i++) {
        const slot *s = &r->pages[page][i];
        if (s->executions == 0 && s->odd == 0)
            continue;
        uint32_t pc = (uint32_t)(page << GS_PAGE_SHIFT) + (uint32_t)i * r->unit;
        gs_insn_profile row = {
            .pc = pc,
            .executions = s->executions,
            .taken = s->taken,
            .cost = cost_of(r, s, pc),
        };
        if (!gs_vec_push(&r->insns, row))
            return false;
    }
    return true;
}

gs_status gs_recorder_finish(gs_recorder *r, gs_error *err)
{
    if (r->finished)
        return GS_OK;
    r->finished = true;
    read_all(r, &r->total);
    gs_calltree_finish(r->calls, &r->total);
    merge_jumps(r);
    for (size_t page = 0; page < GS_PAGE_COUNT; page++) {
        if (r->pages[page] && !collect_page(r, page))
            r->no_memory = true;
    }
    return r->no_memory ? gs_fail_no_memory(err) : GS_OK;
}

const gs_insn_profile *gs_recorder_insns(const gs_recorder *r, size_t *count)
{
    *count = r->insns.count;
    return r->insns.items;
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

const gs_metrics *gs_recorder_total(const gs_recorder *r)
{
    return &r->total;
}
