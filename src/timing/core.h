/*
 * core.h - a processor core, as its description file tells it.
 *
 * Filled by core_yaml.c from cores/NAME.yaml and whatever it extends, then
 * read-only. Every cost in the timing models comes from here; the models know how a
 * pipeline works, the description knows this pipeline's numbers.
 */
#ifndef GS_TIMING_CORE_H
#define GS_TIMING_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gumshoe/core.h"
#include "isa/isa.h"
#include "timing/cache.h"
#include "timing/predictor.h"

/* How time passes. One source file each, which opens with its rules. */
typedef enum gs_core_pipeline {
    GS_PIPELINE_SEQUENTIAL, /* one instruction after the other: ideal, state machines, Ibex */
    GS_PIPELINE_PICORV32,   /* PicoRV32's state machine and its prefetching memory interface */
    GS_PIPELINE_CLASSIC,    /* five stages, in order, drained by instruction misses: flatfoot */
    GS_PIPELINE_VEXRISCV,   /* VexRiscv: five stages, static prediction, wrong-path fills */
    GS_PIPELINE_TIGER,      /* Tiger MIPS: branches in decode, shared data cache port */
} gs_core_pipeline;

/* How the cycles of a class depend on its operands. */
typedef enum gs_core_operand_rule {
    GS_OPERAND_RULE_NONE,
    GS_OPERAND_RULE_SHIFT_STEPS,  /* + amount / step + amount % step: shifts by `step`, then by 1 */
    GS_OPERAND_RULE_EARLY_OUT,    /* + 1 per `step` significant bits of the second operand */
    GS_OPERAND_RULE_DIVISOR_ZERO, /* `special` cycles if the second operand is zero */
} gs_core_operand_rule;

typedef struct gs_core_class {
    unsigned cycles;  /* it keeps the execute stage; with taken branches see gs_core_branch */
    unsigned latency; /* cycles a dependent instruction right behind it waits on top of that */
    unsigned busy;    /* cycles before the next one of this class can enter the execute stage */
    gs_core_operand_rule operand;
    unsigned step;
    unsigned special;
    char *why; /* for people: where the number comes from; may be NULL */
} gs_core_class;

typedef struct gs_core_fetch {
    unsigned wait;              /* extra cycles per fetched word without a cache */
    unsigned next_misaligned;   /* + for a 4-byte instruction at 2 mod 4, however it is reached */
    unsigned jump_misaligned;   /* + for one that is the target of a taken jump or branch */
    unsigned shadow_misaligned; /* + for a taken branch whose fall-through is one */
} gs_core_fetch;

/* Where a conditional branch is decided, and so how early fetch can follow it. */
typedef enum gs_core_resolve { GS_RESOLVE_EXECUTE, GS_RESOLVE_DECODE } gs_core_resolve;

typedef struct gs_core_branch {
    gs_core_resolve resolve;
    unsigned not_taken; /* cycles beyond the first, for each outcome */
    unsigned taken;
    unsigned jump;
    unsigned jump_reg;
    unsigned mispredicted; /* with a predictor: instead of the above when it was wrong */
    gs_predictor_config predictor;
} gs_core_branch;

typedef struct gs_core_memory {
    unsigned first;     /* cycles from a request to its first word */
    unsigned next;      /* cycles from one word of a burst to the next */
    unsigned width;     /* bytes per word of a burst */
    unsigned write;     /* cycles a word written keeps the memory busy */
    bool shared;        /* one port for instructions and data */
    unsigned overhead;  /* cycles of a cache around a fill: detecting, asking, looking again */
    unsigned load_wait; /* extra cycles per data access without a cache */
    unsigned crossing;  /* + for an access that crosses a word */
    unsigned uncached;  /* cycles of a read from a device, beyond the first */
} gs_core_memory;

struct gs_core {
    char *name;
    char *summary;
    char *evidence; /* what the numbers rest on: RTL, measurements, a manual */
    bool verified;  /* against RTL */
    char *isa_text; /* "rv32imc", "mips32r2" */
    bool any_isa;   /* it takes programs of either instruction set */
    gs_arch arch;
    uint64_t extensions;   /* 0 with any_isa: all of them */
    bool strict_alignment; /* misaligned accesses trap */
    uint64_t clock_hz;
    gs_core_pipeline pipeline;
    unsigned first_retire; /* the cycle in which the first instruction after reset retires,
                              were there no misses */
    unsigned issue_width;
    gs_core_class classes[GS_CLASS_COUNT];
    gs_core_fetch fetch;
    gs_core_branch branch;
    bool has_icache, has_dcache;
    gs_cache_config icache, dcache;
    unsigned write_buffer; /* stores that may be on their way */
    unsigned trap_entry;   /* cycles to enter a trap or interrupt */
    gs_core_memory memory;
};

#endif
