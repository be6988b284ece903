#include "profile/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "isa/rv/rv.h"
#include "timing/energy.h"

enum {
    FIRST_EFFORT = 1 << 20, /* blocks that may be looked at to learn where indirect jumps lead, */
    EFFORT_SHIFT = 7,       /* and one more for so many instructions (as a power of 2) */
    MAX_HEADERS = UINT16_MAX,
};

/* What is out of the way of the many instructions that do nothing but cost a cycle. */
#define SLOW __attribute__((noinline))

/* No instruction is there. */
#define NOWHERE UINT32_MAX

static const gs_metric missed[] = {GS_METRIC_I_MISSES, GS_METRIC_D_MISSES, GS_METRIC_MISPREDICTED};

/* In slot.flow: a jump within a function, which leaves the call path as it is. */
enum { LOCAL = 0x80 };

/* One per smallest instruction of a page. An instruction usually costs one cycle and nothing else;
 * what it cost beyond that, ever, is a row of its own in `odd`. */
typedef struct slot {
    uint64_t executions;
    uint32_t odd;    /* index + 1, or 0 */
    uint32_t raw;    /* the instruction, as it was executed last */
    uint16_t header; /* a loop's: its number in `rounds` + 1, or 0 */
    uint8_t flow;    /* gs_flow + 1, or 0 if not looked at yet; LOCAL */
    uint8_t arrival; /* of a direct jump: what it means where it goes, see rounds.h */
} slot;

/* What an instruction cost beyond a cycle per execution. Mostly that is one stall, always the same:
 * all else is in a row of its own, to keep these small. */
typedef struct odd_cost {
    uint64_t lost; /* cycles, to */
    uint32_t cause;
    uint32_t rest; /* index + 1, or 0 */
} odd_cost;

/* The counters of one page in one context. Slots are small, so that the code of a loop with all
 * its slots stays in the host's fastest cache; how often jumps were taken is kept elsewhere. */
typedef struct page {
    uint32_t number, context;
    slot *slots;
    uint64_t *taken; /* behind the slots, as many */
} page;

typedef struct page_list {
    page *items;
    size_t count, capacity;
} page_list;

/* A jump that had been made when a trap came, before it arrived. */
typedef struct held_arrival {
    size_t depth; /* with the trap's frame */
    uint32_t to;
    gs_arrival arrival;
} held_arrival;

struct gs_recorder {
    /* What every instruction needs, close together. */
    slot *slots; /* of the current page in the current context */
    const gs_timing *timing;
    uint64_t cycles, misses; /* after the instruction before */
    uint32_t page;           /* number of the current page, or NOWHERE */
    uint32_t last;           /* instruction that retired */
    unsigned unit_shift;
    unsigned countdown;  /* to a change of the call path, for the delay slot */
    uint32_t arrives_at; /* where the last jump leads, or NOWHERE if that is of no interest */
    gs_arrival arrival;
    uint64_t *taken;   /* beside `slots` */
    uint64_t deadline; /* in cycles: when an interval of the timeline ends */
    size_t depth;      /* of the call stack */

    const gs_machine *machine;
    gs_observer observer;
    gs_calltree *calls;
    gs_rounds *rounds;
    gs_timeline *timeline; /* or NULL */
    uint32_t context;
    slot **pages; /* context 0, by page of the guest's address space */
    struct {
        page_list *items;
        size_t count, capacity;
    } contexts;          /* the others, by context - 1 */
    page_list all_pages; /* whose slots they are */

    struct {
        odd_cost *items;
        size_t count, capacity;
    } odd;
    struct {
        gs_metrics *items;
        size_t count, capacity;
    } rest;
    struct {
        gs_jump_profile *items;
        size_t count, capacity;
    } jumps;
    uint32_t *jump_at; /* hash table: index + 1, or 0 */
    size_t jump_slots;
    size_t headers_marked; /* in the slots */
    uint64_t effort;
    bool has_to_learn;

