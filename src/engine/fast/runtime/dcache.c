/* Helper calls for loads and stores that may miss, and the notes that say which do not. */
#include "engine/fast/runtime/dcache.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fast/runtime/cache_changes.h"
#include "engine/fast/runtime/engine_parts.h"
#include "engine/fast/runtime/penalties.h"

/* A program whose data does not fit into its cache misses all the time, so misses have to be
 * fast. */

/* -- the bytes -------------------------------------------------------------------------------- */

/* The notes of a line, by the accesses that are allowed; a line begins where any size is
 * aligned. */
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

/* For functions that are compiled once for each common length of a line: those that are called
 * for misses. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void note_in(uint8_t *all, gs_addr line, unsigned shift, unsigned allowed)
{
    uint8_t *notes = all + ((size_t)line << shift);
    const size_t size = (size_t)1 << shift;
    if (size < sizeof *patterns) {
        memcpy(notes, patterns[allowed], size);
        return;
    }
    for (size_t i = 0; i < size; i += sizeof *patterns)
        memcpy(notes + i, patterns[allowed], sizeof *patterns);
}

static void note(const gs_dcache_view *d, gs_addr line, unsigned allowed)
{
    note_in(d->notes, line, d->cache->line_shift, allowed);
}

/* A page that may be stored to but not loaded from allows nothing: code that loads a word and
 * stores it again checks the store only. */
static unsigned allowed_of(const gs_dcache_view *d, gs_addr line)
{
    const gs_addr address = line << d->cache->line_shift;
    const unsigned allowed = d->pages[address >> GS_PAGE_SHIFT];
    return allowed & GS_FAST_LOAD ? allowed & ANYTHING : 0;
}

/* Whether a store to a line that is missing changes nothing in the cache. */
static bool lets_pass(const gs_cache *cache)
{
    return !cache->write_back && !cache->write_allocate;
}

/* The notes of a line that is not in the cache, on a page with these permissions. */
static unsigned absent(const gs_dcache_view *d, unsigned allowed)
{
    return d->passing && (allowed & GS_FAST_STORE) ? PASSED : 0;
}

static void note_absent(const gs_dcache_view *d, gs_addr line)
{
    note(d, line, absent(d, allowed_of(d, line)));
}

/* How many lines of a set, from the first on, may be accessed without a change in the cache:
 * with LRU replacement, only the most recently used one. */
static uint32_t unchanging_ways(const gs_cache *cache)
{
    return cache->replacement == GS_CACHE_LRU ? 1 : cache->ways;
}

static void note_line(gs_dcache_view *d, size_t slot)
{
    const gs_cache *cache = d->cache;
    const gs_addr line = cache->tags[slot];
    const unsigned allowed = line == GS_CACHE_NO_LINE ? 0 : allowed_of(d, line);
    d->noted[slot] = (gs_noted_line){line, cache->ways == 1 ? absent(d, allowed) : 0};
    if (line == GS_CACHE_NO_LINE)
        return;
    const bool clean = cache->write_back && !cache->dirty[slot];
    note(d, line, allowed & (clean ? GS_FAST_LOAD : ANYTHING));
}

/* Updates the notes of a set's lines from the cache. */
static void update_set(gs_dcache_view *d, gs_addr set)
{
    const gs_cache *cache = d->cache;
    const size_t first = (size_t)set << cache->way_shift,
                 unchanging = first + unchanging_ways(cache);
    for (size_t slot = first; slot < unchanging; slot++) {
        if (d->noted[slot].number != GS_CACHE_NO_LINE)
            note_absent(d, d->noted[slot].number);
    }
    for (size_t slot = first; slot < unchanging; slot++)
        note_line(d, slot);
    for (size_t slot = unchanging; slot < first + cache->ways; slot++) {
        if (cache->tags[slot] != GS_CACHE_NO_LINE)
            note(d, cache->tags[slot], 0);
    }
}

static size_t slots_of(const gs_cache *cache)
{
    return ((size_t)cache->set_mask + 1) << cache->way_shift;
}

