/*
 * Reading and writing. Bytes pass through one buffer of fixed size, as large transfers
 * in several rounds; small ones, gathered from many pieces or not, are one call on the
 * host as they are one call of the guest's.
 */
#include "machine/linux/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* The kernel transfers no more than this at once. */
static const uint32_t transfer_max = 0x7ffff000;

/* A position in the spans of the process. */
typedef struct cursor {
    gs_linux_process *process;
    size_t span, span_count;
    uint32_t at;
} cursor;

typedef struct target {
    gs_linux_fd *entry;
    bool positioned; /* pread and pwrite */
    int64_t offset;
} target;

/* How many of `size` bytes from `start` on allow `prot`, looked at page by page. */
static uint32_t allowed_prefix(const gs_memory *memory, gs_addr start, uint32_t size, unsigned prot)
{
    uint32_t done = 0;
    while (done < size) {
        uint32_t in_page = GS_PAGE_SIZE - ((start + done) & (GS_PAGE_SIZE - 1));
        uint32_t part = in_page < size - done ? in_page : size - done;
        if ((uint64_t)start + done > UINT32_MAX ||
            !gs_memory_allows(memory, start + done, part, prot))
            break;
        done += part;
    }
    return done;
}

/*
 * The next run of guest bytes, at most `room`, within one span; 0 at the end of the spans or
 * at a byte that does not allow `prot`, which *fault tells apart.
 */
static uint32_t next_run(cursor *c, uint32_t room, unsigned prot, gs_addr *start, bool *fault)
{
    const gs_linux_span *spans = c->process->spans;
    while (c->span < c->span_count && c->at == spans[c->span].size) {
        c->span++;
        c->at = 0;
    }
    if (c->span == c->span_count || room == 0)
        return 0;
    uint32_t left = spans[c->span].size - c->at;
    *start = spans[c->span].address + c->at;
    uint32_t size =
        allowed_prefix(&c->process->machine->memory, *start, left < room ? left : room, prot);
    *fault = size == 0;
    c->at += size;
    return size;
}

/* Fills the buffer from the guest; how many bytes. */
static uint32_t gather(cursor *c, bool *fault)
{
    gs_linux_process *process = c->process;
    uint32_t filled = 0, size;
    gs_addr start;
    while ((size = next_run(c, GS_LINUX_BUFFER - filled, GS_PROT_READ, &start, fault)) > 0) {
        gs_memory_read(&process->machine->memory, start, process->buffer + filled, size);
        filled += size;
    }
    return filled;
}

/* How many bytes the guest could take now, without moving the cursor. */
static uint32_t room_for(const cursor *c, bool *fault)
{
    cursor probe = *c;
    uint32_t room = 0, size;
    gs_addr start;
    while ((size = next_run(&probe, GS_LINUX_BUFFER - room, GS_PROT_WRITE, &start, fault)) > 0)
        room += size;
    return room;
}

static void scatter(cursor *c, uint32_t filled)
{
    gs_linux_process *process = c->process;
    uint32_t done = 0, size;
    gs_addr start;
    bool fault;
    while ((size = next_run(c, filled - done, GS_PROT_WRITE, &start, &fault)) > 0) {
        gs_memory_write(&process->machine->memory, start, process->buffer + done, size);
        done += size;
    }
}

/*
 * A write to a pipe without readers would end Gumshoe by SIGPIPE. It is the guest's: the signal
 * is blocked meanwhile, taken back if it came, and raised in the guest.
 */
