#include "engine/fast/code_ages.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

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
    ages->lines = calloc(FIRST_MASK + 1, sizeof *ages->lines);
    ages->cell_of = calloc(slot_count(ages), sizeof *ages->cell_of);
    ages->used = calloc(slot_count(ages), sizeof *ages->used);
    ages->disordered = calloc((size_t)cache->set_mask + 1, sizeof *ages->disordered);
    return ages->lines && ages->cell_of && ages->used && ages->disordered &&
           gs_vec_push(&ages->line_cells, (struct gs_line_cell){0});
}

void gs_code_ages_close(gs_code_ages *ages)
{
    free(ages->lines);
    free(ages->line_cells.items);
    free(ages->cell_of);
    free(ages->used);
    free(ages->disordered);
}

/* -- cells ------------------------------------------------------------------------------------ */

/* Where a line is in the table, or where there is room for it. */
static uint32_t place_of(const gs_code_ages *ages, gs_addr line)
{
    uint32_t at = (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    while (ages->lines[at & ages->mask].last && ages->lines[at & ages->mask].line != line)
        at++;
    return at & ages->mask;
}

uint32_t gs_code_ages_cell(const gs_code_ages *ages, gs_addr line)
{
    return ages->line_cells.items[ages->lines[place_of(ages, line)].last].cell;
}

static bool make_room(gs_code_ages *ages)
{
    if (ages->line_count < ages->mask / 2)
        return true;
    gs_code_ages more = *ages;
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

/* A line has the cell that was made last. */
static bool add_cell(gs_code_ages *ages, gs_addr line)
{
    if (!make_room(ages))
        return false;
    const uint32_t at = place_of(ages, line), before = ages->lines[at].last;
    const struct gs_line_cell added = {line, ages->cell_count, before};
    if (!gs_vec_push(&ages->line_cells, added))
        return false;
    ages->line_count += before == 0;
    ages->lines[at].line = line;
    ages->lines[at].last = (uint32_t)ages->line_cells.count - 1;
    ages->outdated = true;
    return true;
}

/* Where a line is used, and what tells all places from all others where one is. */
typedef struct line_uses {
    gs_addr line;
    uint64_t places[2];
} line_uses;

typedef struct all_uses {
    line_uses *items;
    size_t count, capacity;
} all_uses;

/* Spreads a number over all bits, each in a way of its own. */
static uint64_t mixed(uint64_t x, uint64_t way)
{
    x = (x ^ way) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 29;
}

/* The ways that a stretch does not take once it has come to a step. */
static unsigned ways_before(const gs_stretch *s, unsigned step)
{
    unsigned ways = 0;
    for (unsigned i = 0; i < s->way_count; i++)
        ways += s->ways[i].steps <= step;
    return ways;
}

static bool add_use(const gs_code_ages *ages, all_uses *uses, const gs_site *site, uint64_t place)
{
    const gs_addr line = gs_cache_line(ages->cache, site->address);
    return gs_vec_push(uses, ((line_uses){line, {mixed(place, 1), mixed(place, 2)}}));
}

/* Where lines collide each has a place of its own. */
static bool add_uses(const gs_code_ages *ages, all_uses *uses, const gs_stretch *s, uint64_t number)
{
    const bool apart = gs_code_ages_collide(ages, s);
    for (unsigned i = 0; i < s->step_count; i++) {
        const int sites[] = {s->steps[i].fetch, s->steps[i].second};
        for (unsigned k = 0; k < 2; k++) {
            const uint64_t place =
                number << 8 | (apart ? 0x80 | (unsigned)sites[k] : ways_before(s, i));
            if (sites[k] >= 0 && !add_use(ages, uses, &s->sites[sites[k]], place))
                return false;
        }
    }
    return true;
}

static int by_line(const void *a, const void *b)
{
    const gs_addr x = ((const line_uses *)a)->line, y = ((const line_uses *)b)->line;
    return (x > y) - (x < y);
}

static int by_places(const void *a, const void *b)
{
    return memcmp(((const line_uses *)a)->places, ((const line_uses *)b)->places,
                  sizeof(((const line_uses *)a)->places));
}

/* Has every line once, with all the places where it is used. */
static void join_uses(all_uses *uses)
{
    size_t kept = 0;
    if (uses->count > 0)
        qsort(uses->items, uses->count, sizeof *uses->items, by_line);
    for (size_t i = 0; i < uses->count; i++) {
        const line_uses *use = &uses->items[i];
        if (kept > 0 && uses->items[kept - 1].line == use->line) {
            uses->items[kept - 1].places[0] += use->places[0];
            uses->items[kept - 1].places[1] += use->places[1];
        } else {
            uses->items[kept++] = *use;
        }
    }
    uses->count = kept;
}

/* Lines that are used in the same places have one cell. */
static bool add_cells(gs_code_ages *ages, const all_uses *uses)
{
    if (uses->count > 0)
        qsort(uses->items, uses->count, sizeof *uses->items, by_places);
    for (size_t i = 0; i < uses->count; i++) {
        if (i == 0 || by_places(&uses->items[i], &uses->items[i - 1]) != 0)
            ages->cell_count++;
        if (ages->cell_count >= GS_FAST_CELLS || !add_cell(ages, uses->items[i].line))
            return false;
    }
    return true;
}

bool gs_code_ages_add(gs_code_ages *ages, const gs_code *codes, size_t count)
{
    all_uses uses = {0};
    uint64_t number = 0;
    bool ok = true;
    for (size_t i = 0; ages->cache && i < count; i++) {
        for (size_t k = 0; ok && k < codes[i].count + codes[i].twins; k++)
            ok = add_uses(ages, &uses, &codes[i].stretches[k], number++);
    }
    join_uses(&uses);
    ok = ok && add_cells(ages, &uses);
    free(uses.items);
    return ok;
}

bool gs_code_ages_collide(const gs_code_ages *ages, const gs_stretch *s)
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

static uint64_t time_of(const gs_code_ages *ages, size_t slot)
{
    uint64_t latest = ages->used[slot];
    for (uint32_t at = ages->cell_of[slot]; at; at = ages->line_cells.items[at].before) {
        const uint64_t time = gs_fast_time(ages->cells[ages->line_cells.items[at].cell]);
        latest = time > latest ? time : latest;
    }
    return latest;
}

void gs_code_ages_put(const gs_code_ages *ages, size_t slot, gs_addr line, uint64_t time)
{
    ages->disordered[slot >> ages->cache->way_shift] = true;
    ages->cache->tags[slot] = line;
    ages->cell_of[slot] = line == GS_CACHE_NO_LINE ? 0 : ages->lines[place_of(ages, line)].last;
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
    memset(ages->cells, 0, ((size_t)ages->cell_count + 1) * sizeof *ages->cells);
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
    for (size_t i = 1; i < ages->line_cells.count; i++) {
        const struct gs_line_cell *cell = &ages->line_cells.items[i];
        if (gs_fast_time(ages->cells[cell->cell]) >= begun)
            ages->disordered[cell->line & ages->cache->set_mask] = true;
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