/* To be called after the notes have been cleared. */
static void forget_all(gs_dcache_view *d)
{
    const size_t slots = slots_of(d->cache);
    for (size_t slot = 0; slot < slots; slot++)
        d->noted[slot] = (gs_noted_line){GS_CACHE_NO_LINE, 0};
}

/* -- the cache -------------------------------------------------------------------------------- */

static int outcome_of(gs_cache_result result)
{
    return result.hit         ? GS_OUTCOME_HIT
           : !result.filled   ? GS_OUTCOME_PASSED
           : result.writeback ? GS_OUTCOME_WRITTEN_BACK
                              : GS_OUTCOME_FILLED;
}

/* Another line becomes the first of its set, in a cache that writes through: `allowed` is its note,
 * and `gone` its note when it is replaced. The change is not counted in change_count, as the notes
 * are up to date. Returns the line that was the first, if any. */
ALWAYS_INLINE gs_addr become_first(gs_dcache_view *d, size_t slot, gs_addr line, unsigned allowed,
                                   unsigned gone, unsigned shift)
{
    uint8_t *notes = d->notes;
    const gs_noted_line before = d->noted[slot];
    d->noted[slot] = (gs_noted_line){line, gone};
    if (before.number != GS_CACHE_NO_LINE)
        note_in(notes, before.number, shift, before.gone);
    note_in(notes, line, shift, allowed);
    return before.number;
}

/* The same in a set of `ways` ways with LRU replacement. */
ALWAYS_INLINE int come_to_front(gs_dcache_view *d, gs_addr line, unsigned allowed, uint32_t ways,
                                unsigned shift)
{
    gs_cache *cache = d->cache;
    const size_t slot = gs_cache_first_slot(cache, line);
    gs_addr *tags = cache->tags + slot;
    uint32_t way = ways - 1;
    for (uint32_t i = 0; i < ways - 1; i++)
        way = tags[i] == line ? i : way;
    const gs_addr victim = tags[way];
    for (uint32_t i = ways - 1; i > 0; i--)
        tags[i] = i <= way ? tags[i - 1] : tags[i];
    tags[0] = line;
    (void)become_first(d, slot, line, allowed, 0, shift);
    if (victim == line)
        return GS_OUTCOME_HIT;
    d->misses++;
    if (victim == GS_CACHE_NO_LINE)
        d->free_misses++;
    else if (d->passing)
        note_in(d->notes, victim, shift, absent(d, allowed_of(d, victim)));
    return GS_OUTCOME_FILLED;
}

/* All other cases; kept out of line. */
static __attribute__((noinline)) int look_up(gs_dcache_view *d, uint32_t address, bool write)
{
    gs_cache *cache = d->cache;
    const gs_addr line = gs_cache_line(cache, address), set = line & cache->set_mask;
    const size_t slot = (size_t)set << cache->way_shift;
    const bool first = cache->tags[slot] == line;
    if (first && !(write && cache->write_back && !cache->dirty[slot]))
        return GS_OUTCOME_HIT; /* changes nothing, and is counted by the edge */
    const uint32_t way = first || cache->ways == 1 ? 0 : gs_cache_touch(cache, line);
    if (way) {
        if (write && cache->write_back)
            cache->dirty[gs_cache_touched(cache, set, way)] = 1;
        update_set(d, set);
        return GS_OUTCOME_HIT;
    }
    if (write && !first && !cache->write_allocate) {
        cache->stats.write_misses++;
        return GS_OUTCOME_PASSED;
    }
    gs_cache_result result = gs_cache_access(cache, address, write);
    *(write ? &cache->stats.writes : &cache->stats.reads) -= 1; /* counted by the edge */
    update_set(d, set);
    return outcome_of(result);
}

