/*
 * Tells a page of a stream: its points so far, those that come, how it stands, and whether the list
 * of streams has changed.
 */
#include "serve/events.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/error.h"
#include "base/vec.h"
#include "serve/streams.h"

enum {
    POINTS_MS = 40,  /* between two messages with points */
    STATE_MS = 250,  /* and about how things stand */
    LOOK_MS = 200,   /* at a file that another process writes */
    QUIET_MS = 3000, /* after which it is said that nothing is new */
    AT_ONCE = 64,    /* points in a message, but for the first */
};

/* A part of a file's state that changes when it is written to. */
typedef struct stamp {
    struct timespec changed;
    off_t size;
} stamp;

struct gs_events {
    gs_server *server;
    gs_stream_name name;
    bool has_stream;
    bool in_file;  /* it is not this server that receives it */
    bool looked;   /* into the file */
    size_t number; /* of the file */
    stamp stamps[2];
    gs_track *track; /* of what is in the file */
    uint64_t next;   /* sequence */
    bool begun;
    uint64_t told_changes; /* of the list */
    uint64_t points_ms, state_ms, spoke_ms;
    char *text; /* what is being sent */
    size_t size, sent;
};

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* -- files --------------------------------------------------------------------------------------
 */

static stamp stamp_of(const char *path, const char *more)
{
    struct stat info;
    char name[4096];
    const int length = snprintf(name, sizeof name, "%s%s", path, more);
    if (length < 0 || (size_t)length >= sizeof name || stat(name, &info) != 0)
        return (stamp){.size = 0};
    return (stamp){info.st_mtim, info.st_size};
}

static bool has_changed(gs_events *e)
{
    const char *path = e->server->shelf.files[e->number];
    const stamp now[2] = {stamp_of(path, ""), stamp_of(path, "-wal")};
    bool same = true;
    for (size_t i = 0; i < 2; i++) {
        same &= now[i].size == e->stamps[i].size &&
                now[i].changed.tv_sec == e->stamps[i].changed.tv_sec &&
                now[i].changed.tv_nsec == e->stamps[i].changed.tv_nsec;
        e->stamps[i] = now[i];
    }
    return !same;
}

static bool follow(void *self, const gs_live_interval *interval)
{
    gs_track_add(self, interval);
    return true;
}

/* Reads what the file has more of the stream, and, if `json` is not NULL, how the stream stands. */
static gs_status read_file(gs_events *e, gs_json *json, bool *found, gs_error *err)
{
    gs_live_file *file;
    gs_status status = gs_live_file_open(&file, e->server->shelf.files[e->number], err);
    const gs_live_stream *stream = status == GS_OK ? gs_stream_find_in(file, &e->name) : NULL;
    *found = stream != NULL;
    if (stream && !e->track)
        status = gs_track_open(&e->track, stream->setting.counters, err);
    if (stream && status == GS_OK)
        status = gs_live_file_read(file, stream, gs_track_next(e->track), follow, e->track, err);
    if (stream && status == GS_OK && json)
        gs_stream_put_kept(json, NULL, file, e->number, stream);
    gs_live_file_free(file);
    return status;
}

/* In any of the files. */
static gs_status find_file(gs_events *e, gs_error *err)
{
    const gs_shelf *shelf = &e->server->shelf;
    bool found = false;
    for (e->number = 0; e->number < shelf->file_count; e->number++) {
        (void)has_changed(e);
        gs_status status = read_file(e, NULL, &found, err);
        if (status != GS_OK || found)
            return status;
    }
    return gs_fail(err, GS_E_NOT_FOUND, "there is no such stream");
}

/* -- messages -----------------------------------------------------------------------------------
 */

typedef struct columns {
    FILE *to;
    unsigned counters;
    struct {
        gs_track_point *items;
        size_t count, capacity;
    } points;
} columns;

static void keep_point(void *self, const gs_track_point *point)
{
    columns *c = self;
    (void)gs_vec_push(&c->points, *point); /* without memory it is missing */
}

