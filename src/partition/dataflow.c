/*
 * Places the operations of a region in states.
 *
 * In program order, each as soon as its operands, the ports of memory and the units that are shared
 * allow. A value is where it was made: a state, and nanoseconds into it. Registers and slots of the
 * stack are names of values; only accesses to memory, and what cannot be moved, have an order
 * besides.
 */
#include "partition/dataflow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { SLOTS = 64, UNITS = 8, ITERATIONS = 9, NO_ROOT = -1, FIXED_ROOT = -2, ENTRY_ROOT = -100 };

typedef struct moment {
    uint32_t state;
    double ns;
} moment;

typedef struct value {
    moment at;
    bool constant;
    bool bit;   /* a condition: nothing has to be compared with zero any more */
    bool carry; /* of a sum, or a borrow: for the adder of the next word */
    bool sum;   /* of values with these roots */
    int64_t addends[2];
    int64_t root; /* it is `offset` from this */
    uint32_t offset;
    uint32_t number; /* from 1, of those that take a register if they are kept; 0: none */
} value;

typedef struct memory_access {
    uint32_t state;
    bool stores;
    unsigned bytes;
    int64_t root;
    uint32_t offset;
} memory_access;

typedef struct placement {
    const gs_hw_code *code;
    const gs_hls *hls;
    gs_hw_plan *plan;
    value registers[GS_OPERAND_COUNT];
    value slots[SLOTS];
    int32_t slot_of[SLOTS]; /* offset + 1; 0: nothing known */
    uint32_t free_at[GS_HLS_KIND_COUNT][UNITS];
    moment floor;     /* nothing starts before this, */
    uint32_t decided; /* and no store before this state */
    uint32_t branch;  /* the state that has decided the last branch */
    uint32_t length;  /* states until all is done */
    int64_t next_root;
    bool unlimited; /* ports and shared units are not looked at */
    struct {
        uint8_t *items;
        size_t count, capacity;
    } ports; /* accesses by state */
    struct {
        memory_access *items;
        size_t count, capacity;
    } accesses;
    struct {
        bool *items;
        size_t count, capacity;
    } kept; /* by number of value */
} placement;

static moment later(moment a, moment b)
{
    return a.state != b.state ? (a.state > b.state ? a : b) : (a.ns > b.ns ? a : b);
}

/* -- values ----------------------------------------------------------------------------------- */

static value constant_value(uint32_t offset)
{
    return (value){.constant = true, .root = FIXED_ROOT, .offset = offset};
}

static value *source(placement *p, const gs_hw_insn *at, unsigned index)
{
    return &p->registers[at->operands.source[index]];
}

/* When all sources are there; a source of another state has to be kept until then. */
static moment ready(placement *p, const gs_hw_insn *at)
{
    moment when = p->floor;
    for (unsigned i = 0; i < 3; i++) {
        if (at->operands.source[i] != GS_OPERAND_NONE)
            when = later(when, source(p, at, i)->at);
    }
    return when;
}

static void keep_sources(placement *p, const gs_hw_insn *at, uint32_t state)
{
    for (unsigned i = 0; i < 3; i++) {
        const value *v = source(p, at, i);
        if (at->operands.source[i] != GS_OPERAND_NONE && v->number && v->at.state < state)
            p->kept.items[v->number - 1] = true;
    }
}

static bool all_constant(placement *p, const gs_hw_insn *at)
{
    for (unsigned i = 0; i < 3; i++) {
        if (at->operands.source[i] != GS_OPERAND_NONE && !source(p, at, i)->constant)
            return false;
    }
    return true;
}

static bool number_value(placement *p, value *v)
{
    if (!gs_vec_push(&p->kept, false))
        return false;
    v->number = (uint32_t)p->kept.count;
    return true;
}

static void set_targets(placement *p, const gs_hw_insn *at, const value *v)
{
    for (unsigned i = 0; i < 2; i++) {
        if (at->operands.target[i] != GS_OPERAND_NONE)
            p->registers[at->operands.target[i]] = *v;
    }
}

/* What an instruction makes of an address or constant: a constant stays one, and a constant added
 * keeps the root. */
static value follow(placement *p, const gs_hw_insn *at, moment when)
{
    value made = {.at = when, .root = p->next_root++};
    const bool adds = at->kind == GS_HLS_ADD && !at->subtracts;
    const unsigned first = at->operands.source[0] ? 0 : at->operands.source[1] ? 1 : 2;
    const value *from = source(p, at, first);
    made.constant = all_constant(p, at);
    if (at->operands.source[first] == GS_OPERAND_NONE) {
        made = constant_value((uint32_t)at->insn.imm);
    } else if (at->immediate && adds) {
        made.root = from->root;
        made.offset = from->offset + (uint32_t)at->insn.imm;
    }
    made.bit = at->role == GS_HW_WIRES && from->bit;
    return made;
}

