/*
 * The Statistics Module on a network: commands come as frames of all kinds, good and bad, and every
 * byte that goes out has to be what the model sends.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "compare.h"
#include "frames.h"
#include "live/module.h"

typedef struct config {
    uint64_t counters, ranges, width, interval, signals, stall;
    bool told, mips;
} config;

#define NUMBER(field, value, least, most)                                            \
    {                                                                                \
        .name = #field, .type = GS_OPTION_NUMBER, .offset = offsetof(config, field), \
        .fallback = value, .min = least, .max = most,                                \
    }
#define FLAG(field)                                                               \
    {                                                                             \
        .name = #field, .type = GS_OPTION_FLAG, .offset = offsetof(config, field) \
    }

static const gs_unit_option options[] = {
    NUMBER(counters, 8, 1, GS_STATS_COUNTERS_MAX),
    NUMBER(ranges, 8, 1, GS_STATS_RANGES_MAX),
    NUMBER(width, 32, 4, 32),
    NUMBER(interval, 1000, 0, UINT32_MAX),
    NUMBER(signals, (1 << GS_STATS_SIGNAL_COUNT) - 1, 1, (1 << GS_STATS_SIGNAL_COUNT) - 1),
    NUMBER(stall, 0, 0, 100), /* of a hundred clocks, how often the MAC takes no byte */
    FLAG(told),               /* the device does not know what it runs */
    FLAG(mips),
};

enum {
    BEATS_BETWEEN = 400, /* frames, on average */
    CONFIG_MIPS = 1 << 24,
};

/* What is to go out. */
typedef struct expected {
    endpoint to;
    enum { ARP_ANSWER, STATE, RESULT, RESULT_AGAIN } what;
    size_t length; /* of the datagram */
    uint8_t bytes[GS_LIVE_DATAGRAM];
} expected;

typedef struct model {
    gs_live_module module;
    config how;
    struct {
        expected *items;
        size_t count, capacity;
    } queue;
    size_t begun, seen; /* entries that are done, frames of the hardware that have been looked at */
    endpoint results;
    bool has_results;
    frame command; /* the last one that was whole */
    uint64_t results_made, number, chance;
    uint64_t beats, next;
    unsigned frames, skipped;
    bool no_memory;
} model;

static const endpoint device = {UINT64_C(0x02aabbccddee), 0x0a000002, 4750};
static const endpoint others[] = {{UINT64_C(0x021122334455), 0x0a000001, 50000},
                                  {UINT64_C(0x06deadbeef01), 0xc0a80107, 4751},
                                  {UINT64_C(0x0200000000ff), 0x0a0000fe, 1}};
