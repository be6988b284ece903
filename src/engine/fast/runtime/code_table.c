/* Adds, finds and removes translated functions, and keeps which are called through pointers. */
#include "engine/fast/runtime/code_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/fast/automaton/cells.h"
#include "engine/fast/runtime/engine_parts.h"
#include "engine/fast/translate/inferred.h"

enum { POINTED_MAX = 64 };

/* -- entries -- */

static gs_fast_entry *entry_at(const gs_code_table *t, gs_addr pc)
{
    size_t low = 0, high = t->entries.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->entries.items[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->entries.count && t->entries.items[low].pc == pc ? &t->entries.items[low] : NULL;
}

/* The next jump to each of them is to look up its entry again. */
static void forget_entries(gs_fast *c)
{
    for (unsigned i = 0; i < GS_FAST_ENTRIES; i++)
        c->entries[i].pc = GS_FAST_LEFT;
}

gs_fast_function *gs_code_table_function(const gs_code_table *t, gs_fast *c, gs_addr pc)
{
    unsigned at = pc >> 1 & (GS_FAST_ENTRIES - 1);
    if (c->entries[at].pc == pc)
        return c->entries[at].run;
    const gs_fast_entry *entry = entry_at(t, pc);
    if (!entry || !entry->run)
        return NULL;
    c->entries[at].pc = pc;
    c->entries[at].run = entry->run;
    return entry->run;
}

static int by_pc(const void *a, const void *b)
{
    gs_addr x = ((const gs_fast_entry *)a)->pc, y = ((const gs_fast_entry *)b)->pc;
    return (x > y) - (x < y);
}

/* A store into translated code has to be noticed. It is, because this marks the code as decoded. */
static void decode_at(gs_fast_engine *e, gs_addr pc)
{
    gs_machine *machine = e->machine;
    gs_insn *page = gs_memory_code_page(&machine->memory, pc);
    gs_insn *slot = page ? &page[(pc & (GS_PAGE_SIZE - 1)) / machine->memory.unit] : NULL;
    if (slot && slot->op == GS_OP_UNDECODED)
        (void)gs_machine_decode(machine, slot, pc);
    if (slot && slot->op >= GS_OP_FIRST)
        gs_bulk_decoded(e->observers, pc, slot);
}

static void decode_all(gs_fast_engine *e, const gs_superblock *s)
{
    for (unsigned i = 0; i < s->step_count; i++)
        decode_at(e, s->steps[i].pc);
    for (unsigned i = 0; i < s->wrong_path_count; i++) {
        for (unsigned k = 0; k < s->wrong_path[i].count; k++)
            decode_at(e, s->wrong_path[i].pc[k]);
    }
}

void gs_fast_decode(gs_fast_engine *e, const gs_code *code)
{
    for (size_t i = 0; i < code->count; i++)
        decode_all(e, &code->superblocks[i]);
}

static void note_early(gs_code_table *t, const gs_superblock *s)
{
    for (unsigned i = 0; i < s->exit_count; i++) {
        const gs_predicted_exit *exit = &s->predicted->exits[i];
        const int64_t penalty = exit->goal ? exit->goal->predicted->known[exit->state].cycles : 0;
        if (penalty < 0 && (uint64_t)-penalty > t->early)
            t->early = (uint64_t)-penalty;
    }
}

/* Registers one of the superblocks of a function that is taken into use. */
static bool add_superblock(gs_fast_engine *e, gs_superblock *s, gs_fast_code *code,
                           gs_fast_function *run)
{
    gs_code_table *t = &e->table;
    gs_numbered numbered = {.superblock = s, .code = code, .line_count = s->line_count};
    const gs_fast_entry entry = {s->pc, s->entry ? run : NULL, s};
    s->number =
        (code->quick ? GS_FAST_QUICK_FIRST : 0) + (uint32_t)t->superblocks[code->quick].count;
    if (e->automaton) {
        numbered.lines = gs_icache_lines_of(&e->icache, &e->arena, s);
        numbered.accesses = gs_dcache_accesses_of(&e->arena, s);
        if (!numbered.lines || !numbered.accesses)
            return false;
    }
    if (!gs_vec_push(&t->superblocks[code->quick], numbered))
        return false;
    if (e->automaton)
        note_early(t, s);
    if (s->clone || entry_at(&e->table, s->pc))
        return true;
    if (!gs_vec_push(&e->table.entries, entry) ||
        (e->automaton && !gs_automaton_add(e->automaton, s)))
        return false;
    decode_all(e, s);
    if (s->entry)
        e->table.filter[s->pc >> 1 & GS_FAST_FILTER_MASK] = 1;
    if (s->worst > e->table.margin)
        e->table.margin = s->worst;
    return true;
}

static bool add_code(gs_fast_engine *e, const gs_code *from, gs_fast_function *run)
{
    gs_fast_code *code = gs_arena_alloc(&e->arena, sizeof *code);
    if (!code)
        return false;
    *code = (gs_fast_code){
        .superblocks = from->superblocks,
        .count = from->count,
        .superblock_count = (uint32_t)(from->count + from->clones),
        .number = e->table.code_count++,
        .cells = e->timing ? gs_cells_count(from) : 0,
        .quick = from->quick,
        .inferred = from->inferred,
        .inferred_count = from->inferred_count,
    };
    for (size_t i = 0; i < code->superblock_count; i++) {
        if (!add_superblock(e, &from->superblocks[i], code, run))
            return false;
    }
    if (e->table.entries.count > 1)
        qsort(e->table.entries.items, e->table.entries.count, sizeof *e->table.entries.items,
              by_pc);
    e->table.quick_count += code->quick;
    if (e->timing && !e->observers->paths)
        (void)gs_count_block_of(e, code, 0); /* where it is expected */
    return !e->failed;
}

/* Has edges look up their targets again. What has been counted has been settled before. */
static void forget_goals(gs_fast_engine *e)
{
    if (!e->automaton)
        return;
    gs_automaton_forget_goals(e->automaton);
    gs_count_blocks_forget_targets(e);
}

gs_status gs_fast_add(gs_fast_engine *e, const gs_code *codes, gs_fast_function *const *functions,
                      size_t count, gs_error *err)
{
    gs_fast_settle(e); /* by what the edges were: they may lead elsewhere from now on */
    for (size_t i = 0; i < count; i++) {
        if (!add_code(e, &codes[i], functions[i]))
            return gs_fail_no_memory(err);
    }
    forget_goals(e);
    return GS_OK;
}

void gs_fast_remove(gs_fast_engine *e, const gs_code *code)
{
    size_t kept = 0;
    gs_fast_settle(e); /* while these instructions are still known */
    for (size_t i = 0; i < e->table.entries.count; i++) {
        const gs_superblock *s = e->table.entries.items[i].superblock;
        const bool goes = s >= code->superblocks && s < code->superblocks + code->count;
        if (goes && e->automaton)
            gs_automaton_remove(e->automaton, s);
        if (!goes)
            e->table.entries.items[kept++] = e->table.entries.items[i];
    }
    e->table.entries.count = kept;
    e->table.quick_count -= code->quick && code->count > 0;
    forget_entries(e->c);
    memset(e->table.filter, 0, sizeof e->table.filter);
    for (size_t i = 0; i < kept; i++) {
        if (e->table.entries.items[i].run)
            e->table.filter[e->table.entries.items[i].pc >> 1 & GS_FAST_FILTER_MASK] = 1;
    }
    if (code->count > 0)
        gs_count_blocks_remove(
            &e->blocks, gs_code_table_numbered(&e->table, code->superblocks[0].number)->code);
    forget_goals(e);
}

/* Code of a tier that is in use. False when memory is out. */
static bool find_others(const gs_fast_engine *e, bool quick, gs_predict_others *others)
{
    const gs_fast_code *last = NULL;
    for (size_t i = 0; i < e->table.superblocks[quick].count; i++) {
        const gs_fast_code *code = e->table.superblocks[quick].items[i].code;
        const bool in_use =
            gs_automaton_superblock(e->automaton, code->superblocks[0].pc) == &code->superblocks[0];
        const struct gs_predict_other other = {code->superblocks, code->superblock_count};
        if (code != last && in_use && !gs_vec_push(others, other))
            return false;
        last = code;
    }
    return true;
}

/* What becomes of optimized code must not depend on what has been compiled quickly, so that the
 * next run finds it on disk. */
bool gs_fast_predict(gs_fast_engine *e, gs_arena *arena, gs_code *codes, size_t count)
{
    gs_predict_others others = {.pointed = &e->table.pointed};
    bool ok = !e->automaton || find_others(e, false, &others);
    if (e->automaton && ok && count > 0 && codes[0].quick)
        ok = find_others(e, true, &others);
    ok = ok && (!e->automaton || gs_predict_find(e->automaton, arena, codes, count, &others));
    for (size_t i = 0; e->automaton && !e->observers->paths && ok && i < count; i++)
        ok = gs_inferred_find(&codes[i], e->observers->crosses, arena);
    free(others.items);
    return ok;
}

void gs_fast_point_to(gs_fast_engine *e, gs_addr function)
{
    for (size_t i = 0; i < e->table.pointed.count; i++) {
        if (e->table.pointed.items[i] == function)
            return;
    }
    if (e->table.pointed.count < POINTED_MAX && !gs_vec_push(&e->table.pointed, function))
        gs_fast_fail(e);
}

const gs_pointed *gs_fast_pointed(const gs_fast_engine *e)
{
    return &e->table.pointed;
}

uint64_t gs_fast_unpredicted(const gs_fast_engine *e)
{
    return e->slow_exits.unpredicted;
}

uint64_t gs_fast_take_unpredicted(gs_fast_engine *e, const gs_code *code)
{
    gs_fast_code *taken = gs_code_table_numbered(&e->table, code->superblocks[0].number)->code;
    const uint64_t unpredicted = taken->unpredicted;
    taken->unpredicted = 0;
    return unpredicted;
}

gs_icache_lru *gs_fast_icache_lru(gs_fast_engine *e)
{
    return &e->icache.lru;
}

uint32_t gs_fast_near_used(const gs_fast_engine *e, bool quick)
{
    return e->blocks.near_used[quick];
}

bool gs_fast_has_room(const gs_fast_engine *e, const gs_code *codes, size_t count)
{
    const bool quick = count > 0 && codes[0].quick;
    uint64_t needed = e->blocks.near_used[quick];
    for (size_t i = 0; e->timing && i < count; i++)
        needed += gs_count_block_size(gs_cells_count(&codes[i]));
    return needed <= (quick ? GS_MEMORY_ENGINE_ROOM : GS_FAST_QUICK_NEAR);
}

bool gs_fast_has_code(const gs_fast_engine *e)
{
    return e->table.superblocks[0].count + e->table.superblocks[1].count > 0;
}

uint32_t gs_fast_next_number(const gs_fast_engine *e, bool quick)
{
    return (quick ? GS_FAST_QUICK_FIRST : 0) + (uint32_t)e->table.superblocks[quick].count;
}

const uint8_t *gs_fast_filter(const gs_fast_engine *e)
{
    return e->table.filter;
}

void gs_code_table_open(gs_code_table *t, gs_fast *c)
{
    t->margin = GS_SUPERBLOCK_STEPS + 2;
    forget_entries(c);
}

void gs_code_table_close(gs_code_table *t)
{
    free(t->entries.items);
    free(t->pointed.items);
    free(t->superblocks[0].items);
    free(t->superblocks[1].items);
}
