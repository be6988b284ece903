/*
 * A simulated Statistics Module in a run: counts beats, sends results, listens to commands.
 */
#include <errno.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "live/counting.h"
#include "live/module.h"
#include "live/setting.h"
#include "live/udp.h"
#include "machine/machine.h"

enum {
    LISTEN_NS = 1000000,   /* commands are looked for no more often than this */
    LONG_CLOCKS = 1 << 20, /* and no less often than after so many clocks */
    ANNOUNCE_MS = 100,     /* while nothing has been heard of a collector */
    STRANGE_MS = 100,      /* how long an end waits for one that was never heard, */
    KNOWN_MS = 2000,       /* and for one that was, after its last command */
    SECOND_NS = 1000000000,
    QUEUED = 32, /* results that go to the kernel together: that is what takes the time */
};

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103 /* of linux/udp.h */
#endif

struct gs_live {
    gs_live_module module;
    gs_live_counting counting;
    const gs_machine *machine;
    const gs_timing *timing;
    int socket;
    gs_udp_address results; /* where they go */
    double speed, wait_seconds;
    uint64_t began_ns, listened_ns, heard_ns; /* of the monotonic clock */
    bool alone;                               /* nothing listens there, the kernel says */
    bool single;                              /* it does not take several datagrams at once */
    uint8_t queue[QUEUED * GS_LIVE_DATAGRAM]; /* results that are to be sent, */
    size_t queued, length;                    /* how many, and the length of each */
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

/* -- the network --------------------------------------------------------------------------------
 */

static void send_to(gs_live *live, const uint8_t *bytes, size_t length, const gs_udp_address *to)
{
    const struct sockaddr *name = (const struct sockaddr *)&to->name;
    ssize_t sent = sendto(live->socket, bytes, length, 0, name, to->length);
    if (sent < 0 && errno == ECONNREFUSED) { /* of one before; that is how one learns of it */
        live->alone = true;
        sent = sendto(live->socket, bytes, length, 0, name, to->length);
    }
    if (sent < 0 && (errno == EAGAIN || errno == ENOBUFS)) {
        struct pollfd wait = {.fd = live->socket, .events = POLLOUT};
        (void)poll(&wait, 1, 10);
        (void)sendto(live->socket, bytes, length, 0, name, to->length);
    }
}

/* All of the queue with one call; the kernel cuts it (udp(7)). */
static bool send_together(gs_live *live)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(uint16_t))];
    } control = {0};
    const uint16_t length = (uint16_t)live->length;
    struct iovec all = {live->queue, live->queued * live->length};
    struct msghdr message = {.msg_name = &live->results.name,
                             .msg_namelen = live->results.length,
                             .msg_iov = &all,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof length), .cmsg_level = IPPROTO_UDP, .cmsg_type = UDP_SEGMENT};
    memcpy(CMSG_DATA(&control.header), &length, sizeof length);
    return sendmsg(live->socket, &message, 0) >= 0;
}

/* Not every device takes several at once; and where a call fails for another reason, the next one
 * by itself finds out which. */
static void flush(gs_live *live)
{
    const bool together = live->queued > 1 && !live->single && send_together(live);
    live->single |= live->queued > 1 && !together && errno != ECONNREFUSED && errno != EAGAIN &&
                    errno != ENOBUFS;
    for (size_t i = 0; i < live->queued && !together; i++)
        send_to(live, live->queue + i * live->length, live->length, &live->results);
    live->queued = 0;
}

static void send_result(void *self, const uint8_t *bytes, size_t length)
{
    gs_live *live = self;
    if (live->queued == QUEUED || live->length != length)
        flush(live);
    live->length = length;
    memcpy(live->queue + live->queued * length, bytes, length);
    live->queued++;
}

/* Whether there was a datagram. */
static bool receive_one(gs_live *live)
{
    uint8_t bytes[GS_LIVE_DATAGRAM + 1], answer[GS_LIVE_DATAGRAM];
    gs_udp_address from = {.length = sizeof from.name};
    bool to_sender;
    const ssize_t length =
        recvfrom(live->socket, bytes, sizeof bytes, 0, (struct sockaddr *)&from.name, &from.length);
    if (length < 0) {
        live->alone |= errno == ECONNREFUSED;
        return errno == ECONNREFUSED || errno == EINTR;
    }
    const size_t answered =
        gs_live_module_receive(&live->module, bytes, (size_t)length, answer, &to_sender);
    if (to_sender)
        live->results = from;
    if (answered) {
        live->heard_ns = now_ns();
        live->alone = false;
        send_to(live, answer, answered, &from);
    }
    return true;
}

static void listen_now(gs_live *live)
{
    live->listened_ns = now_ns();
    flush(live); /* before anything is answered */
    while (receive_one(live))
        flush(live);
}

