/*
 * live.h - the Statistics Module over a network: a simulated one that sends, and what receives.
 *
 * docs/live.md specifies the datagrams. A gs_live is attached to a run and sends what the module
 * counts, and is set by whatever has its key. A gs_collector receives from any number of devices,
 * keeps what they send in a profile file, and sets them. A gs_live_file reads that again.
 *
 * Each is the caller's, and used by one thread at a time. Nothing here waits unless it says so.
 */
#ifndef GUMSHOE_LIVE_H
#define GUMSHOE_LIVE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gumshoe/run.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum {
    GS_LIVE_COUNTERS = 64, /* the most a module can have */
    GS_LIVE_RANGES = 64,
    GS_LIVE_DATAGRAM = 1200, /* bytes of the longest */
    GS_LIVE_NAME = 128,      /* bytes of a counter's name and of an address, with the NUL */
};

/* The secret of both sides. */
typedef struct gs_live_key {
    uint8_t bytes[16];
} gs_live_key;

/* Reads a key from a file with 32 hexadecimal digits. With NULL it is that of the user,
 * ~/.config/gumshoe/live.key, which is made if there is none. GS_E_FORMAT, GS_E_IO; GS_E_ARGUMENT
 * if there is no home directory. */
gs_status gs_live_key_read(gs_live_key *key, const char *path, gs_error *err);
/* Makes a new file with a random key, for its owner alone. GS_E_IO, also if there is one. */
gs_status gs_live_key_make(const char *path, gs_error *err);

/* Which program it is: the beginning of its file's SHA-256. GS_E_NOT_FOUND, GS_E_IO. */
typedef struct gs_live_program {
    uint8_t bytes[16];
} gs_live_program;
gs_status gs_live_program_read(gs_live_program *program, const char *path, gs_error *err);

/* What can be counted: `signal` is below the count. Texts are constant. */
size_t gs_live_signal_count(void);
const char *gs_live_signal_key(size_t signal);  /* "d-miss" */
const char *gs_live_signal_text(size_t signal); /* in words */

/* What a module is to count. A selector has the number of a signal in bits 4..0 and that of a range
 * register in bits 13..8. */
typedef struct gs_live_setting {
    uint32_t interval; /* clocks; 0: one interval, up to the end */
    uint32_t counters; /* in use */
    struct {
        uint32_t select;
    } selector[GS_LIVE_COUNTERS];
    struct {
        uint32_t first, last; /* both inclusive */
    } range[GS_LIVE_RANGES];
} gs_live_setting;

/* Of a text such as "count=cycle@main,count=d-miss,interval=100000": the options of the unit stats,
 * see `gumshoe unit stats`. The image has the functions and lines that ranges are named after.
 * GS_E_ARGUMENT, GS_E_NO_MEMORY. */
gs_status gs_live_setting_parse(gs_live_setting *out, const char *options, const gs_image *image,
                                gs_error *err);

/* "d-miss@main": the name of a counter. The image, or NULL, has the names of functions; addresses
 * stand for what is none. Returns `name`. */
char *gs_live_counter_name(char name[GS_LIVE_NAME], const gs_live_setting *setting, size_t counter,
                           const gs_image *image);

/* -- a simulated device ---------------------------------------------------------------------- */

typedef struct gs_live gs_live;

typedef struct gs_live_options {
    const char *to; /* "HOST:PORT" of the collector */
    gs_live_key key;
    uint64_t device;     /* its number; not 0 */
    const char *stats;   /* options of the unit stats; NULL for all defaults */
    double speed;        /* how many times real time; 0: as fast as possible */
    double wait_seconds; /* for a collector, before the program begins; 0: not at all */
} gs_live_options;

/* To be called before the run, whose timing it is; NULL: an instruction is a clock. Opens the
 * socket. Borrows machine and timing. *out is the caller's, NULL on failure: GS_E_ARGUMENT, also
 * for a host that is not known; GS_E_IO, GS_E_NO_MEMORY. */
gs_status gs_live_open(gs_live **out, gs_machine *machine, const gs_timing *timing,
                       const gs_live_options *options, gs_error *err);
void gs_live_free(gs_live *live); /* NULL is fine */

/* For gs_run_options. Borrowed. With a timing it keeps the fast engine, as long as what is counted
 * has no hits of a cache in it; what is sent is the same. */
const gs_observer *gs_live_observer(const gs_live *live);

