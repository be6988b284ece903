#include "engine/fast/engine_parts.h"

#include <stdlib.h>
#include <string.h>

/* -- the tables translated code looks at ---------------------------------------------------- */

/* A line of code, or none, becomes the first of a set. */
static void code_line_comes(gs_fast_engine *e, gs_addr set, gs_addr line)
{
    const gs_addr before = e->firsts[set];
    if (before != GS_CACHE_NO_LINE)
        e->code_notes[before] = GS_FAST_LINE_ABSENT;
    if (line != GS_CACHE_NO_LINE)
        e->code_notes[line] = GS_FAST_LINE_FIRST;
    e->firsts[set] = line;
}

static void update_code_set(gs_fast_engine *e, gs_addr set)
{
    const gs_cache *cache = &e->timing->icache;
    code_line_comes(e, set, cache->tags[(size_t)set << cache->way_shift]);
}

/* What is noted of each byte of a line, which begins where any size may: nothing, or what may be
 * done to all of it. */
enum { ANYTHING = GS_FAST_LOAD | GS_FAST_STORE, PASSED = 4 };
#define AT_ALIGNED(odd_, half_, word_)                                                         \
    word_, odd_, half_, odd_, word_, odd_, half_, odd_, word_, odd_, half_, odd_, word_, odd_, \
        half_, odd_
#define LOADED(bits_) AT_ALIGNED(1 * (bits_), 3 * (bits_), 7 * (bits_))
static const uint8_t patterns[][16] = {
    [0] = {0},
    [GS_FAST_LOAD] = {LOADED(1)},
    [ANYTHING] = {LOADED(1 + GS_NOTE_STORE)},
    [PASSED] = {AT_ALIGNED(GS_NOTE_PASSED(1), GS_NOTE_PASSED(2), GS_NOTE_PASSED(4))},
};

static void note(const gs_fast_engine *e, gs_addr line, unsigned allowed)
{
    const size_t size = (size_t)1 << e->timing->dcache.line_shift;
    uint8_t *notes = e->notes + ((size_t)line << e->timing->dcache.line_shift);
    if (size < sizeof *patterns) {
        memcpy(notes, patterns[allowed], size);
        return;
    }
    for (size_t i = 0; i < size; i += sizeof *patterns)
        memcpy(notes + i, patterns[allowed], sizeof *patterns);
}

/* Where something may be stored it may be loaded, too, or somebody has to look: who loads a word to
 * put it back only asks for the one. */
static unsigned allowed_of(const gs_fast_engine *e, gs_addr line)
{
    const gs_addr address = line << e->timing->dcache.line_shift;
    const unsigned allowed = e->c->pages[address >> GS_PAGE_SHIFT];
    return allowed & GS_FAST_LOAD ? allowed & ANYTHING : 0;
}

/* Whether nobody need look at a store to a line that is missing. In one of several ways it may be
 * in another one. */
static bool lets_pass(const gs_cache *cache)
{
    return cache->ways == 1 && !cache->write_back && !cache->write_allocate;
}

/* A line is in no way of a cache. */
static void note_absent(const gs_fast_engine *e, gs_addr line)
{
    const bool passes = lets_pass(&e->timing->dcache) && (allowed_of(e, line) & GS_FAST_STORE);
    note(e, line, passes ? PASSED : 0);
}

static void update_data_set(gs_fast_engine *e, gs_addr set)
{
    const gs_cache *cache = &e->timing->dcache;
    const size_t slot = (size_t)set << cache->way_shift;
    const gs_addr line = cache->tags[slot], before = e->noted[set];
    if (before != GS_CACHE_NO_LINE)
        note_absent(e, before);
    e->noted[set] = line;
    if (line == GS_CACHE_NO_LINE)
        return;
    const bool clean = cache->write_back && !cache->dirty[slot];
    note(e, line, allowed_of(e, line) & (clean ? GS_FAST_LOAD : ANYTHING));
}

