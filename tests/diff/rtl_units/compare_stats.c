/* The Statistics Module: its configuration for the Verilog, and the dispatches of both. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "compare.h"
#include "gumshoe/firmware/stats_registers.h"
#include "units/hardware.h"
#include "units/stats/stats.h"

typedef struct config {
    uint64_t counters, ranges, width, interval, signals;
    bool naive;
} config;

#define NUMBER(field, value, least, most)                                            \
    {                                                                                \
        .name = #field, .type = GS_OPTION_NUMBER, .offset = offsetof(config, field), \
        .fallback = value, .min = least, .max = most,                                \
    }

static const gs_unit_option options[] = {
    NUMBER(counters, 8, 1, GS_STATS_COUNTERS_MAX),
    NUMBER(ranges, 8, 1, GS_STATS_RANGES_MAX),
    NUMBER(width, 32, 4, 32),
    NUMBER(interval, 1000, 0, UINT32_MAX),
    NUMBER(signals, (1 << GS_STATS_SIGNAL_COUNT) - 1, 1, (1 << GS_STATS_SIGNAL_COUNT) - 1),
    {.name = "naive", .type = GS_OPTION_FLAG, .offset = offsetof(config, naive)},
};

typedef struct model {
    gs_stats stats;
    uint32_t signals; /* a bit for each that the hardware has */
    unsigned ranges;
    bool naive;
    bool no_memory;
    struct {
        rtl_record *items;
        size_t count, capacity;
    } sent;
} model;

static void receive(void *self, const gs_stats_record *record, uint64_t times)
{
    model *m = self;
    for (uint64_t again = 0; again < times; again++) {
        for (unsigned i = 0; i < record->count && !m->no_memory; i++) {
            rtl_record part = {.number = i,
                               .sequence = record->sequence + (uint32_t)again,
                               .last = record->last,
                               .value = record->value[i],
                               .total = record->total[i]};
            m->no_memory = !gs_vec_push(&m->sent, part);
        }
    }
}

/* One range for everything, the others for functions, every other one up to an address within. */
static void set_ranges(model *m, unsigned ranges, const gs_image *image)
{
    size_t functions = gs_image_function_count(image);
    for (unsigned i = 1; i < ranges; i++) {
        const gs_function *function = gs_image_function(image, functions - 1 - i % functions);
        m->stats.range[i].first = (uint32_t)function->start;
        m->stats.range[i].last = (uint32_t)function->end - (i % 2 ? 4 : 1);
    }
    m->stats.range[0].first = 0;
    m->stats.range[0].last = UINT32_MAX;
}

static unsigned signal_number(uint32_t signals, unsigned below)
{
    unsigned number = 0;
    for (;; number++) {
        if (signals >> number & 1 && below-- == 0)
            return number;
    }
}

/* Which signal in which range: all pairs, if there is a counter for each; else what chance brings.
 */
static void set_selectors(model *m, const config *how, uint64_t chance)
{
    gs_stats *s = &m->stats;
    unsigned there = (unsigned)__builtin_popcount(m->signals);
    s->count = (unsigned)(how->naive ? there * how->ranges : how->counters);
    for (unsigned i = 0; i < s->count; i++) {
        chance = chance * 6364136223846793005u + 1442695040888963407u;
        unsigned signal = how->naive ? i / (unsigned)how->ranges : (unsigned)(chance >> 33) % there;
        s->signal_of[i] = (uint8_t)signal_number(m->signals, signal);
        s->range_of[i] = (uint8_t)((how->naive ? i : chance >> 50) % how->ranges);
    }
}

static void program_hardware(comparison *c, const config *how)
{
    const gs_stats *s = &((model *)c->model)->stats;
    compare_register(c, "register", GS_STATS_ID, GS_STATS_ID, GS_STATS_MAGIC);
    compare_register(c, "register", GS_STATS_SIGNALS, GS_STATS_SIGNALS, (uint32_t)how->signals);
    for (unsigned i = 0; i < how->ranges; i++) {
        compare_write(c, GS_STATS_RANGE + 8 * i, s->range[i].first);
        compare_write(c, GS_STATS_RANGE + 8 * i + 4, s->range[i].last);
    }
    for (unsigned i = 0; i < s->count && !how->naive; i++)
        compare_write(c, GS_STATS_SELECTOR + 4 * i,
                      (uint32_t)s->range_of[i] << 8 | s->signal_of[i]);
    for (unsigned i = 0; i < how->ranges; i++) {
        compare_register(c, "first address of range", i, GS_STATS_RANGE + 8 * i, s->range[i].first);
        compare_register(c, "last address of range", i, GS_STATS_RANGE + 8 * i + 4,
                         s->range[i].last);
    }
    for (unsigned i = 0; i < s->count && !how->naive; i++)
        compare_register(c, "selector of counter", i, GS_STATS_SELECTOR + 4 * i,
                         (uint32_t)s->range_of[i] << 8 | s->signal_of[i]);
    compare_write(c, GS_STATS_INTERVAL, s->interval);
    compare_write(c, GS_STATS_CONTROL, GS_STATS_RUN);
}

