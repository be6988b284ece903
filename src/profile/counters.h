/*
 * counters.h - how often each instruction was executed, and what it cost.
 *
 * Control goes straight on until it is transferred: only where such a run began and where it ended
 * is counted, and how often each instruction in between was executed follows from that
 * (gs_counters_settle()). An instruction mostly costs one cycle and nothing else; what it cost
 * beyond that, ever, is kept apart.
 *
 * There is a slot per smallest instruction of every page that is executed, once per context (see
 * contexts.h). Counters are their owner's alone. They borrow machine and timing.
 */
#ifndef GS_PROFILE_COUNTERS_H
#define GS_PROFILE_COUNTERS_H

#include "machine/machine.h"
#include "probe/metrics.h"

/* In gs_slot.flow: a jump within a function, which leaves the call path as it is. */
enum { GS_SLOT_LOCAL = 0x80, GS_SLOT_MAX_HEADER = UINT16_MAX, GS_SLOT_NO_HEADER = UINT16_MAX };

/* In instruction cache, data cache and predictor. */
enum { GS_MISS_KINDS = 3 };

/* No page, no instruction. */
#define GS_NOWHERE UINT32_MAX

typedef struct gs_slot {
    int64_t more;         /* executions than of what leads straight here, since it was settled */
    uint64_t lost;        /* cycles beyond one per execution, to `cause`: mostly it is but one */
    uint32_t rest;        /* index + 1 of the row of what else there was; or 0 */
    uint16_t header;      /* for the owner: a loop's number + 1, or 0 */
    uint16_t next_header; /* index of the next slot of the page that has one, GS_SLOT_NO_HEADER */
    uint8_t cause;        /* gs_stall */
    uint8_t flow;         /* for the owner: gs_flow + 1, or 0 if not looked at; GS_SLOT_LOCAL */
    uint8_t arrival;      /* for the owner, of a direct jump: see iterations.h */
} gs_slot;

/* An instruction as it was decoded last, whatever the context. */
typedef struct gs_slot_code {
    uint32_t raw;
    uint32_t length; /* in bytes, or 0: none has been decoded there */
} gs_slot_code;

/* One page in one context. All per slot; there are two slots more, for runs that end behind it. */
typedef struct gs_slot_page {
    uint32_t number, context; /* twice the context, and 1 if it is outside the region of interest */
    gs_slot_code *code;       /* shared by all contexts */
    uint64_t *taken;          /* how often it left the straight line */
    uint64_t *executions;     /* as far as they have been settled */
    gs_slot slots[];
} gs_slot_page;

typedef struct gs_slot_pages {
    gs_slot_page **items;
    size_t count, capacity;
} gs_slot_pages;

typedef struct gs_counters {
    gs_slot *slots;  /* of the current page in the current context */
    uint64_t *taken; /* the same */
    uint32_t page;   /* number of the current page, or GS_NOWHERE */
    unsigned unit_shift;
    const gs_timing *timing; /* or NULL */
    const gs_machine *machine;
    uint32_t context;     /* with the side in its last bit, as in the pages */
    gs_slot_page **pages; /* context 0, by page of the guest's address space: they own the code */
    struct {
        gs_slot_pages *items;
        size_t count, capacity;
    } contexts;              /* the others, by context - 1 */
    gs_slot_pages all_pages; /* owned */
    struct {
        gs_metrics *items;
        size_t count, capacity;
    } rest;
    uint64_t stalls[GS_STALL_COUNT]; /* as of the last instruction that had any */
    uint64_t missed[GS_MISS_KINDS];  /* as of the last instruction that had any */
    bool no_memory;
    /* Tells the owner of a page that was made. */
    void (*made)(void *owner, gs_slot_page *page);
    void *owner;
} gs_counters;

gs_status gs_counters_init(gs_counters *counters, const gs_machine *machine,
                           const gs_timing *timing, gs_error *err);
void gs_counters_fini(gs_counters *counters);

/* Makes the page of `pc` the current one; false when memory is out. */
bool gs_counters_turn(gs_counters *counters, uint32_t pc);

/* From now on instructions are counted in this context. */
void gs_counters_use_context(gs_counters *counters, uint32_t context);

/* From now on they are counted apart, or with those that count. Pages that do not count are those
 * that gs_counters_is_outside() knows. */
void gs_counters_take_side(gs_counters *counters, bool outside);

static inline bool gs_counters_is_outside(const gs_slot_page *page)
{
    return page->context & 1;
}

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

/* What is at `pc` has been decoded, and will be executed. False if it is another instruction than
 * has been executed there: then gs_counters_exchange() comes first, between two runs. */
bool gs_counters_know(gs_counters *counters, uint32_t pc, const gs_insn *insn);
void gs_counters_exchange(gs_counters *counters, uint32_t pc, const gs_insn *insn);

/* Where control is so many instructions after `from`, straight on; and the opposite. */
uint32_t gs_counters_behind(const gs_counters *counters, uint32_t from, uint64_t instructions);
uint64_t gs_counters_between(const gs_counters *counters, uint32_t from, uint32_t end);

/* Whether control that goes on from `from` comes to `pc`, on the same page: not if that is within
 * an instruction. And the first instruction it comes to on the next page. */
bool gs_counters_passes(const gs_counters *counters, uint32_t from, uint32_t pc);
uint32_t gs_counters_over_page(const gs_counters *counters, uint32_t from);

/* Everything from `from` to before `end` has been executed, straight on: over any pages. */
void gs_counters_ran(gs_counters *counters, uint32_t from, uint32_t end);

/* An instruction took other than one cycle. Stalls move with no other, so the difference of two
 * readings is its own. Mostly it lost them to the cause it lost others to before; if not, the first
 * of these does nothing and returns false. */
static inline bool gs_counters_charge_same(gs_counters *c, gs_slot *s, uint64_t cycles)
{
    uint64_t now = c->timing->stalls[s->cause], *before = &c->stalls[s->cause];
    if (__builtin_expect(now - *before != cycles - 1, 0))
        return false;
    s->lost += cycles - 1;
    *before = now;
    return true;
}
void gs_counters_charge_many(gs_counters *counters, gs_slot *slot, uint64_t cycles);

/* Something was missed; a trap led here. */
void gs_counters_charge_misses(gs_counters *counters, gs_slot *slot);
void gs_counters_charge_trap(gs_counters *counters, gs_slot *slot);

/* Charges so much of a metric that the engine has counted. */
void gs_counters_charge(gs_counters *counters, gs_slot *slot, gs_metric metric, uint64_t amount);

/* An instruction has been executed so many times more, and left the straight line or not. */
void gs_counters_add(gs_counters *counters, gs_slot *slot, unsigned length, uint64_t times,
                     bool taken);

/* Takes from `reading` what will be charged to the instruction that retires next. */
void gs_counters_leave_owed(const gs_counters *counters, gs_metrics *reading);

/* The engine has charged so much itself. */
void gs_counters_shift(gs_counters *counters, const gs_metrics *by);

/* A loop's header is at that slot. */
void gs_counters_mark_header(gs_slot_page *page, size_t index, uint16_t header);

/* For going through all pages. Settled, a page has its executions. */
size_t gs_counters_page_slots(const gs_counters *counters);
uint32_t gs_counters_pc(const gs_counters *counters, const gs_slot_page *page, size_t index);
void gs_counters_settle(const gs_counters *counters, gs_slot_page *page);

/* All that the instruction of a slot cost, in a settled page. */
gs_metrics gs_counters_cost(const gs_counters *counters, const gs_slot_page *page, size_t index);

#endif
