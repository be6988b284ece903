#include "profile/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "isa/rv/rv.h"
#include "timing/energy.h"

static const gs_metric missed[] = {GS_METRIC_I_MISSES, GS_METRIC_D_MISSES, GS_METRIC_MISPREDICTED};

/* In bytes. Code without compressed instructions has half as many places for instructions. */
static unsigned smallest_insn(const gs_machine *machine)
{
    bool compressed = machine->isa->arch != GS_ARCH_RV32 || machine->extensions >> GS_RV_C & 1;
    return compressed ? machine->isa->unit : 4;
}

gs_status gs_counters_init(gs_counters *c, const gs_machine *machine, const gs_timing *timing,
                           gs_error *err)
{
    *c = (gs_counters){
        .machine = machine,
        .timing = timing,
        .page = GS_NOWHERE,
        .unit_shift = (unsigned)__builtin_ctz(smallest_insn(machine)),
        .pages = calloc(GS_PAGE_COUNT, sizeof *c->pages),
    };
    if (timing) {
        memcpy(c->stalls, timing->stalls, sizeof c->stalls);
        gs_metrics_read(&c->missed, timing, 0, 0);
        c->misses = gs_counters_misses(timing);
    }
    return c->pages ? GS_OK : gs_fail_no_memory(err);
}

void gs_counters_fini(gs_counters *c)
{
    for (size_t i = 0; i < c->all_pages.count; i++)
        free(c->all_pages.items[i].slots);
    for (size_t i = 0; i < c->contexts.count; i++)
        free(c->contexts.items[i].items);
    free(c->all_pages.items);
    free(c->contexts.items);
    free(c->pages);
    free(c->odd.items);
    free(c->rest.items);
}

size_t gs_counters_page_slots(const gs_counters *c)
{
    return (size_t)GS_PAGE_SIZE >> c->unit_shift;
}

uint32_t gs_counters_pc(const gs_counters *c, const gs_slot_page *page, size_t index)
{
    return (page->number << GS_PAGE_SHIFT) + (uint32_t)(index << c->unit_shift);
}

/* Behind the slots, in the same memory. */
static uint64_t *taken_beside(const gs_counters *c, gs_slot *slots)
{
    return (uint64_t *)(void *)(slots + gs_counters_page_slots(c));
}

static gs_slot *make_page(gs_counters *c, uint32_t number, uint32_t context)
{
    gs_slot_page made = {.number = number, .context = context};
    made.slots = calloc(gs_counters_page_slots(c), sizeof *made.slots + sizeof *made.taken);
    if (!made.slots)
        return NULL;
    made.taken = taken_beside(c, made.slots);
    if (!gs_vec_push(&c->all_pages, made)) {
        free(made.slots);
        return NULL;
    }
    c->made(c->owner, &made);
    return made.slots;
}

static gs_slot *base_page(gs_counters *c, uint32_t number)
{
    if (!c->pages[number])
        c->pages[number] = make_page(c, number, 0);
    return c->pages[number];
}

static gs_slot *context_page(gs_counters *c, uint32_t number)
{
    while (c->contexts.count < c->context) {
        gs_slot_pages empty = {0};
        if (!gs_vec_push(&c->contexts, empty))
            return NULL;
    }
    gs_slot_pages *pages = &c->contexts.items[c->context - 1];
    for (size_t i = 0; i < pages->count; i++) {
        if (pages->items[i].number == number)
            return pages->items[i].slots;
    }
    gs_slot_page made = {.number = number, .slots = make_page(c, number, c->context)};
    return made.slots && gs_vec_push(pages, made) ? made.slots : NULL;
}

bool gs_counters_turn(gs_counters *c, uint32_t pc)
{
    uint32_t number = pc >> GS_PAGE_SHIFT;
    gs_slot *slots = c->context == 0 ? base_page(c, number) : context_page(c, number);
    c->page = slots ? number : GS_NOWHERE;
    c->slots = slots;
    c->taken = slots ? taken_beside(c, slots) : NULL;
    c->no_memory |= !slots;
    return slots != NULL;
}

void gs_counters_use_context(gs_counters *c, uint32_t context)
{
    if (c->context != context) {
        c->context = context;
        c->page = GS_NOWHERE;
    }
}

static gs_odd_cost *make_odd(gs_counters *c, gs_slot *s)
{
    gs_odd_cost empty = {0};
    if (!gs_vec_push(&c->odd, empty)) {
        c->no_memory = true;
        return NULL;
    }
    s->odd = (uint32_t)c->odd.count;
    return &c->odd.items[s->odd - 1];
}

static inline gs_odd_cost *odd_of(gs_counters *c, gs_slot *s)
{
    return __builtin_expect(s->odd != 0, 1) ? &c->odd.items[s->odd - 1] : make_odd(c, s);
}

static gs_metrics *rest_of(gs_counters *c, gs_slot *s)
{
    gs_odd_cost *odd = odd_of(c, s);
    gs_metrics empty = {0};
    if (!odd)
        return NULL;
    if (odd->rest == 0) {
        if (!gs_vec_push(&c->rest, empty)) {
            c->no_memory = true;
            return NULL;
        }
        odd->rest = (uint32_t)c->rest.count;
    }
    return &c->rest.items[odd->rest - 1];
}

