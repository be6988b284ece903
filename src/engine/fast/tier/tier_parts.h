/*
 * tier_parts.h - what the tier consists of, for the files that make it up.
 */
#ifndef GS_ENGINE_TIER_PARTS_H
#define GS_ENGINE_TIER_PARTS_H

#include "base/arena.h"
#include "engine/fast/tier/batch.h"
#include "engine/fast/tier/candidate.h"
#include "engine/fast/tier/compiler.h"
#include "engine/fast/tier/compilers.h"
#include "engine/fast/tier/payback.h"
#include "engine/fast/tier/quick.h"
#include "engine/fast/tier/store.h"
#include "engine/fast/tier/tier.h"
#include "probe/region.h"

/* A compilation in progress. */
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
    gs_compilers *own; /* NULL: they are the caller's */
    /* Of these, or the caller's; or NULL. */
    gs_store *store;
    gs_compiler *compiler;
    gs_quick *quick;
    bool waits;        /* waits for compilers instead of going on without; costs do not matter */
    bool limited;      /* by payback */
    bool eager;        /* everything is worth translating */
    bool broken;       /* the optimizing tier cannot be used: no compiler, or no store */
    bool quick_broken; /* nor can the quick tier, any more */
    gs_arena arena;
    gs_candidates candidates;
    gs_addr barriers[2 * GS_REGION_ENTRIES]; /* the edges of the region of interest */
    struct {
        gs_candidate **items;
        size_t count, capacity;
    } wanted; /* candidates of the batch that is being chosen */
    struct {
        gs_addr *items;
        size_t count, capacity;
    } loops;                  /* headers of loops whose iterations are counted, by number */
    unsigned samples, needed; /* since the last scan, and for the next one */
    unsigned translations;    /* batches that have been given to compilers, or found in the store */
    uint64_t unpredicted;     /* unpredicted entries, as of the last scan */
    uint32_t code_changes;
    gs_payback payback;
    double last_run;   /* seconds that the last run of the program took; 0: not known */
    uint64_t begun_at; /* instructions executed before this run */
    uint64_t entries;  /* attempts to enter translated code */
    unsigned since_reading;
    uint64_t counted, uncounted; /* instructions executed by translated code, as of the last
                                    sample; and those since that are not added to a candidate yet */
    uint64_t executed;           /* by quick code, since the last scan for what is worth
                                    optimizing; in earlier runs, too, before the first scan */
    uint64_t executed_needed;    /* until the next such scan */
    gs_tier_work work[2];        /* compilations of the optimizing and of the quick compiler */
    char *source_path, *object_path;
    struct {
        gs_batch *items;
        size_t count, capacity;
    } loaded;
    gs_store_name plan_name;
    char *old_plan; /* the plan of the last run, until it has been followed; or NULL */
    struct {
        char *items;
        size_t count, capacity;
    } plan;              /* what has been translated so far, for the next run's plan */
    size_t plan_pointed; /* how many of gs_fast_pointed() are in it */
};

static inline gs_candidate *gs_tier_candidate(gs_tier *t, gs_addr pc)
{
    return gs_candidates_at(&t->candidates, t->machine->image, pc);
}

/* -- tier.c -- */

/* Processor time since this run began. */
double gs_tier_elapsed(const gs_tier *t);

/* Accounts for processor time since the last reading: only the program has run; or this process
 * has worked on translations. */
void gs_tier_note_run(gs_tier *t);
void gs_tier_note_work(gs_tier *t, bool quick, unsigned steps);

/* -- compile.c: batches and compilers -- */

/* Gives up the optimizing tier. An error if nothing has been translated and nothing else could
 * be. */
gs_status gs_tier_give_up(gs_tier *t, gs_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
gs_status gs_tier_give_up_compiler(gs_tier *t, gs_compiler_state state, gs_error *err);

/* Has a batch translated: takes a translation from the store, or gives the batch to its compiler
 * if allowed. Owns the batch from then on. */
gs_status gs_tier_translate(gs_tier *t, gs_batch *b, bool may_compile, gs_error *err);
bool gs_tier_is_busy(const gs_tier *t, bool quick);
/* Loads what compilers have finished. */
gs_status gs_tier_poll(gs_tier *t, gs_error *err);
/* Waits for a compiler, however long it takes. */
gs_status gs_tier_wait(gs_tier *t, bool quick, gs_error *err);
/* Cancels compilations in progress. */
void gs_tier_stop_compilers(gs_tier *t);

/* -- translations.c: those in use -- */

/* Takes a batch into use, and owns it from then on. */
gs_status gs_tier_take(gs_tier *t, gs_batch *b, gs_fast_function *const *functions, gs_error *err);
/* Takes code out of use that has changed, or has loops that were not known when it was
 * translated. */
void gs_tier_check_changes(gs_tier *t);
void gs_tier_check_loops(gs_tier *t);
void gs_tier_unload_all(gs_tier *t);

/* -- choose.c: what is worth a compiler -- */

/* Chooses the functions that are most worth a tier's compiler, and functions they call; none if
 * it is too early. `limit` is the largest number of instructions. False when memory is out. */
bool gs_tier_choose(gs_tier *t, gs_batch *b, bool quick, unsigned limit);

/* -- plan.c: what was translated in one run, for the next -- */

/* Reads the last run's plan and what earlier runs have executed of quick code, and follows the
 * plan if that run was long enough for that to pay. */
gs_status gs_plan_open(gs_tier *t, gs_error *err);
/* Takes in what a plan says of earlier runs; whether the last one was that long. */
bool gs_plan_read(gs_tier *t);
/* Translates what the last run had translated at its end. */
gs_status gs_plan_follow(gs_tier *t, gs_error *err);
/* Whether there is a plan to follow, and `slack` seconds are enough for it. */
bool gs_plan_may_follow(const gs_tier *t, double slack);
/* Notes for the next plan that a batch has been taken into use. */
void gs_plan_add(gs_tier *t, const gs_batch *b);
void gs_plan_close(gs_tier *t);

#endif
