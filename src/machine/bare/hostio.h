/*
 * hostio.h - files of the host for guests that ask through semihosting.
 *
 * A table of handles, of which 0, 1 and 2 are the console from the start. What the
 * guest can open is what its sandbox allows: see machine/hostpath.h. Results are as of system
 * calls: a count or 0, or a negative errno of the host's.
 */
#ifndef GS_MACHINE_BARE_HOSTIO_H
#define GS_MACHINE_BARE_HOSTIO_H

#include <sys/stat.h>

#include "machine/bare/console.h"
#include "machine/sandbox.h"
#include "machine/memory.h"

typedef struct gs_bare gs_bare;

enum { GS_FILES_MAX = 64 };

typedef enum gs_file_kind {
    GS_FILE_CLOSED,
    GS_FILE_STDIN,
    GS_FILE_STDOUT,
    GS_FILE_STDERR,
    GS_FILE_HOST,
    GS_FILE_TEXT, /* read-only bytes of our own */
} gs_file_kind;

typedef struct gs_file {
    gs_file_kind kind;
    int fd;           /* HOST: owned */
    const char *text; /* TEXT: constant */
    size_t length, position;
} gs_file;

typedef struct gs_files {
    gs_console *console;
    gs_sandbox *sandbox;
    gs_file files[GS_FILES_MAX];
} gs_files;

/* Both are borrowed. */
void gs_files_init(gs_files *files, gs_console *console, gs_sandbox *sandbox);
void gs_files_fini(gs_files *files);

/* Handles of 3 and up, or -EMFILE and the like. `flags` are the host's. */
int gs_files_open(gs_files *files, const char *path, int flags, mode_t mode);
int gs_files_open_console(gs_files *files, gs_file_kind kind);
int gs_files_open_text(gs_files *files, const char *text, size_t length);
int gs_files_close(gs_files *files, uint32_t handle);

/* Like lseek(2) and fstat(2). */
int64_t gs_files_seek(gs_files *files, uint32_t handle, int64_t offset, int whence);
int gs_files_stat(gs_files *files, uint32_t handle, struct stat *out);
int gs_files_is_terminal(gs_files *files, uint32_t handle);

/* Between a file and guest memory, at the file's position or at `offset` if that is not -1. */
int64_t gs_files_read(gs_bare *bare, uint32_t handle, gs_addr to, uint32_t size, int64_t offset);
int64_t gs_files_write(gs_bare *bare, uint32_t handle, gs_addr from, uint32_t size, int64_t offset);

/* An errno of the host's as newlib, picolibc and the UHI number it. */
uint32_t gs_errno_for_guest(int number);

#endif
