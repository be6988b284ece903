/*
 * image.h - a program file, understood.
 *
 * Opened once, then read-only: any thread may look things up. Everything returned
 * is borrowed from the image and lives as long as it. Addresses are guest
 * addresses; ranges are half-open.
 */
#ifndef GUMSHOE_IMAGE_H
#define GUMSHOE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gumshoe/arch.h"
#include "gumshoe/error.h"

#pragma GCC visibility push(default)

typedef struct gs_image gs_image;

typedef struct gs_function {
    uint64_t start, end;
    const char *name; /* as in the symbol table, or "fn_80001234" when discovered */
    bool discovered;  /* from call targets, not from a symbol */
} gs_function;

/* A place in the source. */
typedef struct gs_line {
    const char *file;      /* absolute where the compiler said so */
    unsigned line, column; /* from 1; column 0: not known */
} gs_line;

/* A call that the compiler replaced by the called function's body. */
typedef struct gs_inline {
    const char *function;  /* the inlined one: as a linker would know it, or "" */
    const char *call_file; /* where the call stood; "" and 0 if not known */
    unsigned call_line;
} gs_inline;

/* Reads the whole file; nothing of it stays open. *out is the caller's. */
gs_status gs_image_open(gs_image **out, const char *path, gs_error *err);

/* The same from memory, which is copied. `name` is used in messages. */
gs_status gs_image_open_memory(gs_image **out, const void *bytes, size_t size, const char *name,
                               gs_error *err);
void gs_image_free(gs_image *image);

const char *gs_image_name(const gs_image *image); /* the path it was opened by */
gs_arch gs_image_arch(const gs_image *image);
bool gs_image_big_endian(const gs_image *image);
uint64_t gs_image_entry(const gs_image *image);

size_t gs_image_function_count(const gs_image *image);
const gs_function *gs_image_function(const gs_image *image, size_t index);   /* by address */
const gs_function *gs_image_function_at(const gs_image *image, uint64_t pc); /* or NULL */

/*
 * Reads the debug information (DWARF), which opening leaves alone because it is slow. To be
 * called before the two lookups below, by one thread, while no other uses the image; again
 * does nothing. A program without debug information, or with damaged one, has no lines:
 * that is no failure. Fails only with GS_E_NO_MEMORY.
 */
gs_status gs_image_load_lines(gs_image *image, gs_error *err);

/* Where the instruction at `pc` comes from; false if that is not known. */
bool gs_image_line_at(const gs_image *image, uint64_t pc, gs_line *line);

/*
 * The inlined calls around `pc`, innermost first: the line of `pc` is in frames[0].function,
 * which stands inlined at its call_file and call_line in frames[1].function, and so on, up to
 * the function of the symbol table. Returns how many there are; writes at most `max`.
 */
size_t gs_image_inlines_at(const gs_image *image, uint64_t pc, gs_inline *frames, size_t max);

#pragma GCC visibility pop

#endif
