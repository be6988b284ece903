/* Looks up I-cache lines for translated code, and takes back lookups that were too early. */
#include "engine/fast/runtime/icache.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fast/runtime/cache_changes.h"
#include "engine/fast/runtime/engine_parts.h"
#include "engine/fast/runtime/penalties.h"

/* -- the tables that translated code reads ---------------------------------------------------- */

/* The line in a slot has changed. */
static void note_icache_line(gs_icache_view *v, size_t slot)
{
    const gs_addr before = v->noted[slot], line = v->cache->tags[slot];
    if (before != GS_CACHE_NO_LINE)
        v->notes[before] = GS_FAST_LINE_ABSENT;
    if (line != GS_CACHE_NO_LINE)
        v->notes[line] = GS_FAST_LINE_QUIET;
    v->noted[slot] = line;
}

/* Lines may be in other slots than they were. */
static void update_code_set(gs_icache_view *v, gs_addr set)
{
    const gs_cache *cache = v->cache;
    const size_t first = (size_t)set << cache->way_shift, end = first + cache->ways;
    for (size_t slot = first; cache->ways > 1 && slot < end; slot++) {
        if (v->noted[slot] != GS_CACHE_NO_LINE)
            v->notes[v->noted[slot]] = GS_FAST_LINE_ABSENT;
        v->noted[slot] = GS_CACHE_NO_LINE;
    }
    for (size_t slot = first; slot < end; slot++)
        note_icache_line(v, slot);
}

/* Updates the notes of a set that others have changed. */
static void follow_code_set(void *self, gs_addr set)
{
    gs_icache_view *v = self;
    if (v->lru.cache)
        gs_icache_lru_follow(&v->lru, set);
    update_code_set(v, set);
}

void gs_icache_begin(gs_icache_view *v)
{
    if (v->cache)
        gs_cache_catch_up(v->cache, &v->changes, false, follow_code_set, v);
}

/* -- what translated code calls --------------------------------------------------------------- */

static gs_fetch_undo *begin_undo(gs_icache_view *v, gs_addr line, unsigned owner)
{
    gs_fetch_undo *undo = &v->fetches[v->fetch_count++];
    undo->owner = owner;
    undo->line = line;
    return undo;
}

/* Begins the lookups of a visit. Those of another visit before are final. */
static void begin_fetches(gs_icache_view *v, uint64_t visit)
{
    if (v->visit != visit)
        v->fetch_count = 0;
    v->visit = visit;
}

/* The time when a superblock uses the line of a site. */
static uint64_t time_at(const gs_icache_view *v, unsigned site)
{
    return gs_fast_time(v->c->cost, site);
}

/* The slot for an I-cache line that a superblock brings in at one of its sites. The superblock
 * notes when it used lines when it is left, but it has used those of the sites before by now. */
static size_t oldest_slot(const gs_icache_view *v, const gs_superblock *s, unsigned site,
                          gs_addr set)
{
    const gs_cache *cache = v->cache;
    uint64_t times[GS_CACHE_MAX_WAYS] = {0};
    for (unsigned i = 0; i < s->step_count; i++) {
        const int sites[] = {s->steps[i].fetch, s->steps[i].second};
        for (unsigned k = 0; k < 2; k++) {
            if (sites[k] < 0 || sites[k] >= (int)site)
                continue;
            const gs_addr line = gs_cache_line(cache, s->sites[sites[k]].address);
            size_t slot;
            if ((line & cache->set_mask) == set && gs_icache_lru_find(&v->lru, line, &slot))
                times[slot & (cache->ways - 1)] = time_at(v, (unsigned)sites[k]);
        }
    }
    return gs_icache_lru_oldest(&v->lru, set, times);
}

/* Brings a line in, with LRU replacement. */
static void look_up_lru(gs_icache_view *v, const gs_superblock *s, gs_addr line, unsigned site)
{
    gs_icache_lru *lru = &v->lru;
    gs_cache *cache = lru->cache;
    gs_fetch_undo *undo = begin_undo(v, line, s->sites[site].owner);
    undo->slot = oldest_slot(v, s, site, line & cache->set_mask);
    undo->used = lru->used[undo->slot];
    undo->tags[0] = cache->tags[undo->slot];
    cache->stats.read_misses++;
    cache->stats.fills++;
    cache->stats.evictions += undo->tags[0] != GS_CACHE_NO_LINE;
    gs_icache_lru_put(lru, undo->slot, line, time_at(v, site));
    note_icache_line(v, undo->slot);
}