static const gs_live_program known = {{0xf0, 0xf1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
                             strange = {
                                 {0xf0, 0xf1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 14}};

static uint64_t draw(model *m, uint64_t below)
{
    m->chance = m->chance * 6364136223846793005u + 1442695040888963407u;
    return (m->chance >> 33) % below;
}

static bool once_in(model *m, unsigned times)
{
    return draw(m, times) == 0;
}

/* -- what goes out ------------------------------------------------------------------------------
 */

static void expect(model *m, const expected *e)
{
    if (!gs_vec_push(&m->queue, *e))
        m->no_memory = true;
}

static void send_result(void *self, const uint8_t *bytes, size_t length)
{
    model *m = self;
    expected e = {.to = m->results, .length = length, .what = RESULT};
    if (m->module.all_sent == m->results_made)
        e.what = RESULT_AGAIN;
    m->results_made = m->module.all_sent;
    memcpy(e.bytes, bytes, length);
    if (m->has_results)
        expect(m, &e);
}

static void differ(comparison *c, const char *what, const rtl_frame *is, const frame *should)
{
    const model *m = c->model;
    size_t at = 0;
    while (is && at < is->length && at < should->length && is->bytes[at] == should->bytes[at])
        at++;
    if (c->differences++ < 3)
        printf(
            "%s: %s; frame %zu, after %u came in: %zu bytes, not %zu, and the first that differs "
            "is %zu\n",
            c->program, what, m->seen, m->frames, is ? is->length : 0, should->length, at);
}

enum { AT_SEQUENCE = 48, AT_INTERVAL = 52, WORD = 4 };

/* Whether the hardware has left this result out, having one to send already. */
static bool is_skipped(const expected *e, const rtl_frame *is)
{
    return e->what == RESULT && (!is || (is->length > FRAME_DATAGRAM + AT_INTERVAL + WORD &&
                                         is->bytes[FRAME_DATAGRAM + 3] == GS_WIRE_RESULT &&
                                         memcmp(is->bytes + FRAME_DATAGRAM + AT_INTERVAL,
                                                e->bytes + AT_INTERVAL, WORD)));
}

/* A result is numbered as the hardware does that, behind those it has left out. */
static void number_result(model *m, expected *e)
{
    const uint32_t left_out = m->skipped;
    uint32_t number = 0;
    for (unsigned i = 0; i < WORD; i++)
        number = number << 8 | e->bytes[AT_SEQUENCE + i];
    number -= left_out;
    for (unsigned i = 0; i < WORD; i++)
        e->bytes[AT_SEQUENCE + i] = (uint8_t)(number >> 8 * (WORD - 1 - i));
    gs_wire_seal(e->bytes, e->length - GS_WIRE_TAG, &m->module.key);
    memcpy(m->module.last, e->bytes, e->length);
    m->module.last_length = e->length;
}

static void compare_frame(comparison *c, const rtl_frame *is)
{
    model *m = c->model;
    while (m->begun < m->queue.count && is_skipped(&m->queue.items[m->begun], is)) {
        m->skipped++;
        m->begun++;
    }
    frame should = {0};
    if (m->begun == m->queue.count) {
        if (is)
            differ(c, "more than the model sends", is, &should);
        return;
    }
    expected *e = &m->queue.items[m->begun++];
    if (e->what == RESULT)
        number_result(m, e);
    if (e->what == ARP_ANSWER)
        frame_arp(&should, true, &device, &e->to, e->to.mac);
    else
        frame_udp(&should, &device, &e->to, e->bytes, e->length, NULL);
    if (!is || is->length != should.length || memcmp(is->bytes, should.bytes, is->length) != 0)
        differ(c,
               e->what == ARP_ANSWER ? "ARP"
               : e->what == STATE    ? "a STATE"
                                     : "a RESULT",
               is, &should);
}

/* Waits until nothing comes out any more, and compares. */
static void settle(comparison *c)
{
    model *m = c->model;
    size_t count;
    c->library->settle(c->rtl);
    const rtl_frame *frames = c->library->frames(c->rtl, &count);
    m->skipped = 0;
    for (; m->seen < count; m->seen++)
        compare_frame(c, &frames[m->seen]);
    while (m->begun < m->queue.count)
        compare_frame(c, NULL);
    m->module.sent -= m->skipped;
    m->module.skipped += m->skipped;
    m->begun = m->queue.count = 0;
}

/* -- what comes in ------------------------------------------------------------------------------
 */

static gs_live_setting any_setting(model *m, const gs_image *image)
{
    gs_live_setting s = {.counters = 1 + (uint32_t)draw(m, m->how.counters)};
    const uint32_t least = (uint32_t)m->how.counters + 4;
    s.interval = once_in(m, 6)   ? 0
                 : once_in(m, 3) ? least + (uint32_t)draw(m, 100)
                                 : 300 + (uint32_t)draw(m, 5000);
    for (unsigned i = 0; i < GS_LIVE_COUNTERS; i++) {
        unsigned signal = (unsigned)draw(m, GS_STATS_SIGNAL_COUNT);
        while (i < s.counters && !(m->how.signals >> signal & 1))
            signal = (unsigned)draw(m, GS_STATS_SIGNAL_COUNT);
        s.selector[i].select =
            (uint32_t)draw(m, m->how.ranges) << 8 | signal | (once_in(m, 8) ? 0xffffc0e0 : 0);
    }
    for (unsigned i = 0; i < GS_LIVE_RANGES; i++) {
        const gs_function *function =
            gs_image_function(image, draw(m, gs_image_function_count(image)));
        s.range[i].first = once_in(m, 3) ? 0 : (uint32_t)function->start;
        s.range[i].last = once_in(m, 3) ? UINT32_MAX : (uint32_t)function->end - 1;
    }
    return s;
}

/* What a module is not made for. */
static void spoil_setting(model *m, gs_live_setting *s)
{
    switch (draw(m, 5)) {
    case 0: s->counters = 0; break;
    case 1: s->counters = (uint32_t)(m->how.counters + 1 + draw(m, 300)); break;
    case 2: s->interval = 1 + (uint32_t)draw(m, m->how.counters + 3); break;
    case 3:
        s->selector[draw(m, s->counters)].select = (uint32_t)(m->how.ranges + draw(m, 64)) << 8;
        break;
    default:
        s->selector[draw(m, s->counters)].select =
            GS_STATS_SIGNAL_COUNT + (uint32_t)draw(m, 32 - GS_STATS_SIGNAL_COUNT);
        break;
    }
}

static gs_wire_command any_command(model *m, const gs_image *image)
{
    static const uint32_t orders[] = {0,  GS_LIVE_ORDER_AGAIN,
                                      15, GS_LIVE_ORDER_START,
                                      11, GS_LIVE_ORDER_STOP,
                                      11, GS_LIVE_ORDER_STOP | GS_LIVE_ORDER_TO_SENDER,
                                      1,  GS_LIVE_ORDER_START | GS_LIVE_ORDER_TO_SENDER,
                                      8,  GS_LIVE_ORDER_START | GS_LIVE_ORDER_STOP};
    gs_wire_command c = {.header = {.device = m->module.device,
                                    .session = m->module.session,
                                    .stream = m->module.stream,
                                    .program = once_in(m, 2) ? known : (gs_live_program){{0}}},
                         .number = m->number += 1 + draw(m, once_in(m, 3) ? UINT32_MAX : 3),
                         .orders = orders[draw(m, sizeof orders / sizeof *orders)],
                         .setting = any_setting(m, image)};
    if (once_in(m, 4))
        c.orders = GS_LIVE_ORDER_SET | GS_LIVE_ORDER_START | GS_LIVE_ORDER_TO_SENDER;
    switch (draw(m, 12)) {
    case 0: c.number -= draw(m, 5); break;
    case 1: c.header.session ^= UINT64_C(1) << draw(m, 64); break;
    case 2: c.header.device = 0; break;
    case 3: c.header.device ^= UINT64_C(1) << draw(m, 64); break;
    case 4: c.header.program = strange; break;
    case 5: spoil_setting(m, &c.setting); break;
    case 6: c.orders = (uint32_t)draw(m, UINT32_MAX); break;
    default: break;
    }
    return c;
}

/* What else can be wrong with a datagram. */
static size_t spoil_datagram(model *m, uint8_t *bytes, size_t length)
{
    gs_live_key wrong = m->module.key;
    switch (draw(m, 5)) {
    case 0: bytes[draw(m, length)] ^= (uint8_t)(1 << draw(m, 8)); break;
    case 1:
        wrong.bytes[draw(m, sizeof wrong)] ^= (uint8_t)(1 << draw(m, 8));
        gs_wire_seal(bytes, length - GS_WIRE_TAG, &wrong);
        break;
    case 2: length = draw(m, GS_LIVE_DATAGRAM); break;
    case 3:
        bytes[draw(m, 8)] ^= (uint8_t)(1 << draw(m, 8)); /* magic and length, with a right tag */
        gs_wire_seal(bytes, length - GS_WIRE_TAG, &m->module.key);
        break;
    default:
        length = m->module.last_length; /* its own, back from a mirror */
        memcpy(bytes, m->module.last, length);
        break;
    }
    return length;
}

static void make_datagram(model *m, frame *f, const gs_image *image)
{
    const gs_wire_command c = any_command(m, image);
    uint8_t bytes[GS_LIVE_DATAGRAM] = {0};
    endpoint from = others[draw(m, sizeof others / sizeof *others)], to = device;
    frame_oddities odd = {0};
    size_t length = gs_wire_write_command(bytes, &c, &m->module.key);
    if (once_in(m, 6))
        length = spoil_datagram(m, bytes, length);
    switch (draw(m, 16)) {
    case 0: odd.option_words = 1 + (unsigned)draw(m, 10); break;
    case 1: odd.no_sum = true; break;
    case 2: odd.fragment = (uint16_t)(1 << draw(m, 14)); break;
    case 3: odd.protocol = (uint8_t)draw(m, 256); break;
    case 4: odd.padding = (unsigned)draw(m, 50); break;
    case 5: to.ip ^= 1u << draw(m, 32); break;
    case 6: to.port ^= (uint16_t)(1 << draw(m, 16)); break;
    case 7: to.mac ^= UINT64_C(1) << draw(m, 48); break;
    case 8: to.mac = UINT64_C(0xffffffffffff); break;
    default: break;
    }
    frame_udp(f, &from, &to, bytes, length, &odd);
}

static void make_arp(model *m, frame *f)
{
    const endpoint from = others[draw(m, sizeof others / sizeof *others)];
    const endpoint *to = once_in(m, 3) ? &others[0] : &device;
    frame_arp(f, once_in(m, 6), &from, to, once_in(m, 2) ? device.mac : UINT64_C(0xffffffffffff));
}

static void spoil_frame(model *m, frame *f)
{
    switch (draw(m, 5)) {
    case 0: f->bytes[draw(m, f->length)] ^= (uint8_t)(1 << draw(m, 8)); break;
    case 1: f->bytes[draw(m, 42)] ^= (uint8_t)(1 << draw(m, 8)); break;
    case 2: f->length = 1 + draw(m, f->length); break;
    case 3: f->damaged = true; break;
    default:
        f->length = 1 + draw(m, 300);
        for (size_t i = once_in(m, 2) ? 6 : 14; i < f->length; i++)
            f->bytes[i] = (uint8_t)draw(m, 256);
        break;
    }
}

/* The model is told what the hardware is told. */
static void take_datagram(model *m, const uint8_t *bytes, size_t length, const endpoint *from)
{
    bool to_sender;
    expected e = {.to = *from, .what = STATE};
    e.length = gs_live_module_receive(&m->module, bytes, length, e.bytes, &to_sender);
    if (to_sender) {
        m->results = *from;
        m->has_results = true;
    }
    if (e.length > 0)
        expect(m, &e);
}

static void deliver(comparison *c, const frame *f)
{
    model *m = c->model;
    endpoint from = {0};
    size_t at = 0, length = 0;
    settle(c);
    m->frames++;
    switch (frame_read(f, &device, &from, &at, &length)) {
    case FRAME_FOR_OTHERS: break;
    case FRAME_STRANGE: m->module.strangers++; break;
    case FRAME_ASKS: expect(m, &(expected){.to = from, .what = ARP_ANSWER}); break;
    case FRAME_IS_DATAGRAM: take_datagram(m, f->bytes + at, length, &from); break;
    }
    if (!c->library->send(c->rtl, f->bytes, f->length, f->damaged)) {
        printf("%s: a frame of %zu bytes is not taken\n", c->program, f->length);
        c->differences++;
    }
    settle(c);
}

static void deliver_any(comparison *c)
{
    model *m = c->model;
    frame f = m->command;
    if (once_in(m, 6))
        make_arp(m, &f);
    else if (f.length == 0 || !once_in(m, 8))
        make_datagram(m, &f, c->context.image);
    m->command = f;
    if (once_in(m, 4))
        spoil_frame(m, &f);
    deliver(c, &f);
}

/* -- the comparison -----------------------------------------------------------------------------
 */

static gs_status open(comparison *c, const char *text, gs_error *err)
{
    gs_arena arena = {0};
    model *m = calloc(1, sizeof *m);
    c->model = m;
    if (!m)
        return gs_fail_no_memory(err);
    gs_status status = gs_options_parse(&m->how, options, sizeof options / sizeof *options, "live",
                                        text, &arena, err);
    gs_arena_free(&arena);
    if (status != GS_OK)
        return status;
    gs_live_module *module = &m->module;
    for (unsigned i = 0; i < sizeof module->key; i++)
        module->key.bytes[i] = (uint8_t)(0x80 + 7 * i);
    module->device = UINT64_C(0x0a0b0c0d0e0f);
    module->session = UINT64_C(0x1122334455667788);
    if (!m->how.told)
        module->program = known;
    module->made = (uint32_t)(m->how.width << 16 | m->how.ranges << 8 | m->how.counters) |
                   (m->how.mips ? CONFIG_MIPS : 0);
    module->signals = (uint32_t)m->how.signals;
    module->clock_hz = 50000000;
    module->send = send_result;
    module->self = m;
    m->chance = gs_image_function(c->context.image, 0)->end ^ (uint64_t)strlen(c->program) << 32;
    gs_live_module_begin(module);
    rtl_identity who = {.mac = device.mac,
                        .ip = device.ip,
                        .port = device.port,
                        .device = module->device,
                        .session = module->session,
                        .clock_hz = module->clock_hz};
    memcpy(who.key, module->key.bytes, sizeof who.key);
    memcpy(who.program, module->program.bytes, sizeof who.program);
    c->library->identify(c->rtl, &who, (unsigned)m->how.stall);
    return GS_OK;
}

static void beat(comparison *c, const gs_port *port)
{
    model *m = c->model;
    if (m->module.running)
        gs_stats_beat(&m->module.stats, port, c->context.isa);
    if (m->beats++ < m->next)
        return;
    m->next = m->beats + draw(m, 2 * BEATS_BETWEEN);
    deliver_any(c);
}

static void finish(comparison *c)
{
    model *m = c->model;
    settle(c);
    c->library->end(c->rtl);
    gs_live_module_end(&m->module);
    settle(c);
    for (unsigned i = 0; i < 20; i++)
        deliver_any(c);
    if (m->no_memory || c->library->gaps(c->rtl) > 0) {
        printf("%s: frames go out with gaps in them\n", c->program);
        c->differences++;
    }
}

static void free_model(comparison *c)
{
    model *m = c->model;
    if (m)
        free(m->queue.items);
    free(m);
}

const comparison_kind compare_live = {
    .name = "live", .open = open, .beat = beat, .finish = finish, .free = free_model};
