/*
 * core_load.h - from a name to one description, with all that it extends.
 *
 * Private to core*.c.
 */
#ifndef GS_TIMING_CORE_LOAD_H
#define GS_TIMING_CORE_LOAD_H

#include "base/config.h"
#include "timing/core.h"

enum { GS_CORE_EXTENDS_MAX = 16 };

typedef struct gs_core_source {
    gs_config_node *root; /* everything merged, in gs_core_schema's form; not yet complete */
    const char *extends;  /* the core it was made from, or NULL */
    const char *changes;  /* the `set` texts in one, or NULL */
    const char *files[GS_CORE_EXTENDS_MAX + 1]; /* the first is what is extended in the end */
    size_t file_count;
} gs_core_source;

/* Everything ends up in `arena`. */
gs_status gs_core_load(gs_core_source *out, gs_arena *arena, const char *name,
                       const char *const *set, size_t set_count, gs_error *err);

/* The same where the text is at hand already. */
gs_status gs_core_load_text(gs_core_source *out, gs_arena *arena, const char *file,
                            const char *text, size_t size, const char *const *set, size_t set_count,
                            gs_error *err);

#endif
