/*
 * landlock.h - what Landlock can refuse a process, and rules for what it does not.
 *
 * Nothing here allocates, keeps anything or needs more of the library: a process that has been
 * forked may call it, and gumshoe-quickcc, which is a program of its own. Rights are numbered as in
 * linux/landlock.h, which may be older than the kernel.
 */
#ifndef GS_BASE_LANDLOCK_H
#define GS_BASE_LANDLOCK_H

#include <stdint.h>

enum {
    GS_LANDLOCK_EXECUTE = 1 << 0,
    GS_LANDLOCK_WRITE_FILE = 1 << 1,
    GS_LANDLOCK_READ_FILE = 1 << 2,
    GS_LANDLOCK_READ_DIR = 1 << 3,
    GS_LANDLOCK_REMOVE_FILE = 1 << 5,
    GS_LANDLOCK_MAKE_CHAR = 1 << 6,
    GS_LANDLOCK_MAKE_REG = 1 << 8,
    GS_LANDLOCK_MAKE_BLOCK = 1 << 11,
    GS_LANDLOCK_REFER = 1 << 13,
    GS_LANDLOCK_TRUNCATE = 1 << 14,
    GS_LANDLOCK_IOCTL_DEV = 1 << 15,

    GS_LANDLOCK_READS = GS_LANDLOCK_READ_FILE | GS_LANDLOCK_READ_DIR,
};

/* Rules to be: of files, all of `handled` is refused unless allowed. */
typedef struct gs_landlock {
    int fd;
    uint64_t handled;
} gs_landlock;

/* 0; ENOSYS where the kernel has no Landlock; or another errno. */
int gs_landlock_open(gs_landlock *rules);

/* Allows those of the rights that are for what `fd` is open on, or a path names, and all below it.
 * Without a rule it is refused, so a failure is none of safety. */
void gs_landlock_allow(const gs_landlock *rules, int fd, uint64_t rights);
void gs_landlock_allow_path(const gs_landlock *rules, const char *path, uint64_t rights);

/* Holds this thread and what it starts to the rules, which are closed: 0 or an errno.
 * PR_SET_NO_NEW_PRIVS has to be set. */
int gs_landlock_enforce(gs_landlock *rules);

#endif
