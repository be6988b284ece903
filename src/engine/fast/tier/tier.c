#include "engine/fast/tier/tier.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/fast/tier/batch.h"
#include "engine/fast/tier/candidate.h"
#include "engine/fast/tier/compiler.h"
#include "engine/fast/translate/loops.h"
#include "engine/fast/tier/store.h"

/* In samples, each about 10 us of the reference engine's time. The compiler takes some 50 of them
 * for an instruction of the guest, and some thousands to start with. */
enum {
    FIRST_LOOK = 4096,        /* 40 ms: what has ended by then was not worth a compiler */
    FIRST_LOOK_WAITING = 384, /* the same for who wants translated code at any price */
    NEXT_LOOK = 2048,
    STEP_WORTH = 2, /* of an instruction that is translated: most programs go on for long */
    /* Entering functions in states that are not known, that is: they run as they are. */
    UNPREDICTED_WORTH = 8 * GS_FAST_UNPREDICTED_SAMPLE,
};
enum {
    MAX_BATCH_STEPS = 600, /* instructions translated at once: half a second of the compiler */
    SMALL_FUNCTION = 32,   /* instructions; to call one that is not translated takes as long */
    MAX_TRIES = 8,         /* to translate a function again when more of it is reached, */
    MAX_LOOPS = 32,        /* or turns out to have loops */
};

struct gs_tier {
    gs_machine *machine;
    gs_timing *timing;
    gs_bulk_group observers;
    gs_fast_engine *fast;
    gs_store *store;
    bool waits;  /* for the compiler, instead of going on without */
    bool eager;  /* everything is worth to be translated */
    bool broken; /* the compiler is not there or does not work */
    gs_arena arena;
    gs_candidates candidates;
    struct {
        gs_addr *items;
        size_t count, capacity;
    } loops;                  /* that are of interest, by number */
    unsigned samples, needed; /* since the last look, and for the next one */
    uint64_t unpredicted;     /* entries, as of the last look */
    unsigned patience;        /* samples to go on for without the translation that is being made */
    uint32_t code_changes;
    gs_compiler_job job;
    char *source_path, *object_path;
    gs_batch pending; /* being compiled */
    struct {
        gs_batch *items;
        size_t count, capacity;
    } loaded;
    gs_store_name plan_name;
    struct {
        char *items;
        size_t count, capacity;
    } plan;              /* what has been translated so far, for the next run */
    size_t plan_pointed; /* how many of gs_fast_pointed() it has */
};

static gs_candidate *candidate_for(gs_tier *t, gs_addr pc)
{
    return gs_candidates_at(&t->candidates, t->machine->image, pc);
}

/* -- batches ------------------------------------------------------------------------------------
 */

/* Whether what the reference engine has spent on it justifies the compiler. */
static bool is_worth_it(const gs_tier *t, const gs_candidate *c)
{
    return c->samples > 0 && !c->done &&
           (t->eager || c->samples / STEP_WORTH >= gs_candidate_size(c, t->machine));
}

/* Wants what a function calls as well, if that is called so often that it was seen, or so short
 * that it may be. */
static void want_callees(gs_tier *t, const gs_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            gs_addr goal = s->exits[k].goal;
            bool leaves = goal < code->low || goal >= code->high;
            bool says =
                s->exits[k].kind == GS_SB_EXIT_CALL || s->exits[k].kind == GS_SB_EXIT_ONWARD;
            gs_candidate *c =
                says && leaves && gs_was_executed(t->machine, goal) ? candidate_for(t, goal) : NULL;
            if (c && !c->done && !c->code &&
                (t->eager || gs_candidate_size(c, t->machine) <= SMALL_FUNCTION + c->samples))
                c->wanted = true;
        }
    }
}

static bool add_to_batch(gs_tier *t, gs_batch *b, gs_candidate *c, unsigned *steps)
{
    gs_code code;
    c->tries += c->code != NULL;
    c->samples = 0;
    c->wanted = false;
    c->done = true; /* or not possible */
    if (!gs_candidate_choose_code(c, &code, &t->arena, t->machine, t->timing, t->loops.items,
                                  t->loops.count) ||
        (t->observers.paths && !gs_loops_find(&code, &t->arena, &t->observers)))
        return false;
    *steps += gs_code_steps(&code);
    if (code.count == 0)
        return true;
    b->codes[b->count++] = code;
    want_callees(t, &code);
    return true;
}

