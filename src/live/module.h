/*
 * module.h - a Statistics Module that speaks the datagrams of wire.h.
 *
 * It counts, makes results, and does what commands say, by the rules of docs/live.md; it knows
 * nothing of sockets and time. What it wants sent goes to `send`. Lives where its owner puts it,
 * who feeds its `stats`, directly or with gs_live_module_beat(), while `running`.
 */
#ifndef GS_LIVE_MODULE_H
#define GS_LIVE_MODULE_H

#include "live/wire.h"
#include "units/stats/stats.h"

typedef struct gs_live_module {
    gs_live_key key;
    uint64_t device, session, stream;
    gs_live_program program; /* 0: not known; then it is what the last SET says */
    bool told;               /* it was not known */
    uint32_t made;           /* how the module is made: CONFIG */
    uint32_t signals;        /* that it has */
    uint32_t clock_hz;
    gs_live_setting setting;
    gs_stats stats;
    bool running, ended;
    uint64_t accepted; /* the last command that was heeded, */
    unsigned outcome;  /* and what became of it */
    uint32_t sent, interval, skipped, strangers, old, repeated, heard;
    uint64_t all_sent, all_skipped, commands; /* of all streams */
    bool asked;                               /* a command with the right tag has come */
    void (*send)(void *self, const uint8_t *bytes, size_t length);
    /* A stream has begun or ended in the middle of the program; NULL for none. */
    void (*changed)(void *self);
    void *self;
    uint8_t last[GS_LIVE_DATAGRAM]; /* the last result of the stream, */
    size_t last_length;             /* 0: there is none */
} gs_live_module;

/* The number of counters and ranges a module is made with, from its CONFIG. */
static inline unsigned gs_live_made_counters(uint32_t made)
{
    return made & 0xff;
}

static inline unsigned gs_live_made_ranges(uint32_t made)
{
    return made >> 8 & 0xff;
}

static inline unsigned gs_live_made_width(uint32_t made)
{
    return made >> 16 & 0xff;
}

static inline unsigned gs_live_signal_of(uint32_t select)
{
    return select & 31;
}

static inline unsigned gs_live_range_of(uint32_t select)
{
    return select >> 8 & 63;
}

/* Whether a module that is made like this can be set so. */
bool gs_live_setting_fits(const gs_live_setting *setting, uint32_t made, uint32_t signals);

/* Begins stream 0. All above `setting` and `send` have been filled in by the owner, `told` apart,
 * and `setting` fits; or its counters are 0: then nothing is counted before there has been a SET,
 * as in hardware. */
void gs_live_module_begin(gs_live_module *module);

/* The program has ended: the last interval is sent. */
void gs_live_module_end(gs_live_module *module);

/* What came over the network. The answer goes into `answer`, of GS_LIVE_DATAGRAM bytes; returns its
 * length, 0 if there is none. *to_sender: results go there from now on. */
size_t gs_live_module_receive(gs_live_module *module, const uint8_t *bytes, size_t length,
                              uint8_t *answer, bool *to_sender);

/* How it is doing, unasked. Returns the length. */
size_t gs_live_module_state(const gs_live_module *module, uint8_t *bytes);

#endif
