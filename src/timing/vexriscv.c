/*
 * VexRiscv, as LiteX has it: five stages, static prediction, caches that start over.
 *
 * An instruction *arrives* in decode, *issues* when it leaves decode, and is in execute, memory
 * and write-back one, two and three steps later; there it retires. Steps are cycles, but for one
 * thing: a stage that needs time *freezes* all stages behind it, fetch included, and no bubble
 * is squeezed out meanwhile. So times are kept in steps, and freezes beside them say how many
 * cycles each step took. Only what the buses do goes by cycles.
 *
 * The rules were measured on RTL (standard 4K/4K, Wishbone with F = memory.first cycles before
 * the first beat of a burst and S = memory.next before each later one): [m]. What follows from
 * how the stages work, and agrees with all measurements, is marked [d].
 *
 *  1 Arrival: one step after the instruction before issued; after a redirect in step c, c + 2
 *    (one to read the cache, one to compare tags). [d]
 *  2 A missing line is noticed on arrival, frozen or not; P = overhead + words + F +
 *    (words - 1) S cycles later the instruction arrives again, or as soon after that as fetch can
 *    move twice. [m] No other fetch is done meanwhile. [d]
 *  3 Issue waits until all sources can be forwarded: `latency` steps later than right behind the
 *    producer. Shift, divide, csr 1; load, multiply 2. [m]
 *  4 A divide freezes from the memory stage, for `cycles` in all, and counts them also while
 *    frozen itself. [m, the stage d] A csr access
 *    waits in execute until the stages ahead are empty, which takes `cycles` right behind
 *    another instruction [m] and less behind a bubble [d].
 *  5 With btfn, a conditional branch is predicted taken if its offset is negative. Such a one and
 *    jal redirect when they issue (branch.taken, .jump: 1 more). A wrong prediction and jalr
 *    redirect from memory (branch.mispredicted, .jump_reg: 3 more). [m]
 *  6 Until such a redirect, instructions of the wrong path arrive, and issue: if one misses the
 *    cache, its line is filled, and the right path waits for that. [m] If one is held in
 *    decode in the step of the redirect, fetch cannot take the new address: one more. [m]
 *  7 A load that misses restarts from write-back once its line is there: it is in write-back
 *    again P cycles after max(the first time, f of the last store). [m] The instructions behind
 *    it count as a wrong path as in rule 6, so a line they miss is filled at the same time. [m]
 *  8 A load of bytes written by a store that issued one or two steps before restarts, too: it
 *    issues again 5 later. [m]
 *  9 Stores go through without allocating. At most `buffer` wait: store n leaves write-back no
 *    earlier than f(n - buffer) + 1, and freezes until then; f(n) = max(f(n-1), the cycle it
 *    leaves) + 1 + F. [m, the stage d]
 * 10 A load from a device freezes in write-back for memory.uncached + F cycles [m], after the
 *    stores ahead of it.
 * 11 fence.i: the instruction behind it has been fetched already; others arrive only when all
 *    lines have been cleared, one a cycle and FENCE_I.cycles - 1 besides, and miss. [m]
 * 12 After reset the lines are cleared the same way: without misses, the first instruction would
 *    retire in cycle first_retire. [m]
 * 13 A trap redirects from write-back, after trap_entry more cycles; mret is like jalr. Assumed.
 *
 * Of the cycles since the retirement before, the first is the instruction's own; the others
 * are charged from the last stage backwards.
 */
#include "timing/timing.h"

#include <stdlib.h>

#include "timing/serialize.h"
#include "timing/view.h"

enum {
    REFETCH = 2,    /* from a redirect to the arrival */
    TO_EXECUTE = 1, /* from issue to the stages behind decode */
    TO_MEMORY = 2,
    TO_WRITE_BACK = 3,
    MAX_FREEZES = 8, /* more than can be between decode and write-back */
    MAX_BUFFER = 64,
};

/* A step that takes longer. */
typedef struct freeze {
    uint64_t step;
    uint64_t cycles; /* beyond its own */
} freeze;