static int by_samples(const void *a, const void *b)
{
    unsigned x = ((const gs_candidate *)a)->samples, y = ((const gs_candidate *)b)->samples;
    return (x < y) - (x > y);
}

/* The hottest functions that are not translated, and what they call; none if it is too early. */
static bool choose_batch(gs_tier *t, gs_batch *b)
{
    enum { ROOM = 1024 };
    unsigned steps = 0, spent = 0;
    if (!gs_batch_open(b, ROOM))
        return false;
    for (size_t i = 0; i < t->candidates.count; i++)
        spent += is_worth_it(t, &t->candidates.items[i]) ? t->candidates.items[i].samples : 0;
    if (spent < t->needed / 2 && !t->eager)
        return true;
    t->patience = spent / 2;
    if (t->candidates.count > 1)
        qsort(t->candidates.items, t->candidates.count, sizeof *t->candidates.items, by_samples);
    for (size_t i = 0; i < t->candidates.count && steps < MAX_BATCH_STEPS; i++) {
        gs_candidate *c = &t->candidates.items[i];
        if (is_worth_it(t, c) && !add_to_batch(t, b, c, &steps))
            return false;
    }
    /* candidates may grow on the way */
    for (size_t i = 0; i < t->candidates.count && steps < MAX_BATCH_STEPS && b->count < ROOM; i++) {
        if (t->candidates.items[i].wanted && !t->candidates.items[i].done) {
            if (!add_to_batch(t, b, &t->candidates.items[i], &steps))
                return false;
            i = (size_t)-1; /* from the start: it may want some before it */
        }
    }
    return true;
}

static void note_plan(gs_tier *t, const char *text)
{
    for (; *text; text++)
        (void)gs_vec_push(&t->plan, *text);
}

/* One line per batch: functions and, for each, where control comes in and where it is not followed.
 * Before them, if there are more than before, who is called through pointers. */
static void add_to_plan(gs_tier *t, const gs_batch *b)
{
    char text[32];
    for (const size_t before = t->plan_pointed; t->plan_pointed < b->pointed; t->plan_pointed++) {
        snprintf(text, sizeof text, "%s%" PRIx32, t->plan_pointed == before ? "*" : ",",
                 gs_fast_pointed(t->fast)->items[t->plan_pointed]);
        note_plan(t, text);
        if (t->plan_pointed + 1 == b->pointed)
            note_plan(t, " ");
    }
    for (size_t i = 0; i < b->count; i++) {
        const gs_candidate *c = candidate_for(t, b->codes[i].low);
        for (size_t k = 0; k < c->seeds.count; k++) {
            snprintf(text, sizeof text, "%s%" PRIx32, k ? "," : i ? " " : "", c->seeds.items[k]);
            note_plan(t, text);
        }
        for (size_t k = 0; k < c->stops.count; k++) {
            snprintf(text, sizeof text, "%s%" PRIx32, k ? "," : "/", c->stops.items[k]);
            note_plan(t, text);
        }
    }
    note_plan(t, "\n");
}

static bool is_unchanged(const gs_tier *t, const gs_code *code)
{
    return gs_code_is_unchanged(code, t->machine);
}

static bool knows_loops(const gs_tier *t, const gs_code *code)
{
    return gs_code_knows_loops(code, t->loops.items, t->loops.count) &&
           (!t->observers.paths || gs_loops_hold(code, &t->observers));
}

/* Takes code out of use that is not what it was, or has a loop it does not know of. */
static void drop_outdated(gs_tier *t, bool (*is_good)(const gs_tier *t, const gs_code *code),
                          bool loops)
{
    for (size_t i = 0; i < t->loaded.count; i++) {
        gs_batch *b = &t->loaded.items[i];
        for (size_t k = 0; k < b->count; k++) {
            gs_code *code = &b->codes[k];
            if (code->count == 0 || is_good(t, code)) {
                gs_fast_decode(t->fast, code);
                continue;
            }
            gs_batch_unload(b, t->fast, code);
            gs_candidate *c = candidate_for(t, code->low);
            if (c) {
                c->code = NULL; /* it may stay as it is now */
                c->done = loops ? ++c->looped >= MAX_LOOPS : ++c->tries >= MAX_TRIES;
            }
        }
    }
}

