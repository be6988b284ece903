/* Cuts guest code into superblocks: finds the heads, then makes a superblock of each. */
#include "engine/fast/superblock/superblock.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "isa/rv/rv.h"

/* Flags of a place where an instruction may begin. */
enum { SEEN = 1, HEAD = 2, LOOP = 4, ENTRY = 8, STOP = 16 };

typedef struct finder {
    const gs_machine *machine;
    const gs_isa *isa;
    gs_timing *timing;   /* or NULL, with */
    const gs_core *core; /* or NULL, with */
    bool icache, dcache, ahead;
    gs_addr low, high;
    gs_addr code_align; /* bits a jump's goal must not have */
    uint8_t *places;    /* one per isa->unit in [low, high) */
    struct {
        gs_addr *items;
        size_t count, capacity;
    } queue;
    bool failed; /* no memory is mapped */
} finder;

/* An instruction that can be translated, and where it may lead. */
typedef struct decoded {
    gs_insn insn;
    gs_flow flow;
    gs_addr goal; /* where the instruction states it */
} decoded;

static bool inside(const finder *f, gs_addr pc)
{
    return pc >= f->low && pc < f->high && (pc - f->low) % f->isa->unit == 0;
}

static uint8_t *place(finder *f, gs_addr pc)
{
    return &f->places[(pc - f->low) / f->isa->unit];
}

static bool says_goal(gs_flow flow)
{
    return flow == GS_FLOW_BRANCH || flow == GS_FLOW_JUMP || flow == GS_FLOW_CALL ||
           flow == GS_FLOW_BRANCH_CALL;
}

/* A jump that overwrites its own operand: if its delay slot traps, the jump is executed again, and
 * would go elsewhere. */
static bool overwrites_operand(const finder *f, const decoded *d)
{
    return f->isa->delay_slots && d->flow != GS_FLOW_NEXT && d->insn.rd == d->insn.rs1 &&
           gs_op_may(f->isa, d->insn.op, GS_EFFECT_LINKS);
}

static bool drops_slot(const finder *f, const gs_insn *insn)
{
    return gs_op_may(f->isa, insn->op, GS_EFFECT_DROPS_SLOT);
}

static bool decode(const finder *f, gs_addr pc, decoded *d)
{
    uint32_t word;
    if (!inside(f, pc) || gs_memory_fetch(&f->machine->memory, f->isa, pc, &word) != GS_ACCESS_OK)
        return false;
    gs_decode(&d->insn, &f->machine->decoder, word);
    if (gs_op_may(f->isa, d->insn.op, GS_EFFECT_SYSTEM))
        return false;
    uint64_t goal = 0;
    d->flow = f->isa->flow(&d->insn, pc, &goal);
    d->goal = (gs_addr)goal;
    const unsigned class = f->isa->ops[d->insn.op].timing;
    const bool branches = class == GS_CLASS_BRANCH || class == GS_CLASS_JUMP;
    if (branches && d->flow == GS_FLOW_NEXT)
        return false; /* bal .+8, which is there to load $31 */
    if (d->flow >= GS_FLOW_TRAP || overwrites_operand(f, d))
        return false;
    if (drops_slot(f, &d->insn) && f->ahead)
        return false; /* the slot has been fetched, and then it is not executed */
    if (class == GS_CLASS_ATOMIC && f->timing &&
        (f->timing->model->minds_stores || f->timing->model->minds_atomics))
        return false; /* its cost depends on two accesses, or on whether there is an access */
    if (f->dcache && gs_op_access_bytes(f->isa, d->insn.op) > f->core->dcache.line_bytes)
        return false; /* it crosses from one line into the next */
    return !says_goal(d->flow) || (d->goal & f->code_align) == 0;
}

/* Whether the branch at `pc` has a delay slot that can be translated with it. */
static bool decode_slot(finder *f, gs_addr pc, decoded *slot)
{
    return decode(f, pc + 4, slot) && slot->flow == GS_FLOW_NEXT && !(*place(f, pc + 4) & LOOP);
}

static void add_head(finder *f, gs_addr pc)
{
    if (!inside(f, pc) || (*place(f, pc) & STOP))
        return;
    uint8_t *at = place(f, pc);
    bool known = *at & HEAD;
    *at |= HEAD;
    if (!known && !gs_vec_push(&f->queue, pc))
        f->failed = true;
}

