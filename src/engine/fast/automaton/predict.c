/*
 * Follows control flow from the entry states of functions to predict the states that superblocks
 * are entered in.
 */
#include "engine/fast/automaton/predict.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/fast/automaton/cells.h"

enum { SEEN_MAX = 12, ORPHANS_MAX = 64, FORWARD = 1, BACKWARD = 8 };

/* The states that a superblock has been reached in, and the weight of each. */
typedef struct place {
    gs_superblock *superblock;
    const gs_code *code;
    struct {
        gs_fast_state *state;
        unsigned weight;
    } seen[SEEN_MAX];
    unsigned seen_count, done; /* how many have been followed */
    bool is_back;              /* a call comes back here */
} place;

/* The functions that are called, and where control comes back. */
typedef struct call {
    gs_addr callee;
    place *back;
} call;

typedef struct explorer {
    gs_automaton *automaton;
    gs_arena *arena;
    gs_code *codes;
    size_t code_count;
    const gs_predict_others *others;
    place *places; /* by pc */
    size_t place_count;
    struct {
        call *items;
        size_t count, capacity;
    } calls;
    gs_pointed orphans; /* a caller is known, or it is assumed that there is none */
    gs_fast_state *after_call, *after_return; /* the states seen so far, or NULL */
    bool changed, failed;
} explorer;

static int by_pc(const void *a, const void *b)
{
    const gs_addr x = ((const place *)a)->superblock->pc, y = ((const place *)b)->superblock->pc;
    return (x > y) - (x < y);
}