typedef struct vexriscv {
    uint64_t offset;             /* cycle - step, before the first freeze below */
    freeze freezes[MAX_FREEZES]; /* by step: those of stages that are not over yet */
    unsigned freeze_count;
    uint64_t issue;   /* step of the instruction before */
    uint64_t arrival; /* step of the next one's, if it is later than follows from `issue` */
    gs_stall arrival_cause;
    uint64_t fill_blocks;         /* part of `arrival` that is due to a line of the wrong path */
    uint64_t cleared;             /* fence.i: from this cycle on instructions arrive again, */
    bool clearing;                /* but for the next one */
    uint64_t too_close[2];        /* to each of last_stores: loads that issue up to this step */
    uint64_t written[MAX_BUFFER]; /* f of rule 9 in cycles, by store number */
    uint64_t stores;
    uint64_t ready[GS_OPERAND_COUNT];   /* a reader may issue in this step */
    uint8_t producer[GS_OPERAND_COUNT]; /* the class that made it */
    uint64_t ifill, dfill;              /* P of each cache */
} vexriscv;

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t fill_cycles(const gs_core *core, const gs_cache_config *cache)
{
    uint64_t words =
        cache->line_bytes > core->memory.width ? cache->line_bytes / core->memory.width : 1;
    return core->memory.overhead + words + core->memory.first + (words - 1) * core->memory.next;
}

static gs_status open(gs_timing *timing, gs_error *err)
{
    const gs_core *core = timing->core;
    if (!core->has_icache || !core->has_dcache)
        return gs_fail(err, GS_E_ARGUMENT, "core %s: pipeline vexriscv needs both caches",
                       core->name);
    if (core->write_buffer < 1 || core->write_buffer > MAX_BUFFER)
        return gs_fail(err, GS_E_ARGUMENT, "core %s: memory.buffer has to be 1..%d", core->name,
                       MAX_BUFFER);
    if (core->branch.predictor.scheme > GS_PREDICTOR_BTFN)
        return gs_fail(err, GS_E_ARGUMENT,
                       "core %s: branch.predictor.scheme has to be not-taken, taken or btfn",
                       core->name);
    vexriscv *v = calloc(1, sizeof *v);
    if (!v)
        return gs_fail_no_memory(err);
    v->ifill = fill_cycles(core, &core->icache);
    v->dfill = fill_cycles(core, &core->dcache);
    v->arrival = core->first_retire > TO_WRITE_BACK ? core->first_retire - TO_WRITE_BACK : 1;
    v->arrival_cause = GS_STALL_STRUCTURAL;
    timing->state = v;
    return GS_OK;
}

/* The cycle in which a step ends. */
static uint64_t cycle_of(const vexriscv *v, uint64_t step)
{
    uint64_t cycle = step + v->offset;
    for (unsigned i = 0; i < v->freeze_count && v->freezes[i].step <= step; i++)
        cycle += v->freezes[i].cycles;
    return cycle;
}

/* The cycle in which a step begins. */
static uint64_t start_of(const vexriscv *v, uint64_t step)
{
    return cycle_of(v, step - 1) + 1;
}

/* The first step that ends in `cycle` or later. */
static uint64_t step_of(const vexriscv *v, uint64_t cycle)
{
    uint64_t step = cycle > v->offset ? cycle - v->offset : 0;
    for (unsigned i = 0; i < v->freeze_count && v->freezes[i].step <= step; i++) {
        uint64_t shorter = step > v->freezes[i].cycles ? step - v->freezes[i].cycles : 0;
        step = later(v->freezes[i].step, shorter);
    }
    return step;
}

static void add_freeze(vexriscv *v, uint64_t step, uint64_t cycles)
{
    if (cycles == 0)
        return;
    unsigned i = v->freeze_count++;
    for (; i > 0 && v->freezes[i - 1].step > step; i--)
        v->freezes[i] = v->freezes[i - 1];
    v->freezes[i] = (freeze){step, cycles};
}

