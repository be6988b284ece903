/*
 * One instruction after the other.
 *
 * The model of cores in which nothing an instruction does can delay a later one: state
 * machines, two-stage cores without hazards, and the ideal core. The cost of an
 * instruction is a sum, each part charged to the cause in brackets:
 *
 *   1                            itself
 *   class cycles - 1             what it needs in the core, by operand values where the
 *                                description says so [mul-div, branch or structural]
 *   branch.taken, jump, jump_reg for leaving the straight line; for a conditional branch
 *                                that does not, branch.not_taken [branch]
 *   fetch.wait                   for every instruction fetched [i-miss]
 *   fetch.next_misaligned        if it has 4 bytes at 2 mod 4, however it is reached
 *   fetch.shadow_misaligned      for a branch that is taken, if the instruction it jumps
 *                                over has 4 bytes at 2 mod 4 [both fetch-alignment]
 *   memory.load_wait             for a data access, and memory.crossing if that leaves its
 *                                aligned word, memory.uncached if it reads a device
 *                                [d-read-miss or d-write]
 *
 * Such a core has no more than the next instruction's fetch ahead of it, and what an
 * instruction did to that is lost after it has retired. The instruction that retires next
 * pays for this:
 *
 *   branch.refill                behind a conditional branch that is taken [branch]
 *   refill of the class          behind any instruction of it [branch]
 *   fetch.jump_misaligned        if it has 4 bytes at 2 mod 4 and is jumped to, or follows
 *                                fence.i, which jumps to it [fetch-alignment]
 *   csr_flush                    behind writing mstatus or mie, or setting bits in them
 *                                [structural]
 *
 * The first instruction also pays for the core's start, so that it retires in cycle
 * first_retire if it costs what an ALU instruction costs [structural]. A trap or an
 * interrupt costs trap_entry [trap].
 *
 * A program that reads the time behind a jump sees these cycles (gs_timing_clock). Where
 * cores/NAME.yaml has its numbers from is said there; for Ibex they gave all of 210 microbenchmarks
 * on its RTL, and whole programs, exactly.
 */
#include "timing/timing.h"

#include <stdlib.h>

#include "timing/serialize.h"
#include "timing/view.h"

enum { REFILLS = 3 };

static const gs_stall refill_causes[REFILLS] = {GS_STALL_BRANCH, GS_STALL_STRUCTURAL,
                                                GS_STALL_ALIGNMENT};
enum { AFTER_JUMP, AFTER_CSR, SECOND_WORD };

typedef struct sequential {
    bool started;
    uint16_t refill[REFILLS]; /* what timing->refill is made of */
} sequential;

static gs_status open(gs_timing *timing, gs_error *err)
{
    timing->state = calloc(1, sizeof(sequential));
    return timing->state ? GS_OK : gs_fail_no_memory(err);
}

static bool misaligned(const gs_timing_insn *insn)
{
    return insn->length == 4 && (insn->pc & 3) == 2;
}

static gs_stall cause_of_class(unsigned class)
{
    switch (class) {
    case GS_CLASS_MUL:
    case GS_CLASS_MULH:
    case GS_CLASS_MULT:
    case GS_CLASS_DIV: return GS_STALL_MULDIV;
    case GS_CLASS_BRANCH:
    case GS_CLASS_JUMP:
    case GS_CLASS_JUMP_REG: return GS_STALL_BRANCH;
    default: return GS_STALL_STRUCTURAL;
    }
}

static void fetch(gs_timing *timing, const gs_timing_step *s)
{
    const gs_core_fetch *fetch = &timing->core->fetch;
    gs_timing_spend(timing, GS_STALL_I_MISS, fetch->wait);
    if (misaligned(s->insn))
        gs_timing_spend(timing, GS_STALL_ALIGNMENT, fetch->next_misaligned);
}

/* Whether there are 4 bytes at 2 mod 4. Looks at the code only where it can. */
static bool misaligned_at(gs_timing *timing, uint32_t pc)
{
    return (pc & 2) && misaligned(gs_timing_insn_at(timing, pc));
}

/* Leaves cycles to the next instruction. */
static void leave(gs_timing *timing, unsigned kind, unsigned cycles)
{
    sequential *q = timing->state;
    q->refill[kind] = (uint16_t)(q->refill[kind] + cycles);
    timing->refill += cycles;
}

static __attribute__((noinline)) void pay_refill(gs_timing *timing)
{
    sequential *q = timing->state;
    for (unsigned i = 0; i < REFILLS; i++) {
        gs_timing_spend(timing, refill_causes[i], q->refill[i]);
        q->refill[i] = 0;
    }
    timing->refill = 0;
}

static void leave_branch(gs_timing *timing, const gs_timing_step *s)
{
    const gs_core *core = timing->core;
    if (core->branch.refill > 0)
        leave(timing, AFTER_JUMP, core->branch.refill);
    if (core->fetch.shadow_misaligned > 0 && misaligned_at(timing, s->pc + s->insn->length))
        gs_timing_spend(timing, GS_STALL_ALIGNMENT, core->fetch.shadow_misaligned);
}

