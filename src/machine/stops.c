/* Keeps slots of instructions empty, and watches accesses. */
#include "machine/stops.h"

#include <stdlib.h>

#include "machine/machine.h"

void gs_stops_init(gs_stops *stops, gs_machine *machine)
{
    *stops = (gs_stops){.machine = machine};
    machine->stops = stops;
}

void gs_stops_fini(gs_stops *stops)
{
    if (!stops->machine)
        return;
    gs_stops_set(stops, NULL, 0);
    gs_stops_watch(stops, NULL, 0);
    stops->machine->stops = NULL;
}

/* The first instruction to stop at that is not below `pc`. */
static size_t first_from(const gs_stops *stops, gs_addr pc)
{
    size_t low = 0, high = stops->instructions.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (stops->instructions.items[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool gs_stops_at(const gs_stops *stops, gs_addr pc)
{
    const size_t i = stops ? first_from(stops, pc) : 0;
    return stops && i < stops->instructions.count && stops->instructions.items[i] == pc;
}

static int by_address(const void *a, const void *b)
{
    const gs_addr x = *(const gs_addr *)a, y = *(const gs_addr *)b;
    return (x > y) - (x < y);
}

void gs_stops_set(gs_stops *stops, gs_addr *addresses, size_t count)
{
    const gs_stops before = *stops;
    if (count > 0)
        qsort(addresses, count, sizeof *addresses, by_address);
    stops->instructions.items = addresses;
    stops->instructions.count = stops->instructions.capacity = count;
    for (size_t i = 0; i < count; i++) {
        if (!gs_stops_at(&before, addresses[i]))
            gs_memory_forget_code(&stops->machine->memory, addresses[i], true);
    }
    free(before.instructions.items);
}

static void told(void *self, gs_addr address, unsigned size, bool store)
{
    gs_stops *stops = self;
    const unsigned kind = store ? GS_WATCH_STORES : GS_WATCH_LOADS;
    for (size_t i = 0; i < stops->watched.count; i++) {
        const gs_watchpoint *w = &stops->watched.items[i];
        if (!(w->accesses & kind) || (uint64_t)address + size <= w->address ||
            (uint64_t)w->address + w->size <= address)
            continue;
        if (!stops->hit) {
            stops->hit_by = w;
            stops->hit_address = address > w->address ? address : w->address;
        }
        stops->hit = true;
        stops->machine->hart.resync = true;
    }
}

void gs_stops_watch(gs_stops *stops, gs_watchpoint *watched, size_t count)
{
    gs_memory *memory = &stops->machine->memory;
    for (size_t i = 0; i < stops->watched.count; i++)
        gs_memory_spy(memory, stops->watched.items[i].address, stops->watched.items[i].size, NULL,
                      NULL);
    free(stops->watched.items);
    stops->watched.items = watched;
    stops->watched.count = stops->watched.capacity = count;
    stops->hit = false;
    for (size_t i = 0; i < count; i++)
        gs_memory_spy(memory, watched[i].address, watched[i].size, told, stops);
}

void gs_stops_lift(gs_stops *stops, gs_addr pc)
{
    stops->lifted = true;
    stops->lifted_at = pc;
}

void gs_stops_drop(gs_stops *stops)
{
    if (stops->lifted && gs_stops_at(stops, stops->lifted_at))
        gs_memory_forget_code(&stops->machine->memory, stops->lifted_at, false);
    stops->lifted = false;
}