    uint64_t stalls[GS_STALL_COUNT]; /* as of the last instruction that had any */
    uint64_t missed[sizeof missed / sizeof *missed];
    uint64_t instructions, traps; /* as of the last event out of the ordinary */

    /* The change of the call path. */
    gs_flow flow;
    uint32_t from, goal, return_address;

    struct {
        held_arrival *items;
        size_t count, capacity;
    } held;

    bool no_memory, finished;
    gs_metrics total;
    struct {
        gs_insn_profile *items;
        size_t count, capacity;
    } insns, context_insns;
};

static size_t slots_of_page(const gs_recorder *r)
{
    return (size_t)GS_PAGE_SIZE >> r->unit_shift;
}

static slot *slot_in(const gs_recorder *r, slot *slots, uint32_t pc)
{
    return &slots[(pc & (GS_PAGE_SIZE - 1)) >> r->unit_shift];
}

static void mark_header(gs_recorder *r, const page *p, size_t header)
{
    uint32_t pc = gs_rounds_header(r->rounds, header);
    if (pc >> GS_PAGE_SHIFT == p->number && header < MAX_HEADERS)
        slot_in(r, p->slots, pc)->header = (uint16_t)(header + 1);
}

static slot *make_page(gs_recorder *r, uint32_t number, uint32_t context)
{
    size_t count = slots_of_page(r);
    page made = {number, context, calloc(count, sizeof *made.slots + sizeof *made.taken), NULL};
    if (made.slots)
        made.taken = (uint64_t *)(void *)(made.slots + count);
    if (!made.slots || !gs_vec_push(&r->all_pages, made)) {
        free(made.slots);
        return NULL;
    }
    for (size_t i = 0; i < r->headers_marked; i++)
        mark_header(r, &made, i);
    return made.slots;
}

static slot *base_page(gs_recorder *r, uint32_t number)
{
    if (!r->pages[number])
        r->pages[number] = make_page(r, number, 0);
    return r->pages[number];
}

static slot *context_page(gs_recorder *r, uint32_t number)
{
    while (r->contexts.count < r->context) {
        page_list empty = {0};
        if (!gs_vec_push(&r->contexts, empty))
            return NULL;
    }
    page_list *pages = &r->contexts.items[r->context - 1];
    for (size_t i = 0; i < pages->count; i++) {
        if (pages->items[i].number == number)
            return pages->items[i].slots;
    }
    page made = {number, r->context, make_page(r, number, r->context), NULL};
    return made.slots && gs_vec_push(pages, made) ? made.slots : NULL;
}

/* Makes the page of `pc` the current one. */
static SLOW bool turn_page(gs_recorder *r, uint32_t pc)
{
    uint32_t number = pc >> GS_PAGE_SHIFT;
    r->slots = r->context == 0 ? base_page(r, number) : context_page(r, number);
    r->page = NOWHERE;
    if (r->slots) {
        r->taken = (uint64_t *)(void *)(r->slots + slots_of_page(r));
        r->page = number;
    }
    r->no_memory |= !r->slots;
    return r->slots != NULL;
}

static slot *slot_at(gs_recorder *r, uint32_t pc)
{
    if (__builtin_expect(pc >> GS_PAGE_SHIFT != r->page, 0) && !turn_page(r, pc))
        return NULL;
    return slot_in(r, r->slots, pc);
}

static SLOW odd_cost *make_odd_row(gs_recorder *r, slot *s)
{
    odd_cost empty = {0};
    if (!gs_vec_push(&r->odd, empty)) {
        r->no_memory = true;
        return NULL;
    }
    s->odd = (uint32_t)r->odd.count;
    return &r->odd.items[s->odd - 1];
}

static inline odd_cost *odd_row(gs_recorder *r, slot *s)
{
    return __builtin_expect(s->odd != 0, 1) ? &r->odd.items[s->odd - 1] : make_odd_row(r, s);
}

