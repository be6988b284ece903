/* Has batches compiled, by the host's compiler or by the quick one, and loads the results. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/fast/tier/tier_parts.h"

enum { WAIT_MILLISECONDS = 200 }; /* before progress is shown */

/* -- compilers that do not work -----------------------------------------------------------------
 */

gs_status gs_tier_give_up(gs_tier *t, gs_error *err, const char *format, ...)
{
    char why[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    t->broken = true;
    snprintf(t->machine->optimizer_reason, sizeof t->machine->optimizer_reason, "%s", why);
    if (t->quick && !t->quick_broken) /* the run has what it needs already */
        return GS_OK;
    if (t->waits && t->loaded.count == 0)
        return gs_fail(err, GS_E_UNSUPPORTED, "cannot use the fast engine: %s", why);
    gs_machine_add_note(t->machine, "code was not translated: %s", why);
    return GS_OK;
}

gs_status gs_tier_give_up_compiler(gs_tier *t, gs_compiler_state state, gs_error *err)
{
    if (state == GS_COMPILER_TOO_SLOW)
        return gs_tier_give_up(
            t, err,
            "the compiler '%s' had not ended after %u s; set GUMSHOE_CC to another one, "
            "or GUMSHOE_CC_SECONDS to a longer time",
            gs_compiler_command(), gs_compiler_time_limit());
    return gs_tier_give_up(
        t, err,
        "the compiler '%s' does not work here; set GUMSHOE_CC, or expect a slower run "
        "with the same result",
        gs_compiler_command());
}

/* Gives up the quick compiler; its code stays in use. */
static gs_status give_up_quick(gs_tier *t, gs_error *err)
{
    t->quick_broken = true;
    if (!t->broken)
        return GS_OK;
    const char *why = gs_quick_why(t->quick);
    if (t->waits && t->loaded.count == 0)
        return gs_fail(err, GS_E_UNSUPPORTED, "cannot use the fast engine: gumshoe-quickcc: %s",
                       why);
    gs_machine_add_note(t->machine, "no more code was translated: gumshoe-quickcc: %s", why);
    return GS_OK;
}

/* -- compiling ----------------------------------------------------------------------------------
 */

/* Gives up a batch; its functions may be translated another time. */
static void let_go(gs_tier *t, gs_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        gs_candidate *c = gs_tier_candidate(t, b->codes[i].low);
        if (c)
            c->done = false;
    }
    gs_batch_close(b);
}

/* Loads an object of the host's compiler, and owns the batch from then on. False if it cannot be
 * used: then it is removed from the store, and nothing else has happened. */
static bool load(gs_tier *t, gs_batch *b, const char *path, gs_status *status, gs_error *err)
{
    gs_fast_function **functions = gs_batch_open_object(b, path);
    if (!functions) {
        gs_store_drop(t->store, b->source, b->size);
        return false;
    }
    *status = gs_tier_take(t, b, functions, err);
    free(functions);
    return true;
}

static gs_status compile(gs_tier *t, gs_batch *b, gs_error *err)
{
    gs_tier_work *work = &t->work[false];
    work->batch = *b;
    if (!gs_store_write(t->store, b->source, b->size, &t->source_path, &t->object_path)) {
        let_go(t, &work->batch);
        return gs_tier_give_up(t, err, "the cache cannot be written");
    }
    if (gs_compiler_request(t->compiler, t->source_path, t->object_path))
        return GS_OK;
    free(gs_store_keep(t->store, b->source, b->size, t->source_path, t->object_path, false));
    let_go(t, &work->batch);
    return gs_tier_give_up_compiler(t, GS_COMPILER_FAILED, err);
}

static gs_status compile_quickly(gs_tier *t, gs_batch *b, gs_error *err)
{
    if (gs_quick_request(t->quick, b->source, b->size)) {
        t->work[true].batch = *b;
        return GS_OK;
    }
    let_go(t, b);
    return give_up_quick(t, err);
}

