/*
 * functions.h - the profile by function.
 */
#ifndef GS_PROFILE_FUNCTIONS_H
#define GS_PROFILE_FUNCTIONS_H

#include "profile/recorder.h"

/* What lies outside all functions is one row with `function` NULL. */
typedef struct gs_function_profile {
    const gs_function *function;
    uint64_t calls;       /* from anywhere, tail calls and traps included */
    gs_metrics self;      /* of its instructions */
    gs_metrics inclusive; /* of its activations with all they called; the outermost of a recursion
                             counts, so it is never above the total */
} gs_function_profile;

/* Functions that were executed, most cycles of their own first. *out is the caller's to free(). */
gs_status gs_profile_functions(gs_function_profile **out, size_t *count,
                               const gs_recorder *recorder, gs_error *err);

#endif