/* -- places ----------------------------------------------------------------------------------- */

static bool has_port(placement *p, uint32_t state)
{
    if (p->unlimited)
        return true;
    return state >= p->ports.count || p->ports.items[state] < p->hls->ports;
}

static bool take_port(placement *p, uint32_t state)
{
    while (p->ports.count <= state) {
        if (!gs_vec_push(&p->ports, 0))
            return false;
    }
    p->ports.items[state]++;
    return true;
}

/* The unit that is free first, of those that are shared. */
static uint32_t *free_unit(placement *p, gs_hls_kind kind)
{
    const unsigned units = p->hls->operators[kind].units;
    uint32_t *best = &p->free_at[kind][0];
    if (units == 0 || p->unlimited)
        return NULL;
    for (unsigned i = 1; i < units && i < UNITS; i++) {
        if (p->free_at[kind][i] < *best)
            best = &p->free_at[kind][i];
    }
    return best;
}

/* Where an operation starts that could at `when`, as far as its own delay matters. */
static moment fit(const placement *p, moment when, double ns)
{
    const bool fits = when.ns + ns <= p->hls->clock_ns || when.ns == 0;
    return fits ? when : (moment){when.state + 1, 0};
}

/* When the result is there. */
static moment result(const placement *p, moment start, const gs_hls_operator *op)
{
    if (op->cycles > 0)
        return (moment){start.state + op->cycles, 0};
    const double end = start.ns + op->ns;
    const double periods = end > p->hls->clock_ns ? ceil(end / p->hls->clock_ns) - 1 : 0;
    return (moment){start.state + (uint32_t)periods, end - periods * p->hls->clock_ns};
}

/* The region takes until the last result has been made; one that is there at a clock edge needs no
 * state of its own. */
static void lengthen(placement *p, moment end)
{
    const uint32_t length = end.state + (end.ns > 0);
    p->length = length > p->length ? length : p->length;
}

/* "sltu carry, sum, addend": the adder has it. */
static bool is_carry_out(placement *p, const gs_hw_insn *at)
{
    const value *sum = source(p, at, 0), *addend = source(p, at, 1);
    return at->carries && sum->sum &&
           (addend->root == sum->addends[0] || addend->root == sum->addends[1]);
}

/* "add high, high, carry" or "sub high, high, borrow": one adder with the sum before it. */
static bool is_carry_in(placement *p, const gs_hw_insn *at)
{
    if (at->kind != GS_HLS_ADD || at->immediate)
        return false;
    return source(p, at, 1)->carry || (!at->subtracts && source(p, at, 0)->carry);
}

/* Sums of more than a word are one adder, however many instructions they are. */
static bool extend_adder(placement *p, const gs_hw_insn *at)
{
    moment end = ready(p, at);
    if (!at->carries) {
        end = fit(p, end, p->hls->operators[GS_HLS_LOGIC].ns);
        end.ns += p->hls->operators[GS_HLS_LOGIC].ns;
    }
    value made = follow(p, at, end);
    made.bit = made.carry = at->carries;
    keep_sources(p, at, end.state);
    lengthen(p, end);
    if (at->operands.target[0] != GS_OPERAND_NONE && !number_value(p, &made))
        return false;
    set_targets(p, at, &made);
    return true;
}

static bool compute(placement *p, const gs_hw_insn *at)
{
    const gs_hls_kind kind = (gs_hls_kind)at->kind;
    const gs_hls_operator *op = &p->hls->operators[kind];
    if (is_carry_out(p, at) || is_carry_in(p, at))
        return extend_adder(p, at);
    moment start = fit(p, ready(p, at), op->ns);
    uint32_t *unit = free_unit(p, kind);
    if (unit) {
        if (*unit > start.state)
            start = (moment){*unit, 0};
        *unit = start.state + op->interval;
    }
    const moment end = result(p, start, op);
    keep_sources(p, at, start.state);
    lengthen(p, end);
    p->plan->uses[kind]++;
    value made = follow(p, at, end);
    made.bit = kind == GS_HLS_COMPARE;
    made.carry = at->carries;
    if (kind == GS_HLS_ADD && !at->immediate && !at->subtracts) {
        made.sum = true;
        made.addends[0] = source(p, at, 0)->root;
        made.addends[1] = source(p, at, 1)->root;
    }
    if (at->operands.target[0] != GS_OPERAND_NONE && !number_value(p, &made))
        return false;
    set_targets(p, at, &made);
    return true;
}

/* A branch that asks for a condition that is there already, or for a constant, compares nothing. */
static bool branch(placement *p, const gs_hw_insn *at)
{
    bool known = all_constant(p, at);
    for (unsigned i = 0; i < 3; i++)
        known |= at->immediate && at->operands.source[i] && source(p, at, i)->bit;
    if (!known && !compute(p, at))
        return false;
    p->branch = ready(p, at).state;
    p->length = p->length > p->branch ? p->length : p->branch + 1;
    return true;
}

