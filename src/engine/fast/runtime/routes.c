#include "engine/fast/runtime/routes.h"

static void arrive(gs_fast *c, const gs_stub_args *args)
{
    const gs_bulk *bulk = c->routes->bulk;
    bulk->arrive(bulk->self, (uint32_t)args->number, (uint8_t)args->state,
                 (const uint64_t *)(uintptr_t)args->at);
}

static void resume(gs_fast *c, const gs_stub_args *args)
{
    const gs_bulk *bulk = c->routes->bulk;
    const uint32_t number = (uint32_t)args->number;
    gs_fast_loop *loop = &c->loops[number];
    c->answer = bulk->resume_loop(bulk->self, number);
    if (c->answer)
        gs_fast_loop_count_in(loop, gs_fast_loop_iterations(loop),
                              (const uint64_t *)(uintptr_t)args->at);
}

void gs_routes_open(gs_routes *p, const gs_bulk *bulk, gs_automaton *automaton,
                    const gs_machine *machine, gs_fast *c)
{
    *p = (gs_routes){.bulk = bulk, .automaton = automaton, .machine = machine, .c = c};
    c->routes = p;
    c->arrive = arrive;
    c->resume = resume;
}

/* Whoever has been asked may have come to know of more loops. */
static void look_at_loops(gs_routes *p)
{
    const gs_bulk *bulk = p->bulk;
    p->c->loops = bulk->loops(bulk->self);
    if (bulk->knowledge(bulk->self) != p->knowledge) {
        p->outdated = true;
    }
}

void gs_routes_enter(gs_routes *p)
{
    const gs_bulk *bulk = p->bulk;
    bulk->pause(bulk->self, &p->c->stack);
    p->c->arrival = bulk->expected(bulk->self, p->machine->hart.pc);
    p->c->loops = bulk->loops(bulk->self);
}

void gs_routes_leave(gs_routes *p, gs_addr pc, gs_addr last, bool inside)
{
    const gs_bulk *bulk = p->bulk;
    if (!inside && p->c->arrival != GS_ARRIVAL_ONWARDS)
        bulk->expect(bulk->self, pc, (uint8_t)p->c->arrival);
    else
        bulk->expect(bulk->self, GS_FAST_LEFT, 0);
    bulk->resume(bulk->self, last);
}

void gs_routes_follow(gs_routes *p, gs_fast_edge *edge)
{
    const gs_bulk *bulk = p->bulk;
    gs_fast *c = p->c;
    gs_move move;
    if (!gs_automaton_move(p->automaton, edge, &move)) {
        if (edge->move == GS_MOVE_UNSEEN)
            edge->move = (uint8_t)bulk->judge(bulk->self, NULL, &edge->arrival);
        c->arrival = edge->arrival;
        return;
    }
    move.sp = c->sp;
    move.goal = c->pc;
    move.instructions = p->machine->hart.instret + gs_fast_instructions(c->cost - p->cost_before);
    if (edge->move == GS_MOVE_UNSEEN) {
        bulk->look(bulk->self, &move);
        edge->move = (uint8_t)bulk->judge(bulk->self, &move, &edge->arrival);
    }
    c->arrival = edge->arrival;
    if (edge->move != GS_MOVE_LOCAL) {
        uint8_t arrival = bulk->follow(bulk->self, &move, !gs_automaton_calls(edge));
        if (arrival)
            c->arrival = arrival;
    }
    look_at_loops(p);
}
