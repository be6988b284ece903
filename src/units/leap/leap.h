/*
 * leap.h - LEAP: a profiler that follows calls and returns.
 *
 * Five parts: the Operation Decoder finds calls and returns, the Data Counter measures, the
 * Counter Storage has an entry per function, the Address Hash says which, and the Call Stack
 * knows where returns lead. At a call the Data Counter is added to the caller's entry and starts
 * anew for the called function; at a return it is added to the entry of the function that
 * returns. In hierarchical profiles a call saves it on the stack instead, and a return adds what
 * was counted to what was saved, so that an entry has a function with all it called.
 *
 * This is the hardware, in the widths of docs/units/leap.md; what it does wrong is the audit's
 * business (audit.h). The state changes in gs_leap_beat() and gs_leap_drain() only.
 */
#ifndef GS_UNITS_LEAP_LEAP_H
#define GS_UNITS_LEAP_LEAP_H

#include "units/leap/address_hash.h"
#include "units/leap/call_stack.h"
#include "units/leap/counter_storage.h"
#include "units/leap/data_counter.h"
#include "units/leap/op_decoder.h"
#include "units/unit.h"

/* How the hardware is made. */
typedef struct gs_leap_parameters {
    const gs_leap_hash *hash;
    const uint32_t *tags; /* addresses by function number; NULL without tags */
    const gs_isa *isa;
    const gs_core *core; /* for energy; or NULL */
    gs_leap_count count;
    unsigned width;
    gs_leap_full full;
    bool hierarchical;
    uint32_t depth;
    gs_leap_overflow overflow;
} gs_leap_parameters;

typedef struct gs_leap {
    gs_leap_parameters parameters;
    gs_leap_decoder decoder;
    gs_leap_data_counter counter;
    gs_leap_storage storage;
    gs_leap_stack stack;
    gs_leap_function current; /* the function that executes, as far as LEAP knows */
    bool started;             /* 1 bit: the first pc after reset has been seen */
    bool begins;              /* 1 bit: software has said which function that is in, */
    uint32_t begin;           /* 32 bits: the one at this address */
} gs_leap;

/* What happened in a beat, for the audit and the tests. */
typedef struct gs_leap_event {
    gs_leap_op op;
    gs_leap_values amount;
    gs_leap_function charged; /* the function the amount is counted for */
    gs_leap_values stored;    /* at a return: what was added to its entry */
    gs_leap_stack_result pushed, popped;
} gs_leap_event;

/* The parameters are copied, what they point to is borrowed. False when memory is out. */
bool gs_leap_init(gs_leap *leap, const gs_leap_parameters *parameters);
void gs_leap_fini(gs_leap *leap);

void gs_leap_beat(gs_leap *leap, const gs_port *port, gs_leap_event *event);

/* The same, with the operation and the amount as another LEAP has found them for this beat. */
void gs_leap_follow(gs_leap *leap, const gs_port *port, gs_leap_event *event);

/* The program has ended: as if every function on the stack returned, one at a time until it is
 * false. */
bool gs_leap_drain(gs_leap *leap, gs_leap_event *event);

extern const gs_unit_kind gs_unit_leap;

#endif
