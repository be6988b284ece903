/* The thread that takes datagrams from a socket into a ring. */
#include "live/intake.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

enum {
    SLOTS = 1 << 14, /* most of a second at 20,000 a second; memory is used only when they are */
    BATCH = 64,
};

struct gs_intake {
    int socket, ready, stop; /* eventfds */
    pthread_t thread;
    bool running;
    gs_intake_datagram *slots;
    atomic_size_t written, read; /* counting up; modulo SLOTS, where */
    atomic_uint_fast64_t overrun;
    uint32_t dropped; /* by the kernel, as it said last */
    struct mmsghdr messages[BATCH];
    struct iovec vectors[BATCH];
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(uint32_t))];
    } control[BATCH];
};

static gs_intake_datagram *slot(const gs_intake *in, size_t number)
{
    return &in->slots[number % SLOTS];
}

/* How many the next call may bring; without room, into one slot beyond the ring that is thrown
 * away. */
static unsigned prepare(gs_intake *in, size_t at, size_t room)
{
    const unsigned count = room == 0 ? 1 : room < BATCH ? (unsigned)room : BATCH;
    for (unsigned i = 0; i < count; i++) {
        gs_intake_datagram *to = room == 0 ? &in->slots[SLOTS] : slot(in, at + i);
        in->vectors[i] = (struct iovec){to->bytes, sizeof to->bytes};
        in->messages[i].msg_hdr = (struct msghdr){.msg_name = &to->from.name,
                                                  .msg_namelen = sizeof to->from.name,
                                                  .msg_iov = &in->vectors[i],
                                                  .msg_iovlen = 1,
                                                  .msg_control = &in->control[i],
                                                  .msg_controllen = sizeof in->control[i]};
    }
    return count;
}

/* The kernel says how many it has dropped so far. */
static void note_dropped(gs_intake *in, struct msghdr *message)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        uint32_t dropped;
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SO_RXQ_OVFL)
            continue;
        memcpy(&dropped, CMSG_DATA(c), sizeof dropped);
        atomic_fetch_add(&in->overrun, dropped - in->dropped);
        in->dropped = dropped;
    }
}

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Takes what there is. */
static void take(gs_intake *in)
{
    const uint64_t one = 1;
    for (;;) {
        const size_t at = atomic_load_explicit(&in->written, memory_order_relaxed),
                     room = SLOTS - (at - atomic_load_explicit(&in->read, memory_order_acquire));
        const unsigned wanted = prepare(in, at, room);
        const int got = recvmmsg(in->socket, in->messages, wanted, MSG_DONTWAIT, NULL);
        if (got <= 0)
            return;
        const int64_t now = now_us();
        for (int i = 0; i < got; i++) {
            note_dropped(in, &in->messages[i].msg_hdr);
            if (room == 0)
                continue;
            gs_intake_datagram *to = slot(in, at + (size_t)i);
            to->from.length = in->messages[i].msg_hdr.msg_namelen;
            to->length = in->messages[i].msg_len;
            to->arrived_us = now;
        }
        if (room == 0)
            atomic_fetch_add(&in->overrun, (uint64_t)got);
        else
            atomic_store_explicit(&in->written, at + (size_t)got, memory_order_release);
        (void)!write(in->ready, &one, sizeof one);
    }
}

static void *serve(void *self)
{
    gs_intake *in = self;
    struct pollfd wait[2] = {{.fd = in->socket, .events = POLLIN},
                             {.fd = in->stop, .events = POLLIN}};
    for (;;) {
        if (poll(wait, 2, -1) < 0 && errno != EINTR)
            return NULL;
        if (wait[1].revents)
            return NULL;
        take(in);
    }
}

/* Signals are for the program's own thread. */
static int start(gs_intake *in)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int problem = pthread_create(&in->thread, NULL, serve, in);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    in->running = problem == 0;
    return problem;
}

gs_status gs_intake_open(gs_intake **out, int socket, gs_error *err)
{
    const int yes = 1;
    gs_intake *in = calloc(1, sizeof *in);
    *out = NULL;
    if (!in)
        return gs_fail_no_memory(err);
    in->socket = socket;
    in->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    in->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    in->slots = calloc(SLOTS + 1, sizeof *in->slots);
    (void)setsockopt(socket, SOL_SOCKET, SO_RXQ_OVFL, &yes, sizeof yes);
    gs_status status = in->slots ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK && (in->ready < 0 || in->stop < 0))
        status = gs_fail(err, GS_E_IO, "cannot make an eventfd: %s", strerror(errno));
    const int problem = status == GS_OK ? start(in) : 0;
    if (problem)
        status = gs_fail(err, GS_E_IO, "cannot start a thread: %s", strerror(problem));
    if (status == GS_OK)
        *out = in;
    else
        gs_intake_close(in);
    return status;
}

void gs_intake_close(gs_intake *in)
{
    const uint64_t one = 1;
    if (!in)
        return;
    if (in->running) {
        (void)!write(in->stop, &one, sizeof one);
        pthread_join(in->thread, NULL);
    }
    if (in->ready >= 0)
        close(in->ready);
    if (in->stop >= 0)
        close(in->stop);
    free(in->slots);
    free(in);
}

int gs_intake_descriptor(const gs_intake *in)
{
    return in->ready;
}

const gs_intake_datagram *gs_intake_first(gs_intake *in)
{
    uint64_t count;
    const size_t at = atomic_load_explicit(&in->read, memory_order_relaxed);
    if (at == atomic_load_explicit(&in->written, memory_order_acquire)) {
        (void)!read(in->ready, &count, sizeof count); /* then looks again: one may have come */
        if (at == atomic_load_explicit(&in->written, memory_order_acquire))
            return NULL;
    }
    return slot(in, at);
}

void gs_intake_drop(gs_intake *in)
{
    atomic_fetch_add_explicit(&in->read, 1, memory_order_release);
}

uint64_t gs_intake_overrun(const gs_intake *in)
{
    return atomic_load(&in->overrun);
}
