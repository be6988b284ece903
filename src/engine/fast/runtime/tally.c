/* Multiplies counts by what they mean to the sums of observers. */
#include "engine/fast/runtime/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/fast/runtime/engine_parts.h"
#include "engine/fast/translate/inferred.h"

enum { AT_ONCE = 8 }; /* cells */

/* -- columns ------------------------------------------------------------------------------------
 */

static void weigh(gs_tally *t, const gs_bulk_run *run, int64_t times)
{
    for (size_t i = 0; i < t->observer_count; i++) {
        const struct gs_tally_observer *o = &t->observers[i];
        memset(t->one, 0, o->count * sizeof *t->one);
        o->observer->bulk->weigh(o->observer->self, run, t->one);
        for (size_t k = 0; k < o->count; k++)
            t->one[t->sum_count + o->first + k] += times * t->one[k];
    }
}

static void weigh_transition(gs_tally *t, const gs_transition *transition, int64_t times)
{
    const gs_bulk_run run = gs_automaton_run_of(transition);
    weigh(t, &run, times);
}

static void weigh_charges(gs_tally *t, const gs_superblock *s, const gs_charge *charges,
                          unsigned count, int64_t times)
{
    const gs_bulk_run run = gs_automaton_charges_of(s, charges, count);
    if (count > 0)
        weigh(t, &run, times);
}

static void begin_column(gs_tally *t)
{
    memset(t->one + t->sum_count, 0, t->sum_count * sizeof *t->one);
}

/* The number of the column of what has been weighed. 0 when memory is out. */
static uint32_t end_column(gs_tally *t)
{
    struct gs_tally_column made = {.first = (uint32_t)t->weights.count};
    for (size_t i = 0; i < t->sum_count; i++) {
        const struct gs_tally_weight weight = {(uint32_t)i, t->one[t->sum_count + i]};
        if (weight.amount != 0 && !gs_vec_push(&t->weights, weight)) {
            gs_fast_fail(t->engine);
            return 0;
        }
    }
    made.end = (uint32_t)t->weights.count;
    if (!gs_vec_push(&t->columns, made)) {
        gs_fast_fail(t->engine);
        return 0;
    }
    return t->first_column + (uint32_t)t->columns.count - 1;
}

static void forget_columns(gs_tally *t)
{
    t->first_column += (uint32_t)t->columns.count;
    t->columns.count = t->weights.count = 0;
}

static void add(gs_tally *t, uint32_t column, uint64_t times)
{
    if (column < t->first_column)
        return; /* memory is out */
    const struct gs_tally_column *c = &t->columns.items[column - t->first_column];
    for (uint32_t i = c->first; i < c->end; i++)
        t->sums[t->weights.items[i].sum] += (int64_t)times * t->weights.items[i].amount;
}

/* -- cells --------------------------------------------------------------------------------------
 */

/* What each of the exits stands for that are taken so often, by cell. */
static void weigh_exits(gs_tally *t, const gs_count_block *block, const uint64_t *times)
{
    gs_fast_engine *e = t->engine;
    gs_superblock *s = block->code->superblocks;
    for (uint32_t k = 0; k < block->code->superblock_count; k++, s++) {
        for (unsigned exit = 0; exit < s->exit_count; exit++) {
            const int64_t often = (int64_t)times[s->predicted->cell + exit];
            const gs_predicted_exit *predicted = &s->predicted->exits[exit];
            if (often == 0)
                continue;
            const gs_transition *transition =
                gs_automaton_transition(e->automaton, s, s->predicted->known[0].state, exit, 0);
            if (!transition) {
                gs_fast_fail(e);
                return;
            }
            weigh_transition(t, transition, often);
            if (!predicted->goal || predicted->state == 0)
                continue;
            const gs_known *known = &predicted->goal->predicted->known[predicted->state];
            weigh_charges(t, predicted->goal, known->charges, known->charge_count, often);
        }
    }
}

