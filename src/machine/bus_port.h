/*
 * bus_port.h - where a machine that is one of several meets the others.
 *
 * The only thing such machines have in common is a bus (src/system). An access to what lies there
 * does not happen at once: the machine stops before the instruction, `wait` says why, and it goes
 * on when the bus has been granted to it. Interrupts from the bus come as changes of lines, each
 * with its cycle, and are known through a certain cycle only: before it can say whether an
 * interrupt comes later than that, the machine stops as well.
 *
 * A port is its owner's and outlives the machine's runs. NULL in a machine: it is alone.
 */
#ifndef GS_MACHINE_BUS_PORT_H
#define GS_MACHINE_BUS_PORT_H

#include "machine/memory.h"

typedef enum gs_bus_port_wait {
    GS_BUS_PORT_NONE,      /* it goes on */
    GS_BUS_PORT_REQUEST,   /* for the bus: see `request` */
    GS_BUS_PORT_UNDECIDED, /* until lines are known through the machine's time */
    GS_BUS_PORT_ASLEEP,    /* for an interrupt: none comes up to and with the cycle `known`, */
    GS_BUS_PORT_PAUSED,    /* it was told to stop here, by `pause` */
} gs_bus_port_wait;

/* Interrupt lines. On a MIPS hart they are Cause.IP3, IP5 and IP4. */
enum { GS_LINE_SOFTWARE = 1, GS_LINE_TIMER = 2, GS_LINE_EXTERNAL = 4 };

typedef struct gs_bus_port_change {
    uint64_t cycle;
    unsigned lines;     /* from that cycle on, without the timer's */
    uint64_t timer_due; /* the cycle in which that goes up, which may be over; UINT64_MAX: never */
} gs_bus_port_change;

typedef struct gs_bus_port {
    gs_bus_port_wait wait;
    struct {
        gs_addr address;
        unsigned size;
        bool store;     /* or a load */
        bool atomic;    /* or both */
        uint64_t cycle; /* the first in which the request is on the bus; set by the engine */
    } request;
    bool granted;   /* accesses of the instruction at hand are made */
    uint64_t known; /* the changes are complete through this cycle */
    uint64_t wake;  /* asleep: when a timer of its own wakes the hart; UINT64_MAX: none does */
    uint64_t pause; /* to stop at the first instruction that ends in this cycle or later */
    struct {
        gs_bus_port_change *items; /* in the order of their cycles; the first is in force */
        size_t count, capacity;
    } changes;
} gs_bus_port;

/* The lines in cycle `now`, which is not before any that was asked for. */
unsigned gs_bus_port_lines(gs_bus_port *port, uint64_t now);

/* The first cycle after `now` in which they may be others; UINT64_MAX: none is known. */
uint64_t gs_bus_port_next_change(const gs_bus_port *port, uint64_t now);

/* An access by the guest to what lies on the bus: whether it is made now. If not, the machine stops
 * before the instruction. */
bool gs_bus_port_access(gs_bus_port *port, gs_addr address, unsigned size, bool store);

#endif