static gs_metrics *rest_row(gs_recorder *r, slot *s)
{
    odd_cost *row = odd_row(r, s);
    gs_metrics empty = {0};
    if (!row)
        return NULL;
    if (row->rest == 0) {
        if (!gs_vec_push(&r->rest, empty)) {
            r->no_memory = true;
            return NULL;
        }
        row->rest = (uint32_t)r->rest.count;
    }
    return &r->rest.items[row->rest - 1];
}

static void read_all(const gs_recorder *r, gs_metrics *reading)
{
    gs_metrics_read(reading, r->timing, r->instructions, r->traps);
}

static uint64_t count_misses(const gs_timing *timing)
{
    const gs_cache_stats *i = &timing->icache.stats, *d = &timing->dcache.stats;
    return i->read_misses + d->read_misses + d->write_misses + timing->branches.mispredicted;
}

static SLOW void charge_many(gs_recorder *r, slot *s, odd_cost *odd, uint64_t spent)
{
    const uint64_t *now = r->timing->stalls;
    gs_metrics *row = rest_row(r, s);
    unsigned largest = 0;
    uint64_t most = 0;
    for (unsigned i = 0; row && i < GS_STALL_COUNT; i++) {
        uint64_t lost = now[i] - r->stalls[i];
        row->value[GS_METRIC_FIRST_STALL + i] += lost;
        r->stalls[i] = now[i];
        if (lost > most) {
            most = lost;
            largest = i;
        }
    }
    if (row)
        row->value[GS_METRIC_CYCLES] += spent - 1; /* wraps for 0 cycles, and is added back */
    if (odd->lost == 0)
        odd->cause = largest; /* perhaps from now on */
}

/* The instruction of `s` took other than one cycle. Stalls move with no other, so the difference
 * of two readings is its own. */
static SLOW void charge_stalls(gs_recorder *r, slot *s, uint64_t spent)
{
    odd_cost *odd = odd_row(r, s);
    uint64_t lost = spent - 1;
    if (!odd)
        return;
    uint64_t now = r->timing->stalls[odd->cause], *before = &r->stalls[odd->cause];
    if (__builtin_expect(now - *before == lost, 1)) {
        odd->lost += lost;
        *before = now;
    } else {
        charge_many(r, s, odd, spent);
    }
}

/* The same for misses, which need not cost anything. */
static SLOW void charge_misses(gs_recorder *r, slot *s)
{
    gs_metrics *row = rest_row(r, s), now;
    if (!row)
        return;
    read_all(r, &now);
    for (unsigned i = 0; i < sizeof missed / sizeof *missed; i++)
        row->value[missed[i]] += now.value[missed[i]] - r->missed[i];
    for (unsigned i = 0; i < sizeof missed / sizeof *missed; i++)
        r->missed[i] = now.value[missed[i]];
    r->misses = count_misses(r->timing);
}

static uint32_t stack_pointer(const gs_machine *machine)
{
    return machine->isa->arch == GS_ARCH_RV32 ? machine->hart.rv.x[2] : machine->hart.mips.r[29];
}

static void mark_headers(gs_recorder *r)
{
    size_t count = gs_rounds_count(r->rounds);
    for (size_t i = 0; i < r->all_pages.count && r->headers_marked < count; i++) {
        for (size_t header = r->headers_marked; header < count; header++)
            mark_header(r, &r->all_pages.items[i], header);
    }
    r->headers_marked = count;
}

static bool fetch(const gs_recorder *r, uint32_t pc, gs_insn *insn)
{
    uint32_t word;
    if (gs_memory_fetch(&r->machine->memory, r->machine->isa, pc, &word) != GS_ACCESS_OK)
        return false;
    gs_decode(insn, &r->machine->decoder, word);
    return true;
}

static void doubt(gs_recorder *r, uint32_t from, uint32_t to)
{
    gs_rounds_suspect(r->rounds, from, to);
    mark_headers(r);
}

