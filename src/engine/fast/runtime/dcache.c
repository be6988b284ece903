#include "engine/fast/runtime/penalties.h"

#include <stdlib.h>
#include <string.h>

/*
 * Data, as translated code sees it. A byte for every address of guest memory says which sizes may
 * be loaded or stored there without anybody noticing; who finds that they may not asks here.
 * Programs that do not fit into their cache ask all the time.
 */

/* -- the bytes -------------------------------------------------------------------------------- */

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

/* For what is there several times, once for each usual length of lines, as a constant: what is done
 * for misses again and again. */
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

static void note(const gs_fast_engine *e, gs_addr line, unsigned allowed)
{
    note_in(e->notes, line, e->timing->dcache.line_shift, allowed);
}

/* Where something may be stored it may be loaded, too, or somebody has to look: who loads a word to
 * put it back only asks for the one. */
static unsigned allowed_of(const gs_fast_engine *e, gs_addr line)
{
    const gs_addr address = line << e->timing->dcache.line_shift;
    const unsigned allowed = e->c->pages[address >> GS_PAGE_SHIFT];
    return allowed & GS_FAST_LOAD ? allowed & ANYTHING : 0;
}

/* Whether nobody need look at a store to a line that is missing. */
static bool lets_pass(const gs_cache *cache)
{
    return !cache->write_back && !cache->write_allocate;
}

/* What is noted of a line that is in no way of a cache, and would be accessed like that. */
static unsigned absent(const gs_fast_engine *e, unsigned allowed)
{
    return e->passing && (allowed & GS_FAST_STORE) ? PASSED : 0;
}

static void note_absent(const gs_fast_engine *e, gs_addr line)
{
    note(e, line, absent(e, allowed_of(e, line)));
}

/* How many lines of a set may be accessed without anybody noticing, from the first on: where the
 * one that was used longest ago is replaced, only the last one used. */
static uint32_t quiet_ways(const gs_cache *cache)
{
    return cache->replacement == GS_CACHE_LRU ? 1 : cache->ways;
}

static void note_line(gs_fast_engine *e, size_t slot)
{
    const gs_cache *cache = &e->timing->dcache;
    const gs_addr line = cache->tags[slot];
    const unsigned allowed = line == GS_CACHE_NO_LINE ? 0 : allowed_of(e, line);
    e->noted[slot] = (gs_noted_line){line, cache->ways == 1 ? absent(e, allowed) : 0};
    if (line == GS_CACHE_NO_LINE)
        return;
    const bool clean = cache->write_back && !cache->dirty[slot];
    note(e, line, allowed & (clean ? GS_FAST_LOAD : ANYTHING));
}

void gs_accesses_update(gs_fast_engine *e, gs_addr set)
{
    const gs_cache *cache = &e->timing->dcache;
    const size_t first = (size_t)set << cache->way_shift, quiet = first + quiet_ways(cache);
    for (size_t slot = first; slot < quiet; slot++) {
        if (e->noted[slot].number != GS_CACHE_NO_LINE)
            note_absent(e, e->noted[slot].number);
    }
    for (size_t slot = first; slot < quiet; slot++)
        note_line(e, slot);
    for (size_t slot = quiet; slot < first + cache->ways; slot++) {
        if (cache->tags[slot] != GS_CACHE_NO_LINE)
            note(e, cache->tags[slot], 0);
    }
}

void gs_accesses_forget(gs_fast_engine *e)
{
    const size_t slots = (size_t)e->layout.dcache_sets << e->timing->dcache.way_shift;
    for (size_t slot = 0; slot < slots; slot++)
        e->noted[slot] = (gs_noted_line){GS_CACHE_NO_LINE, 0};
}

/* -- the cache -------------------------------------------------------------------------------- */

