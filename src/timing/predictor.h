/*
 * predictor.h - where fetch believes a branch will go.
 *
 * Three parts that stand alone: a direction for conditional branches, a branch
 * target buffer, a return stack. A prediction says what they know and where
 * that comes from; the pipeline decides what it is worth. Equal configurations
 * and equal calls give equal answers. A predictor belongs to its owner and is
 * not safe to share between threads; nothing is allocated after
 * gs_predictor_init().
 *
 * Rules, for building the same in hardware or in generated code, with
 * number = pc >> unit_shift (by 1 where the smallest instruction has 2 bytes,
 * by 2 where it has 4):
 *
 *  BTFN     taken if the offset in the instruction is negative: target before
 *           pc, or before the delay slot where there is one
 *  BIMODAL  counters[number & counter_mask] >= taken_from
 *  GSHARE   counters[(number ^ history) & counter_mask] >= taken_from
 *           A counter goes up by one when its branch is taken, down when not,
 *           and stays within 0..counter_max; taken_from is its upper half.
 *           The history starts as 0 and has history_bits bits; each
 *           conditional branch shifts it left, then sets bit 0 if taken. The
 *           counter is found with the history from before.
 *  BTB      direct-mapped, entry number & btb_mask, the tag is all of number.
 *           Every taken branch or jump writes its entry. A branch not taken
 *           leaves it alone.
 *  Stack    a call pushes the address it will return to, a return pops. When
 *           it is full the oldest entry is lost; when it is empty nothing is
 *           known. With a stack, returns neither use nor fill the BTB.
 */
#ifndef GS_TIMING_PREDICTOR_H
#define GS_TIMING_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "isa/isa.h"
#include "machine/memory.h"

/* How the direction of a conditional branch is predicted. */
typedef enum gs_predictor_scheme {
    GS_PREDICTOR_NOT_TAKEN, /* also: no prediction */
    GS_PREDICTOR_TAKEN,
    GS_PREDICTOR_BTFN, /* backward taken, forward not taken */
    GS_PREDICTOR_BIMODAL,
    GS_PREDICTOR_GSHARE,
    GS_PREDICTOR_SCHEME_COUNT
} gs_predictor_scheme;

enum {
    GS_PREDICTOR_MAX_COUNTER_BITS = 3,
    GS_PREDICTOR_MAX_ENTRIES = 1 << 20,
    GS_PREDICTOR_MAX_BTB_ENTRIES = 1 << 16,
    GS_PREDICTOR_MAX_STACK_DEPTH = 1024,
};

typedef struct gs_predictor_config {
    gs_predictor_scheme scheme;
    uint32_t unit_bytes;  /* gs_isa.unit: 2 or 4 */
    uint32_t delay_slots; /* gs_isa.delay_slots: 0 or 1 */

    /* BIMODAL and GSHARE; the others do not look at them. */
    uint32_t entries;       /* counters: a power of two */
    uint32_t counter_bits;  /* 1..3 */
    uint32_t counter_start; /* the value of every counter at first */
    uint32_t history_bits;  /* GSHARE: 1..log2(entries) */

    uint32_t btb_entries; /* a power of two, or 0: no BTB */
    uint32_t stack_depth; /* 0: no return stack */
} gs_predictor_config;

/* A branch or jump as the decoder sees it. */
typedef struct gs_branch {
    gs_addr pc;
    gs_addr target; /* where the instruction says it goes; 0 if a register says it */
    gs_addr next;   /* after it and its delay slot: where it returns to, if it is a call */
    gs_flow flow;   /* as the core's own decoder would have it */
} gs_branch;

/* What supplies the target of a jump, from late to early. */
typedef enum gs_target_source {
    GS_TARGET_UNKNOWN, /* nothing before the register is read */
    GS_TARGET_DECODE,  /* the instruction, once decoded */
    GS_TARGET_STACK,   /* the return stack */
    GS_TARGET_BTB,     /* the BTB, with nothing but the pc */
} gs_target_source;

