/*
 * Follows the program beside LEAP, and sorts what was charged to the wrong function by its reason.
 */
#include "units/leap/audit.h"

#include <stdlib.h>

static const struct {
    const char *key, *head, *text;
} causes[GS_LEAP_CAUSES] = {
#define CAUSE(name, key, head, text) [GS_LEAP_CAUSE_##name] = {key, head, text},
#include "units/leap/causes.def"
#undef CAUSE
};

const char *gs_leap_cause_key(gs_leap_cause cause)
{
    return causes[cause].key;
}

const char *gs_leap_cause_head(gs_leap_cause cause)
{
    return causes[cause].head;
}

const char *gs_leap_cause_text(gs_leap_cause cause)
{
    return causes[cause].text;
}

bool gs_leap_audit_init(gs_leap_audit *a, const gs_image *image, const gs_leap *leap,
                        const size_t *function_of)
{
    size_t functions = gs_image_function_count(image);
    *a = (gs_leap_audit){
        .image = image,
        .functions = functions,
        .function_of = function_of,
        .cause = GS_LEAP_CAUSES,
        .suspect = GS_LEAP_CAUSES,
        .here_number = functions,
    };
    a->moved = calloc(functions + 1, sizeof *a->moved);
    a->recursion = calloc(functions + 1, sizeof *a->recursion);
    a->tainted = calloc(leap->stack.depth, sizeof *a->tainted);
    a->frames = calloc(leap->stack.depth, sizeof *a->frames);
    a->active = calloc(leap->storage.entries, sizeof *a->active);
    if (a->moved && a->recursion && a->tainted && a->frames && a->active)
        return true;
    gs_leap_audit_fini(a);
    return false;
}

void gs_leap_audit_fini(gs_leap_audit *a)
{
    free(a->moved);
    free(a->recursion);
    free(a->tainted);
    free(a->frames);
    free(a->active);
    *a = (gs_leap_audit){0};
}

static size_t function_at(gs_leap_audit *a, uint32_t pc)
{
    if (!a->here || pc < a->here->start || pc >= a->here->end) {
        a->here = gs_image_function_at(a->image, pc);
        a->here_number = a->functions;
        if (a->here)
            a->here_number = (size_t)(a->here - gs_image_function(a->image, 0));
    }
    return a->here_number;
}

static size_t charged_to(const gs_leap_audit *a, gs_leap_function function)
{
    return function.listed ? a->function_of[function.number] : a->functions;
}

/* LEAP counts for another function than the one that executes: what has led to that, or, if nothing
 * has happened since, still does. */
static void find_cause(gs_leap_audit *a)
{
    gs_leap_cause cause = a->suspect != GS_LEAP_CAUSES ? a->suspect
                          : a->cause != GS_LEAP_CAUSES ? a->cause
                                                       : GS_LEAP_CAUSE_TAIL;
    if (a->suspect != GS_LEAP_CAUSES || a->cause == GS_LEAP_CAUSES)
        a->times[cause]++;
    a->cause = cause;
}

static uint64_t sum(const gs_leap *leap, const gs_leap_values *values)
{
    uint64_t total = 0;
    for (unsigned i = 0; i < leap->counter.lanes; i++)
        total += values->lane[i];
    return total;
}

/* The function that returned has stored all it counted. If it is active a second time, that one
 * will store the same again. */
static void note_recursion(gs_leap_audit *a, const gs_leap *leap, const gs_leap_event *event)
{
    if (leap->parameters.hierarchical && event->charged.listed &&
        a->active[event->charged.number] > 0)
        a->recursion[charged_to(a, event->charged)] += sum(leap, &event->stored);
}

static uint32_t below(const gs_leap *leap, uint32_t frame)
{
    return frame == 0 ? leap->stack.depth - 1 : frame - 1;
}

/* Of frames that were pushed while LEAP was wrong, none makes its function active. */
static void forget_frame(gs_leap_audit *a, uint32_t frame)
{
    if (a->tainted[frame] == GS_LEAP_CAUSES)
        a->active[a->frames[frame]]--;
}

