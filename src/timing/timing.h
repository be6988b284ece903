/*
 * timing.h - what the pipeline models share.
 *
 * The engine hands over one retired instruction after the other, in program order; a
 * model moves `now` forward and charges every cycle beyond the instruction's own to a
 * cause. A model keeps its pipeline in `state` and reads its numbers from the core
 * description. It sees nothing but the step, the code around the pc, and its own past,
 * so the same program, core and input give the same cycles everywhere.
 */
#ifndef GS_TIMING_TIMING_H
#define GS_TIMING_TIMING_H

#include "gumshoe/timing.h"
#include "machine/machine.h"
#include "timing/cache.h"
#include "timing/core.h"
#include "timing/predictor.h"

typedef enum gs_stall {
#define STALL(name, key, text) GS_STALL_##name,
#include "timing/stalls.def"
#undef STALL
    GS_STALL_COUNT
} gs_stall;

/* What is known of an instruction before it runs. */
typedef struct gs_timing_insn {
    uint32_t pc;
    uint32_t raw;
    uint32_t goal;   /* where a branch or direct jump goes */
    bool known;      /* or the entry is empty */
    bool drops_slot; /* a branch without its delay slot, if not taken */
    uint8_t length;
    uint8_t class; /* gs_timing_class */
    uint8_t flow;  /* gs_flow */
    gs_operands operands;
    uint32_t cycle_fj; /* energy of a cycle in which it issues; 0 without a table */
} gs_timing_insn;

/* One retired instruction. */
typedef struct gs_timing_step {
    const gs_timing_insn *insn;
    uint32_t pc;
    uint32_t goal; /* of a branch or jump that is taken: where to, after its delay slot */
    bool taken;
    bool load, store; /* it accessed memory */
    bool uncached;    /* the access went to a device */
    uint8_t size;
    uint32_t address;
    uint32_t value[2]; /* of rs1 and rs2, before it ran */
} gs_timing_step;

/* Enters an access to memory, of an instruction of this class. */
static inline void gs_timing_access(gs_timing_step *step, unsigned class, uint32_t address,
                                    unsigned size)
{
    bool stores = class == GS_CLASS_STORE || class == GS_CLASS_FP_STORE;
    step->address = address;
    step->size = (uint8_t)size;
    step->store = stores || class == GS_CLASS_ATOMIC;
    step->load = !stores;
}

typedef enum gs_redirect {
    GS_REDIRECT_TRAP,      /* a trap was taken: `insn` did not retire */
    GS_REDIRECT_INTERRUPT, /* between two instructions */
    GS_REDIRECT_SLEEP,     /* the hart slept until `now` */
} gs_redirect;

