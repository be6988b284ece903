/*
 * Chooses what to translate next. A candidate has to have been seen so often that the reference
 * engine has spent a share on it of what the compiler will; those with the most samples come first,
 * and short functions they call come with them.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "engine/fast/tier/tier_parts.h"
#include "engine/fast/translate/loops.h"

enum {
    ROOM = 1024,           /* functions in a batch */
    STEP_WORTH = 2,        /* samples per instruction that is translated */
    SMALL_FUNCTION = 32,   /* instructions; to call one that is not translated takes as long */
    LITTLE = 300,          /* instructions */
    MAX_BATCH_STEPS = 600, /* instructions translated at once: half a second of the compiler */
};

/* What a batch costs, times this, the reference engine has to have spent on its code. */
static const double worth = 0.5;

typedef struct choice {
    gs_candidate *candidate;
    unsigned size;
} choice;

typedef struct choices {
    choice *items;
    size_t count, capacity;
} choices;

/* Whether what the reference engine has spent on it justifies the compiler. */
static bool is_worth_it(const gs_tier *t, const gs_candidate *c, unsigned size)
{
    return t->eager || c->samples / STEP_WORTH >= size;
}

static int by_samples(const void *a, const void *b)
{
    unsigned x = ((const choice *)a)->candidate->samples,
             y = ((const choice *)b)->candidate->samples;
    return (x < y) - (x > y);
}

/* False when memory is out. `spent` is how many samples have been of what is worth it. Where little
 * can be had, it has to be loops: to enter translated code takes as long as the reference engine
 * for a hundred instructions. */
static bool list(const gs_tier *t, choices *all, unsigned limit, unsigned *spent)
{
    for (size_t i = 0; i < t->candidates.count; i++) {
        gs_candidate *c = t->candidates.items[i];
        if (c->samples == 0 || c->done)
            continue;
        const unsigned size = gs_candidate_size(c, t->machine);
        if (!is_worth_it(t, c, size) || (limit < LITTLE && !gs_candidate_has_loop(c, t->machine)))
            continue;
        const choice one = {c, size};
        *spent += c->samples;
        if (!gs_vec_push(all, one))
            return false;
    }
    if (all->count > 1)
        qsort(all->items, all->count, sizeof *all->items, by_samples);
    return true;
}

/* How many samples those of them have that fit. */
static unsigned samples_of(const choices *all, unsigned limit, unsigned *steps)
{
    unsigned samples = 0;
    *steps = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (*steps >= MAX_BATCH_STEPS)
            break;
        if (*steps + all->items[i].size > limit)
            continue;
        *steps += all->items[i].size;
        samples += all->items[i].candidate->samples;
    }
    return samples;
}

/* Wants what a function calls as well, if that is called so often that it was seen, or so short
 * that it may be. */
static bool want_callees(gs_tier *t, const gs_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            const gs_addr goal = s->exits[k].goal;
            const bool leaves = goal < code->low || goal >= code->high;
            const bool says =
                s->exits[k].kind == GS_SB_EXIT_CALL || s->exits[k].kind == GS_SB_EXIT_ONWARD;
            gs_candidate *c = says && leaves && gs_was_executed(t->machine, goal)
                                  ? gs_tier_candidate(t, goal)
                                  : NULL;
            if (!c || c->done || c->code || c->wanted ||
                (!t->eager && gs_candidate_size(c, t->machine) > SMALL_FUNCTION + c->samples))
                continue;
            if (!gs_vec_push(&t->wanted, c))
                return false;
            c->wanted = true;
        }
    }
    return true;
}

static bool add(gs_tier *t, gs_batch *b, gs_candidate *c, unsigned *steps)
{
    gs_code code;
    c->tries += c->code != NULL;
    c->samples = 0;
    c->done = true; /* or not possible */
    if (!gs_candidate_choose_code(c, &code, &t->arena, t->machine, t->timing, t->loops.items,
                                  t->loops.count) ||
        (t->observers.paths && !gs_loops_find(&code, &t->arena, &t->observers)))
        return false;
    *steps += gs_code_steps(&code);
    if (code.count == 0)
        return true;
    b->codes[b->count++] = code;
    return want_callees(t, &code);
}

/* The one that is wanted, if there is room for it. */
static bool add_wanted(gs_tier *t, gs_batch *b, gs_candidate *c, unsigned limit, unsigned *steps)
{
    const bool fits = !t->limited || *steps + gs_candidate_size(c, t->machine) <= limit;
    return c->done || !fits || add(t, b, c, steps);
}

/* What a candidate calls comes before the next one. */
static bool fill(gs_tier *t, gs_batch *b, const choices *all, unsigned limit)
{
    const unsigned enough = limit < MAX_BATCH_STEPS ? limit : MAX_BATCH_STEPS;
    unsigned steps = 0;
    size_t next = 0; /* of those that are wanted */
    bool ok = true;
    for (size_t i = 0; ok && i < all->count && steps < enough && b->count < ROOM; i++) {
        gs_candidate *c = all->items[i].candidate;
        if (!c->done && (!t->limited || steps + all->items[i].size <= limit))
            ok = add(t, b, c, &steps);
        for (; ok && next < t->wanted.count && steps < enough && b->count < ROOM; next++)
            ok = add_wanted(t, b, t->wanted.items[next], limit, &steps);
    }
    for (size_t i = 0; i < t->wanted.count; i++)
        t->wanted.items[i]->wanted = false;
    t->wanted.count = 0;
    return ok;
}

/* Whether the reference engine has spent enough on what fits. */
static bool pays(const gs_tier *t, const choices *all, unsigned limit)
{
    unsigned steps;
    const double spent =
        (double)samples_of(all, limit, &steps) * GS_TIER_SLICE * t->payback.seconds_per_instruction;
    return spent >= worth * gs_payback_cost(&t->payback, steps);
}

bool gs_tier_choose(gs_tier *t, gs_batch *b, unsigned limit)
{
    choices all = {0};
    unsigned spent = 0;
    bool ok = gs_batch_open(b, ROOM) && list(t, &all, limit, &spent);
    const bool early = !ok || all.count == 0 ||
                       (t->limited ? !pays(t, &all, limit) : spent < t->needed / 2 && !t->eager);
    if (!early)
        ok = fill(t, b, &all, limit);
    free(all.items);
    return ok;
}
