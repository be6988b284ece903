/*
 * functions.h - the profile by function.
 */
#ifndef GS_PROFILE_FUNCTIONS_H
#define GS_PROFILE_FUNCTIONS_H

#include "profile/recorder.h"

/* What lies outside all functions is one row with `function` NULL. */
typedef struct gs_function_profile {
    const gs_function *function;
    uint64_t calls;       /* from anywhere; of those, */
    uint64_t tail_calls;  /* jumps from another function, */
    uint64_t traps;       /* and times it was entered as a handler */
    gs_metrics self;      /* of its instructions */
    gs_metrics inclusive; /* of its activations with all they called; the outermost of a recursion
                             counts, so it is never above the total */
    gs_metrics by_tail_call; /* of that: of activations that began with a tail call, */
    gs_metrics by_trap;      /* and of those that began as a handler */
} gs_function_profile;

/* Functions that were executed, most cycles of their own first. *out is the caller's to free(). */
gs_status gs_profile_functions(gs_function_profile **out, size_t *count,
                               const gs_recorder *recorder, gs_error *err);

#endif