/* Control can come in from outside here. The fewer such places there are, the more of a
 * function's shape the compiler sees. Every loop has one, so control is not outside for long. */
static void add_entry(finder *f, gs_addr pc)
{
    if (inside(f, pc))
        *place(f, pc) |= ENTRY;
}

static bool is_branch(gs_flow flow)
{
    return flow == GS_FLOW_BRANCH || flow == GS_FLOW_BRANCH_CALL;
}

static bool is_call(gs_flow flow)
{
    return flow == GS_FLOW_CALL || flow == GS_FLOW_CALL_INDIRECT || flow == GS_FLOW_BRANCH_CALL ||
           flow == GS_FLOW_RETURN_CALL;
}

/* Follows the code from a head on, and marks further heads. */
static void walk(finder *f, gs_addr pc)
{
    for (;;) {
        decoded d, slot;
        if (!inside(f, pc) || (*place(f, pc) & (SEEN | STOP)))
            return;
        *place(f, pc) |= SEEN;
        bool jumps = false;
        gs_addr next = pc + (gs_addr)f->isa->unit;
        if (decode(f, pc, &d)) {
            next = pc + d.insn.length;
            jumps = d.flow != GS_FLOW_NEXT;
            if (jumps && f->isa->delay_slots) {
                if (!decode_slot(f, pc, &slot))
                    d.flow = GS_FLOW_NEXT; /* the reference engine executes both, and may resume
                                              behind them */
                next = pc + 8;
            }
        } else {
            uint32_t word;
            if (gs_memory_fetch(&f->machine->memory, f->isa, pc, &word) != GS_ACCESS_OK)
                return;
            gs_decode(&d.insn, &f->machine->decoder, word);
            next = pc + d.insn.length;
            add_head(f, next);
            add_entry(f, next);
            return;
        }
        if (!jumps) {
            pc = next;
            continue;
        }
        if (says_goal(d.flow) && !is_call(d.flow))
            add_head(f, d.goal);
        if (is_call(d.flow) || d.flow == GS_FLOW_NEXT)
            add_head(f, next);
        if (d.flow == GS_FLOW_NEXT)
            add_entry(f, next);
        if (says_goal(d.flow) && d.goal <= pc)
            add_entry(f, d.goal);
        if (!is_branch(d.flow))
            return;
        pc = next;
    }
}

typedef struct maker {
    finder *f;
    gs_superblock *s;
    unsigned key_bits;
    gs_step steps[GS_SUPERBLOCK_STEPS + 2];
    gs_sb_exit exits[GS_SUPERBLOCK_EXITS];
    gs_site sites[GS_SUPERBLOCK_SITES];
    gs_wrong_path wrong_path[GS_SUPERBLOCK_SITES];
    gs_addr line; /* the I-cache line looked up last; or GS_CACHE_NO_LINE */
    unsigned accesses, lines, class_cycles;
} maker;

/* Room for a step is checked before an instruction is taken in, so these need not check. */
static int8_t add_site(maker *m, gs_site_kind kind, unsigned step, unsigned owner, unsigned bits,
                       gs_addr address)
{
    gs_superblock *s = m->s;
    m->sites[s->site_count] = (gs_site){.kind = (uint8_t)kind,
                                        .step = (uint8_t)step,
                                        .owner = (uint8_t)owner,
                                        .shift = (uint8_t)m->key_bits,
                                        .bits = (uint8_t)bits,
                                        .address = address};
    m->key_bits += bits;
    return (int8_t)s->site_count++;
}

static gs_addr line_of(const maker *m, gs_addr address)
{
    return address / m->f->core->icache.line_bytes;
}

/* A site for the line of `address`, unless it is the one looked up last. */
static int8_t look_up(maker *m, unsigned step, unsigned owner, gs_addr address)
{
    gs_addr line = line_of(m, address);
    if (line == m->line)
        return -1;
    m->line = line;
    m->lines++;
    return add_site(m, GS_SITE_FETCH, step, owner, 2, address);
}

/* Where wrong-path fetch can lead from the instruction at `pc`. False if no memory is mapped at
 * one of these places: the translation would have to be dropped once there is. */
