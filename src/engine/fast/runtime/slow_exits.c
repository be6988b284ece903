/*
 * Takes the memoized transition for the events of a visit, and finds where translated code goes on.
 */
#include "engine/fast/runtime/slow_exits.h"

#include <assert.h>

#include "engine/fast/runtime/engine_parts.h"

gs_fast_node *gs_slow_exits_node(gs_fast_engine *e, gs_superblock *s, unsigned state, uint64_t path)
{
    gs_fast_node *node = gs_automaton_node(e->automaton, s, s->predicted->known[state].state, path);
    if (!node)
        gs_fast_fail(e);
    return node;
}

static uint64_t *skips(gs_count_block *block, const gs_superblock *s, unsigned state)
{
    return &block->cells[s->predicted->skip + state - 1].count;
}

static uint64_t penalty(const gs_superblock *s, unsigned state)
{
    return (uint64_t)s->predicted->known[state].cycles * GS_FAST_CYCLE;
}

void gs_slow_exits_give_up(gs_fast *c, gs_count_block *block, const gs_superblock *s,
                           unsigned state)
{
    if (state == 0)
        return;
    *skips(block, s, state) += 1;
    c->cost -= penalty(s, state);
}

/* Enters a superblock in a known state other than the first, and adds the penalty of that state
 * to the cost. False, with nothing changed, if the slice would end by that. */
static bool arrive_known(gs_fast *c, gs_count_block *block, const gs_superblock *s, unsigned state)
{
    const uint64_t more = penalty(s, state);
    if ((int64_t)(c->cost + more) < 0)
        return false;
    c->state = state;
    c->cost += more;
    *skips(block, s, state) -= 1;
    return true;
}

/* Enters a superblock in a state that is not known, by its node. */
static void arrive_specially(gs_fast *c, gs_fast_node *special)
{
    c->state = 0;
    c->special = special;
    c->cost = gs_fast_set_slow(c->cost);
}

/* Enters a superblock in any state. True if it will be entered the same way next time; not so
 * for a known state that was entered by its node because the slice is about to end. */
static bool arrive(gs_fast_engine *e, gs_count_block *block, gs_superblock *s, gs_fast_state *state)
{
    const int known = gs_predict_state(e->automaton, &e->arena, s, state);
    e->c->state = 0;
    if (known == 0 || (known > 0 && arrive_known(e->c, block, s, (unsigned)known)))
        return true;
    arrive_specially(e->c, gs_automaton_node(e->automaton, s, state, block->path));
    if (!e->c->special)
        gs_fast_fail(e);
    return known < 0;
}

/* What an unpredicted entry takes, in units of GS_FAST_UNPREDICTED_SAMPLE: if it is found among
 * the recent ones, and if not. */
enum { AGAIN = 1, ANEW = 16 };

static void enter(gs_fast *c, const gs_stub_args *args)
{
    gs_fast_engine *e = c->engine;
    gs_count_block *block = gs_args_block(c, args);
    const uint32_t number = (uint32_t)args->number, after = (uint32_t)args->at;
    gs_numbered *numbered = gs_code_table_numbered(&e->table, number);
    gs_recent_entry *entered = &e->slow_exits.entries[(after ^ number * 37u) % GS_RECENT_ENTRIES];
    const bool again =
        entered->number == number && entered->after == after &&
        (entered->special ? entered->block == block : (int64_t)(c->cost + entered->penalty) >= 0);
    const unsigned effort = again && !entered->special ? AGAIN : ANEW;
    e->slow_exits.unpredicted += effort;
    numbered->code->unpredicted += effort;
    if (again && entered->special) {
        arrive_specially(c, entered->special);
        return;
    }
    if (again) {
        c->state = entered->state;
        block->cells[entered->skips].count--;
        c->cost += entered->penalty;
        return;
    }
    gs_superblock *s = numbered->superblock;
    if (s->pc == numbered->code->superblocks[0].pc)
        gs_fast_point_to(e, s->pc);
    const bool always = arrive(e, block, s, gs_automaton_state(e->automaton, after));
    const uint32_t state = (uint32_t)c->state;
    if (state != 0)
        *entered = (gs_recent_entry){.number = number,
                                     .after = after,
                                     .skips = s->predicted->skip + state - 1,
                                     .state = state,
                                     .penalty = penalty(s, state)};
    else if (always && c->special)
        *entered = (gs_recent_entry){
            .number = number, .after = after, .special = c->special, .block = block};
}

