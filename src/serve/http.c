/*
 * The server's sockets, which libmicrohttpd serves: a thread per connection, few connections, small
 * requests, and no connection that keeps still for long.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include "base/error.h"
#include "serve/events.h"

enum {
    CONNECTIONS = 64,
    IDLE_SECONDS = 30,
    CONNECTION_BYTES = 32 << 10, /* for the head of a request */
    EVENT_BYTES = 16 << 10,
    BACKLOG = 64,
};

/* No script, style or connection but this server's own, in no frame, and no address told elsewhere.
 */
static const char *const headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; "
                                "img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
                                "form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};

/* What has come of a request's body so far. */
typedef struct upload {
    char *body;
    size_t size;
    bool too_large;
} upload;

static enum MHD_Result add_parameter(void *to, enum MHD_ValueKind kind, const char *name,
                                     const char *value)
{
    (void)kind;
    gs_request *request = to;
    if (request->parameter_count == GS_REQUEST_PARAMETERS)
        return MHD_NO;
    request->parameters[request->parameter_count++] = (gs_parameter){name, value ? value : ""};
    return MHD_YES;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static void add_cookie(const gs_server *server, struct MHD_Response *response)
{
    char text[sizeof server->guard.cookie + GS_GUARD_TOKEN + 64];
    snprintf(text, sizeof text, "%s=%s; Path=/; HttpOnly; SameSite=Strict", server->guard.cookie,
             server->guard.token);
    MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, text);
}

static void add_etag(const gs_response *from, struct MHD_Response *response)
{
    char text[64];
    snprintf(text, sizeof text, "\"%s\"", from->etag);
    MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, text);
}

static ssize_t read_events(void *self, uint64_t at, char *bytes, size_t most)
{
    (void)at;
    const size_t size = gs_events_read(self, bytes, most);
    return size ? (ssize_t)size : MHD_CONTENT_READER_END_OF_STREAM;
}

static void close_events(void *self)
{
    gs_events_close(self);
}

static struct MHD_Response *make_response(const gs_response *from)
{
    if (from->events)
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EVENT_BYTES, read_events,
                                                 from->events, close_events);
    return from->fixed
               ? MHD_create_response_from_buffer(from->size, (void *)from->fixed,
                                                 MHD_RESPMEM_PERSISTENT)
               : MHD_create_response_from_buffer(from->size, from->body, MHD_RESPMEM_MUST_FREE);
}

static enum MHD_Result send_response(const gs_server *server, struct MHD_Connection *connection,
                                     gs_response *from)
{
    struct MHD_Response *response = make_response(from);
    if (!response) {
        free(from->body);
        gs_events_close(from->events);
        return MHD_NO;
    }
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, from->type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL,
                            from->etag ? "no-cache" : "no-store");
    if (from->etag)
        add_etag(from, response);
    if (from->is_gzip)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    if (from->sets_cookie)
        add_cookie(server, response);
    enum MHD_Result result = MHD_queue_response(connection, from->status, response);
    MHD_destroy_response(response);
    return result;
}

static void add_upload(upload *to, const char *data, size_t size)
{
    if (to->too_large || size > GS_REQUEST_BODY - to->size) {
        to->too_large = true;
        return;
    }
    char *grown = realloc(to->body, to->size + size + 1);
    if (!grown) {
        to->too_large = true;
        return;
    }
    memcpy(grown + to->size, data, size);
    to->body = grown;
    to->size += size;
    to->body[to->size] = '\0';
}

static enum MHD_Result answer(void *self, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **kept)
{
    (void)version;
    upload *body = *kept;
    if (!body) { /* the head is there; the body, if any, follows */
        *kept = calloc(1, sizeof *body);
        return *kept ? MHD_YES : MHD_NO;
    }
    if (*size > 0) {
        add_upload(body, data, *size);
        *size = 0;
        return MHD_YES;
    }
    gs_request request = {
        .method = method,
        .path = url,
        .host = header(connection, MHD_HTTP_HEADER_HOST),
        .origin = header(connection, MHD_HTTP_HEADER_ORIGIN),
        .fetch_site = header(connection, "Sec-Fetch-Site"),
        .cookie = header(connection, MHD_HTTP_HEADER_COOKIE),
        .authorization = header(connection, MHD_HTTP_HEADER_AUTHORIZATION),
        .if_none_match = header(connection, MHD_HTTP_HEADER_IF_NONE_MATCH),
        .type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE),
        .body = body->body ? body->body : "",
        .body_size = body->too_large ? SIZE_MAX : body->size,
    };
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, add_parameter, &request);
    gs_response response = {0};
    gs_serve_answer(self, &request, &response);
    return send_response(self, connection, &response);
}

