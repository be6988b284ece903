#include "engine/fast/usual.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/fast/loops.h"

enum { SEEN_MAX = 12, ORPHANS_MAX = 64, FORWARD = 1, BACKWARD = 8 };

/* States a stretch has been reached in, and how much speaks for each. */
typedef struct place {
    gs_stretch *stretch;
    const gs_code *code;
    struct {
        gs_fast_state *state;
        unsigned weight;
    } seen[SEEN_MAX];
    unsigned seen_count, done; /* so many have been followed */
    bool is_back;              /* a call comes back here */
} place;

/* Who is called, and where control comes back. */
typedef struct call {
    gs_addr callee;
    place *back;
} call;

typedef struct explorer {
    gs_automaton *automaton;
    gs_arena *arena;
    gs_code *codes;
    size_t code_count;
    const gs_usual_others *others;
    place *places; /* by pc */
    size_t place_count;
    struct {
        call *items;
        size_t count, capacity;
    } calls;
    gs_pointed orphans; /* they have been, or it seems so because nothing else leads to them */
    gs_fast_state *after_call, *after_return; /* some that have been seen, or NULL */
    bool changed, failed;
} explorer;

static int by_pc(const void *a, const void *b)
{
    const gs_addr x = ((const place *)a)->stretch->pc, y = ((const place *)b)->stretch->pc;
    return (x > y) - (x < y);
}