/* What has been translated of some functions so far makes room for something better. */
static void replace(gs_tier *t, const gs_batch *by)
{
    for (size_t i = 0; i < t->loaded.count; i++) {
        gs_batch *b = &t->loaded.items[i];
        for (size_t k = 0; k < b->count; k++) {
            for (size_t n = 0; n < by->count && b->codes[k].count > 0; n++) {
                if (by->codes[n].low == b->codes[k].low)
                    gs_batch_unload(b, t->fast, &b->codes[k]);
            }
        }
    }
    for (size_t i = 0; i < by->count; i++) {
        gs_candidate *c = candidate_for(t, by->codes[i].low);
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
    add_to_plan(t, b);
    free(b->source);
    b->source = NULL;
    if (*status == GS_OK && !gs_vec_push(&t->loaded, *b))
        *status = gs_fail_no_memory(err);
    *b = (gs_batch){0};
    /* It may not be the same program any more that has been compiled. */
    if (*status == GS_OK) {
        drop_outdated(t, is_unchanged, false);
        drop_outdated(t, knows_loops, true);
    }
    free(functions);
    return true;
}

static void give_up(gs_tier *t)
{
    t->broken = true;
    gs_machine_add_note(t->machine,
                        "code was not translated: the compiler '%s' does not work here; set "
                        "GUMSHOE_CC, or expect a slower run with the same result",
                        gs_compiler_command());
}

/* Has a batch translated, by the compiler or by an earlier run. Takes it over. */
static gs_status start(gs_tier *t, gs_batch *b, gs_error *err)
{
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
    if (loaded)
        return status;
    t->pending = *b;
    if (!gs_store_write(t->store, b->source, b->size, &t->source_path, &t->object_path)) {
        gs_batch_close(&t->pending);
        t->broken = true;
        gs_machine_add_note(t->machine, "code was not translated: the cache cannot be written");
        return GS_OK;
    }
    if (!gs_compiler_start(&t->job, t->source_path, t->object_path)) {
        free(gs_store_keep(t->store, b->source, b->size, t->source_path, t->object_path, false));
        gs_batch_close(&t->pending);
        give_up(t);
    }
    return GS_OK;
}

/* Once patience has run out, the compiler is waited for: translated code does in no time what the
 * reference engine would have done meanwhile. */
static gs_status poll_compiler(gs_tier *t, gs_error *err)
{
    gs_compiler_state state = gs_compiler_poll(&t->job, t->patience == 0);
    if (state == GS_COMPILER_RUNS)
        return GS_OK;
    char *object = gs_store_keep(t->store, t->pending.source, t->pending.size, t->source_path,
                                 t->object_path, state == GS_COMPILER_DONE);
    if (!object) {
        gs_batch_close(&t->pending);
        give_up(t);
        return GS_OK;
    }
    gs_status status = GS_OK;
    if (!load(t, &t->pending, object, &status, err)) {
        gs_batch_close(&t->pending);
        give_up(t);
    }
    free(object);
    return status;
}

/* -- plans ----------------------------------------------------------------------------------------
 */

/* Numbers with commas between them; returns what follows. */
static const char *read_list(gs_candidate *c, const char *text,
                             bool (*add)(gs_candidate *c, gs_addr pc))
{
    char *end;
    do {
        add(c, (gs_addr)strtoul(text, &end, 16));
        text = end + 1;
    } while (*end == ',');
    return end;
}

/* A word of a plan: a function, or those that are called through pointers. False when memory is
 * out. */
static bool follow_word(gs_tier *t, gs_batch *b, const char *word)
{
    if (*word == '*') {
        char *end = NULL;
        for (const char *at = word; *at == '*' || *at == ','; at = end)
            gs_fast_point_to(t->fast, (gs_addr)strtoul(at + 1, &end, 16));
        return true;
    }
    gs_candidate *c = candidate_for(t, (gs_addr)strtoul(word, NULL, 16));
    for (size_t i = 0; c && i < b->count; i++)
        c = b->codes[i].low == c->low ? NULL : c;
    if (!c)
        return true;
    c->seeds.count = c->stops.count = 0;
    c->tries += c->code != NULL;
    c->done = true;
    const char *rest = read_list(c, word, gs_candidate_add_seed);
    if (*rest == '/')
        read_list(c, rest + 1, gs_candidate_add_stop);
    gs_code *code = &b->codes[b->count];
    if (!gs_candidate_find_code(c, code, &t->arena, t->machine, t->timing, t->loops.items,
                                t->loops.count) ||
        (t->observers.paths && !gs_loops_find(code, &t->arena, &t->observers)))
        return false;
    b->count += code->count > 0;
    return true;
}

/* Translates what the last run of this program had translated in the end. */
static gs_status follow_plan(gs_tier *t, gs_error *err)
{
    char *text = NULL;
    if (!gs_store_read_plan(t->store, t->plan_name, &text))
        return GS_OK;
    gs_status status = GS_OK;
    char *line_rest = NULL;
    for (char *line = strtok_r(text, "\n", &line_rest); line && status == GS_OK && t->job.fd < 0;
         line = strtok_r(NULL, "\n", &line_rest)) {
        gs_batch b;
        bool ok = gs_batch_open(&b, strlen(line) / 2 + 1);
        char *rest = NULL;
        for (char *word = strtok_r(line, " ", &rest); ok && word; word = strtok_r(NULL, " ", &rest))
            ok = follow_word(t, &b, word);
        if (!ok) {
            gs_batch_close(&b);
            break;
        }
        status = start(t, &b, err);
        if (status == GS_OK && t->waits && t->job.fd >= 0)
            status = poll_compiler(t, err);
    }
    free(text);
    return status;
}

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

/* -- life
 * ------------------------------------------------------------------------------------------ */

/* Tests want translated code early, and at times nobody has chosen. */
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
    if (timing && timing->view)
        snprintf(why, size, "the pipeline is being drawn");
    else if (timing && !gs_automaton_fits(timing))
        snprintf(why, size, "the fast engine does not know the pipeline of this core");
    return !*why;
}

