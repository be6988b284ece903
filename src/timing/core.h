/*
 * core.h - a processor core, as its description file tells it.
 *
 * Filled by core_yaml.c from cores/NAME.yaml and whatever it extends, then
 * read-only. Every cost in the timing models comes from here; the models know how a
 * pipeline works, the description knows this pipeline's numbers.
 *
 * A new number is a line in core_keys.def and a field here. Which pipelines look at a key
 * is said there as well: for the others it is an error in the description, not a number
 * without effect.
 */
#ifndef GS_TIMING_CORE_H
#define GS_TIMING_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "gumshoe/core.h"
#include "isa/isa.h"
#include "schedule/target.h"
#include "timing/cache.h"
#include "timing/predictor.h"

/* How time passes. One source file each, which opens with its rules. */
typedef enum gs_core_pipeline {
    GS_PIPELINE_SEQUENTIAL, /* one instruction after the other: ideal, state machines, Ibex */
    GS_PIPELINE_PICORV32,   /* PicoRV32's state machine and its prefetching memory interface */
    GS_PIPELINE_CLASSIC,    /* five stages, in order, drained by instruction misses: flatfoot */
    GS_PIPELINE_VEXRISCV,   /* VexRiscv: five stages, static prediction, wrong-path fills */
    GS_PIPELINE_TIGER,      /* Tiger MIPS: branches in decode, shared data cache port */
    GS_PIPELINE_HAZARD3,    /* Hazard3: three stages, a fetch queue, one predicted branch */
    GS_PIPELINE_VLIW,       /* bundles, as src/schedule makes them: an estimate */
    GS_PIPELINE_COUNT
} gs_core_pipeline;

/* How the cycles of a class depend on its operands. */
typedef enum gs_core_operand_rule {
    GS_OPERAND_RULE_NONE,
    GS_OPERAND_RULE_SHIFT_STEPS,  /* + amount / step + amount % step: shifts by `step`, then by 1 */
    GS_OPERAND_RULE_EARLY_OUT,    /* + 1 per `step` significant bits of the second operand */
    GS_OPERAND_RULE_DIVISOR_ZERO, /* `special` cycles if the second operand is zero */
    GS_OPERAND_RULE_NEGATIVE_DIVIDEND, /* `special` cycles if signed and the first is negative */
} gs_core_operand_rule;

typedef struct gs_core_class {
    unsigned cycles;  /* it keeps the execute stage; with taken branches see gs_core_branch */
    unsigned latency; /* cycles a dependent instruction right behind it waits on top of that */
    unsigned busy;    /* cycles before the next one of this class can enter the execute stage */
    unsigned refill;  /* cycles after it before the next instruction, which pays for them */
    unsigned unit;    /* what executes it: units[unit - 1]; 0: nothing it would have to wait for */
    gs_core_operand_rule operand;
    unsigned step;
    unsigned special;
    const char *why; /* for people: where the number comes from; may be NULL */
} gs_core_class;

/* A functional unit. An instruction keeps one copy for `busy` cycles of its class, at least 1. */
enum { GS_CORE_UNIT_MAX = 16, GS_CORE_UNIT_COPIES_MAX = 4 };
typedef struct gs_core_unit {
    const char *name;
    unsigned count;
} gs_core_unit;

typedef struct gs_core_fetch {
    unsigned wait;              /* extra cycles per fetched word without a cache */
    bool direct;                /* these are memory's latency, as nothing else was given */
    unsigned next_misaligned;   /* + for a 4-byte instruction at 2 mod 4, however it is reached */
    unsigned jump_misaligned;   /* + for one that is the target of a taken jump or branch */
    unsigned shadow_misaligned; /* + for a taken branch whose fall-through is one */
    const char *why;            /* may be NULL, here and below */
} gs_core_fetch;

/* Where a conditional branch is decided, and so how early fetch can follow it. */
typedef enum gs_core_resolve { GS_RESOLVE_EXECUTE, GS_RESOLVE_DECODE } gs_core_resolve;

typedef struct gs_core_branch {
    gs_core_resolve resolve;
    unsigned not_taken; /* cycles on top of the class's, for each outcome */
    unsigned taken;
    unsigned refill; /* after one that is taken; the next instruction pays for these */
    unsigned jump;
    unsigned jump_reg;
    unsigned mispredicted; /* with a predictor: instead of the above when it was wrong */
    gs_predictor_config predictor;
    const char *why;
} gs_core_branch;

