/*
 * gs_system_run(): who goes on next.
 *
 * Each core runs ahead on its own until it needs to know something of the others: until its next
 * access to the bus, and, while an interrupt of the bus could make a difference to it, up to the
 * first cycle in which one might come. What a core may still do to the others lies behind its
 * `horizon`: its time, the bus's next decision if it has a request, its alarm clock if it sleeps.
 * So the core with the earliest horizon can always go on, or the bus decide. Nothing is guessed and
 * nothing is taken back, so the order in which cores are simulated does not show.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "system/system.h"

/* How far a core runs ahead at most, in cycles: for Ctrl-C, and for cores that never use the bus.
 */
static const uint64_t stride = 1 << 20;

/* A loop that waits is at most this long, in instructions. */
enum { SPIN_LENGTH = 32 };

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Nothing that the member does to others is seen before or in this cycle. `decision` is the bus's
 * next. */
static uint64_t horizon(const gs_member *member, uint64_t decision)
{
    const gs_bus_port *port = &member->port;
    const uint64_t now = member->machine->time;
    if (gs_member_has_ended(member))
        return UINT64_MAX;
    switch (port->wait) {
    case GS_BUS_PORT_REQUEST: return decision;
    case GS_BUS_PORT_ASLEEP: return smaller(port->wake, gs_bus_port_next_change(port, now));
    default: return now;
    }
}

/* The member that ends all, first of all that do; NULL: none does. */
static gs_member *find_end(gs_system *system)
{
    gs_member *first = NULL;
    for (unsigned i = 0; i < system->count; i++) {
        gs_member *member = &system->members[i];
        if (member->ends_all && (!first || member->machine->time < first->machine->time))
            first = member;
    }
    return first;
}

/* The member that is behind all others and can be simulated; NULL: all others wait. */
static gs_member *find_first(gs_system *system, uint64_t decision, uint64_t *when)
{
    gs_member *first = NULL;
    *when = UINT64_MAX;
    for (unsigned i = 0; i < system->count; i++) {
        gs_member *member = &system->members[i];
        const uint64_t own = horizon(member, decision);
        if (member->port.wait != GS_BUS_PORT_REQUEST && own < *when) {
            first = member;
            *when = own;
        }
    }
    return first;
}

/* Through which cycle all is known that others do to this member. */
static uint64_t known_to(const gs_system *system, const gs_member *member, uint64_t decision)
{
    uint64_t known = UINT64_MAX;
    for (unsigned i = 0; i < system->count; i++) {
        if (&system->members[i] != member)
            known = smaller(known, horizon(&system->members[i], decision));
    }
    return known;
}

/* What a program has printed comes out before what the next core prints. */
static void let_out(gs_member *member)
{
    gs_machine *machine = member->machine;
    if (machine->written == member->written)
        return;
    member->written = machine->written;
    machine->environment->flush(machine);
}

/* Simulates the member up to where it needs the others. */
static gs_status go_on(gs_system *system, gs_member *member, uint64_t decision, bool in_step,
                       gs_error *err)
{
    gs_bus_port *port = &member->port;
    port->known = known_to(system, member, decision);
    port->pause = member->machine->time + (in_step ? 1 : stride);
    port->wait = GS_BUS_PORT_NONE;
    gs_status status = gs_runner_go(&member->runner, err);
    if (port->wait == GS_BUS_PORT_REQUEST && !gs_member_has_ended(member))
        gs_bus_request(&system->bus, (unsigned)(member - system->members), port->request.cycle);
    let_out(member);
    return status;
}

/* The last cycle of a transfer that begins in `start`. */
static uint64_t last_cycle(const gs_system *system, const gs_bus_part_entry *part,
                           const gs_bus_port *port, uint64_t start)
{
    const unsigned width = system->bus.rules->width;
    const unsigned beats = (port->request.size + width - 1) / width;
    const uint64_t read = part->first + (beats - 1) * (uint64_t)part->next;
    const uint64_t write = beats * (uint64_t)part->write;
    if (port->request.atomic)
        return start + read + write;
    return port->request.store ? start + write - 1 : start + read;
}

/* Finds out whether the access is one more look at a word that is still what it was. */
static void follow_spin(gs_member *member, gs_addr pc, uint64_t value, uint64_t retired)
{
    gs_spin *spin = &member->spin;
    const gs_bus_port *port = &member->port;
    const uint64_t now = gs_timing_cycles(member->timing);
    const bool looks = !port->request.store && !port->request.atomic;
    spin->now = looks && spin->pc == pc && spin->address == port->request.address &&
                spin->value == value && retired - spin->retired <= SPIN_LENGTH;
    if (spin->now)
        spin->cycles += now - spin->end;
    *spin = (gs_spin){looks ? pc : 1, port->request.address, value, retired, now, spin->cycles,
                      spin->now};
}

/* The bus decides: one request is granted, and its instruction executed. */
static void decide(gs_system *system)
{
    uint64_t start;
    const unsigned index = gs_bus_decide(&system->bus, &start);
    gs_member *member = &system->members[index];
    gs_bus_port *port = &member->port;
    gs_bus_part *part = gs_shared_part(&system->shared, port->request.address);
    const uint64_t end = last_cycle(system, part->entry, port, start);
    const gs_addr pc = member->machine->hart.pc;
    const uint64_t retired = member->machine->hart.instret;

    part->use[index].loads += port->request.atomic || !port->request.store;
    part->use[index].stores += port->request.atomic || port->request.store;
    part->use[index].waited += start - port->request.cycle;
    gs_bus_transfer(&system->bus, index, end);
    member->accesses++;
    system->shared.transfer = end;
    gs_timing_grant(member->timing, start, end, port->request.store && !port->request.atomic);
    port->granted = true;
    gs_runner_execute_granted(&member->runner);
    port->granted = false;
    gs_timing_release(member->timing);
    follow_spin(member, pc, system->shared.loaded, retired);
    let_out(member);
}

