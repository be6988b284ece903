/*
 * Datagrams: an input is a row of them, each behind two bytes: its length, and in the highest bit
 * whether it gets the right tag, length and magic, as one from a device or controller that has the
 * key would. A module and a collector get all of them. What is right can be written again and is
 * the same; a module's answer is right, and its setting possible; a collector's counts add up.
 */
#include <stdlib.h>
#include <string.h>

#include "live/collector_parts.h"
#include "live/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const gs_live_key key;

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void drop(void *self, const uint8_t *bytes, size_t length)
{
    unsigned kind;
    (void)self;
    require(gs_wire_check(bytes, length, &key, &kind) == GS_WIRE_FINE && kind == GS_WIRE_RESULT);
}

/* What is read and written again is the same, but for what is spare. */
static void check_datagram(const uint8_t *bytes, size_t length)
{
    uint8_t again[GS_LIVE_DATAGRAM];
    unsigned kind;
    if (gs_wire_check(bytes, length, &key, &kind) != GS_WIRE_FINE)
        return;
    if (kind == GS_WIRE_RESULT) {
        gs_wire_result result;
        gs_wire_read_result(&result, bytes);
        require(gs_wire_write_result(again, &result, &key) == length);
        require(memcmp(again, bytes, length) == 0);
    } else if (kind == GS_WIRE_STATE) {
        gs_wire_state state;
        gs_wire_read_state(&state, bytes);
        require(gs_wire_write_state(again, &state, &key) == length);
        require(memcmp(again, bytes, length) == 0);
    } else {
        gs_wire_command command;
        gs_wire_read_command(&command, bytes);
        require(gs_wire_write_command(again, &command, &key) == length);
    }
}

static void tell_module(gs_live_module *m, const uint8_t *bytes, size_t length)
{
    uint8_t answer[GS_LIVE_DATAGRAM];
    bool to_sender;
    unsigned kind;
    const uint32_t strangers = m->strangers;
    const size_t answered = gs_live_module_receive(m, bytes, length, answer, &to_sender);
    require(gs_live_setting_fits(&m->setting, m->made, m->signals));
    if (answered == 0)
        require(m->strangers == strangers + 1 && !to_sender);
    else
        require(gs_wire_check(answer, answered, &key, &kind) == GS_WIRE_FINE &&
                kind == GS_WIRE_STATE);
}

static void tell_collector(gs_collector *c, const uint8_t *bytes, size_t length)
{
    gs_intake_datagram d = {.length = length, .arrived_us = 1};
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    memcpy(&d.from.name, &from, sizeof from); /* port 0, to which nothing can be sent */
    d.from.length = sizeof from;
    memcpy(d.bytes, bytes, length);
    require(gs_collector_take_in(c, &d, NULL) == GS_OK);
    for (size_t i = 0; i < gs_collector_stream_count(c); i++) {
        const gs_live_stream *s = gs_collector_stream(c, i);
        require(s->received + s->lost >= s->next && s->setting.counters <= GS_LIVE_COUNTERS);
    }
}

/* As one that has the key would make it. */
static size_t complete(uint8_t *bytes, size_t length)
{
    const unsigned kind = 1 + bytes[3] % 3;
    const uint32_t counters = kind == GS_WIRE_RESULT ? 1 + bytes[71] % GS_LIVE_COUNTERS : 0;
    const size_t whole =
        kind == GS_WIRE_RESULT ? gs_wire_result_length(counters) : gs_wire_command_length();
    const uint8_t head[8] = {0x47,          0x4c, 1, (uint8_t)kind, 0, 0, (uint8_t)(whole >> 8),
                             (uint8_t)whole};
    memset(bytes + length, 0, GS_LIVE_DATAGRAM - length);
    memcpy(bytes, head, sizeof head);
    if (kind == GS_WIRE_RESULT) {
        memset(bytes + 68, 0, 3);
        bytes[71] = (uint8_t)counters;
    }
    gs_wire_seal(bytes, whole - GS_WIRE_TAG, &key);
    return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static gs_live_module module;
    /* As gs_collector_open() makes it, but for the thread that receives. */
    gs_collector *collector = calloc(1, sizeof *collector);
    require(collector != NULL);
    *collector = (gs_collector){.options = {.key = key}, .socket = -1};
    module = (gs_live_module){.key = key,
                              .device = 1,
                              .session = 2,
                              .made = 32 << 16 | 4 << 8 | 4,
                              .signals = 0xff,
                              .setting = {.interval = 100, .counters = 1},
                              .send = drop};
    gs_live_module_begin(&module);
    while (size > 2) {
        uint8_t datagram[GS_LIVE_DATAGRAM] = {0};
        const bool completed = bytes[0] & 0x80;
        size_t length = (size_t)((bytes[0] & 0x7f) << 8 | bytes[1]) % (GS_LIVE_DATAGRAM + 1);
        bytes += 2;
        size -= 2;
        length = length < size ? length : size;
        memcpy(datagram, bytes, length);
        bytes += length;
        size -= length;
        if (completed)
            length = complete(datagram, length);
        check_datagram(datagram, length);
        tell_module(&module, datagram, length);
        tell_collector(collector, datagram, length);
    }
    require(gs_collector_close(collector, NULL) == GS_OK);
    return 0;
}
