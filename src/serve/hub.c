/* Receives from devices in a thread of its own, and wakes the threads that watch. */
#include "serve/hub.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"

enum { TURN_MS = 20 }; /* the collector repeats commands after 50 ms */

static gs_hub_track *slot(gs_hub *hub, size_t number)
{
    return &hub->tracks[number % GS_HUB_TRACKS];
}

gs_track *gs_hub_find_track(const gs_hub *hub, const gs_live_stream *stream)
{
    for (size_t i = hub->track_count; i > 0 && hub->track_count - i < GS_HUB_TRACKS; i--) {
        const gs_hub_track *at = &hub->tracks[(i - 1) % GS_HUB_TRACKS];
        if (at->stream == stream)
            return at->track;
    }
    return NULL;
}

static void take_interval(void *self, const gs_live_stream *stream,
                          const gs_live_interval *interval)
{
    gs_hub *hub = self;
    gs_track *track = gs_hub_find_track(hub, stream);
    if (!track) {
        gs_hub_track *to = slot(hub, hub->track_count);
        if (gs_track_open(&track, interval->count, NULL) != GS_OK)
            return; /* there is no curve, then */
        gs_track_close(to->track);
        *to = (gs_hub_track){stream, track};
        hub->track_count++;
    }
    gs_track_add(track, interval);
}

/* Of what a list of streams shows; another number when it would show something else. */
static uint64_t fingerprint(const gs_collector *collector)
{
    const size_t count = gs_collector_stream_count(collector);
    uint64_t mixed = 0;
    for (size_t i = 0; i < count; i++) {
        const gs_live_stream *s = gs_collector_stream(collector, i);
        const unsigned flags =
            (unsigned)s->running | (unsigned)s->ended << 1 | (unsigned)s->program_ended << 2;
        mixed = mixed * 0x9e3779b97f4a7c15u + 1 + flags;
    }
    return mixed;
}

/* A stream is mentioned whenever its device has answered, also if all is as it was. */
static void note_change(void *self, const gs_live_stream *stream)
{
    gs_hub *hub = self;
    (void)stream;
    hub->mentioned = true;
}

static void look_for_changes(gs_hub *hub, bool is_sure)
{
    const uint64_t now = fingerprint(hub->collector);
    if (is_sure || now != hub->shown)
        hub->changes++;
    hub->shown = now;
    hub->mentioned = false;
}

static void *receive(void *self)
{
    gs_hub *hub = self;
    gs_status status = GS_OK;
    struct pollfd ready = {.fd = gs_collector_descriptor(hub->collector), .events = POLLIN};
    gs_hub_lock(hub);
    while (!hub->closing && status == GS_OK) {
        gs_hub_unlock(hub);
        (void)poll(&ready, 1, TURN_MS);
        gs_hub_lock(hub);
        status = gs_collector_serve(hub->collector, 0, &hub->problem);
        if (hub->mentioned || status != GS_OK)
            look_for_changes(hub, status != GS_OK);
        pthread_cond_broadcast(&hub->bell);
    }
    gs_hub_unlock(hub);
    return NULL;
}

/* Signals are for the program's own thread. */
static gs_status start(gs_hub *hub, gs_error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int problem = pthread_create(&hub->thread, NULL, receive, hub);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    hub->running = problem == 0;
    return problem ? gs_fail(err, GS_E_IO, "cannot start a thread: %s", strerror(problem)) : GS_OK;
}

static gs_status listen_for(gs_hub *hub, const gs_server_live *options, const char *file,
                            gs_error *err)
{
    const gs_collector_options how = {.listen = options->listen,
                                      .key = options->key,
                                      .file = file,
                                      .interval = take_interval,
                                      .stream = note_change,
                                      .self = hub};
    hub->file = strdup(file);
    gs_status status =
        hub->file ? gs_collector_open(&hub->collector, &how, err) : gs_fail_no_memory(err);
    for (size_t i = 0; i < options->program_count && status == GS_OK; i++)
        status = gs_collector_add_program(hub->collector, options->programs[i], err);
    for (size_t i = 0; i < options->device_count && status == GS_OK; i++)
        status = gs_collector_greet(hub->collector, options->devices[i], err);
    return status == GS_OK ? start(hub, err) : status;
}

gs_status gs_hub_open(gs_hub *hub, const gs_server_live *options, const char *file, gs_error *err)
{
    pthread_condattr_t monotonic;
    *hub = (gs_hub){.closing = false};
    pthread_mutex_init(&hub->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&hub->bell, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return options ? listen_for(hub, options, file, err) : GS_OK;
}

void gs_hub_end(gs_hub *hub)
{
    gs_hub_lock(hub);
    hub->closing = true;
    pthread_cond_broadcast(&hub->bell);
    gs_hub_unlock(hub);
    if (hub->running)
        pthread_join(hub->thread, NULL);
    hub->running = false;
}

void gs_hub_close(gs_hub *hub)
{
    (void)gs_collector_close(hub->collector, NULL); /* a second failure says nothing new */
    for (size_t i = 0; i < GS_HUB_TRACKS; i++)
        gs_track_close(hub->tracks[i].track);
    free(hub->file);
    pthread_cond_destroy(&hub->bell);
    pthread_mutex_destroy(&hub->lock);
}

bool gs_hub_wait(gs_hub *hub, unsigned most_ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += most_ms / 1000;
    until.tv_nsec += (long)(most_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    if (!hub->closing)
        (void)pthread_cond_timedwait(&hub->bell, &hub->lock, &until);
    return !hub->closing;
}
