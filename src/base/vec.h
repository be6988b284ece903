/*
 * vec.h - growing arrays.
 *
 * A vector is any struct with `items`, `count` and `capacity`:
 *
 *     struct { gs_symbol *items; size_t count, capacity; } symbols = {0};
 *     if (!gs_vec_push(&symbols, symbol)) return gs_fail_no_memory(err);
 *
 * The owner frees `items`. Growing moves the items: keep indices, not pointers.
 */
#ifndef GS_BASE_VEC_H
#define GS_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for one more item of `size` bytes; false when memory is out. */
bool gs_vec_grow(void **items, size_t *capacity, size_t count, size_t size);

/* Whether there is room for one more, which is made if need be. */
#define gs_vec_has_room(vec)           \
    ((vec)->count < (vec)->capacity || \
     gs_vec_grow((void **)&(vec)->items, &(vec)->capacity, (vec)->count, sizeof *(vec)->items))

#define gs_vec_push(vec, item) \
    (gs_vec_has_room(vec) ? ((vec)->items[(vec)->count++] = (item), true) : false)

#endif
