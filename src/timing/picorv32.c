/*
 * PicoRV32: a state machine that prefetches one instruction.
 *
 * The core executes one instruction at a time, but asks memory for the next one while it
 * does. An instruction is over when its successor is *launched*: fetched, decoded and
 * handed to the state machine. Written for launch cycle L, W wait states of the memory
 * (memory.wait), and c, the class's cycles:
 *
 *  1. An instruction fetched as one word while the core waits for it, asked for in cycle
 *     L+1: the request is out in L+2 (mem_valid), answered in L+2+W (mem_ready), launched
 *     in L+3+W.
 *  2. Everything but jumps prefetches its straight successor in L+1. An instruction of
 *     class cost c looks for it from L+c-1 on (mem_do_rinst), so that it takes
 *     max(c, 3+W) cycles if the successor is a whole word, or the first half of one.
 *  3. A successor at 2 mod 4 has at least its first half in the core already: it came with
 *     the word before (prefetched_high_word). If it has 2 bytes that is all: c cycles,
 *     whatever W. If it has 4, its second half is asked for only when the core looks for
 *     it: c + 1 + W.
 *  4. Loads and stores, and branches, look for their successor from L+2 on. A data access
 *     follows when that has arrived, and is answered W cycles later than without waits.
 *  5. Jumps drop what was fetched and ask for the goal: c + W, and 1 + W more if that has
 *     4 bytes at 2 mod 4, which lie in two words.
 *  6. A branch that is taken waits for its straight successor all the same, by rules 2
 *     to 4, and only then does as rule 5 has it: branch.taken + W more (and 1 + W).
 *  7. If that straight successor arrives after the branch was decided in L+2, that is in
 *     rule 2 with W > 0, the memory interface judges what arrives by the address of
 *     the branch's goal. If the goal is at 2 mod 4 and bits 17:16 of the word that
 *     arrives are 11, it looks like half of a longer instruction and does not count
 *     (mem_done stays 0). The core then fetches the goal, waits for it as if it were
 *     the straight successor, drops it, and fetches it again as in rule 6: 2 + W more,
 *     and 1 + W if the goal has 4 bytes.
 *
 * Who pays: the class's cycles go to mul-div, branch or structural, branch.taken to branch;
 * second words of an instruction and rule 7, without their waits, to fetch-alignment;
 * waits to i-miss, d-read-miss or d-write.
 *
 * An interrupt is taken in place of a launch and costs trap_entry + W, and 1 + W more for a
 * handler with 4 bytes at 2 mod 4. PicoRV32 has no RISC-V traps; one taken here costs
 * what an instruction of class SYSTEM costs on top.
 *
 * Evidence: microbenchmarks on the RTL (Verilator, YosysHQ/picorv32, native memory
 * interface), 206 in each of 3 configurations, W = 0 and 1, all exact. Rules 1 to 6 with
 * W = 0 had no wrong instruction in 6.7 million. Rule 7 and larger W were read in the RTL:
 * next_pc is the goal as soon as latched_branch is set, and mem_la_firstword in mem_done
 * is made from it. Stepping the registers of its memory interface and state machine cycle
 * by cycle gave the same launches for W = 0, 1, 2, 5 and 40 over 21 whole programs, and
 * over 25 of random instructions.
 */
#include "timing/timing.h"

#include <stdlib.h>

#include "timing/view.h"

/* Rule 1: cycles from one launch to the next if nothing but the fetch takes time. */
enum { FETCH_CYCLES = 3 };

typedef struct picorv32 {
    bool started;
    bool entering; /* a trap handler comes next, whose fetch has not been charged */
} picorv32;

static gs_status open(gs_timing *timing, gs_error *err)
{
    timing->state = calloc(1, sizeof(picorv32));
    return timing->state ? GS_OK : gs_fail_no_memory(err);
}

static bool halfway(uint32_t pc)
{
    return pc & 2;
}

/* Whether the halfword at `pc` is, or looks like, the first of two. */
static bool has_second_half(const gs_timing *timing, uint32_t pc)
{
    const gs_memory *memory = &timing->machine->memory;
    if (!(memory->prot[pc >> GS_PAGE_SHIFT] & GS_PROT_MAPPED))
        return false;
    return (memory->bytes[pc] & 3) == 3;
}

static void fetch_second_word(gs_timing *timing, gs_stall cause)
{
    gs_timing_spend(timing, cause, 1);
    gs_timing_spend(timing, GS_STALL_I_MISS, timing->core->memory.wait);
}

/* Rule 5. */
static void fetch_goal(gs_timing *timing, uint32_t goal)
{
    gs_timing_spend(timing, GS_STALL_I_MISS, timing->core->memory.wait);
    if (halfway(goal) && has_second_half(timing, goal))
        fetch_second_word(timing, GS_STALL_ALIGNMENT);
}