/* Catches up with what somebody else did to a cache. */
static void follow_changes(gs_fast_engine *e, const gs_cache *cache, uint32_t *seen, bool all,
                           void (*update)(gs_fast_engine *e, gs_addr set))
{
    uint32_t count = cache->change_count - *seen;
    *seen = cache->change_count;
    if (all || count > GS_CACHE_CHANGES) {
        for (gs_addr set = 0; set <= cache->set_mask; set++)
            update(e, set);
        return;
    }
    for (uint32_t i = 1; i <= count; i++)
        update(e, cache->changes[(cache->change_count - i) % GS_CACHE_CHANGES]);
}

void gs_lookups_refresh(gs_fast_engine *e)
{
    gs_memory *memory = &e->machine->memory;
    const bool mapped_anew = e->map_changes != memory->map_changes;
    if (mapped_anew && e->layout.dcached && !gs_memory_notes(memory))
        gs_fast_fail(e);
    e->map_changes = memory->map_changes;
    if (e->layout.icached)
        follow_changes(e, &e->timing->icache, &e->icache_changes, false, update_code_set);
    if (e->layout.dcached)
        follow_changes(e, &e->timing->dcache, &e->dcache_changes, mapped_anew, update_data_set);
}

/* -- what translated code calls --------------------------------------------------------------- */

static gs_fetch_undo *begin_undo(gs_fast_engine *e, gs_addr set, unsigned owner, uint32_t hit)
{
    gs_fetch_undo *undo = &e->fetches[e->fetch_count++];
    undo->owner = owner;
    undo->set = set;
    undo->hit = hit;
    return undo;
}

/* A line is about to be brought into a cache of several ways. */
static void remember_set(gs_fast_engine *e, gs_addr set, unsigned owner)
{
    const gs_cache *cache = &e->timing->icache;
    gs_fetch_undo *undo = begin_undo(e, set, owner, 0);
    undo->stats = cache->stats;
    undo->random = cache->random;
    undo->next_way = cache->next_way ? cache->next_way[set] : 0;
    memcpy(undo->tags, cache->tags + ((size_t)set << cache->way_shift),
           cache->ways * sizeof *cache->tags);
}

/* Whether lookups of code are of the same visit as those before; otherwise those are final. */
static void begin_fetches(gs_fast_engine *e, uint64_t visit)
{
    if (e->fetch_visit != visit)
        e->fetch_count = 0;
    e->fetch_visit = visit;
}

/* A line is looked up in a cache of several ways; what came of it. */
static gs_outcome look_up_in_ways(gs_fast_engine *e, gs_addr line, unsigned owner)
{
    gs_cache *cache = &e->timing->icache;
    const gs_addr set = line & cache->set_mask;
    const uint32_t hit = gs_cache_touch(cache, line);
    if (hit) {
        (void)begin_undo(e, set, owner, hit);
    } else {
        remember_set(e, set, owner);
        (void)gs_cache_access(cache, line << cache->line_shift, false);
        cache->stats.reads--; /* the edge counts it */
    }
    update_code_set(e, set);
    return hit ? GS_OUTCOME_HIT : GS_OUTCOME_FILLED;
}

/* A line that is not the first of its set is looked up; the part of the key for it. */
static inline uint64_t look_up(gs_fast_engine *e, gs_addr line, unsigned owner, unsigned shift)
{
    gs_cache *cache = &e->timing->icache;
    const gs_addr set = line & cache->set_mask;
    if (cache->ways > 1)
        return (uint64_t)look_up_in_ways(e, line, owner) << shift;
    begin_undo(e, set, owner, 0)->tags[0] = cache->tags[set];
    gs_cache_replace(cache, line);
    code_line_comes(e, set, line);
    return (uint64_t)GS_OUTCOME_FILLED << shift;
}