typedef struct gs_prediction {
    bool taken;              /* true for all that is not conditional */
    gs_target_source source; /* also where the direction is not taken */
    gs_addr target;          /* 0 if unknown */
} gs_prediction;

/* What a prediction was worth, to a pipeline that knows better. */
typedef enum gs_guess {
    GS_GUESS_EARLY, /* right, by the BTB */
    GS_GUESS_RIGHT,
    GS_GUESS_WRONG,
    GS_GUESS_NONE, /* there was no target to predict */
} gs_guess;

/* To ask a pipeline "what if": a predictor with a script asks it what each guess is worth. */
typedef struct gs_predictor_script {
    gs_guess (*answer)(struct gs_predictor_script *script);
} gs_predictor_script;

/* Plain data, so that generated code can look for itself. The arrays stay where they are until
 * gs_predictor_fini(). */
typedef struct gs_predictor {
    gs_predictor_scheme scheme;
    uint8_t unit_shift;
    uint8_t offset_base; /* what an offset is relative to, in bytes after the pc */
    uint8_t counter_max;
    uint8_t taken_from;   /* counters from this value on predict taken */
    uint8_t *counters;    /* BIMODAL, GSHARE; else NULL */
    gs_addr counter_mask; /* entries - 1 */
    gs_addr history;      /* GSHARE; else 0 */
    gs_addr history_mask; /* GSHARE: (1 << history_bits) - 1; else 0 */
    gs_addr *btb_tags;    /* pc >> unit_shift, or GS_PREDICTOR_NO_TAG; NULL: no BTB */
    gs_addr *btb_targets; /* beside each tag */
    gs_addr btb_mask;     /* entries - 1 */
    gs_addr *stack;       /* a ring; NULL: no return stack */
    uint32_t stack_depth;
    uint32_t stack_top;          /* where the next push goes */
    uint32_t stack_count;        /* 0..stack_depth; the newest is the one below stack_top */
    gs_predictor_script *script; /* or NULL */
} gs_predictor;

/* No branch has this tag: instructions have at least 2 bytes. */
#define GS_PREDICTOR_NO_TAG ((gs_addr)-1)

/* Whether a predictor can be like this. GS_E_ARGUMENT, and the text says what is allowed. */
gs_status gs_predictor_check(const gs_predictor_config *config, gs_error *err);

/* Checks, then makes a predictor that has seen nothing. After a failure there is nothing to free,
 * but gs_predictor_fini() may be called. */
gs_status gs_predictor_init(gs_predictor *predictor, const gs_predictor_config *config,
                            gs_error *err);
void gs_predictor_fini(gs_predictor *predictor);

/* Changes nothing. What is neither branch nor jump is predicted not taken, its target unknown. */
gs_prediction gs_predictor_predict(const gs_predictor *predictor, const gs_branch *branch);

/* Tells how it went; `target` is where it really goes if taken, and is not looked at otherwise.
 * To be called once per branch or jump, in program order. How long after the prediction is up to
 * the pipeline: one that resolves branches late calls it late. */
void gs_predictor_update(gs_predictor *predictor, const gs_branch *branch, bool taken,
                         gs_addr target);

/* Predicts, updates, and tells what the prediction was worth. */
gs_guess gs_predictor_guess(gs_predictor *predictor, const gs_branch *branch, bool taken,
                            gs_addr target);

/* Whether guesses depend on the past. */
bool gs_predictor_learns(const gs_predictor *predictor);

/* Of one that learns: whether it has to be told of a branch or jump like this, or else its guess is
 * always worth the same. */
bool gs_predictor_minds(const gs_predictor *predictor, gs_flow flow);

/* What a guess at a branch or jump like this is worth once everything has been learnt. */
gs_guess gs_predictor_at_best(const gs_predictor *predictor, gs_flow flow);

#endif
