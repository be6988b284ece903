/*
 * hub.h - where the server's threads meet what is live.
 *
 * With `serve --live` a thread of its own receives from devices (gs_collector), and keeps a track
 * of each stream for curves. Everything in a hub is looked at and changed under its lock, which is
 * held for moments only. Without --live there is no collector; the hub is then what tells waiting
 * threads that the server ends.
 */
#ifndef GS_SERVE_HUB_H
#define GS_SERVE_HUB_H

#include <pthread.h>

#include "gumshoe/live.h"
#include "gumshoe/serve.h"
#include "live/track.h"

enum {
    GS_HUB_TRACKS = 128,  /* streams with a track; older ones are read from the file, if kept */
    GS_HUB_WATCHERS = 32, /* connections that follow streams */
};

typedef struct gs_hub_track {
    const gs_live_stream *stream; /* the collector's */
    gs_track *track;
} gs_hub_track;

typedef struct gs_hub {
    pthread_mutex_t lock;
    pthread_cond_t bell; /* something has changed */
    pthread_t thread;
    bool running, closing;
    gs_collector *collector; /* or NULL */
    char *file;              /* where streams are kept */
    gs_error problem;        /* why reception has ended */
    uint64_t changes;        /* of streams: begun, ended, set */
    uint64_t shown;          /* stands for what they were at the last change */
    bool mentioned;          /* one of them may have changed */
    unsigned watchers;
    gs_hub_track tracks[GS_HUB_TRACKS]; /* a ring */
    size_t track_count;                 /* of all time */
} gs_hub;

/* Makes a hub; with `options`, opens the collector, which keeps streams in `file`, and begins to
 * receive. To be closed if that fails, too: as gs_collector_open(), gs_collector_add_program(),
 * gs_collector_greet(). */
gs_status gs_hub_open(gs_hub *hub, const gs_server_live *options, const char *file, gs_error *err);

/* Wakes all waiting threads, which end. */
void gs_hub_end(gs_hub *hub);

/* To be called after that, when no thread uses the hub any more. */
void gs_hub_close(gs_hub *hub);

static inline void gs_hub_lock(gs_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
}

static inline void gs_hub_unlock(gs_hub *hub)
{
    pthread_mutex_unlock(&hub->lock);
}

/* Under the lock, which is not held meanwhile: waits until something may have changed, at most so
 * many milliseconds. False: the server ends. */
bool gs_hub_wait(gs_hub *hub, unsigned most_ms);

/* Under the lock: the track of a stream, or NULL. */
gs_track *gs_hub_find_track(const gs_hub *hub, const gs_live_stream *stream);

#endif