static void follow_flow(gs_timing *timing, const gs_timing_step *s)
{
    enum { FENCE_I_BYTES = 4 };
    const gs_core *core = timing->core;
    const bool fence_i = s->insn->class == GS_CLASS_FENCE_I;
    switch (s->insn->class) {
    case GS_CLASS_BRANCH:
        gs_timing_spend(timing, GS_STALL_BRANCH,
                        s->taken ? core->branch.taken : core->branch.not_taken);
        if (s->taken)
            leave_branch(timing, s);
        break;
    case GS_CLASS_JUMP: gs_timing_spend(timing, GS_STALL_BRANCH, core->branch.jump); break;
    case GS_CLASS_JUMP_REG: gs_timing_spend(timing, GS_STALL_BRANCH, core->branch.jump_reg); break;
    default: break;
    }
    if (core->fetch.jump_misaligned == 0)
        return;
    if (s->taken && misaligned_at(timing, s->goal))
        leave(timing, SECOND_WORD, core->fetch.jump_misaligned);
    else if (fence_i && misaligned_at(timing, s->pc + FENCE_I_BYTES))
        leave(timing, SECOND_WORD, core->fetch.jump_misaligned);
}

static void access_memory(gs_timing *timing, const gs_timing_step *s)
{
    const gs_core_memory *memory = &timing->core->memory;
    gs_stall cause = s->load ? GS_STALL_D_READ : GS_STALL_D_WRITE;
    gs_timing_spend(timing, cause, memory->load_wait);
    if ((s->address & 3) + s->size > 4)
        gs_timing_spend(timing, cause, memory->crossing);
    if (s->uncached && s->load)
        gs_timing_spend(timing, cause, memory->uncached);
}

/* csrrw and csrrs of mstatus or mie; csrrs with x0 only reads. */
static bool may_enable_interrupts(uint32_t insn)
{
    enum { MSTATUS = 0x300, MIE = 0x304, WRITE = 1, SET = 2 };
    uint32_t number = insn >> 20, how = insn >> 12 & 3, source = insn >> 15 & 31;
    return (number == MSTATUS || number == MIE) && (how == WRITE || (how == SET && source != 0));
}

static void step(gs_timing *timing, const gs_timing_step *s)
{
    sequential *q = timing->state;
    const gs_core *core = timing->core;
    if (!q->started) {
        q->started = true;
        unsigned usual = core->classes[GS_CLASS_ALU].cycles;
        if (core->first_retire > usual)
            gs_timing_spend(timing, GS_STALL_STRUCTURAL, core->first_retire - usual);
    }
    if (timing->refill > 0)
        pay_refill(timing);
    unsigned cycles = gs_timing_class_cycles(core, s);
    uint64_t first = timing->now + 1;
    timing->now++;
    if (cycles > 1)
        gs_timing_spend(timing, cause_of_class(s->insn->class), cycles - 1);
    if (s->insn->class == GS_CLASS_CSR && core->csr_flush && may_enable_interrupts(s->insn->raw))
        leave(timing, AFTER_CSR, core->csr_flush);
    if (core->classes[s->insn->class].refill > 0)
        leave(timing, AFTER_JUMP, core->classes[s->insn->class].refill);
    fetch(timing, s);
    follow_flow(timing, s); /* last to look at s->insn: looking at the goal may replace it */
    if (s->load || s->store)
        access_memory(timing, s);
    gs_timing_show(timing, timing->instructions - 1, s->pc, &(gs_stage){'X', first, timing->now},
                   1);
}

static void redirect(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    if (kind == GS_REDIRECT_SLEEP) {
        if (until > gs_timing_clock(timing)) { /* what is left to pay passes meanwhile */
            gs_timing_charge(timing, GS_STALL_IDLE, until - gs_timing_clock(timing));
            timing->now = until - timing->refill;
        }
        return;
    }
    gs_timing_spend(timing, GS_STALL_TRAP, timing->core->trap_entry);
}

/* Once it has started, an instruction leaves nothing behind but cycles. */
static int serialize(const gs_timing *timing, uint32_t pc, uint8_t *to)
{
    (void)pc;
    const sequential *q = timing->state;
    if (!q->started)
        return -1;
    gs_serializer f = {.to = to};
    for (unsigned i = 0; i < REFILLS; i++)
        gs_serialize_half(&f, q->refill[i]);
    return f.size;
}

static void deserialize(gs_timing *timing, uint32_t pc, const uint8_t *from)
{
    (void)pc;
    sequential *q = timing->state;
    gs_deserializer t = {.from = from};
    q->started = true;
    timing->refill = 0;
    for (unsigned i = 0; i < REFILLS; i++)
        timing->refill += q->refill[i] = (uint16_t)gs_deserialize_half(&t);
}

const gs_timing_model gs_timing_sequential = {.state_size = sizeof(sequential),
                                              .open = open,
                                              .step = step,
                                              .redirect = redirect,
                                              .freezes = true,
                                              .serialize = serialize,
                                              .looks_at_code = true,
                                              .deserialize = deserialize};