/* A load; `page` has the permissions of its page. */
ALWAYS_INLINE int read_from(gs_dcache_view *d, uint32_t address, uint8_t page, unsigned shift)
{
    const gs_addr line = address >> shift;
    gs_cache *cache = d->cache;
    const size_t slot = gs_cache_first_slot(cache, line);
    if (!d->plain || d->noted[slot].number == line)
        return look_up(d, address, false);
    const unsigned allowed = page & ANYTHING;
    switch (cache->ways) {
    case 1:
        cache->tags[slot] = line;
        d->misses++;
        if (become_first(d, slot, line, allowed, absent(d, allowed), shift) == GS_CACHE_NO_LINE)
            d->free_misses++;
        return GS_OUTCOME_FILLED;
    case 2: return come_to_front(d, line, allowed, 2, shift);
    case 4: return come_to_front(d, line, allowed, 4, shift);
    default: return come_to_front(d, line, allowed, cache->ways, shift);
    }
}

/* Whether a line is in a cache, but not the most recently used of its set. */
static bool is_behind(const gs_cache *cache, gs_addr line)
{
    const gs_addr *tags = cache->tags + gs_cache_first_slot(cache, line);
    bool found = false;
    for (uint32_t way = 1; way < cache->ways; way++)
        found |= tags[way] == line;
    return found;
}

/* A store. */
static int write_to(gs_dcache_view *d, uint32_t address)
{
    const gs_cache *cache = d->cache;
    const uint8_t page = d->pages[address >> GS_PAGE_SHIFT];
    if (d->plain && (page & ANYTHING) == ANYTHING &&
        is_behind(cache, gs_cache_line(cache, address)))
        return read_from(d, address, page, cache->line_shift);
    return look_up(d, address, true);
}

/* -- what translated code calls --------------------------------------------------------------- */

/* The parts of GS_FAST_ACCESS(): step and size. */
static unsigned step_of(const gs_stub_args *args)
{
    return (unsigned)args->how >> 16;
}
static unsigned size_of(const gs_stub_args *args)
{
    return (unsigned)args->how >> 8 & 0xff;
}

/* Leaves the superblock before an access that only the reference engine can make. */
static void leave(gs_fast *c, const gs_stub_args *args)
{
    c->answer = 0;
    c->superblock = (uint32_t)args->number;
    c->state = args->state;
    c->left_at = step_of(args);
}

/* Reports the outcome of an access that has been made. */
static inline void account(gs_fast *c, const gs_stub_args *args, int outcome)
{
    c->answer = 1;
    gs_penalty_add(&c->engine->penalties, c, args, (uint64_t)outcome << (args->how & 0xff));
}

/* The permissions of the page, if it may be loaded from; or 0. */
static inline uint8_t may_load(const gs_fast *c, uint32_t address, unsigned size)
{
    const uint8_t page = c->pages[address >> GS_PAGE_SHIFT];
    return address & (size - 1) || !(page & GS_FAST_LOAD) ? 0 : page;
}

static bool may_store(const gs_fast *c, uint32_t address, unsigned size)
{
    return !(address & (size - 1)) &&
           ((c->pages[address >> GS_PAGE_SHIFT] & GS_FAST_STORE) ||
            gs_memory_store_is_plain(&c->engine->machine->memory, address, size));
}

ALWAYS_INLINE void load_from(gs_fast *c, const gs_stub_args *args, unsigned shift)
{
    const uint32_t address = (uint32_t)args->at;
    const uint8_t page = may_load(c, address, size_of(args));
    if (!page) {
        leave(c, args);
        return;
    }
    const int outcome = read_from(&c->engine->dcache, address, page, shift);
    c->missed = outcome != 0;
    account(c, args, outcome);
}

/* Makes a store and returns its outcome, or -1 if it cannot be made here. */
static int outcome_of_store(gs_fast *c, const gs_stub_args *args)
{
    const uint32_t address = (uint32_t)args->at;
    if (!may_store(c, address, size_of(args)))
        return -1;
    return c->engine->dcache.cache ? write_to(&c->engine->dcache, address) : GS_OUTCOME_HIT;
}

static void store(gs_fast *c, const gs_stub_args *args)
{
    const int outcome = outcome_of_store(c, args);
    if (outcome < 0)
        leave(c, args);
    else
        account(c, args, outcome);
}

