/*
 * A statically scheduled processor, estimated.
 *
 * The program is one for RISC-V, and a compiler for the core would have made other code of its
 * source. src/schedule plays that compiler: it puts the program's operations into the core's
 * bundles, region by region, and charges each instruction of the program with its share of the
 * region's schedule. The cost of an instruction is a sum, each part charged to the cause in
 * brackets:
 *
 * The first cycle of these, if there is any, is the instruction's own, whatever it was for.
 *
 *   its share of the schedule    of which the first is a bundle. The others are those in
 *                                which nothing is issued [load-use, data-hazard, structural or
 *                                mul-div: what the schedule waits for there], and, at an exit from
 *                                the region, what the branch's delay and results on their way take
 *                                [branch, load-use or data-hazard]. Often 0: it is issued together
 *                                with another instruction
 *   branch.taken, not_taken,     for a branch or jump, as the program does it [branch]. With a
 *   jump, jump_reg               predictor: 0 if the target buffer told where to go, these if it
 *                                was guessed right, `mispredicted` if wrong [mispredict]
 *   a line's fill                where the instruction cache misses [i-miss], at the addresses of
 *                                the RISC-V program
 *   a line's fill, and the       where the data cache misses [d-read-miss, d-write]: the whole core
 *   write-back before it         waits
 *   memory.write                 for a store that goes through the data cache, or to a device
 *   memory.load_wait             for a data access without a data cache
 *   memory.uncached              for a read from a device; with a data cache, a word's fill too
 *   trap_entry                   for a trap or an interrupt [trap]
 *
 * A fill takes what it takes in the classic pipeline: memory.first + (words - 1) memory.next + 2.
 *
 * Nothing an instruction does is left for the next one to wait for, so this pipeline has no state.
 * What the scheduler does not know, code that is not in the program file or not as it stands there,
 * is executed one operation after the other, each until its result is there.
 */
#include "timing/timing.h"

#include <stdlib.h>

#include "schedule/schedule.h"
#include "timing/serialize.h"
#include "timing/view.h"

typedef struct vliw {
    gs_scheduler *schedule;
    bool predicts;
    bool spent; /* the instruction has had a cycle already */
} vliw;

/* Lets cycles pass. The first one that an instruction takes is its own, the others go to causes. */
static void spend(gs_timing *timing, gs_stall cause, unsigned cycles)
{
    vliw *v = timing->state;
    if (cycles == 0)
        return;
    timing->now++;
    if (v->spent)
        gs_timing_charge(timing, cause, 1);
    v->spent = true;
    gs_timing_spend(timing, cause, cycles - 1);
}

static gs_status open(gs_timing *timing, gs_error *err)
{
    const gs_predictor_config *predictor = &timing->core->branch.predictor;
    vliw *v = timing->state = calloc(1, sizeof *v);
    if (!v)
        return gs_fail_no_memory(err);
    v->predicts = predictor->scheme != GS_PREDICTOR_NOT_TAKEN || predictor->btb_entries ||
                  predictor->stack_depth;
    return gs_scheduler_open(&v->schedule, timing->machine->image, &timing->core->vliw, err);
}

static void close(gs_timing *timing)
{
    vliw *v = timing->state;
    if (v)
        gs_scheduler_free(v->schedule);
}

/* -- caches and memory ------------------------------------------------------------------------ */

static unsigned fill_cycles(const gs_core *core, const gs_cache_config *cache)
{
    return gs_core_access_cycles(core, cache->line_bytes) + 1;
}

static __attribute__((noinline)) void fetch_lines(gs_timing *timing, uint32_t pc,
                                                  uint32_t last_byte)
{
    unsigned lines = gs_cache_lines(&timing->icache, pc, last_byte - pc + 1);
    for (unsigned line = 0; line < lines; line++) {
        if (!gs_cache_access(&timing->icache, line ? last_byte : pc, false).hit)
            spend(timing, GS_STALL_I_MISS, fill_cycles(timing->core, &timing->core->icache));
    }
}

static void fetch(gs_timing *timing, const gs_timing_step *s)
{
    gs_cache *cache = &timing->icache;
    const uint32_t last_byte = s->pc + s->insn->length - 1;
    if (((s->pc ^ last_byte) >> cache->line_shift) == 0 && gs_cache_probe_first(cache, s->pc))
        cache->stats.reads++;
    else
        fetch_lines(timing, s->pc, last_byte);
}

static void access_cache(gs_timing *timing, const gs_timing_step *s, gs_stall cause)
{
    const gs_core *core = timing->core;
    const uint32_t last_byte = s->address + s->size - 1;
    const unsigned lines = 1 + (gs_cache_line(&timing->dcache, s->address) !=
                                gs_cache_line(&timing->dcache, last_byte));
    for (unsigned line = 0; line < lines; line++) {
        gs_cache_result result =
            gs_cache_access(&timing->dcache, line ? last_byte : s->address, s->store);
        if (result.writeback)
            spend(timing, cause, core->dcache.line_bytes / core->memory.width * core->memory.write);
        if (result.filled)
            spend(timing, cause, fill_cycles(core, &core->dcache));
        if (result.through)
            spend(timing, cause, core->memory.write);
    }
}

