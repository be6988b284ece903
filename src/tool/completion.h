/*
 * completion.h - what the completions of the shells have in common.
 *
 * Each is one script that is written from the commands' tables. Names of built-in cores, boards,
 * metrics and units are in it; the runs of a profile file are asked for when they are wanted.
 */
#ifndef GS_TOOL_COMPLETION_H
#define GS_TOOL_COMPLETION_H

#include "tool/tool.h"

/* Calls `take` for every name that can stand there: the words of an option, or those of a value. */
void gs_complete_names(gs_value value, const gs_word *words,
                       void (*take)(void *self, const char *name), void *self);

/* Room for the longest list of names. */
enum { GS_COMPLETE_LIST = 4096 };

/* The names with blanks between them. The result is valid until the next call with this buffer. */
const char *gs_complete_list(gs_value value, const gs_word *words, char *to, size_t size);

/* Whether files, or a directory, can stand there as well. */
bool gs_complete_files(gs_value value);

/* What an option does, in a few words. */
const char *gs_complete_brief(const char *text, char *to, size_t size);

/* Writes a text between single quotes of a shell: `quote` stands for a quote in it, and a backslash
 * comes before each character of `escaped`. */
void gs_complete_put(FILE *to, const char *text, const char *escaped, const char *quote);

/* The options of a command, and of a kind of unit if `kind` is not NULL; --help included.
 * `own` is used for the kind's. */
void gs_complete_rows(gs_option_rows *rows, const gs_command *command, const size_t *kind,
                      gs_option own[GS_OPTIONS_MAX]);

void gs_complete_bash(FILE *to);
void gs_complete_zsh(FILE *to);
void gs_complete_fish(FILE *to);

#endif
