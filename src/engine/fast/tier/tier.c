/*
 * Samples the reference engine, has hot code translated, and takes translations into and out of
 * use.
 */
#include "engine/fast/tier/tier.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "engine/fast/tier/tier_parts.h"
#include "engine/fast/translate/loops.h"

/* In samples, each about 10 us of the reference engine's time. */
enum {
    FIRST_LOOK = 2048,        /* what has ended by then was not worth a compiler */
    FIRST_LOOK_WAITING = 384, /* the same for `--engine fast` */
    NEXT_LOOK = 1024,
    NEXT_LOOK_WAITING = 2048,
    /* Entering functions in states that are not known, that is: they run as they are. */
    UNPREDICTED_WORTH = 8 * GS_FAST_UNPREDICTED_SAMPLE,
};
enum {
    SAMPLES_PER_READING = 64,  /* reading the clock takes a tenth of the time of a sample */
    ENTRIES_PER_READING = 128, /* and about that of an entry */
    WAIT_MILLISECONDS = 200,   /* for the compiler, before progress is shown */
    MAX_TRIES = 8,             /* to translate a function again when more of it is reached, */
    MAX_LOOPS = 32,            /* or turns out to have loops */
};

/* -- what it costs ------------------------------------------------------------------------------
 */

static gs_reading read_costs(const gs_tier *t)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (gs_reading){
        .seconds = (double)now.tv_sec + (double)now.tv_nsec * 1e-9,
        .instructions = t->machine->hart.instret - t->begun_at,
        .entries = t->entries,
    };
}

static double compiler_elapsed(const gs_tier *t)
{
    return gs_compiler_is_busy(t->compiler) ? gs_compiler_elapsed(t->compiler) : 0;
}

/* Only the program has run since the last reading. */
static void note_run(gs_tier *t)
{
    if (t->limited)
        gs_payback_ran(&t->payback, read_costs(t), compiler_elapsed(t));
    t->since_reading = 0;
}

static void note_work(gs_tier *t, unsigned steps)
{
    if (t->limited)
        gs_payback_worked(&t->payback, read_costs(t), steps);
}

bool gs_tier_rests(const gs_tier *t)
{
    return t->limited && gs_payback_rests(&t->payback, t->machine->hart.instret - t->begun_at);
}

/* -- translations in use ------------------------------------------------------------------------
 */

static bool is_unchanged(const gs_tier *t, const gs_code *code)
{
    return gs_code_is_unchanged(code, t->machine);
}

static bool knows_loops(const gs_tier *t, const gs_code *code)
{
    return gs_code_knows_loops(code, t->loops.items, t->loops.count) &&
           (!t->observers.paths || gs_loops_hold(code, &t->observers));
}

/* Takes code of a batch out of use that is not what it was, or has a loop it does not know of. */
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
            c->done = loops ? ++c->looped >= MAX_LOOPS : ++c->tries >= MAX_TRIES;
        }
    }
}