/* More is known now about where jumps lead. */
static gs_arrival judge_again(gs_recorder *r, gs_arrival before, uint32_t from, uint32_t to)
{
    gs_arrival now = gs_rounds_jump(r->rounds, from, to);
    if (before != now && before != GS_ARRIVAL_UNSURE)
        gs_rounds_spoil(r->rounds, to);
    return now;
}

static uint32_t slot_pc(const gs_recorder *r, const page *p, size_t index)
{
    return (p->number << GS_PAGE_SHIFT) + (uint32_t)(index << r->unit_shift);
}

static void judge_page(gs_recorder *r, const page *p)
{
    for (size_t i = 0; i < slots_of_page(r); i++) {
        slot *s = &p->slots[i];
        uint32_t pc = slot_pc(r, p, i);
        uint64_t target;
        gs_insn insn;
        if (s->arrival == GS_ARRIVAL_UNKNOWN || !fetch(r, pc, &insn))
            continue;
        r->machine->isa->flow(&insn, pc, &target);
        s->arrival = (uint8_t)judge_again(r, (gs_arrival)s->arrival, pc, (uint32_t)target);
    }
}

/* Besides indirect jumps, all that was called or trapped to: code that no symbol names and no
 * direct jump reaches is to have blocks too. */
static gs_status learn(gs_recorder *r, gs_error *err)
{
    size_t node_count = gs_calltree_count(r->calls), count = 0;
    gs_observed_jump *seen = malloc((r->jumps.count + node_count) * sizeof *seen);
    if (!seen)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < r->jumps.count; i++)
        seen[count++] =
            (gs_observed_jump){.from = r->jumps.items[i].from, .to = r->jumps.items[i].to};
    for (size_t i = 0; i < node_count; i++)
        seen[count++] =
            (gs_observed_jump){.from = UINT64_MAX, .to = gs_calltree_node(r->calls, i)->entry};
    gs_status status = gs_rounds_learn(r->rounds, seen, count, err);
    free(seen);
    if (status != GS_OK)
        return status;
    for (size_t i = 0; i < r->jumps.count; i++) {
        gs_jump_profile *jump = &r->jumps.items[i];
        jump->arrival = (uint8_t)judge_again(r, (gs_arrival)jump->arrival, jump->from, jump->to);
    }
    for (size_t i = 0; i < r->all_pages.count; i++)
        judge_page(r, &r->all_pages.items[i]);
    mark_headers(r);
    r->has_to_learn = false;
    return GS_OK;
}

/* Control is about to go where no code was known to be. Looking at the whole program again pays
 * as long as it takes little of the run's time; until it does, arrivals there are unsure. */
static void learn_in_time(gs_recorder *r)
{
    uint64_t allowed = FIRST_EFFORT + (r->instructions >> EFFORT_SHIFT);
    uint64_t effort = gs_rounds_effort(r->rounds);
    if (!r->has_to_learn || r->effort + effort > allowed)
        return;
    r->effort += effort;
    r->no_memory |= learn(r, NULL) != GS_OK;
}

/* What has happened so far was the current function's. */
static void charge_timeline(gs_recorder *r, const gs_metrics *reading)
{
    const gs_function *function = gs_calltree_function(r->calls);
    const gs_image *image = r->machine->image;
    if (r->timeline)
        gs_timeline_charge(r->timeline,
                           function ? (size_t)(function - gs_image_function(image, 0))
                                    : gs_image_function_count(image),
                           reading);
}

static SLOW void end_interval(gs_recorder *r, uint64_t instructions)
{
    gs_metrics reading;
    r->instructions = instructions;
    read_all(r, &reading);
    charge_timeline(r, &reading);
    gs_timeline_advance(r->timeline, r->cycles);
    r->deadline = gs_timeline_next(r->timeline);
}