typedef struct gs_timing_model {
    size_t state_size; /* of timing->state, if a copy of its bytes is all there is to keep of it to
                          go back to it; 0: it is not */
    gs_status (*open)(gs_timing *timing, gs_error *err); /* sets timing->state */
    void (*close)(gs_timing *timing); /* frees what timing->state points to; or NULL */
    void (*step)(gs_timing *timing, const gs_timing_step *step);
    /* The next instruction comes from a trap handler, or after a sleep until cycle `until`. */
    void (*redirect)(gs_timing *timing, gs_redirect kind, uint64_t until);
    /* The instruction at trap->pc has trapped: its way through the pipeline, and the redirect.
     * NULL if only the redirect costs. */
    void (*trap)(gs_timing *timing, const gs_trap *trap);
    /* For machines that share a bus: the first cycle in which the access of this instruction, which
     * will be the next to retire or trap, is a request on the bus. Its way up to there is settled
     * by that. NULL: see `freezes`. */
    uint64_t (*request)(gs_timing *timing, const gs_timing_step *step);
    bool freezes; /* the state has no cycles in it: all of the core can stand still meanwhile */
    void (*finish)(gs_timing *timing); /* the program has ended: settle what is pending; or NULL */

    /*
     * For an engine that remembers what a superblock costs. All that the past can do to the
     * instruction at `pc` and to those behind it, in at most GS_SERIALIZED_MAX bytes and relative
     * to `now`: equal bytes, equal future. Returns how many bytes, or -1 if the pipeline is in a
     * state that cannot be said like this; then ask again some instructions later. deserialize() is
     * the opposite. NULL if the model cannot do it.
     */
    int (*serialize)(const gs_timing *timing, uint32_t pc, uint8_t *to);
    void (*deserialize)(gs_timing *timing, uint32_t pc, const uint8_t *from);
    bool looks_up;           /* in the caches the description has */
    bool fetches_ahead;      /* an instruction is looked up in the cache with the one before it */
    bool same_for_all_goals; /* what a jump costs, and the state it leaves, but for lookups */
    bool looks_at_code;      /* step() decodes other instructions than its own */
    bool minds_atomics;      /* what an atomic instruction costs depends on what it did */
    bool minds_stores; /* what a load costs depends on whether it overlaps one of last_stores */

    /* Where fetch can go to on the wrong path when the instruction at `pc` retires: instructions
     * that are looked up, in this order, and thrown away again. The pipeline stops at the first
     * whose line is missing, if it gets there at all, and brings it in. Returns how many. NULL: it
     * never does. */
    unsigned (*wrong_path)(gs_timing *timing, uint32_t pc, bool loads, bool taken, uint32_t *to);
} gs_timing_model;

enum { GS_SERIALIZED_MAX = 2048, GS_WRONG_PATH_MAX = 3 };

/* A store, as far as a load behind it cares. */
typedef struct gs_timing_store {
    uint32_t address, size;
} gs_timing_store;

extern const gs_timing_model gs_timing_sequential, gs_timing_picorv32, gs_timing_classic,
    gs_timing_vexriscv, gs_timing_tiger, gs_timing_hazard3, gs_timing_vliw;

typedef struct gs_timing_view gs_timing_view;
void gs_timing_view_free(gs_timing_view *view);

enum { GS_TIMING_KNOWN = 1 << 14 };

/* The access of the instruction at hand, on a bus that other machines are on. */
typedef struct gs_timing_bus {
    bool granted;
    uint64_t request; /* the first cycle of the request, */
    uint64_t start;   /* of the transfer, */
    uint64_t end;     /* and its last one */
} gs_timing_bus;

struct gs_timing {
    const gs_core *core;
    gs_machine *machine;
    gs_arch arch; /* the machine's */
    const gs_timing_model *model;
    void *state;     /* the model's, freed with free() */
    uint64_t now;    /* the cycle in which the last instruction retired */
    uint64_t refill; /* cycles that have to pass before the next can begin, which pays for them */
    uint64_t instructions;
    uint64_t stalls[GS_STALL_COUNT];
    bool charges_lost;    /* with an energy table: not all stalls cost the power of a stall */
    uint64_t issue_fj;    /* with an energy table: of all but the stalls */
    uint64_t lost_before; /* of those, cycles the table charges to instructions; until the last */
    uint64_t now_before;  /* when that was */
    uint64_t reported_cycles, reported_misses; /* reported so far, see probe/unreported.h */
    gs_branch_counts branches;
    gs_cache icache, dcache;
    gs_predictor predictor;
    gs_timing_store
        last_stores[2]; /* for models that need them; the last one first. Not serialized. */
    gs_timing_bus bus;
    gs_timing_view *view;  /* see view.h; NULL if the pipeline is not drawn */
    gs_timing_insn *known; /* recently decoded, by pc: GS_TIMING_KNOWN of them */
    bool shares_known;     /* that is another timing's */
};

/* As gs_timing_open(), with another model than the core's own. */
gs_status gs_timing_open_model(gs_timing **out, const gs_core *core, const gs_timing_model *model,
                               gs_machine *machine, gs_error *err);

