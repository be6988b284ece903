/*
 * The classic in-order pipeline: fetch, decode, execute, memory, write back.
 *
 * docs/flatfoot.md is the specification; rule numbers below are those of that page.
 * What is said there for flatfoot is the simplest case of what can be described:
 *
 *  - Issue width w: up to w instructions go through each stage together, in order. A
 *    stage is free for k when k-w has left it, and k never overtakes k-1. One of them
 *    at most accesses memory. Width 1 makes this the rules as written.
 *  - A class's latency n: its result can be used n cycles after it has left execute
 *    (0 is forwarded in time); for loads n - 1 cycles after it has left memory. In
 *    flatfoot load and multiply have 1, everything else 0.
 *  - A class's busy n: the next one of that class enters execute at least n cycles later.
 *    Classes that share a unit wait for each other likewise, if none of its copies is free;
 *    one copy takes one instruction in a cycle, so its n is at least 1.
 *  - Delay slots: the redirect of rule 1 goes to the instruction after the slot. A slot that
 *    is dropped (of a branch-likely that is not taken) has been fetched like what follows any
 *    branch: the next instruction's f is D + 1. A fill is not begun for it.
 *  - branch.resolve: a conditional branch redirects from decode instead of execute.
 *  - A predictor: fetch follows a branch target buffer at once, any other prediction
 *    from decode (as jal does). Where the guess was wrong, fetch restarts when the
 *    branch resolves.
 *  - Caches of other kinds: the dirty victim of a write-back cache is written, word
 *    by word, before the fill; a store that allocates fills like a load does.
 *  - No instruction cache: every fetch takes fetch.wait cycles more. No data cache:
 *    every access takes memory.load_wait cycles more. Where a description gives neither
 *    of them, an access costs what a miss of a cache does whose line is as long as the
 *    access (`direct`): a load waits for the write buffer, a store goes through it. Fetches
 *    then have a port of their own.
 */
#include "timing/timing.h"

#include <stdlib.h>
#include <string.h>

#include "timing/serialize.h"
#include "timing/view.h"

enum { MAX_WIDTH = 4, MAX_BUFFER = 64 };

/* The last cycles of one instruction in each stage. */
typedef struct stamps {
    uint64_t fetch, decode, execute, memory;
} stamps;

/* An instruction's way up to M: first and last cycles of its stages, and when it may enter M. */
typedef struct approach {
    uint64_t first, fetch_start, fetch, decode_start, decode, execute_start, execute, enter;
    gs_stall wait_cause;
} approach;

typedef struct classic {
    bool predicts;          /* there is a predictor; without one, fetch goes straight on */
    stamps past[MAX_WIDTH]; /* past[0] is the instruction before, past[w-1] the w-th before */
    uint64_t redirect;      /* fetch of the next instruction begins here, if it is later */
    gs_stall redirect_cause;
    uint64_t slot_redirect; /* the same, for the instruction after the delay slot */
    gs_stall slot_cause;
    bool slot_pending;
    uint64_t last_access;                /* M of the last load or store */
    uint64_t written[MAX_BUFFER];        /* w(n) of rule 6, by store number */
    uint64_t stores;                     /* how many there were */
    uint64_t ready[GS_OPERAND_COUNT];    /* a reader may leave decode in this cycle */
    uint8_t producer[GS_OPERAND_COUNT];  /* the class that made it */
    bool is_held;                        /* the next instruction has asked for the bus: */
    approach held;                       /* its way so far */
    uint64_t class_free[GS_CLASS_COUNT]; /* the earliest cycle to enter execute, */
    uint64_t unit_free[GS_CORE_UNIT_MAX][GS_CORE_UNIT_COPIES_MAX]; /* for a class with a unit */
} classic;

