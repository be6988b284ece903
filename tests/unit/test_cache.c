/*
 * The cache against a model that is as dumb as possible: per set an array of
 * ways with the times of the last fill and the last access, divisions instead
 * of shifts, a search for everything. Then what must hold for any cache, and
 * short sequences worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/cache.h"

typedef unsigned long long ull;

static uint64_t seed = 20250117;
static uint64_t random_state;

static uint64_t random_bits(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(random_bits() % n);
}

static bool one_in(uint32_t n)
{
    return below(n) == 0;
}

static const char *const replacement_names[] = {"LRU", "FIFO", "round robin", "random"};

/* One text at a time. */
static const char *describe(const gs_cache_config *config)
{
    static char text[160];
    snprintf(text, sizeof text, "%u bytes, lines of %u, %u ways, %s, write-%s, %sallocating",
             config->size_bytes, config->line_bytes, config->ways,
             replacement_names[config->replacement], config->write_back ? "back" : "through",
             config->write_allocate ? "" : "not ");
    return text;
}

static gs_cache make_cache(const gs_cache_config *config)
{
    gs_cache cache;
    gs_error err;
    if (gs_cache_init(&cache, config, &err) != GS_OK)
        fail_msg("%s: %s", describe(config), err.message);
    return cache;
}

static uint32_t lines_present(const gs_cache *cache)
{
    uint32_t count = 0;
    for (size_t i = 0; i < ((size_t)cache->set_mask + 1) * cache->ways; i++)
        count += cache->tags[i] != GS_CACHE_NO_LINE;
    return count;
}

/* The model */

enum { MODEL_MAX_LINES = 1024 };

typedef struct model_line {
    bool present, dirty;
    uint32_t line;
    uint64_t filled, used;
} model_line;

typedef struct model {
    const gs_cache_config *config;
    uint32_t ways, sets;
    model_line lines[MODEL_MAX_LINES]; /* set after set */
    uint32_t next_way[MODEL_MAX_LINES];
    uint32_t random;
    uint64_t now;
    uint64_t dropped;
    gs_cache_stats stats;
} model;

static void model_init(model *m, const gs_cache_config *config)
{
    memset(m, 0, sizeof *m);
    m->config = config;
    uint32_t lines = config->size_bytes / config->line_bytes;
    m->ways = config->ways == 0 ? lines : config->ways;
    m->sets = lines / m->ways;
    m->random = config->seed ? config->seed : 2463534242u;
    assert_true(lines <= MODEL_MAX_LINES);
}

static model_line *model_set(model *m, uint32_t address)
{
    return &m->lines[address / m->config->line_bytes % m->sets * m->ways];
}

static model_line *model_find(model *m, uint32_t address)
{
    model_line *set = model_set(m, address);
    for (uint32_t way = 0; way < m->ways; way++) {
        if (set[way].present && set[way].line == address / m->config->line_bytes)
            return &set[way];
    }
    return NULL;
}

/* Bit by bit, from the shifts in the header's text: y ^= y << 13, y ^= y >> 17, y ^= y << 5. */
static uint32_t model_random(uint32_t y)
{
    static const int shifts[3] = {13, -17, 5};
    for (int i = 0; i < 3; i++) {
        uint32_t old = y;
        for (int bit = 0; bit < 32; bit++) {
            int from = bit - shifts[i];
            if (from >= 0 && from < 32 && (old >> from & 1))
                y ^= UINT32_C(1) << bit;
        }
    }
    return y;
}

