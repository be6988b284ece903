/* A timing of the core's pipeline for each line size, whose caches are empty and ask a script: what
 * the script is asked is the sequence of accesses. */
#include "explore/cache_study.h"

#include <stdio.h>
#include <stdlib.h>

enum { SETTINGS_MAX = 96 };

_Static_assert((GS_STUDY_MIN_LINE << (LINES - 1)) == GS_STUDY_MAX_LINE, "lines");
_Static_assert((int)GS_STUDY_MIN_SIZE == (int)GS_STACK_MIN_SIZE &&
                   (int)GS_STUDY_MAX_SIZE == (int)GS_STACK_MAX_SIZE &&
                   (int)GS_STUDY_MIN_LINE == (int)GS_STACK_MIN_LINE &&
                   (int)GS_STUDY_MAX_LINE == (int)GS_STACK_MAX_LINE &&
                   (int)GS_STUDY_MAX_WAYS == (int)GS_STACK_MAX_WAYS,
               "what is followed is what is offered");

static gs_cache_result answer(gs_cache_script *script, gs_addr address, bool write)
{
    const listener *l = (const listener *)script;
    gs_stack_access(l->stack, (uint32_t)address, write);
    return (gs_cache_result){.hit = true, .through = write && !l->write_back};
}

static bool probe(gs_cache_script *script, gs_addr address)
{
    (void)script;
    (void)address;
    return true;
}

static void fill(gs_cache_script *script, gs_addr address)
{
    (void)script;
    (void)address;
}

static void invalidate(gs_cache_script *script)
{
    gs_stack_invalidate(((const listener *)script)->stack);
}

static gs_status listen(listener *l, gs_cache *cache, bool allocate, gs_error *err)
{
    l->script = (gs_cache_script){answer, probe, fill, invalidate};
    l->write_back = cache->write_back;
    gs_status status = gs_stack_open(&l->stack, 1u << cache->line_shift, allocate, err);
    if (status == GS_OK)
        cache->script = &l->script;
    return status;
}

/* The core with two caches of this line size, direct-mapped: any pipeline with caches can have
 * those. */
static gs_status open_core(const gs_cache_study *study, followed *f, unsigned line,
                           const char *name, const char *const *set, size_t set_count,
                           gs_error *err)
{
    char lines[2][32];
    const char *all[SETTINGS_MAX];
    if (set_count + 6 > SETTINGS_MAX)
        return gs_fail(err, GS_E_ARGUMENT, "at most %d settings of a core", SETTINGS_MAX - 6);
    for (size_t i = 0; i < set_count; i++)
        all[i] = set[i];
    snprintf(lines[0], sizeof lines[0], "icache.line=%u", line);
    snprintf(lines[1], sizeof lines[1], "dcache.line=%u", line);
    all[set_count++] = lines[0];
    all[set_count++] = lines[1];
    all[set_count++] = "icache.size=4K";
    all[set_count++] = "dcache.size=4K";
    if (study->core->pipeline == GS_PIPELINE_CLASSIC) { /* others have no such key */
        all[set_count++] = "icache.ways=1";
        all[set_count++] = "dcache.ways=1";
    }
    return gs_core_open(&f->core, name, all, set_count, err);
}

static gs_status open_line(gs_cache_study *study, unsigned index, const char *name,
                           const char *const *set, size_t set_count, gs_machine *machine,
                           gs_error *err)
{
    followed *f = &study->lines[index];
    gs_status status =
        open_core(study, f, (unsigned)GS_STUDY_MIN_LINE << index, name, set, set_count, err);
    if (status == GS_OK)
        status = gs_timing_open(&f->timing, f->core, machine, err);
    if (status != GS_OK)
        return status;
    study->timings[index] = f->timing;
    study->allocates = f->timing->dcache.write_allocate;
    status = listen(&f->caches[0], &f->timing->icache, true, err);
    if (status == GS_OK)
        status = listen(&f->caches[1], &f->timing->dcache, study->allocates, err);
    return status;
}

/* Opens the core as it is. A message about settings that the caller did not make says too little.
 */
static gs_status open_base(gs_cache_study *study, const char *name, const char *const *set,
                           size_t set_count, gs_error *err)
{
    gs_status status = gs_core_open(&study->core, name, set, set_count, err);
    if (status != GS_OK)
        return status;
    const gs_core *core = study->core;
    if (core->pipeline == GS_PIPELINE_SEQUENTIAL || core->pipeline == GS_PIPELINE_PICORV32)
        status = gs_fail(err, GS_E_UNSUPPORTED,
                         "core %s has a pipeline without caches; take one with caches, such as "
                         "flatfoot, rocket-rv32, mips-4k or mips-24kf",
                         core->name);
    return status;
}

gs_status gs_cache_study_open(gs_cache_study **out, const char *name, const char *const *set,
                              size_t set_count, gs_machine *machine, gs_error *err)
{
    *out = NULL;
    gs_cache_study *study = calloc(1, sizeof *study);
    if (!study)
        return gs_fail_no_memory(err);
    gs_status status = open_base(study, name, set, set_count, err);
    for (unsigned i = 0; i < LINES && status == GS_OK; i++)
        status = open_line(study, i, name, set, set_count, machine, err);
    if (status != GS_OK) {
        gs_cache_study_free(study);
        return status;
    }
    *out = study;
    return GS_OK;
}

void gs_cache_study_free(gs_cache_study *study)
{
    if (!study)
        return;
    for (unsigned i = 0; i < LINES; i++) {
        followed *f = &study->lines[i];
        gs_timing_free(f->timing);
        gs_core_free(f->core);
        gs_stack_free(f->caches[0].stack);
        gs_stack_free(f->caches[1].stack);
    }
    gs_core_free(study->core);
    free(study);
}

gs_timing *const *gs_cache_study_followers(const gs_cache_study *study, size_t *count)
{
    *count = LINES;
    return study->timings;
}

const char *gs_cache_study_no_instructions(const gs_cache_study *study)
{
    return study->timings[0]->model->wrong_path
               ? "fetch goes down wrong paths as far as time allows, and brings lines in on them"
               : NULL;
}

bool gs_cache_study_allocates(const gs_cache_study *study)
{
    return study->allocates;
}

bool gs_cache_study_misses(const gs_cache_study *study, bool data, const gs_cache_shape *shape,
                           gs_cache_misses *misses)
{
    *misses = (gs_cache_misses){0};
    gs_stack_counts counts;
    for (unsigned i = 0; i < LINES; i++) {
        if (shape->line != (uint32_t)GS_STUDY_MIN_LINE << i)
            continue;
        if (!gs_stack_misses(study->lines[i].caches[data].stack, shape->size, shape->ways, &counts))
            return false;
        *misses =
            (gs_cache_misses){counts.reads, counts.writes, counts.read_misses, counts.write_misses};
        return true;
    }
    return false;
}

bool gs_cache_study_shape(size_t index, gs_cache_shape *shape)
{
    for (uint32_t size = GS_STUDY_MIN_SIZE; size <= GS_STUDY_MAX_SIZE; size *= 2) {
        for (uint32_t line = GS_STUDY_MIN_LINE; line <= GS_STUDY_MAX_LINE; line *= 2) {
            for (uint32_t ways = 1; ways <= GS_STUDY_MAX_WAYS && ways * line <= size; ways *= 2) {
                if (index-- == 0) {
                    *shape = (gs_cache_shape){size, line, ways};
                    return true;
                }
            }
        }
    }
    return false;
}
