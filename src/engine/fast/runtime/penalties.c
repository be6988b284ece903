/* Looks up what the events of one visit of a superblock cost together, and adds it. */
#include "engine/fast/runtime/penalties.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fast/runtime/engine_parts.h"

enum { FIRST_SIZE = 1024 };

/* Whether all outcomes in a key happen within the first instructions that an exit executes. */
static bool comes_by(const gs_superblock *s, const gs_sb_exit *exit, uint64_t key)
{
    for (unsigned i = 0; i < s->site_count; i++) {
        const uint64_t bits = (((uint64_t)1 << s->sites[i].bits) - 1) << s->sites[i].shift;
        if ((key & bits) && (s->sites[i].step >= exit->steps || s->sites[i].owner >= exit->steps))
            return false;
    }
    return true;
}

/* Whether a key makes the same difference on every exit that it can occur with. */
static bool compute_difference(gs_fast_engine *e, gs_superblock *s, unsigned state, uint64_t key,
                               gs_difference *all)
{
    gs_fast_state *from = s->predicted->known[state].state;
    bool any = false;
    if (s->wrong_path_count > 0)
        return false;
    for (unsigned i = 0; i < s->exit_count; i++) {
        const gs_sb_exit *exit = &s->exits[i];
        if (gs_sb_exit_is_indirect(exit) && !gs_automaton_goals_are_alike(e->automaton, exit))
            return false;
        if (!comes_by(s, exit, key))
            continue;
        gs_difference d;
        const gs_transition *predicted = gs_automaton_transition(e->automaton, s, from, i, s->pc),
                            *with =
                                gs_automaton_transition_with(e->automaton, s, from, i, s->pc, key);
        if (!predicted || !with) {
            gs_fast_fail(e);
            return false;
        }
        if (!gs_difference_of(with, predicted, &d) || (any && !gs_difference_equals(&d, all)))
            return false;
        *all = d;
        any = true;
    }
    return any;
}

/* Makes the table twice as large. False when memory is out. */
static bool grow(gs_penalties *table)
{
    const size_t size = table->items ? 2 * (table->mask + 1) : FIRST_SIZE;
    gs_penalties larger = *table;
    larger.mask = size - 1;
    larger.items = aligned_alloc(GS_HOST_LINE, size * sizeof *table->items);
    larger.seen = calloc(size, sizeof *larger.seen);
    larger.paid_slots = calloc(size, sizeof *larger.paid_slots);
    larger.paid_count = 0;
    if (!larger.items || !larger.seen || !larger.paid_slots) {
        gs_penalties_close(&larger);
        return false;
    }
    memset(larger.items, 0, size * sizeof *larger.items);
    for (size_t i = 0; table->items && i <= table->mask; i++) {
        const gs_penalty *old = &table->items[i];
        if (!old->block)
            continue;
        gs_penalty *moved = gs_penalty_slot(&larger, old->block, old->place, old->key);
        const uint32_t slot = (uint32_t)(moved - larger.items);
        *moved = *old;
        larger.seen[slot] = table->seen[i];
        if (moved->is_paid)
            larger.paid_slots[larger.paid_count++] = slot;
    }
    gs_penalties_close(table);
    *table = larger;
    return true;
}

gs_penalty *gs_penalty_make(gs_penalties *table, gs_count_block *block, uint32_t place,
                            uint64_t key)
{
    gs_fast_engine *e = table->engine;
    gs_difference *difference = gs_arena_alloc(&e->arena, sizeof *difference);
    if (!difference || (2 * table->count > table->mask && !grow(table))) {
        gs_fast_fail(e);
        return NULL;
    }
    gs_superblock *s = gs_code_table_numbered(&e->table, place >> 4)->superblock;
    *difference = (gs_difference){0};
    gs_penalty *made = gs_penalty_slot(table, block, place, key);
    *made = (gs_penalty){
        .block = block, .key = key, .place = place, .superblock = s, .difference = difference};
    made->adds = compute_difference(e, s, place & 15, key, difference);
    made->cost = (uint64_t)gs_difference_cycles(difference) * GS_FAST_CYCLE;
    table->count++;
    return made;
}

void gs_penalty_give_up(gs_penalties *table, gs_fast *c, const gs_superblock *s)
{
    if (table->paid_visit != gs_visit(s->number, c->cost))
        return;
    table->paid_visit = GS_NO_VISIT;
    table->paid->count--;
    c->cost -= table->paid->cost;
    c->key = table->paid->key;
}

static void unpredicted(gs_fast *c, const gs_stub_args *args)
{
    gs_penalty_add(&c->engine->penalties, c, args, args->at << args->how);
}

bool gs_penalties_open(gs_penalties *table, gs_fast_engine *engine, gs_fast *c)
{
    *table = (gs_penalties){.engine = engine, .paid_visit = GS_NO_VISIT};
    c->unpredicted = unpredicted;
    return grow(table);
}

void gs_penalties_close(gs_penalties *table)
{
    free(table->items);
    free(table->seen);
    free(table->paid_slots);
}

void gs_penalties_settle(gs_penalties *table, gs_automaton *automaton)
{
    for (size_t i = 0; i <= table->mask; i++) {
        gs_penalty *paid = &table->items[i];
        const uint64_t times = paid->count - paid->settled;
        paid->settled = paid->count;
        if (times != 0)
            gs_automaton_charge(automaton, paid->superblock, paid->block->path,
                                paid->difference->charges, paid->difference->count, times);
    }
}
