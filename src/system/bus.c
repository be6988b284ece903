/* The arbiters, and who waited for whom. */
#include "system/bus.h"

void gs_bus_init(gs_bus *bus, const gs_bus_rules *rules, unsigned count)
{
    *bus = (gs_bus){.rules = rules, .count = count, .free = 1, .last = count - 1};
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Cycles that a request from `since` on has in common with the last transfer. */
static uint64_t overlap(const gs_bus *bus, uint64_t since)
{
    const uint64_t from = later(since, bus->decided);
    return bus->end >= from ? bus->end + 1 - from : 0;
}

void gs_bus_request(gs_bus *bus, unsigned core, uint64_t since)
{
    bus->pending[core] = true;
    bus->since[core] = since;
    if (bus->transfers > 0)
        bus->waited[core][bus->last] += overlap(bus, since);
}

/* The first cycle, `from` or later, in which a slot belongs to the core. */
static uint64_t next_slot(const gs_bus_rules *rules, unsigned core, uint64_t from)
{
    for (unsigned i = 0; i <= rules->slot_count; i++) {
        const uint64_t number = from / rules->slot + i;
        if (rules->slots[number % rules->slot_count] == core)
            return i == 0 ? from : number * rules->slot;
    }
    return UINT64_MAX;
}

/* When the arbiter could first decide for this core if it were alone. */
static uint64_t earliest(const gs_bus *bus, unsigned core)
{
    const uint64_t from = later(bus->free, bus->since[core]);
    return bus->rules->arbiter == GS_ARBITER_TDMA ? next_slot(bus->rules, core, from) : from;
}

uint64_t gs_bus_next(const gs_bus *bus)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < bus->count; i++) {
        if (bus->pending[i] && earliest(bus, i) < next)
            next = earliest(bus, i);
    }
    return next;
}

/* Whether core `a` goes before core `b`. */
static bool is_before(const gs_bus *bus, unsigned a, unsigned b)
{
    if (bus->rules->arbiter == GS_ARBITER_FIXED &&
        bus->rules->priority[a] != bus->rules->priority[b])
        return bus->rules->priority[a] < bus->rules->priority[b];
    if (bus->rules->arbiter == GS_ARBITER_ROUND_ROBIN)
        return (a + bus->count - bus->last - 1) % bus->count <
               (b + bus->count - bus->last - 1) % bus->count;
    return a < b;
}

unsigned gs_bus_decide(gs_bus *bus, uint64_t *start)
{
    const uint64_t cycle = gs_bus_next(bus);
    unsigned winner = bus->count;
    for (unsigned i = 0; i < bus->count; i++) {
        if (bus->pending[i] && earliest(bus, i) == cycle &&
            (winner == bus->count || is_before(bus, i, winner)))
            winner = i;
    }
    bus->pending[winner] = false;
    bus->decided = cycle;
    *start = cycle + bus->rules->grant;
    return winner;
}

void gs_bus_transfer(gs_bus *bus, unsigned core, uint64_t end)
{
    bus->end = end;
    bus->free = end + 1;
    bus->last = core;
    bus->busy += end + 1 - bus->decided;
    bus->transfers++;
    for (unsigned i = 0; i < bus->count; i++) {
        if (bus->pending[i])
            bus->waited[i][core] += overlap(bus, bus->since[i]);
    }
}
