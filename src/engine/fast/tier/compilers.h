/*
 * compilers.h - what compiles for the fast engine, for one run after the other.
 *
 * That is the process that starts the host's compiler, with the store of what it made, and the
 * quick compiler. A tier borrows them, and gs_compilers_rest() makes them fit for the next one.
 */
#ifndef GS_TIER_COMPILERS_H
#define GS_TIER_COMPILERS_H

#include "engine/fast/tier/compiler.h"
#include "engine/fast/tier/quick.h"
#include "engine/fast/tier/store.h"
#include "gumshoe/run.h"

struct gs_compilers {
    bool tiers[2]; /* those that GUMSHOE_TIER allows: optimizing, quick */
    gs_store *store;
    const char *no_store;    /* why there is none; NULL: no memory */
    gs_compiler *optimizing; /* or NULL */
    gs_quick *quick;         /* or NULL */
};

/* Cancels what is being compiled. What the quick compiler has made must not be executed any more.
 */
void gs_compilers_rest(gs_compilers *compilers);

#endif
