/*
 * image.h - a program file: its functions, and the source its instructions come from.
 *
 * A gs_image is the caller's and read-only once it is open: any thread may look things up, and any
 * number of machines may share it, which it must outlive. Everything returned is borrowed from the
 * image and lives as long as it. Addresses are the guest's; a range includes its start but not its
 * end.
 */
#ifndef GUMSHOE_IMAGE_H
#define GUMSHOE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gumshoe/arch.h"
#include "gumshoe/error.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

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

/* Reads a static ELF executable for 32-bit RISC-V or MIPS; nothing of the file stays open. *out is
 * the caller's, NULL on failure: GS_E_NOT_FOUND, GS_E_IO, GS_E_FORMAT if it is no such file or is
 * damaged, GS_E_UNSUPPORTED for an instruction set or a kind of file that Gumshoe does not run,
 * GS_E_NO_MEMORY. */
gs_status gs_image_open(gs_image **out, const char *path, gs_error *err);

/* The same from memory, which is copied. `name` stands for the path in messages and in
 * gs_image_name(). */
gs_status gs_image_open_memory(gs_image **out, const void *bytes, size_t size, const char *name,
                               gs_error *err);
void gs_image_free(gs_image *image); /* NULL is fine */

/* What the ELF header says. None of these fails. */
const char *gs_image_name(const gs_image *image); /* the path it was opened by */
gs_arch gs_image_arch(const gs_image *image);
bool gs_image_big_endian(const gs_image *image);
uint64_t gs_image_entry(const gs_image *image);

/* The functions, by address; `index` is below the count. */
size_t gs_image_function_count(const gs_image *image);
const gs_function *gs_image_function(const gs_image *image, size_t index);

/* The function that covers `pc`, or NULL. */
const gs_function *gs_image_function_at(const gs_image *image, uint64_t pc);

/*
 * Reads the debug information (DWARF), which opening leaves alone because it is slow. A thread
 * calls it before its first use of the two lookups below; a second call does nothing, and calls
 * from several threads wait for each other. A program without debug information, or with a damaged
 * one, has no lines: that is no failure. Fails with GS_E_NO_MEMORY only.
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

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