/* The same with several ways and another policy. */
static void look_up_in_ways(gs_icache_view *v, gs_addr line, unsigned owner)
{
    gs_cache *cache = v->cache;
    const gs_addr set = line & cache->set_mask;
    gs_fetch_undo *undo = begin_undo(v, line, owner);
    undo->stats = cache->stats;
    undo->random = cache->random;
    undo->next_way = cache->next_way ? cache->next_way[set] : 0;
    memcpy(undo->tags, cache->tags + ((size_t)set << cache->way_shift),
           cache->ways * sizeof *cache->tags);
    (void)gs_cache_access(cache, line << cache->line_shift, false);
    cache->stats.reads--; /* the edge counts it */
    update_code_set(v, set);
}

/* Looks up a line that is missing; returns its bits of the key. */
static uint64_t look_up(gs_icache_view *v, const gs_superblock *s, gs_addr line, unsigned site)
{
    gs_cache *cache = v->cache;
    const unsigned owner = s->sites[site].owner;
    if (v->lru.cache) {
        look_up_lru(v, s, line, site);
    } else if (cache->ways > 1) {
        look_up_in_ways(v, line, owner);
    } else {
        const gs_addr set = line & cache->set_mask;
        begin_undo(v, line, owner)->tags[0] = cache->tags[set];
        gs_cache_replace(cache, line);
        note_icache_line(v, set);
    }
    return (uint64_t)GS_OUTCOME_FILLED << s->sites[site].shift;
}

/* Undoes a lookup that changed one slot. */
static void undo_slot(gs_icache_view *v, const gs_fetch_undo *undo, size_t slot)
{
    gs_cache *cache = v->cache;
    cache->stats.read_misses--;
    cache->stats.fills--;
    cache->stats.evictions -= undo->tags[0] != GS_CACHE_NO_LINE;
    if (v->lru.cache)
        gs_icache_lru_put(&v->lru, slot, undo->tags[0], undo->used);
    cache->tags[slot] = undo->tags[0];
    note_icache_line(v, slot);
}

/* Undoes a lookup that may have changed all of a set. */
static void undo_set(gs_icache_view *v, const gs_fetch_undo *undo)
{
    gs_cache *cache = v->cache;
    const gs_addr set = undo->line & cache->set_mask;
    memcpy(cache->tags + ((size_t)set << cache->way_shift), undo->tags,
           cache->ways * sizeof *cache->tags);
    cache->stats = undo->stats;
    cache->random = undo->random;
    if (cache->next_way)
        cache->next_way[set] = undo->next_way;
    update_code_set(v, set);
}

/* Undoes the lookups for instruction `owner` and those behind it. */
static void undo_fetches(gs_icache_view *v, unsigned owner)
{
    const gs_cache *cache = v->cache;
    while (v->fetch_count > 0 && v->fetches[v->fetch_count - 1].owner >= owner) {
        const gs_fetch_undo *undo = &v->fetches[--v->fetch_count];
        if (v->lru.cache)
            undo_slot(v, undo, undo->slot);
        else if (cache->ways == 1)
            undo_slot(v, undo, undo->line & cache->set_mask);
        else
            undo_set(v, undo);
    }
}

static void fetch(gs_fast *c, const gs_stub_args *args)
{
    gs_fast_engine *e = c->engine;
    gs_icache_view *v = &e->icache;
    const gs_addr line = gs_cache_line(v->cache, (gs_addr)args->at);
    const gs_superblock *s = gs_code_table_numbered(&e->table, args->number)->superblock;
    begin_fetches(v, gs_visit(args->number, c->cost));
    gs_penalty_add(&e->penalties, c, args, look_up(v, s, line, (unsigned)args->how));
}

/* The part of a key that belongs to the first `steps` instructions. */
static uint64_t key_until(const gs_superblock *s, uint64_t key, unsigned steps)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < s->site_count; i++) {
        if (s->sites[i].owner < steps)
            mask |= (((uint64_t)1 << s->sites[i].bits) - 1) << s->sites[i].shift;
    }
    return key & mask;
}