static gs_recent_slow_exit *recent_slow_exit(gs_slow_exits *slow, const void *from, uint64_t key,
                                             uint64_t place)
{
    const uint64_t mixed = ((uintptr_t)from + place) * 0x9e3779b97f4a7c15u ^
                           (key + (place >> 32)) * 0xbf58476d1ce4e5b9u;
    return &slow->recent[(mixed >> 32) % GS_RECENT_SLOW_EXITS];
}

static uint64_t place_of(const gs_superblock *s, unsigned exit, unsigned state, gs_addr goal)
{
    return (uint64_t)goal << 32 | s->number << 8 | exit << 4 | state;
}
static_assert(GS_SUPERBLOCK_EXITS <= 16 && GS_KNOWN_MAX <= 16, "place_of");

/* The edge of an exit. NULL when memory is out. */
static gs_fast_edge *edge_of(gs_fast_engine *e, gs_fast_node *node, unsigned exit, uint64_t key,
                             gs_addr goal)
{
    gs_fast_edge *edge = node ? gs_automaton_edge(e->automaton, node, exit, key, goal) : NULL;
    if (!edge)
        gs_fast_fail(e);
    return edge;
}

/* The edge of an exit from the first known state, with all outcomes as predicted. */
static gs_fast_edge *predicted_edge(gs_fast_engine *e, gs_count_block *block, gs_superblock *s,
                                    unsigned exit, gs_addr goal)
{
    const uint64_t place = place_of(s, exit, 0, goal);
    gs_recent_slow_exit *recent = recent_slow_exit(&e->slow_exits, block, 0, place);
    if (recent->from == block && recent->key == 0 && recent->place == place)
        return recent->edge;
    gs_fast_edge *edge = edge_of(e, gs_slow_exits_node(e, s, 0, block->path), exit, 0, goal);
    if (edge)
        *recent = (gs_recent_slow_exit){block, 0, place, edge};
    return edge;
}

/* The edge of an exit whose cost is the same from all known states but for their penalties, as
 * generated code assumes; NULL if there is none. */
static gs_fast_edge *take_predicted(gs_fast_engine *e, gs_count_block *block, gs_superblock *s,
                                    unsigned exit, gs_addr goal)
{
    const gs_predicted_exit *predicted = &s->predicted->exits[exit];
    if (!predicted->transition && !gs_sb_exit_is_indirect(&s->exits[exit]))
        return NULL;
    gs_fast_edge *edge = predicted_edge(e, block, s, exit, goal);
    if (!edge)
        return NULL;
    if (edge->holds == 0)
        edge->holds =
            predicted->transition || gs_predict_holds(e->automaton, s, exit, goal) ? 1 : 2;
    if (edge->holds == 2)
        return NULL;
    if (gs_predict_counting(s, exit, e->observers->paths != NULL) == GS_COUNTED_IN_EDGE) {
        const uint32_t cell = s->predicted->cell + exit;
        edge->cell = gs_place_of(e->c, &block->cells[cell]);
        block->cells[cell].edge = edge;
        e->c->jumps[gs_fast_jump_slot(goal, edge->cell)] = edge;
    }
    return edge;
}

