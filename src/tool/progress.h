/*
 * progress.h - what takes more than two seconds says how far it is, if standard error is a
 * terminal.
 *
 * One line, rewritten four times a second by a thread of its own, and taken away before anything
 * else is written. Of a program that runs and writes to a terminal itself, a whole line each time
 * the seconds have doubled instead. Nothing here fails: without progress, the work goes on.
 */
#ifndef GS_TOOL_PROGRESS_H
#define GS_TOOL_PROGRESS_H

#include "gumshoe/run.h"

/* What is being done from here on, such as "reading app.db"; shown with the seconds since the first
 * start after a stop. */
void gs_progress_start(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes the line away. Nothing is shown until the next start. Without a start it does nothing. */
void gs_progress_stop(void);

/* A run of a program, as gs_run_options.progress. */
typedef struct gs_run_progress {
    uint64_t max_instructions; /* or 0 */
    uint64_t clock_hz;         /* of the core; 0 for none */
    const gs_timing *timing;   /* or NULL */
    bool shares_terminal;      /* the program writes to a terminal, too */
    double started;            /* set by the start */
} gs_run_progress;

void gs_progress_start_run(gs_run_progress *progress, gs_run_options *options);

#endif