static int outcome_of(gs_cache_result result)
{
    return result.hit         ? GS_OUTCOME_HIT
           : !result.filled   ? GS_OUTCOME_PASSED
           : result.writeback ? GS_OUTCOME_WRITTEN_BACK
                              : GS_OUTCOME_FILLED;
}

/* Another line becomes the first of its set, in a cache that writes through. What may be done to it
 * is said, and what is noted of it when it no longer is. Nobody is told of what changes: the tables
 * know. Which one was, if any. */
ALWAYS_INLINE gs_addr become_first(gs_fast_engine *e, size_t slot, gs_addr line, unsigned allowed,
                                   unsigned gone, unsigned shift)
{
    uint8_t *notes = e->notes;
    const gs_noted_line before = e->noted[slot];
    e->noted[slot] = (gs_noted_line){line, gone};
    if (before.number != GS_CACHE_NO_LINE)
        note_in(notes, before.number, shift, before.gone);
    note_in(notes, line, shift, allowed);
    return before.number;
}

/* The same in one of so many ways, where it is the one used longest ago that is replaced. */
ALWAYS_INLINE int come_to_front(gs_fast_engine *e, gs_addr line, unsigned allowed, uint32_t ways,
                                unsigned shift)
{
    gs_cache *cache = &e->timing->dcache;
    const size_t slot = gs_cache_first_slot(cache, line);
    gs_addr *tags = cache->tags + slot;
    uint32_t way = ways - 1;
    for (uint32_t i = 0; i < ways - 1; i++)
        way = tags[i] == line ? i : way;
    const gs_addr victim = tags[way];
    for (uint32_t i = ways - 1; i > 0; i--)
        tags[i] = i <= way ? tags[i - 1] : tags[i];
    tags[0] = line;
    (void)become_first(e, slot, line, allowed, 0, shift);
    if (victim == line)
        return GS_OUTCOME_HIT;
    e->brought_in++;
    if (victim == GS_CACHE_NO_LINE)
        e->brought_in_free++;
    else if (e->passing)
        note_in(e->notes, victim, shift, absent(e, allowed_of(e, victim)));
    return GS_OUTCOME_FILLED;
}

/* Not in the way of those below. */
static __attribute__((noinline)) int look_up(gs_fast_engine *e, uint32_t address, bool write)
{
    gs_cache *cache = &e->timing->dcache;
    const gs_addr line = gs_cache_line(cache, address), set = line & cache->set_mask;
    const size_t slot = (size_t)set << cache->way_shift;
    const bool first = cache->tags[slot] == line;
    if (first && !(write && cache->write_back && !cache->dirty[slot]))
        return GS_OUTCOME_HIT; /* which changes nothing, and the edge counts it */
    const uint32_t way = first || cache->ways == 1 ? 0 : gs_cache_touch(cache, line);
    if (way) {
        if (write && cache->write_back)
            cache->dirty[gs_cache_touched(cache, set, way)] = 1;
        gs_accesses_update(e, set);
        return GS_OUTCOME_HIT;
    }
    if (write && !first && !cache->write_allocate) {
        cache->stats.write_misses++;
        return GS_OUTCOME_PASSED;
    }
    gs_cache_result result = gs_cache_access(cache, address, write);
    *(write ? &cache->stats.writes : &cache->stats.reads) -= 1; /* the edge counts it */
    gs_accesses_update(e, set);
    return outcome_of(result);
}

/* A load from a page that may be accessed like that. */
ALWAYS_INLINE int read_from(gs_fast_engine *e, uint32_t address, uint8_t page, unsigned shift)
{
    const gs_addr line = address >> shift;
    gs_cache *cache = &e->timing->dcache;
    const size_t slot = gs_cache_first_slot(cache, line);
    if (!e->plain || e->noted[slot].number == line)
        return look_up(e, address, false);
    const unsigned allowed = page & ANYTHING;
    switch (cache->ways) {
    case 1:
        cache->tags[slot] = line;
        e->brought_in++;
        if (become_first(e, slot, line, allowed, absent(e, allowed), shift) == GS_CACHE_NO_LINE)
            e->brought_in_free++;
        return GS_OUTCOME_FILLED;
    case 2: return come_to_front(e, line, allowed, 2, shift);
    case 4: return come_to_front(e, line, allowed, 4, shift);
    default: return come_to_front(e, line, allowed, cache->ways, shift);
    }
}

