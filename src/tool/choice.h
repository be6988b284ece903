/*
 * choice.h - what of which profile is shown, and how: for every command that shows one.
 *
 * A command's arguments begin with a gs_choice, and its table has those of the rows below that
 * it takes; --metric and --top are rows of its own, because they mean something else in each.
 */
#ifndef GS_TOOL_CHOICE_H
#define GS_TOOL_CHOICE_H

#include "gumshoe/profile.h"
#include "tool/terminal.h"

typedef struct gs_choice {
    const char *file;   /* NULL: GS_DEFAULT_PROFILE */
    const char *run;    /* NULL: the last */
    const char *metric; /* or NULL */
    uint64_t top;
    bool top_given;
    bool json;
    gs_terminal terminal;
} gs_choice;

extern const gs_option gs_choice_profile[], gs_choice_run[];

/* At most one argument is left, the file: -1 to go on, or the exit status. */
int gs_choice_file(gs_choice *choice, const gs_command *command, const gs_rest *rest);

/* The path of the file. */
const char *gs_choice_path(const gs_choice *choice);

/* The run of the file. *out is the caller's, NULL on failure. */
gs_status gs_choice_load(gs_profile **out, const gs_choice *choice, gs_error *err);

#endif
