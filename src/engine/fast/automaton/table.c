/* Hash tables of linked items; see table.h. */
#include "engine/fast/automaton/table.h"

#include <stdlib.h>

enum { FIRST_BUCKETS = 1 << 15, LOAD = 2, GROWTH = 4 };

bool gs_table_open(gs_table *table, size_t link, uint32_t (*hash_of)(const void *item))
{
    *table = (gs_table){.bucket_count = FIRST_BUCKETS, .link = link, .hash_of = hash_of};
    table->buckets = calloc(FIRST_BUCKETS, sizeof *table->buckets);
    return table->buckets != NULL;
}

void gs_table_close(gs_table *table)
{
    free(table->buckets);
    *table = (gs_table){0};
}

static void **link_of(const gs_table *table, void *item)
{
    return (void **)(void *)((char *)item + table->link);
}

static void put(gs_table *table, void *item)
{
    void **bucket = &table->buckets[table->hash_of(item) & (table->bucket_count - 1)];
    *link_of(table, item) = *bucket;
    *bucket = item;
}

static void grow(gs_table *table)
{
    void **old = table->buckets;
    const size_t count = table->bucket_count;
    void **wider = calloc(GROWTH * count, sizeof *wider);
    if (!wider)
        return;
    table->buckets = wider;
    table->bucket_count = GROWTH * count;
    for (size_t i = 0; i < count; i++) {
        for (void *item = old[i], *next; item; item = next) {
            next = *link_of(table, item);
            put(table, item);
        }
    }
    free(old);
}

void gs_table_add(gs_table *table, void *item)
{
    if (table->count++ >= LOAD * table->bucket_count)
        grow(table);
    put(table, item);
}
