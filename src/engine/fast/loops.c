#include "engine/fast/loops.h"

#include <string.h>

static bool is_inside(const gs_bulk *bulk, gs_addr pc, const gs_stretch *header)
{
    return bulk->jump(bulk->self, pc, header->pc) == GS_ARRIVAL_BACK;
}

static bool is_call(const gs_way *way)
{
    return way->kind == GS_WAY_CALL || way->kind == GS_WAY_CALL_INDIRECT;
}

/* Where a way leads within the code, now or when a call comes back; or NULL. */
static const gs_stretch *goal_of(const gs_code *code, const gs_way *way)
{
    if (is_call(way))
        return gs_code_at(code, way->back);
    return way->kind == GS_WAY_ONWARD ? gs_code_at(code, way->goal) : NULL;
}

static gs_addr source_of(const gs_stretch *s, const gs_way *way)
{
    return s->steps[way->taken >= 0 ? way->taken : way->steps - 1].pc;
}

static uint8_t arrival_of(const gs_code *code, const gs_bulk *bulk, const gs_stretch *s,
                          const gs_way *way)
{
    const gs_stretch *goal = goal_of(code, way);
    if (!goal || !goal->loop)
        return GS_ARRIVAL_UNKNOWN;
    if (is_call(way) || way->taken < 0)
        return GS_ARRIVAL_ONWARDS;
    return bulk->jump(bulk->self, source_of(s, way), goal->pc);
}

/* Whether the loop calls somebody, or can be entered other than by its header. */
static bool is_checked(const gs_code *code, const gs_bulk *bulk, const gs_stretch *header)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_stretch *s = &code->stretches[i];
        for (unsigned k = 0; k < s->way_count; k++) {
            const gs_way *way = &s->ways[k];
            const gs_stretch *goal = goal_of(code, way);
            const bool from_inside = is_inside(bulk, source_of(s, way), header);
            if (from_inside ? is_call(way)
                            : goal && goal->pc != header->pc && is_inside(bulk, goal->pc, header))
                return true;
        }
    }
    return false;
}

static bool is_around(const gs_bulk *bulk, const gs_stretch *header, const gs_stretch *s)
{
    return header->loop && !header->checked && header->pc != s->pc &&
           is_inside(bulk, s->pc, header);
}

static bool find_around(gs_code *code, gs_arena *arena, const gs_bulk *bulk, gs_stretch *s)
{
    unsigned count = 0;
    for (size_t i = 0; i < code->count; i++)
        count += is_around(bulk, &code->stretches[i], s);
    s->around_count = 0;
    s->around = count ? gs_arena_alloc(arena, count * sizeof *s->around) : NULL;
    if (count && !s->around)
        return false;
    for (size_t i = 0; i < code->count && count; i++) {
        if (is_around(bulk, &code->stretches[i], s))
            s->around[s->around_count++] = &code->stretches[i];
    }
    return true;
}

bool gs_loops_find(gs_code *code, gs_arena *arena, const gs_bulk *bulk)
{
    for (size_t i = 0; i < code->count; i++) {
        gs_stretch *s = &code->stretches[i];
        for (unsigned k = 0; k < s->way_count; k++)
            s->ways[k].arrival = arrival_of(code, bulk, s, &s->ways[k]);
        if (s->loop) {
            s->onwards = bulk->jump(bulk->self, s->pc - 1, s->pc);
            s->checked = is_checked(code, bulk, s);
        }
    }
    for (size_t i = 0; i < code->count; i++) {
        if (code->stretches[i].entry && !find_around(code, arena, bulk, &code->stretches[i]))
            return false;
    }
    return true;
}

static bool holds_around(const gs_code *code, const gs_bulk *bulk, const gs_stretch *s)
{
    unsigned found = 0;
    for (size_t i = 0; i < code->count; i++) {
        if (!is_around(bulk, &code->stretches[i], s))
            continue;
        if (found == s->around_count || s->around[found] != &code->stretches[i])
            return false;
        found++;
    }
    return found == s->around_count;
}

bool gs_loops_hold(const gs_code *code, const gs_bulk *bulk)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_stretch *s = &code->stretches[i];
        for (unsigned k = 0; k < s->way_count; k++) {
            if (s->ways[k].arrival != arrival_of(code, bulk, s, &s->ways[k]))
                return false;
        }
        if (s->loop && (s->onwards != bulk->jump(bulk->self, s->pc - 1, s->pc) ||
                        s->checked != is_checked(code, bulk, s)))
            return false;
        if (s->entry && !holds_around(code, bulk, s))
            return false;
    }
    return true;
}