static place *place_at(const explorer *x, gs_addr pc)
{
    size_t low = 0, high = x->place_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (x->places[middle].stretch->pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < x->place_count && x->places[low].stretch->pc == pc ? &x->places[low] : NULL;
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

static gs_fast_lesson *lesson(explorer *x, const place *p, gs_fast_state *state, unsigned way,
                              gs_addr goal)
{
    gs_fast_lesson *found = gs_automaton_lesson(x->automaton, p->stretch, state, way, goal);
    x->failed |= !found;
    return found;
}

/* A way that leaves a function by a return, to all who have called it. */
static void come_back(explorer *x, const place *p, gs_fast_state *state, unsigned way,
                      gs_addr function)
{
    for (size_t i = 0; i < x->calls.count; i++) {
        const call *made = &x->calls.items[i];
        if (made->callee != function)
            continue;
        gs_fast_lesson *found = lesson(x, p, state, way, made->back->stretch->pc);
        if (found)
            reach(x, made->back, found->after, FORWARD);
    }
}

/* A call whose goal nobody knows. */
static void call_orphans(explorer *x, const place *p, gs_fast_state *state, unsigned way)
{
    for (size_t i = 0; i < x->orphans.count; i++) {
        place *callee = place_at(x, x->orphans.items[i]);
        gs_fast_lesson *found = callee ? lesson(x, p, state, way, x->orphans.items[i]) : NULL;
        if (found)
            reach(x, callee, found->after, FORWARD);
    }
}

/* A jump whose goals nobody knows: to all entries that nothing else leads to. */
static void follow_jump(explorer *x, const place *p, gs_fast_state *state, unsigned way)
{
    for (size_t i = 0; i < p->code->count; i++) {
        gs_stretch *s = &p->code->stretches[i];
        if (!s->entry || s->pc == p->code->low)
            continue;
        gs_fast_lesson *found = lesson(x, p, state, way, s->pc);
        if (found)
            reach(x, place_at(x, s->pc), found->after, FORWARD);
    }
}

static void follow(explorer *x, place *p, gs_fast_state *state)
{
    const gs_stretch *s = p->stretch;
    for (unsigned i = 0; i < s->way_count; i++) {
        const gs_way *way = &s->ways[i];
        gs_fast_lesson *found = lesson(x, p, state, i, s->pc);
        if (!found)
            return;
        if (way->kind == GS_WAY_INDIRECT && way->flow == GS_FLOW_JUMP_INDIRECT)
            follow_jump(x, p, state, i);
        else if (way->kind == GS_WAY_INDIRECT)
            come_back(x, p, state, i, p->code->low);
        else if (way->kind == GS_WAY_CALL_INDIRECT)
            call_orphans(x, p, state, i);
        if (way->kind == GS_WAY_INDIRECT && !x->after_return)
            x->after_return = found->after;
        if (way->kind == GS_WAY_CALL && !x->after_call)
            x->after_call = found->after;
        if (!gs_way_is_indirect(way))
            reach(x, place_at(x, way->goal), found->after,
                  way->goal <= s->pc && way->kind == GS_WAY_ONWARD ? BACKWARD : FORWARD);
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

/* Entries, as if nothing had been before. */
static void reach_entries(explorer *x)
{
    for (size_t i = 0; i < x->place_count; i++) {
        place *p = &x->places[i];
        if (!p->stretch->entry)
            continue;
        gs_fast_state *rest = gs_automaton_rest(x->automaton, p->stretch->pc);
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

/* Those that nothing leads to as far as can be seen from here: others call them, or others are
 * called and come back. Whoever calls an orphan jumps as who returns does. */
static void reach_others(explorer *x)
{
    for (size_t i = 0; i < x->place_count; i++) {
        place *p = &x->places[i];
        unsigned weight = 0;
        for (unsigned k = 0; k < p->seen_count; k++)
            weight += p->seen[k].weight;
        const bool called = p->stretch->pc == p->code->low && !is_orphan(x, p->code->low);
        gs_fast_state *likely = called ? x->after_call : x->after_return;
        if (weight > 0 || (p->seen_count > 0 && !likely))
            continue;
        if (!likely)
            likely = gs_automaton_rest(x->automaton, p->stretch->pc);
        reach(x, p, likely, FORWARD);
    }
}

static void add_orphan(explorer *x, gs_addr function)
{
    if (x->orphans.count < ORPHANS_MAX && !is_orphan(x, function) &&
        !gs_vec_push(&x->orphans, function))
        x->failed = true;
}

/* Where some stretches lead, as far as they say. */
static void add_goals(explorer *x, gs_pointed *goals, const gs_stretch *stretches, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < stretches[i].way_count; k++) {
            const gs_way *way = &stretches[i].ways[k];
            if (!gs_way_is_indirect(way) && !gs_vec_push(goals, way->goal))
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
    const gs_usual_others *others = x->others;
    gs_pointed goals = {0};
    for (size_t i = 0; i < others->pointed->count; i++)
        add_orphan(x, others->pointed->items[i]);
    for (size_t i = 0; i < x->code_count; i++)
        add_goals(x, &goals, x->codes[i].stretches, x->codes[i].count);
    for (size_t i = 0; i < others->count; i++)
        add_goals(x, &goals, others->items[i].stretches, others->items[i].count);
    if (goals.count > 0) { /* or there is nothing that could call them */
        qsort(goals.items, goals.count, sizeof *goals.items, by_address);
        for (size_t i = 0; i < x->code_count; i++)
            add_unless_goal(x, &goals, x->codes[i].low);
        for (size_t i = 0; i < others->count; i++)
            add_unless_goal(x, &goals, others->items[i].stretches[0].pc);
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
        const gs_stretch *s = x->places[i].stretch;
        for (unsigned k = 0; k < s->way_count; k++) {
            const gs_way *way = &s->ways[k];
            if (way->kind != GS_WAY_CALL && way->kind != GS_WAY_CALL_INDIRECT)
                continue;
            place *back = place_at(x, way->back);
            if (!back)
                continue;
            back->is_back = true;
            if (way->kind == GS_WAY_CALL)
                add_call(x, way->goal, back);
            for (size_t n = 0; way->kind == GS_WAY_CALL_INDIRECT && n < x->orphans.count; n++)
                add_call(x, x->orphans.items[n], back);
        }
    }
}

/* Code that has been translated before leads here, or comes back. */
static void reach_from_others(explorer *x)
{
    for (size_t i = 0; i < x->others->count; i++) {
        const struct gs_usual_other *other = &x->others->items[i];
        for (size_t k = 0; k < other->count; k++) {
            const place from = {.stretch = &other->stretches[k]};
            gs_fast_state *state = from.stretch->usual->known[0].state;
            for (unsigned n = 0; n < from.stretch->way_count && !x->failed; n++) {
                const gs_way *way = &from.stretch->ways[n];
                place *goal = gs_way_is_indirect(way) ? NULL : place_at(x, way->goal);
                const gs_fast_lesson *found = goal ? lesson(x, &from, state, n, 0) : NULL;
                if (found)
                    reach(x, goal, found->after, FORWARD);
                if (way->kind == GS_WAY_CALL_INDIRECT)
                    call_orphans(x, &from, state, n);
                if (way->kind == GS_WAY_INDIRECT && way->flow == GS_FLOW_RETURN)
                    come_back(x, &from, state, n, other->stretches[0].pc);
            }
        }
    }
}

static bool same_but_charges(const gs_fast_lesson *a, const gs_fast_lesson *b)
{
    return a->after == b->after && a->icache_reads == b->icache_reads &&
           a->dcache_reads == b->dcache_reads && a->dcache_writes == b->dcache_writes &&
           a->issue_fj == b->issue_fj && a->stray == b->stray &&
           memcmp(&a->branches, &b->branches, sizeof a->branches) == 0;
}

static int32_t amount_of(const gs_fast_lesson *l, unsigned step, unsigned kind)
{
    for (unsigned i = 0; i < l->charge_count; i++) {
        if (l->charges[i].step == step && l->charges[i].kind == kind)
            return l->charges[i].amount;
    }
    return 0;
}

bool gs_difference_of(const gs_fast_lesson *b, const gs_fast_lesson *a, gs_difference *d)
{
    *d = (gs_difference){0};
    if (!same_but_charges(a, b))
        return false;
    for (unsigned turn = 0; turn < 2; turn++) {
        const gs_fast_lesson *l = turn ? a : b;
        for (unsigned i = 0; i < l->charge_count; i++) {
            gs_charge c = l->charges[i];
            const int32_t in_a = amount_of(a, c.step, c.kind), in_b = amount_of(b, c.step, c.kind);
            if (in_a == in_b || (turn && in_b != 0))
                continue; /* nothing, or it has been seen */
            if (d->count == GS_DIFFERENCES_MAX)
                return false;
            c.amount = in_b - in_a;
            d->charges[d->count++] = c;
        }
    }
    return true;
}

bool gs_difference_equals(const gs_difference *a, const gs_difference *b)
{
    return a->count == b->count &&
           memcmp(a->charges, b->charges, a->count * sizeof *a->charges) == 0;
}

int64_t gs_difference_cycles(const gs_difference *d)
{
    int64_t cycles = 0;
    for (unsigned i = 0; i < d->count; i++) {
        if (d->charges[i].kind == GS_CHARGE_CYCLES)
            cycles += d->charges[i].amount;
    }
    return cycles;
}

/* Whether a state differs from the first one by the same on every way; where the code does not say
 * the goal, for one that will do as an example. */
static bool has_surcharge(gs_automaton *a, gs_stretch *s, gs_fast_state *state, gs_difference *all)
{
    for (unsigned i = 0; i < s->way_count; i++) {
        gs_difference d;
        const gs_fast_lesson *first = gs_automaton_lesson(a, s, s->usual->known[0].state, i, s->pc),
                             *other = gs_automaton_lesson(a, s, state, i, s->pc);
        if (!first || !other || !gs_difference_of(other, first, &d) ||
            (i > 0 && !gs_difference_equals(&d, all)))
            return false;
        *all = d;
    }
    return true;
}

/* False when memory is out. */
static bool add_known(gs_arena *arena, gs_stretch *s, gs_fast_state *state, const gs_difference *d)
{
    gs_known *known = &s->usual->known[s->usual->known_count];
    *known =
        (gs_known){.state = state, .charge_count = d->count, .cycles = gs_difference_cycles(d)};
    if (d->count > 0) {
        known->charges = gs_arena_alloc(arena, d->count * sizeof *d->charges);
        if (!known->charges)
            return false;
        memcpy(known->charges, d->charges, d->count * sizeof *d->charges);
    }
    s->usual->known_count++;
    return true;
}

static int known_state(const gs_stretch *stretch, const gs_fast_state *state)
{
    for (unsigned i = 0; i < stretch->usual->known_count; i++) {
        if (stretch->usual->known[i].state == state)
            return (int)i;
    }
    return -1;
}

static gs_usual *new_usual(explorer *x, const gs_stretch *s, gs_fast_state *first)
{
    const size_t size = sizeof(gs_usual) + s->way_count * sizeof(gs_usual_way);
    gs_usual *usual = gs_arena_alloc(x->arena, size);
    if (!usual) {
        x->failed = true;
        return NULL;
    }
    memset(usual, 0, size);
    usual->known[0].state = first;
    usual->known_count = 1;
    return usual;
}

/* Which of the known states it is, or -1; if it can, it becomes known. */
static int make_known(explorer *x, gs_stretch *s, gs_fast_state *state)
{
    const int known = known_state(s, state);
    gs_difference d;
    if (known >= 0 || s->usual->known_count == GS_KNOWN_MAX || s->usual->refused == state)
        return known;
    if (!has_surcharge(x->automaton, s, state, &d)) {
        s->usual->refused = state;
        return -1;
    }
    if (!add_known(x->arena, s, state, &d)) {
        x->failed = true;
        return -1;
    }
    return s->usual->known_count - 1;
}

static void choose(explorer *x, place *p)
{
    gs_stretch *s = p->stretch;
    unsigned best = 0;
    for (unsigned i = 1; i < p->seen_count; i++) {
        if (p->seen[i].weight > p->seen[best].weight)
            best = i;
    }
    s->usual = new_usual(x, s, p->seen[best].state);
    for (unsigned i = 0; i < p->seen_count && !x->failed; i++)
        (void)make_known(x, s, p->seen[i].state);
}

/* The stretch to go on with in a state: the one that is there, or a twin. NULL: there is none, and
 * no room for one. */
static gs_stretch *goal_for(explorer *x, gs_code *code, gs_stretch *goal, gs_fast_state *state)
{
    if (known_state(goal, state) >= 0)
        return goal;
    unsigned twins = 0;
    for (size_t i = code->count; i < code->count + code->twins; i++) {
        gs_stretch *twin = &code->stretches[i];
        if (twin->pc != goal->pc)
            continue;
        if (make_known(x, twin, state) >= 0)
            return twin;
        twins++;
    }
    if (twins == GS_TWINS_MAX || code->twins == code->room)
        return NULL;
    gs_stretch *twin = &code->stretches[code->count + code->twins];
    *twin = *goal;
    twin->entry = false;
    twin->twin = (uint8_t)(twins + 1);
    twin->usual = new_usual(x, twin, state);
    if (!twin->usual)
        return NULL;
    code->twins++;
    return twin;
}

/* Others come to an entry in states that make a difference, too: a twin for each of them, while
 * there is room for those that the twins lead to. */
static void choose_twins(explorer *x, gs_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        gs_stretch *s = &code->stretches[i];
        const place *p = place_at(x, s->pc);
        for (unsigned k = 0; (s->entry || p->is_back) && k < p->seen_count && !x->failed; k++) {
            if (p->seen[k].weight > 0 && code->twins < code->room / 2 + 2)
                (void)goal_for(x, code, s, p->seen[k].state);
        }
    }
}

/* The ways out, once all known states are. */
static void choose_ways(explorer *x, gs_code *code, gs_stretch *s)
{
    for (unsigned i = 0; i < s->way_count && !x->failed; i++) {
        gs_usual_way *way = &s->usual->ways[i];
        if (gs_way_is_indirect(&s->ways[i]) && !gs_automaton_is_uniform(x->automaton, &s->ways[i]))
            continue;
        way->lesson = gs_automaton_lesson(x->automaton, s, s->usual->known[0].state, i, 0);
        x->failed |= !way->lesson;
        gs_stretch *goal =
            s->ways[i].kind == GS_WAY_ONWARD ? gs_code_at(code, s->ways[i].goal) : NULL;
        if (!goal || !way->lesson)
            continue;
        way->goal = goal_for(x, code, goal, way->lesson->after);
        if (way->goal) {
            way->state = (uint8_t)known_state(way->goal, way->lesson->after);
        } else {
            way->goal = goal;
            way->lesson = NULL;
        }
    }
}

/* Whether the code of a stretch has to keep which of the known states it is in. */
static void make_room(const explorer *x, gs_stretch *s)
{
    const place *p = place_at(x, s->pc);
    s->usual->has_room = s->usual->known_count > 1 || (!s->twin && (s->entry || p->is_back));
}

static uint32_t skips_of(const gs_usual *usual)
{
    return usual->has_room ? GS_KNOWN_MAX - 1 : 0;
}

/* Where the rounds of a loop are counted: if there is one way back, its cell will do. */
static void number_counter(const gs_code *code, const gs_stretch *header, uint32_t *cell)
{
    uint32_t only = 0;
    unsigned count = 0;
    for (size_t i = 0; i < code->count + code->twins; i++) {
        const gs_stretch *s = &code->stretches[i];
        for (unsigned k = 0; k < s->way_count; k++) {
            const gs_stretch *goal = s->usual->ways[k].goal;
            if (!goal || goal->pc != header->pc ||
                gs_arrival_of(&s->ways[k], goal) != GS_ARRIVAL_BACK)
                continue;
            only = s->usual->cell + k;
            count++;
        }
    }
    const uint32_t counter = count == 1 ? only : (*cell)++;
    for (size_t i = 0; i < code->count + code->twins; i++) {
        if (code->stretches[i].pc == header->pc)
            code->stretches[i].counter = counter;
    }
}

static void number_cells(const gs_code *code)
{
    uint32_t cell = 0;
    for (size_t i = 0; i < code->count + code->twins; i++) {
        const gs_stretch *s = &code->stretches[i];
        s->usual->cell = cell;
        cell += s->way_count;
    }
    for (size_t i = 0; i < code->count + code->twins; i++) {
        const gs_stretch *s = &code->stretches[i];
        for (unsigned k = 0; k < s->way_count; k++) {
            if (s->ways[k].kind == GS_WAY_CALL)
                s->usual->ways[k].target = cell++;
        }
    }
    for (size_t i = 0; i < code->count; i++) {
        if (code->stretches[i].loop && !code->stretches[i].checked)
            number_counter(code, &code->stretches[i], &cell);
    }
    for (size_t i = 0; i < code->count + code->twins; i++) {
        const gs_stretch *s = &code->stretches[i];
        s->usual->otherwise = cell++;
        s->usual->skip = cell;
        s->usual->pass = cell + skips_of(s->usual);
        cell = s->usual->pass + s->pass_count;
    }
}

uint32_t gs_usual_cells(const gs_code *code)
{
    const gs_stretch *last = &code->stretches[code->count + code->twins - 1];
    return last->usual->pass + last->pass_count;
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
            x->places[made++] = (place){.stretch = &x->codes[i].stretches[k], .code = &x->codes[i]};
    }
    if (made > 1)
        qsort(x->places, made, sizeof *x->places, by_pc);
    return true;
}

bool gs_usual_find(gs_automaton *automaton, gs_arena *arena, gs_code *codes, size_t count,
                   const gs_usual_others *others)
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
        for (; k < code->count + code->twins && !x.failed; k++)
            choose_ways(&x, code, &code->stretches[k]);
        choose_twins(&x, code);
        for (; k < code->count + code->twins && !x.failed; k++)
            choose_ways(&x, code, &code->stretches[k]);
        for (k = 0; k < code->count + code->twins && !x.failed; k++)
            make_room(&x, &code->stretches[k]);
        if (!x.failed)
            number_cells(code);
    }
    free(x.places);
    free(x.calls.items);
    free(x.orphans.items);
    return !x.failed;
}

int gs_usual_state(gs_automaton *automaton, gs_arena *arena, gs_stretch *stretch,
                   gs_fast_state *state)
{
    explorer x = {.automaton = automaton, .arena = arena};
    return stretch->usual->has_room ? make_known(&x, stretch, state) : known_state(stretch, state);
}

bool gs_usual_holds(gs_automaton *automaton, gs_stretch *stretch, unsigned way, gs_addr goal)
{
    const gs_usual *usual = stretch->usual;
    const gs_fast_lesson *first =
        gs_automaton_lesson(automaton, stretch, usual->known[0].state, way, goal);
    for (unsigned i = 1; i < usual->known_count; i++) {
        const gs_known *known = &usual->known[i];
        const gs_fast_lesson *other =
            gs_automaton_lesson(automaton, stretch, known->state, way, goal);
        gs_difference d;
        if (!first || !other || !gs_difference_of(other, first, &d) ||
            d.count != known->charge_count ||
            (d.count > 0 && memcmp(d.charges, known->charges, d.count * sizeof *d.charges) != 0))
            return false;
    }
    return first != NULL;
}

gs_counting gs_usual_counting(const gs_stretch *stretch, unsigned number, bool paths)
{
    const gs_way *way = &stretch->ways[number];
    const gs_usual_way *usual = &stretch->usual->ways[number];
    if (!usual->lesson)
        return gs_way_is_indirect(way) ? GS_COUNTED_IN_EDGE : GS_COUNTED_NEVER;
    if (!paths || way->kind == GS_WAY_STOP)
        return GS_COUNTED_IN_CELL;
    if (way->kind == GS_WAY_CALL)
        return GS_COUNTED_CALL;
    if (!usual->goal)
        return gs_way_returns(way) ? GS_COUNTED_LATER : GS_COUNTED_IN_EDGE;
    return way->taken < 0 ? GS_COUNTED_IN_CELL : GS_COUNTED_LATER;
}
