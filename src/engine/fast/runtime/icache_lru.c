#include "engine/fast/runtime/icache_lru.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum {
    FIRST_MASK = 1023,
    ENOUGH = 1 << 16, /* instructions: with room for less, they are rather counted anew */
};

static size_t slot_count(const gs_icache_lru *ages)
{
    return ((size_t)ages->cache->set_mask + 1) << ages->cache->way_shift;
}

bool gs_icache_lru_open(gs_icache_lru *ages, gs_cache *cache, uint64_t *cells)
{
    *ages = (gs_icache_lru){.cells = cells, .mask = FIRST_MASK};
    if (cache->ways == 1 || cache->replacement != GS_CACHE_LRU)
        return true;
    ages->cache = cache;
    ages->lines = calloc(FIRST_MASK + 1, sizeof *ages->lines);
    ages->ways_of = calloc(slot_count(ages), sizeof *ages->ways_of);
    ages->used = calloc(slot_count(ages), sizeof *ages->used);
    ages->disordered = calloc((size_t)cache->set_mask + 1, sizeof *ages->disordered);
    return ages->lines && ages->ways_of && ages->used && ages->disordered &&
           gs_vec_push(&ages->exit_lines, (gs_exit_line){0}) && gs_vec_push(&ages->first_lines, 0);
}

void gs_icache_lru_close(gs_icache_lru *ages)
{
    free(ages->exit_lines.items);
    free(ages->first_lines.items);
    free(ages->lines);
    free(ages->ways_of);
    free(ages->used);
    free(ages->disordered);
}

/* -- cells ------------------------------------------------------------------------------------ */