/* The call stack has become shorter: a jump that a trap had come after may arrive now. */
static void release_arrivals(gs_recorder *r)
{
    while (r->held.count > 0 && r->held.items[r->held.count - 1].depth > r->depth) {
        const held_arrival *last = &r->held.items[--r->held.count];
        if (last->to == r->goal) {
            r->arrives_at = last->to;
            r->arrival = last->arrival;
        }
    }
}

static SLOW void change_path(gs_recorder *r, uint64_t instructions)
{
    gs_metrics reading;
    size_t nodes = gs_calltree_count(r->calls);
    r->instructions = instructions;
    read_all(r, &reading);
    charge_timeline(r, &reading);
    if (r->flow == GS_FLOW_TRAP) {
        /* A system call that does not go on behind itself: to a signal handler, or back. */
        gs_calltree_signal(r->calls, r->from, r->goal, r->return_address, stack_pointer(r->machine),
                           &reading);
    } else {
        gs_calltree_flow(r->calls, r->flow, r->from, r->goal, r->return_address,
                         stack_pointer(r->machine), &reading);
    }
    r->depth = gs_calltree_depth(r->calls);
    gs_rounds_cut(r->rounds, r->depth);
    release_arrivals(r);
    if (nodes != gs_calltree_count(r->calls) && !gs_rounds_knows_code(r->rounds, r->goal)) {
        r->has_to_learn = true;
        learn_in_time(r);
    }
    if (gs_calltree_context(r->calls) != r->context) {
        r->context = gs_calltree_context(r->calls);
        r->page = NOWHERE;
    }
}

static size_t hash_jump(const gs_recorder *r, uint32_t from, uint32_t to)
{
    return ((from >> 1) * 0x9e3779b1u + (to >> 1)) & (r->jump_slots - 1);
}

static bool grow_jumps(gs_recorder *r)
{
    size_t slots = r->jump_slots ? 2 * r->jump_slots : 256;
    uint32_t *wider = calloc(slots, sizeof *wider);
    if (!wider)
        return false;
    free(r->jump_at);
    r->jump_at = wider;
    r->jump_slots = slots;
    for (size_t i = 0; i < r->jumps.count; i++) {
        size_t at = hash_jump(r, r->jumps.items[i].from, r->jumps.items[i].to);
        while (r->jump_at[at])
            at = (at + 1) & (slots - 1);
        r->jump_at[at] = (uint32_t)i + 1;
    }
    return true;
}

static gs_jump_profile *jump_between(gs_recorder *r, uint32_t from, uint32_t to)
{
    if (2 * r->jumps.count >= r->jump_slots && !grow_jumps(r))
        return NULL;
    size_t at = hash_jump(r, from, to);
    for (; r->jump_at[at]; at = (at + 1) & (r->jump_slots - 1)) {
        gs_jump_profile *jump = &r->jumps.items[r->jump_at[at] - 1];
        if (jump->from == from && jump->to == to)
            return jump;
    }
    gs_jump_profile made = {.from = from, .to = to, .arrival = GS_ARRIVAL_UNSURE};
    if (!gs_vec_push(&r->jumps, made))
        return NULL;
    r->jump_at[at] = (uint32_t)r->jumps.count;
    doubt(r, from, to);
    if (!gs_rounds_knows_code(r->rounds, to)) {
        r->has_to_learn = true;
        learn_in_time(r);
    }
    return &r->jumps.items[r->jumps.count - 1];
}

static gs_arrival count_jump(gs_recorder *r, uint32_t from, uint32_t to)
{
    gs_jump_profile *jump = jump_between(r, from, to);
    if (!jump) {
        r->no_memory = true;
        return GS_ARRIVAL_UNSURE;
    }
    jump->count++;
    return (gs_arrival)jump->arrival;
}

static bool is_local(const gs_recorder *r, uint32_t from, uint32_t to)
{
    const gs_image *image = r->machine->image;
    return gs_image_function_at(image, from) == gs_image_function_at(image, to);
}

