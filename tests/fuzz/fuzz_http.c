/*
 * What comes over a connection: whatever the bytes, the server goes on, and answers the next
 * request.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "gumshoe/serve.h"

enum { PATIENCE = 20, ENDLESS = 2, SENT = 128 << 10 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static int connect_to(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval patience = {.tv_sec = PATIENCE};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    require(fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
}

/* Sends as much as the server takes, and reads until it closes, or for some seconds what does not
 * end; returns whether it began with `begin`. */
static bool talk(unsigned port, const void *bytes, size_t size, const char *begin)
{
    char answer[4096];
    size_t got = 0;
    const time_t began = time(NULL);
    int fd = connect_to(port);
    (void)!send(fd, bytes, size < SENT ? size : SENT, MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    for (ssize_t n; (*begin || time(NULL) - began <= ENDLESS) &&
                    (n = recv(fd, answer + got, sizeof answer - got, 0)) > 0;)
        got = got + (size_t)n < sizeof answer ? got + (size_t)n : sizeof answer / 2;
    close(fd);
    return got >= strlen(begin) && memcmp(answer, begin, strlen(begin)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char good[] =
        "GET /api/session HTTP/1.1\r\nHost: localhost\r\n"
        "Authorization: Bearer 0123456789abcdef\r\nConnection: close\r\n\r\n";
    static unsigned port;
    static gs_server *server;
    if (!server) {
        const gs_server_options options = {.token = "0123456789abcdef"};
        require(gs_server_open(&server, &options, NULL) == GS_OK);
        port = (unsigned)atoi(strrchr(gs_server_url(server), ':') + 1);
    }
    talk(port, bytes, size, "");
    require(talk(port, good, strlen(good), "HTTP/1.1 200 "));
    return 0;
}