/* Takes any other exit. */
static gs_fast_edge *take_special(gs_fast_engine *e, gs_count_block *block, gs_superblock *s,
                                  unsigned exit, unsigned state, gs_addr goal)
{
    gs_fast *c = e->c;
    gs_fast_node *node = c->special;
    const void *from = node ? (const void *)node : block;
    const uint64_t key = c->key, place = place_of(s, exit, node ? 0 : state, goal);
    if (!node)
        gs_slow_exits_give_up(c, block, s, state);
    c->special = NULL;
    c->key = 0;
    gs_recent_slow_exit *recent = recent_slow_exit(&e->slow_exits, from, key, place);
    gs_fast_edge *edge = recent->edge;
    if (recent->from != from || recent->key != key || recent->place != place) {
        if (!node)
            node = gs_slow_exits_node(e, s, state, block->path);
        edge = edge_of(e, node, exit, key, goal);
        if (!edge)
            return NULL;
        *recent = (gs_recent_slow_exit){from, key, place, edge};
    }
    if (edge->transition->wrong_path && s->exits[exit].wrong_path >= 0)
        gs_icache_bring_in(&e->icache, edge->transition->wrong_path);
    return edge;
}

/* Repeats what a jump did last time on the call stack. False: it is not the same this time, and
 * the observer has to follow it. */
static bool follow_again(gs_fast *c, const gs_superblock *s, const gs_fast_edge *edge)
{
    const gs_sb_exit *exit = &s->exits[edge->exit];
    switch (edge->move) {
    case GS_MOVE_LOCAL: return edge->path == c->stack.top->path;
    case GS_MOVE_CALL:
        if (!GS_CALL_HAS_ROOM(&c->stack))
            return false;
        gs_call_push(&c->stack, edge->path, exit->back, c->sp);
        return true;
    case GS_MOVE_TAIL:
        if (!GS_CALL_HAS_ROOM(&c->stack) ||
            (gs_sb_exit_is_indirect(exit) && !GS_CALL_IS_LEVEL(&c->stack, c->sp)))
            return false;
        gs_call_push_tail(&c->stack, edge->path);
        return true;
    case GS_MOVE_RETURN:
        if (!GS_CALL_CAN_POP(&c->stack, c->pc, c->sp))
            return false;
        gs_call_pop(&c->stack);
        return true;
    default: return false;
    }
}

/* The slow exit that a cell of GS_COUNTED_LATER waits for has been taken: from now on the cell
 * counts from 0. If it also counts the iterations of a loop, those so far are kept. */
static void count_from_now_on(gs_fast *c, uint64_t *count, const gs_superblock *goal)
{
    if (*count != GS_NOT_YET)
        return;
    gs_loop_run *loop = goal && goal->loop ? &c->loops[goal->loop - 1] : NULL;
    const uint64_t iterations = loop ? gs_loop_run_iterations(loop) : 0;
    *count = 0;
    if (loop && loop->counter == count)
        gs_loop_run_count_in(loop, iterations, count);
}

/* Where call paths are followed: makes the jump on the call stack. */
static void follow(gs_fast_engine *e, gs_count_block *block, const gs_superblock *s,
                   gs_fast_edge *edge)
{
    gs_fast *c = e->c;
    c->arrival = edge->arrival;
    c->last = s->steps[edge->transition->steps - 1].pc;
    if ((edge->goal && !edge->block) || !follow_again(c, s, edge)) {
        gs_routes_follow(&e->routes, edge);
        const uint64_t path = c->stack.top->path;
        if (edge->path != path || !edge->block) {
            edge->path = path;
            edge->block = edge->goal ? gs_count_block_at(e, edge->goal, path) : NULL;
        }
    }
    c->block = edge->block;
    if ((edge->move == GS_MOVE_LOCAL || edge->move == GS_MOVE_RETURN) &&
        gs_predict_counting(s, edge->exit, true) == GS_COUNTED_LATER)
        count_from_now_on(c, &block->cells[s->predicted->cell + edge->exit].count,
                          s->predicted->exits[edge->exit].goal);
}

/* Lets the code make this call by itself from now on. */
static void know_target(gs_count_block *block, const gs_superblock *s, const gs_fast_edge *edge)
{
    uintptr_t *target = &block->cells[s->predicted->exits[edge->exit].target].target;
    if (edge->block && edge->move == GS_MOVE_CALL)
        *target = (uintptr_t)edge->block;
    else if (edge->block && edge->move == GS_MOVE_LOCAL)
        *target = (uintptr_t)edge->block + GS_FAST_TARGET_LOCAL;
}

