#include "engine/fast/runtime/penalties.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* -- the tables translated code looks at ---------------------------------------------------- */

/* The line in a slot, or none, is another one. */
static void note_icache_line(gs_fast_engine *e, size_t slot)
{
    const gs_addr before = e->code_noted[slot], line = e->timing->icache.tags[slot];
    if (before != GS_CACHE_NO_LINE)
        e->code_notes[before] = GS_FAST_LINE_ABSENT;
    if (line != GS_CACHE_NO_LINE)
        e->code_notes[line] = GS_FAST_LINE_QUIET;
    e->code_noted[slot] = line;
}

/* Lines may be in other slots than they were. */
static void update_code_set(gs_fast_engine *e, gs_addr set)
{
    const gs_cache *cache = &e->timing->icache;
    const size_t first = (size_t)set << cache->way_shift, end = first + cache->ways;
    for (size_t slot = first; cache->ways > 1 && slot < end; slot++) {
        if (e->code_noted[slot] != GS_CACHE_NO_LINE)
            e->code_notes[e->code_noted[slot]] = GS_FAST_LINE_ABSENT;
        e->code_noted[slot] = GS_CACHE_NO_LINE;
    }
    for (size_t slot = first; slot < end; slot++)
        note_icache_line(e, slot);
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

/* What is in a set has been changed by others. */
static void follow_code_set(gs_fast_engine *e, gs_addr set)
{
    if (e->icache_lru.cache)
        gs_icache_lru_follow(&e->icache_lru, set);
    update_code_set(e, set);
}

void gs_lookups_refresh(gs_fast_engine *e)
{
    gs_memory *memory = &e->machine->memory;
    const bool mapped_anew = e->map_changes != memory->map_changes;
    if (mapped_anew && e->layout.dcached) {
        if (!gs_memory_notes(memory))
            gs_fast_fail(e);
        gs_accesses_forget(e);
    }
    e->map_changes = memory->map_changes;
    if (e->layout.icached)
        follow_changes(e, &e->timing->icache, &e->icache_changes, false, follow_code_set);
    if (e->layout.dcached)
        follow_changes(e, &e->timing->dcache, &e->dcache_changes, mapped_anew, gs_accesses_update);
}

/* -- what translated code calls --------------------------------------------------------------- */

static gs_fetch_undo *begin_undo(gs_fast_engine *e, gs_addr line, unsigned owner)
{
    gs_fetch_undo *undo = &e->fetches[e->fetch_count++];
    undo->owner = owner;
    undo->line = line;
    return undo;
}

/* Whether lookups of code are of the same visit as those before; otherwise those are final. */
static void begin_fetches(gs_fast_engine *e, uint64_t visit)
{
    if (e->fetch_visit != visit)
        e->fetch_count = 0;
    e->fetch_visit = visit;
}

/* When a superblock uses the line of a site. */
static uint64_t time_at(const gs_fast_engine *e, unsigned site)
{
    return gs_fast_time(e->c->cost, site);
}

/* The slot for a line of code that a superblock brings in, by one of its sites. It says when it
 * used lines when it is over, but it has used those of the sites before. */
static size_t oldest_slot(const gs_fast_engine *e, const gs_superblock *s, unsigned site,
                          gs_addr set)
{
    const gs_cache *cache = &e->timing->icache;
    uint64_t times[GS_CACHE_MAX_WAYS] = {0};
    for (unsigned i = 0; i < s->step_count; i++) {
        const int sites[] = {s->steps[i].fetch, s->steps[i].second};
        for (unsigned k = 0; k < 2; k++) {
            if (sites[k] < 0 || sites[k] >= (int)site)
                continue;
            const gs_addr line = gs_cache_line(cache, s->sites[sites[k]].address);
            size_t slot;
            if ((line & cache->set_mask) == set && gs_icache_lru_find(&e->icache_lru, line, &slot))
                times[slot & (cache->ways - 1)] = time_at(e, (unsigned)sites[k]);
        }
    }
    return gs_icache_lru_oldest(&e->icache_lru, set, times);
}

/* A line is brought in, where it matters when lines have been used. */
static void look_up_aged(gs_fast_engine *e, const gs_superblock *s, gs_addr line, unsigned site)
{
    gs_icache_lru *ages = &e->icache_lru;
    gs_cache *cache = ages->cache;
    gs_fetch_undo *undo = begin_undo(e, line, s->sites[site].owner);
    undo->slot = oldest_slot(e, s, site, line & cache->set_mask);
    undo->used = ages->used[undo->slot];
    undo->tags[0] = cache->tags[undo->slot];
    cache->stats.read_misses++;
    cache->stats.fills++;
    cache->stats.evictions += undo->tags[0] != GS_CACHE_NO_LINE;
    gs_icache_lru_put(ages, undo->slot, line, time_at(e, site));
    note_icache_line(e, undo->slot);
}

/* The same in a cache of several ways where it does not matter. */
static void look_up_in_ways(gs_fast_engine *e, gs_addr line, unsigned owner)
{
    gs_cache *cache = &e->timing->icache;
    const gs_addr set = line & cache->set_mask;
    gs_fetch_undo *undo = begin_undo(e, line, owner);
    undo->stats = cache->stats;
    undo->random = cache->random;
    undo->next_way = cache->next_way ? cache->next_way[set] : 0;
    memcpy(undo->tags, cache->tags + ((size_t)set << cache->way_shift),
           cache->ways * sizeof *cache->tags);
    (void)gs_cache_access(cache, line << cache->line_shift, false);
    cache->stats.reads--; /* the edge counts it */
    update_code_set(e, set);
}

/* A line that is not there, and therefore not quiet, is looked up; the part of the key for it. */
static uint64_t look_up(gs_fast_engine *e, const gs_superblock *s, gs_addr line, unsigned site)
{
    gs_cache *cache = &e->timing->icache;
    const unsigned owner = s->sites[site].owner;
    if (e->icache_lru.cache) {
        look_up_aged(e, s, line, site);
    } else if (cache->ways > 1) {
        look_up_in_ways(e, line, owner);
    } else {
        const gs_addr set = line & cache->set_mask;
        begin_undo(e, line, owner)->tags[0] = cache->tags[set];
        gs_cache_replace(cache, line);
        note_icache_line(e, set);
    }
    return (uint64_t)GS_OUTCOME_FILLED << s->sites[site].shift;
}

/* A line took the place of another one, or of none, in a slot. */
static void undo_slot(gs_fast_engine *e, const gs_fetch_undo *undo, size_t slot)
{
    gs_cache *cache = &e->timing->icache;
    cache->stats.read_misses--;
    cache->stats.fills--;
    cache->stats.evictions -= undo->tags[0] != GS_CACHE_NO_LINE;
    if (e->icache_lru.cache)
        gs_icache_lru_put(&e->icache_lru, slot, undo->tags[0], undo->used);
    cache->tags[slot] = undo->tags[0];
    note_icache_line(e, slot);
}

/* It came into a set. */
static void undo_set(gs_fast_engine *e, const gs_fetch_undo *undo)
{
    gs_cache *cache = &e->timing->icache;
    const gs_addr set = undo->line & cache->set_mask;
    memcpy(cache->tags + ((size_t)set << cache->way_shift), undo->tags,
           cache->ways * sizeof *cache->tags);
    cache->stats = undo->stats;
    cache->random = undo->random;
    if (cache->next_way)
        cache->next_way[set] = undo->next_way;
    update_code_set(e, set);
}

/* What has been looked up for instruction `owner` and those behind it, has not. */
static void undo_fetches(gs_fast_engine *e, unsigned owner)
{
    const gs_cache *cache = &e->timing->icache;
    while (e->fetch_count > 0 && e->fetches[e->fetch_count - 1].owner >= owner) {
        const gs_fetch_undo *undo = &e->fetches[--e->fetch_count];
        if (e->icache_lru.cache)
            undo_slot(e, undo, undo->slot);
        else if (cache->ways == 1)
            undo_slot(e, undo, undo->line & cache->set_mask);
        else
            undo_set(e, undo);
    }
}

static void fetch(gs_fast *c, const gs_stub_args *args)
{
    gs_fast_engine *e = c->engine;
    const gs_addr line = gs_cache_line(&e->timing->icache, (gs_addr)args->at);
    begin_fetches(e, gs_visit(args->number, c->cost));
    gs_penalty_add(
        e, args,
        look_up(e, e->superblocks.items[args->number].superblock, line, (unsigned)args->how));
}

/* The part of the key that the first `steps` instructions have. */
static uint64_t key_until(const gs_superblock *s, uint64_t key, unsigned steps)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < s->site_count; i++) {
        if (s->sites[i].owner < steps)
            mask |= (((uint64_t)1 << s->sites[i].bits) - 1) << s->sites[i].shift;
    }
    return key & mask;
}

