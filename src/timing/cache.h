/*
 * cache.h - a set-associative cache without its data: which lines are present.
 *
 * A cache answers one question per access, hit or miss, and tells what a miss
 * displaced. What that costs is the pipeline's business. Equal configurations
 * and equal calls give equal answers, on every host. A cache belongs to its
 * owner and is not safe to share between threads; nothing is allocated after
 * gs_cache_init().
 *
 * Rules, for building the same in hardware or in generated code:
 *
 *  line    = address >> line_shift, the number of a line in memory
 *  set     = line & set_mask
 *  A line that is missing takes a free way of its set if there is one.
 *  Otherwise:
 *    LRU          the line whose last access (read, write or fill) is oldest
 *    FIFO         the line whose fill is oldest
 *    ROUND_ROBIN  one counter per set, 0 at first: its value is the way, and
 *                 it then moves on by one, back to 0 after the last way
 *    RANDOM       one 32-bit generator per cache: step it (see
 *                 gs_cache_random()), its low bits are the way
 *  Counter and generator move only when they choose a victim; free ways are
 *  taken from the lowest number up and do not ask them. Invalidating leaves
 *  both where they are.
 */
#ifndef GS_TIMING_CACHE_H
#define GS_TIMING_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "machine/memory.h"

typedef enum gs_cache_replacement {
    GS_CACHE_LRU,
    GS_CACHE_FIFO,
    GS_CACHE_ROUND_ROBIN,
    GS_CACHE_RANDOM,
    GS_CACHE_REPLACEMENT_COUNT
} gs_cache_replacement;

enum {
    GS_CACHE_FULLY_ASSOCIATIVE = 0, /* as a number of ways: one set */
    GS_CACHE_MAX_WAYS = 16,         /* unless fully associative */
    GS_CACHE_MIN_LINE_BYTES = 4,
    GS_CACHE_MAX_LINE_BYTES = 4096,
    GS_CACHE_MAX_SIZE_BYTES = 64 << 20,
    GS_CACHE_CHANGES = 32, /* remembered; a power of two */
};

/* The generator's seed where the configuration has 0, which would be stuck. */
#define GS_CACHE_SEED UINT32_C(2463534242)

typedef struct gs_cache_config {
    uint32_t size_bytes; /* these three are powers of two, */
    uint32_t line_bytes; /* size = sets * ways * line */
    uint32_t ways;       /* 1..16 or GS_CACHE_FULLY_ASSOCIATIVE */
    gs_cache_replacement replacement;
    bool write_back;     /* a write stays here until its line goes; else it goes through */
    bool write_allocate; /* a missing write brings its line in; else it only goes through */
    uint32_t seed;       /* of RANDOM; 0 stands for GS_CACHE_SEED */
} gs_cache_config;

/* Reads plus writes are the calls of gs_cache_access(). At any time
 * fills = evictions + lines dropped by invalidating or flushing + lines present. */
typedef struct gs_cache_stats {
    uint64_t reads;
    uint64_t read_misses;
    uint64_t writes;
    uint64_t write_misses;
    uint64_t fills;      /* lines brought in, by a miss or by gs_cache_fill() */
    uint64_t evictions;  /* lines displaced by a fill */
    uint64_t writebacks; /* dirty lines written to memory, by a fill or a flush */
} gs_cache_stats;

/*
 * Plain data, so that generated code can look for itself. The lines of a set lie side by side:
 * tags[set << way_shift] is the first of `ways`. A tag is the whole line number, or
 * GS_CACHE_NO_LINE. LRU and FIFO keep a set in order, youngest first and free ways last; the other
 * two keep a line in its way.
 *
 * A hit in the first place of a set therefore changes nothing, whatever the replacement, but for
 * the dirty byte of a write to a write-back cache, which becomes 1. That makes the probe one load
 * and one compare, with constants for everything but the address:
 *
 *     uint32_t line = address >> LINE_SHIFT;
 *     if (tags[(line & SET_MASK) << WAY_SHIFT] != line)
 *         result = gs_cache_access_slow(cache, address, write);
 *
 * Who probes like this adds its hits to `stats.reads` and `stats.writes` itself, at any time; the
 * slow path counts its own. `tags` and `dirty` stay where they are until gs_cache_fini().
 */
