#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "compare.h"
#include "units/leap/leap_unit.h"

/* As docs/units/leap.md has them. */
enum {
    ID = 0x00,
    CONTROL = 0x08,
    V = 0x0c,
    A1 = 0x10,
    B1 = 0x14,
    B2 = 0x18,
    TAB = 0x40000,
    TAGS = 0x80000,
    COUNTERS = 0xc0000,
    RUN = 1,
    CLEARING = 2,
    DRAIN = 4,
    MAGIC = 0x50454c01,
};

typedef struct model {
    gs_arena arena;
    gs_leap_config config;
    gs_leap_unit *unit;
} model;

static void program_hardware(comparison *c)
{
    model *m = c->model;
    const gs_leap_listing *l = &m->unit->listing;
    compare_write(c, V, l->hash.v);
    compare_write(c, A1, l->hash.a1);
    compare_write(c, B1, l->hash.b1);
    compare_write(c, B2, l->hash.b2);
    for (unsigned i = 0; i < gs_leap_tab_length(&l->hash); i++)
        compare_write(c, TAB + 4 * i, l->hash.tab[i]);
    for (unsigned i = 0; m->config.tagged && i < l->hash.entries; i++)
        compare_write(c, TAGS + 4 * i, l->tags[i]);
    uint32_t control = CLEARING;
    while (control & CLEARING && c->library->read(c->rtl, CONTROL, &control))
        continue;
    compare_register(c, "register", ID, ID, MAGIC);
    compare_write(c, CONTROL, RUN);
}

static void free_model(comparison *c)
{
    model *m = c->model;
    if (!m)
        return;
    gs_unit_leap.free(m->unit);
    gs_arena_free(&m->arena);
    free(m);
}

static gs_status open(comparison *c, const char *options, gs_error *err)
{
    void *unit = NULL;
    model *m = calloc(1, sizeof *m);
    c->model = m;
    if (!m)
        return gs_fail_no_memory(err);
    gs_status status = gs_options_parse(&m->config, gs_unit_leap.options, gs_unit_leap.option_count,
                                        "leap", options, &m->arena, err);
    if (status == GS_OK)
        status = gs_unit_leap.open(&unit, &m->config, &c->context, NULL, err);
    m->unit = unit;
    if (status == GS_OK)
        program_hardware(c);
    return status;
}

static void beat(comparison *c, const gs_port *port)
{
    model *m = c->model;
    gs_leap_event event;
    gs_leap_beat(&m->unit->leap, port, &event);
}

static void finish(comparison *c)
{
    gs_leap *leap = &((model *)c->model)->unit->leap;
    gs_leap_event event;
    while (gs_leap_drain(leap, &event))
        continue;

    uint32_t control = DRAIN;
    compare_write(c, CONTROL, DRAIN);
    while (control & DRAIN && c->library->read(c->rtl, CONTROL, &control))
        continue;
    for (uint32_t i = 0; i < leap->storage.entries; i++) {
        for (unsigned lane = 0; lane < leap->storage.lanes; lane++) {
            uint64_t value = leap->storage.value[(size_t)i * leap->storage.lanes + lane];
            uint32_t at = COUNTERS + 16 * i + 8 * lane;
            compare_register(c, "counter, low half of", i, at, (uint32_t)value);
            compare_register(c, "counter, high half of", i, at + 4, (uint32_t)(value >> 32));
        }
    }
}

const comparison_kind compare_leap = {
    .name = "leap", .open = open, .beat = beat, .finish = finish, .free = free_model};
