/*
 * file.h - whole files at once, and the names of files.
 */
#ifndef GS_BASE_FILE_H
#define GS_BASE_FILE_H

#include <stddef.h>

#include "base/error.h"

/* Reads at most `limit` bytes; a longer file, or a directory, is an error. *out is the caller's
 * to free() and has a NUL after its *size bytes. */
gs_status gs_file_read(char **out, size_t *size, const char *path, size_t limit, gs_error *err);

/* Makes *out from a file's text. `out` points to a pointer to what the parser makes. */
typedef gs_status gs_file_parser(void *out, const char *path, const char *text, size_t size,
                                 gs_error *err);

/* Reads at most `limit` bytes, as gs_file_read() does, and has them parsed. */
gs_status gs_file_parse(gs_file_parser *parse, void *out, const char *path, size_t limit,
                        gs_error *err);

/* Where translations of programs are kept, there or not: $XDG_CACHE_HOME/gumshoe, or
 * ~/.cache/gumshoe. The caller's to free(); NULL if neither variable says where. */
char *gs_cache_directory(void);

/* The last component of a path. Borrowed from it. */
const char *gs_base_name(const char *path);

#endif
