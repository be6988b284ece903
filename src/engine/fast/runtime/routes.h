/*
 * routes.h - translated code along call paths, for the observer that follows them.
 *
 * An edge leads to a node of its own on each call path, so counts are kept by path. Most jumps
 * leave the path as it is; plain calls and returns are made by translated code itself on the shared
 * call stack (probe/callstack.h). The rest is here: classifying an edge when it is taken for the
 * first time, and calling the observer for edges that only it can follow.
 */
#ifndef GS_ENGINE_ROUTES_H
#define GS_ENGINE_ROUTES_H

#include "engine/fast/automaton/automaton.h"
#include "engine/fast/runtime/schedule.h"
#include "probe/paths.h"

typedef struct gs_routes {
    const gs_path_observer *paths;
    void *paths_self;
    gs_automaton *automaton;
    const gs_machine *machine;
    const gs_schedule *schedule;
    gs_fast *c;
    uint64_t knowledge; /* gs_path_view.knowledge that translated code and edges are based on */
    bool outdated;      /* whether it has grown since */
} gs_routes;

void gs_routes_open(gs_routes *routes, const gs_bulk_group *observers, gs_automaton *automaton,
                    const gs_machine *machine, const gs_schedule *schedule, gs_fast *c);

/* Translated code takes over at hart.pc. */
void gs_routes_enter(gs_routes *routes);
/* Translated code has ended after the instruction at `last` (GS_FAST_LEFT: it has executed none),
 * and control will go on at `pc`. If that is not `inside` a superblock, c->arrival is what the last
 * jump means to a loop at `pc`. gs_bulk_resume() is next. */
void gs_routes_leave(gs_routes *routes, gs_addr pc, gs_addr last, bool inside);

/* To be called when an edge has just been taken: moves the call stack, and classifies the edge
 * the first time. */
void gs_routes_follow(gs_routes *routes, gs_fast_edge *edge);

#endif
