/* Has the observer classify, once per translation, what each exit does to the loop it leads to. */
#include "engine/fast/translate/loops.h"

#include <string.h>

/* What a direct jump does to a loop at its target; or, given the last byte of the code before,
 * what falling into the loop does. */
static gs_arrival jump(const gs_bulk_group *observers, gs_addr from, gs_addr goal)
{
    const gs_move move = {.flow = GS_FLOW_JUMP, .from = from, .goal = goal};
    gs_arrival arrival;
    (void)observers->paths->classify(observers->paths_self, &move, &arrival);
    return arrival;
}

static bool is_inside(const gs_bulk_group *observers, gs_addr pc, const gs_superblock *header)
{
    return jump(observers, pc, header->pc) == GS_ARRIVAL_BACK;
}

static bool is_call(const gs_sb_exit *exit)
{
    return exit->kind == GS_SB_EXIT_CALL || exit->kind == GS_SB_EXIT_CALL_INDIRECT;
}

/* The superblock that an exit leads to within the code, now or when a call returns; or NULL. */
static const gs_superblock *goal_of(const gs_code *code, const gs_sb_exit *exit)
{
    if (is_call(exit))
        return gs_code_at(code, exit->back);
    return exit->kind == GS_SB_EXIT_ONWARD ? gs_code_at(code, exit->goal) : NULL;
}

static gs_addr source_of(const gs_superblock *s, const gs_sb_exit *exit)
{
    return s->steps[exit->taken >= 0 ? exit->taken : exit->steps - 1].pc;
}

static uint8_t arrival_of(const gs_code *code, const gs_bulk_group *observers,
                          const gs_superblock *s, const gs_sb_exit *exit)
{
    const gs_superblock *goal = goal_of(code, exit);
    if (!goal || !goal->loop)
        return GS_ARRIVAL_UNKNOWN;
    if (is_call(exit) || exit->taken < 0)
        return GS_ARRIVAL_ONWARDS;
    return (uint8_t)jump(observers, source_of(s, exit), goal->pc);
}

/* Whether the loop calls a function, or can be entered other than by its header. */
static bool is_checked(const gs_code *code, const gs_bulk_group *observers,
                       const gs_superblock *header)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            const gs_sb_exit *exit = &s->exits[k];
            const gs_superblock *goal = goal_of(code, exit);
            const bool from_inside = is_inside(observers, source_of(s, exit), header);
            if (from_inside
                    ? is_call(exit)
                    : goal && goal->pc != header->pc && is_inside(observers, goal->pc, header))
                return true;
        }
    }
    return false;
}

static bool is_around(const gs_bulk_group *observers, const gs_superblock *header,
                      const gs_superblock *s)
{
    return header->loop && !header->checked && header->pc != s->pc &&
           is_inside(observers, s->pc, header);
}

static bool find_around(gs_code *code, gs_arena *arena, const gs_bulk_group *observers,
                        gs_superblock *s)
{
    unsigned count = 0;
    for (size_t i = 0; i < code->count; i++)
        count += is_around(observers, &code->superblocks[i], s);
    s->around_count = 0;
    s->around = count ? gs_arena_alloc(arena, count * sizeof *s->around) : NULL;
    if (count && !s->around)
        return false;
    for (size_t i = 0; i < code->count && count; i++) {
        if (is_around(observers, &code->superblocks[i], s))
            s->around[s->around_count++] = &code->superblocks[i];
    }
    return true;
}

bool gs_loops_find(gs_code *code, gs_arena *arena, const gs_bulk_group *observers)
{
    for (size_t i = 0; i < code->count; i++) {
        gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++)
            s->exits[k].arrival = arrival_of(code, observers, s, &s->exits[k]);
        if (s->loop) {
            s->onwards = (uint8_t)jump(observers, s->pc - 1, s->pc);
            s->checked = is_checked(code, observers, s);
        }
    }
    for (size_t i = 0; i < code->count; i++) {
        if (code->superblocks[i].entry &&
            !find_around(code, arena, observers, &code->superblocks[i]))
            return false;
    }
    return true;
}

static bool holds_around(const gs_code *code, const gs_bulk_group *observers,
                         const gs_superblock *s)
{
    unsigned found = 0;
    for (size_t i = 0; i < code->count; i++) {
        if (!is_around(observers, &code->superblocks[i], s))
            continue;
        if (found == s->around_count || s->around[found] != &code->superblocks[i])
            return false;
        found++;
    }
    return found == s->around_count;
}

bool gs_loops_hold(const gs_code *code, const gs_bulk_group *observers)
{
    for (size_t i = 0; i < code->count; i++) {
        const gs_superblock *s = &code->superblocks[i];
        for (unsigned k = 0; k < s->exit_count; k++) {
            if (s->exits[k].arrival != arrival_of(code, observers, s, &s->exits[k]))
                return false;
        }
        if (s->loop && (s->onwards != jump(observers, s->pc - 1, s->pc) ||
                        s->checked != is_checked(code, observers, s)))
            return false;
        if (s->entry && !holds_around(code, observers, s))
            return false;
    }
    return true;
}
