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
 *  - Delay slots: the redirect of rule 1 goes to the instruction after the slot.
 *  - branch.resolve: a conditional branch redirects from decode instead of execute.
 *  - A predictor: fetch follows a branch target buffer at once, any other prediction
 *    from decode (as jal does). Where the guess was wrong, fetch restarts when the
 *    branch resolves.
 *  - Caches of other kinds: the dirty victim of a write-back cache is written, word
 *    by word, before the fill; a store that allocates fills like a load does.
 *  - No instruction cache: every fetch takes fetch.wait cycles more. No data cache:
 *    every access takes memory.load_wait cycles more.
 */
#include "timing/timing.h"

#include <assert.h>
#include <stdlib.h>

enum { MAX_WIDTH = 4, MAX_BUFFER = 64 };

/* The last cycles of one instruction in each stage. */
typedef struct stamps {
    uint64_t fetch, decode, execute, memory;
} stamps;

typedef struct classic {
    stamps past[MAX_WIDTH + 1]; /* past[0] is the instruction before, past[w-1] the w-th before */
    uint64_t redirect;          /* fetch of the next instruction begins here, if it is later */
    gs_stall redirect_cause;
    uint64_t slot_redirect; /* the same, for the instruction after the delay slot */
    gs_stall slot_cause;
    bool slot_pending;
    uint64_t last_access;               /* M of the last load or store */
    uint64_t written[MAX_BUFFER];       /* w(n) of rule 6, by store number */
    uint64_t stores;                    /* how many there were */
    uint64_t ready[GS_OPERAND_COUNT];   /* a reader may leave decode in this cycle */
    uint8_t producer[GS_OPERAND_COUNT]; /* the class that made it */
    uint64_t unit_free[GS_CLASS_COUNT]; /* the earliest cycle to enter execute */
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
    c->redirect = 1; /* rule 1, reset */
    c->redirect_cause = GS_STALL_STRUCTURAL;
    timing->state = c;
    return GS_OK;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* B of the rules: when the last buffered store has been written. */
static uint64_t buffer_empty(const classic *c)
{
    return c->stores == 0 ? 0 : c->written[(c->stores - 1) % MAX_BUFFER];
}

/* From the cycle of a request to the cycle the repeated lookup hits. */
static uint64_t line_cycles(const gs_core *core, const gs_cache_config *cache)
{
    uint64_t words = cache->line_bytes / core->memory.width;
    return core->memory.first + (words - 1) * core->memory.next + 1;
}

/* Rule 2: the cycle in which the lookup of all of [pc, pc+length) has hit. */
static uint64_t fetch_done(gs_timing *timing, const gs_timing_step *step, uint64_t first)
{
    classic *c = timing->state;
    const gs_core *core = timing->core;
    uint64_t done = first;
    if (!core->has_icache)
        return done + core->fetch.wait;
    uint32_t last_byte = step->pc + step->insn->length - 1;
    bool two_lines =
        gs_cache_line(&timing->icache, step->pc) != gs_cache_line(&timing->icache, last_byte);
    for (int part = 0; part <= two_lines; part++) {
        if (!gs_cache_access(&timing->icache, part ? last_byte : step->pc, false).hit) {
            uint64_t request = later(later(done, c->past[0].memory), buffer_empty(c)) + 1;
            done = request + line_cycles(core, &core->icache);
        }
    }
    return done;
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
    if (!core->has_dcache)
        return step->store && core->write_buffer ? buffered_store(c, core, enter)
                                                 : enter + core->memory.load_wait;
    if (step->uncached) {
        if (step->store && !step->load)
            return buffered_store(c, core, enter);
        return later(enter, buffer_empty(c)) + 1 + core->memory.first + 1;
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

/* Rule 1 for the instruction after this one, or after its delay slot. */
static void follow_flow(gs_timing *timing, const gs_timing_step *step, const stamps *now)
{
    classic *c = timing->state;
    const gs_core *core = timing->core;
    const gs_timing_insn *insn = step->insn;
    gs_flow flow = (gs_flow)insn->flow;
    uint64_t decode = now->decode + 1, execute = now->execute + 1;
    uint64_t start = 0;
    gs_stall cause = GS_STALL_BRANCH;

    bool conditional = flow == GS_FLOW_BRANCH || flow == GS_FLOW_BRANCH_CALL;
    bool direct = flow == GS_FLOW_JUMP || flow == GS_FLOW_CALL;
    bool indirect = flow == GS_FLOW_JUMP_INDIRECT || flow == GS_FLOW_CALL_INDIRECT ||
                    flow == GS_FLOW_RETURN || flow == GS_FLOW_RETURN_CALL;
    if (conditional || direct || indirect) {
        uint64_t resolved = conditional && core->branch.resolve == GS_RESOLVE_DECODE ? decode
                            : direct                                                 ? decode
                                                                                     : execute;
        gs_prediction guess = gs_predictor_predict(&timing->predictor, insn, step->pc);
        bool right = guess.taken == step->taken &&
                     (!step->taken || direct || (guess.target_known && guess.target == step->goal));
        if (guess.taken != step->taken && conditional)
            timing->branches.mispredicted++;
        if (right && step->taken)
            start = guess.from_buffer ? 0 : decode;
        else if (!right)
            start = resolved;
        if (!right && core->branch.predictor.kind != GS_PREDICTOR_NONE)
            cause = GS_STALL_MISPREDICT;
    }
    (void)start;
    (void)cause;
    (void)c;
}