static model_line *model_victim(model *m, uint32_t address)
{
    model_line *set = model_set(m, address);
    for (uint32_t way = 0; way < m->ways; way++) {
        if (!set[way].present)
            return &set[way];
    }
    model_line *oldest = set;
    switch (m->config->replacement) {
    case GS_CACHE_LRU:
        for (uint32_t way = 1; way < m->ways; way++) {
            if (set[way].used < oldest->used)
                oldest = &set[way];
        }
        return oldest;
    case GS_CACHE_FIFO:
        for (uint32_t way = 1; way < m->ways; way++) {
            if (set[way].filled < oldest->filled)
                oldest = &set[way];
        }
        return oldest;
    case GS_CACHE_ROUND_ROBIN: {
        uint32_t *next = &m->next_way[address / m->config->line_bytes % m->sets];
        uint32_t way = *next;
        *next = way + 1 == m->ways ? 0 : way + 1;
        return &set[way];
    }
    default: m->random = model_random(m->random); return &set[m->random % m->ways];
    }
}

static gs_cache_result model_bring_in(model *m, uint32_t address)
{
    gs_cache_result result = {.filled = true};
    model_line *victim = model_victim(m, address);
    if (victim->present) {
        result.evicted = true;
        result.writeback = victim->dirty;
        result.victim_address = victim->line * m->config->line_bytes;
        m->stats.evictions++;
        if (victim->dirty)
            m->stats.writebacks++;
    }
    m->stats.fills++;
    *victim = (model_line){
        .present = true,
        .line = address / m->config->line_bytes,
        .filled = m->now,
        .used = m->now,
    };
    return result;
}

static gs_cache_result model_access(model *m, uint32_t address, bool write)
{
    gs_cache_result result = {0};
    model_line *found = model_find(m, address);
    m->now++;
    if (write)
        m->stats.writes++;
    else
        m->stats.reads++;
    if (!found) {
        if (write)
            m->stats.write_misses++;
        else
            m->stats.read_misses++;
        if (write && !m->config->write_allocate) {
            result.through = true;
            return result;
        }
        result = model_bring_in(m, address);
        found = model_find(m, address);
    } else {
        result.hit = true;
    }
    found->used = m->now;
    if (write && m->config->write_back)
        found->dirty = true;
    if (write && !m->config->write_back)
        result.through = true;
    return result;
}

static gs_cache_result model_fill(model *m, uint32_t address)
{
    m->now++;
    if (model_find(m, address))
        return (gs_cache_result){.hit = true};
    return model_bring_in(m, address);
}

static void model_drop_all(model *m)
{
    for (uint32_t i = 0; i < m->sets * m->ways; i++) {
        m->dropped += m->lines[i].present;
        m->lines[i].present = m->lines[i].dirty = false;
    }
}

static bool same_result(gs_cache_result a, gs_cache_result b)
{
    return a.hit == b.hit && a.filled == b.filled && a.evicted == b.evicted &&
           a.writeback == b.writeback && a.through == b.through &&
           a.victim_address == b.victim_address;
}

static void compare_stats(const gs_cache_stats *got, const gs_cache_stats *want,
                          const gs_cache_config *config)
{
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {
        {"reads", offsetof(gs_cache_stats, reads)},
        {"read misses", offsetof(gs_cache_stats, read_misses)},
        {"writes", offsetof(gs_cache_stats, writes)},
        {"write misses", offsetof(gs_cache_stats, write_misses)},
        {"fills", offsetof(gs_cache_stats, fills)},
        {"evictions", offsetof(gs_cache_stats, evictions)},
        {"writebacks", offsetof(gs_cache_stats, writebacks)},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint64_t g, w;
        memcpy(&g, (const char *)got + fields[i].offset, sizeof g);
        memcpy(&w, (const char *)want + fields[i].offset, sizeof w);
        if (g != w)
            fail_msg("seed %llu: %s: %llu %s, should be %llu", (ull)seed, describe(config), (ull)g,
                     fields[i].name, (ull)w);
    }
}

