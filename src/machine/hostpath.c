/*
 * Paths are walked here, one name at a time, and not by the kernel: each directory is held by a
 * descriptor and checked before the next name is looked up in it, and the last name is used
 * without following links. That leaves no moment in which a link could be exchanged between check
 * and use, and holds links to what each rule of the sandbox says, which openat2 cannot. Where the
 * kernel has openat2 (Linux 5.6; some sandboxes refuse it), it sees to the last name as well.
 *
 * All links that lead straight to an open file, with no path in between, are in a process's
 * directory in procfs. So none is ever followed.
 */
#include "machine/hostpath.h"
#include "machine/hostpath_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
    LINKS_MAX = 40,      /* path_resolution(7) */
    PROCFS_ROOT_INO = 1, /* include/linux/proc_ns.h: PROC_ROOT_INO */
    PROCFS_DEPTH_MAX = 64,
    AS_DIRECTORY = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    AS_FOUND = O_PATH | O_NOFOLLOW | O_CLOEXEC,
};

/* A path on its way: what is left of it, and where that starts. */
typedef struct walk {
    gs_sandbox *sandbox;
    int dir;     /* owned */
    int rule;    /* of `dir` */
    int refused; /* by the sandbox: EACCES, EPERM for what is reserved, or 0 */
    unsigned links;
    char rest[PATH_MAX];
} walk;

/* Character devices of major number 1 that are in every sandbox. */
static const struct {
    const char *path; /* below the root */
    unsigned minor;
} devices[] = {
    {"dev/null", 3}, {"dev/zero", 5}, {"dev/full", 7}, {"dev/random", 8}, {"dev/urandom", 9},
};
enum { DEVICES = sizeof devices / sizeof *devices, MEMORY_DEVICES = 1 };

bool gs_hostpath_in_procfs(int fd)
{
    struct statfs fs;
    return fstatfs(fd, &fs) != 0 || fs.f_type == PROC_SUPER_MAGIC;
}

static bool is_procfs_root(int fd)
{
    struct stat st;
    return gs_hostpath_in_procfs(fd) && fstat(fd, &st) == 0 && st.st_ino == PROCFS_ROOT_INO;
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
    if (!gs_hostpath_in_procfs(fd))
        return false;
    return is_process(fd) || (!gs_hostpath_in_procfs(parent) && !is_procfs_root(fd));
}

