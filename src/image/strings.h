/*
 * strings.h - names that must outlive what they were read from.
 *
 * A pool of texts, each kept once. Pointers stay valid until the pool is freed.
 * A pool of zeros is empty and ready.
 */
#ifndef GS_IMAGE_STRINGS_H
#define GS_IMAGE_STRINGS_H

#include <stddef.h>

typedef struct gs_strings {
    struct gs_strings_chunk *chunks;
    const char **slots; /* open addressing */
    size_t slot_count;  /* a power of two, or 0 */
    size_t count;
} gs_strings;

/* The pool's own copy of `text`; NULL when memory is out. */
const char *gs_strings_keep(gs_strings *pool, const char *text);

void gs_strings_free(gs_strings *pool);

#endif