/* Nothing will be asked about steps before this one. */
static void pass_freezes(vexriscv *v, uint64_t step)
{
    unsigned passed = 0;
    while (passed < v->freeze_count && v->freezes[passed].step <= step)
        v->offset += v->freezes[passed++].cycles;
    if (passed == 0)
        return;
    v->freeze_count -= passed;
    for (unsigned i = 0; i < v->freeze_count; i++)
        v->freezes[i] = v->freezes[i + passed];
}

/* The step of arrival if fetch may begin REFETCH cycles before `cycle`. */
static uint64_t arrival_of(const vexriscv *v, uint64_t cycle)
{
    return step_of(v, cycle - REFETCH) + REFETCH;
}

static bool predicted_taken(const gs_core *core, const gs_timing_insn *insn)
{
    if (insn->class != GS_CLASS_BRANCH)
        return false;
    gs_predictor_scheme scheme = core->branch.predictor.scheme;
    return scheme == GS_PREDICTOR_TAKEN ||
           (scheme == GS_PREDICTOR_BTFN && (int32_t)(insn->goal - insn->pc) < 0);
}

/* Where fetch goes after an instruction of a wrong path that issues in step `issue`. */
static void take_wrong_path(const gs_core *core, const gs_timing_insn *insn, uint64_t issue,
                            uint32_t *pc, uint64_t *arrival)
{
    bool jumps = predicted_taken(core, insn) || insn->class == GS_CLASS_JUMP;
    *pc = jumps ? insn->goal : *pc + insn->length;
    *arrival = issue + (jumps ? REFETCH : 1);
}

/* Rules 5 and 6: whether an instruction that issues in step `issue` redirects from memory; where
 * fetch is until then, and when its first instruction arrives. */
static bool redirects_late(const gs_core *core, const gs_timing_insn *insn, bool taken,
                           uint64_t issue, uint32_t *wrong_pc, uint64_t *wrong_arrival)
{
    gs_flow flow = (gs_flow)insn->flow;
    if (flow == GS_FLOW_NEXT || flow == GS_FLOW_TRAP || flow == GS_FLOW_ILLEGAL ||
        flow == GS_FLOW_JUMP || flow == GS_FLOW_CALL)
        return false;
    bool guess = flow == GS_FLOW_BRANCH && predicted_taken(core, insn);
    *wrong_pc = guess ? insn->goal : insn->pc + insn->length;
    *wrong_arrival = issue + (guess ? REFETCH : 1);
    return flow != GS_FLOW_BRANCH || guess != taken;
}

/* What instructions do that are in the pipeline but will be thrown away in step `redirect`. */
typedef struct shadow {
    uint64_t line_there; /* a line is being filled: nothing arrives before this cycle */
    bool held;           /* decode could not let go in the step of the redirect */
} shadow;

/* `s` is the instruction that redirects. */
static shadow cast_shadow(gs_timing *timing, const gs_timing_step *s, uint32_t pc, uint64_t arrival,
                          uint64_t redirect)
{
    vexriscv *v = timing->state;
    const gs_core *core = timing->core;
    shadow result = {0};
    uint64_t saved[TO_WRITE_BACK + 1];
    uint8_t target[TO_WRITE_BACK + 1];
    unsigned count = 0;
    while (arrival <= redirect) {
        if (!gs_cache_probe(&timing->icache, pc)) {
            (void)gs_cache_fill(&timing->icache, pc);
            result.line_there = start_of(v, arrival) + v->ifill;
            break;
        }
        const gs_timing_insn *insn = gs_timing_insn_at(timing, pc);
        uint64_t issue = arrival;
        for (unsigned i = 0; i < 3; i++)
            issue = later(issue, v->ready[insn->operands.source[i]]);
        if (issue > redirect) {
            result.held = true;
            break;
        }
        unsigned written = insn->operands.target[0];
        target[count] = (uint8_t)written;
        saved[count++] = v->ready[written];
        if (written != GS_OPERAND_NONE)
            v->ready[written] = issue + 1 + core->classes[insn->class].latency;
        unsigned busy = insn->class == GS_CLASS_CSR ? TO_EXECUTE : TO_MEMORY;
        if (core->classes[insn->class].cycles > 1 && issue + busy <= redirect) {
            result.held = true; /* it freezes what is behind it */
            break;
        }
        take_wrong_path(core, insn, issue, &pc, &arrival);
    }
    while (count-- > 0)
        v->ready[target[count]] = saved[count];
    if (s->insn->pc != s->pc)
        (void)gs_timing_insn_at(timing, s->pc); /* its entry went to one of the wrong path */
    return result;
}

