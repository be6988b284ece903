#include "engine/fast/code_ages.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_MASK = 1023,
    ENOUGH = 1 << 16, /* instructions: with room for less, they are rather counted anew */
};

static size_t slot_count(const gs_code_ages *ages)
{
    return ((size_t)ages->cache->set_mask + 1) << ages->cache->way_shift;
}

bool gs_code_ages_open(gs_code_ages *ages, gs_cache *cache, uint64_t *cells)
{
    *ages = (gs_code_ages){.cells = cells, .mask = FIRST_MASK};
    if (cache->ways == 1 || cache->replacement != GS_CACHE_LRU)
        return true;
    ages->cache = cache;
    ages->numbers = calloc(FIRST_MASK + 1, sizeof *ages->numbers);
    ages->cell_of = calloc(slot_count(ages), sizeof *ages->cell_of);
    ages->used = calloc(slot_count(ages), sizeof *ages->used);
    ages->lines = calloc(FIRST_MASK + 1, sizeof *ages->lines);
    ages->disordered = calloc((size_t)cache->set_mask + 1, sizeof *ages->disordered);
    return ages->numbers && ages->cell_of && ages->used && ages->lines && ages->disordered;
}

void gs_code_ages_close(gs_code_ages *ages)
{
    free(ages->numbers);
    free(ages->cell_of);
    free(ages->used);
    free(ages->lines);
    free(ages->disordered);
}

/* -- cells ------------------------------------------------------------------------------------ */