static gs_status open(gs_timing *timing, gs_error *err)
{
    if (timing->core->issue_width > MAX_WIDTH)
        return gs_fail(err, GS_E_ARGUMENT, "core %s: issue_width is at most %d", timing->core->name,
                       MAX_WIDTH);
    if (timing->core->write_buffer > MAX_BUFFER)
        return gs_fail(err, GS_E_ARGUMENT, "core %s: write_buffer is at most %d",
                       timing->core->name, MAX_BUFFER);
    classic *c = calloc(1, sizeof *c);
    if (!c)
        return gs_fail_no_memory(err);
    const gs_predictor_config *predictor = &timing->core->branch.predictor;
    c->predicts = predictor->scheme != GS_PREDICTOR_NOT_TAKEN || predictor->btb_entries ||
                  predictor->stack_depth;
    c->redirect = 1; /* rule 1, reset */
    c->redirect_cause = GS_STALL_STRUCTURAL;
    timing->state = c;
    return GS_OK;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* When what executes a class can take the next instruction: of several copies the first free. */
static uint64_t *unit_of(classic *c, const gs_core *core, unsigned class)
{
    unsigned unit = core->classes[class].unit;
    if (unit == 0)
        return &c->class_free[class];
    uint64_t *copies = c->unit_free[unit - 1], *first = copies;
    for (unsigned i = 1; i < core->units[unit - 1].count; i++) {
        if (copies[i] < *first)
            first = &copies[i];
    }
    return first;
}

static gs_stall unit_stall(unsigned class)
{
    bool muldiv = class == GS_CLASS_MUL || class == GS_CLASS_MULH || class == GS_CLASS_MULT ||
                  class == GS_CLASS_DIV;
    return muldiv ? GS_STALL_MULDIV : GS_STALL_STRUCTURAL;
}

/* B of the rules: when the last buffered store has been written. */
static uint64_t buffer_empty(const classic *c)
{
    return c->stores == 0 ? 0 : c->written[(c->stores - 1) % MAX_BUFFER];
}

/* From the cycle of a request to the cycle the repeated lookup hits. */
static uint64_t line_cycles(const gs_core *core, const gs_cache_config *cache)
{
    return gs_core_access_cycles(core, cache->line_bytes);
}

/* Rule 2 for a fetch that misses, or needs two lines. */
static __attribute__((noinline)) uint64_t fetch_lines(gs_timing *timing, uint32_t pc,
                                                      uint32_t last_byte, uint64_t first)
{
    const classic *c = timing->state;
    const gs_core *core = timing->core;
    uint64_t done = first;
    unsigned lines = gs_cache_lines(&timing->icache, pc, last_byte - pc + 1);
    for (unsigned line = 0; line < lines; line++) {
        if (!gs_cache_access(&timing->icache, line ? last_byte : pc, false).hit) {
            uint64_t request = later(later(done, c->past[0].memory), buffer_empty(c)) + 1;
            done = request + line_cycles(core, &core->icache);
        }
    }
    return done;
}

/* Rule 2: the cycle in which the lookup of the whole instruction has hit. */
static inline uint64_t fetch_done(gs_timing *timing, const gs_timing_step *step, uint64_t first)
{
    gs_cache *cache = &timing->icache;
    if (!timing->core->has_icache)
        return first + timing->core->fetch.wait;
    uint32_t last_byte = step->pc + step->insn->length - 1;
    if (((step->pc ^ last_byte) >> cache->line_shift) == 0 &&
        gs_cache_probe_first(cache, step->pc)) {
        cache->stats.reads++;
        return first;
    }
    return fetch_lines(timing, step->pc, last_byte, first);
}

/* A store through the buffer, rule 6: its last cycle in M. */
static uint64_t buffered_store(classic *c, const gs_core *core, uint64_t enter)
{
    if (core->write_buffer == 0)
        return enter + core->memory.write;
    uint64_t done = enter;
    if (c->stores >= core->write_buffer)
        done = later(done, c->written[(c->stores - core->write_buffer) % MAX_BUFFER] + 1);
    c->written[c->stores % MAX_BUFFER] = later(done, buffer_empty(c)) + core->memory.write;
    c->stores++;
    return done;
}

/* Rules 5 and 6: the last cycle in M of an access that enters it in cycle `enter`. */
static uint64_t access_done(gs_timing *timing, const gs_timing_step *step, uint64_t enter)
{
    classic *c = timing->state;
    const gs_core *core = timing->core;
    if (__builtin_expect(timing->bus.granted, 0))
        return timing->bus.end + 1;
    if (core->memory.direct && !step->store)
        return later(enter, buffer_empty(c)) + 1 + gs_core_access_cycles(core, step->size);
    if (core->memory.direct)
        return buffered_store(c, core, enter);
    if (!core->has_dcache)
        return step->store && core->write_buffer ? buffered_store(c, core, enter)
                                                 : enter + core->memory.load_wait;
    if (step->uncached) {
        uint64_t request = later(enter, buffer_empty(c)) + 1;
        return request +
               (step->load ? core->memory.first + core->memory.uncached + 1 : core->memory.write);
    }
    uint64_t done = enter;
    uint32_t last_byte = step->address + step->size - 1;
    bool two_lines =
        gs_cache_line(&timing->dcache, step->address) != gs_cache_line(&timing->dcache, last_byte);
    for (int part = 0; part <= two_lines; part++) {
        gs_cache_result result =
            gs_cache_access(&timing->dcache, part ? last_byte : step->address, step->store);
        if (result.filled) {
            uint64_t request = later(done, buffer_empty(c)) + 1;
            if (result.writeback)
                request += core->dcache.line_bytes / core->memory.width * core->memory.write;
            done = request + line_cycles(core, &core->dcache);
        }
        if (result.through)
            done = buffered_store(c, core, done);
    }
    return done;
}

/* Where fetch of the next instruction begins when it does not simply go on: rule 1. */
static void set_redirect(classic *c, uint64_t start, gs_stall cause, bool after_slot)
{
    if (after_slot) {
        c->slot_redirect = start;
        c->slot_cause = cause;
        c->slot_pending = true;
    } else if (start > c->redirect) {
        c->redirect = start;
        c->redirect_cause = cause;
    }
}

static __attribute__((noinline)) void follow_flow(gs_timing *timing, const gs_timing_step *step,
                                                  const stamps *now)
{
    classic *c = timing->state;
    const gs_core *core = timing->core;
    const gs_timing_insn *insn = step->insn;
    gs_flow flow = (gs_flow)insn->flow;
    bool drops_slot = insn->drops_slot && !step->taken;
    bool has_slot = timing->machine->isa->delay_slots > 0 && !drops_slot;

    if (flow == GS_FLOW_TRAP_RETURN || insn->class == GS_CLASS_FENCE_I) {
        set_redirect(c, now->execute + 1, GS_STALL_BRANCH, false);
        if (insn->class == GS_CLASS_FENCE_I && core->has_icache)
            gs_cache_invalidate_all(&timing->icache);
        return;
    }
    if (flow == GS_FLOW_NEXT || flow == GS_FLOW_TRAP || flow == GS_FLOW_ILLEGAL)
        return;

    bool conditional = flow == GS_FLOW_BRANCH || flow == GS_FLOW_BRANCH_CALL;
    bool direct = flow == GS_FLOW_JUMP || flow == GS_FLOW_CALL;
    bool in_decode = direct || (conditional && core->branch.resolve == GS_RESOLVE_DECODE);
    uint64_t resolved = (in_decode ? now->decode : now->execute) + 1;
    if (!c->predicts) {
        if (step->taken)
            set_redirect(c, resolved, GS_STALL_BRANCH, has_slot);
        else if (drops_slot)
            set_redirect(c, now->decode + 1, GS_STALL_BRANCH, false);
        return;
    }
    gs_branch branch = gs_timing_branch(timing, step->pc, insn->length, flow, insn->goal);
    gs_guess guess = gs_predictor_guess(&timing->predictor, &branch, step->taken, step->goal);
    if (guess == GS_GUESS_WRONG || guess == GS_GUESS_NONE) {
        if (conditional || guess == GS_GUESS_WRONG)
            timing->branches.mispredicted++;
        set_redirect(c, resolved, conditional ? GS_STALL_MISPREDICT : GS_STALL_BRANCH, has_slot);
    } else if (drops_slot) {
        set_redirect(c, now->decode + 1, GS_STALL_BRANCH, false);
    } else if (step->taken && guess != GS_GUESS_EARLY) {
        uint64_t decoded = now->decode + 1;
        set_redirect(c, decoded < resolved ? decoded : resolved, GS_STALL_BRANCH, has_slot);
    }
}

/* "Who pays": the cycles beyond the first, from the last stage backwards. */
static __attribute__((noinline)) void charge(gs_timing *timing, const gs_timing_step *step,
                                             const approach *way, uint64_t memory,
                                             const stamps *before)
{
    const classic *c = timing->state;
    const gs_timing_bus *bus = &timing->bus;
    const uint64_t waited = bus->granted ? bus->start - bus->request : 0;
    uint64_t left = memory - before->memory - 1;
    const struct {
        uint64_t cycles;
        gs_stall cause;
    } parts[] = {
        {waited, GS_STALL_BUS},
        {memory - (way->execute + 1) - waited, step->store ? GS_STALL_D_WRITE : GS_STALL_D_READ},
        {way->execute - way->execute_start, GS_STALL_MULDIV},
        {way->decode - way->decode_start, way->wait_cause},
        {way->fetch - way->fetch_start, GS_STALL_I_MISS},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        uint64_t cycles = parts[i].cycles < left ? parts[i].cycles : left;
        gs_timing_charge(timing, parts[i].cause, cycles);
        left -= cycles;
    }
    gs_timing_charge(timing, c->redirect_cause, left);
}

/* Rule 3, one source: GS_OPERAND_NONE is always ready. */
static inline void wait_for(const classic *c, unsigned source, uint64_t *decode, gs_stall *cause)
{
    if (__builtin_expect(c->ready[source] > *decode, 0)) {
        *decode = c->ready[source];
        unsigned producer = c->producer[source];
        *cause = producer == GS_CLASS_LOAD || producer == GS_CLASS_FP_LOAD ? GS_STALL_LOAD_USE
                                                                           : GS_STALL_HAZARD;
    }
}

static __attribute__((noinline)) void show(gs_timing *timing, const gs_timing_step *s,
                                           uint64_t first, const stamps *now)
{
    const gs_stage stages[] = {{'F', first, now->fetch},
                               {'D', now->fetch + 1, now->decode},
                               {'X', now->decode + 1, now->execute},
                               {'M', now->execute + 1, now->memory}};
    gs_timing_show(timing, timing->instructions - 1, s->pc, stages, 4);
}

/* Rules 1 to 4: up to the cycle in which the instruction may enter M. */
static inline __attribute__((always_inline)) void come_near(gs_timing *timing,
                                                            const gs_timing_step *s,
                                                            const unsigned width,
                                                            const gs_trap *const trap,
                                                            approach *way)
{
    classic *c = timing->state;
    const gs_core *core = timing->core;
    const gs_timing_insn *insn = s->insn;
    const gs_core_class *class = &core->classes[insn->class];
    const stamps *before = &c->past[0], *wide = &c->past[width - 1];
    uint64_t fetch, decode, execute; /* the last cycles in the stages */

    /* Fetch: rules 1 and 2. */
    uint64_t first = later(wide->fetch + 1, c->redirect);
    if (width > 1)
        first = later(first, before->fetch);
    uint64_t fetch_start = later(first, wide->decode);
    fetch = first;
    if (!trap || trap->kind != GS_TRAP_FETCH_FAULT)
        fetch = fetch_done(timing, s, first);
    fetch = later(fetch, wide->decode);

    /* Decode: rule 3. */
    uint64_t decode_start = later(fetch + 1, wide->execute);
    if (width > 1)
        decode_start = later(decode_start, before->decode);
    gs_stall wait_cause = GS_STALL_HAZARD;
    decode = decode_start;
    wait_for(c, insn->operands.source[0], &decode, &wait_cause);
    wait_for(c, insn->operands.source[1], &decode, &wait_cause);
    wait_for(c, insn->operands.source[2], &decode, &wait_cause);
    uint64_t *unit = class->unit || class->busy ? unit_of(c, core, insn->class) : NULL;
    if (unit && *unit > decode + 1) {
        decode = *unit - 1;
        wait_cause = unit_stall(insn->class);
    }

    /* Execute: rule 4. */
    uint64_t execute_start = later(decode + 1, wide->memory);
    if (width > 1)
        execute_start = later(execute_start, before->execute);
    execute = later(decode + gs_timing_class_cycles(core, s), execute_start);
    if (unit)
        *unit = decode + 1 + (class->busy ? class->busy : 1);

    uint64_t enter = execute + 1;
    if (width > 1)
        enter = later(enter, before->memory);
    if (width > 1 && (s->load || s->store))
        enter = later(enter, c->last_access + 1);
    *way = (approach){first,         fetch_start, fetch, decode_start, decode,
                      execute_start, execute,     enter, wait_cause};
}

/* Compiled once for width 1, where most terms fall together, and once for any; and again for an
 * instruction that traps, where `trap` says why: it goes through the same stages, but its result is
 * not used. */
static inline __attribute__((always_inline)) void advance(gs_timing *timing,
                                                          const gs_timing_step *s,
                                                          const unsigned width,
                                                          const gs_trap *const trap)
{
    classic *c = timing->state;
    const gs_core *core = timing->core;
    const gs_timing_insn *insn = s->insn;
    const gs_core_class *class = &core->classes[insn->class];
    const stamps *before = &c->past[0];
    approach way;

    if (__builtin_expect(c->is_held, 0)) {
        way = c->held;
        c->is_held = false;
    } else {
        come_near(timing, s, width, trap, &way);
    }
    const uint64_t fetch = way.fetch, decode = way.decode, execute = way.execute;

    /* Memory: rules 5 and 6. */
    uint64_t memory = way.enter;
    if (s->load || s->store) {
        memory = access_done(timing, s, way.enter);
        c->last_access = memory;
    }

    bool loads = insn->class == GS_CLASS_LOAD || insn->class == GS_CLASS_FP_LOAD;
    uint64_t ready =
        loads && class->latency ? memory + class->latency - 1 : execute + class->latency;
    for (unsigned i = 0; !trap && i < 2 && insn->operands.target[i] != GS_OPERAND_NONE; i++) {
        c->ready[insn->operands.target[i]] = ready;
        c->producer[insn->operands.target[i]] = insn->class;
    }

    if (memory > before->memory + 1)
        charge(timing, s, &way, memory, before);
    timing->now = memory;
    if (trap)
        return;
    if (__builtin_expect(timing->view != NULL, 0))
        show(timing, s, way.first, &(stamps){fetch, decode, execute, memory});
    c->redirect = 0;
    if (c->slot_pending) {
        c->slot_pending = false;
        c->redirect = c->slot_redirect;
        c->redirect_cause = c->slot_cause;
    }
    if (insn->flow != GS_FLOW_NEXT || insn->class == GS_CLASS_FENCE_I)
        follow_flow(timing, s, &(stamps){fetch, decode, execute, memory});
    for (unsigned i = width - 1; i > 0; i--)
        c->past[i] = c->past[i - 1];
    c->past[0].fetch = fetch; /* one by one: a copy of the whole would wait for its parts */
    c->past[0].decode = decode;
    c->past[0].execute = execute;
    c->past[0].memory = memory;
}

/* Rule 5 or 6 for a device, with others on the bus: when the buffer is empty. */
static uint64_t request(gs_timing *timing, const gs_timing_step *s)
{
    classic *c = timing->state;
    come_near(timing, s, timing->core->issue_width, NULL, &c->held);
    c->is_held = true;
    return later(c->held.enter, buffer_empty(c)) + 1;
}

static void step(gs_timing *timing, const gs_timing_step *s)
{
    if (__builtin_expect(timing->core->issue_width == 1, 1))
        advance(timing, s, 1, NULL);
    else
        advance(timing, s, timing->core->issue_width, NULL);
}

/* Rule 7. */
static void redirect(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    classic *c = timing->state;
    if (kind == GS_REDIRECT_SLEEP && until > timing->now) {
        gs_timing_charge(timing, GS_STALL_IDLE, until - timing->now);
        timing->now = until;
    }
    uint64_t extra = kind == GS_REDIRECT_TRAP ? timing->core->trap_entry : 0;
    stamps drained = {timing->now, timing->now, timing->now, timing->now};
    for (unsigned i = 0; i < MAX_WIDTH; i++)
        c->past[i] = drained;
    c->redirect = timing->now + 1 + extra;
    c->redirect_cause = kind == GS_REDIRECT_SLEEP ? GS_STALL_BRANCH : GS_STALL_TRAP;
    c->slot_pending = false;
}

/* Rule 7: through the pipeline, up to M; of accesses that fault only one that a device refuses is
 * more than a look at the address. The cycle that would be its own goes to the trap. */
static void trapped(gs_timing *timing, const gs_trap *trap)
{
    uint8_t prot = timing->machine->memory.prot[trap->value >> GS_PAGE_SHIFT];
    bool refused = (prot & GS_PROT_DEVICE) && (timing->core->has_dcache || timing->bus.granted);
    gs_timing_step s = {
        .insn = gs_timing_insn_at(timing, trap->pc),
        .pc = trap->pc,
        .load = refused && trap->kind == GS_TRAP_LOAD_FAULT,
        .store = refused && trap->kind == GS_TRAP_STORE_FAULT,
        .uncached = true,
    };
    uint64_t before = timing->now;
    advance(timing, &s, timing->core->issue_width, trap);
    if (timing->now > before) /* not one of several that retire together */
        gs_timing_charge(timing, GS_STALL_TRAP, 1);
    redirect(timing, GS_REDIRECT_TRAP, 0);
}

/*
 * What an instruction did in a stage counts until a later one has passed that stage. A stage may
 * have been left long before the instruction retired, while it waited for memory; what follows then
 * has a head start, which is worth no more than the longest time an instruction takes, or keeps
 * others waiting, on its own, for each of those that may still go in beside it.
 */
static uint64_t reach_of(const gs_timing *timing)
{
    uint64_t longest = 0;
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
        const gs_core_class *class = &timing->core->classes[i];
        uint64_t cycles =
            later(class->cycles + 64u / (class->step ? class->step : 1u), class->special);
        longest = later(longest, cycles + class->latency + class->busy);
    }
    return timing->core->issue_width * (longest + timing->core->fetch.wait + 8);
}

