/* Runs all configurations of the loop detector at once, in banks. */
#include "units/loops/explore.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32 }; /* widths, rounded up to whole vectors; the last ones do nothing */

/* No branch is at an odd address. */
enum { EMPTY = 1 };

static const unsigned sizes[GS_EXPLORE_SIZES] = {16, 32, 64};
static const unsigned ways_of[GS_EXPLORE_WAYS] = {1, 2, 4, 8};
static const unsigned intervals[GS_EXPLORE_INTERVALS] = {1, 5, 25, 50};

typedef struct entry {
    uint32_t address[LANES], frequency[LANES];
} entry;

/* A cache of one geometry in all widths. */
typedef struct bank {
    unsigned entries, ways, sets;
    bool uniform[GS_EXPLORE_ENTRIES_MAX]; /* per set: all lanes have the same addresses */
    entry *cache;
} bank;

/* What one sampling interval lets through. */
typedef struct stream {
    unsigned interval, phase;
    bool valid; /* there is a run */
    uint32_t address;
    uint64_t times;
    bank banks[GS_EXPLORE_SIZES * GS_EXPLORE_WAYS];
} stream;

struct gs_explore {
    stream streams[GS_EXPLORE_INTERVALS];
};

/* A run as each width's coalescing register has it. */
typedef struct run {
    uint32_t address;
    uint32_t frequency[LANES];
    uint32_t halvings[LANES]; /* that the register has caused */
    bool halves;              /* any */
} run;

/* The largest frequency of each lane. */
static const uint32_t most[LANES] = {
#define MOST(bits) [bits - GS_EXPLORE_WIDTH_MIN] = (uint32_t)((UINT64_C(1) << (bits)) - 1)
    MOST(4),  MOST(5),           MOST(6),           MOST(7),           MOST(8),  MOST(9),  MOST(10),
    MOST(11), MOST(12),          MOST(13),          MOST(14),          MOST(15), MOST(16), MOST(17),
    MOST(18), MOST(19),          MOST(20),          MOST(21),          MOST(22), MOST(23), MOST(24),
    MOST(25), MOST(26),          MOST(27),          MOST(28),          MOST(29), MOST(30), MOST(31),
    MOST(32), [29] = UINT32_MAX, [30] = UINT32_MAX, [31] = UINT32_MAX,
#undef MOST
};

/* The register counts to its largest value, and falls back to half of the next one whenever it
 * would pass it. */
static run make_run(uint32_t address, uint64_t times)
{
    run r = {.address = address};
    for (unsigned lane = 0; lane < GS_EXPLORE_WIDTHS; lane++) {
        if (times <= most[lane]) {
            r.frequency[lane] = (uint32_t)times;
            continue;
        }
        uint64_t half = ((uint64_t)most[lane] + 1) / 2, over = times - 2 * half;
        r.frequency[lane] = (uint32_t)(half + over % half);
        r.halvings[lane] = over / half < 32 ? (uint32_t)(1 + over / half) : 32;
        r.halves = true;
    }
    return r;
}

static void halve_lane(bank *b, unsigned lane, unsigned times)
{
    for (unsigned i = 0; i < b->entries; i++) {
        uint32_t *frequency = &b->cache[i].frequency[lane];
        *frequency = times < 32 ? *frequency >> times : 0;
    }
}

/* Puts old + more into an entry's lane; a carry halves all of the lane. */
static void put_sum(bank *b, entry *e, unsigned lane, uint32_t old, uint32_t more)
{
    uint64_t sum = (uint64_t)old + more;
    if (sum > most[lane]) {
        halve_lane(b, lane, 1);
        sum >>= 1;
    }
    e->frequency[lane] = (uint32_t)sum;
}

static void hit_all_lanes(bank *b, entry *e, const run *r)
{
    uint32_t sum[LANES], carry = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        sum[lane] = e->frequency[lane] + r->frequency[lane];
        carry |= (sum[lane] > most[lane]) | (sum[lane] < r->frequency[lane]);
    }
    if (!carry) {
        memcpy(e->frequency, sum, sizeof sum);
        return;
    }
    for (unsigned lane = 0; lane < GS_EXPLORE_WIDTHS; lane++)
        put_sum(b, e, lane, e->frequency[lane], r->frequency[lane]);
}

/* Which way a lane gives up. */
static unsigned victim_of(const entry *set, unsigned ways, unsigned lane)
{
    unsigned victim = 0;
    for (unsigned way = 0; way < ways; way++) {
        if (set[way].address[lane] == EMPTY)
            return way;
        if (set[way].frequency[lane] < set[victim].frequency[lane])
            victim = way;
    }
    return victim;
}

static void update_lane(bank *b, entry *set, unsigned lane, const run *r)
{
    for (unsigned way = 0; way < b->ways; way++) {
        if (set[way].address[lane] == r->address) {
            put_sum(b, &set[way], lane, set[way].frequency[lane], r->frequency[lane]);
            return;
        }
    }
    entry *e = &set[victim_of(set, b->ways, lane)];
    e->address[lane] = r->address;
    e->frequency[lane] = r->frequency[lane];
}

