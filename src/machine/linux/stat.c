/* System calls that describe files and file systems, in each ABI's structs. */
#include "machine/linux/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Numbers that only MIPS's old struct cannot hold. */
static bool fits_stat(const struct stat *st)
{
    return st->st_size <= INT32_MAX;
}

static int64_t put_stat(gs_linux_call *call, gs_addr to, const struct stat *st, bool wide)
{
    const gs_linux_abi *abi = call->process->abi;
    uint8_t bytes[160];
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    if (!wide && abi->put_stat != abi->put_stat64 && !fits_stat(st))
        return -EOVERFLOW;
    (wide ? abi->put_stat64 : abi->put_stat)(&wire, st);
    return gs_linux_put(call, to, &wire);
}

/* What a file looks like does not depend on the host's file system or user. */
static void show(const gs_linux_process *process, struct stat *st)
{
    st->st_uid = gs_linux_swap_uid(process, st->st_uid);
    st->st_gid = gs_linux_swap_gid(process, st->st_gid);
    st->st_blksize = GS_PAGE_SIZE;
}

static const mode_t pipe_mode = S_IFIFO | S_IRUSR | S_IWUSR;

static int64_t stat_fd(gs_linux_call *call, uint32_t fd, gs_addr to, bool wide)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, fd);
    struct stat st;
    if (!entry)
        return -EBADF;
    if (fstat(entry->host, &st) != 0)
        return -errno;
    show(call->process, &st);
    if (gs_linux_looks_like_pipe(call->process, entry)) {
        st.st_mode = pipe_mode;
        st.st_uid = gs_linux_euid(call->process);
        st.st_gid = gs_linux_egid(call->process);
        st.st_size = st.st_blocks = 0;
        st.st_rdev = 0;
    }
    return put_stat(call, to, &st, wide);
}

static int64_t stat_path(gs_linux_call *call, uint32_t dir_fd, gs_addr from, int flags, gs_addr to,
                         bool wide)
{
    struct stat st;
    gs_linux_path path;
    int status = gs_linux_path_get(call, dir_fd, from, &path);
    if (status)
        return status;
    if (path.kind == GS_LINUX_PATH_DESCRIPTOR)
        return stat_fd(call, path.fd, to, wide);
    if (path.text[0] == '\0' && flags & AT_EMPTY_PATH && dir_fd != GS_LINUX_AT_FDCWD)
        return stat_fd(call, dir_fd, to, wide);
    int host = gs_linux_path_find(call->process, &path, flags, GS_HOSTPATH_LOOK);
    if (host < 0)
        return host;
    status = fstat(host, &st) == 0 ? 0 : -errno;
    close(host);
    show(call->process, &st);
    return status ? status : put_stat(call, to, &st, wide);
}

int64_t gs_linux_sys_stat(gs_linux_call *call)
{
    return stat_path(call, GS_LINUX_AT_FDCWD, call->args[0], 0, call->args[1], false);
}

int64_t gs_linux_sys_stat64(gs_linux_call *call)
{
    return stat_path(call, GS_LINUX_AT_FDCWD, call->args[0], 0, call->args[1], true);
}

int64_t gs_linux_sys_lstat(gs_linux_call *call)
{
    return stat_path(call, GS_LINUX_AT_FDCWD, call->args[0], AT_SYMLINK_NOFOLLOW, call->args[1],
                     false);
}

int64_t gs_linux_sys_lstat64(gs_linux_call *call)
{
    return stat_path(call, GS_LINUX_AT_FDCWD, call->args[0], AT_SYMLINK_NOFOLLOW, call->args[1],
                     true);
}

int64_t gs_linux_sys_fstat(gs_linux_call *call)
{
    return stat_fd(call, call->args[0], call->args[1], false);
}

int64_t gs_linux_sys_fstat64(gs_linux_call *call)
{
    return stat_fd(call, call->args[0], call->args[1], true);
}

int64_t gs_linux_sys_fstatat64(gs_linux_call *call)
{
    const int known = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT;
    if (call->args[3] & ~(uint32_t)known)
        return -EINVAL;
    return stat_path(call, call->args[0], call->args[1], (int)call->args[3], call->args[2], true);
}

static void put_statx_time(gs_wire *wire, const struct statx_timestamp *time)
{
    gs_wire_put64(wire, (uint64_t)time->tv_sec);
    gs_wire_put32(wire, time->tv_nsec);
    gs_wire_zero(wire, 4);
}

