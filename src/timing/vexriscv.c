/*
 * VexRiscv, as LiteX has it: five stages, static prediction, caches that start over.
 *
 * An instruction *arrives* in decode, *issues* when it leaves decode, and is in execute, memory
 * and write-back one, two and three cycles later, where it retires. Later stages never wait for
 * each other; a unit that needs time holds execute, and everything behind it.
 * The rules were measured on RTL (standard 4K/4K, Wishbone with F = memory.first cycles before
 * the first beat of a burst and S = memory.next before each later one); [m] marks those, [d]
 * what follows from how the stages work and agrees with all measurements:
 *
 *  1 Arrival: one cycle after the instruction before issued; after a redirect in cycle c, c + 2
 *    (one cycle to read the cache, one to compare tags). [d]
 *  2 A missing line is noticed on arrival in cycle a; the instruction arrives again at a + P,
 *    P = overhead + words + F + (words - 1) S. [m] No other fetch is done meanwhile. [d]
 *  3 Issue waits until execute is free and until all sources can be forwarded: `latency` cycles
 *    after the producer has left execute. Shift, divide, csr 1; load, multiply 2. [m]
 *  4 A class's `cycles` are spent in execute. For csr they are counted from when the
 *    instruction before was there: it waits for the pipeline ahead to drain. [m; the second d]
 *  5 With btfn, a conditional branch is predicted taken if its offset is negative. Such a one and
 *    jal redirect when they issue (branch.taken and .jump cycles in all: 1 more). A wrong
 *    prediction and jalr redirect from memory (branch.mispredicted, .jump_reg: 3 more). [m]
 *  6 Until such a redirect, instructions of the wrong path arrive, and issue: if one misses the
 *    cache, its line is filled, and the right path waits for that. [m] If one is held in
 *    decode in the cycle of the redirect, that costs one more. [m for data hazards]
 *  7 A load that misses restarts from write-back once its line is there: it issues again P
 *    cycles after max(its issue, f of the last store). [m] The instructions behind it count
 *    as a wrong path as in rule 6, so a line they miss is filled at the same time. [d]
 *  8 A load of bytes written by a store that issued one or two cycles before restarts, too: it
 *    issues again 5 cycles later. [m]
 *  9 Stores go through without allocating. At most `buffer` wait: store n issues no earlier
 *    than f(n - buffer) + 1, with f(n) = max(f(n-1), issue) + 1 + F. [m]
 * 10 A load from a device holds the pipeline for memory.uncached + F cycles more [m], after the
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

enum {
    REFETCH = 2,       /* from a redirect to the arrival */
    TO_MEMORY = 2,     /* from issue to the memory stage */
    TO_WRITE_BACK = 3, /* from issue to write-back */
    MAX_BUFFER = 64,
};

/* A store that a load may be too close to. */
typedef struct recent_store {
    uint64_t issue;
    uint32_t address;
    uint32_t size;
} recent_store;