static place *place_at(const explorer *x, gs_addr pc)
{
    size_t low = 0, high = x->place_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (x->places[middle].superblock->pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < x->place_count && x->places[low].superblock->pc == pc ? &x->places[low] : NULL;
}

static void reach(explorer *x, place *p, gs_fast_state *state, unsigned weight)
{
    if (!p || !state)
        return;
    for (unsigned i = 0; i < p->seen_count; i++) {
        if (p->seen[i].state == state) {
            p->seen[i].weight += weight;
            return;
        }
    }
    if (p->seen_count == SEEN_MAX)
        return;
    p->seen[p->seen_count].state = state;
    p->seen[p->seen_count++].weight = weight;
    x->changed = true;
}

static gs_transition *transition(explorer *x, const place *p, gs_fast_state *state, unsigned exit,
                                 gs_addr goal)
{
    gs_transition *found = gs_automaton_transition(x->automaton, p->superblock, state, exit, goal);
    x->failed |= !found;
    return found;
}

/* An exit that leaves a function by a return, to all its callers. */
static void come_back(explorer *x, const place *p, gs_fast_state *state, unsigned exit,
                      gs_addr function)
{
    for (size_t i = 0; i < x->calls.count; i++) {
        const call *made = &x->calls.items[i];
        if (made->callee != function)
            continue;
        gs_transition *found = transition(x, p, state, exit, made->back->superblock->pc);
        if (found)
            reach(x, made->back, found->after, FORWARD);
    }
}

/* A call whose target is not known. */
static void call_orphans(explorer *x, const place *p, gs_fast_state *state, unsigned exit)
{
    for (size_t i = 0; i < x->orphans.count; i++) {
        place *callee = place_at(x, x->orphans.items[i]);
        gs_transition *found = callee ? transition(x, p, state, exit, x->orphans.items[i]) : NULL;
        if (found)
            reach(x, callee, found->after, FORWARD);
    }
}

/* A jump whose targets are not known: to all entries that nothing else leads to. */
static void follow_jump(explorer *x, const place *p, gs_fast_state *state, unsigned exit)
{
    for (size_t i = 0; i < p->code->count; i++) {
        gs_superblock *s = &p->code->superblocks[i];
        if (!s->entry || s->pc == p->code->low)
            continue;
        gs_transition *found = transition(x, p, state, exit, s->pc);
        if (found)
            reach(x, place_at(x, s->pc), found->after, FORWARD);
    }
}

static void follow(explorer *x, place *p, gs_fast_state *state)
{
    const gs_superblock *s = p->superblock;
    for (unsigned i = 0; i < s->exit_count; i++) {
        const gs_sb_exit *exit = &s->exits[i];
        gs_transition *found = transition(x, p, state, i, s->pc);
        if (!found)
            return;
        if (exit->kind == GS_SB_EXIT_INDIRECT && exit->flow == GS_FLOW_JUMP_INDIRECT)
            follow_jump(x, p, state, i);
        else if (exit->kind == GS_SB_EXIT_INDIRECT)
            come_back(x, p, state, i, p->code->low);
        else if (exit->kind == GS_SB_EXIT_CALL_INDIRECT)
            call_orphans(x, p, state, i);
        if (exit->kind == GS_SB_EXIT_INDIRECT && !x->after_return)
            x->after_return = found->after;
        if (exit->kind == GS_SB_EXIT_CALL && !x->after_call)
            x->after_call = found->after;
        if (!gs_sb_exit_is_indirect(exit))
            reach(x, place_at(x, exit->goal), found->after,
                  exit->goal <= s->pc && exit->kind == GS_SB_EXIT_ONWARD ? BACKWARD : FORWARD);
    }
}

static void follow_all(explorer *x)
{
    do {
        x->changed = false;
        for (size_t i = 0; i < x->place_count; i++) {
            place *p = &x->places[i];
            while (p->done < p->seen_count && !x->failed)
                follow(x, p, p->seen[p->done++].state);
        }
    } while (x->changed && !x->failed);
}

/* Starts at entries, as if nothing had been executed before. */
static void reach_entries(explorer *x)
{
    for (size_t i = 0; i < x->place_count; i++) {
        place *p = &x->places[i];
        if (!p->superblock->entry)
            continue;
        gs_fast_state *rest = gs_automaton_rest(x->automaton, p->superblock->pc);
        reach(x, p, rest, 0);
    }
}

static bool is_orphan(const explorer *x, gs_addr function)
{
    for (size_t i = 0; i < x->orphans.count; i++) {
        if (x->orphans.items[i] == function)
            return true;
    }
    return false;
}

/* Entries that no edge found here leads to: code elsewhere calls them, or they call it and it
 * comes back. A call of an orphan leaves the pipeline as a return does. */
static void reach_others(explorer *x)
{
    for (size_t i = 0; i < x->place_count; i++) {
        place *p = &x->places[i];
        unsigned weight = 0;
        for (unsigned k = 0; k < p->seen_count; k++)
            weight += p->seen[k].weight;
        const bool called = p->superblock->pc == p->code->low && !is_orphan(x, p->code->low);
        gs_fast_state *likely = called ? x->after_call : x->after_return;
        if (weight > 0 || (p->seen_count > 0 && !likely))
            continue;
        if (!likely)
            likely = gs_automaton_rest(x->automaton, p->superblock->pc);
        reach(x, p, likely, FORWARD);
    }
}

static void add_orphan(explorer *x, gs_addr function)
{
    if (x->orphans.count < ORPHANS_MAX && !is_orphan(x, function) &&
        !gs_vec_push(&x->orphans, function))
        x->failed = true;
}

/* The edges out of some superblocks whose targets the code states. */
static void add_goals(explorer *x, gs_pointed *goals, const gs_superblock *superblocks,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < superblocks[i].exit_count; k++) {
            const gs_sb_exit *exit = &superblocks[i].exits[k];
            if (!gs_sb_exit_is_indirect(exit) && !gs_vec_push(goals, exit->goal))
                x->failed = true;
        }
    }
}

static int by_address(const void *a, const void *b)
{
    const gs_addr x = *(const gs_addr *)a, y = *(const gs_addr *)b;
    return (x > y) - (x < y);
}

static void add_unless_goal(explorer *x, const gs_pointed *goals, gs_addr function)
{
    if (!bsearch(&function, goals->items, goals->count, sizeof function, by_address))
        add_orphan(x, function);
}

static void find_orphans(explorer *x)
{
    const gs_predict_others *others = x->others;
    gs_pointed goals = {0};
    for (size_t i = 0; i < others->pointed->count; i++)
        add_orphan(x, others->pointed->items[i]);
    for (size_t i = 0; i < x->code_count; i++)
        add_goals(x, &goals, x->codes[i].superblocks, x->codes[i].count);
    for (size_t i = 0; i < others->count; i++)
        add_goals(x, &goals, others->items[i].superblocks, others->items[i].count);
    if (goals.count > 0) { /* or nothing could call them */
        qsort(goals.items, goals.count, sizeof *goals.items, by_address);
        for (size_t i = 0; i < x->code_count; i++)
            add_unless_goal(x, &goals, x->codes[i].low);
        for (size_t i = 0; i < others->count; i++)
            add_unless_goal(x, &goals, others->items[i].superblocks[0].pc);
    }
    free(goals.items);
}

