/*
 * shared.h - what lies on the bus: memory, and devices that cores agree through.
 *
 * A part is accessed by one core at a time, in the order in which the bus is granted;
 * docs/many-cores.md has the registers. What it does to interrupt lines becomes true in the cycle
 * after the transfer.
 */
#ifndef GS_SYSTEM_SHARED_H
#define GS_SYSTEM_SHARED_H

#include "machine/machine.h"
#include "system/description.h"

enum { GS_CLINT_SIZE = 0x10000 };

typedef struct gs_mailbox {
    uint32_t *words; /* a ring of `depth` */
    unsigned first, count;
    bool interrupts;
} gs_mailbox;

typedef struct gs_barrier {
    uint32_t goal;    /* how many it waits for */
    uint32_t arrived; /* of them are there */
    uint32_t passed;  /* how often it has opened */
} gs_barrier;

/* What a core did with a part. */
typedef struct gs_bus_part_use {
    uint64_t loads, stores, waited;
} gs_bus_part_use;

typedef struct gs_bus_part {
    const gs_bus_part_entry *entry;
    uint8_t *bytes;    /* memory */
    uint32_t *holders; /* mutexes: the hart that has it and 1; 0: free */
    gs_mailbox *boxes; /* one per core */
    gs_barrier *barriers;
    gs_bus_part_use use[GS_BUS_CORES_MAX];
} gs_bus_part;

typedef struct gs_shared {
    unsigned core_count, part_count;
    gs_bus_part parts[GS_SYSTEM_PARTS_MAX];
    gs_machine *machines[GS_BUS_CORES_MAX]; /* in the order of their harts */
    unsigned harts[GS_BUS_CORES_MAX];
    bool software[GS_BUS_CORES_MAX];      /* msip of the clint */
    uint64_t timer_due[GS_BUS_CORES_MAX]; /* mtimecmp */
    uint64_t transfer;                    /* the last cycle of the transfer at hand, */
    uint64_t loaded;                      /* and what was loaded in it */
    bool out_of_memory;
    bool ended; /* all, by the test device, with the core whose access was the last */
} gs_shared;

/* Of a gs_device: one core's way to one part. */
typedef struct gs_shared_view {
    gs_shared *shared;
    unsigned core;
    gs_bus_part *part;
} gs_shared_view;

gs_status gs_shared_init(gs_shared *shared, const gs_system_description *description,
                         gs_error *err);
void gs_shared_fini(gs_shared *shared);

bool gs_shared_load(void *view, uint32_t offset, unsigned size, uint64_t *value);
bool gs_shared_store(void *view, uint32_t offset, unsigned size, uint64_t value);

/* The part an address lies in. NULL: none. */
gs_bus_part *gs_shared_part(gs_shared *shared, gs_addr address);

#endif