/* `frame` is the place the return has popped, if it has. */
static void follow_return(gs_leap_audit *a, const gs_leap *leap, const gs_leap_event *event,
                          uint32_t frame)
{
    if (event->popped != GS_LEAP_STACK_LOST)
        note_recursion(a, leap, event);
    switch (event->popped) {
    case GS_LEAP_STACK_OK:
        forget_frame(a, frame);
        a->suspect = (gs_leap_cause)a->tainted[frame];
        if (a->suspect == GS_LEAP_CAUSES)
            a->suspect = GS_LEAP_CAUSE_RETURN; /* if it turns out to be wrong */
        break;
    case GS_LEAP_STACK_LOST: a->suspect = GS_LEAP_CAUSE_OVERFLOW; break;
    default: a->suspect = a->overflows ? GS_LEAP_CAUSE_OVERFLOW : GS_LEAP_CAUSE_RETURN; break;
    }
    if (a->level > 0)
        a->level--;
}

static void note_frame(gs_leap_audit *a, const gs_leap *leap, const gs_leap_event *event,
                       uint32_t number)
{
    uint32_t frame = below(leap, leap->stack.top);
    if (event->pushed == GS_LEAP_STACK_OVERFLOW)
        forget_frame(a, frame); /* the oldest had this place */
    a->frames[frame] = number;
    a->tainted[frame] = (uint8_t)a->cause;
    if (a->cause == GS_LEAP_CAUSES)
        a->active[number]++;
}

/* `caller` is what LEAP took for the calling function. */
static void follow_call(gs_leap_audit *a, const gs_leap *leap, const gs_leap_event *event,
                        uint32_t caller, uint32_t target)
{
    bool ignored =
        event->pushed == GS_LEAP_STACK_OVERFLOW && leap->stack.overflow == GS_LEAP_LOSE_NEWEST;
    if (event->pushed == GS_LEAP_STACK_OVERFLOW)
        a->overflows++;
    if (!ignored)
        note_frame(a, leap, event, caller);
    if (++a->level > a->deepest)
        a->deepest = a->level;
    size_t called = charged_to(a, leap->current);
    bool listed = called < a->functions && gs_image_function(a->image, called)->start == target;
    a->suspect = ignored  ? GS_LEAP_CAUSE_OVERFLOW
                 : listed ? GS_LEAP_CAUSES
                          : GS_LEAP_CAUSE_UNLISTED;
}

static void compare(gs_leap_audit *a, const gs_leap *leap, const gs_leap_event *event, uint32_t pc)
{
    size_t really = function_at(a, pc), charged = charged_to(a, event->charged);
    bool counts = event->charged.listed; /* or it is counted nowhere */
    if (really == charged && counts) {
        a->cause = GS_LEAP_CAUSES;
    } else {
        find_cause(a);
        int64_t amount = (int64_t)sum(leap, &event->amount);
        a->moved[really][a->cause] -= amount;
        if (counts)
            a->moved[charged][a->cause] += amount;
    }
    a->suspect = GS_LEAP_CAUSES;
}

void gs_leap_audit_beat(gs_leap_audit *a, const gs_leap *leap, const gs_leap_event *event,
                        const gs_port *port)
{
    if (!port->valid) {
        a->suspect = GS_LEAP_CAUSE_TRAP;
        return;
    }
    compare(a, leap, event, port->pc);
    uint32_t caller = event->charged.number, popped = leap->stack.top;
    if (event->op.ret && event->op.call) {
        /* A coroutine switch: the call comes from where it returned to, and has taken its place. */
        popped = below(leap, popped);
        caller = leap->stack.function[popped].number;
    }
    if (event->op.ret)
        follow_return(a, leap, event, popped);
    if (event->op.call)
        follow_call(a, leap, event, caller, port->next_pc);
}

void gs_leap_audit_drain(gs_leap_audit *a, const gs_leap *leap, const gs_leap_event *event)
{
    follow_return(a, leap, event, leap->stack.top);
}
