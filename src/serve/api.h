/*
 * api.h - what is behind each path of the API: docs/api.md, in C.
 *
 * A handler reads the parameters it knows from the request and writes one JSON document, with
 * `json` or directly to `to`. What it has written when it fails is thrown away.
 */
#ifndef GS_SERVE_API_H
#define GS_SERVE_API_H

#include "serve/server.h"

enum {
    GS_API_ROWS = 1000,   /* at a time */
    GS_API_NODES = 20000, /* of a tree */
    GS_API_DEPTH = 512,   /* of the way to where a tree begins */
    GS_API_LINES = 20000, /* of a source file */
};

typedef struct gs_call {
    gs_server *server;
    const gs_request *request;
    FILE *to;
    gs_json json;
} gs_call;

typedef gs_status gs_api_handler(gs_call *call, gs_error *err);

gs_api_handler gs_api_session, gs_api_runs, gs_api_overview, gs_api_rows, gs_api_tree,
    gs_api_function, gs_api_source, gs_api_timeline, gs_api_pipeline, gs_api_difference,
    gs_api_difference_tree, gs_api_energy, gs_api_core, gs_api_live, gs_api_live_places,
    gs_api_live_command, gs_api_live_device;

/* The profile that the parameter `name` means; borrowed, see shelf.h. */
gs_status gs_api_profile(gs_call *call, const char *name, const gs_profile **out, gs_error *err);

/* The metric that was asked for, or else the profile's own; an error if it cannot have it. */
gs_status gs_api_metric(gs_call *call, const gs_profile *profile, gs_metric *metric, gs_error *err);

/* The core of a profile, as it was when it was run. *out is the caller's. */
gs_status gs_api_open_core(gs_core **out, const gs_profile *profile, gs_error *err);

/* Begins the document: an object with its schema, "gumshoe-NAME-1". */
void gs_api_begin(gs_call *call, const char *schema);
gs_status gs_api_end(gs_call *call, gs_error *err);

#endif
