#include "engine/fast/fast.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/fast/routes.h"
#include "engine/interp.h"
#include "engine/watch.h"

enum {
    NO_LINE = 1,         /* in gs_fast.tables: no line has this address, nor this number in code */
    MAX_SLICE = 1 << 28, /* cycles, so that Ctrl-C and a progress bar feel immediate */
    MAX_NODES = 1 << 18, /* more states than this are no states but chaos */
    RECENT = 4096,       /* edges found by a key, or for a goal */
    USERS = 4096,
    FETCHES_MAX = GS_STRETCH_SITES, /* lines a stretch can have looked up in vain */
};

struct gs_fast_helpers {
#define HELPER(name) __typeof__(name) *name;
#include "engine/fast/helpers.def"
};

static const struct gs_fast_helpers helpers = {
#define HELPER(name) .name = name,
#include "engine/fast/helpers.def"
};

/* No node: what a stretch that is out of use expects, so that it always asks. */
#define GONE ((gs_fast_node *)2)

/* A lookup of code that may turn out to have been made too early. */
typedef struct fetch_undo {
    unsigned owner; /* see gs_site */
    gs_addr set;
    gs_addr tags[GS_CACHE_MAX_WAYS];
    uint32_t random, next_way;
    gs_cache_stats stats;
} fetch_undo;

struct gs_fast_engine {
    gs_machine *machine;
    gs_timing *timing;
    gs_automaton *automaton;
    const gs_bulk *bulk; /* or NULL */
    gs_routes routes;
    gs_fast_layout layout;
    gs_fast *c;
    bool failed; /* no memory */
    uint64_t margin;
    uint32_t stretch_count;
    unsigned fetch_count; /* in this stretch */
    fetch_undo fetches[FETCHES_MAX];
    struct line_users {
        struct line_user {
            gs_addr line;
            uint32_t stretch; /* number */
        } * items;
        size_t count, capacity;
    } users[USERS]; /* by a hash of the line: stretches that have code in it */
    uint32_t icache_changes, dcache_changes, map_changes; /* as far as the tables know */
    gs_fast_edge *recent[RECENT];                         /* by hash() */
    uint8_t filter[GS_FAST_FILTER_MASK + 1];
    struct {
        struct entry {
            gs_addr pc;
            gs_fast_function *run;
            const gs_stretch *stretch;
        } * items;
        size_t count, capacity;
    } entries; /* by pc */
};

/* -- the tables translated code looks at ---------------------------------------------------- */

/* Whoever has code in this line has to look whether it is still there. */
static void doubt_users(gs_fast_engine *e, gs_addr line)
{
    const struct line_users *users = &e->users[line % USERS];
    for (size_t i = 0; i < users->count; i++) {
        const struct line_user *user = &users->items[i];
        if (user->line != line)
            continue;
        e->c->present[user->stretch] = 0;
        if (e->c->guess[user->stretch] != GONE)
            e->c->guess[user->stretch] = NULL;
    }
}

static void update_code_set(gs_fast_engine *e, gs_addr set)
{
    const gs_cache *cache = &e->timing->icache;
    uint32_t *first = &e->c->tables[e->layout.icache_lines + set];
    gs_addr before = *first;
    *first = cache->tags[(size_t)set << cache->way_shift];
    if (before != *first)
        doubt_users(e, before);
}