/* Waits for a collector, as long as the options say. False if there was none. */
bool gs_live_wait(gs_live *live);

/* The program has ended: sends the last interval. If a collector has been heard, waits up to two
 * seconds after its last command until it has got everything; else a tenth of a second. `cancel`,
 * or NULL, ends that. */
void gs_live_finish(gs_live *live, const volatile sig_atomic_t *cancel);

typedef struct gs_live_counts {
    uint64_t sent, skipped; /* intervals, of all streams */
    uint64_t commands;      /* that were heeded */
    uint64_t strangers, old, repeated;
    bool heard;     /* a collector has been */
    bool delivered; /* and has said that it has all of the last stream */
} gs_live_counts;
gs_live_counts gs_live_count(const gs_live *live);

/* -- the collector --------------------------------------------------------------------------- */

typedef struct gs_collector gs_collector;

/* What a command asks for: bits that can be added. */
typedef enum gs_live_order {
    GS_LIVE_SET = 1,
    GS_LIVE_START = 2,
    GS_LIVE_STOP = 4,
    GS_LIVE_TO_SENDER = 8,
} gs_live_order;

/* What became of a command. */
typedef enum gs_live_outcome {
    GS_LIVE_DONE,
    GS_LIVE_OLD,
    GS_LIVE_OTHER_SESSION,
    GS_LIVE_OTHER_PROGRAM,
    GS_LIVE_IMPOSSIBLE,
    GS_LIVE_ENDED,
    GS_LIVE_PENDING,    /* not answered yet */
    GS_LIVE_UNANSWERED, /* has been repeated ten times, and given up */
} gs_live_outcome;
const char *gs_live_outcome_text(gs_live_outcome outcome); /* in words */

/* A stream of intervals, as it is now. */
typedef struct gs_live_stream {
    int64_t id;                       /* in the file; if it is not kept there, counting from 1 */
    uint64_t device, session, stream; /* its name */
    gs_live_program program;
    char address[GS_LIVE_NAME];       /* where it comes from */
    bool running;                     /* it goes on */
    bool ended;                       /* its last interval has come */
    bool program_ended;               /* and with it the device's work */
    bool kept;                        /* its intervals are written to the file */
    unsigned counters, ranges, width; /* what the module has */
    uint32_t signals;                 /* a bit for each signal it can count */
    uint32_t clock_hz;                /* 0: not known */
    gs_live_setting setting;
    uint64_t next;                              /* the sequence that is expected next */
    uint64_t received, lost, late, doubled;     /* datagrams; late ones were not lost after all */
    uint32_t skipped, strangers, old, repeated; /* as the device counts */
    uint64_t interval, cycle;                   /* of the newest interval */
    uint64_t total[GS_LIVE_COUNTERS];
    int64_t began_us, heard_us; /* since 1970 */
} gs_live_stream;

typedef struct gs_live_interval {
    uint64_t sequence, interval, cycle;
    int64_t arrived_us; /* since 1970 */
    bool last;
    unsigned count;
    uint32_t value[GS_LIVE_COUNTERS];
    uint64_t total[GS_LIVE_COUNTERS];
} gs_live_interval;

typedef struct gs_collector_options {
    const char *listen; /* "ADDRESS:PORT"; a port of 0 is any that is free */
    gs_live_key key;
    const char *file; /* the profile file, which is made if there is none; NULL: none is kept */
    /* Called from gs_collector_serve(); NULL for none. Each interval comes once. */
    void (*interval)(void *self, const gs_live_stream *stream, const gs_live_interval *interval);
    void (*stream)(void *self, const gs_live_stream *stream); /* it has begun, changed or ended */
    void *self;
} gs_collector_options;

/* What could not be used. */
typedef struct gs_collector_refused {
    uint64_t foreign;    /* no datagrams of this kind, or damaged */
    uint64_t forged;     /* with a wrong tag */
    uint64_t unanswered; /* of devices that did not answer: recordings, perhaps */
    uint64_t overrun;    /* came faster than they could be taken in */
} gs_collector_refused;

/* Opens the socket and the file. *out is the caller's, NULL on failure: GS_E_ARGUMENT for an
 * address that is none, GS_E_IO, GS_E_FORMAT for a file that is no profile file, GS_E_NO_MEMORY. */