static bool find_wrong_path(const finder *f, gs_addr pc, bool loads, bool taken,
                            gs_wrong_path *wrong_path)
{
    *wrong_path = (gs_wrong_path){0};
    if (!f->timing || !f->timing->model->wrong_path)
        return true;
    wrong_path->count = f->timing->model->wrong_path(f->timing, pc, loads, taken, wrong_path->pc);
    for (unsigned i = 0; i < wrong_path->count; i++) {
        if (gs_memory_fetch(&f->machine->memory, f->isa, wrong_path->pc[i], &wrong_path->raw[i]) !=
            GS_ACCESS_OK)
            return false;
    }
    return true;
}

static bool is_load(const finder *f, const gs_insn *insn)
{
    return gs_op_may(f->isa, insn->op, GS_EFFECT_LOADS);
}

/* Whether everything that can be fetched together with an instruction is mapped. */
static bool wrong_path_is_known(const finder *f, gs_addr pc, const gs_insn *insn)
{
    gs_wrong_path wrong_path;
    return find_wrong_path(f, pc, is_load(f, insn), false, &wrong_path) &&
           find_wrong_path(f, pc, is_load(f, insn), true, &wrong_path);
}

/* The site for wrong-path fetch from step `number`; -1 if it can only reach lines that are
 * present. */
static int8_t add_wrong_path(maker *m, unsigned number, bool taken)
{
    const gs_step *step = &m->steps[number];
    gs_wrong_path *wrong_path = &m->wrong_path[m->s->wrong_path_count];
    (void)find_wrong_path(m->f, step->pc, is_load(m->f, &step->insn), taken, wrong_path);
    bool away = false;
    for (unsigned i = 0; i < wrong_path->count; i++) {
        gs_addr line = line_of(m, wrong_path->pc[i]), own = line_of(m, step->pc);
        away |= line != own;
        if (line != own && ((line ^ own) & m->f->timing->icache.set_mask) == 0)
            m->line = GS_CACHE_NO_LINE; /* it may have displaced the line that comes next */
    }
    if (!away)
        return -1;
    m->lines++;
    return add_site(m, GS_SITE_WRONG_PATH, number, number, 2, m->s->wrong_path_count++);
}

static bool stores(const maker *m, unsigned step)
{
    return gs_op_may(m->f->isa, m->steps[step].insn.op, GS_EFFECT_STORES);
}

/* Which of the last two stores can be among the two instructions before the load `number`, as
 * bits. */
static unsigned stores_before(const maker *m, unsigned number)
{
    if (number == 0)
        return 3;
    if (number == 1)
        return stores(m, 0) ? 3 : 1;
    return (stores(m, number - 1) || stores(m, number - 2)) +
           2u * (stores(m, number - 1) && stores(m, number - 2));
}

static unsigned operand_bits(const maker *m, const gs_step *step)
{
    const gs_core *core = m->f->core;
    if (!core)
        return 0;
    const gs_core_class *class = &core->classes[m->f->isa->ops[step->insn.op].timing];
    switch (class->operand) {
    case GS_OPERAND_RULE_NONE: return 0;
    case GS_OPERAND_RULE_SHIFT_STEPS: {
        gs_operands operands = m->f->isa->operands(&step->insn);
        unsigned amount = m->f->isa->arch == GS_ARCH_MIPS32 ? 0 : 1; /* which source register it
                                                                        is */
        return operands.source[amount] != GS_OPERAND_NONE ? 5 : 0;
    }
    case GS_OPERAND_RULE_EARLY_OUT: return 6;
    case GS_OPERAND_RULE_DIVISOR_ZERO: return 1;
    case GS_OPERAND_RULE_NEGATIVE_DIVIDEND: return gs_timing_is_signed_division(step->insn.raw);
    }
    return 0;
}

/* A store that costs the same whether it hits or misses; see gs_cache_result. */
static bool goes_through(const finder *f, const gs_insn *insn)
{
    const gs_cache *cache = &f->timing->dcache;
    return !is_load(f, insn) && !cache->write_back && !cache->write_allocate;
}

