/* Cuts routines into regions and chooses the best of several plans for each. */
#include "schedule/region.h"

#include <string.h>

enum { PIPELINED_INSNS_MAX = 128 };

/* -- regions ---------------------------------------------------------------------------------- */

static bool is_own_target(const gs_routine *r, const gs_routine_block *block)
{
    return r->insns[block->first + block->count - 1].target == (int32_t)block->first;
}

/* Whether a block that control only gets to from the one before may be scheduled with it. */
static bool may_grow(const gs_vliw *target, const gs_routine *r, const gs_vliw_region *region,
                     uint32_t next)
{
    const gs_routine_block *block = &r->blocks[next], *before = block - 1;
    return target->superblocks && !r->insns[block->first].joins &&
           r->insns[block->first - 1].flow == GS_FLOW_BRANCH && !is_own_target(r, before) &&
           region->count + block->count <= GS_REGION_INSNS_MAX;
}

uint32_t gs_vliw_region_cut(gs_vliw_region *regions, const gs_vliw *target,
                            const gs_routine *routine)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < routine->block_count; b++) {
        const gs_routine_block *block = &routine->blocks[b];
        if (b > 0 && may_grow(target, routine, &regions[count - 1], b)) {
            regions[count - 1].count += block->count;
            continue;
        }
        for (uint32_t at = 0; at < block->count; at += GS_REGION_INSNS_MAX) {
            uint32_t left = block->count - at;
            regions[count++] = (gs_vliw_region){
                .first = block->first + at,
                .count = left < GS_REGION_INSNS_MAX ? left : GS_REGION_INSNS_MAX,
            };
        }
    }
    return count;
}

/* What is live behind a region, if control goes on there. */
static gs_register_set live_behind(const gs_routine *r, const gs_vliw_region *region)
{
    const uint32_t end = region->first + region->count;
    uint32_t low = 0, high = r->block_count - 1; /* the block with the region's last instruction */
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (r->blocks[middle].first < end)
            low = middle;
        else
            high = middle - 1;
    }
    const gs_routine_block *block = &r->blocks[low];
    const uint32_t block_end = block->first + block->count;
    gs_register_set live = block->onward;
    if (end == block_end)
        return live;
    const gs_routine_insn *last = &r->insns[block_end - 1];
    live = last->flow == GS_FLOW_NEXT     ? live
           : last->flow == GS_FLOW_BRANCH ? live | last->taken
                                          : last->taken;
    for (uint32_t i = block_end; i-- > end;)
        live = (live & ~gs_routine_writes(&r->insns[i])) | gs_routine_reads(&r->insns[i]);
    return live;
}

/* -- plans ------------------------------------------------------------------------------------ */

/* How many accesses to memory can be issued together. */
static unsigned memory_slots(const gs_vliw *target)
{
    const gs_vliw_class *store = &target->classes[GS_CLASS_STORE];
    unsigned slots = (unsigned)__builtin_popcount(store->slots);
    if (store->unit && target->copies[store->unit] < slots)
        slots = target->copies[store->unit];
    return slots;
}

unsigned gs_vliw_region_spill_cycles(const gs_vliw *target, unsigned spilled)
{
    const unsigned slots = memory_slots(target);
    unsigned cycles = (2 * spilled + slots - 1) / slots; /* a store and a load each */
    return cycles < GS_SCHEDULE_EXTRA_MAX ? cycles : GS_SCHEDULE_EXTRA_MAX;
}

/* Whether all nodes have a slot among the first `width`. */
static bool can_be(const gs_graph *g, unsigned width)
{
    for (unsigned n = 0; n < g->node_count; n++) {
        const unsigned slots = g->nodes[n].needs.slots;
        if (slots && !(slots & ((1u << width) - 1)))
            return false;
    }
    return true;
}

typedef struct choice {
    gs_plan plan;
    unsigned cost, spilled;
    bool found;
} choice;

/* Tries bundles of all widths up to the target's: a narrower one is a schedule for a wider target
 * too, and now and then the better one. So more slots never cost anything. */
static bool try_widths(choice *best, const gs_graph *g)
{
    choice now = {.found = true};
    const unsigned chain = gs_bound_of_chain(g), places = gs_bound_of_places(g, g->target->width);
    for (unsigned width = g->target->width; width > 0; width--) {
        if (!can_be(g, width))
            continue;
        if (!gs_plan_list(&now.plan, g, width))
            return false;
        now.spilled = gs_plan_excess(&now.plan, g);
        now.cost = now.plan.length + gs_vliw_region_spill_cycles(g->target, now.spilled);
        if (!best->found || now.cost < best->cost)
            *best = now;
        if (best->cost <= chain || best->cost <= places)
            break;
    }
    return true;
}

/* A pipelined loop that pays from the second iteration on, or none. */
static bool try_pipeline(choice *best, const gs_graph *g)
{
    choice now = {.spilled = 0};
    const unsigned cost = best->cost;
    if (!g->loops || !g->target->pipelines || g->count > PIPELINED_INSNS_MAX)
        return true;
    if (!gs_plan_pipeline(&now.plan, g, cost, &now.found))
        return false;
    now.cost = now.plan.length;
    if (now.found)
        *best = now;
    return true;
}

static void describe(gs_vliw_region *region, const choice *best, const gs_graph *g)
{
    region->length =
        (uint16_t)(best->plan.length + gs_vliw_region_spill_cycles(g->target, best->spilled));
    region->bundles = (uint16_t)best->plan.bundles;
    region->interval = (uint16_t)best->plan.interval;
    region->chain = (uint16_t)gs_bound_of_chain(g);
    region->places = (uint16_t)gs_bound_of_places(g, g->target->width);
    region->loops = g->loops;
    region->circles = g->loops && g->renames ? (uint16_t)gs_bound_of_circles(g) : 0;
    region->spilled = (uint16_t)best->spilled;
    region->counts = g->counts;
    region->operations = (uint16_t)(g->node_count - g->counts);
    region->renames = g->renames;
}

bool gs_vliw_region_plan(gs_vliw_region *region, gs_plan *plan, gs_graph *graph,
                         const gs_vliw *target, const gs_routine *routine)
{
    choice best = {.found = false};
    const gs_register_set onward = live_behind(routine, region);
    if (!gs_graph_build(graph, target, routine, region->first, region->count, onward, true) ||
        !try_widths(&best, graph) || !try_pipeline(&best, graph))
        return false;
    if (best.spilled > 0) { /* the program's own use of registers may be better */
        const unsigned renamed = best.cost;
        if (!gs_graph_build(graph, target, routine, region->first, region->count, onward, false) ||
            !try_widths(&best, graph))
            return false;
        if (best.cost == renamed &&
            !gs_graph_build(graph, target, routine, region->first, region->count, onward, true))
            return false;
    }
    describe(region, &best, graph);
    *plan = best.plan;
    return true;
}
