/* Takes translations into use, and out of use when their code or their loops have changed. */
#include <dlfcn.h>
#include <stdlib.h>

#include "base/vec.h"
#include "engine/fast/tier/tier_parts.h"
#include "engine/fast/translate/loops.h"

enum { MAX_LOOPS = 32 }; /* how often a function may turn out to have loops */

static bool is_unchanged(const gs_tier *t, const gs_code *code)
{
    return gs_code_is_unchanged(code, t->machine);
}

static bool knows_loops(const gs_tier *t, const gs_code *code)
{
    return gs_code_knows_loops(code, t->loops.items, t->loops.count) &&
           (!t->observers.paths || gs_loops_hold(code, &t->observers));
}

/* Takes code of a batch out of use that has changed, or has a loop that was not known. */
static void check_batch(gs_tier *t, gs_batch *b,
                        bool (*is_good)(const gs_tier *t, const gs_code *code), bool loops)
{
    for (size_t k = 0; k < b->count; k++) {
        gs_code *code = &b->codes[k];
        if (code->count == 0 || is_good(t, code)) {
            gs_fast_decode(t->fast, code);
            continue;
        }
        gs_batch_unload(b, t->fast, code);
        gs_candidate *c = gs_tier_candidate(t, code->low);
        if (c) {
            c->code = NULL; /* it may stay as it is now */
            c->by[b->quick].tries += !loops;
            c->looped += loops;
            c->done = c->looped >= MAX_LOOPS;
        }
    }
}

static void check_all(gs_tier *t, bool (*is_good)(const gs_tier *t, const gs_code *code),
                      bool loops)
{
    for (size_t i = 0; i < t->loaded.count; i++)
        check_batch(t, &t->loaded.items[i], is_good, loops);
}

void gs_tier_check_changes(gs_tier *t)
{
    check_all(t, is_unchanged, false);
}

void gs_tier_check_loops(gs_tier *t)
{
    check_all(t, knows_loops, true);
}

/* The batch that code belongs to, which is loaded. */
static gs_batch *batch_of(gs_tier *t, const gs_code *code)
{
    for (size_t i = 0; i < t->loaded.count; i++) {
        gs_batch *b = &t->loaded.items[i];
        if (code >= b->codes && code < b->codes + b->count)
            return b;
    }
    return NULL;
}

/* Replaces earlier translations of some functions by a better one. */
static void replace(gs_tier *t, const gs_batch *by)
{
    for (size_t i = 0; i < by->count; i++) {
        gs_candidate *c = gs_tier_candidate(t, by->codes[i].low);
        gs_batch *b = c->code ? batch_of(t, c->code) : NULL;
        if (b && c->code->count > 0)
            gs_batch_unload(b, t->fast, &b->codes[c->code - b->codes]);
        c->code = &by->codes[i];
        c->done = false;
        c->samples = 0;
        if (!by->quick)
            c->executed = 0;
    }
}

gs_status gs_tier_take(gs_tier *t, gs_batch *b, gs_fast_function *const *functions, gs_error *err)
{
    replace(t, b);
    gs_status status = gs_fast_add(t->fast, b->codes, functions, b->count, err);
    if (!b->quick)
        gs_plan_add(t, b);
    free(b->source);
    b->source = NULL;
    if (status == GS_OK && !gs_vec_push(&t->loaded, *b))
        status = gs_fail_no_memory(err);
    *b = (gs_batch){0};
    /* The program may have changed while it was compiled. */
    if (status == GS_OK) {
        gs_batch *added = &t->loaded.items[t->loaded.count - 1];
        check_batch(t, added, is_unchanged, false);
        check_batch(t, added, knows_loops, true);
    }
    return status;
}

void gs_tier_unload_all(gs_tier *t)
{
    for (size_t i = 0; i < t->loaded.count; i++) {
        if (t->loaded.items[i].object)
            dlclose(t->loaded.items[i].object);
        gs_batch_close(&t->loaded.items[i]);
    }
    free(t->loaded.items);
}