/* One random call on both; false if they answer differently. */
static bool step(gs_cache *cache, model *m, uint32_t address)
{
    switch (below(64)) {
    case 0:
    case 1:
    case 2:
    case 3: return same_result(gs_cache_fill(cache, address), model_fill(m, address));
    case 4:
        if (one_in(4)) {
            gs_cache_invalidate_all(cache);
            model_drop_all(m);
        }
        return true;
    case 5:
    case 6: return gs_cache_probe(cache, address) == (model_find(m, address) != NULL);
    default: {
        bool write = one_in(3);
        return same_result(gs_cache_access(cache, address, write), model_access(m, address, write));
    }
    }
}

static void compare_with_model(const gs_cache_config *config)
{
    static const uint32_t bases[] = {0, 0x80000000, 0xfff00000};
    static model m;
    gs_cache cache = make_cache(config);
    model_init(&m, config);
    const unsigned steps = 600 + 8 * m.sets * m.ways;

    /* Twice to four times what fits, so that hits and evictions are both frequent; up to the last
     * line of the address space now and then. */
    uint32_t span = config->size_bytes * (2 + below(3));
    uint32_t base = bases[below(3)];
    if (one_in(4))
        base = 0u - span;
    for (unsigned i = 0; i < steps; i++) {
        uint32_t address = base + below(one_in(2) ? span : span / 4 + 1);
        if (!step(&cache, &m, address))
            fail_msg("seed %llu: %s: call %u, for address 0x%08x, answers wrongly", (ull)seed,
                     describe(config), i, address);
    }
    for (uint32_t offset = 0; offset < span; offset += config->line_bytes) {
        bool wanted = model_find(&m, base + offset) != NULL;
        if (gs_cache_probe(&cache, base + offset) != wanted)
            fail_msg("seed %llu: %s: the line at 0x%08x should %sbe there", (ull)seed,
                     describe(config), base + offset, wanted ? "" : "not ");
    }
    compare_stats(&cache.stats, &m.stats, config);
    if (cache.stats.fills != cache.stats.evictions + m.dropped + lines_present(&cache))
        fail_msg("seed %llu: %s: fills are not evicted, dropped or present", (ull)seed,
                 describe(config));
    gs_cache_fini(&cache);
}

static void test_all_organisations_match_the_model(void **state)
{
    static const uint32_t line_sizes[] = {4, 16, 64, 4096};
    static const uint32_t set_counts[] = {1, 2, 8, 64};
    static const uint32_t way_counts[] = {1, 2, 4, 8, 16, 0};
    (void)state;

    for (size_t l = 0; l < 4; l++) {
        for (size_t s = 0; s < 4; s++) {
            for (size_t w = 0; w < 6; w++) {
                for (unsigned rest = 0; rest < 16; rest++) {
                    uint32_t ways = way_counts[w];
                    gs_cache_config config = {
                        .size_bytes = line_sizes[l] * set_counts[s] * (ways ? ways : 1),
                        .line_bytes = line_sizes[l],
                        .ways = ways,
                        .replacement = (gs_cache_replacement)(rest & 3),
                        .write_back = rest & 4,
                        .write_allocate = rest & 8,
                        .seed = below(2) * below(1000),
                    };
                    compare_with_model(&config);
                }
            }
        }
    }
}

/* Properties */

/*
 * With the same number of sets, the lines of an LRU cache are among those of one with more ways:
 * each set holds the most recent lines, so it can only miss more often. That needs every miss to
 * bring its line in. Without write-allocation a write can make a line recent in the larger cache
 * only, and the larger cache may then lose a line that the smaller one keeps.
 */