static ssize_t write_to_pipe(gs_linux_process *process, int host, const void *bytes, size_t size)
{
    sigset_t pipe_only, before, pending;
    const struct timespec at_once = {0};
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t n = write(host, bytes, size);
    int error = errno;
    if (n < 0 && error == EPIPE) {
        while (!was_pending && sigtimedwait(&pipe_only, NULL, &at_once) < 0 && errno == EINTR)
            continue;
        gs_linux_siginfo info = {.code = GS_LINUX_SI_KERNEL};
        gs_linux_raise(process, gs_linux_signal(process, SIGPIPE), info);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return n;
}

static ssize_t write_somewhere(gs_linux_process *process, const target *to, size_t size)
{
    if (to->positioned)
        return pwrite(to->entry->host, process->buffer, size, to->offset);
    if (to->entry->type == S_IFREG || to->entry->type == S_IFCHR)
        return write(to->entry->host, process->buffer, size);
    return write_to_pipe(process, to->entry->host, process->buffer, size);
}

static ssize_t host_write(gs_linux_process *process, const target *to, size_t size)
{
    ssize_t n = write_somewhere(process, to, size);
    if (n > 0)
        gs_machine_wrote(process->machine, (uint64_t)n);
    return n;
}

static ssize_t host_read(gs_linux_process *process, const target *from, size_t size)
{
    if (from->entry->random) {
        gs_linux_random(process, process->buffer, size);
        return (ssize_t)size;
    }
    if (from->positioned)
        return pread(from->entry->host, process->buffer, size, from->offset);
    return read(from->entry->host, process->buffer, size);
}

static int64_t write_spans(gs_linux_process *process, target to, size_t span_count)
{
    cursor c = {.process = process, .span_count = span_count};
    int64_t total = 0;
    for (;;) {
        bool fault = false;
        uint32_t size = gather(&c, &fault);
        if (size == 0 && total > 0)
            return total;
        if (fault && size == 0)
            return -EFAULT;
        ssize_t n = host_write(process, &to, size);
        if (n < 0)
            return total > 0 ? total : gs_linux_host_result(n);
        total += n;
        to.offset += n;
        if ((uint32_t)n < size || size < GS_LINUX_BUFFER)
            return total;
    }
}

static int64_t read_spans(gs_linux_process *process, target from, size_t span_count)
{
    cursor c = {.process = process, .span_count = span_count};
    int64_t total = 0;
    for (;;) {
        bool fault = false;
        uint32_t size = room_for(&c, &fault);
        if (size == 0 && total > 0)
            return total;
        if (fault && size == 0)
            return -EFAULT;
        ssize_t n = host_read(process, &from, size);
        if (n < 0)
            return total > 0 ? total : gs_linux_host_result(n);
        scatter(&c, (uint32_t)n);
        total += n;
        from.offset += n;
        /* More of anything but a file might have to be waited for. */
        if ((uint32_t)n < size || size < GS_LINUX_BUFFER || from.entry->type != S_IFREG)
            return total;
    }
}

/* A single buffer as the only span. */
static size_t one_span(gs_linux_call *call)
{
    uint32_t size = call->args[2] < transfer_max ? call->args[2] : transfer_max;
    call->process->spans[0] = (gs_linux_span){call->args[1], size};
    return 1;
}

/* A struct iovec array into the spans: their number, or a negative errno. */
static int64_t get_spans(gs_linux_call *call)
{
    gs_linux_process *process = call->process;
    uint32_t count = call->args[2], total = 0;
    if (count > GS_LINUX_SPANS)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[8];
        gs_wire wire = gs_linux_wire(call, bytes, sizeof bytes);
        if (gs_linux_get(call, call->args[1] + 8 * i, &wire))
            return -EFAULT;
        gs_linux_span span = {.address = gs_wire_take32(&wire)};
        span.size = gs_wire_take32(&wire);
        if (span.size > INT32_MAX)
            return -EINVAL;
        if (span.size > transfer_max - total)
            span.size = transfer_max - total;
        total += span.size;
        process->spans[i] = span;
    }
    return count;
}

int64_t gs_linux_sys_read(gs_linux_call *call)
{
    target from = {.entry = gs_linux_fd_get(call->process, call->args[0])};
    return from.entry ? read_spans(call->process, from, one_span(call)) : -EBADF;
}

int64_t gs_linux_sys_write(gs_linux_call *call)
{
    target to = {.entry = gs_linux_fd_get(call->process, call->args[0])};
    return to.entry ? write_spans(call->process, to, one_span(call)) : -EBADF;
}

static int64_t transfer_vector(gs_linux_call *call, target t, bool writes)
{
    if (!t.entry)
        return -EBADF;
    if (t.positioned && t.offset < 0)
        return -EINVAL;
    int64_t count = get_spans(call);
    if (count < 0)
        return count;
    return writes ? write_spans(call->process, t, (size_t)count)
                  : read_spans(call->process, t, (size_t)count);
}

int64_t gs_linux_sys_readv(gs_linux_call *call)
{
    target t = {.entry = gs_linux_fd_get(call->process, call->args[0])};
    return transfer_vector(call, t, false);
}

int64_t gs_linux_sys_writev(gs_linux_call *call)
{
    target t = {.entry = gs_linux_fd_get(call->process, call->args[0])};
    return transfer_vector(call, t, true);
}

static target at_offset(gs_linux_call *call, uint64_t offset)
{
    return (target){.entry = gs_linux_fd_get(call->process, call->args[0]),
                    .positioned = true,
                    .offset = (int64_t)offset};
}

int64_t gs_linux_sys_pread64(gs_linux_call *call)
{
    target t = at_offset(call, gs_linux_arg64(call, 3));
    if (!t.entry)
        return -EBADF;
    return t.offset < 0 ? -EINVAL : read_spans(call->process, t, one_span(call));
}

int64_t gs_linux_sys_pwrite64(gs_linux_call *call)
{
    target t = at_offset(call, gs_linux_arg64(call, 3));
    if (!t.entry)
        return -EBADF;
    return t.offset < 0 ? -EINVAL : write_spans(call->process, t, one_span(call));
}

/* The low half of the offset comes first, in either byte order. */
static uint64_t vector_offset(const gs_linux_call *call)
{
    return (uint64_t)call->args[4] << 32 | call->args[3];
}

int64_t gs_linux_sys_preadv(gs_linux_call *call)
{
    return transfer_vector(call, at_offset(call, vector_offset(call)), false);
}

