/* Buffered output to the host and input from it, for all that a guest prints and reads through. */
#include "machine/bare/console.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine/machine.h"

/* Ticks between two looks for input at the host: a system call costs about as much as a thousand
 * simulated instructions. */
static const uint64_t look_interval = 4096;

/* A guest that looks this often without printing waits for an answer: show it the question. */
enum { LOOKS_BEFORE_FLUSH = 16 };

void gs_console_init(gs_console *console, const int fd[3])
{
    *console = (gs_console){.fd = {fd[0], fd[1], fd[2]}};
    console->terminal = fd[1] >= 0 && isatty(fd[1]);
    console->in_closed = fd[0] < 0;
}

/*
 * Writing to a pipe without a reader raises SIGPIPE in the writing thread. A library may not
 * change how the process handles that, so it is held back here, and taken away again unless it
 * was pending before.
 */
ssize_t gs_console_host_write(int fd, const void *bytes, size_t size)
{
    sigset_t pipe_only, pending, before;

    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t n = write(fd, bytes, size);
    int number = errno;
    if (n < 0 && number == EPIPE && !was_pending) {
        const struct timespec at_once = {0, 0};
        while (sigtimedwait(&pipe_only, NULL, &at_once) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return n;
}

/* 0 or an errno. */
static int write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = gs_console_host_write(fd, bytes, size);
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd room = {.fd = fd, .events = POLLOUT};
            if (poll(&room, 1, -1) < 0 && errno != EINTR)
                return errno;
        } else if (n < 0 && errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

static void send(gs_console *console, gs_console_stream stream, const char *bytes, size_t size)
{
    int fd = console->fd[stream == GS_CONSOLE_OUT ? 1 : 2];
    if (fd >= 0 && !console->error[stream])
        console->error[stream] = write_all(fd, bytes, size);
}

void gs_console_flush(gs_console *console)
{
    size_t length = console->out_length;
    console->out_length = 0;
    if (length > 0)
        send(console, GS_CONSOLE_OUT, console->out, length);
}

size_t gs_console_write(gs_console *console, gs_console_stream stream, const void *bytes,
                        size_t size)
{
    console->quiet_looks = 0;
    if (console->machine)
        gs_machine_wrote(console->machine, size);
    if (stream == GS_CONSOLE_ERR) {
        gs_console_flush(console);
        send(console, stream, bytes, size);
        return console->error[stream] ? 0 : size;
    }
    if (size > sizeof console->out - console->out_length)
        gs_console_flush(console);
    if (size > sizeof console->out) {
        send(console, stream, bytes, size);
    } else if (size > 0) {
        memcpy(console->out + console->out_length, bytes, size);
        console->out_length += size;
        if (console->terminal && memchr(bytes, '\n', size))
            gs_console_flush(console);
    }
    return console->error[stream] ? 0 : size;
}

void gs_console_put(gs_console *console, uint8_t byte)
{
    gs_console_write(console, GS_CONSOLE_OUT, &byte, 1);
}

/* Fills the empty input buffer with one read(2). */
static ssize_t fill(gs_console *console)
{
    console->in_start = console->in_end = 0;
    ssize_t n = read(console->fd[0], console->in, sizeof console->in);
    if (n > 0)
        console->in_end = (size_t)n;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
        console->in_closed = true;
    return n;
}

/* Waits up to `timeout` ms (-1: for ever) until reading would not wait. */
static bool readable(const gs_console *console, int timeout)
{
    struct pollfd input = {.fd = console->fd[0], .events = POLLIN};
    return poll(&input, 1, timeout) > 0;
}

ssize_t gs_console_read(gs_console *console, void *to, size_t size)
{
    if (size == 0)
        return 0;
    if (console->in_start == console->in_end) {
        if (console->in_closed)
            return 0;
        gs_console_flush(console);
        ssize_t n = fill(console);
        while (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!readable(console, -1))
                return -1;
            n = fill(console);
        }
        if (n <= 0)
            return n;
    }
    size_t have = console->in_end - console->in_start;
    if (size > have)
        size = have;
    memcpy(to, console->in + console->in_start, size);
    console->in_start += size;
    return (ssize_t)size;
}

bool gs_console_ready(gs_console *console, uint64_t now)
{
    if (console->in_start < console->in_end)
        return true;
    if (++console->quiet_looks == LOOKS_BEFORE_FLUSH)
        gs_console_flush(console);
    if (console->in_closed || now < console->next_look)
        return false;
    console->next_look = now + look_interval;
    return readable(console, 0) && fill(console) > 0;
}

uint8_t gs_console_get(gs_console *console)
{
    return console->in[console->in_start++];
}

void gs_console_feed(gs_console *console, const uint8_t *bytes, size_t size)
{
    const size_t have = console->in_end - console->in_start, room = sizeof console->in - have;
    memmove(console->in, console->in + console->in_start, have);
    console->in_start = 0;
    console->in_end = have + (size < room ? size : room);
    memcpy(console->in + have, bytes, console->in_end - have);
}

bool gs_console_wait(gs_console *console)
{
    if (console->in_start < console->in_end)
        return true;
    gs_console_flush(console);
    return !console->in_closed && readable(console, -1) && fill(console) > 0;
}

bool gs_console_open(const gs_console *console)
{
    return !console->in_closed || console->in_start < console->in_end;
}
