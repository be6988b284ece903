/* A hash table of texts, each kept once. */
#include "image/strings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 16 * 1024, FIRST_SLOTS = 64 };

struct gs_strings_chunk {
    struct gs_strings_chunk *next;
    size_t used, size;
    char bytes[];
};

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3u;
    return hash;
}

static size_t find_slot(const char **slots, size_t slot_count, const char *text)
{
    size_t slot = (size_t)hash_text(text) & (slot_count - 1);
    while (slots[slot] && strcmp(slots[slot], text) != 0)
        slot = (slot + 1) & (slot_count - 1);
    return slot;
}

static int grow_slots(gs_strings *pool)
{
    size_t wanted = pool->slot_count ? pool->slot_count * 2 : FIRST_SLOTS;
    const char **slots = calloc(wanted, sizeof *slots);
    if (!slots)
        return 0;
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i])
            slots[find_slot(slots, wanted, pool->slots[i])] = pool->slots[i];
    free(pool->slots);
    pool->slots = slots;
    pool->slot_count = wanted;
    return 1;
}

static char *take_bytes(gs_strings *pool, size_t size)
{
    struct gs_strings_chunk *chunk = pool->chunks;
    if (!chunk || chunk->size - chunk->used < size) {
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        chunk = malloc(sizeof *chunk + room);
        if (!chunk)
            return NULL;
        *chunk = (struct gs_strings_chunk){.next = pool->chunks, .size = room};
        pool->chunks = chunk;
    }
    char *bytes = chunk->bytes + chunk->used;
    chunk->used += size;
    return bytes;
}

const char *gs_strings_keep(gs_strings *pool, const char *text)
{
    if (pool->count * 2 >= pool->slot_count && !grow_slots(pool))
        return NULL;
    size_t slot = find_slot(pool->slots, pool->slot_count, text);
    if (!pool->slots[slot]) {
        size_t size = strlen(text) + 1;
        char *copy = take_bytes(pool, size);
        if (!copy)
            return NULL;
        memcpy(copy, text, size);
        pool->slots[slot] = copy;
        pool->count++;
    }
    return pool->slots[slot];
}

void gs_strings_free(gs_strings *pool)
{
    while (pool->chunks) {
        struct gs_strings_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
    free(pool->slots);
    *pool = (gs_strings){0};
}
