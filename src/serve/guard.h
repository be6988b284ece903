/*
 * guard.h - which requests are answered.
 *
 * The token is a secret between the program and the pages it is given to: in the address that is
 * printed, then in a cookie, or in a header that scripts send. Host and Origin are looked at
 * besides, so that no other site's page can use a browser that has the cookie, not even under a
 * name that it has made point here (DNS rebinding).
 */
#ifndef GS_SERVE_GUARD_H
#define GS_SERVE_GUARD_H

#include "serve/request.h"

enum { GS_GUARD_TOKEN = 64, GS_GUARD_NAMES = 16 };

typedef struct gs_guard {
    char token[GS_GUARD_TOKEN + 1];
    char cookie[32];                   /* its name: one per port */
    const char *names[GS_GUARD_NAMES]; /* further names that a Host may be; borrowed */
    size_t name_count;
} gs_guard;

/* Whether a token is one: 16 to GS_GUARD_TOKEN letters, digits, '-' and '_'. */
bool gs_guard_is_token(const char *text);

/* A new one of 128 bits. False if the system has no random numbers. */
bool gs_guard_make_token(char token[GS_GUARD_TOKEN + 1]);

/* Whether the request was sent to this server under a name that cannot be someone else's, and not
 * by another site's page. */
bool gs_guard_allows_source(const gs_guard *guard, const gs_request *request);

/* Whether it has the token; *in_address: as a parameter. */
bool gs_guard_knows(const gs_guard *guard, const gs_request *request, bool *in_address);

#endif
