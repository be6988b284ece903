/* When the program stops, and where it goes from there. */
#include "debug/debugger.h"

#include <stdlib.h>

#include "base/vec.h"

enum { SIGNAL_INT = 2, SIGNAL_TRAP = 5, SIGNAL_KILL = 9 };
enum { LEAST_REPLAY = 1 << 16 }; /* instructions: a checkpoint nearer than that saves nothing */
enum { POLL_INSTRUCTIONS = 1 << 20, POLL_ASKED = 1 << 10 };

/* The host's signals as gdb numbers them. */
static unsigned gdb_signal(int signal)
{
    switch (signal) {
    case SIGILL: return 4;
    case SIGABRT: return 6;
    case SIGFPE: return 8;
    case SIGBUS: return 10;
    case SIGSEGV: return 11;
    case SIGSYS: return 12;
    default: return SIGNAL_TRAP;
    }
}

bool gs_debugger_in_past(const gs_debugger *d)
{
    return d->control.replays;
}

/* -- edits --------------------------------------------------------------------------------------
 */

static bool write_device(gs_memory *memory, gs_addr to, const uint8_t *bytes, uint32_t size)
{
    uint64_t value = 0;
    if ((size != 1 && size != 2 && size != 4) || (to & (size - 1)))
        return false;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * (memory->big_endian ? size - 1 - i : i);
    return gs_memory_store(memory, to, size, value) == GS_ACCESS_OK;
}

static bool apply(gs_debugger *d, bool is_register, uint32_t target, const void *bytes,
                  uint32_t size)
{
    gs_memory *memory = &d->machine->memory;
    if (is_register)
        return gs_register_write(&d->registers, d->machine, target, bytes);
    if (size == 0 || gs_memory_poke(memory, target, bytes, size))
        return true;
    return memory->prot[target >> GS_PAGE_SHIFT] & GS_PROT_DEVICE &&
           write_device(memory, target, bytes, size);
}

bool gs_debugger_edit(gs_debugger *d, bool is_register, uint32_t target, const void *bytes,
                      uint32_t size)
{
    if (!apply(d, is_register, target, bytes, size))
        return false;
    gs_history_edited(&d->history, is_register, target, bytes, size);
    return true;
}

/* -- going on -----------------------------------------------------------------------------------
 */

/* Has the machine stop where gdb wants, or nowhere. */
static void set_stops(gs_debugger *d, bool active)
{
    gs_addr *instructions = NULL;
    gs_watchpoint *watched = NULL;
    const size_t count = active ? d->breakpoints.count : 0,
                 watches = active ? d->watchpoints.count : 0;
    if (count > 0 && (instructions = malloc(count * sizeof *instructions)) != NULL)
        memcpy(instructions, d->breakpoints.items, count * sizeof *instructions);
    if (watches > 0 && (watched = malloc(watches * sizeof *watched)) != NULL)
        memcpy(watched, d->watchpoints.items, watches * sizeof *watched);
    gs_stops_set(&d->stops, instructions, instructions ? count : 0);
    gs_stops_watch(&d->stops, watched, watched ? watches : 0);
}

/* Lets the next instruction be executed whatever there is to stop at. */
static void pass_over(gs_debugger *d)
{
    d->begun_at = gs_history_position(&d->history);
    gs_stops_lift(&d->stops, d->machine->hart.pc);
}

void gs_debugger_resume(gs_debugger *d, bool step)
{
    d->mode = step ? GS_DEBUG_STEP : GS_DEBUG_RUN;
    set_stops(d, true);
    pass_over(d);
    gs_history_take_if_due(&d->history);
}

static void stop(gs_debugger *d, gs_stop_reason reason)
{
    d->mode = GS_DEBUG_STOPPED;
    d->reason = reason;
    d->interrupted = false;
    gs_stops_drop(&d->stops);
    gs_history_take_if_due(&d->history);
}