/* Whether a line is in a cache, but not the first of its set. */
static bool is_behind(const gs_cache *cache, gs_addr line)
{
    const gs_addr *tags = cache->tags + gs_cache_first_slot(cache, line);
    bool found = false;
    for (uint32_t way = 1; way < cache->ways; way++)
        found |= tags[way] == line;
    return found;
}

/* A store. */
static int write_to(gs_fast_engine *e, uint32_t address)
{
    const gs_cache *cache = &e->timing->dcache;
    const uint8_t page = e->c->pages[address >> GS_PAGE_SHIFT];
    if (e->plain && (page & ANYTHING) == ANYTHING &&
        is_behind(cache, gs_cache_line(cache, address)))
        return read_from(e, address, page, cache->line_shift);
    return look_up(e, address, true);
}

/* -- what translated code calls --------------------------------------------------------------- */

/* What GS_FAST_ACCESS says. */
static unsigned step_of(const gs_stub_args *args)
{
    return (unsigned)args->how >> 16;
}
static unsigned size_of(const gs_stub_args *args)
{
    return (unsigned)args->how >> 8 & 0xff;
}

/* An access that cannot be done here: the superblock has been left before it. */
static void leave(gs_fast *c, const gs_stub_args *args)
{
    c->answer = 0;
    c->superblock = (uint32_t)args->number;
    c->state = args->state;
    c->left_at = step_of(args);
}

/* It has been done. */
static inline void account(gs_fast *c, const gs_stub_args *args, int outcome)
{
    c->answer = 1;
    gs_penalty_add(c->engine, args, (uint64_t)outcome << (args->how & 0xff));
}

/* How its page may be accessed, if it may be loaded from; or 0. */
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
    const int outcome = read_from(c->engine, address, page, shift);
    c->missed = outcome != 0;
    account(c, args, outcome);
}

