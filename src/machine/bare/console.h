/*
 * console.h - the guest's standard input, output and error on the host.
 *
 * Every way a guest has to print (UART, test device, semihosting, HTIF) ends here.
 * Output is buffered, so that a guest that prints a character at a time is not slowed
 * down by the host: it goes out when the buffer is full, before the guest waits for
 * input, at the end of a line if the host's descriptor is a terminal, and when the
 * owner says so. Standard error is never held back, and comes after what was printed
 * before it.
 *
 * A write error ends output on that stream; it is remembered and never raises SIGPIPE.
 * The descriptors are borrowed. A negative one is closed: reads as empty, swallows
 * what is written.
 */
#ifndef GS_MACHINE_BARE_CONSOLE_H
#define GS_MACHINE_BARE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum gs_console_stream { GS_CONSOLE_OUT, GS_CONSOLE_ERR } gs_console_stream;

typedef struct gs_machine gs_machine;

/* How far input and output are: what of it a machine that goes back in time goes back to. */
typedef struct gs_console_input {
    size_t start, end; /* of what there is in `in` */
    bool closed;
    unsigned quiet_looks; /* times the guest looked for input since it last printed */
    uint64_t next_look;
    uint64_t looks;   /* times the host was asked, or would have been */
    size_t chunks;    /* of those that are kept: that were read */
    uint64_t written; /* bytes of output */
} gs_console_input;

/* What one look at the host gave. */
typedef struct gs_console_chunk {
    uint64_t look;
    size_t size;
    bool closed;
    uint8_t *bytes;
} gs_console_chunk;

typedef struct gs_console {
    gs_machine *machine; /* is told of what is written; or NULL */
    int fd[3];
    bool terminal;     /* fd[1] is one */
    int error[2];      /* errno of the first failed write, per stream */
    size_t out_length; /* in `out` */
    gs_console_input input;
    bool keeps; /* what is read, so that it can be read again: */
    struct {
        gs_console_chunk *items;
        size_t count, capacity;
    } chunks;
    uint64_t looked; /* the most looks there have been, */
    uint64_t shown;  /* and bytes of output, which is not shown again */
    char out[16384];
    uint8_t in[4096];
} gs_console;

void gs_console_init(gs_console *console, const int fd[3]);
void gs_console_fini(gs_console *console); /* frees what is kept */
void gs_console_flush(gs_console *console);

/* How many bytes were taken: all of them, or 0 once the stream is broken. */
size_t gs_console_write(gs_console *console, gs_console_stream stream, const void *bytes,
                        size_t size);
void gs_console_put(gs_console *console, uint8_t byte);

/* Waits for input as read(2) does: bytes read, 0 at the end, -1 with errno on failure (EINTR
 * included). */
ssize_t gs_console_read(gs_console *console, void *to, size_t size);

/* Whether a byte of input is there, without waiting. `now` is the machine's time: the host is
 * asked only now and then in it, since guests poll a lot. */
bool gs_console_ready(gs_console *console, uint64_t now);
uint8_t gs_console_get(gs_console *console); /* only when ready */

/* Bytes that arrive as input, after those that are there. What there is no room for is lost, as in
 * a receiver that nothing empties. */
void gs_console_feed(gs_console *console, const uint8_t *bytes, size_t size);

/* Waits until input is there. False if none can come, or when a signal came first. */
bool gs_console_wait(gs_console *console);

/* write(2), but a broken pipe is only an error: EPIPE, and no signal. */
ssize_t gs_console_host_write(int fd, const void *bytes, size_t size);

/* After a console has become an earlier one of itself: it has the output and what is kept of `now`.
 */
void gs_console_keep_output(gs_console *console, const gs_console *now);

/* Whether input may still come. */
bool gs_console_open(const gs_console *console);

#endif