static void seek(gs_debugger *d, uint64_t position, gs_stop_reason reason)
{
    d->mode = GS_DEBUG_SEEK;
    d->target = position;
    d->reason = reason;
    set_stops(d, false);
    if (!gs_history_go_back(&d->history, position))
        stop(d, (gs_stop_reason){.kind = GS_STOP_BEGINNING, .signal = SIGNAL_TRAP});
}

/* Looks for the last stop between the checkpoint before `end` and that. */
static void scan_before(gs_debugger *d, uint64_t end)
{
    d->mode = GS_DEBUG_SCAN;
    d->target = end;
    d->found = false;
    set_stops(d, true);
    if (end == 0 || !gs_history_go_back(&d->history, end - 1)) {
        seek(d, 0, (gs_stop_reason){.kind = GS_STOP_BEGINNING, .signal = SIGNAL_TRAP});
        return;
    }
    d->segment = gs_history_position(&d->history);
    d->stops.hit = false;
}

void gs_debugger_reverse(gs_debugger *d, bool step)
{
    const uint64_t now = gs_history_position(&d->history);
    d->dying = false;
    if (!step)
        scan_before(d, now);
    else if (now == 0)
        stop(d, (gs_stop_reason){.kind = GS_STOP_BEGINNING, .signal = SIGNAL_TRAP});
    else
        seek(d, now - 1, (gs_stop_reason){.kind = GS_STOP_SIGNAL, .signal = SIGNAL_TRAP});
}

bool gs_debugger_restart(gs_debugger *d)
{
    if (!d->history.journal || !gs_history_go_back(&d->history, 0))
        return false;
    d->dying = false;
    return true;
}

/* -- its turn -----------------------------------------------------------------------------------
 */

/* Looks whether gdb has interrupted, or is gone. */
static void poll_link(gs_debugger *d)
{
    d->next_poll = d->machine->hart.instret + POLL_INSTRUCTIONS;
    d->asked = 0;
    if (d->incoming_at < d->incoming_size || d->left)
        return;
    const ptrdiff_t n = d->link.read(d->link.self, d->incoming, sizeof d->incoming, false);
    d->killed |= n < 0;
    d->incoming_at = 0;
    d->incoming_size = n > 0 ? (size_t)n : 0;
    /* While the program runs gdb sends nothing but an interruption. */
    while (d->incoming_at < d->incoming_size) {
        const gs_packet_kind kind = gs_packets_take(&d->packets, d->incoming[d->incoming_at++]);
        d->interrupted |= kind == GS_PACKET_INTERRUPT;
    }
}

/* Whether there is something here to stop at. Positions of stores that are watched are told
 * backwards as before the store, when its value was still the old one. */
static bool find_stop(gs_debugger *d, uint64_t now, bool backwards, uint64_t *at,
                      gs_stop_reason *reason)
{
    const bool passed = d->stops.lifted && d->begun_at == now;
    bool found = false;
    if (d->stops.hit) {
        *reason = (gs_stop_reason){.kind = GS_STOP_WATCH,
                                   .signal = SIGNAL_TRAP,
                                   .address = d->stops.hit_address,
                                   .accesses = d->stops.hit_by->accesses};
        *at = backwards ? now - 1 : now;
        d->stops.hit = false;
        found = true;
    }
    if (!passed && gs_stops_at(&d->stops, d->machine->hart.pc) && (!backwards || now < d->target)) {
        if (!found)
            *reason = (gs_stop_reason){.kind = GS_STOP_SIGNAL, .signal = SIGNAL_TRAP};
        *at = now;
        found = true;
    }
    return found;
}

static void turn_run(gs_debugger *d, uint64_t now)
{
    gs_stop_reason reason;
    uint64_t at;
    if (find_stop(d, now, false, &at, &reason))
        stop(d, reason);
    else if (d->interrupted)
        stop(d, (gs_stop_reason){.kind = GS_STOP_SIGNAL, .signal = SIGNAL_INT});
    else
        gs_history_take_if_due(&d->history);
}

