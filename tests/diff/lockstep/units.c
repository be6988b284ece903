/* The C models of the profilers as devices of the machine. */
#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/machine.h"
#include "units/leap/leap.h"
#include "units/loops/loops.h"
#include "units/snoopp/snoopp.h"
#include "units/stats/stats.h"
#include "gumshoe/firmware/leap_registers.h"
#include "gumshoe/firmware/loops_registers.h"
#include "gumshoe/firmware/snoopp_registers.h"
#include "gumshoe/firmware/stats_registers.h"

/* soc_units.v's parameters. */
enum {
    BASE = 0x40000000,
    RAM = 0x80000000,
    WINDOW = 0x100000,
    FUNCTIONS = 64,
    WIDTH = 32,
    DEPTH = 32,
    RANGES = 16,
    RANGE_BYTES = 1024,
    COUNTERS = 8,
    STATS_RANGES = 4,
    ENTRIES = 32,
    WAYS = 2,
    LOOP_WIDTH = 24,
};

/* A control register, and what was written to it last. */
typedef struct control {
    bool run, written;
    uint32_t value;
} control;

struct units {
    const gs_image *image;
    const gs_isa *isa;
    gs_port_feed feed;

    control leap_control;
    gs_leap leap;
    gs_leap_hash hash;
    uint16_t tab[FUNCTIONS];
    uint32_t leap_high;
    uint64_t *exact; /* cycles by function while LEAP ran */

    gs_snoopp snoopp;

    control stats_control;
    gs_stats stats;
    uint32_t sent[COUNTERS];
    uint32_t stats_high;

    control loops_control;
    gs_loops loops;
};

static void write_control(control *c, uint64_t value)
{
    c->written = true;
    c->value = (uint32_t)value;
}

/* -- LEAP -- */

static gs_status make_leap(units *u, gs_error *err)
{
    gs_leap_parameters parameters = {
        .hash = &u->hash,
        .isa = u->isa,
        .count = GS_LEAP_COUNT_CYCLES,
        .width = WIDTH,
        .full = GS_LEAP_WRAP,
        .depth = DEPTH,
        .overflow = GS_LEAP_LOSE_OLDEST,
    };
    if (!gs_leap_init(&u->leap, &parameters))
        return gs_fail_no_memory(err);
    return GS_OK;
}

static bool leap_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    units *u = self;
    if (size != 4)
        return false;
    if (offset >= GS_LEAP_COUNTER) {
        uint64_t counter = u->leap.storage.value[offset / GS_LEAP_COUNTER_STRIDE % FUNCTIONS];
        *value = offset & 4 ? u->leap_high : (uint32_t)counter;
        if (!(offset & 4))
            u->leap_high = (uint32_t)(counter >> 32);
        return true;
    }
    *value = offset == GS_LEAP_CONTROL  ? u->leap_control.run
             : offset == GS_LEAP_CONFIG ? (uint32_t)WIDTH << 24 | 6u << 16 | 6u << 8
                                        : GS_LEAP_MAGIC;
    return true;
}

static bool leap_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    units *u = self;
    if (size != 4)
        return false;
    if (offset >= GS_LEAP_TAB && offset < GS_LEAP_TAG)
        u->tab[offset / 4 % FUNCTIONS] = value % FUNCTIONS;
    switch (offset) {
    case GS_LEAP_CONTROL: write_control(&u->leap_control, value); break;
    case GS_LEAP_V: u->hash.v = (uint32_t)value; break;
    case GS_LEAP_A1: u->hash.a1 = value & 63; break;
    case GS_LEAP_B1: u->hash.b1 = value & 31; break;
    case GS_LEAP_B2: u->hash.b2 = value % FUNCTIONS; break;
    default: break;
    }
    return true;
}

static void control_leap(units *u)
{
    gs_leap_event event;
    u->leap_control.run = u->leap_control.value & GS_LEAP_RUN;
    if (u->leap_control.value & GS_LEAP_CLEAR) {
        gs_error err;
        gs_leap_fini(&u->leap);
        if (make_leap(u, &err) != GS_OK)
            abort(); /* a test that is out of memory */
        memset(u->exact, 0, gs_image_function_count(u->image) * sizeof *u->exact);
    }
    if (u->leap_control.value & GS_LEAP_DRAIN) {
        while (gs_leap_drain(&u->leap, &event))
            continue;
    }
}

