/*
 * What a file allows, whose it is, and when it was used. There are no extended
 * attributes.
 *
 * Landlock does not judge changes of these. So they are made by a descriptor that was opened, which
 * it does judge, and never by a path, which seccomp refuses to the whole process (seccomp.c). A
 * file that its user can neither read nor write keeps its attributes, and so does a link.
 */
#include "machine/linux/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_link(int host)
{
    struct stat st;
    return fstat(host, &st) == 0 && S_ISLNK(st.st_mode);
}

/* The result of a call on a descriptor, which is closed. */
static int64_t finish(int host, int result)
{
    int64_t status = gs_linux_host_result(result);
    close(host);
    return status;
}

/* A descriptor that is open, in place of one that only names (O_PATH), which is closed. */
static int reopen(int found)
{
    static const int ways[] = {O_RDONLY, O_WRONLY};
    char name[32];
    int fd = -1, status = 0;
    for (size_t i = 0; i < 2 && fd < 0; i++) {
        fd = open(gs_linux_fd_path(name, found), ways[i] | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        status = fd < 0 ? -errno : fd;
    }
    close(found);
    return status;
}

static int64_t check_access(gs_linux_call *call, uint32_t dir_fd, gs_addr from, uint32_t mode,
                            uint32_t flags)
{
    const int known = AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
    gs_linux_path path;
    char name[32];
    if (mode & ~(uint32_t)(R_OK | W_OK | X_OK) || flags & ~(uint32_t)known)
        return -EINVAL;
    int status = gs_linux_path_get(call, dir_fd, from, &path);
    if (status)
        return status;
    if (path.kind == GS_LINUX_PATH_DESCRIPTOR)
        return gs_linux_fd_get(call->process, path.fd) ? 0 : -ENOENT;
    int host = gs_linux_path_find(call->process, &path, (int)flags,
                                  mode & W_OK ? GS_HOSTPATH_WRITE : GS_HOSTPATH_LOOK);
    if (host < 0)
        return host;
    status = 0;
    if (!is_link(host)) /* which allows everything */
        status =
            faccessat(AT_FDCWD, gs_linux_fd_path(name, host), (int)mode, (int)flags & AT_EACCESS);
    return finish(host, status);
}

int64_t gs_linux_sys_access(gs_linux_call *call)
{
    return check_access(call, GS_LINUX_AT_FDCWD, call->args[0], call->args[1], 0);
}

int64_t gs_linux_sys_faccessat(gs_linux_call *call)
{
    return check_access(call, call->args[0], call->args[1], call->args[2], 0);
}

int64_t gs_linux_sys_faccessat2(gs_linux_call *call)
{
    return check_access(call, call->args[0], call->args[1], call->args[2], call->args[3]);
}

/* With errno. Files that give another user's rights to a user who executes them are not for guests
 * to make. */
static int set_mode(int host, uint32_t mode)
{
    struct stat st;
    if (mode & (S_ISUID | S_ISGID) && (fstat(host, &st) != 0 || !S_ISDIR(st.st_mode))) {
        errno = EPERM;
        return -1;
    }
    return fchmod(host, mode & 01777);
}

static int64_t change_mode(gs_linux_call *call, uint32_t dir_fd, gs_addr from, uint32_t mode)
{
    int host = gs_linux_path_find_at(call, dir_fd, from, 0, GS_HOSTPATH_CHANGE);
    if (host >= 0)
        host = reopen(host);
    return host < 0 ? host : finish(host, set_mode(host, mode));
}

int64_t gs_linux_sys_chmod(gs_linux_call *call)
{
    return change_mode(call, GS_LINUX_AT_FDCWD, call->args[0], call->args[1]);
}

int64_t gs_linux_sys_fchmodat(gs_linux_call *call)
{
    return change_mode(call, call->args[0], call->args[1], call->args[2]);
}

int64_t gs_linux_sys_fchmod(gs_linux_call *call)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    if (!entry)
        return -EBADF;
    if (entry->read_only)
        return -EROFS;
    return gs_linux_host_result(set_mode(entry->host, call->args[1]));
}

