#include "engine/fast/tier.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/fast/batch.h"
#include "engine/fast/candidate.h"
#include "engine/fast/compiler.h"
#include "engine/fast/loops.h"
#include "engine/fast/store.h"

enum {
    FIRST_SAMPLES = 512,        /* before the first translation; each one takes twice as many. That
                                   is 40 ms: what has ended by then was not worth a compiler. */
    FIRST_SAMPLES_WAITING = 48, /* the same for who wants translated code at any price */
    MAX_BATCH_STEPS = 3000, /* instructions translated at once: about a second of the compiler */
    MAX_TRIES = 4,  /* to translate a function again when more of it turns out to be reached, */
    MAX_LOOPS = 32, /* or to have loops */
};

struct gs_tier {
    gs_machine *machine;
    gs_timing *timing;
    const gs_bulk *bulk; /* or NULL */
    gs_fast_engine *fast;
    gs_store *store;
    bool waits;  /* for the compiler, instead of going on without */
    bool broken; /* the compiler is not there or does not work */
    gs_arena arena;
    gs_candidates candidates;
    struct {
        gs_addr *items;
        size_t count, capacity;
    } loops; /* that are of interest, by number */
    unsigned samples, needed;
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
    } plan; /* what has been translated so far, for the next run */
};

static gs_candidate *candidate_for(gs_tier *t, gs_addr pc)
{
    return gs_candidates_at(&t->candidates, t->machine->image, pc);
}

static bool find_code(gs_tier *t, gs_candidate *c, gs_code *code, bool look_further)
{
    return gs_candidate_find_code(c, code, &t->arena, t->machine, t->timing, t->loops.items,
                                  t->loops.count, look_further) &&
           (!t->bulk || gs_loops_find(code, &t->arena, t->bulk));
}

/* -- batches ------------------------------------------------------------------------------------
 */

/* Wants what a function calls as well, if it has ever been called. */
static void want_callees(gs_tier *t, const gs_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_stretch *s = &code->stretches[i];
        for (unsigned k = 0; k < s->way_count; k++) {
            gs_addr goal = s->ways[k].goal;
            bool leaves = goal < code->low || goal >= code->high;
            bool says = s->ways[k].kind == GS_WAY_CALL || s->ways[k].kind == GS_WAY_ONWARD;
            gs_candidate *c =
                says && leaves && gs_was_executed(t->machine, goal) ? candidate_for(t, goal) : NULL;
            if (c && !c->translated)
                c->wanted = true;
        }
    }
}

static bool add_to_batch(gs_tier *t, gs_batch *b, size_t owner, unsigned *steps)
{
    gs_candidate *c = &t->candidates.items[owner];
    gs_code code;
    c->wanted = false;
    c->translated = true; /* or not possible */
    if (!find_code(t, c, &code, true))
        return false;
    *steps += gs_code_steps(&code);
    if (code.count == 0)
        return true;
    b->codes[b->count] = code;
    b->owners[b->count++] = owner;
    want_callees(t, &code);
    return true;
}

static int by_samples(const void *a, const void *b)
{
    unsigned x = ((const gs_candidate *)a)->samples, y = ((const gs_candidate *)b)->samples;
    return (x < y) - (x > y);
}