/* Adds an instruction to the superblock. */
static void add_step(maker *m, gs_addr pc, const gs_insn *insn)
{
    finder *f = m->f;
    unsigned number = m->s->step_count++;
    gs_step *step = &m->steps[number];
    *step = (gs_step){.pc = pc,
                      .insn = *insn,
                      .access = (uint8_t)gs_op_access_bytes(f->isa, insn->op),
                      .fetch = -1,
                      .second = -1,
                      .data = -1,
                      .pass = -1,
                      .operand = -1,
                      .overlap = -1,
                      .wrong_path = -1,
                      .guess = -1};
    if (f->icache) {
        /* Ahead: a line is looked up in the step before, and the first one before the superblock.
         */
        unsigned when = f->ahead ? number - 1 : number;
        if (!f->ahead || number > 0)
            step->fetch = look_up(m, when, number, pc);
        gs_addr last = pc + insn->length - 1;
        if (line_of(m, last) != line_of(m, pc))
            step->second = look_up(m, when, number, last & ~(f->core->icache.line_bytes - 1));
    }
    unsigned class = f->isa->ops[insn->op].timing;
    if (step->access) {
        m->accesses++;
        if (f->dcache && goes_through(f, insn))
            step->pass = (int8_t)m->s->pass_count++;
        else if (f->dcache)
            step->data =
                add_site(m, is_load(f, insn) ? GS_SITE_LOAD : GS_SITE_STORE, number, number, 2, 0);
    }
    unsigned bits = operand_bits(m, step);
    if (bits > 0)
        step->operand = add_site(m, GS_SITE_OPERAND, number, number, bits, 0);
    const bool loads = is_load(f, insn);
    if (loads && f->timing && f->timing->model->minds_stores) {
        unsigned near = stores_before(m, number);
        if (near)
            step->overlap = add_site(m, GS_SITE_OVERLAP, number, number, 2, near);
    }
    if (loads && f->icache)
        step->wrong_path = add_wrong_path(m, number, false);
    if (f->core)
        m->class_cycles += f->core->classes[class].cycles + (bits > 0 ? 64u : 0u);
}

static void add_exit(maker *m, gs_sb_exit_kind kind, int taken, gs_addr goal, gs_addr back)
{
    finder *f = m->f;
    gs_sb_exit *exit = &m->exits[m->s->exit_count++];
    *exit = (gs_sb_exit){.kind = (uint8_t)kind,
                         .steps = m->s->step_count,
                         .taken = (int8_t)taken,
                         .fetch = -1,
                         .wrong_path = -1,
                         .goal = goal,
                         .back = back};
    if (!f->icache || !f->ahead || m->s->step_count == 0)
        return;
    gs_addr line = m->line;
    unsigned last = m->s->step_count - 1u;
    if (kind == GS_SB_EXIT_INDIRECT || kind == GS_SB_EXIT_CALL_INDIRECT)
        exit->fetch = add_site(m, GS_SITE_FETCH, last, last, 2, 0);
    else
        exit->fetch = look_up(m, last, last, goal);
    m->line = line; /* if the jump is not taken, its target has not been looked up */
}

/* Whether one more instruction, its slot and its exits fit. */
static bool has_room(const maker *m)
{
    const gs_superblock *s = m->s;
    return s->step_count + 2 <= GS_SUPERBLOCK_STEPS && s->exit_count + 3 <= GS_SUPERBLOCK_EXITS &&
           s->site_count + 10 <= GS_SUPERBLOCK_SITES && m->key_bits + 24 <= 64;
}

static gs_sb_exit_kind kind_of(gs_flow flow)
{
    switch (flow) {
    case GS_FLOW_CALL:
    case GS_FLOW_BRANCH_CALL: return GS_SB_EXIT_CALL;
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_RETURN_CALL: return GS_SB_EXIT_CALL_INDIRECT;
    case GS_FLOW_JUMP_INDIRECT:
    case GS_FLOW_RETURN: return GS_SB_EXIT_INDIRECT;
    default: return GS_SB_EXIT_ONWARD;
    }
}

/* Adds a jump and its delay slot. True if the superblock continues behind them. */
static bool add_jump(maker *m, gs_addr pc, const decoded *d, gs_addr *next)
{
    finder *f = m->f;
    int taken = m->s->step_count;
    const bool drops = drops_slot(f, &d->insn);
    add_step(m, pc, &d->insn);
    *next = pc + d->insn.length;
    if (f->isa->delay_slots) {
        decoded slot;
        (void)decode_slot(f, pc, &slot);
        *next = pc + 8;
        if (drops) { /* the other exit ends before the slot */
            add_exit(m, GS_SB_EXIT_ONWARD, -1, *next, 0);
            add_head(f, *next);
        }
        add_step(m, pc + 4, &slot.insn);
    }
    if (f->timing && gs_predictor_learns(&f->timing->predictor) &&
        gs_predictor_minds(&f->timing->predictor, d->flow))
        m->steps[taken].guess = add_site(m, GS_SITE_GUESS, (unsigned)taken, (unsigned)taken, 2,
                                         gs_predictor_at_best(&f->timing->predictor, d->flow));
    gs_sb_exit *exit = &m->exits[m->s->exit_count];
    add_exit(m, kind_of(d->flow), taken, d->goal, *next);
    exit->flow = (uint8_t)d->flow;
    if (f->icache) {
        gs_addr line = m->line;
        exit->wrong_path = add_wrong_path(m, (unsigned)taken, true);
        m->line = line; /* if it is not taken, there was no wrong-path fetch */
        if (is_branch(d->flow))
            m->steps[taken].wrong_path = add_wrong_path(m, (unsigned)taken, false);
    }
    return is_branch(d->flow) && !drops;
}

