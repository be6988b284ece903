/*
 * events.h - what is live, told to a page as it comes: Server-Sent Events.
 *
 * An answer without an end, which one thread reads piece by piece. Of a stream that this server
 * receives, points come at most 25 times a second; of one that another process writes to a file, as
 * often as it does. A slow reader gets points that stand for more intervals, and misses some.
 */
#ifndef GS_SERVE_EVENTS_H
#define GS_SERVE_EVENTS_H

#include "serve/server.h"

typedef struct gs_events gs_events;

/* *out is the caller's, NULL on failure: GS_E_ARGUMENT, GS_E_NOT_FOUND for a stream that there is
 * not, GS_E_UNSUPPORTED if there are too many watchers. Borrows the server. */
gs_status gs_events_open(gs_events **out, gs_server *server, const gs_request *request,
                         gs_error *err);
void gs_events_close(gs_events *events); /* NULL is fine */

/* Waits until there is something to send, some seconds at most; after that it sends a sign of
 * life. Returns how many bytes; 0: the stream is over. */
size_t gs_events_read(gs_events *events, char *bytes, size_t most);

#endif