static void put_column(const columns *c, const char *name, size_t offset)
{
    fprintf(c->to, ",\"%s\":[", name);
    for (size_t i = 0; i < c->points.count; i++) {
        uint64_t value;
        memcpy(&value, (const char *)&c->points.items[i] + offset, sizeof value);
        fprintf(c->to, "%s%" PRIu64, i ? "," : "", value);
    }
    fputc(']', c->to);
}

static void put_values(const columns *c)
{
    fputs(",\"value\":[", c->to);
    for (unsigned n = 0; n < c->counters; n++) {
        fputs(n ? ",[" : "[", c->to);
        for (size_t i = 0; i < c->points.count; i++)
            fprintf(c->to, "%s%" PRIu64, i ? "," : "", c->points.items[i].value[n]);
        fputc(']', c->to);
    }
    fputs("]", c->to);
}

static void write_points(const columns *c, bool begins)
{
    fprintf(c->to, "event: points\ndata: {\"begins\":%s", begins ? "true" : "false");
    put_column(c, "first", offsetof(gs_track_point, first));
    put_column(c, "end", offsetof(gs_track_point, end));
    put_column(c, "count", offsetof(gs_track_point, count));
    put_column(c, "cycle", offsetof(gs_track_point, cycle));
    put_values(c);
    fputs("}\n\n", c->to);
}

/* New points, if there are any. The first message has all there are. */
static void tell_points(gs_events *e, const gs_track *track, FILE *to)
{
    const size_t most = e->begun ? AT_ONCE : GS_TRACK_RECENT;
    columns c = {.to = to};
    if (!track || gs_track_next(track) <= e->next)
        return;
    c.counters = gs_track_counters(track);
    e->next = gs_track_read(track, e->next, most, keep_point, &c);
    write_points(&c, !e->begun);
    e->begun = true;
    free(c.points.items);
}

static void tell_state(gs_events *e, FILE *to, size_t index)
{
    gs_json json;
    fputs("event: stream\ndata: ", to);
    gs_json_begin_compact(&json, to);
    gs_stream_put_live(&json, NULL, &e->server->hub, index);
    (void)gs_json_end(&json);
    fputs("\n", to);
}

/* Under the hub's lock. */
static void tell_live(gs_events *e, FILE *to, uint64_t now)
{
    const gs_hub *hub = &e->server->hub;
    const bool is_new = hub->changes != e->told_changes;
    size_t index;
    if (e->has_stream && !e->in_file && gs_stream_find_live(hub, &e->name, &index)) {
        const gs_track *track = gs_hub_find_track(hub, gs_collector_stream(hub->collector, index));
        const uint64_t next = e->next;
        tell_points(e, e->begun ? NULL : e->track, to); /* what was before this server */
        tell_points(e, track, to);
        if (is_new || (e->next != next && now >= e->state_ms + STATE_MS)) {
            tell_state(e, to, index);
            e->state_ms = now;
        }
    }
    if (is_new)
        fprintf(to, "event: list\ndata: %" PRIu64 "\n\n", hub->changes);
    e->told_changes = hub->changes;
}

static void tell_problem(FILE *to, const gs_error *err)
{
    gs_json json;
    fputs("event: problem\ndata: ", to);
    gs_json_begin_compact(&json, to);
    gs_json_string(&json, NULL, err->message);
    (void)gs_json_end(&json);
    fputs("\n", to);
}

/* Without the lock: it may take a while. */
static void tell_file(gs_events *e, FILE *to)
{
    gs_json json;
    gs_error err;
    bool found;
    char *state = NULL;
    size_t size;
    if (!has_changed(e) && e->looked)
        return;
    e->looked = true;
    FILE *memory = open_memstream(&state, &size);
    if (!memory)
        return;
    gs_json_begin_compact(&json, memory);
    gs_status status = read_file(e, &json, &found, &err);
    (void)gs_json_end(&json);
    if (fclose(memory) != 0)
        status = GS_E_NO_MEMORY;
    if (status != GS_OK)
        tell_problem(to, &err);
    else if (found)
        fprintf(to, "event: stream\ndata: %s\n", state);
    free(state);
    tell_points(e, e->track, to);
}

/* -- the whole ----------------------------------------------------------------------------------
 */

