/* Schedules functions when they are asked for, and finds what was made of an instruction. */
#include "schedule/schedule.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/search.h"
#include "schedule/region.h"

typedef struct entry {
    bool tried; /* scheduled, or not to be had */
    gs_scheduled_function *function;
} entry;

struct gs_scheduler {
    const gs_image *image;
    const gs_vliw *target;
    gs_arena arena; /* what is returned */
    gs_code_pointers pointers;
    const gs_function *last;               /* looked for, */
    gs_scheduled_function *last_scheduled; /* and found; */
    uint32_t last_insn;                    /* the same of an instruction of it */
    entry *entries;                        /* by function of the image */
};

gs_status gs_scheduler_open(gs_scheduler **out, const gs_image *image, const gs_vliw *target,
                            gs_error *err)
{
    gs_scheduler *s = *out = calloc(1, sizeof *s);
    if (!s)
        return gs_fail_no_memory(err);
    s->image = image;
    s->target = target;
    s->entries = calloc(gs_image_function_count(image) + 1, sizeof *s->entries);
    if (!s->entries || !gs_code_pointers_find(&s->pointers, image)) {
        gs_scheduler_free(s);
        *out = NULL;
        return gs_fail_no_memory(err);
    }
    return GS_OK;
}

void gs_scheduler_free(gs_scheduler *schedule)
{
    if (!schedule)
        return;
    gs_arena_free(&schedule->arena);
    free(schedule->pointers.items);
    free(schedule->entries);
    free(schedule);
}

/* Cycles in which something is issued. */
static unsigned count_bundles(const gs_plan *plan, const gs_graph *graph)
{
    unsigned count = 0;
    for (unsigned n = 0; n < graph->node_count; n++) {
        unsigned before = 0;
        while (before < n && plan->cycle[before] != plan->cycle[n])
            before++;
        count += before == n;
    }
    return count;
}

/* Bytes of code. A pipelined loop has its first and last iterations as code of their own. */
static uint32_t measure_code(const gs_vliw *target, const gs_vliw_region *region,
                             const gs_plan *plan, const gs_graph *graph)
{
    unsigned rows = plan->bundles, operations = region->operations;
    unsigned bundles = count_bundles(plan, graph);
    if (plan->interval) {
        const unsigned stages = (plan->bundles + plan->interval - 1) / plan->interval;
        rows = bundles = (2 * stages - 1) * plan->interval;
        operations *= stages;
    } else {
        for (unsigned n = 0; n < graph->node_count; n++)
            bundles += gs_graph_delay(graph, graph->nodes[n].root);
        bundles = bundles < rows ? bundles : rows;
    }
    if (!target->interlocked) {
        operations += rows - bundles; /* a bundle of nothing has an operation that says so */
        bundles = rows;
    }
    operations += 2u * region->spilled;
    bundles += gs_vliw_region_spill_cycles(target, region->spilled);
    return target->slot_bytes * (target->fixed_bundles ? bundles * target->width : operations);
}

/* Plans all regions of a routine and shares out their cycles. */
static bool plan(gs_scheduler *s, const gs_routine *routine, gs_vliw_region *regions,
                 uint32_t count, gs_scheduled_insn *insns, gs_vliw_region_edges *edges,
                 gs_graph *graph)
{
    gs_plan made;
    for (uint32_t i = 0; i < count; i++) {
        if (!gs_vliw_region_plan(&regions[i], &made, graph, s->target, routine))
            return false;
        regions[i].bytes = measure_code(s->target, &regions[i], &made, graph);
        gs_vliw_region_note(&insns[regions[i].first], &edges[i], &made, graph);
    }
    const gs_vliw_region_context context = {s->target, routine, regions, count, edges};
    for (uint32_t i = 0; i < count; i++)
        gs_vliw_region_charge(&insns[regions[i].first], &context, i);
    return true;
}

/* The function's schedule, in the arena; NULL when memory is out. `own` is for what is needed
 * meanwhile. */
static gs_scheduled_function *make(gs_scheduler *s, const gs_function *function, gs_arena *own)
{
    gs_routine routine;
    gs_graph *graph = gs_arena_alloc(own, sizeof *graph);
    if (!graph || !gs_routine_read(&routine, own, s->image, function, &s->pointers))
        return NULL;
    const uint32_t count = routine.insn_count;
    gs_vliw_region *cut = gs_arena_alloc(own, count * sizeof *cut + 1);
    const uint32_t region_count = cut ? gs_vliw_region_cut(cut, s->target, &routine) : 0;
    gs_vliw_region_edges *edges = gs_arena_alloc(own, region_count * sizeof *edges + 1);
    gs_scheduled_function *f = gs_arena_alloc(&s->arena, sizeof *f);
    gs_vliw_region *regions = gs_arena_alloc(&s->arena, region_count * sizeof *regions + 1);
    gs_scheduled_insn *insns = gs_arena_alloc(&s->arena, count * sizeof *insns + 1);
    uint32_t *pcs = gs_arena_alloc(&s->arena, count * sizeof *pcs + 1);
    if (!cut || !edges || !f || !regions || !insns || !pcs)
        return NULL;
    for (uint32_t i = 0; i < region_count; i++)
        regions[i] = cut[i];
    for (uint32_t i = 0; i < count; i++)
        pcs[i] = routine.insns[i].pc;
    const bool done = plan(s, &routine, regions, region_count, insns, edges, graph);
    gs_graph_free(graph);
    *f = (gs_scheduled_function){routine.start, routine.end, count,  region_count,
                                 pcs,           insns,       regions};
    return done ? f : NULL;
}

/* The function of the image that covers `pc`; mostly the one that did the last time. */
static const gs_function *function_at(gs_scheduler *s, uint32_t pc)
{
    if (!s->last || pc < s->last->start || pc >= s->last->end) {
        s->last = gs_image_function_at(s->image, pc);
        s->last_scheduled = NULL;
    }
    return s->last;
}

const gs_scheduled_function *gs_scheduler_function_at(gs_scheduler *schedule, uint32_t pc)
{
    gs_scheduler *s = schedule;
    const gs_function *function = function_at(s, pc);
    if (!function || s->last_scheduled)
        return s->last_scheduled;
    entry *e = &s->entries[function - gs_image_function(s->image, 0)];
    if (!e->tried) {
        gs_arena own = {0};
        e->tried = true;
        e->function = make(s, function, &own);
        gs_arena_free(&own);
    }
    return s->last_scheduled = e->function;
}

/* The first instruction that is not before `pc`. */
static uint32_t index_of(const gs_scheduled_function *f, uint32_t pc)
{
    return (uint32_t)gs_count_keys(f->pcs, f->insn_count, sizeof *f->pcs, sizeof *f->pcs, pc,
                                   false);
}

const gs_scheduled_insn *gs_scheduler_at(gs_scheduler *schedule, uint32_t pc)
{
    const gs_scheduled_function *f = gs_scheduler_function_at(schedule, pc);
    if (!f)
        return NULL;
    uint32_t low = schedule->last_insn + 1; /* mostly that is it */
    if (low >= f->insn_count || f->pcs[low] != pc)
        low = index_of(f, pc);
    schedule->last_insn = low;
    return low < f->insn_count && f->pcs[low] == pc ? &f->insns[low] : NULL;
}