static void look_at(gs_recorder *r, slot *s, const gs_retired *event)
{
    uint64_t target;
    gs_flow flow = r->machine->isa->flow(event->insn, event->pc, &target);
    s->flow = (uint8_t)(flow + 1);
    if (flow != GS_FLOW_BRANCH && flow != GS_FLOW_JUMP)
        return;
    if (is_local(r, (uint32_t)event->pc, (uint32_t)target))
        s->flow |= LOCAL;
    s->arrival = (uint8_t)gs_rounds_jump(r->rounds, (uint32_t)event->pc, (uint32_t)target);
    if (s->arrival == GS_ARRIVAL_UNSURE)
        doubt(r, (uint32_t)event->pc, (uint32_t)target);
}

static SLOW void note_flow(gs_recorder *r, slot *s, const gs_retired *event)
{
    const gs_isa *isa = r->machine->isa;
    r->instructions = event->number + 1;
    if (!s->flow)
        look_at(r, s, event);
    r->flow = (gs_flow)((s->flow & ~LOCAL) - 1);
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
    case GS_FLOW_JUMP_INDIRECT: r->arrival = count_jump(r, r->from, r->goal); break;
    case GS_FLOW_CALL:
    case GS_FLOW_BRANCH_CALL:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_RETURN_CALL:
    case GS_FLOW_TRAP: r->arrival = GS_ARRIVAL_ENTRY; break;
    default: r->arrives_at = NOWHERE; break; /* a return comes from the code before */
    }
}

static SLOW void arrive(gs_recorder *r, const slot *s, uint32_t pc)
{
    gs_arrival arrival = r->arrives_at == pc ? r->arrival : GS_ARRIVAL_ONWARDS;
    r->arrives_at = NOWHERE;
    gs_rounds_arrive(r->rounds, s->header - 1u, arrival, r->depth);
}

static size_t index_in(const gs_recorder *r, const slot *s)
{
    return (size_t)(s - r->slots);
}

/* All that there was beyond a cycle per execution. */
static gs_metrics odd_cost_of(const gs_recorder *r, const slot *s)
{
    gs_metrics cost = {0};
    if (s->odd == 0)
        return cost;
    const odd_cost *odd = &r->odd.items[s->odd - 1];
    if (odd->rest)
        cost = r->rest.items[odd->rest - 1];
    cost.value[GS_METRIC_CYCLES] += odd->lost;
    cost.value[GS_METRIC_FIRST_STALL + odd->cause] += odd->lost;
    return cost;
}

/* What follows from executions, stalls and the instruction itself: added to `to`, or taken from it.
 */
static void derive(const gs_recorder *r, const slot *s, uint64_t taken, uint32_t raw,
                   gs_metrics *to, bool add)
{
    gs_insn insn;
    gs_metrics odd = odd_cost_of(r, s);
    gs_decode(&insn, &r->machine->decoder, raw);
    bool branch = r->machine->isa->ops[insn.op].timing == GS_CLASS_BRANCH;
    uint64_t energy = gs_energy_of(r->timing->core, r->machine->isa, &insn, s->executions,
                                   &odd.value[GS_METRIC_FIRST_STALL]);
    uint64_t sign = add ? 1 : UINT64_MAX;
    to->value[GS_METRIC_BRANCHES] += sign * (branch ? s->executions : 0);
    to->value[GS_METRIC_TAKEN] += sign * (branch ? taken : 0);
    to->value[GS_METRIC_ENERGY] += sign * energy;
}

/* The program has put another instruction here. In the end all executions are taken for ones of the
 * last instruction, so the difference that makes for those so far is set right now. */
static SLOW void exchange(gs_recorder *r, slot *s, uint32_t raw)
{
    gs_metrics *row = s->executions > 0 && r->timing ? rest_row(r, s) : NULL;
    if (row) {
        derive(r, s, r->taken[index_in(r, s)], s->raw, row, true);
        derive(r, s, r->taken[index_in(r, s)], raw, row, false);
    }
    s->raw = raw;
    s->flow = 0;
}