static uint64_t last_written(const vexriscv *v)
{
    return v->stores == 0 ? 0 : v->written[(v->stores - 1) % MAX_BUFFER];
}

/* Charges at most `*left` cycles. */
static void charge(gs_timing *timing, gs_stall cause, uint64_t cycles, uint64_t *left)
{
    if (cycles > *left)
        cycles = *left;
    gs_timing_charge(timing, cause, cycles);
    *left -= cycles;
}

/* Rule 8. */
static bool collides(const gs_timing *timing, const gs_timing_step *s, uint64_t issue)
{
    const vexriscv *v = timing->state;
    for (unsigned i = 0; i < 2; i++) {
        const gs_timing_store *store = &timing->last_stores[i];
        if (v->too_close[i] >= issue && s->address < store->address + store->size &&
            store->address < s->address + s->size)
            return true;
    }
    return false;
}

/* Rules 7, 8 and 10: when the load, which is to issue in step `issue`, leaves decode at last. */
static uint64_t load(gs_timing *timing, const gs_timing_step *s, uint64_t issue, gs_stall *cause)
{
    vexriscv *v = timing->state;
    const gs_core *core = timing->core;
    uint64_t write_back = issue + TO_WRITE_BACK;
    *cause = GS_STALL_D_READ;
    if (s->uncached) {
        uint64_t cycle = cycle_of(v, write_back);
        add_freeze(v, write_back,
                   later(cycle, last_written(v)) - cycle + core->memory.uncached +
                       core->memory.first);
        return issue;
    }
    bool hit = gs_cache_access(&timing->dcache, s->address, false).hit;
    if (hit && !collides(timing, s, issue))
        return issue;

    /* Those behind it wait for its value as if it were there. */
    unsigned target = s->insn->operands.target[0];
    if (target != GS_OPERAND_NONE)
        v->ready[target] = issue + 1 + core->classes[GS_CLASS_LOAD].latency;
    shadow behind = cast_shadow(timing, s, s->pc + s->insn->length, issue + 1, write_back);
    uint64_t again = write_back + REFETCH + behind.held;
    if (!hit) {
        uint64_t there = later(cycle_of(v, write_back), last_written(v)) + v->dfill;
        again = step_of(v, there) - TO_WRITE_BACK;
    } else {
        *cause = GS_STALL_HAZARD;
    }
    return behind.line_there ? later(again, arrival_of(v, behind.line_there)) : again;
}

/* Rule 9. */
static void store(gs_timing *timing, const gs_timing_step *s, uint64_t issue)
{
    vexriscv *v = timing->state;
    const gs_core *core = timing->core;
    if (!s->uncached)
        (void)gs_cache_access(&timing->dcache, s->address, true);
    uint64_t write_back = issue + TO_WRITE_BACK;
    uint64_t cycle = cycle_of(v, write_back), leaves = cycle;
    if (v->stores >= core->write_buffer)
        leaves = later(cycle, v->written[(v->stores - core->write_buffer) % MAX_BUFFER] + 1);
    add_freeze(v, write_back, leaves - cycle);
    v->written[v->stores % MAX_BUFFER] = later(last_written(v), leaves) + 1 + core->memory.first;
    v->stores++;
    v->too_close[1] = v->too_close[0];
    v->too_close[0] = issue + 2;
    timing->last_stores[1] = timing->last_stores[0];
    timing->last_stores[0] = (gs_timing_store){s->address, s->size};
}

