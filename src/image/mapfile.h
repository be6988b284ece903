/*
 * mapfile.h - the functions of a program, from the map file its linker wrote.
 *
 * For programs without a symbol table. Understands what GNU ld writes with -Map: input sections of
 * code with their addresses and sizes, and the global symbols in them. A function ends where the
 * next one or its section does. Static functions are known where they have a section of their own
 * (-ffunction-sections).
 */
#ifndef GS_IMAGE_MAPFILE_H
#define GS_IMAGE_MAPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

typedef struct gs_map_function {
    const char *name;
    uint32_t start, end; /* half-open; never empty */
} gs_map_function;

typedef struct gs_mapfile {
    gs_arena arena;
    struct {
        gs_map_function *items;
        size_t count, capacity;
    } functions;
} gs_mapfile;

/* `text` need not end. Errors begin with `file`. *out is the caller's, NULL on failure. */
gs_status gs_mapfile_parse(gs_mapfile **out, const char *file, const char *text, size_t size,
                           gs_error *err);
gs_status gs_mapfile_open(gs_mapfile **out, const char *path, gs_error *err);
void gs_mapfile_free(gs_mapfile *map);

/* The function of that name, or NULL; *several if there is more than one. */
const gs_map_function *gs_mapfile_find(const gs_mapfile *map, const char *name, bool *several);

#endif