static void check_all(gs_tier *t, bool (*is_good)(const gs_tier *t, const gs_code *code),
                      bool loops)
{
    for (size_t i = 0; i < t->loaded.count; i++)
        check_batch(t, &t->loaded.items[i], is_good, loops);
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

/* What has been translated of some functions so far makes room for something better. */
static void replace(gs_tier *t, const gs_batch *by)
{
    for (size_t i = 0; i < by->count; i++) {
        gs_candidate *c = gs_tier_candidate(t, by->codes[i].low);
        gs_batch *b = c->code ? batch_of(t, c->code) : NULL;
        if (b && c->code->count > 0)
            gs_batch_unload(b, t->fast, &b->codes[c->code - b->codes]);
        c->code = &by->codes[i];
        c->done = c->tries >= MAX_TRIES;
        c->samples = 0;
    }
}

/* Takes an object into use, and the batch over. False if it cannot be used: then it goes from the
 * store, and nothing else has happened. */
static bool load(gs_tier *t, gs_batch *b, const char *path, gs_status *status, gs_error *err)
{
    gs_fast_function **functions = gs_batch_open_object(b, path);
    if (!functions) {
        gs_store_drop(t->store, b->source, b->size);
        return false;
    }
    replace(t, b);
    *status = gs_fast_add(t->fast, b->codes, functions, b->count, err);
    gs_plan_add(t, b);
    free(b->source);
    b->source = NULL;
    if (*status == GS_OK && !gs_vec_push(&t->loaded, *b))
        *status = gs_fail_no_memory(err);
    *b = (gs_batch){0};
    /* It may not be the same program any more that has been compiled. */
    if (*status == GS_OK) {
        gs_batch *added = &t->loaded.items[t->loaded.count - 1];
        check_batch(t, added, is_unchanged, false);
        check_batch(t, added, knows_loops, true);
    }
    free(functions);
    return true;
}

/* There will be no more translations. It is an error where there is none at all, and nothing else
 * would do. */
static gs_status give_up(gs_tier *t, gs_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static gs_status give_up(gs_tier *t, gs_error *err, const char *format, ...)
{
    char why[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    t->broken = true;
    if (t->waits && t->loaded.count == 0)
        return gs_fail(err, GS_E_UNSUPPORTED, "cannot use the fast engine: %s", why);
    gs_machine_add_note(t->machine, "code was not translated: %s", why);
    return GS_OK;
}

static gs_status give_up_compiler(gs_tier *t, gs_compiler_state state, gs_error *err)
{
    if (state == GS_COMPILER_TOO_SLOW)
        return give_up(t, err,
                       "the compiler '%s' had not ended after %u s; set GUMSHOE_CC to another one, "
                       "or GUMSHOE_CC_SECONDS to a longer time",
                       gs_compiler_command(), gs_compiler_time_limit());
    return give_up(t, err,
                   "the compiler '%s' does not work here; set GUMSHOE_CC, or expect a slower run "
                   "with the same result",
                   gs_compiler_command());
}

/* -- compiling ----------------------------------------------------------------------------------
 */

/* It is not translated after all; it may be another time. */
static void let_go(gs_tier *t, gs_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        gs_candidate *c = gs_tier_candidate(t, b->codes[i].low);
        if (c)
            c->done = false;
    }
    gs_batch_close(b);
}

static gs_status compile(gs_tier *t, gs_batch *b, gs_error *err)
{
    t->pending = *b;
    if (!gs_store_write(t->store, b->source, b->size, &t->source_path, &t->object_path)) {
        gs_batch_close(&t->pending);
        return give_up(t, err, "the cache cannot be written");
    }
    if (gs_compiler_request(t->compiler, t->source_path, t->object_path))
        return GS_OK;
    free(gs_store_keep(t->store, b->source, b->size, t->source_path, t->object_path, false));
    gs_batch_close(&t->pending);
    return give_up_compiler(t, GS_COMPILER_FAILED, err);
}

gs_status gs_tier_translate(gs_tier *t, gs_batch *b, bool may_compile, gs_error *err)
{
    unsigned steps = 0;
    for (size_t i = 0; i < b->count; i++)
        steps += gs_code_steps(&b->codes[i]);
    if (b->count == 0 || !gs_batch_has_numbers(b, t->fast) ||
        !gs_batch_write_source(b, &t->arena, t->machine, t->timing, t->fast,
                               t->observers.paths != NULL)) {
        gs_batch_close(b);
        return GS_OK;
    }
    char *object = gs_store_find(t->store, b->source, b->size);
    gs_status status = GS_OK;
    bool loaded = object && load(t, b, object, &status, err);
    free(object);
    if (!loaded && may_compile) {
        t->pending_steps = steps;
        status = compile(t, b, err);
    } else if (!loaded)
        let_go(t, b);
    note_work(t, steps);
    return status;
}

/* Takes what the compiler has made into use, if it has ended. */
static gs_status poll_compiler(gs_tier *t, int milliseconds, gs_error *err)
{
    gs_compiler_state state = gs_compiler_poll(t->compiler, milliseconds);
    if (state == GS_COMPILER_RUNS)
        return GS_OK;
    note_run(t);
    gs_payback_compiled(&t->payback, gs_compiler_cost(t->compiler), t->pending_steps);
    char *object = gs_store_keep(t->store, t->pending.source, t->pending.size, t->source_path,
                                 t->object_path, state == GS_COMPILER_DONE);
    gs_status status = GS_OK;
    if (!object || !load(t, &t->pending, object, &status, err)) {
        gs_batch_close(&t->pending);
        status = give_up_compiler(t, state, err);
    }
    free(object);
    note_work(t, 0);
    return status;
}

gs_status gs_tier_wait(gs_tier *t, gs_error *err)
{
    gs_status status = GS_OK;
    while (status == GS_OK && gs_compiler_is_busy(t->compiler)) {
        if (t->options->cancel && *t->options->cancel)
            return GS_OK;
        status = poll_compiler(t, WAIT_MILLISECONDS, err);
        t->machine->compiling = gs_compiler_is_busy(t->compiler);
        if (t->options->progress)
            t->options->progress(t->options->progress_self, t->machine);
    }
    t->machine->compiling = false;
    return status;
}

/* -- life ---------------------------------------------------------------------------------------
 */

/* The program as it stands in memory, the core, and the machine it runs on. */
static gs_store_name name_of_run(const gs_tier *t)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    gs_store_name none = {{0}};
    if (!to)
        return none;
    const gs_memory *memory = &t->machine->memory;
    fprintf(to, "%s\n%" PRIx64 " %d%s\n", t->timing ? t->timing->core->yaml : "",
            t->machine->extensions, memory->big_endian, t->observers.paths ? " paths" : "");
    for (size_t i = 0; i < t->candidates.barrier_count; i++)
        fprintf(to, "without %" PRIx32 "\n", t->barriers[i]);
    for (size_t i = 0; i < gs_image_function_count(t->machine->image); i++) {
        const gs_function *f = gs_image_function(t->machine->image, i);
        if (gs_memory_allows(memory, (gs_addr)f->start, f->end - f->start, GS_PROT_EXEC))
            fwrite(memory->bytes + f->start, 1, f->end - f->start, to);
    }
    bool ok = fclose(to) == 0;
    gs_store_name name = ok ? gs_store_name_of(text, size) : none;
    free(text);
    return name;
}

/* Tests want translated code early, and at times of their own. */
static void choose_first_look(gs_tier *t)
{
    const char *after = getenv("GUMSHOE_TRANSLATE_AFTER");
    unsigned long wanted = after ? strtoul(after, NULL, 10) : 0;
    t->eager = wanted > 0 && wanted < UINT_MAX / 2;
    t->needed = t->eager ? (unsigned)wanted : t->waits ? FIRST_LOOK_WAITING : FIRST_LOOK;
}

static gs_status take_loops(gs_tier *t, gs_error *err);

/* Whether the fast engine can do this run; if not, notes why not. */
static bool can_translate(gs_machine *machine, const gs_run_options *options,
                          gs_bulk_group *observers)
{
    const gs_timing *timing = options->timing;
    char *why = machine->reference_reason;
    const size_t size = sizeof machine->reference_reason;
    if (!gs_bulk_group_init(observers, options->observers, options->observer_count, timing, why,
                            size))
        return false;
    if (options->follower_count > 0)
        snprintf(why, size, "other cores follow the same instructions");
    else if (timing && timing->view)
        snprintf(why, size, "the pipeline is being drawn");
    else if (timing && !gs_automaton_fits(timing))
        snprintf(why, size, "the fast engine does not know the pipeline of this core");
    return !*why;
}

/* The cache, and the process that starts compilers. */
static gs_status open_parts(gs_tier *t, gs_error *err)
{
    const char *why;
    if (!gs_candidates_open(&t->candidates))
        return gs_fail_no_memory(err);
    t->candidates.barriers = t->barriers;
    t->candidates.barrier_count =
        t->options->region ? gs_region_stops(t->options->region, t->barriers) : 0;
    t->store = gs_store_open(&why);
    if (!t->store)
        return give_up(t, err, "%s", why ? why : "out of memory");
    if (t->waits && !gs_compiler_is_there())
        return give_up_compiler(t, GS_COMPILER_FAILED, err);
    t->compiler = gs_compiler_start();
    return t->compiler ? GS_OK : give_up(t, err, "no process can be started for the compiler");
}

gs_status gs_tier_open(gs_tier **out, gs_machine *machine, const gs_run_options *options,
                       gs_error *err)
{
    gs_bulk_group observers;
    *out = NULL;
    machine->reference_reason[0] = '\0';
    if (options->engine == GS_ENGINE_REFERENCE || !can_translate(machine, options, &observers))
        return GS_OK;
    gs_tier *t = calloc(1, sizeof *t);
    if (!t)
        return gs_fail_no_memory(err);
    t->machine = machine;
    t->options = options;
    t->timing = options->timing;
    t->observers = observers;
    t->waits = options->engine == GS_ENGINE_FAST;
    t->begun_at = machine->hart.instret;
    choose_first_look(t);
    t->limited = !t->waits && !t->eager;
    gs_payback_begin(&t->payback, read_costs(t));
    t->code_changes = machine->memory.code_changes;
    gs_status status = open_parts(t, err);
    bool usable = status == GS_OK && !t->broken;
    if (usable) {
        status = gs_fast_open(&t->fast, machine, options->timing, &t->observers, err);
        usable = status == GS_OK && t->fast;
        if (status == GS_OK && !t->fast)
            snprintf(machine->reference_reason, sizeof machine->reference_reason,
                     "the fast engine does not know caches like those of this core");
    }
    if (usable) {
        t->plan_name = name_of_run(t);
        status = take_loops(t, err);
    }
    if (usable && status == GS_OK)
        status = gs_plan_open(t, err);
    if (status != GS_OK || !usable) {
        gs_tier_free(t);
        return status;
    }
    note_work(t, 0);
    *out = t;
    return GS_OK;
}

void gs_tier_free(gs_tier *t)
{
    if (!t)
        return;
    const bool busy = t->compiler && gs_compiler_is_busy(t->compiler);
    gs_compiler_stop(t->compiler);
    if (busy) {
        free(gs_store_keep(t->store, t->pending.source, t->pending.size, t->source_path,
                           t->object_path, false));
        gs_batch_close(&t->pending);
    }
    gs_plan_close(t);
    gs_fast_free(t->fast);
    for (size_t i = 0; i < t->loaded.count; i++) {
        dlclose(t->loaded.items[i].object);
        gs_batch_close(&t->loaded.items[i]);
    }
    gs_candidates_close(&t->candidates);
    free(t->wanted.items);
    free(t->loops.items);
    free(t->loaded.items);
    gs_store_free(t->store);
    gs_arena_free(&t->arena);
    free(t);
}

const char *gs_tier_cache(const gs_tier *t)
{
    return gs_store_directory(t->store);
}

gs_fast_engine *gs_tier_fast(gs_tier *t)
{
    return t->fast;
}

/* Once there is more code, it may be known better how functions are entered. */
static void sample_entries(gs_tier *t)
{
    t->unpredicted = gs_fast_unpredicted(t->fast);
    for (size_t i = 0; i < t->candidates.count; i++) {
        gs_candidate *c = t->candidates.items[i];
        if (c->code && c->tries == 0)
            c->samples +=
                (unsigned)(gs_fast_take_unpredicted(t->fast, c->code) / UNPREDICTED_WORTH);
    }
}

/* Looks what is worth to be translated. */
static gs_status look(gs_tier *t, gs_error *err)
{
    gs_batch b;
    note_run(t);
    const double slack = gs_payback_slack(&t->payback, 0);
    t->samples = 0;
    t->needed = t->eager ? 2 * t->needed : t->waits ? NEXT_LOOK_WAITING : NEXT_LOOK;
    if (t->limited && gs_plan_may_follow(t, slack))
        return gs_plan_follow(t, err);
    const unsigned limit = t->limited ? gs_payback_steps(&t->payback, slack) : UINT_MAX;
    if (limit == 0)
        return GS_OK;
    sample_entries(t);
    if (!gs_tier_choose(t, &b, limit)) {
        gs_batch_close(&b);
        return gs_fail_no_memory(err);
    }
    gs_status status = gs_tier_translate(t, &b, true, err);
    note_work(t, 0);
    return status == GS_OK && t->waits ? gs_tier_wait(t, err) : status;
}

gs_status gs_tier_sample(gs_tier *t, gs_addr pc, gs_error *err)
{
    gs_candidate *c = gs_tier_candidate(t, pc);
    if (c && gs_candidate_lacks(c, pc))
        c->samples++;
    t->samples++;
    if (++t->since_reading >= SAMPLES_PER_READING) {
        note_run(t);
        if (gs_compiler_is_busy(t->compiler))
            return poll_compiler(t, 0, err);
    }
    if (t->broken || gs_compiler_is_busy(t->compiler) || t->samples < t->needed)
        return GS_OK;
    return look(t, err);
}

/* Takes over the loops that the observer of call paths has come to know of. */
static gs_status take_loops(gs_tier *t, gs_error *err)
{
    const gs_path_observer *paths = t->observers.paths;
    void *self = t->observers.paths_self;
    if (!paths || !gs_fast_take_loops(t->fast))
        return GS_OK;
    const size_t count = paths->view(self).loop_count;
    for (size_t i = t->loops.count; i < count; i++) {
        if (!gs_vec_push(&t->loops, paths->loop_header(self, i)))
            return gs_fail_no_memory(err);
    }
    check_all(t, knows_loops, true);
    return GS_OK;
}

gs_status gs_tier_check_code(gs_tier *t, gs_error *err)
{
    t->entries += t->loaded.count > 0;
    if (t->entries > 0 && t->entries % ENTRIES_PER_READING == 0) {
        note_run(t);
        if (gs_compiler_is_busy(t->compiler)) {
            gs_status status = poll_compiler(t, 0, err); /* there may be no sample any more */
            if (status != GS_OK)
                return status;
        }
    }
    if (t->code_changes != t->machine->memory.code_changes) {
        t->code_changes = t->machine->memory.code_changes;
        t->payback.changing = true;
        check_all(t, is_unchanged, false);
    }
    if (!t->broken && !gs_compiler_is_busy(t->compiler) &&
        gs_fast_unpredicted(t->fast) - t->unpredicted >= (uint64_t)UNPREDICTED_WORTH * NEXT_LOOK) {
        gs_status status = look(t, err);
        if (status != GS_OK)
            return status;
    }
    return take_loops(t, err);
}