static void test_lru_with_more_ways_includes_fewer(void **state)
{
    enum { SETS = 8, LINE = 16, SIZES = 5 };
    (void)state;
    for (unsigned run = 0; run < 20; run++) {
        gs_cache caches[SIZES];
        for (unsigned i = 0; i < SIZES; i++) {
            caches[i] = make_cache(&(gs_cache_config){
                .size_bytes = (uint32_t)(SETS * LINE) << i,
                .line_bytes = LINE,
                .ways = 1u << i,
                .write_allocate = true,
            });
        }
        uint32_t span = SETS * LINE * (1 + below(40));
        for (unsigned step_number = 0; step_number < 2000; step_number++) {
            uint32_t address = one_in(2) ? below(span) : below(span / 4 + 1);
            bool write = one_in(3);
            bool smaller_hit = false;
            for (unsigned i = 0; i < SIZES; i++) {
                bool hit = gs_cache_access(&caches[i], address, write).hit;
                if (smaller_hit && !hit)
                    fail_msg("seed %llu: run %u, step %u: %u ways hit, %u ways miss", (ull)seed,
                             run, step_number, 1u << (i - 1), 1u << i);
                smaller_hit = hit;
            }
        }
        for (unsigned i = 0; i < SIZES; i++) {
            const gs_cache_stats *stats = &caches[i].stats;
            assert_int_equal(stats->reads + stats->writes, 2000);
            assert_int_equal(stats->fills, stats->read_misses + stats->write_misses);
            assert_int_equal(stats->fills, stats->evictions + lines_present(&caches[i]));
            assert_int_equal(stats->writebacks, 0);
        }
        for (unsigned i = 0; i < SIZES; i++)
            gs_cache_fini(&caches[i]);
    }
}

/* Round robin and FIFO differ only in which line goes first after single lines were invalidated. */
static void test_round_robin_is_fifo_without_invalidation(void **state)
{
    (void)state;
    gs_cache_config config = {.size_bytes = 512, .line_bytes = 16, .ways = 4};
    config.replacement = GS_CACHE_FIFO;
    gs_cache fifo = make_cache(&config);
    config.replacement = GS_CACHE_ROUND_ROBIN;
    gs_cache robin = make_cache(&config);
    for (unsigned i = 0; i < 5000; i++) {
        uint32_t address = below(2048);
        if (!same_result(gs_cache_access(&fifo, address, false),
                         gs_cache_access(&robin, address, false)))
            fail_msg("seed %llu: step %u", (ull)seed, i);
    }
    gs_cache_fini(&fifo);
    gs_cache_fini(&robin);
}

/* The probe generated code is going to make, from the fields and nothing else. */
static void test_generated_probe_agrees(void **state)
{
    (void)state;
    for (unsigned replacement = 0; replacement < GS_CACHE_REPLACEMENT_COUNT; replacement++) {
        gs_cache_config config = {
            .size_bytes = 1024,
            .line_bytes = 32,
            .ways = 4,
            .replacement = (gs_cache_replacement)replacement,
            .write_back = true,
            .write_allocate = true,
        };
        gs_cache plain = make_cache(&config), inlined = make_cache(&config);
        const gs_addr *tags = inlined.tags;
        for (unsigned i = 0; i < 5000; i++) {
            uint32_t address = below(one_in(2) ? 4096 : 512);
            bool write = one_in(3);
            gs_cache_access(&plain, address, write);
            uint32_t line = address >> 5;
            if (tags[(line & 7) << 2] != line) {
                gs_cache_access_slow(&inlined, address, write);
            } else if (write) {
                inlined.dirty[(line & 7) << 2] = 1;
                inlined.stats.writes++;
            } else {
                inlined.stats.reads++;
            }
        }
        compare_stats(&inlined.stats, &plain.stats, &config);
        assert_memory_equal(inlined.tags, plain.tags, 32 * sizeof *plain.tags);
        assert_memory_equal(inlined.dirty, plain.dirty, 32);
        gs_cache_fini(&plain);
        gs_cache_fini(&inlined);
    }
}