/* Rules 2 and 3, for an instruction that looks for its successor in cycle L + wanted - 1. */
static void fetch_straight(gs_timing *timing, uint32_t next, unsigned wanted)
{
    unsigned arrival = FETCH_CYCLES + timing->core->memory.wait;
    if (halfway(next)) {
        if (has_second_half(timing, next))
            fetch_second_word(timing, GS_STALL_ALIGNMENT);
    } else if (arrival > wanted) {
        gs_timing_spend(timing, GS_STALL_I_MISS, arrival - wanted);
    }
}

/* Rules 6 and 7. */
static void branch_away(gs_timing *timing, uint32_t next, uint32_t goal)
{
    const gs_core *core = timing->core;
    fetch_straight(timing, next, FETCH_CYCLES);
    if (core->memory.wait > 0 && !halfway(next) && halfway(goal) &&
        has_second_half(timing, next + 2)) {
        gs_timing_spend(timing, GS_STALL_ALIGNMENT, 2);
        fetch_goal(timing, goal);
    }
    gs_timing_spend(timing, GS_STALL_BRANCH, core->branch.taken);
    fetch_goal(timing, goal);
}

static gs_stall cause_of_class(unsigned class)
{
    switch (class) {
    case GS_CLASS_MUL:
    case GS_CLASS_MULH:
    case GS_CLASS_DIV: return GS_STALL_MULDIV;
    case GS_CLASS_BRANCH:
    case GS_CLASS_JUMP:
    case GS_CLASS_JUMP_REG: return GS_STALL_BRANCH;
    default: return GS_STALL_STRUCTURAL;
    }
}

static void start(gs_timing *timing, uint32_t pc)
{
    const gs_core *core = timing->core;
    unsigned usual = core->classes[GS_CLASS_ALU].cycles;
    if (core->first_retire > usual)
        gs_timing_spend(timing, GS_STALL_STRUCTURAL, core->first_retire - usual);
    fetch_goal(timing, pc);
}

static void step(gs_timing *timing, const gs_timing_step *s)
{
    picorv32 *p = timing->state;
    const gs_core *core = timing->core;
    if (!p->started) {
        p->started = true;
        start(timing, s->pc);
    } else if (p->entering) {
        fetch_goal(timing, s->pc);
    }
    p->entering = false;

    unsigned class = s->insn->class;
    uint32_t next = s->pc + s->insn->length;
    unsigned cycles = gs_timing_class_cycles(core, s);
    uint64_t first = ++timing->now;
    if (cycles > 1)
        gs_timing_spend(timing, cause_of_class(class), cycles - 1);
    if (s->taken && class == GS_CLASS_BRANCH) {
        branch_away(timing, next, s->goal);
    } else if (s->taken) {
        fetch_goal(timing, s->goal);
    } else if (s->load || s->store) {
        fetch_straight(timing, next, FETCH_CYCLES);
        gs_timing_spend(timing, s->load ? GS_STALL_D_READ : GS_STALL_D_WRITE, core->memory.wait);
    } else {
        fetch_straight(timing, next, class == GS_CLASS_BRANCH ? FETCH_CYCLES : cycles);
    }
    gs_timing_show(timing, timing->instructions - 1, s->pc, &(gs_stage){'X', first, timing->now},
                   1);
}

static void redirect(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    picorv32 *p = timing->state;
    const gs_core *core = timing->core;
    switch (kind) {
    case GS_REDIRECT_SLEEP:
        if (until > timing->now) {
            gs_timing_charge(timing, GS_STALL_IDLE, until - timing->now);
            timing->now = until;
        }
        return;
    case GS_REDIRECT_TRAP:
        gs_timing_spend(timing, GS_STALL_TRAP, core->classes[GS_CLASS_SYSTEM].cycles);
        break;
    case GS_REDIRECT_INTERRUPT: break;
    }
    gs_timing_spend(timing, GS_STALL_TRAP, core->trap_entry);
    p->entering = true;
}

/* Nothing an instruction does can delay a later one: once it has started, there is one state. */
static int serialize(const gs_timing *timing, uint32_t pc, uint8_t *to)
{
    (void)pc;
    (void)to;
    const picorv32 *p = timing->state;
    return !p->started || p->entering ? -1 : 0;
}

static void deserialize(gs_timing *timing, uint32_t pc, const uint8_t *from)
{
    (void)pc;
    (void)from;
    picorv32 *p = timing->state;
    *p = (picorv32){.started = true};
}

const gs_timing_model gs_timing_picorv32 = {.state_size = sizeof(picorv32),
                                            .open = open,
                                            .step = step,
                                            .redirect = redirect,
                                            .freezes = true,
                                            .serialize = serialize,
                                            .deserialize = deserialize};
