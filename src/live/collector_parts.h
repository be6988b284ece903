/*
 * collector_parts.h - what a collector consists of, for the files that make it up.
 */
#ifndef GS_LIVE_COLLECTOR_PARTS_H
#define GS_LIVE_COLLECTOR_PARTS_H

#include "base/vec.h"
#include "live/intake.h"
#include "live/store.h"
#include "live/wire.h"

enum {
    GS_HELD_MOST = 4096, /* intervals of a stream that is not confirmed yet */
    GS_WINDOW = 1 << 12, /* sequences that are remembered where no file does */
    GS_STREAM_BUCKETS = 1 << 10,
    GS_STREAMS_MOST = 1 << 16,
};

/* A command that is repeated until it is answered. */
typedef struct gs_ask {
    uint64_t number; /* 0: there has been none */
    uint32_t orders;
    gs_live_setting setting;
    unsigned attempts;
    uint64_t due_ms; /* the next one */
    gs_live_outcome outcome;
} gs_ask;

typedef struct gs_stream {
    gs_live_stream info;
    gs_udp_address from;
    bool confirmed; /* the device has just said that this is its stream */
    bool dirty;     /* the file does not know how it stands */
    bool released;  /* the device knows that all has come */
    uint64_t heard_ms;
    gs_ask question, command;
    struct {
        gs_wire_result *items;
        size_t count, capacity;
    } held;                        /* until it is confirmed */
    int64_t *held_us;              /* when they came */
    uint64_t seen[GS_WINDOW / 64]; /* without a file: which of the last sequences have come */
    struct gs_stream *chained;
} gs_stream;

typedef struct gs_greeting {
    gs_udp_address to;
    gs_ask ask;
} gs_greeting;

struct gs_collector {
    gs_collector_options options;
    gs_live_store *store; /* or NULL */
    gs_intake *intake;
    int socket;
    char address[GS_LIVE_NAME];
    gs_stream *buckets[GS_STREAM_BUCKETS]; /* all, by name */
    struct {
        gs_stream **items;
        size_t count, capacity;
    } shown; /* those that are confirmed */
    struct {
        gs_stream **items;
        size_t count, capacity;
    } waiting; /* those that are not */
    struct {
        gs_greeting *items;
        size_t count, capacity;
    } greetings;
    struct {
        struct gs_collector_image {
            gs_live_program program;
            gs_image *image;
        } * items;
        size_t count, capacity;
    } images;
    struct {
        uint64_t *items; /* devices whose new streams are not written to the file */
        size_t count, capacity;
    } unkept;
    uint64_t last_number;
    uint64_t committed_ms;
    gs_collector_refused refused, saved;
};

uint64_t gs_collector_now_ms(void); /* of the monotonic clock */

/* Makes it a new question or command, and sends it. */
void gs_ask_begin(gs_collector *collector, gs_ask *ask, uint32_t orders,
                  const gs_live_setting *setting);
static inline bool gs_ask_is_pending(const gs_ask *ask)
{
    return ask->number != 0 && ask->outcome == GS_LIVE_PENDING;
}

void gs_stream_ask(gs_collector *collector, gs_stream *stream, uint32_t orders);
void gs_stream_send(gs_collector *collector, const gs_stream *stream, const gs_ask *ask);

/* Repeats what is due, and asks those that have been silent. */
void gs_collector_do_asks(gs_collector *collector, uint64_t now_ms);
/* Milliseconds until there is something to do. */
uint64_t gs_collector_next_ask(const gs_collector *collector, uint64_t now_ms);

/* A state that has come is the answer to what? */
typedef struct gs_answered {
    bool fresh;        /* it is one, to something that has been asked just now */
    gs_stream *stream; /* whose question or command it was; or NULL */
} gs_answered;
gs_answered gs_collector_answered(gs_collector *collector, const gs_wire_state *state);

/* One of the programs, as gs_collector_program() chooses it, or NULL. */
const struct gs_collector_image *gs_collector_find_image(const gs_collector *collector,
                                                         const gs_live_program *program);

/* What to do with one datagram. */
gs_status gs_collector_take_in(gs_collector *collector, const gs_intake_datagram *datagram,
                               gs_error *err);

/* By name; NULL: there is none. */
gs_stream *gs_collector_find(const gs_collector *collector, const gs_wire_header *name);
/* Has not been confirmed, and will not be. */
void gs_collector_forget(gs_collector *collector, gs_stream *stream);

#endif
