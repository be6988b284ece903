/*
 * terminal.h - whether standard output goes to a terminal or to a program.
 *
 * A terminal gets colour, lines that fit, and a pager for what does not fit on the screen.
 * Everything else gets plain text that is the same everywhere. A command includes
 * gs_terminal_options in its table and calls gs_terminal_start() before the first byte of its
 * output; main() ends it.
 */
#ifndef GS_TOOL_TERMINAL_H
#define GS_TOOL_TERMINAL_H

#include "tool/tool.h"

typedef enum gs_colour_when {
    GS_COLOUR_AUTO,
    GS_COLOUR_ALWAYS,
    GS_COLOUR_NEVER,
} gs_colour_when;

typedef struct gs_terminal {
    gs_colour_when when;
    bool no_pager;
    bool wide; /* --wide */
    bool prepared;
    /* Known once started. */
    bool colour;
    unsigned width;       /* columns of the terminal; 0 for any, as in a pipe */
    unsigned table_width; /* the same for tables, which are made to fit in a pipe, too */
} gs_terminal;

/* The rows of --color, for commands that show nothing in a pager; of --color and --no-pager; and of
 * these and --wide, for commands that show tables. */
extern const gs_option gs_colour_options[], gs_terminal_options[], gs_table_options[];

/* Whether `stream` is to be coloured. */
bool gs_terminal_colours(const gs_terminal *terminal, FILE *stream);

/* The columns that a table on `stream` may have: the terminal's, or COLUMNS, or 80; 0 for any. */
unsigned gs_terminal_table_width(const gs_terminal *terminal, FILE *stream);

/* Finds out where standard output goes; shows it in a pager from here on if that is a terminal. */
void gs_terminal_start(gs_terminal *terminal);

/* Does before what gs_terminal_start() needs a new process for, as there may be none later: the
 * pager waits for the first byte. */
void gs_terminal_prepare(gs_terminal *terminal);

/* Waits until the pager, if there is one, has been left. Standard output is closed then. */
void gs_terminal_finish(void);

/* The other end of standard output is closed, as behind "| head". */
bool gs_terminal_is_gone(void);

#endif