static void finish(void *self, struct MHD_Connection *connection, void **kept,
                   enum MHD_RequestTerminationCode code)
{
    (void)self, (void)connection, (void)code;
    upload *body = *kept;
    if (body)
        free(body->body);
    free(body);
    *kept = NULL;
}

static void keep_quiet(void *self, const char *format, va_list arguments)
{
    (void)self, (void)format, (void)arguments;
}

typedef union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address;

static gs_status parse_address(const gs_server_options *options, address *to, gs_error *err)
{
    const char *text = options->address ? options->address : "127.0.0.1";
    *to = (address){0};
    if (options->port > 65535)
        return gs_fail(err, GS_E_ARGUMENT, "there is no port %u", options->port);
    if (inet_pton(AF_INET, text, &to->v4.sin_addr) == 1) {
        to->v4.sin_family = AF_INET;
        to->v4.sin_port = htons((uint16_t)options->port);
        return GS_OK;
    }
    if (inet_pton(AF_INET6, text, &to->v6.sin6_addr) == 1) {
        to->v6.sin6_family = AF_INET6;
        to->v6.sin6_port = htons((uint16_t)options->port);
        return GS_OK;
    }
    return gs_fail(err, GS_E_ARGUMENT, "'%.60s' is no address such as 127.0.0.1 or ::1", text);
}

static int listen_at(const address *at)
{
    socklen_t size = at->any.sa_family == AF_INET ? sizeof at->v4 : sizeof at->v6;
    int on = 1, fd = socket(at->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, &at->any, size) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* What was bound to, in words: the address that a browser on this machine can reach. */
static gs_status set_url(gs_server *server, int fd, gs_error *err)
{
    address at = {0};
    socklen_t size = sizeof at;
    char text[INET6_ADDRSTRLEN] = "";
    getsockname(fd, &at.any, &size);
    bool is_v4 = at.any.sa_family == AF_INET;
    unsigned port = ntohs(is_v4 ? at.v4.sin_port : at.v6.sin6_port);
    inet_ntop(at.any.sa_family, is_v4 ? (void *)&at.v4.sin_addr : (void *)&at.v6.sin6_addr, text,
              sizeof text);
    const char *host = strcmp(text, "0.0.0.0") == 0 ? "127.0.0.1"
                       : strcmp(text, "::") == 0    ? "::1"
                                                    : text;
    snprintf(server->guard.cookie, sizeof server->guard.cookie, "gumshoe-%u", port);
    int length = asprintf(&server->url, "http://%s%s%s:%u/?token=%s", is_v4 ? "" : "[", host,
                          is_v4 ? "" : "]", port, server->guard.token);
    if (length < 0) {
        server->url = NULL;
        return gs_fail_no_memory(err);
    }
    return GS_OK;
}

gs_status gs_http_start(gs_server *server, const gs_server_options *options, gs_error *err)
{
    address at;
    gs_status status = parse_address(options, &at, err);
    if (status != GS_OK)
        return status;
    int fd = listen_at(&at);
    if (fd < 0)
        return gs_fail(err, GS_E_IO, "cannot listen on %.60s port %u: %s",
                       options->address ? options->address : "127.0.0.1", options->port,
                       strerror(errno));
    status = set_url(server, fd, err);
    if (status != GS_OK) {
        close(fd);
        return status;
    }
    server->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
            MHD_USE_ERROR_LOG | MHD_USE_ITC,
        0, NULL, NULL, answer, server, MHD_OPTION_EXTERNAL_LOGGER, keep_quiet, NULL,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_BYTES, MHD_OPTION_NOTIFY_COMPLETED, finish, NULL, MHD_OPTION_END);
    if (server->daemon)
        return GS_OK;
    close(fd);
    return gs_fail(err, GS_E_IO, "cannot start the server's thread");
}

void gs_http_stop(gs_server *server)
{
    MHD_stop_daemon(server->daemon);
}