int64_t gs_linux_sys_pwritev(gs_linux_call *call)
{
    return transfer_vector(call, at_offset(call, vector_offset(call)), true);
}

/* From a file to a file, through the buffer. */
static int64_t copy(gs_linux_call *call, target to, target from, uint32_t size)
{
    gs_linux_process *process = call->process;
    int64_t total = 0;
    while (total < size) {
        size_t left = (size_t)(size - total);
        ssize_t got = host_read(process, &from, left < GS_LINUX_BUFFER ? left : GS_LINUX_BUFFER);
        ssize_t put = got > 0 ? host_write(process, &to, (size_t)got) : got;
        if (put < 0 && got > 0 && !from.positioned)
            (void)lseek(from.entry->host, -got, SEEK_CUR);
        if (put < 0)
            return total > 0 ? total : gs_linux_host_result(put);
        total += put;
        from.offset += put;
        if (put < got && !from.positioned)
            (void)lseek(from.entry->host, put - got, SEEK_CUR);
        if (put == 0 || put < got)
            break;
    }
    return total;
}

static int64_t send_file(gs_linux_call *call, unsigned offset_size)
{
    target to = {.entry = gs_linux_fd_get(call->process, call->args[0])};
    target from = {.entry = gs_linux_fd_get(call->process, call->args[1])};
    uint32_t size = call->args[3] < transfer_max ? call->args[3] : transfer_max;
    uint8_t bytes[8];
    if (!to.entry || !from.entry)
        return -EBADF;
    if (from.entry->type != S_IFREG && from.entry->type != S_IFBLK)
        return -EINVAL;
    if (call->args[2] == 0)
        return copy(call, to, from, size);

    gs_wire wire = gs_linux_wire(call, bytes, offset_size);
    if (gs_linux_get(call, call->args[2], &wire))
        return -EFAULT;
    uint64_t offset = gs_wire_take(&wire, offset_size);
    from.positioned = true;
    from.offset = offset_size == 4 ? (int32_t)offset : (int64_t)offset;
    if (from.offset < 0)
        return -EINVAL;
    int64_t total = copy(call, to, from, size);
    wire.at = 0;
    gs_wire_put(&wire, (uint64_t)(from.offset + (total > 0 ? total : 0)), offset_size);
    return total < 0 || gs_linux_put(call, call->args[2], &wire) == 0 ? total : -EFAULT;
}

int64_t gs_linux_sys_sendfile(gs_linux_call *call)
{
    return send_file(call, 4);
}

int64_t gs_linux_sys_sendfile64(gs_linux_call *call)
{
    return send_file(call, 8);
}

int64_t gs_linux_sys_fsync(gs_linux_call *call)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    return entry ? gs_linux_host_result(fsync(entry->host)) : -EBADF;
}

int64_t gs_linux_sys_fdatasync(gs_linux_call *call)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    return entry ? gs_linux_host_result(fdatasync(entry->host)) : -EBADF;
}

int64_t gs_linux_sys_flock(gs_linux_call *call)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    return entry ? gs_linux_host_result(flock(entry->host, (int)call->args[1])) : -EBADF;
}

static int64_t set_length(gs_linux_call *call, int64_t length)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    if (!entry)
        return -EBADF;
    return gs_linux_host_result(ftruncate(entry->host, length));
}

int64_t gs_linux_sys_ftruncate(gs_linux_call *call)
{
    return set_length(call, (int32_t)call->args[1]);
}

int64_t gs_linux_sys_ftruncate64(gs_linux_call *call)
{
    return set_length(call, (int64_t)gs_linux_arg64(call, 1));
}

static int64_t set_path_length(gs_linux_call *call, int64_t length)
{
    gs_linux_path path;
    int status = gs_linux_path_get(call, GS_LINUX_AT_FDCWD, call->args[0], &path);
    if (status)
        return status;
    if (length < 0)
        return -EINVAL;
    int host = gs_linux_path_open(call->process, &path, O_WRONLY | O_NONBLOCK, 0, NULL);
    if (host < 0)
        return host == -ENXIO ? -EINVAL : host;
    int64_t result = gs_linux_host_result(ftruncate(host, length));
    close(host);
    return result;
}

int64_t gs_linux_sys_truncate(gs_linux_call *call)
{
    return set_path_length(call, (int32_t)call->args[1]);
}

int64_t gs_linux_sys_truncate64(gs_linux_call *call)
{
    return set_path_length(call, (int64_t)gs_linux_arg64(call, 1));
}

int64_t gs_linux_sys_fallocate(gs_linux_call *call)
{
    const gs_linux_fd *entry = gs_linux_fd_get(call->process, call->args[0]);
    const off_t from = (off_t)gs_linux_arg64(call, 2), size = (off_t)gs_linux_arg64(call, 4);
    if (!entry)
        return -EBADF;
    /* It takes as much of the host's disk as writing does. */
    if (size > 0 && !gs_machine_may_write(call->process->machine, (uint64_t)size))
        return -ENOSPC;
    return gs_linux_host_result(fallocate(entry->host, (int)call->args[1], from, size));
}