typedef struct vexriscv {
    uint64_t issue;   /* of the instruction before, */
    uint64_t execute; /* and its last cycle in execute, less one: when the next can issue, less 1 */
    uint64_t arrival; /* of the next instruction, if it is later than follows from `issue` */
    gs_stall arrival_cause;
    uint64_t fill_blocks; /* part of `arrival` that is due to a line of the wrong path */
    uint64_t cleared;     /* fence.i: from here on instructions arrive again, */
    bool clearing;        /* but for the next one */
    recent_store recent[2];
    uint64_t written[MAX_BUFFER]; /* f of rule 9, by store number */
    uint64_t stores;
    uint64_t ready[GS_OPERAND_COUNT];   /* a reader may issue in this cycle */
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

static bool predicted_taken(const gs_core *core, const gs_timing_insn *insn)
{
    if (insn->class != GS_CLASS_BRANCH)
        return false;
    gs_predictor_scheme scheme = core->branch.predictor.scheme;
    return scheme == GS_PREDICTOR_TAKEN ||
           (scheme == GS_PREDICTOR_BTFN && (int32_t)(insn->goal - insn->pc) < 0);
}

/* What instructions do that are in the pipeline but will be thrown away in cycle `redirect`. */
typedef struct shadow {
    uint64_t fetch_from; /* a line is being filled: nothing arrives before */
    bool held;           /* decode could not let go in the cycle of the redirect */
} shadow;

static shadow cast_shadow(gs_timing *timing, uint32_t pc, uint64_t arrival, uint64_t redirect)
{
    vexriscv *v = timing->state;
    const gs_core *core = timing->core;
    shadow result = {0};
    uint64_t free = arrival; /* execute takes an instruction */
    uint64_t saved[TO_WRITE_BACK + 1];
    uint8_t target[TO_WRITE_BACK + 1];
    unsigned count = 0;
    while (arrival <= redirect) {
        if (!gs_cache_probe(&timing->icache, pc)) {
            (void)gs_cache_fill(&timing->icache, pc);
            result.fetch_from = arrival + v->ifill;
            break;
        }
        const gs_timing_insn *insn = gs_timing_insn_at(timing, pc);
        uint64_t issue = later(arrival, free);
        for (unsigned i = 0; i < 3; i++)
            issue = later(issue, v->ready[insn->operands.source[i]]);
        if (issue > redirect) {
            result.held = true;
            break;
        }
        const gs_core_class *class = &core->classes[insn->class];
        unsigned written = insn->operands.target[0];
        target[count] = (uint8_t)written;
        saved[count++] = v->ready[written];
        free = issue + class->cycles;
        if (written != GS_OPERAND_NONE)
            v->ready[written] = free + class->latency;
        if (predicted_taken(core, insn) || insn->class == GS_CLASS_JUMP) {
            pc = insn->goal;
            arrival = issue + REFETCH;
        } else {
            pc += insn->length;
            arrival = issue + 1;
        }
    }
    while (count-- > 0)
        v->ready[target[count]] = saved[count];
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
static bool collides(const vexriscv *v, const gs_timing_step *s, uint64_t issue)
{
    for (unsigned i = 0; i < 2; i++) {
        const recent_store *store = &v->recent[i];
        if (store->issue + 2 >= issue && s->address < store->address + store->size &&
            store->address < s->address + s->size)
            return true;
    }
    return false;
}

/* Rules 7, 8 and 10: when the load, which is to issue in cycle `issue`, issues for good. */
static uint64_t load(gs_timing *timing, const gs_timing_step *s, uint64_t issue, gs_stall *cause)
{
    vexriscv *v = timing->state;
    uint64_t again;
    *cause = GS_STALL_D_READ;
    if (s->uncached)
        return later(issue, last_written(v)) + timing->core->memory.uncached +
               timing->core->memory.first;
    bool hit = gs_cache_access(&timing->dcache, s->address, false).hit;
    if (hit && !collides(v, s, issue))
        return issue;
    uint64_t redirect = issue + TO_WRITE_BACK;
    /* Those behind it wait for its value as if it were there. */
    unsigned target = s->insn->operands.target[0];
    if (target != GS_OPERAND_NONE)
        v->ready[target] = issue + 1 + timing->core->classes[GS_CLASS_LOAD].latency;
    shadow behind = cast_shadow(timing, s->pc + s->insn->length, issue + 1, redirect);
    if (hit) {
        *cause = GS_STALL_HAZARD;
        again = redirect + REFETCH + behind.held;
    } else {
        again = later(issue, last_written(v)) + v->dfill;
    }
    return later(again, behind.fetch_from);
}

/* Rule 9. */
static void store(gs_timing *timing, const gs_timing_step *s, uint64_t issue)
{
    vexriscv *v = timing->state;
    if (!s->uncached)
        (void)gs_cache_access(&timing->dcache, s->address, true);
    v->written[v->stores % MAX_BUFFER] =
        later(last_written(v), issue) + 1 + timing->core->memory.first;
    v->stores++;
    v->recent[1] = v->recent[0];
    v->recent[0] = (recent_store){issue, s->address, s->size};
}

/* Rules 5, 6 and 11: what follows an instruction that issued in cycle `issue`. */
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
    uint32_t wrong_pc = s->pc + insn->length;
    uint64_t wrong_arrival = issue + 1;
    unsigned penalty = core->branch.jump_reg;
    if (flow == GS_FLOW_BRANCH) {
        bool guess = predicted_taken(core, insn);
        if (guess == s->taken) {
            if (s->taken)
                v->arrival = issue + 1 + core->branch.taken;
            return;
        }
        timing->branches.mispredicted++;
        v->arrival_cause = GS_STALL_MISPREDICT;
        penalty = core->branch.mispredicted;
        if (guess) {
            wrong_pc = insn->goal;
            wrong_arrival = issue + REFETCH;
        }
    }
    shadow wrong = cast_shadow(timing, wrong_pc, wrong_arrival, issue + TO_MEMORY);
    v->arrival = issue + 1 + penalty + wrong.held;
    if (wrong.fetch_from > v->arrival) {
        v->fill_blocks = wrong.fetch_from - v->arrival;
        v->arrival = wrong.fetch_from;
    }
}

/* Rules 1, 2 and 11: the cycle in which the instruction is in decode for good. */
static uint64_t arrive(gs_timing *timing, const gs_timing_step *s, uint64_t *missed)
{
    vexriscv *v = timing->state;
    uint64_t arrival = later(v->issue + 1, v->arrival);
    *missed = 0;
    if (v->clearing) {
        v->clearing = false;
        return arrival;
    }
    arrival = later(arrival, v->cleared);
    if (!gs_cache_access(&timing->icache, s->pc, false).hit)
        *missed = v->ifill;
    return arrival + *missed;
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

    uint64_t free = later(arrival, v->execute + 1);
    uint64_t issue = free;
    gs_stall wait_cause = GS_STALL_HAZARD;
    for (unsigned i = 0; i < 3; i++) {
        unsigned source = insn->operands.source[i];
        if (v->ready[source] > issue) {
            issue = v->ready[source];
            wait_cause = v->producer[source] == GS_CLASS_LOAD ? GS_STALL_LOAD_USE : GS_STALL_HAZARD;
        }
    }
    uint64_t data_ready = issue, first_issue;
    if (s->store && v->stores >= core->write_buffer)
        issue = later(issue, v->written[(v->stores - core->write_buffer) % MAX_BUFFER] + 1);
    first_issue = issue;
    gs_stall access_cause = GS_STALL_D_WRITE;
    if (s->load)
        issue = load(timing, s, issue, &access_cause);
    if (s->store)
        store(timing, s, issue);

    uint64_t execute = issue + class->cycles - 1;
    if (insn->class == GS_CLASS_CSR)
        execute = later(issue, v->execute + class->cycles);
    else if (insn->class == GS_CLASS_FENCE_I)
        execute = issue;

    uint64_t left = execute + TO_WRITE_BACK - timing->now - 1;
    if (left > 0) {
        charge(timing, insn->class == GS_CLASS_CSR ? GS_STALL_STRUCTURAL : GS_STALL_MULDIV,
               execute - issue, &left);
        charge(timing, access_cause, issue - first_issue, &left);
        charge(timing, GS_STALL_D_WRITE, first_issue - data_ready, &left);
        charge(timing, wait_cause, data_ready - free, &left);
        charge(timing, GS_STALL_I_MISS, missed + v->fill_blocks, &left);
        gs_timing_charge(timing,
                         v->cleared >= arrival - missed ? GS_STALL_I_MISS : v->arrival_cause, left);
    }

    unsigned target = insn->operands.target[0];
    if (target != GS_OPERAND_NONE) {
        v->ready[target] = execute + 1 + class->latency;
        v->producer[target] = insn->class;
    }
    v->issue = issue;
    v->execute = execute;
    timing->now = execute + TO_WRITE_BACK;
    follow_flow(timing, s, issue);
    if (insn->class == GS_CLASS_FENCE_I && !fetched_before) {
        gs_cache_invalidate_all(&timing->icache);
        uint64_t lines = core->icache.size_bytes / core->icache.line_bytes;
        v->cleared = issue + 2 + lines + class->cycles - 1;
        v->clearing = true;
    }
}

static void redirect(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    vexriscv *v = timing->state;
    v->arrival_cause = GS_STALL_TRAP;
    v->fill_blocks = 0;
    v->clearing = false;
    if (kind == GS_REDIRECT_SLEEP) {
        if (until > timing->now) {
            gs_timing_charge(timing, GS_STALL_IDLE, until - timing->now);
            timing->now = until;
        }
        v->arrival_cause = GS_STALL_STRUCTURAL;
        v->issue = v->execute = timing->now - TO_WRITE_BACK;
        v->arrival = timing->now + 1;
        return;
    }
    v->arrival = timing->now + REFETCH + timing->core->trap_entry;
}

const gs_timing_model gs_timing_vexriscv = {.open = open, .step = step, .redirect = redirect};
