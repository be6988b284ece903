/*
 * target.h - what is run, on what, and for how long: for every command that runs a program.
 *
 * A command includes gs_target_options in its table.
 */
#ifndef GS_TOOL_TARGET_H
#define GS_TOOL_TARGET_H

#include <signal.h>

#include "gumshoe/core.h"
#include "gumshoe/image.h"
#include "gumshoe/machine.h"
#include "gumshoe/run.h"
#include "gumshoe/timing.h"
#include "tool/tool.h"

enum { GS_TARGET_OWN = 6 };

typedef struct gs_target_arguments {
    gs_machine_options machine;
    const char *program;   /* a path; its arguments are in `machine` */
    gs_image *image;       /* that of the program, if it is open already; or NULL */
    char *compiled;        /* the same, if it was made of C files; lives until the process ends */
    const char *core;      /* NULL: by what the program needs; "none": no timing */
    gs_list set;           /* of the core's keys */
    gs_list variables;     /* NAME=VALUE, for a Linux program */
    const char *from, *to; /* edges of the region of interest; or NULL */
    bool between_markers;
    bool inherit_env, inherit_clock, inherit_terminal;
    gs_list allow;                  /* PATH or PATH:ro */
    bool no_files, all_files;       /* see gs_sandbox_options */
    const char *own[GS_TARGET_OWN]; /* what Gumshoe writes; the program may not */
    size_t own_count;
    unsigned missing;                      /* a word of --missing */
    uint64_t max_instructions, max_cycles; /* 0 for no limit */
    uint64_t max_seconds;                  /* the same */
} gs_target_arguments;

/* A program ready to run. */
typedef struct gs_target {
    gs_core *core; /* or NULL */
    bool chosen;   /* by what the program needs, as no core was asked for */
    gs_image *image;
    bool borrows_image;
    gs_machine *machine;
    gs_timing *timing; /* or NULL */
    gs_region *region; /* or NULL: everything counts */
} gs_target;

/* The rows of all of these; and those of limits and of the region of interest alone. */
extern const gs_option gs_target_options[], gs_limit_options[], gs_region_options[];

/* The row of --label, for a const char *. */
extern const gs_option gs_label_options[];

/* Whether the run is not to be timed: --core none. */
bool gs_target_untimed(const gs_target_arguments *arguments);

/* If the core was not chosen by the user, says which it is, and how to choose. */
void gs_target_tell_core(const gs_target *target);

/* The program and its arguments are what is left: -1 to go on, or the exit status. */
int gs_target_program(gs_target_arguments *arguments, const gs_command *command,
                      const gs_rest *rest);

/* Of the region's options: -1 to go on, or the exit status. gs_target_program() does it, too. */
int gs_target_region(gs_target_arguments *arguments, const gs_command *command);

/* The command is going to write this file or directory, or not if it is NULL or "-". */
void gs_target_owns(gs_target_arguments *arguments, const char *path);

/* Opens all of it; what is open is to be closed even if the rest fails. */
gs_status gs_target_open(gs_target *target, const gs_target_arguments *arguments, gs_error *err);
void gs_target_close(gs_target *target);

/* "from main to exit" in a buffer, which is returned; NULL without a region. */
enum { GS_TARGET_REGION = 256 };
const char *gs_target_region_text(const gs_target_arguments *arguments, char to[GS_TARGET_REGION]);

/* Says so if the region of interest never began. */
void gs_target_check_region(const gs_target *target, const gs_target_arguments *arguments);

/* From here on one interrupt, hang-up or termination signal, or the end of the processor time, only
 * sets what is returned to its number, so that a run stops and is still reported; a second one ends
 * Gumshoe at once, without the output files that are not complete. A hang-up that is ignored when
 * Gumshoe is started stays ignored. */
const volatile sig_atomic_t *gs_catch_interrupts(void);

/* So many seconds from now, SIGALRM sets it; 0 for never. */
void gs_limit_time(uint64_t seconds);

#endif