/* Whether this server receives the stream, and whether all of it was received since it began. */
static bool is_received(gs_events *e, bool *whole)
{
    gs_hub *hub = &e->server->hub;
    size_t index;
    gs_hub_lock(hub);
    const bool found = gs_stream_find_live(hub, &e->name, &index);
    if (found) {
        const gs_live_stream *stream = gs_collector_stream(hub->collector, index);
        const gs_track *track = gs_hub_find_track(hub, stream);
        *whole = track ? gs_track_first(track) == 0 : stream->next == 0;
    }
    gs_hub_unlock(hub);
    return found;
}

static gs_status choose_source(gs_events *e, gs_error *err)
{
    bool whole;
    e->in_file = !is_received(e, &whole);
    if (!e->in_file && !whole)
        (void)find_file(e, err); /* what is there has been before this server */
    return e->in_file ? find_file(e, err) : GS_OK;
}

gs_status gs_events_open(gs_events **out, gs_server *server, const gs_request *request,
                         gs_error *err)
{
    gs_events *e = calloc(1, sizeof *e);
    gs_hub *hub = &server->hub;
    gs_status status = GS_OK;
    *out = NULL;
    if (!e)
        return gs_fail_no_memory(err);
    *e = (gs_events){.server = server, .spoke_ms = now_ms(), .told_changes = UINT64_MAX};
    gs_hub_lock(hub);
    const bool has_room = hub->watchers < GS_HUB_WATCHERS;
    hub->watchers += has_room;
    gs_hub_unlock(hub);
    if (!has_room) {
        free(e);
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "%d pages are open that follow what is live; close one", GS_HUB_WATCHERS);
    }
    if (gs_request_parameter(request, "stream")) {
        e->has_stream = true;
        status = gs_request_stream(request, "stream", &e->name, err);
        if (status == GS_OK)
            status = choose_source(e, err);
    }
    if (status == GS_OK)
        *out = e;
    else
        gs_events_close(e);
    return status;
}

void gs_events_close(gs_events *e)
{
    if (!e)
        return;
    gs_hub_lock(&e->server->hub);
    e->server->hub.watchers--;
    gs_hub_unlock(&e->server->hub);
    gs_track_close(e->track);
    free(e->text);
    free(e);
}

/* Makes the next message; false: the server ends. */
static bool make_message(gs_events *e)
{
    gs_hub *hub = &e->server->hub;
    free(e->text);
    e->text = NULL;
    e->size = e->sent = 0;
    FILE *to = open_memstream(&e->text, &e->size);
    if (!to)
        return false;
    gs_hub_lock(hub);
    bool goes_on = true;
    while (goes_on && e->size == 0) {
        const uint64_t now = now_ms();
        if (now - e->spoke_ms >= QUIET_MS)
            fputs(": still here\n\n", to);
        tell_live(e, to, now);
        if (e->in_file) {
            gs_hub_unlock(hub);
            tell_file(e, to);
            gs_hub_lock(hub);
        }
        fflush(to);
        if (e->size > 0)
            e->spoke_ms = now;
        else
            goes_on = gs_hub_wait(hub, e->in_file ? LOOK_MS : POINTS_MS);
    }
    gs_hub_unlock(hub);
    return fclose(to) == 0 && e->size > 0;
}

/* Until it is time for points again. */
static bool pause_between(gs_events *e)
{
    gs_hub *hub = &e->server->hub;
    bool goes_on = true;
    gs_hub_lock(hub);
    for (uint64_t now; goes_on && (now = now_ms()) < e->points_ms + POINTS_MS;)
        goes_on = gs_hub_wait(hub, (unsigned)(e->points_ms + POINTS_MS - now));
    goes_on = goes_on && !hub->closing;
    gs_hub_unlock(hub);
    e->points_ms = now_ms();
    return goes_on;
}

size_t gs_events_read(gs_events *e, char *bytes, size_t most)
{
    if (e->sent == e->size && (!pause_between(e) || !make_message(e)))
        return 0;
    const size_t left = e->size - e->sent, size = left < most ? left : most;
    memcpy(bytes, e->text + e->sent, size);
    e->sent += size;
    return size;
}
