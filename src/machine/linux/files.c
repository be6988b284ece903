/* The table of file descriptors, and system calls that open, close, copy and position them. */
#include "machine/linux/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "machine/linux/process.h"

/* Reading the mask by setting it would disturb other threads. */
static mode_t read_umask(void)
{
    const mode_t usual = 022;
    unsigned mask = usual;
    char line[128];
    FILE *status = fopen("/proc/self/status", "re");
    if (!status)
        return usual;
    while (fgets(line, sizeof line, status) && sscanf(line, "Umask: %o", &mask) != 1)
        continue;
    fclose(status);
    return mask & 0777;
}

static void set_entry(gs_linux_fd *entry, int host, bool owned, bool close_on_exec)
{
    const dev_t random = makedev(1, 8), urandom = makedev(1, 9);
    struct stat st = {0};
    if (fstat(host, &st) != 0)
        st.st_mode = 0;
    *entry = (gs_linux_fd){
        .host = host,
        .owned = owned,
        .close_on_exec = close_on_exec,
        .random = S_ISCHR(st.st_mode) && (st.st_rdev == random || st.st_rdev == urandom),
        .type = st.st_mode & S_IFMT,
    };
}

/* A guest that opens all it can leaves Gumshoe what it needs to go on and to keep the profile. */
static int end_for_guest(void)
{
    enum { OWN = 64 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= INT_MAX)
        return INT_MAX;
    return limit.rlim_cur > 2 * OWN ? (int)limit.rlim_cur - OWN : (int)limit.rlim_cur / 2;
}