static void charge_many(gs_counters *c, gs_slot *s, gs_odd_cost *odd, uint64_t cycles)
{
    const uint64_t *now = c->timing->stalls;
    gs_metrics *row = rest_of(c, s);
    unsigned largest = 0;
    uint64_t most = 0;
    for (unsigned i = 0; row && i < GS_STALL_COUNT; i++) {
        uint64_t lost = now[i] - c->stalls[i];
        row->value[GS_METRIC_FIRST_STALL + i] += lost;
        c->stalls[i] = now[i];
        if (lost > most) {
            most = lost;
            largest = i;
        }
    }
    if (row)
        row->value[GS_METRIC_CYCLES] += cycles - 1; /* wraps for 0 cycles, and is added back */
    if (odd->lost == 0)
        odd->cause = largest; /* perhaps from now on */
}

/* Stalls move with no other instruction, so the difference of two readings is its own. */
void gs_counters_charge_stalls(gs_counters *c, gs_slot *s, uint64_t cycles)
{
    gs_odd_cost *odd = odd_of(c, s);
    uint64_t lost = cycles - 1;
    if (!odd)
        return;
    uint64_t now = c->timing->stalls[odd->cause], *before = &c->stalls[odd->cause];
    if (__builtin_expect(now - *before == lost, 1)) {
        odd->lost += lost;
        *before = now;
    } else {
        charge_many(c, s, odd, cycles);
    }
}

/* A miss need not cost anything. */
void gs_counters_charge_misses(gs_counters *c, gs_slot *s)
{
    gs_metrics *row = rest_of(c, s), now;
    if (!row)
        return;
    gs_metrics_read(&now, c->timing, 0, 0);
    for (unsigned i = 0; i < sizeof missed / sizeof *missed; i++)
        row->value[missed[i]] += now.value[missed[i]] - c->missed.value[missed[i]];
    c->missed = now;
    c->misses = gs_counters_misses(c->timing);
}

void gs_counters_charge_trap(gs_counters *c, gs_slot *s)
{
    gs_metrics *row = rest_of(c, s);
    if (row)
        row->value[GS_METRIC_TRAPS]++;
}

void gs_counters_charge(gs_counters *c, gs_slot *s, gs_metric metric, uint64_t amount)
{
    gs_metrics *row = rest_of(c, s);
    if (row)
        row->value[metric] += amount;
}

/* The difference between a reading and what has been charged, or the other way round. */
static void subtract(const gs_metrics *reading, const gs_metrics *other, gs_metrics *to)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        to->value[i] = reading->value[i] - other->value[i];
}

void gs_counters_pause(gs_counters *c, const gs_metrics *reading)
{
    gs_metrics charged = c->missed;
    memcpy(&charged.value[GS_METRIC_FIRST_STALL], c->stalls, sizeof c->stalls);
    subtract(reading, &charged, &c->held);
}

void gs_counters_resume(gs_counters *c, const gs_metrics *reading)
{
    subtract(reading, &c->held, &c->missed);
    memcpy(c->stalls, &c->missed.value[GS_METRIC_FIRST_STALL], sizeof c->stalls);
    c->misses = gs_counters_misses(c->timing);
    for (unsigned i = 0; i < sizeof missed / sizeof *missed; i++)
        c->misses -= c->held.value[missed[i]];
}

/* All that there was beyond a cycle per execution. */
static gs_metrics odd_cost(const gs_counters *c, const gs_slot *s)
{
    gs_metrics cost = {0};
    if (s->odd == 0)
        return cost;
    const gs_odd_cost *odd = &c->odd.items[s->odd - 1];
    if (odd->rest)
        cost = c->rest.items[odd->rest - 1];
    cost.value[GS_METRIC_CYCLES] += odd->lost;
    cost.value[GS_METRIC_FIRST_STALL + odd->cause] += odd->lost;
    return cost;
}

/* What follows from executions, stalls and the instruction itself: added to `to`, or taken from it.
 */
static void derive(const gs_counters *c, const gs_slot *s, uint64_t taken, uint32_t raw,
                   gs_metrics *to, bool add)
{
    gs_insn insn;
    gs_metrics odd = odd_cost(c, s);
    const gs_isa *isa = c->machine->isa;
    gs_decode(&insn, &c->machine->decoder, raw);
    bool branch = isa->ops[insn.op].timing == GS_CLASS_BRANCH;
    uint64_t energy =
        gs_energy_of(c->timing->core, isa, &insn, s->executions, &odd.value[GS_METRIC_FIRST_STALL]);
    uint64_t sign = add ? 1 : UINT64_MAX;
    to->value[GS_METRIC_BRANCHES] += sign * (branch ? s->executions : 0);
    to->value[GS_METRIC_TAKEN] += sign * (branch ? taken : 0);
    to->value[GS_METRIC_ENERGY] += sign * energy;
}

/* In the end all executions are taken for ones of the last instruction, so the difference that
 * makes for those so far is set right now. */
void gs_counters_exchange(gs_counters *c, gs_slot *s, uint32_t raw)
{
    gs_metrics *row = s->executions > 0 && c->timing ? rest_of(c, s) : NULL;
    if (row) {
        uint64_t taken = c->taken[s - c->slots];
        derive(c, s, taken, s->raw, row, true);
        derive(c, s, taken, raw, row, false);
    }
    s->raw = raw;
    s->flow = 0;
    s->arrival = 0;
}

gs_metrics gs_counters_cost(const gs_counters *c, const gs_slot *s, uint64_t taken)
{
    gs_metrics cost = odd_cost(c, s);
    cost.value[GS_METRIC_CYCLES] += s->executions;
    cost.value[GS_METRIC_INSTRUCTIONS] += s->executions;
    if (c->timing)
        derive(c, s, taken, s->raw, &cost, true);
    return cost;
}
