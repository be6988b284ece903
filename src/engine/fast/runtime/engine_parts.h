/*
 * engine_parts.h - the fast engine, put together.
 *
 * Each part's state is declared in the part's own header and changed in its own file; all parts
 * share the rest. Functions take the parts they need, or the engine if these are many.
 */
#ifndef GS_ENGINE_FAST_PARTS_H
#define GS_ENGINE_FAST_PARTS_H

#include "engine/fast/runtime/code_table.h"
#include "engine/fast/runtime/count_blocks.h"
#include "engine/fast/runtime/dcache.h"
#include "engine/fast/runtime/fast.h"
#include "engine/fast/runtime/icache.h"
#include "engine/fast/runtime/penalties.h"
#include "engine/fast/runtime/routes.h"
#include "engine/fast/runtime/schedule.h"
#include "engine/fast/runtime/slow_exits.h"
#include "engine/fast/runtime/tally.h"

struct gs_fast_engine {
    /* Shared. */
    gs_machine *machine;
    gs_timing *timing; /* or NULL: then only `table` and `schedule` are used of the parts */
    const gs_bulk_group *observers;
    gs_automaton *automaton; /* NULL without a timing */
    gs_fast *c;              /* the structure that translated code accesses */
    gs_arena arena;          /* for all that lives as long as the engine */
    bool failed;             /* memory was out: the run ends at the next exit */

    /* The parts. */
    gs_code_table table;
    gs_schedule schedule;
    gs_dcache_view dcache;
    gs_icache_view icache;
    gs_penalties penalties;
    gs_count_blocks blocks;
    gs_slow_exits slow_exits;
    gs_routes routes;
    gs_tally tally;

    size_t stack_room;        /* bytes of the host's stack that calls of translated functions may
                                 take */
    uint32_t settled_changes; /* memory.code_changes when counts were reported last, */
    bool has_counted;         /* and whether translated code has run since */
};

/* Notes that memory is out. */
static inline void gs_fast_fail(gs_fast_engine *e)
{
    e->failed = true;
}

/* -- stub.c: how translated code calls helpers -- */

void gs_stub_open(gs_fast_engine *e);

/* -- guest_base.c: the guest's memory, without a register -- */

/* Whether the host lets programs set the register. */
bool gs_guest_base_works(const gs_machine *machine);
/* Sets the base register for translated code of this engine. Returns its former value, for
 * gs_guest_base_give_back(). */
uintptr_t gs_guest_base_take(const gs_fast_engine *e);
void gs_guest_base_give_back(uintptr_t before);

/* -- fast.c: how translated code is run -- */

/* Called when the time is up at the end of a visit. Unless the caller of gs_fast_run() is
 * due, translated code goes on: if it were left and entered again, each function that returns
 * would find no caller and leave it once more. False: it has to be left. */
bool gs_fast_renew(gs_fast_engine *e, const gs_visit_end *visit);

#endif
