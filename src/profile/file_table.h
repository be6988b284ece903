/*
 * file_table.h - the source files of a profile while it is being made, each once.
 *
 * An image has one copy of a file's name, so equal files have equal pointers most of the time and
 * are found by those; the few that do not are compared. A table of zeros is empty and ready.
 */
#ifndef GS_PROFILE_FILE_TABLE_H
#define GS_PROFILE_FILE_TABLE_H

#include "profile/profile.h"

typedef struct gs_file_table {
    const char **keys; /* names the image owns, a hash table */
    uint32_t *values;
    size_t slots, used;
} gs_file_table;

/* The index of `path` in the profile's files, which it is added to if need be. `path` is the
 * image's. False when memory is out. */
bool gs_file_table_index(gs_file_table *table, gs_profile *profile, const char *path,
                         uint32_t *index);
void gs_file_table_free(gs_file_table *table);

#endif
