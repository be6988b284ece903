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

typedef struct gs_image gs_image;

typedef struct gs_function {
    uint64_t start, end;
    const char *name; /* as in the symbol table, or "fn_80001234" when discovered */
    bool discovered;  /* from call targets, not from a symbol */
} gs_function;

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
const gs_function *gs_image_function(const gs_image *image, size_t index); /* by address */
const gs_function *gs_image_function_at(const gs_image *image, uint64_t pc); /* or NULL */

#endif