static gs_status open(comparison *c, const char *text, gs_error *err)
{
    config how;
    gs_arena arena = {0};
    gs_status status = gs_options_parse(&how, options, sizeof options / sizeof *options, "stats",
                                        text, &arena, err);
    gs_arena_free(&arena);
    if (status != GS_OK)
        return status;
    model *m = calloc(1, sizeof *m);
    c->model = m;
    if (!m)
        return gs_fail_no_memory(err);
    m->signals = (uint32_t)how.signals;
    m->ranges = (unsigned)how.ranges;
    m->naive = how.naive;
    m->stats.width = (unsigned)how.width;
    m->stats.interval = (uint32_t)how.interval;
    m->stats.dispatch = receive;
    m->stats.dispatch_self = m;
    set_ranges(m, (unsigned)how.ranges, c->context.image);
    set_selectors(m, &how, gs_image_function(c->context.image, 0)->end);
    gs_stats_reset(&m->stats);
    program_hardware(c, &how);
    return GS_OK;
}

static void beat(comparison *c, const gs_port *port)
{
    gs_stats_beat(&((model *)c->model)->stats, port, c->context.isa);
}

static void compare_dispatched(comparison *c)
{
    const model *m = c->model;
    const gs_stats *s = &m->stats;
    compare_register(c, "register", GS_STATS_SEQUENCE, GS_STATS_SEQUENCE, s->sequence);
    for (unsigned i = 0; i < s->count; i++) {
        uint32_t at = GS_STATS_SENT + 16 * i;
        uint32_t value = s->sequence ? m->sent.items[m->sent.count - s->count + i].value : 0;
        compare_register(c, "last value of counter", i, at, value);
        compare_register(c, "total, low half, of", i, at + 8, (uint32_t)s->total[i]);
        compare_register(c, "total, high half, of", i, at + 12, (uint32_t)(s->total[i] >> 32));
    }
}

static void compare_records(comparison *c)
{
    const model *m = c->model;
    size_t count;
    const rtl_record *rtl = c->library->records(c->rtl, &count);
    if (m->no_memory || count != m->sent.count) {
        printf("%s: the model dispatched %zu values, the hardware %zu\n", c->program, m->sent.count,
               count);
        c->differences++;
    }
    for (size_t i = 0; i < count && i < m->sent.count; i++) {
        const rtl_record *a = &m->sent.items[i], *b = &rtl[i];
        if (a->number == b->number && a->sequence == b->sequence && a->last == b->last &&
            a->value == b->value && a->total == b->total)
            continue;
        printf("%s: dispatch %zu, %s in range %u: the model sent counter %" PRIu32 " of %" PRIu32
               ", %" PRIu32 " of %" PRIu64 "%s; the hardware %" PRIu32 " of %" PRIu32 ", %" PRIu32
               " of %" PRIu64 "%s\n",
               c->program, i / m->stats.count, gs_stats_signal_key(m->stats.signal_of[a->number]),
               m->stats.range_of[a->number], a->number, a->sequence, a->value, a->total,
               a->last ? ", last" : "", b->number, b->sequence, b->value, b->total,
               b->last ? ", last" : "");
        c->differences++;
        return;
    }
}

static void finish(comparison *c)
{
    model *m = c->model;
    gs_stats_end(&m->stats);
    uint32_t control = GS_STATS_END;
    compare_write(c, GS_STATS_CONTROL, GS_STATS_END);
    while (control & GS_STATS_END && c->library->read(c->rtl, GS_STATS_CONTROL, &control))
        continue;
    compare_dispatched(c);
    compare_records(c);
    gs_stats_reset(&m->stats);
    compare_write(c, GS_STATS_CONTROL, GS_STATS_CLEAR);
    compare_dispatched(c);
    const register_extent extents[] = {{"RANGE", m->ranges, false},
                                       {"SELECTOR", m->naive ? 0 : m->stats.count, false},
                                       {"SENT", m->stats.count, false},
                                       {NULL, 0, false}};
    compare_decoding(c, gs_stats_hardware.registers, extents);
}

static void free_model(comparison *c)
{
    model *m = c->model;
    if (m)
        free(m->sent.items);
    free(m);
}

const comparison_kind compare_stats = {
    .name = "stats", .open = open, .beat = beat, .finish = finish, .free = free_model};