typedef struct gs_cache {
    gs_addr *tags;
    uint8_t *dirty;   /* beside each tag: 0 or 1; always 0 unless write_back */
    gs_addr set_mask; /* number of sets - 1 */
    uint8_t line_shift;
    uint8_t way_shift; /* ways = 1 << way_shift */
    bool write_back;
    bool write_allocate;
    gs_cache_replacement replacement;
    uint32_t ways;
    uint32_t random;    /* the generator's state */
    uint32_t *next_way; /* ROUND_ROBIN: the counter of each set; else NULL */
    gs_cache_stats stats;
    struct gs_cache_script *script; /* answers instead of the lines; or NULL, see below */
    uint32_t change_count; /* sets that got another line or another first one, ever; the last: */
    uint32_t changes[GS_CACHE_CHANGES];
} gs_cache;

/* No line has this number: lines have at least 4 bytes. */
#define GS_CACHE_NO_LINE ((gs_addr)-1)

/* What a pipeline's costs may depend on. They must not depend on whether a write hits that goes
 * through to memory and changes nothing in the cache. */
typedef struct gs_cache_result {
    bool hit;
    bool filled;            /* the line was brought in */
    bool evicted;           /* that displaced the line at victim_address, */
    bool writeback;         /* which was dirty and goes to memory */
    bool through;           /* the write itself goes on to memory */
    gs_addr victim_address; /* its first byte; 0 unless evicted */
} gs_cache_result;

/* To ask a pipeline "what if": an empty cache with a script asks it about every access, and where a
 * pipeline asks whether a line is there or brings one in. Nothing is brought in and nothing
 * counted.
 */
typedef struct gs_cache_script {
    gs_cache_result (*answer)(struct gs_cache_script *script, gs_addr address, bool write);
    bool (*probe)(struct gs_cache_script *script, gs_addr address);
    void (*fill)(struct gs_cache_script *script, gs_addr address);
    void (*invalidate)(struct gs_cache_script *script); /* all lines; or NULL */
} gs_cache_script;

/* Whether a cache can be like this. GS_E_ARGUMENT, and the text says what is allowed. */
gs_status gs_cache_check(const gs_cache_config *config, gs_error *err);

/* Checks, then makes an empty cache. After a failure there is nothing to free, but
 * gs_cache_fini() may be called. */
gs_status gs_cache_init(gs_cache *cache, const gs_cache_config *config, gs_error *err);
void gs_cache_fini(gs_cache *cache);

/* Everything but a hit in the first place of the set, which it handles as well. */
gs_cache_result gs_cache_access_slow(gs_cache *cache, gs_addr address, bool write);

/* Whether the line of `address` is in one of the set's other places. */
bool gs_cache_probe_slow(const gs_cache *cache, gs_addr address);

static inline gs_addr gs_cache_line(const gs_cache *cache, gs_addr address)
{
    return address >> cache->line_shift;
}

/* Where in `tags` the set of `line` begins. */
static inline size_t gs_cache_first_slot(const gs_cache *cache, gs_addr line)
{
    return (size_t)(line & cache->set_mask) << cache->way_shift;
}

/* Whether the line of `address` is in the first place of its set. For a direct-mapped cache that
 * is whether it is present. Counts nothing. */
static inline bool gs_cache_probe_first(const gs_cache *cache, gs_addr address)
{
    gs_addr line = gs_cache_line(cache, address);
    return cache->tags[gs_cache_first_slot(cache, line)] == line;
}

/* Whether the line of `address` is present. Changes and counts nothing. */
static inline bool gs_cache_probe(const gs_cache *cache, gs_addr address)
{
    return gs_cache_probe_first(cache, address) || gs_cache_probe_slow(cache, address);
}

/* A read or a write inside one line; see gs_cache_lines() for an access that may cross lines. */
static inline gs_cache_result gs_cache_access(gs_cache *cache, gs_addr address, bool write)
{
    gs_addr line = gs_cache_line(cache, address);
    size_t slot = gs_cache_first_slot(cache, line);
    if (__builtin_expect(cache->tags[slot] != line, 0))
        return gs_cache_access_slow(cache, address, write);
    if (!write) {
        cache->stats.reads++;
        return (gs_cache_result){.hit = true};
    }
    cache->stats.writes++;
    if (cache->write_back)
        cache->dirty[slot] = 1;
    return (gs_cache_result){.hit = true, .through = !cache->write_back};
}