/* struct statx has one layout everywhere. */
int64_t gs_linux_sys_statx(gs_linux_call *call)
{
    const int known = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_SYNC_TYPE;
    gs_linux_path path;
    struct statx stx;
    const gs_linux_fd *of = NULL; /* if it is asked about by descriptor */
    uint8_t bytes[256];
    int flags = (int)call->args[2];
    if (flags & ~known)
        return -EINVAL;
    int status = gs_linux_path_get(call, call->args[0], call->args[1], &path);
    if (status)
        return status;
    int host = gs_linux_path_find(call->process, &path, flags, GS_HOSTPATH_LOOK);
    if (host < 0)
        return host;
    if (path.kind == GS_LINUX_PATH_DESCRIPTOR)
        of = gs_linux_fd_get(call->process, path.fd);
    else if (path.text[0] == '\0')
        of = gs_linux_fd_get(call->process, call->args[0]);
    flags = (flags & AT_STATX_SYNC_TYPE) | AT_EMPTY_PATH;
    status = statx(host, "", flags, call->args[3], &stx) == 0 ? 0 : -errno;
    close(host);
    if (status)
        return status;
    if (of && gs_linux_looks_like_pipe(call->process, of)) {
        stx.stx_mode = (uint16_t)pipe_mode;
        stx.stx_uid = geteuid();
        stx.stx_gid = getegid();
        stx.stx_size = stx.stx_blocks = 0;
        stx.stx_rdev_major = stx.stx_rdev_minor = 0;
    }

    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    gs_wire_put32(&wire, stx.stx_mask);
    gs_wire_put32(&wire, GS_PAGE_SIZE);
    gs_wire_put64(&wire, stx.stx_attributes);
    gs_wire_put32(&wire, stx.stx_nlink);
    gs_wire_put32(&wire, gs_linux_swap_uid(call->process, stx.stx_uid));
    gs_wire_put32(&wire, gs_linux_swap_gid(call->process, stx.stx_gid));
    gs_wire_put16(&wire, stx.stx_mode);
    gs_wire_zero(&wire, 2);
    gs_wire_put64(&wire, gs_linux_file_number(stx.stx_ino));
    gs_wire_put64(&wire, stx.stx_size);
    gs_wire_put64(&wire, stx.stx_blocks);
    gs_wire_put64(&wire, stx.stx_attributes_mask);
    put_statx_time(&wire, &stx.stx_atime);
    put_statx_time(&wire, &stx.stx_btime);
    put_statx_time(&wire, &stx.stx_ctime);
    put_statx_time(&wire, &stx.stx_mtime);
    gs_wire_put32(&wire, stx.stx_rdev_major);
    gs_wire_put32(&wire, stx.stx_rdev_minor);
    gs_wire_put32(&wire, stx.stx_dev_major);
    gs_wire_put32(&wire, stx.stx_dev_minor);
    gs_wire_zero(&wire, wire.size - wire.at);
    return gs_linux_put(call, call->args[4], &wire);
}

/* Block counts that do not fit are cut off at the largest number. */
static uint64_t clamp(uint64_t value, unsigned size)
{
    return size == 4 && value > UINT32_MAX ? UINT32_MAX : value;
}

static int64_t put_statfs(gs_linux_call *call, gs_addr to, const struct statfs *fs, bool wide)
{
    bool mips = call->process->abi->flavor == GS_LINUX_MIPS;
    unsigned size = wide ? 8 : 4;
    uint8_t bytes[96];
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    uint32_t id[2];
    memcpy(id, &fs->f_fsid, sizeof id);

    gs_wire_put32(&wire, (uint64_t)fs->f_type);
    gs_wire_put32(&wire, (uint64_t)fs->f_bsize);
    if (mips) {
        gs_wire_put32(&wire, (uint64_t)fs->f_frsize);
        gs_wire_zero(&wire, wide ? 4 : 0);
    }
    gs_wire_put(&wire, clamp(fs->f_blocks, size), size);
    gs_wire_put(&wire, clamp(fs->f_bfree, size), size);
    if (!mips)
        gs_wire_put(&wire, clamp(fs->f_bavail, size), size);
    gs_wire_put(&wire, clamp(fs->f_files, size), size);
    gs_wire_put(&wire, clamp(fs->f_ffree, size), size);
    if (mips)
        gs_wire_put(&wire, clamp(fs->f_bavail, size), size);
    gs_wire_put32(&wire, id[0]);
    gs_wire_put32(&wire, id[1]);
    gs_wire_put32(&wire, (uint64_t)fs->f_namelen);
    if (!mips)
        gs_wire_put32(&wire, (uint64_t)fs->f_frsize);
    gs_wire_put32(&wire, (uint64_t)fs->f_flags);
    gs_wire_zero(&wire, mips ? 20 : 16);
    gs_wire_zero(&wire, wide ? 4 : 0); /* to a multiple of 8 */
    return gs_linux_put(call, to, &wire);
}

static int64_t statfs_path(gs_linux_call *call, gs_addr to, bool wide)
{
    struct statfs fs;
    int host = gs_linux_path_find_at(call, GS_LINUX_AT_FDCWD, call->args[0], 0, GS_HOSTPATH_LOOK);
    if (host < 0)
        return host;
    int status = fstatfs(host, &fs) == 0 ? 0 : -errno;
    close(host);
    return status ? status : put_statfs(call, to, &fs, wide);
}

static int64_t statfs_fd(gs_linux_call *call, gs_addr to, bool wide)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    struct statfs fs;
    if (!entry)
        return -EBADF;
    return fstatfs(entry->host, &fs) == 0 ? put_statfs(call, to, &fs, wide) : -errno;
}

int64_t gs_linux_sys_statfs(gs_linux_call *call)
{
    return statfs_path(call, call->args[1], false);
}

int64_t gs_linux_sys_fstatfs(gs_linux_call *call)
{
    return statfs_fd(call, call->args[1], false);
}

/* The second argument is the size of the struct. */
int64_t gs_linux_sys_statfs64(gs_linux_call *call)
{
    return statfs_path(call, call->args[2], true);
}

int64_t gs_linux_sys_fstatfs64(gs_linux_call *call)
{
    return statfs_fd(call, call->args[2], true);
}