/* What becomes of a store, or -1. */
static int outcome_of_store(gs_fast *c, const gs_stub_args *args)
{
    const uint32_t address = (uint32_t)args->at;
    if (!may_store(c, address, size_of(args)))
        return -1;
    return c->engine->layout.dcached ? write_to(c->engine, address) : GS_OUTCOME_HIT;
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

/* A store has missed. The next one there may pass by itself. */
static void count_pass(gs_fast *c, const gs_stub_args *args, uint32_t cell, gs_addr address)
{
    gs_fast_engine *e = c->engine;
    gs_args_block(c, args)->cells[cell].count++;
    e->timing->dcache.stats.write_misses--; /* the block counts it */
    if (e->passing)
        note_absent(e, gs_cache_line(&e->timing->dcache, address));
}

static void pass(gs_fast *c, const gs_stub_args *args)
{
    const int outcome = outcome_of_store(c, args);
    const gs_superblock *s = c->engine->superblocks.items[args->number].superblock;
    unsigned step = step_of(args);
    step += s->steps[step].pass < 0; /* one in a delay slot goes back to the jump */
    c->answer = 1;
    if (outcome < 0)
        leave(c, args);
    else if (outcome > 0)
        count_pass(c, args, gs_predict_pass_cell(s, step), (gs_addr)args->at);
}

/* -- several at once -------------------------------------------------------------------------- */

/* One of a group by one register, or two. */
static inline uint32_t address_of(const gs_stub_args *args, const gs_data_access *access,
                                  const gs_data_access *first)
{
    const uint64_t base = access->base == first->base ? args->at : args->at >> 32;
    return (uint32_t)base + access->offset;
}

/* Whether nobody would notice it. */
static inline bool is_quiet(const gs_fast_engine *e, const gs_data_access *access, uint32_t address)
{
    return e->notes[address] & access->note;
}

static inline bool may_be_done(const gs_fast *c, const gs_data_access *access, uint32_t address)
{
    return access->stores ? may_store(c, address, access->size)
                          : may_load(c, address, access->size);
}

/* If one of them cannot be done here, none is. */
ALWAYS_INLINE void access_all(gs_fast *c, const gs_stub_args *args, unsigned shift)
{
    gs_fast_engine *e = c->engine;
    const gs_data_access *first = e->superblocks.items[args->number].accesses + (args->how & 0xff),
                         *end = first + size_of(args), *noticed = end;
    for (const gs_data_access *access = end; access-- > first;) {
        const uint32_t address = address_of(args, access, first);
        if (is_quiet(e, access, address))
            continue;
        if (!may_be_done(c, access, address)) {
            leave(c, args);
            return;
        }
        noticed = access;
    }
    uint64_t bits = 0;
    for (const gs_data_access *access = noticed; access < end; access++) {
        const uint32_t address = address_of(args, access, first);
        if (is_quiet(e, access, address))
            continue;
        const uint8_t page = c->pages[address >> GS_PAGE_SHIFT];
        const int outcome =
            access->stores ? write_to(e, address) : read_from(e, address, page, shift);
        if (!access->passes)
            bits |= (uint64_t)outcome << access->shift;
        else if (outcome > 0)
            count_pass(c, args, access->cell, address);
    }
    c->answer = 1;
    gs_penalty_add(e, args, bits);
}

/* What is asked, for lines of a length. */
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
LINES_OF(any, c->engine->timing->dcache.line_shift)

static void load_uncached(gs_fast *c, const gs_stub_args *args)
{
    c->missed = false;
    c->answer = may_load(c, (uint32_t)args->at, size_of(args)) != 0;
    if (!c->answer)
        leave(c, args);
}

/* -- opening ---------------------------------------------------------------------------------- */

void gs_accesses_settle(gs_fast_engine *e)
{
    if (!e->brought_in)
        return;
    gs_cache_stats *stats = &e->timing->dcache.stats;
    stats->read_misses += e->brought_in;
    stats->fills += e->brought_in;
    stats->evictions += e->brought_in - e->brought_in_free;
    e->brought_in = e->brought_in_free = 0;
}

bool gs_accesses_add(gs_fast_engine *e, const gs_superblock *s)
{
    gs_data_access *next = gs_arena_alloc(&e->arena, (s->step_count + 1u) * sizeof *next);
    e->superblocks.items[s->number].accesses = next;
    for (unsigned i = 0; next && i < s->step_count; i++) {
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
    return next != NULL;
}

bool gs_accesses_open(gs_fast_engine *e)
{
    gs_fast *c = e->c;
    const gs_cache *cache = e->layout.dcached ? &e->timing->dcache : NULL;
    const unsigned shift = cache ? cache->line_shift : 0;
    c->load = !cache ? load_uncached : shift == 4 ? load_16 : shift == 5 ? load_32 : load_any;
    c->group = shift == 4 ? group_16 : shift == 5 ? group_32 : group_any;
    c->store = store;
    c->range = range;
    c->pass = pass;
    e->passing = cache && lets_pass(cache);
    e->plain =
        cache && !cache->write_back && (cache->ways == 1 || cache->replacement == GS_CACHE_LRU);
    if (!cache)
        return true;
    e->notes = gs_memory_notes(&e->machine->memory);
    e->noted = malloc(((size_t)e->layout.dcache_sets << cache->way_shift) * sizeof *e->noted);
    if (!e->notes || !e->noted)
        return false;
    gs_accesses_forget(e);
    return true;
}

void gs_accesses_close(gs_fast_engine *e)
{
    free(e->noted);
}
