/*
 * choice.h - what of which profile is shown, and how: for every command that shows one.
 *
 * A command adds those of the options that it has to its own, and leaves every option that is not
 * its own to gs_choice_option(), --help and what is wrong included.
 */
#ifndef GS_TOOL_CHOICE_H
#define GS_TOOL_CHOICE_H

#include "gumshoe/profile.h"
#include "tool/terminal.h"

typedef struct gs_choice {
    const char *file;   /* NULL: the usual one */
    const char *run;    /* NULL: the last */
    const char *metric; /* or NULL */
    size_t top;
    bool top_given;
    gs_terminal terminal;
} gs_choice;

enum { GS_OPT_PROFILE = 'p', GS_OPT_RUN = 1200, GS_OPT_METRIC, GS_OPT_TOP };

#define GS_CHOICE_PROFILE                                  \
    {                                                      \
        "profile", required_argument, NULL, GS_OPT_PROFILE \
    }
#define GS_CHOICE_RUN                              \
    {                                              \
        "run", required_argument, NULL, GS_OPT_RUN \
    }
#define GS_CHOICE_METRIC                                 \
    {                                                    \
        "metric", required_argument, NULL, GS_OPT_METRIC \
    }
#define GS_CHOICE_TOP                              \
    {                                              \
        "top", required_argument, NULL, GS_OPT_TOP \
    }

/* Takes what getopt_long() has returned for these commands: -1 to go on, or the exit status. */
int gs_choice_option(gs_choice *choice, const gs_command *command, int option, char **argv);

/* At most one argument is left, the file: -1 to go on, or the exit status. */
int gs_choice_file(gs_choice *choice, const gs_command *command, int argc, char **argv);

/* The path of the file. */
const char *gs_choice_path(const gs_choice *choice);

/* The run of the file. *out is the caller's, NULL on failure. */
gs_status gs_choice_load(gs_profile **out, const gs_choice *choice, gs_error *err);

#endif
