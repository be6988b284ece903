/*
 * arena.h - memory that is freed all at once.
 *
 * An arena of zeros is empty and ready. What it hands out lives until the arena is freed.
 */
#ifndef GS_BASE_ARENA_H
#define GS_BASE_ARENA_H

#include <stddef.h>

typedef struct gs_arena {
    struct gs_arena_chunk *chunks; /* the newest first */
} gs_arena;

/* Zeroed, aligned for anything; NULL when memory is out. */
void *gs_arena_alloc(gs_arena *arena, size_t size);

/* A copy of `length` bytes with a NUL after them. */
char *gs_arena_copy(gs_arena *arena, const char *text, size_t length);

void gs_arena_free(gs_arena *arena);

#endif
