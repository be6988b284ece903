/* A device with a socket, and a thread that answers commands. */
#include "live_device.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "live/udp.h"

struct live_device {
    gs_live_module module;
    pthread_mutex_t lock; /* of the module */
    pthread_t thread;
    bool closing;
    int socket;
    gs_udp_address to;
};

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void send_result(void *self, const uint8_t *bytes, size_t length)
{
    live_device *d = self;
    (void)sendto(d->socket, bytes, length, 0, (const struct sockaddr *)&d->to.name, d->to.length);
}

static void *obey(void *self)
{
    live_device *d = self;
    struct pollfd ready = {.fd = d->socket, .events = POLLIN};
    uint8_t bytes[GS_LIVE_DATAGRAM], answer[GS_LIVE_DATAGRAM];
    bool to_sender, closing = false;
    while (!closing) {
        (void)poll(&ready, 1, 10);
        const ssize_t length = recv(d->socket, bytes, sizeof bytes, 0);
        pthread_mutex_lock(&d->lock);
        closing = d->closing;
        if (length > 0) {
            const size_t answered =
                gs_live_module_receive(&d->module, bytes, (size_t)length, answer, &to_sender);
            if (answered)
                send_result(d, answer, answered);
        }
        pthread_mutex_unlock(&d->lock);
    }
    return NULL;
}

live_device *live_device_open(const char *to)
{
    live_device *d = calloc(1, sizeof *d);
    gs_udp_address local;
    require(d && gs_udp_parse(&d->to, to, NULL) == GS_OK &&
            gs_udp_parse(&local, "127.0.0.1:0", NULL) == GS_OK &&
            gs_udp_open(&d->socket, &local, NULL, NULL) == GS_OK);
    d->module = (gs_live_module){.device = 9,
                                 .session = 33,
                                 .made = 32 << 16 | 4 << 8 | 4,
                                 .signals = 0x7ff,
                                 .setting = {.interval = 100, .counters = 2},
                                 .send = send_result,
                                 .self = d};
    d->module.setting.selector[1].select = GS_STATS_INSTRUCTION;
    d->module.setting.range[0].last = UINT32_MAX;
    pthread_mutex_init(&d->lock, NULL);
    gs_live_module_begin(&d->module);
    require(pthread_create(&d->thread, NULL, obey, d) == 0);
    return d;
}

void live_device_close(live_device *d)
{
    pthread_mutex_lock(&d->lock);
    d->closing = true;
    pthread_mutex_unlock(&d->lock);
    pthread_join(d->thread, NULL);
    pthread_mutex_destroy(&d->lock);
    close(d->socket);
    free(d);
}

void live_device_count(live_device *d, unsigned intervals)
{
    gs_insn nop = {0};
    static const gs_op_info op = {0};
    const gs_isa isa = {.ops = &op};
    pthread_mutex_lock(&d->lock);
    for (unsigned i = 0; i < 20 * intervals && d->module.running; i++) {
        const gs_port port = {.valid = true, .cycles = 5, .decoded = &nop};
        gs_stats_beat(&d->module.stats, &port, &isa);
    }
    pthread_mutex_unlock(&d->lock);
}