static void undo_stats(gs_cache *cache, const gs_fetch_undo *undo)
{
    if (cache->ways > 1) {
        cache->stats = undo->stats;
        return;
    }
    cache->stats.read_misses--;
    cache->stats.fills--;
    cache->stats.evictions -= undo->tags[0] != GS_CACHE_NO_LINE;
}

/* What has been looked up for instruction `owner` and those behind it, has not. */
static void undo_fetches(gs_fast_engine *e, unsigned owner)
{
    gs_cache *cache = &e->timing->icache;
    while (e->fetch_count > 0 && e->fetches[e->fetch_count - 1].owner >= owner) {
        const gs_fetch_undo *undo = &e->fetches[--e->fetch_count];
        if (undo->hit) {
            gs_cache_untouch(cache, undo->set, undo->hit);
            update_code_set(e, undo->set);
            continue;
        }
        memcpy(cache->tags + ((size_t)undo->set << cache->way_shift), undo->tags,
               cache->ways * sizeof *cache->tags);
        undo_stats(cache, undo);
        if (cache->ways > 1)
            cache->random = undo->random;
        if (cache->ways > 1 && cache->next_way)
            cache->next_way[undo->set] = undo->next_way;
        update_code_set(e, undo->set);
    }
}

static void fetch(gs_fast *c)
{
    gs_fast_engine *e = c->engine;
    const gs_fast_ask *ask = c->ask;
    const gs_addr line = gs_cache_line(&e->timing->icache, (gs_addr)ask->at);
    begin_fetches(e, gs_visit(ask->number, c->cost));
    gs_surcharge_add(e, look_up(e, line, (unsigned)ask->how >> 8, ask->how & 0xff));
}

/* The part of the key that the first `steps` instructions have. */
static uint64_t key_until(const gs_stretch *s, uint64_t key, unsigned steps)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < s->site_count; i++) {
        if (s->sites[i].owner < steps)
            mask |= (((uint64_t)1 << s->sites[i].bits) - 1) << s->sites[i].shift;
    }
    return key & mask;
}

/* The key of what has come up for the first `steps` instructions; the rest has not happened. */
uint64_t gs_lookups_settle_key(gs_fast_engine *e, const gs_stretch *s, unsigned steps)
{
    uint64_t key = key_until(s, e->c->key, steps);
    begin_fetches(e, gs_visit(s->number, e->c->cost));
    undo_fetches(e, steps);
    e->fetch_count = 0;
    e->c->key = 0;
    return key;
}

static int outcome_of(gs_cache_result result)
{
    return result.hit         ? GS_OUTCOME_HIT
           : !result.filled   ? GS_OUTCOME_PASSED
           : result.writeback ? GS_OUTCOME_WRITTEN_BACK
                              : GS_OUTCOME_FILLED;
}

/* A line that is read, and missing in a cache of one way, comes. Whether a store to the one before
 * could be made there, the notes still say. */
static int bring_data_in(gs_fast_engine *e, gs_addr set, gs_addr line)
{
    gs_cache *cache = &e->timing->dcache;
    const gs_addr before = cache->tags[set];
    const bool was_dirty = cache->dirty[set];
    gs_cache_replace(cache, line);
    if (before != GS_CACHE_NO_LINE) {
        const uint8_t known = e->notes[(size_t)before << cache->line_shift];
        note(e, before, lets_pass(cache) && (known & GS_NOTE_STORE) ? PASSED : 0);
    }
    e->noted[set] = line;
    note(e, line, allowed_of(e, line) & (cache->write_back ? GS_FAST_LOAD : ANYTHING));
    return was_dirty ? GS_OUTCOME_WRITTEN_BACK : GS_OUTCOME_FILLED;
}

