/* Turns the counts of the fast engine into calls of bulk observers. */
#include "probe/bulk.h"

#include <stdio.h>

/* Whether an observer sees all it wants to see as long as traps are reported. */
static bool wants_traps_only(const gs_observer *observer)
{
    return !observer->retired && !observer->noted && !observer->decoded;
}

bool gs_bulk_group_init(gs_bulk_group *group, const gs_observer *const *observers, size_t count,
                        const gs_timing *timing, char *why, size_t size)
{
    bool stops = false;
    *group = (gs_bulk_group){.observers = observers, .count = count};
    for (size_t i = 0; i < count; i++) {
        const gs_observer *observer = observers[i];
        const gs_bulk_observer *bulk = observer->bulk;
        const char *name = observer->name ? observer->name : "an observer", *problem = NULL;
        if (!bulk && wants_traps_only(observer))
            continue;
        if (!bulk)
            problem = "is told of every instruction";
        else if (!timing)
            problem = "is told of every instruction where no core is modelled";
        else if (bulk->paths && group->paths)
            problem = "is not the only observer that follows call paths";
        if (problem) {
            snprintf(why, size, "%s %s", name, problem);
            return false;
        }
        if (bulk->paths) {
            group->paths = bulk->paths;
            group->paths_self = observer->self;
        }
        group->weighs |= bulk->weigh != NULL;
        stops |= bulk->due && !bulk->weigh;
    }
    group->crosses = group->weighs && !stops;
    return true;
}

#define FOR_ALL(group_, member_, ...)                                 \
    for (size_t i_ = 0; i_ < (group_)->count; i_++) {                 \
        const gs_observer *observer_ = (group_)->observers[i_];       \
        if (observer_->bulk && observer_->bulk->member_)              \
            observer_->bulk->member_(observer_->self, ##__VA_ARGS__); \
    }

void gs_bulk_pause(const gs_bulk_group *group)
{
    FOR_ALL(group, pause)
}

void gs_bulk_resume(const gs_bulk_group *group)
{
    FOR_ALL(group, resume)
}

void gs_bulk_begin_adding(const gs_bulk_group *group)
{
    FOR_ALL(group, begin_adding)
}

void gs_bulk_add(const gs_bulk_group *group, const gs_bulk_run *run)
{
    FOR_ALL(group, add, run)
}

void gs_bulk_end_adding(const gs_bulk_group *group){FOR_ALL(group, end_adding)}

uint64_t gs_bulk_due(const gs_bulk_group *group)
{
    uint64_t earliest = UINT64_MAX;
    for (size_t i = 0; i < group->count; i++) {
        const gs_observer *observer = group->observers[i];
        if (!observer->bulk || !observer->bulk->due)
            continue;
        const uint64_t due = observer->bulk->due(observer->self);
        earliest = due < earliest ? due : earliest;
    }
    return earliest;
}

void gs_bulk_decoded(const gs_bulk_group *group, gs_addr pc,
                     const gs_insn *insn){FOR_ALL(group, decoded, pc, insn)}

int64_t gs_bulk_run_times(const gs_bulk_run *run)
{
    return (int64_t)run->times;
}

size_t gs_bulk_run_length(const gs_bulk_run *run)
{
    return run->length;
}

const gs_insn *gs_bulk_run_insn(const gs_bulk_run *run, size_t index, uint64_t *pc)
{
    const gs_bulk_insn *at = gs_bulk_insn_at(run, index);
    if (pc)
        *pc = at->pc;
    return &at->insn;
}

int gs_bulk_run_taken(const gs_bulk_run *run)
{
    return run->taken;
}

uint64_t gs_bulk_run_next(const gs_bulk_run *run)
{
    return run->next;
}

int64_t gs_bulk_run_cycles(const gs_bulk_run *run)
{
    return (int64_t)run->cycles;
}

size_t gs_bulk_run_charge_count(const gs_bulk_run *run)
{
    return run->charge_count;
}

const gs_charge *gs_bulk_run_charge(const gs_bulk_run *run, size_t index)
{
    return &run->charges[index];
}