/* Where the number of a line's cell is, or where there is room for it. */
static uint32_t place_of(const gs_code_ages *ages, gs_addr line)
{
    uint32_t at = (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    while (ages->numbers[at & ages->mask].number && ages->numbers[at & ages->mask].line != line)
        at++;
    return at & ages->mask;
}

uint32_t gs_code_ages_cell(const gs_code_ages *ages, gs_addr line)
{
    return ages->numbers[place_of(ages, line)].number;
}

static bool make_room(gs_code_ages *ages)
{
    if (ages->count < ages->mask / 2)
        return true;
    gs_code_ages more = *ages;
    more.mask = 2 * ages->mask + 1;
    more.lines = realloc(ages->lines, ((size_t)more.mask + 1) * sizeof *more.lines);
    if (more.lines)
        ages->lines = more.lines;
    more.numbers = calloc((size_t)more.mask + 1, sizeof *more.numbers);
    if (!more.lines || !more.numbers) {
        free(more.numbers);
        return false;
    }
    for (uint32_t i = 0; i <= ages->mask; i++) {
        if (ages->numbers[i].number)
            more.numbers[place_of(&more, ages->numbers[i].line)] = ages->numbers[i];
    }
    free(ages->numbers);
    *ages = more;
    return true;
}

static bool add_line(gs_code_ages *ages, gs_addr line)
{
    if (!make_room(ages))
        return false;
    const uint32_t at = place_of(ages, line);
    if (ages->numbers[at].number)
        return true;
    if (ages->count + 1 >= GS_FAST_CELLS)
        return false;
    ages->numbers[at].line = line;
    ages->numbers[at].number = ++ages->count;
    ages->lines[ages->count] = line;
    ages->outdated = true;
    return true;
}

static bool add_stretch(gs_code_ages *ages, const gs_stretch *s)
{
    for (unsigned i = 0; i < s->site_count; i++) {
        const gs_site *site = &s->sites[i];
        if (site->kind == GS_SITE_FETCH && site->address &&
            !add_line(ages, gs_cache_line(ages->cache, site->address)))
            return false;
    }
    return true;
}

bool gs_code_ages_add(gs_code_ages *ages, const gs_code *codes, size_t count)
{
    for (size_t i = 0; ages->cache && i < count; i++) {
        for (size_t k = 0; k < codes[i].count + codes[i].twins; k++) {
            if (!add_stretch(ages, &codes[i].stretches[k]))
                return false;
        }
    }
    return true;
}

/* -- times ------------------------------------------------------------------------------------ */

static uint64_t time_of(const gs_code_ages *ages, size_t slot)
{
    const uint64_t time = gs_fast_time(ages->cells[ages->cell_of[slot]]);
    return time > ages->used[slot] ? time : ages->used[slot];
}

void gs_code_ages_put(const gs_code_ages *ages, size_t slot, gs_addr line, uint64_t time)
{
    ages->disordered[slot >> ages->cache->way_shift] = true;
    ages->cache->tags[slot] = line;
    ages->cell_of[slot] = line == GS_CACHE_NO_LINE ? 0 : gs_code_ages_cell(ages, line);
    ages->used[slot] = time;
}

void gs_code_ages_follow(const gs_code_ages *ages, gs_addr set)
{
    const size_t first = (size_t)set << ages->cache->way_shift;
    uint64_t now = gs_fast_time(ages->counted);
    for (size_t slot = first; slot < first + ages->cache->ways; slot++) {
        const gs_addr line = ages->cache->tags[slot];
        gs_code_ages_put(ages, slot, line, line == GS_CACHE_NO_LINE ? 0 : --now);
    }
}

static void begin_anew(gs_code_ages *ages)
{
    ages->counted = 0;
    memset(ages->cells, 0, ((size_t)ages->count + 1) * sizeof *ages->cells);
}

uint32_t gs_code_ages_begin(gs_code_ages *ages, uint64_t wanted, uint32_t most)
{
    if (!ages->cache)
        return 0;
    const bool anew = most - ages->counted < (wanted < ENOUGH ? wanted : ENOUGH);
    if (anew)
        begin_anew(ages);
    ages->counted++; /* so that something can have been before */
    for (gs_addr set = 0; anew && set <= ages->cache->set_mask; set++)
        gs_code_ages_follow(ages, set);
    for (size_t slot = 0; ages->outdated && slot < slot_count(ages); slot++)
        gs_code_ages_put(ages, slot, ages->cache->tags[slot], ages->used[slot]);
    ages->outdated = false;
    return ages->counted;
}

static void order(const gs_code_ages *ages, size_t first)
{
    gs_addr *tags = ages->cache->tags;
    for (size_t i = first; i < first + ages->cache->ways; i++) {
        const gs_addr line = tags[i];
        const uint32_t cell = ages->cell_of[i];
        const uint64_t time = time_of(ages, i);
        size_t slot = i;
        for (; slot > first && ages->used[slot - 1] < time; slot--) {
            tags[slot] = tags[slot - 1];
            ages->cell_of[slot] = ages->cell_of[slot - 1];
            ages->used[slot] = ages->used[slot - 1];
        }
        tags[slot] = line;
        ages->cell_of[slot] = cell;
        ages->used[slot] = time;
    }
}

void gs_code_ages_use(const gs_code_ages *ages, size_t slot, uint64_t time)
{
    ages->disordered[slot >> ages->cache->way_shift] = true;
    ages->used[slot] = time;
}

void gs_code_ages_finish(gs_code_ages *ages, uint32_t counted)
{
    const uint64_t begun = gs_fast_time(ages->counted);
    for (uint32_t i = 1; i <= ages->count; i++) {
        if (gs_fast_time(ages->cells[i]) >= begun)
            ages->disordered[ages->lines[i] & ages->cache->set_mask] = true;
    }
    for (gs_addr set = 0; set <= ages->cache->set_mask; set++) {
        if (ages->disordered[set])
            order(ages, (size_t)set << ages->cache->way_shift);
        ages->disordered[set] = false;
    }
    ages->counted = counted;
}

bool gs_code_ages_find(const gs_code_ages *ages, gs_addr line, size_t *slot)
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

size_t gs_code_ages_oldest(const gs_code_ages *ages, gs_addr set, const uint64_t *times)
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
