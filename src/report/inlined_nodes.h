/*
 * inlined_nodes.h - call paths with the inlined calls in them, as if they had been calls.
 *
 * A profile has the cost of every call path and of every instruction, but not of every
 * instruction on every path. So what a path spent in an inlined call is exact if its function
 * has no other path; otherwise the path's cost is shared out as the function's cost is over all
 * of its paths, and the nodes that got a share are marked. Sums stay exact either way. Calls
 * made from inlined code are below it.
 */
#ifndef GS_REPORT_INLINED_NODES_H
#define GS_REPORT_INLINED_NODES_H

#include "profile/profile.h"

typedef struct gs_inlined_nodes {
    gs_profile_node *items; /* parents first; see gs_report_inlined_id() for their functions */
    bool *estimated;        /* per node: its own cost is shared out */
    size_t count;
} gs_inlined_nodes;

gs_status gs_inlined_nodes_open(gs_inlined_nodes *nodes, const gs_profile *profile, gs_error *err);
void gs_inlined_nodes_close(gs_inlined_nodes *nodes);

#endif
