/*
 * confine.h - the kernel holds Gumshoe itself to the files of a run.
 *
 * A gs_confine says what Gumshoe writes and reads besides what the program may touch.
 * gs_confine_ready() passes that to the kernel, as gs_run()'s `ready`, or where several runs
 * follow, which then need gs_compilers that have been started before.
 */
#ifndef GS_TOOL_CONFINE_H
#define GS_TOOL_CONFINE_H

#include "gumshoe/machine.h"
#include "gumshoe/sandbox.h"
#include "tool/target.h"

typedef struct gs_confine {
    const gs_machine *machine; /* borrowed; until gs_confine_ready() */
    bool all_files;            /* its sandbox has no walls */
    gs_sandbox_path *paths;    /* owned, with their texts */
    size_t count;
    gs_confinement done;
    int *inherited; /* descriptors that Gumshoe was started with, besides 0, 1 and 2 */
    size_t inherited_count;
} gs_confine;

/* Before anything is opened: notes what is open already. */
void gs_confine_begin(gs_confine *confine);

/* A directory that Gumshoe writes to, or the one in which a file lies; NULL and "-" are none. */
void gs_confine_directory(gs_confine *confine, const char *path);
void gs_confine_file(gs_confine *confine, const char *path);

/* A file that Gumshoe reads. */
void gs_confine_read(gs_confine *confine, const char *path);

/* The target's machine is the one, and what opening the target again reads is read, but for the
 * program. */
void gs_confine_target(gs_confine *confine, const gs_target *target,
                       const gs_target_arguments *arguments);

/* `self` is a gs_confine. */
gs_status gs_confine_ready(void *self, const char *cache, gs_error *err);

/* What the kernel does not have, for the user, or NULL. */
const char *gs_confine_remark(const gs_confine *confine);

void gs_confine_free(gs_confine *confine);

#endif
