/* LEAP: its configuration for the Verilog, and all that model and Verilog must agree on. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "compare.h"
#include "gumshoe/firmware/leap_registers.h"
#include "units/hardware.h"
#include "units/leap/leap_unit.h"

typedef struct model {
    gs_arena arena;
    gs_leap_config config;
    gs_leap_unit *unit;
} model;

static void program_hardware(comparison *c)
{
    model *m = c->model;
    const gs_leap_listing *l = &m->unit->listing;
    compare_write(c, GS_LEAP_V, l->hash.v);
    compare_write(c, GS_LEAP_A1, l->hash.a1);
    compare_write(c, GS_LEAP_B1, l->hash.b1);
    compare_write(c, GS_LEAP_B2, l->hash.b2);
    for (unsigned i = 0; i < gs_leap_tab_length(&l->hash); i++)
        compare_write(c, GS_LEAP_TAB + GS_LEAP_TAB_STRIDE * i, l->hash.tab[i]);
    for (unsigned i = 0; m->config.tagged && i < l->hash.entries; i++)
        compare_write(c, GS_LEAP_TAG + GS_LEAP_TAG_STRIDE * i, l->tags[i]);
    uint32_t control = GS_LEAP_CLEAR;
    while (control & GS_LEAP_CLEAR && c->library->read(c->rtl, GS_LEAP_CONTROL, &control))
        continue;
    compare_register(c, "register", GS_LEAP_ID, GS_LEAP_ID, GS_LEAP_MAGIC);
    if (m->config.tagged) { /* as if begun in the middle of a function */
        gs_leap *leap = &m->unit->leap;
        leap->begins = true;
        leap->begin = (uint32_t)gs_image_function(c->context.image, 1)->start;
        compare_write(c, GS_LEAP_BEGIN, leap->begin);
    }
    compare_write(c, GS_LEAP_CONTROL, GS_LEAP_RUN);
}

static void free_model(comparison *c)
{
    model *m = c->model;
    if (!m)
        return;
    gs_unit_close(&gs_unit_leap, m->unit);
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
        status = gs_unit_open(&unit, &gs_unit_leap, &m->config, &c->context, NULL, err);
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

    uint32_t control = GS_LEAP_DRAIN;
    compare_write(c, GS_LEAP_CONTROL, GS_LEAP_DRAIN);
    while (control & GS_LEAP_DRAIN && c->library->read(c->rtl, GS_LEAP_CONTROL, &control))
        continue;
    unsigned lanes = leap->storage.lanes;
    bool selected = lanes > 2;
    compare_register(c, "register", GS_LEAP_LANES, GS_LEAP_LANES, lanes);
    compare_register(c, "register", GS_LEAP_HALVED, GS_LEAP_HALVED, leap->storage.shift);
    for (unsigned lane = 0; lane < lanes; lane++) {
        if (selected)
            compare_write(c, GS_LEAP_LANE, lane);
        for (uint32_t i = 0; i < leap->storage.entries; i++) {
            uint64_t value = leap->storage.value[(size_t)i * lanes + lane];
            uint32_t at = GS_LEAP_COUNTER + GS_LEAP_COUNTER_STRIDE * i +
                          (selected ? 0 : GS_LEAP_LOW_2 * lane);
            compare_register(c, "counter, low half of", i, at + GS_LEAP_LOW, (uint32_t)value);
            compare_register(c, "counter, high half of", i, at + GS_LEAP_HIGH,
                             (uint32_t)(value >> 32));
        }
    }
    const model *m = c->model;
    const gs_leap_hash *hash = &m->unit->listing.hash;
    uint64_t tab = gs_leap_tab_length(hash);
    const register_extent extents[] = {
        {"LANE", lanes > 2, false},
        {"TAB", (uint32_t)(tab > hash->entries ? tab : hash->entries), false},
        {"TAG", m->config.tagged ? hash->entries : 0, false},
        {"COUNTER", hash->entries, false},
        {"LOW_2", lanes == 2, false},
        {"HIGH_2", lanes == 2, false},
        {NULL, 0, false}};
    compare_decoding(c, gs_leap_hardware.registers, extents);
}

const comparison_kind compare_leap = {
    .name = "leap", .open = open, .beat = beat, .finish = finish, .free = free_model};