static int access_data(gs_fast_engine *e, uint32_t address, bool write)
{
    if (!e->layout.dcached)
        return GS_OUTCOME_HIT;
    gs_cache *cache = &e->timing->dcache;
    const gs_addr line = gs_cache_line(cache, address), set = line & cache->set_mask;
    if (!write && cache->ways == 1 && cache->tags[set] != line)
        return bring_data_in(e, set, line);
    const size_t slot = (size_t)set << cache->way_shift;
    const bool first = cache->tags[slot] == line;
    if (first && !(write && cache->write_back && !cache->dirty[slot]))
        return GS_OUTCOME_HIT; /* which changes nothing, and the edge counts it */
    const uint32_t way = first || cache->ways == 1 ? 0 : gs_cache_touch(cache, line);
    if (way) {
        if (write && cache->write_back)
            cache->dirty[gs_cache_touched(cache, set, way)] = 1;
        update_data_set(e, set);
        return GS_OUTCOME_HIT;
    }
    if (write && !first && !cache->write_allocate) {
        cache->stats.write_misses++;
        return GS_OUTCOME_PASSED;
    }
    gs_cache_result result = gs_cache_access(cache, address, write);
    *(write ? &cache->stats.writes : &cache->stats.reads) -= 1; /* the edge counts it */
    update_data_set(e, set);
    return outcome_of(result);
}

/* What GS_FAST_ACCESS says. */
static unsigned step_of(const gs_fast_ask *ask)
{
    return (unsigned)ask->how >> 16;
}
static unsigned size_of(const gs_fast_ask *ask)
{
    return (unsigned)ask->how >> 8 & 0xff;
}

/* An access that cannot be done here: the stretch has been left before it. */
static void leave(gs_fast *c)
{
    c->answer = 0;
    c->stretch = (uint32_t)c->ask->number;
    c->state = (uint32_t)c->ask->state;
    c->left_at = step_of(c->ask);
}

/* It has been done. */
static void account(gs_fast *c, int outcome)
{
    c->answer = 1;
    gs_surcharge_add(c->engine, (uint64_t)outcome << (c->ask->how & 0xff));
}

static bool may_load(const gs_fast *c, uint32_t address, unsigned size)
{
    return !(address & (size - 1)) && (c->pages[address >> GS_PAGE_SHIFT] & GS_FAST_LOAD);
}

static bool may_store(const gs_fast *c, uint32_t address, unsigned size)
{
    return !(address & (size - 1)) &&
           ((c->pages[address >> GS_PAGE_SHIFT] & GS_FAST_STORE) ||
            gs_memory_store_is_plain(&c->engine->machine->memory, address, size));
}

static void load(gs_fast *c)
{
    const uint32_t address = (uint32_t)c->ask->at;
    if (!may_load(c, address, size_of(c->ask))) {
        leave(c);
        return;
    }
    const int outcome = access_data(c->engine, address, false);
    c->missed = outcome != 0;
    account(c, outcome);
}

/* What becomes of a store, or -1. */
static int outcome_of_store(gs_fast *c)
{
    const uint32_t address = (uint32_t)c->ask->at;
    return may_store(c, address, size_of(c->ask)) ? access_data(c->engine, address, true) : -1;
}

static void store(gs_fast *c)
{
    const int outcome = outcome_of_store(c);
    if (outcome < 0)
        leave(c);
    else
        account(c, outcome);
}

static bool may_be_stored_to(const gs_fast *c, uint32_t low, unsigned span, unsigned size)
{
    for (unsigned i = 0; i < span; i += size) {
        if (!may_store(c, low + i, size))
            return false;
    }
    return true;
}

static void range(gs_fast *c)
{
    const unsigned how = (unsigned)c->ask->how, span = how >> 8 & 0xff, size = how >> 4 & 15,
                   need = how & 15;
    const uint32_t low = (uint32_t)c->ask->at, high = low + span - 1;
    const uint8_t pages = c->pages[low >> GS_PAGE_SHIFT] & c->pages[high >> GS_PAGE_SHIFT];
    c->answer = !(low & (size - 1)) && !(need & GS_FAST_LOAD & ~pages) &&
                (!(need & GS_FAST_STORE) || may_be_stored_to(c, low, span, size));
    if (!c->answer)
        leave(c);
}