bool gs_linux_files_init(gs_linux_files *files, const int stdio[3], int home)
{
    for (size_t i = 0; i < GS_LINUX_FD_MAX; i++)
        files->fds[i].host = -1;
    for (size_t i = 0; i < 3; i++) {
        /* One that is not open on the host could become a file of Gumshoe's later. */
        files->given[i].host = stdio[i];
        files->given[i].flags = stdio[i] >= 0 ? fcntl(stdio[i], F_GETFL) : -1;
        if (files->given[i].flags >= 0)
            set_entry(&files->fds[i], stdio[i], false, false);
        /* A file as standard input has contents, position and size for the guest to use. */
        files->fds[i].standard = i > 0 || files->fds[i].type == S_IFCHR;
        files->fds[i].read_only = true;
    }
    files->host_end = end_for_guest();
    files->umask = files->host_umask = read_umask();
    files->cwd = openat(home, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return files->cwd >= 0;
}

void gs_linux_files_fini(gs_linux_files *files)
{
    for (size_t i = 0; i < GS_LINUX_FD_MAX; i++)
        gs_linux_fd_close(&files->fds[i]);
    /* The shell and Gumshoe go on with them: not to wait, for one, is no business of theirs. */
    for (size_t i = 0; i < 3 && files->cwd >= 0; i++) {
        if (files->given[i].flags >= 0)
            (void)fcntl(files->given[i].host, F_SETFL, files->given[i].flags);
    }
    if (files->cwd >= 0)
        close(files->cwd);
    files->cwd = -1;
}

gs_linux_fd *gs_linux_fd_get(gs_linux_process *process, uint32_t fd)
{
    if (fd >= GS_LINUX_FD_MAX || process->files.fds[fd].host < 0)
        return NULL;
    return &process->files.fds[fd];
}

bool gs_linux_looks_like_pipe(const gs_linux_process *process, const gs_linux_fd *entry)
{
    if (process->machine->inherit & GS_INHERIT_TERMINAL)
        return false;
    return entry->standard || (entry->type == S_IFCHR && isatty(entry->host));
}

static uint32_t fd_limit(const gs_linux_process *process)
{
    enum { OPEN_FILES = 7 };
    uint64_t soft = process->limits[OPEN_FILES].soft;
    return soft < GS_LINUX_FD_MAX ? (uint32_t)soft : GS_LINUX_FD_MAX;
}

int gs_linux_fd_add(gs_linux_process *process, int host, uint32_t from, bool close_on_exec)
{
    for (uint32_t fd = from; fd < fd_limit(process) && host < process->files.host_end; fd++) {
        if (process->files.fds[fd].host < 0) {
            set_entry(&process->files.fds[fd], host, true, close_on_exec);
            return (int)fd;
        }
    }
    close(host);
    return -EMFILE;
}

int gs_linux_fd_put(gs_linux_process *process, int host, uint32_t fd, bool close_on_exec)
{
    if (fd >= fd_limit(process) || host >= process->files.host_end) {
        close(host);
        return fd >= fd_limit(process) ? -EBADF : -EMFILE;
    }
    gs_linux_fd_close(&process->files.fds[fd]);
    set_entry(&process->files.fds[fd], host, true, close_on_exec);
    return (int)fd;
}

void gs_linux_fd_close(gs_linux_fd *entry)
{
    if (entry->host < 0)
        return;
    if (entry->owned)
        close(entry->host);
    free(entry->positions.items);
    *entry = (gs_linux_fd){.host = -1};
}

/* Passes on a new descriptor, which is what `as` is, or an error. */
static int mark(gs_linux_process *process, int fd, const gs_linux_fd *as)
{
    if (fd >= 0) {
        process->files.fds[fd].standard = as->standard;
        process->files.fds[fd].read_only = as->read_only;
    }
    return fd;
}

static int64_t open_path(gs_linux_call *call, uint32_t dir_fd, uint32_t path_addr, uint32_t flags,
                         uint32_t mode)
{
    gs_linux_process *process = call->process;
    gs_linux_path path;
    int status = gs_linux_path_get(call, dir_fd, path_addr, &path);
    if (status)
        return status;
    int host_flags = gs_linux_open_flags_to_host(process->abi->flavor, flags);
    gs_linux_fd as = {0};
    int host = gs_linux_path_open(process, &path, host_flags, mode & 07777, &as.read_only);
    if (host < 0)
        return host == -EINTR ? GS_LINUX_RESTART : host;
    return mark(process, gs_linux_fd_add(process, host, 0, host_flags & O_CLOEXEC), &as);
}

int64_t gs_linux_sys_open(gs_linux_call *call)
{
    return open_path(call, GS_LINUX_AT_FDCWD, call->args[0], call->args[1], call->args[2]);
}

int64_t gs_linux_sys_openat(gs_linux_call *call)
{
    return open_path(call, call->args[0], call->args[1], call->args[2], call->args[3]);
}

int64_t gs_linux_sys_creat(gs_linux_call *call)
{
    uint32_t flags = gs_linux_open_flags(call->process->abi->flavor, O_CREAT | O_WRONLY | O_TRUNC);
    return open_path(call, GS_LINUX_AT_FDCWD, call->args[0], flags, call->args[1]);
}

int64_t gs_linux_sys_close(gs_linux_call *call)
{
    gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    if (!entry)
        return -EBADF;
    gs_linux_fd_close(entry);
    return 0;
}

int64_t gs_linux_sys_close_range(gs_linux_call *call)
{
    enum { CLOSE_ON_EXEC = 4 };
    uint32_t first = call->args[0], last = call->args[1];
    if (first > last || call->args[2] & ~(uint32_t)(CLOSE_ON_EXEC | 2))
        return -EINVAL;
    for (uint32_t fd = first; fd <= last && fd < GS_LINUX_FD_MAX; fd++) {
        gs_linux_fd *entry = gs_linux_fd_get(call->process, fd);
        if (entry && call->args[2] & CLOSE_ON_EXEC)
            entry->close_on_exec = true;
        else if (entry)
            gs_linux_fd_close(entry);
    }
    return 0;
}

/* For calls on sockets, of which the guest has none unless its caller gave it one. */
int64_t gs_linux_sys_not_socket(gs_linux_call *call)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    if (!entry)
        return -EBADF;
    return entry->type == S_IFSOCK ? gs_linux_sys_refuse(call) : -ENOTSOCK;
}

/* A directory's guest positions are numbers of entries; see gs_linux_fd. */
static int64_t seek_directory(gs_linux_fd *entry, int64_t offset)
{
    size_t index = (size_t)offset;
    if (offset < 0 || index > entry->positions.count)
        return -EINVAL;
    int64_t host = index ? entry->positions.items[index - 1] : 0;
    if (lseek(entry->host, host, SEEK_SET) < 0)
        return -errno;
    entry->entry = index;
    return offset;
}

static int64_t seek(gs_linux_call *call, int64_t offset, uint32_t whence)
{
    gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    if (!entry)
        return -EBADF;
    if (entry->type == S_IFDIR && whence == SEEK_SET)
        return seek_directory(entry, offset);
    if (entry->type == S_IFDIR && whence == SEEK_CUR)
        return seek_directory(entry, (int64_t)entry->entry + offset);
    int64_t at = lseek(entry->host, offset, (int)whence);
    return at < 0 ? -errno : at;
}

int64_t gs_linux_sys_lseek(gs_linux_call *call)
{
    int64_t at = seek(call, (int32_t)call->args[1], call->args[2]);
    return at > INT32_MAX ? -EOVERFLOW : at;
}

int64_t gs_linux_sys__llseek(gs_linux_call *call)
{
    uint8_t bytes[8];
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    int64_t offset = (int64_t)((uint64_t)call->args[1] << 32 | call->args[2]);
    int64_t at = seek(call, offset, call->args[4]);
    if (at < 0)
        return at;
    gs_wire_put64(&wire, (uint64_t)at);
    return gs_linux_put(call, call->args[3], &wire);
}