gs_status gs_collector_open(gs_collector **out, const gs_collector_options *options, gs_error *err);
/* Writes what is left. NULL is fine. */
gs_status gs_collector_close(gs_collector *collector, gs_error *err);

/* "127.0.0.1:4750". Borrowed. */
const char *gs_collector_address(const gs_collector *collector);

/* Names counters after the functions of this program, in streams that say they run it.
 * Borrows nothing. As gs_image_open(). */
gs_status gs_collector_add_program(gs_collector *collector, const char *path, gs_error *err);
/* The image with this hash, or NULL; for a hash of zeros, a device that does not know what it runs,
 * the only one there is. Borrowed. */
const gs_image *gs_collector_program(const gs_collector *collector, const gs_live_program *program);

/* Whether streams of this device that are heard of from now on are written to the file, which they
 * are unless told otherwise. GS_E_NO_MEMORY. */
gs_status gs_collector_keep(gs_collector *collector, uint64_t device, bool keep, gs_error *err);

/* Does what there is to do, waiting for it up to `wait_ms`: takes datagrams in, asks, repeats
 * commands, and writes to the file at least once a second. To be called again and again. GS_E_IO
 * and others for the file. */
gs_status gs_collector_serve(gs_collector *collector, int wait_ms, gs_error *err);
/* Becomes readable when there is something to do, except for what time brings. */
int gs_collector_descriptor(const gs_collector *collector);

/* Streams since the collector was opened, oldest first. Borrowed until it is called again. */
size_t gs_collector_stream_count(const gs_collector *collector);
const gs_live_stream *gs_collector_stream(const gs_collector *collector, size_t index);
gs_collector_refused gs_collector_refusals(const gs_collector *collector);

/* Asks at "HOST:PORT" whether there is a device, which then becomes a stream. GS_E_ARGUMENT. */
gs_status gs_collector_greet(gs_collector *collector, const char *address, gs_error *err);

/* Tells the device of a stream what to do; `orders` is of gs_live_order, and `setting` is for SET,
 * else NULL. *number is that of the command, and of the stream that a START begins. GS_E_ARGUMENT
 * while another command to this device is pending. */
gs_status gs_collector_command(gs_collector *collector, size_t stream, unsigned orders,
                               const gs_live_setting *setting, uint64_t *number, gs_error *err);
/* Of the last command to the device of this stream. */
gs_live_outcome gs_collector_outcome(const gs_collector *collector, size_t stream);

/* -- what has been collected ----------------------------------------------------------------- */

typedef struct gs_live_file gs_live_file;

/* Opens a profile file for reading; streams that begin later are not seen. *out is the caller's:
 * fails as gs_profile_file_open() does. */
gs_status gs_live_file_open(gs_live_file **out, const char *path, gs_error *err);
void gs_live_file_free(gs_live_file *file); /* NULL is fine */

/* Oldest first. Borrowed. */
size_t gs_live_file_count(const gs_live_file *file);
const gs_live_stream *gs_live_file_stream(const gs_live_file *file, size_t index);
/* "last", or a number. *out is borrowed. GS_E_NOT_FOUND. */
gs_status gs_live_file_find(const gs_live_stream **out, const gs_live_file *file, const char *which,
                            gs_error *err);
const char *gs_live_file_name(const gs_live_file *file, const gs_live_stream *stream,
                              size_t counter); /* "d-miss@main" */

/* Calls `each` with the stream's intervals from sequence `from` on, in order, until it returns
 * false. GS_E_IO, GS_E_FORMAT. */
gs_status gs_live_file_read(gs_live_file *file, const gs_live_stream *stream, uint64_t from,
                            bool (*each)(void *self, const gs_live_interval *interval), void *self,
                            gs_error *err);

/* Write one stream: as a table of its counters, behind one of all streams of the file; as JSON and
 * CSV with all intervals; as counters for ui.perfetto.dev; as an SVG picture with a curve for each
 * counter. `width` is the screen's, 0: any. GS_E_IO, GS_E_FORMAT, GS_E_NO_MEMORY. */
typedef gs_status gs_report_live_writer(FILE *to, gs_live_file *file, const gs_live_stream *stream,
                                        unsigned width, gs_error *err);
gs_report_live_writer gs_report_live_text;
gs_report_live_writer gs_report_live_json;
gs_report_live_writer gs_report_live_csv;
gs_report_live_writer gs_report_live_perfetto;
gs_report_live_writer gs_report_live_phases;

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
