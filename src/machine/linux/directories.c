/* System calls that read, make, rename and remove directory entries. */
#include "machine/linux/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/vec.h"
#include "machine/hostpath.h"

/* The host's struct linux_dirent64; the guest's is the same in its own byte order. */
enum { D_OFF = 8, D_RECLEN = 16, D_TYPE = 18, D_NAME = 19 };

/* Where the entry after this one begins, for the guest's seekdir. */
static bool note_position(gs_linux_fd *entry, int64_t position)
{
    if (entry->entry < entry->positions.count)
        entry->positions.items[entry->entry] = position;
    else if (!gs_vec_push(&entry->positions, position))
        return false;
    entry->entry++;
    return true;
}

typedef struct directory_entry {
    uint64_t number;
    uint64_t position;
    uint16_t length;
    uint8_t type;
    char *name;
} directory_entry;

/* Both kinds are written over the host's entries: they are as long or shorter. */
static void put_entry64(gs_wire *wire, const directory_entry *e)
{
    size_t rest = e->length - (size_t)D_NAME;
    gs_wire_put64(wire, e->number);
    gs_wire_put64(wire, e->position);
    gs_wire_put16(wire, e->length);
    gs_wire_put(wire, e->type, 1);
    memmove(wire->bytes + wire->at, e->name, rest);
    wire->at += rest;
}

/* struct linux_dirent: narrow numbers, and the type in the last byte. */
static void put_entry(gs_wire *wire, const directory_entry *e)
{
    size_t name_size = strlen(e->name) + 1;
    size_t length = (10 + name_size + 1 + 3) & ~(size_t)3;
    gs_wire_put32(wire, e->number);
    gs_wire_put32(wire, e->position);
    gs_wire_put16(wire, length);
    memmove(wire->bytes + wire->at, e->name, name_size);
    wire->at += name_size;
    gs_wire_zero(wire, length - 10 - name_size - 1);
    gs_wire_put(wire, e->type, 1);
}

static int64_t get_entries(gs_linux_call *call, bool wide)
{
    gs_linux_process *process = call->process;
    gs_linux_fd *entry = gs_linux_fd_get(process, call->args[0]);
    uint32_t room = call->args[2] < GS_LINUX_BUFFER ? call->args[2] : GS_LINUX_BUFFER;
    if (!entry)
        return -EBADF;
    if (!gs_memory_allows(&process->machine->memory, call->args[1], room, GS_PROT_WRITE))
        return -EFAULT;
    long filled = syscall(SYS_getdents64, entry->host, process->buffer, room);
    if (filled < 0)
        return gs_linux_host_result(filled);

    gs_wire wire = gs_linux_wire(call, process->buffer, sizeof process->buffer);
    for (long at = 0; at < filled;) {
        uint8_t *host = process->buffer + at;
        directory_entry e = {.type = host[D_TYPE], .name = (char *)host + D_NAME};
        uint64_t position;
        memcpy(&e.number, host, sizeof e.number);
        memcpy(&position, host + D_OFF, sizeof position);
        memcpy(&e.length, host + D_RECLEN, sizeof e.length);
        if (!note_position(entry, (int64_t)position))
            return -ENOMEM;
        e.number = gs_linux_file_number(e.number);
        e.position = entry->entry;
        at += e.length;
        (wide ? put_entry64 : put_entry)(&wire, &e);
    }
    int status = gs_linux_put(call, call->args[1], &wire);
    return status ? status : (int64_t)wire.at;
}

int64_t gs_linux_sys_getdents(gs_linux_call *call)
{
    return get_entries(call, false);
}

int64_t gs_linux_sys_getdents64(gs_linux_call *call)
{
    return get_entries(call, true);
}

int64_t gs_linux_sys_getcwd(gs_linux_call *call)
{
    const gs_linux_files *files = &call->process->files;
    char text[PATH_MAX];
    struct stat st;
    if (fstat(files->cwd, &st) != 0 || st.st_nlink == 0)
        return -ENOENT;
    int status =
        gs_sandbox_guest_path(call->process->machine->sandbox, files->cwd, text, sizeof text);
    if (status)
        return status;
    size_t size = strlen(text) + 1;
    if (call->args[1] < size)
        return -ERANGE;
    if (!gs_memory_write(&call->process->machine->memory, call->args[0], text, size))
        return -EFAULT;
    return (int64_t)size;
}

static int64_t go_to(gs_linux_process *process, int host)
{
    if (host < 0)
        return host;
    /* The right to look names up in it is asked for only when it is used. */
    if (faccessat(host, ".", X_OK, AT_EACCESS) != 0) {
        int error = errno;
        close(host);
        return -error;
    }
    close(process->files.cwd);
    process->files.cwd = host;
    return 0;
}

