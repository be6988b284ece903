/*
 * Paths are walked here, one name at a time, and not by the kernel: each directory is held by a
 * descriptor and checked before the next name is looked up in it, and the last name is used
 * without following links. That needs no openat2 (Linux 5.6, and refused by some sandboxes), and
 * leaves no moment in which a link could be exchanged between check and use.
 *
 * All links that lead straight to an open file, with no path in between, are in a process's
 * directory in procfs. So none is ever followed.
 */
#include "machine/hostpath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
    LINKS_MAX = 40,      /* path_resolution(7) */
    PROCFS_ROOT_INO = 1, /* include/linux/proc_ns.h: PROC_ROOT_INO */
    PROCFS_DEPTH_MAX = 64,
    AS_DIRECTORY = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
};

/* Where a path ends: a name in a directory. */
typedef struct place {
    int dir;                 /* owned */
    char name[NAME_MAX + 2]; /* a slash behind it is kept */
} place;

/* A path on its way: what is left of it, and where that starts. */
typedef struct walk {
    int dir; /* owned */
    unsigned links;
    char rest[PATH_MAX];
} walk;

/* What cannot be told counts as procfs. */
static bool in_procfs(int fd)
{
    struct statfs fs;
    return fstatfs(fd, &fs) != 0 || fs.f_type == PROC_SUPER_MAGIC;
}

static bool is_procfs_root(int fd)
{
    struct stat st;
    return in_procfs(fd) && fstat(fd, &st) == 0 && st.st_ino == PROCFS_ROOT_INO;
}

/* The directory of a process or a thread has the file `mem`. */
static bool is_process(int fd)
{
    struct stat st;
    return fstatat(fd, "mem", &st, AT_SYMLINK_NOFOLLOW) == 0 ||
           (errno != ENOENT && errno != ENOTDIR);
}

/* Whether `fd`, found in the directory `parent`, is refused. Procfs is entered by its root only:
 * a part of it that is mounted elsewhere may belong to a process. */
static bool is_refused(int parent, int fd)
{
    if (!in_procfs(fd))
        return false;
    return is_process(fd) || (!in_procfs(parent) && !is_procfs_root(fd));
}

/* Whether a directory to start from, in procfs, is a process's or below one. */
static bool is_refused_start(int dir)
{
    bool root = false;
    int at = in_procfs(dir) ? openat(dir, ".", AS_DIRECTORY) : -1;
    if (at < 0)
        return in_procfs(dir);
    for (int depth = 0; at >= 0 && depth < PROCFS_DEPTH_MAX; depth++) {
        root = is_procfs_root(at);
        if (root || is_process(at) || !in_procfs(at))
            break;
        int up = openat(at, "..", AS_DIRECTORY);
        close(at);
        at = up;
    }
    if (at >= 0)
        close(at);
    return !root;
}

static int move_to(walk *w, int dir)
{
    if (dir < 0)
        return -errno;
    if (w->dir >= 0)
        close(w->dir);
    w->dir = dir;
    return 0;
}

/* Sets out from the root if the rest is absolute. */
static int start_at_root(walk *w)
{
    return w->rest[0] == '/' ? move_to(w, open("/", AS_DIRECTORY)) : 0;
}

static int start(walk *w, int dir, const char *path)
{
    *w = (walk){.dir = -1};
    if (!*path)
        return -ENOENT;
    if (strlen(path) >= sizeof w->rest)
        return -ENAMETOOLONG;
    strcpy(w->rest, path);
    if (*path == '/')
        return start_at_root(w);
    int status = move_to(w, openat(dir, ".", AS_DIRECTORY));
    if (status)
        return status;
    return is_refused_start(w->dir) ? -EACCES : 0;
}

/* As fs.protected_symlinks has it: in a directory like /tmp only the links of the user and of the
 * directory's owner are followed. */
static bool may_follow(int dir, const struct stat *link)
{
    struct stat st;
    if (fstat(dir, &st) != 0)
        return false;
    bool shared = (st.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH);
    return !shared || link->st_uid == geteuid() || link->st_uid == st.st_uid;
}

/* Puts the target of `link` before what follows it, `after`. */
static int follow(walk *w, int link, const struct stat *st, const char *after)
{
    char target[PATH_MAX], joined[2 * PATH_MAX + 1];
    if (++w->links > LINKS_MAX)
        return -ELOOP;
    if (!may_follow(w->dir, st))
        return -EACCES;
    ssize_t length = readlinkat(link, "", target, sizeof target);
    if (length < 0)
        return -errno;
    if (length == 0)
        return -ENOENT;
    int size = snprintf(joined, sizeof joined, "%.*s%s", (int)length, target, after);
    if ((size_t)size >= sizeof w->rest)
        return -ENAMETOOLONG;
    strcpy(w->rest, joined);
    return start_at_root(w);
}

/* Goes through the name that ends before `after`, a directory or a link. */
static int step(walk *w, const char *name, const char *after)
{
    struct stat st;
    int next = openat(w->dir, name, AS_DIRECTORY);
    if (next >= 0) {
        bool refused = is_refused(w->dir, next);
        move_to(w, next);
        memmove(w->rest, after, strlen(after) + 1);
        return refused ? -EACCES : 0;
    }
    if (errno != ENOTDIR)
        return -errno;
    int link = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (link < 0)
        return -errno;
    int status = -ENOTDIR;
    if (fstat(link, &st) == 0 && S_ISLNK(st.st_mode))
        status = follow(w, link, &st, after);
    close(link);
    return status;
}

