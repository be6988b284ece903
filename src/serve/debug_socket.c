/* Where gdb is waited for: a TCP socket, or standard input and output. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "gumshoe/debug.h"

struct gs_debug_server {
    int listener, in, out; /* or -1 */
    const volatile sig_atomic_t *cancel;
    char where[80];
};

/* Waits until something can be read. False if the run is to end. */
static bool wait_for(const gs_debug_server *s, int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    for (;;) {
        if (s->cancel && *s->cancel)
            return false;
        const int ready = poll(&input, 1, -1);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

static ptrdiff_t read_link(void *self, void *to, size_t size, bool wait)
{
    const gs_debug_server *s = self;
    struct pollfd input = {.fd = s->in, .events = POLLIN};
    for (;;) {
        if (wait ? !wait_for(s, s->in) : poll(&input, 1, 0) <= 0)
            return wait ? -1 : 0;
        const ssize_t n = read(s->in, to, size);
        if (n > 0)
            return n;
        if (n == 0 || (errno != EINTR && errno != EAGAIN))
            return -1;
    }
}

static bool write_link(void *self, const void *bytes, size_t size)
{
    const gs_debug_server *s = self;
    const char *from = bytes;
    while (size > 0) {
        const ssize_t n =
            s->out == s->in ? send(s->out, from, size, MSG_NOSIGNAL) : write(s->out, from, size);
        if (n < 0 && errno != EINTR)
            return false;
        from += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static gs_status fail_where(const char *where, gs_error *err)
{
    return gs_fail(err, GS_E_ARGUMENT,
                   "'%s' is not where a debugger can be waited for: write :PORT, HOST:PORT with a "
                   "number as HOST, or stdio",
                   where);
}

/* HOST:PORT, [HOST]:PORT or :PORT. */
static gs_status find_address(const char *where, struct addrinfo **out, gs_error *err)
{
    char host[64] = "127.0.0.1";
    const char *colon = strrchr(where, ':');
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                                   .ai_socktype = SOCK_STREAM};
    size_t length = colon ? (size_t)(colon - where) : 0;
    if (!colon || !colon[1] || length >= sizeof host || strspn(colon + 1, "0123456789") > 5 ||
        colon[1 + strspn(colon + 1, "0123456789")] || atoi(colon + 1) > 65535)
        return fail_where(where, err);
    if (length > 2 && where[0] == '[' && where[length - 1] == ']') {
        where++;
        length -= 2;
    }
    if (length > 0) {
        memcpy(host, where, length);
        host[length] = '\0';
    }
    if (getaddrinfo(strcmp(host, "localhost") ? host : "127.0.0.1", colon + 1, &hints, out) != 0)
        return fail_where(where, err);
    return GS_OK;
}

/* As it is now: the port may have been chosen by the system. */
static void name_listener(gs_debug_server *s)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    char host[64], port[8];
    if (getsockname(s->listener, (struct sockaddr *)&address, &size) == 0 &&
        getnameinfo((struct sockaddr *)&address, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) == 0)
        snprintf(s->where, sizeof s->where, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

static gs_status listen_at(gs_debug_server *s, const char *where, gs_error *err)
{
    struct addrinfo *address = NULL;
    const int on = 1;
    gs_status status = find_address(where, &address, err);
    if (status)
        return status;
    s->listener = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->listener >= 0)
        (void)setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (s->listener < 0 || bind(s->listener, address->ai_addr, address->ai_addrlen) != 0 ||
        listen(s->listener, 1) != 0)
        status =
            gs_fail(err, GS_E_IO, "cannot wait for a debugger at %s: %s", where, strerror(errno));
    freeaddrinfo(address);
    if (!status)
        name_listener(s);
    return status;
}

gs_status gs_debug_server_open(gs_debug_server **out, const char *where, gs_error *err)
{
    *out = NULL;
    gs_debug_server *s = calloc(1, sizeof *s);
    if (!s)
        return gs_fail_no_memory(err);
    *s = (gs_debug_server){.listener = -1, .in = -1, .out = -1};
    gs_status status = GS_OK;
    if (strcmp(where, "stdio") == 0) {
        s->in = STDIN_FILENO;
        s->out = STDOUT_FILENO;
        snprintf(s->where, sizeof s->where, "stdio");
    } else {
        status = listen_at(s, where, err);
    }
    if (status) {
        gs_debug_server_free(s);
        return status;
    }
    *out = s;
    return GS_OK;
}

void gs_debug_server_free(gs_debug_server *s)
{
    if (!s)
        return;
    if (s->listener >= 0)
        close(s->listener);
    if (s->in >= 0 && s->in == s->out)
        close(s->in);
    free(s);
}

const char *gs_debug_server_where(const gs_debug_server *s)
{
    return s->where;
}

gs_status gs_debug_server_wait(gs_debug_server *s, const volatile sig_atomic_t *cancel,
                               gs_debug_link *link, gs_error *err)
{
    const int on = 1;
    s->cancel = cancel;
    if (s->listener >= 0) {
        s->in = s->out = wait_for(s, s->listener) ? accept(s->listener, NULL, NULL) : -1;
        if (s->in < 0)
            return gs_fail(err, GS_E_IO, "no debugger has come to %s", s->where);
        close(s->listener);
        s->listener = -1;
        (void)setsockopt(s->in, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    *link = (gs_debug_link){.read = read_link, .write = write_link, .self = s, .fd = s->in};
    return GS_OK;
}
