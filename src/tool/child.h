/* child.h - what another program prints. */
#ifndef GS_TOOL_CHILD_H
#define GS_TOOL_CHILD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gs_child {
    const char *const *arguments; /* the program first, NULL behind the last */
    const char *input;            /* for its standard input, short; or NULL */
    bool errors;                  /* keep what it prints there as well */
} gs_child;

/* Runs it without a shell and keeps the start of what it prints, with a NUL behind it. False unless
 * it exits with 0. */
bool gs_child_ask(const gs_child *child, char *output, size_t size);

#endif
