/*
 * stops.h - where a debugger stops a machine: at instructions, and at accesses to memory.
 *
 * An instruction to stop at is never decoded: its slot stays empty, so the engines come to where
 * slots are filled, and leave. Pages with watched addresses have no fast bits, so accesses take the
 * slow path, which tells. Nothing else changes, time in particular. All of it belongs to a machine.
 */
#ifndef GS_MACHINE_STOPS_H
#define GS_MACHINE_STOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef uint32_t gs_addr;
typedef struct gs_machine gs_machine;

enum { GS_WATCH_LOADS = 1, GS_WATCH_STORES = 2 };

typedef struct gs_watchpoint {
    gs_addr address;
    uint32_t size;
    unsigned accesses; /* of GS_WATCH_* */
} gs_watchpoint;

typedef struct gs_stops {
    gs_machine *machine;
    struct {
        gs_addr *items; /* sorted */
        size_t count, capacity;
    } instructions;
    struct {
        gs_watchpoint *items;
        size_t count, capacity;
    } watched;
    bool lifted; /* the instruction at lifted_at is decoded and executed all the same */
    gs_addr lifted_at;
    bool hit; /* a watched address was accessed since this was last cleared: */
    gs_addr hit_address;
    const gs_watchpoint *hit_by;
} gs_stops;

void gs_stops_init(gs_stops *stops, gs_machine *machine);
void gs_stops_fini(gs_stops *stops);

/* Replaces all instructions to stop at. They are sorted and taken over; those that were there
 * before and still are cost nothing. */
void gs_stops_set(gs_stops *stops, gs_addr *addresses, size_t count);

/* Replaces all watchpoints; they are taken over. */
void gs_stops_watch(gs_stops *stops, gs_watchpoint *watched, size_t count);

/* Whether it stops at `pc`, which may be NULL's: then it never does. */
bool gs_stops_at(const gs_stops *stops, gs_addr pc);

/* Lets the instruction at `pc` be executed, until gs_stops_drop(). */
void gs_stops_lift(gs_stops *stops, gs_addr pc);
void gs_stops_drop(gs_stops *stops);

#endif
