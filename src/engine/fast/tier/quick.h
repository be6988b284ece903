/*
 * quick.h - the quick compiler: gumshoe-quickcc, a process of its own.
 *
 * gs_quick_start() forks the process that becomes it; the run calls it before the guest executes,
 * as it may not start any processes afterwards. That process does nothing until there is a request:
 * a program that is over by then does not pay for a compiler. It ends when the socket is closed
 * that leads here, so with the run, however that ends, and when a compilation takes too long. It is
 * an end like any other: then there is no quick compiler any more, and the run goes on without.
 *
 * Code is compiled to where it is executed, memory that both processes have at the same address:
 * quick_wire.h. Here it can be executed and not written.
 */
#ifndef GS_TIER_QUICK_H
#define GS_TIER_QUICK_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/fast/prelude/runtime.h"
#include "engine/fast/tier/compiler.h"

typedef struct gs_quick gs_quick;

/* NULL if there is none, or the host does not let us have one. */
gs_quick *gs_quick_start(void);
/* What it has compiled must not be executed any more. NULL is fine. */
void gs_quick_stop(gs_quick *quick);

/* Has a text compiled, and keeps none of it. Nothing may be being compiled. False if there is no
 * room, or nothing that could do it. */
bool gs_quick_request(gs_quick *quick, const char *text, size_t size);

/* Whether something has been requested and gs_quick_poll() has not told its end yet. */
bool gs_quick_is_busy(const gs_quick *quick);

/* How it stands; waits for its end up to so many milliseconds, or until a signal comes. */
gs_compiler_state gs_quick_poll(gs_quick *quick, int milliseconds);

/* After GS_COMPILER_DONE: its `count` functions, in the order of the text; NULL if they are not
 * where code is. */
gs_fast_function *const *gs_quick_functions(const gs_quick *quick, size_t count);

/* After GS_COMPILER_FAILED: what was wrong, as far as it said. */
const char *gs_quick_why(const gs_quick *quick);

/* The processor time of the last compilation that ended; and how long the one that runs has run. In
 * seconds. */
double gs_quick_cost(const gs_quick *quick);
double gs_quick_elapsed(const gs_quick *quick);

#endif