int64_t gs_linux_sys_chdir(gs_linux_call *call)
{
    gs_linux_path path;
    int status = gs_linux_path_get_host(call, GS_LINUX_AT_FDCWD, call->args[0], &path);
    if (status)
        return status;
    return go_to(call->process,
                 gs_linux_path_open(call->process, &path, O_PATH | O_DIRECTORY, 0, NULL));
}

int64_t gs_linux_sys_fchdir(gs_linux_call *call)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    if (!entry)
        return -EBADF;
    int host = openat(entry->host, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return go_to(call->process, host < 0 ? -errno : host);
}

int64_t gs_linux_sys_umask(gs_linux_call *call)
{
    mode_t old = call->process->files.umask;
    call->process->files.umask = call->args[0] & 0777;
    return old;
}

/* Reads a path into a local `path`, or returns the error from the calling function. */
#define GET_PATH(path, dir_fd, address)                                         \
    gs_linux_path path;                                                         \
    do {                                                                        \
        int path_status = gs_linux_path_get_host(call, dir_fd, address, &path); \
        if (path_status)                                                        \
            return path_status;                                                 \
    } while (0)

static int64_t make_directory(gs_linux_call *call, uint32_t dir_fd, gs_addr from, uint32_t mode)
{
    const gs_linux_files *files = &call->process->files;
    GET_PATH(path, dir_fd, from);
    mode_t wanted = mode & 01777 & ~files->umask;
    gs_sandbox *sandbox = call->process->machine->sandbox;
    int status = gs_machine_made(call->process->machine,
                                 gs_hostpath_mkdir(sandbox, path.dir, path.text, wanted));
    if (status || files->umask == files->host_umask)
        return status;
    /* The host has applied its own file mask. */
    int host = gs_hostpath_open(sandbox, path.dir, path.text,
                                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0, NULL);
    if (host >= 0) {
        (void)!fchmod(host, wanted);
        close(host);
    }
    return 0;
}

int64_t gs_linux_sys_mkdir(gs_linux_call *call)
{
    return make_directory(call, GS_LINUX_AT_FDCWD, call->args[0], call->args[1]);
}

int64_t gs_linux_sys_mkdirat(gs_linux_call *call)
{
    return make_directory(call, call->args[0], call->args[1], call->args[2]);
}

static int64_t make_node(gs_linux_call *call, uint32_t dir_fd, gs_addr from, uint32_t mode)
{
    mode_t type = mode & S_IFMT;
    GET_PATH(path, dir_fd, from);
    if (type != 0 && type != S_IFREG && type != S_IFIFO)
        return -EPERM;
    mode_t wanted = mode & 07777 & ~call->process->files.umask;
    gs_machine *machine = call->process->machine;
    return gs_machine_made(machine,
                           gs_hostpath_mknod(machine->sandbox, path.dir, path.text, type | wanted));
}

int64_t gs_linux_sys_mknod(gs_linux_call *call)
{
    return make_node(call, GS_LINUX_AT_FDCWD, call->args[0], call->args[1]);
}

int64_t gs_linux_sys_mknodat(gs_linux_call *call)
{
    return make_node(call, call->args[0], call->args[1], call->args[2]);
}

static int64_t remove_name(gs_linux_call *call, uint32_t dir_fd, gs_addr from, uint32_t flags)
{
    GET_PATH(path, dir_fd, from);
    if (flags & ~(uint32_t)AT_REMOVEDIR)
        return -EINVAL;
    return gs_hostpath_unlink(call->process->machine->sandbox, path.dir, path.text, (int)flags);
}

int64_t gs_linux_sys_rmdir(gs_linux_call *call)
{
    return remove_name(call, GS_LINUX_AT_FDCWD, call->args[0], AT_REMOVEDIR);
}

int64_t gs_linux_sys_unlink(gs_linux_call *call)
{
    return remove_name(call, GS_LINUX_AT_FDCWD, call->args[0], 0);
}

int64_t gs_linux_sys_unlinkat(gs_linux_call *call)
{
    return remove_name(call, call->args[0], call->args[1], call->args[2]);
}

static int64_t rename_path(gs_linux_call *call, uint32_t old_fd, gs_addr old_addr, uint32_t new_fd,
                           gs_addr new_addr, uint32_t flags)
{
    GET_PATH(old_path, old_fd, old_addr);
    GET_PATH(new_path, new_fd, new_addr);
    return gs_hostpath_rename(call->process->machine->sandbox, old_path.dir, old_path.text,
                              new_path.dir, new_path.text, flags);
}

