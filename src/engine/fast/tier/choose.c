/*
 * Chooses what to translate next, and by which tier. A candidate is worth a compiler when it has
 * cost so much more than it would have cost translated as the compiler takes: what has run for long
 * will probably run for as long again. Those that have cost most come first, with the short
 * functions that they call.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "engine/fast/tier/tier_parts.h"
#include "engine/fast/translate/loops.h"

enum {
    ROOM = 1024,           /* functions in a batch */
    SMALL_FUNCTION = 32,   /* instructions; calling a function that is not translated takes as
                              long */
    LITTLE = 300,          /* instructions */
    MAX_BATCH_STEPS = 600, /* instructions translated at once: half a second of the compiler */
};

/* The time spent on a batch's code has to come to the cost of the batch, times this. The
 * reference engine is so slow that a fifth of the cost is reason enough; quick code is not, and
 * a program may be over soon. */
static const double worth = 0.2, worth_of_better = 1;
/* The same factor for what each candidate adds to the cost, by the optimizing tier: a compilation
 * has a fixed cost, and functions that call each other are better off in one batch. More so
 * where there is one tier only. */
static const double worth_of_one = 0.03, worth_of_another = 0.25;

/* Seconds that an instruction takes with quick code, beyond what optimized code takes. On a Xeon of
 * 2023. */
static const double better = 0.7e-9;

typedef struct choice {
    gs_candidate *candidate;
    unsigned size;
    double spent; /* seconds spent on it, beyond what the translation would have taken */
} choice;

typedef struct choices {
    choice *items;
    size_t count, capacity;
} choices;

static bool is_quick(const gs_candidate *c)
{
    return c->code && c->code->quick;
}

/* Seconds that the reference engine has spent on it and, for the optimizing tier, that quick
 * code has, in earlier runs, too. */
static double spent_on(const gs_tier *t, const gs_candidate *c, bool quick)
{
    const double by_reference =
        (double)c->samples * GS_TIER_SLICE * t->payback.seconds_per_instruction;
    return by_reference + (quick ? 0 : (double)c->executed * better);
}

static double worth_of(const gs_tier *t, bool quick)
{
    return t->quick && !quick ? worth_of_better : worth;
}

/* Whether the time spent on it comes to a part of what it adds to the cost of a compilation. */
static bool comes_to(const gs_tier *t, const choice *one, bool quick, double part)
{
    return one->spent >= part * t->payback.costs[quick].per_step * one->size;
}

/* Whether it is worth a place in a batch. */
static bool is_worth_it(const gs_tier *t, const choice *one, bool quick)
{
    const double wanted = quick ? worth : t->quick ? worth_of_another : worth_of_one;
    return t->eager || comes_to(t, one, quick, wanted);
}

static int by_spent(const void *a, const void *b)
{
    const double x = ((const choice *)a)->spent, y = ((const choice *)b)->spent;
    return (x < y) - (x > y);
}

/* Collects the candidates. False when memory is out. `samples` is the number of samples in all
 * of them. Where little can be gained, only loops are worth it: entering translated code takes
 * as long as the reference engine needs for a hundred instructions. */
static bool list(const gs_tier *t, choices *all, bool quick, unsigned limit, unsigned *samples)
{
    for (size_t i = 0; i < t->candidates.count; i++) {
        gs_candidate *c = t->candidates.items[i];
        const bool ran = c->samples > 0 || (!quick && is_quick(c) && (c->executed > 0 || t->eager));
        if (!ran || !gs_candidate_is_open(c, quick))
            continue;
        const choice one = {c, gs_candidate_size(c, t->machine), spent_on(t, c, quick)};
        if (!is_worth_it(t, &one, quick) ||
            (limit < LITTLE && !gs_candidate_has_loop(c, t->machine)))
            continue;
        *samples += c->samples;
        if (!gs_vec_push(all, one))
            return false;
    }
    if (all->count > 1)
        qsort(all->items, all->count, sizeof *all->items, by_spent);
    return true;
}