static void turn_step(gs_debugger *d, uint64_t now)
{
    gs_stop_reason reason = {.kind = GS_STOP_SIGNAL, .signal = SIGNAL_TRAP};
    uint64_t at;
    if (now == d->begun_at || d->machine->hart.mips.in_delay_slot)
        return;
    if (d->stops.hit)
        (void)find_stop(d, now, false, &at, &reason);
    stop(d, reason);
}

static void turn_seek(gs_debugger *d, uint64_t now)
{
    if (d->interrupted) {
        stop(d, (gs_stop_reason){.kind = GS_STOP_SIGNAL, .signal = SIGNAL_INT});
    } else if (now >= d->target) {
        if (d->machine->hart.mips.in_delay_slot && d->target > 0 &&
            d->reason.kind == GS_STOP_SIGNAL)
            seek(d, d->target - 1, d->reason); /* a branch and its slot are one step */
        else
            stop(d, d->reason);
    } else if (now + LEAST_REPLAY < d->target) {
        gs_history_take_if_due(&d->history);
    }
}

static void turn_scan(gs_debugger *d, uint64_t now)
{
    gs_stop_reason reason;
    uint64_t at;
    if (find_stop(d, now, true, &at, &reason) && at < d->target) {
        d->found = true;
        d->found_at = at;
        d->found_reason = reason;
    }
    if (d->interrupted)
        stop(d, (gs_stop_reason){.kind = GS_STOP_SIGNAL, .signal = SIGNAL_INT});
    else if (now >= d->target && d->found)
        seek(d, d->found_at, d->found_reason);
    else if (now >= d->target)
        scan_before(d, d->segment);
    else if (gs_stops_at(&d->stops, d->machine->hart.pc))
        pass_over(d);
}

/* The program has ended. True if it goes on all the same, at an earlier time. */
static bool turn_exit(gs_debugger *d)
{
    const gs_exit *exit = &d->machine->exit;
    if (d->machine->environment->flush)
        d->machine->environment->flush(d->machine);
    if (exit->kind == GS_EXIT_CODE) {
        gs_debugger_say(d, "W%02x", (unsigned)exit->code & 0xff);
        d->mode = GS_DEBUG_GONE;
        return false;
    }
    const unsigned signal =
        exit->kind == GS_EXIT_SIGNAL ? gdb_signal(exit->signal) : (unsigned)SIGNAL_INT;
    if (d->dying) {
        gs_debugger_say(d, "X%02x", exit->kind == GS_EXIT_SIGNAL ? signal : (unsigned)SIGNAL_KILL);
        d->mode = GS_DEBUG_GONE;
        return false;
    }
    stop(d, (gs_stop_reason){.kind = GS_STOP_SIGNAL, .signal = signal});
    d->dying = true;
    return true;
}

static void redo_edits(gs_debugger *d)
{
    const gs_edit *edit;
    while ((edit = gs_history_take_edit(&d->history)) != NULL)
        (void)apply(d, edit->is_register, edit->target, edit->bytes, edit->size);
}

/* How far the run may go before the next turn. */
static void set_limit(gs_debugger *d)
{
    const bool to_target = d->mode == GS_DEBUG_SEEK || d->mode == GS_DEBUG_SCAN;
    uint64_t limit = gs_history_limit(&d->history, to_target ? d->target : UINT64_MAX);
    if (d->mode == GS_DEBUG_STEP || d->stops.lifted)
        limit = d->machine->hart.instret + 1;
    d->control.limit = limit;
}

static void move(gs_debugger *d, uint64_t now)
{
    switch (d->mode) {
    case GS_DEBUG_RUN: turn_run(d, now); break;
    case GS_DEBUG_STEP: turn_step(d, now); break;
    case GS_DEBUG_SEEK: turn_seek(d, now); break;
    case GS_DEBUG_SCAN: turn_scan(d, now); break;
    case GS_DEBUG_STOPPED:
    case GS_DEBUG_GONE: break;
    }
}

