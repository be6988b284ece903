/* Samples what runs, and decides from time to time whether code is worth translating. */
#include "engine/fast/tier/tier.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "engine/fast/tier/tier_parts.h"

/* In samples, each about 10 us of the reference engine's time. */
enum {
    FIRST_LOOK = 2048,        /* what ends before that is not worth a compiler */
    FIRST_LOOK_WAITING = 384, /* the same for `--engine fast` */
    NEXT_LOOK = 1024,
    NEXT_LOOK_WAITING = 2048,
    FIRST_LOOK_QUICK = 96, /* with the quick compiler */
    NEXT_LOOK_QUICK = 96,
    /* For functions entered in states that were not predicted. They run as they are meanwhile. */
    UNPREDICTED_WORTH = 8 * GS_FAST_UNPREDICTED_SAMPLE,
};
enum {
    SAMPLES_PER_READING = 64,  /* reading the clock takes a tenth of the time of a sample */
    ENTRIES_PER_READING = 128, /* and about that of an entry */
    LEAST_STEPS = 6,           /* instructions of a loop: fewer are not worth a scan */
    /* In instructions: what of quick code has to be executed before it is looked what is worth to
     * be optimized. */
    EXECUTED_LOOK = 1 << 22,
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

double gs_tier_elapsed(const gs_tier *t)
{
    return read_costs(t).seconds - t->payback.base;
}

static double compilers_elapsed(const gs_tier *t)
{
    return (gs_tier_is_busy(t, false) ? gs_compiler_elapsed(t->compiler) : 0) +
           (gs_tier_is_busy(t, true) ? gs_quick_elapsed(t->quick) : 0);
}

void gs_tier_note_run(gs_tier *t)
{
    if (t->limited)
        gs_payback_ran(&t->payback, read_costs(t), compilers_elapsed(t));
    t->since_reading = 0;
}

void gs_tier_note_work(gs_tier *t, bool quick, unsigned steps)
{
    if (t->limited)
        gs_payback_worked(&t->payback, read_costs(t), quick, steps);
}

bool gs_tier_rests(const gs_tier *t)
{
    return t->limited && gs_payback_rests(&t->payback, t->machine->hart.instret - t->begun_at);
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
    fputs(t->observers.crosses ? "dates\n" : "", to);
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
static void choose_first_scan(gs_tier *t)
{
    const char *after = getenv("GUMSHOE_TRANSLATE_AFTER");
    unsigned long wanted = after ? strtoul(after, NULL, 10) : 0;
    t->eager = wanted > 0 && wanted < UINT_MAX / 2;
    t->needed = t->eager   ? (unsigned)wanted
                : t->quick ? FIRST_LOOK_QUICK
                : t->waits ? FIRST_LOOK_WAITING
                           : FIRST_LOOK;
    t->executed_needed = t->eager ? (uint64_t)wanted * GS_TIER_SLICE : EXECUTED_LOOK;
}

/* Sets when the next scan takes place: a scan has a cost, too, so after one that found nothing
 * the next one comes later. */
static void choose_next_scan(gs_tier *t, bool found)
{
    if (t->eager)
        t->needed *= 2;
    else if (!t->quick)
        t->needed = t->waits ? NEXT_LOOK_WAITING : NEXT_LOOK;
    else if (found)
        t->needed = NEXT_LOOK_QUICK;
    else if (t->needed < NEXT_LOOK)
        t->needed *= 2;
}

static gs_status take_loops(gs_tier *t, gs_error *err);

/* Whether the fast engine can execute this run; if not, notes why not. */
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
        snprintf(why, size, "other cores are timed on the same instructions");
    else if (timing && timing->view)
        snprintf(why, size, "the pipeline is being drawn");
    else if (timing && !gs_automaton_fits(timing))
        snprintf(why, size, "the fast engine does not support the pipeline of this core");
    return !*why;
}

/* Whether there is all that the optimizing tier needs. */
static gs_status check_optimizing(gs_tier *t, const gs_compilers *compilers, gs_error *err)
{
    const char *why = compilers->no_store;
    if (!t->store)
        return gs_tier_give_up(t, err, "%s", why ? why : "out of memory");
    if ((t->waits || t->quick) && !gs_compiler_is_there())
        return gs_tier_give_up_compiler(t, GS_COMPILER_FAILED, err);
    return t->compiler ? GS_OK
                       : gs_tier_give_up(t, err, "no process can be started for the compiler");
}

static gs_status open_parts(gs_tier *t, gs_error *err)
{
    gs_status status = t->options->compilers ? GS_OK : gs_compilers_start(&t->own, err);
    if (status != GS_OK)
        return status;
    const gs_compilers *compilers = t->own ? t->own : t->options->compilers;
    t->store = compilers->store;
    t->compiler = compilers->optimizing;
    t->quick = compilers->quick;
    if (!gs_candidates_open(&t->candidates))
        return gs_fail_no_memory(err);
    t->candidates.barriers = t->barriers;
    t->candidates.barrier_count =
        t->options->region ? gs_region_stops(t->options->region, t->barriers) : 0;
    if (compilers->tiers[false])
        return check_optimizing(t, compilers, err);
    t->broken = true;
    return t->quick ? GS_OK
                    : gs_tier_give_up(t, err, "gumshoe-quickcc is not there, or cannot run");
}

gs_status gs_tier_open(gs_tier **out, gs_machine *machine, const gs_run_options *options,
                       gs_error *err)
{
    gs_bulk_group observers;
    *out = NULL;
    machine->reference_reason[0] = machine->optimizer_reason[0] = '\0';
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
    gs_payback_begin(&t->payback, read_costs(t));
    t->code_changes = machine->memory.code_changes;
    gs_status status = open_parts(t, err);
    bool usable = status == GS_OK && (!t->broken || t->quick);
    choose_first_scan(t);
    t->limited = !t->waits && !t->eager;
    if (usable) {
        status = gs_fast_open(&t->fast, machine, options->timing, &t->observers, err);
        usable = status == GS_OK && t->fast;
        if (status == GS_OK && !t->fast)
            snprintf(machine->reference_reason, sizeof machine->reference_reason,
                     "the fast engine does not support caches like those of this core");
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
    gs_tier_note_work(t, false, 0);
    *out = t;
    return GS_OK;
}

void gs_tier_free(gs_tier *t)
{
    if (!t)
        return;
    gs_tier_stop_compilers(t);
    gs_plan_close(t);
    gs_fast_free(t->fast);
    gs_tier_unload_all(t);
    if (t->own)
        gs_compilers_stop(t->own);
    else if (t->options->compilers)
        gs_compilers_rest(t->options->compilers);
    gs_candidates_close(&t->candidates);
    free(t->wanted.items);
    free(t->loops.items);
    gs_arena_free(&t->arena);
    free(t);
}

const char *gs_tier_cache(const gs_tier *t)
{
    return t->store ? gs_store_directory(t->store) : NULL;
}

gs_fast_engine *gs_tier_fast(gs_tier *t)
{
    return t->fast;
}

/* When there is more code, the states in which functions are entered may be better known. */
static void sample_entries(gs_tier *t)
{
    t->unpredicted = gs_fast_unpredicted(t->fast);
    for (size_t i = 0; i < t->candidates.count; i++) {
        gs_candidate *c = t->candidates.items[i];
        if (c->code && c->by[c->code->quick].tries == 0)
            c->samples +=
                (unsigned)(gs_fast_take_unpredicted(t->fast, c->code) / UNPREDICTED_WORTH);
    }
}

static bool has_quick(const gs_tier *t)
{
    return t->quick && !t->quick_broken;
}

/* Whether a tier's compiler can be given work now. */
static bool is_free(const gs_tier *t, bool quick)
{
    return (quick ? has_quick(t) : !t->broken) && !gs_tier_is_busy(t, quick);
}

/* How many instructions can be compiled before the run ends, by an estimate: it is taken to be as
 * long as the last one, or, when that is over, twice as long as it is now. */
static unsigned steps_left(const gs_tier *t, bool quick)
{
    const double elapsed = gs_tier_elapsed(t);
    if (quick || !has_quick(t) || t->eager || t->last_run <= 0)
        return UINT_MAX;
    const double left = elapsed < t->last_run ? t->last_run - elapsed : elapsed;
    return gs_payback_steps(&t->payback, quick, left);
}

/* Looks for code that is worth translating by a tier. Waiting for the optimizing compiler is
 * worth it only if there is no other. */
static gs_status scan(gs_tier *t, bool quick, gs_error *err)
{
    gs_batch b;
    gs_tier_note_run(t);
    const double slack = gs_payback_slack(&t->payback, compilers_elapsed(t));
    if (t->limited && is_free(t, false) && !gs_tier_is_busy(t, true) &&
        gs_plan_may_follow(t, slack))
        return gs_plan_follow(t, err);
    const unsigned payable = t->limited ? gs_payback_steps(&t->payback, quick, slack) : UINT_MAX;
    const unsigned left = steps_left(t, quick), limit = payable < left ? payable : left;
    if (limit < LEAST_STEPS)
        return GS_OK;
    sample_entries(t);
    if (!gs_tier_choose(t, &b, quick, limit)) {
        gs_batch_close(&b);
        return gs_fail_no_memory(err);
    }
    gs_status status = gs_tier_translate(t, &b, true, err);
    gs_tier_note_work(t, quick, 0);
    const bool waits = t->waits && (quick || t->eager || !has_quick(t));
    return status == GS_OK && waits ? gs_tier_wait(t, quick, err) : status;
}

/* Counts a sample at `pc` if that is not translated. False: it is. */
static bool sample(gs_tier *t, gs_addr pc)
{
    gs_candidate *c = gs_tier_candidate(t, pc);
    const bool lacks = c && gs_candidate_lacks(c, pc);
    if (lacks)
        c->samples++;
    return lacks;
}

gs_status gs_tier_sample(gs_tier *t, gs_addr from, gs_addr to, gs_error *err)
{
    /* Translated code was left for the code at `pc`, which is what not translating that costs;
     * if it is translated as well, and only cannot be entered there, the cost is that of the
     * code behind it. */
    if (!sample(t, from))
        (void)sample(t, to);
    t->samples++;
    if (++t->since_reading >= SAMPLES_PER_READING) {
        gs_tier_note_run(t);
        gs_status status = gs_tier_poll(t, err);
        if (status != GS_OK)
            return status;
    }
    if (t->samples < t->needed || !is_free(t, has_quick(t)))
        return GS_OK;
    const unsigned before = t->translations;
    t->samples = 0;
    gs_status status = scan(t, has_quick(t), err);
    choose_next_scan(t, t->translations != before);
    return status;
}

/* Counts a sample after translated code has run; control is at `pc` now. */
static gs_status note_executed(gs_tier *t, gs_addr pc, gs_error *err)
{
    const uint64_t now = t->machine->translated;
    t->uncounted += now - t->counted;
    t->counted = now;
    if (!gs_fast_slice_ended(t->fast))
        return GS_OK;
    gs_candidate *c = gs_tier_candidate(t, pc);
    if (c && c->code && c->code->quick) {
        c->executed += t->uncounted;
        t->executed += t->uncounted;
    }
    t->uncounted = 0;
    gs_status status = gs_tier_poll(t, err); /* translated code may run from now on, without
                                                further samples */
    if (status != GS_OK || t->executed < t->executed_needed || !is_free(t, false))
        return status;
    t->executed = 0;
    t->executed_needed = t->eager ? 2 * t->executed_needed : EXECUTED_LOOK;
    return scan(t, false, err);
}

/* Takes over the loops that the observer of call paths has found. */
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
    gs_tier_check_loops(t);
    return GS_OK;
}

gs_status gs_tier_check_code(gs_tier *t, gs_error *err)
{
    gs_status status = GS_OK;
    t->entries += t->loaded.count > 0;
    if (t->entries > 0 && t->entries % ENTRIES_PER_READING == 0) {
        gs_tier_note_run(t);
        status = gs_tier_poll(t, err);
    }
    if (t->code_changes != t->machine->memory.code_changes) {
        t->code_changes = t->machine->memory.code_changes;
        t->payback.changing = true;
        gs_tier_check_changes(t);
    }
    if (status == GS_OK)
        status = note_executed(t, t->machine->hart.pc, err);
    if (status == GS_OK && is_free(t, has_quick(t)) &&
        gs_fast_unpredicted(t->fast) - t->unpredicted >= (uint64_t)UNPREDICTED_WORTH * NEXT_LOOK)
        status = scan(t, has_quick(t), err);
    return status == GS_OK ? take_loops(t, err) : status;
}