/* The hottest functions that are not translated, and what they call. */
static bool choose_batch(gs_tier *t, gs_batch *b)
{
    enum { ROOM = 1024 };
    unsigned steps = 0;
    if (!gs_batch_open(b, ROOM))
        return false;
    if (t->candidates.count > 1)
        qsort(t->candidates.items, t->candidates.count, sizeof *t->candidates.items, by_samples);
    for (size_t i = 0; i < t->candidates.count && steps < MAX_BATCH_STEPS; i++) {
        gs_candidate *c = &t->candidates.items[i];
        if (!c->translated && c->samples > 0 && !add_to_batch(t, b, i, &steps))
            return false;
        t->candidates.items[i].samples = 0;
    }
    /* candidates may grow on the way */
    for (size_t i = 0; i < t->candidates.count && steps < MAX_BATCH_STEPS && b->count < ROOM; i++) {
        if (t->candidates.items[i].wanted && !t->candidates.items[i].translated) {
            if (!add_to_batch(t, b, i, &steps))
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

/* One line per batch: functions and, for each, where control comes in. */
static void add_to_plan(gs_tier *t, const gs_batch *b)
{
    char text[32];
    for (size_t i = 0; i < b->count; i++) {
        const gs_candidate *c = &t->candidates.items[b->owners[i]];
        for (size_t k = 0; k < c->seeds.count; k++) {
            snprintf(text, sizeof text, "%s%" PRIx32, k ? "," : i ? " " : "", c->seeds.items[k]);
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
           (!t->bulk || gs_loops_hold(code, t->bulk));
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
            if (c && (loops ? ++c->looped < MAX_LOOPS : ++c->tries < MAX_TRIES))
                c->translated = false; /* it may stay as it is now */
        }
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
        !gs_batch_write_source(b, &t->arena, t->machine, t->timing, t->fast, t->bulk != NULL)) {
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

static gs_status poll_compiler(gs_tier *t, gs_error *err)
{
    gs_compiler_state state = gs_compiler_poll(&t->job, t->waits);
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

static void read_seeds(gs_candidate *c, const char *text)
{
    char *end;
    do {
        gs_candidate_add_seed(c, (gs_addr)strtoul(text, &end, 16));
        text = end + 1;
    } while (*end == ',');
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
        size_t room = strlen(line) / 2 + 1;
        if (!gs_batch_open(&b, room)) {
            gs_batch_close(&b);
            break;
        }
        char *rest = NULL;
        for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
            gs_candidate *c = candidate_for(t, (gs_addr)strtoul(word, NULL, 16));
            if (!c || c->translated)
                continue;
            read_seeds(c, word);
            c->translated = true;
            if (!find_code(t, c, &b.codes[b.count], false))
                break;
            b.owners[b.count] = (size_t)(c - t->candidates.items);
            b.count += b.codes[b.count].count > 0;
        }
        status = start(t, &b, err);
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
            t->machine->extensions, memory->big_endian, t->bulk ? " paths" : "");
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
static unsigned first_samples(bool waits)
{
    const char *after = getenv("GUMSHOE_TRANSLATE_AFTER");
    unsigned long wanted = after ? strtoul(after, NULL, 10) : 0;
    if (wanted > 0 && wanted < UINT_MAX / 2)
        return (unsigned)wanted;
    return waits ? FIRST_SAMPLES_WAITING : FIRST_SAMPLES;
}

static gs_status take_loops(gs_tier *t, gs_error *err);

/* Whether the fast engine can serve all who watch. */
static bool can_watch(const gs_run_options *options)
{
    return options->observer_count == 0 ||
           (options->observer_count == 1 && options->observers[0]->bulk && options->timing);
}

gs_status gs_tier_open(gs_tier **out, gs_machine *machine, const gs_run_options *options,
                       const char **why, gs_error *err)
{
    *out = NULL;
    *why = NULL;
    if (options->engine == GS_ENGINE_REFERENCE)
        return GS_OK;
    const gs_timing *timing = options->timing;
    if (!can_watch(options))
        *why = "a trace, a unit, a timeline and a profile without --core want to see every "
               "instruction";
    else if (timing && timing->view)
        *why = "the pipeline is being drawn";
    else if (timing && !gs_automaton_fits(timing))
        *why = "the fast engine does not know the pipeline of this core";
    if (*why)
        return GS_OK;
    gs_tier *t = calloc(1, sizeof *t);
    if (!t)
        return gs_fail_no_memory(err);
    t->machine = machine;
    t->timing = options->timing;
    t->bulk = options->observer_count > 0 ? options->observers[0]->bulk : NULL;
    t->waits = options->engine == GS_ENGINE_FAST;
    t->needed = first_samples(t->waits);
    t->job.fd = -1;
    t->code_changes = machine->memory.code_changes;
    t->store = gs_store_open(why);
    if (!t->store) {
        gs_machine_add_note(machine, "code was not translated: %s", *why ? *why : "out of memory");
        *why = NULL; /* it goes without, and slower */
        free(t);
        return GS_OK;
    }
    gs_status status = gs_fast_open(&t->fast, machine, options->timing, t->bulk, err);
    if (status == GS_OK && !t->fast)
        *why = "the fast engine does not know caches like those of this core";
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

/* A function that is translated, but not all of it: once more, from here as well. */
static void reconsider(gs_tier *t, gs_candidate *c, gs_addr pc)
{
    for (size_t i = 0; i < t->loaded.count; i++) {
        gs_batch *b = &t->loaded.items[i];
        for (size_t k = 0; k < b->count; k++) {
            gs_code *code = &b->codes[k];
            if (code->count == 0 || code->low != c->low)
                continue;
            if (gs_code_covers(code, pc) || c->tries >= MAX_TRIES)
                return;
            gs_batch_unload(b, t->fast, code);
            c->translated = false;
            c->tries++;
            return;
        }
    }
}

gs_status gs_tier_sample(gs_tier *t, gs_addr pc, gs_error *err)
{
    gs_status status = GS_OK;
    gs_candidate *c = candidate_for(t, pc);
    if (c) {
        c->samples++;
        if (c->translated && c->samples % 16 == 0)
            reconsider(t, c, pc);
    }
    if (t->job.fd >= 0 && status == GS_OK)
        return poll_compiler(t, err);
    if (t->broken || status != GS_OK || ++t->samples < t->needed)
        return status;
    t->samples = 0;
    t->needed *= 2;
    gs_batch b;
    if (!choose_batch(t, &b)) {
        gs_batch_close(&b);
        return gs_fail_no_memory(err);
    }
    status = start(t, &b, err);
    if (status == GS_OK && t->waits && t->job.fd >= 0)
        status = poll_compiler(t, err);
    return status;
}

/* Looks whether who watches has come to know of more loops. */
static gs_status take_loops(gs_tier *t, gs_error *err)
{
    if (!t->bulk || !gs_fast_take_loops(t->fast))
        return GS_OK;
    for (size_t i = t->loops.count; i < t->bulk->loop_count(t->bulk->self); i++) {
        if (!gs_vec_push(&t->loops, t->bulk->loop_header(t->bulk->self, i)))
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
    return t->bulk ? take_loops(t, err) : GS_OK;
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