/* Notes that a superblock has used the line of a site. */
static void use_site(const gs_icache_view *v, const gs_superblock *s, int site)
{
    const gs_icache_lru *lru = &v->lru;
    size_t slot;
    if (site >= 0 &&
        gs_icache_lru_find(lru, gs_cache_line(lru->cache, s->sites[site].address), &slot))
        gs_icache_lru_use(lru, slot, time_at(v, (unsigned)site));
}

/* A superblock is left before instruction `steps`, without code that notes when lines were used. If
 * control came to it without looking up the lines it begins with, these were the last ones used in
 * their sets, by it or by the superblock before. */
static void use_until(const gs_icache_view *v, const gs_superblock *s, unsigned steps)
{
    const bool known =
        s->comes_known && gs_fast_instructions(v->c->begun) != gs_fast_instructions(v->c->cost);
    for (unsigned i = 0; v->lru.cache && i < s->step_count; i++) {
        const int sites[] = {s->steps[i].fetch, s->steps[i].second};
        for (unsigned k = 0; k < 2; k++) {
            const gs_site *site = sites[k] < 0 ? NULL : &s->sites[sites[k]];
            if (site && (site->owner < steps || (known && gs_superblock_looks_up_first(s, site))))
                use_site(v, s, sites[k]);
        }
    }
}

void gs_icache_use(gs_icache_view *v, const gs_superblock *s, unsigned exit)
{
    if (!v->lru.cache)
        return;
    for (unsigned i = 0; i < s->exits[exit].steps; i++) {
        use_site(v, s, s->steps[i].fetch);
        use_site(v, s, s->steps[i].second);
    }
}

uint64_t gs_icache_leave(gs_icache_view *v, const gs_superblock *s, unsigned steps, uint64_t key)
{
    begin_fetches(v, gs_visit(s->number, v->c->cost));
    undo_fetches(v, steps);
    use_until(v, s, steps);
    v->fetch_count = 0;
    return key_until(s, key, steps);
}

void gs_icache_bring_in(gs_icache_view *v, gs_addr address)
{
    gs_cache *cache = v->cache;
    (void)gs_cache_fill(cache, address);
    update_code_set(v, gs_cache_line(cache, address) & cache->set_mask);
}

/* Looks up the missing lines that every exit of a superblock needs from step `first` on; returns
 * their bits of the key. A line that is filled may replace one that is needed later. */
static uint64_t look_up_from(gs_icache_view *v, const gs_numbered *numbered, unsigned first)
{
    const gs_line_use *use = numbered->lines, *end = use + numbered->line_count;
    uint64_t bits = 0;
    for (; use < end; use++) {
        if (v->notes[use->number] == GS_FAST_LINE_ABSENT && use->owner >= first)
            bits |= look_up(v, numbered->superblock, use->number, use->site);
    }
    return bits;
}

/* The same for all lines of a superblock, in a direct-mapped cache: the hottest helper for
 * programs that are larger than their cache. The changes are not counted in change_count, as the
 * notes are up to date. */
static uint64_t look_up_all(gs_icache_view *v, const gs_numbered *numbered)
{
    gs_cache *cache = v->cache;
    gs_addr *tags = cache->tags, *noted = v->noted;
    uint8_t *notes = v->notes;
    const gs_addr set_mask = cache->set_mask;
    gs_fetch_undo *undo = &v->fetches[v->fetch_count];
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
    v->fetch_count += (unsigned)missed;
    cache->stats.read_misses += missed;
    cache->stats.fills += missed;
    cache->stats.evictions += evicted;
    return bits;
}

static void look_up_lines(gs_fast *c, const gs_stub_args *args)
{
    gs_fast_engine *e = c->engine;
    gs_icache_view *v = &e->icache;
    const gs_numbered *numbered = gs_code_table_numbered(&e->table, args->number);
    begin_fetches(v, gs_visit(args->number, c->cost));
    gs_penalty_add(&e->penalties, c, args,
                   v->cache->ways > 1 ? look_up_from(v, numbered, 0) : look_up_all(v, numbered));
}

static unsigned first_missing(const gs_icache_view *v, const gs_wrong_path *wrong_path)
{
    for (unsigned i = 0; i < wrong_path->count; i++) {
        if (!gs_cache_probe(v->cache, wrong_path->pc[i]))
            return i + 1;
    }
    return 0;
}

