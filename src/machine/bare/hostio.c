/* Opens, reads and writes files of the host for semihosting, through the sandbox. */
#include "machine/bare/hostio.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "machine/bare/bare.h"
#include "machine/hostpath.h"

void gs_files_init(gs_files *files, gs_console *console, gs_sandbox *sandbox)
{
    *files = (gs_files){.console = console, .sandbox = sandbox};
    files->files[0].kind = GS_FILE_STDIN;
    files->files[1].kind = GS_FILE_STDOUT;
    files->files[2].kind = GS_FILE_STDERR;
}

void gs_files_fini(gs_files *files)
{
    for (uint32_t i = 0; i < GS_FILES_MAX; i++)
        gs_files_close(files, i);
}

static gs_file *get(gs_files *files, uint32_t handle)
{
    if (handle >= GS_FILES_MAX || files->files[handle].kind == GS_FILE_CLOSED)
        return NULL;
    return &files->files[handle];
}

static int add(gs_files *files, gs_file file)
{
    for (int i = 3; i < GS_FILES_MAX; i++) {
        if (files->files[i].kind == GS_FILE_CLOSED) {
            files->files[i] = file;
            return i;
        }
    }
    return -EMFILE;
}

int gs_files_open(gs_files *files, const char *path, int flags, mode_t mode)
{
    gs_hostpath_opened opened;
    int fd = gs_hostpath_open(files->sandbox, AT_FDCWD, path, flags | O_CLOEXEC | O_NOCTTY, mode,
                              &opened);
    if (fd < 0)
        return fd;
    if (opened.is_new)
        (void)gs_machine_made(files->console->machine, fd);
    int handle = add(files, (gs_file){.kind = GS_FILE_HOST, .fd = fd});
    if (handle < 0)
        close(fd);
    return handle;
}

int gs_files_open_console(gs_files *files, gs_file_kind kind)
{
    return add(files, (gs_file){.kind = kind});
}

int gs_files_open_text(gs_files *files, const char *text, size_t length)
{
    return add(files, (gs_file){.kind = GS_FILE_TEXT, .text = text, .length = length});
}

int gs_files_close(gs_files *files, uint32_t handle)
{
    gs_file *file = get(files, handle);
    if (!file)
        return -EBADF;
    int failed = file->kind == GS_FILE_HOST && close(file->fd) != 0 ? -errno : 0;
    *file = (gs_file){0};
    return failed;
}

/* The host's descriptor behind a file, or -1. */
static int descriptor(const gs_files *files, const gs_file *file)
{
    switch (file->kind) {
    case GS_FILE_STDIN: return files->console->fd[0];
    case GS_FILE_STDOUT: return files->console->fd[1];
    case GS_FILE_STDERR: return files->console->fd[2];
    case GS_FILE_HOST: return file->fd;
    default: return -1;
    }
}

int64_t gs_files_seek(gs_files *files, uint32_t handle, int64_t offset, int whence)
{
    gs_file *file = get(files, handle);
    if (!file)
        return -EBADF;
    if (file->kind == GS_FILE_HOST) {
        off_t at = lseek(file->fd, offset, whence);
        return at < 0 ? -errno : at;
    }
    if (file->kind != GS_FILE_TEXT)
        return -ESPIPE;
    int64_t from = whence == SEEK_SET   ? 0
                   : whence == SEEK_CUR ? (int64_t)file->position
                                        : (int64_t)file->length;
    if (__builtin_add_overflow(from, offset, &from) || from < 0 || from > (int64_t)file->length)
        return -EINVAL;
    file->position = (size_t)from;
    return from;
}

int gs_files_stat(gs_files *files, uint32_t handle, struct stat *out)
{
    gs_file *file = get(files, handle);
    if (!file)
        return -EBADF;
    memset(out, 0, sizeof *out);
    if (file->kind == GS_FILE_TEXT) {
        out->st_mode = S_IFREG | 0444;
        out->st_size = (off_t)file->length;
        return 0;
    }
    return fstat(descriptor(files, file), out) == 0 ? 0 : -errno;
}

int gs_files_is_terminal(gs_files *files, uint32_t handle)
{
    gs_file *file = get(files, handle);
    if (!file)
        return -EBADF;
    int fd = descriptor(files, file);
    return fd >= 0 && isatty(fd);
}