/* A superblock uses the line of a site. */
static void use_site(const gs_fast_engine *e, const gs_superblock *s, int site)
{
    const gs_icache_lru *ages = &e->icache_lru;
    size_t slot;
    if (site >= 0 &&
        gs_icache_lru_find(ages, gs_cache_line(ages->cache, s->sites[site].address), &slot))
        gs_icache_lru_use(ages, slot, time_at(e, (unsigned)site));
}

/* It has been left before instruction `steps`, and says of no line when it used it. Control may
 * have come there without a look at those it begins with; then they were used last in their sets,
 * if not by this one. */
static void use_until(const gs_fast_engine *e, const gs_superblock *s, unsigned steps)
{
    const bool known =
        s->comes_known && gs_fast_instructions(e->c->begun) != gs_fast_instructions(e->c->cost);
    for (unsigned i = 0; e->icache_lru.cache && i < s->step_count; i++) {
        const int sites[] = {s->steps[i].fetch, s->steps[i].second};
        for (unsigned k = 0; k < 2; k++) {
            const gs_site *site = sites[k] < 0 ? NULL : &s->sites[sites[k]];
            if (site && (site->owner < steps || (known && gs_superblock_looks_up_first(s, site))))
                use_site(e, s, sites[k]);
        }
    }
}