static int64_t change_owner(gs_linux_call *call, uint32_t dir_fd, gs_addr from, uint32_t uid,
                            uint32_t gid, uint32_t flags)
{
    if (flags & ~(uint32_t)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
        return -EINVAL;
    struct stat st;
    uid = gs_linux_swap_uid(call->process, uid);
    gid = gs_linux_swap_gid(call->process, gid);
    int host = gs_linux_path_find_at(call, dir_fd, from, (int)flags, GS_HOSTPATH_CHANGE);
    if (host < 0)
        return host;
    if (is_link(host)) { /* nothing is to be done, or nothing can */
        bool same = fstat(host, &st) == 0 && (uid == (uid_t)-1 || uid == st.st_uid) &&
                    (gid == (gid_t)-1 || gid == st.st_gid);
        close(host);
        return same ? 0 : -EPERM;
    }
    host = reopen(host);
    return host < 0 ? host : finish(host, fchown(host, uid, gid));
}

int64_t gs_linux_sys_chown(gs_linux_call *call)
{
    return change_owner(call, GS_LINUX_AT_FDCWD, call->args[0], call->args[1], call->args[2], 0);
}

int64_t gs_linux_sys_lchown(gs_linux_call *call)
{
    return change_owner(call, GS_LINUX_AT_FDCWD, call->args[0], call->args[1], call->args[2],
                        AT_SYMLINK_NOFOLLOW);
}

int64_t gs_linux_sys_fchownat(gs_linux_call *call)
{
    return change_owner(call, call->args[0], call->args[1], call->args[2], call->args[3],
                        call->args[4]);
}

int64_t gs_linux_sys_fchown(gs_linux_call *call)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    if (!entry)
        return -EBADF;
    if (entry->read_only)
        return -EROFS;
    return gs_linux_host_result(fchown(entry->host, gs_linux_swap_uid(call->process, call->args[1]),
                                       gs_linux_swap_gid(call->process, call->args[2])));
}

/* `times` NULL for the present. */
static int64_t set_times(gs_linux_call *call, uint32_t dir_fd, gs_addr from, int flags,
                         const struct timespec times[2])
{
    if (from == 0) { /* futimens(3) */
        const gs_linux_fd *entry = gs_linux_fd_get(call->process, dir_fd);
        if (!entry)
            return -EBADF;
        return entry->read_only ? -EROFS : gs_linux_host_result(futimens(entry->host, times));
    }
    int host = gs_linux_path_find_at(call, dir_fd, from, flags, GS_HOSTPATH_CHANGE);
    if (host < 0)
        return host;
    if (is_link(host)) {
        close(host);
        return -EOPNOTSUPP;
    }
    host = reopen(host);
    return host < 0 ? host : finish(host, futimens(host, times));
}

static int64_t set_times_ns(gs_linux_call *call, bool wide)
{
    struct timespec times[2];
    gs_addr at = call->args[2];
    for (unsigned i = 0; at && i < 2; i++) {
        if (gs_linux_get_timespec(call, at + i * (wide ? 16 : 8), &times[i], wide))
            return -EFAULT;
    }
    if (call->args[3] & ~(uint32_t)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
        return -EINVAL;
    return set_times(call, call->args[0], call->args[1], (int)call->args[3], at ? times : NULL);
}

int64_t gs_linux_sys_utimensat(gs_linux_call *call)
{
    return set_times_ns(call, false);
}

int64_t gs_linux_sys_utimensat_time64(gs_linux_call *call)
{
    return set_times_ns(call, true);
}

static int64_t set_times_us(gs_linux_call *call, uint32_t dir_fd, gs_addr from, gs_addr at)
{
    struct timespec times[2];
    for (unsigned i = 0; at && i < 2; i++) {
        if (gs_linux_get_timespec(call, at + i * 8, &times[i], false))
            return -EFAULT;
        if (times[i].tv_nsec < 0 || times[i].tv_nsec >= 1000000)
            return -EINVAL;
        times[i].tv_nsec *= 1000;
    }
    return set_times(call, dir_fd, from, 0, at ? times : NULL);
}

int64_t gs_linux_sys_utimes(gs_linux_call *call)
{
    return set_times_us(call, GS_LINUX_AT_FDCWD, call->args[0], call->args[1]);
}

int64_t gs_linux_sys_futimesat(gs_linux_call *call)
{
    return set_times_us(call, call->args[0], call->args[1], call->args[2]);
}

/* struct utimbuf: whole seconds. */
int64_t gs_linux_sys_utime(gs_linux_call *call)
{
    struct timespec times[2] = {{0}}, both;
    if (call->args[1]) {
        if (gs_linux_get_timespec(call, call->args[1], &both, false))
            return -EFAULT;
        times[0].tv_sec = both.tv_sec;
        times[1].tv_sec = both.tv_nsec;
    }
    return set_times(call, GS_LINUX_AT_FDCWD, call->args[0], 0, call->args[1] ? times : NULL);
}

int64_t gs_linux_sys_no_attribute(gs_linux_call *call)
{
    (void)call;
    return -EOPNOTSUPP;
}
