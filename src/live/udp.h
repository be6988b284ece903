/*
 * udp.h - addresses and sockets for datagrams.
 */
#ifndef GS_LIVE_UDP_H
#define GS_LIVE_UDP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "gumshoe/live.h"

typedef struct gs_udp_address {
    struct sockaddr_storage name;
    socklen_t length;
} gs_udp_address;

/* "HOST:PORT", "[::1]:4750"; an empty host is every address of this machine. May ask a name server,
 * and wait for that. GS_E_ARGUMENT. */
gs_status gs_udp_parse(gs_udp_address *out, const char *text, gs_error *err);

/* The same as digits. Returns `text`, of GS_LIVE_NAME bytes. */
char *gs_udp_text(char *text, const gs_udp_address *address);

bool gs_udp_equal(const gs_udp_address *a, const gs_udp_address *b);

/* A socket that does not block, bound to `local`, or with NULL to any free port in the family of
 * `like`. *out is -1 on failure: GS_E_IO. */
gs_status gs_udp_open(int *out, const gs_udp_address *local, const gs_udp_address *like,
                      gs_error *err);

#endif