/* Whether a directory to start from, in procfs, is a process's or below one. */
static bool is_refused_start(int dir)
{
    bool root = false;
    int at = gs_hostpath_in_procfs(dir) ? openat(dir, ".", AS_DIRECTORY) : -1;
    if (at < 0)
        return gs_hostpath_in_procfs(dir);
    for (int depth = 0; at >= 0 && depth < PROCFS_DEPTH_MAX; depth++) {
        root = is_procfs_root(at);
        if (root || is_process(at) || !gs_hostpath_in_procfs(at))
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

/* Outside of the sandbox, whatever it is: what is there and what is not looks the same. */
static int refuse(walk *w)
{
    w->refused = EACCES;
    return -EACCES;
}

static int refuse_reserved(walk *w)
{
    w->refused = EPERM;
    return -EPERM;
}

static int fail_step(walk *w, int error)
{
    return w->rule == GS_SANDBOX_OUTSIDE ? refuse(w) : -error;
}

/* Goes on in `next`, found in w->dir, and takes its descriptor over. */
static int enter(walk *w, int next)
{
    struct stat st;
    bool refused = is_refused(w->dir, next);
    move_to(w, next);
    if (refused || fstat(next, &st) != 0)
        return -EACCES;
    if (gs_sandbox_is_reserved(w->sandbox, &st))
        return refuse_reserved(w);
    int rule = gs_sandbox_rule_of(w->sandbox, &st);
    if (rule != GS_SANDBOX_OUTSIDE)
        w->rule = rule;
    return w->rule == GS_SANDBOX_OUTSIDE && !gs_sandbox_is_passage(w->sandbox, &st) ? refuse(w) : 0;
}

/* Sets out from the root if the rest is absolute. */
static int start_at_root(walk *w)
{
    if (w->rest[0] != '/')
        return 0;
    int status = move_to(w, openat(w->sandbox->root, ".", AS_DIRECTORY));
    w->rule = gs_sandbox_locate(w->sandbox, w->sandbox->root);
    return status;
}

static int start(walk *w, gs_sandbox *sandbox, int dir, const char *path)
{
    *w = (walk){.sandbox = sandbox, .dir = -1};
    if (!*path)
        return -ENOENT;
    if (strlen(path) >= sizeof w->rest)
        return -ENAMETOOLONG;
    strcpy(w->rest, path);
    if (*path == '/')
        return start_at_root(w);
    int status = move_to(w, openat(dir == AT_FDCWD ? sandbox->home : dir, ".", AS_DIRECTORY));
    if (status)
        return status;
    if (is_refused_start(w->dir))
        return -EACCES;
    struct stat st;
    w->rule = gs_sandbox_locate(sandbox, w->dir);
    if (w->rule != GS_SANDBOX_OUTSIDE)
        return 0;
    return fstat(w->dir, &st) == 0 && gs_sandbox_is_passage(sandbox, &st) ? 0 : refuse(w);
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

static void skip_to(walk *w, const char *after)
{
    memmove(w->rest, after, strlen(after) + 1);
}

/* The parent directory, wherever that is now: other processes may have moved it, so its rule is
 * looked for from there. */
static int step_up(walk *w)
{
    struct stat here, root;
    if (fstat(w->dir, &here) != 0 || fstat(w->sandbox->root, &root) != 0)
        return -EACCES;
    if (here.st_dev == root.st_dev && here.st_ino == root.st_ino)
        return 0;
    int up = openat(w->dir, "..", AS_DIRECTORY);
    if (up < 0)
        return fail_step(w, errno);
    w->rule = gs_sandbox_locate(w->sandbox, up);
    return enter(w, up);
}

/* What is found under a name of git's is read-only from here on, by other names as well. */
static void guard(gs_sandbox *sandbox, int rule, const char *name, int found)
{
    if (rule >= 0 && gs_sandbox_is_git(name))
        gs_sandbox_guard(sandbox, found);
}

/* Goes through the name that ends before `after`, a directory or a link. */
static int step(walk *w, const char *name, const char *after)
{
    struct stat st;
    if (strcmp(name, "..") == 0) {
        skip_to(w, after);
        return step_up(w);
    }
    if (gs_sandbox_reserves(w->sandbox, w->dir, name))
        return refuse_reserved(w);
    int next = openat(w->dir, name, AS_DIRECTORY);
    if (next >= 0) {
        guard(w->sandbox, w->rule, name, next);
        skip_to(w, after);
        return enter(w, next);
    }
    if (errno != ENOTDIR)
        return fail_step(w, errno);
    int link = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (link < 0)
        return fail_step(w, errno);
    int status = fail_step(w, ENOTDIR);
    if (fstat(link, &st) == 0 && S_ISLNK(st.st_mode)) {
        w->refused = 0;
        status = follow(w, link, &st, after);
    }
    close(link);
    return status;
}

/* The last name: 0 if the walk ends here, 1 if it was a link that has been followed. */
static int last_step(walk *w, const char *name)
{
    struct stat st;
    if (gs_sandbox_reserves(w->sandbox, w->dir, name))
        return 0;
    int fd = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : fail_step(w, errno);
    int status = 0;
    if (fstat(fd, &st) == 0 && S_ISLNK(st.st_mode)) {
        const char *slash = strchr(w->rest, '/') ? "/" : "";
        status = follow(w, fd, &st, slash);
        status = status ? status : 1;
    }
    close(fd);
    return status;
}

/* Whether the rest, in the root directory, is a device that is in every sandbox. */
static bool at_device(walk *w, gs_hostpath_place *out)
{
    const char *rest = w->rest + strspn(w->rest, "/");
    for (unsigned i = 0; rest > w->rest && i < DEVICES && w->rule != GS_SANDBOX_ANY; i++) {
        if (strcmp(rest, devices[i].path) != 0)
            continue;
        if (move_to(w, openat(w->sandbox->devices, ".", AS_DIRECTORY)) != 0)
            return false;
        snprintf(out->name, sizeof out->name, "%s", strrchr(rest, '/') + 1);
        out->is_device = true;
        return true;
    }
    return false;
}

/* Walks until one name is left. */
static int walk_on(walk *w, bool follows, gs_hostpath_place *out)
{
    for (;;) {
        if (at_device(w, out))
            return 0;
        size_t slashes = strspn(w->rest, "/");
        skip_to(w, w->rest + slashes);
        char name[NAME_MAX + 1];
        size_t length = strcspn(w->rest, "/");
        const char *after = w->rest + length;
        if (length > NAME_MAX)
            return -ENAMETOOLONG;
        memcpy(name, w->rest, length);
        name[length] = '\0';
        bool last = after[strspn(after, "/")] == '\0';
        bool is_directory = !length || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
        int status = 0;
        if (!last || (is_directory && length))
            status = step(w, name, after);
        else if (follows && !is_directory)
            status = last_step(w, name);
        if (status < 0)
            return status;
        if (last && status == 0) {
            /* A directory is a name in itself. */
            snprintf(out->name, sizeof out->name, "%s%s", is_directory ? "." : name,
                     *after && !is_directory ? "/" : "");
            return 0;
        }
    }
}

int gs_hostpath_walk(gs_sandbox *sandbox, int dir, const char *path, bool follows,
                     gs_hostpath_place *out)
{
    walk w;
    *out = (gs_hostpath_place){.dir = -1};
    int status = start(&w, sandbox, dir, path);
    if (!status)
        status = walk_on(&w, follows, out);
    if (status && w.dir >= 0)
        close(w.dir);
    if (status)
        return w.refused ? gs_sandbox_refuse(sandbox, dir, path, w.refused) : status;
    out->dir = w.dir;
    out->rule = w.rule;
    return 0;
}

static bool is_node(const struct stat *st)
{
    return S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode);
}

static bool is_common_device(const struct stat *st)
{
    for (unsigned i = 0; S_ISCHR(st->st_mode) && i < DEVICES; i++) {
        if (st->st_rdev == makedev(MEMORY_DEVICES, devices[i].minor))
            return true;
    }
    return false;
}

int gs_hostpath_judge(const gs_sandbox *sandbox, const gs_hostpath_place *at, const struct stat *st,
                      gs_hostpath_use use)
{
    if (at->is_device)
        return st && use != GS_HOSTPATH_CHANGE && is_common_device(st) ? 0 : EACCES;
    int own = st ? gs_sandbox_rule_of(sandbox, st) : GS_SANDBOX_OUTSIDE;
    int rule = own != GS_SANDBOX_OUTSIDE ? own : at->rule;
    if (rule == GS_SANDBOX_OUTSIDE) {
        bool passes = st && S_ISDIR(st->st_mode) && gs_sandbox_is_passage(sandbox, st);
        return use == GS_HOSTPATH_LOOK && passes ? 0 : EACCES;
    }
    if (use != GS_HOSTPATH_LOOK && ((st && gs_sandbox_is_reserved(sandbox, st)) ||
                                    gs_sandbox_reserves(sandbox, at->dir, at->name)))
        return EPERM;
    if (use >= GS_HOSTPATH_WRITE && gs_sandbox_is_read_only(sandbox, rule))
        return EROFS;
    if (use >= GS_HOSTPATH_WRITE && rule >= 0 && own == GS_SANDBOX_OUTSIDE &&
        gs_sandbox_is_git(at->name))
        return EROFS;
    if (use == GS_HOSTPATH_CHANGE && st && S_ISDIR(st->st_mode) && gs_sandbox_is_fixed(sandbox, st))
        return EBUSY;
    bool touches_node = use != GS_HOSTPATH_LOOK && st && is_node(st);
    return touches_node && rule != GS_SANDBOX_ANY && own == GS_SANDBOX_OUTSIDE ? EACCES : 0;
}

mode_t gs_hostpath_mode(mode_t mode)
{
    return mode & ~(mode_t)(S_ISUID | S_ISGID);
}

/* A slash behind the name would make the host follow a link. */
static bool cut_slash(gs_hostpath_place *at)
{
    size_t length = strlen(at->name);
    bool slash = length > 1 && at->name[length - 1] == '/';
    if (slash)
        at->name[length - 1] = '\0';
    return slash;
}

/* Opens a name in a directory and, where the kernel can be asked to see to that, nothing else. */
static int open_name(const gs_sandbox *sandbox, const gs_hostpath_place *at, int flags, mode_t mode)
{
    struct open_how how = {
        .flags = (uint64_t)(unsigned)(flags | O_NOFOLLOW),
        .mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? mode & 07777 : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    long fd =
        sandbox->without_openat2 ? -1 : syscall(SYS_openat2, at->dir, at->name, &how, sizeof how);
    if (fd >= 0)
        return (int)fd;
    if (!sandbox->without_openat2 && errno != ENOSYS && errno != EPERM && errno != EINVAL)
        return -errno;
    int plain = openat(at->dir, at->name, flags | O_NOFOLLOW, mode);
    return plain < 0 ? -errno : plain;
}

static bool opens_for_writing(int flags)
{
    return ((flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC) && !(flags & O_PATH);
}

/* Whether what is there may be opened like that: 0 or a negative errno. Creating is taken out of
 * the flags where nothing is to be created. */
static int check_open(gs_sandbox *sandbox, const gs_hostpath_place *at, int *flags,
                      gs_hostpath_opened *opened, int *refused)
{
    struct stat st;
    bool writes = opens_for_writing(*flags);
    int fd = openat(at->dir, at->name, AS_FOUND);
    if (fd >= 0)
        guard(sandbox, at->rule, at->name, fd);
    if (fd < 0 && errno != ENOENT)
        return at->rule == GS_SANDBOX_OUTSIDE ? -(*refused = EACCES) : -errno;
    opened->is_new = fd < 0;
    if (opened->is_new) {
        *refused = gs_hostpath_judge(sandbox, at, NULL,
                                     *flags & O_CREAT ? GS_HOSTPATH_WRITE : GS_HOSTPATH_READ);
        return -*refused;
    }
    bool denied =
        fstat(fd, &st) != 0 || is_refused(at->dir, fd) || (writes && gs_hostpath_in_procfs(fd));
    close(fd);
    if (denied)
        return -EACCES;
    opened->read_only = gs_hostpath_judge(sandbox, at, &st, GS_HOSTPATH_CHANGE) != 0;
    if (opened->read_only && !(*flags & O_EXCL))
        *flags &= ~O_CREAT;
    *refused = gs_hostpath_judge(sandbox, at, &st, writes ? GS_HOSTPATH_WRITE : GS_HOSTPATH_READ);
    return -*refused;
}

/* What was opened may be another file than the one looked at before. */
static int check_opened(const gs_sandbox *sandbox, const gs_hostpath_place *at, int fd, bool writes)
{
    struct stat st;
    if (fstat(fd, &st) == 0 &&
        !gs_hostpath_judge(sandbox, at, &st, writes ? GS_HOSTPATH_WRITE : GS_HOSTPATH_READ))
        return fd;
    close(fd);
    return -EACCES;
}

int gs_hostpath_open(gs_sandbox *sandbox, int dir, const char *path, int flags, mode_t mode,
                     gs_hostpath_opened *opened)
{
    gs_hostpath_place at;
    gs_hostpath_opened ignored;
    int refused = 0;
    opened = opened ? opened : &ignored;
    *opened = (gs_hostpath_opened){0};
    if (flags & O_PATH)
        flags &= O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    bool exclusive = (flags & O_CREAT) && (flags & O_EXCL);
    int status = gs_hostpath_walk(sandbox, dir, path, !(flags & O_NOFOLLOW) && !exclusive, &at);
    if (status)
        return status;
    bool slash = cut_slash(&at), creates = flags & O_CREAT;
    status = check_open(sandbox, &at, &flags, opened, &refused);
    if (!status && creates && (slash || strcmp(at.name, ".") == 0))
        status = -EISDIR;
    if (!status)
        status = open_name(sandbox, &at, flags | (slash ? O_DIRECTORY : 0), gs_hostpath_mode(mode));
    if (status >= 0)
        status = check_opened(sandbox, &at, status, opens_for_writing(flags));
    close(at.dir);
    return refused ? gs_sandbox_refuse(sandbox, dir, path, refused) : status;
}

int gs_hostpath_find(gs_sandbox *sandbox, int dir, const char *path, bool follows,
                     gs_hostpath_use use)
{
    gs_hostpath_place at;
    struct stat st;
    size_t length = strlen(path);
    bool slash = length > 0 && path[length - 1] == '/';
    int status = gs_hostpath_walk(sandbox, dir, path, follows || slash, &at), refused = 0;
    if (status)
        return status;
    slash = cut_slash(&at);
    int fd = openat(at.dir, at.name, AS_FOUND | (slash ? O_DIRECTORY : 0));
    if (fd >= 0)
        guard(sandbox, at.rule, at.name, fd);
    status = fd < 0 ? -errno : 0;
    if (fd < 0 && at.rule == GS_SANDBOX_OUTSIDE && !at.is_device)
        refused = EACCES;
    else if (fd >= 0 && (fstat(fd, &st) != 0 || is_refused(at.dir, fd) ||
                         (use >= GS_HOSTPATH_WRITE && gs_hostpath_in_procfs(fd))))
        status = -EACCES;
    else if (fd >= 0)
        refused = gs_hostpath_judge(sandbox, &at, &st, use);
    close(at.dir);
    if (fd >= 0 && (status || refused))
        close(fd);
    if (refused)
        return gs_sandbox_refuse(sandbox, dir, path, refused);
    return status ? status : fd;
}
