/* Computes the LRU order of a set's lines from the exits that used them last. */
#include "engine/fast/runtime/icache_lru.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum {
    FIRST_MASK = 1023,
    ENOUGH = 1 << 16, /* instructions: with room for fewer, counting begins anew */
};

static size_t slot_count(const gs_icache_lru *lru)
{
    return ((size_t)lru->cache->set_mask + 1) << lru->cache->way_shift;
}

bool gs_icache_lru_open(gs_icache_lru *lru, gs_cache *cache, uint64_t *cells)
{
    *lru = (gs_icache_lru){.cells = cells, .mask = FIRST_MASK};
    if (cache->ways == 1 || cache->replacement != GS_CACHE_LRU)
        return true;
    lru->cache = cache;
    lru->lines = calloc(FIRST_MASK + 1, sizeof *lru->lines);
    lru->last_use = calloc(slot_count(lru), sizeof *lru->last_use);
    lru->used = calloc(slot_count(lru), sizeof *lru->used);
    lru->disordered = calloc((size_t)cache->set_mask + 1, sizeof *lru->disordered);
    return lru->lines && lru->last_use && lru->used && lru->disordered &&
           gs_vec_push(&lru->exit_lines, (gs_exit_line){0}) &&
           gs_vec_push(&lru->exits[false], (struct gs_exit_lines){0});
}

void gs_icache_lru_close(gs_icache_lru *lru)
{
    free(lru->exit_lines.items);
    free(lru->exits[0].items);
    free(lru->exits[1].items);
    free(lru->lines);
    free(lru->last_use);
    free(lru->used);
    free(lru->disordered);
}

/* -- cells ------------------------------------------------------------------------------------ */

