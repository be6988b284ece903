/*
 * Descriptions of systems: whatever the bytes, parsing ends in a system or in a message.
 *
 * A description that is accepted keeps the promises of description.h, and its bus serves every
 * core.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine/memory.h"
#include "system/description.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_parts(const gs_system_description *d)
{
    for (unsigned i = 0; i < d->part_count; i++) {
        const gs_bus_part_entry *a = &d->parts[i];
        require(a->name && a->size > 0 && a->base % GS_PAGE_SIZE == 0 &&
                a->size % GS_PAGE_SIZE == 0 && a->base + (a->size - 1) >= a->base);
        require(a->first > 0 && a->next > 0 && a->write > 0 && a->count > 0 && a->depth > 0);
        for (unsigned j = 0; j < i; j++) {
            const gs_bus_part_entry *b = &d->parts[j];
            require(a->base > b->base + (b->size - 1) || b->base > a->base + (a->size - 1));
        }
    }
}

/* All ask at once: each is served once. */
static void check_bus(const gs_system_description *d)
{
    gs_bus bus;
    bool served[GS_BUS_CORES_MAX] = {false};
    gs_bus_init(&bus, &d->bus, d->core_count);
    for (unsigned i = 0; i < d->core_count; i++)
        gs_bus_request(&bus, i, 5);
    for (unsigned i = 0; i < d->core_count; i++) {
        uint64_t start;
        require(gs_bus_next(&bus) != UINT64_MAX);
        const unsigned core = gs_bus_decide(&bus, &start);
        require(core < d->core_count && !served[core]);
        served[core] = true;
        gs_bus_transfer(&bus, core, start + 3);
    }
    require(gs_bus_next(&bus) == UINT64_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gs_system_description *d;
    gs_error err;
    if (gs_system_parse(&d, "fuzz", (const char *)bytes, size, &err)) {
        require(!d && !strncmp(err.message, "fuzz", 4) && strlen(err.message) > 5);
        require(!strchr(err.message, '\n'));
        return 0;
    }
    require(d->name[0] && d->core_count > 0 && d->core_count <= GS_BUS_CORES_MAX);
    require(d->part_count <= GS_SYSTEM_PARTS_MAX);
    for (unsigned i = 1; i < d->core_count; i++)
        require(d->cores[i - 1].hart < d->cores[i].hart);
    check_parts(d);
    check_bus(d);
    gs_system_description_free(d);
    return 0;
}
