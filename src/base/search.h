/*
 * search.h - binary search in arrays that are sorted by an unsigned integer.
 *
 * The key is a member of 4 or 8 bytes of each item:
 *
 *     size_t count = gs_count_up_to(functions.items, functions.count, start, pc);
 *     const gs_function *last = count ? &functions.items[count - 1] : NULL;
 */
#ifndef GS_BASE_SEARCH_H
#define GS_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many of `count` keys, sorted, `stride` bytes apart and `width` wide, are below `value`; or,
 * `with_equal`, below it or equal to it. */
static inline size_t gs_count_keys(const void *keys, size_t count, size_t stride, size_t width,
                                   uint64_t value, bool with_equal)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const char *at = (const char *)keys + middle * stride;
        uint32_t narrow;
        uint64_t key;
        if (width == sizeof narrow) {
            memcpy(&narrow, at, sizeof narrow);
            key = narrow;
        } else {
            memcpy(&key, at, sizeof key);
        }
        if (key < value || (with_equal && key == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many items have a member below `value`: the index of the first that has not. */
#define gs_count_below(items, count, member, value) \
    gs_count_members(items, count, member, value, false)

/* How many items have a member below `value` or equal to it. */
#define gs_count_up_to(items, count, member, value) \
    gs_count_members(items, count, member, value, true)

#define gs_count_members(items, count, member, value, with_equal)                             \
    ((count) ? gs_count_keys(&(items)->member, count, sizeof *(items), sizeof(items)->member, \
                             value, with_equal)                                               \
             : 0)

#endif
