/* Resolves addresses, and opens UDP sockets. */
#include "live/udp.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* Room for bursts, as far as the kernel gives it. */
enum { RECEIVE_BUFFER = 8 << 20 };

/* Splits at the last colon; false: there is none, or a part is too long. */
static bool split(const char *text, char host[GS_LIVE_NAME], char port[8])
{
    const char *colon = strrchr(text, ':');
    if (!colon || !colon[1] || strlen(colon + 1) >= 8 || colon - text >= GS_LIVE_NAME)
        return false;
    snprintf(port, 8, "%s", colon + 1);
    size_t length = (size_t)(colon - text);
    const bool brackets = length >= 2 && text[0] == '[' && text[length - 1] == ']';
    snprintf(host, GS_LIVE_NAME, "%.*s", (int)(length - 2 * brackets), text + brackets);
    return true;
}

gs_status gs_udp_parse(gs_udp_address *out, const char *text, gs_error *err)
{
    char host[GS_LIVE_NAME], port[8];
    const struct addrinfo hints = {.ai_socktype = SOCK_DGRAM,
                                   .ai_flags = AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *found;
    if (!split(text, host, port))
        return gs_fail(err, GS_E_ARGUMENT, "'%.80s' is not an address of the form HOST:PORT", text);
    const int problem = getaddrinfo(host[0] ? host : NULL, port, &hints, &found);
    if (problem != 0)
        return gs_fail(err, GS_E_ARGUMENT, "%.80s: %s", text,
                       problem == EAI_SYSTEM ? strerror(errno) : gai_strerror(problem));
    *out = (gs_udp_address){.length = found->ai_addrlen};
    memcpy(&out->name, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return GS_OK;
}

char *gs_udp_text(char *text, const gs_udp_address *address)
{
    char host[64], port[8];
    const bool six = address->name.ss_family == AF_INET6;
    if (getnameinfo((const struct sockaddr *)&address->name, address->length, host, sizeof host,
                    port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV | NI_DGRAM) != 0)
        snprintf(text, GS_LIVE_NAME, "?");
    else
        snprintf(text, GS_LIVE_NAME, "%s%s%s:%s", six ? "[" : "", host, six ? "]" : "", port);
    return text;
}

bool gs_udp_equal(const gs_udp_address *a, const gs_udp_address *b)
{
    return a->length == b->length && memcmp(&a->name, &b->name, a->length) == 0;
}

static gs_status bind_socket(int fd, const gs_udp_address *local, const gs_udp_address *like,
                             gs_error *err)
{
    gs_udp_address any = {.length = sizeof(struct sockaddr_in)};
    if (!local) {
        any.name.ss_family = like->name.ss_family;
        any.length = like->length;
        local = &any;
    }
    if (bind(fd, (const struct sockaddr *)&local->name, local->length) == 0)
        return GS_OK;
    const int problem = errno;
    char text[GS_LIVE_NAME];
    return gs_fail(err, GS_E_IO, "cannot listen at %s: %s", gs_udp_text(text, local),
                   strerror(problem));
}

gs_status gs_udp_open(int *out, const gs_udp_address *local, const gs_udp_address *like,
                      gs_error *err)
{
    const int size = RECEIVE_BUFFER, family = (local ? local : like)->name.ss_family;
    *out = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*out < 0)
        return gs_fail(err, GS_E_IO, "cannot open a socket: %s", strerror(errno));
    if (setsockopt(*out, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0)
        (void)setsockopt(*out, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    gs_status status = bind_socket(*out, local, like, err);
    if (status != GS_OK) {
        close(*out);
        *out = -1;
    }
    return status;
}
