/*
 * input.h - the bytes of a trace: of a file, a pipe, standard input, memory, or another program.
 *
 * Read once from front to end in constant memory, however long it is. Lines are counted for
 * messages.
 */
#ifndef GS_REPLAY_INPUT_H
#define GS_REPLAY_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

enum { GS_INPUT_BUFFER = 1 << 17, GS_INPUT_LINE = 1 << 16 };

typedef struct gs_input {
    char *name; /* for messages */
    int fd;     /* or -1 */
    pid_t child;
    const uint8_t *memory; /* or NULL; what is left of it */
    size_t memory_size;
    size_t at, end; /* what of `buffer` has not been taken */
    bool ended;     /* nothing will come behind that */
    uint64_t lines; /* taken so far */
    uint8_t buffer[GS_INPUT_BUFFER + 1];
} gs_input;

/* "-" is standard input. *out is the caller's, NULL on failure. GS_E_NOT_FOUND, GS_E_IO. */
gs_status gs_input_open(gs_input **out, const char *path, gs_error *err);
/* Borrows the bytes. */
gs_status gs_input_open_memory(gs_input **out, const void *bytes, size_t size, gs_error *err);
/* What the program `argv` writes to its standard output. GS_E_NOT_FOUND if there is no such
 * program. */
gs_status gs_input_open_program(gs_input **out, const char *name, const char *const argv[],
                                gs_error *err);
void gs_input_free(gs_input *source); /* NULL is fine */

/* Makes at least `wanted` bytes (at most GS_INPUT_BUFFER) stand at buffer + at, fewer only if
 * there are no more. */
gs_status gs_input_fill(gs_input *source, size_t wanted, gs_error *err);

/* The next line without its end, NUL-terminated and good until the next call; *line is NULL at the
 * end. GS_E_FORMAT for one of more than GS_INPUT_LINE bytes. */
gs_status gs_input_line(gs_input *source, char **line, gs_error *err);

/* At the end: GS_E_IO if the other program has failed. */
gs_status gs_input_finish(gs_input *source, gs_error *err);

#endif