/* newlib seeks with three arguments under the same number, and leaves the others zero; the
 * kernel's call cannot do without the address in the fourth. */
int64_t gs_linux_sys_llseek_or_lseek(gs_linux_call *call)
{
    return call->args[3] ? gs_linux_sys__llseek(call) : gs_linux_sys_lseek(call);
}

int gs_linux_fd_duplicate(const gs_linux_process *process, const gs_linux_fd *entry)
{
    int host = fcntl(entry->host, F_DUPFD_CLOEXEC, 0);
    if (host >= process->files.host_end) {
        close(host);
        return -EMFILE;
    }
    return host < 0 ? -errno : host;
}

static int64_t duplicate_from(gs_linux_call *call, uint32_t from, bool close_on_exec)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    if (!entry)
        return -EBADF;
    if (from >= fd_limit(call->process))
        return from ? -EINVAL : -EMFILE;
    int host = gs_linux_fd_duplicate(call->process, entry);
    gs_linux_fd as = *entry;
    if (host < 0)
        return host;
    return mark(call->process, gs_linux_fd_add(call->process, host, from, close_on_exec), &as);
}

int64_t gs_linux_sys_dup(gs_linux_call *call)
{
    return duplicate_from(call, 0, false);
}

static int64_t duplicate_to(gs_linux_call *call, bool close_on_exec)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    if (!entry || call->args[1] >= fd_limit(call->process))
        return -EBADF;
    int host = gs_linux_fd_duplicate(call->process, entry);
    gs_linux_fd as = *entry;
    if (host < 0)
        return host;
    return mark(call->process, gs_linux_fd_put(call->process, host, call->args[1], close_on_exec),
                &as);
}

int64_t gs_linux_sys_dup2(gs_linux_call *call)
{
    if (call->args[0] == call->args[1])
        return gs_linux_fd_get(call->process, call->args[0]) ? (int64_t)call->args[0] : -EBADF;
    return duplicate_to(call, false);
}

int64_t gs_linux_sys_dup3(gs_linux_call *call)
{
    int flags = gs_linux_open_flags_to_host(call->process->abi->flavor, call->args[2]);
    if (call->args[0] == call->args[1] || flags & ~O_CLOEXEC)
        return -EINVAL;
    return duplicate_to(call, flags & O_CLOEXEC);
}

/* Two descriptors, or an error and none. */
static int make_pipe(gs_linux_process *process, int flags, int fds[2])
{
    int host[2];
    if (pipe2(host, flags | O_CLOEXEC) != 0)
        return -errno;
    fds[0] = gs_linux_fd_add(process, host[0], 0, flags & O_CLOEXEC);
    if (fds[0] < 0) {
        close(host[1]);
        return fds[0];
    }
    fds[1] = gs_linux_fd_add(process, host[1], 0, flags & O_CLOEXEC);
    if (fds[1] < 0) {
        gs_linux_fd_close(&process->files.fds[fds[0]]);
        return fds[1];
    }
    return 0;
}

/* MIPS: the second descriptor is a second result. */
int64_t gs_linux_sys_pipe(gs_linux_call *call)
{
    int fds[2] = {-1, -1};
    int status = make_pipe(call->process, 0, fds);
    if (status)
        return status;
    call->has_second = true;
    call->second = (uint32_t)fds[1];
    return fds[0];
}

int64_t gs_linux_sys_pipe2(gs_linux_call *call)
{
    int flags = gs_linux_open_flags_to_host(call->process->abi->flavor, call->args[1]);
    uint8_t bytes[8];
    int fds[2] = {-1, -1};
    if (flags & ~(O_CLOEXEC | O_NONBLOCK | O_DIRECT))
        return -EINVAL;
    int status = make_pipe(call->process, flags, fds);
    if (status)
        return status;
    gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
    gs_wire_put32(&wire, (uint64_t)fds[0]);
    gs_wire_put32(&wire, (uint64_t)fds[1]);
    if (gs_linux_put(call, call->args[0], &wire)) {
        gs_linux_fd_close(&call->process->files.fds[fds[0]]);
        gs_linux_fd_close(&call->process->files.fds[fds[1]]);
        return -EFAULT;
    }
    return 0;
}

enum { PIPE_MOST = 1 << 20 }; /* of a user without privileges: the usual fs.pipe-max-size */