/* The cycles in which the instruction before left its stages matter only if they keep the next one
 * waiting. The others are moved to the latest cycle that makes no difference, so that as many
 * states as possible become equal. For an issue width of 1. */
static void forget_what_is_over(stamps *before, uint64_t *redirect, uint64_t fetch_wait,
                                uint64_t floor)
{
    uint64_t first = later(later(before->fetch, floor) + 1, *redirect);
    if (first + fetch_wait < before->decode)
        first = before->decode - fetch_wait;
    *redirect = 0;
    before->fetch = first - 1;
    if (fetch_wait == 0) /* or else it still tells waiting for fetch from waiting for decode */
        before->decode = first;
    before->execute = later(before->execute, first + 1); /* fetch comes first */
}

/* No instruction leaves decode before this cycle any more; as far as what is deserialized can tell.
 */
static uint64_t decode_from(const stamps *wide, uint64_t floor)
{
    return later(later(wide->fetch, floor) + 2, later(wide->execute, floor));
}

/* All of c->unit_free and c->class_free, in this order. */
enum { FREE_COUNT = GS_CORE_UNIT_MAX * GS_CORE_UNIT_COPIES_MAX + GS_CLASS_COUNT };
static uint64_t *free_at(classic *c, unsigned i)
{
    const unsigned units = GS_CORE_UNIT_MAX * GS_CORE_UNIT_COPIES_MAX;
    return i < units ? &c->unit_free[i / GS_CORE_UNIT_COPIES_MAX][i % GS_CORE_UNIT_COPIES_MAX]
                     : &c->class_free[i - units];
}

