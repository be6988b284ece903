/* LEAP's parts joined: what happens at a beat. */
#include "units/leap/leap.h"

#include <stdlib.h>
#include <string.h>

bool gs_leap_init(gs_leap *leap, const gs_leap_parameters *parameters)
{
    const gs_leap_parameters *p = parameters;
    unsigned lanes = gs_leap_lanes(p->count, p->core);
    *leap = (gs_leap){
        .parameters = *p,
        .decoder.isa = p->isa,
        .counter =
            {.count = p->count, .isa = p->isa, .core = p->core, .lanes = lanes, .width = p->width},
        .storage = {.entries = p->hash->entries,
                    .lanes = lanes,
                    .width = p->width,
                    .tags = p->tags},
        .stack = {.depth = p->depth, .lanes = p->hierarchical ? lanes : 0, .overflow = p->overflow},
    };
    leap->storage.value = calloc((size_t)p->hash->entries * lanes, sizeof(uint64_t));
    leap->stack.function = calloc(p->depth, sizeof *leap->stack.function);
    leap->stack.saved = calloc((size_t)p->depth * lanes, sizeof(uint64_t));
    if (leap->storage.value && leap->stack.function && leap->stack.saved)
        return true;
    gs_leap_fini(leap);
    return false;
}

void gs_leap_fini(gs_leap *leap)
{
    free(leap->storage.value);
    free(leap->stack.function);
    free(leap->stack.saved);
    *leap = (gs_leap){0};
}

static gs_leap_function look_up(const gs_leap *leap, uint32_t address)
{
    gs_leap_function function = {gs_leap_hash_of(leap->parameters.hash, address), true};
    if (leap->storage.tags)
        function.listed = leap->storage.tags[function.number] == address;
    return function;
}

/* A counter is full: every number there is becomes half as large. */
static void halve(gs_leap *leap)
{
    gs_leap_halve(&leap->counter, leap->storage.shift);
    gs_leap_stack_halve(&leap->stack);
    gs_leap_storage_halve(&leap->storage);
}

static bool shifts(const gs_leap *leap)
{
    return leap->parameters.full == GS_LEAP_SHIFT;
}

static void count(gs_leap *leap, const gs_leap_values *amount)
{
    while (shifts(leap) && gs_leap_would_fill(&leap->counter, amount, leap->storage.shift))
        halve(leap);
    gs_leap_add(&leap->counter, amount, leap->storage.shift);
}

static void empty_counter(gs_leap *leap)
{
    memset(&leap->counter.value, 0, leap->counter.lanes * sizeof(uint64_t));
}

/* The Data Counter is added to the entry of the current function. It keeps its value. */
static void store(gs_leap *leap)
{
    uint32_t entry = leap->current.number;
    if (!leap->current.listed)
        return;
    while (shifts(leap) && gs_leap_storage_would_fill(&leap->storage, entry, &leap->counter.value))
        halve(leap);
    gs_leap_storage_add(&leap->storage, entry, &leap->counter.value);
}

static gs_leap_stack_result do_call(gs_leap *leap, uint32_t target)
{
    static const gs_leap_values one = {{1}};
    gs_leap_stack_result result = gs_leap_push(&leap->stack, leap->current, &leap->counter.value);
    if (result == GS_LEAP_STACK_OVERFLOW && leap->parameters.overflow == GS_LEAP_LOSE_NEWEST)
        return result; /* as if there had been no call */
    if (!leap->parameters.hierarchical)
        store(leap);
    empty_counter(leap);
    leap->current = look_up(leap, target);
    if (leap->counter.count == GS_LEAP_COUNT_CALLS)
        count(leap, &one);
    return result;
}

/* What the caller had counted before the call comes on top of what was counted since. */
static void resume(gs_leap *leap, gs_leap_values *saved)
{
    gs_leap_data_counter *counter = &leap->counter;
    uint64_t mask = gs_leap_mask(counter->width);
    for (unsigned i = 0; i < counter->lanes; i++) {
        while (shifts(leap) && saved->lane[i] > mask - counter->value.lane[i]) {
            halve(leap);
            for (unsigned j = 0; j < counter->lanes; j++)
                saved->lane[j] >>= 1;
        }
    }
    for (unsigned i = 0; i < counter->lanes; i++)
        counter->value.lane[i] = (counter->value.lane[i] + saved->lane[i]) & mask;
}

static gs_leap_stack_result do_return(gs_leap *leap, gs_leap_values *stored)
{
    gs_leap_function caller = leap->current;
    gs_leap_values saved = {{0}};
    gs_leap_stack_result result = gs_leap_pop(&leap->stack, &caller, &saved);
    if (result == GS_LEAP_STACK_LOST)
        return result; /* of a call that was ignored */
    unsigned shift = leap->storage.shift;
    store(leap);
    *stored = leap->counter.value;
    for (; shift < leap->storage.shift; shift++) { /* storing has halved everything but this */
        for (unsigned i = 0; i < leap->stack.lanes; i++)
            saved.lane[i] >>= 1;
    }
    if (!leap->parameters.hierarchical || result == GS_LEAP_STACK_UNDERFLOW)
        empty_counter(leap);
    else
        resume(leap, &saved);
    leap->current = caller;
    return result;
}

void gs_leap_follow(gs_leap *leap, const gs_port *port, gs_leap_event *event)
{
    if (port->valid && !leap->started) {
        leap->current = look_up(leap, leap->begins ? leap->begin : port->pc);
        leap->started = true;
    }
    event->charged = leap->current;
    event->pushed = event->popped = GS_LEAP_STACK_OK;
    count(leap, &event->amount);
    if (event->op.ret)
        event->popped = do_return(leap, &event->stored);
    if (event->op.call)
        event->pushed = do_call(leap, port->next_pc);
}

void gs_leap_beat(gs_leap *leap, const gs_port *port, gs_leap_event *event)
{
    event->op = gs_leap_decode(&leap->decoder, port);
    gs_leap_measure(&leap->counter, port, &event->op, &event->amount);
    gs_leap_follow(leap, port, event);
}

bool gs_leap_drain(gs_leap *leap, gs_leap_event *event)
{
    *event = (gs_leap_event){.op.ret = true, .charged = leap->current};
    leap->stack.lost = 0;
    if (!leap->parameters.hierarchical)
        leap->stack.used = 0; /* the callers have been stored when they called */
    event->popped = do_return(leap, &event->stored);
    return event->popped == GS_LEAP_STACK_OK;
}
