/*
 * roots.h - files looked for below given directories, and nowhere else.
 *
 * What a profile names is whatever its maker wrote into it. A file is found only if it lies below
 * one of the directories once all symbolic links are followed, and is an ordinary file.
 */
#ifndef GS_REPORT_ROOTS_H
#define GS_REPORT_ROOTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gs_roots {
    const char *const *at; /* borrowed */
    size_t count;
} gs_roots;

/* The real path of the file that `path` means, in the first directory that has one; NULL if none
 * has. Tried are as much of the path as there is (a/b/c.c, then b/c.c, then c.c), and `path` itself
 * if it is absolute. The caller's to free(). */
char *gs_roots_find(const gs_roots *roots, const char *path);

/* The same for one directory, out of which symbolic links may lead. */
char *gs_roots_find_in(const char *directory, const char *path);

bool gs_roots_is_file(const char *path);

#endif
