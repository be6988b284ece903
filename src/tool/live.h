/*
 * live.h - the options with which a run is watched over a network.
 */
#ifndef GS_TOOL_LIVE_H
#define GS_TOOL_LIVE_H

#include "gumshoe/live.h"
#include "tool/tool.h"

typedef struct gs_live_arguments {
    const char *to;    /* HOST:PORT; NULL: the run is not watched */
    const char *key;   /* a file, or NULL: the user's */
    const char *stats; /* what is counted, as in --unit stats:OPTIONS; or NULL */
    uint64_t device, wait;
    double speed;
    bool more_given; /* one of the others */
} gs_live_arguments;

/* Their rows. */
extern const gs_option gs_live_rows[];

/* -1 if they go together, or the exit status. */
int gs_live_check(const gs_live_arguments *arguments, const gs_command *command);

/* As gs_live_open(). */
gs_status gs_live_begin(gs_live **out, gs_machine *machine, const gs_timing *timing,
                        const gs_live_arguments *arguments, gs_error *err);

/* What was sent, for the summary of the run. */
void gs_live_tell(const gs_live *live, const gs_live_arguments *arguments);

#endif