/* A store has missed. The next one there may pass by itself. */
static void count_pass(gs_fast *c, uint32_t cell, gs_addr address)
{
    gs_fast_engine *e = c->engine;
    const gs_addr line = gs_cache_line(&e->timing->dcache, address);
    gs_asked_block(c)->cells[cell].count++;
    e->timing->dcache.stats.write_misses--; /* the block counts it */
    if (e->timing->dcache.ways == 1)
        note_absent(e, line);
}

static void pass(gs_fast *c)
{
    const int outcome = outcome_of_store(c);
    const gs_stretch *s = c->engine->stretches.items[c->ask->number].stretch;
    unsigned step = step_of(c->ask);
    step += s->steps[step].pass < 0; /* one in a delay slot goes back to the jump */
    c->answer = 1;
    if (outcome < 0)
        leave(c);
    else if (outcome > 0)
        count_pass(c, gs_usual_pass_cell(s, step), (gs_addr)c->ask->at);
}

/* The next of a group of accesses: its instruction, or one from there on. */
static const gs_step *next_access(const gs_step *step)
{
    while (!step->access)
        step++;
    return step;
}

static bool is_store(const gs_stretch *s, const gs_step *step)
{
    return step->pass >= 0 || s->sites[step->data].kind == GS_SITE_STORE;
}

static uint32_t address_in_group(const gs_fast_ask *ask, const gs_step *step, const gs_step *first)
{
    const uint64_t base = step->insn.rs1 == first->insn.rs1 ? ask->at : ask->at >> 32;
    return (uint32_t)base + (uint32_t)step->insn.imm;
}

/* Whether nobody would notice an access. */
static bool is_quiet(const gs_fast *c, const gs_step *step, bool stores, uint32_t address)
{
    return c->engine->notes[address] & step->access * (stores ? GS_NOTE_STORE : 1);
}

static bool may_be_done(const gs_fast *c, const gs_stretch *s, const gs_step *first, unsigned count)
{
    const gs_step *step = first;
    for (unsigned i = 0; i < count; i++, step++) {
        step = next_access(step);
        const uint32_t address = address_in_group(c->ask, step, first);
        const bool stores = is_store(s, step);
        if (!is_quiet(c, step, stores, address) &&
            !(stores ? may_store(c, address, step->access) : may_load(c, address, step->access)))
            return false;
    }
    return true;
}

/* If one of them cannot be done here, none is. */
static void group(gs_fast *c)
{
    const gs_stretch *s = c->engine->stretches.items[c->ask->number].stretch;
    const gs_step *first = &s->steps[step_of(c->ask)], *step = first;
    const unsigned count = size_of(c->ask);
    if (!may_be_done(c, s, first, count)) {
        leave(c);
        return;
    }
    uint64_t bits = 0;
    for (unsigned i = 0; i < count; i++, step++) {
        step = next_access(step);
        const uint32_t address = address_in_group(c->ask, step, first);
        const bool stores = is_store(s, step);
        const int outcome =
            is_quiet(c, step, stores, address) ? 0 : access_data(c->engine, address, stores);
        if (step->pass < 0)
            bits |= (uint64_t)outcome << s->sites[step->data].shift;
        else if (outcome > 0)
            count_pass(c, gs_usual_pass_cell(s, (unsigned)(step - s->steps)), address);
    }
    c->answer = 1;
    gs_surcharge_add(c->engine, bits);
}

static void unusual(gs_fast *c)
{
    gs_surcharge_add(c->engine, c->ask->at << c->ask->how);
}

static int guess_at(gs_fast *c, uint32_t pc, unsigned length_flow, uint32_t says, int taken,
                    uint32_t goal)
{
    gs_timing *timing = c->engine->timing;
    const gs_flow flow = (gs_flow)(length_flow & 0xff);
    const gs_branch branch = gs_timing_branch(timing, pc, length_flow >> 8, flow, says);
    const gs_guess guess = gs_predictor_guess(&timing->predictor, &branch, taken, goal);
    const gs_guess at_best = gs_predictor_at_best(&timing->predictor, flow);
    const bool straight_on = !taken && guess <= GS_GUESS_RIGHT; /* nobody cares who knew */
    return straight_on ? 0 : (int)(guess ^ at_best);
}