/* The superblock that begins at the head `pc`. */
static void make(maker *m, gs_addr pc)
{
    finder *f = m->f;
    gs_superblock *s = m->s;
    *s = (gs_superblock){.pc = pc};
    m->key_bits = m->accesses = m->lines = m->class_cycles = 0;
    m->line = f->icache && f->ahead ? line_of(m, pc) : GS_CACHE_NO_LINE;
    for (;;) {
        decoded d, slot;
        if (!decode(f, pc, &d) || !wrong_path_is_known(f, pc, &d.insn) ||
            (d.flow != GS_FLOW_NEXT && f->isa->delay_slots && !decode_slot(f, pc, &slot))) {
            if (s->step_count > 0)
                add_exit(m, GS_SB_EXIT_STOP, -1, pc, 0);
            break;
        }
        if (s->step_count > 0 && (!has_room(m) || (*place(f, pc) & (HEAD | LOOP | STOP)))) {
            add_head(f, pc);
            add_exit(m, GS_SB_EXIT_ONWARD, -1, pc, 0);
            break;
        }
        if (d.flow == GS_FLOW_NEXT) {
            add_step(m, pc, &d.insn);
            pc += d.insn.length;
        } else if (!add_jump(m, pc, &d, &pc)) {
            break;
        }
        if (!inside(f, pc)) {
            add_exit(m, GS_SB_EXIT_ONWARD, -1, pc, 0);
            break;
        }
    }
    s->end = pc;
    if (f->core)
        s->worst = gs_timing_worst(f->core, s->step_count, m->class_cycles, m->accesses, m->lines);
}

static void *keep(gs_arena *arena, const void *items, size_t size)
{
    void *copy = gs_arena_alloc(arena, size ? size : 1);
    return copy && size ? memcpy(copy, items, size) : copy;
}

static int by_pc(const void *a, const void *b)
{
    gs_addr x = ((const gs_superblock *)a)->pc, y = ((const gs_superblock *)b)->pc;
    return (x > y) - (x < y);
}

static bool note_lines(gs_arena *arena, gs_superblock *s)
{
    uint8_t lines[GS_SUPERBLOCK_SITES];
    for (unsigned i = 0; i < s->step_count; i++) {
        const int sites[] = {s->steps[i].fetch, s->steps[i].second};
        for (unsigned k = 0; k < 2; k++) {
            if (sites[k] >= 0 && gs_superblock_looks_up_first(s, &s->sites[sites[k]]))
                lines[s->line_count++] = (uint8_t)sites[k];
        }
    }
    s->lines = keep(arena, lines, s->line_count);
    return s->lines != NULL;
}

static bool make_all(finder *f, gs_code *code, gs_arena *arena)
{
    struct {
        gs_superblock *items;
        size_t count, capacity;
    } found = {0};
    maker *m = calloc(1, sizeof *m);
    bool ok = m != NULL;
    for (size_t i = 0; ok && i < f->queue.count; i++) { /* making superblocks may find further
                                                           heads */
        gs_superblock s;
        m->f = f;
        m->s = &s;
        make(m, f->queue.items[i]);
        if (s.step_count == 0)
            continue;
        s.entry = *place(f, s.pc) & ENTRY;
        s.steps = keep(arena, m->steps, s.step_count * sizeof *m->steps);
        s.exits = keep(arena, m->exits, s.exit_count * sizeof *m->exits);
        s.sites = keep(arena, m->sites, s.site_count * sizeof *m->sites);
        s.wrong_path = keep(arena, m->wrong_path, s.wrong_path_count * sizeof *m->wrong_path);
        ok = s.steps && s.exits && s.sites && note_lines(arena, &s) && s.wrong_path && !f->failed &&
             gs_vec_push(&found, s);
    }
    free(m);
    if (ok && found.count > 0)
        qsort(found.items, found.count, sizeof *found.items, by_pc);
    code->count = found.count;
    code->room = found.count + 4;
    code->superblocks =
        ok ? gs_arena_alloc(arena, (found.count + code->room) * sizeof *found.items) : NULL;
    if (code->superblocks && found.count > 0)
        memcpy(code->superblocks, found.items, found.count * sizeof *found.items);
    free(found.items);
    return code->superblocks != NULL;
}