/* One read into our own memory. */
static int64_t read_some(gs_files *files, gs_file *file, void *to, size_t size, int64_t offset)
{
    ssize_t n;
    switch (file->kind) {
    case GS_FILE_STDIN:
        if (offset >= 0)
            return -ESPIPE;
        n = gs_console_read(files->console, to, size);
        break;
    case GS_FILE_HOST:
        n = offset < 0 ? read(file->fd, to, size) : pread(file->fd, to, size, offset);
        break;
    case GS_FILE_TEXT: {
        size_t at = offset < 0 ? file->position : (size_t)offset;
        size_t left = at < file->length ? file->length - at : 0;
        n = (ssize_t)(size < left ? size : left);
        memcpy(to, file->text + (left ? at : 0), (size_t)n);
        if (offset < 0)
            file->position += (size_t)n;
        return n;
    }
    default: return -EBADF;
    }
    return n < 0 ? -errno : n;
}

static int64_t write_some(gs_files *files, gs_file *file, const void *from, size_t size,
                          int64_t offset)
{
    ssize_t n;
    switch (file->kind) {
    case GS_FILE_STDOUT:
    case GS_FILE_STDERR: {
        gs_console_stream stream = file->kind == GS_FILE_STDERR ? GS_CONSOLE_ERR : GS_CONSOLE_OUT;
        size_t taken = gs_console_write(files->console, stream, from, size);
        return taken == size ? (int64_t)size : -files->console->error[stream];
    }
    case GS_FILE_HOST:
        n = offset < 0 ? gs_console_host_write(file->fd, from, size)
                       : pwrite(file->fd, from, size, offset);
        if (n > 0)
            gs_machine_wrote(files->console->machine, (uint64_t)n);
        return n < 0 ? -errno : n;
    default: return -EBADF;
    }
}

typedef int64_t transfer(gs_bare *bare, gs_file *file, gs_addr at, uint32_t size, int64_t offset);

static int64_t read_piece(gs_bare *bare, gs_file *file, gs_addr to, uint32_t size, int64_t offset)
{
    uint8_t buffer[4096];
    size_t wanted = size < sizeof buffer ? size : sizeof buffer;
    int64_t n = read_some(&bare->files, file, buffer, wanted, offset);
    if (n > 0 && !gs_memory_write(&bare->machine->memory, to, buffer, (uint64_t)n))
        return -EFAULT;
    return n;
}

static int64_t write_piece(gs_bare *bare, gs_file *file, gs_addr from, uint32_t size,
                           int64_t offset)
{
    uint8_t buffer[4096];
    size_t wanted = size < sizeof buffer ? size : sizeof buffer;
    if (!gs_memory_read(&bare->machine->memory, from, buffer, wanted))
        return -EFAULT;
    return write_some(&bare->files, file, buffer, wanted, offset);
}

/* Piece by piece until one comes back short. What was moved before an error counts. */
static int64_t move(gs_bare *bare, uint32_t handle, gs_addr at, uint32_t size, int64_t offset,
                    transfer *piece)
{
    gs_file *file = get(&bare->files, handle);
    uint32_t done = 0;

    if (!file)
        return -EBADF;
    while (done < size) {
        uint32_t left = size - done;
        int64_t n = piece(bare, file, at + done, left, offset < 0 ? offset : offset + done);
        if (n < 0)
            return done ? done : n;
        done += (uint32_t)n;
        if (n < 4096)
            break;
        /* What a terminal or a pipe has is enough; only files are read to the full. */
        if (piece == read_piece && file->kind == GS_FILE_STDIN)
            break;
    }
    return done;
}

int64_t gs_files_read(gs_bare *bare, uint32_t handle, gs_addr to, uint32_t size, int64_t offset)
{
    if (!gs_memory_allows(&bare->machine->memory, to, size, GS_PROT_WRITE))
        return -EFAULT;
    return move(bare, handle, to, size, offset, read_piece);
}

int64_t gs_files_write(gs_bare *bare, uint32_t handle, gs_addr from, uint32_t size, int64_t offset)
{
    if (!gs_memory_allows(&bare->machine->memory, from, size, GS_PROT_READ))
        return -EFAULT;
    return move(bare, handle, from, size, offset, write_piece);
}

uint32_t gs_errno_for_guest(int number)
{
    /* Up to 34 all agree. */
    static const struct {
        int host;
        uint8_t guest;
    } rest[] = {
        {EDEADLK, 45}, {ENAMETOOLONG, 91}, {ENOLCK, 46},     {ENOSYS, 88},     {ENOTEMPTY, 90},
        {ELOOP, 92},   {ENOMSG, 35},       {EOVERFLOW, 139}, {ENOTSUP, 134},   {ETIMEDOUT, 116},
        {EILSEQ, 138}, {ESTALE, 133},      {EDQUOT, 132},    {ECANCELED, 140},
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        if (rest[i].host == number)
            return rest[i].guest;
    }
    return number >= 0 && number <= 34 ? (uint32_t)number : EIO;
}
