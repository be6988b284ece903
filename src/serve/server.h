/*
 * server.h - the server's own state, and its answers.
 *
 * gs_serve_answer() turns a request into a response and knows nothing of sockets, so that tests
 * call it as http.c does. Any number of threads may; what they share is behind the server's lock.
 */
#ifndef GS_SERVE_SERVER_H
#define GS_SERVE_SERVER_H

#include <pthread.h>

#include "base/json.h"
#include "gumshoe/serve.h"
#include "report/roots.h"
#include "serve/guard.h"
#include "serve/hub.h"
#include "serve/request.h"
#include "serve/shelf.h"

struct gs_server {
    pthread_mutex_t lock; /* of the shelf */
    gs_shelf shelf;
    gs_guard guard;
    char *roots_at[GS_SERVER_SOURCES];
    char *names[GS_GUARD_NAMES];
    gs_roots roots;
    gs_hub hub;            /* has a lock of its own */
    pthread_mutex_t rerun; /* held while a program is run for its pipeline */
    pthread_t loader;      /* loads at the beginning what will be asked for, probably */
    bool has_loader;
    char *url;
    void *daemon; /* of http.c */
};

/* Everything but the sockets. */
gs_status gs_serve_open(gs_server *server, const gs_server_options *options, gs_error *err);
void gs_serve_close(gs_server *server);

/* Fills in a response, whose body is the caller's to free(), and its events to close. */
void gs_serve_answer(gs_server *server, const gs_request *request, gs_response *response);

/* Starts and stops to listen. */
gs_status gs_http_start(gs_server *server, const gs_server_options *options, gs_error *err);
void gs_http_stop(gs_server *server);

#endif