static void mark(finder *f, const gs_addr *where, size_t count, uint8_t flag)
{
    for (size_t i = 0; i < count; i++) {
        if (inside(f, where[i]))
            *place(f, where[i]) |= flag;
    }
}

static void number_loops(const gs_code *code, const gs_code_plan *plan)
{
    for (size_t i = 0; i < plan->loop_count; i++) {
        gs_superblock *s = gs_code_at(code, plan->loops[i]);
        if (s)
            s->loop = (uint32_t)i + 1;
    }
}

gs_addr gs_code_align(const gs_machine *machine)
{
    return machine->isa->arch == GS_ARCH_RV32 && (machine->extensions >> GS_RV_C & 1) ? 1 : 3;
}

bool gs_code_find(gs_code *code, gs_arena *arena, const gs_machine *machine, gs_timing *timing,
                  const gs_code_plan *plan)
{
    const gs_isa *isa = machine->isa;
    const gs_addr low = plan->low, high = plan->high;
    finder f = {
        .machine = machine,
        .isa = isa,
        .timing = timing,
        .core = timing ? timing->core : NULL,
        .low = low,
        .high = high,
        .code_align = gs_code_align(machine),
        .places = calloc((high - low) / isa->unit + 1, 1),
    };
    if (timing && timing->model->looks_up) {
        f.icache = timing->core->has_icache;
        f.dcache = timing->core->has_dcache;
        f.ahead = timing->model->fetches_ahead;
    }
    *code = (gs_code){.low = low, .high = high};
    bool ok = f.places != NULL;
    if (ok) {
        mark(&f, plan->loops, plan->loop_count, LOOP);
        mark(&f, plan->stops, plan->stop_count, STOP);
    }
    for (size_t i = 0; ok && i < plan->seed_count; i++) {
        add_head(&f, plan->seeds[i]);
        add_entry(&f, plan->seeds[i]);
    }
    for (size_t i = 0; ok && i < f.queue.count; i++) {
        if (!(*place(&f, f.queue.items[i]) & SEEN))
            walk(&f, f.queue.items[i]);
        ok = !f.failed;
    }
    ok = ok && make_all(&f, code, arena);
    if (ok)
        number_loops(code, plan);
    free(f.places);
    free(f.queue.items);
    return ok;
}

gs_superblock *gs_code_at(const gs_code *code, gs_addr pc)
{
    size_t low = 0, high = code->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code->superblocks[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->count && code->superblocks[low].pc == pc ? &code->superblocks[low] : NULL;
}

/* Whether `pc` is a step of the code, other than the first of a superblock that knows it. */
static bool has_inside(const gs_code *code, gs_addr pc, uint32_t loop)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_superblock *s = &code->superblocks[i];
        if (pc < s->pc || pc >= s->end || (pc == s->pc && s->loop == loop))
            continue;
        for (unsigned k = 0; k < s->step_count; k++) {
            if (s->steps[k].pc == pc)
                return true;
        }
    }
    return false;
}

bool gs_code_knows_loops(const gs_code *code, const gs_addr *loops, size_t loop_count)
{
    for (size_t i = 0; i < loop_count; i++) {
        if (loops[i] >= code->low && loops[i] < code->high &&
            has_inside(code, loops[i], (uint32_t)i + 1))
            return false;
    }
    return true;
}

bool gs_superblock_lines_collide(const gs_superblock *s, const gs_cache *icache)
{
    for (unsigned i = 0; i < s->site_count; i++) {
        for (unsigned k = 0; k < i; k++) {
            const gs_site *a = &s->sites[i], *b = &s->sites[k];
            const gs_addr differ =
                gs_cache_line(icache, a->address) ^ gs_cache_line(icache, b->address);
            if (a->kind == GS_SITE_FETCH && b->kind == GS_SITE_FETCH && differ &&
                !(differ & icache->set_mask))
                return true;
        }
    }
    return false;
}
