/*
 * system.h - the parts of a gs_system. Private to src/system and its reports.
 */
#ifndef GS_SYSTEM_SYSTEM_H
#define GS_SYSTEM_SYSTEM_H

#include "engine/runner.h"
#include "gumshoe/system.h"
#include "system/bus.h"
#include "system/shared.h"
#include "timing/timing.h"

/* A loop that waits: one load that gets the same word again and again. */
typedef struct gs_spin {
    gs_addr pc, address;
    uint64_t value;
    uint64_t retired; /* instructions before the last such load, */
    uint64_t end;     /* and the cycle in which that retired */
    uint64_t cycles;  /* in all such loops so far */
    bool now;         /* the last access was another look in such a loop */
} gs_spin;

typedef struct gs_member {
    const gs_core_entry *entry;
    gs_core *core;
    gs_image *image; /* borrowed from the first member with the same program */
    bool owns_image;
    gs_machine *machine;
    gs_timing *timing;
    gs_bus_port port;
    gs_run_options options;
    gs_runner runner;
    bool running;     /* the runner is open */
    bool ends_all;    /* it has ended, and so has all in that cycle */
    uint64_t written; /* by the guest, and let out */
    gs_spin spin;
    uint64_t accesses;
    gs_shared_view views[GS_SYSTEM_PARTS_MAX];
} gs_member;

struct gs_system {
    gs_system_description *description;
    unsigned count;
    gs_member members[GS_BUS_CORES_MAX];
    gs_shared shared;
    gs_bus bus;
    gs_exit exit;
};

/* Whether the member has ended, and makes no request any more. */
static inline bool gs_member_has_ended(const gs_member *member)
{
    return member->machine->exit.kind != GS_EXIT_NONE;
}

#endif
