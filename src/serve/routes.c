/* From a request to what answers it: a file of the page, or a path of the API. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/page.h"
#include "serve/api.h"
#include "serve/events.h"

typedef enum api_kind {
    LOCKED,   /* reads profiles, under the server's lock */
    UNLOCKED, /* reads; takes the lock itself, where it needs it */
    COMMAND,  /* changes something: POST */
    EVENTS,   /* goes on: see events.h */
} api_kind;

typedef struct api_route {
    const char *path;
    api_kind kind;
    gs_api_handler *handle;
} api_route;

static const api_route routes[] = {
    {"/api/session", UNLOCKED, gs_api_session},
    {"/api/runs", LOCKED, gs_api_runs},
    {"/api/overview", LOCKED, gs_api_overview},
    {"/api/rows", LOCKED, gs_api_rows},
    {"/api/tree", LOCKED, gs_api_tree},
    {"/api/function", LOCKED, gs_api_function},
    {"/api/source", LOCKED, gs_api_source},
    {"/api/timeline", LOCKED, gs_api_timeline},
    {"/api/pipeline", UNLOCKED, gs_api_pipeline},
    {"/api/difference", LOCKED, gs_api_difference},
    {"/api/difference/tree", LOCKED, gs_api_difference_tree},
    {"/api/energy", LOCKED, gs_api_energy},
    {"/api/core", LOCKED, gs_api_core},
    {"/api/live", UNLOCKED, gs_api_live},
    {"/api/live/places", UNLOCKED, gs_api_live_places},
    {"/api/live/events", EVENTS, NULL},
    {"/api/live/command", COMMAND, gs_api_live_command},
    {"/api/live/device", COMMAND, gs_api_live_device},
};

static const char json_type[] = "application/json; charset=utf-8";

static const struct {
    unsigned http;
    const char *key;
} failures[] = {
    [GS_E_NO_MEMORY] = {503, "no-memory"},     [GS_E_IO] = {500, "io"},
    [GS_E_NOT_FOUND] = {404, "not-found"},     [GS_E_FORMAT] = {500, "format"},
    [GS_E_UNSUPPORTED] = {422, "unsupported"}, [GS_E_ARGUMENT] = {400, "argument"},
};

/* Throws away what was written, and says why. */
static void refuse(gs_response *response, unsigned status, const char *key, const char *message)
{
    free(response->body);
    *response = (gs_response){.status = status, .type = json_type};
    FILE *to = open_memstream(&response->body, &response->size);
    if (!to)
        return;
    gs_json json;
    gs_json_begin_compact(&json, to);
    gs_json_open_object(&json, NULL);
    gs_json_open_object(&json, "error");
    gs_json_string(&json, "kind", key);
    gs_json_string(&json, "message", message);
    gs_json_close_object(&json);
    gs_json_close_object(&json);
    gs_json_end(&json);
    fclose(to);
}

static void call_api(gs_server *server, const api_route *route, const gs_request *request,
                     gs_response *response)
{
    gs_call call = {.server = server, .request = request};
    gs_error err = {0};
    gs_status status;
    call.to = open_memstream(&response->body, &response->size);
    if (!call.to) {
        refuse(response, 503, "no-memory", "no memory left");
        return;
    }
    if (route->kind == LOCKED)
        pthread_mutex_lock(&server->lock);
    status = route->handle(&call, &err);
    if (route->kind == LOCKED)
        pthread_mutex_unlock(&server->lock);
    if (fclose(call.to) != 0 && status == GS_OK)
        status = gs_fail_no_memory(&err);
    response->status = 200;
    response->type = json_type;
    if (status != GS_OK)
        refuse(response, failures[status].http, failures[status].key, err.message);
}

static bool is_fresh(const gs_page_file *file, const char *known)
{
    return known && strstr(known, file->etag) != NULL;
}

static bool find_page(const char *path, const gs_page_file **file)
{
    for (size_t i = 0; i < gs_page_file_count; i++) {
        *file = &gs_page_files[i];
        if (strcmp((*file)->path, path) == 0)
            return true;
    }
    return false;
}

static void send_page(const gs_page_file *file, const gs_request *request, gs_response *response)
{
    bool fresh = is_fresh(file, request->if_none_match);
    *response = (gs_response){.status = fresh ? 304 : 200,
                              .type = file->type,
                              .etag = file->etag,
                              .is_gzip = !fresh,
                              .fixed = file->gzip,
                              .size = fresh ? 0 : file->gzip_size};
}

static const api_route *find_route(const char *path)
{
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (strcmp(routes[i].path, path) == 0)
            return &routes[i];
    }
    return NULL;
}

static void open_events(gs_server *server, const gs_request *request, gs_response *response)
{
    gs_error err = {0};
    const gs_status status = gs_events_open(&response->events, server, request, &err);
    response->status = 200;
    response->type = "text/event-stream";
    if (status != GS_OK)
        refuse(response, failures[status].http, failures[status].key, err.message);
}

static bool is_method_of(const api_route *route, const char *method)
{
    if (route->kind == COMMAND || route->kind == EVENTS)
        return strcmp(method, route->kind == COMMAND ? "POST" : "GET") == 0;
    return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
}

static void answer_api(gs_server *server, const gs_request *request, bool known,
                       gs_response *response)
{
    const api_route *route = find_route(request->path);
    if (!known)
        refuse(response, 401, "token",
               "this needs the token: open the address that gumshoe serve has printed");
    else if (!route)
        refuse(response, 404, "not-found", "the API has no such path");
    else if (!is_method_of(route, request->method))
        refuse(response, 405, "method",
               route->kind == COMMAND ? "this is a command: POST"
                                      : "only reading is possible: GET");
    else if (route->kind == EVENTS)
        open_events(server, request, response);
    else
        call_api(server, route, request, response);
}

void gs_serve_answer(gs_server *server, const gs_request *request, gs_response *response)
{
    const gs_page_file *file;
    bool in_address;
    bool known = gs_guard_knows(&server->guard, request, &in_address);
    *response = (gs_response){0};
    if (!gs_guard_allows_source(&server->guard, request))
        refuse(
            response, 403, "source",
            "refused: not from this server's own page, or under a name it was not told (--name)");
    else if (request->body_size > GS_REQUEST_BODY)
        refuse(response, 413, "size", "the request is too large");
    else if (strncmp(request->path, "/api/", strlen("/api/")) == 0)
        answer_api(server, request, known, response);
    else if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
        refuse(response, 405, "method", "only reading is possible: GET");
    else if (find_page(request->path, &file))
        send_page(file, request, response);
    else
        refuse(response, 404, "not-found", "there is nothing here");
    response->sets_cookie = in_address && response->status < 400;
    if (!response->body && !response->fixed)
        response->size = 0;
}
