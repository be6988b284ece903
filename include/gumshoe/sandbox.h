/*
 * sandbox.h - which files of the host a program may touch.
 *
 * A sandbox belongs to its machine. Every way a program has to name a file of the host (Linux
 * system calls, semihosting, the UHI) goes through it. Files outside are refused with EACCES; files
 * below a read-only path cannot be changed (EROFS). Device nodes are refused unless a path names
 * them, except /dev/null, zero, full, random and urandom, which every program has. The files of
 * host processes, /proc/PID, are refused in any sandbox.
 */
#ifndef GUMSHOE_SANDBOX_H
#define GUMSHOE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef enum gs_sandbox_files {
    GS_SANDBOX_HERE,   /* what is below the working directory, and `paths` */
    GS_SANDBOX_LISTED, /* `paths` only */
    GS_SANDBOX_ALL,    /* what the user can touch */
} gs_sandbox_files;

/* A file, or a directory with everything below it. */
typedef struct gs_sandbox_path {
    const char *path; /* of the host */
    bool read_only;
} gs_sandbox_path;

/* All zero is a sandbox around the working directory. Where paths lie in each other, the innermost
 * one decides. */
typedef struct gs_sandbox_options {
    gs_sandbox_files files;
    const char *root; /* a directory that is the program's "/" and all it can touch, in place of
                         what `files` says and without `paths`; NULL for none */
    const gs_sandbox_path *paths;
    size_t path_count;
} gs_sandbox_options;

typedef struct gs_sandbox gs_sandbox;

/* What a machine's sandbox came to; borrowed. `files` is LISTED or ALL, and the paths are absolute,
 * the working directory among them. `index` is below the count. */
gs_sandbox_files gs_sandbox_kind(const gs_sandbox *sandbox);
bool gs_sandbox_has_root(const gs_sandbox *sandbox); /* the one path is the program's "/" */
size_t gs_sandbox_path_count(const gs_sandbox *sandbox);
gs_sandbox_path gs_sandbox_path_at(const gs_sandbox *sandbox, size_t index);

/* One line, such as "files below the working directory, below /data (read only)"; shortened if
 * `size` is too small. Returns `to`. */
char *gs_sandbox_describe(const gs_sandbox *sandbox, char *to, size_t size);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