void gs_lookups_use(const gs_fast_engine *e, const gs_superblock *s, unsigned way)
{
    if (!e->icache_lru.cache)
        return;
    for (unsigned i = 0; i < s->exits[way].steps; i++) {
        use_site(e, s, s->steps[i].fetch);
        use_site(e, s, s->steps[i].second);
    }
}

/* The key of what has come up for the first `steps` instructions; the rest has not happened. */
uint64_t gs_lookups_settle_key(gs_fast_engine *e, const gs_superblock *s, unsigned steps)
{
    uint64_t key = key_until(s, e->c->key, steps);
    begin_fetches(e, gs_visit(s->number, e->c->cost));
    undo_fetches(e, steps);
    use_until(e, s, steps);
    e->fetch_count = 0;
    e->c->key = 0;
    return key;
}

static void unpredicted(gs_fast *c, const gs_stub_args *args)
{
    gs_penalty_add(c->engine, args, args->at << args->how);
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

/* Fetch along the wrong path brought a line in. */
void gs_lookups_bring_in(gs_fast_engine *e, gs_addr address)
{
    gs_cache *cache = &e->timing->icache;
    (void)gs_cache_fill(cache, address);
    update_code_set(e, gs_cache_line(cache, address) & cache->set_mask);
}

/* Looks up what every way through a superblock needs from step `first` on and is not quiet;
 * the part of the key for it. One that comes may be in the way of one behind. */
static uint64_t look_up_from(gs_fast_engine *e, uint32_t number, unsigned first)
{
    const struct gs_numbered *numbered = &e->superblocks.items[number];
    const gs_line_use *use = numbered->lines, *end = use + numbered->line_count;
    uint64_t bits = 0;
    for (; use < end; use++) {
        if (e->code_notes[use->number] == GS_FAST_LINE_ABSENT && use->owner >= first)
            bits |= look_up(e, numbered->superblock, use->number, use->site);
    }
    return bits;
}

/* The same for all of them, in a cache of one way. A program that is larger than its cache hardly
 * does anything else. Nobody is told of what changes: the tables know. */
static uint64_t look_up_all(gs_fast_engine *e, const struct gs_numbered *numbered)
{
    gs_cache *cache = &e->timing->icache;
    gs_addr *tags = cache->tags, *noted = e->code_noted;
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
        undo->line = line;
        undo->tags[0] = old;
        undo++;
        missed++;
        if (old != GS_CACHE_NO_LINE) {
            notes[old] = GS_FAST_LINE_ABSENT;
            evicted++;
        }
        tags[set] = noted[set] = line;
        notes[line] = GS_FAST_LINE_QUIET;
        bits |= (uint64_t)GS_OUTCOME_FILLED << use->shift;
    }
    e->fetch_count += (unsigned)missed;
    cache->stats.read_misses += missed;
    cache->stats.fills += missed;
    cache->stats.evictions += evicted;
    return bits;
}

static void look(gs_fast *c, const gs_stub_args *args)
{
    gs_fast_engine *e = c->engine;
    const uint32_t number = (uint32_t)args->number;
    begin_fetches(e, gs_visit(number, c->cost));
    gs_penalty_add(e, args,
                   e->timing->icache.ways > 1 ? look_up_from(e, number, 0)
                                              : look_up_all(e, &e->superblocks.items[number]));
}

static unsigned first_missing(const gs_fast_engine *e, const gs_wrong_path *wrong_path)
{
    for (unsigned i = 0; i < wrong_path->count; i++) {
        if (!gs_cache_probe(&e->timing->icache, wrong_path->pc[i]))
            return i + 1;
    }
    return 0;
}

/* How far fetch gets depends on the pipeline, so the model says whether a line that is missing is
 * brought in: for a jump once its edge is known, and here in the middle of a superblock. Then what
 * has been looked up too early for the instructions behind is looked up again. */
