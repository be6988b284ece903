/* A set-associative cache: lookup, fill and replacement. */
#include "timing/cache.h"

#include <stdlib.h>
#include <string.h>

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static unsigned log2_of(uint32_t power)
{
    return (unsigned)__builtin_ctz(power);
}

gs_status gs_cache_check(const gs_cache_config *config, gs_error *err)
{
    const uint32_t size = config->size_bytes, line = config->line_bytes, ways = config->ways;

    if (!is_power_of_two(line) || line < GS_CACHE_MIN_LINE_BYTES || line > GS_CACHE_MAX_LINE_BYTES)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a cache line of %u bytes is not possible: allowed are powers of two from "
                       "%d to %d",
                       line, GS_CACHE_MIN_LINE_BYTES, GS_CACHE_MAX_LINE_BYTES);
    if (!is_power_of_two(size) || size > GS_CACHE_MAX_SIZE_BYTES)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a cache of %u bytes is not possible: allowed are powers of two from its "
                       "line size, %u, to %d",
                       size, line, GS_CACHE_MAX_SIZE_BYTES);
    if (size < line)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a cache of %u bytes cannot hold a line of %u bytes: allowed are caches of "
                       "%u bytes or more, or lines of %u bytes or less",
                       size, line, line, size);
    if (ways != GS_CACHE_FULLY_ASSOCIATIVE) {
        if (!is_power_of_two(ways) || ways > GS_CACHE_MAX_WAYS)
            return gs_fail(err, GS_E_ARGUMENT,
                           "a cache of %u ways is not possible: allowed are 1, 2, 4, 8, %d, and "
                           "%d for fully associative",
                           ways, GS_CACHE_MAX_WAYS, GS_CACHE_FULLY_ASSOCIATIVE);
        if (ways > size / line)
            return gs_fail(err, GS_E_ARGUMENT,
                           "a cache of %u bytes has %u lines of %u bytes, too few for %u ways: "
                           "allowed are %u ways or less, or %u bytes or more",
                           size, size / line, line, ways, size / line, ways * line);
    }
    if ((unsigned)config->replacement >= GS_CACHE_REPLACEMENT_COUNT)
        return gs_fail(err, GS_E_ARGUMENT,
                       "there is no cache replacement number %u: allowed are LRU, FIFO, round "
                       "robin and random",
                       (unsigned)config->replacement);
    return GS_OK;
}

static size_t slot_count(const gs_cache *cache)
{
    return ((size_t)cache->set_mask + 1) << cache->way_shift;
}

gs_status gs_cache_init(gs_cache *cache, const gs_cache_config *config, gs_error *err)
{
    *cache = (gs_cache){0};
    gs_status status = gs_cache_check(config, err);
    if (status != GS_OK)
        return status;

    const uint32_t lines = config->size_bytes / config->line_bytes;
    const uint32_t ways = config->ways == GS_CACHE_FULLY_ASSOCIATIVE ? lines : config->ways;
    const uint32_t sets = lines / ways;
    *cache = (gs_cache){
        .tags = malloc(lines * sizeof *cache->tags),
        .dirty = malloc(lines),
        .set_mask = sets - 1,
        .line_shift = (uint8_t)log2_of(config->line_bytes),
        .way_shift = (uint8_t)log2_of(ways),
        .write_back = config->write_back,
        .write_allocate = config->write_allocate,
        .replacement = config->replacement,
        .ways = ways,
        .random = config->seed ? config->seed : GS_CACHE_SEED,
    };
    if (config->replacement == GS_CACHE_ROUND_ROBIN)
        cache->next_way = calloc(sets, sizeof *cache->next_way);
    if (!cache->tags || !cache->dirty ||
        (config->replacement == GS_CACHE_ROUND_ROBIN && !cache->next_way)) {
        gs_cache_fini(cache);
        return gs_fail_no_memory(err);
    }
    gs_cache_invalidate_all(cache);
    return GS_OK;
}

void gs_cache_fini(gs_cache *cache)
{
    free(cache->tags);
    free(cache->dirty);
    free(cache->next_way);
    *cache = (gs_cache){0};
}

/* LRU and FIFO: a set is a list, youngest first, free ways at its end. */
static bool keeps_order(const gs_cache *cache)
{
    return cache->replacement == GS_CACHE_LRU || cache->replacement == GS_CACHE_FIFO;
}

