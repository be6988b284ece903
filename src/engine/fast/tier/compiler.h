/*
 * compiler.h - the host's C compiler, in the background, run by a process of its own.
 *
 * gs_compiler_start() forks the helper process that starts compilers; the run calls it before the
 * guest executes, so the process that runs the guest may give up the right to start any others.
 * Requests and replies go over a socket pair. One compilation at a time, of one file, into a shared
 * object. Each runs in a process group of its own, for a limited time, and is killed with all it
 * has started when the time is up, when gs_compiler_stop() is called, and when the process that
 * runs the guest is gone, however it ended. A compiler that is not installed, fails or is killed is
 * not an error of the run: the request ends without a result.
 *
 * Sources, objects and what compilers write besides lie in one directory. The kernel holds the
 * helper process and compilers to that, and to reading what is installed on the system, in the
 * compiler's own prefix, or the compiler itself.
 */
#ifndef GS_ENGINE_COMPILER_H
#define GS_ENGINE_COMPILER_H

#include <stdbool.h>

typedef struct gs_compiler gs_compiler;

typedef enum gs_compiler_state {
    GS_COMPILER_RUNS,
    GS_COMPILER_DONE,
    GS_COMPILER_FAILED,
    GS_COMPILER_TOO_SLOW, /* and has been killed */
} gs_compiler_state;

/* `directory` is an absolute path. NULL if the helper process cannot be started. */
gs_compiler *gs_compiler_start(const char *directory);

/* Kills the compiler that is running. Does not wait. NULL is fine. */
void gs_compiler_stop(gs_compiler *compiler);

/* Has the file `source` compiled into `object`, both paths of files in the directory. No
 * compilation may be in progress. False if the helper process does not take the request. */
bool gs_compiler_request(gs_compiler *compiler, const char *source, const char *object);

/* Kills the compiler that is running, if there is one, and forgets its request. Does not wait. */
void gs_compiler_cancel(gs_compiler *compiler);

/* Whether a compilation is in progress, or its end has not been reported by gs_compiler_poll(). */
bool gs_compiler_is_busy(const gs_compiler *compiler);

/* The state of the compilation; waits for its end for some milliseconds at most, or until a
 * signal comes. */
gs_compiler_state gs_compiler_poll(gs_compiler *compiler, int milliseconds);

/* The processor time of the last compilation that has ended; and how long the current one has
 * been running, which is at least as much. In seconds. */
double gs_compiler_cost(const gs_compiler *compiler);
double gs_compiler_elapsed(const gs_compiler *compiler);

/* The compiler's command, for messages and for the names of its results; and whether there is
 * such a program. */
const char *gs_compiler_command(void);
bool gs_compiler_is_there(void);

/* The most a compilation may take, in seconds. */
unsigned gs_compiler_time_limit(void);

/* Whether the host has BMI2, whose shifts take their operands from any registers. */
bool gs_compiler_may_use_bmi2(void);

#endif