/* Rule 4. */
static void execute(gs_timing *timing, const gs_timing_insn *insn, uint64_t issue)
{
    vexriscv *v = timing->state;
    unsigned cycles = timing->core->classes[insn->class].cycles;
    if (cycles == 1 || insn->class == GS_CLASS_FENCE_I)
        return;
    if (insn->class != GS_CLASS_CSR) {
        /* It goes on while the instruction ahead stays in write-back. */
        uint64_t step = issue + TO_MEMORY, frozen = cycle_of(v, step) - start_of(v, step);
        if (cycles - 1 > frozen)
            add_freeze(v, step, cycles - 1 - frozen);
        return;
    }
    if (v->issue + cycles > issue)
        add_freeze(v, issue + TO_EXECUTE, v->issue + cycles - issue);
    /* What is ahead has gone on to the end meanwhile. */
    for (unsigned i = 0; i < GS_OPERAND_COUNT; i++) {
        if (v->ready[i] > issue + 1)
            v->ready[i] = issue + 1;
    }
}

/* Rules 5 and 6: what follows an instruction that issued in step `issue`. */
static void follow_flow(gs_timing *timing, const gs_timing_step *s, uint64_t issue)
{
    vexriscv *v = timing->state;
    const gs_core *core = timing->core;
    const gs_timing_insn *insn = s->insn;
    gs_flow flow = (gs_flow)insn->flow;
    v->arrival = 0;
    v->fill_blocks = 0;
    if (flow == GS_FLOW_NEXT || flow == GS_FLOW_TRAP || flow == GS_FLOW_ILLEGAL)
        return;
    v->arrival_cause = GS_STALL_BRANCH;
    if (flow == GS_FLOW_JUMP || flow == GS_FLOW_CALL) {
        v->arrival = issue + 1 + core->branch.jump;
        return;
    }
    uint32_t wrong_pc;
    uint64_t wrong_arrival;
    if (!redirects_late(core, insn, s->taken, issue, &wrong_pc, &wrong_arrival)) {
        if (s->taken)
            v->arrival = issue + 1 + core->branch.taken;
        return;
    }
    unsigned penalty = core->branch.jump_reg;
    if (flow == GS_FLOW_BRANCH) {
        timing->branches.mispredicted++;
        v->arrival_cause = GS_STALL_MISPREDICT;
        penalty = core->branch.mispredicted;
    }
    shadow wrong = cast_shadow(timing, s, wrong_pc, wrong_arrival, issue + TO_MEMORY);
    /* If the branch has to stay in memory, the wrong path is gone before it leaves. */
    uint64_t resolve = issue + TO_MEMORY;
    if (cycle_of(v, resolve) != start_of(v, resolve))
        wrong.held = false;
    v->arrival = issue + 1 + penalty + wrong.held;
    if (wrong.line_there) {
        uint64_t blocked = arrival_of(v, wrong.line_there);
        if (blocked > v->arrival) {
            v->fill_blocks = blocked - v->arrival;
            v->arrival = blocked;
        }
    }
}

/* Rules 1, 2 and 11: the step from which on the instruction stays in decode. */
static uint64_t arrive(gs_timing *timing, const gs_timing_step *s, uint64_t *missed)
{
    vexriscv *v = timing->state;
    uint64_t arrival = later(v->issue + 1, v->arrival);
    *missed = 0;
    if (v->clearing) {
        v->clearing = false;
        return arrival;
    }
    uint64_t first = arrival;
    if (v->cleared) {
        arrival = later(arrival, step_of(v, v->cleared));
        v->cleared = 0;
    }
    if (!gs_cache_access(&timing->icache, s->pc, false).hit)
        arrival = arrival_of(v, start_of(v, arrival) + v->ifill);
    *missed = arrival - first;
    return arrival;
}

