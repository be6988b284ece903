/*
 * arcs.h - which function called which from where, and what that cost.
 *
 * Tools that read formats with functions and calls, but without call paths, add up: either what
 * all calls of a function cost, or what it cost itself and the calls it made. With recursion both
 * count twice what was called from within, unless the calls say something else. An arc has both:
 *
 *     inclusive(f) = the sum of `inclusive` over arcs to f that are not recursive
 *     inclusive(f) = self(f) + the sum of `cost` over all arcs from f
 *
 * are exact for every function that was called, whatever the recursion. For the first, recursive
 * calls are kept apart, and of those the outermost count. For the second, the cost of a call ends
 * where its caller is entered again: what happens in there is in the caller's own cost, and in
 * that of the calls made from there; a direct recursion costs nothing more.
 */
#ifndef GS_REPORT_ARCS_H
#define GS_REPORT_ARCS_H

#include "profile/profile.h"

typedef struct gs_arc {
    uint32_t caller, callee; /* functions, or GS_PROFILE_NONE */
    uint32_t site;           /* pc of the call */
    bool recursive;          /* the callee is on the call path already */
    uint64_t calls;
    gs_metrics inclusive;
    gs_metrics cost;
    gs_metrics self; /* of the cost, what the callee spent itself */
} gs_arc;

/* By caller, site and callee; recursive ones apart. free() *out, which may be NULL. */
gs_status gs_arcs_open(gs_arc **out, size_t *count, const gs_profile *profile, gs_error *err);

#endif