/* The same for gs_cache_touch(), which finds lines behind the first place of a set. */
static void test_touching_agrees(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4 * GS_CACHE_REPLACEMENT_COUNT; i++) {
        gs_cache_config config = {
            .size_bytes = 1024,
            .line_bytes = 16,
            .ways = 2u << i % 4,
            .replacement = (gs_cache_replacement)(i / 4),
            .write_back = true,
            .write_allocate = true,
        };
        gs_cache plain = make_cache(&config), touched = make_cache(&config);
        for (unsigned k = 0; k < 5000; k++) {
            const gs_addr address = below(one_in(2) ? 4096 : 512);
            const bool write = one_in(3);
            const gs_addr line = gs_cache_line(&touched, address), set = line & touched.set_mask;
            const bool first = touched.tags[(size_t)set << touched.way_shift] == line;
            const uint32_t way = first ? 0 : gs_cache_touch(&touched, line);
            if (!way)
                gs_cache_access(&touched, address, write);
            else if (write)
                touched.dirty[gs_cache_touched(&touched, set, way)] = 1;
            assert_int_equal(gs_cache_access(&plain, address, write).hit, first || way);
            assert_memory_equal(touched.tags, plain.tags, 64 * sizeof *plain.tags);
            assert_memory_equal(touched.dirty, plain.dirty, 64);
        }
        gs_cache_fini(&plain);
        gs_cache_fini(&touched);
    }
}

/* By hand */

/* Accesses lines "a" to "z" of a set one after the other; returns hits as 'h', misses as 'm',
 * and a miss that evicts as the letter of the victim in upper case. */
static const char *walk(gs_cache *cache, const char *names)
{
    static char answers[32];
    size_t n = 0;
    for (; names[n]; n++) {
        uint32_t set_bytes = (cache->set_mask + 1) << cache->line_shift;
        gs_cache_result r =
            gs_cache_access(cache, (uint32_t)(names[n] - 'a') * set_bytes + 3, false);
        answers[n] = 'm';
        if (r.hit)
            answers[n] = 'h';
        else if (r.evicted)
            answers[n] = (char)('A' + r.victim_address / set_bytes);
    }
    answers[n] = 0;
    return answers;
}

static gs_cache four_ways(gs_cache_replacement replacement)
{
    return make_cache(&(gs_cache_config){
        .size_bytes = 256, .line_bytes = 16, .ways = 4, .replacement = replacement});
}

static void test_victims(void **state)
{
    (void)state;
    /* LRU: after abcd and a again the oldest is b, then c. */
    gs_cache cache = four_ways(GS_CACHE_LRU);
    assert_string_equal(walk(&cache, "abcdaefb"), "mmmmhBCD");
    gs_cache_fini(&cache);

    /* FIFO: a's second access does not save it. */
    cache = four_ways(GS_CACHE_FIFO);
    assert_string_equal(walk(&cache, "abcdaefa"), "mmmmhABC");
    gs_cache_fini(&cache);

    /* Each set has a counter of its own: set 1 starts with way 0 again. */
    cache = four_ways(GS_CACHE_ROUND_ROBIN);
    assert_string_equal(walk(&cache, "abcdef"), "mmmmAB");
    for (uint32_t i = 0; i < 4; i++)
        gs_cache_access(&cache, 16 + 64 * i, false);
    assert_int_equal(gs_cache_access(&cache, 16 + 64 * 4, false).victim_address, 16);
    gs_cache_fini(&cache);

    /* Random: the generator from Marsaglia's paper gives 723471715, 2497366906, 2064144800 from
     * its seed: modulo 4 that is 3, 2, 0. */
    cache = four_ways(GS_CACHE_RANDOM);
    assert_int_equal(gs_cache_random(GS_CACHE_SEED), 723471715);
    assert_string_equal(walk(&cache, "abcdefg"), "mmmmDCA");
    assert_int_equal(cache.random, 2064144800);
    gs_cache_fini(&cache);
}

/*
 * Belady, Nelson and Shedler's string, which makes FIFO miss more often with more room, under LRU,
 * which never does. With 2 lines every access misses; with 4, e evicts c, and then c, d and e miss
 * at the end; with 8 each of the five misses once.
 */
