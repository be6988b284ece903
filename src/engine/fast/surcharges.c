#include "engine/fast/engine_parts.h"

/*
 * Something unusual mostly just costs more: a miss makes a stretch some cycles longer, whichever
 * way out is taken, and the pipeline is in the same state afterwards. Then it is counted, paid at
 * once, and the code goes on as if nothing had been. What is unusual is taken together for a visit
 * of a stretch: if more comes up, what has been paid is given back, and both together have a
 * surcharge of their own, or none, and somebody looks at the next way out.
 */
typedef struct gs_surcharge {
    gs_fast_block *block;
    uint64_t key;
    uint32_t place; /* see place_of() */
    bool adds;      /* it is one; otherwise there is more to it */
    uint64_t cost;
    uint64_t count, settled;
    gs_stretch *stretch;
    gs_difference *difference;
    struct gs_surcharge *chained;
} gs_surcharge;

/* Where control is: in a stretch, in one of its known states. */
static uint32_t place_of(const gs_fast_ask *ask)
{
    return (uint32_t)(ask->number << 4 | ask->state);
}

/* Whether the first instructions of a way are those that a key is about. */
static bool comes_by(const gs_stretch *s, const gs_way *way, uint64_t key)
{
    for (unsigned i = 0; i < s->site_count; i++) {
        const uint64_t bits = (((uint64_t)1 << s->sites[i].bits) - 1) << s->sites[i].shift;
        if ((key & bits) && (s->sites[i].step >= way->steps || s->sites[i].owner >= way->steps))
            return false;
    }
    return true;
}

/* Whether a key makes the same difference on every way it can be on. */
static bool learn(gs_fast_engine *e, gs_stretch *s, unsigned state, uint64_t key,
                  gs_difference *all)
{
    gs_fast_state *from = s->usual->known[state].state;
    bool any = false;
    if (s->strays_count > 0)
        return false;
    for (unsigned i = 0; i < s->way_count; i++) {
        const gs_way *way = &s->ways[i];
        if (gs_way_is_indirect(way) && !gs_automaton_goals_are_alike(e->automaton, way))
            return false;
        if (!comes_by(s, way, key))
            continue;
        gs_difference d;
        const gs_fast_lesson *usual = gs_automaton_lesson(e->automaton, s, from, i, s->pc),
                             *with = gs_automaton_lesson_with(e->automaton, s, from, i, s->pc, key);
        if (!usual || !with) {
            gs_fast_fail(e);
            return false;
        }
        if (!gs_difference_of(with, usual, &d) || (any && !gs_difference_equals(&d, all)))
            return false;
        *all = d;
        any = true;
    }
    return any;
}

static gs_surcharge **bucket_of(gs_fast_engine *e, const gs_fast_block *block, uint32_t place,
                                uint64_t key)
{
    const uint64_t mixed =
        ((uintptr_t)block + place) * 0x9e3779b97f4a7c15u ^ (key + place) * 0xbf58476d1ce4e5b9u;
    return &e->surcharges[(mixed >> 32) % GS_SURCHARGE_BUCKETS];
}

/* NULL when memory is out. */
static gs_surcharge *make(gs_fast_engine *e, gs_fast_block *block, uint32_t place, uint64_t key)
{
    gs_surcharge *made = gs_arena_alloc(&e->arena, sizeof *made);
    gs_difference *difference = gs_arena_alloc(&e->arena, sizeof *difference);
    if (!made || !difference) {
        gs_fast_fail(e);
        return NULL;
    }
    gs_stretch *s = e->stretches.items[place >> 4].stretch;
    *difference = (gs_difference){0};
    *made = (gs_surcharge){
        .block = block, .key = key, .place = place, .stretch = s, .difference = difference};
    made->adds = learn(e, s, place & 15, key, difference);
    made->cost = (uint64_t)gs_difference_cycles(difference) * GS_FAST_CYCLE;
    gs_surcharge **bucket = bucket_of(e, block, place, key);
    made->chained = *bucket;
    *bucket = made;
    return made;
}

static bool is_it(const gs_surcharge *s, const gs_fast_block *block, uint32_t place, uint64_t key)
{
    return s->block == block && s->place == place && s->key == key;
}

static gs_surcharge *surcharge_for(gs_fast_engine *e, gs_fast_block *block, uint32_t place,
                                   uint64_t key)
{
    const uint64_t mixed = (key + place) * 0x9e3779b97f4a7c15u;
    gs_surcharge **recent =
        &e->stretches.items[place >> 4].surcharges[mixed >> (64 - GS_RECENT_SURCHARGE_BITS)];
    gs_surcharge *found = *recent;
    if (found && is_it(found, block, place, key))
        return found;
    found = *bucket_of(e, block, place, key);
    while (found && !is_it(found, block, place, key))
        found = found->chained;
    return *recent = found ? found : make(e, block, place, key);
}

void gs_surcharge_add(gs_fast_engine *e, uint64_t bits)
{
    gs_fast *c = e->c;
    if (!bits)
        return;
    if (c->key || c->special) {
        c->key |= bits;
        c->cost = gs_fast_look(c->cost);
        return;
    }
    const uint64_t visit = gs_visit(c->ask->number, c->cost);
    if (e->added_visit == visit) {
        bits |= e->added->key;
        c->cost -= e->added->cost;
        e->added->count--;
    }
    gs_surcharge *more = surcharge_for(e, c->ask->block, place_of(c->ask), bits);
    if (!more || !more->adds || (int64_t)(c->cost + more->cost) < 0) {
        e->added_visit = GS_NO_VISIT;
        c->key = bits;
        c->cost = gs_fast_look(c->cost);
        return;
    }
    more->count++;
    e->added = more;
    e->added_visit = visit;
    c->cost += more->cost;
}

void gs_surcharge_give_up(gs_fast_engine *e, const gs_stretch *s)
{
    gs_fast *c = e->c;
    if (e->added_visit != gs_visit(s->number, c->cost))
        return;
    e->added_visit = GS_NO_VISIT;
    e->added->count--;
    c->cost -= e->added->cost;
    c->key = e->added->key;
}

void gs_surcharges_settle(gs_fast_engine *e)
{
    for (unsigned i = 0; i < GS_SURCHARGE_BUCKETS; i++) {
        for (gs_surcharge *paid = e->surcharges[i]; paid; paid = paid->chained) {
            const uint64_t times = paid->count - paid->settled;
            paid->settled = paid->count;
            if (times != 0)
                gs_automaton_charge(e->automaton, paid->stretch, paid->block->path,
                                    paid->difference->charges, paid->difference->count, times);
        }
    }
}
