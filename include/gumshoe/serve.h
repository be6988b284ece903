/*
 * serve.h - profile files on a page in the browser.
 *
 * A gs_server answers HTTP requests in threads of its own from when it is open until it is freed.
 * It only reads: the profile files it was given, and source files below the directories it was
 * given. One that is live also receives from Statistics Modules, which it writes to the first of
 * the files, and tells them what the page's user wants. docs/api.md has what it answers, and what
 * keeps strangers out.
 */
#ifndef GUMSHOE_SERVE_H
#define GUMSHOE_SERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "gumshoe/error.h"
#include "gumshoe/live.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum { GS_SERVER_SOURCES = 32 };

typedef struct gs_server gs_server;

/* What a live server receives, and from whom: see gs_collector. */
typedef struct gs_server_live {
    const char *listen; /* "ADDRESS:PORT" */
    gs_live_key key;
    const char *const *devices; /* that are asked for at the beginning */
    size_t device_count;
    const char *const *programs; /* that devices run */
    size_t program_count;
} gs_server_live;

typedef struct gs_server_options {
    const char *const *files; /* profile files; none is fine unless it is live */
    size_t file_count;
    const char *const *sources; /* directories, at most GS_SERVER_SOURCES */
    size_t source_count;
    const char *address; /* to listen on: numbers, of IPv4 or IPv6; NULL for 127.0.0.1 */
    unsigned port;       /* 0: one that is free */
    const char *token;   /* at least 16 letters, digits, '-', '_'; NULL for a new one at random */
    const char *const *names;   /* under which it may be reached, besides localhost and addresses */
    size_t name_count;          /* at most 16 */
    const gs_server_live *live; /* NULL: nothing is received, and nothing written */
} gs_server_options;

/* Begins to serve; everything in `options` is copied. *out is the caller's, NULL on failure:
 * GS_E_ARGUMENT, GS_E_IO if it cannot listen there, GS_E_UNSUPPORTED if Gumshoe was built without
 * the page, and as gs_profile_file_open() for each of the files; if live, as gs_collector_open(),
 * gs_collector_add_program() and gs_collector_greet(). */
gs_status gs_server_open(gs_server **out, const gs_server_options *options, gs_error *err);

/* Waits for the answers that are under way. NULL is fine. */
void gs_server_free(gs_server *server);

/* Where the page is, with the token: for the user's eyes only. Borrowed. */
const char *gs_server_url(const gs_server *server);

/* Where a live server receives; NULL if it is none. Borrowed. */
const char *gs_server_listens_at(const gs_server *server);

/* Whether a text can be a token. */
bool gs_server_is_token(const char *text);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
