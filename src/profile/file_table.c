/* A hash table of source files, each once. */
#include "profile/file_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static size_t hash_pointer(const void *pointer, size_t slots)
{
    return (size_t)(((uintptr_t)pointer >> 3) * 0x9e3779b97f4a7c15u >> 20) & (slots - 1);
}

static bool grow_table(gs_file_table *table)
{
    gs_file_table wider = {.slots = table->slots ? 2 * table->slots : 256, .used = table->used};
    wider.keys = calloc(wider.slots, sizeof *wider.keys);
    wider.values = calloc(wider.slots, sizeof *wider.values);
    if (!wider.keys || !wider.values) {
        gs_file_table_free(&wider);
        return false;
    }
    for (size_t i = 0; i < table->slots; i++) {
        if (!table->keys[i])
            continue;
        size_t slot = hash_pointer(table->keys[i], wider.slots);
        while (wider.keys[slot])
            slot = (slot + 1) & (wider.slots - 1);
        wider.keys[slot] = table->keys[i];
        wider.values[slot] = table->values[i];
    }
    gs_file_table_free(table);
    *table = wider;
    return true;
}

static bool new_file(gs_profile *profile, const char *path, uint32_t *index)
{
    for (size_t i = 0; i < profile->files.count; i++) {
        if (strcmp(profile->files.items[i], path) == 0) {
            *index = (uint32_t)i;
            return true;
        }
    }
    char *copy = strdup(path);
    if (!copy || !gs_vec_push(&profile->files, copy)) {
        free(copy);
        return false;
    }
    *index = (uint32_t)profile->files.count - 1;
    return true;
}

bool gs_file_table_index(gs_file_table *table, gs_profile *profile, const char *path,
                         uint32_t *index)
{
    if (2 * table->used >= table->slots && !grow_table(table))
        return false;
    size_t slot = hash_pointer(path, table->slots);
    while (table->keys[slot] && table->keys[slot] != path)
        slot = (slot + 1) & (table->slots - 1);
    if (!table->keys[slot]) {
        if (!new_file(profile, path, &table->values[slot]))
            return false;
        table->keys[slot] = path;
        table->used++;
    }
    *index = table->values[slot];
    return true;
}

void gs_file_table_free(gs_file_table *table)
{
    free(table->keys);
    free(table->values);
    *table = (gs_file_table){0};
}