/* Where fcntl(2)'s commands differ: locks and owners. */
typedef enum command {
    DUPFD,
    GETFD,
    SETFD,
    GETFL,
    SETFL,
    GETLK,
    SETLK,
    SETLKW,
    GETLK64,
    SETLK64,
    SETLKW64,
    SETOWN,
    GETOWN,
    DUPFD_CLOEXEC,
    SETPIPE_SZ,
    GETPIPE_SZ,
    COMMANDS
} command;

static const uint16_t commands[COMMANDS][GS_LINUX_FLAVORS] = {
    [DUPFD] = {0, 0},
    [GETFD] = {1, 1},
    [SETFD] = {2, 2},
    [GETFL] = {3, 3},
    [SETFL] = {4, 4},
    [GETLK] = {5, 14},
    [SETLK] = {6, 6},
    [SETLKW] = {7, 7},
    [GETLK64] = {12, 33},
    [SETLK64] = {13, 34},
    [SETLKW64] = {14, 35},
    [SETOWN] = {8, 24},
    [GETOWN] = {9, 23},
    [DUPFD_CLOEXEC] = {1030, 1030},
    [SETPIPE_SZ] = {1031, 1031},
    [GETPIPE_SZ] = {1032, 1032},
};

/* struct flock and struct flock64: type and whence, then aligned start and length, then pid. */
static int64_t lock(gs_linux_call *call, int host, int host_command, bool wide)
{
    uint8_t bytes[32];
    unsigned size = wide ? 8 : 4;
    gs_wire wire = gs_linux_wire(call, bytes, wide ? 32 : 20);
    if (gs_linux_get(call, call->args[2], &wire))
        return -EFAULT;
    struct flock flock = {.l_type = (short)gs_wire_take(&wire, 2),
                          .l_whence = (short)gs_wire_take(&wire, 2)};
    gs_wire_skip(&wire, size - 4);
    flock.l_start = wide ? (off_t)gs_wire_take64(&wire) : (int32_t)gs_wire_take32(&wire);
    flock.l_len = wide ? (off_t)gs_wire_take64(&wire) : (int32_t)gs_wire_take32(&wire);
    int64_t result = gs_linux_host_result(fcntl(host, host_command, &flock));
    if (result < 0 || host_command != F_GETLK)
        return result;
    wire.at = 0;
    gs_wire_put16(&wire, (uint64_t)flock.l_type);
    gs_wire_put16(&wire, (uint64_t)flock.l_whence);
    gs_wire_zero(&wire, size - 4);
    gs_wire_put(&wire, (uint64_t)flock.l_start, size);
    gs_wire_put(&wire, (uint64_t)flock.l_len, size);
    if (call->process->abi->flavor == GS_LINUX_MIPS && !wide)
        gs_wire_zero(&wire, 4); /* l_sysid */
    gs_wire_put32(&wire, (uint64_t)flock.l_pid);
    return gs_linux_put(call, call->args[2], &wire);
}

int64_t gs_linux_sys_fcntl(gs_linux_call *call)
{
    const gs_linux_flavor flavor = call->process->abi->flavor;
    gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    uint32_t argument = call->args[2];
    unsigned which = 0;
    while (which < COMMANDS && commands[which][flavor] != call->args[1])
        which++;
    if (!entry)
        return -EBADF;
    switch ((command)which) {
    case DUPFD: return duplicate_from(call, argument, false);
    case DUPFD_CLOEXEC: return duplicate_from(call, argument, true);
    case GETFD: return entry->close_on_exec;
    case SETFD: entry->close_on_exec = argument & 1; return 0;
    case GETFL: {
        int flags = fcntl(entry->host, F_GETFL);
        return flags < 0 ? -errno : (int64_t)gs_linux_open_flags(flavor, flags & ~O_CLOEXEC);
    }
    case SETFL: {
        int flags = gs_linux_open_flags_to_host(flavor, argument) & ~O_ASYNC;
        return gs_linux_host_result(fcntl(entry->host, F_SETFL, flags));
    }
    case GETLK: return lock(call, entry->host, F_GETLK, false);
    case SETLK: return lock(call, entry->host, F_SETLK, false);
    case SETLKW: return lock(call, entry->host, F_SETLKW, false);
    case GETLK64: return lock(call, entry->host, F_GETLK, true);
    case SETLK64: return lock(call, entry->host, F_SETLK, true);
    case SETLKW64: return lock(call, entry->host, F_SETLKW, true);
    case SETOWN:
    case GETOWN: return 0; /* nothing ever sends SIGIO */
    case SETPIPE_SZ:
        if (argument > PIPE_MOST)
            return -EPERM;
        return gs_linux_host_result(fcntl(entry->host, F_SETPIPE_SZ, (int)argument));
    case GETPIPE_SZ: return gs_linux_host_result(fcntl(entry->host, F_GETPIPE_SZ));
    default: return -EINVAL;
    }
}