static void count_exactly(units *u, const gs_port *port)
{
    const gs_function *f = gs_image_function_at(u->image, port->pc);
    if (f && port->valid)
        u->exact[f - gs_image_function(u->image, 0)] += port->cycles;
}

/* -- The Statistics Module -- */

static void receive(void *self, const gs_stats_record *record, uint64_t times)
{
    units *u = self;
    (void)times;
    memcpy(u->sent, record->value, sizeof u->sent);
}

static bool stats_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    units *u = self;
    unsigned counter = (offset - GS_STATS_SENT) / GS_STATS_SENT_STRIDE;
    if (size != 4)
        return false;
    if (offset >= GS_STATS_SENT && counter < COUNTERS) {
        switch (offset % GS_STATS_SENT_STRIDE) {
        case GS_STATS_VALUE: *value = u->sent[counter]; return true;
        case GS_STATS_HIGH: *value = u->stats_high; return true;
        case GS_STATS_LOW:
            *value = (uint32_t)u->stats.total[counter];
            u->stats_high = (uint32_t)(u->stats.total[counter] >> 32);
            return true;
        default: return false;
        }
    }
    switch (offset) {
    case GS_STATS_ID: *value = GS_STATS_MAGIC; return true;
    case GS_STATS_CONFIG: *value = 32u << 16 | STATS_RANGES << 8 | COUNTERS; return true;
    case GS_STATS_CONTROL: *value = u->stats_control.run; return true;
    case GS_STATS_INTERVAL: *value = u->stats.interval; return true;
    case GS_STATS_SEQUENCE: *value = u->stats.sequence; return true;
    case GS_STATS_SIGNALS: *value = (1u << GS_STATS_SIGNAL_COUNT) - 1; return true;
    default: return false;
    }
}

static bool stats_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    units *u = self;
    unsigned range = (offset - GS_STATS_RANGE) / 8, counter = (offset - GS_STATS_SELECTOR) / 4;
    if (size != 4)
        return false;
    if (offset == GS_STATS_CONTROL) {
        write_control(&u->stats_control, value);
    } else if (offset == GS_STATS_INTERVAL) {
        u->stats.interval = u->stats.timer = (uint32_t)value;
    } else if (offset >= GS_STATS_SELECTOR && counter < COUNTERS) {
        u->stats.signal_of[counter] = value & 31;
        u->stats.range_of[counter] = (value >> 8) % STATS_RANGES;
    } else if (offset >= GS_STATS_RANGE && range < STATS_RANGES) {
        if (offset & 4)
            u->stats.range[range].last = (uint32_t)value;
        else
            u->stats.range[range].first = (uint32_t)value;
    }
    return true;
}

static void control_stats(units *u)
{
    uint32_t value = u->stats_control.value;
    u->stats_control.run = (value & GS_STATS_RUN) && !(value & GS_STATS_END);
    if (value & GS_STATS_CLEAR) {
        gs_stats_reset(&u->stats);
        memset(u->sent, 0, sizeof u->sent);
    }
    if (value & GS_STATS_END)
        gs_stats_end(&u->stats);
}

/* -- The loop detector -- */

static bool loops_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    units *u = self;
    unsigned entry = (offset - GS_LOOPS_ENTRY) / GS_LOOPS_ENTRY_STRIDE;
    if (size != 4)
        return false;
    if (offset >= GS_LOOPS_ENTRY && entry < ENTRIES) {
        const gs_loops_entry *e = &u->loops.cache[entry];
        *value = offset & 4 ? e->frequency : e->address | e->valid;
        return true;
    }
    switch (offset) {
    case GS_LOOPS_ID: *value = GS_LOOPS_MAGIC; return true;
    case GS_LOOPS_CONFIG: *value = ENTRIES << 16 | WAYS << 8 | LOOP_WIDTH; return true;
    case GS_LOOPS_CONTROL: *value = u->loops_control.run; return true;
    default: return false;
    }
}

static bool loops_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    units *u = self;
    if (size == 4 && offset == GS_LOOPS_CONTROL)
        write_control(&u->loops_control, value);
    return size == 4;
}

static const gs_loops_parameters loop_parameters = {.entries = ENTRIES,
                                                    .ways = WAYS,
                                                    .width = LOOP_WIDTH,
                                                    .interval = 1,
                                                    .distance = 1024,
                                                    .coalesce = true};