/* Where a line is in the table, or where there is room for it. */
static uint32_t place_of(const gs_icache_lru *ages, gs_addr line)
{
    uint32_t at = (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    while (ages->lines[at & ages->mask].last && ages->lines[at & ages->mask].line != line)
        at++;
    return at & ages->mask;
}

static bool make_room(gs_icache_lru *ages)
{
    if (ages->line_count < ages->mask / 2)
        return true;
    gs_icache_lru more = *ages;
    more.mask = 2 * ages->mask + 1;
    more.lines = calloc((size_t)more.mask + 1, sizeof *more.lines);
    if (!more.lines)
        return false;
    for (uint32_t i = 0; i <= ages->mask; i++) {
        if (ages->lines[i].last)
            more.lines[place_of(&more, ages->lines[i].line)] = ages->lines[i];
    }
    free(ages->lines);
    *ages = more;
    return true;
}

/* A line is used on the way that has got the last cell. */
static bool add_line(gs_icache_lru *ages, gs_addr line, uint32_t site)
{
    if (!make_room(ages))
        return false;
    const uint32_t at = place_of(ages, line), before = ages->lines[at].last;
    const gs_exit_line added = {line, (uint32_t)ages->first_lines.count - 1, site, before};
    if (!gs_vec_push(&ages->exit_lines, added))
        return false;
    ages->line_count += before == 0;
    ages->lines[at].line = line;
    ages->lines[at].last = (uint32_t)ages->exit_lines.count - 1;
    return true;
}

static bool add_way(gs_icache_lru *ages, const gs_superblock *s, const gs_sb_exit *way)
{
    if (ages->first_lines.count >= GS_FAST_CELLS ||
        !gs_vec_push(&ages->first_lines, (uint32_t)ages->exit_lines.count))
        return false;
    for (unsigned i = 0; i < way->steps; i++) {
        const int sites[] = {s->steps[i].fetch, s->steps[i].second};
        for (unsigned k = 0; k < 2; k++) {
            if (sites[k] >= 0 &&
                !add_line(ages, gs_cache_line(ages->cache, s->sites[sites[k]].address),
                          (uint32_t)sites[k]))
                return false;
        }
    }
    return true;
}

/* Clones take the same ways. */
static bool add_superblock(gs_icache_lru *ages, const gs_code *code, gs_superblock *s)
{
    if (s->clone) {
        s->cells = gs_code_at(code, s->pc)->cells;
        return true;
    }
    s->cells = (uint32_t)ages->first_lines.count;
    for (unsigned i = 0; i < s->exit_count; i++) {
        if (!add_way(ages, s, &s->exits[i]))
            return false;
    }
    return true;
}

bool gs_icache_lru_add(gs_icache_lru *ages, gs_code *codes, size_t count)
{
    for (size_t i = 0; ages->cache && i < count; i++) {
        for (size_t k = 0; k < codes[i].count + codes[i].clones; k++) {
            if (!add_superblock(ages, &codes[i], &codes[i].superblocks[k]))
                return false;
        }
    }
    ages->outdated = true;
    return true;
}

bool gs_icache_lru_collide(const gs_icache_lru *ages, const gs_superblock *s)
{
    const gs_cache *cache = ages->cache;
    for (unsigned i = 0; i < s->site_count; i++) {
        for (unsigned k = 0; k < i; k++) {
            const gs_site *a = &s->sites[i], *b = &s->sites[k];
            const gs_addr differ =
                gs_cache_line(cache, a->address) ^ gs_cache_line(cache, b->address);
            if (a->kind == GS_SITE_FETCH && b->kind == GS_SITE_FETCH && differ &&
                !(differ & cache->set_mask))
                return true;
        }
    }
    return false;
}

/* -- times ------------------------------------------------------------------------------------ */

static uint64_t time_of(const gs_icache_lru *ages, size_t slot)
{
    uint64_t latest = ages->used[slot];
    const gs_exit_line *lines = ages->exit_lines.items;
    for (uint32_t at = ages->ways_of[slot]; at; at = lines[at].before) {
        const uint64_t time = gs_fast_time(ages->cells[lines[at].cell], lines[at].site);
        latest = time > latest ? time : latest;
    }
    return latest;
}

void gs_icache_lru_put(const gs_icache_lru *ages, size_t slot, gs_addr line, uint64_t time)
{
    ages->disordered[slot >> ages->cache->way_shift] = true;
    ages->cache->tags[slot] = line;
    ages->ways_of[slot] = line == GS_CACHE_NO_LINE ? 0 : ages->lines[place_of(ages, line)].last;
    ages->used[slot] = time;
}

void gs_icache_lru_follow(const gs_icache_lru *ages, gs_addr set)
{
    const size_t first = (size_t)set << ages->cache->way_shift;
    uint64_t now = gs_fast_time(ages->counted, 0);
    for (size_t slot = first; slot < first + ages->cache->ways; slot++) {
        const gs_addr line = ages->cache->tags[slot];
        gs_icache_lru_put(ages, slot, line, line == GS_CACHE_NO_LINE ? 0 : --now);
    }
}

static void begin_anew(gs_icache_lru *ages)
{
    ages->counted = 0;
    memset(ages->cells, 0, ages->first_lines.count * sizeof *ages->cells);
}

uint32_t gs_icache_lru_begin(gs_icache_lru *ages, uint64_t wanted, uint32_t most)
{
    if (!ages->cache)
        return 0;
    /* The last superblock may have gone beyond. */
    const uint64_t room = ages->counted < most ? most - ages->counted : 0;
    const bool anew = room <= (wanted < ENOUGH ? wanted : ENOUGH);
    if (anew)
        begin_anew(ages);
    ages->counted++; /* so that something can have been before */
    for (gs_addr set = 0; anew && set <= ages->cache->set_mask; set++)
        gs_icache_lru_follow(ages, set);
    for (size_t slot = 0; ages->outdated && slot < slot_count(ages); slot++)
        gs_icache_lru_put(ages, slot, ages->cache->tags[slot], ages->used[slot]);
    ages->outdated = false;
    return ages->counted;
}

static void order(const gs_icache_lru *ages, size_t first)
{
    gs_addr *tags = ages->cache->tags;
    for (size_t i = first; i < first + ages->cache->ways; i++) {
        const gs_addr line = tags[i];
        const uint32_t ways = ages->ways_of[i];
        const uint64_t time = time_of(ages, i);
        size_t slot = i;
        for (; slot > first && ages->used[slot - 1] < time; slot--) {
            tags[slot] = tags[slot - 1];
            ages->ways_of[slot] = ages->ways_of[slot - 1];
            ages->used[slot] = ages->used[slot - 1];
        }
        tags[slot] = line;
        ages->ways_of[slot] = ways;
        ages->used[slot] = time;
    }
}

void gs_icache_lru_use(const gs_icache_lru *ages, size_t slot, uint64_t time)
{
    ages->disordered[slot >> ages->cache->way_shift] = true;
    ages->used[slot] = time;
}

/* The lines of a way may not be in order. */
static void disorder(const gs_icache_lru *ages, size_t cell)
{
    const size_t end = cell + 1 < ages->first_lines.count ? ages->first_lines.items[cell + 1]
                                                          : ages->exit_lines.count;
    for (size_t i = ages->first_lines.items[cell]; i < end; i++)
        ages->disordered[ages->exit_lines.items[i].line & ages->cache->set_mask] = true;
}

void gs_icache_lru_finish(gs_icache_lru *ages, uint32_t counted)
{
    for (size_t cell = 1; cell < ages->first_lines.count; cell++) {
        if (gs_fast_instructions(ages->cells[cell]) >= ages->counted)
            disorder(ages, cell);
    }
    for (gs_addr set = 0; set <= ages->cache->set_mask; set++) {
        if (ages->disordered[set])
            order(ages, (size_t)set << ages->cache->way_shift);
        ages->disordered[set] = false;
    }
    ages->counted = counted;
}

bool gs_icache_lru_find(const gs_icache_lru *ages, gs_addr line, size_t *slot)
{
    const size_t first = gs_cache_first_slot(ages->cache, line);
    for (size_t i = first; i < first + ages->cache->ways; i++) {
        if (ages->cache->tags[i] != line)
            continue;
        *slot = i;
        return true;
    }
    return false;
}

size_t gs_icache_lru_oldest(const gs_icache_lru *ages, gs_addr set, const uint64_t *times)
{
    const size_t first = (size_t)set << ages->cache->way_shift;
    size_t oldest = first;
    uint64_t least = UINT64_MAX;
    for (uint32_t way = 0; way < ages->cache->ways; way++) {
        const uint64_t known = time_of(ages, first + way),
                       time = times[way] > known ? times[way] : known;
        oldest = time < least ? first + way : oldest;
        least = time < least ? time : least;
    }
    return oldest;
}