int64_t gs_linux_sys_rename(gs_linux_call *call)
{
    return rename_path(call, GS_LINUX_AT_FDCWD, call->args[0], GS_LINUX_AT_FDCWD, call->args[1], 0);
}

int64_t gs_linux_sys_renameat(gs_linux_call *call)
{
    return rename_path(call, call->args[0], call->args[1], call->args[2], call->args[3], 0);
}

int64_t gs_linux_sys_renameat2(gs_linux_call *call)
{
    return rename_path(call, call->args[0], call->args[1], call->args[2], call->args[3],
                       call->args[4]);
}

static int64_t link_path(gs_linux_call *call, uint32_t old_fd, gs_addr old_addr, uint32_t new_fd,
                         gs_addr new_addr, uint32_t flags)
{
    GET_PATH(old_path, old_fd, old_addr);
    GET_PATH(new_path, new_fd, new_addr);
    if (flags & ~(uint32_t)(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH))
        return -EINVAL;
    if (!*old_path.text && flags & AT_EMPTY_PATH) {
        const gs_linux_fd *entry = gs_linux_fd_get(call->process, old_fd);
        if (!entry || entry->read_only) /* such as what standard output goes to */
            return -EACCES;
    }
    gs_machine *machine = call->process->machine;
    return gs_machine_made(machine, gs_hostpath_link(machine->sandbox, old_path.dir, old_path.text,
                                                     new_path.dir, new_path.text, (int)flags));
}

int64_t gs_linux_sys_link(gs_linux_call *call)
{
    return link_path(call, GS_LINUX_AT_FDCWD, call->args[0], GS_LINUX_AT_FDCWD, call->args[1], 0);
}

int64_t gs_linux_sys_linkat(gs_linux_call *call)
{
    return link_path(call, call->args[0], call->args[1], call->args[2], call->args[3],
                     call->args[4]);
}

static int64_t make_symlink(gs_linux_call *call, gs_addr target_addr, uint32_t dir_fd, gs_addr from)
{
    char target[PATH_MAX];
    GET_PATH(path, dir_fd, from);
    if (!gs_memory_read_string(&call->process->machine->memory, target_addr, target, sizeof target))
        return -EFAULT;
    gs_machine *machine = call->process->machine;
    return gs_machine_made(machine,
                           gs_hostpath_symlink(machine->sandbox, target, path.dir, path.text));
}

int64_t gs_linux_sys_symlink(gs_linux_call *call)
{
    return make_symlink(call, call->args[0], GS_LINUX_AT_FDCWD, call->args[1]);
}

int64_t gs_linux_sys_symlinkat(gs_linux_call *call)
{
    return make_symlink(call, call->args[0], call->args[1], call->args[2]);
}

static int64_t read_link(gs_linux_call *call, uint32_t dir_fd, gs_addr from, gs_addr to,
                         uint32_t size)
{
    gs_linux_path path;
    char target[PATH_MAX];
    ssize_t length;
    int status = gs_linux_path_get(call, dir_fd, from, &path);
    if (status)
        return status;
    if ((int32_t)size <= 0)
        return -EINVAL;
    if (path.kind == GS_LINUX_PATH_PROGRAM) {
        length = snprintf(target, sizeof target, "%s", call->process->shown_program);
    } else if (path.kind == GS_LINUX_PATH_DESCRIPTOR) {
        const gs_linux_fd *entry = gs_linux_fd_get(call->process, path.fd);
        if (!entry)
            return -ENOENT;
        status = gs_sandbox_guest_path(call->process->machine->sandbox, entry->host, target,
                                       sizeof target);
        if (status)
            return status;
        length = (ssize_t)strlen(target);
    } else {
        int host = gs_linux_path_find(call->process, &path, AT_SYMLINK_NOFOLLOW, GS_HOSTPATH_LOOK);
        if (host < 0)
            return host;
        length = readlinkat(host, "", target, sizeof target);
        status = length < 0 ? -errno : 0;
        close(host);
        /* An empty path is what the host calls it. */
        if (status)
            return status == -ENOENT ? -EINVAL : status;
    }
    if ((uint32_t)length > size)
        length = (ssize_t)size;
    if (!gs_memory_write(&call->process->machine->memory, to, target, (uint64_t)length))
        return -EFAULT;
    return length;
}

int64_t gs_linux_sys_readlink(gs_linux_call *call)
{
    return read_link(call, GS_LINUX_AT_FDCWD, call->args[0], call->args[1], call->args[2]);
}

int64_t gs_linux_sys_readlinkat(gs_linux_call *call)
{
    return read_link(call, call->args[0], call->args[1], call->args[2], call->args[3]);
}
