/*
 * compiler.h - the host's C compiler, in the background.
 *
 * One compilation at a time, of one file, into a shared object. A compiler that is not
 * there, fails or is killed is no error of ours: the job ends without a result.
 */
#ifndef GS_ENGINE_COMPILER_H
#define GS_ENGINE_COMPILER_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct gs_compiler_job {
    int fd;      /* where it tells how it went; -1: there is none */
    pid_t group; /* of processes, to kill it */
} gs_compiler_job;

typedef enum gs_compiler_state {
    GS_COMPILER_RUNS,
    GS_COMPILER_DONE,
    GS_COMPILER_FAILED
} gs_compiler_state;

/* False if it cannot even be started. */
bool gs_compiler_start(gs_compiler_job *job, const char *source, const char *object);

/* Whether it has ended. Ends the job if it has. */
gs_compiler_state gs_compiler_poll(gs_compiler_job *job, bool wait);

void gs_compiler_kill(gs_compiler_job *job);

/* The command, for a message and for the name of what it makes. */
const char *gs_compiler_command(void);

/* Whether the host has these instructions, which move what they work on at the same time. */
bool gs_compiler_may_use_bmi2(void);

#endif
