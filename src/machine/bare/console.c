/* Buffered output to the host and input from it, for all that a guest prints and reads through. */
#include "machine/bare/console.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"
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
    console->input.closed = fd[0] < 0;
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
    console->input.quiet_looks = 0;
    if (console->machine)
        gs_machine_wrote(console->machine, size);
    console->input.written += size;
    if (console->input.written <= console->shown)
        return size; /* once more */
    console->shown = console->input.written;
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
    console->input.start = console->input.end = 0;
    ssize_t n = read(console->fd[0], console->in, sizeof console->in);
    if (n > 0)
        console->input.end = (size_t)n;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
        console->input.closed = true;
    return n;
}

/* Waits up to `timeout` ms (-1: for ever) until reading would not wait, or the machine's owner
 * wants to be asked. */
static bool readable(const gs_console *console, int timeout)
{
    struct pollfd inputs[] = {
        {.fd = console->fd[0], .events = POLLIN},
        {.fd = console->machine ? console->machine->wake_fd : -1, .events = POLLIN},
    };
    return poll(inputs, 2, timeout) > 0 && inputs[0].revents;
}

enum { WAIT_NOT = 0, WAIT_EVER = -1 };

/* Fills the empty input buffer if the host has something within `timeout`: as read(2). What was
 * kept of the same look, when there was one before, is what it gives now. */
static ssize_t look(gs_console *console, int timeout)
{
    gs_console_input *input = &console->input;
    if (++input->looks <= console->looked) {
        const gs_console_chunk *c = &console->chunks.items[input->chunks];
        errno = EAGAIN;
        if (input->chunks == console->chunks.count || c->look != input->looks)
            return -1;
        input->chunks++;
        input->start = 0;
        input->end = c->size;
        input->closed = c->closed;
        memcpy(console->in, c->bytes, c->size);
        return (ssize_t)c->size;
    }
    errno = EINTR;
    ssize_t n = readable(console, timeout) ? fill(console) : -1;
    if (!console->keeps)
        return n;
    console->looked = input->looks;
    if (n < 0 && !input->closed)
        return n;
    gs_console_chunk made = {input->looks, input->end, input->closed, malloc(input->end + 1)};
    if (made.bytes)
        memcpy(made.bytes, console->in, made.size);
    if (made.bytes && gs_vec_push(&console->chunks, made))
        input->chunks++;
    else
        free(made.bytes); /* no memory: what is run again then has no input */
    return n;
}

void gs_console_fini(gs_console *console)
{
    for (size_t i = 0; i < console->chunks.count; i++)
        free(console->chunks.items[i].bytes);
    free(console->chunks.items);
    console->chunks.items = NULL;
    console->chunks.count = console->chunks.capacity = 0;
}

void gs_console_keep_output(gs_console *console, const gs_console *now)
{
    const gs_console_input input = console->input;
    uint8_t in[sizeof console->in];
    memcpy(in, console->in, sizeof in);
    *console = *now;
    console->input = input;
    memcpy(console->in, in, sizeof in);
}

ssize_t gs_console_read(gs_console *console, void *to, size_t size)
{
    if (size == 0)
        return 0;
    if (console->input.start == console->input.end) {
        if (console->input.closed)
            return 0;
        gs_console_flush(console);
        ssize_t n;
        do
            n = look(console, WAIT_EVER);
        while (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
        if (n <= 0)
            return n;
    }
    size_t have = console->input.end - console->input.start;
    if (size > have)
        size = have;
    memcpy(to, console->in + console->input.start, size);
    console->input.start += size;
    return (ssize_t)size;
}

bool gs_console_ready(gs_console *console, uint64_t now)
{
    if (console->input.start < console->input.end)
        return true;
    if (++console->input.quiet_looks == LOOKS_BEFORE_FLUSH)
        gs_console_flush(console);
    if (console->input.closed || now < console->input.next_look)
        return false;
    console->input.next_look = now + look_interval;
    return look(console, WAIT_NOT) > 0;
}

uint8_t gs_console_get(gs_console *console)
{
    return console->in[console->input.start++];
}

void gs_console_feed(gs_console *console, const uint8_t *bytes, size_t size)
{
    const size_t have = console->input.end - console->input.start, room = sizeof console->in - have;
    memmove(console->in, console->in + console->input.start, have);
    console->input.start = 0;
    console->input.end = have + (size < room ? size : room);
    memcpy(console->in + have, bytes, console->input.end - have);
}

bool gs_console_wait(gs_console *console)
{
    if (console->input.start < console->input.end)
        return true;
    gs_console_flush(console);
    return !console->input.closed && look(console, WAIT_EVER) > 0;
}

bool gs_console_open(const gs_console *console)
{
    return !console->input.closed || console->input.start < console->input.end;
}