static void step(gs_timing *timing, const gs_timing_step *s)
{
    vexriscv *v = timing->state;
    const gs_core *core = timing->core;
    const gs_timing_insn *insn = s->insn;
    const gs_core_class *class = &core->classes[insn->class];

    bool fetched_before = v->clearing;
    uint64_t missed;
    uint64_t arrival = arrive(timing, s, &missed);

    uint64_t ready = arrival;
    gs_stall wait_cause = GS_STALL_HAZARD;
    for (unsigned i = 0; i < 3; i++) {
        unsigned source = insn->operands.source[i];
        if (v->ready[source] > ready) {
            ready = v->ready[source];
            wait_cause = v->producer[source] == GS_CLASS_LOAD ? GS_STALL_LOAD_USE : GS_STALL_HAZARD;
        }
    }
    uint64_t issue = ready;
    gs_stall access_cause = GS_STALL_D_WRITE;
    if (s->load)
        issue = load(timing, s, issue, &access_cause);
    if (v->freeze_count > 0)
        pass_freezes(v, issue);
    uint64_t unhindered = cycle_of(v, issue + TO_WRITE_BACK);
    if (s->store)
        store(timing, s, issue);
    if (class->cycles > 1)
        execute(timing, insn, issue);

    uint64_t retired = v->freeze_count > 0 ? cycle_of(v, issue + TO_WRITE_BACK) : unhindered;
    uint64_t left = retired - timing->now - 1;
    if (left > 0) {
        gs_stall frozen_cause = s->store                      ? GS_STALL_D_WRITE
                                : insn->class == GS_CLASS_CSR ? GS_STALL_STRUCTURAL
                                                              : GS_STALL_MULDIV;
        charge(timing, frozen_cause, retired - unhindered, &left);
        if (s->uncached && s->load)
            charge(timing, GS_STALL_D_READ, left, &left);
        charge(timing, access_cause, issue - ready, &left);
        charge(timing, wait_cause, ready - arrival, &left);
        charge(timing, GS_STALL_I_MISS, missed + v->fill_blocks, &left);
        gs_timing_charge(timing, v->arrival_cause, left);
    }

    unsigned target = insn->operands.target[0];
    if (target != GS_OPERAND_NONE) {
        v->ready[target] = issue + 1 + class->latency;
        v->producer[target] = insn->class;
    }
    if (__builtin_expect(timing->view != NULL, 0)) {
        /* Stages behind execute are one here: what freezes them shows as the length of their stay.
         */
        uint64_t decoded = unhindered - TO_WRITE_BACK;
        const gs_stage stages[] = {{'D', decoded - (issue - arrival), decoded},
                                   {'X', decoded + 1, retired}};
        gs_timing_show(timing, timing->instructions - 1, s->pc, stages, 2);
    }
    v->issue = issue;
    timing->now = retired;
    follow_flow(timing, s, issue);
    if (insn->class == GS_CLASS_FENCE_I && !fetched_before) {
        gs_cache_invalidate_all(&timing->icache);
        uint64_t lines = core->icache.size_bytes / core->icache.line_bytes;
        v->cleared = cycle_of(v, issue + 2) + lines + class->cycles - 1;
        v->clearing = true;
    }
}

static void redirect(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    vexriscv *v = timing->state;
    if (kind == GS_REDIRECT_SLEEP && until > timing->now) {
        gs_timing_charge(timing, GS_STALL_IDLE, until - timing->now);
        timing->now = until;
    }
    if (timing->instructions == 0)
        return; /* nothing has gone before: as after reset */
    /* Everything is out of the pipeline: what is next comes after the last retirement. */
    pass_freezes(v, UINT64_MAX);
    v->offset = timing->now - (v->issue + TO_WRITE_BACK);
    unsigned entry = kind == GS_REDIRECT_SLEEP ? 0 : timing->core->trap_entry;
    v->arrival = v->issue + TO_WRITE_BACK + REFETCH + entry;
    v->arrival_cause = kind == GS_REDIRECT_SLEEP ? GS_STALL_STRUCTURAL : GS_STALL_TRAP;
    v->fill_blocks = 0;
    v->clearing = false;
}

/* The wrong path that fetch takes at most, where nothing holds it up. */
static unsigned wrong_path(gs_timing *timing, uint32_t pc, bool loads, bool taken, uint32_t *to)
{
    const gs_core *core = timing->core;
    const gs_timing_insn *insn = gs_timing_insn_at(timing, pc);
    uint64_t arrival = 1, end = TO_MEMORY;
    if (loads) {
        end = TO_WRITE_BACK;
        pc += insn->length;
    } else if (!redirects_late(core, insn, taken, 0, &pc, &arrival)) {
        return 0;
    }
    unsigned count = 0;
    while (arrival <= end) {
        to[count++] = pc;
        take_wrong_path(core, gs_timing_insn_at(timing, pc), arrival, &pc, &arrival);
    }
    return count;
}

