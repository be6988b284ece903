/*
 * followers.h - further timings of a run, on other cores.
 *
 * They receive the retired instructions that the run's own timing receives. A pipeline model never
 * reads the data in memory, so it can be given many instructions at once, and then finds its own
 * state in the host's caches. Only a model that reads code around the pc is given each instruction
 * as it retires, before a store can change that code.
 */
#ifndef GS_ENGINE_FOLLOWERS_H
#define GS_ENGINE_FOLLOWERS_H

#include "timing/timing.h"

typedef struct gs_followers gs_followers;

/* The timings are borrowed. `lead` is the run's own. *out is NULL without any. */
gs_status gs_followers_open(gs_followers **out, gs_timing *lead, gs_timing *const *timings,
                            size_t count, gs_error *err);
/* Passes on the instructions that are still queued, and frees what was opened; NULL is fine. */
void gs_followers_close(gs_followers *f);

/* Queues `step`, which has been through the run's own timing. */
void gs_followers_retired(gs_followers *f, const gs_insn *insn, const gs_timing_step *step);

/* NULL is fine for these. */
void gs_followers_redirected(gs_followers *f, gs_redirect kind);
void gs_followers_trapped(gs_followers *f, const gs_trap *trap);
void gs_followers_finished(gs_followers *f);

#endif
