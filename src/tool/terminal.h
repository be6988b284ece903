/*
 * terminal.h - who reads standard output: a person at a terminal, or a program.
 *
 * A person gets colour, lines that fit, and a pager for what does not fit on the screen.
 * Everything else gets plain text that is the same everywhere. A command adds
 * GS_TERMINAL_OPTIONS to its options and GS_TERMINAL_HELP to its help, and calls
 * gs_terminal_start() before the first byte of its output; main() ends it.
 */
#ifndef GS_TOOL_TERMINAL_H
#define GS_TOOL_TERMINAL_H

#include <getopt.h>

#include "tool/tool.h"

typedef enum gs_colour_when {
    GS_COLOUR_AUTO,
    GS_COLOUR_ALWAYS,
    GS_COLOUR_NEVER,
} gs_colour_when;

typedef struct gs_terminal {
    gs_colour_when when;
    bool no_pager;
    /* Known once started. */
    bool colour;
    unsigned width; /* columns; 0 if nobody cares */
} gs_terminal;

enum { GS_OPT_COLOUR = 1000, GS_OPT_NO_PAGER };

/* For commands that show nothing in a pager. */
#define GS_COLOUR_OPTION                                \
    {                                                   \
        "color", required_argument, NULL, GS_OPT_COLOUR \
    }
#define GS_TERMINAL_OPTIONS                            \
    GS_COLOUR_OPTION,                                  \
    {                                                  \
        "no-pager", no_argument, NULL, GS_OPT_NO_PAGER \
    }

#define GS_COLOUR_HELP              \
    "  --color auto|always|never\n" \
    "                          colours: on a terminal (auto, the default), or as told.\n"
#define GS_TERMINAL_HELP \
    GS_COLOUR_HELP       \
    "  --no-pager              do not show long output in a pager.\n"

/* Takes one of these options: -1 to go on, or the exit status. */
int gs_terminal_option(gs_terminal *terminal, const gs_command *command, int option,
                       const char *value);

/* Whether `stream` is to be coloured. */
bool gs_terminal_colours(const gs_terminal *terminal, FILE *stream);

/* Finds out who reads, and shows them standard output in a pager from here on. */
void gs_terminal_start(gs_terminal *terminal);

/* Waits until the pager, if there is one, has been left. Standard output is closed then. */
void gs_terminal_finish(void);

/* Nobody reads standard output any more, as behind "| head". */
bool gs_terminal_is_gone(void);

#endif