/* Two timings of one machine: `timing` uses the other's decoded instructions from now on, if they
 * are the same for both. */
void gs_timing_share(gs_timing *timing, gs_timing *with);

/* Another timing has followed the same instruction: what gs_timing_retired() does, for a step that
 * went through that one. */
void gs_timing_follow(gs_timing *timing, const gs_insn *insn, const gs_timing_step *step);

/* The instruction at `pc`, decoded; of the program as it is now. For code that is not executable
 * memory, an illegal instruction. */
const gs_timing_insn *gs_timing_insn_at(gs_timing *timing, uint32_t pc);

static inline void gs_timing_charge(gs_timing *timing, gs_stall cause, uint64_t cycles)
{
    timing->stalls[cause] += cycles;
}

/* Lets cycles pass that go to a cause: for models in which nothing overlaps. */
static inline void gs_timing_spend(gs_timing *timing, gs_stall cause, unsigned cycles)
{
    gs_timing_charge(timing, cause, cycles);
    timing->now += cycles;
}

/* What a program that looks at a clock sees: that of the last retirement, and what it left behind.
 */
static inline uint64_t gs_timing_clock(const gs_timing *timing)
{
    return timing->now + timing->refill;
}

/* In caches and predictor, so far. */
static inline uint64_t gs_timing_misses(const gs_timing *timing)
{
    const gs_cache_stats *i = &timing->icache.stats, *d = &timing->dcache.stats;
    return i->read_misses + d->read_misses + d->write_misses + timing->branches.mispredicted;
}

/* More cycles than this many instructions can take, whose classes alone cost `class_cycles`, and
 * which access memory so many times and touch so many lines of the instruction cache. */
uint64_t gs_timing_worst(const gs_core *core, unsigned instructions, unsigned class_cycles,
                         unsigned accesses, unsigned lines);

/* Cycles of the class in the execute stage for these operand values. */
unsigned gs_timing_operand_cycles(const gs_core_class *class, const gs_timing_step *step);

/* Of RISC-V's divisions, those that take signs into account: div and rem. */
static inline bool gs_timing_is_signed_division(uint32_t raw)
{
    return !(raw >> 12 & 1);
}

static inline unsigned gs_timing_class_cycles(const gs_core *core, const gs_timing_step *step)
{
    const gs_core_class *class = &core->classes[step->insn->class];
    return __builtin_expect(class->operand == GS_OPERAND_RULE_NONE, 1)
               ? class->cycles
               : gs_timing_operand_cycles(class, step);
}

/* A branch or jump as predictors want it; `goal` is looked at if the instruction says it. */
gs_branch gs_timing_branch(const gs_timing *timing, uint32_t pc, unsigned length, gs_flow flow,
                           uint32_t goal);

/*
 * For machines that share a bus. A core whose model has request() takes part in the bus's protocol
 * cycle by cycle. Another one is stopped as a whole: its request goes out in the cycle after the
 * instruction before has retired, and when the transfer is over the instruction takes the time it
 * takes without an access. GS_E_UNSUPPORTED if a model can do neither.
 *
 * gs_timing_request() says when the request of the next instruction goes out; gs_timing_grant()
 * what became of it, before the instruction is executed; gs_timing_release() ends that afterwards.
 */
gs_status gs_timing_check_bus(const gs_timing *timing, gs_error *err);
uint64_t gs_timing_request(gs_timing *timing, const gs_insn *insn, gs_timing_step *step);
void gs_timing_grant(gs_timing *timing, uint64_t start, uint64_t end, bool store);
void gs_timing_release(gs_timing *timing);

/* For the engine. */
void gs_timing_retired(gs_timing *timing, const gs_insn *insn, gs_timing_step *step);
void gs_timing_redirected(gs_timing *timing, gs_redirect kind, uint64_t until);
void gs_timing_trapped(gs_timing *timing, const gs_trap *trap);
void gs_timing_finished(gs_timing *timing);

#endif