static void update_data_set(gs_fast_engine *e, gs_addr set)
{
    const gs_cache *cache = &e->timing->dcache;
    size_t slot = (size_t)set << cache->way_shift;
    gs_addr line = cache->tags[slot];
    uint32_t load = NO_LINE, store = NO_LINE;
    if (line != GS_CACHE_NO_LINE) {
        gs_addr address = line << cache->line_shift;
        uint8_t page = e->machine->memory.fast[address >> GS_PAGE_SHIFT];
        if (page & GS_FAST_LOAD)
            load = address;
        if ((page & GS_FAST_STORE) && (!cache->write_back || cache->dirty[slot]))
            store = address;
    }
    e->c->tables[e->layout.loads + set] = load;
    e->c->tables[e->layout.stores + set] = store;
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

static void refresh(gs_fast_engine *e)
{
    const gs_memory *memory = &e->machine->memory;
    bool mapped_anew = e->map_changes != memory->map_changes;
    e->map_changes = memory->map_changes;
    if (e->layout.icached)
        follow_changes(e, &e->timing->icache, &e->icache_changes, false, update_code_set);
    if (e->layout.dcached)
        follow_changes(e, &e->timing->dcache, &e->dcache_changes, mapped_anew, update_data_set);
}

/* -- what translated code calls --------------------------------------------------------------- */

static fetch_undo *remember_set(gs_fast_engine *e, gs_addr set, unsigned owner)
{
    const gs_cache *cache = &e->timing->icache;
    fetch_undo *undo = &e->fetches[e->fetch_count++];
    undo->owner = owner;
    undo->set = set;
    undo->stats = cache->stats;
    if (cache->ways == 1) {
        undo->tags[0] = cache->tags[set];
        return undo;
    }
    undo->random = cache->random;
    undo->next_way = cache->next_way ? cache->next_way[set] : 0;
    memcpy(undo->tags, cache->tags + ((size_t)set << cache->way_shift),
           cache->ways * sizeof *cache->tags);
    return undo;
}

static void look_up(gs_fast_engine *e, gs_addr address, unsigned owner, unsigned shift)
{
    gs_cache *cache = &e->timing->icache;
    gs_addr line = gs_cache_line(cache, address), set = line & cache->set_mask;
    const fetch_undo *undo = remember_set(e, set, owner);
    unsigned outcome = GS_OUTCOME_FILLED;
    if (cache->ways == 1 && undo->tags[0] != line) {
        gs_cache_replace(cache, line);
        e->c->tables[e->layout.icache_lines + set] = line;
        doubt_users(e, undo->tags[0]);
    } else {
        bool hit = gs_cache_access(cache, address, false).hit;
        cache->stats.reads--; /* the edge counts it */
        update_code_set(e, set);
        outcome = hit ? GS_OUTCOME_FETCHED : GS_OUTCOME_FILLED;
    }
    e->c->key |= (uint64_t)outcome << shift;
}

/* What has been looked up for instruction `owner` and those behind it, has not. */
static void undo_fetches(gs_fast_engine *e, unsigned owner)
{
    gs_cache *cache = &e->timing->icache;
    while (e->fetch_count > 0 && e->fetches[e->fetch_count - 1].owner >= owner) {
        const fetch_undo *undo = &e->fetches[--e->fetch_count];
        memcpy(cache->tags + ((size_t)undo->set << cache->way_shift), undo->tags,
               cache->ways * sizeof *cache->tags);
        cache->stats = undo->stats;
        if (cache->ways > 1)
            cache->random = undo->random;
        if (cache->ways > 1 && cache->next_way)
            cache->next_way[undo->set] = undo->next_way;
        update_code_set(e, undo->set);
    }
}

static void fetch(gs_fast *c, uint32_t address, unsigned owner, unsigned shift)
{
    look_up(c->engine, address, owner, shift);
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
static uint64_t settle_key(gs_fast_engine *e, const gs_stretch *s, unsigned steps)
{
    uint64_t key = key_until(s, e->c->key, steps);
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

static int access_data(gs_fast_engine *e, uint32_t address, bool write)
{
    if (!e->layout.dcached)
        return GS_OUTCOME_HIT;
    gs_cache *cache = &e->timing->dcache;
    const gs_addr line = gs_cache_line(cache, address), set = line & cache->set_mask;
    if (!write && cache->ways == 1 && cache->tags[set] != line) {
        const bool was_dirty = cache->dirty[set];
        gs_cache_replace(cache, line);
        update_data_set(e, set);
        return was_dirty ? GS_OUTCOME_WRITTEN_BACK : GS_OUTCOME_FILLED;
    }
    if (write && cache->ways == 1 && cache->tags[set] != line && !cache->write_allocate) {
        cache->stats.write_misses++;
        return GS_OUTCOME_PASSED;
    }
    gs_cache_result result = gs_cache_access(cache, address, write);
    *(write ? &cache->stats.writes : &cache->stats.reads) -= 1; /* the edge counts it */
    update_data_set(e, set);
    return outcome_of(result);
}

static int load(gs_fast *c, uint32_t address, unsigned size)
{
    gs_fast_engine *e = c->engine;
    if ((address & (size - 1)) || !(c->pages[address >> GS_PAGE_SHIFT] & GS_FAST_LOAD))
        return -1;
    return access_data(e, address, false);
}

static int store(gs_fast *c, uint32_t address, unsigned size)
{
    gs_fast_engine *e = c->engine;
    if ((address & (size - 1)) || (!(c->pages[address >> GS_PAGE_SHIFT] & GS_FAST_STORE) &&
                                   !gs_memory_store_is_plain(&e->machine->memory, address, size)))
        return -1;
    return access_data(e, address, true);
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

/* Something is out of memory: everything stops as soon as it can. */
static void fail(gs_fast_engine *e)
{
    e->failed = true;
    e->c->limit = 0;
}

/* Fetch has strayed so far that it brought a line in. */
static void bring_in(gs_fast_engine *e, gs_addr address)
{
    gs_cache *cache = &e->timing->icache;
    (void)gs_cache_fill(cache, address);
    update_code_set(e, gs_cache_line(cache, address) & cache->set_mask);
}

static unsigned hash(const gs_fast_node *node, unsigned way, uint64_t key, gs_addr goal)
{
    uint64_t mixed =
        ((uintptr_t)node + way) * 0x9e3779b97f4a7c15u ^ (key + goal) * 0xbf58476d1ce4e5b9u;
    return (unsigned)(mixed >> 32) % RECENT;
}

/* The edge of a way that has just been taken from `node`, which may be the proxy. */
static gs_fast_edge *take(gs_fast_engine *e, gs_fast_node *node, unsigned way, gs_addr goal)
{
    gs_fast *c = e->c;
    uint64_t key = 0;
    if (node == c->proxy) {
        node = c->real;
        key = c->key;
        c->key = 0;
        e->fetch_count = 0;
    }
    gs_fast_edge **recent = &e->recent[hash(node, way, key, goal)];
    gs_fast_edge *edge = *recent;
    if (!edge || edge->from != node || edge->key != key || edge->way != way ||
        (edge->goal != goal && goal != 0)) {
        edge = gs_automaton_edge(e->automaton, node, way, key, goal);
        if (!edge) {
            fail(e);
            return NULL;
        }
        *recent = edge;
    }
    if (edge->lesson->stray && node->stretch->ways[way].stray >= 0)
        bring_in(e, edge->lesson->stray);
    return edge;
}

static gs_fast_edge *find(gs_fast *c, gs_fast_node *node, unsigned way, uint32_t goal)
{
    gs_fast_edge *edge = take(c->engine, node, way, goal);
    return edge ? edge : &node->way[way];
}

/* Control has come by a way that was pending. The node it leads to, or NULL; c->edge is the way. */
static gs_fast_node *arrive(gs_fast_engine *e, gs_fast_edge *pending)
{
    gs_fast *c = e->c;
    gs_fast_edge *edge = pending;
    if (!pending->lesson) {
        bool usual = pending->from != c->proxy;
        edge = take(e, pending->from, pending->way, 0);
        if (!edge)
            return NULL;
        edge->count += !usual; /* the usual one has been counted when it was taken */
        c->cost += edge->cost;
    }
    c->edge = edge;
    if (!e->bulk)
        return edge->next;
    bool failed = false;
    gs_fast_node *node = gs_routes_follow(&e->routes, edge, &failed);
    if (failed)
        fail(e);
    return node;
}

/* Looks up what every way through a stretch needs from step `first` on. Whether all of it was where
 * it is expected. */
static bool look_up_from(gs_fast_engine *e, const gs_stretch *s, unsigned first)
{
    const gs_cache *cache = &e->timing->icache;
    bool present = true;
    for (unsigned i = 0; i < s->line_count; i++) {
        const gs_site *site = &s->sites[s->lines[i]];
        if (site->owner < first || gs_cache_probe_first(cache, site->address))
            continue;
        look_up(e, site->address, site->owner, site->shift);
        present = false;
    }
    return present;
}

static bool look_all_up(gs_fast_engine *e, const gs_stretch *s)
{
    bool present = look_up_from(e, s, 0);
    e->c->present[s->number] = present;
    return present;
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
static int stray(gs_fast *c, gs_fast_node *node, unsigned site_number)
{
    gs_fast_engine *e = c->engine;
    gs_fast_node *real = node == c->proxy ? c->real : node;
    const gs_stretch *s = real->stretch;
    const gs_site *site = &s->sites[site_number];
    const bool inside = s->steps[site->step].stray == (int)site_number;
    if (inside) {
        undo_fetches(e, site->step + 1u);
        c->key = key_until(s, c->key, site->step + 1u);
    }
    const unsigned missing = first_missing(e, &s->strays[site->strays]);
    c->key |= (uint64_t)missing << site->shift;
    if (inside && missing) {
        gs_fast_edge *edge = gs_automaton_partial(e->automaton, real, site->step + 1u, c->key);
        if (!edge)
            fail(e);
        else if (edge->lesson->stray)
            bring_in(e, edge->lesson->stray);
    }
    if (inside)
        (void)look_up_from(e, s, site->step + 1u);
    return c->key != 0;
}

static gs_fast_node *begin(gs_fast *c, gs_fast_node *node, unsigned stretch)
{
    gs_fast_engine *e = c->engine;
    gs_fast_edge *pending = gs_automaton_pending(node);
    if (pending) {
        node = arrive(e, pending);
        if (e->failed)
            return c->proxy;
    }
    c->node = node;
    if (!node || node->stretch->number != stretch || e->routes.outdated)
        return NULL;
    if (c->present[stretch] || look_all_up(e, node->stretch))
        return node;
    c->real = node;
    return c->proxy;
}

/* -- ways in ------------------------------------------------------------------------------------
 */

static struct entry *entry_at(const gs_fast_engine *e, gs_addr pc)
{
    size_t low = 0, high = e->entries.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->entries.items[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->entries.count && e->entries.items[low].pc == pc ? &e->entries.items[low] : NULL;
}

static gs_fast_function *function_at(gs_fast_engine *e, gs_addr pc)
{
    gs_fast *c = e->c;
    unsigned at = pc >> 1 & (GS_FAST_ENTRIES - 1);
    if (c->entries[at].pc == pc)
        return c->entries[at].run;
    const struct entry *entry = entry_at(e, pc);
    if (!entry)
        return NULL;
    c->entries[at].pc = pc;
    c->entries[at].run = entry->run;
    return entry->run;
}

static int by_pc(const void *a, const void *b)
{
    gs_addr x = ((const struct entry *)a)->pc, y = ((const struct entry *)b)->pc;
    return (x > y) - (x < y);
}

/* A store into translated code has to be noticed: it is, in code that has been decoded. */
static void decode_at(gs_fast_engine *e, gs_addr pc)
{
    gs_machine *machine = e->machine;
    gs_insn *page = gs_memory_code_page(&machine->memory, pc);
    gs_insn *slot = page ? &page[(pc & (GS_PAGE_SIZE - 1)) / machine->memory.unit] : NULL;
    if (slot && slot->op == GS_OP_UNDECODED)
        (void)gs_interp_fill(machine, slot, pc);
    if (slot && slot->op >= GS_OP_FIRST && e->bulk)
        e->bulk->decoded(e->bulk->self, pc, slot);
}

static void decode_all(gs_fast_engine *e, const gs_stretch *s)
{
    for (unsigned i = 0; i < s->step_count; i++)
        decode_at(e, s->steps[i].pc);
    for (unsigned i = 0; i < s->strays_count; i++) {
        for (unsigned k = 0; k < s->strays[i].count; k++)
            decode_at(e, s->strays[i].pc[k]);
    }
}

void gs_fast_decode(gs_fast_engine *e, const gs_code *code)
{
    for (size_t i = 0; i < code->count; i++)
        decode_all(e, &code->stretches[i]);
}

/* Has a stretch told when one of its lines goes. */
static bool watch_lines(gs_fast_engine *e, gs_stretch *s)
{
    const gs_cache *cache = &e->timing->icache;
    e->c->present[s->number] = 1;
    for (unsigned i = 0; i < s->site_count; i++) {
        const gs_site *site = &s->sites[i];
        if (site->kind != GS_SITE_FETCH || site->address == 0 ||
            !gs_stretch_looks_up_first(s, site))
            continue;
        struct line_user user = {gs_cache_line(cache, site->address), s->number};
        e->c->present[s->number] = 0;
        if (!gs_vec_push(&e->users[user.line % USERS], user))
            return false;
    }
    return true;
}

static gs_status link_edges(gs_fast_engine *e, gs_error *err)
{
    bool ok = !e->automaton || gs_automaton_link(e->automaton);
    return ok ? GS_OK : gs_fail_no_memory(err);
}

gs_status gs_fast_add(gs_fast_engine *e, const gs_code *codes, gs_fast_function *const *functions,
                      size_t count, gs_error *err)
{
    gs_fast_settle(e); /* as edges were: they may lead elsewhere from now on */
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < codes[i].count; k++) {
            gs_stretch *s = &codes[i].stretches[k];
            struct entry entry = {s->pc, functions[i], s};
            s->number = e->stretch_count++;
            if (entry_at(e, s->pc))
                continue;
            if (!gs_vec_push(&e->entries, entry) ||
                (e->automaton && !(gs_automaton_add(e->automaton, s) && watch_lines(e, s))))
                return gs_fail_no_memory(err);
            decode_all(e, s);
            e->filter[s->pc >> 1 & GS_FAST_FILTER_MASK] = 1;
            if (s->worst > e->margin)
                e->margin = s->worst;
        }
        if (e->entries.count > 1)
            qsort(e->entries.items, e->entries.count, sizeof *e->entries.items, by_pc);
    }
    return link_edges(e, err);
}

gs_status gs_fast_remove(gs_fast_engine *e, const gs_code *code, gs_error *err)
{
    size_t kept = 0;
    gs_fast_settle(e); /* while it is known what these instructions were */
    for (size_t i = 0; i < e->entries.count; i++) {
        const gs_stretch *s = e->entries.items[i].stretch;
        if (s >= code->stretches && s < code->stretches + code->count) {
            if (e->automaton)
                gs_automaton_remove(e->automaton, s);
            e->c->present[s->number] = 0;
            e->c->guess[s->number] = GONE;
        } else
            e->entries.items[kept++] = e->entries.items[i];
    }
    e->entries.count = kept;
    memset(e->c->entries, 0, sizeof e->c->entries);
    memset(e->filter, 0, sizeof e->filter);
    for (size_t i = 0; i < kept; i++)
        e->filter[e->entries.items[i].pc >> 1 & GS_FAST_FILTER_MASK] = 1;
    return link_edges(e, err);
}

uint32_t gs_fast_stretch_count(const gs_fast_engine *e)
{
    return e->stretch_count;
}

const uint8_t *gs_fast_filter(const gs_fast_engine *e)
{
    return e->filter;
}

uint64_t gs_fast_margin(const gs_fast_engine *e)
{
    return e->margin;
}

/* -- running ------------------------------------------------------------------------------------
 */

static void copy_registers(gs_fast_engine *e, bool in)
{
    gs_hart *hart = &e->machine->hart;
    uint32_t *x = e->c->x;
    if (e->machine->isa->arch == GS_ARCH_RV32) {
        memcpy(in ? x : hart->rv.x, in ? hart->rv.x : x, 32 * sizeof *x);
        if (in) {
            e->c->reserved.set = hart->rv.reserved;
            e->c->reserved.address = hart->rv.reserved_addr;
            e->c->reserved.value = hart->rv.reserved_value;
        } else {
            hart->rv.reserved = e->c->reserved.set;
            hart->rv.reserved_addr = e->c->reserved.address;
            hart->rv.reserved_value = e->c->reserved.value;
        }
        e->c->frm = hart->rv.frm;
        /* The first instruction that uses it marks it so. */
        e->c->float_off = (hart->rv.mstatus & GS_RV_MSTATUS_FS) != GS_RV_MSTATUS_FS;
        return;
    }
    e->c->float_off = !(hart->mips.cp0_status & GS_MIPS_STATUS_CU1);
    e->c->paired = !(hart->mips.cp0_status & GS_MIPS_STATUS_FR);
    memcpy(in ? x : hart->mips.r, in ? hart->mips.r : x, 32 * sizeof *x);
    if (in) {
        x[34] = hart->mips.hi;
        x[35] = hart->mips.lo;
    } else {
        hart->mips.hi = x[34];
        hart->mips.lo = x[35];
    }
}

static void copy_stores(gs_fast_engine *e, bool in)
{
    for (unsigned i = 0; i < 2; i++) {
        gs_timing_store *store = &e->timing->last_stores[i];
        uint64_t *copy = &e->c->stores[i];
        if (in)
            *copy = (uint64_t)store->size << 32 | store->address;
        else
            *store = (gs_timing_store){(uint32_t)*copy, (uint32_t)(*copy >> 32)};
    }
}

/* How many cycles may pass before somebody else has to look; 0: none. Without a core, an
 * instruction is a cycle. */
static uint32_t allowance(const gs_fast_engine *e, uint64_t deadline, uint64_t max_instructions)
{
    const gs_timing *timing = e->timing;
    const uint64_t now = timing ? timing->now : e->machine->time, margin = e->margin;
    if (deadline <= now + margin)
        return 0;
    uint64_t cycles = deadline - now - margin;
    uint64_t instructions = max_instructions - e->machine->hart.instret;
    uint64_t width = timing && timing->core->issue_width ? timing->core->issue_width : 1;
    if (instructions <= 2 * GS_STRETCH_STEPS)
        return 0;
    if (cycles > (instructions - 2 * GS_STRETCH_STEPS) / width)
        cycles = (instructions - 2 * GS_STRETCH_STEPS) / width;
    return cycles > MAX_SLICE ? MAX_SLICE : (uint32_t)cycles;
}

/* Where control is, and in which state the pipeline, once translated code has been left. */
typedef struct place {
    gs_addr pc;
    const gs_fast_state *state;
    bool inside;  /* a stretch, and not at its start */
    gs_addr last; /* instruction that was executed; GS_FAST_LEFT: none */
} place;

static gs_addr last_of(const gs_fast_edge *edge)
{
    return edge->lesson ? edge->lesson->stretch->steps[edge->lesson->steps - 1].pc : GS_FAST_LEFT;
}

static void read_stack_pointer(gs_fast_engine *e)
{
    e->c->sp = e->c->x[e->machine->isa->arch == GS_ARCH_RV32 ? 2 : 29];
}

/* In the middle of a stretch. */
static bool stop_inside(gs_fast_engine *e, place *at)
{
    gs_fast *c = e->c;
    unsigned steps = c->left_at;
    gs_fast_edge *pending = gs_automaton_pending(c->node);
    read_stack_pointer(e);
    if (pending && !(c->node = arrive(e, pending)))
        return false;
    gs_fast_node *node = c->node == c->proxy ? c->real : c->node;
    /* Who fetches ahead has looked the next one up already. */
    unsigned ahead = e->timing->model->fetches_ahead ? 1 : 0;
    uint64_t key = settle_key(e, node->stretch, steps + ahead);
    at->pc = node->stretch->steps[steps].pc;
    at->state = node->state;
    at->inside = steps > 0;
    at->last = steps > 0 ? node->stretch->steps[steps - 1].pc
               : c->edge ? last_of(c->edge)
                         : GS_FAST_LEFT;
    if (steps == 0)
        return true;
    gs_fast_edge *edge = gs_automaton_partial(e->automaton, node, steps, key);
    if (!edge)
        return false;
    edge->count++;
    c->cost += edge->cost;
    at->state = edge->lesson->after;
    return true;
}

static bool run_code(gs_fast_engine *e, place *at)
{
    gs_fast *c = e->c;
    for (;;) {
        c->tails = 0;
        gs_addr next = function_at(e, at->pc)(c, at->pc);
        if (e->failed)
            return false;
        if (next == GS_FAST_LEFT)
            return stop_inside(e, at);
        at->pc = next;
        gs_fast_edge *pending = gs_automaton_pending(c->node);
        if (pending) {
            read_stack_pointer(e);
            c->node = arrive(e, pending);
            if (e->failed)
                return false;
        }
        if (!c->node || (uint32_t)c->cost >= c->limit) {
            at->state = c->edge->lesson->after;
            at->last = last_of(c->edge);
            return true;
        }
    }
}

/* Without a core. */
static bool run_untimed(gs_fast_engine *e)
{
    gs_fast *c = e->c;
    gs_hart *hart = &e->machine->hart;
    gs_fast_function *run = function_at(e, hart->pc);
    if (!run)
        return false;
    copy_registers(e, true);
    c->cost = 0;
    c->depth = 0;
    gs_addr pc = hart->pc;
    while (run && (uint32_t)c->cost < c->limit) {
        gs_addr next = run(c, pc);
        pc = next == GS_FAST_LEFT ? c->left_at : next;
        run = next == GS_FAST_LEFT ? NULL : function_at(e, pc);
    }
    copy_registers(e, false);
    hart->pc = pc;
    hart->instret += (uint32_t)c->cost;
    e->machine->translated += (uint32_t)c->cost;
    return (uint32_t)c->cost != 0;
}

gs_status gs_fast_run(gs_fast_engine *e, uint64_t deadline, uint64_t max_instructions, bool *ran,
                      gs_error *err)
{
    gs_fast *c = e->c;
    gs_hart *hart = &e->machine->hart;
    *ran = false;
    if (!e->filter[hart->pc >> 1 & GS_FAST_FILTER_MASK] || hart->mips.in_delay_slot)
        return GS_OK;
    c->limit = allowance(e, deadline, max_instructions);
    if (c->limit == 0)
        return GS_OK;
    if (!e->automaton) {
        *ran = run_untimed(e);
        return GS_OK;
    }
    if (gs_automaton_node_count(e->automaton) > MAX_NODES ||
        !gs_automaton_stretch(e->automaton, hart->pc))
        return GS_OK;
    c->edge = NULL;
    if (e->bulk)
        gs_routes_enter(&e->routes);
    c->node = gs_automaton_enter(e->automaton, hart->pc, e->bulk ? c->stack.top->path : 0);
    if (!c->node) {
        if (e->bulk)
            gs_routes_leave(&e->routes, hart->pc, GS_FAST_LEFT, false);
        return GS_OK;
    }
    refresh(e);
    copy_registers(e, true);
    copy_stores(e, true);
    c->cost = c->key = 0;
    c->depth = 0;
    e->fetch_count = 0;
    place at = {.pc = hart->pc};
    if (!run_code(e, &at) || e->failed)
        return gs_fail_no_memory(err);
    copy_registers(e, false);
    copy_stores(e, false);
    hart->pc = at.pc;
    hart->instret += c->cost >> 32;
    e->machine->translated += c->cost >> 32;
    e->timing->now += (uint32_t)c->cost;
    gs_automaton_leave(e->automaton, at.state, at.pc);
    if (e->bulk)
        gs_routes_leave(&e->routes, at.pc, at.last, at.inside);
    e->icache_changes = e->timing->icache.change_count;
    e->dcache_changes = e->timing->dcache.change_count;
    *ran = c->cost >> 32 != 0; /* or the very first instruction is not for us */
    return GS_OK;
}

const gs_automaton *gs_fast_automaton(const gs_fast_engine *e)
{
    return e->automaton;
}

static void settle(void *engine)
{
    gs_fast_settle(engine);
}

/* Has the automaton give what has been counted to the timing and to who watches. */
static void tell(gs_fast_engine *e, void (*how)(gs_automaton *automaton))
{
    gs_timing *timing = e->timing;
    const gs_watch_debt owed = gs_watch_owes(timing);
    if (e->bulk)
        e->bulk->begin_adding(e->bulk->self);
    how(e->automaton);
    if (e->bulk)
        e->bulk->end_adding(e->bulk->self);
    gs_watch_owe(timing, owed);
}

void gs_fast_settle(gs_fast_engine *e)
{
    if (e->timing)
        tell(e, gs_automaton_settle);
}

bool gs_fast_take_loops(gs_fast_engine *e)
{
    uint64_t known = e->bulk->knowledge(e->bulk->self);
    bool more = known != e->routes.knowledge;
    e->routes.knowledge = known;
    e->routes.outdated = false;
    if (more)
        tell(e, gs_automaton_judge);
    return more;
}

/* -- life ---------------------------------------------------------------------------------------
 */

gs_status gs_fast_open(gs_fast_engine **out, gs_machine *machine, gs_timing *timing,
                       const gs_bulk *bulk, gs_error *err)
{
    *out = NULL;
    if (timing && (!gs_automaton_fits(timing) || timing->icache.ways > GS_CACHE_MAX_WAYS))
        return GS_OK;
    gs_fast_engine *e = calloc(1, sizeof *e);
    if (!e)
        return gs_fail_no_memory(err);
    e->machine = machine;
    e->timing = timing;
    e->bulk = bulk;
    e->layout = gs_fast_layout_of(timing);
    e->c = calloc(1, sizeof *e->c + e->layout.words * sizeof *e->c->tables);
    e->margin = GS_STRETCH_STEPS + 2;
    gs_status status = e->c ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK && timing)
        status = gs_automaton_open(&e->automaton, timing, bulk, err);
    if (status != GS_OK) {
        gs_fast_free(e);
        return status;
    }
    *e->c = (gs_fast){.engine = e,
                      .bytes = machine->memory.bytes,
                      .pages = machine->memory.fast,
                      .proxy = timing ? gs_automaton_proxy(e->automaton) : NULL,
                      .f = machine->hart.rv.f,
                      .fp = machine->isa->arch == GS_ARCH_RV32 ? &machine->hart.rv.fp
                                                               : &machine->hart.mips.fp,
                      .singles = machine->hart.mips.f,
                      .fcsr = &machine->hart.mips.fcsr,
                      .helpers = &helpers,
                      .begin = begin,
                      .fetch = fetch,
                      .load = load,
                      .store = store,
                      .stray = stray,
                      .guess_at = guess_at,
                      .find = find};
    if (bulk) {
        gs_routes_open(&e->routes, bulk, e->automaton, machine, e->c);
        bulk->attach(bulk->self, settle, e);
    }
    if (timing) {
        e->c->counters = timing->predictor.counters;
        e->c->history = &timing->predictor.history;
        e->icache_changes = timing->icache.change_count - GS_CACHE_CHANGES - 1;
        e->dcache_changes = timing->dcache.change_count - GS_CACHE_CHANGES - 1;
    }
    *out = e;
    return GS_OK;
}

void gs_fast_free(gs_fast_engine *e)
{
    if (!e)
        return;
    if (e->bulk)
        e->bulk->attach(e->bulk->self, NULL, NULL);
    gs_automaton_free(e->automaton);
    for (unsigned i = 0; i < USERS; i++)
        free(e->users[i].items);
    free(e->entries.items);
    free(e->c);
    free(e);
}