/* Fetch has strayed so far that it brought a line in. */
void gs_lookups_bring_in(gs_fast_engine *e, gs_addr address)
{
    gs_cache *cache = &e->timing->icache;
    (void)gs_cache_fill(cache, address);
    update_code_set(e, gs_cache_line(cache, address) & cache->set_mask);
}

/* Looks up what every way through a stretch needs from step `first` on and is not the first of its
 * set; the part of the key for it. One that comes may be in the way of one behind. */
static uint64_t look_up_from(gs_fast_engine *e, uint32_t number, unsigned first)
{
    const struct gs_numbered *numbered = &e->stretches.items[number];
    const gs_line_use *use = numbered->lines, *end = use + numbered->line_count;
    uint64_t bits = 0;
    for (; use < end; use++) {
        if (e->code_notes[use->number] == GS_FAST_LINE_ABSENT && use->owner >= first)
            bits |= look_up(e, use->number, use->owner, use->shift);
    }
    return bits;
}

/* The same for all of them, in a cache of one way. A program that is larger than its cache hardly
 * does anything else. Nobody is told of what changes: the tables know. */
static uint64_t look_up_all(gs_fast_engine *e, const struct gs_numbered *numbered)
{
    gs_cache *cache = &e->timing->icache;
    gs_addr *tags = cache->tags, *firsts = e->firsts;
    uint8_t *notes = e->code_notes;
    const gs_addr set_mask = cache->set_mask;
    gs_fetch_undo *undo = &e->fetches[e->fetch_count];
    uint64_t bits = 0, missed = 0, evicted = 0;
    for (const gs_line_use *use = numbered->lines, *end = use + numbered->line_count; use < end;
         use++) {
        const gs_addr line = use->number, set = line & set_mask, old = tags[set];
        if (old == line)
            continue;
        undo->owner = use->owner;
        undo->set = set;
        undo->hit = 0;
        undo->tags[0] = old;
        undo++;
        missed++;
        if (old != GS_CACHE_NO_LINE) {
            notes[old] = GS_FAST_LINE_ABSENT;
            evicted++;
        }
        tags[set] = firsts[set] = line;
        notes[line] = GS_FAST_LINE_FIRST;
        bits |= (uint64_t)GS_OUTCOME_FILLED << use->shift;
    }
    e->fetch_count += (unsigned)missed;
    cache->stats.read_misses += missed;
    cache->stats.fills += missed;
    cache->stats.evictions += evicted;
    return bits;
}

static void look(gs_fast *c)
{
    gs_fast_engine *e = c->engine;
    const uint32_t number = (uint32_t)c->ask->number;
    begin_fetches(e, gs_visit(number, c->cost));
    gs_surcharge_add(e, e->timing->icache.ways > 1 ? look_up_from(e, number, 0)
                                                   : look_up_all(e, &e->stretches.items[number]));
}

static unsigned first_missing(const gs_fast_engine *e, const gs_strays *strays)
{
    for (unsigned i = 0; i < strays->count; i++) {
        if (!gs_cache_probe(&e->timing->icache, strays->pc[i]))
            return i + 1;
    }
    return 0;
}

/* How far fetch gets depends on the pipeline, so the model says whether a line that is missing is
 * brought in: for a jump once its edge is known, and here in the middle of a stretch. Then what has
 * been looked up too early for the instructions behind is looked up again. */
