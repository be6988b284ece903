#include "engine/fast/surcharges.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1024 };

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

/* Makes the table twice as large. False when memory is out. */
static bool grow(gs_surcharges *table)
{
    const size_t size = table->items ? 2 * (table->mask + 1) : FIRST_SIZE;
    gs_surcharges larger = {aligned_alloc(GS_HOST_LINE, size * sizeof *table->items), size - 1,
                            table->count};
    if (!larger.items)
        return false;
    memset(larger.items, 0, size * sizeof *larger.items);
    for (size_t i = 0; table->items && i <= table->mask; i++) {
        const gs_surcharge *old = &table->items[i];
        if (old->block)
            *gs_surcharge_slot(&larger, old->block, old->place, old->key) = *old;
    }
    free(table->items);
    *table = larger;
    return true;
}

gs_surcharge *gs_surcharge_make(gs_fast_engine *e, gs_fast_block *block, uint32_t place,
                                uint64_t key)
{
    gs_surcharges *table = &e->surcharges;
    gs_difference *difference = gs_arena_alloc(&e->arena, sizeof *difference);
    if (!difference || (2 * table->count > table->mask && !grow(table))) {
        gs_fast_fail(e);
        return NULL;
    }
    gs_stretch *s = e->stretches.items[place >> 4].stretch;
    *difference = (gs_difference){0};
    gs_surcharge *made = gs_surcharge_slot(table, block, place, key);
    *made = (gs_surcharge){
        .block = block, .key = key, .place = place, .stretch = s, .difference = difference};
    made->adds = learn(e, s, place & 15, key, difference);
    made->cost = (uint64_t)gs_difference_cycles(difference) * GS_FAST_CYCLE;
    table->count++;
    return made;
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

bool gs_surcharges_open(gs_fast_engine *e)
{
    return grow(&e->surcharges);
}

void gs_surcharges_close(gs_fast_engine *e)
{
    free(e->surcharges.items);
}

void gs_surcharges_settle(gs_fast_engine *e)
{
    for (size_t i = 0; i <= e->surcharges.mask; i++) {
        gs_surcharge *paid = &e->surcharges.items[i];
        const uint64_t times = paid->count - paid->settled;
        paid->settled = paid->count;
        if (times != 0)
            gs_automaton_charge(e->automaton, paid->stretch, paid->block->path,
                                paid->difference->charges, paid->difference->count, times);
    }
}