/* Another line is in that set, or is its first. */
static inline void gs_cache_note_change(gs_cache *cache, gs_addr set)
{
    cache->changes[cache->change_count++ % GS_CACHE_CHANGES] = (uint32_t)set;
}

/* Moves one way of a list to its front, and those before it up by one. `steps` is how many ways
 * are looked at, that one at least: a constant number is faster than one that the host mispredicts.
 */
static inline __attribute__((always_inline)) void gs_cache_move_to_front(gs_cache *cache,
                                                                         size_t first, uint32_t way,
                                                                         uint32_t steps)
{
    gs_addr *tags = cache->tags + first;
    uint8_t *dirty = cache->dirty + first;
    const gs_addr tag = tags[way];
    const uint8_t was_dirty = dirty[way];
    for (uint32_t i = steps; i > 0; i--) {
        tags[i] = i <= way ? tags[i - 1] : tags[i];
        dirty[i] = i <= way ? dirty[i - 1] : dirty[i];
    }
    tags[0] = tag;
    dirty[0] = was_dirty;
}

/* What gs_cache_touch() does; `few` if it is known how many ways there are, and they are few. */
static inline __attribute__((always_inline)) uint32_t gs_cache_touch_in(gs_cache *cache,
                                                                        gs_addr line, uint32_t ways,
                                                                        bool few)
{
    const size_t first = gs_cache_first_slot(cache, line);
    const gs_addr *tags = cache->tags + first;
    uint32_t way = 0;
    for (uint32_t i = 1; i < ways && (few || !way); i++)
        way = tags[i] == line ? i : way;
    if (way && cache->replacement == GS_CACHE_LRU)
        gs_cache_move_to_front(cache, first, way, few ? ways - 1 : way);
    return way;
}

/* A hit that is not in the first place of its set, for a caller that counts accesses and keeps
 * track of changed sets itself. With LRU the line moves to the front. Returns the way the line was
 * in, or 0 if it is not there. */
static inline uint32_t gs_cache_touch(gs_cache *cache, gs_addr line)
{
    switch (cache->ways) {
    case 2: return gs_cache_touch_in(cache, line, 2, true);
    case 4: return gs_cache_touch_in(cache, line, 4, true);
    default: return gs_cache_touch_in(cache, line, cache->ways, false);
    }
}

/* The index of a line in `tags` after gs_cache_touch() has returned `way` for it. */
static inline size_t gs_cache_touched(const gs_cache *cache, gs_addr set, uint32_t way)
{
    return ((size_t)set << cache->way_shift) + (cache->replacement == GS_CACHE_LRU ? 0 : way);
}

/* A read that misses in a direct-mapped cache, for a caller that has found out that it misses,
 * counts reads itself, and need not be told that the set has changed. */
static inline void gs_cache_replace(gs_cache *cache, gs_addr line)
{
    gs_addr set = line & cache->set_mask;
    cache->stats.read_misses++;
    cache->stats.fills++;
    cache->stats.evictions += cache->tags[set] != GS_CACHE_NO_LINE;
    cache->stats.writebacks += cache->dirty[set];
    cache->tags[set] = line;
    cache->dirty[set] = 0;
}

/* How many lines an access of `size` bytes, at least 1, touches. It may run over the end of the
 * address space; the lines after the first begin at gs_cache_line_address(address) + line_bytes
 * and so on, modulo that space. */
static inline unsigned gs_cache_lines(const gs_cache *cache, gs_addr address, unsigned size)
{
    unsigned line_bytes = 1u << cache->line_shift;
    return (((unsigned)address & (line_bytes - 1)) + size + line_bytes - 1) >> cache->line_shift;
}

/* The first byte of the line of `address`. */
static inline gs_addr gs_cache_line_address(const gs_cache *cache, gs_addr address)
{
    return address >> cache->line_shift << cache->line_shift;
}

/* Brings a line in without an access of the program: a prefetch, a fetch on the wrong path. A
 * line already present stays as it is, its age too. Counts neither a read nor a miss. */
gs_cache_result gs_cache_fill(gs_cache *cache, gs_addr address);

/* Drops all lines, dirty or not. */
void gs_cache_invalidate_all(gs_cache *cache);

/* The generator of GS_CACHE_RANDOM: Marsaglia's 32-bit xorshift with shifts 13, 17, 5. Its period
 * is 2^32 - 1; in hardware it is 32 flip-flops and a layer of XOR gates. */
static inline uint32_t gs_cache_random(uint32_t state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

#endif
