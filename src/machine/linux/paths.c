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
        snprintf(path->text, sizeof path->text, "%s", process->program);
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
    if (out->text[0] != '/' && dir_fd != GS_LINUX_AT_FDCWD) {
        const gs_linux_fd *entry = gs_linux_fd_get(process, dir_fd);
        if (!entry)
            return -EBADF;
        out->dir = entry->host;
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

int gs_linux_path_open(gs_linux_process *process, const gs_linux_path *path, int flags, mode_t mode)
{
    if (path->kind == GS_LINUX_PATH_DESCRIPTOR) {
        const gs_linux_fd *entry = gs_linux_fd_get(process, path->fd);
        if (!entry)
            return -ENOENT;
        /* Opens the file anew, which has a position of its own then. */
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", entry->host);
        int copy = open(link, (flags & ~O_NOFOLLOW) | O_CLOEXEC | O_NOCTTY, mode);
        return copy < 0 ? -errno : copy;
    }
    /* The host applies its own file mask, so a file that is new gets its mode once more. */
    struct stat st;
    bool is_new = (flags & O_CREAT) && process->files.umask != process->files.host_umask &&
                  fstatat(path->dir, path->text, &st, AT_SYMLINK_NOFOLLOW) != 0;
    mode &= ~process->files.umask;
    int host = gs_hostpath_open(path->dir, path->text, flags | O_CLOEXEC | O_NOCTTY, mode);
    if (host < 0)
        return host;
    if (is_new)
        (void)!fchmod(host, mode);
    return host;
}