typedef struct gs_core_memory {
    unsigned first;     /* cycles from a request to its first word */
    unsigned next;      /* cycles from one word of a burst to the next */
    unsigned width;     /* bytes per word of a burst */
    unsigned write;     /* cycles a word written keeps the memory busy */
    bool shared;        /* one port for instructions and data, */
    bool fetch_first;   /* where instructions go first if both ask in one cycle */
    unsigned overhead;  /* cycles of a cache around a fill: detecting, asking, looking again */
    unsigned wait;      /* fetch.wait and load_wait in one; those two are set from it */
    unsigned load_wait; /* extra cycles per data access without a cache */
    bool direct;        /* no data cache, and no wait states given: loads and stores go to memory */
    unsigned crossing;  /* + for an access that crosses a word */
    unsigned uncached;  /* cycles of a read from a device, beyond the first or `first` */
    const char *why;
} gs_core_memory;

/* Which lost cycles cost the power of a stall. The others cost the power of the instruction that
 * lost them, as they did when it was measured. */
typedef enum gs_energy_stalls { GS_ENERGY_STALLS_ALL, GS_ENERGY_STALLS_CACHE } gs_energy_stalls;

/* What an instruction costs in energy: the power of its group for one period of `clock_hz`, and
 * likewise the power of a stall for the cycles it loses; see energy.h. */
enum { GS_CORE_GROUP_MAX = 32 };
typedef struct gs_core_group {
    const char *name;
    uint32_t power_uw;
    uint32_t cycle_fj; /* for one period, in femtojoules */
} gs_core_group;

typedef struct gs_core_energy {
    const char *source; /* where the numbers come from */
    uint64_t clock_hz;  /* at which they were measured */
    uint32_t stall_uw;
    uint32_t stall_fj; /* for one period */
    gs_energy_stalls stalls;
    uint32_t average_stall; /* of the programs measured, in thousandths of a percent; 0: unknown */
    unsigned group_count;   /* 0: nothing is known of this core's energy */
    gs_core_group groups[GS_CORE_GROUP_MAX];
    const uint8_t *group_of; /* by operation, gs_insn.op: its group. See gs_energy_group() */
    uint8_t nop_group;       /* a nop is an operation that others are, too */
} gs_core_energy;

struct gs_core {
    gs_arena arena; /* has all texts */
    const char *name;
    const char *title; /* the same, and that it is an estimate if it is one */
    const char *summary;
    const char *evidence;     /* what the numbers rest on: RTL, measurements, a manual */
    const char *extends;      /* the core it was made from, or NULL */
    const char *changes;      /* what --set changed, or NULL: "dcache.size=16K, memory.first=20" */
    const char *const *files; /* that the description was read from, */
    size_t file_count;        /* with what it extends; none if that is built in */
    const char *yaml;     /* the whole description, everything merged: equal cores, equal texts */
    bool verified;        /* against RTL, as it stands here */
    const char *isa_text; /* "rv32imc", "mips32r2", "any" */
    bool any_isa;         /* it takes programs of either instruction set */
    gs_arch arch;
    uint64_t extensions;   /* 0 with any_isa: all of them */
    bool strict_alignment; /* misaligned accesses trap */
    uint64_t clock_hz;
    gs_core_pipeline pipeline;
    unsigned first_retire; /* the cycle in which the first instruction after reset retires,
                              were there no misses */
    unsigned issue_width;
    unsigned unit_count;
    gs_core_unit units[GS_CORE_UNIT_MAX];
    gs_core_class classes[GS_CLASS_COUNT];
    gs_core_fetch fetch;
    gs_core_branch branch;
    bool has_icache, has_dcache;
    gs_cache_config icache, dcache;
    unsigned write_buffer; /* stores that may be on their way */
    unsigned trap_entry;   /* cycles to enter a trap or interrupt */
    unsigned csr_flush;    /* + for a write that may let an interrupt in: to mstatus or mie */
    gs_core_memory memory;
    gs_vliw vliw; /* for pipeline vliw; made of what stands above, too */
    const char *vliw_why;
    gs_core_energy energy;
};

/* The description in `text`, of a file called `file`; what it extends is opened as well. */
gs_status gs_core_parse(gs_core **out, const char *file, const char *text, size_t size,
                        const char *const *set, size_t set_count, gs_error *err);

/* "classic", and what that is in a few words. */
const char *gs_core_pipeline_name(gs_core_pipeline pipeline);
const char *gs_core_pipeline_text(gs_core_pipeline pipeline);

/* From the request of `bytes` to their use, where no cache has them: a line as long as that. */
unsigned gs_core_access_cycles(const gs_core *core, unsigned bytes);

/* Whether a description can have this key, such as "icache.size". */
bool gs_core_knows_key(const char *path);

/* Whether a class is for instructions of a floating point unit. */
bool gs_core_class_is_float(gs_timing_class class);

/* Whether the core's instruction set has an operation; for one that does not run any. */
bool gs_core_has_op(const gs_core *core, unsigned op);

/* Whether the core's instruction set has instructions of a class. */
bool gs_core_has_class(const gs_core *core, gs_timing_class class);

#endif