/* How far fetch gets along the wrong path depends on the pipeline, so the model decides whether
 * a line that is missing is filled: for a jump once its edge is known, and here for the middle
 * of a superblock. In that case, lines that have been looked up too early for later instructions
 * are looked up again. */
static void wrong_path(gs_fast *c, const gs_stub_args *args)
{
    gs_fast_engine *e = c->engine;
    gs_icache_view *v = &e->icache;
    const uint32_t number = (uint32_t)args->number, site_number = (uint32_t)args->how;
    const gs_numbered *numbered = gs_code_table_numbered(&e->table, number);
    gs_superblock *s = numbered->superblock;
    gs_fast_node *real =
        c->special ? c->special
                   : gs_slow_exits_node(e, s, (unsigned)args->state, gs_args_block(c, args)->path);
    if (!real) {
        c->cost = gs_fast_set_slow(c->cost);
        return;
    }
    const gs_site *site = &s->sites[site_number];
    const bool inside = s->steps[site->step].wrong_path == (int)site_number;
    begin_fetches(v, gs_visit(number, c->cost));
    if (inside) {
        undo_fetches(v, site->step + 1u);
        c->key = key_until(s, c->key, site->step + 1u);
    }
    const unsigned missing = first_missing(v, &s->wrong_path[site->wrong_path]);
    c->key |= (uint64_t)missing << site->shift;
    if (inside && missing) {
        gs_fast_edge *edge = gs_automaton_partial(e->automaton, real, site->step + 1u, c->key);
        if (!edge)
            gs_fast_fail(e);
        else if (edge->transition->wrong_path)
            gs_icache_bring_in(v, edge->transition->wrong_path);
    }
    if (inside)
        c->key |= look_up_from(v, numbered, site->step + 1u);
    if (c->key)
        c->cost = gs_fast_set_slow(c->cost);
}

static size_t slots_of(const gs_cache *cache)
{
    return ((size_t)cache->set_mask + 1) << cache->way_shift;
}

void gs_icache_finish(gs_icache_view *v)
{
    const gs_cache *cache = v->lru.cache;
    v->visit = GS_NO_VISIT;
    if (cache) {
        gs_icache_lru_finish(&v->lru, gs_fast_instructions(v->c->cost));
        memcpy(v->noted, cache->tags, slots_of(cache) * sizeof *cache->tags);
    }
    if (v->cache)
        v->changes = v->cache->change_count;
}

bool gs_icache_open(gs_icache_view *v, gs_fast *c, gs_memory *memory, gs_cache *cache)
{
    c->look_up_lines = look_up_lines;
    c->fetch = fetch;
    c->wrong_path = wrong_path;
    *v = (gs_icache_view){.cache = cache, .c = c, .visit = GS_NO_VISIT};
    if (!cache)
        return true;
    const size_t slots = slots_of(cache);
    v->changes = gs_cache_never_seen(cache);
    v->notes = gs_memory_icache_notes(memory, cache->line_shift);
    v->noted = malloc(slots * sizeof *v->noted);
    for (size_t slot = 0; v->noted && slot < slots; slot++)
        v->noted[slot] = GS_CACHE_NO_LINE;
    return v->notes && v->noted &&
           gs_icache_lru_open(&v->lru, cache, (uint64_t *)(void *)((uint8_t *)c + GS_FAST_AGES));
}

void gs_icache_close(gs_icache_view *v)
{
    free(v->noted);
    gs_icache_lru_close(&v->lru);
}

gs_line_use *gs_icache_lines_of(gs_icache_view *v, gs_arena *arena, const gs_superblock *s)
{
    gs_line_use *lines = gs_arena_alloc(arena, (s->line_count + 1u) * sizeof *lines);
    for (unsigned i = 0; lines && i < s->line_count; i++) {
        const gs_site *site = &s->sites[s->lines[i]];
        const gs_addr line = gs_cache_line(v->cache, site->address);
        lines[i] = (gs_line_use){line, site->owner, site->shift, s->lines[i]};
        if (v->notes[line] != GS_FAST_LINE_QUIET)
            v->notes[line] = GS_FAST_LINE_ABSENT;
    }
    return lines;
}