/* The way that holds `tag` in the set that begins at `first`, or `ways`. The tag may be
 * GS_CACHE_NO_LINE, which finds a free way. */
static uint32_t find_way(const gs_cache *cache, size_t first, gs_addr tag)
{
    const gs_addr *tags = cache->tags + first;
    uint32_t way = 0;
    while (way < cache->ways && tags[way] != tag)
        way++;
    return way;
}

/* The way a new line goes to. */
static uint32_t choose_way(gs_cache *cache, size_t first)
{
    if (keeps_order(cache))
        return cache->ways - 1;
    uint32_t way = find_way(cache, first, GS_CACHE_NO_LINE);
    if (way < cache->ways)
        return way;
    if (cache->replacement == GS_CACHE_RANDOM) {
        cache->random = gs_cache_random(cache->random);
        return cache->random & (cache->ways - 1);
    }
    uint32_t *next = &cache->next_way[first >> cache->way_shift];
    way = *next;
    *next = (way + 1) & (cache->ways - 1);
    return way;
}

/* Puts a missing line where it belongs. */
static gs_cache_result bring_in(gs_cache *cache, gs_addr line, bool dirty)
{
    gs_cache_result result = {.filled = true};
    const size_t first = gs_cache_first_slot(cache, line);
    const uint32_t way = choose_way(cache, first);
    size_t slot = first + way;

    cache->stats.fills++;
    if (cache->tags[slot] != GS_CACHE_NO_LINE) {
        result.evicted = true;
        result.victim_address = cache->tags[slot] << cache->line_shift;
        result.writeback = cache->dirty[slot];
        cache->stats.evictions++;
        cache->stats.writebacks += result.writeback;
    }
    if (keeps_order(cache)) {
        gs_cache_move_to_front(cache, first, way, way);
        slot = first;
    }
    cache->tags[slot] = line;
    cache->dirty[slot] = dirty;
    gs_cache_note_change(cache, (gs_addr)(first >> cache->way_shift));
    return result;
}

gs_cache_result gs_cache_access_slow(gs_cache *cache, gs_addr address, bool write)
{
    if (cache->script)
        return cache->script->answer(cache->script, address, write);
    const gs_addr line = gs_cache_line(cache, address);
    const size_t first = gs_cache_first_slot(cache, line);
    uint32_t way = find_way(cache, first, line);
    gs_cache_result result = {.hit = way < cache->ways};

    if (write) {
        cache->stats.writes++;
        cache->stats.write_misses += !result.hit;
    } else {
        cache->stats.reads++;
        cache->stats.read_misses += !result.hit;
    }
    if (result.hit) {
        if (cache->replacement == GS_CACHE_LRU) {
            gs_cache_move_to_front(cache, first, way, way);
            gs_cache_note_change(cache, (gs_addr)(first >> cache->way_shift));
            way = 0;
        }
        if (write && cache->write_back)
            cache->dirty[first + way] = 1;
    } else if (!write || cache->write_allocate) {
        result = bring_in(cache, line, write && cache->write_back);
    }
    result.through = write && !(cache->write_back && (result.hit || result.filled));
    return result;
}

bool gs_cache_probe_slow(const gs_cache *cache, gs_addr address)
{
    if (cache->script)
        return cache->script->probe(cache->script, address);
    const gs_addr line = gs_cache_line(cache, address);
    return find_way(cache, gs_cache_first_slot(cache, line), line) < cache->ways;
}

gs_cache_result gs_cache_fill(gs_cache *cache, gs_addr address)
{
    if (cache->script) {
        cache->script->fill(cache->script, address);
        return (gs_cache_result){.filled = true};
    }
    if (gs_cache_probe(cache, address))
        return (gs_cache_result){.hit = true};
    return bring_in(cache, gs_cache_line(cache, address), false);
}

void gs_cache_invalidate_all(gs_cache *cache)
{
    if (cache->script && cache->script->invalidate)
        cache->script->invalidate(cache->script);
    const size_t slots = slot_count(cache);
    for (size_t i = 0; i < slots; i++)
        cache->tags[i] = GS_CACHE_NO_LINE;
    memset(cache->dirty, 0, slots);
    cache->change_count += GS_CACHE_CHANGES + 1; /* too many to name */
}
