/*
 * routes.h - translated code along the call tree, for an observer that wants to know.
 *
 * An edge leads to a node of its own for every call path, so what is counted is counted by path.
 * Most jumps leave the path as it is; of those that do not, calls and returns are mostly done by
 * translated code itself, on a call stack it shares with the observer. Here is the rest: what an
 * edge is when it is taken for the first time, and all that has to be asked every time.
 */
#ifndef GS_ENGINE_ROUTES_H
#define GS_ENGINE_ROUTES_H

#include "engine/bulk.h"
#include "engine/fast/automaton/automaton.h"

typedef struct gs_routes {
    const gs_bulk *bulk;
    gs_automaton *automaton;
    const gs_machine *machine;
    gs_fast *c;
    uint64_t knowledge;   /* of loops, that translated code and edges have */
    bool outdated;        /* there is more */
    uint64_t cost_before; /* what c->cost was when translated code began, or went on */
} gs_routes;

void gs_routes_open(gs_routes *routes, const gs_bulk *bulk, gs_automaton *automaton,
                    const gs_machine *machine, gs_fast *c);

/* Translated code takes over at hart.pc; it is left at `pc` after the instruction at `last`
 * (GS_FAST_LEFT: none at all). If that was not `inside` a superblock, c->arrival is what it was to
 * a loop at `pc`. */
void gs_routes_enter(gs_routes *routes);
void gs_routes_leave(gs_routes *routes, gs_addr pc, gs_addr last, bool inside);

/* An edge has just been taken: has the call stack follow, and finds out what the edge is. */
void gs_routes_follow(gs_routes *routes, gs_fast_edge *edge);

#endif
