/*
 * debug.h - a debugger on a run: gdb's remote protocol, forwards and backwards.
 *
 * A gs_debugger speaks the protocol of gdb over a link of the caller's, and takes its turn in
 * gs_run(), whose control it is. The program is stopped before its first instruction. While it is
 * stopped no time passes for it, and it runs at full speed until gdb goes back in time: from then
 * on the reference engine runs it. Of a bare machine it keeps checkpoints, from which any earlier
 * moment is reached by running the program again; what it read is kept, and what it wrote is not
 * written again. Observers see everything once.
 */
#ifndef GUMSHOE_DEBUG_H
#define GUMSHOE_DEBUG_H

#include <signal.h>
#include <stddef.h>

#include "gumshoe/profile.h"
#include "gumshoe/run.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* The bytes to gdb and from it. Called from gs_run(), on its thread. */
typedef struct gs_debug_link {
    /* Returns how many bytes came, 0 if none are there, -1 if none will ever come. With `wait`, 0
     * is not returned. */
    ptrdiff_t (*read)(void *self, void *to, size_t size, bool wait);
    bool (*write)(void *self, const void *bytes, size_t size); /* false: the other side is gone */
    void *self;
    int fd; /* becomes readable when there is something to read: a program that waits for input is
               interrupted; or -1 */
} gs_debug_link;

typedef struct gs_debugger gs_debugger;

/* Borrows all of it; `timing`, which is the run's, may be NULL, and so may the recorder, without
 * which there are no threads. *out is the caller's, NULL on failure: GS_E_NO_MEMORY. */
gs_status gs_debugger_open(gs_debugger **out, gs_machine *machine, gs_timing *timing,
                           gs_recorder *recorder, const gs_debug_link *link, gs_error *err);
void gs_debugger_free(gs_debugger *debugger); /* NULL is fine; before the machine */

/* For gs_run_options. Borrowed. */
gs_control *gs_debugger_control(gs_debugger *debugger);

/* Whether gdb has ended the run, or is gone. */
bool gs_debugger_killed(const gs_debugger *debugger);

/* Where a debugger is waited for, and the link to the first that comes. */
typedef struct gs_debug_server gs_debug_server;

/* `where` is "[HOST]:PORT", HOST a number of IPv4 or IPv6 (in brackets), 127.0.0.1 if it is left
 * out, PORT 0 for one that is free; or "stdio" for standard input and output. *out is the caller's,
 * NULL on failure: GS_E_ARGUMENT, GS_E_IO. */
gs_status gs_debug_server_open(gs_debug_server **out, const char *where, gs_error *err);
void gs_debug_server_free(gs_debug_server *server); /* NULL is fine */

/* "127.0.0.1:1234", or "stdio". Borrowed. */
const char *gs_debug_server_where(const gs_debug_server *server);

/* Waits for a debugger. The link is borrowed from the server. GS_E_IO, also if `cancel` becomes
 * non-zero, which ends a later wait for a packet as well. */
gs_status gs_debug_server_wait(gs_debug_server *server, const volatile sig_atomic_t *cancel,
                               gs_debug_link *link, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