static void add_call(explorer *x, gs_addr callee, place *back)
{
    const call made = {callee, back};
    if (!gs_vec_push(&x->calls, made))
        x->failed = true;
}

static void find_calls(explorer *x)
{
    find_orphans(x);
    for (size_t i = 0; i < x->place_count; i++) {
        const gs_superblock *s = x->places[i].superblock;
        for (unsigned k = 0; k < s->exit_count; k++) {
            const gs_sb_exit *exit = &s->exits[k];
            if (exit->kind != GS_SB_EXIT_CALL && exit->kind != GS_SB_EXIT_CALL_INDIRECT)
                continue;
            place *back = place_at(x, exit->back);
            if (!back)
                continue;
            back->is_back = true;
            if (exit->kind == GS_SB_EXIT_CALL)
                add_call(x, exit->goal, back);
            for (size_t n = 0; exit->kind == GS_SB_EXIT_CALL_INDIRECT && n < x->orphans.count; n++)
                add_call(x, x->orphans.items[n], back);
        }
    }
}

/* Edges into this code from code that has been translated before, by calls or returns. */
static void reach_from_others(explorer *x)
{
    for (size_t i = 0; i < x->others->count; i++) {
        const struct gs_predict_other *other = &x->others->items[i];
        for (size_t k = 0; k < other->count; k++) {
            const place from = {.superblock = &other->superblocks[k]};
            gs_fast_state *state = from.superblock->predicted->known[0].state;
            for (unsigned n = 0; n < from.superblock->exit_count && !x->failed; n++) {
                const gs_sb_exit *exit = &from.superblock->exits[n];
                place *goal = gs_sb_exit_is_indirect(exit) ? NULL : place_at(x, exit->goal);
                const gs_transition *found = goal ? transition(x, &from, state, n, 0) : NULL;
                if (found)
                    reach(x, goal, found->after, FORWARD);
                if (exit->kind == GS_SB_EXIT_CALL_INDIRECT)
                    call_orphans(x, &from, state, n);
                if (exit->kind == GS_SB_EXIT_INDIRECT && exit->flow == GS_FLOW_RETURN)
                    come_back(x, &from, state, n, other->superblocks[0].pc);
            }
        }
    }
}

/* Whether a state differs from the first one by the same charges on every exit. For an exit
 * whose target the code does not state, one target serves as an example. */
static bool has_penalty(gs_automaton *a, gs_superblock *s, gs_fast_state *state, gs_difference *all)
{
    for (unsigned i = 0; i < s->exit_count; i++) {
        gs_difference d;
        const gs_transition *first = gs_automaton_transition(a, s, s->predicted->known[0].state, i,
                                                             s->pc),
                            *other = gs_automaton_transition(a, s, state, i, s->pc);
        if (!first || !other || !gs_difference_of(other, first, &d) ||
            (i > 0 && !gs_difference_equals(&d, all)))
            return false;
        *all = d;
    }
    return true;
}

/* False when memory is out. */
static bool add_known(gs_arena *arena, gs_superblock *s, gs_fast_state *state,
                      const gs_difference *d)
{
    gs_known *known = &s->predicted->known[s->predicted->known_count];
    *known =
        (gs_known){.state = state, .charge_count = d->count, .cycles = gs_difference_cycles(d)};
    if (d->count > 0) {
        known->charges = gs_arena_alloc(arena, d->count * sizeof *d->charges);
        if (!known->charges)
            return false;
        memcpy(known->charges, d->charges, d->count * sizeof *d->charges);
    }
    s->predicted->known_count++;
    return true;
}

static int known_state(const gs_superblock *superblock, const gs_fast_state *state)
{
    for (unsigned i = 0; i < superblock->predicted->known_count; i++) {
        if (superblock->predicted->known[i].state == state)
            return (int)i;
    }
    return -1;
}

