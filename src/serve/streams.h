/*
 * streams.h - streams of intervals as the API names, finds and describes them.
 *
 * A stream is named by what it is for its device, "DEVICE-SESSION-STREAM", so that its name stays
 * the same wherever it is read from and however often the server is started.
 */
#ifndef GS_SERVE_STREAMS_H
#define GS_SERVE_STREAMS_H

#include "base/json.h"
#include "serve/hub.h"
#include "serve/request.h"

enum { GS_STREAM_NAME = 64 };

typedef struct gs_stream_name {
    uint64_t device, session, stream;
} gs_stream_name;

/* The parameter has to be there. */
gs_status gs_request_stream(const gs_request *request, const char *name, gs_stream_name *value,
                            gs_error *err);

bool gs_stream_is(const gs_live_stream *stream, const gs_stream_name *name);

/* Under the hub's lock: the index of a stream that has come over the network. */
bool gs_stream_find_live(const gs_hub *hub, const gs_stream_name *name, size_t *index);

/* Of a file that has been opened, or NULL. */
const gs_live_stream *gs_stream_find_in(const gs_live_file *file, const gs_stream_name *name);

/* Writes the object of a stream: one of the collector's, under the hub's lock, or of a file, which
 * is the server's `number`th from 0. */
void gs_stream_put_live(gs_json *json, const char *key, const gs_hub *hub, size_t index);
void gs_stream_put_kept(gs_json *json, const char *key, const gs_live_file *file, size_t number,
                        const gs_live_stream *stream);

#endif