static void test_belady_string_under_lru(void **state)
{
    (void)state;
    static const char string[] = "abcdabeabcde";
    for (uint32_t lines = 2; lines <= 8; lines *= 2) {
        gs_cache cache = make_cache(&(gs_cache_config){
            .size_bytes = lines * 16, .line_bytes = 16, .ways = GS_CACHE_FULLY_ASSOCIATIVE});
        walk(&cache, string);
        assert_int_equal(cache.stats.read_misses, lines == 2 ? 12 : lines == 4 ? 8 : 5);
        gs_cache_fini(&cache);
    }
}

static void check_result(gs_cache_result got, gs_cache_result want)
{
    assert_int_equal(got.hit, want.hit);
    assert_int_equal(got.filled, want.filled);
    assert_int_equal(got.evicted, want.evicted);
    assert_int_equal(got.writeback, want.writeback);
    assert_int_equal(got.through, want.through);
    assert_int_equal(got.victim_address, want.victim_address);
}

/* Direct-mapped, 64 bytes, lines of 16: 0x10, 0x50 and 0x90 share set 1. */
static gs_cache small_cache(bool write_back, bool write_allocate)
{
    return make_cache(&(gs_cache_config){.size_bytes = 64,
                                         .line_bytes = 16,
                                         .ways = 1,
                                         .write_back = write_back,
                                         .write_allocate = write_allocate});
}

static void test_write_policies(void **state)
{
    (void)state;
    gs_cache cache = small_cache(false, false);
    check_result(gs_cache_access(&cache, 0x14, true), (gs_cache_result){.through = true});
    assert_false(gs_cache_probe(&cache, 0x14));
    check_result(gs_cache_access(&cache, 0x14, false), (gs_cache_result){.filled = true});
    check_result(gs_cache_access(&cache, 0x18, true),
                 (gs_cache_result){.hit = true, .through = true});
    check_result(gs_cache_access(&cache, 0x50, false),
                 (gs_cache_result){.filled = true, .evicted = true, .victim_address = 0x10});
    gs_cache_fini(&cache);

    cache = small_cache(false, true);
    check_result(gs_cache_access(&cache, 0x14, true),
                 (gs_cache_result){.filled = true, .through = true});
    check_result(gs_cache_access(&cache, 0x50, true),
                 (gs_cache_result){
                     .filled = true, .through = true, .evicted = true, .victim_address = 0x10});
    gs_cache_fini(&cache);

    cache = small_cache(true, false);
    check_result(gs_cache_access(&cache, 0x14, true), (gs_cache_result){.through = true});
    gs_cache_access(&cache, 0x14, false);
    check_result(gs_cache_access(&cache, 0x1f, true), (gs_cache_result){.hit = true});
    check_result(gs_cache_access(&cache, 0x50, false),
                 (gs_cache_result){
                     .filled = true, .evicted = true, .writeback = true, .victim_address = 0x10});
    gs_cache_fini(&cache);

    /* The new line in a dirty one's place is clean. */
    cache = small_cache(true, true);
    check_result(gs_cache_access(&cache, 0x14, true), (gs_cache_result){.filled = true});
    check_result(gs_cache_access(&cache, 0x50, false),
                 (gs_cache_result){
                     .filled = true, .evicted = true, .writeback = true, .victim_address = 0x10});
    check_result(gs_cache_access(&cache, 0x90, false),
                 (gs_cache_result){.filled = true, .evicted = true, .victim_address = 0x50});
    gs_cache_fini(&cache);
}