static bool turn(void *self, gs_machine *machine)
{
    gs_debugger *d = self;
    const uint64_t now = gs_history_position(&d->history);
    if (d->mode == GS_DEBUG_GONE)
        return true;
    redo_edits(d);
    if (now >= d->history.furthest) {
        d->history.furthest = now;
        d->control.replays = false;
    }
    if (d->left && !d->control.replays) {
        gs_stops_drop(&d->stops);
        d->mode = GS_DEBUG_GONE;
        d->control.limit = UINT64_MAX;
        return machine->exit.kind == GS_EXIT_NONE;
    }
    const bool due = machine->hart.instret >= d->next_poll || d->asked >= POLL_ASKED ||
                     machine->hart.instret + POLL_INSTRUCTIONS < d->next_poll;
    if (due && d->mode != GS_DEBUG_STOPPED)
        poll_link(d);
    if (d->killed)
        return false;
    if (d->stops.lifted && now != d->begun_at)
        gs_stops_drop(&d->stops);
    if (machine->exit.kind != GS_EXIT_NONE && d->mode != GS_DEBUG_SCAN) {
        if (!turn_exit(d))
            return false;
    } else if (!d->control.went_back) {
        move(d, now);
    }
    if (d->mode == GS_DEBUG_STOPPED && machine->environment->flush)
        machine->environment->flush(machine);
    while (d->mode == GS_DEBUG_STOPPED) {
        if (d->told && !gs_debugger_tell_stop(d))
            return false;
        d->told = true;
        if (!gs_debugger_converse(d))
            return false;
    }
    set_limit(d);
    return true;
}

static bool wants(void *self, const gs_machine *machine)
{
    gs_debugger *d = self;
    if (d->mode == GS_DEBUG_GONE)
        return false;
    return d->mode != GS_DEBUG_RUN || d->control.replays || d->stops.lifted || d->stops.hit ||
           machine->exit.kind != GS_EXIT_NONE || ++d->asked >= POLL_ASKED ||
           machine->hart.instret >= d->next_poll || gs_stops_at(&d->stops, machine->hart.pc);
}

/* -- life ---------------------------------------------------------------------------------------
 */

gs_status gs_debugger_open(gs_debugger **out, gs_machine *machine, gs_timing *timing,
                           gs_recorder *recorder, const gs_debug_link *link, gs_error *err)
{
    *out = NULL;
    gs_debugger *d = calloc(1, sizeof *d);
    if (!d)
        return gs_fail_no_memory(err);
    d->machine = machine;
    d->timing = timing;
    d->recorder = recorder;
    d->link = *link;
    d->acknowledges = true;
    d->reason = (gs_stop_reason){.kind = GS_STOP_SIGNAL, .signal = SIGNAL_TRAP};
    d->control = (gs_control){.self = d, .wants = wants, .turn = turn, .limit = UINT64_MAX};
    gs_stops_init(&d->stops, machine);
    gs_debug_registers_init(&d->registers, machine);
    gs_history_open(&d->history, machine, timing, &d->control);
    gs_history_take(&d->history);
    machine->wake_fd = link->fd;
    *out = d;
    return GS_OK;
}

void gs_debugger_free(gs_debugger *d)
{
    if (!d)
        return;
    d->machine->wake_fd = -1;
    gs_history_close(&d->history);
    gs_stops_fini(&d->stops);
    gs_monitor_free(d);
    free(d->breakpoints.items);
    free(d->watchpoints.items);
    free(d->description);
    free(d->map);
    free(d->reply);
    free(d);
}

gs_control *gs_debugger_control(gs_debugger *d)
{
    return &d->control;
}

bool gs_debugger_killed(const gs_debugger *d)
{
    return d->killed;
}