/* -- how it ends ------------------------------------------------------------------------------ */

/* What a core is doing, appended to a message. */
static void describe_wait(char *to, size_t room, const gs_member *member)
{
    const gs_machine *machine = member->machine;
    const gs_function *function = gs_image_function_at(member->image, machine->hart.pc);
    const size_t length = strlen(to);
    if (machine->exit.kind == GS_EXIT_CODE) {
        snprintf(to + length, room - length, "; %s has ended", member->entry->name);
        return;
    }
    const char *does = member->port.wait == GS_BUS_PORT_ASLEEP ? "waits for an interrupt"
                       : member->spin.now                      ? "spins"
                                                               : "runs";
    snprintf(to + length, room - length, "; %s %s at 0x%08x%s%s", member->entry->name, does,
             machine->hart.pc, function ? " in " : "", function ? function->name : "");
}

static void describe_all(gs_system *system, const char *what)
{
    char *to = system->exit.message;
    const size_t room = sizeof system->exit.message;
    snprintf(to, room, "%s", what);
    for (unsigned i = 0; i < system->count; i++)
        describe_wait(to, room, &system->members[i]);
}

/* A member has ended: it may be that all ends with it, once the others have come that far. */
static void note_end(gs_system *system, gs_member *member)
{
    const gs_exit_kind kind = member->machine->exit.kind;
    member->ends_all = kind == GS_EXIT_SIGNAL || kind == GS_EXIT_HALT ||
                       (kind == GS_EXIT_CODE && system->shared.ended);
    system->shared.ended = false;
}

static void end_with(gs_system *system, const gs_member *member)
{
    const gs_exit *exit = gs_machine_exit(member->machine);
    system->exit = *exit;
    if (exit->message[0])
        snprintf(system->exit.message, sizeof system->exit.message, "%.40s: %.200s",
                 member->entry->name, exit->message);
}

/* No core can go on any more. */
static void conclude(gs_system *system)
{
    bool limit = false, stuck = false;
    system->exit = (gs_exit){.kind = GS_EXIT_CODE};
    for (unsigned i = 0; i < system->count; i++) {
        const gs_exit *exit = gs_machine_exit(system->members[i].machine);
        limit |= exit->kind == GS_EXIT_LIMIT;
        stuck |= exit->kind == GS_EXIT_NONE;
        if (exit->kind == GS_EXIT_CODE && system->exit.code == 0)
            system->exit.code = exit->code;
    }
    if (limit) {
        system->exit = (gs_exit){.kind = GS_EXIT_LIMIT};
        describe_all(system, "of cycles");
    } else if (stuck) {
        system->exit = (gs_exit){.kind = GS_EXIT_HALT};
        describe_all(system, "no core can go on");
    }
}

static gs_status run_all(gs_system *system, const gs_system_run_options *options, gs_error *err)
{
    uint64_t steps = 0;
    for (;;) {
        const uint64_t decision = gs_bus_next(&system->bus);
        uint64_t when;
        gs_member *member = find_first(system, decision, &when);
        const gs_member *last = find_end(system);
        if (last && last->machine->time <= smaller(when, decision)) {
            end_with(system, last);
            return GS_OK;
        }
        if (!member && decision == UINT64_MAX) {
            conclude(system);
            return GS_OK;
        }
        gs_status status = GS_OK;
        if (member && when < decision) {
            status = go_on(system, member, decision, options->in_step, err);
        } else {
            decide(system);
            member = &system->members[system->bus.last];
        }
        if (status == GS_OK && system->shared.out_of_memory)
            status = gs_fail_no_memory(err);
        if (status != GS_OK)
            return status;
        if (gs_member_has_ended(member))
            note_end(system, member);
        if (member->machine->exit.kind == GS_EXIT_INTERRUPTED) {
            end_with(system, member);
            return GS_OK;
        }
        if (options->progress && ++steps % 4096 == 0)
            options->progress(options->progress_self, system);
    }
}

static gs_status open_runners(gs_system *system, const gs_system_run_options *options,
                              gs_error *err)
{
    gs_status status = GS_OK;
    for (unsigned i = 0; i < system->count && status == GS_OK; i++) {
        gs_member *member = &system->members[i];
        member->options = (gs_run_options){
            .max_cycles = options->max_cycles,
            .timing = member->timing,
            .engine = GS_ENGINE_REFERENCE,
            .observers = options->observers ? options->observers[i] : NULL,
            .observer_count = options->observers ? options->observer_counts[i] : 0,
            .cancel = options->cancel,
        };
        status = gs_runner_open(&member->runner, member->machine, &member->options, err);
        member->running = status == GS_OK;
    }
    return status;
}

gs_status gs_system_run(gs_system *system, const gs_system_run_options *options, gs_error *err)
{
    gs_status status = open_runners(system, options, err);
    if (status == GS_OK)
        status = run_all(system, options, err);
    for (unsigned i = 0; i < system->count; i++) {
        gs_member *member = &system->members[i];
        if (member->running)
            status = gs_runner_close(&member->runner, status, err);
        member->running = false;
    }
    return status;
}
