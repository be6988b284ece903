/* Looks up files in the table that tools/embed.py generates. */
#include "base/embedded.h"

#include <string.h>

const gs_embedded *gs_embedded_find(const char *kind, const char *name)
{
    for (size_t i = 0; i < gs_embedded_count; i++) {
        const gs_embedded *file = &gs_embedded_files[i];
        if (!strcmp(file->kind, kind) && !strcmp(file->name, name))
            return file;
    }
    return NULL;
}

const gs_embedded *gs_embedded_nth(const char *kind, size_t index)
{
    for (size_t i = 0; i < gs_embedded_count; i++) {
        if (!strcmp(gs_embedded_files[i].kind, kind) && index-- == 0)
            return &gs_embedded_files[i];
    }
    return NULL;
}

const char *gs_embedded_name(const char *kind, size_t index)
{
    const gs_embedded *file = gs_embedded_nth(kind, index);
    return file ? file->name : NULL;
}

size_t gs_embedded_count_of(const char *kind)
{
    size_t count = 0;
    while (gs_embedded_nth(kind, count))
        count++;
    return count;
}