/*
 * Steps are written relative to the one in which the last instruction issued. The next one arrives
 * a step later at the earliest, and retires a cycle from now: what is over by then is over for
 * good.
 */
static int serialize(const gs_timing *timing, uint32_t pc, uint8_t *to)
{
    (void)pc;
    const vexriscv *v = timing->state;
    if (timing->instructions == 0 || v->clearing || v->cleared)
        return -1;
    gs_serializer f = {.to = to, .now = v->issue};
    for (unsigned i = 0; i < v->freeze_count; i++) {
        if (v->freezes[i].step > v->issue) {
            gs_serialize_byte(&f, (unsigned)(v->freezes[i].step - v->issue));
            gs_serialize_cycle(&f, v->issue + v->freezes[i].cycles);
        }
    }
    gs_serialize_byte(&f, 0);
    bool late = v->arrival > v->issue + 1;
    gs_serialize_cycle(&f, late ? v->arrival : 0);
    gs_serialize_byte(&f, late ? v->arrival_cause : 0);
    gs_serialize_cycle(&f, v->issue + (late ? v->fill_blocks : 0));
    for (unsigned i = 0; i < 2; i++)
        gs_serialize_cycle(&f, v->too_close[i]);
    for (unsigned i = 1; i < GS_OPERAND_COUNT; i++) {
        if (v->ready[i] > v->issue + 1) {
            gs_serialize_byte(&f, i);
            gs_serialize_byte(&f, v->producer[i]);
            gs_serialize_cycle(&f, v->ready[i]);
        }
    }
    gs_serialize_byte(&f, 0);
    f.now = timing->now;
    for (unsigned i = 1; i <= timing->core->write_buffer; i++)
        gs_serialize_cycle(&f, v->stores < i ? 0 : v->written[(v->stores - i) % MAX_BUFFER]);
    return f.size;
}

static void deserialize(gs_timing *timing, uint32_t pc, const uint8_t *from)
{
    (void)pc;
    vexriscv *v = timing->state;
    *v = (vexriscv){.ifill = v->ifill, .dfill = v->dfill};
    gs_deserializer t = {.from = from};
    uint64_t frozen = 0; /* up to the retirement that was now */
    for (unsigned after; (after = gs_deserialize_byte(&t)) != 0;) {
        uint64_t cycles = gs_deserialize_cycle(&t);
        v->freezes[v->freeze_count++] = (freeze){after, cycles};
        frozen += after <= TO_WRITE_BACK ? cycles : 0;
    }
    /* Steps are counted so that `offset` is 0. */
    v->issue = timing->now - TO_WRITE_BACK - frozen;
    for (unsigned i = 0; i < v->freeze_count; i++)
        v->freezes[i].step += v->issue;
    t.now = v->issue;
    v->arrival = gs_deserialize_cycle(&t);
    v->arrival_cause = (gs_stall)gs_deserialize_byte(&t);
    v->fill_blocks = gs_deserialize_cycle(&t) - v->issue;
    for (unsigned i = 0; i < 2; i++)
        v->too_close[i] = gs_deserialize_cycle(&t);
    for (unsigned i; (i = gs_deserialize_byte(&t)) != 0;) {
        v->producer[i] = (uint8_t)gs_deserialize_byte(&t);
        v->ready[i] = gs_deserialize_cycle(&t);
    }
    t.now = timing->now;
    v->stores = timing->core->write_buffer;
    for (unsigned i = 1; i <= timing->core->write_buffer; i++)
        v->written[(v->stores - i) % MAX_BUFFER] = gs_deserialize_cycle(&t);
}

const gs_timing_model gs_timing_vexriscv = {.state_size = sizeof(vexriscv),
                                            .open = open,
                                            .step = step,
                                            .redirect = redirect,
                                            .serialize = serialize,
                                            .deserialize = deserialize,
                                            .looks_up = true,
                                            .looks_at_code = true,
                                            .minds_stores = true,
                                            .wrong_path = wrong_path};