static bool may_be_stored_to(const gs_fast *c, uint32_t low, unsigned span, unsigned size)
{
    for (unsigned i = 0; i < span; i += size) {
        if (!may_store(c, low + i, size))
            return false;
    }
    return true;
}

static void range(gs_fast *c, const gs_stub_args *args)
{
    const unsigned how = (unsigned)args->how, span = how >> 8 & 0xff, size = how >> 4 & 15,
                   need = how & 15;
    const uint32_t low = (uint32_t)args->at, high = low + span - 1;
    const uint8_t pages = c->pages[low >> GS_PAGE_SHIFT] & c->pages[high >> GS_PAGE_SHIFT];
    c->answer = !(low & (size - 1)) && !(need & GS_FAST_LOAD & ~pages) &&
                (!(need & GS_FAST_STORE) || may_be_stored_to(c, low, span, size));
    if (!c->answer)
        leave(c, args);
}

/* Counts a store that has missed. The next one to that line may pass without a helper call. */
static void count_pass(gs_fast *c, const gs_stub_args *args, uint32_t cell, gs_addr address)
{
    gs_dcache_view *d = &c->engine->dcache;
    const gs_superblock *s = gs_code_table_numbered(&c->engine->table, args->number)->superblock;
    gs_args_block(c, args)->cells[cell].count++;
    c->dates[cell - s->predicted->pass] = c->cost;
    d->cache->stats.write_misses--; /* the block counts it instead */
    if (d->passing)
        note_absent(d, gs_cache_line(d->cache, address));
}

static void pass(gs_fast *c, const gs_stub_args *args)
{
    const int outcome = outcome_of_store(c, args);
    const gs_superblock *s = gs_code_table_numbered(&c->engine->table, args->number)->superblock;
    unsigned step = step_of(args);
    step += s->steps[step].pass < 0; /* a store in a delay slot is left for together with its
                                        jump */
    c->answer = 1;
    if (outcome < 0)
        leave(c, args);
    else if (outcome > 0)
        count_pass(c, args, gs_predict_pass_cell(s, step), (gs_addr)args->at);
}

/* -- groups of accesses --------------------------------------------------------------------------
 */

/* The address of one access of a group, which has one base register or two. */
static inline uint32_t address_of(const gs_stub_args *args, const gs_data_access *access,
                                  const gs_data_access *first)
{
    const uint64_t base = access->base == first->base ? args->at : args->at >> 32;
    return (uint32_t)base + access->offset;
}

/* Whether the note allows the access. */
static inline bool is_allowed(const gs_dcache_view *d, const gs_data_access *access,
                              uint32_t address)
{
    return d->notes[address] & access->note;
}

static inline bool may_be_done(const gs_fast *c, const gs_data_access *access, uint32_t address)
{
    return access->stores ? may_store(c, address, access->size)
                          : may_load(c, address, access->size);
}

/* Makes all accesses of a group, or none if one of them cannot be made here. */
ALWAYS_INLINE void access_all(gs_fast *c, const gs_stub_args *args, unsigned shift)
{
    gs_dcache_view *d = &c->engine->dcache;
    const gs_data_access *first =
                             gs_code_table_numbered(&c->engine->table, args->number)->accesses +
                             (args->how & 0xff),
                         *end = first + size_of(args), *first_checked = end;
    for (const gs_data_access *access = end; access-- > first;) {
        const uint32_t address = address_of(args, access, first);
        if (is_allowed(d, access, address))
            continue;
        if (!may_be_done(c, access, address)) {
            leave(c, args);
            return;
        }
        first_checked = access;
    }
    uint64_t bits = 0;
    for (const gs_data_access *access = first_checked; access < end; access++) {
        const uint32_t address = address_of(args, access, first);
        if (is_allowed(d, access, address))
            continue;
        const uint8_t page = c->pages[address >> GS_PAGE_SHIFT];
        const int outcome =
            access->stores ? write_to(d, address) : read_from(d, address, page, shift);
        if (!access->passes)
            bits |= (uint64_t)outcome << access->shift;
        else if (outcome > 0)
            count_pass(c, args, access->cell, address);
    }
    c->answer = 1;
    gs_penalty_add(&c->engine->penalties, c, args, bits);
}