gs_status gs_tier_open(gs_tier **out, gs_machine *machine, const gs_run_options *options,
                       gs_error *err)
{
    gs_bulk_group observers;
    const char *problem;
    *out = NULL;
    machine->reference_reason[0] = '\0';
    if (options->engine == GS_ENGINE_REFERENCE || !can_translate(machine, options, &observers))
        return GS_OK;
    gs_tier *t = calloc(1, sizeof *t);
    if (!t)
        return gs_fail_no_memory(err);
    t->machine = machine;
    t->timing = options->timing;
    t->observers = observers;
    t->waits = options->engine == GS_ENGINE_FAST;
    choose_first_look(t);
    t->job.fd = -1;
    t->code_changes = machine->memory.code_changes;
    t->store = gs_store_open(&problem);
    if (!t->store) { /* it goes without, and slower */
        gs_machine_add_note(machine, "code was not translated: %s",
                            problem ? problem : "out of memory");
        free(t);
        return GS_OK;
    }
    gs_status status = gs_fast_open(&t->fast, machine, options->timing, &t->observers, err);
    if (status == GS_OK && !t->fast)
        snprintf(machine->reference_reason, sizeof machine->reference_reason,
                 "the fast engine does not know caches like those of this core");
    if (status == GS_OK && t->fast) {
        t->plan_name = name_of_run(t);
        status = take_loops(t, err);
    }
    if (status == GS_OK && t->fast)
        status = follow_plan(t, err);
    if (status != GS_OK || !t->fast) {
        gs_tier_free(t);
        return status;
    }
    *out = t;
    return GS_OK;
}

