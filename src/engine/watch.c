#include "engine/watch.h"

#include "engine/fast/fast.h"
#include "timing/timing.h"

static bool follow_time(gs_watch *watch, const gs_machine *machine, const gs_retired *event)
{
    gs_timing_step step; /* all of it is set below: zeroing it first costs more than it seems */
    step.pc = (uint32_t)event->pc;
    step.goal = (uint32_t)event->goal;
    step.taken = event->taken;
    step.value[0] = (uint32_t)event->value[0];
    step.value[1] = (uint32_t)event->value[1];
    if (event->size > 0) {
        gs_timing_access(&step, machine->isa->ops[event->insn->op].timing, (uint32_t)event->address,
                         event->size);
        step.uncached = machine->memory.prot[step.address >> GS_PAGE_SHIFT] & GS_PROT_DEVICE;
    } else {
        step.load = step.store = step.uncached = false;
        step.size = 0;
        step.address = 0;
    }
    gs_timing_retired(watch->timing, event->insn, &step);
    const uint64_t now = watch->timing->now;
    if (watch->filter && watch->filter[event->next_pc >> 1 & GS_FAST_FILTER_MASK] &&
        now < watch->filter_until)
        return true;
    return now >= watch->deadline;
}

/* Flattened: with link-time optimisation all but the model itself becomes one function, which makes
 * the reference engine 10% faster. */
__attribute__((flatten)) bool gs_watch_retired(gs_watch *watch, const gs_machine *machine,
                                               const gs_retired *event)
{
    bool due = watch->timing && follow_time(watch, machine, event);
    for (size_t i = 0; i < watch->observer_count; i++)
        watch->observers[i]->retired(watch->observers[i]->self, machine, event);
    return due;
}

void gs_watch_trapped(gs_watch *watch, const gs_machine *machine, gs_addr pc)
{
    gs_trapped event = {.pc = pc, .handler = machine->hart.pc};
    for (size_t i = 0; i < watch->observer_count; i++) {
        if (watch->observers[i]->trapped)
            watch->observers[i]->trapped(watch->observers[i]->self, machine, &event);
    }
}

uint64_t gs_watch_time(const gs_watch *watch, const gs_machine *machine)
{
    return watch->timing ? watch->timing->now : machine->hart.instret + machine->idle;
}
