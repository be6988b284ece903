/*
 * arcs.h - which function called which from where, and what that cost.
 *
 * A format that knows functions and calls but no call paths adds the cost of a function's calls
 * to its own and shows the sum as what the function includes. With recursion that counts twice
 * what was called from within itself. Here the cost of a call ends where the caller is entered
 * again: what happens in there is in the caller's own cost, and in that of the calls made from
 * there. So the sum is exact, for every function and any recursion:
 *
 *     inclusive(f) = self(f) + the cost of all arcs from f
 *
 * where a direct recursion costs nothing more.
 */
#ifndef GS_REPORT_ARCS_H
#define GS_REPORT_ARCS_H

#include "profile/profile.h"

typedef struct gs_arc {
    uint32_t caller, callee; /* functions, or GS_PROFILE_NONE */
    uint32_t site;           /* pc of the call */
    bool recursive;          /* the callee is on the call path already */
    uint64_t calls;
    gs_metrics self; /* of that, what the callee spent itself */
    gs_metrics cost;
} gs_arc;

/* By caller, site and callee; recursive ones apart. free() *out, which may be NULL. */
gs_status gs_arcs_open(gs_arc **out, size_t *count, const gs_profile *profile, gs_error *err);

#endif
