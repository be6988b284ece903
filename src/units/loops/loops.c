/* The loop detector at a beat: branch, sampling, coalescing, cache. */
#include "units/loops/loops.h"

#include <string.h>

void gs_loops_reset(gs_loops *loops, const gs_loops_parameters *parameters)
{
    *loops = (gs_loops){.is = *parameters};
}

static uint64_t most(const gs_loops *loops)
{
    return (UINT64_C(1) << loops->is.width) - 1;
}

static void halve_cache(gs_loops *loops)
{
    for (unsigned i = 0; i < loops->is.entries; i++)
        loops->cache[i].frequency >>= 1;
    loops->audit.halvings++;
}

/* The entry of a set that has the address, or the one it gets: an empty one, or the least
 * frequent, of equal ones the first. */
static gs_loops_entry *choose(gs_loops_entry *set, unsigned ways, uint32_t address, bool *hit)
{
    gs_loops_entry *victim = &set[0];
    for (unsigned way = 0; way < ways; way++) {
        if (set[way].valid && set[way].address == address) {
            *hit = true;
            return &set[way];
        }
        bool emptier = victim->valid && !set[way].valid;
        bool rarer = victim->valid && set[way].frequency < victim->frequency;
        if (emptier || rarer)
            victim = &set[way];
    }
    *hit = false;
    return victim;
}

/* The adder has a bit more than a frequency. Its carry halves all frequencies, the sum included,
 * so nothing ever saturates. */
static void update(gs_loops *loops)
{
    unsigned sets = loops->is.entries / loops->is.ways;
    gs_loops_entry *set = &loops->cache[gs_loops_set(loops->hold_address, sets) * loops->is.ways];
    bool hit;
    gs_loops_entry *entry = choose(set, loops->is.ways, loops->hold_address, &hit);
    uint64_t sum = (hit ? entry->frequency : 0) + (uint64_t)loops->hold_frequency;
    loops->audit.updates++;
    loops->audit.evictions += !hit && entry->valid;
    if (sum > most(loops)) {
        halve_cache(loops);
        sum >>= 1;
    }
    *entry = (gs_loops_entry){true, loops->hold_address, (uint32_t)sum};
}

static void release(gs_loops *loops)
{
    loops->hold_address = loops->coal_address;
    loops->hold_frequency = loops->coal_frequency;
    update(loops);
}

static void coalesce(gs_loops *loops, uint32_t address)
{
    if (loops->coal_valid && loops->coal_address == address) {
        uint64_t sum = (uint64_t)loops->coal_frequency + 1;
        if (sum > most(loops)) {
            halve_cache(loops);
            sum >>= 1;
        }
        loops->coal_frequency = (uint32_t)sum;
        return;
    }
    if (loops->coal_valid)
        release(loops);
    loops->coal_valid = true;
    loops->coal_address = address;
    loops->coal_frequency = 1;
}

bool gs_loops_is_candidate(const gs_isa *isa, const gs_insn *insn, uint32_t pc, uint32_t distance,
                           uint32_t *target)
{
    uint64_t goal;
    gs_flow flow = isa->flow(insn, pc, &goal);
    if (flow != GS_FLOW_BRANCH && flow != GS_FLOW_JUMP)
        return false;
    *target = (uint32_t)goal;
    return *target <= pc && pc - *target <= distance;
}

bool gs_loops_detect(gs_loops_detector d, uint32_t distance, const gs_port *port, const gs_isa *isa,
                     uint32_t *address)
{
    uint32_t target;
    if (isa->delay_slots == 0 && port->next_pc > port->pc)
        return false; /* most are: taken backward it cannot be */
    bool slot = *d.pending && port->valid && port->pc == *d.pending_pc + 4;
    bool taken = slot && port->next_pc == *d.pending_target;
    *address = *d.pending_pc;
    *d.pending = false;
    if (!port->valid || !gs_loops_is_candidate(isa, port->decoded, port->pc, distance, &target))
        return taken;
    if (isa->delay_slots == 0) {
        *address = port->pc;
        return port->next_pc == target;
    }
    *d.pending = true;
    *d.pending_pc = port->pc;
    *d.pending_target = target;
    return taken;
}

void gs_loops_beat(gs_loops *loops, const gs_port *port, const gs_isa *isa)
{
    uint32_t address;
    gs_loops_detector detector = {&loops->pending, &loops->pending_pc, &loops->pending_target};
    if (!gs_loops_detect(detector, loops->is.distance, port, isa, &address))
        return;
    loops->audit.branches++;
    if (++loops->sample < loops->is.interval)
        return;
    loops->sample = 0;
    loops->audit.sampled++;
    if (loops->is.coalesce) {
        coalesce(loops, address);
    } else {
        loops->hold_address = address;
        loops->hold_frequency = 1;
        update(loops);
    }
}

void gs_loops_end(gs_loops *loops)
{
    if (loops->coal_valid)
        release(loops);
    loops->coal_valid = false;
}

static unsigned log_2(unsigned value)
{
    unsigned bits = 0;
    while (1u << bits < value)
        bits++;
    return bits;
}

uint64_t gs_loops_bits(const gs_loops_parameters *is)
{
    enum { ADDRESS = 31 }; /* bit 0 of an address is always 0 */
    uint64_t entry = 1 + ADDRESS - log_2(is->entries / is->ways) + is->width;
    uint64_t registers = is->coalesce ? 1 + 2 * (ADDRESS + is->width) : 0;
    return is->entries * entry + registers + log_2(is->interval);
}
