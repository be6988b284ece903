/* Opens a server, and answers requests: the page, the API, errors. */
#include "serve/server.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static gs_status copy_all(char **to, const char *const *from, size_t count, size_t most,
                          const char *what, gs_error *err)
{
    if (count > most)
        return gs_fail(err, GS_E_ARGUMENT, "at most %zu %s", most, what);
    for (size_t i = 0; i < count; i++) {
        to[i] = strdup(from[i]);
        if (!to[i])
            return gs_fail_no_memory(err);
    }
    return GS_OK;
}

static gs_status set_guard(gs_server *server, const gs_server_options *options, gs_error *err)
{
    gs_guard *guard = &server->guard;
    if (options->token && !gs_guard_is_token(options->token))
        return gs_fail(err, GS_E_ARGUMENT,
                       "a token has 16 to %d letters, digits, '-' and '_', and nothing else",
                       GS_GUARD_TOKEN);
    if (options->token)
        strcpy(guard->token, options->token);
    else if (!gs_guard_make_token(guard->token))
        return gs_fail(err, GS_E_IO, "the system has no random numbers for a token");
    gs_status status = copy_all(server->names, options->names, options->name_count, GS_GUARD_NAMES,
                                "names of the host", err);
    guard->name_count = options->name_count;
    for (size_t i = 0; status == GS_OK && i < options->name_count; i++)
        guard->names[i] = server->names[i];
    return status;
}

gs_status gs_serve_open(gs_server *server, const gs_server_options *options, gs_error *err)
{
    *server = (gs_server){0};
    pthread_mutex_init(&server->lock, NULL);
    pthread_mutex_init(&server->rerun, NULL);
    gs_status status = gs_hub_open(&server->hub, options->live,
                                   options->file_count > 0 ? options->files[0] : "", err);
    if (status == GS_OK)
        status = copy_all(server->roots_at, options->sources, options->source_count,
                          GS_SERVER_SOURCES, "directories of sources", err);
    server->roots = (gs_roots){(const char *const *)server->roots_at, options->source_count};
    if (status == GS_OK)
        status = set_guard(server, options, err);
    if (status == GS_OK)
        status = gs_shelf_open(&server->shelf, options->files, options->file_count, err);
    if (status != GS_OK)
        gs_serve_close(server);
    return status;
}

void gs_serve_close(gs_server *server)
{
    gs_hub_end(&server->hub);
    gs_hub_close(&server->hub);
    gs_shelf_close(&server->shelf);
    for (size_t i = 0; i < GS_SERVER_SOURCES; i++)
        free(server->roots_at[i]);
    for (size_t i = 0; i < GS_GUARD_NAMES; i++)
        free(server->names[i]);
    free(server->url);
    pthread_mutex_destroy(&server->lock);
    pthread_mutex_destroy(&server->rerun);
    *server = (gs_server){0};
}

/* The newest run of the first file is what the page most often shows first: it is loaded while
 * the browser reads the page. Errors are reported when that run is requested. */
static void *load_newest(void *self)
{
    gs_server *server = self;
    gs_profile_file *file;
    const gs_profile *profile;
    gs_run_name name = {.file = 0};
    if (gs_profile_file_open(&file, server->shelf.files[0], NULL) != GS_OK)
        return NULL;
    const size_t count = gs_profile_file_run_count(file);
    if (count > 0)
        name.run = gs_profile_file_run(file, count - 1)->id;
    gs_profile_file_free(file);
    if (count == 0)
        return NULL;
    pthread_mutex_lock(&server->lock);
    (void)gs_shelf_profile(&server->shelf, &profile, name, NULL);
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

static void start_loading(gs_server *server)
{
    sigset_t all, before;
    if (server->shelf.file_count == 0)
        return;
    sigfillset(&all); /* signals are for the program's own thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    server->has_loader = pthread_create(&server->loader, NULL, load_newest, server) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

gs_status gs_server_open(gs_server **out, const gs_server_options *options, gs_error *err)
{
    *out = NULL;
    gs_server *server = calloc(1, sizeof *server);
    if (!server)
        return gs_fail_no_memory(err);
    gs_status status = gs_serve_open(server, options, err);
    if (status == GS_OK) {
        status = gs_http_start(server, options, err);
        if (status != GS_OK)
            gs_serve_close(server);
    }
    if (status != GS_OK) {
        free(server);
        return status;
    }
    start_loading(server);
    *out = server;
    return GS_OK;
}

void gs_server_free(gs_server *server)
{
    if (!server)
        return;
    gs_hub_end(&server->hub); /* what waits for it ends */
    if (server->has_loader)
        pthread_join(server->loader, NULL);
    gs_http_stop(server);
    gs_serve_close(server);
    free(server);
}

const char *gs_server_url(const gs_server *server)
{
    return server->url;
}

const char *gs_server_listens_at(const gs_server *server)
{
    const gs_collector *collector = server->hub.collector;
    return collector ? gs_collector_address(collector) : NULL;
}

bool gs_server_is_token(const char *text)
{
    return gs_guard_is_token(text);
}
