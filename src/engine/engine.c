/*
 * gs_run(): slices of execution between the environment's events, traps, limits, and when each
 * engine runs.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/fast/tier/tier.h"
#include "engine/interp.h"
#include "timing/timing.h"

/* Long enough to cost nothing, short enough that Ctrl-C and a progress bar feel immediate. */
static const uint64_t slice = 1 << 22;

static gs_interp *choose(const gs_machine *machine, bool observed)
{
    if (machine->isa->arch == GS_ARCH_RV32)
        return observed ? gs_interp_rv32_observed : gs_interp_rv32_plain;
    if (machine->memory.big_endian)
        return observed ? gs_interp_mipseb_observed : gs_interp_mipseb_plain;
    return observed ? gs_interp_mipsel_observed : gs_interp_mipsel_plain;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The environment may have answered a trap in place of the hardware (a system call, semihosting);
 * the instruction has then retired like any other, and is reported. */
static void report_answered(gs_watch *watch, gs_machine *machine, const gs_trap *trap)
{
    gs_insn insn;
    uint32_t word;
    if (gs_memory_fetch(&machine->memory, machine->isa, trap->pc, &word) != GS_ACCESS_OK)
        return;
    gs_decode(&insn, &machine->decoder, word);
    gs_retired event = {
        .number = machine->hart.instret - 1,
        .pc = trap->pc,
        .next_pc = machine->hart.pc,
        .insn = &insn,
        .transfers = true,                                   /* as it does in a delay slot, */
        .taken = machine->hart.pc != trap->pc + insn.length, /* to a signal, or back from one */
        .goal = machine->hart.pc,
    };
    (void)gs_watch_retired(watch, machine, &event);
}

/* Lets the environment do what is due. The hart may end up in an interrupt handler, or have slept.
 */
static uint64_t run_events(gs_watch *watch, gs_machine *machine)
{
    gs_hart *hart = &machine->hart;
    uint64_t before = machine->time;
    gs_addr pc = hart->pc;
    uint64_t next = machine->environment->events(machine, machine->time);
    machine->idle += machine->time - before;
    machine->saw_time |= machine->time != before || hart->pc != pc;
    if (watch->timing) {
        if (machine->time != before)
            gs_timing_redirected(watch->timing, GS_REDIRECT_SLEEP, machine->time);
        if (hart->pc != pc) {
            gs_timing_redirected(watch->timing, GS_REDIRECT_INTERRUPT, 0);
            gs_followers_redirected(watch->followers, GS_REDIRECT_INTERRUPT);
        }
    }
    if (hart->pc != pc)
        gs_watch_trapped(watch, machine, pc);
    return next;
}

/* A system call that the host interrupted is simply run again: then nothing has happened yet. */
static void handle_trap(gs_watch *watch, gs_machine *machine)
{
    gs_trap trap = machine->hart.trap;
    uint64_t retired = machine->hart.instret;
    machine->environment->trap(machine);
    if (machine->hart.instret != retired)
        report_answered(watch, machine, &trap);
    else if (machine->exit.kind == GS_EXIT_NONE && machine->hart.pc != trap.pc) {
        if (watch->timing)
            gs_timing_trapped(watch->timing, &trap);
        gs_followers_trapped(watch->followers, &trap);
        gs_watch_trapped(watch, machine, trap.pc);
    }
}

static bool limit_reached(const gs_machine *machine, const gs_run_options *options)
{
    return (options->max_instructions && machine->hart.instret >= options->max_instructions) ||
           (options->max_cycles && options->timing && machine->time >= options->max_cycles);
}

/* The stores of markers from `first` on have retired now, as the last instruction of their slice.
 */
static void date_markers(gs_machine *machine, size_t first)
{
    for (size_t i = first; i < machine->markers.count; i++)
        machine->markers.items[i].cycle = machine->time;
}

/* Translated code, from here on, if there is any. */
static gs_status run_translated(gs_tier *tier, gs_watch *watch, gs_machine *machine,
                                uint64_t max_instructions, bool *ran, gs_error *err)
{
    gs_fast_engine *fast = gs_tier_fast(tier);
    gs_status status = gs_tier_check_code(tier, err);
    *ran = false;
    if (status == GS_OK && (!watch->note || gs_watch_is_even(watch)))
        status = gs_fast_run(fast, watch->deadline, max_instructions, ran, err);
    if (*ran && watch->timing)
        gs_watch_skip(watch);
    machine->time = gs_watch_time(watch, machine);
    uint64_t margin = gs_fast_margin(fast);
    watch->filter_until = watch->deadline > margin ? watch->deadline - margin : 0;
    return status;
}

/* Made before the run: an error after it would come too late. */
static gs_status make_directory(const char *directory, gs_error *err)
{
    if (mkdir(directory, 0777) == 0 || errno == EEXIST)
        return GS_OK;
    return gs_fail(err, GS_E_IO, "cannot make the directory %s: %s", directory, strerror(errno));
}

/* `*reported` is the number of instructions at the last report. */
static void report_progress(const gs_run_options *options, const gs_machine *machine,
                            uint64_t *reported)
{
    if (!options->progress || machine->hart.instret - *reported < slice)
        return;
    *reported = machine->hart.instret;
    options->progress(options->progress_self, machine);
}

gs_status gs_run(gs_machine *machine, const gs_run_options *options, gs_error *err)
{
    gs_hart *hart = &machine->hart;
    gs_watch watch;
    gs_watch_init(&watch, options->timing, options->observers, options->observer_count);
    gs_region *region = options->region;
    bool watched = watch.timing || watch.observer_count > 0 || region;
    watch.region = region;
    gs_interp *interp = choose(machine, watched), *watching = choose(machine, true);
    uint64_t limit = options->max_instructions ? options->max_instructions : UINT64_MAX;
    uint64_t cycle_limit = options->max_cycles ? options->max_cycles : UINT64_MAX;
    if (options->max_cycles && !options->timing)
        return gs_fail(err, GS_E_ARGUMENT, "a limit in cycles needs a core to count them");

    gs_tier *tier;
    gs_status status =
        options->emit_directory ? make_directory(options->emit_directory, err) : GS_OK;
    if (status == GS_OK)
        status = gs_followers_open(&watch.followers, options->timing, options->followers,
                                   options->follower_count, err);
    if (status != GS_OK)
        return status;
    status = gs_tier_open(&tier, machine, options, err);
    if (status == GS_OK && machine->reference_reason[0] && options->engine == GS_ENGINE_FAST)
        status = gs_fail(err, GS_E_UNSUPPORTED, "cannot use the fast engine: %s",
                         machine->reference_reason);
    if (status == GS_OK && options->ready) {
        status = options->ready(options->ready_self, tier ? gs_tier_cache(tier) : NULL, err);
        if (status != GS_OK)
            gs_tier_free(tier);
    }
    if (status != GS_OK) {
        gs_followers_close(watch.followers);
        return status;
    }
    uint64_t unsampled = 0; /* instructions the reference engine has run */
    uint64_t reported = hart->instret;
    if (tier)
        gs_watch_use_fast(&watch, gs_tier_fast(tier));

    if (region && !region->announced) {
        region->announced = true;
        gs_watch_region(&watch, machine, region->inside);
    }
    if (machine->exit.kind == GS_EXIT_LIMIT || machine->exit.kind == GS_EXIT_INTERRUPTED)
        machine->exit = (gs_exit){0};
    uint64_t due = tier ? gs_fast_settle_due(gs_tier_fast(tier)) : UINT64_MAX;
    while (machine->exit.kind == GS_EXIT_NONE) {
        if (tier && machine->time >= due)
            due = gs_fast_settle_due(gs_tier_fast(tier));
        uint64_t next_event = run_events(&watch, machine);
        if (machine->exit.kind != GS_EXIT_NONE)
            break;
        if (limit_reached(machine, options)) {
            machine->exit.kind = GS_EXIT_LIMIT;
            break;
        }
        if (options->cancel && *options->cancel) {
            machine->exit = *options->cancel == SIGALRM
                                ? (gs_exit){.kind = GS_EXIT_LIMIT, .message = "of time"}
                                : (gs_exit){.kind = GS_EXIT_INTERRUPTED};
            break;
        }
        if (region && gs_region_arrive(region, machine))
            gs_watch_region(&watch, machine, region->inside);
        uint64_t budget = smaller(limit - hart->instret, slice);
        watch.deadline = smaller(next_event, cycle_limit);
        const bool overdue = due <= machine->time;
        if (!overdue)
            watch.deadline = smaller(watch.deadline, due);
        else if (due > 0)
            budget = 1;
        if (!watch.timing) {
            uint64_t until_event = next_event > machine->time ? next_event - machine->time : 1;
            budget = smaller(budget, until_event);
        }
        const bool translated = tier && !overdue && !gs_tier_rests(tier);
        if (tier) {
            watch.filter = translated ? gs_fast_filter(gs_tier_fast(tier)) : NULL;
            budget = smaller(budget, GS_TIER_SLICE - unsampled);
        }
        if (translated) {
            bool ran;
            status = run_translated(tier, &watch, machine, limit, &ran, err);
            if (status != GS_OK)
                break;
            if (ran) {
                report_progress(options, machine, &reported);
                continue;
            }
        }
        const uint64_t before = hart->instret;
        const gs_addr from = hart->pc;
        const size_t markers = machine->markers.count;
        gs_stop stop = (translated && gs_fast_has_code(gs_tier_fast(tier)) ? watching : interp)(
            machine, budget, &watch);
        hart->resync = false;
        machine->time = gs_watch_time(&watch, machine);
        date_markers(machine, markers);
        if (stop == GS_STOP_TRAP) {
            handle_trap(&watch, machine);
            machine->time = gs_watch_time(&watch, machine);
        }
        unsampled += hart->instret - before + GS_TIER_TURN;
        if (tier && unsampled >= GS_TIER_SLICE) {
            unsampled = 0;
            status = gs_tier_sample(tier, from, hart->pc, err);
            if (status != GS_OK)
                break;
        }
        report_progress(options, machine, &reported);
    }
    if (tier) {
        gs_fast_settle(gs_tier_fast(tier));
        if (status == GS_OK && options->emit_directory)
            status = gs_tier_emit(tier, options->emit_directory, err);
        gs_tier_free(tier);
    }
    gs_watch_fini(&watch);
    if (watch.timing)
        gs_timing_finished(watch.timing);
    gs_followers_finished(watch.followers);
    gs_followers_close(watch.followers);
    if (machine->environment->flush)
        machine->environment->flush(machine);
    return status;
}
