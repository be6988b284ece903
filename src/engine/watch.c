/*
 * Moves the timing model for a retired instruction, then tells the observers what they asked for.
 */
#include "engine/watch.h"

#include "probe/unreported.h"

/* Whether there may be translated code for the next instruction. */
static bool may_go_on(const gs_watch *watch, const gs_retired *event)
{
    return watch->filter && watch->filter[event->next_pc >> 1 & GS_FAST_FILTER_MASK];
}

static bool follow_time(gs_watch *watch, const gs_machine *machine, const gs_retired *event)
{
    gs_timing_step step; /* all of it is set below: setting it to zero first has a measurable
                            cost */
    step.pc = (uint32_t)event->pc;
    step.goal = (uint32_t)event->goal;
    step.taken = event->taken;
    step.value[0] = (uint32_t)event->value[0];
    step.value[1] = (uint32_t)event->value[1];
    if (event->size > 0) {
        gs_timing_access(&step, machine->isa->ops[event->insn->op].timing, (uint32_t)event->address,
                         event->size);
        step.uncached = gs_memory_is_uncached(&machine->memory, step.address);
    } else {
        step.load = step.store = step.uncached = false;
        step.size = 0;
        step.address = 0;
    }
    gs_timing_retired(watch->timing, event->insn, &step);
    if (__builtin_expect(watch->followers != NULL, 0))
        gs_followers_retired(watch->followers, event->insn, &step);
    const uint64_t now = gs_timing_clock(watch->timing);
    if (may_go_on(watch, event) && now < watch->filter_until)
        return true;
    return now >= watch->deadline;
}

/* Used where more than one observer wants noted events. */
static void note_all(void *self, const gs_machine *machine, const gs_retired *event,
                     uint64_t cycles, bool missed)
{
    const gs_watch *watch = self;
    for (size_t i = 0; i < watch->observer_count; i++) {
        const gs_observer *observer = watch->observers[i];
        if (observer->noted)
            observer->noted(observer->self, machine, event, cycles, missed);
    }
}

void gs_watch_init(gs_watch *watch, gs_timing *timing, const gs_observer *const *observers,
                   size_t observer_count)
{
    *watch = (gs_watch){.timing = timing, .observers = observers, .observer_count = observer_count};
    for (size_t i = 0; i < observer_count; i++) {
        watch->want_all |= observers[i]->retired != NULL;
        if (!observers[i]->noted)
            continue;
        watch->note = watch->note ? note_all : observers[i]->noted;
        watch->note_self = watch->note == note_all ? watch : observers[i]->self;
    }
}

void gs_watch_use_fast(gs_watch *watch, gs_fast_engine *fast)
{
    watch->fast = fast;
    watch->filter = gs_fast_filter(fast);
}

void gs_watch_fini(gs_watch *watch)
{
    if (watch->timing && !watch->note)
        gs_watch_skip(watch);
}

void gs_watch_skip(gs_watch *watch)
{
    gs_unreported_set(watch->timing, (gs_unreported){0});
}

bool gs_watch_is_even(const gs_watch *watch)
{
    if (!watch->timing)
        return true;
    const gs_unreported pending = gs_unreported_get(watch->timing);
    return pending.cycles == 0 && pending.misses == 0;
}

/* Notes the few instructions of which there is more to say than that they have retired. */
static inline void select_some(gs_watch *watch, const gs_machine *machine, const gs_retired *event)
{
    gs_timing *timing = watch->timing;
    uint64_t cycles = 1, missed = 0;
    if (timing) {
        cycles = timing->now - timing->reported_cycles;
        missed = gs_timing_misses(timing) - timing->reported_misses;
        timing->reported_cycles = timing->now;
    }
    if (((cycles ^ 1) | missed | event->transfers) == 0)
        return;
    if (missed)
        timing->reported_misses += missed;
    watch->note(watch->note_self, machine, event, cycles, missed != 0);
}

static __attribute__((noinline)) void report_all(const gs_watch *watch, const gs_machine *machine,
                                                 const gs_retired *event)
{
    for (size_t i = 0; i < watch->observer_count; i++) {
        const gs_observer *observer = watch->observers[i];
        if (observer->retired)
            observer->retired(observer->self, machine, event);
    }
}

/* Flattened: with link-time optimisation all but the model itself becomes one function, which makes
 * the reference engine 10% faster. */
__attribute__((flatten)) bool gs_watch_retired(gs_watch *watch, const gs_machine *machine,
                                               const gs_retired *event)
{
    bool due = watch->timing ? follow_time(watch, machine, event) : may_go_on(watch, event);
    if (watch->note)
        select_some(watch, machine, event);
    if (watch->want_all)
        report_all(watch, machine, event);
    if (__builtin_expect(watch->region != NULL, 0))
        due |= gs_region_may_cross(watch->region, machine, event->next_pc);
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

void gs_watch_region(gs_watch *watch, const gs_machine *machine, bool inside)
{
    if (watch->fast && watch->observer_count > 0)
        gs_fast_settle(watch->fast); /* what has been executed belongs to the other side of the
                                        edge */
    for (size_t i = 0; i < watch->observer_count; i++) {
        if (watch->observers[i]->region)
            watch->observers[i]->region(watch->observers[i]->self, machine, inside);
    }
    if (watch->fast && watch->observer_count > 0)
        gs_fast_settle_due(watch->fast);
}

void gs_watch_decoded(gs_watch *watch, const gs_machine *machine, gs_addr pc, const gs_insn *insn)
{
    if (watch->fast && watch->observer_count > 0)
        gs_fast_settle_old_code(watch->fast);
    for (size_t i = 0; i < watch->observer_count; i++) {
        if (watch->observers[i]->decoded)
            watch->observers[i]->decoded(watch->observers[i]->self, machine, pc, insn);
    }
}

uint64_t gs_watch_time(const gs_watch *watch, const gs_machine *machine)
{
    return watch->timing ? gs_timing_clock(watch->timing) : machine->hart.instret + machine->idle;
}