static int serialize(const gs_timing *timing, uint32_t pc, uint8_t *to)
{
    (void)pc;
    classic *c = timing->state;
    const gs_core *core = timing->core;
    const unsigned width = core->issue_width;
    if (c->slot_pending)
        return -1;
    gs_serializer f = {.to = to, .now = timing->now, .reach = reach_of(timing)};
    stamps all[MAX_WIDTH];
    uint64_t redirect = c->redirect;
    memcpy(all, c->past, sizeof all);
    const uint64_t floor = f.now > f.reach ? f.now - f.reach : 0;
    if (width == 1)
        forget_what_is_over(all, &redirect, core->has_icache ? 0 : core->fetch.wait, floor);
    for (unsigned i = 0; i < width; i++) {
        const stamps *past = &all[i];
        gs_serialize_cycle(&f, past->fetch);
        gs_serialize_cycle(&f, past->decode);
        gs_serialize_cycle(&f, past->execute);
        if (i > 0)
            gs_serialize_cycle(&f, past->memory);
    }
    gs_serialize_cycle(&f, redirect > all[width - 1].fetch + 1 ? redirect : 0);
    gs_serialize_byte(&f, c->redirect_cause);
    if (width > 1)
        gs_serialize_byte(&f, c->last_access == timing->now);

    /* Nothing enters M before the cycle after now, or before now if there is room beside. */
    gs_serializer ahead = {.to = to, .now = timing->now, .reach = width > 1, .size = f.size};
    for (unsigned i = 1; i <= core->write_buffer; i++)
        gs_serialize_cycle(&ahead, c->stores < i ? 0 : c->written[(c->stores - i) % MAX_BUFFER]);

    ahead.reach = 0;
    ahead.now = decode_from(&all[width - 1], floor);
    for (unsigned i = 1; i < GS_OPERAND_COUNT; i++) {
        if (c->ready[i] > ahead.now) {
            gs_serialize_byte(&ahead, i);
            gs_serialize_byte(&ahead, c->producer[i]);
            gs_serialize_cycle(&ahead, c->ready[i]);
        }
    }
    gs_serialize_byte(&ahead, 0);
    ahead.now++;
    for (unsigned i = 0; i < FREE_COUNT; i++) {
        uint64_t cycle = *free_at(c, i);
        if (cycle > ahead.now) {
            gs_serialize_byte(&ahead, i + 1);
            gs_serialize_cycle(&ahead, cycle);
        }
    }
    gs_serialize_byte(&ahead, 0);
    return ahead.size;
}

