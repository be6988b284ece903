/* How many bits of storage a core's caches and predictor are. */
#include "explore/sweep.h"
#include "timing/core.h"

enum { ADDRESS_BITS = 32 };

static unsigned bits_for(uint64_t values)
{
    unsigned bits = 0;
    while (bits < 63 && UINT64_C(1) << bits < values)
        bits++;
    return bits;
}

/* What a set remembers to choose a victim: an order of its ways, a counter, or nothing. */
static uint64_t choice_bits(const gs_cache_config *cache, uint32_t ways)
{
    uint64_t bits = 0;
    switch (cache->replacement) {
    case GS_CACHE_LRU:
    case GS_CACHE_FIFO: /* log2(ways!): each next way has one place fewer to be in */
        if (ways > GS_CACHE_MAX_WAYS)
            return (uint64_t)ways * bits_for(ways);
        for (uint64_t orders = 1, i = 2; i <= ways; i++) {
            orders *= i;
            bits = bits_for(orders);
        }
        return bits;
    case GS_CACHE_ROUND_ROBIN: return bits_for(ways);
    default: return 0;
    }
}

static uint64_t cache_bits(const gs_cache_config *cache)
{
    const uint32_t lines = cache->size_bytes / cache->line_bytes;
    const uint32_t ways = cache->ways == GS_CACHE_FULLY_ASSOCIATIVE ? lines : cache->ways;
    const uint32_t sets = lines / ways;
    const unsigned tag = ADDRESS_BITS - bits_for(cache->line_bytes) - bits_for(sets);
    const uint64_t line = UINT64_C(8) * cache->line_bytes + tag + 1 + cache->write_back;
    const uint64_t generator = cache->replacement == GS_CACHE_RANDOM ? 32 : 0;
    return lines * line + sets * choice_bits(cache, ways) + generator;
}

static uint64_t predictor_bits(const gs_predictor_config *p)
{
    const bool counts = p->scheme == GS_PREDICTOR_BIMODAL || p->scheme == GS_PREDICTOR_GSHARE;
    const unsigned number = ADDRESS_BITS - bits_for(p->unit_bytes);
    uint64_t bits = counts ? (uint64_t)p->entries * p->counter_bits : 0;
    if (p->scheme == GS_PREDICTOR_GSHARE)
        bits += p->history_bits;
    if (p->btb_entries) /* tag, target, valid */
        bits += (uint64_t)p->btb_entries * (number - bits_for(p->btb_entries) + number + 1);
    return bits + (uint64_t)p->stack_depth * number;
}

uint64_t gs_sweep_storage_bits(const gs_core *core)
{
    return (core->has_icache ? cache_bits(&core->icache) : 0) +
           (core->has_dcache ? cache_bits(&core->dcache) : 0) +
           predictor_bits(&core->branch.predictor);
}
