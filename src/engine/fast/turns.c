#include "engine/fast/engine_parts.h"

gs_fast_node *gs_turns_node(gs_fast_engine *e, gs_stretch *s, unsigned state, uint64_t path)
{
    gs_fast_node *node =
        gs_automaton_node(e->automaton, s, s->usual->known[state].state, path);
    if (!node)
        gs_fast_fail(e);
    return node;
}

static uint64_t *skips(gs_fast_block *block, const gs_stretch *s, unsigned state)
{
    return &block->cells[s->usual->skip + state - 1].count;
}

static uint64_t surcharge(const gs_stretch *s, unsigned state)
{
    return (uint64_t)s->usual->known[state].cycles * GS_FAST_CYCLE;
}

void gs_turns_give_up(gs_fast_engine *e, gs_fast_block *block, const gs_stretch *s, unsigned state)
{
    if (state == 0)
        return;
    *skips(block, s, state) += 1;
    e->c->cost -= surcharge(s, state);
}

/* Control comes to a stretch in any state. Close to the end of time it is not worth being known. */
static void arrive(gs_fast_engine *e, gs_fast_block *block, gs_stretch *s, gs_fast_state *state)
{
    gs_fast *c = e->c;
    const int known = gs_usual_state(e->automaton, &e->arena, s, state);
    c->state = 0;
    if (known == 0)
        return;
    if (known > 0 && (int64_t)(c->cost + surcharge(s, (unsigned)known)) >= 0) {
        c->state = (uint32_t)known;
        *skips(block, s, c->state) -= 1;
        c->cost += surcharge(s, c->state);
        return;
    }
    c->special = gs_automaton_node(e->automaton, s, state, block->path);
    if (!c->special)
        gs_fast_fail(e);
    c->cost = gs_fast_look(c->cost);
}

static void enter(gs_fast *c, gs_fast_block *block, uint32_t number, uint32_t after)
{
    gs_fast_engine *e = c->engine;
    gs_stretch *s = e->stretches.items[number].stretch;
    struct gs_recent_entry *recent = &e->recent_entries[(number * 31 + after) % GS_RECENT_ENTRIES];
    if (recent->stretch == s && recent->after == after &&
        (int64_t)(c->cost + recent->surcharge) >= 0) {
        c->state = recent->state;
        *skips(block, s, c->state) -= 1;
        c->cost += recent->surcharge;
        return;
    }
    arrive(e, block, s, gs_automaton_state(e->automaton, after));
    if (c->state > 0)
        *recent = (struct gs_recent_entry){s, after, c->state, surcharge(s, c->state)};
}

static unsigned hash(const gs_fast_node *node, unsigned way, uint64_t key, gs_addr goal)
{
    uint64_t mixed =
        ((uintptr_t)node + way) * 0x9e3779b97f4a7c15u ^ (key + goal) * 0xbf58476d1ce4e5b9u;
    return (unsigned)(mixed >> 32) % GS_RECENT_EDGES;
}

/* The edge of a way. NULL when memory is out. */
static gs_fast_edge *edge_of(gs_fast_engine *e, gs_fast_node *node, unsigned way, uint64_t key,
                             gs_addr goal)
{
    gs_fast_edge **recent = &e->recent[hash(node, way, key, goal)], *edge = *recent;
    if (!edge || edge->from != node || edge->key != key || edge->way != way ||
        (edge->goal != goal && edge->goal != 0)) {
        edge = gs_automaton_edge(e->automaton, node, way, key, goal);
        if (!edge)
            gs_fast_fail(e);
        *recent = edge;
    }
    return edge;
}

/* A way from a known state, with nothing unusual on it: as the code itself takes it. */
static gs_fast_edge *take_usual(gs_fast_engine *e, gs_fast_block *block, gs_stretch *s,
                                unsigned way, gs_addr goal)
{
    const gs_usual_way *usual = &s->usual->ways[way];
    gs_fast_node *node = gs_turns_node(e, s, 0, block->path);
    gs_fast_edge *edge = node ? edge_of(e, node, way, 0, goal) : NULL;
    if (edge && gs_usual_counting(s, way, e->bulk != NULL) == GS_COUNTED_IN_EDGE) {
        block->cells[s->usual->cell + way].edge = edge;
        if (usual->goal && usual->state > 0)
            *skips(block, usual->goal, usual->state) += 1; /* see arrive() */
    }
    return edge;
}

/* Any other way. */
static gs_fast_edge *take_special(gs_fast_engine *e, gs_fast_block *block, gs_stretch *s,
                                  unsigned way, unsigned state, gs_addr goal)
{
    gs_fast *c = e->c;
    gs_fast_node *node = c->special;
    const uint64_t key = c->key;
    if (node || key != 0)
        c->cost = gs_fast_looked(c->cost);
    if (!node) {
        gs_turns_give_up(e, block, s, state);
        node = gs_turns_node(e, s, state, block->path);
    }
    c->special = NULL;
    c->key = 0;
    e->fetch_count = 0;
    gs_fast_edge *edge = node ? edge_of(e, node, way, key, goal) : NULL;
    if (edge && edge->lesson->stray && s->ways[way].stray >= 0)
        gs_lookups_bring_in(e, edge->lesson->stray);
    return edge;
}

static bool is_usual(gs_fast_engine *e, gs_stretch *s, unsigned way, gs_addr goal)
{
    if (e->c->special || e->c->key != 0)
        return false;
    if (s->usual->ways[way].lesson)
        return true;
    return gs_way_is_indirect(&s->ways[way]) && gs_usual_holds(e->automaton, s, way, goal);
}

/* Where call paths are followed: what the jump is to them. */
static void follow(gs_fast_engine *e, gs_fast_block *block, const gs_stretch *s, gs_fast_edge *edge)
{
    gs_fast *c = e->c;
    c->edge = edge;
    c->last = s->steps[edge->lesson->steps - 1].pc;
    gs_routes_follow(&e->routes, edge);
    const uint64_t path = c->stack.top->path;
    if (edge->path != path || !edge->block) {
        edge->path = path;
        edge->block = edge->goal ? gs_block_at(e, edge->goal, path) : NULL;
    }
    c->block = edge->block;
    uint64_t *count = &block->cells[s->usual->cell + edge->way].count;
    if (edge->move == GS_MOVE_LOCAL &&
        gs_usual_counting(s, edge->way, true) == GS_COUNTED_LATER && *count == UINT64_MAX)
        *count = 0; /* from now on it counts by itself */
}

static bool turn(gs_fast *c, gs_fast_block *block, uint32_t number, unsigned way, unsigned state,
                 uint32_t goal)
{
    gs_fast_engine *e = c->engine;
    gs_stretch *s = e->stretches.items[number].stretch;
    gs_fast_edge *edge = is_usual(e, s, way, goal)
                             ? take_usual(e, block, s, way, goal)
                             : take_special(e, block, s, way, state, goal);
    c->pc = goal;
    if (!edge)
        return false;
    edge->count++;
    c->cost += edge->cost;
    c->after = edge->after;
    c->block = block;
    if (e->bulk)
        follow(e, block, s, edge);
    if ((int64_t)c->cost < 0 || e->failed || e->routes.outdated)
        return false;
    gs_stretch *next = s->usual->ways[way].goal;
    if (next)
        arrive(e, c->block, next, edge->lesson->after);
    return true;
}

void gs_turns_open(gs_fast_engine *e)
{
    e->c->turn = turn;
    e->c->enter = enter;
}
