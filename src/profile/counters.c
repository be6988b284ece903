/*
 * Keeps counters by page, and computes executions from where runs of instructions began and ended.
 */
#include "profile/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "isa/rv/rv.h"
#include "timing/energy.h"

static const gs_metric missed[GS_MISS_KINDS] = {GS_METRIC_I_MISSES, GS_METRIC_D_MISSES,
                                                GS_METRIC_MISPREDICTED};

static void read_misses(const gs_timing *timing, uint64_t now[GS_MISS_KINDS])
{
    const gs_cache_stats *d = &timing->dcache.stats;
    now[0] = timing->icache.stats.read_misses;
    now[1] = d->read_misses + d->write_misses;
    now[2] = timing->branches.mispredicted;
}

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
        read_misses(timing, c->missed);
    }
    return c->pages ? GS_OK : gs_fail_no_memory(err);
}

void gs_counters_fini(gs_counters *c)
{
    for (size_t i = 0; i < c->all_pages.count; i++) {
        if (c->all_pages.items[i]->context == 0)
            free(c->all_pages.items[i]->code);
        free(c->all_pages.items[i]);
    }
    for (size_t i = 0; i < c->contexts.count; i++)
        free(c->contexts.items[i].items);
    free(c->all_pages.items);
    free(c->contexts.items);
    free(c->pages);
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

static gs_slot_page *make_page(gs_counters *c, uint32_t number, uint32_t context,
                               gs_slot_code *code)
{
    size_t count = gs_counters_page_slots(c), slots = count + 2;
    size_t each = sizeof(gs_slot) + 2 * sizeof(uint64_t);
    gs_slot_page *page = calloc(1, sizeof *page + slots * each);
    if (!page)
        return NULL;
    for (size_t i = 0; i < slots; i++)
        page->slots[i].next_header = GS_SLOT_NO_HEADER;
    page->number = number;
    page->context = context;
    page->code = code;
    page->taken = (uint64_t *)(void *)(page->slots + slots);
    page->executions = page->taken + slots;
    if (!gs_vec_push(&c->all_pages, page)) {
        free(page);
        return NULL;
    }
    c->made(c->owner, page);
    return page;
}

static gs_slot_page *base_page(gs_counters *c, uint32_t number)
{
    if (c->pages[number])
        return c->pages[number];
    gs_slot_code *code = calloc(gs_counters_page_slots(c), sizeof *code);
    if (code)
        c->pages[number] = make_page(c, number, 0, code);
    if (!c->pages[number])
        free(code);
    return c->pages[number];
}

static gs_slot_page *context_page(gs_counters *c, uint32_t number)
{
    while (c->contexts.count < c->context) {
        gs_slot_pages empty = {0};
        if (!gs_vec_push(&c->contexts, empty))
            return NULL;
    }
    gs_slot_pages *pages = &c->contexts.items[c->context - 1];
    for (size_t i = 0; i < pages->count; i++) {
        if (pages->items[i]->number == number)
            return pages->items[i];
    }
    const gs_slot_page *base = base_page(c, number);
    gs_slot_page *made = base ? make_page(c, number, c->context, base->code) : NULL;
    return made && gs_vec_push(pages, made) ? made : NULL;
}

bool gs_counters_turn(gs_counters *c, uint32_t pc)
{
    uint32_t number = pc >> GS_PAGE_SHIFT;
    gs_slot_page *page = c->context == 0 ? base_page(c, number) : context_page(c, number);
    c->page = page ? number : GS_NOWHERE;
    c->slots = page ? page->slots : NULL;
    c->taken = page ? page->taken : NULL;
    c->no_memory |= !page;
    return page != NULL;
}

void gs_counters_use_context(gs_counters *c, uint32_t context)
{
    uint32_t number = context << 1 | (c->context & 1);
    if (c->context != number) {
        c->context = number;
        c->page = GS_NOWHERE;
    }
}

void gs_counters_take_side(gs_counters *c, bool outside)
{
    c->context = (c->context & ~1u) | outside;
    c->page = GS_NOWHERE;
}

/* NULL where nothing has been decoded. */
static const gs_slot_code *code_at(const gs_counters *c, uint32_t pc)
{
    const gs_slot_page *page = c->pages[pc >> GS_PAGE_SHIFT];
    const gs_slot_code *code = page ? &page->code[gs_counters_index(c, pc)] : NULL;
    return code && code->length ? code : NULL;
}

bool gs_counters_know(gs_counters *c, uint32_t pc, const gs_insn *insn)
{
    const gs_slot_page *page = base_page(c, pc >> GS_PAGE_SHIFT);
    if (!page) {
        c->no_memory = true;
        return true;
    }
    gs_slot_code *code = &page->code[gs_counters_index(c, pc)];
    if (code->length)
        return code->raw == insn->raw;
    *code = (gs_slot_code){insn->raw, insn->length};
    return true;
}

uint32_t gs_counters_behind(const gs_counters *c, uint32_t from, uint64_t instructions)
{
    const gs_slot_code *code;
    for (uint64_t i = 0; i < instructions && (code = code_at(c, from)) != NULL; i++)
        from += code->length;
    return from;
}

uint64_t gs_counters_between(const gs_counters *c, uint32_t from, uint32_t end)
{
    uint64_t instructions = 0;
    const gs_slot_code *code;
    for (; from != end && (code = code_at(c, from)) != NULL; from += code->length)
        instructions++;
    return instructions;
}

/* The first instruction at or behind `limit`, before which `from` is. Unless one is known that
 * reaches over the limit, no path does. */
static uint32_t first_from(const gs_counters *c, uint32_t from, uint32_t limit)
{
    const gs_slot_code *code = code_at(c, limit - (1u << c->unit_shift));
    if (!code || code->length == 1u << c->unit_shift)
        return limit;
    while ((int32_t)(from - limit) < 0) {
        code = code_at(c, from);
        from = code ? from + code->length : limit; /* none if memory was out when it was decoded */
    }
    return from;
}

bool gs_counters_passes(const gs_counters *c, uint32_t from, uint32_t pc)
{
    return from == pc || first_from(c, from, pc) == pc;
}

uint32_t gs_counters_over_page(const gs_counters *c, uint32_t from)
{
    return first_from(c, from, (from | (GS_PAGE_SIZE - 1)) + 1);
}

void gs_counters_ran(gs_counters *c, uint32_t from, uint32_t end)
{
    gs_slot *s;
    while (from != end && (s = gs_counters_at(c, from)) != NULL) {
        s->more++;
        if (from >> GS_PAGE_SHIFT == end >> GS_PAGE_SHIFT) {
            c->slots[gs_counters_index(c, end)].more--;
            return;
        }
        from = gs_counters_over_page(c, from);
    }
}

/* How often an instruction was executed is how often those were that lead to it, and `more`. */
void gs_counters_settle(const gs_counters *c, gs_slot_page *page)
{
    size_t count = gs_counters_page_slots(c);
    for (size_t i = 0; i < count; i++) {
        int64_t executions = page->slots[i].more;
        if (executions == 0)
            continue;
        page->executions[i] += (uint64_t)executions;
        page->slots[i].more = 0;
        page->slots[i + (page->code[i].length >> c->unit_shift)].more += executions;
    }
    page->slots[count].more = page->slots[count + 1].more = 0;
}

void gs_counters_mark_header(gs_slot_page *page, size_t index, uint16_t header)
{
    page->slots[index].header = header;
    for (size_t i = index; i-- > 0;) {
        page->slots[i].next_header = (uint16_t)index;
        if (page->slots[i].header)
            return;
    }
}

static __attribute__((noinline)) void make_rest(gs_counters *c, gs_slot *s)
{
    gs_metrics empty = {0};
    if (gs_vec_push(&c->rest, empty))
        s->rest = (uint32_t)c->rest.count;
    else
        c->no_memory = true;
}

static gs_metrics *rest_of(gs_counters *c, gs_slot *s)
{
    if (s->rest == 0)
        make_rest(c, s);
    return s->rest ? &c->rest.items[s->rest - 1] : NULL;
}

void gs_counters_charge_many(gs_counters *c, gs_slot *s, uint64_t cycles)
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
    if (!row)
        return;
    row->value[GS_METRIC_CYCLES] += cycles - 1; /* wraps for 0 cycles, and is added back */
    if (s->lost == 0)
        s->cause = (uint8_t)largest; /* perhaps from now on */
}