/* A count that says how often an exit was taken, or how often control has come by none. */
static void weigh_flow(gs_tally *t, const gs_count_block *block, uint32_t cell)
{
    const gs_fast_code *code = block->code;
    uint64_t *times = gs_count_blocks_room(t->engine, code);
    if (!times)
        return;
    memset(times, 0, code->cells * sizeof *times);
    times[cell] = 1;
    if (code->inferred_count > 0)
        gs_inferred_complete(code->superblocks, code->superblock_count, code->inferred,
                             code->inferred_count, times, times + code->cells);
    weigh_exits(t, block, times);
}

static void weigh_pass(gs_tally *t, const gs_superblock *s, uint32_t pass)
{
    for (unsigned i = 0; i < s->step_count; i++) {
        const gs_charge miss = {(uint16_t)i, GS_CHARGE_D_MISSES, 1};
        if (s->steps[i].pass == (int)pass)
            weigh_charges(t, s, &miss, 1, 1);
    }
}

static bool is_counted(const gs_fast_engine *e, const gs_superblock *s, unsigned exit)
{
    return gs_is_counted_in_cell(gs_predict_counting(s, exit, e->observers->paths != NULL));
}

static uint32_t column_of_cell(gs_tally *t, const gs_count_block *block, uint32_t cell)
{
    const gs_fast_code *code = block->code;
    begin_column(t);
    for (uint32_t k = 0; k < code->superblock_count; k++) {
        const gs_superblock *s = &code->superblocks[k];
        const gs_entry_states *p = s->predicted;
        if (cell - p->cell < s->exit_count && is_counted(t->engine, s, cell - p->cell)) {
            weigh_flow(t, block, cell);
        } else if (cell == p->otherwise) {
            if (code->inferred_count > 0)
                weigh_flow(t, block, cell);
        } else if (cell >= p->skip && cell - p->skip + 1 < p->known_count) {
            const gs_known *known = &p->known[cell - p->skip + 1];
            weigh_charges(t, s, known->charges, known->charge_count, -1);
        } else if (cell - p->pass < s->pass_count) {
            weigh_pass(t, s, cell - p->pass);
        }
    }
    return end_column(t);
}

/* Whether none of AT_ONCE cells has been counted in: most have not. */
static bool are_same(const gs_count_block *block, uint32_t cell)
{
    uint64_t more = 0;
    for (uint32_t k = cell; k < cell + AT_ONCE; k++)
        more |= block->cells[k].count ^ block->seen[k];
    return more == 0;
}

static void add_block(gs_tally *t, gs_count_block *block)
{
    const gs_superblock *end = &block->code->superblocks[block->code->superblock_count - 1];
    const uint32_t cells = block->code->cells, exits = end->predicted->cell + end->exit_count;
    for (uint32_t k = 0; k < cells; k++) {
        if (k + AT_ONCE <= cells && are_same(block, k)) {
            k += AT_ONCE - 1;
            continue;
        }
        const uint64_t now = block->cells[k].count, before = block->seen[k];
        if (now == before)
            continue;
        block->seen[k] = now;
        if (block->columns[k] < t->first_column)
            block->columns[k] = column_of_cell(t, block, k);
        const bool begins = before == GS_NOT_YET && k < exits; /* other cells can be below 0 */
        add(t, block->columns[k], now - (begins ? 0 : before));
    }
}

bool gs_tally_add_block(gs_fast_engine *e, gs_count_block *block)
{
    const uint32_t cells = block->code->cells;
    if (!e->observers->weighs)
        return true;
    block->seen = gs_arena_alloc(&e->arena, (cells + 1) * sizeof *block->seen);
    block->columns = gs_arena_alloc(&e->arena, (cells + 1) * sizeof *block->columns);
    if (!block->seen || !block->columns)
        return false;
    memcpy(block->seen, block->cells, cells * sizeof *block->seen);
    memset(block->columns, 0, cells * sizeof *block->columns);
    return true;
}

/* -- edges and penalties ------------------------------------------------------------------------
 */

