/*
 * counters.h - how often each instruction was executed, and what it cost.
 *
 * A slot per smallest instruction of every page that is executed, once per context (see
 * contexts.h). An instruction usually costs one cycle and nothing else; what it cost beyond that,
 * ever, is kept apart, so that slots stay small. This is on the way of every instruction: the
 * little that most need is in line here.
 *
 * Counters are their owner's alone. They borrow machine and timing.
 */
#ifndef GS_PROFILE_COUNTERS_H
#define GS_PROFILE_COUNTERS_H

#include "machine/machine.h"
#include "probe/metrics.h"

/* In gs_slot.flow: a jump within a function, which leaves the call path as it is. */
enum { GS_SLOT_LOCAL = 0x80, GS_SLOT_MAX_HEADER = UINT16_MAX };

/* No page, no instruction. */
#define GS_NOWHERE UINT32_MAX

typedef struct gs_slot {
    uint64_t executions;
    uint32_t odd;    /* index + 1 of its odd cost, or 0 */
    uint32_t raw;    /* the instruction, as it was executed last */
    uint16_t header; /* for the owner: a loop's number + 1, or 0 */
    uint8_t flow;    /* for the owner: gs_flow + 1, or 0 if not looked at yet; GS_SLOT_LOCAL */
    uint8_t arrival; /* for the owner, of a direct jump: see rounds.h */
} gs_slot;

/* What an instruction cost beyond a cycle per execution. Mostly that is one stall, always the same:
 * all else is in a row of its own, to keep these small. */
typedef struct gs_odd_cost {
    uint64_t lost; /* cycles, to */
    uint32_t cause;
    uint32_t rest; /* index + 1, or 0 */
} gs_odd_cost;

/* One page in one context. */
typedef struct gs_slot_page {
    uint32_t number, context;
    gs_slot *slots;
    uint64_t *taken; /* per slot: how often it left the straight line */
} gs_slot_page;

typedef struct gs_slot_pages {
    gs_slot_page *items;
    size_t count, capacity;
} gs_slot_pages;

typedef struct gs_counters {
    gs_slot *slots;  /* of the current page in the current context */
    uint64_t *taken; /* the same */
    uint32_t page;   /* number of the current page, or GS_NOWHERE */
    unsigned unit_shift;
    uint64_t misses;         /* of all kinds, after the instruction before */
    const gs_timing *timing; /* or NULL */
    const gs_machine *machine;
    uint32_t context;
    gs_slot **pages; /* context 0, by page of the guest's address space */
    struct {
        gs_slot_pages *items;
        size_t count, capacity;
    } contexts;              /* the others, by context - 1 */
    gs_slot_pages all_pages; /* they own the slots */
    struct {
        gs_odd_cost *items;
        size_t count, capacity;
    } odd;
    struct {
        gs_metrics *items;
        size_t count, capacity;
    } rest;
    uint64_t stalls[GS_STALL_COUNT]; /* as of the last instruction that had any */
    gs_metrics missed;               /* the reading after the last miss */
    gs_metrics held;                 /* while paused: what the next instruction has coming */
    bool no_memory;
    /* Tells the owner of a page that was made. */
    void (*made)(void *owner, const gs_slot_page *page);
    void *owner;
} gs_counters;

gs_status gs_counters_init(gs_counters *counters, const gs_machine *machine,
                           const gs_timing *timing, gs_error *err);
void gs_counters_fini(gs_counters *counters);

/* Makes the page of `pc` the current one; false when memory is out. */
bool gs_counters_turn(gs_counters *counters, uint32_t pc);

/* From now on instructions are counted in this context. */
void gs_counters_use_context(gs_counters *counters, uint32_t context);

static inline size_t gs_counters_index(const gs_counters *c, uint32_t pc)
{
    return (pc & (GS_PAGE_SIZE - 1)) >> c->unit_shift;
}

/* NULL when memory is out. */
static inline gs_slot *gs_counters_at(gs_counters *c, uint32_t pc)
{
    if (__builtin_expect(pc >> GS_PAGE_SHIFT != c->page, 0) && !gs_counters_turn(c, pc))
        return NULL;
    return &c->slots[gs_counters_index(c, pc)];
}

static inline uint64_t gs_counters_misses(const gs_timing *timing)
{
    const gs_cache_stats *i = &timing->icache.stats, *d = &timing->dcache.stats;
    return i->read_misses + d->read_misses + d->write_misses + timing->branches.mispredicted;
}

/* The slot has another instruction than before. */
void gs_counters_exchange(gs_counters *counters, gs_slot *slot, uint32_t raw);

/* The instruction took other than one cycle; something was missed; a trap led here. */
void gs_counters_charge_stalls(gs_counters *counters, gs_slot *slot, uint64_t cycles);
void gs_counters_charge_misses(gs_counters *counters, gs_slot *slot);
void gs_counters_charge_trap(gs_counters *counters, gs_slot *slot);

/* The same, by somebody who has counted himself: so much of a metric. */
void gs_counters_charge(gs_counters *counters, gs_slot *slot, gs_metric metric, uint64_t amount);

/* What happens between these two readings is charged by somebody else. */
void gs_counters_pause(gs_counters *counters, const gs_metrics *reading);
void gs_counters_resume(gs_counters *counters, const gs_metrics *reading);

/* For going through all pages. */
size_t gs_counters_page_slots(const gs_counters *counters);
uint32_t gs_counters_pc(const gs_counters *counters, const gs_slot_page *page, size_t index);

/* All that the instruction of a slot cost. */
gs_metrics gs_counters_cost(const gs_counters *counters, const gs_slot *slot, uint64_t taken);

#endif
