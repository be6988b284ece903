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
 *   fetch.jump_misaligned        for a jump or taken branch to 4 bytes at 2 mod 4
 *   fetch.shadow_misaligned      for a branch that is taken, if the instruction it jumps
 *                                over has 4 bytes at 2 mod 4 [all three fetch-alignment]
 *   memory.load_wait             for a data access, and memory.crossing if that leaves its
 *                                aligned word, memory.uncached if it reads a device
 *                                [d-read-miss or d-write]
 *   csr_flush                    for writing mstatus or mie, or setting bits in them
 *                                [structural]
 *
 * The first instruction also pays for the core's start, so that it retires in cycle
 * first_retire if it costs what an ALU instruction costs [structural]. A trap or an
 * interrupt costs trap_entry [trap].
 *
 * What comes of jumping is paid by the jump, so that the first instruction behind it
 * already reads the right time. Where cores/NAME.yaml has its numbers from is said there;
 * for Ibex they gave all of 210 microbenchmarks on its RTL, and whole programs, exactly.
 */
#include "timing/timing.h"

#include <stdlib.h>

#include "timing/view.h"

typedef struct sequential {
    bool started;
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

/* `cycles` if there are 4 bytes at 2 mod 4. Looks at the code only where it can matter. */
static void fetch_misaligned(gs_timing *timing, uint32_t pc, unsigned cycles)
{
    if (cycles > 0 && (pc & 2) && misaligned(gs_timing_insn_at(timing, pc)))
        gs_timing_spend(timing, GS_STALL_ALIGNMENT, cycles);
}

static void follow_flow(gs_timing *timing, const gs_timing_step *s)
{
    const gs_core *core = timing->core;
    switch (s->insn->class) {
    case GS_CLASS_BRANCH:
        gs_timing_spend(timing, GS_STALL_BRANCH,
                        s->taken ? core->branch.taken : core->branch.not_taken);
        if (s->taken)
            fetch_misaligned(timing, s->pc + s->insn->length, core->fetch.shadow_misaligned);
        break;
    case GS_CLASS_JUMP: gs_timing_spend(timing, GS_STALL_BRANCH, core->branch.jump); break;
    case GS_CLASS_JUMP_REG: gs_timing_spend(timing, GS_STALL_BRANCH, core->branch.jump_reg); break;
    default: break;
    }
    if (s->taken)
        fetch_misaligned(timing, s->goal, core->fetch.jump_misaligned);
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
    unsigned cycles = gs_timing_class_cycles(core, s);
    uint64_t first = timing->now + 1;
    timing->now++;
    if (cycles > 1)
        gs_timing_spend(timing, cause_of_class(s->insn->class), cycles - 1);
    if (s->insn->class == GS_CLASS_CSR && core->csr_flush && may_enable_interrupts(s->insn->raw))
        gs_timing_spend(timing, GS_STALL_STRUCTURAL, core->csr_flush);
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
        if (until > timing->now) {
            gs_timing_charge(timing, GS_STALL_IDLE, until - timing->now);
            timing->now = until;
        }
        return;
    }
    gs_timing_spend(timing, GS_STALL_TRAP, timing->core->trap_entry);
}

/* Nothing an instruction does can delay a later one: once it has started, there is one state. */
static int serialize(const gs_timing *timing, uint32_t pc, uint8_t *to)
{
    (void)pc;
    (void)to;
    const sequential *q = timing->state;
    return !q->started ? -1 : 0;
}

static void deserialize(gs_timing *timing, uint32_t pc, const uint8_t *from)
{
    (void)pc;
    (void)from;
    sequential *q = timing->state;
    q->started = true;
}

const gs_timing_model gs_timing_sequential = {.open = open,
                                              .step = step,
                                              .redirect = redirect,
                                              .serialize = serialize,
                                              .deserialize = deserialize};