static void control_loops(units *u)
{
    u->loops_control.run = u->loops_control.value & GS_LOOPS_RUN;
    if (u->loops_control.value & GS_LOOPS_CLEAR)
        gs_loops_reset(&u->loops, &loop_parameters);
    if (u->loops_control.value & GS_LOOPS_END)
        gs_loops_end(&u->loops);
}

/* -- SnoopP -- */

static void make_snoopp(gs_snoopp *s)
{
    s->amount = GS_AMOUNT_CYCLES;
    s->width = 64;
    s->count = RANGES;
    for (uint32_t i = 0; i < RANGES; i++) {
        s->first[i] = RAM + i * RANGE_BYTES;
        s->last[i] = s->first[i] + RANGE_BYTES - 1;
    }
    gs_snoopp_reset_state(s);
}

static bool snoopp_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    return gs_snoopp_load(&((units *)self)->snoopp, offset, size, value);
}

static bool snoopp_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    return gs_snoopp_store(&((units *)self)->snoopp, offset, size, value);
}

/* -- All of them -- */

static void settle(units *u, control *c, void (*act)(units *u))
{
    if (c->written)
        act(u);
    c->written = false;
}

static void beat(void *self, const gs_port *port)
{
    units *u = self;
    gs_leap_event event;
    if (u->leap_control.run) {
        gs_leap_beat(&u->leap, port, &event);
        count_exactly(u, port);
    }
    if (u->stats_control.run)
        gs_stats_beat(&u->stats, port, u->isa);
    if (u->loops_control.run)
        gs_loops_beat(&u->loops, port, u->isa);
    gs_snoopp_beat(&u->snoopp, port);
    settle(u, &u->leap_control, control_leap);
    settle(u, &u->stats_control, control_stats);
    settle(u, &u->loops_control, control_loops);
}

static gs_status add_devices(units *u, gs_machine *machine, gs_error *err)
{
    const gs_device devices[] = {
        {.load = leap_load, .store = leap_store},
        {.load = snoopp_load, .store = snoopp_store},
        {.load = stats_load, .store = stats_store},
        {.load = loops_load, .store = loops_store},
    };
    gs_status status = GS_OK;
    for (uint32_t i = 0; i < sizeof devices / sizeof *devices && status == GS_OK; i++) {
        gs_device device = devices[i];
        device.base = BASE + i * WINDOW;
        device.size = WINDOW;
        device.self = u;
        status = gs_memory_add_device(&machine->memory, &device, err);
    }
    return status;
}

gs_status units_open(units **out, const gs_image *image, gs_machine *machine,
                     const gs_timing *timing, gs_error *err)
{
    units *u = calloc(1, sizeof *u);
    *out = u;
    if (!u)
        return gs_fail_no_memory(err);
    u->image = image;
    u->isa = machine->isa;
    u->hash = (gs_leap_hash){.entries = FUNCTIONS, .a2 = 26, .tab = u->tab};
    u->exact = calloc(gs_image_function_count(image) + 1, sizeof *u->exact);
    u->stats = (gs_stats){.count = COUNTERS, .width = 32, .dispatch = receive, .dispatch_self = u};
    gs_stats_reset(&u->stats);
    gs_loops_reset(&u->loops, &loop_parameters);
    make_snoopp(&u->snoopp);
    gs_port_feed_init(&u->feed, machine, timing, beat, u);
    gs_status status = u->exact ? make_leap(u, err) : gs_fail_no_memory(err);
    if (status == GS_OK)
        status = add_devices(u, machine, err);
    return status;
}

void units_free(units *u)
{
    if (!u)
        return;
    gs_leap_fini(&u->leap);
    free(u->exact);
    free(u);
}

const gs_observer *units_observer(units *u)
{
    return &u->feed.observer;
}

unsigned units_check_exact(const units *u)
{
    unsigned wrong = 0, counted = 0;
    for (size_t i = 0; i < gs_image_function_count(u->image); i++) {
        const gs_function *f = gs_image_function(u->image, i);
        uint64_t leap =
            u->leap.storage.value[gs_leap_hash_of(&u->hash, (uint32_t)f->start) % FUNCTIONS];
        counted += u->exact[i] > 0;
        if (leap == u->exact[i])
            continue;
        printf("  %s: LEAP has %" PRIu64 " cycles, exactly it is %" PRIu64 "\n", f->name, leap,
               u->exact[i]);
        wrong++;
    }
    if (counted < 3) {
        printf("  only %u functions were executed while LEAP ran\n", counted);
        wrong++;
    }
    return wrong;
}