static void stray(gs_fast *c)
{
    gs_fast_engine *e = c->engine;
    const uint32_t number = (uint32_t)c->ask->number, site_number = (uint32_t)c->ask->how;
    gs_stretch *s = e->stretches.items[number].stretch;
    gs_fast_node *real =
        c->special ? c->special
                   : gs_turns_node(e, s, (unsigned)c->ask->state, gs_asked_block(c)->path);
    if (!real) {
        c->cost = gs_fast_look(c->cost);
        return;
    }
    const gs_site *site = &s->sites[site_number];
    const bool inside = s->steps[site->step].stray == (int)site_number;
    begin_fetches(e, gs_visit(number, c->cost));
    if (inside) {
        undo_fetches(e, site->step + 1u);
        c->key = key_until(s, c->key, site->step + 1u);
    }
    const unsigned missing = first_missing(e, &s->strays[site->strays]);
    c->key |= (uint64_t)missing << site->shift;
    if (inside && missing) {
        gs_fast_edge *edge = gs_automaton_partial(e->automaton, real, site->step + 1u, c->key);
        if (!edge)
            gs_fast_fail(e);
        else if (edge->lesson->stray)
            gs_lookups_bring_in(e, edge->lesson->stray);
    }
    if (inside)
        c->key |= look_up_from(e, number, site->step + 1u);
    if (c->key)
        c->cost = gs_fast_look(c->cost);
}

void gs_lookups_done(gs_fast_engine *e)
{
    e->icache_changes = e->timing->icache.change_count;
    e->dcache_changes = e->timing->dcache.change_count;
}

/* The lines that are noted, one for each set: none. NULL when memory is out. */
static gs_addr *no_lines(uint32_t sets)
{
    gs_addr *lines = malloc(sets * sizeof *lines);
    for (uint32_t set = 0; lines && set < sets; set++)
        lines[set] = GS_CACHE_NO_LINE;
    return lines;
}

static bool open_notes(gs_fast_engine *e)
{
    gs_memory *memory = &e->machine->memory;
    const gs_fast_layout *l = &e->layout;
    if (l->icached) {
        e->code_notes = gs_memory_code_lines(memory, e->timing->icache.line_shift);
        e->firsts = no_lines(l->icache_sets);
    }
    if (l->dcached) {
        e->notes = gs_memory_notes(memory);
        e->noted = no_lines(l->dcache_sets);
    }
    return (!l->icached || (e->code_notes && e->firsts)) && (!l->dcached || (e->notes && e->noted));
}

bool gs_lookups_open(gs_fast_engine *e)
{
    gs_fast *c = e->c;
    c->unusual = unusual;
    c->look = look;
    c->fetch = fetch;
    c->load = load;
    c->store = store;
    c->range = range;
    c->pass = pass;
    c->group = group;
    c->stray = stray;
    c->guess_at = guess_at;
    if (!e->timing)
        return true;
    c->counters = e->timing->predictor.counters;
    c->history = &e->timing->predictor.history;
    e->icache_changes = e->timing->icache.change_count - GS_CACHE_CHANGES - 1;
    e->dcache_changes = e->timing->dcache.change_count - GS_CACHE_CHANGES - 1;
    return open_notes(e);
}

void gs_lookups_close(gs_fast_engine *e)
{
    free(e->noted);
    free(e->firsts);
}

bool gs_lookups_add(gs_fast_engine *e, const gs_stretch *s)
{
    struct gs_numbered *numbered = &e->stretches.items[s->number];
    numbered->lines = gs_arena_alloc(&e->arena, (s->line_count + 1u) * sizeof *numbered->lines);
    if (!numbered->lines)
        return false;
    numbered->line_count = s->line_count;
    for (unsigned i = 0; i < s->line_count; i++) {
        const gs_site *site = &s->sites[s->lines[i]];
        const gs_addr line = gs_cache_line(&e->timing->icache, site->address);
        numbered->lines[i] = (gs_line_use){line, site->owner, site->shift};
        if (e->code_notes[line] != GS_FAST_LINE_FIRST)
            e->code_notes[line] = GS_FAST_LINE_ABSENT;
    }
    return true;
}
