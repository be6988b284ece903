/*
 * board.h - what surrounds a bare-metal program: memory, devices, a clock.
 *
 * A board is read from YAML: one that is built in, or a file. It is read-only
 * once opened; what is returned is borrowed and lives as long as the board.
 */
#ifndef GUMSHOE_BOARD_H
#define GUMSHOE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gumshoe/arch.h"
#include "gumshoe/error.h"

#pragma GCC visibility push(default)

typedef struct gs_board gs_board;

/* A stretch of memory or a device, in the order of the file, memory first. */
typedef struct gs_board_part {
    const char *type; /* "memory", "clint", "uart16550", "test", "alias" */
    const char *name; /* of memory, if it has one; else NULL */
    uint64_t base, size;
} gs_board_part;

/* Names of the boards built in; NULL from `gs_board_count()` on. */
size_t gs_board_count(void);
const char *gs_board_builtin(size_t index);

/* `name` is a built-in board's, or a file's path if it has a '/' or ends in ".yaml".
 * *out is the caller's, NULL on failure. */
gs_status gs_board_open(gs_board **out, const char *name, gs_error *err);

/* The built-in board for programs that ask for none. */
gs_status gs_board_open_default(gs_board **out, gs_arch arch, gs_error *err);
void gs_board_free(gs_board *board);

const char *gs_board_name(const gs_board *board);
const char *gs_board_summary(const gs_board *board); /* one line, or "" */
gs_arch gs_board_arch(const gs_board *board);
bool gs_board_is_default(const gs_board *board); /* for its architecture */
uint64_t gs_board_clock_hz(const gs_board *board);
size_t gs_board_part_count(const gs_board *board);
gs_board_part gs_board_part_at(const gs_board *board, size_t index);

#pragma GCC visibility pop

#endif