static gs_entry_states *new_entry_states(explorer *x, const gs_superblock *s, gs_fast_state *first)
{
    const size_t size = sizeof(gs_entry_states) + s->exit_count * sizeof(gs_predicted_exit);
    gs_entry_states *predicted = gs_arena_alloc(x->arena, size);
    if (!predicted) {
        x->failed = true;
        return NULL;
    }
    memset(predicted, 0, size);
    predicted->known[0].state = first;
    predicted->known_count = 1;
    return predicted;
}

/* The index of a state among the known ones, or -1; it becomes known if possible. */
static int make_known(explorer *x, gs_superblock *s, gs_fast_state *state)
{
    const int known = known_state(s, state);
    gs_difference d;
    if (known >= 0 || s->predicted->known_count == GS_KNOWN_MAX || s->predicted->refused == state)
        return known;
    if (!has_penalty(x->automaton, s, state, &d)) {
        s->predicted->refused = state;
        return -1;
    }
    if (!add_known(x->arena, s, state, &d)) {
        x->failed = true;
        return -1;
    }
    return s->predicted->known_count - 1;
}

static void choose(explorer *x, place *p)
{
    gs_superblock *s = p->superblock;
    unsigned best = 0;
    for (unsigned i = 1; i < p->seen_count; i++) {
        if (p->seen[i].weight > p->seen[best].weight)
            best = i;
    }
    s->predicted = new_entry_states(x, s, p->seen[best].state);
    for (unsigned i = 0; i < p->seen_count && !x->failed; i++)
        (void)make_known(x, s, p->seen[i].state);
}

/* The superblock to go on with in a state: the original or a clone. NULL if there is none, and
 * no room for one. */
static gs_superblock *goal_for(explorer *x, gs_code *code, gs_superblock *goal,
                               gs_fast_state *state)
{
    if (known_state(goal, state) >= 0)
        return goal;
    unsigned clones = 0;
    for (size_t i = code->count; i < code->count + code->clones; i++) {
        gs_superblock *clone = &code->superblocks[i];
        if (clone->pc != goal->pc)
            continue;
        if (make_known(x, clone, state) >= 0)
            return clone;
        clones++;
    }
    if (clones == GS_CLONES_MAX || code->clones == code->room)
        return NULL;
    gs_superblock *clone = &code->superblocks[code->count + code->clones];
    *clone = *goal;
    clone->entry = false;
    clone->clone = (uint8_t)(clones + 1);
    clone->predicted = new_entry_states(x, clone, state);
    if (!clone->predicted)
        return NULL;
    code->clones++;
    return clone;
}

/* Entries are reached in other states that make a difference, too: makes a clone for each of
 * them, while there is room for the superblocks that the clones lead to. */
static void choose_clones(explorer *x, gs_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        gs_superblock *s = &code->superblocks[i];
        const place *p = place_at(x, s->pc);
        for (unsigned k = 0; (s->entry || p->is_back) && k < p->seen_count && !x->failed; k++) {
            if (p->seen[k].weight > 0 && code->clones < code->room / 2 + 2)
                (void)goal_for(x, code, s, p->seen[k].state);
        }
    }
}

/* Predicts the exits once all known states are there. */
static void choose_exits(explorer *x, gs_code *code, gs_superblock *s)
{
    for (unsigned i = 0; i < s->exit_count && !x->failed; i++) {
        gs_predicted_exit *exit = &s->predicted->exits[i];
        if (gs_sb_exit_is_indirect(&s->exits[i]) &&
            !gs_automaton_is_uniform(x->automaton, &s->exits[i]))
            continue;
        exit->transition =
            gs_automaton_transition(x->automaton, s, s->predicted->known[0].state, i, 0);
        x->failed |= !exit->transition;
        gs_superblock *goal =
            s->exits[i].kind == GS_SB_EXIT_ONWARD ? gs_code_at(code, s->exits[i].goal) : NULL;
        if (!goal || !exit->transition)
            continue;
        exit->goal = goal_for(x, code, goal, exit->transition->after);
        if (exit->goal) {
            exit->state = (uint8_t)known_state(exit->goal, exit->transition->after);
        } else {
            exit->goal = goal;
            exit->transition = NULL;
        }
    }
}