static void deserialize(gs_timing *timing, uint32_t pc, const uint8_t *from)
{
    (void)pc;
    classic *c = timing->state;
    const gs_core *core = timing->core;
    const unsigned width = core->issue_width;
    const bool predicts = c->predicts;
    *c = (classic){.predicts = predicts};
    gs_deserializer t = {.from = from, .now = timing->now, .reach = reach_of(timing)};
    for (unsigned i = 0; i < width; i++) {
        stamps *past = &c->past[i];
        past->fetch = gs_deserialize_cycle(&t);
        past->decode = gs_deserialize_cycle(&t);
        past->execute = gs_deserialize_cycle(&t);
        past->memory = i > 0 ? gs_deserialize_cycle(&t) : timing->now;
    }
    c->redirect = gs_deserialize_cycle(&t);
    c->redirect_cause = (gs_stall)gs_deserialize_byte(&t);
    if (width > 1)
        c->last_access = gs_deserialize_byte(&t) ? timing->now : 0;

    t.now = timing->now;
    t.reach = width > 1;
    c->stores = core->write_buffer;
    for (unsigned i = 1; i <= core->write_buffer; i++)
        c->written[(c->stores - i) % MAX_BUFFER] = gs_deserialize_cycle(&t);

    t.reach = 0;
    t.now = decode_from(&c->past[width - 1], 0);
    for (unsigned i; (i = gs_deserialize_byte(&t)) != 0;) {
        c->producer[i] = (uint8_t)gs_deserialize_byte(&t);
        c->ready[i] = gs_deserialize_cycle(&t);
    }
    t.now++;
    for (unsigned i; (i = gs_deserialize_byte(&t)) != 0;)
        *free_at(c, i - 1) = gs_deserialize_cycle(&t);
}

const gs_timing_model gs_timing_classic = {.state_size = sizeof(classic),
                                           .open = open,
                                           .step = step,
                                           .redirect = redirect,
                                           .request = request,
                                           .trap = trapped,
                                           .serialize = serialize,
                                           .same_for_all_goals = true,
                                           .deserialize = deserialize,
                                           .looks_up = true};