/* Waits for so long, and for a command no longer than that. False: there was none. */
static bool wait_for_command(gs_live *live, uint64_t ns)
{
    struct pollfd wait = {.fd = live->socket, .events = POLLIN};
    const struct timespec time = {(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};
    if (ppoll(&wait, 1, &time, NULL) <= 0)
        return false;
    listen_now(live);
    return true;
}

/* -- time ---------------------------------------------------------------------------------------
 */

/* Lets real time catch up with the clock of the core. */
static void keep_pace(gs_live *live, uint64_t clock)
{
    if (live->speed <= 0)
        return;
    const double seconds = (double)clock / (double)live->module.clock_hz / live->speed;
    const uint64_t due = live->began_ns + (uint64_t)(seconds * SECOND_NS);
    for (uint64_t now = now_ns(); now < due; now = now_ns())
        (void)wait_for_command(live, due - now);
}

static uint64_t clocks_between_looks(const gs_live *live)
{
    const double tick =
        live->speed * live->module.clock_hz / 100; /* clocks in a hundredth of a second */
    return live->speed > 0 && tick < LONG_CLOCKS ? (uint64_t)tick + 1 : LONG_CLOCKS;
}

/* Now and then: time and commands. */
static void look_around(void *self, uint64_t clock)
{
    gs_live *live = self;
    flush(live);
    keep_pace(live, clock);
    if (now_ns() - live->listened_ns >= LISTEN_NS)
        listen_now(live);
    live->counting.look = clock + clocks_between_looks(live);
}

/* -- life ---------------------------------------------------------------------------------------
 */

static gs_status set_up_module(gs_live *live, const gs_live_options *options, gs_error *err)
{
    gs_live_module *m = &live->module;
    const gs_timing *timing = live->timing;
    m->key = options->key;
    m->device = options->device;
    m->clock_hz = timing ? (uint32_t)timing->core->clock_hz : 0;
    m->signals = (uint32_t)((UINT64_C(1) << GS_STATS_SIGNAL_COUNT) - 1);
    m->send = send_result;
    m->self = live;
    randombytes_buf(&m->session, sizeof m->session);
    if (options->device == 0)
        return gs_fail(err, GS_E_ARGUMENT, "a device's number is 1 at least");
    if (options->speed > 0 && m->clock_hz == 0)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a speed needs to know how fast the core is: it has no clock rate");
    gs_status status =
        gs_live_stats_parse(&m->setting, &m->made, options->stats, live->machine->image, err);
    if (status == GS_OK && !gs_live_setting_fits(&m->setting, m->made, m->signals))
        status = gs_fail(err, GS_E_ARGUMENT,
                         "a module with %u counters takes an interval of %u clocks at least",
                         gs_live_made_counters(m->made), gs_live_made_counters(m->made) + 4);
    return status;
}

gs_status gs_live_open(gs_live **out, gs_machine *machine, const gs_timing *timing,
                       const gs_live_options *options, gs_error *err)
{
    const int yes = 1;
    gs_live *live = calloc(1, sizeof *live);
    *out = NULL;
    if (!live)
        return gs_fail_no_memory(err);
    live->machine = machine;
    live->timing = timing;
    live->speed = options->speed;
    live->wait_seconds = options->wait_seconds;
    live->socket = -1;
    gs_status status = set_up_module(live, options, err);
    if (status == GS_OK)
        status = gs_live_program_read(&live->module.program, gs_image_name(machine->image), err);
    if (status == GS_OK)
        status = gs_udp_parse(&live->results, options->to, err);
    if (status == GS_OK)
        status = gs_udp_open(&live->socket, NULL, &live->results, err);
    if (status != GS_OK) {
        gs_live_free(live);
        return status;
    }
    /* Tells that a host has nothing at that port. */
    if (live->results.name.ss_family == AF_INET6)
        (void)setsockopt(live->socket, IPPROTO_IPV6, IPV6_RECVERR, &yes, sizeof yes);
    else
        (void)setsockopt(live->socket, IPPROTO_IP, IP_RECVERR, &yes, sizeof yes);
    gs_live_counting_init(&live->counting, &live->module, machine, timing, look_around, live);
    gs_live_module_begin(&live->module);
    live->began_ns = now_ns();
    *out = live;
    return GS_OK;
}

void gs_live_free(gs_live *live)
{
    if (!live)
        return;
    if (live->socket >= 0)
        close(live->socket);
    sodium_memzero(&live->module.key, sizeof live->module.key);
    free(live);
}

const gs_observer *gs_live_observer(const gs_live *live)
{
    return &live->counting.feed.observer;
}

bool gs_live_wait(gs_live *live)
{
    uint8_t bytes[GS_LIVE_DATAGRAM];
    const uint64_t until = now_ns() + (uint64_t)(live->wait_seconds * SECOND_NS);
    while (!live->module.asked && now_ns() < until) {
        send_to(live, bytes, gs_live_module_state(&live->module, bytes), &live->results);
        (void)wait_for_command(live, (uint64_t)ANNOUNCE_MS * 1000000);
    }
    live->began_ns = now_ns();
    return live->module.asked;
}

static bool is_delivered(const gs_live_module *m)
{
    return m->heard == m->sent;
}

void gs_live_finish(gs_live *live, const volatile sig_atomic_t *cancel)
{
    gs_live_module *m = &live->module;
    gs_live_counting_finish(&live->counting);
    gs_live_module_end(m);
    flush(live);
    live->heard_ns = now_ns();
    for (;;) {
        const uint64_t patience = (uint64_t)(m->asked ? KNOWN_MS : STRANGE_MS) * 1000000,
                       waited = now_ns() - live->heard_ns;
        if (is_delivered(m) || waited >= patience || (live->alone && !m->asked) ||
            (cancel && *cancel))
            return;
        (void)wait_for_command(live, patience - waited);
    }
}

gs_live_counts gs_live_count(const gs_live *live)
{
    const gs_live_module *m = &live->module;
    return (gs_live_counts){.sent = m->all_sent,
                            .skipped = m->all_skipped,
                            .commands = m->commands,
                            .strangers = m->strangers,
                            .old = m->old,
                            .repeated = m->repeated,
                            .heard = m->asked,
                            .delivered = is_delivered(m)};
}