/* -- memory ----------------------------------------------------------------------------------- */

static bool overlap(const memory_access *a, const memory_access *b)
{
    const uint32_t ahead = b->offset - a->offset;
    return ahead < a->bytes || 0u - ahead < b->bytes;
}

static bool conflict(const placement *p, const memory_access *a, const memory_access *b)
{
    if (!a->stores && !b->stores)
        return false;
    if (a->root == b->root)
        return overlap(a, b);
    return !p->hls->apart;
}

static bool reach_memory(placement *p, const gs_hw_insn *at)
{
    const bool stores = at->role == GS_HW_STORE;
    const gs_hls_operator *op = &p->hls->operators[stores ? GS_HLS_STORE : GS_HLS_LOAD];
    const value *base = &p->registers[at->insn.rs1];
    moment start = ready(p, at);
    /* An offset is an adder, unless it is added to a constant or to the stack pointer. */
    const bool adds = at->insn.imm != 0 && !base->constant &&
                      at->insn.rs1 != gs_hw_stack_pointer(p->code->isa->arch);
    if (adds) {
        start = result(p, fit(p, start, p->hls->operators[GS_HLS_ADD].ns),
                       &p->hls->operators[GS_HLS_ADD]);
        p->plan->uses[GS_HLS_ADD]++;
    }
    start = fit(p, start, op->ns);
    memory_access now = {.stores = stores,
                         .bytes = at->bytes ? at->bytes : 4,
                         .root = base->root,
                         .offset = base->offset + (uint32_t)at->insn.imm};
    for (size_t i = 0; i < p->accesses.count; i++) {
        const memory_access *before = &p->accesses.items[i];
        const uint32_t least = before->state + before->stores;
        if (conflict(p, before, &now) && start.state < least)
            start = (moment){least, 0};
    }
    if (stores && start.state < p->decided)
        start = (moment){p->decided, 0};
    while (!has_port(p, start.state))
        start = (moment){start.state + 1, 0};
    now.state = start.state;
    keep_sources(p, at, start.state);
    const moment end = result(p, start, op);
    lengthen(p, end);
    p->plan->uses[stores ? GS_HLS_STORE : GS_HLS_LOAD]++;
    p->plan->loads += !stores;
    p->plan->stores += stores;
    value made = {.at = end, .root = p->next_root++};
    if (!stores && !number_value(p, &made))
        return false;
    set_targets(p, at, &made);
    return take_port(p, start.state) && gs_vec_push(&p->accesses, now);
}

/* -- what costs nothing ----------------------------------------------------------------------- */

static void spill(placement *p, const gs_hw_insn *at)
{
    const unsigned slot = (unsigned)at->insn.imm / 4 % SLOTS;
    p->slots[slot] = p->registers[at->operands.source[1]];
    p->slot_of[slot] = at->insn.imm + 1;
}

static void reload(placement *p, const gs_hw_insn *at)
{
    const unsigned slot = (unsigned)at->insn.imm / 4 % SLOTS;
    value made = {.root = p->next_root++};
    if (p->slot_of[slot] == at->insn.imm + 1)
        made = p->slots[slot];
    set_targets(p, at, &made);
}

static bool is_transfer(gs_flow flow)
{
    return flow != GS_FLOW_NEXT && flow != GS_FLOW_JUMP && flow != GS_FLOW_JUMP_INDIRECT;
}

static bool place(placement *p, const gs_hw_insn *at)
{
    switch ((gs_hw_role)at->role) {
    case GS_HW_LOAD:
    case GS_HW_STORE: return reach_memory(p, at);
    case GS_HW_SPILL: spill(p, at); return true;
    case GS_HW_RELOAD: reload(p, at); return true;
    case GS_HW_BARRIER: p->floor = (moment){++p->length, 0}; return true;
    case GS_HW_COMPUTE:
        if (at->flow == GS_FLOW_BRANCH || at->flow == GS_FLOW_BRANCH_CALL)
            return branch(p, at);
        if (!all_constant(p, at))
            return compute(p, at);
        break;
    case GS_HW_WIRES: break;
    }
    if (is_transfer(at->flow)) /* a call, a return: a state of its own, if there is nothing else */
        p->length += p->length == 0;
    const value made = follow(p, at, ready(p, at));
    set_targets(p, at, &made);
    return true;
}

/* -- regions ---------------------------------------------------------------------------------- */

