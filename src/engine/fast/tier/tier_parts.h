/*
 * tier_parts.h - what the tier consists of, for the files that make it up.
 */
#ifndef GS_ENGINE_TIER_PARTS_H
#define GS_ENGINE_TIER_PARTS_H

#include "base/arena.h"
#include "engine/fast/tier/batch.h"
#include "engine/fast/tier/candidate.h"
#include "engine/fast/tier/compiler.h"
#include "engine/fast/tier/payback.h"
#include "engine/fast/tier/quick.h"
#include "engine/fast/tier/store.h"
#include "engine/fast/tier/tier.h"
#include "probe/region.h"

/* What a compiler is at. */
typedef struct gs_tier_work {
    gs_batch batch;
    unsigned steps;
} gs_tier_work;

struct gs_tier {
    gs_machine *machine;
    gs_timing *timing;
    const gs_run_options *options;
    gs_bulk_group observers;
    gs_fast_engine *fast;
    gs_store *store;
    gs_compiler *compiler;
    gs_quick *quick;   /* the quick compiler, or NULL */
    bool waits;        /* for compilers, instead of going on without; costs do not matter */
    bool limited;      /* by what has been paid back */
    bool eager;        /* everything is worth to be translated */
    bool broken;       /* the compiler is not there or does not work, or the cache does not */
    bool quick_broken; /* nor does the quick one, any more */
    gs_arena arena;
    gs_candidates candidates;
    gs_addr barriers[2 * GS_REGION_ENTRIES]; /* the edges of the region of interest */
    struct {
        gs_candidate **items;
        size_t count, capacity;
    } wanted; /* by code of the batch that is being chosen */
    struct {
        gs_addr *items;
        size_t count, capacity;
    } loops;                  /* that are of interest, by number */
    unsigned samples, needed; /* since the last look, and for the next one */
    unsigned translations;    /* batches that have been given to compilers, or found */
    uint64_t unpredicted;     /* entries, as of the last look */
    uint32_t code_changes;
    gs_payback payback;
    uint64_t begun_at; /* instructions executed before this run */
    uint64_t entries;  /* of translated code, that were tried */
    unsigned since_reading;
    uint64_t told, untold;    /* instructions that translated code had executed when that was noted
                                 last; those since that are not yet candidates' */
    uint64_t executed;        /* by quick code, since it was last looked at what is worth more */
    uint64_t executed_needed; /* for the next such look */
    gs_tier_work work[2];     /* of the optimizing and of the quick compiler */
    char *source_path, *object_path;
    struct {
        gs_batch *items;
        size_t count, capacity;
    } loaded;
    gs_store_name plan_name;
    char *old_plan; /* of the last run, as long as it has not been followed; or NULL */
    struct {
        char *items;
        size_t count, capacity;
    } plan;              /* what has been translated so far, for the next run */
    size_t plan_pointed; /* how many of gs_fast_pointed() it has */
};

static inline gs_candidate *gs_tier_candidate(gs_tier *t, gs_addr pc)
{
    return gs_candidates_at(&t->candidates, t->machine->image, pc);
}

/* -- tier.c -- */

/* What it costs: only the program has run since the last reading; or this process has worked on
 * translations. */
void gs_tier_note_run(gs_tier *t);
void gs_tier_note_work(gs_tier *t, bool quick, unsigned steps);

/* -- compile.c: batches and compilers -- */

/* There will be no more optimized code. It is an error where there is no translation at all, and
 * nothing else would do. */
gs_status gs_tier_give_up(gs_tier *t, gs_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
gs_status gs_tier_give_up_compiler(gs_tier *t, gs_compiler_state state, gs_error *err);

/* Has a batch translated, by an earlier run, or by its compiler if it may. Takes it over. */
gs_status gs_tier_translate(gs_tier *t, gs_batch *b, bool may_compile, gs_error *err);
bool gs_tier_is_busy(const gs_tier *t, bool quick);
/* Takes up what compilers have made. */
gs_status gs_tier_poll(gs_tier *t, gs_error *err);
/* Waits for a compiler, however long it may take. */
gs_status gs_tier_wait(gs_tier *t, bool quick, gs_error *err);
/* What they are at is lost. */
void gs_tier_stop_compilers(gs_tier *t);

/* -- translations.c: those in use -- */

/* Takes a batch into use, and over. */
gs_status gs_tier_take(gs_tier *t, gs_batch *b, gs_fast_function *const *functions, gs_error *err);
/* Takes what has changed out of use, or does not know of loops that it has. */
void gs_tier_check_changes(gs_tier *t);
void gs_tier_check_loops(gs_tier *t);
void gs_tier_unload_all(gs_tier *t);

/* -- choose.c: what is worth a compiler -- */

/* The functions that a tier is worth most for, and what they call; none if it is too early. `limit`
 * is how many instructions of them may be translated. False when memory is out. */
bool gs_tier_choose(gs_tier *t, gs_batch *b, bool quick, unsigned limit);

/* -- plan.c: what was translated in one run, for the next -- */

/* Reads what the last run has left, and follows it if that run was long enough for it to pay. */
gs_status gs_plan_open(gs_tier *t, gs_error *err);
/* Translates what the last run had translated in the end. */
gs_status gs_plan_follow(gs_tier *t, gs_error *err);
/* Whether there is something to follow, and `slack` seconds are enough for it. */
bool gs_plan_may_follow(const gs_tier *t, double slack);
/* A batch has been taken into use. */
void gs_plan_add(gs_tier *t, const gs_batch *b);
void gs_plan_close(gs_tier *t);

#endif