static inline void follow(gs_recorder *r, slot *s, const gs_retired *event)
{
    if (s->header)
        arrive(r, s, (uint32_t)event->pc);
    if (event->taken) {
        r->taken[index_in(r, s)]++;
        if (__builtin_expect(s->flow & LOCAL, 1)) {
            r->arrives_at = (uint32_t)event->goal;
            r->arrival = (gs_arrival)s->arrival;
        } else {
            note_flow(r, s, event);
        }
    }
    if (__builtin_expect(r->countdown > 0, 0) && --r->countdown == 0)
        change_path(r, event->number + 1);
}

static void on_retired_untimed(void *self, const gs_machine *machine, const gs_retired *event)
{
    gs_recorder *r = self;
    (void)machine;
    slot *s = slot_at(r, (uint32_t)event->pc);
    if (!s)
        return;
    if (__builtin_expect(event->insn->raw != s->raw, 0))
        exchange(r, s, event->insn->raw);
    s->executions++;
    r->last = (uint32_t)event->pc;
    follow(r, s, event);
}

static void on_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    gs_recorder *r = self;
    (void)machine;
    slot *s = slot_at(r, (uint32_t)event->pc);
    if (!s)
        return;
    if (__builtin_expect(event->insn->raw != s->raw, 0))
        exchange(r, s, event->insn->raw);
    s->executions++;
    r->last = (uint32_t)event->pc;
    uint64_t now = r->timing->now, spent = now - r->cycles;
    r->cycles = now;
    if (spent != 1)
        charge_stalls(r, s, spent);
    if (__builtin_expect(count_misses(r->timing) != r->misses, 0))
        charge_misses(r, s);
    follow(r, s, event);
    if (__builtin_expect(now >= r->deadline, 0))
        end_interval(r, event->number + 1);
}

static void on_trapped(void *self, const gs_machine *machine, const gs_trapped *event)
{
    gs_recorder *r = self;
    gs_metrics reading;
    r->countdown = 0;
    r->instructions = machine->hart.instret;
    r->traps++;
    read_all(r, &reading);
    reading.value[GS_METRIC_TRAPS]--; /* it is the handler's */
    charge_timeline(r, &reading);
    gs_calltree_trap(r->calls, (uint32_t)event->pc, (uint32_t)event->handler,
                     stack_pointer(machine), &reading);
    r->depth = gs_calltree_depth(r->calls);
    if (r->arrives_at == event->pc) {
        held_arrival held = {r->depth, r->arrives_at, r->arrival};
        r->no_memory |= !gs_vec_push(&r->held, held);
    }
    r->arrives_at = (uint32_t)event->handler;
    r->arrival = GS_ARRIVAL_ENTRY;
    r->context = gs_calltree_context(r->calls);
    r->page = NOWHERE;
    slot *s = slot_at(r, (uint32_t)event->handler);
    gs_metrics *row = s ? rest_row(r, s) : NULL;
    if (row)
        row->value[GS_METRIC_TRAPS]++;
}

/* In bytes. Code without compressed instructions has half as many places for instructions. */
static unsigned smallest_insn(const gs_machine *machine)
{
    bool compressed = machine->isa->arch != GS_ARCH_RV32 || machine->extensions >> GS_RV_C & 1;
    return compressed ? machine->isa->unit : 4;
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
    r->unit_shift = (unsigned)__builtin_ctz(smallest_insn(machine));
    r->page = r->arrives_at = NOWHERE;
    r->deadline = UINT64_MAX;
    r->observer = (gs_observer){
        .retired = timing ? on_retired : on_retired_untimed, .trapped = on_trapped, .self = r};
    if (timing) {
        r->cycles = timing->now;
        memcpy(r->stalls, timing->stalls, sizeof r->stalls);
    }
    r->pages = calloc(GS_PAGE_COUNT, sizeof *r->pages);
    if (!r->pages) {
        gs_recorder_free(r);
        return gs_fail_no_memory(err);
    }
    gs_status status = gs_calltree_open(&r->calls, machine->image, machine->hart.pc, err);
    if (status == GS_OK)
        status = gs_rounds_open(&r->rounds, machine->image, err);
    if (status != GS_OK) {
        gs_recorder_free(r);
        return status;
    }
    r->depth = gs_calltree_depth(r->calls);
    mark_headers(r);
    *out = r;
    return GS_OK;
}