void gs_tier_free(gs_tier *t)
{
    if (!t)
        return;
    if (t->job.fd >= 0) {
        gs_compiler_kill(&t->job);
        free(gs_store_keep(t->store, t->pending.source, t->pending.size, t->source_path,
                           t->object_path, false));
        gs_batch_close(&t->pending);
    }
    if (t->plan.count > 0 && gs_vec_push(&t->plan, '\0'))
        gs_store_write_plan(t->store, t->plan_name, t->plan.items);
    gs_fast_free(t->fast);
    for (size_t i = 0; i < t->loaded.count; i++) {
        dlclose(t->loaded.items[i].object);
        gs_batch_close(&t->loaded.items[i]);
    }
    gs_candidates_free(&t->candidates);
    free(t->loops.items);
    free(t->loaded.items);
    free(t->plan.items);
    gs_store_free(t->store);
    gs_arena_free(&t->arena);
    free(t);
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
        gs_candidate *c = &t->candidates.items[i];
        if (c->code && c->tries == 0)
            c->samples +=
                (unsigned)(gs_fast_take_unpredicted(t->fast, c->code) / UNPREDICTED_WORTH);
    }
}

/* Looks what is worth to be translated. */
static gs_status look(gs_tier *t, gs_error *err)
{
    gs_batch b;
    sample_entries(t);
    if (!choose_batch(t, &b)) {
        gs_batch_close(&b);
        return gs_fail_no_memory(err);
    }
    t->samples = 0;
    t->needed = t->eager ? 2 * t->needed : NEXT_LOOK;
    gs_status status = start(t, &b, err);
    if (t->waits)
        t->patience = 0;
    if (status == GS_OK && t->waits && t->job.fd >= 0)
        status = poll_compiler(t, err);
    return status;
}

gs_status gs_tier_sample(gs_tier *t, gs_addr pc, gs_error *err)
{
    gs_candidate *c = candidate_for(t, pc);
    if (c && gs_candidate_lacks(c, pc))
        c->samples++;
    if (t->job.fd >= 0) {
        t->patience -= t->patience > 0;
        return poll_compiler(t, err);
    }
    if (t->broken || ++t->samples < t->needed)
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
    drop_outdated(t, knows_loops, true);
    return GS_OK;
}

gs_status gs_tier_check_code(gs_tier *t, gs_error *err)
{
    if (t->code_changes != t->machine->memory.code_changes) {
        t->code_changes = t->machine->memory.code_changes;
        drop_outdated(t, is_unchanged, false);
    }
    if (!t->broken && t->job.fd < 0 &&
        gs_fast_unpredicted(t->fast) - t->unpredicted >= (uint64_t)UNPREDICTED_WORTH * NEXT_LOOK) {
        gs_status status = look(t, err);
        t->patience = 0; /* there may be no sample any more */
        if (status == GS_OK && t->job.fd >= 0)
            status = poll_compiler(t, err);
        if (status != GS_OK)
            return status;
    }
    return take_loops(t, err);
}

gs_status gs_tier_emit(gs_tier *t, const char *directory, gs_error *err)
{
    char *path;
    if (asprintf(&path, "%s/program.c", directory) < 0)
        return gs_fail_no_memory(err);
    FILE *to = fopen(path, "w");
    gs_status status = GS_OK;
    if (!to) {
        status = gs_fail(err, GS_E_IO, "cannot write %s: %s", path, strerror(errno));
        free(path);
        return status;
    }
    size_t total = 0;
    for (size_t i = 0; i < t->loaded.count; i++)
        total += t->loaded.items[i].count;
    gs_code *codes = calloc(total + 1, sizeof *codes);
    total = 0;
    for (size_t i = 0; codes && i < t->loaded.count; i++) {
        for (size_t k = 0; k < t->loaded.items[i].count; k++) {
            if (t->loaded.items[i].codes[k].count > 0)
                codes[total++] = t->loaded.items[i].codes[k];
        }
    }
    gs_translation_options options = {.machine = t->machine,
                                      .timing = t->timing,
                                      .ages = gs_fast_ages(t->fast),
                                      .for_people = true,
                                      .explain = gs_fast_automaton(t->fast)};
    if (codes)
        gs_translate(to, &options, codes, total);
    free(codes);
    bool failed = ferror(to) != 0;
    if (fclose(to) != 0 || failed)
        status = gs_fail(err, GS_E_IO, "cannot write %s", path);
    free(path);
    return status;
}