/* The slot of a line in the table, or an empty one for it. */
static uint32_t place_of(const gs_icache_lru *lru, gs_addr line)
{
    uint32_t at = (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    while (lru->lines[at & lru->mask].last && lru->lines[at & lru->mask].line != line)
        at++;
    return at & lru->mask;
}

static bool make_room(gs_icache_lru *lru)
{
    if (lru->line_count < lru->mask / 2)
        return true;
    gs_icache_lru more = *lru;
    more.mask = 2 * lru->mask + 1;
    more.lines = calloc((size_t)more.mask + 1, sizeof *more.lines);
    if (!more.lines)
        return false;
    for (uint32_t i = 0; i <= lru->mask; i++) {
        if (lru->lines[i].last)
            more.lines[place_of(&more, lru->lines[i].line)] = lru->lines[i];
    }
    free(lru->lines);
    *lru = more;
    return true;
}

/* The cell of the next exit. */
static uint32_t next_cell(const gs_icache_lru *lru, bool quick)
{
    return (quick ? GS_FAST_QUICK_CELLS : 0) + (uint32_t)lru->exits[quick].count;
}

/* Notes that the exit with a cell uses a line. */
static bool add_line(gs_icache_lru *lru, uint32_t cell, gs_addr line, uint32_t site)
{
    if (!make_room(lru))
        return false;
    const uint32_t at = place_of(lru, line), before = lru->lines[at].last;
    const gs_exit_line added = {line, cell, site, before};
    if (!gs_vec_push(&lru->exit_lines, added))
        return false;
    lru->line_count += before == 0;
    lru->lines[at].line = line;
    lru->lines[at].last = (uint32_t)lru->exit_lines.count - 1;
    return true;
}

static bool add_exit(gs_icache_lru *lru, const gs_superblock *s, const gs_sb_exit *exit, bool quick)
{
    const uint32_t cell = next_cell(lru, quick);
    struct gs_exit_lines lines = {.first = (uint32_t)lru->exit_lines.count};
    if (lru->exits[quick].count >= GS_FAST_QUICK_CELLS)
        return false;
    for (unsigned i = 0; i < exit->steps; i++) {
        const int sites[] = {s->steps[i].fetch, s->steps[i].second};
        for (unsigned k = 0; k < 2; k++) {
            if (sites[k] >= 0 &&
                !add_line(lru, cell, gs_cache_line(lru->cache, s->sites[sites[k]].address),
                          (uint32_t)sites[k]))
                return false;
        }
    }
    lines.end = (uint32_t)lru->exit_lines.count;
    return gs_vec_push(&lru->exits[quick], lines);
}

/* The exits of a clone have the cells of the original. */
static bool add_superblock(gs_icache_lru *lru, const gs_code *code, gs_superblock *s)
{
    if (s->clone) {
        s->cells = gs_code_at(code, s->pc)->cells;
        return true;
    }
    s->cells = next_cell(lru, code->quick);
    for (unsigned i = 0; i < s->exit_count; i++) {
        if (!add_exit(lru, s, &s->exits[i], code->quick))
            return false;
    }
    return true;
}

bool gs_icache_lru_add(gs_icache_lru *lru, gs_code *codes, size_t count)
{
    for (size_t i = 0; lru->cache && i < count; i++) {
        for (size_t k = 0; k < codes[i].count + codes[i].clones; k++) {
            if (!add_superblock(lru, &codes[i], &codes[i].superblocks[k]))
                return false;
        }
    }
    lru->outdated = true;
    return true;
}

/* -- times ------------------------------------------------------------------------------------ */

static uint64_t time_of(const gs_icache_lru *lru, size_t slot)
{
    uint64_t latest = lru->used[slot];
    const gs_exit_line *lines = lru->exit_lines.items;
    for (uint32_t at = lru->last_use[slot]; at; at = lines[at].before) {
        const uint64_t time = gs_fast_time(lru->cells[lines[at].cell], lines[at].site);
        latest = time > latest ? time : latest;
    }
    return latest;
}

void gs_icache_lru_put(const gs_icache_lru *lru, size_t slot, gs_addr line, uint64_t time)
{
    lru->disordered[slot >> lru->cache->way_shift] = true;
    lru->cache->tags[slot] = line;
    lru->last_use[slot] = line == GS_CACHE_NO_LINE ? 0 : lru->lines[place_of(lru, line)].last;
    lru->used[slot] = time;
}

void gs_icache_lru_follow(const gs_icache_lru *lru, gs_addr set)
{
    const size_t first = (size_t)set << lru->cache->way_shift;
    uint64_t now = gs_fast_time(lru->counted, 0);
    for (size_t slot = first; slot < first + lru->cache->ways; slot++) {
        const gs_addr line = lru->cache->tags[slot];
        gs_icache_lru_put(lru, slot, line, line == GS_CACHE_NO_LINE ? 0 : --now);
    }
}

static void begin_anew(gs_icache_lru *lru)
{
    lru->counted = 0;
    memset(lru->cells, 0, lru->exits[false].count * sizeof *lru->cells);
    memset(lru->cells + GS_FAST_QUICK_CELLS, 0, lru->exits[true].count * sizeof *lru->cells);
}

uint32_t gs_icache_lru_begin(gs_icache_lru *lru, uint64_t wanted, uint32_t most)
{
    if (!lru->cache)
        return 0;
    /* The last superblock may have gone on after that. */
    const uint64_t room = lru->counted < most ? most - lru->counted : 0;
    const bool anew = room <= (wanted < ENOUGH ? wanted : ENOUGH);
    if (anew)
        begin_anew(lru);
    lru->counted++; /* so that there is room for earlier times */
    for (gs_addr set = 0; anew && set <= lru->cache->set_mask; set++)
        gs_icache_lru_follow(lru, set);
    for (size_t slot = 0; lru->outdated && slot < slot_count(lru); slot++)
        gs_icache_lru_put(lru, slot, lru->cache->tags[slot], lru->used[slot]);
    lru->outdated = false;
    return lru->counted;
}

static void order(const gs_icache_lru *lru, size_t first)
{
    gs_addr *tags = lru->cache->tags;
    for (size_t i = first; i < first + lru->cache->ways; i++) {
        const gs_addr line = tags[i];
        const uint32_t ways = lru->last_use[i];
        const uint64_t time = time_of(lru, i);
        size_t slot = i;
        for (; slot > first && lru->used[slot - 1] < time; slot--) {
            tags[slot] = tags[slot - 1];
            lru->last_use[slot] = lru->last_use[slot - 1];
            lru->used[slot] = lru->used[slot - 1];
        }
        tags[slot] = line;
        lru->last_use[slot] = ways;
        lru->used[slot] = time;
    }
}

void gs_icache_lru_use(const gs_icache_lru *lru, size_t slot, uint64_t time)
{
    lru->disordered[slot >> lru->cache->way_shift] = true;
    lru->used[slot] = time;
}

/* The lines of an exit may be out of order. */
static void disorder(const gs_icache_lru *lru, const struct gs_exit_lines *exit)
{
    for (uint32_t i = exit->first; i < exit->end; i++)
        lru->disordered[lru->exit_lines.items[i].line & lru->cache->set_mask] = true;
}

/* Puts in order the sets of the exits that have been taken since translated code was entered. */
static void disorder_used(const gs_icache_lru *lru, bool quick)
{
    const uint64_t *cells = lru->cells + (quick ? GS_FAST_QUICK_CELLS : 0);
    for (size_t i = 0; i < lru->exits[quick].count; i++) {
        if (gs_fast_instructions(cells[i]) >= lru->counted)
            disorder(lru, &lru->exits[quick].items[i]);
    }
}

void gs_icache_lru_finish(gs_icache_lru *lru, uint32_t counted)
{
    disorder_used(lru, false);
    disorder_used(lru, true);
    for (gs_addr set = 0; set <= lru->cache->set_mask; set++) {
        if (lru->disordered[set])
            order(lru, (size_t)set << lru->cache->way_shift);
        lru->disordered[set] = false;
    }
    lru->counted = counted;
}

bool gs_icache_lru_find(const gs_icache_lru *lru, gs_addr line, size_t *slot)
{
    const size_t first = gs_cache_first_slot(lru->cache, line);
    for (size_t i = first; i < first + lru->cache->ways; i++) {
        if (lru->cache->tags[i] != line)
            continue;
        *slot = i;
        return true;
    }
    return false;
}

size_t gs_icache_lru_oldest(const gs_icache_lru *lru, gs_addr set, const uint64_t *times)
{
    const size_t first = (size_t)set << lru->cache->way_shift;
    size_t oldest = first;
    uint64_t least = UINT64_MAX;
    for (uint32_t way = 0; way < lru->cache->ways; way++) {
        const uint64_t known = time_of(lru, first + way),
                       time = times[way] > known ? times[way] : known;
        oldest = time < least ? first + way : oldest;
        least = time < least ? time : least;
    }
    return oldest;
}
