/* Blocks that double in size; an allocation takes the next bytes of the newest one. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 16 << 10, ALIGNMENT = alignof(max_align_t) };

struct gs_arena_chunk {
    struct gs_arena_chunk *older;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

static struct gs_arena_chunk *add_chunk(gs_arena *arena, size_t needed)
{
    size_t size = needed > CHUNK_SIZE ? needed : CHUNK_SIZE;
    struct gs_arena_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk)
        return NULL;
    chunk->size = size;
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    return chunk;
}

void *gs_arena_alloc(gs_arena *arena, size_t size)
{
    struct gs_arena_chunk *chunk = arena->chunks;
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!chunk || chunk->size - chunk->used < rounded)
        chunk = add_chunk(arena, rounded);
    if (!chunk)
        return NULL;
    void *memory = chunk->bytes + chunk->used;
    chunk->used += rounded;
    return memory;
}

char *gs_arena_copy(gs_arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX)
        return NULL;
    char *copy = gs_arena_alloc(arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void gs_arena_free(gs_arena *arena)
{
    while (arena->chunks) {
        struct gs_arena_chunk *older = arena->chunks->older;
        free(arena->chunks);
        arena->chunks = older;
    }
}
