/*
 * bus.h - which core gets the bus, and when: the rules of docs/many-cores.md and nothing else.
 *
 * A bus is told of requests, each with the first cycle in which it is there, says when it decides
 * next, and decides. A decision is final only once no core can make a request in that cycle or
 * before it any more, which the caller sees to. Cores are numbered in the order of their harts.
 */
#ifndef GS_SYSTEM_BUS_H
#define GS_SYSTEM_BUS_H

#include <stdbool.h>
#include <stdint.h>

enum { GS_BUS_CORES_MAX = 32, GS_BUS_SLOTS_MAX = 64 };

typedef enum gs_arbiter { GS_ARBITER_ROUND_ROBIN, GS_ARBITER_FIXED, GS_ARBITER_TDMA } gs_arbiter;

typedef struct gs_bus_rules {
    gs_arbiter arbiter;
    unsigned width;                      /* bytes */
    unsigned grant;                      /* cycles from the decision to the transfer */
    unsigned priority[GS_BUS_CORES_MAX]; /* fixed: the lowest number goes first */
    unsigned slot;                       /* tdma: cycles of a slot */
    unsigned slot_count;
    uint8_t slots[GS_BUS_SLOTS_MAX]; /* tdma: whose it is */
} gs_bus_rules;

typedef struct gs_bus {
    const gs_bus_rules *rules;
    unsigned count;        /* of cores */
    uint64_t free;         /* the first cycle in which it can decide */
    unsigned last;         /* who was served last */
    uint64_t decided, end; /* the last transfer's */
    bool pending[GS_BUS_CORES_MAX];
    uint64_t since[GS_BUS_CORES_MAX];                    /* of the request */
    uint64_t waited[GS_BUS_CORES_MAX][GS_BUS_CORES_MAX]; /* by whom, for whom: ever */
    uint64_t busy;                                       /* cycles of grants and transfers */
    uint64_t transfers;
} gs_bus;

void gs_bus_init(gs_bus *bus, const gs_bus_rules *rules, unsigned count);

/* From cycle `since` on, until it is decided for. */
void gs_bus_request(gs_bus *bus, unsigned core, uint64_t since);

/* The cycle of the next decision if no more requests come before; UINT64_MAX without requests. */
uint64_t gs_bus_next(const gs_bus *bus);

/* Decides in that cycle. Returns who gets the bus; *start is the first cycle of the transfer. */
unsigned gs_bus_decide(gs_bus *bus, uint64_t *start);

/* How long that transfer takes: `end` is its last cycle. */
void gs_bus_transfer(gs_bus *bus, unsigned core, uint64_t end);

#endif