static void access_memory(gs_timing *timing, const gs_timing_step *s)
{
    const gs_core *core = timing->core;
    const gs_stall cause = s->load ? GS_STALL_D_READ : GS_STALL_D_WRITE;
    if (!core->has_dcache)
        spend(timing, cause, core->memory.load_wait);
    if (s->uncached && s->load)
        spend(timing, cause, core->memory.uncached);
    if (core->has_dcache && s->uncached)
        spend(timing, cause,
              s->load ? gs_core_access_cycles(core, s->size) + 1 : core->memory.write);
    else if (core->has_dcache)
        access_cache(timing, s, cause);
}

/* -- branches --------------------------------------------------------------------------------- */

static unsigned cycles_of_flow(const gs_core_branch *branch, gs_flow flow, bool taken)
{
    switch (flow) {
    case GS_FLOW_BRANCH: return taken ? branch->taken : branch->not_taken;
    case GS_FLOW_JUMP:
    case GS_FLOW_CALL: return branch->jump;
    default: return branch->jump_reg;
    }
}

static void follow_flow(gs_timing *timing, const gs_timing_step *s)
{
    const vliw *v = timing->state;
    const gs_core_branch *branch = &timing->core->branch;
    const gs_timing_insn *insn = s->insn;
    const gs_flow flow = (gs_flow)insn->flow;
    if (insn->class == GS_CLASS_FENCE_I && timing->core->has_icache)
        gs_cache_invalidate_all(&timing->icache);
    if (flow == GS_FLOW_NEXT || flow == GS_FLOW_TRAP || flow == GS_FLOW_ILLEGAL)
        return;
    const unsigned cycles = cycles_of_flow(branch, flow, s->taken);
    if (!v->predicts || flow == GS_FLOW_TRAP_RETURN) {
        spend(timing, GS_STALL_BRANCH, cycles);
        return;
    }
    const gs_branch at = gs_timing_branch(timing, s->pc, insn->length, flow, insn->goal);
    const gs_guess guess = gs_predictor_guess(&timing->predictor, &at, s->taken, s->goal);
    const bool conditional = flow == GS_FLOW_BRANCH;
    if (guess == GS_GUESS_WRONG || (guess == GS_GUESS_NONE && conditional)) {
        timing->branches.mispredicted++;
        spend(timing, GS_STALL_MISPREDICT, branch->mispredicted);
    } else if (guess != GS_GUESS_EARLY) {
        spend(timing, GS_STALL_BRANCH, cycles);
    }
}

/* -- the schedule ----------------------------------------------------------------------------- */

static bool multiplies(unsigned class)
{
    return class == GS_CLASS_MUL || class == GS_CLASS_MULH || class == GS_CLASS_DIV;
}

static gs_stall cause_of(gs_wait wait, unsigned class)
{
    switch (wait) {
    case GS_WAIT_LOAD: return GS_STALL_LOAD_USE;
    case GS_WAIT_PLACE: return multiplies(class) ? GS_STALL_MULDIV : GS_STALL_STRUCTURAL;
    case GS_WAIT_BRANCH: return GS_STALL_BRANCH;
    default: return GS_STALL_HAZARD;
    }
}

static void spend_share(gs_timing *timing, const gs_timing_step *s, const gs_scheduled_insn *share)
{
    const unsigned class = s->insn->class;
    spend(timing, cause_of((gs_wait)share->wait, class), share->cycles);
    if (s->taken)
        spend(timing, cause_of((gs_wait)share->jump_wait, class), share->jumping);
    else
        spend(timing, cause_of((gs_wait)share->end_wait, class), share->going_on);
}

static void step(gs_timing *timing, const gs_timing_step *s)
{
    vliw *v = timing->state;
    const uint64_t before = timing->now;
    v->spent = false;
    const gs_scheduled_insn *share = gs_scheduler_at(v->schedule, s->pc);
    if (share && share->raw == s->insn->raw) {
        spend_share(timing, s, share);
    } else {
        spend(timing, GS_STALL_HAZARD, 1 + timing->core->classes[s->insn->class].latency);
    }
    const uint64_t issued = timing->now;
    if (timing->core->has_icache)
        fetch(timing, s);
    if (s->load || s->store)
        access_memory(timing, s);
    follow_flow(timing, s);
    gs_timing_show(timing, timing->instructions - 1, s->pc,
                   &(gs_stage){'X', issued > before ? before + 1 : before, timing->now}, 1);
}

static void redirect(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    if (kind != GS_REDIRECT_SLEEP) {
        gs_timing_spend(timing, GS_STALL_TRAP, timing->core->trap_entry);
    } else if (until > timing->now) {
        gs_timing_charge(timing, GS_STALL_IDLE, until - timing->now);
        timing->now = until;
    }
}

/* There is nothing to be said. */
static int serialize(const gs_timing *timing, uint32_t pc, uint8_t *to)
{
    (void)timing;
    (void)pc;
    gs_serializer f = {.to = to};
    gs_serialize_byte(&f, 0);
    return f.size;
}

static void deserialize(gs_timing *timing, uint32_t pc, const uint8_t *from)
{
    (void)timing;
    (void)pc;
    (void)from;
}

const gs_timing_model gs_timing_vliw = {.open = open,
                                        .close = close,
                                        .step = step,
                                        .redirect = redirect,
                                        .freezes = true,
                                        .serialize = serialize,
                                        .deserialize = deserialize,
                                        .same_for_all_goals = true,
                                        .looks_up = true};
