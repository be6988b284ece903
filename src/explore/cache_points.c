/* Chooses the pairs of caches that are worth timing. */
#include <stdio.h>
#include <stdlib.h>

#include "explore/cache_study.h"

enum { FRONT_MAX = 64, PAIRS_MAX = FRONT_MAX * FRONT_MAX };

/* An estimate so close to the best one may be the best one. */
static const double slack = 1.02;

typedef struct candidate {
    gs_cache_shape shape;
    double lost;
} candidate;

uint64_t gs_cache_study_costly(const gs_cache_study *study, bool data, const gs_cache_shape *shape)
{
    gs_cache_misses misses;
    if (!gs_cache_study_misses(study, data, shape, &misses))
        return 0;
    return misses.read_misses + (study->allocates ? misses.write_misses : 0);
}

/* Caches of one kind, of which each misses less than all smaller ones. */
static size_t find_front(const gs_cache_study *study, bool data, candidate *front)
{
    const bool direct_only = study->core->pipeline != GS_PIPELINE_CLASSIC;
    size_t count = 0;
    gs_cache_shape shape;
    for (size_t i = 0; gs_cache_study_shape(i, &shape); i++) {
        if (shape.ways > 1 && direct_only)
            continue;
        if (shape.line < study->core->memory.width)
            continue;
        const double lost = (double)gs_cache_study_costly(study, data, &shape) *
                            gs_core_access_cycles(study->core, shape.line);
        if (count > 0 && lost >= front[count - 1].lost)
            continue;
        if (count > 0 && front[count - 1].shape.size == shape.size)
            count--;
        if (count < FRONT_MAX)
            front[count++] = (candidate){shape, lost};
    }
    return count;
}

static uint32_t bytes_of(const gs_cache_point *p)
{
    return (p->own_instructions ? 0 : p->instructions.size) + p->data.size;
}

static int by_size(const void *a, const void *b)
{
    const gs_cache_point *x = a, *y = b;
    const uint32_t x_bytes = bytes_of(x), y_bytes = bytes_of(y);
    if (x_bytes != y_bytes)
        return x_bytes < y_bytes ? -1 : 1;
    if (x->lost != y->lost)
        return x->lost < y->lost ? -1 : 1;
    return x->instructions.size < y->instructions.size ? -1 : 1;
}

/* Keeps those that come close to the best of their size or less. The cycles that the program
 * takes without misses are a part of what is compared. */
static size_t keep_good(gs_cache_point *points, size_t count, double base, double by)
{
    size_t kept = 0;
    double best = 0;
    for (size_t i = 0; i < count; i++) {
        const double all = base + points[i].lost;
        if (kept > 0 && all > best * by)
            continue;
        best = kept == 0 || all < best ? all : best;
        points[kept++] = points[i];
    }
    return kept;
}

size_t gs_cache_study_points(const gs_cache_study *study, gs_cache_point *points, size_t max)
{
    candidate instructions[FRONT_MAX], data[FRONT_MAX];
    const bool own = gs_cache_study_no_instructions(study) != NULL;
    size_t instruction_count = own ? 1 : find_front(study, false, instructions);
    size_t data_count = find_front(study, true, data), count = 0;
    gs_cache_point *all = calloc(PAIRS_MAX, sizeof *all);
    if (!all)
        return 0;
    if (own)
        instructions[0] = (candidate){0};
    for (size_t i = 0; i < instruction_count; i++) {
        for (size_t k = 0; k < data_count; k++)
            all[count++] = (gs_cache_point){.instructions = instructions[i].shape,
                                            .data = data[k].shape,
                                            .own_instructions = own,
                                            .lost = instructions[i].lost + data[k].lost};
    }
    qsort(all, count, sizeof *all, by_size);
    const double base = (double)study->timings[0]->now;
    for (double by = slack; count > max && by > 1; by -= 0.005)
        count = keep_good(all, count, base, by);
    count = keep_good(all, count, base, slack);
    if (count > max)
        count = keep_good(all, count, base, 1);
    for (size_t i = 0; i < count && i < max; i++)
        points[i] = all[i];
    free(all);
    return count < max ? count : max;
}

size_t gs_cache_point_settings(const gs_cache_study *study, const gs_cache_point *point,
                               char settings[GS_CACHE_POINT_SETTINGS][GS_CACHE_POINT_SETTING])
{
    static const char *const names[] = {"icache", "dcache"};
    const bool classic = study->core->pipeline == GS_PIPELINE_CLASSIC;
    size_t count = 0;
    for (unsigned i = point->own_instructions; i < 2; i++) {
        const gs_cache_shape *shape = i ? &point->data : &point->instructions;
        snprintf(settings[count++], GS_CACHE_POINT_SETTING, "%s.size=%u", names[i], shape->size);
        snprintf(settings[count++], GS_CACHE_POINT_SETTING, "%s.line=%u", names[i], shape->line);
        if (!classic)
            continue;
        snprintf(settings[count++], GS_CACHE_POINT_SETTING, "%s.ways=%u", names[i], shape->ways);
        snprintf(settings[count++], GS_CACHE_POINT_SETTING, "%s.replacement=lru", names[i]);
    }
    return count;
}

void gs_cache_points_compare(gs_cache_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        points[i].best = true;
        for (size_t k = 0; k < count; k++) {
            const bool no_larger = bytes_of(&points[k]) <= bytes_of(&points[i]);
            const bool smaller = bytes_of(&points[k]) < bytes_of(&points[i]);
            if (no_larger && (points[k].cycles < points[i].cycles ||
                              (smaller && points[k].cycles == points[i].cycles)))
                points[i].best = false;
        }
    }
}