static void add_edge(gs_tally *t, gs_fast_edge *edge)
{
    struct gs_tally_count *seen = &edge->tally;
    const uint64_t times = edge->count - seen->seen;
    seen->seen = edge->count;
    if (times == 0)
        return;
    if (seen->column < t->first_column) {
        begin_column(t);
        weigh_transition(t, edge->transition, 1);
        seen->column = end_column(t);
    }
    add(t, seen->column, times);
}

/* Translated code itself counts in edges that it has found by their cell. */
static void add_edges(gs_tally *t)
{
    for (gs_fast_edge **at = &t->edges; *at;) {
        gs_fast_edge *edge = *at;
        add_edge(t, edge);
        if (edge->cell) {
            at = &edge->counted_before;
            continue;
        }
        *at = edge->counted_before;
        edge->is_counted = false;
    }
}

static void add_penalties(gs_tally *t)
{
    gs_penalties *table = &t->engine->penalties;
    for (size_t i = 0; i < table->paid_count; i++) {
        gs_penalty *paid = &table->items[table->paid_slots[i]];
        struct gs_tally_count *seen = &table->seen[table->paid_slots[i]];
        const uint64_t times = paid->count - seen->seen;
        seen->seen = paid->count;
        paid->is_paid = false;
        if (times == 0)
            continue;
        if (seen->column < t->first_column) {
            begin_column(t);
            weigh_charges(t, paid->superblock, paid->difference->charges, paid->difference->count,
                          1);
            seen->column = end_column(t);
        }
        add(t, seen->column, times);
    }
    table->paid_count = 0;
}

/* -- observers ----------------------------------------------------------------------------------
 */

/* False when memory is out. */
static bool look_at_weights(gs_tally *t)
{
    size_t sums = 0;
    bool changed = t->sums == NULL;
    for (size_t i = 0; i < t->observer_count; i++) {
        struct gs_tally_observer *o = &t->observers[i];
        size_t count;
        const uint32_t weights = o->observer->bulk->weights(o->observer->self, &count);
        changed |= weights != o->weights || count != o->count;
        o->weights = weights;
        o->first = sums;
        o->count = count;
        sums += count;
    }
    if (!changed)
        return true;
    forget_columns(t);
    free(t->sums);
    free(t->one);
    t->sum_count = sums;
    t->sums = calloc(sums + 1, sizeof *t->sums);
    t->one = calloc(2 * sums + 1, sizeof *t->one);
    return t->sums && t->one;
}

void gs_tally_collect(gs_tally *t, const gs_bulk_run *last)
{
    gs_fast_engine *e = t->engine;
    if (t->observer_count == 0)
        return;
    for (gs_count_block *block = e->blocks.newest; block; block = block->older)
        add_block(t, block);
    add_edges(t);
    add_penalties(t);
    for (size_t i = 0; i < t->observer_count; i++) {
        const struct gs_tally_observer *o = &t->observers[i];
        o->observer->bulk->collect(o->observer->self, t->sums + o->first, last);
    }
    memset(t->sums, 0, t->sum_count * sizeof *t->sums);
}

void gs_tally_follow(gs_tally *t)
{
    if (!look_at_weights(t))
        gs_fast_fail(t->engine);
}

bool gs_tally_open(gs_tally *t, gs_fast_engine *e)
{
    const gs_bulk_group *group = e->observers;
    *t = (gs_tally){.engine = e, .first_column = 1};
    if (!group->weighs)
        return true;
    t->observers = calloc(group->count, sizeof *t->observers);
    for (size_t i = 0; t->observers && i < group->count; i++) {
        const gs_observer *observer = group->observers[i];
        if (observer->bulk && observer->bulk->weigh)
            t->observers[t->observer_count++].observer = observer;
    }
    return t->observers && look_at_weights(t);
}

void gs_tally_close(gs_tally *t)
{
    free(t->observers);
    free(t->sums);
    free(t->one);
    free(t->weights.items);
    free(t->columns.items);
}
