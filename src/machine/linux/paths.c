/*
 * From the guest's paths to the host's. A few absolute paths name the process
 * itself, and would name Gumshoe if the host looked them up.
 */
#include "machine/linux/files.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "machine/hostpath.h"
#include "machine/linux/process.h"

/* What follows `prefix` in `text`, or NULL. */
static const char *after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* What follows the directory of the process in /proc, or NULL. */
static const char *after_proc(const char *text)
{
    char by_pid[32];
    snprintf(by_pid, sizeof by_pid, "/proc/%d/", GS_LINUX_PID);
    const char *rest = after(text, "/proc/self/");
    if (!rest)
        rest = after(text, "/proc/thread-self/");
    return rest ? rest : after(text, by_pid);
}

static bool parse_fd(const char *text, uint32_t *fd)
{
    if (!isdigit((unsigned char)*text))
        return false;
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *fd = value < GS_LINUX_FD_MAX ? (uint32_t)value : GS_LINUX_FD_MAX;
    return *end == '\0';
}

/* Tells the paths apart that lead to the process itself; 0 or a negative errno. */
static int classify(const gs_linux_process *process, gs_linux_path *path)
{
    static const char *const standard[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    path->kind = GS_LINUX_PATH_HOST;
    for (uint32_t fd = 0; fd < 3; fd++) {
        if (strcmp(path->text, standard[fd]) == 0) {
            path->kind = GS_LINUX_PATH_DESCRIPTOR;
            path->fd = fd;
            return 0;
        }
    }
    const char *fd_text = after(path->text, "/dev/fd/");
    const char *proc = after_proc(path->text);
    if (strcmp(path->text, process->shown_program) == 0)
        proc = "exe";
    if (!fd_text && !proc)
        return 0;
    if (proc && strcmp(proc, "exe") == 0) {
        path->kind = GS_LINUX_PATH_PROGRAM;
        snprintf(path->text, sizeof path->text, "%s", process->machine->sandbox->program_path);
        return 0;
    }
    if (!fd_text)
        fd_text = after(proc, "fd/");
    if (fd_text && parse_fd(fd_text, &path->fd)) {
        path->kind = GS_LINUX_PATH_DESCRIPTOR;
        return 0;
    }
    return -ENOENT;
}

int gs_linux_path_get(const gs_linux_call *call, uint32_t dir_fd, uint32_t address,
                      gs_linux_path *out)
{
    gs_linux_process *process = call->process;
    if (!gs_memory_read_string(&process->machine->memory, address, out->text, sizeof out->text)) {
        /* Too long, if it did not fault. */
        bool fits =
            gs_memory_allows(&process->machine->memory, address, sizeof out->text, GS_PROT_READ);
        return fits ? -ENAMETOOLONG : -EFAULT;
    }
    out->dir = process->files.cwd;
    out->fd = GS_LINUX_AT_FDCWD;
    if (out->text[0] != '/' && dir_fd != GS_LINUX_AT_FDCWD) {
        const gs_linux_fd *entry = gs_linux_fd_get(process, dir_fd);
        if (!entry)
            return -EBADF;
        out->dir = entry->host;
        out->fd = dir_fd;
    }
    return classify(process, out);
}

int gs_linux_path_get_host(const gs_linux_call *call, uint32_t dir_fd, uint32_t address,
                           gs_linux_path *out)
{
    int status = gs_linux_path_get(call, dir_fd, address, out);
    if (status)
        return status;
    return out->kind == GS_LINUX_PATH_DESCRIPTOR ? -ENOENT : 0;
}

const char *gs_linux_fd_path(char to[32], int host)
{
    snprintf(to, 32, "/proc/self/fd/%d", host);
    return to;
}

/* Opens a file anew that is open already, which has a position of its own then: with no more
 * rights than it was opened with. */
static int open_again(int host, int flags)
{
    char link[32];
    int old = fcntl(host, F_GETFL);
    if (old < 0)
        return -errno;
    int rights = old & O_PATH ? O_RDONLY : old & O_ACCMODE;
    bool reads = (flags & O_ACCMODE) != O_WRONLY;
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
    if (!(flags & O_PATH) && ((reads && rights == O_WRONLY) || (writes && rights == O_RDONLY)))
        return -EACCES;
    flags &= ~(O_NOFOLLOW | O_CREAT | O_EXCL);
    int copy = open(gs_linux_fd_path(link, host), flags | O_CLOEXEC | O_NOCTTY);
    return copy < 0 ? -errno : copy;
}

int gs_linux_path_open(gs_linux_process *process, const gs_linux_path *path, int flags, mode_t mode,
                       bool *read_only)
{
    gs_hostpath_opened opened = {.read_only = true};
    int host;
    if (path->kind == GS_LINUX_PATH_DESCRIPTOR) {
        const gs_linux_fd *entry = gs_linux_fd_get(process, path->fd);
        if (!entry)
            return -ENOENT;
        opened.read_only = entry->read_only;
        host = open_again(entry->host, flags);
    } else if (path->kind == GS_LINUX_PATH_PROGRAM) {
        host = open_again(process->machine->sandbox->program, flags);
    } else {
        host =
            gs_hostpath_open(process->machine->sandbox, path->dir, path->text,
                             flags | O_CLOEXEC | O_NOCTTY, mode & ~process->files.umask, &opened);
        if (opened.is_new)
            host = gs_machine_made(process->machine, host);
        /* The host applies its own file mask, so a file that is new gets its mode once more. */
        if (host >= 0 && opened.is_new && process->files.umask != process->files.host_umask)
            (void)!fchmod(host, mode & ~process->files.umask);
    }
    if (read_only)
        *read_only = opened.read_only;
    return host;
}

static bool may_change_home(const gs_sandbox *sandbox, int dir)
{
    int rule = gs_sandbox_locate(sandbox, dir);
    return rule != GS_SANDBOX_OUTSIDE && !gs_sandbox_is_read_only(sandbox, rule);
}

int gs_linux_path_find(gs_linux_process *process, const gs_linux_path *path, int flags,
                       gs_hostpath_use use)
{
    bool changes = use >= GS_HOSTPATH_WRITE;
    const gs_sandbox *sandbox = process->machine->sandbox;
    int host = -1;
    if (path->kind == GS_LINUX_PATH_HOST && (*path->text || !(flags & AT_EMPTY_PATH)))
        return gs_hostpath_find(process->machine->sandbox, path->dir, path->text,
                                !(flags & AT_SYMLINK_NOFOLLOW), use);
    if (path->kind == GS_LINUX_PATH_PROGRAM) {
        if (changes)
            return -EACCES;
        host = sandbox->program;
    } else if (path->kind == GS_LINUX_PATH_DESCRIPTOR) {
        const gs_linux_fd *entry = gs_linux_fd_get(process, path->fd);
        if (!entry)
            return -ENOENT;
        if (changes && entry->read_only)
            return -EROFS;
        host = entry->host;
    } else {
        /* What the path starts from: the working directory, or a descriptor of the guest's. */
        const gs_linux_fd *entry = gs_linux_fd_get(process, path->fd);
        if (changes && (entry ? entry->read_only : !may_change_home(sandbox, path->dir)))
            return -EROFS;
        host = path->dir;
    }
    int copy = fcntl(host, F_DUPFD_CLOEXEC, 0);
    return copy < 0 ? -errno : copy;
}

int gs_linux_path_find_at(const gs_linux_call *call, uint32_t dir_fd, uint32_t address, int flags,
                          gs_hostpath_use use)
{
    gs_linux_path path;
    int status = gs_linux_path_get(call, dir_fd, address, &path);
    return status ? status : gs_linux_path_find(call->process, &path, flags, use);
}
