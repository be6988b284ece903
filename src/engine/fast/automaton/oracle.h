/*
 * oracle.h - the pipeline model, run over a superblock with given outcomes.
 *
 * The oracle is a timing of its own, on the same core as the run's. Its caches and its predictor do
 * not remember anything: they answer what the key of a transition says. So the model computes what
 * an exit costs from any state with any outcomes, without a guest that executes. Belongs to one
 * automaton.
 */
#ifndef GS_ENGINE_ORACLE_H
#define GS_ENGINE_ORACLE_H

#include "engine/fast/automaton/automaton.h"

typedef struct gs_oracle gs_oracle;

/* The most charges that a transition can have. */
enum { GS_ORACLE_CHARGES = (GS_SUPERBLOCK_STEPS + 2) * GS_CHARGE_KINDS };

/* `timing` is the run's; its core and machine must live longer. */
gs_status gs_oracle_open(gs_oracle **out, const gs_timing *timing, gs_error *err);
void gs_oracle_free(gs_oracle *o);

/* Runs the first t->steps instructions of t->superblock from t->state with the outcomes in t->key;
 * `exit` is the exit they are, or NULL if they stop before an instruction. Fills in what of `t`
 * counts something; the charges go to `charges`. Returns the number of charges. */
unsigned gs_oracle_run(gs_oracle *o, gs_transition *t, const gs_sb_exit *exit,
                       gs_charge charges[GS_ORACLE_CHARGES]);

/* Brings the pipeline to rest at `pc`: all that can matter happened long ago. */
void gs_oracle_rest(gs_oracle *o, gs_addr pc);

/* Its timing, in the state that the last of these calls has left. Borrowed. */
const gs_timing *gs_oracle_timing(const gs_oracle *o);

#endif