static void test_maintenance(void **state)
{
    (void)state;
    gs_cache cache = small_cache(true, true);
    /* Invalidating loses what was written. */
    gs_cache_access(&cache, 0x00, true);
    gs_cache_access(&cache, 0x10, false);
    assert_int_equal(lines_present(&cache), 2);
    gs_cache_invalidate_all(&cache);
    assert_int_equal(lines_present(&cache), 0);
    assert_int_equal(cache.stats.writebacks, 0);

    /* An explicit fill is no access, brings a clean line and leaves a present one alone. */
    gs_cache_stats before = cache.stats;
    check_result(gs_cache_fill(&cache, 0x24), (gs_cache_result){.filled = true});
    check_result(gs_cache_fill(&cache, 0x28), (gs_cache_result){.hit = true});
    assert_int_equal(cache.stats.fills, before.fills + 1);
    assert_int_equal(cache.stats.reads, before.reads);
    assert_int_equal(cache.stats.read_misses, before.read_misses);
    gs_cache_fini(&cache);
    gs_cache_fini(&cache); /* nothing left: fine */
}

static void test_lines_touched(void **state)
{
    (void)state;
    gs_cache cache = small_cache(false, false);
    assert_int_equal(gs_cache_lines(&cache, 0x10, 1), 1);
    assert_int_equal(gs_cache_lines(&cache, 0x1f, 1), 1);
    assert_int_equal(gs_cache_lines(&cache, 0x1f, 2), 2);
    assert_int_equal(gs_cache_lines(&cache, 0x1c, 4), 1);
    assert_int_equal(gs_cache_lines(&cache, 0x1d, 4), 2);
    assert_int_equal(gs_cache_lines(&cache, 0x10, 16), 1);
    assert_int_equal(gs_cache_lines(&cache, 0x10, 17), 2);
    assert_int_equal(gs_cache_lines(&cache, 0x1f, 18), 3);
    assert_int_equal(gs_cache_lines(&cache, 0xfffffffe, 4), 2);
    assert_int_equal(gs_cache_line_address(&cache, 0x1f), 0x10);
    assert_int_equal(gs_cache_line_address(&cache, 0xffffffff), 0xfffffff0);
    gs_cache_fini(&cache);
}

/* The last line of memory, with the smallest lines, is not taken for an empty slot. */
static void test_last_line_of_memory(void **state)
{
    (void)state;
    gs_cache cache =
        make_cache(&(gs_cache_config){.size_bytes = 4, .line_bytes = 4, .write_back = true});
    assert_false(gs_cache_probe(&cache, 0xffffffff));
    assert_true(gs_cache_access(&cache, 0xffffffff, false).filled);
    assert_true(gs_cache_probe(&cache, 0xfffffffc));
    gs_cache_result result = gs_cache_access(&cache, 0, false);
    assert_true(result.evicted);
    assert_int_equal(result.victim_address, 0xfffffffc);
    gs_cache_fini(&cache);
}

/* Configurations */

static void refused(gs_cache_config config, const char *message)
{
    gs_cache cache;
    gs_error err;
    memset(&err, 0, sizeof err);
    assert_int_equal(gs_cache_check(&config, &err), GS_E_ARGUMENT);
    assert_int_equal(err.status, GS_E_ARGUMENT);
    assert_string_equal(err.message, message);
    assert_int_equal(gs_cache_init(&cache, &config, NULL), GS_E_ARGUMENT);
    gs_cache_fini(&cache);
}

