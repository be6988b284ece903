/*
 * table.h - a hash table of items that are linked through a pointer in themselves.
 *
 * The items belong to the caller and live as long as the table; none is ever removed. The table
 * grows with them, so that finding one takes the same time however many there are.
 */
#ifndef GS_AUTOMATON_TABLE_H
#define GS_AUTOMATON_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gs_table {
    void **buckets;
    size_t bucket_count; /* a power of two */
    size_t count;
    size_t link;                           /* offset in an item of the pointer to the next one */
    uint32_t (*hash_of)(const void *item); /* from all that tells one item from another */
} gs_table;

/* False when memory is out. */
bool gs_table_open(gs_table *table, size_t link, uint32_t (*hash_of)(const void *item));
void gs_table_close(gs_table *table);

/* Adds an item that is not in it. Without memory for more buckets, what is in them only takes
 * longer to find. */
void gs_table_add(gs_table *table, void *item);

/* The first item of the bucket for a hash; the others follow by their links. */
static inline void *gs_table_first(const gs_table *table, uint32_t hash)
{
    return table->buckets[hash & (table->bucket_count - 1)];
}

/* Hashes two words. */
static inline uint32_t gs_table_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
    return (uint32_t)(h * 0x94d049bb133111ebu >> 32);
}

#endif
