/*
 * Calls that make, move and remove names. Both ends of a path are walked in hostpath.c: what is
 * left is a name in a directory that is held by a descriptor, and the calls used here follow no
 * link in its place.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/hostpath.h"
#include "machine/hostpath_parts.h"

/* For calls that change names: those of procfs cannot be changed. */
static int find_name(gs_sandbox *sandbox, int dir, const char *path, bool follows,
                     gs_hostpath_place *out)
{
    struct stat st;
    int status = gs_hostpath_walk(sandbox, dir, path, follows, out);
    if (status)
        return status;
    bool is_there = fstatat(out->dir, out->name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    int refused = gs_hostpath_judge(sandbox, out, NULL, GS_HOSTPATH_CHANGE);
    if (!refused && is_there)
        refused = gs_hostpath_judge(sandbox, out, &st, GS_HOSTPATH_CHANGE);
    if (refused == EBUSY) /* where a name would be made there is one already: the host says so */
        refused = 0;
    if (!refused && !gs_hostpath_in_procfs(out->dir))
        return 0;
    close(out->dir);
    return refused ? gs_sandbox_refuse(sandbox, dir, path, refused) : -EACCES;
}

static int find_names(gs_sandbox *sandbox, int dir, const char *path, bool follows, int new_dir,
                      const char *new_path, gs_hostpath_place out[2])
{
    int status = find_name(sandbox, dir, path, follows, &out[0]);
    if (status)
        return status;
    status = find_name(sandbox, new_dir, new_path, false, &out[1]);
    if (status)
        close(out[0].dir);
    return status;
}

/* What a call on a place has returned. */
static int finish(const gs_hostpath_place *at, int result)
{
    int status = result == 0 ? 0 : -errno;
    close(at->dir);
    return status;
}

static int finish_both(const gs_hostpath_place at[2], int result)
{
    int status = finish(&at[0], result);
    close(at[1].dir);
    return status;
}

/* A file without a name gets one only if it was opened for writing, so not below what is
 * read-only. */
static int link_descriptor(gs_sandbox *sandbox, int fd, int new_dir, const char *new_path)
{
    gs_hostpath_place at;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0)
        return -EBADF;
    if (flags & O_PATH || (flags & O_ACCMODE) == O_RDONLY)
        return -EACCES;
    int status = find_name(sandbox, new_dir, new_path, false, &at);
    return status ? status : finish(&at, linkat(fd, "", at.dir, at.name, AT_EMPTY_PATH));
}

int gs_hostpath_link(gs_sandbox *sandbox, int dir, const char *path, int new_dir,
                     const char *new_path, int flags)
{
    gs_hostpath_place at[2];
    if (!*path && (flags & AT_EMPTY_PATH))
        return link_descriptor(sandbox, dir, new_dir, new_path);
    int status = find_names(sandbox, dir, path, flags & AT_SYMLINK_FOLLOW, new_dir, new_path, at);
    if (status)
        return status;
    return finish_both(at, linkat(at[0].dir, at[0].name, at[1].dir, at[1].name, 0));
}

/* Whether a directory on the way to a rule has this name. */
static bool is_fixed(const gs_sandbox *sandbox, const gs_hostpath_place *at)
{
    struct stat st;
    return fstatat(at->dir, at->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode) &&
           gs_sandbox_is_fixed(sandbox, &st);
}

int gs_hostpath_rename(gs_sandbox *sandbox, int dir, const char *path, int new_dir,
                       const char *new_path, unsigned flags)
{
    gs_hostpath_place at[2];
    if (flags & ~(unsigned)(RENAME_NOREPLACE | RENAME_EXCHANGE))
        return -EINVAL;
    int status = find_names(sandbox, dir, path, false, new_dir, new_path, at);
    if (status)
        return status;
    if (is_fixed(sandbox, &at[0]) || is_fixed(sandbox, &at[1])) {
        errno = EBUSY;
        return finish_both(at, -1);
    }
    /* renameat2 without flags fails on some file systems where renameat does not. */
    return finish_both(at, flags ? renameat2(at[0].dir, at[0].name, at[1].dir, at[1].name, flags)
                                 : renameat(at[0].dir, at[0].name, at[1].dir, at[1].name));
}

int gs_hostpath_unlink(gs_sandbox *sandbox, int dir, const char *path, int flags)
{
    gs_hostpath_place at;
    int status = find_name(sandbox, dir, path, false, &at);
    if (!status && flags & AT_REMOVEDIR && is_fixed(sandbox, &at)) {
        errno = EBUSY;
        return finish(&at, -1);
    }
    return status ? status : finish(&at, unlinkat(at.dir, at.name, flags));
}

int gs_hostpath_remove(gs_sandbox *sandbox, int dir, const char *path)
{
    int status = gs_hostpath_unlink(sandbox, dir, path, 0);
    return status == -EISDIR ? gs_hostpath_unlink(sandbox, dir, path, AT_REMOVEDIR) : status;
}

int gs_hostpath_mkdir(gs_sandbox *sandbox, int dir, const char *path, mode_t mode)
{
    gs_hostpath_place at;
    int status = find_name(sandbox, dir, path, false, &at);
    return status ? status : finish(&at, mkdirat(at.dir, at.name, mode));
}

int gs_hostpath_mknod(gs_sandbox *sandbox, int dir, const char *path, mode_t mode)
{
    gs_hostpath_place at;
    int status = find_name(sandbox, dir, path, false, &at);
    return status ? status : finish(&at, mknodat(at.dir, at.name, gs_hostpath_mode(mode), 0));
}

int gs_hostpath_symlink(gs_sandbox *sandbox, const char *target, int dir, const char *path)
{
    gs_hostpath_place at;
    int status = find_name(sandbox, dir, path, false, &at);
    return status ? status : finish(&at, symlinkat(target, at.dir, at.name));
}
