/*
 * unit_options.h - the options of a kind of unit, on a command line.
 *
 * Every kind has its own; 'gumshoe unit' and 'gumshoe rtl' take them among theirs and hand them to
 * the library as one text.
 */
#ifndef GS_TOOL_UNIT_OPTIONS_H
#define GS_TOOL_UNIT_OPTIONS_H

#include "gumshoe/unit.h"
#include "tool/tool.h"

/* The kind of this name: -1, or complains, lists those there are, and returns the status. `which`
 * says which kinds count, or is NULL. */
int gs_unit_find_kind(size_t *kind, const char *name, bool (*which)(size_t kind),
                      const gs_command *command);

/* Makes rows of the kind's options and returns how many. They append themselves to a text, a char *
 * at `at` in the command's arguments, which is malloc()ed, NULL at first. `which` says which
 * options count, or is NULL. */
size_t gs_unit_options_make(gs_option *rows, size_t kind, bool (*which)(size_t kind, size_t option),
                            size_t at);

/* Parses the options of the command and those of the kind; see gs_options_parse(). */
int gs_unit_parse(const gs_command *command, size_t kind, void (*help)(const void *arguments),
                  int argc, char **argv, void *arguments, gs_rest *rest);

#endif
