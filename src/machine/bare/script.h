/*
 * script.h - what happens to a board from outside, and at which cycle.
 *
 * A YAML file (docs/boards.md) lists events: an interrupt line is raised or lowered, a pin of the
 * GPIO is driven, bytes arrive at the UARTs. The script hands them out in the order of their times,
 * those of one time in the order of the file.
 */
#ifndef GS_MACHINE_BARE_SCRIPT_H
#define GS_MACHINE_BARE_SCRIPT_H

#include <stddef.h>

#include "base/error.h"
#include "machine/bare/board.h"

typedef enum gs_script_action {
    GS_SCRIPT_RAISE, /* line `number` */
    GS_SCRIPT_LOWER,
    GS_SCRIPT_PIN, /* drives pin `number` to `high` */
    GS_SCRIPT_INPUT,
} gs_script_action;

typedef struct gs_script_event {
    gs_script_action action;
    unsigned number;
    bool high;
    uint8_t *bytes; /* input: `size` of them */
    size_t size;
    uint64_t every; /* cycles until it happens again; 0: never */
    uint64_t times; /* how often in all */
    unsigned index; /* in the file's list, for messages */
} gs_script_event;

typedef struct gs_script gs_script;

/* Reads a file, or text in memory (`file` is for messages). *out is the caller's, NULL on failure:
 * GS_E_NOT_FOUND, GS_E_IO, GS_E_FORMAT, GS_E_NO_MEMORY. */
gs_status gs_script_open(gs_script **out, const char *path, gs_error *err);
gs_status gs_script_parse(gs_script **out, const char *file, const char *text, size_t size,
                          gs_error *err);
void gs_script_free(gs_script *script); /* NULL is fine */

/* GS_E_ARGUMENT for a line, a pin or a UART that the board does not have. */
gs_status gs_script_check(const gs_script *script, const gs_board *board, gs_error *err);

/* When the next event happens; UINT64_MAX if there is none, also of no script. */
uint64_t gs_script_due(const gs_script *script);

/* The next event that has happened by `now`, and at which time; NULL if none has. Borrowed. */
const gs_script_event *gs_script_take(gs_script *script, uint64_t now, uint64_t *at);

/* What has happened so far, to go back to: bytes to be copied, in place. */
void *gs_script_progress(gs_script *script, size_t *size);

#endif
