/* Classifies edges along call paths, and calls the observer for those that change the path. */
#include "engine/fast/runtime/routes.h"

static void arrive(gs_fast *c, const gs_stub_args *args)
{
    const gs_routes *p = c->routes;
    p->paths->arrive(p->paths_self, (uint32_t)args->number, (gs_arrival)args->state,
                     (const uint64_t *)(uintptr_t)args->at);
}

static void resume(gs_fast *c, const gs_stub_args *args)
{
    const gs_routes *p = c->routes;
    const uint32_t number = (uint32_t)args->number;
    gs_loop_run *loop = &c->loops[number];
    c->answer = p->paths->resume_loop(p->paths_self, number);
    if (c->answer)
        gs_loop_run_count_in(loop, gs_loop_run_iterations(loop),
                             (const uint64_t *)(uintptr_t)args->at);
}

void gs_routes_open(gs_routes *p, const gs_bulk_group *observers, gs_automaton *automaton,
                    const gs_machine *machine, const gs_schedule *schedule, gs_fast *c)
{
    *p = (gs_routes){.paths = observers->paths,
                     .paths_self = observers->paths_self,
                     .automaton = automaton,
                     .machine = machine,
                     .schedule = schedule,
                     .c = c};
    c->routes = p;
    c->arrive = arrive;
    c->resume = resume;
}

/* Notes whether the observer has found more loops. */
static void look_at_loops(gs_routes *p)
{
    const gs_path_view view = p->paths->view(p->paths_self);
    p->c->loops = view.loops;
    p->outdated |= view.knowledge != p->knowledge;
}

void gs_routes_enter(gs_routes *p)
{
    gs_fast *c = p->c;
    p->paths->lend(p->paths_self, &c->stack);
    c->arrival = c->stack.arrives_at == p->machine->hart.pc ? c->stack.arrival : GS_ARRIVAL_ONWARDS;
    c->loops = p->paths->view(p->paths_self).loops;
}

void gs_routes_leave(gs_routes *p, gs_addr pc, gs_addr last, bool inside)
{
    gs_fast *c = p->c;
    const bool arrives = !inside && c->arrival != GS_ARRIVAL_ONWARDS;
    c->stack.arrives_at = arrives ? pc : GS_CALL_NO_PC;
    c->stack.arrival = arrives ? (gs_arrival)c->arrival : GS_ARRIVAL_UNKNOWN;
    c->stack.last = last == GS_FAST_LEFT ? GS_CALL_NO_PC : last;
}

void gs_routes_follow(gs_routes *p, gs_fast_edge *edge)
{
    gs_fast *c = p->c;
    gs_move move;
    if (!gs_automaton_move(p->automaton, edge, &move)) {
        if (edge->move == GS_MOVE_UNSEEN) {
            edge->move = GS_MOVE_LOCAL;
            edge->arrival = GS_ARRIVAL_ONWARDS;
        }
        c->arrival = edge->arrival;
        return;
    }
    move.sp = c->sp;
    move.goal = c->pc;
    move.instructions =
        p->machine->hart.instret + gs_fast_instructions(c->cost - p->schedule->cost_before);
    if (edge->move == GS_MOVE_UNSEEN) {
        gs_arrival arrival;
        edge->move = (uint8_t)p->paths->classify(p->paths_self, &move, &arrival);
        edge->arrival = (uint8_t)arrival;
    }
    c->arrival = edge->arrival;
    if (edge->move != GS_MOVE_LOCAL) {
        const gs_arrival arrival =
            p->paths->follow(p->paths_self, &move, !gs_automaton_calls(edge));
        if (arrival != GS_ARRIVAL_UNKNOWN)
            c->arrival = arrival;
    }
    look_at_loops(p);
}