/* Whether the code of a superblock has to keep track of which of the known states it is in. */
static void make_room(const explorer *x, gs_superblock *s)
{
    const place *p = place_at(x, s->pc);
    s->predicted->has_room =
        s->predicted->known_count > 1 || (!s->clone && (s->entry || p->is_back));
}

static bool make_places(explorer *x)
{
    for (size_t i = 0; i < x->code_count; i++)
        x->place_count += x->codes[i].count;
    x->places = calloc(x->place_count + 1, sizeof *x->places);
    if (!x->places)
        return false;
    size_t made = 0;
    for (size_t i = 0; i < x->code_count; i++) {
        for (size_t k = 0; k < x->codes[i].count; k++)
            x->places[made++] =
                (place){.superblock = &x->codes[i].superblocks[k], .code = &x->codes[i]};
    }
    if (made > 1)
        qsort(x->places, made, sizeof *x->places, by_pc);
    return true;
}

bool gs_predict_find(gs_automaton *automaton, gs_arena *arena, gs_code *codes, size_t count,
                     const gs_predict_others *others)
{
    explorer x = {.automaton = automaton,
                  .arena = arena,
                  .codes = codes,
                  .code_count = count,
                  .others = others};
    if (!make_places(&x))
        return false;
    find_calls(&x);
    reach_from_others(&x);
    reach_entries(&x);
    follow_all(&x);
    reach_others(&x);
    follow_all(&x);
    for (size_t i = 0; i < x.place_count && !x.failed; i++)
        choose(&x, &x.places[i]);
    for (size_t i = 0; i < count; i++) {
        gs_code *code = &codes[i];
        size_t k = 0;
        for (; k < code->count + code->clones && !x.failed; k++)
            choose_exits(&x, code, &code->superblocks[k]);
        choose_clones(&x, code);
        for (; k < code->count + code->clones && !x.failed; k++)
            choose_exits(&x, code, &code->superblocks[k]);
        for (k = 0; k < code->count + code->clones && !x.failed; k++)
            make_room(&x, &code->superblocks[k]);
        if (!x.failed)
            gs_cells_number(code);
    }
    free(x.places);
    free(x.calls.items);
    free(x.orphans.items);
    return !x.failed;
}

int gs_predict_state(gs_automaton *automaton, gs_arena *arena, gs_superblock *superblock,
                     gs_fast_state *state)
{
    explorer x = {.automaton = automaton, .arena = arena};
    return superblock->predicted->has_room ? make_known(&x, superblock, state)
                                           : known_state(superblock, state);
}

bool gs_predict_holds(gs_automaton *automaton, gs_superblock *superblock, unsigned exit,
                      gs_addr goal)
{
    const gs_entry_states *predicted = superblock->predicted;
    const gs_transition *first =
        gs_automaton_transition(automaton, superblock, predicted->known[0].state, exit, goal);
    for (unsigned i = 1; i < predicted->known_count; i++) {
        const gs_known *known = &predicted->known[i];
        const gs_transition *other =
            gs_automaton_transition(automaton, superblock, known->state, exit, goal);
        gs_difference d;
        if (!first || !other || !gs_difference_of(other, first, &d) ||
            d.count != known->charge_count ||
            (d.count > 0 && memcmp(d.charges, known->charges, d.count * sizeof *d.charges) != 0))
            return false;
    }
    return first != NULL;
}

gs_counting gs_predict_counting(const gs_superblock *superblock, unsigned number, bool paths)
{
    const gs_sb_exit *exit = &superblock->exits[number];
    const gs_predicted_exit *predicted = &superblock->predicted->exits[number];
    if (!predicted->transition)
        return gs_sb_exit_is_indirect(exit) ? GS_COUNTED_IN_EDGE : GS_COUNTED_NEVER;
    if (!paths || exit->kind == GS_SB_EXIT_STOP)
        return GS_COUNTED_IN_CELL;
    if (exit->kind == GS_SB_EXIT_CALL)
        return GS_COUNTED_CALL;
    if (!predicted->goal)
        return gs_sb_exit_returns(exit) ? GS_COUNTED_LATER : GS_COUNTED_IN_EDGE;
    return exit->taken < 0 ? GS_COUNTED_IN_CELL : GS_COUNTED_LATER;
}