/* The last name: 0 if the walk ends here, 1 if it was a link that has been followed. */
static int last_step(walk *w, const char *name)
{
    struct stat st;
    int fd = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : -errno;
    int status = 0;
    if (fstat(fd, &st) == 0 && S_ISLNK(st.st_mode)) {
        const char *slash = strchr(w->rest, '/') ? "/" : "";
        status = follow(w, fd, &st, slash);
        status = status ? status : 1;
    }
    close(fd);
    return status;
}

/* Walks until one name is left. */
static int walk_on(walk *w, bool follows, place *out)
{
    for (;;) {
        size_t slashes = strspn(w->rest, "/");
        memmove(w->rest, w->rest + slashes, strlen(w->rest + slashes) + 1);
        char name[NAME_MAX + 1];
        size_t length = strcspn(w->rest, "/");
        const char *after = w->rest + length;
        if (length > NAME_MAX)
            return -ENAMETOOLONG;
        memcpy(name, w->rest, length);
        name[length] = '\0';
        bool last = after[strspn(after, "/")] == '\0';
        int status = !last ? step(w, name, after) : follows && length ? last_step(w, name) : 0;
        if (status < 0)
            return status;
        if (last && status == 0) {
            /* Nothing is left of the root's name. */
            snprintf(out->name, sizeof out->name, "%s%s", name, *after || !length ? "/" : "");
            return 0;
        }
    }
}

/* The place of `path`; what it names need not be there. */
static int find(int dir, const char *path, bool follows, place *out)
{
    walk w;
    int status = start(&w, dir, path);
    if (!status)
        status = walk_on(&w, follows, out);
    if (status && w.dir >= 0)
        close(w.dir);
    out->dir = status ? -1 : w.dir;
    return status;
}

/* Whether what is there may be opened like that: 0 or a negative errno. */
static int check(const place *at, int flags)
{
    int fd = openat(at->dir, at->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : -errno;
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
    bool refused = is_refused(at->dir, fd) || (writes && !(flags & O_PATH) && in_procfs(fd));
    close(fd);
    return refused ? -EACCES : 0;
}

int gs_hostpath_open(int dir, const char *path, int flags, mode_t mode)
{
    place at;
    bool exclusive = (flags & O_CREAT) && (flags & O_EXCL);
    int status = find(dir, path, !(flags & O_NOFOLLOW) && !exclusive, &at);
    if (status)
        return status;
    /* A slash behind the name would make the host follow a link. */
    size_t length = strlen(at.name);
    bool slash = length > 1 && at.name[length - 1] == '/';
    if (slash)
        at.name[length - 1] = '\0';
    status = check(&at, flags);
    if (!status && slash && (flags & O_CREAT))
        status = -EISDIR;
    if (!status) {
        flags |= slash ? O_DIRECTORY : 0;
        status = openat(at.dir, at.name, flags | O_NOFOLLOW, mode);
        status = status < 0 ? -errno : status;
    }
    close(at.dir);
    return status;
}

/* For calls that change names: those of procfs cannot be changed. */
static int find_name(int dir, const char *path, bool follows, place *out)
{
    int status = find(dir, path, follows, out);
    if (status || !in_procfs(out->dir))
        return status;
    close(out->dir);
    return -EACCES;
}

static int find_names(int dir, const char *path, bool follows, int new_dir, const char *new_path,
                      place out[2])
{
    int status = find_name(dir, path, follows, &out[0]);
    if (status)
        return status;
    status = find_name(new_dir, new_path, false, &out[1]);
    if (status)
        close(out[0].dir);
    return status;
}

/* What a call on both places has returned. */
static int finish(const place at[2], int result)
{
    int status = result == 0 ? 0 : -errno;
    close(at[0].dir);
    close(at[1].dir);
    return status;
}

int gs_hostpath_link(int dir, const char *path, int new_dir, const char *new_path, int flags)
{
    place at[2];
    if (!*path && (flags & AT_EMPTY_PATH)) {
        int status = find_name(new_dir, new_path, false, &at[1]);
        if (status)
            return status;
        status = linkat(dir, "", at[1].dir, at[1].name, AT_EMPTY_PATH) == 0 ? 0 : -errno;
        close(at[1].dir);
        return status;
    }
    int status = find_names(dir, path, flags & AT_SYMLINK_FOLLOW, new_dir, new_path, at);
    if (status)
        return status;
    return finish(at, linkat(at[0].dir, at[0].name, at[1].dir, at[1].name, 0));
}

int gs_hostpath_rename(int dir, const char *path, int new_dir, const char *new_path, unsigned flags)
{
    place at[2];
    int status = find_names(dir, path, false, new_dir, new_path, at);
    if (status)
        return status;
    /* renameat2 without flags fails on some file systems where renameat does not. */
    return finish(at, flags ? renameat2(at[0].dir, at[0].name, at[1].dir, at[1].name, flags)
                            : renameat(at[0].dir, at[0].name, at[1].dir, at[1].name));
}

int gs_hostpath_unlink(int dir, const char *path, int flags)
{
    place at;
    int status = find_name(dir, path, false, &at);
    if (status)
        return status;
    status = unlinkat(at.dir, at.name, flags) == 0 ? 0 : -errno;
    close(at.dir);
    return status;
}

int gs_hostpath_remove(int dir, const char *path)
{
    int status = gs_hostpath_unlink(dir, path, 0);
    return status == -EISDIR ? gs_hostpath_unlink(dir, path, AT_REMOVEDIR) : status;
}
