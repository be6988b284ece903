/*
 * request.h - requests and responses, without sockets.
 *
 * A request borrows everything; texts that it does not have are NULL. Parameters are those of the
 * query, decoded. A response owns its body, unless that is `fixed`.
 */
#ifndef GS_SERVE_REQUEST_H
#define GS_SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gumshoe/error.h"
#include "gumshoe/metric.h"
#include "serve/shelf.h"

enum { GS_REQUEST_PARAMETERS = 24, GS_REQUEST_BODY = 64 << 10 };

typedef struct gs_parameter {
    const char *name, *value;
} gs_parameter;

typedef struct gs_request {
    const char *method; /* "GET" */
    const char *path;   /* "/api/runs" */
    const char *host, *origin, *fetch_site, *cookie, *authorization, *if_none_match, *type;
    gs_parameter parameters[GS_REQUEST_PARAMETERS];
    size_t parameter_count;
    const char *body; /* with a NUL behind it */
    size_t body_size;
} gs_request;

typedef struct gs_response {
    unsigned status;
    const char *type;
    const char *etag; /* or NULL */
    bool is_gzip;
    bool sets_cookie;  /* the request brought the token in its address */
    const void *fixed; /* lives as long as the program; or NULL */
    char *body;
    size_t size;
    struct gs_events *events; /* instead of a body, which has no end; owned; or NULL */
} gs_response;

/* NULL if there is none of this name; the last one if there are several. */
const char *gs_request_parameter(const gs_request *request, const char *name);

/* All of these leave *value alone if the parameter is missing, and fail with GS_E_ARGUMENT if it is
 * not what it should be. */
gs_status gs_request_count(const gs_request *request, const char *name, uint64_t most,
                           uint64_t *value, gs_error *err);
gs_status gs_request_switch(const gs_request *request, const char *name, bool *value,
                            gs_error *err);
gs_status gs_request_address(const gs_request *request, const char *name, uint32_t *value,
                             bool *given, gs_error *err);

/* "1.3"; the parameter has to be there. */
gs_status gs_request_run(const gs_request *request, const char *name, gs_run_name *value,
                         gs_error *err);

/* "12.7.3": numbers of functions; at most `most`. */
gs_status gs_request_numbers(const gs_request *request, const char *name, uint32_t *values,
                             size_t most, size_t *count, gs_error *err);

#endif
