/*
 * hostpath_parts.h - what the two files of the gate share.
 *
 * A walk ends at a place: one name in one directory, which is checked before it is used. Private to
 * hostpath.c and hostpath_names.c.
 */
#ifndef GS_MACHINE_HOSTPATH_PARTS_H
#define GS_MACHINE_HOSTPATH_PARTS_H

#include <limits.h>
#include <stdbool.h>

#include "machine/hostpath.h"

/* Where a path ends: a name in a directory. */
typedef struct gs_hostpath_place {
    int dir;                 /* owned */
    int rule;                /* of the directory */
    bool is_device;          /* one that is in every sandbox, whatever the rules say */
    char name[NAME_MAX + 2]; /* a slash behind it is kept */
} gs_hostpath_place;

/* The place of `path`; what it names need not be there. 0 or a negative errno, and then out->dir is
 * not open. */
int gs_hostpath_walk(gs_sandbox *sandbox, int dir, const char *path, bool follows,
                     gs_hostpath_place *out);

/* What the sandbox says to a use of what is at a place, NULL if nothing is there yet: 0, EACCES,
 * EROFS, EPERM, or EBUSY for a directory that rules hang on. */
int gs_hostpath_judge(const gs_sandbox *sandbox, const gs_hostpath_place *at, const struct stat *st,
                      gs_hostpath_use use);

/* Whether an open file is in procfs; what cannot be told counts as such. */
bool gs_hostpath_in_procfs(int fd);

/* Files that give another user's rights to a user who executes them are not for guests to make. */
mode_t gs_hostpath_mode(mode_t mode);

#endif
