/* SnoopP: its configuration for the Verilog, and the counters of both. */
#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "compare.h"
#include "gumshoe/firmware/snoopp_registers.h"
#include "units/hardware.h"
#include "units/ranges.h"
#include "units/snoopp/snoopp.h"

enum {
    BOUNDS = 0x80000, /* snoopp_wired.v */
    CONSTANTS = 13,
};

typedef struct config {
    gs_option_list ranges; /* wired; else bounds are written to snoopp_wired.v */
    uint64_t counters, width;
    unsigned count;
    bool data, writable;
} config;

static const char *const counts[] = {
#define AMOUNT(name, key, text) key,
#include "units/amounts.def"
#undef AMOUNT
    NULL};

static const gs_unit_option options[] = {
    {.name = "range", .type = GS_OPTION_LIST, .offset = offsetof(config, ranges)},
    {.name = "counters",
     .type = GS_OPTION_NUMBER,
     .offset = offsetof(config, counters),
     .fallback = 16,
     .min = 1,
     .max = GS_SNOOPP_MAX},
    {.name = "width",
     .type = GS_OPTION_NUMBER,
     .offset = offsetof(config, width),
     .fallback = 64,
     .min = 32,
     .max = 64},
    {.name = "count",
     .type = GS_OPTION_CHOICE,
     .offset = offsetof(config, count),
     .choices = counts},
    {.name = "data", .type = GS_OPTION_FLAG, .offset = offsetof(config, data)},
    {.name = "writable", .type = GS_OPTION_FLAG, .offset = offsetof(config, writable)},
};

/* One range for everything, and one for each function, as far as there are counters; every other
 * one ends with the address of an instruction. For data, all memory is cut into equal parts, the
 * second half of which are instead a few bytes each of the constants behind the code. */
static void set_bounds(gs_snoopp *s, const gs_image *image)
{
    size_t functions = gs_image_function_count(image);
    for (unsigned i = 0; i < s->count; i++) {
        s->first[i] = i * (UINT32_MAX / s->count);
        s->last[i] = s->first[i] + UINT32_MAX / s->count;
    }
    for (unsigned i = 1; i < s->count && i <= functions && !s->data; i++) {
        const gs_function *function = gs_image_function(image, functions - i);
        s->first[i] = (uint32_t)function->start;
        s->last[i] = (uint32_t)function->end - (i % 2 ? 4 : 1);
    }
    for (unsigned i = s->count / 2; i < s->count && s->data; i++) {
        s->first[i] = (uint32_t)gs_image_function(image, functions - 1)->end + CONSTANTS * i;
        s->last[i] = s->first[i] + CONSTANTS - 1;
    }
    s->first[0] = 0;
    s->last[0] = UINT32_MAX;
}

static void program_hardware(comparison *c)
{
    const gs_snoopp *s = c->model;
    for (unsigned i = 0; i < s->count; i++) {
        const uint32_t at = GS_SNOOPP_COUNTER + GS_SNOOPP_COUNTER_STRIDE * i;
        compare_write(c, s->writable ? at + GS_SNOOPP_FIRST : BOUNDS + 8 * i, s->first[i]);
        compare_write(c, s->writable ? at + GS_SNOOPP_LAST : BOUNDS + 8 * i + 4, s->last[i]);
    }
}

static gs_status set_ranges(gs_snoopp *s, const config *how, const gs_image *image, gs_arena *arena,
                            gs_error *err)
{
    gs_status status = GS_OK;
    s->count = (unsigned)how->ranges.count;
    for (unsigned i = 0; i < s->count && status == GS_OK; i++) {
        gs_unit_range range = {0};
        status = gs_range_parse(&range, how->ranges.items[i], image, s->data, "snoopp", arena, err);
        s->first[i] = range.first;
        s->last[i] = range.last;
    }
    return status;
}

static gs_status make(comparison *c, const config *how, gs_arena *arena, gs_error *err)
{
    gs_snoopp *s = calloc(1, sizeof *s);
    c->model = s;
    if (!s)
        return gs_fail_no_memory(err);
    s->amount = (gs_amount)how->count;
    s->data = how->data;
    s->writable = how->writable;
    s->width = (unsigned)how->width;
    s->count = (unsigned)how->counters;
    gs_snoopp_reset_state(s);
    if (how->ranges.count > 0)
        return set_ranges(s, how, c->context.image, arena, err);
    set_bounds(s, c->context.image);
    program_hardware(c);
    return GS_OK;
}

static gs_status open(comparison *c, const char *text, gs_error *err)
{
    config how;
    gs_arena arena = {0};
    gs_status status = gs_options_parse(&how, options, sizeof options / sizeof *options, "snoopp",
                                        text, &arena, err);
    if (status == GS_OK)
        status = make(c, &how, &arena, err);
    gs_arena_free(&arena);
    return status;
}

static void beat(comparison *c, const gs_port *port)
{
    gs_snoopp_beat(c->model, port);
}

/* Every register, through the model's own bus. */
static void compare_all(comparison *c)
{
    gs_snoopp *s = c->model;
    uint32_t end = GS_SNOOPP_COUNTER + GS_SNOOPP_COUNTER_STRIDE * s->count;
    for (uint32_t at = 0; at < end + GS_SNOOPP_COUNTER_STRIDE; at += 4) {
        uint64_t value;
        if (gs_snoopp_load(s, at, 4, &value))
            compare_register(c, "register", at, at, (uint32_t)value);
    }
}

static void finish(comparison *c)
{
    static const uint32_t resets[][2] = {
        {GS_SNOOPP_COUNTER, 0},
        {GS_SNOOPP_CONTROL, 0},
        {GS_SNOOPP_CONTROL, GS_SNOOPP_RUN | GS_SNOOPP_RESET},
    };
    compare_all(c);
    for (unsigned i = 0; i < sizeof resets / sizeof *resets; i++) {
        gs_snoopp_store(c->model, resets[i][0], 4, resets[i][1]);
        compare_write(c, resets[i][0], resets[i][1]);
        compare_all(c);
    }
    const gs_snoopp *s = c->model;
    const register_extent extents[] = {{"COUNTER", s->count, false},
                                       {"FIRST", 1, !s->writable},
                                       {"LAST", 1, !s->writable},
                                       {NULL, 0, false}};
    compare_decoding(c, gs_snoopp_hardware.registers, extents);
}

static void free_model(comparison *c)
{
    free(c->model);
}

const comparison_kind compare_snoopp = {
    .name = "snoopp", .open = open, .beat = beat, .finish = finish, .free = free_model};
