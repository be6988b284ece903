/*
 * hostpath.h - the one gate for paths of the host that a guest names.
 *
 * A guest reaches what its sandbox allows (gumshoe/sandbox.h), by whatever name, link or mount a
 * path gets there; the sandbox's owner is told what is refused. Even without walls there are no
 * processes in a sandbox: a directory /proc/PID and everything below it (memory, descriptors, links
 * to open files) is refused with EACCES, and the rest of procfs can only be read. Refusals come
 * before the host opens or changes anything. What is made has no set-user-ID and set-group-ID bits.
 *
 * `dir` is where a relative path starts: a descriptor, or AT_FDCWD for the sandbox's home. Results
 * are a descriptor, which is the caller's, or 0, or a negative errno of the host's.
 */
#ifndef GS_MACHINE_HOSTPATH_H
#define GS_MACHINE_HOSTPATH_H

#include <sys/types.h>

#include "machine/sandbox.h"

/* What is done to the file or directory at the end of a path. */
typedef enum gs_hostpath_use {
    GS_HOSTPATH_LOOK,   /* look at its attributes */
    GS_HOSTPATH_READ,   /* open it for reading */
    GS_HOSTPATH_WRITE,  /* open it for writing */
    GS_HOSTPATH_CHANGE, /* change its attributes, or give it another name */
} gs_hostpath_use;

/* What is to be known of an open file besides. */
typedef struct gs_hostpath_opened {
    bool is_new;
    bool read_only; /* its attributes are not the guest's to change */
} gs_hostpath_opened;

/* Like openat(2). `opened` may be NULL. */
int gs_hostpath_open(gs_sandbox *sandbox, int dir, const char *path, int flags, mode_t mode,
                     gs_hostpath_opened *opened);

/* A descriptor (O_PATH) for what a path names, if the sandbox allows this use of it. */
int gs_hostpath_find(gs_sandbox *sandbox, int dir, const char *path, bool follows,
                     gs_hostpath_use use);

/* Like linkat(2), renameat2(2), unlinkat(2), mkdirat(2), mknodat(2) and symlinkat(2). */
int gs_hostpath_link(gs_sandbox *sandbox, int dir, const char *path, int new_dir,
                     const char *new_path, int flags);
int gs_hostpath_rename(gs_sandbox *sandbox, int dir, const char *path, int new_dir,
                       const char *new_path, unsigned flags);
int gs_hostpath_unlink(gs_sandbox *sandbox, int dir, const char *path, int flags);
int gs_hostpath_mkdir(gs_sandbox *sandbox, int dir, const char *path, mode_t mode);
int gs_hostpath_mknod(gs_sandbox *sandbox, int dir, const char *path, mode_t mode);
int gs_hostpath_symlink(gs_sandbox *sandbox, const char *target, int dir, const char *path);

/* Like remove(3): a file or an empty directory. */
int gs_hostpath_remove(gs_sandbox *sandbox, int dir, const char *path);

#endif
