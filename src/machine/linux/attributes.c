/*
 * What a file allows, whose it is, and when it was used. There are no extended
 * attributes.
 */
#include "machine/linux/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int64_t check_access(gs_linux_call *call, uint32_t dir_fd, gs_addr from, uint32_t mode,
                            uint32_t flags)
{
    const int known = AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
    gs_linux_path path;
    if (mode & ~(uint32_t)(R_OK | W_OK | X_OK) || flags & ~(uint32_t)known)
        return -EINVAL;
    int status = gs_linux_path_get(call, dir_fd, from, &path);
    if (status)
        return status;
    if (path.kind == GS_LINUX_PATH_DESCRIPTOR)
        return gs_linux_fd_get(call->process, path.fd) ? 0 : -ENOENT;
    return gs_linux_host_result(faccessat(path.dir, path.text, (int)mode, (int)flags));
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

static int64_t change_mode(gs_linux_call *call, uint32_t dir_fd, gs_addr from, uint32_t mode)
{
    gs_linux_path path;
    int status = gs_linux_path_get_host(call, dir_fd, from, &path);
    if (status)
        return status;
    return gs_linux_host_result(fchmodat(path.dir, path.text, mode & 07777, 0));
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
    return entry ? gs_linux_host_result(fchmod(entry->host, call->args[1] & 07777)) : -EBADF;
}

static int64_t change_owner(gs_linux_call *call, uint32_t dir_fd, gs_addr from, uint32_t uid,
                            uint32_t gid, uint32_t flags)
{
    gs_linux_path path;
    int status = gs_linux_path_get_host(call, dir_fd, from, &path);
    if (status)
        return status;
    if (flags & ~(uint32_t)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
        return -EINVAL;
    return gs_linux_host_result(fchownat(path.dir, path.text, gs_linux_swap_uid(call->process, uid),
                                         gs_linux_swap_gid(call->process, gid), (int)flags));
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
    return gs_linux_host_result(fchown(entry->host, gs_linux_swap_uid(call->process, call->args[1]),
                                       gs_linux_swap_gid(call->process, call->args[2])));
}

/* `times` NULL for the present. */
static int64_t set_times(gs_linux_call *call, uint32_t dir_fd, gs_addr from, int flags,
                         const struct timespec times[2])
{
    gs_linux_path path;
    if (from == 0) { /* futimens(3) */
        const gs_linux_fd *entry = gs_linux_fd_get(call->process, dir_fd);
        return entry ? gs_linux_host_result(futimens(entry->host, times)) : -EBADF;
    }
    int status = gs_linux_path_get_host(call, dir_fd, from, &path);
    if (status)
        return status;
    return gs_linux_host_result(utimensat(path.dir, path.text, times, flags));
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