gs_status gs_recorder_keep_timeline(gs_recorder *r, uint64_t cycles, gs_error *err)
{
    if (!r->timing || cycles == 0)
        return gs_fail(err, GS_E_ARGUMENT, "a timeline needs a core, and intervals of cycles");
    gs_status status =
        gs_timeline_open(&r->timeline, gs_image_function_count(r->machine->image), cycles, err);
    if (status == GS_OK)
        r->deadline = gs_timeline_next(r->timeline);
    return status;
}

void gs_recorder_free(gs_recorder *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->all_pages.count; i++)
        free(r->all_pages.items[i].slots);
    for (size_t i = 0; i < r->contexts.count; i++)
        free(r->contexts.items[i].items);
    free(r->all_pages.items);
    free(r->contexts.items);
    free(r->pages);
    free(r->held.items);
    free(r->jump_at);
    gs_rounds_free(r->rounds);
    gs_timeline_free(r->timeline);
    free(r->context_insns.items);
    free(r->odd.items);
    free(r->rest.items);
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

/* The plain part of the cost, and what there was beyond it. */
static gs_metrics cost_of(const gs_recorder *r, const slot *s, uint64_t taken)
{
    gs_metrics cost = odd_cost_of(r, s);
    cost.value[GS_METRIC_CYCLES] += s->executions;
    cost.value[GS_METRIC_INSTRUCTIONS] += s->executions;
    if (r->timing)
        derive(r, s, taken, s->raw, &cost, true);
    return cost;
}

static int by_pc(const void *a, const void *b)
{
    const gs_insn_profile *x = a, *y = b;
    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    return (x->context > y->context) - (x->context < y->context);
}

static void collect_page(gs_recorder *r, const page *p)
{
    for (size_t i = 0; i < slots_of_page(r); i++) {
        const slot *s = &p->slots[i];
        if (s->executions == 0 && s->odd == 0)
            continue;
        gs_insn_profile row = {
            .pc = slot_pc(r, p, i),
            .context = p->context,
            .executions = s->executions,
            .taken = p->taken[i],
            .cost = cost_of(r, s, p->taken[i]),
        };
        r->no_memory |= !gs_vec_push(&r->context_insns, row);
    }
}

static void collect_insns(gs_recorder *r)
{
    for (size_t i = 0; i < r->all_pages.count; i++)
        collect_page(r, &r->all_pages.items[i]);
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

gs_status gs_recorder_finish(gs_recorder *r, gs_error *err)
{
    if (r->finished)
        return GS_OK;
    r->finished = true;
    r->instructions = r->machine->hart.instret;
    read_all(r, &r->total);
    charge_timeline(r, &r->total);
    if (r->timeline && !gs_timeline_finish(r->timeline))
        r->no_memory = true;
    gs_calltree_finish(r->calls, &r->total);
    gs_status status = learn(r, err);
    gs_rounds_finish(r->rounds);
    if (r->jumps.count > 0)
        qsort(r->jumps.items, r->jumps.count, sizeof *r->jumps.items, by_jump);
    collect_insns(r);
    if (status == GS_OK && (r->no_memory || gs_rounds_out_of_memory(r->rounds)))
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

const gs_rounds *gs_recorder_rounds(const gs_recorder *r)
{
    return r->rounds;
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

uint32_t gs_recorder_last(const gs_recorder *r)
{
    return r->last;
}

const gs_metrics *gs_recorder_total(const gs_recorder *r)
{
    return &r->total;
}
