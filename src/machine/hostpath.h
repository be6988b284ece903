/*
 * hostpath.h - the one gate for paths of the host that a guest names.
 *
 * A guest reaches what the user who runs it can reach, except processes: a directory
 * /proc/PID and everything below it (memory, descriptors, links to open files) is refused
 * with EACCES, by whatever name, link or mount a path gets there. The rest of procfs can
 * only be read. Refusals come before the host opens or changes anything.
 *
 * `dir` is where a relative path starts: a descriptor or AT_FDCWD. Results are a descriptor
 * or 0, or a negative errno of the host's.
 */
#ifndef GS_MACHINE_HOSTPATH_H
#define GS_MACHINE_HOSTPATH_H

#include <sys/types.h>

/* Like openat(2), linkat(2), renameat2(2) and unlinkat(2). The descriptor is the caller's. */
int gs_hostpath_open(int dir, const char *path, int flags, mode_t mode);
int gs_hostpath_link(int dir, const char *path, int new_dir, const char *new_path, int flags);
int gs_hostpath_rename(int dir, const char *path, int new_dir, const char *new_path,
                       unsigned flags);
int gs_hostpath_unlink(int dir, const char *path, int flags);

/* Like remove(3): a file or an empty directory. */
int gs_hostpath_remove(int dir, const char *path);

#endif