/* A miss need not cost anything. */
void gs_counters_charge_misses(gs_counters *c, gs_slot *s)
{
    uint64_t now[GS_MISS_KINDS];
    gs_metrics *row = rest_of(c, s);
    read_misses(c->timing, now);
    for (unsigned i = 0; row && i < GS_MISS_KINDS; i++)
        row->value[missed[i]] += now[i] - c->missed[i];
    memcpy(c->missed, now, sizeof now);
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

void gs_counters_add(gs_counters *c, gs_slot *s, unsigned length, uint64_t times, bool taken)
{
    s->more += (int64_t)times;
    s[length >> c->unit_shift].more -= (int64_t)times;
    if (taken)
        c->taken[s - c->slots] += times;
}

void gs_counters_leave_owed(const gs_counters *c, gs_metrics *reading)
{
    const gs_timing *timing = c->timing;
    uint64_t now[GS_MISS_KINDS], stalls[GS_STALL_COUNT];
    if (!timing)
        return;
    read_misses(timing, now);
    for (unsigned i = 0; i < GS_MISS_KINDS; i++)
        reading->value[missed[i]] -= now[i] - c->missed[i];
    for (unsigned i = 0; i < GS_STALL_COUNT; i++) {
        stalls[i] = timing->stalls[i] - c->stalls[i];
        reading->value[GS_METRIC_FIRST_STALL + i] -= stalls[i];
    }
    reading->value[GS_METRIC_CYCLES] -= timing->now - timing->reported_cycles;
    if (timing->core->energy.group_count > 0)
        reading->value[GS_METRIC_ENERGY] -= gs_energy_of_stalls(&timing->core->energy, stalls);
}

void gs_counters_shift(gs_counters *c, const gs_metrics *by)
{
    for (unsigned i = 0; i < GS_MISS_KINDS; i++)
        c->missed[i] += by->value[missed[i]];
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        c->stalls[i] += by->value[GS_METRIC_FIRST_STALL + i];
}

/* All that there was beyond a cycle per execution. */
static gs_metrics odd_cost(const gs_counters *c, const gs_slot *s)
{
    gs_metrics cost = {0};
    if (s->rest)
        cost = c->rest.items[s->rest - 1];
    cost.value[GS_METRIC_CYCLES] += s->lost;
    cost.value[GS_METRIC_FIRST_STALL + s->cause] += s->lost;
    return cost;
}

/* What follows from executions, stalls and the instruction itself: added to `to`, or taken from it.
 */
static void derive(const gs_counters *c, const gs_slot_page *page, size_t index, uint32_t raw,
                   gs_metrics *to, bool add)
{
    gs_insn insn;
    gs_metrics odd = odd_cost(c, &page->slots[index]);
    const gs_isa *isa = c->machine->isa;
    uint64_t executions = page->executions[index];
    gs_decode(&insn, &c->machine->decoder, raw);
    bool branch = isa->ops[insn.op].timing == GS_CLASS_BRANCH;
    uint64_t energy =
        gs_energy_of(c->timing->core, isa, &insn, executions, &odd.value[GS_METRIC_FIRST_STALL]);
    uint64_t sign = add ? 1 : UINT64_MAX;
    to->value[GS_METRIC_BRANCHES] += sign * (branch ? executions : 0);
    to->value[GS_METRIC_TAKEN] += sign * (branch ? page->taken[index] : 0);
    to->value[GS_METRIC_ENERGY] += sign * energy;
}

/* In the end all executions are taken for ones of the last instruction, so the difference that
 * makes for those so far is set right now. */
static void exchange_in(gs_counters *c, gs_slot_page *page, size_t index, uint32_t raw)
{
    gs_slot *s = &page->slots[index];
    gs_metrics *row = page->executions[index] > 0 && c->timing ? rest_of(c, s) : NULL;
    if (row) {
        derive(c, page, index, page->code[index].raw, row, true);
        derive(c, page, index, raw, row, false);
    }
    s->flow = 0;
    s->arrival = 0;
}

void gs_counters_exchange(gs_counters *c, uint32_t pc, const gs_insn *insn)
{
    uint32_t number = pc >> GS_PAGE_SHIFT;
    size_t index = gs_counters_index(c, pc);
    for (size_t i = 0; i < c->all_pages.count; i++) {
        gs_slot_page *page = c->all_pages.items[i];
        if (page->number == number) {
            gs_counters_settle(c, page);
            exchange_in(c, page, index, insn->raw);
        }
    }
    c->pages[number]->code[index] = (gs_slot_code){insn->raw, insn->length};
}

gs_metrics gs_counters_cost(const gs_counters *c, const gs_slot_page *page, size_t index)
{
    uint64_t executions = page->executions[index];
    gs_metrics cost = odd_cost(c, &page->slots[index]);
    cost.value[GS_METRIC_CYCLES] += executions;
    cost.value[GS_METRIC_INSTRUCTIONS] += executions;
    if (c->timing)
        derive(c, page, index, page->code[index].raw, &cost, true);
    return cost;
}
