/*
 * board.h - what surrounds a bare-metal program: memory, devices, a clock.
 *
 * A board is read from YAML: one that is built in, or a file (docs/boards.md). A gs_board is the
 * caller's and read-only once it is open, so any thread may ask it. Texts are borrowed from it. A
 * machine takes the name of a board, not a gs_board: this header is for programs that want to know
 * what a board has.
 */
#ifndef GUMSHOE_BOARD_H
#define GUMSHOE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gumshoe/arch.h"
#include "gumshoe/error.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_board gs_board;

/* A range of memory or a device. Texts are borrowed from the board. */
typedef struct gs_board_part {
    const char *type; /* "memory", or the type of a device: "clint", "uart16550" and so on */
    const char *name; /* of memory or a region, if it has one; else NULL */
    uint64_t base, size;
} gs_board_part;

/* The boards that are built in, by name; NULL from gs_board_count() on. Constant texts, never
 * freed.
 */
size_t gs_board_count(void);
const char *gs_board_builtin(size_t index);

/* Opens the board `name`: a built-in one, or a file's path if it has a '/' or ends in ".yaml". The
 * file is not needed afterwards. *out is the caller's, NULL on failure: GS_E_NOT_FOUND if there is
 * no such board or file, GS_E_IO, GS_E_FORMAT with file, line and key, GS_E_NO_MEMORY. */
gs_status gs_board_open(gs_board **out, const char *name, gs_error *err);
void gs_board_free(gs_board *board); /* NULL is fine */

/* What the description says. None of these fails. */
const char *gs_board_name(const gs_board *board);
const char *gs_board_summary(const gs_board *board); /* one line, or "" */
gs_arch gs_board_arch(const gs_board *board);
bool gs_board_is_default(const gs_board *board); /* for its architecture */
uint64_t gs_board_clock_hz(const gs_board *board);

/* Memory and devices, in the order of the file, memory first. `index` is below the count. */
size_t gs_board_part_count(const gs_board *board);
gs_board_part gs_board_part_at(const gs_board *board, size_t index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