/* The helpers for each length of a line. */
#define LINES_OF(name_, shift_)                                     \
    static void load_##name_(gs_fast *c, const gs_stub_args *args)  \
    {                                                               \
        load_from(c, args, shift_);                                 \
    }                                                               \
    static void group_##name_(gs_fast *c, const gs_stub_args *args) \
    {                                                               \
        access_all(c, args, shift_);                                \
    }
LINES_OF(16, 4)
LINES_OF(32, 5)
LINES_OF(any, c->engine->dcache.cache->line_shift)

static void load_uncached(gs_fast *c, const gs_stub_args *args)
{
    c->missed = false;
    c->answer = may_load(c, (uint32_t)args->at, size_of(args)) != 0;
    if (!c->answer)
        leave(c, args);
}

/* -- opening ---------------------------------------------------------------------------------- */

static void follow_set(void *self, gs_addr set)
{
    update_set(self, set);
}

bool gs_dcache_begin(gs_dcache_view *d)
{
    const bool mapped_anew = d->map_changes != d->memory->map_changes;
    d->map_changes = d->memory->map_changes;
    if (!d->cache)
        return true;
    if (mapped_anew) {
        if (!gs_memory_dcache_notes(d->memory))
            return false;
        forget_all(d);
    }
    gs_cache_catch_up(d->cache, &d->changes, mapped_anew, follow_set, d);
    return true;
}

void gs_dcache_finish(gs_dcache_view *d)
{
    if (!d->cache)
        return;
    gs_cache_stats *stats = &d->cache->stats;
    stats->read_misses += d->misses;
    stats->fills += d->misses;
    stats->evictions += d->misses - d->free_misses;
    d->misses = d->free_misses = 0;
    d->changes = d->cache->change_count;
}

gs_data_access *gs_dcache_accesses_of(gs_arena *arena, const gs_superblock *s)
{
    gs_data_access *made = gs_arena_alloc(arena, (s->step_count + 1u) * sizeof *made), *next = made;
    for (unsigned i = 0; made && i < s->step_count; i++) {
        const gs_step *step = &s->steps[i];
        if (!step->access)
            continue;
        const bool passes = step->pass >= 0,
                   stores =
                       passes || (step->data >= 0 && s->sites[step->data].kind == GS_SITE_STORE);
        *next++ = (gs_data_access){
            .offset = (uint32_t)step->insn.imm,
            .base = step->insn.rs1,
            .size = step->access,
            .note = (uint8_t)(step->access * (stores ? GS_NOTE_STORE : 1)),
            .stores = stores,
            .passes = passes,
            .shift = step->data >= 0 ? s->sites[step->data].shift : 0,
            .cell = passes ? gs_predict_pass_cell(s, i) : 0,
        };
    }
    return made;
}

bool gs_dcache_open(gs_dcache_view *d, gs_fast *c, gs_memory *memory, gs_cache *cache)
{
    const unsigned shift = cache ? cache->line_shift : 0;
    c->load = !cache ? load_uncached : shift == 4 ? load_16 : shift == 5 ? load_32 : load_any;
    c->group = shift == 4 ? group_16 : shift == 5 ? group_32 : group_any;
    c->store = store;
    c->range = range;
    c->pass = pass;
    *d = (gs_dcache_view){.cache = cache, .memory = memory, .pages = c->pages};
    if (!cache)
        return true;
    d->passing = lets_pass(cache);
    d->plain = !cache->write_back && (cache->ways == 1 || cache->replacement == GS_CACHE_LRU);
    d->changes = gs_cache_never_seen(cache);
    d->notes = gs_memory_dcache_notes(memory);
    d->noted = malloc(slots_of(cache) * sizeof *d->noted);
    if (!d->notes || !d->noted)
        return false;
    forget_all(d);
    return true;
}

void gs_dcache_close(gs_dcache_view *d)
{
    free(d->noted);
}