/* The time is up when an exit was taken from a state, with a key. */
static bool renew(gs_fast_engine *e, gs_superblock *s, gs_fast_state *state, unsigned exit,
                  uint64_t key, uint64_t begun)
{
    gs_visit_end visit = {.begun = begun};
    if (e->observers->crosses) {
        visit.transition =
            gs_automaton_transition_with(e->automaton, s, state, exit, e->c->pc, key);
        if (!visit.transition) {
            gs_fast_fail(e);
            return false;
        }
    }
    return gs_fast_renew(e, &visit);
}

static bool take(gs_fast_engine *e, gs_count_block *block, gs_superblock *s, unsigned exit,
                 unsigned state, gs_addr goal)
{
    gs_fast *c = e->c;
    gs_fast_edge *edge = NULL;
    c->pc = goal;
    c->cost = gs_fast_clear_slow(c->cost);
    const uint64_t key = c->key | gs_penalty_key(&e->penalties, s, c->cost), begun = c->cost;
    gs_fast_state *from = c->special ? c->special->state : s->predicted->known[state].state;
    if (!c->special && c->key == 0)
        edge = take_predicted(e, block, s, exit, goal);
    const bool predicted = edge != NULL;
    if (!edge)
        edge = take_special(e, block, s, exit, state, goal);
    if (!edge)
        return false;
    gs_tally_edge(&e->tally, edge);
    c->cost += edge->cost;
    c->after = edge->after;
    c->block = block;
    if (e->observers->paths)
        follow(e, block, s, edge);
    if (predicted && gs_predict_counting(s, exit, e->observers->paths != NULL) == GS_COUNTED_CALL)
        know_target(block, s, edge);
    const bool goes_on = (int64_t)c->cost >= 0 || renew(e, s, from, exit, key, begun);
    if (e->failed || e->routes.outdated || !goes_on)
        return false;
    gs_superblock *next = s->predicted->exits[exit].goal;
    if (!next || c->block != block)
        return !e->schedule.closing; /* there, exits would not be slow */
    if (edge->arrives == 0) {
        c->state = 0;
        return true;
    }
    if (edge->arrives > 0 && arrive_known(c, block, next, (unsigned)edge->arrives))
        return true;
    if (edge->special) {
        arrive_specially(c, edge->special);
        return true;
    }
    const bool always = arrive(e, block, next, edge->transition->after);
    if (!c->special)
        edge->arrives = (int8_t)c->state;
    else if (always)
        edge->special = c->special;
    return true;
}

static void slow_exit(gs_fast *c, const gs_stub_args *args)
{
    gs_fast_engine *e = c->engine;
    gs_count_block *block = gs_args_block(c, args);
    gs_superblock *s = gs_code_table_numbered(&e->table, args->number)->superblock;
    const unsigned exit = (unsigned)args->how & (GS_FAST_COUNTED - 1);
    const gs_predicted_exit *predicted = &s->predicted->exits[exit];
    if (args->how & GS_FAST_COUNTED) {
        block->cells[s->predicted->cell + exit].count -= !predicted->inferred;
        c->cost -= gs_predict_cost(predicted);
    }
    gs_moved_otherwise(block, s, -1);
    gs_icache_use(&e->icache, s, exit);
    c->answer = take(e, block, s, exit, (unsigned)args->state, (gs_addr)args->at);
    if (c->answer && gs_predict_next(predicted))
        gs_moved_otherwise(block, gs_predict_next(predicted), 1);
    if (c->answer && e->schedule.closing)
        c->cost = gs_fast_set_slow(c->cost);
}

void gs_slow_exits_open(gs_slow_exits *slow, gs_fast *c)
{
    for (unsigned i = 0; i < GS_RECENT_ENTRIES; i++)
        slow->entries[i].number = UINT32_MAX;
    c->slow_exit = slow_exit;
    c->enter = enter;
}