static void wrong_path(gs_fast *c, const gs_stub_args *args)
{
    gs_fast_engine *e = c->engine;
    const uint32_t number = (uint32_t)args->number, site_number = (uint32_t)args->how;
    gs_superblock *s = e->superblocks.items[number].superblock;
    gs_fast_node *real =
        c->special ? c->special
                   : gs_slow_exits_node(e, s, (unsigned)args->state, gs_args_block(c, args)->path);
    if (!real) {
        c->cost = gs_fast_look(c->cost);
        return;
    }
    const gs_site *site = &s->sites[site_number];
    const bool inside = s->steps[site->step].wrong_path == (int)site_number;
    begin_fetches(e, gs_visit(number, c->cost));
    if (inside) {
        undo_fetches(e, site->step + 1u);
        c->key = key_until(s, c->key, site->step + 1u);
    }
    const unsigned missing = first_missing(e, &s->wrong_path[site->wrong_path]);
    c->key |= (uint64_t)missing << site->shift;
    if (inside && missing) {
        gs_fast_edge *edge = gs_automaton_partial(e->automaton, real, site->step + 1u, c->key);
        if (!edge)
            gs_fast_fail(e);
        else if (edge->transition->wrong_path)
            gs_lookups_bring_in(e, edge->transition->wrong_path);
    }
    if (inside)
        c->key |= look_up_from(e, number, site->step + 1u);
    if (c->key)
        c->cost = gs_fast_look(c->cost);
}

/* Lines are where others expect them, and are as quiet there. */
static void finish_icache_lru(gs_fast_engine *e)
{
    const gs_cache *cache = e->icache_lru.cache;
    if (!cache)
        return;
    gs_icache_lru_finish(&e->icache_lru, gs_fast_instructions(e->c->cost));
    memcpy(e->code_noted, cache->tags,
           ((size_t)e->layout.icache_sets << cache->way_shift) * sizeof *cache->tags);
}

void gs_lookups_done(gs_fast_engine *e)
{
    gs_accesses_settle(e);
    finish_icache_lru(e);
    e->icache_changes = e->timing->icache.change_count;
    e->dcache_changes = e->timing->dcache.change_count;
}

/* The bytes that tell of lines of code, and of which they do: none. */
static bool open_code_notes(gs_fast_engine *e)
{
    gs_cache *cache = &e->timing->icache;
    assert(cache->ways == 1 || !(e->timing->model->wrong_path ||
                                 e->timing->model->fetches_ahead)); /* see core_yaml.c */
    const size_t slots = (size_t)e->layout.icache_sets << cache->way_shift;
    e->code_notes = gs_memory_icache_lines(&e->machine->memory, cache->line_shift);
    e->code_noted = malloc(slots * sizeof *e->code_noted);
    for (size_t slot = 0; e->code_noted && slot < slots; slot++)
        e->code_noted[slot] = GS_CACHE_NO_LINE;
    return e->code_notes && e->code_noted &&
           gs_icache_lru_open(&e->icache_lru, cache,
                              (uint64_t *)(void *)((uint8_t *)e->c + GS_FAST_AGES));
}

bool gs_lookups_open(gs_fast_engine *e)
{
    gs_fast *c = e->c;
    c->unpredicted = unpredicted;
    c->look = look;
    c->fetch = fetch;
    c->wrong_path = wrong_path;
    c->guess_at = guess_at;
    if (!gs_accesses_open(e))
        return false;
    if (!e->timing)
        return true;
    c->counters = e->timing->predictor.counters;
    c->history = &e->timing->predictor.history;
    e->icache_changes = e->timing->icache.change_count - GS_CACHE_CHANGES - 1;
    e->dcache_changes = e->timing->dcache.change_count - GS_CACHE_CHANGES - 1;
    return !e->layout.icached || open_code_notes(e);
}

void gs_lookups_close(gs_fast_engine *e)
{
    gs_accesses_close(e);
    free(e->code_noted);
    gs_icache_lru_close(&e->icache_lru);
}

bool gs_lookups_add(gs_fast_engine *e, const gs_superblock *s)
{
    struct gs_numbered *numbered = &e->superblocks.items[s->number];
    numbered->lines = gs_arena_alloc(&e->arena, (s->line_count + 1u) * sizeof *numbered->lines);
    if (!numbered->lines)
        return false;
    numbered->line_count = s->line_count;
    for (unsigned i = 0; i < s->line_count; i++) {
        const gs_site *site = &s->sites[s->lines[i]];
        const gs_addr line = gs_cache_line(&e->timing->icache, site->address);
        numbered->lines[i] = (gs_line_use){line, site->owner, site->shift, s->lines[i]};
        if (e->code_notes[line] != GS_FAST_LINE_QUIET)
            e->code_notes[line] = GS_FAST_LINE_ABSENT;
    }
    return true;
}