static void test_refused_configurations(void **state)
{
    (void)state;
    static const char *const line_messages[] = {
        "a cache line of 0 bytes is not possible: allowed are powers of two from 4 to 4096",
        "a cache line of 2 bytes is not possible: allowed are powers of two from 4 to 4096",
        "a cache line of 24 bytes is not possible: allowed are powers of two from 4 to 4096",
        "a cache line of 8192 bytes is not possible: allowed are powers of two from 4 to 4096",
    };
    static const uint32_t lines[] = {0, 2, 24, 8192};
    for (size_t i = 0; i < 4; i++)
        refused((gs_cache_config){.size_bytes = 4096, .line_bytes = lines[i], .ways = 1},
                line_messages[i]);
    refused((gs_cache_config){.size_bytes = 0, .line_bytes = 16, .ways = 1},
            "a cache of 0 bytes is not possible: allowed are powers of two from its line size, "
            "16, to 67108864");
    refused((gs_cache_config){.size_bytes = 3000, .line_bytes = 16, .ways = 1},
            "a cache of 3000 bytes is not possible: allowed are powers of two from its line size, "
            "16, to 67108864");
    refused((gs_cache_config){.size_bytes = 1u << 27, .line_bytes = 16, .ways = 1},
            "a cache of 134217728 bytes is not possible: allowed are powers of two from its line "
            "size, 16, to 67108864");
    refused((gs_cache_config){.size_bytes = 32, .line_bytes = 64, .ways = 1},
            "a cache of 32 bytes cannot hold a line of 64 bytes: allowed are caches of 64 bytes "
            "or more, or lines of 32 bytes or less");
    refused((gs_cache_config){.size_bytes = 4096, .line_bytes = 16, .ways = 3},
            "a cache of 3 ways is not possible: allowed are 1, 2, 4, 8, 16, and 0 for fully "
            "associative");
    refused((gs_cache_config){.size_bytes = 4096, .line_bytes = 16, .ways = 32},
            "a cache of 32 ways is not possible: allowed are 1, 2, 4, 8, 16, and 0 for fully "
            "associative");
    refused((gs_cache_config){.size_bytes = 128, .line_bytes = 32, .ways = 8},
            "a cache of 128 bytes has 4 lines of 32 bytes, too few for 8 ways: allowed are 4 ways "
            "or less, or 256 bytes or more");
    refused((gs_cache_config){.size_bytes = 4096,
                              .line_bytes = 16,
                              .ways = 1,
                              .replacement = (gs_cache_replacement)4},
            "there is no cache replacement number 4: allowed are LRU, FIFO, round robin and "
            "random");
}

/* The corners of what is allowed, and the numbers derived from it. */
static void test_accepted_configurations(void **state)
{
    (void)state;
    gs_cache cache = make_cache(
        &(gs_cache_config){.size_bytes = GS_CACHE_MAX_SIZE_BYTES, .line_bytes = 4096, .ways = 16});
    assert_int_equal(cache.line_shift, 12);
    assert_int_equal(cache.way_shift, 4);
    assert_int_equal(cache.set_mask, 1023);
    gs_cache_fini(&cache);

    cache = make_cache(&(gs_cache_config){
        .size_bytes = 4096, .line_bytes = 32, .ways = GS_CACHE_FULLY_ASSOCIATIVE});
    assert_int_equal(cache.set_mask, 0);
    assert_int_equal(cache.ways, 128);
    assert_int_equal(cache.random, GS_CACHE_SEED);
    gs_cache_fini(&cache);

    cache = make_cache(
        &(gs_cache_config){.size_bytes = 4096, .line_bytes = 4096, .ways = 1, .seed = 5});
    assert_int_equal(cache.set_mask, 0);
    assert_int_equal(cache.random, 5);
    gs_cache_fini(&cache);
}

int main(void)
{
    const char *chosen = getenv("GS_TEST_SEED");
    if (chosen)
        seed = strtoull(chosen, NULL, 0);
    random_state = seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_organisations_match_the_model),
        cmocka_unit_test(test_lru_with_more_ways_includes_fewer),
        cmocka_unit_test(test_round_robin_is_fifo_without_invalidation),
        cmocka_unit_test(test_generated_probe_agrees),
        cmocka_unit_test(test_touching_agrees),
        cmocka_unit_test(test_victims),
        cmocka_unit_test(test_belady_string_under_lru),
        cmocka_unit_test(test_write_policies),
        cmocka_unit_test(test_maintenance),
        cmocka_unit_test(test_lines_touched),
        cmocka_unit_test(test_last_line_of_memory),
        cmocka_unit_test(test_refused_configurations),
        cmocka_unit_test(test_accepted_configurations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
