/*
 * quick.h - the quick compiler: gumshoe-quickcc, a process of its own.
 *
 * gs_quick_start() forks the process that becomes it; the run calls it before the guest executes,
 * as it may not start any processes afterwards. That process does nothing until the first request,
 * so that a program that ends before does not pay for a compiler. It ends when this end of the
 * socket is closed, hence with the run, however that ends; and when a compilation takes too long.
 * Then the run goes on without a quick compiler.
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

/* NULL if it is not installed, or the host does not allow it. */
gs_quick *gs_quick_start(void);
/* What it has compiled must not be executed any more. NULL is fine. */
void gs_quick_stop(gs_quick *quick);

/* Makes room for other code: waits for the compilation in progress, and what has been compiled must
 * not be executed any more. */
void gs_quick_rest(gs_quick *quick);

/* Has a text compiled, of which no copy is kept. No compilation may be in progress. False if
 * there is no room for code, or no quick compiler any more. */
bool gs_quick_request(gs_quick *quick, const char *text, size_t size);

/* Whether a compilation is in progress, or its end has not been reported by gs_quick_poll(). */
bool gs_quick_is_busy(const gs_quick *quick);

/* The state of the compilation; waits for its end for some milliseconds at most, or until a
 * signal comes. */
gs_compiler_state gs_quick_poll(gs_quick *quick, int milliseconds);

/* After GS_COMPILER_DONE: the functions, in the order of the text; NULL if they are not where
 * code is. */
gs_fast_function *const *gs_quick_functions(const gs_quick *quick, size_t count);

/* After GS_COMPILER_FAILED: the compiler's message, if there is one. */
const char *gs_quick_why(const gs_quick *quick);

/* The processor time of the last compilation that has ended; and how long the current one has
 * been running. In seconds. */
double gs_quick_cost(const gs_quick *quick);
double gs_quick_elapsed(const gs_quick *quick);

#endif