/* The time spent on those of them that fit and, with two tiers, would be worth a compilation
 * without its fixed cost. */
static double spent_on_all(const gs_tier *t, const choices *all, bool quick, unsigned limit,
                           unsigned *steps)
{
    double spent = 0;
    *steps = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (*steps >= MAX_BATCH_STEPS)
            break;
        if (*steps + all->items[i].size > limit ||
            (t->quick && !comes_to(t, &all->items[i], quick, worth_of(t, quick))))
            continue;
        *steps += all->items[i].size;
        spent += all->items[i].spent;
    }
    return spent;
}

/* Adds the functions that a candidate calls, if they are called so often that samples show it,
 * or so short that they may be. */
static bool want_callees(gs_tier *t, const gs_code *code, bool quick)
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
            if (!c || !gs_candidate_is_open(c, quick) || (c->code && (quick || !is_quick(c))) ||
                c->wanted ||
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
    c->by[b->quick].tries += c->code && c->code->quick == b->quick;
    c->samples = 0;
    c->done = true; /* or it cannot be translated */
    if (!gs_candidate_choose_code(c, &code, &t->arena, t->machine, t->timing, t->loops.items,
                                  t->loops.count) ||
        (t->observers.paths && !gs_loops_find(&code, &t->arena, &t->observers)))
        return false;
    *steps += gs_code_steps(&code);
    if (code.count == 0)
        return true;
    b->codes[b->count++] = code;
    return want_callees(t, &code, b->quick);
}

/* Adds a candidate to the batch, if there is room for it. */
static bool add_wanted(gs_tier *t, gs_batch *b, gs_candidate *c, unsigned limit, unsigned *steps)
{
    const bool fits = *steps + gs_candidate_size(c, t->machine) <= limit;
    return !gs_candidate_is_open(c, b->quick) || !fits || add(t, b, c, steps);
}

/* Adds what a candidate calls before the next candidate. */
static bool fill(gs_tier *t, gs_batch *b, const choices *all, unsigned limit)
{
    const unsigned enough = limit < MAX_BATCH_STEPS ? limit : MAX_BATCH_STEPS;
    unsigned steps = 0;
    size_t next = 0; /* indices of candidates */
    bool ok = true;
    for (size_t i = 0; ok && i < all->count && steps < enough && b->count < ROOM; i++) {
        gs_candidate *c = all->items[i].candidate;
        if (gs_candidate_is_open(c, b->quick) && steps + all->items[i].size <= limit)
            ok = add(t, b, c, &steps);
        for (; ok && next < t->wanted.count && steps < enough && b->count < ROOM; next++)
            ok = add_wanted(t, b, t->wanted.items[next], limit, &steps);
    }
    for (size_t i = 0; i < t->wanted.count; i++)
        t->wanted.items[i]->wanted = false;
    t->wanted.count = 0;
    return ok;
}

/* Whether enough has been spent on those that fit. */
static bool pays(const gs_tier *t, const choices *all, bool quick, unsigned limit)
{
    unsigned steps;
    const double spent = spent_on_all(t, all, quick, limit, &steps);
    return steps > 0 && spent >= worth_of(t, quick) * gs_payback_cost(&t->payback, quick, steps);
}

bool gs_tier_choose(gs_tier *t, gs_batch *b, bool quick, unsigned limit)
{
    choices all = {0};
    unsigned samples = 0;
    bool ok = gs_batch_open(b, ROOM) && list(t, &all, quick, limit, &samples);
    b->quick = quick;
    const bool early = !ok || all.count == 0 ||
                       (!t->eager && (t->limited || t->quick ? !pays(t, &all, quick, limit)
                                                             : samples < t->needed / 2));
    if (!early)
        ok = fill(t, b, &all, limit);
    free(all.items);
    return ok;
}
