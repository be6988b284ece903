/*
 * unit_options.h - the options of a kind of unit, on a command line.
 *
 * Every kind has its own; 'gumshoe unit' and 'gumshoe rtl' take them among theirs and hand them to
 * the library as one text.
 */
#ifndef GS_TOOL_UNIT_OPTIONS_H
#define GS_TOOL_UNIT_OPTIONS_H

#include <getopt.h>

#include "gumshoe/unit.h"
#include "tool/tool.h"

/* What getopt_long() returns for the first of them; the others follow. */
enum { GS_OPT_UNIT = 2000 };

/* The kind of this name: -1, or complains, lists those there are, and returns the status. `which`
 * says which kinds count, or is NULL. */
int gs_unit_find_kind(size_t *kind, const char *name, bool (*which)(size_t kind),
                      const gs_command *command);

/* Adds the kind's options behind the `count` there are, and returns how many there are then, at
 * most `max`. `which` says which options count, or is NULL. */
size_t gs_unit_add_options(struct option *options, size_t count, size_t max, size_t kind,
                           bool (*which)(size_t kind, size_t option));

/* Appends an option to the text of them, which is malloc()ed, NULL at first. False when memory is
 * out. */
bool gs_unit_append_option(char **text, const char *name, const char *value);

/* A line, or two, of help for an option. */
void gs_unit_print_option(const char *name, const char *argument, const char *help);

#endif
