/*
 * files.h - the guest's file descriptors and paths.
 *
 * A guest descriptor is an index into a table of host descriptors, so the guest
 * reaches only what it opened itself, and 0, 1 and 2 of its caller's. Those three
 * are never closed on the host. Relative paths start at a directory of the
 * process's own; the host process keeps its working directory and file mask.
 */
#ifndef GS_MACHINE_LINUX_FILES_H
#define GS_MACHINE_LINUX_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "machine/hostpath.h"

enum { GS_LINUX_FD_MAX = 1024 };

typedef struct gs_linux_process gs_linux_process;
typedef struct gs_linux_call gs_linux_call;

typedef struct gs_linux_fd {
    int host; /* or -1 for a free entry */
    bool owned;
    bool close_on_exec;
    bool standard;  /* as Gumshoe was given it, and not a file to read; or a duplicate of that */
    bool random;    /* /dev/random or /dev/urandom */
    bool read_only; /* its attributes are not the guest's to change */
    mode_t type;    /* S_IFREG, S_IFIFO, ... */
    /* Where the entries of a directory begin on the host. The guest sees indices instead, as a
     * 32-bit program cannot hold the host's positions. */
    struct {
        int64_t *items;
        size_t count, capacity;
    } positions;
    size_t entry; /* the next one to read */
} gs_linux_fd;

typedef struct gs_linux_files {
    gs_linux_fd fds[GS_LINUX_FD_MAX];
    int cwd;
    mode_t umask, host_umask;
    struct {
        int host, flags; /* of the descriptors it was given, which others have as well */
    } given[3];
    int host_end; /* descriptors of the host's from here on are for Gumshoe itself */
} gs_linux_files;

/* Takes over the host's descriptors as 0, 1 and 2; negative ones are closed to the guest. `home`
 * is the first working directory. */
bool gs_linux_files_init(gs_linux_files *files, const int stdio[3], int home);
void gs_linux_files_fini(gs_linux_files *files);

/* Whether the guest takes an open file for a pipe: a terminal and the standard streams,
 * unless it inherits what they are. */
bool gs_linux_looks_like_pipe(const gs_linux_process *process, const gs_linux_fd *entry);

/* The entry of an open descriptor, or NULL. */
gs_linux_fd *gs_linux_fd_get(gs_linux_process *process, uint32_t fd);

/* A second descriptor of the host's for what is open: the caller's, or -errno. */
int gs_linux_fd_duplicate(const gs_linux_process *process, const gs_linux_fd *entry);

/* The lowest free descriptor from `from` on, for a host descriptor that the table owns from now
 * on. On failure closes `host` and returns a negative errno. */
int gs_linux_fd_add(gs_linux_process *process, int host, uint32_t from, bool close_on_exec);

/* The same in a certain place, which is closed first. */
int gs_linux_fd_put(gs_linux_process *process, int host, uint32_t fd, bool close_on_exec);

void gs_linux_fd_close(gs_linux_fd *entry);

/* Where a path leads. */
typedef enum gs_linux_path_kind {
    GS_LINUX_PATH_HOST,       /* to `text`, from `dir`, the guest's `fd`, if it is relative */
    GS_LINUX_PATH_DESCRIPTOR, /* /dev/fd/N and the like: to the guest's descriptor `fd` */
    GS_LINUX_PATH_PROGRAM,    /* /proc/self/exe: `text` is the program's file */
} gs_linux_path_kind;

typedef struct gs_linux_path {
    gs_linux_path_kind kind;
    int dir;
    uint32_t fd;
    char text[PATH_MAX];
} gs_linux_path;

/* Reads a path of the guest's and the directory it starts from. 0 or a negative errno. */
int gs_linux_path_get(const gs_linux_call *call, uint32_t dir_fd, uint32_t address,
                      gs_linux_path *out);

/* The same for calls that need a path of the host's, and nothing else. */
int gs_linux_path_get_host(const gs_linux_call *call, uint32_t dir_fd, uint32_t address,
                           gs_linux_path *out);

/* Opens on the host, never one of Gumshoe's own descriptors. A host descriptor or -errno;
 * `read_only`, which may be NULL, is as in gs_linux_fd. */
int gs_linux_path_open(gs_linux_process *process, const gs_linux_path *path, int flags, mode_t mode,
                       bool *read_only);

/* A descriptor of the host's (O_PATH) for what a path names: the caller's, or -errno. With
 * AT_SYMLINK_NOFOLLOW among `flags` a link is not followed, and with AT_EMPTY_PATH an empty path
 * stands for `dir`. */
int gs_linux_path_find(gs_linux_process *process, const gs_linux_path *path, int flags,
                       gs_hostpath_use use);

/* The same for a path in the guest's memory. */
int gs_linux_path_find_at(const gs_linux_call *call, uint32_t dir_fd, uint32_t address, int flags,
                          gs_hostpath_use use);

/* Its path in the host's procfs, for calls that take no descriptor. Returns `to`. */
const char *gs_linux_fd_path(char to[32], int host);

/* The guest's AT_FDCWD. */
#define GS_LINUX_AT_FDCWD ((uint32_t)-100)

#endif
