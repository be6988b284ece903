/*
 * Requests: whatever their parts, each gets an answer, and a stranger never one about a profile.
 *
 * The bytes are lines: the path, then "name=value" for a parameter, "name: value" for a header, and
 * ">text" for the body. The server is live, and has a device that obeys.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "serve/events.h"
#include "serve_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void add_line(gs_request *request, char *line)
{
    char *equals = strchr(line, '='), *colon = strstr(line, ": ");
    if (line[0] == '>') {
        request->body = line + 1;
        request->body_size = strlen(line + 1);
    } else if (colon && (!equals || colon < equals)) {
        const struct {
            const char *name, **to;
        } headers[] = {{"host", &request->host},
                       {"origin", &request->origin},
                       {"site", &request->fetch_site},
                       {"cookie", &request->cookie},
                       {"authorization", &request->authorization},
                       {"fresh", &request->if_none_match},
                       {"method", &request->method}};
        *colon = '\0';
        for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
            if (strcmp(headers[i].name, line) == 0)
                *headers[i].to = colon + 2;
        }
    } else if (equals) {
        *equals = '\0';
        serve_rig_add(request, line, equals + 1);
    }
}

static void check(const gs_server *server, const gs_request *request, const gs_response *response)
{
    bool in_address, known = gs_guard_knows(&server->guard, request, &in_address);
    bool is_api = strncmp(request->path, "/api/", 5) == 0;
    require(response->status >= 200 && response->status < 600 && response->type);
    require(response->fixed || response->body || response->size == 0);
    require(!response->events || (known && response->status == 200 && !response->body));
    require(response->status != 200 || !is_api || known);
    require(response->status < 400 || (response->body && !strchr(response->body, '\r')));
    require(!response->sets_cookie || in_address);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static gs_server server;
    if (!server.shelf.file_count)
        serve_rig_open_live(&server);
    char *text = malloc(size + 1), *rest = text;
    require(text != NULL);
    memcpy(text, bytes, size);
    text[size] = '\0';
    gs_request request = serve_rig_request(strsep(&rest, "\n"));
    for (char *line; (line = strsep(&rest, "\n"));)
        add_line(&request, line);
    gs_response response;
    gs_serve_answer(&server, &request, &response);
    check(&server, &request, &response);
    if (response.events) {
        char part[4096];
        require(gs_events_read(response.events, part, sizeof part) > 0);
    }
    gs_events_close(response.events);
    free(response.body);
    free(text);
    return 0;
}