/* What a skipped block has changed is selected by the branch's condition. */
static void select_values(placement *p, const value *before, moment decided)
{
    const double ns = p->hls->operators[GS_HLS_LOGIC].ns;
    for (unsigned r = 1; r < GS_OPERAND_COUNT; r++) {
        value *v = &p->registers[r];
        if (v->root == before[r].root && v->offset == before[r].offset &&
            v->constant == before[r].constant)
            continue;
        const moment start = fit(p, later(later(v->at, before[r].at), decided), ns);
        v->at = (moment){start.state, start.ns + ns};
        v->constant = false;
        v->root = p->next_root++;
        p->plan->uses[GS_HLS_LOGIC]++;
        lengthen(p, v->at);
    }
}

static bool place_block(placement *p, uint32_t block)
{
    for (uint32_t i = p->code->first_insn[block]; i < p->code->last_insn[block]; i++) {
        if (!place(p, &p->code->insns[i]))
            return false;
    }
    return true;
}

static bool place_region(placement *p, const gs_hw_region *region)
{
    value *before = malloc(sizeof p->registers);
    bool done = before != NULL;
    for (uint32_t i = 0; i < region->count && done; i++) {
        const gs_hw_part *part = &p->code->order[region->first + i];
        if (!part->speculative) {
            done = place_block(p, part->block);
            continue;
        }
        const uint32_t length = p->length;
        moment decided = {length ? length - 1 : 0, 0};
        memcpy(before, p->registers, sizeof p->registers);
        done = place_block(p, part->block);
        select_values(p, before, decided);
    }
    free(before);
    return done;
}

static void begin(placement *p, const gs_hw_code *code, const gs_hls *hls, gs_hw_plan *plan)
{
    *p = (placement){.code = code, .hls = hls, .plan = plan};
    for (unsigned r = 1; r < GS_OPERAND_COUNT; r++)
        p->registers[r].root = ENTRY_ROOT - (int64_t)r;
    p->registers[GS_OPERAND_NONE] = constant_value(0);
}

static void end(placement *p)
{
    free(p->ports.items);
    free(p->accesses.items);
    free(p->kept.items);
}

/* Values that outlast their state, or the region. */
static uint32_t count_kept(placement *p)
{
    uint32_t count = 0;
    for (unsigned r = 1; r < GS_OPERAND_COUNT; r++) {
        if (p->registers[r].number)
            p->kept.items[p->registers[r].number - 1] = true;
    }
    for (size_t i = 0; i < p->kept.count; i++)
        count += p->kept.items[i];
    return count;
}

/* -- pipelined loops -------------------------------------------------------------------------- */

static uint32_t largest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* No interval is shorter than ports and shared units allow, */
static uint32_t limit_of_units(const gs_hw_plan *plan, const gs_hls *hls)
{
    uint32_t limit = (plan->loads + plan->stores + hls->ports - 1) / hls->ports;
    for (unsigned i = 0; i < GS_HLS_KIND_COUNT; i++) {
        const gs_hls_operator *op = &hls->operators[i];
        if (op->units && plan->uses[i])
            limit = largest(limit, (plan->uses[i] * op->interval + op->units - 1) / op->units);
    }
    return largest(limit, 1);
}

/* The last moment at which anything is made that a next iteration could use. */
static uint32_t last_of_values(const placement *p)
{
    uint32_t last = p->decided;
    for (unsigned r = 1; r < GS_OPERAND_COUNT; r++)
        last = largest(last, p->registers[r].at.state);
    return last;
}

/* nor than values that iterations hand on: that is what several iterations take one after the
 * other, if nothing else holds them up. */
static bool limit_of_values(uint32_t *limit, const gs_hw_code *code, const gs_hls *hls,
                            const gs_hw_region *region)
{
    gs_hw_plan unused = {0};
    placement p;
    uint32_t first = 0;
    bool done = true;
    begin(&p, code, hls, &unused);
    p.unlimited = true;
    for (unsigned i = 0; i < ITERATIONS && done; i++) {
        p.length = 0;
        done = place_region(&p, region);
        p.decided = p.branch; /* whether there is another iteration */
        if (i == 0)
            first = last_of_values(&p);
    }
    const uint32_t last = last_of_values(&p);
    *limit = last > first ? (last - first + ITERATIONS - 2) / (ITERATIONS - 1) : 0;
    end(&p);
    return done;
}

bool gs_hw_plan_region(gs_hw_plan *plan, const gs_hw_code *code, const gs_hls *hls,
                       const gs_hw_region *region)
{
    placement p;
    *plan = (gs_hw_plan){0};
    begin(&p, code, hls, plan);
    bool done = place_region(&p, region);
    plan->states = p.length;
    plan->values = done ? count_kept(&p) : 0;
    end(&p);
    if (done && region->loops && hls->pipelines) {
        done = limit_of_values(&plan->interval, code, hls, region);
        plan->interval = largest(plan->interval, limit_of_units(plan, hls));
        if (plan->interval >= plan->states)
            plan->interval = 0;
    }
    return done;
}