gs_status gs_tier_translate(gs_tier *t, gs_batch *b, bool may_compile, gs_error *err)
{
    const unsigned steps = gs_batch_steps(b);
    const bool quick = b->quick;
    if (b->count == 0 || !gs_batch_has_numbers(b, t->fast) ||
        !gs_batch_write_source(b, &t->arena, t->machine, t->timing, t->fast,
                               t->observers.paths != NULL)) {
        gs_batch_close(b);
        return GS_OK;
    }
    t->translations++;
    char *object = quick ? NULL : gs_store_find(t->store, b->source, b->size);
    gs_status status = GS_OK;
    const bool loaded = object && load(t, b, object, &status, err);
    free(object);
    if (!loaded && may_compile) {
        t->work[quick].steps = steps;
        status = quick ? compile_quickly(t, b, err) : compile(t, b, err);
    } else if (!loaded)
        let_go(t, b);
    gs_tier_note_work(t, quick, steps);
    return status;
}

bool gs_tier_is_busy(const gs_tier *t, bool quick)
{
    return quick ? t->quick && gs_quick_is_busy(t->quick)
                 : t->compiler && gs_compiler_is_busy(t->compiler);
}

/* Loads the result of the host's compiler, if it has ended. */
static gs_status poll_optimizing(gs_tier *t, int milliseconds, gs_error *err)
{
    gs_tier_work *work = &t->work[false];
    gs_compiler_state state = gs_compiler_poll(t->compiler, milliseconds);
    if (state == GS_COMPILER_RUNS)
        return GS_OK;
    gs_tier_note_run(t);
    gs_payback_compiled(&t->payback, false, gs_compiler_cost(t->compiler), work->steps);
    char *object = gs_store_keep(t->store, work->batch.source, work->batch.size, t->source_path,
                                 t->object_path, state == GS_COMPILER_DONE);
    gs_status status = GS_OK;
    if (!object || !load(t, &work->batch, object, &status, err)) {
        let_go(t, &work->batch);
        status = gs_tier_give_up_compiler(t, state, err);
    }
    free(object);
    gs_tier_note_work(t, false, 0);
    return status;
}

/* The same for the quick compiler. */
static gs_status poll_quick(gs_tier *t, int milliseconds, gs_error *err)
{
    gs_tier_work *work = &t->work[true];
    gs_compiler_state state = gs_quick_poll(t->quick, milliseconds);
    if (state == GS_COMPILER_RUNS)
        return GS_OK;
    gs_tier_note_run(t);
    gs_payback_compiled(&t->payback, true, gs_quick_cost(t->quick), work->steps);
    gs_fast_function *const *functions =
        state == GS_COMPILER_DONE ? gs_quick_functions(t->quick, work->batch.count) : NULL;
    gs_status status = GS_OK;
    if (functions) {
        status = gs_tier_take(t, &work->batch, functions, err);
    } else {
        let_go(t, &work->batch);
        status = give_up_quick(t, err);
    }
    gs_tier_note_work(t, true, 0);
    return status;
}

static gs_status poll(gs_tier *t, bool quick, int milliseconds, gs_error *err)
{
    return quick ? poll_quick(t, milliseconds, err) : poll_optimizing(t, milliseconds, err);
}

gs_status gs_tier_poll(gs_tier *t, gs_error *err)
{
    gs_status status = gs_tier_is_busy(t, true) ? poll(t, true, 0, err) : GS_OK;
    return status == GS_OK && gs_tier_is_busy(t, false) ? poll(t, false, 0, err) : status;
}

gs_status gs_tier_wait(gs_tier *t, bool quick, gs_error *err)
{
    gs_status status = GS_OK;
    while (status == GS_OK && gs_tier_is_busy(t, quick)) {
        if (t->options->cancel && *t->options->cancel)
            return GS_OK;
        status = poll(t, quick, WAIT_MILLISECONDS, err);
        t->machine->compiling = gs_tier_is_busy(t, quick);
        if (t->options->progress && !quick)
            t->options->progress(t->options->progress_self, t->machine);
    }
    t->machine->compiling = false;
    return status;
}

void gs_tier_stop_compilers(gs_tier *t)
{
    if (gs_tier_is_busy(t, false)) {
        gs_compiler_cancel(t->compiler);
        free(gs_store_keep(t->store, t->work[false].batch.source, t->work[false].batch.size,
                           t->source_path, t->object_path, false));
    }
    gs_batch_close(&t->work[false].batch);
    gs_batch_close(&t->work[true].batch);
}
