/*
 * gs_run(), and runs that stop now and then: slices of execution between the environment's events,
 * traps, limits, and when each engine runs.
 */
#include "engine/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/control.h"
#include "machine/journal.h"
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
static void handle_trap(gs_watch *watch, gs_machine *machine, gs_control *control)
{
    gs_trap trap = machine->hart.trap;
    uint64_t retired = machine->hart.instret;
    if (trap.kind == GS_TRAP_STOP)
        return;
    if (machine->journal)
        gs_journal_trap(machine->journal, machine);
    else
        machine->environment->trap(machine);
    if (control)
        control->traps += machine->hart.instret == retired;
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
                                uint64_t deadline, uint64_t max_instructions, bool *ran,
                                gs_error *err)
{
    gs_fast_engine *fast = gs_tier_fast(tier);
    gs_status status = gs_tier_check_code(tier, err);
    *ran = false;
    if (status == GS_OK && (!watch->note || gs_watch_is_even(watch)))
        status = gs_fast_run(fast, deadline, max_instructions, ran, err);
    if (*ran && watch->timing)
        gs_watch_skip(watch);
    machine->time = gs_watch_time(watch, machine);
    watch->filter_until = gs_fast_entered_until(fast, deadline);
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

static void close_early(gs_runner *r)
{
    gs_tier_free(r->tier);
    gs_followers_close(r->watch.followers);
}

gs_status gs_runner_open(gs_runner *r, gs_machine *machine, const gs_run_options *options,
                         gs_error *err)
{
    *r = (gs_runner){.machine = machine, .options = options};
    gs_watch *watch = &r->watch;
    gs_watch_init(watch, options->timing, options->observers, options->observer_count);
    watch->region = options->region;
    const bool watched = watch->timing || watch->observer_count > 0 || watch->region;
    r->plain = choose(machine, watched);
    r->watching = choose(machine, true);
    r->limit = options->max_instructions ? options->max_instructions : UINT64_MAX;
    r->cycle_limit = options->max_cycles ? options->max_cycles : UINT64_MAX;
    r->reported = machine->hart.instret;
    if (options->max_cycles && !options->timing)
        return gs_fail(err, GS_E_ARGUMENT, "a limit in cycles needs a core to count them");

    gs_status status =
        options->emit_directory ? make_directory(options->emit_directory, err) : GS_OK;
    if (status == GS_OK)
        status = gs_followers_open(&watch->followers, options->timing, options->followers,
                                   options->follower_count, err);
    if (status != GS_OK)
        return status;
    status = gs_tier_open(&r->tier, machine, options, err);
    if (status == GS_OK && machine->reference_reason[0] && options->engine == GS_ENGINE_FAST)
        status = gs_fail(err, GS_E_UNSUPPORTED, "cannot use the fast engine: %s",
                         machine->reference_reason);
    if (status == GS_OK && options->ready)
        status = options->ready(options->ready_self, r->tier ? gs_tier_cache(r->tier) : NULL, err);
    if (status != GS_OK) {
        close_early(r);
        return status;
    }
    if (r->tier)
        gs_watch_use_fast(watch, gs_tier_fast(r->tier));
    if (r->tier)
        gs_fast_settle_due(gs_tier_fast(r->tier));

    gs_region *region = options->region;
    if (region && !region->announced) {
        region->announced = true;
        gs_watch_region(watch, machine, region->inside);
    }
    if (machine->exit.kind == GS_EXIT_LIMIT || machine->exit.kind == GS_EXIT_INTERRUPTED)
        machine->exit = (gs_exit){0};
    return GS_OK;
}

/* Whether the run ends here, by a limit or a cancellation. */
static bool is_stopped(const gs_runner *r)
{
    gs_machine *machine = r->machine;
    const gs_run_options *options = r->options;
    if (machine->exit.kind != GS_EXIT_NONE)
        return true;
    if (limit_reached(machine, options)) {
        machine->exit.kind = GS_EXIT_LIMIT;
        return true;
    }
    if (!options->cancel || !*options->cancel)
        return false;
    machine->exit = *options->cancel == SIGALRM
                        ? (gs_exit){.kind = GS_EXIT_LIMIT, .message = "of time"}
                        : (gs_exit){.kind = GS_EXIT_INTERRUPTED};
    return true;
}

/* Whether the hart could be interrupted, or an interrupt end its sleep. */
static bool heeds_lines(const gs_machine *machine)
{
    const gs_hart *hart = &machine->hart;
    return machine->isa->arch == GS_ARCH_RV32
               ? hart->rv.waiting || hart->rv.mie
               : hart->mips.waiting || (hart->mips.cp0_status & GS_MIPS_STATUS_IM);
}

/* Next to other machines: whether it has to wait for them, or was told to. */
static bool must_wait(const gs_runner *r)
{
    gs_bus_port *port = r->machine->port;
    if (!port)
        return false;
    if (r->machine->time >= port->pause)
        port->wait = GS_BUS_PORT_PAUSED;
    else if (heeds_lines(r->machine))
        (void)gs_machine_is_undecided(r->machine);
    return port->wait != GS_BUS_PORT_NONE;
}

/* The instruction that stopped at `trap` asks for the bus: when its request goes out. */
static void make_request(const gs_runner *r, const gs_trap *trap)
{
    gs_machine *machine = r->machine;
    gs_bus_port *port = machine->port;
    gs_insn insn = {.op = GS_OP_ILLEGAL};
    uint32_t word;
    if (gs_memory_fetch(&machine->memory, machine->isa, trap->pc, &word) == GS_ACCESS_OK)
        gs_decode(&insn, &machine->decoder, word);
    const gs_operands operands = machine->isa->operands(&insn);
    gs_timing_step step = {.pc = trap->pc, .uncached = true};
    for (unsigned i = 0; i < 2; i++)
        step.value[i] =
            (uint32_t)gs_hart_operand(&machine->hart, machine->isa->arch, operands.source[i]);
    const unsigned class = machine->isa->ops[insn.op].timing;
    gs_timing_access(&step, class, port->request.address, port->request.size);
    port->request.atomic = class == GS_CLASS_ATOMIC;
    port->request.cycle = gs_timing_request(r->watch.timing, &insn, &step);
}

/* What the reference engine stopped for. */
static void after_slice(gs_runner *r, gs_stop stop, size_t markers)
{
    gs_machine *machine = r->machine;
    machine->hart.resync = false;
    machine->time = gs_watch_time(&r->watch, machine);
    date_markers(machine, markers);
    if (stop != GS_STOP_TRAP)
        return;
    if (machine->port && machine->port->wait == GS_BUS_PORT_REQUEST)
        make_request(r, &machine->hart.trap);
    else if (!machine->port || machine->port->wait == GS_BUS_PORT_NONE)
        handle_trap(&r->watch, machine, r->options->control);
    machine->time = gs_watch_time(&r->watch, machine);
}

/* One slice of the reference engine. */
static gs_status interpret(gs_runner *r, uint64_t budget, bool translated, gs_error *err)
{
    gs_machine *machine = r->machine;
    const uint64_t before = machine->hart.instret;
    const gs_addr from = machine->hart.pc;
    const size_t markers = machine->markers.count;
    gs_interp *interp =
        translated && gs_fast_has_code(gs_tier_fast(r->tier)) ? r->watching : r->plain;
    after_slice(r, interp(machine, budget, &r->watch), markers);
    r->unsampled += machine->hart.instret - before + GS_TIER_TURN;
    if (!r->tier || r->unsampled < GS_TIER_SLICE)
        return GS_OK;
    r->unsampled = 0;
    return gs_tier_sample(r->tier, from, machine->hart.pc, err);
}

/* The cycle that observers wait for. */
static uint64_t due_of(const gs_runner *r)
{
    return r->tier ? gs_fast_due(gs_tier_fast(r->tier)) : UINT64_MAX;
}

/* What lies between two looks at the environment's events, of which the next is at `next_event`. */
static gs_status run_slice(gs_runner *r, uint64_t next_event, gs_error *err)
{
    gs_machine *machine = r->machine;
    gs_watch *watch = &r->watch;
    gs_tier *tier = r->tier;
    const gs_control *control = r->options->control;
    const uint64_t limit = control ? smaller(r->limit, control->limit) : r->limit;
    uint64_t budget = smaller(limit - machine->hart.instret, slice);
    watch->deadline = smaller(next_event, r->cycle_limit);
    if (machine->port) {
        watch->deadline = smaller(watch->deadline, machine->port->pause);
        if (heeds_lines(machine) && machine->port->known < watch->deadline)
            watch->deadline = machine->port->known + 1;
    }
    const uint64_t deadline = watch->deadline, due = due_of(r);
    const bool overdue = due <= machine->time;
    if (!overdue)
        watch->deadline = smaller(watch->deadline, due);
    else if (due > 0)
        budget = 1;
    if (!watch->timing) {
        uint64_t until_event = next_event > machine->time ? next_event - machine->time : 1;
        budget = smaller(budget, until_event);
    }
    const bool translated = tier && !overdue && !gs_tier_rests(tier);
    if (tier) {
        watch->filter = translated ? gs_fast_filter(gs_tier_fast(tier)) : NULL;
        budget = smaller(budget, GS_TIER_SLICE - r->unsampled);
    }
    if (translated) {
        bool ran;
        gs_status status = run_translated(tier, watch, machine, deadline, limit, &ran, err);
        if (status != GS_OK || ran)
            return status;
    }
    return interpret(r, budget, translated, err);
}

static void detach_observers(gs_runner *r)
{
    gs_watch *watch = &r->watch;
    gs_followers *followers = watch->followers;
    gs_watch_init(watch, watch->timing, NULL, 0);
    watch->followers = followers;
    r->detached = true;
}

static void attach_observers(gs_runner *r)
{
    gs_watch *watch = &r->watch;
    gs_followers *followers = watch->followers;
    gs_watch_init(watch, watch->timing, r->options->observers, r->options->observer_count);
    watch->followers = followers;
    watch->region = r->options->region;
    if (watch->timing)
        gs_unreported_set(watch->timing, r->pending);
    r->detached = false;
}

/* Translated code depends on what has happened, and is given up for good. */
static void give_up_translation(gs_runner *r)
{
    gs_machine *machine = r->machine;
    gs_tier_free(r->tier);
    r->tier = NULL;
    snprintf(machine->reference_reason, sizeof machine->reference_reason,
             "the debugger went back in time");
}

typedef enum turn {
    TURN_ON,   /* the run goes on */
    TURN_BACK, /* and at an earlier time */
    TURN_OVER,
} turn;

static turn take_turn(gs_runner *r)
{
    gs_machine *machine = r->machine;
    gs_control *control = r->options->control;
    gs_timing *timing = r->watch.timing;
    if (!control->wants(control->self, machine))
        return machine->exit.kind != GS_EXIT_NONE ? TURN_OVER : TURN_ON;
    if (r->tier)
        gs_fast_settle(gs_tier_fast(r->tier));
    if (timing && !r->detached)
        r->pending = gs_unreported_get(timing);
    const bool on = control->turn(control->self, machine);
    const bool back = control->went_back;
    control->went_back = false;
    if (back && r->tier)
        give_up_translation(r);
    if (back)
        detach_observers(r);
    if (r->detached && !control->replays)
        attach_observers(r);
    if (!on && machine->exit.kind == GS_EXIT_NONE)
        machine->exit = (gs_exit){.kind = GS_EXIT_INTERRUPTED};
    return machine->exit.kind != GS_EXIT_NONE ? TURN_OVER : back ? TURN_BACK : TURN_ON;
}

/* Whether the program has ended, and no debugger goes back from there. */
static bool has_ended(gs_runner *r)
{
    return r->machine->exit.kind != GS_EXIT_NONE &&
           (!r->options->control || take_turn(r) == TURN_OVER);
}

gs_status gs_runner_go(gs_runner *r, gs_error *err)
{
    gs_machine *machine = r->machine;
    gs_status status = GS_OK;
    while (status == GS_OK && !has_ended(r) && !must_wait(r)) {
        if (r->tier && machine->time >= due_of(r))
            gs_fast_settle_due(gs_tier_fast(r->tier));
        uint64_t next_event = run_events(&r->watch, machine);
        if (must_wait(r))
            break;
        if (machine->exit.kind != GS_EXIT_NONE)
            continue;
        const turn next = r->options->control ? take_turn(r) : TURN_ON;
        if (next == TURN_BACK)
            continue;
        if (next == TURN_OVER || is_stopped(r))
            break;
        gs_region *region = r->watch.region ? r->options->region : NULL;
        if (region && gs_region_arrive(region, machine))
            gs_watch_region(&r->watch, machine, region->inside);
        status = run_slice(r, next_event, err);
        if (status == GS_OK)
            report_progress(r->options, machine, &r->reported);
    }
    return status;
}

void gs_runner_execute_granted(gs_runner *r)
{
    gs_machine *machine = r->machine;
    const size_t markers = machine->markers.count;
    r->watch.deadline = UINT64_MAX;
    machine->port->wait = GS_BUS_PORT_NONE;
    after_slice(r, r->watching(machine, 1, &r->watch), markers);
}

gs_status gs_runner_close(gs_runner *r, gs_status status, gs_error *err)
{
    gs_machine *machine = r->machine;
    if (r->tier) {
        gs_fast_settle(gs_tier_fast(r->tier));
        if (status == GS_OK && r->options->emit_directory)
            status = gs_tier_emit(r->tier, r->options->emit_directory, err);
        gs_tier_free(r->tier);
    }
    gs_watch_fini(&r->watch);
    if (r->watch.timing)
        gs_timing_finished(r->watch.timing);
    gs_followers_finished(r->watch.followers);
    gs_followers_close(r->watch.followers);
    if (machine->environment->flush)
        machine->environment->flush(machine);
    return status;
}

gs_status gs_run(gs_machine *machine, const gs_run_options *options, gs_error *err)
{
    gs_runner runner;
    gs_status status = gs_runner_open(&runner, machine, options, err);
    if (status == GS_OK)
        status = gs_runner_close(&runner, gs_runner_go(&runner, err), err);
    return status;
}