static bool agrees(const entry *set, unsigned ways)
{
    for (unsigned way = 0; way < ways; way++) {
        uint32_t different = 0;
        for (unsigned lane = 1; lane < GS_EXPLORE_WIDTHS; lane++)
            different |= set[way].address[lane] ^ set[way].address[0];
        if (different)
            return false;
    }
    return true;
}

static void update(bank *b, const run *r)
{
    unsigned number = gs_loops_set(r->address, b->sets);
    entry *set = &b->cache[number * b->ways];
    if (r->halves) {
        for (unsigned lane = 0; lane < GS_EXPLORE_WIDTHS; lane++) {
            if (r->halvings[lane])
                halve_lane(b, lane, r->halvings[lane]);
        }
    }
    for (unsigned way = 0; b->uniform[number] && way < b->ways; way++) {
        if (set[way].address[0] == r->address) {
            hit_all_lanes(b, &set[way], r);
            return;
        }
    }
    for (unsigned lane = 0; lane < GS_EXPLORE_WIDTHS; lane++)
        update_lane(b, set, lane, r);
    b->uniform[number] = agrees(set, b->ways);
}

static void release(stream *s)
{
    if (!s->valid)
        return;
    run r = make_run(s->address, s->times);
    for (size_t i = 0; i < GS_EXPLORE_SIZES * GS_EXPLORE_WAYS; i++)
        update(&s->banks[i], &r);
}

void gs_explore_branch(gs_explore *explore, uint32_t address, uint64_t times)
{
    for (size_t i = 0; i < GS_EXPLORE_INTERVALS; i++) {
        stream *s = &explore->streams[i];
        uint64_t passed = s->phase + times;
        s->phase = (unsigned)(passed % s->interval);
        passed /= s->interval;
        if (passed == 0)
            continue;
        if (s->valid && s->address == address) {
            s->times += passed;
            continue;
        }
        release(s);
        s->valid = true;
        s->address = address;
        s->times = passed;
    }
}

void gs_explore_end(gs_explore *explore)
{
    for (size_t i = 0; i < GS_EXPLORE_INTERVALS; i++) {
        release(&explore->streams[i]);
        explore->streams[i].valid = false;
    }
}

static bool open_bank(bank *b, unsigned entries, unsigned ways)
{
    *b = (bank){.entries = entries, .ways = ways, .sets = entries / ways};
    b->cache = calloc(entries, sizeof *b->cache);
    if (!b->cache)
        return false;
    for (unsigned i = 0; i < entries; i++) {
        for (unsigned lane = 0; lane < LANES; lane++)
            b->cache[i].address[lane] = EMPTY;
    }
    memset(b->uniform, true, sizeof b->uniform);
    return true;
}

gs_explore *gs_explore_open(void)
{
    gs_explore *explore = calloc(1, sizeof *explore);
    bool good = explore != NULL;
    for (size_t i = 0; good && i < GS_EXPLORE_INTERVALS; i++) {
        stream *s = &explore->streams[i];
        s->interval = intervals[i];
        for (size_t j = 0; good && j < GS_EXPLORE_SIZES * GS_EXPLORE_WAYS; j++)
            good =
                open_bank(&s->banks[j], sizes[j / GS_EXPLORE_WAYS], ways_of[j % GS_EXPLORE_WAYS]);
    }
    if (good)
        return explore;
    gs_explore_free(explore);
    return NULL;
}

void gs_explore_free(gs_explore *explore)
{
    if (!explore)
        return;
    for (size_t i = 0; i < GS_EXPLORE_INTERVALS; i++) {
        for (size_t j = 0; j < GS_EXPLORE_SIZES * GS_EXPLORE_WAYS; j++)
            free(explore->streams[i].banks[j].cache);
    }
    free(explore);
}

/* Numbered by interval, size, ways and width, the last one fastest. */
static const bank *bank_of(const gs_explore *explore, size_t index, unsigned *lane)
{
    size_t banks = GS_EXPLORE_SIZES * GS_EXPLORE_WAYS;
    *lane = (unsigned)(index % GS_EXPLORE_WIDTHS);
    index /= GS_EXPLORE_WIDTHS;
    return &explore->streams[index / banks].banks[index % banks];
}

gs_loops_parameters gs_explore_parameters(size_t index)
{
    size_t rest = index / GS_EXPLORE_WIDTHS;
    return (gs_loops_parameters){
        .width = GS_EXPLORE_WIDTH_MIN + (unsigned)(index % GS_EXPLORE_WIDTHS),
        .ways = ways_of[rest % GS_EXPLORE_WAYS],
        .entries = sizes[rest / GS_EXPLORE_WAYS % GS_EXPLORE_SIZES],
        .interval = intervals[rest / GS_EXPLORE_WAYS / GS_EXPLORE_SIZES],
        .coalesce = true,
    };
}

void gs_explore_cache(const gs_explore *explore, size_t index,
                      gs_loops_entry cache[GS_EXPLORE_ENTRIES_MAX])
{
    unsigned lane;
    const bank *b = bank_of(explore, index, &lane);
    for (unsigned i = 0; i < b->entries; i++) {
        const entry *from = &b->cache[i];
        cache[i] = (gs_loops_entry){0};
        if (from->address[lane] != EMPTY)
            cache[i] = (gs_loops_entry){true, from->address[lane], from->frequency[lane]};
    }
}
